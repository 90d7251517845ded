//! A source whose changes fail, as a full disk, a lock or a missing permission makes them fail.

use std::sync::{Arc, Mutex};

use zero_vfs::{Durability, Listing, MemorySource, Source, Stat, TreeFiles, VfsPath};

/// What is said of one change: its name, its path, how many came before it.
type Rule = dyn Fn(&str, &VfsPath) -> Option<std::io::ErrorKind> + Send + Sync;

/// A source that removes trees one file after another, and whose changes fail where a rule says so. A change that fails with
/// `Interrupted` is made all the same, and may not outlast a stop of the machine.
pub(crate) struct Faulty {
    inner: MemorySource,
    rule: Arc<Mutex<Box<Rule>>>,
}

impl std::fmt::Debug for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Faulty")
    }
}

/// Sets the rule of a source.
#[derive(Clone)]
pub(crate) struct Faults(Arc<Mutex<Box<Rule>>>);

impl Faults {
    pub(crate) fn set(&self, rule: impl Fn(&str, &VfsPath) -> Option<std::io::ErrorKind> + Send + Sync + 'static) {
        *self.0.lock().unwrap() = Box::new(rule);
    }

    pub(crate) fn none(&self) {
        self.set(|_, _| None);
    }
}

impl Faulty {
    pub(crate) fn new(files: &[(&str, &str)]) -> (Self, Faults) {
        let files = files.iter().map(|(path, text)| (*path, text.as_bytes()));
        let inner = MemorySource::with_files("faulty", files).unwrap();
        let rule: Arc<Mutex<Box<Rule>>> = Arc::new(Mutex::new(Box::new(|_, _| None)));
        let faults = Faults(rule.clone());
        (Self { inner, rule }, faults)
    }

    fn change(
        &self,
        action: &'static str,
        path: &VfsPath,
        change: impl FnOnce() -> zero_vfs::Result<()>,
    ) -> zero_vfs::Result<()> {
        let kind = (self.rule.lock().unwrap())(action, path);
        let path = path.clone();
        match kind {
            None => change(),
            Some(kind @ std::io::ErrorKind::Interrupted) => {
                change()?;
                let source = kind.into();
                Err(zero_vfs::Error::NotSynced { path, source })
            }
            Some(kind) => {
                let source = kind.into();
                Err(zero_vfs::Error::Io { action, path, source })
            }
        }
    }
}

impl Source for Faulty {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<Stat>> {
        self.inner.stat(path)
    }
    fn list(&self, folder: &VfsPath) -> zero_vfs::Result<Listing> {
        self.change("list", folder, || Ok(()))?;
        self.inner.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
        self.inner.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
        self.change("write", path, || self.inner.write(path, bytes))
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.change("remove", path, || self.inner.remove(path))
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.change("rename", from, || self.inner.rename(from, to))
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, how: Durability) -> zero_vfs::Result<()> {
        self.change("write", to, || self.inner.write_tree(to, files, how))
    }
}
