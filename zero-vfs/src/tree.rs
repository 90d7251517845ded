//! A tree of files in memory, which the memory and the embedded source share.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::path::VfsPath;
use crate::source::{Entry, Listing, Look, Snapshot, Stat, Survey, check_limit, check_rename, not_found};
use crate::stamp::Stamp;

/// Files and folders by path. `B` is what a file's bytes are held as. The root is a folder that is always
/// there and is not stored. [`VfsPath`]'s order keeps what is below a folder directly after it.
#[derive(Debug)]
pub(crate) struct Tree<B> {
    nodes: BTreeMap<VfsPath, Node<B>>,
    /// Changes so far.
    revision: u64,
}

#[derive(Debug)]
enum Node<B> {
    /// With the count of changes when it was put there.
    File(B, u64),
    Folder,
}

impl<B> Default for Tree<B> {
    fn default() -> Self {
        Self {
            nodes: BTreeMap::new(),
            revision: 0,
        }
    }
}

/// What a file of a [`Tree`] is held as.
pub(crate) trait Held {
    /// Its length as a file.
    fn held_len(&self) -> u64;
}

impl Held for Box<[u8]> {
    fn held_len(&self) -> u64 {
        self.len() as u64
    }
}

impl Held for &[u8] {
    fn held_len(&self) -> u64 {
        self.len() as u64
    }
}

impl<B: Held + AsRef<[u8]>> Tree<B> {
    pub(crate) fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        Ok(self.read_stamped(path, limit)?.bytes)
    }

    pub(crate) fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        let held = self.get(path)?;
        check_limit(path, held.held_len(), limit)?;
        Ok(Snapshot {
            bytes: held.as_ref().to_vec(),
            stamp: self.look(path).map_or(Stamp::UNKNOWN, |look| look.stamp),
            was_steady: true,
        })
    }
}

impl<B: Held> Tree<B> {
    /// A file.
    pub(crate) fn get(&self, path: &VfsPath) -> Result<&B> {
        match self.nodes.get(path) {
            Some(Node::File(held, _)) => Ok(held),
            Some(Node::Folder) => Err(Error::NotAFile { path: path.clone() }),
            None if path.is_root() => Err(Error::NotAFile { path: path.clone() }),
            None => Err(not_found(path)),
        }
    }

    /// Makes a folder, if it is not there yet, and those that lead to it.
    #[cfg(feature = "zip")]
    pub(crate) fn make_folder(&mut self, path: &VfsPath) -> Result<()> {
        match self.stat(path) {
            Some(stat) if stat != Stat::FOLDER => Err(Error::NotAFolder { path: path.clone() }),
            Some(_) => Ok(()),
            None => {
                self.make_parents(path)?;
                self.nodes.insert(path.clone(), Node::Folder);
                Ok(())
            }
        }
    }

    pub(crate) fn stat(&self, path: &VfsPath) -> Option<Stat> {
        self.look(path).map(|look| look.stat)
    }

    pub(crate) fn look(&self, path: &VfsPath) -> Option<Look> {
        match path.is_root() {
            true => Some(Look::FOLDER),
            false => self.nodes.get(path).map(Node::look),
        }
    }

    pub(crate) fn list(&self, folder: &VfsPath) -> Result<Listing> {
        let entry = |(name, look): (String, Look)| Entry { name, stat: look.stat };
        Ok(Listing {
            entries: self.survey(folder)?.entries.into_iter().map(entry).collect(),
            unreachable: Vec::new(),
        })
    }

