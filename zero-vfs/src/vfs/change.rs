//! How a [`Vfs`] is changed.

use super::Vfs;
use crate::change::{Arrival, Origin};
use crate::error::{Error, Result};
use crate::hash::ContentHash;
use crate::journal::{Entry, What};
use crate::mount::MountId;
use crate::path::VfsPath;
use crate::source::{Durability, Kind, check_rename};

/// What may be said of a write.
///
/// ```
/// use zero_vfs::{Origin, WriteOptions};
/// let from_a_peer = WriteOptions::default().durable().origin(Origin::Remote);
/// # let _ = from_a_peer;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Whether it goes past a [`crate::PlayShadow`]. By default it lands there while a game plays.
    pub durability: Durability,
    /// Where it was made; here by default.
    pub origin: Origin,
    /// How the content came; written by someone by default.
    pub arrival: Arrival,
}

impl WriteOptions {
    /// The same, past a [`crate::PlayShadow`].
    #[must_use]
    pub fn durable(self) -> Self {
        let durability = Durability::Durable;
        Self { durability, ..self }
    }

    /// The same, made on another machine.
    #[must_use]
    pub fn origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The same, of content that came as a whole.
    #[must_use]
    pub fn seeded(self) -> Self {
        let arrival = Arrival::Seeded;
        Self { arrival, ..self }
    }
}

/// What may be said of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenameOptions {
    /// Where it was made; here by default.
    pub origin: Origin,
    /// How what is moved came to where it is now, for those who had not heard of it before: someone put it there by
    /// default.
    pub arrival: Arrival,
}

impl RenameOptions {
    /// The same, made on another machine.
    #[must_use]
    pub fn origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The same, of content that came as a whole.
    #[must_use]
    pub fn seeded(self) -> Self {
        let arrival = Arrival::Seeded;
        Self { arrival, ..self }
    }
}

