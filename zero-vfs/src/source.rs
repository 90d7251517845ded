//! [`Source`]: where files come from. A mount makes one visible in the virtual file system.

use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;

use crate::error::{Error, PathProblem, Result};
use crate::path::VfsPath;
use crate::signal::Listener;
use crate::stamp::Stamp;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A file: bytes.
    File,
    /// A folder: names.
    Folder,
}

/// What is known of a path without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// File or folder.
    pub kind: Kind,
    /// Bytes in a file; 0 for a folder.
    pub len: u64,
}

impl Stat {
    /// A folder's.
    pub const FOLDER: Self = Self {
        kind: Kind::Folder,
        len: 0,
    };

    /// That of a file of `len` bytes.
    #[must_use]
    pub fn file(len: u64) -> Self {
        Self { kind: Kind::File, len }
    }
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, a valid segment of a [`VfsPath`].
    pub name: String,
    /// What it names.
    pub stat: Stat,
}

/// Something a folder on disk holds that no [`VfsPath`] can reach. It is told rather than dropped, so that a
/// host can show it to whoever put it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Its name, with what is not UTF-8 replaced.
    pub name: String,
    /// Why it cannot be reached.
    pub why: Why,
}

/// Why a name on disk cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The name breaks a rule of [`VfsPath`].
    Name(PathProblem),
    /// It is a symbolic link that is refused.
    Link(&'static str),
    /// It is neither file nor folder (a socket, a pipe, a device).
    Special,
    /// It is a folder that cannot be listed.
    Unreadable(ErrorKind),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(problem) => problem.fmt(f),
            Self::Link(reason) => write!(f, "a link that is refused: {reason}"),
            Self::Special => f.write_str("neither a file nor a folder"),
            Self::Unreadable(why) => write!(f, "a folder that cannot be listed: {why}"),
        }
    }
}

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Sorted by name (byte order), each name once.
    pub entries: Vec<Entry>,
    /// What cannot be reached, sorted by name.
    pub unreachable: Vec<Unreachable>,
}

/// A [`Stat`], and what tells this state of a file from the next.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// File or folder, and how long.
    pub stat: Stat,
    /// Of a file; nothing is to be learnt from that of a folder.
    pub stamp: Stamp,
}

impl Look {
    /// A folder's.
    pub const FOLDER: Self = Self {
        stat: Stat::FOLDER,
        stamp: Stamp::UNKNOWN,
    };
}

/// What a folder holds, each name looked at.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Sorted by name (byte order), each name once.
    pub entries: Vec<(String, Look)>,
    /// What cannot be reached, sorted by name.
    pub unreachable: Vec<Unreachable>,
}

/// The bytes of a file, and the state that they are of.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Its state when it had been read.
    pub stamp: Stamp,
    /// Whether the state was the same before it was read and after: if not, someone was writing.
    pub was_steady: bool,
}

/// Whether a write goes where writes are held back for later, such as to a [`crate::PlayShadow`] while a game plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Durability {
    /// It goes there, if there is such a place.
    #[default]
    Ordinary,
    /// It goes past it, to where it stays.
    Durable,
}

/// Files of a tree that is to be written, one after another: where, seen from the top of the tree, and the bytes.
pub type TreeFiles<'a> = &'a mut dyn Iterator<Item = Result<(VfsPath, Vec<u8>)>>;

/// A place that files come from: a folder on disk, memory, bytes in the program.
///
/// Paths are the source's own: its root is `/`, wherever it is mounted. Every method may be called from any
/// thread. A source that follows this contract passes the suite in `conformance` (feature of that name);
/// run it on one of your own.
///
/// * Names compare by case, on every operating system.
/// * A folder is there while something is in it; writing a file makes its folders, and removing the file
///   leaves them.
/// * A change that fails leaves everything as it was, folders that were made for it included. The one exception is
///   [`Error::NotSynced`]: the change stands.
/// * Errors name the path that was asked for. [`Error::NotFound`] needs no suggestions from a source
///   ([`crate::Vfs`] adds them): [`not_found`] makes one.
pub trait Source: fmt::Debug + Send + Sync {
    /// A short name for messages, such as the folder's path.
    fn name(&self) -> &str;

    /// Whether the methods that change something work at all.
    fn is_writable(&self) -> bool;

