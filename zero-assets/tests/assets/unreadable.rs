//! A path that cannot be looked at while a world runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use zero_assets::{Create, Workspace, builtin};
use zero_vfs::{Listing, MemorySource, Mount, Source, Stat, Vfs, VfsPath};

use crate::diary::{FILES, source};
use crate::path;

/// A source that does not answer for what is called `locked`, once it is told to.
#[derive(Debug)]
struct Locked {
    inner: MemorySource,
    is_locked: Arc<AtomicBool>,
}

impl Source for Locked {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<Stat>> {
        match self.is_locked.load(Ordering::Relaxed) && path.as_str().contains("locked") {
            false => self.inner.stat(path),
            true => Err(zero_vfs::Error::Io {
                action: "look at",
                path: path.clone(),
                source: std::io::Error::other("it is locked"),
            }),
        }
    }
    fn list(&self, folder: &VfsPath) -> zero_vfs::Result<Listing> {
        self.inner.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
        self.inner.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
        self.inner.write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.rename(from, to)
    }
}

#[test]
fn what_cannot_be_looked_at_is_told_where_it_is() {
    let files = FILES.iter().map(|(path, text)| (*path, text.as_bytes()));
    let is_locked = Arc::new(AtomicBool::new(false));
    let locked = Locked {
        inner: MemorySource::with_files("world", files).unwrap(),
        is_locked: is_locked.clone(),
    };
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), locked)).unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let note = world.create(&Create::new("note", "locked")).unwrap().path;
    is_locked.store(true, Ordering::Relaxed);
    // What was made is looked at once more.
    let told = world.update(Duration::from_secs(1)).diagnostics;
    let told: Vec<_> = told.iter().filter(|told| told.code == "vfs.unreadable").collect();
    assert!(
        !told.is_empty() && told.iter().all(|told| told.path.starts_with(&note)),
        "{told:?}"
    );
    assert!(
        world.assets().at(&source("/locked.note")).is_some(),
        "it stays as it was known"
    );
}
