//! [`EmbeddedSource`]: files inside the program, read-only.

use crate::error::{Error, Result};
use crate::path::VfsPath;
use crate::source::Source;
use crate::tree::Tree;
use crate::tree_source::{looks_into_its_tree, reads_its_tree, refuses_changes};

/// A read-only source over bytes that are part of the program. [`crate::embed_files!`] makes its table.
#[derive(Debug)]
pub struct EmbeddedSource {
    name: String,
    tree: Tree<&'static [u8]>,
}

impl EmbeddedSource {
    /// A source over `files`, each an absolute path and its bytes; `name` is for messages.
    ///
    /// # Errors
    /// As [`VfsPath::parse`]; [`Error::Duplicate`] if a path occurs twice or is both a file and a folder.
    pub fn new(name: impl Into<String>, files: &'static [(&'static str, &'static [u8])]) -> Result<Self> {
        let name = name.into();
        let mut tree = Tree::default();
        for (path, bytes) in files {
            let path = VfsPath::parse(path)?;
            if tree.stat(&path).is_some() || tree.write(&path, *bytes).is_err() {
                return Err(Error::Duplicate {
                    source_name: name,
                    path,
                });
            }
        }
        Ok(Self { name, tree })
    }

    fn tree(&self) -> &Tree<&'static [u8]> {
        &self.tree
    }
}

impl Source for EmbeddedSource {
    looks_into_its_tree!();
    reads_its_tree!();
    refuses_changes!();
}

/// The table of an [`EmbeddedSource`]: files below a folder, read when the program is compiled.
///
/// The folder is relative to the file that calls this; each name is relative to the folder and becomes a
/// path below the source's root.
///
/// ```
/// use zero_vfs::{EmbeddedSource, Source, VfsPath, embed_files};
/// let source = EmbeddedSource::new("this crate", embed_files!("../src", ["lib.rs", "path.rs"]))?;
/// assert_eq!(source.list(&VfsPath::root())?.entries.len(), 2);
/// # Ok::<(), zero_vfs::Error>(())
/// ```
#[macro_export]
macro_rules! embed_files {
    ($folder:literal, [$($name:literal),* $(,)?]) => {{
        const FILES: &[(&str, &[u8])] =
            &[$((concat!("/", $name), include_bytes!(concat!($folder, "/", $name)))),*];
        FILES
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_a_clash_is_refused() {
        let check =
            |files: &'static [(&'static str, &'static [u8])], clash: &str| match EmbeddedSource::new("test", files) {
                Err(Error::Duplicate { path, .. }) => assert_eq!(path.as_str(), clash),
                other => panic!("{other:?}"),
            };
        check(&[("/a", b"1"), ("/a", b"2")], "/a");
        check(&[("/a/b", b"1"), ("/a", b"2")], "/a");
        check(&[("/a", b"1"), ("/a/b", b"2")], "/a/b");
        assert!(matches!(
            EmbeddedSource::new("test", &[("a", b"")]),
            Err(Error::Path { .. })
        ));
    }
}
