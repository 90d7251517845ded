//! [`Tree`]: which files and folders there are, kept up to date by the paths that changed.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::{Kind, Unreachable, Vfs, VfsPath, Walk, Why};

use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::package::is_of_installs;

/// The files below a folder, as they were last looked at, and the folders they are in. A folder is there while a file is
/// somewhere in it, as it is for a feed of changes: an empty one holds nothing that could be content.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: VfsPath,
    folders: BTreeSet<VfsPath>,
    files: BTreeSet<VfsPath>,
    unreachable: BTreeMap<VfsPath, Vec<Unreachable>>,
}

impl Tree {
    pub(crate) fn empty(root: VfsPath) -> Self {
        Self {
            root,
            folders: BTreeSet::new(),
            files: BTreeSet::new(),
            unreachable: BTreeMap::new(),
        }
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = &VfsPath> {
        self.folders.iter()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &VfsPath> {
        self.files.iter()
    }

    pub(crate) fn has_file(&self, path: &VfsPath) -> bool {
        self.files.contains(path)
    }

    pub(crate) fn kind(&self, path: &VfsPath) -> Option<Kind> {
        match (self.folders.contains(path), self.files.contains(path)) {
            (true, _) => Some(Kind::Folder),
            (false, true) => Some(Kind::File),
            _ => None,
        }
    }

    /// The files and folders strictly below `folder`, each in the order of paths.
    pub(crate) fn below(&self, folder: &VfsPath) -> Walk {
        Walk {
            folders: below(&self.folders, folder).cloned().collect(),
            files: below(&self.files, folder).cloned().collect(),
            ..Walk::default()
        }
    }

    /// The files strictly below `folder`.
    pub(crate) fn files_below<'a>(&'a self, folder: &'a VfsPath) -> impl Iterator<Item = &'a VfsPath> {
        below(&self.files, folder)
    }

    /// What no path can reach, as diagnostics.
    pub(crate) fn told(&self) -> impl Iterator<Item = Diagnostic> {
        let held = self.unreachable.iter();
        held.flat_map(|(folder, names)| names.iter().map(move |name| (folder, name)))
            .map(|(folder, held)| {
                let message = format!("`{}` cannot be reached: {}", held.name, held.why);
                Diagnostic::warning("vfs.unreachable", folder, message)
            })
    }

    /// Looks at `changed` again and answers every path whose being there, or whose content, may have changed; and the first
    /// error, where a path cannot be looked at, which then stays as it was known. A file costs a look at it alone; a folder
    /// is walked, as anything in it may have changed.
    pub(crate) fn refresh(
        &mut self,
        vfs: &Vfs,
        changed: impl IntoIterator<Item = VfsPath>,
    ) -> (BTreeSet<VfsPath>, Option<Error>) {
        let (mut touched, mut failed) = (BTreeSet::new(), None);
        let mut walked: Option<VfsPath> = None;
        let changed: BTreeSet<VfsPath> = changed.into_iter().filter_map(|path| self.within(path)).collect();
        for path in changed {
            // What lies in a folder that was just walked has been seen.
            if walked.as_ref().is_some_and(|folder| path.starts_with(folder)) {
                continue;
            }
            match self.look(vfs, &path, &mut touched) {
                Ok(Some(Kind::Folder)) => walked = Some(path),
                Ok(_) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        (touched, failed)
    }

    /// Looks at one path, and answers what is there.
    fn look(&mut self, vfs: &Vfs, path: &VfsPath, touched: &mut BTreeSet<VfsPath>) -> Result<Option<Kind>> {
        let kind = vfs.stat(path)?.map(|stat| stat.kind);
        match kind {
            None => {
                touched.insert(path.clone());
                self.remove(path, touched);
            }
            Some(Kind::File) => {
                if self.folders.contains(path) {
                    self.remove(path, touched);
                }
                self.add_file(path.clone(), touched);
                touched.insert(path.clone());
            }
            Some(Kind::Folder) => self.walk(vfs, path, touched)?,
        }
        Ok(kind)
    }

    /// A changed path that concerns this tree: one in it, or the tree's own root for one that holds it.
    fn within(&self, path: VfsPath) -> Option<VfsPath> {
        if self.root.starts_with(&path) {
            return Some(self.root.clone());
        }
        (path.starts_with(&self.root) && !is_of_installs(&path)).then_some(path)
    }

    fn walk(&mut self, vfs: &Vfs, folder: &VfsPath, touched: &mut BTreeSet<VfsPath>) -> Result<()> {
        let walk = match vfs.walk(folder) {
            Ok(walk) => walk,
            // Gone since it was looked at.
            Err(zero_vfs::Error::NotFound { .. }) => Walk::default(),
            Err(error) => return Err(error.into()),
        };
        let closed = walk
            .unreachable
            .iter()
            .filter(|(_, held)| matches!(held.why, Why::Unreadable(_)));
        let closed: Vec<VfsPath> = closed
            .filter_map(|(folder, held)| folder.join(&held.name).ok())
            .collect();
        // What a folder held that cannot be listed now stays as it was known.
        let known = closed.iter().flat_map(|folder| self.files_below(folder)).cloned();
        let known: Vec<VfsPath> = known.collect();
        self.remove(folder, touched);
        for file in walk.files.into_iter().chain(known).filter(|file| !is_of_installs(file)) {
            touched.insert(file.clone());
            self.add_file(file, touched);
        }
        for (folder, held) in walk
            .unreachable
            .into_iter()
            .filter(|(folder, _)| !is_of_installs(folder))
        {
            self.unreachable.entry(folder).or_default().push(held);
        }
        Ok(())
    }

    fn add_file(&mut self, file: VfsPath, touched: &mut BTreeSet<VfsPath>) {
        let mut folder = file.parent();
        // A folder that is known has its parents known.
        while let Some(path) = folder.filter(|path| *path != self.root && !self.folders.contains(path)) {
            self.files.remove(&path);
            touched.insert(path.clone());
            folder = path.parent();
            self.folders.insert(path);
        }
        self.files.insert(file);
    }

    /// Takes away `top` with all below it, and the folders that hold nothing any more.
    fn remove(&mut self, top: &VfsPath, touched: &mut BTreeSet<VfsPath>) {
        for set in [&mut self.folders, &mut self.files] {
            let gone: Vec<VfsPath> = below(set, top).cloned().chain([top.clone()]).collect();
            for path in gone {
                if set.remove(&path) {
                    touched.insert(path);
                }
            }
        }
        self.unreachable.retain(|folder, _| !folder.starts_with(top));
        let mut folder = top.parent();
        while let Some(path) = folder.filter(|path| self.folders.contains(path)) {
            if below(&self.files, &path).next().is_some() {
                break;
            }
            folder = path.parent();
            self.folders.remove(&path);
            touched.insert(path);
        }
    }
}

fn below<'a>(set: &'a BTreeSet<VfsPath>, folder: &'a VfsPath) -> impl Iterator<Item = &'a VfsPath> {
    // Paths are in the order of segments: what a folder holds follows it directly.
    set.range(folder.clone()..)
        .take_while(move |path| path.starts_with(folder))
        .filter(move |path| *path != folder)
}
