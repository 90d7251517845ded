//! [`Upper`]: the layer of a play shadow that writes land on.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::path::VfsPath;
use crate::source::{Kind, Look, Snapshot, Source, Stat, Survey, check_limit, check_rename, not_found};
use crate::stamp::Stamp;

/// The number of this layer in stamps; the base has none.
const LAYER: u64 = 1;

/// What play put at a path.
#[derive(Clone, Debug)]
enum Node {
    /// With a number that no other write of this shadow has.
    File(Box<[u8]>, u64),
    /// A folder. What the base holds below it is seen too, but what play removed.
    Folder {
        /// Whether play removed a file of the base that stood here.
        over_file: bool,
    },
    /// Nothing, whatever the base holds here.
    Gone {
        /// Whether the base held a file here rather than a folder.
        was_file: bool,
    },
}

/// What play changed, over a base that stays as it is. The root is never in it.
#[derive(Debug, Default)]
pub(super) struct Upper {
    nodes: BTreeMap<VfsPath, Node>,
    /// Writes so far, of all plays: a number is never used twice.
    revision: u64,
}

/// What the upper layer has to say of a path.
enum Answer<'a> {
    Node(&'a Node),
    /// The base is not to be asked.
    Hidden,
    AskBase,
}

/// A file or folder that a rename moves.
pub(super) struct Moved {
    pub(super) old: VfsPath,
    pub(super) new: VfsPath,
    /// Of a file.
    pub(super) bytes: Option<Vec<u8>>,
}

/// The two layers as one tree.
pub(super) struct View<'a> {
    pub(super) upper: &'a Upper,
    pub(super) base: &'a dyn Source,
}

impl View<'_> {
    pub(super) fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        match self.upper.answer(path) {
            Answer::Node(node) => Ok(node.look()),
            Answer::Hidden => Ok(None),
            Answer::AskBase => self.base.look(path),
        }
    }

    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        Ok(self.look(path)?.map(|look| look.stat))
    }

    pub(super) fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        match self.stat(folder)? {
            None => return Err(not_found(folder)),
            Some(stat) if stat.kind == Kind::File => return Err(Error::NotAFolder { path: folder.clone() }),
            Some(_) => {}
        }
        let mut survey = match self.asks_base(folder)? {
            true => self.base.survey(folder)?,
            false => Survey::default(),
        };
        let mut entries: BTreeMap<String, Look> = survey.entries.into_iter().collect();
        for (name, node) in self.upper.names_in(folder) {
            match node.look() {
                Some(look) => drop(entries.insert(name, look)),
                None => drop(entries.remove(&name)),
            }
        }
        survey.entries = entries.into_iter().collect();
        Ok(survey)
    }

    pub(super) fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        match self.upper.answer(path) {
            Answer::Node(Node::File(bytes, revision)) => {
                check_limit(path, bytes.len() as u64, limit)?;
                Ok(Snapshot {
                    bytes: bytes.to_vec(),
                    stamp: Stamp::exact(*revision).in_layer(LAYER),
                    was_steady: true,
                })
            }
            Answer::Node(Node::Folder { .. }) => Err(Error::NotAFile { path: path.clone() }),
            Answer::Node(Node::Gone { .. }) | Answer::Hidden => Err(not_found(path)),
            Answer::AskBase => self.base.read_stamped(path, limit),
        }
    }

    /// Whether the base holds a folder here that is to be seen.
    fn asks_base(&self, folder: &VfsPath) -> Result<bool> {
        let seen = matches!(
            self.upper.answer(folder),
            Answer::Node(Node::Folder { .. }) | Answer::AskBase
        );
        Ok(seen && self.base.stat(folder)?.is_some_and(|stat| stat.kind == Kind::Folder))
    }

    /// Fails if something at `path` or on the way to it keeps a file from being written there.
    pub(super) fn check_room(&self, path: &VfsPath) -> Result<()> {
        if self.stat(path)? == Some(Stat::FOLDER) {
            return Err(Error::NotAFile { path: path.clone() });
        }
        for folder in path.ancestors().skip(1) {
            match self.stat(&folder)? {
                Some(stat) if stat.kind == Kind::File => return Err(Error::NotAFolder { path: folder }),
                Some(_) => return Ok(()),
                None => {}
            }
        }
        Ok(())
    }

    /// Fails unless `path` can be removed; says what is there.
    pub(super) fn check_removal(&self, path: &VfsPath) -> Result<()> {
        match self.stat(path)? {
            None => Err(not_found(path)),
            Some(stat) if stat.kind == Kind::File => Ok(()),
            Some(_) => {
                let survey = self.survey(path)?;
                match path.is_root() || !survey.entries.is_empty() || !survey.unreachable.is_empty() {
                    true => Err(Error::NotEmpty { path: path.clone() }),
                    false => Ok(()),
                }
            }
        }
    }

    /// What a rename moves, parents first.
    pub(super) fn moved(&self, from: &VfsPath, to: &VfsPath) -> Result<Vec<Moved>> {
        check_rename(from, to)?;
        let Some(stat) = self.stat(from)? else {
            return Err(not_found(from));
        };
        if self.stat(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        self.check_room(to)?;
        let mut moved = Vec::new();
        let mut open = vec![(from.clone(), stat)];
        while let Some((path, stat)) = open.pop() {
            let inner = path.relative_to(from).filter(|inner| !inner.is_root());
            let new = inner.map_or(Ok(to.clone()), |inner| to.join(&inner.as_str()[1..]))?;
            if stat.kind == Kind::File {
                let bytes = Some(self.read_stamped(&path, u64::MAX)?.bytes);
                moved.push(Moved { old: path, new, bytes });
                continue;
            }
            let survey = self.survey(&path)?;
            if let Some(held) = survey.unreachable.into_iter().next() {
                let (name, why) = (held.name, held.why);
                return Err(Error::HoldsUnreachable { path, name, why });
            }
            for (name, look) in survey.entries {
                open.push((path.join(&name)?, look.stat));
            }
            let bytes = None;
            moved.push(Moved { old: path, new, bytes });
        }
        moved.sort_by(|a, b| a.old.cmp(&b.old));
        Ok(moved)
    }
}

