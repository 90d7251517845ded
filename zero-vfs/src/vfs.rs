//! [`Vfs`]: the files of all mounts as one tree.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::hash::ContentHash;
use crate::mount::{Layer, Mount, MountId, Table};
use crate::near::nearest_names;
use crate::path::VfsPath;
use crate::source::{Entry, Kind, Listing, Stat, Unreachable, check_rename, not_found};

/// A tree of files put together from mounts. It does no work of its own accord, holds no thread and no
/// cache: a call asks the sources. Share it behind an `Arc`; mounting needs it alone.
///
/// A file that several mounts hold is that of the first in their order (see [`Mount::priority`]); a folder
/// shows the names of all of them, unless a file of an earlier mount hides it.
#[derive(Debug, Default)]
pub struct Vfs {
    table: Table,
}

/// Every file below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The folders below it, in the order of [`VfsPath`].
    pub folders: Vec<VfsPath>,
    /// The files, in the order of [`VfsPath`].
    pub files: Vec<VfsPath>,
    /// What no path can reach, with the folder that holds it.
    pub unreachable: Vec<(VfsPath, Unreachable)>,
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
        self.table.remove(id)
    }

    /// The mounts in the order in which they answer.
    pub fn mounts(&self) -> impl Iterator<Item = &Mount> {
        self.table.iter()
    }

    /// What is at `path`, or `None`.
    ///
    /// # Errors
    /// As [`crate::Source::stat`].
    pub fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        Ok(self.top(path)?.map(|(_, stat)| stat))
    }

    /// The whole of a file. Where the file comes from someone else, [`Vfs::read_bounded`] is the one to use.
    ///
    /// # Errors
    /// [`Error::NotFound`] with names that may have been meant, [`Error::NotAFile`], and as
    /// [`crate::Source::read`].
    pub fn read(&self, path: &VfsPath) -> Result<Vec<u8>> {
        self.read_bounded(path, u64::MAX)
    }

    /// The whole of a file of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Vfs::read`], and [`Error::TooLarge`].
    pub fn read_bounded(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        match self.top(path)? {
            None => Err(self.missing(path)),
            Some((Some(layer), Stat { kind: Kind::File, .. })) => layer
                .mount
                .source
                .read(&layer.inner, limit)
                .map_err(|error| layer.mount.explain(error)),
            Some(_) => Err(Error::NotAFile { path: path.clone() }),
        }
    }

    /// The hash of a file's content. Reads the file.
    ///
    /// # Errors
    /// As [`Vfs::read`].
    pub fn hash(&self, path: &VfsPath) -> Result<ContentHash> {
        Ok(ContentHash::of(&self.read(path)?))
    }

    /// The names in a folder, of all mounts, sorted.
    ///
    /// # Errors
    /// [`Error::NotFound`] with names that may have been meant, [`Error::NotAFolder`], and as
    /// [`crate::Source::list`].
    pub fn list(&self, folder: &VfsPath) -> Result<Listing> {
        match self.top(folder)? {
            None => return Err(self.missing(folder)),
            Some((_, Stat { kind: Kind::File, .. })) => {
                return Err(Error::NotAFolder { path: folder.clone() });
            }
            Some(_) => {}
        }
        let mut entries: BTreeMap<String, Stat> = self
            .table
            .names_below(folder)
            .map(|name| (name, Stat::FOLDER))
            .collect();
        let mut unreachable = Vec::new();
        for layer in self.folder_layers(folder)? {
            let listing = layer
                .mount
                .source
                .list(&layer.inner)
                .map_err(|error| layer.mount.explain(error))?;
            for entry in listing.entries {
                entries.entry(entry.name).or_insert(entry.stat);
            }
            unreachable.extend(listing.unreachable);
        }
        unreachable.sort_by(|a: &Unreachable, b| a.name.cmp(&b.name));
        let entries = entries.into_iter().map(|(name, stat)| Entry { name, stat }).collect();
        Ok(Listing { entries, unreachable })
    }

    /// Everything below a folder.
    ///
    /// # Errors
    /// As [`Vfs::list`].
    pub fn walk(&self, folder: &VfsPath) -> Result<Walk> {
        let mut walk = Walk::default();
        let mut open = vec![folder.clone()];
        while let Some(folder) = open.pop() {
            let listing = match self.list(&folder) {
                // Gone since its parent was listed.
                Err(Error::NotFound { .. }) if !walk.folders.is_empty() => continue,
                listing => listing?,
            };
            walk.unreachable
                .extend(listing.unreachable.into_iter().map(|name| (folder.clone(), name)));
            for entry in listing.entries {
                let path = folder.join(&entry.name)?;
                match entry.stat.kind {
                    Kind::File => walk.files.push(path),
                    Kind::Folder => {
                        walk.folders.push(path.clone());
                        open.push(path);
                    }
                }
            }
        }
        walk.folders.sort_unstable();
        walk.files.sort_unstable();
        walk.unreachable
            .sort_by(|a, b| (&a.0, &a.1.name).cmp(&(&b.0, &b.1.name)));
        Ok(walk)
    }

    /// Writes a file, atomically, to the first writable mount that covers `path`. Over a read-only mount of
    /// lower order it is an override: the new file is seen from then on.
    ///
    /// # Errors
    /// [`Error::NoWritableMount`]; [`Error::ReadOnly`] if a read-only mount of higher order holds the path,
    /// where the write would not be seen; and as [`crate::Source::write`].
    pub fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        if self.table.leads_to_mount(path) {
            return Err(Error::NotAFile { path: path.clone() });
        }
        let layer = self.writable(path)?;
        layer
            .mount
            .source
            .write(&layer.inner, bytes)
            .map_err(|error| layer.mount.explain(error))
    }

    /// Removes a file or an empty folder. Where a mount of lower order holds a file at the same path, that
    /// one is seen from then on.
    ///
    /// # Errors
    /// [`Error::NotFound`] with names that may have been meant, [`Error::NotEmpty`], [`Error::ReadOnly`], and
    /// as [`crate::Source::remove`].
    pub fn remove(&self, path: &VfsPath) -> Result<()> {
        let layer = match self.top(path)? {
            None => return Err(self.missing(path)),
            Some((Some(layer), stat)) if stat.kind == Kind::File => layer,
            Some(_) => self.only_folder_layer(path)?,
        };
        self.check_writable(&layer, path)?;
        layer
            .mount
            .source
            .remove(&layer.inner)
            .map_err(|error| layer.mount.explain(error))
    }

    /// Removes a folder with everything below it, or a file. Looks through the whole of it first: what
    /// cannot be removed is told before anything is.
    ///
    /// # Errors
    /// As [`Vfs::remove`]; [`Error::Layered`] if several mounts hold parts of it;
    /// [`Error::HoldsUnreachable`].
    pub fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        if self.stat(path)?.is_none_or(|stat| stat.kind == Kind::File) {
            return self.remove(path);
        }
        self.check_writable(&self.only_folder_layer(path)?, path)?;
        let walk = self.walk(path)?;
        if let Some((folder, held)) = walk.unreachable.into_iter().next() {
            return Err(Error::HoldsUnreachable {
                path: folder,
                name: held.name,
                why: held.why,
            });
        }
        walk.files.iter().try_for_each(|file| self.remove(file))?;
        // Deeper folders sort after their parents.
        walk.folders.iter().rev().try_for_each(|folder| self.remove(folder))?;
        self.remove(path)
    }

    /// Moves a file, or a folder with all it holds, within one mount.
    ///
    /// # Errors
    /// [`Error::AcrossMounts`], [`Error::AlreadyThere`], [`Error::Layered`] for a folder of several mounts,
    /// [`Error::ReadOnly`], [`Error::NotFound`], and as [`crate::Source::rename`].
    pub fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
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
        let target = self.writable(to)?;
        if !std::ptr::eq(target.mount, layer.mount) {
            return Err(Error::AcrossMounts {
                from: from.clone(),
                to: to.clone(),
            });
        }
        layer
            .mount
            .source
            .rename(&layer.inner, &target.inner)
            .map_err(|error| layer.mount.explain(error))
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

    /// Where a write to `path` lands.
    fn writable(&self, path: &VfsPath) -> Result<Layer<'_>> {
        for layer in self.table.layers(path) {
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
