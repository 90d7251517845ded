//! What must hold of any text as a path. The fuzz target and the replay of its corpus call the same function.

use zero_vfs::{MAX_PATH_BYTES, MAX_SEGMENT_BYTES, VfsPath};

/// A text is a canonical path that cannot leave the tree, or is refused.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(path) = VfsPath::parse(text) else {
        return;
    };
    let canonical = path.as_str();
    assert!(VfsPath::parse(canonical).is_ok_and(|again| again == path));
    assert!(canonical.starts_with('/') && canonical.len() <= MAX_PATH_BYTES);
    assert!(path.is_root() || !canonical.ends_with('/'));
    for segment in path.segments() {
        assert!(!segment.is_empty() && segment != "." && segment != ".." && segment.len() <= MAX_SEGMENT_BYTES);
        assert!(!segment.contains(['\\', ':', '*', '?', '"', '<', '>', '|', '/']));
        assert!(!segment.ends_with(['.', ' ']) && !segment.chars().any(char::is_control));
    }
    if let (Some(parent), Some(name)) = (path.parent(), path.name()) {
        assert!(path.starts_with(&parent) && parent < path);
        assert!(parent.join(name).is_ok_and(|joined| joined == path));
        assert_eq!(path.relative_to(&parent).map(|inner| inner.segments().count()), Some(1));
    }
}
