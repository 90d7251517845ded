//! [`FolderSource`]: a folder on disk, written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::{discard, rename_new, rename_over, sync_folder, when_free, when_swept};
use crate::error::{Error, Result};
use crate::made::Made;
use crate::os_path::{self, Located, temporary_name};
use crate::path::VfsPath;
use crate::signal::{Listener, Signal};
use crate::source::{
    Durability, Entry, Kind, Listing, Look, Snapshot, Source, Stat, Survey, TreeFiles, check_limit, check_rename,
    not_found,
};
use crate::staged::{Staged, set_aside};
use crate::sweep::{Sweep, Swept};

/// Whether a source or a mount may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is only read.
    ReadOnly,
    /// It is read and written.
    ReadWrite,
}

/// How a folder on disk is opened.
///
/// ```
/// use zero_vfs::{Access, FolderOptions, FolderSource, Sweep};
/// # let folder = tempfile::tempdir().unwrap();
/// let options = FolderOptions::new(Access::ReadWrite).sweep(Sweep::Folder);
/// let source = FolderSource::open_with(&folder, &options)?;
/// for (path, error) in &source.swept().failed {
///     eprintln!("{}: {error}", path.display());
/// }
/// # Ok::<(), zero_vfs::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FolderOptions {
    /// Whether it may be written; only read by default.
    pub access: Access,
    /// Where temporaries are looked for when it may be written; everywhere below it by default.
    pub sweep: Sweep,
}

impl FolderOptions {
    /// Those with this access, and the rest by default.
    #[must_use]
    pub fn new(access: Access) -> Self {
        let sweep = Sweep::default();
        Self { access, sweep }
    }

    /// The same with another way to sweep.
    #[must_use]
    pub fn sweep(self, sweep: Sweep) -> Self {
        Self { sweep, ..self }
    }
}

impl Default for FolderOptions {
    fn default() -> Self {
        Self::new(Access::ReadOnly)
    }
}

/// A folder on disk.
///
/// *Writes* go to a temporary file in the same folder, which is synced and then renamed over the old one:
/// whenever the program or the machine stops, each file is the old or the new one, whole. Temporaries that a
/// stopped program left are removed when the folder is next opened for writing, see [`Sweep`].
///
/// *Links*: a symbolic link to a file inside the folder is read and written through. One that leads out, or
/// to a folder, is refused by name.
///
/// *Two writers*: several threads may share one source. Two programs may write one folder: opening it in one leaves alone
/// what the other is writing. (On Windows it removes such a temporary: a file is then written again, and a tree is an
/// error.) Of two that move something to one free name, one alone does.
///
/// *A file that may not be written* (`chmod -w`, read-only) is replaced all the same where its folder may be written: the
/// new one gets its permissions. Such a mark is no lock.
#[derive(Debug)]
pub struct FolderSource {
    name: String,
    /// Canonical, so that a link's end can be compared with it.
    root: PathBuf,
    access: Access,
    swept: Swept,
    temporaries: AtomicU64,
    /// [`sync_folder`], but in the tests of what happens when it fails.
    sync: fn(&Path) -> io::Result<()>,
    /// Held from the look at what is there to the change, so that our own threads do not cross.
    changes: Mutex<()>,
    signal: Arc<Signal>,
}

impl FolderSource {
    /// Opens the folder `root`, which must exist. With [`Access::ReadWrite`] it removes what temporaries
    /// earlier programs left, which lists every folder below `root` once; [`FolderSource::open_with`] need not.
    ///
    /// # Errors
    /// [`Error::Mount`] if `root` is not a folder that can be listed.
    pub fn open(root: impl AsRef<Path>, access: Access) -> Result<Self> {
        Self::open_with(root, &FolderOptions::new(access))
    }

    /// Opens the folder `root`, which must exist.
    ///
    /// # Errors
    /// [`Error::Mount`] if `root` is not a folder that can be listed.
    pub fn open_with(root: impl AsRef<Path>, options: &FolderOptions) -> Result<Self> {
        let FolderOptions { access, sweep } = *options;
        let given = root.as_ref();
        let fail = |source| Error::Mount {
            folder: given.to_path_buf(),
            source,
        };
        let root = given.canonicalize().map_err(fail)?;
        fs::read_dir(&root).map_err(fail)?;
        let mut swept = Swept::default();
        if access == Access::ReadWrite {
            swept.sweep(&root, sweep);
        }
        Ok(Self {
            name: given.display().to_string(),
            root,
            access,
            swept,
            temporaries: AtomicU64::new(0),
            sync: sync_folder,
            changes: Mutex::new(()),
            signal: Arc::default(),
        })
    }