impl Upper {
    fn answer(&self, path: &VfsPath) -> Answer<'_> {
        match self.nodes.get(path) {
            // What play removed one by one stays marked below a folder that is gone itself.
            _ if self.is_hidden(path) => Answer::Hidden,
            Some(node) => Answer::Node(node),
            None => Answer::AskBase,
        }
    }

    /// Whether something above `path` hides what the base holds there.
    fn is_hidden(&self, path: &VfsPath) -> bool {
        let hides = |folder: &VfsPath| {
            self.nodes
                .get(folder)
                .is_some_and(|node| !matches!(node, Node::Folder { .. }))
        };
        !self.nodes.is_empty() && path.ancestors().skip(1).any(|folder| hides(&folder))
    }

    fn names_in(&self, folder: &VfsPath) -> impl Iterator<Item = (String, &Node)> {
        let depth = folder.segments().count() + 1;
        let below = self
            .below(folder)
            .filter(move |(path, _)| path.segments().count() == depth);
        below.filter_map(|(path, node)| Some((path.name()?.to_owned(), node)))
    }

    /// What is at `folder` and below it, parents first.
    fn below(&self, folder: &VfsPath) -> impl Iterator<Item = (&VfsPath, &Node)> {
        let top = folder.clone();
        let from = self.nodes.range(folder.clone()..);
        from.take_while(move |(path, _)| path.starts_with(&top))
    }

    /// Puts a file; [`View::check_room`] said that there is room.
    pub(super) fn put(&mut self, path: &VfsPath, bytes: &[u8]) {
        self.make_parents(path);
        self.revision += 1;
        self.nodes.insert(path.clone(), Node::File(bytes.into(), self.revision));
    }

    /// Makes a folder, and those that lead to it.
    pub(super) fn make_folder(&mut self, path: &VfsPath) {
        self.make_parents(path);
        self.make_one(path.clone());
    }

    fn make_parents(&mut self, path: &VfsPath) {
        let folders: Vec<VfsPath> = path.ancestors().skip(1).filter(|folder| !folder.is_root()).collect();
        folders.into_iter().rev().for_each(|folder| self.make_one(folder));
    }

    fn make_one(&mut self, folder: VfsPath) {
        let node = self.nodes.entry(folder).or_insert(Node::Folder { over_file: false });
        if let Node::Gone { was_file } = *node {
            *node = Node::Folder { over_file: was_file };
        }
    }

    /// Takes away a file or an empty folder, of which the base holds `in_base`.
    pub(super) fn take_away(&mut self, path: &VfsPath, in_base: Option<Stat>) {
        // Its folder stays, though play alone may have made it.
        self.make_parents(path);
        match in_base {
            None => drop(self.nodes.remove(path)),
            Some(stat) => {
                let was_file = stat.kind == Kind::File;
                self.nodes.insert(path.clone(), Node::Gone { was_file });
            }
        }
    }

    /// Forgets what play did at `path`.
    pub(super) fn forget(&mut self, path: &VfsPath) {
        self.nodes.remove(path);
    }

    /// The files that play wrote and what it removed.
    pub(super) fn touched(&self) -> Vec<VfsPath> {
        let touched = self
            .nodes
            .iter()
            .filter(|(_, node)| !matches!(node, Node::Folder { .. }));
        touched.map(|(path, _)| path.clone()).collect()
    }

    /// What play did at `top` and below it.
    pub(super) fn steps(&self, top: &VfsPath) -> Steps {
        let mut steps = Steps::default();
        let at = self
            .nodes
            .range(top.clone()..)
            .take_while(|(path, _)| path.starts_with(top));
        for (path, node) in at {
            match node {
                Node::File(bytes, _) => steps.puts.push((path.clone(), bytes.to_vec())),
                Node::Gone { .. } | Node::Folder { over_file: true } => steps.removals.push(path.clone()),
                Node::Folder { over_file: false } => {}
            }
            steps.all.push(path.clone());
        }
        steps
    }

    /// Whether something above `path` keeps what the base holds there from being seen.
    pub(super) fn hides(&self, path: &VfsPath) -> bool {
        self.is_hidden(path)
    }

    /// Forgets all; numbers go on.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }
}

/// What a promotion does to the base.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Files to write, in the order of their paths.
    pub(super) puts: Vec<(VfsPath, Vec<u8>)>,
    /// What is to be removed, parents first.
    pub(super) removals: Vec<VfsPath>,
    /// Every path that play changed something at.
    pub(super) all: Vec<VfsPath>,
}

impl Node {
    fn look(&self) -> Option<Look> {
        match self {
            Self::File(bytes, revision) => Some(Look {
                stat: Stat::file(bytes.len() as u64),
                stamp: Stamp::exact(*revision).in_layer(LAYER),
            }),
            Self::Folder { .. } => Some(Look::FOLDER),
            Self::Gone { .. } => None,
        }
    }
}
