//! What can go wrong, with the path it went wrong at.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::hash::ContentHash;
use crate::path::VfsPath;
use crate::source::Why;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate. Each message names the path, and what to do where that is
/// known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is not a [`VfsPath`].
    #[error("{text:?} is not a path: {problem}")]
    Path {
        /// The text (its first hundred characters).
        text: String,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// Nothing is there.
    #[error("`{path}` is not there{}", not_found_hint(folder, missing, near))]
    NotFound {
        /// What was asked for.
        path: VfsPath,
        /// The deepest folder on the way that exists.
        folder: VfsPath,
        /// The first name that `folder` does not hold.
        missing: String,
        /// Names in `folder` close to `missing`, closest first.
        near: Vec<String>,
    },
    /// A folder stands where a file was wanted.
    #[error("`{path}` is a folder, not a file")]
    NotAFile {
        /// Where.
        path: VfsPath,
    },
    /// A file stands where a folder was wanted.
    #[error("`{path}` is a file, not a folder")]
    NotAFolder {
        /// Where.
        path: VfsPath,
    },
    /// Something stands where a rename or a tree was to go.
    #[error("`{path}` exists already; remove it first or take another name")]
    AlreadyThere {
        /// Where.
        path: VfsPath,
    },
    /// A folder that still holds something cannot be removed by `remove`.
    #[error("the folder `{path}` is not empty; `remove_tree` removes it with all it holds")]
    NotEmpty {
        /// The folder.
        path: VfsPath,
    },
    /// The mount or source that answers for a path cannot be written.
    #[error("`{path}` cannot be written: `{source_name}` is read-only")]
    ReadOnly {
        /// What was to be written.
        path: VfsPath,
        /// The source that stands in the way.
        source_name: String,
    },
    /// No mount that covers a path can be written.
    #[error("`{path}` cannot be written: no writable mount covers it")]
    NoWritableMount {
        /// What was to be written.
        path: VfsPath,
    },
    /// A file is larger than the caller allows.
    #[error("`{path}` has {bytes} bytes, more than the {limit} allowed here")]
    TooLarge {
        /// The file.
        path: VfsPath,
        /// Its size.
        bytes: u64,
        /// What was allowed.
        limit: u64,
    },
    /// A symbolic link on the way leads where it must not.
    #[error("`{path}` goes through the link `{}`, which is refused: {reason}", link.display())]
    Link {
        /// What was asked for.
        path: VfsPath,
        /// The link on disk.
        link: PathBuf,
        /// Why it is refused.
        reason: &'static str,
    },
    /// Something that is neither a file nor a folder (a socket, a pipe, a device).
    #[error("`{path}` is neither a file nor a folder")]
    Special {
        /// Where.
        path: VfsPath,
    },
    /// A folder that is to be removed holds something that no path can reach.
    #[error("`{path}` cannot be removed: it holds `{name}`, which no path can reach ({why})")]
    HoldsUnreachable {
        /// The folder.
        path: VfsPath,
        /// The name on disk.
        name: String,
        /// Why it cannot be reached.
        why: Why,
    },
    /// A folder made of several mounts cannot be moved or removed as one.
    #[error("`{path}` is put together from several mounts ({}); move or remove its parts one by one", names.join(", "))]
    Layered {
        /// The folder.
        path: VfsPath,
        /// The sources it is made of.
        names: Vec<String>,
    },
    /// A rename whose two ends are in different mounts.
    #[error("`{from}` cannot be renamed to `{to}`: they are in different mounts; copy it and remove the old one")]
    AcrossMounts {
        /// The old place.
        from: VfsPath,
        /// The new place.
        to: VfsPath,
    },
    /// A folder cannot be moved into itself.
    #[error("`{from}` cannot be renamed to `{to}`: that is inside it")]
    IntoItself {
        /// The folder.
        from: VfsPath,
        /// The place below it.
        to: VfsPath,
    },
    /// A source was given one path twice, or a file where another entry needs a folder.
    #[error("`{source_name}` holds `{path}` twice, or both as a file and as a folder")]
    Duplicate {
        /// The source.
        source_name: String,
        /// The path.
        path: VfsPath,
    },
    /// A folder or an archive on disk cannot be mounted.
    #[error("`{}` cannot be mounted: {source}", folder.display())]
    Mount {
        /// The folder on disk.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An archive is refused, or a file in it cannot be unpacked.
    #[error("the archive `{archive}` {}: {problem}", of_entry(entry))]
    Archive {
        /// The archive.
        archive: String,
        /// The entry, empty where it is the archive itself.
        entry: String,
        /// What is wrong.
        problem: ArchiveProblem,
    },
    /// What a blob store holds is not what its name says.
    #[error("the blob `{hash}` is damaged: it holds other content than its name says; put it anew")]
    DamagedBlob {
        /// Its name.
        hash: ContentHash,
    },
    /// A list of blobs that are referenced cannot be read; nothing is collected while that is so.
    #[error("the reference list `{path}` cannot be read: {problem}; put it anew or remove it")]
    References {
        /// The list, in the source of the blob store.
        path: VfsPath,
        /// What is wrong.
        problem: String,
    },
    /// A change was made, and the system would not say that it is on the disk: every reader finds it, but a machine that
    /// stops now may come back without it.
    #[error("`{path}` was changed, but the change may not outlast a stop of the machine: {source}")]
    NotSynced {
        /// What was written, removed or moved.
        path: VfsPath,
        /// What the system said.
        source: io::Error,
    },
    /// Others changed a file that play changed too.
    #[error(
        "`{path}` was changed by others since play changed it, and promoting would lose their change; take theirs, or accept \
         what the base holds and promote again"
    )]
    ChangedMeanwhile {
        /// The file.
        path: VfsPath,
    },
    /// The operating system refused an operation.
    #[error("could not {action} `{path}`: {source}")]
    Io {
        /// The operation, as a verb.
        action: &'static str,
        /// The path in the virtual file system.
        path: VfsPath,
        /// What the system said.
        source: io::Error,
    },
}

