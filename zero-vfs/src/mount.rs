//! The mount table: which sources answer for a path, and in which order.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::folder::Access;
use crate::path::VfsPath;
use crate::source::{Source, Stat};

/// A source made visible at a place in the virtual file system.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mount {
    /// The path that shows the source's root.
    pub prefix: VfsPath,
    /// Where its files come from.
    pub source: Arc<dyn Source>,
    /// Of two mounts that hold one path, that of the higher priority answers; among equals that of the
    /// longer prefix, then the later one.
    pub priority: i32,
    /// Whether writes may land here. A source that is itself read-only cannot be mounted for writing.
    pub access: Access,
}

impl Mount {
    /// A mount of `source` at `prefix`, of priority 0 and as writable as the source is.
    #[must_use]
    pub fn new(prefix: VfsPath, source: impl Source + 'static) -> Self {
        let access = if source.is_writable() {
            Access::ReadWrite
        } else {
            Access::ReadOnly
        };
        Self {
            prefix,
            source: Arc::new(source),
            priority: 0,
            access,
        }
    }

    /// The same with another priority.
    #[must_use]
    pub fn priority(self, priority: i32) -> Self {
        Self { priority, ..self }
    }

    /// The same, never written.
    #[must_use]
    pub fn read_only(self) -> Self {
        Self {
            access: Access::ReadOnly,
            ..self
        }
    }

    /// `path` as the source knows it, if this mount covers it.
    pub(crate) fn inner(&self, path: &VfsPath) -> Option<VfsPath> {
        path.relative_to(&self.prefix)
    }

    /// The source's path `inner` as the virtual file system knows it.
    pub(crate) fn outer(&self, inner: &VfsPath) -> Result<VfsPath> {
        match inner.is_root() {
            true => Ok(self.prefix.clone()),
            false => self.prefix.join(&inner.as_str()[1..]),
        }
    }

    /// An error of the source, whose paths are its own, in terms of the virtual file system.
    pub(crate) fn explain(&self, error: Error) -> Error {
        let outer = |path: VfsPath| self.outer(&path).unwrap_or(path);
        match error {
            Error::NotFound {
                path,
                folder,
                missing,
                near,
            } => Error::NotFound {
                path: outer(path),
                folder: outer(folder),
                missing,
                near,
            },
            Error::NotAFile { path } => Error::NotAFile { path: outer(path) },
            Error::NotAFolder { path } => Error::NotAFolder { path: outer(path) },
            Error::AlreadyThere { path } => Error::AlreadyThere { path: outer(path) },
            Error::NotEmpty { path } => Error::NotEmpty { path: outer(path) },
            Error::ReadOnly { path, source_name } => Error::ReadOnly {
                path: outer(path),
                source_name,
            },
            Error::TooLarge { path, bytes, limit } => Error::TooLarge {
                path: outer(path),
                bytes,
                limit,
            },
            Error::Link { path, link, reason } => Error::Link {
                path: outer(path),
                link,
                reason,
            },
            Error::Special { path } => Error::Special { path: outer(path) },
            Error::IntoItself { from, to } => Error::IntoItself {
                from: outer(from),
                to: outer(to),
            },
            Error::Io { action, path, source } => Error::Io {
                action,
                path: outer(path),
                source,
            },
            Error::NotSynced { path, source } => Error::NotSynced {
                path: outer(path),
                source,
            },
            other => other,
        }
    }
}

/// Names a mount, for [`crate::Vfs::unmount`]. Never reused within one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MountId(u64);

/// The mounts, in the order in which they answer.
#[derive(Debug, Default)]
pub(crate) struct Table {
    next: u64,
    mounts: Vec<(MountId, Mount)>,
}

/// A mount that covers a path, and the path as its source knows it.
pub(crate) struct Layer<'a> {
    pub(crate) id: MountId,
    pub(crate) mount: &'a Mount,
    pub(crate) inner: VfsPath,
}

impl Layer<'_> {
    pub(crate) fn stat(&self) -> Result<Option<Stat>> {
        self.mount
            .source
            .stat(&self.inner)
            .map_err(|error| self.mount.explain(error))
    }

    pub(crate) fn is_writable(&self) -> bool {
        self.mount.access == Access::ReadWrite && self.mount.source.is_writable()
    }
}

impl Table {
    pub(crate) fn add(&mut self, mount: Mount) -> MountId {
        let id = MountId(self.next);
        self.next += 1;
        self.mounts.push((id, mount));
        let rank = |(id, mount): &(MountId, Mount)| (mount.priority, mount.prefix.segments().count(), id.0);
        self.mounts.sort_by_key(|entry| std::cmp::Reverse(rank(entry)));
        id
    }

    pub(crate) fn remove(&mut self, id: MountId) -> Option<Mount> {
        let at = self.mounts.iter().position(|(known, _)| *known == id)?;
        Some(self.mounts.remove(at).1)
    }

    pub(crate) fn iter_with_ids(&self) -> impl Iterator<Item = (MountId, &Mount)> {
        self.mounts.iter().map(|(id, mount)| (*id, mount))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Mount> {
        self.mounts.iter().map(|(_, mount)| mount)
    }

    /// The mounts that cover `path`, first the one that is asked first.
    pub(crate) fn layers(&self, path: &VfsPath) -> impl Iterator<Item = Layer<'_>> {
        self.iter_with_ids().filter_map(move |(id, mount)| {
            Some(Layer {
                id,
                mount,
                inner: mount.inner(path)?,
            })
        })
    }

    /// The names that the prefixes of deeper mounts put into `folder`.
    pub(crate) fn names_below(&self, folder: &VfsPath) -> impl Iterator<Item = String> {
        self.iter().filter_map(move |mount| {
            let below = mount.prefix.relative_to(folder)?;
            below.segments().next().map(str::to_owned)
        })
    }

    /// Whether `path` is on the way to a mount, or is one: then it is a folder whatever the sources hold.
    pub(crate) fn leads_to_mount(&self, path: &VfsPath) -> bool {
        path.is_root() || self.iter().any(|mount| mount.prefix.starts_with(path))
    }
}
