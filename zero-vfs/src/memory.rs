//! [`MemorySource`]: files in memory, for tests, generated content and unsaved work.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::error::Result;
use crate::path::VfsPath;
use crate::signal::{Listener, Settling, Signal};
use crate::source::{Durability, Listing, Look, Snapshot, Source, Stat, Survey, TreeFiles};
use crate::tree::Tree;

/// A writable source that holds its files in memory. Writes and renames are whole by nature: a reader waits
/// for them. What is written here past a [`crate::Vfs`], by whoever keeps a handle, is told to its feeds. Cost of an operation: a search in an ordered map, and the copy of the bytes.
#[derive(Debug)]
pub struct MemorySource {
    name: String,
    tree: RwLock<Tree<Box<[u8]>>>,
    signal: Signal,
}

impl MemorySource {
    /// An empty one; `name` is for messages.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tree: RwLock::default(),
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

    // A lock is poisoned only by a panic inside `Tree`, which keeps its map whole at every step.
    fn tree(&self) -> RwLockReadGuard<'_, Tree<Box<[u8]>>> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tree_mut(&self) -> RwLockWriteGuard<'_, Tree<Box<[u8]>>> {
        self.tree.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for MemorySource {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        Ok(self.tree().stat(path))
    }

    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        self.tree().list(folder)
    }

    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        self.tree().read(path, limit)
    }

    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.tree_mut().write(path, bytes.into())?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.tree_mut().remove(path)?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.tree_mut().rename(from, to)?;
        self.signal.touch(from, Settling::Whole);
        self.signal.touch(to, Settling::Whole);
        Ok(())
    }

    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, _: Durability) -> Result<()> {
        let files: Result<Vec<_>> = files
            .map(|file| file.map(|(path, bytes)| (path, bytes.into())))
            .collect();
        self.tree_mut().write_tree(to, files?)?;
        self.signal.touch(to, Settling::Whole);
        Ok(())
    }

    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        Ok(self.tree().look(path))
    }

    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        self.tree().survey(folder)
    }

    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        self.tree().read_stamped(path, limit)
    }

    fn listen(&self, listener: &Arc<Listener>) {
        self.signal.add(listener);
    }
}
