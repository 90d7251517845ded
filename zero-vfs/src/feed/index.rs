//! [`Index`]: every file that a feed has told of, and the state that it told.

use std::collections::BTreeMap;

use crate::hash::ContentHash;
use crate::mount::MountId;
use crate::path::VfsPath;
use crate::stamp::Stamp;

/// The last good state of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) mount: MountId,
    pub(super) stamp: Stamp,
    pub(super) hash: ContentHash,
}

/// Files by folder. [`VfsPath`]'s order keeps what is below a folder directly after it.
#[derive(Debug, Default)]
pub(super) struct Index {
    folders: BTreeMap<VfsPath, BTreeMap<String, Known>>,
}

impl Index {
    pub(super) fn get(&self, path: &VfsPath) -> Option<&Known> {
        self.folders.get(&path.parent()?)?.get(path.name()?)
    }

    pub(super) fn put(&mut self, path: &VfsPath, known: Known) -> Option<Known> {
        let (folder, name) = (path.parent()?, path.name()?);
        self.folders.entry(folder).or_default().insert(name.to_owned(), known)
    }

    pub(super) fn remove(&mut self, path: &VfsPath) -> Option<Known> {
        let (folder, name) = (path.parent()?, path.name()?);
        let files = self.folders.get_mut(&folder)?;
        let known = files.remove(name);
        if files.is_empty() {
            self.folders.remove(&folder);
        }
        known
    }

    /// The names of the files right in `folder`, sorted.
    pub(super) fn names(&self, folder: &VfsPath) -> impl Iterator<Item = &str> {
        self.folders
            .get(folder)
            .into_iter()
            .flat_map(|files| files.keys().map(String::as_str))
    }

    /// All files, and those below `folder` or at it, sorted by folder and then by name.
    pub(super) fn files_below(&self, folder: &VfsPath) -> impl Iterator<Item = (VfsPath, &Known)> {
        let folders = self.folders.range(folder.clone()..);
        let below = folders.take_while({
            let folder = folder.clone();
            move |(path, _)| path.starts_with(&folder)
        });
        below.flat_map(|(folder, files)| {
            files
                .iter()
                .filter_map(|(name, known)| Some((folder.join(name).ok()?, known)))
        })
    }

    /// The names of the folders right in `folder` that hold files somewhere, sorted, each once.
    pub(super) fn folders_in(&self, folder: &VfsPath) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let below = self.folders.range(folder.clone()..).map(|(path, _)| path);
        for path in below.take_while(|path| path.starts_with(folder)) {
            let inner = path.relative_to(folder);
            let Some(name) = inner.as_ref().and_then(|inner| inner.segments().next()) else {
                continue;
            };
            if names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names
    }
}
