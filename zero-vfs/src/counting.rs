//! [`CountingSource`]: counts what a source is asked, for tests of how much work something does.

use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Result;
use crate::path::VfsPath;
use crate::signal::Listener;
use crate::source::{Durability, Listing, Look, Snapshot, Source, Stat, Survey, TreeFiles};

/// How often a source was asked for what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// [`Source::stat`] and [`Source::look`].
    pub stats: u64,
    /// [`Source::list`] and [`Source::survey`].
    pub lists: u64,
    /// [`Source::read`] and [`Source::read_stamped`].
    pub reads: u64,
    /// All that change something.
    pub changes: u64,
    /// The paths that were asked for, in order.
    pub paths: Vec<VfsPath>,
}

/// A source that passes all on to another and counts it.
#[derive(Debug)]
pub struct CountingSource<S> {
    inner: S,
    counts: Mutex<Counts>,
}

impl<S: Source> CountingSource<S> {
    /// Over `inner`, with every count 0.
    pub fn new(inner: S) -> Self {
        Self {
            inner,
            counts: Mutex::default(),
        }
    }

    /// The source beneath.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().clone()
    }

    /// Every count is 0 again.
    pub fn reset(&self) {
        *self.lock() = Counts::default();
    }

    fn count(&self, path: &VfsPath, which: impl FnOnce(&mut Counts) -> &mut u64) -> &S {
        let mut counts = self.lock();
        *which(&mut counts) += 1;
        counts.paths.push(path.clone());
        &self.inner
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Source> Source for CountingSource<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn is_writable(&self) -> bool {
        self.inner.is_writable()
    }
    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        self.count(path, |counts| &mut counts.stats).stat(path)
    }
    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        self.count(folder, |counts| &mut counts.lists).list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        self.count(path, |counts| &mut counts.reads).read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.count(path, |counts| &mut counts.changes).write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.count(path, |counts| &mut counts.changes).remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.count(from, |counts| &mut counts.changes).rename(from, to)
    }
    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        self.count(path, |counts| &mut counts.changes).remove_tree(path)
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, durability: Durability) -> Result<()> {
        self.count(to, |counts| &mut counts.changes)
            .write_tree(to, files, durability)
    }
    fn write_durable(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.count(path, |counts| &mut counts.changes)
            .write_durable(path, bytes)
    }
    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        self.count(path, |counts| &mut counts.stats).look(path)
    }
    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        self.count(folder, |counts| &mut counts.lists).survey(folder)
    }
    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        self.count(path, |counts| &mut counts.reads).read_stamped(path, limit)
    }
    fn listen(&self, listener: &Arc<Listener>) {
        self.inner.listen(listener);
    }
}
