//! What the sources share whose files are a [`Tree`]: how they are read, and how those refuse changes that take none.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::tree::Tree;

/// A tree of bytes that several threads read and change.
#[derive(Debug, Default)]
pub(crate) struct SharedTree(RwLock<Tree<Box<[u8]>>>);

// A lock is poisoned only by a panic inside `Tree`, which keeps its map whole at every step.
impl SharedTree {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Tree<Box<[u8]>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Tree<Box<[u8]>>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of a [`crate::Source`] that looks into the tree which `self.tree()` answers.
macro_rules! looks_into_its_tree {
    () => {
        fn name(&self) -> &str {
            &self.name
        }

        fn stat(&self, path: &$crate::VfsPath) -> $crate::Result<Option<$crate::Stat>> {
            Ok(self.tree().stat(path))
        }

        fn list(&self, folder: &$crate::VfsPath) -> $crate::Result<$crate::Listing> {
            self.tree().list(folder)
        }

        fn look(&self, path: &$crate::VfsPath) -> $crate::Result<Option<$crate::Look>> {
            Ok(self.tree().look(path))
        }

        fn survey(&self, folder: &$crate::VfsPath) -> $crate::Result<$crate::Survey> {
            self.tree().survey(folder)
        }
    };
}

/// The same for what is read, where the tree holds the bytes as they are.
macro_rules! reads_its_tree {
    () => {
        fn read(&self, path: &$crate::VfsPath, limit: u64) -> $crate::Result<Vec<u8>> {
            self.tree().read(path, limit)
        }

        fn read_stamped(&self, path: &$crate::VfsPath, limit: u64) -> $crate::Result<$crate::Snapshot> {
            self.tree().read_stamped(path, limit)
        }
    };
}

/// The part of a [`crate::Source`] that changes something, for one in which nothing can be changed.
macro_rules! refuses_changes {
    () => {
        fn is_writable(&self) -> bool {
            false
        }

        fn write(&self, path: &$crate::VfsPath, _bytes: &[u8]) -> $crate::Result<()> {
            Err($crate::source::read_only(self, path))
        }

        fn remove(&self, path: &$crate::VfsPath) -> $crate::Result<()> {
            Err($crate::source::read_only(self, path))
        }

        fn rename(&self, from: &$crate::VfsPath, _to: &$crate::VfsPath) -> $crate::Result<()> {
            Err($crate::source::read_only(self, from))
        }
    };
}

pub(crate) use {looks_into_its_tree, reads_its_tree, refuses_changes};