fn not_found_hint(folder: &VfsPath, missing: &str, near: &[String]) -> String {
    match near {
        [] => format!(": `{folder}` has no `{missing}`"),
        [one] => format!(": `{folder}` has no `{missing}`; did you mean `{one}`?"),
        many => format!(
            ": `{folder}` has no `{missing}`; did you mean one of `{}`?",
            many.join("`, `")
        ),
    }
}

fn of_entry(entry: &str) -> String {
    match entry {
        "" => "is refused".to_owned(),
        entry => format!("is refused at {entry:?}"),
    }
}

/// What is wrong with an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveProblem {
    /// It has no end record.
    #[error("it is not a zip archive")]
    NotAnArchive,
    /// Its parts do not fit together.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// A name is not one that a [`VfsPath`] can hold.
    #[error("the name is refused: {0}")]
    Name(PathProblem),
    /// A name occurs twice, or as both a file and a folder.
    #[error("the name occurs twice, or both as a file and as a folder")]
    Duplicate,
    /// A symbolic link.
    #[error("it is a symbolic link")]
    Link,
    /// A device, a pipe or a socket, or a file that says it is a folder.
    #[error("it is neither a file nor a folder")]
    Special,
    /// It is encrypted.
    #[error("it is encrypted")]
    Encrypted,
    /// It is packed in a way that is not read.
    #[error("it is packed with method {method}; only 0 (stored) and 8 (deflate) are read")]
    Method {
        /// The method's number.
        method: u16,
    },
    /// Two entries share bytes.
    #[error("its bytes are another entry's too")]
    Overlap,
    /// It holds too many entries.
    #[error("{entries} entries are more than the {limit} allowed")]
    TooManyEntries {
        /// How many.
        entries: u64,
        /// The most allowed.
        limit: u64,
    },
    /// A file is too large.
    #[error("{bytes} bytes are more than the {limit} allowed")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// All files together are too large.
    #[error("with it the files have {bytes} bytes, more than the {limit} allowed for all")]
    TotalTooLarge {
        /// The bytes of the files up to this one, unpacked.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// It unpacks to far more than it takes.
    #[error("{packed} bytes unpack to {bytes}, which is more than {limit} times as much")]
    Ratio {
        /// The bytes it takes.
        packed: u64,
        /// What they unpack to.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// What it unpacks to is not what it should be.
    #[error("its content is not what its length and checksum say")]
    Content,
}

/// Why a text is not a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathProblem {
    /// It does not begin with `/`.
    NotAbsolute,
    /// Two slashes meet, or one ends it.
    EmptySegment,
    /// A segment is `.` or `..`.
    DotSegment,
    /// A character that no name may hold.
    Character {
        /// Which.
        character: char,
    },
    /// A segment ends in a dot or a space, which Windows drops.
    TrailingDotOrSpace,
    /// A segment is a device name on Windows.
    DeviceName,
    /// A segment or the whole is too long.
    TooLong {
        /// Its length.
        bytes: usize,
        /// The longest allowed.
        limit: usize,
    },
    /// The name is kept for temporaries of atomic writes.
    Reserved,
    /// The name on disk is not UTF-8, or not in normal form C.
    Encoding,
}

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAbsolute => f.write_str("it does not begin with `/`"),
            Self::EmptySegment => f.write_str("it has an empty segment or ends in `/`"),
            Self::DotSegment => f.write_str("it has a `.` or `..` segment"),
            Self::Character { character } => write!(f, "a name cannot hold {character:?}"),
            Self::TrailingDotOrSpace => f.write_str("a name cannot end in a dot or a space"),
            Self::DeviceName => f.write_str("a name cannot be that of a device (con, nul, com1, ...)"),
            Self::TooLong { bytes, limit } => write!(f, "{bytes} bytes are more than the {limit} allowed"),
            Self::Reserved => f.write_str("names that begin with `.zero-tmp-` are kept for temporaries"),
            Self::Encoding => f.write_str("the name on disk is not UTF-8 in normal form C"),
        }
    }
}
