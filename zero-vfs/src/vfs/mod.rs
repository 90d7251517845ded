//! [`Vfs`]: the files of all mounts as one tree.

mod change;
mod copy;
mod read;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::file_id::{FileId, FileIds};
use crate::hash_cache::HashCache;
use crate::journal::Journal;
use crate::mount::{Layer, Mount, MountId, Table};
use crate::near::nearest_names;
use crate::path::VfsPath;
use crate::source::{Kind, Stat, not_found};

pub use change::{RenameOptions, WriteOptions};
pub(crate) use read::Seen;
pub use read::Walk;

/// A tree of files put together from mounts. It does no work of its own accord and holds no thread: a call asks the
/// sources. Share it behind an `Arc`; mounting needs it alone. What it keeps is the hash of each file that was asked for
/// ([`Vfs::hash`]) and the number of each path ([`Vfs::file_id`]).
///
/// A file that several mounts hold is that of the first in their order (see [`Mount::priority`]); a folder
/// shows the names of all of them, unless a file of an earlier mount hides it.
#[derive(Debug, Default)]
pub struct Vfs {
    table: Table,
    ids: FileIds,
    hashes: HashCache,
    journal: Arc<Journal>,
}

impl Vfs {
    /// One without mounts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mount.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] for a read-only source mounted for writing.
    pub fn mount(&mut self, mount: Mount) -> Result<MountId> {
        if mount.access == crate::Access::ReadWrite && !mount.source.is_writable() {
            let source_name = mount.source.name().to_owned();
            return Err(Error::ReadOnly {
                path: mount.prefix,
                source_name,
            });
        }
        Ok(self.table.add(mount))
    }

    /// Takes a mount away and hands it back; `None` if it is gone already.
    pub fn unmount(&mut self, id: MountId) -> Option<Mount> {
        self.hashes.forget_mount(id);
        self.table.remove(id)
    }

    /// The mounts in the order in which they answer.
    pub fn mounts(&self) -> impl Iterator<Item = &Mount> {
        self.table.iter()
    }

    /// The number of a path, the same for as long as this lives. A path has one whether or not anything is there.
    #[must_use]
    pub fn file_id(&self, path: &VfsPath) -> FileId {
        self.ids.of(path)
    }

    /// The path that has this number; `None` if it is that of another [`Vfs`].
    #[must_use]
    pub fn path_of(&self, id: FileId) -> Option<VfsPath> {
        self.ids.path(id)
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn mounts_with_ids(&self) -> impl Iterator<Item = (MountId, &Mount)> {
        self.table.iter_with_ids()
    }

    /// The layer that answers for `path` and what it holds; no layer where only a mount's prefix makes it a
    /// folder.
    fn top(&self, path: &VfsPath) -> Result<Option<(Option<Layer<'_>>, Stat)>> {
        if self.table.leads_to_mount(path) {
            return Ok(Some((None, Stat::FOLDER)));
        }
        for layer in self.table.layers(path) {
            if let Some(stat) = layer.stat()? {
                return Ok(Some((Some(layer), stat)));
            }
            if self.hides_below(&layer)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Whether `layer` holds a file on the way to its path, which hides what lower layers hold there.
    fn hides_below(&self, layer: &Layer<'_>) -> Result<bool> {
        for folder in layer.inner.ancestors().skip(1) {
            let stat = layer
                .mount
                .source
                .stat(&folder)
                .map_err(|error| layer.mount.explain(error))?;
            match stat {
                Some(stat) => return Ok(stat.kind == Kind::File),
                None => continue,
            }
        }
        Ok(false)
    }

    /// The layers that hold `path` as a folder, down to the first that hides the rest.
    fn folder_layers(&self, path: &VfsPath) -> Result<Vec<Layer<'_>>> {
        let mut found = Vec::new();
        for layer in self.table.layers(path) {
            match layer.stat()? {
                Some(stat) if stat.kind == Kind::Folder => found.push(layer),
                Some(_) => break,
                None if self.hides_below(&layer)? => break,
                None => {}
            }
        }
        Ok(found)
    }

    /// The one layer that a folder consists of, where it is to be moved or removed.
    fn only_folder_layer(&self, path: &VfsPath) -> Result<Layer<'_>> {
        let mut layers = self.folder_layers(path)?;
        if layers.len() > 1 || self.table.leads_to_mount(path) {
            let mounted_below = self.mounts().filter(|mount| mount.prefix.starts_with(path));
            let parts = layers.iter().map(|layer| layer.mount).chain(mounted_below);
            let mut names: Vec<String> = parts.map(|mount| mount.source.name().to_owned()).collect();
            names.sort_unstable();
            names.dedup();
            return Err(Error::Layered {
                path: path.clone(),
                names,
            });
        }
        layers.pop().ok_or_else(|| not_found(path))
    }

    fn check_writable(&self, layer: &Layer<'_>, path: &VfsPath) -> Result<()> {
        match layer.is_writable() {
            true => Ok(()),
            false => Err(Error::ReadOnly {
                path: path.clone(),
                source_name: layer.mount.source.name().to_owned(),
            }),
        }
    }

    /// Where a write to `path` lands, as if the mount `past` were not there.
    fn writable(&self, path: &VfsPath, past: Option<MountId>) -> Result<Layer<'_>> {
        for layer in self.table.layers(path).filter(|layer| Some(layer.id) != past) {
            if layer.is_writable() {
                return Ok(layer);
            }
            if layer.stat()?.is_some() || self.hides_below(&layer)? {
                self.check_writable(&layer, path)?;
            }
        }
        Err(Error::NoWritableMount { path: path.clone() })
    }

    /// The error for a path that is not there, with what may have been meant.
    fn missing(&self, path: &VfsPath) -> Error {
        let mut folder = path.clone();
        let mut missing = String::new();
        while let (Some(parent), Some(name)) = (folder.parent(), folder.name()) {
            missing = name.to_owned();
            folder = parent;
            // A folder that cannot be looked at has no suggestions; the miss is told all the same.
            if let Ok(Some(_)) = self.stat(&folder) {
                break;
            }
        }
        let names = self.list(&folder).map(|listing| listing.entries).unwrap_or_default();
        let near = nearest_names(&missing, names.iter().map(|entry| entry.name.as_str()));
        Error::NotFound {
            path: path.clone(),
            folder,
            missing,
            near,
        }
    }
}