    /// What opening found of temporaries.
    #[must_use]
    pub fn swept(&self) -> &Swept {
        &self.swept
    }

    /// Where to say that something in the folder changed, where a host knows of it by itself: from its own watch, a version
    /// control that it ran, a synchronisation.
    #[must_use]
    pub fn signal(&self) -> &Arc<Signal> {
        &self.signal
    }

    /// The folder on disk, canonical.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn check_writable(&self, path: &VfsPath) -> Result<()> {
        match self.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(Error::ReadOnly {
                path: path.clone(),
                source_name: self.name.clone(),
            }),
        }
    }

    /// Writes `bytes` to a new temporary in `folder`, synced to the disk. No sweep takes it while the open file lives,
    /// where the system has a way to say so.
    fn write_temporary(&self, folder: &Path, bytes: &[u8]) -> io::Result<(PathBuf, Option<File>)> {
        let (temporary, mut file) = loop {
            // Another source over the same folder counts from 0 too: a name that is taken is stepped over.
            let counter = self.temporaries.fetch_add(1, Ordering::Relaxed);
            let temporary = folder.join(temporary_name(std::process::id(), counter));
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => break (temporary, file),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        // Windows would keep others from reading a file that is marked so.
        let held = cfg!(unix) && file.try_lock().is_ok();
        match file.write_all(bytes).and_then(|()| file.sync_all()) {
            Ok(()) => Ok((temporary, held.then_some(file))),
            Err(error) => {
                discard(&temporary);
                Err(error)
            }
        }
    }

    /// Puts a file with `bytes` at `target`, whole or not at all; hands out the folders that were made for it.
    fn replace(&self, target: &Path, bytes: &[u8]) -> io::Result<Vec<PathBuf>> {
        let folder = target.parent().unwrap_or(&self.root);
        when_swept(|| {
            let made = Made::lead_to(folder)?;
            let (temporary, _held) = self.write_temporary(folder, bytes)?;
            rename_over(&temporary, target).inspect_err(|_| discard(&temporary))?;
            Ok(made.keep())
        })
    }

    /// Brings to the disk that names came into or went from the folders of `changed`, and that folders were made.
    fn settle(&self, path: &VfsPath, changed: &[&Path], made: &[PathBuf]) -> Result<()> {
        let parents = changed.iter().copied().chain(made.iter().rev().map(PathBuf::as_path));
        parents
            .filter_map(Path::parent)
            .try_for_each(self.sync)
            .map_err(|source| Error::NotSynced {
                path: path.clone(),
                source,
            })
    }
}

impl FolderSource {
    /// The whole of a file, what was known of it before it was read, and the open file.
    fn read_open(&self, path: &VfsPath, limit: u64) -> Result<(Vec<u8>, Look, File)> {
        let real = match os_path::locate(&self.root, path)? {
            Located::Found { look, .. } if look.stat.kind == Kind::Folder => {
                return Err(Error::NotAFile { path: path.clone() });
            }
            Located::Found { real, .. } => real,
            _ => return Err(not_found(path)),
        };
        let file = match when_free(|| File::open(&real)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(not_found(path)),
            Err(error) => return Err(io_error("read", path)(error)),
        };
        let before = os_path::look(&file.metadata().map_err(io_error("read", path))?);
        let len = before.stat.len;
        check_limit(path, len, limit)?;
        // The file may grow while it is read: one byte past the limit is enough to know.
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        (&file)
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(io_error("read", path))?;
        check_limit(path, bytes.len() as u64, limit)?;
        Ok((bytes, before, file))
    }

    /// Where something new at `path` goes on disk.
    fn free(&self, path: &VfsPath) -> Result<PathBuf> {
        match os_path::locate(&self.root, path)? {
            Located::Missing(target) => Ok(target),
            Located::Found { .. } => Err(Error::AlreadyThere { path: path.clone() }),
            Located::BelowFile(file) => Err(Error::NotAFolder { path: file }),
            Located::OtherCase(other) => Err(Error::AlreadyThere { path: other }),
        }
    }

