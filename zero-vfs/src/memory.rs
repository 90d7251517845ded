//! [`MemorySource`]: files in memory, for tests, generated content and unsaved work.

use std::sync::Arc;

use crate::error::Result;
use crate::path::VfsPath;
use crate::signal::{Listener, Settling, Signal};
use crate::source::{Durability, Source, TreeFiles};
use crate::tree::Tree;
use crate::tree_source::{SharedTree, looks_into_its_tree, reads_its_tree};

/// A writable source that holds its files in memory. Writes and renames are whole by nature: a reader waits
/// for them. What is written here past a [`crate::Vfs`], by whoever keeps a handle, is told to its feeds. Cost of an operation: a search in an ordered map, and the copy of the bytes.
#[derive(Debug)]
pub struct MemorySource {
    name: String,
    tree: SharedTree,
    signal: Signal,
}

impl MemorySource {
    /// An empty one; `name` is for messages.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tree: SharedTree::default(),
            signal: Signal::new(),
        }
    }

    /// One that holds `files`, each an absolute path and its bytes.
    ///
    /// # Errors
    /// As [`VfsPath::parse`] and [`Source::write`] give them.
    pub fn with_files<'a>(
        name: impl Into<String>,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<Self> {
        let source = Self::new(name);
        for (path, bytes) in files {
            source.write(&VfsPath::parse(path)?, bytes)?;
        }
        Ok(source)
    }

    fn tree(&self) -> impl std::ops::Deref<Target = Tree<Box<[u8]>>> + '_ {
        self.tree.read()
    }
}

impl Source for MemorySource {
    looks_into_its_tree!();
    reads_its_tree!();

    fn is_writable(&self) -> bool {
        true
    }

    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.tree.write().write(path, bytes.into())?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.tree.write().remove(path)?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        self.tree.write().remove_tree(path)?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.tree.write().rename(from, to)?;
        self.signal.touch(from, Settling::Whole);
        self.signal.touch(to, Settling::Whole);
        Ok(())
    }

    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, _: Durability) -> Result<()> {
        let files: Result<Vec<_>> = files
            .map(|file| file.map(|(path, bytes)| (path, bytes.into())))
            .collect();
        self.tree.write().write_tree(to, files?)?;
        self.signal.touch(to, Settling::Whole);
        Ok(())
    }

    fn listen(&self, listener: &Arc<Listener>) {
        self.signal.add(listener);
    }
}