    /// What is at `path`, or `None`. The root is always a folder.
    ///
    /// # Errors
    /// [`Error::Link`] for a refused link, [`Error::Io`]. A path below a file is `None`, not an error.
    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>>;

    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotAFolder`], and as [`Source::stat`].
    fn list(&self, folder: &VfsPath) -> Result<Listing>;

    /// The whole of a file of at most `limit` bytes; a longer one is not read.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotAFile`], [`Error::TooLarge`], and as [`Source::stat`].
    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>>;

    /// Puts `bytes` in a file, making it and its folders where they are missing. Whoever reads, whenever
    /// the program or the machine stops, finds the old content or the new, whole.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], [`Error::NotAFile`] if a folder stands there, [`Error::NotAFolder`] if a file
    /// stands where a folder is needed, [`Error::NotSynced`], and as [`Source::stat`].
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()>;

    /// Removes a file, or a folder that is empty.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], [`Error::NotFound`], [`Error::NotEmpty`], [`Error::NotSynced`], and as
    /// [`Source::stat`].
    fn remove(&self, path: &VfsPath) -> Result<()>;

    /// Moves a file or a folder with all it holds, making the folders that lead to `to`.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], [`Error::NotFound`], [`Error::AlreadyThere`] if anything stands at `to`,
    /// [`Error::IntoItself`], [`Error::NotSynced`], and as [`Source::stat`].
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()>;

    /// Removes a file, or a folder with all below it. [`crate::FolderSource`] and [`crate::MemorySource`] do it in one step:
    /// a reader finds all of it or nothing, and one that fails removes nothing. As provided, it removes one file after
    /// another, and one that fails leaves what it had not come to.
    ///
    /// # Errors
    /// As [`Source::remove`].
    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        remove_one_by_one(self, path)
    }

    /// Puts a whole tree of files at `to`, where nothing may stand. A reader finds all of it or nothing, also after the
    /// program was killed midway, where the source says so: [`crate::FolderSource`] and [`crate::MemorySource`] do. As
    /// provided, it writes one file after another, and removes what it wrote if one fails. Without files it does nothing.
    ///
    /// # Errors
    /// [`Error::AlreadyThere`], an error that `files` hands out, and as [`Source::write`].
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, durability: Durability) -> Result<()> {
        if self.stat(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        let mut written = Vec::new();
        for file in files {
            let placed = file.and_then(|(inner, bytes)| {
                let path = to.join(&inner.as_str()[1..])?;
                match durability {
                    Durability::Ordinary => self.write(&path, &bytes)?,
                    Durability::Durable => self.write_durable(&path, &bytes)?,
                }
                Ok(path)
            });
            match placed {
                Ok(path) => written.push(path),
                Err(error) => {
                    take_back(self, to, &written);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// As [`Source::write`], past whatever holds writes back for later, such as a [`crate::PlayShadow`].
    ///
    /// # Errors
    /// As [`Source::write`].
    fn write_durable(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.write(path, bytes)
    }

    /// [`Source::stat`] with what tells this state from the next. As provided it tells nothing: whoever wants to know
    /// reads the file.
    ///
    /// # Errors
    /// As [`Source::stat`].
    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        let look = |stat| Look {
            stat,
            stamp: Stamp::UNKNOWN,
        };
        Ok(self.stat(path)?.map(look))
    }

    /// [`Source::list`] with what tells each file's state from the next.
    ///
    /// # Errors
    /// As [`Source::list`].
    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        let listing = self.list(folder)?;
        let look = |entry: Entry| {
            let stamp = Stamp::UNKNOWN;
            (
                entry.name,
                Look {
                    stat: entry.stat,
                    stamp,
                },
            )
        };
        Ok(Survey {
            entries: listing.entries.into_iter().map(look).collect(),
            unreachable: listing.unreachable,
        })
    }

    /// [`Source::read`] with the state that the bytes are of.
    ///
    /// # Errors
    /// As [`Source::read`].
    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        let before = self.look(path)?;
        let bytes = self.read(path, limit)?;
        let after = self.look(path)?;
        let stamp = after.map_or(Stamp::UNKNOWN, |look| look.stamp);
        let was_steady = match (before, after) {
            (Some(before), Some(after)) => before.stamp.looks_like(&after.stamp) && before.stat == after.stat,
            _ => false,
        };
        Ok(Snapshot {
            bytes,
            stamp,
            was_steady,
        })
    }

    /// Tells `listener` from now on what changes other than through these methods. A source that others cannot change
    /// has nothing to tell.
    fn listen(&self, listener: &Arc<Listener>) {
        let _ = listener;
    }
}

/// A source that is shared: the host keeps one handle, a mount holds another.
impl<S: Source + ?Sized> Source for Arc<S> {
    fn name(&self) -> &str {
        (**self).name()
    }
    fn is_writable(&self) -> bool {
        (**self).is_writable()
    }
    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        (**self).stat(path)
    }
    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        (**self).list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        (**self).read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        (**self).write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> Result<()> {
        (**self).remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        (**self).rename(from, to)
    }
    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        (**self).remove_tree(path)
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, durability: Durability) -> Result<()> {
        (**self).write_tree(to, files, durability)
    }
    fn write_durable(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        (**self).write_durable(path, bytes)
    }
    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        (**self).look(path)
    }
    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        (**self).survey(folder)
    }
    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        (**self).read_stamped(path, limit)
    }
    fn listen(&self, listener: &Arc<Listener>) {
        (**self).listen(listener);
    }
}