impl Vfs {
    /// Writes a file, atomically, to the first writable mount that covers `path`. Over a read-only mount of
    /// lower order it is an override: the new file is seen from then on.
    ///
    /// # Errors
    /// [`Error::NoWritableMount`]; [`Error::ReadOnly`] if a read-only mount of higher order holds the path,
    /// where the write would not be seen; and as [`crate::Source::write`].
    pub fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.write_with(path, bytes, &WriteOptions::default())
    }

    /// [`Vfs::write`], saying more of it.
    ///
    /// # Errors
    /// As [`Vfs::write`].
    pub fn write_with(&self, path: &VfsPath, bytes: &[u8], options: &WriteOptions) -> Result<()> {
        self.write_past(None, path, bytes, options)
    }

    /// [`Vfs::write_with`], as if the mount `past` were not there.
    pub(crate) fn write_past(
        &self,
        past: Option<MountId>,
        path: &VfsPath,
        bytes: &[u8],
        options: &WriteOptions,
    ) -> Result<()> {
        if self.table.leads_to_mount(path) {
            return Err(Error::NotAFile { path: path.clone() });
        }
        let layer = self.writable(path, past)?;
        let written = match options.durability {
            Durability::Ordinary => layer.mount.source.write(&layer.inner, bytes),
            Durability::Durable => layer.mount.source.write_durable(&layer.inner, bytes),
        };
        self.told(written.map_err(|error| layer.mount.explain(error)), || Entry {
            path: path.clone(),
            what: What::Wrote(ContentHash::of(bytes)),
            origin: options.origin,
            arrival: options.arrival,
        })
    }

    /// Passes a change on to the feeds if it stands, which it may though it is an error.
    pub(super) fn told(&self, changed: Result<()>, entry: impl FnOnce() -> Entry) -> Result<()> {
        if matches!(changed, Ok(()) | Err(Error::NotSynced { .. })) {
            self.journal.record(entry);
        }
        changed
    }

    /// Removes a file or an empty folder. Where a mount of lower order holds a file at the same path, that
    /// one is seen from then on.
    ///
    /// # Errors
    /// [`Error::NotFound`] with names that may have been meant, [`Error::NotEmpty`], [`Error::ReadOnly`], and
    /// as [`crate::Source::remove`].
    pub fn remove(&self, path: &VfsPath) -> Result<()> {
        self.remove_from(path, Origin::Local)
    }

    /// [`Vfs::remove`] of what was removed on the machine `origin`.
    ///
    /// # Errors
    /// As [`Vfs::remove`].
    pub fn remove_from(&self, path: &VfsPath, origin: Origin) -> Result<()> {
        let layer = match self.top(path)? {
            None => return Err(self.missing(path)),
            Some((Some(layer), stat)) if stat.kind == Kind::File => layer,
            Some(_) => self.only_folder_layer(path)?,
        };
        self.check_writable(&layer, path)?;
        let removed = layer.mount.source.remove(&layer.inner);
        self.told(removed.map_err(|error| layer.mount.explain(error)), || Entry {
            path: path.clone(),
            what: What::Removed,
            origin,
            arrival: Arrival::Edited,
        })
    }

    /// Removes a folder with everything below it, or a file. Looks through the whole of it first: what
    /// cannot be removed is told before anything is. In one step, where the source says so (see
    /// [`crate::Source::remove_tree`]).
    ///
    /// # Errors
    /// As [`Vfs::remove`]; [`Error::Layered`] if several mounts hold parts of it;
    /// [`Error::HoldsUnreachable`].
    pub fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        if self.stat(path)?.is_none_or(|stat| stat.kind == Kind::File) {
            return self.remove(path);
        }
        let layer = self.only_folder_layer(path)?;
        self.check_writable(&layer, path)?;
        let walk = self.walk(path)?;
        if let Some((folder, held)) = walk.unreachable.into_iter().next() {
            return Err(Error::HoldsUnreachable {
                path: folder,
                name: held.name,
                why: held.why,
            });
        }
        let removed = layer.mount.source.remove_tree(&layer.inner);
        // One that failed may have removed some: the feeds look for themselves.
        self.journal.record(|| Entry {
            path: path.clone(),
            what: What::Removed,
            origin: Origin::Local,
            arrival: Arrival::Edited,
        });
        removed.map_err(|error| layer.mount.explain(error))
    }

    /// Moves a file, or a folder with all it holds, within one mount.
    ///
    /// # Errors
    /// [`Error::AcrossMounts`], [`Error::AlreadyThere`], [`Error::Layered`] for a folder of several mounts,
    /// [`Error::ReadOnly`], [`Error::NotFound`], and as [`crate::Source::rename`].
    pub fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.rename_with(from, to, &RenameOptions::default())
    }

    /// [`Vfs::rename`] of what was moved on the machine `origin`.
    ///
    /// # Errors
    /// As [`Vfs::rename`].
    pub fn rename_from(&self, from: &VfsPath, to: &VfsPath, origin: Origin) -> Result<()> {
        self.rename_with(from, to, &RenameOptions::default().origin(origin))
    }

    /// [`Vfs::rename`], saying more of it.
    ///
    /// # Errors
    /// As [`Vfs::rename`].
    pub fn rename_with(&self, from: &VfsPath, to: &VfsPath, options: &RenameOptions) -> Result<()> {
        check_rename(from, to)?;
        let layer = match self.top(from)? {
            None => return Err(self.missing(from)),
            Some((Some(layer), stat)) if stat.kind == Kind::File => layer,
            Some(_) => self.only_folder_layer(from)?,
        };
        self.check_writable(&layer, from)?;
        if self.stat(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        let target = self.writable(to, None)?;
        if !std::ptr::eq(target.mount, layer.mount) {
            return Err(Error::AcrossMounts {
                from: from.clone(),
                to: to.clone(),
            });
        }
        let moved = layer.mount.source.rename(&layer.inner, &target.inner);
        self.told(moved.map_err(|error| layer.mount.explain(error)), || Entry {
            path: from.clone(),
            what: What::RenamedTo(to.clone()),
            origin: options.origin,
            arrival: options.arrival,
        })
    }
}
