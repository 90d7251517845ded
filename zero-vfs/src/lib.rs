//! A virtual file system for a game's content: one tree of files put together from folders on disk, archives, memory
//! and bytes in the program, and a feed of what changes in it.
//!
//! **Priorities**, in order: never lose or half-write a file; the same paths and the same answers on every
//! operating system; errors that name the path and what to do. **Non-goals**: streams, permissions, a defence
//! against hostile programs that run beside this one.
//!
//! # A tour
//!
//! A [`VfsPath`] is the only form of a path. It is canonical once parsed and cannot step out of the tree:
//!
//! ```
//! use zero_vfs::VfsPath;
//! let folder = VfsPath::parse("/zero/source")?;
//! let file = folder.join("bark.texture/texture.yaml")?;
//! assert!(file.starts_with(&folder));
//! assert!(folder.join("../secret").is_err());
//! # Ok::<(), zero_vfs::Error>(())
//! ```
//!
//! A [`Source`] is where files come from: [`FolderSource`], [`MemorySource`], [`EmbeddedSource`], `ZipSource` (feature
//! `zip`), [`PlayShadow`] and [`UnsavedBuffers`] over others, or one of your own, which the suite in `conformance` (feature of
//! that name) checks. [`Vfs`] mounts them:
//!
//! ```
//! use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//! let built_in = MemorySource::with_files("built in", [("/stone.txt", &b"grey"[..])])?;
//! let mut vfs = Vfs::new();
//! vfs.mount(Mount::new(VfsPath::parse("/zero")?, built_in).read_only().priority(-1))?;
//! vfs.mount(Mount::new(VfsPath::parse("/zero")?, MemorySource::new("mine")))?;
//!
//! let stone = VfsPath::parse("/zero/stone.txt")?;
//! assert_eq!(vfs.read(&stone)?, b"grey");
//! vfs.write(&stone, b"red")?; // lands in "mine", which answers first
//! assert_eq!(vfs.read(&stone)?, b"red");
//! vfs.remove(&stone)?;
//! assert_eq!(vfs.read(&stone)?, b"grey");
//! # Ok::<(), zero_vfs::Error>(())
//! ```
//!
//! A miss says what may have been meant:
//!
//! ```
//! # use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//! # let mut vfs = Vfs::new();
//! # let files = MemorySource::with_files("mine", [("/stone.txt", &b"grey"[..])])?;
//! # vfs.mount(Mount::new(VfsPath::root(), files))?;
//! let error = vfs.read(&VfsPath::parse("/Stone.txt")?).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "`/Stone.txt` is not there: `/` has no `Stone.txt`; did you mean `stone.txt`?"
//! );
//! # Ok::<(), zero_vfs::Error>(())
//! ```
//!
//! [`Vfs::hash`] names a file's content, and [`Vfs::walk`] everything below a folder, in a fixed order. A [`Feed`] tells what
//! changed, by this program or by others; `FolderWatch` (feature `watch`) hears of the others on disk. A [`BlobStore`] keeps
//! content by its hash.
//!
//! # Threads and cost
//! Everything is `Send + Sync`; reads and writes take `&self` and run on the calling thread. Only a `FolderWatch` holds a
//! thread, and waits for it when it is dropped. Content is never cached, hashes and numbers of paths are: a read of a path asks
//! each covering mount in order, one system call a path segment on disk. A write to a folder costs two syncs (the file and its
//! folder), and one for each folder that it makes.

mod blobs;
mod buffers;
mod change;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "conformance")]
pub mod counting;
mod diagnostic;
mod disk;
mod embedded;
mod error;
mod feed;
mod file_id;
mod folder;
mod hash;
mod hash_cache;
mod journal;
mod made;
mod memory;
mod mount;
mod near;
mod os_path;
mod path;
mod shadow;
mod signal;
mod source;
mod staged;
mod stamp;
mod sweep;
mod tree;
mod tree_source;
mod vfs;
#[cfg(feature = "watch")]
mod watch;
#[cfg(feature = "zip")]
mod zip;

pub use blobs::{BlobPin, BlobStore, Collected};
pub use buffers::UnsavedBuffers;
pub use change::{Arrival, Batch, By, Change, ChangeKind, Origin};
pub use diagnostic::{Diagnostic, Severity};
pub use embedded::EmbeddedSource;
pub use error::{ArchiveProblem, Error, PathProblem, Result};
pub use feed::{Feed, FeedOptions, FeedStats};
pub use file_id::FileId;
pub use folder::{Access, FolderOptions, FolderSource};
pub use hash::{ContentHash, NotAHash};
pub use memory::MemorySource;
pub use mount::{Mount, MountId};
pub use near::nearest_names;
pub use path::{MAX_PATH_BYTES, MAX_SEGMENT_BYTES, VfsPath};
pub use shadow::PlayShadow;
pub use signal::{Heard, Listener, Settling, Signal};
pub use source::{
    Durability, Entry, Kind, Listing, Look, Snapshot, Source, Stat, Survey, TreeFiles, Unreachable, Why, not_found,
};
pub use stamp::Stamp;
pub use sweep::{Sweep, Swept};
pub use vfs::{RenameOptions, Vfs, Walk, WriteOptions};
#[cfg(feature = "watch")]
pub use watch::{FolderWatch, Watching};
#[cfg(feature = "zip")]
pub use zip::{ZipLimits, ZipSource, pack_zip};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