    pub(crate) fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        match self.stat(folder) {
            None => return Err(not_found(folder)),
            Some(stat) if stat != Stat::FOLDER => return Err(Error::NotAFolder { path: folder.clone() }),
            Some(_) => {}
        }
        let depth = folder.segments().count() + 1;
        let entries = self
            .below(folder)
            .filter(|(path, _)| path.segments().count() == depth)
            .filter_map(|(path, node)| Some((path.name()?.to_owned(), node.look())))
            .collect();
        Ok(Survey {
            entries,
            unreachable: Vec::new(),
        })
    }

    pub(crate) fn write(&mut self, path: &VfsPath, bytes: B) -> Result<()> {
        if self.stat(path) == Some(Stat::FOLDER) {
            return Err(Error::NotAFile { path: path.clone() });
        }
        self.make_parents(path)?;
        self.revision += 1;
        self.nodes.insert(path.clone(), Node::File(bytes, self.revision));
        Ok(())
    }

    /// Puts a whole tree at `to`, or nothing.
    pub(crate) fn write_tree(&mut self, to: &VfsPath, files: Vec<(VfsPath, B)>) -> Result<()> {
        if self.stat(to).is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        let mut tree = Self::default();
        for (path, bytes) in files {
            tree.write(&path, bytes)?;
        }
        let mut placed = Vec::with_capacity(tree.nodes.len());
        for (path, node) in tree.nodes {
            placed.push((to.join(&path.as_str()[1..])?, node));
        }
        if placed.is_empty() {
            return Ok(());
        }
        self.make_parents(to)?;
        self.nodes.insert(to.clone(), Node::Folder);
        for (path, node) in placed {
            self.revision += 1;
            let node = match node {
                Node::File(bytes, _) => Node::File(bytes, self.revision),
                Node::Folder => Node::Folder,
            };
            self.nodes.insert(path, node);
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, path: &VfsPath) -> Result<()> {
        let Some(stat) = self.stat(path) else {
            return Err(not_found(path));
        };
        if path.is_root() || (stat == Stat::FOLDER && self.below(path).next().is_some()) {
            return Err(Error::NotEmpty { path: path.clone() });
        }
        self.nodes.remove(path);
        Ok(())
    }

    /// Takes away `top` with all below it.
    pub(crate) fn remove_tree(&mut self, top: &VfsPath) -> Result<()> {
        if self.stat(top).is_none() {
            return Err(not_found(top));
        }
        if top.is_root() {
            return Err(Error::NotEmpty { path: top.clone() });
        }
        let below: Vec<VfsPath> = self.below(top).map(|(path, _)| path.clone()).collect();
        for path in below.iter().chain([top]) {
            self.nodes.remove(path);
        }
        Ok(())
    }

    pub(crate) fn rename(&mut self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        check_rename(from, to)?;
        if self.stat(from).is_none() {
            return Err(not_found(from));
        }
        if self.stat(to).is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        let mut moves = vec![(from.clone(), to.clone())];
        for (path, _) in self.below(from) {
            if let Some(tail) = path.relative_to(from) {
                moves.push((path.clone(), to.join(&tail.as_str()[1..])?));
            }
        }
        self.make_parents(to)?;
        for (old, new) in moves {
            if let Some(node) = self.nodes.remove(&old) {
                self.nodes.insert(new, node);
            }
        }
        Ok(())
    }

    /// The files, sorted.
    pub(crate) fn files(&self) -> Vec<VfsPath> {
        let files = self.nodes.iter().filter(|(_, node)| matches!(node, Node::File(..)));
        files.map(|(path, _)| path.clone()).collect()
    }

    /// Everything strictly below `folder`, parents before children.
    fn below<'a>(&'a self, folder: &'a VfsPath) -> impl Iterator<Item = (&'a VfsPath, &'a Node<B>)> {
        self.nodes
            .range(folder.clone()..)
            .take_while(move |(path, _)| path.starts_with(folder))
            .filter(move |(path, _)| *path != folder)
    }

    /// Makes the folders that lead to `path`; changes nothing if a file is in the way.
    fn make_parents(&mut self, path: &VfsPath) -> Result<()> {
        let missing: Vec<VfsPath> = path.ancestors().skip(1).filter(|folder| !folder.is_root()).collect();
        if let Some(file) = missing
            .iter()
            .find(|folder| matches!(self.nodes.get(folder), Some(Node::File(..))))
        {
            return Err(Error::NotAFolder { path: file.clone() });
        }
        for folder in missing {
            self.nodes.entry(folder).or_insert(Node::Folder);
        }
        Ok(())
    }
}

impl<B: Held> Node<B> {
    fn look(&self) -> Look {
        match self {
            Self::File(bytes, revision) => Look {
                stat: Stat::file(bytes.held_len()),
                stamp: Stamp::exact(*revision),
            },
            Self::Folder => Look::FOLDER,
        }
    }
}
