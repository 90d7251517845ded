//! Patterns of files: segments, and `*` for any part of one.

/// Whether `path` fits `pattern`, segment by segment; `*` stands for any text within one.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (mut patterns, mut segments) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), segments.next()) {
            (None, None) => return true,
            (Some(pattern), Some(segment)) if segment_matches(pattern, segment) => {}
            _ => return false,
        }
    }
}

/// Takes the parts between stars from the left, each at the first place it fits: if any way fits, this does.
fn segment_matches(pattern: &str, segment: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == segment;
    };
    let Some(mut left) = segment.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_within_a_segment() {
        let check = |pattern, path, expected| assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        check("a.png", "a.png", true);
        check("*.png", "a.png", true);
        check("*.png", ".png", true);
        check("*.png", "a.png.txt", false);
        check("*.png", "b/a.png", false);
        check("*/a.png", "b/a.png", true);
        check("slice_*_*.texture", "slice_albedo_0.texture", true);
        check("a*b*c", "abc", true);
        check("a*b*c", "acb", false);
        check("ab*ba", "aba", false);
        check("*", "anything", true);
        check("a", "a/b", false);
    }
}
