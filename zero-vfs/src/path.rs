//! [`VfsPath`]: the one form in which a place in the virtual file system is written.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::error::{Error, PathProblem, Result};

/// The longest segment, in bytes of UTF-8: what common file systems hold.
pub const MAX_SEGMENT_BYTES: usize = 255;
/// The longest path, in bytes of UTF-8.
pub const MAX_PATH_BYTES: usize = 4096;

/// How the names of an atomic write's temporaries begin. No [`VfsPath`] can name one, so that sweeping
/// them away can never remove content.
pub(crate) const TEMPORARY_PREFIX: &str = ".zero-tmp-";

/// An absolute path in the virtual file system, canonical from the moment it is parsed.
///
/// `/` separates segments and `/` alone is the root. Text is UTF-8 in Unicode normal form C, so two
/// spellings of one accented letter are one path. What a path cannot express: a step up or out (`.`,
/// `..`), an empty or trailing segment, a drive or a stream (`:`), a backslash, a control character, or a
/// name that some operating system would silently change or open as a device (`aux`, a trailing dot or
/// space, `* ? " < > |`). The rules are the same on every system, so content moves between them.
///
/// Equality is by case. Ordering is segment by segment, which keeps everything below a folder together
/// directly after it. Clones are cheap (a shared allocation).
///
/// ```
/// use zero_vfs::VfsPath;
/// let path = VfsPath::parse("/zero/source/bark.texture/texture.yaml")?;
/// assert_eq!(path.name(), Some("texture.yaml"));
/// assert_eq!(path.parent(), Some(VfsPath::parse("/zero/source/bark.texture")?));
/// assert!(VfsPath::parse("/zero/../etc/passwd").is_err());
/// # Ok::<(), zero_vfs::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct VfsPath(Arc<str>);

impl VfsPath {
    /// The root, `/`.
    #[must_use]
    pub fn root() -> Self {
        Self(Arc::from("/"))
    }

    /// Reads a path and brings it to canonical form (normal form C).
    ///
    /// # Errors
    /// [`Error::Path`] with the text and what is wrong with it.
    pub fn parse(text: &str) -> Result<Self> {
        let fail = |problem| Error::Path {
            text: shorten(text),
            problem,
        };
        // Checked before anything is allocated: normalising may triple a text.
        if text.len() > MAX_PATH_BYTES {
            return Err(fail(PathProblem::TooLong {
                bytes: text.len(),
                limit: MAX_PATH_BYTES,
            }));
        }
        let normal = nfc(text);
        let Some(rest) = normal.strip_prefix('/') else {
            return Err(fail(PathProblem::NotAbsolute));
        };
        if rest.is_empty() {
            return Ok(Self::root());
        }
        if normal.len() > MAX_PATH_BYTES {
            return Err(fail(PathProblem::TooLong {
                bytes: normal.len(),
                limit: MAX_PATH_BYTES,
            }));
        }
        for segment in rest.split('/') {
            check_segment(segment).map_err(fail)?;
        }
        Ok(Self(Arc::from(normal)))
    }

    /// The path as text, always beginning with `/`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is `/`.
    #[must_use]
    pub fn is_root(&self) -> bool {
        &*self.0 == "/"
    }

    /// The names from the root down; none for the root.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.0[1..].split('/').filter(|segment| !segment.is_empty())
    }

    /// The last segment; `None` for the root.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.segments().next_back()
    }

    /// What follows the last dot of the name, if the name has a dot that is not its first character.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        let (stem, extension) = self.name()?.rsplit_once('.')?;
        (!stem.is_empty()).then_some(extension)
    }

    /// The folder that holds this; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        match self.0.rsplit_once('/') {
            Some(("", _)) | None => Some(Self::root()),
            Some((parent, _)) => Some(Self(Arc::from(parent))),
        }
    }

    /// This path, its folder, that one's folder, and so on to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = VfsPath> {
        std::iter::successors(Some(self.clone()), VfsPath::parent)
    }

    /// This path with one or more segments added, written with `/` and without one in front.
    ///
    /// # Errors
    /// [`Error::Path`] as [`VfsPath::parse`] gives it, of the whole.
    pub fn join(&self, below: &str) -> Result<Self> {
        match self.is_root() {
            true => Self::parse(&format!("/{below}")),
            false => Self::parse(&format!("{self}/{below}")),
        }
    }

    /// Whether this is `folder` or lies anywhere below it (whole segments are compared).
    #[must_use]
    pub fn starts_with(&self, folder: &VfsPath) -> bool {
        folder.is_root()
            || self
                .0
                .strip_prefix(&*folder.0)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// This path as seen from `folder`: `/zero/a/b` from `/zero` is `/a/b`. `None` if it is not below it.
    #[must_use]
    pub fn relative_to(&self, folder: &VfsPath) -> Option<Self> {
        if folder.is_root() {
            return Some(self.clone());
        }
        match self.0.strip_prefix(&*folder.0)? {
            "" => Some(Self::root()),
            rest if rest.starts_with('/') => Some(Self(Arc::from(rest))),
            _ => None,
        }
    }
}