    /// Writes `files` to a new folder in `folder`, under a name that no path can reach, synced; `None` if there are none.
    fn stage(&self, to: &VfsPath, folder: &Path, files: TreeFiles<'_>) -> Result<Option<Staged>> {
        let mut staged: Option<Staged> = None;
        for file in files {
            let (inner, bytes) = file?;
            let staged = match &mut staged {
                Some(staged) => staged,
                None => staged.insert(self.make_staged(folder).map_err(io_error("write", to))?),
            };
            let mut at = staged.path().to_path_buf();
            at.extend(inner.segments());
            staged.write(&at, &bytes).map_err(io_error("write", to))?;
        }
        if let Some(staged) = &staged {
            staged.sync(self.sync).map_err(io_error("write", to))?;
        }
        Ok(staged)
    }

    fn make_staged(&self, folder: &Path) -> io::Result<Staged> {
        loop {
            let counter = self.temporaries.fetch_add(1, Ordering::Relaxed);
            match Staged::make(folder.join(temporary_name(std::process::id(), counter))) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
    }
}

impl Source for FolderSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_writable(&self) -> bool {
        self.access == Access::ReadWrite
    }

    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        Ok(self.look(path)?.map(|look| look.stat))
    }

    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        let survey = self.survey(folder)?;
        let entry = |(name, look): (String, Look)| Entry { name, stat: look.stat };
        Ok(Listing {
            entries: survey.entries.into_iter().map(entry).collect(),
            unreachable: survey.unreachable,
        })
    }

    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        Ok(self.read_open(path, limit)?.0)
    }

    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.check_writable(path)?;
        let _changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let target = match os_path::locate(&self.root, path)? {
            Located::Found { look, .. } if look.stat.kind == Kind::Folder => {
                return Err(Error::NotAFile { path: path.clone() });
            }
            Located::Found { real, .. } => real,
            Located::Missing(target) => target,
            Located::BelowFile(file) => return Err(Error::NotAFolder { path: file }),
            Located::OtherCase(other) => return Err(Error::AlreadyThere { path: other }),
        };
        let made = self.replace(&target, bytes).map_err(io_error("write", path))?;
        self.settle(path, &[&target], &made)
    }

    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.check_writable(path)?;
        let _changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let Located::Found { named, look, .. } = os_path::locate(&self.root, path)? else {
            return Err(not_found(path));
        };
        if path.is_root() {
            return Err(Error::NotEmpty { path: path.clone() });
        }
        let removed = match look.stat.kind {
            Kind::File => when_free(|| fs::remove_file(&named)),
            Kind::Folder => when_free(|| fs::remove_dir(&named)),
        };
        match removed {
            Ok(()) => self.settle(path, &[&named], &[]),
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Err(Error::NotEmpty { path: path.clone() }),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(not_found(path)),
            Err(error) => Err(io_error("remove", path)(error)),
        }
    }

    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        self.check_writable(path)?;
        let named = match os_path::locate(&self.root, path)? {
            Located::Found { look, .. } if look.stat.kind == Kind::File => return self.remove(path),
            Located::Found { named, .. } => named,
            _ => return Err(not_found(path)),
        };
        if path.is_root() {
            return Err(Error::NotEmpty { path: path.clone() });
        }
        let _changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let aside = match set_aside(&named) {
            Ok(aside) => aside,
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(not_found(path)),
            Err(error) => return Err(io_error("remove", path)(error)),
        };
        // It is gone now. What of it cannot be removed goes when the folder is next opened for writing.
        let _ = fs::remove_dir_all(aside);
        self.settle(path, &[&named], &[])
    }

    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.check_writable(from)?;
        check_rename(from, to)?;
        let _changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let Located::Found { named, .. } = os_path::locate(&self.root, from)? else {
            return Err(not_found(from));
        };
        let mut is_new_name = true;
        let target = match os_path::locate(&self.root, to)? {
            Located::Found { .. } => return Err(Error::AlreadyThere { path: to.clone() }),
            Located::BelowFile(file) => return Err(Error::NotAFolder { path: file }),
            Located::Missing(target) => target,
            // A change of case alone is the one rename onto "another" name that is the same on disk.
            Located::OtherCase(other) if other == *to && same_but_case(from, to) => {
                is_new_name = false;
                named.with_file_name(to.name().unwrap_or_default())
            }
            Located::OtherCase(other) => return Err(Error::AlreadyThere { path: other }),
        };
        let folder = target.parent().unwrap_or(&self.root);
        let moved = || {
            let made = Made::lead_to(folder)?;
            match is_new_name {
                true => rename_new(&named, &target)?,
                false => rename_over(&named, &target)?,
            }
            Ok(made.keep())
        };
        let made = moved().map_err(|error: io::Error| match error.kind() {
            ErrorKind::AlreadyExists => Error::AlreadyThere { path: to.clone() },
            _ => io_error("rename", from)(error),
        })?;
        self.settle(from, &[&target, &named], &made)
    }

    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, _: Durability) -> Result<()> {
        self.check_writable(to)?;
        let target = self.free(to)?;
        let folder = target.parent().unwrap_or(&self.root);
        let made = Made::lead_to(folder).map_err(io_error("write", to))?;
        let staged = self.stage(to, folder, files)?;
        let Some(staged) = staged else {
            return Ok(());
        };
        let _changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have put something there while the files were written.
        self.free(to)?;
        rename_new(staged.path(), &target).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::AlreadyThere { path: to.clone() },
            _ => io_error("write", to)(error),
        })?;
        staged.keep();
        self.settle(to, &[&target], &made.keep())
    }

    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        Ok(match os_path::locate(&self.root, path)? {
            Located::Found { look, .. } => Some(look),
            Located::Missing(_) | Located::BelowFile(_) | Located::OtherCase(_) => None,
        })
    }

    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        match os_path::locate(&self.root, folder)? {
            Located::Found { look, .. } if look.stat.kind == Kind::File => {
                Err(Error::NotAFolder { path: folder.clone() })
            }
            Located::Found { real, .. } => match os_path::survey(&self.root, &real) {
                Err(error) if error.kind() == ErrorKind::NotFound => Err(not_found(folder)),
                survey => survey.map_err(io_error("list", folder)),
            },
            _ => Err(not_found(folder)),
        }
    }

    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        let (bytes, before, file) = self.read_open(path, limit)?;
        // Of the open file: one that was put in its place meanwhile is another change, which is told of by itself.
        let after = os_path::look(&file.metadata().map_err(io_error("read", path))?);
        let was_steady = before.stamp.looks_like(&after.stamp) && after.stat.len == bytes.len() as u64;
        Ok(Snapshot {
            bytes,
            stamp: after.stamp,
            was_steady,
        })
    }

    fn listen(&self, listener: &Arc<Listener>) {
        self.signal.add(listener);
    }
}

