//! [`Source`]: where files come from. A mount makes one visible in the virtual file system.

use std::fmt;

use crate::error::{Error, PathProblem, Result};
use crate::path::VfsPath;

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
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(problem) => problem.fmt(f),
            Self::Link(reason) => write!(f, "a link that is refused: {reason}"),
            Self::Special => f.write_str("neither a file nor a folder"),
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