/// Removes a tree one file after another. What a name that begins with a dot says of the rest goes after it.
pub(crate) fn remove_one_by_one<S: Source + ?Sized>(source: &S, top: &VfsPath) -> Result<()> {
    match source.stat(top)? {
        None => return Err(not_found(top)),
        Some(Stat { kind: Kind::File, .. }) => return source.remove(top),
        Some(_) if top.is_root() => return Err(Error::NotEmpty { path: top.clone() }),
        Some(_) => {}
    }
    let (mut files, mut folders, mut open) = (Vec::new(), vec![top.clone()], vec![top.clone()]);
    while let Some(folder) = open.pop() {
        for entry in source.list(&folder)?.entries {
            let path = folder.join(&entry.name)?;
            match entry.stat.kind {
                Kind::File => files.push(path),
                Kind::Folder => {
                    folders.push(path.clone());
                    open.push(path);
                }
            }
        }
    }
    files.sort_unstable();
    folders.sort_unstable();
    let mut unsynced = None;
    // Deeper folders sort after their parents.
    for path in files.iter().rev().chain(folders.iter().rev()) {
        match source.remove(path) {
            // It is gone all the same.
            Err(error @ Error::NotSynced { .. }) => unsynced = Some(error),
            removed => removed?,
        }
    }
    unsynced.map_or(Ok(()), Err)
}

/// Removes what was written of a tree that could not be finished, and its folders. The error to tell is that of the write:
/// what cannot be removed stays.
fn take_back<S: Source + ?Sized>(source: &S, top: &VfsPath, written: &[VfsPath]) {
    let mut folders = std::collections::BTreeSet::new();
    for path in written {
        let _ = source.remove(path);
        folders.extend(path.ancestors().skip(1).filter(|folder| folder.starts_with(top)));
    }
    for folder in folders.iter().rev() {
        let _ = source.remove(folder);
    }
}

/// The [`Error::NotFound`] of a source: without suggestions, which [`crate::Vfs`] adds.
#[must_use]
pub fn not_found(path: &VfsPath) -> Error {
    Error::NotFound {
        path: path.clone(),
        folder: path.parent().unwrap_or_else(VfsPath::root),
        missing: path.name().unwrap_or("/").to_owned(),
        near: Vec::new(),
    }
}

/// The error of a source in which nothing can be changed.
pub(crate) fn read_only(source: &impl Source, path: &VfsPath) -> Error {
    Error::ReadOnly {
        path: path.clone(),
        source_name: source.name().to_owned(),
    }
}

/// Fails unless `len` is within `limit`.
pub(crate) fn check_limit(path: &VfsPath, len: u64, limit: u64) -> Result<()> {
    match len > limit {
        true => Err(Error::TooLarge {
            path: path.clone(),
            bytes: len,
            limit,
        }),
        false => Ok(()),
    }
}

/// Fails where a rename makes no sense whatever the source holds: into itself, or the root.
pub(crate) fn check_rename(from: &VfsPath, to: &VfsPath) -> Result<()> {
    if from != to && to.starts_with(from) {
        return Err(Error::IntoItself {
            from: from.clone(),
            to: to.clone(),
        });
    }
    Ok(())
}