fn io_error(action: &'static str, path: &VfsPath) -> impl FnOnce(io::Error) -> Error {
    let path = path.clone();
    move |source| Error::Io { action, path, source }
}

fn same_but_case(a: &VfsPath, b: &VfsPath) -> bool {
    a.parent() == b.parent() && a.as_str().to_lowercase() == b.as_str().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mount, Vfs};
    use std::cell::RefCell;

    thread_local! {
        static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    }

    fn path(text: &str) -> VfsPath {
        VfsPath::parse(text).unwrap()
    }

    #[test]
    fn a_change_that_stands_but_is_not_synced_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let mut source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
        source.sync = |_| Err(ErrorKind::StorageFull.into());
        let check = |changed: Result<()>| {
            let error = changed.unwrap_err();
            assert!(matches!(error, Error::NotSynced { .. }), "{error}");
        };
        check(source.write(&path("/a/file"), b"new"));
        assert_eq!(source.read(&path("/a/file"), 9).unwrap(), b"new");
        check(source.rename(&path("/a/file"), &path("/b/file")));
        assert_eq!(source.read(&path("/b/file"), 9).unwrap(), b"new");
        check(source.remove(&path("/b/file")));
        assert_eq!(source.stat(&path("/b/file")).unwrap(), None);
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(path("/zero"), source)).unwrap();
        let message = vfs.write(&path("/zero/c"), b"").unwrap_err().to_string();
        assert!(message.starts_with("`/zero/c` was changed, but"), "{message}");
    }

    #[test]
    fn every_folder_that_a_change_names_something_in_is_synced() {
        let folder = tempfile::tempdir().unwrap();
        let mut source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
        source.sync = |folder| {
            SYNCED.with_borrow_mut(|synced| synced.push(folder.to_path_buf()));
            Ok(())
        };
        let root = source.root.clone();
        let check = |expected: &[&str]| {
            let mut synced = SYNCED.take();
            synced.sort();
            synced.dedup();
            let expected: Vec<PathBuf> = expected.iter().map(|name| root.join(name)).collect();
            assert_eq!(synced, expected);
        };
        source.write(&path("/a/b/file"), b"").unwrap();
        check(&["", "a", "a/b"]);
        source.write(&path("/a/b/file"), b"again").unwrap();
        check(&["a/b"]);
        source.rename(&path("/a/b/file"), &path("/c/file")).unwrap();
        check(&["", "a/b", "c"]);
        source.remove(&path("/c/file")).unwrap();
        check(&["c"]);
    }
}
