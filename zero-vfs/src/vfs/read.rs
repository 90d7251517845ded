//! What is read of a [`Vfs`].

use std::collections::BTreeMap;

use super::Vfs;
use crate::diagnostic::{Diagnostic, case_clashes, unreachable};
use crate::error::{Error, Result};
use crate::hash::ContentHash;
use crate::mount::{Layer, MountId};
use crate::path::VfsPath;
use crate::source::{Entry, Kind, Listing, Look, Snapshot, Stat, Unreachable, Why};

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

impl Walk {
    /// Notes a folder that is there and holds what cannot be told.
    fn cannot_reach(&mut self, folder: &VfsPath, why: Why) {
        if let (Some(parent), Some(name)) = (folder.parent(), folder.name()) {
            let name = name.to_owned();
            self.unreachable.push((parent, Unreachable { name, why }));
        }
    }
}

/// A file or folder, and the mount that answers for it; none where only a prefix makes it a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) mount: Option<MountId>,
    pub(crate) look: Look,
}

/// What a folder holds, sorted by name, and what in it no path can reach.
pub(crate) type SeenFolder = (Vec<(String, Seen)>, Vec<Unreachable>);

impl Vfs {
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

    /// The whole of a file, if it still is the content that `hash` names, as a [`crate::Change`] told it. `None` if it is
    /// another by now: a further change will tell.
    ///
    /// # Errors
    /// As [`Vfs::read`], but that a file which is gone is `None` too.
    pub fn read_if(&self, path: &VfsPath, hash: ContentHash) -> Result<Option<Vec<u8>>> {
        match self.read(path) {
            Ok(bytes) => Ok((ContentHash::of(&bytes) == hash).then_some(bytes)),
            Err(Error::NotFound { .. } | Error::NotAFile { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The hash of a file's content. It is kept: as long as the file's [`crate::Stamp`] proves that it has not changed, it is
    /// not read again.
    ///
    /// # Errors
    /// As [`Vfs::read`].
    pub fn hash(&self, path: &VfsPath) -> Result<ContentHash> {
        let layer = match self.top(path)? {
            None => return Err(self.missing(path)),
            Some((Some(layer), Stat { kind: Kind::File, .. })) => layer,
            Some(_) => return Err(Error::NotAFile { path: path.clone() }),
        };
        let explain = |error| layer.mount.explain(error);
        let look = layer.mount.source.look(&layer.inner).map_err(explain)?;
        if let Some(look) = look
            && let Some(hash) = self.hashes.get(layer.id, &layer.inner, &look.stamp)
        {
            return Ok(hash);
        }
        let snapshot = layer
            .mount
            .source
            .read_stamped(&layer.inner, u64::MAX)
            .map_err(explain)?;
        let hash = ContentHash::of(&snapshot.bytes);
        if snapshot.was_steady {
            self.hashes.keep(layer.id, layer.inner, snapshot.stamp, hash);
        }
        Ok(hash)
    }

    /// The names in a folder, of all mounts, sorted.
    ///
    /// # Errors
    /// [`Error::NotFound`] with names that may have been meant, [`Error::NotAFolder`], and as
    /// [`crate::Source::list`].
    pub fn list(&self, folder: &VfsPath) -> Result<Listing> {
        let mut merged = Merged::default();
        for layer in self.layers_to_list(folder)? {
            let listing = layer.mount.source.list(&layer.inner);
            let listing = listing.map_err(|error| layer.mount.explain(error))?;
            let entries = listing.entries.into_iter().map(|entry| (entry.name, entry.stat));
            merged.add(entries, listing.unreachable);
        }
        merged.add(self.table.names_below(folder).map(|name| (name, Stat::FOLDER)), []);
        let (entries, unreachable) = merged.finish();
        let entries = entries.map(|(name, stat)| Entry { name, stat }).collect();
        Ok(Listing { entries, unreachable })
    }

    /// As [`Vfs::list`], with the mount that answers for each file and its stamp.
    pub(crate) fn survey(&self, folder: &VfsPath) -> Result<SeenFolder> {
        let mut merged = Merged::default();
        for layer in self.layers_to_list(folder)? {
            let survey = layer.mount.source.survey(&layer.inner);
            let survey = survey.map_err(|error| layer.mount.explain(error))?;
            let mount = Some(layer.id);
            let seen = |(name, look)| (name, Seen { mount, look });
            merged.add(survey.entries.into_iter().map(seen), survey.unreachable);
        }
        let (mount, look) = (None, Look::FOLDER);
        let mounted = self.table.names_below(folder).map(|name| (name, Seen { mount, look }));
        merged.add(mounted, []);
        let (entries, unreachable) = merged.finish();
        Ok((entries.collect(), unreachable))
    }

    /// The layers that a folder's names come from, first the one that is asked first.
    fn layers_to_list(&self, folder: &VfsPath) -> Result<Vec<Layer<'_>>> {
        match self.top(folder)? {
            None => Err(self.missing(folder)),
            Some((_, Stat { kind: Kind::File, .. })) => Err(Error::NotAFolder { path: folder.clone() }),
            Some(_) => self.folder_layers(folder),
        }
    }

    /// Everything below a folder. A folder below it that cannot be listed, and a name that would make a path too long, are
    /// among what no path can reach.
    ///
    /// # Errors
    /// As [`Vfs::list`], of the folder itself.
    pub fn walk(&self, top: &VfsPath) -> Result<Walk> {
        let mut walk = Walk::default();
        let mut open = vec![top.clone()];
        while let Some(folder) = open.pop() {
            let listing = match self.list(&folder) {
                // Gone since its parent was listed.
                Err(Error::NotFound { .. }) if folder != *top => continue,
                Err(Error::Io { source, .. }) if folder != *top => {
                    walk.cannot_reach(&folder, Why::Unreadable(source.kind()));
                    continue;
                }
                listing => listing?,
            };
            walk.unreachable
                .extend(listing.unreachable.into_iter().map(|name| (folder.clone(), name)));
            for entry in listing.entries {
                let path = match folder.join(&entry.name) {
                    Err(Error::Path { problem, .. }) => {
                        let (name, why) = (entry.name, Why::Name(problem));
                        walk.unreachable.push((folder.clone(), Unreachable { name, why }));
                        continue;
                    }
                    path => path?,
                };
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

    /// What a person should know of the files below a folder: names that are equal but for case (`vfs.case_clash`), and what
    /// no path can reach (`vfs.unreachable`). In the order of the folders. Lists every folder twice: to find them all, and
    /// to look at their names.
    ///
    /// # Errors
    /// As [`Vfs::list`].
    pub fn check(&self, folder: &VfsPath) -> Result<Vec<Diagnostic>> {
        let mut found = Vec::new();
        let walk = self.walk(folder)?;
        let mut held = walk.unreachable.iter().peekable();
        for folder in std::iter::once(folder).chain(&walk.folders) {
            match self.list(folder) {
                // Gone since the walk, or one of those that cannot be listed, which the walk told.
                Err(Error::NotFound { .. } | Error::Io { .. }) => {}
                listing => {
                    let listing = listing?;
                    let names = listing.entries.iter().map(|entry| entry.name.as_str());
                    found.extend(case_clashes(folder, names));
                }
            }
            while let Some((folder, name)) = held.next_if(|(at, _)| at <= folder) {
                found.push(unreachable(folder, name));
            }
        }
        Ok(found)
    }

    /// What is at `path`.
    pub(crate) fn look(&self, path: &VfsPath) -> Result<Option<Seen>> {
        if self.table.leads_to_mount(path) {
            let (mount, look) = (None, Look::FOLDER);
            return Ok(Some(Seen { mount, look }));
        }
        for layer in self.table.layers(path) {
            let look = layer.mount.source.look(&layer.inner);
            if let Some(look) = look.map_err(|error| layer.mount.explain(error))? {
                let mount = Some(layer.id);
                return Ok(Some(Seen { mount, look }));
            }
            if self.hides_below(&layer)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The bytes that one mount holds at `path`.
    pub(crate) fn snapshot(&self, mount: MountId, path: &VfsPath) -> Result<Snapshot> {
        match self.table.layers(path).find(|layer| layer.id == mount) {
            Some(layer) => {
                let snapshot = layer.mount.source.read_stamped(&layer.inner, u64::MAX);
                snapshot.map_err(|error| layer.mount.explain(error))
            }
            None => Err(self.missing(path)),
        }
    }
}

/// Names of several layers as one folder's: of two equal ones the first counts.
struct Merged<T> {
    entries: BTreeMap<String, T>,
    unreachable: Vec<Unreachable>,
}

impl<T> Default for Merged<T> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            unreachable: Vec::new(),
        }
    }
}

impl<T> Merged<T> {
    fn add(
        &mut self,
        entries: impl IntoIterator<Item = (String, T)>,
        unreachable: impl IntoIterator<Item = Unreachable>,
    ) {
        for (name, value) in entries {
            self.entries.entry(name).or_insert(value);
        }
        self.unreachable.extend(unreachable);
    }

    fn finish(mut self) -> (impl Iterator<Item = (String, T)>, Vec<Unreachable>) {
        self.unreachable.sort_by(|a, b| a.name.cmp(&b.name));
        (self.entries.into_iter(), self.unreachable)
    }
}