impl Ord for VfsPath {
    fn cmp(&self, other: &Self) -> Ordering {
        // Segment by segment, in one pass: the first byte that differs decides, with the end of a segment below all others.
        let (one, two) = (self.0.as_bytes(), other.0.as_bytes());
        let rank = |byte: u8| (byte != b'/', byte);
        match common_prefix(one, two) {
            at if at < one.len().min(two.len()) => rank(one[at]).cmp(&rank(two[at])),
            _ => one.len().cmp(&two.len()),
        }
    }
}

/// How many bytes two texts begin with alike, found eight at a time: paths in one tree share most of theirs.
fn common_prefix(one: &[u8], two: &[u8]) -> usize {
    let (words_one, words_two) = (one.as_chunks::<8>().0, two.as_chunks::<8>().0);
    let alike = words_one.iter().zip(words_two).take_while(|(a, b)| a == b).count() * 8;
    let rest = one[alike..].iter().zip(&two[alike..]);
    alike + rest.take_while(|(a, b)| a == b).count()
}

impl PartialOrd for VfsPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for VfsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for VfsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl FromStr for VfsPath {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for VfsPath {
    type Error = Error;
    fn try_from(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl AsRef<str> for VfsPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Normal form C of `text`; most text has it already and is copied as it is.
pub(crate) fn nfc(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_owned(),
        _ => text.nfc().collect(),
    }
}

/// What keeps `segment`, in normal form C, from being a name; every rule holds on every system.
pub(crate) fn check_segment(segment: &str) -> std::result::Result<(), PathProblem> {
    if segment.is_empty() {
        return Err(PathProblem::EmptySegment);
    }
    if segment == "." || segment == ".." {
        return Err(PathProblem::DotSegment);
    }
    if segment.len() > MAX_SEGMENT_BYTES {
        return Err(PathProblem::TooLong {
            bytes: segment.len(),
            limit: MAX_SEGMENT_BYTES,
        });
    }
    if let Some(bad) = segment.chars().find(|&c| c.is_control() || r#"\:*?"<>|"#.contains(c)) {
        return Err(PathProblem::Character { character: bad });
    }
    if segment.ends_with(['.', ' ']) {
        return Err(PathProblem::TrailingDotOrSpace);
    }
    if is_device_name(segment) {
        return Err(PathProblem::DeviceName);
    }
    if segment.starts_with(TEMPORARY_PREFIX) {
        return Err(PathProblem::Reserved);
    }
    Ok(())
}

/// Whether Windows opens a device when asked for a file of this name, whatever its extension.
/// Source: Microsoft, "Naming Files, Paths, and Namespaces" (the superscript digits included).
fn is_device_name(segment: &str) -> bool {
    let stem = segment
        .split('.')
        .next()
        .unwrap_or(segment)
        .trim_end_matches(' ')
        .to_ascii_lowercase();
    if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str()) {
        return true;
    }
    ["com", "lpt"].iter().any(|port| {
        stem.strip_prefix(port).is_some_and(|rest| {
            let mut digits = rest.chars();
            matches!(
                (digits.next(), digits.next()),
                (Some('0'..='9' | '¹' | '²' | '³'), None)
            )
        })
    })
}

/// A text for a message: its first hundred characters, so that a hostile one does not fill a log.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> VfsPath {
        VfsPath::parse(text).unwrap()
    }

    #[test]
    fn canonical_texts_are_kept() {
        for text in [
            "/",
            "/a",
            "/a/b.c",
            "/zero/source/libs/@builtin",
            "/.refs",
            "/a b/c",
            "/ä/木",
            "/...a",
        ] {
            assert_eq!(path(text).as_str(), text);
        }
    }

    #[test]
    fn each_refusal_names_its_reason() {
        use PathProblem as P;
        let check = |text: &str, expected: PathProblem| match VfsPath::parse(text) {
            Err(Error::Path { problem, .. }) => assert_eq!(problem, expected, "{text:?}"),
            other => panic!("{text:?} gave {other:?}"),
        };
        for text in ["", "a", "a/b", "./a", "C:/a", "\\a", " /a"] {
            check(text, P::NotAbsolute);
        }
        for text in ["//", "/a//b", "/a/", "//a"] {
            check(text, P::EmptySegment);
        }
        for text in ["/.", "/..", "/a/../b", "/a/./b", "/a/.."] {
            check(text, P::DotSegment);
        }
        for (text, character) in [
            ("/C:", ':'),
            ("/a\\b", '\\'),
            ("/a\0", '\0'),
            ("/a\n", '\n'),
            ("/\u{85}", '\u{85}'),
            ("/a?", '?'),
        ] {
            check(text, P::Character { character });
        }
        for text in ["/a.", "/a ", "/a./b", "/...", "/ "] {
            check(text, P::TrailingDotOrSpace);
        }
        for text in [
            "/con",
            "/CON.txt",
            "/a/nul",
            "/Com1",
            "/lpt9.tar.gz",
            "/aux .x",
            "/com¹",
        ] {
            check(text, P::DeviceName);
        }
        check("/a/.zero-tmp-1", P::Reserved);
        for text in ["/console", "/com10", "/com", "/auxiliary.txt"] {
            assert!(VfsPath::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn lengths_hold_exactly() {
        let name = |n: usize| format!("/{}", "x".repeat(n));
        assert!(VfsPath::parse(&name(MAX_SEGMENT_BYTES)).is_ok());
        assert!(VfsPath::parse(&name(MAX_SEGMENT_BYTES + 1)).is_err());
        let long = "/abc".repeat(MAX_PATH_BYTES / 4);
        assert!(VfsPath::parse(&long).is_ok());
        assert!(VfsPath::parse(&format!("{long}x")).is_err());
    }

    #[test]
    fn two_spellings_of_a_letter_are_one_path() {
        assert_eq!(path("/cafe\u{301}"), path("/caf\u{e9}"));
        // The Kelvin sign is canonically the letter K.
        assert_eq!(path("/\u{212A}").as_str(), "/K");
    }

    #[test]
    fn parts_and_relations() {
        let file = path("/a/b.texture/c.tar.gz");
        assert_eq!(file.segments().collect::<Vec<_>>(), ["a", "b.texture", "c.tar.gz"]);
        assert_eq!(file.extension(), Some("gz"));
        assert_eq!(path("/.refs").extension(), None);
        assert_eq!(path("/a").parent(), Some(VfsPath::root()));
        assert_eq!(VfsPath::root().parent(), None);
        assert_eq!(VfsPath::root().name(), None);
        assert_eq!(
            file.ancestors().map(|p| p.to_string()).collect::<Vec<_>>(),
            ["/a/b.texture/c.tar.gz", "/a/b.texture", "/a", "/"]
        );
        assert!(file.starts_with(&path("/a")) && file.starts_with(&VfsPath::root()) && file.starts_with(&file));
        assert!(!path("/ab").starts_with(&path("/a")));
        assert_eq!(file.relative_to(&path("/a")), Some(path("/b.texture/c.tar.gz")));
        assert_eq!(file.relative_to(&file), Some(VfsPath::root()));
        assert_eq!(path("/ab").relative_to(&path("/a")), None);
        assert_eq!(path("/a").join("b/c").unwrap(), path("/a/b/c"));
        assert_eq!(VfsPath::root().join("b").unwrap(), path("/b"));
        for bad in ["", "/b", "../b", "b/", "b//c"] {
            assert!(path("/a").join(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_below_a_folder_sorts_directly_after_it() {
        let mut paths = ["/a-b", "/a/c", "/a", "/a.b", "/a/b"].map(path);
        paths.sort();
        assert_eq!(paths.map(|p| p.to_string()), ["/a", "/a/b", "/a/c", "/a-b", "/a.b"]);
    }

    proptest! {
        #[test]
        fn parsing_never_panics_and_is_canonical(text in any::<String>()) {
            if let Ok(parsed) = VfsPath::parse(&text) {
                prop_assert_eq!(&VfsPath::parse(parsed.as_str()).unwrap(), &parsed);
                holds_the_rules(&parsed)?;
            }
        }

        /// Texts close to a path: most of them parse, and none of them escapes.
        #[test]
        fn near_paths_hold_the_rules(text in r"(/(\.{0,3}|[a-cA-C. :\\e\u{301}\u{0}-\u{9}]{0,5})){1,6}/?") {
            if let Ok(parsed) = VfsPath::parse(&text) {
                prop_assert_eq!(VfsPath::parse(parsed.as_str()).unwrap(), parsed.clone());
                holds_the_rules(&parsed)?;
                if let (Some(parent), Some(name)) = (parsed.parent(), parsed.name()) {
                    prop_assert!(parsed.starts_with(&parent));
                    prop_assert_eq!(parent.join(name).unwrap(), parsed);
                }
            }
        }
    }

    fn holds_the_rules(path: &VfsPath) -> std::result::Result<(), TestCaseError> {
        prop_assert!(path.as_str().starts_with('/'));
        prop_assert!(path.is_root() || !path.as_str().ends_with('/'));
        prop_assert!(path.segments().all(|s| !s.is_empty() && s != "." && s != ".."));
        prop_assert!(
            !path
                .as_str()
                .contains(|c: char| c.is_control() || c == ':' || c == '\\')
        );
        Ok(())
    }
}
