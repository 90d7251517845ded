//! [`Workspace::move_asset`]: an asset to another place, whole.

use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use crate::asset::Asset;
use crate::error::{Error, Result};
use crate::refs::Refs;
use crate::registry::split_suffix;

impl Workspace {
    /// Moves or renames an asset, with all that it holds. It stays the same asset: its guid, and what names it by guid,
    /// go with it. Answers the assets whose names for it no longer lead to it, which their `.refs` still do.
    ///
    /// Empty folders are no content, and stay behind where a move is a copy.
    ///
    /// Within a mount it is one step. Into another mount it is copied whole and then removed: a program that is killed
    /// between the two leaves both, told as `asset.copied_guid`. Where it fails, everything is where it was; where that
    /// fails too, the copy stays, and [`Error::HalfMoved`] says so.
    ///
    /// # Errors
    /// [`Error::Exists`]; [`Error::Name`] for a name without the suffix of its type, or one that a new asset of the type
    /// could not have; [`Error::NotClaimed`] for a loose file where it would be no asset of its type; [`Error::NotAContainer`] and [`Error::NoPlace`] as [`Workspace::create`]; [`Error::HalfMoved`],
    /// [`Error::NotUndone`], [`Error::Vfs`]. After [`zero_vfs::Error::NotSynced`] it is moved.
    pub fn move_asset(&mut self, from: &VfsPath, to: &VfsPath) -> Result<Vec<VfsPath>> {
        let asset = self.asset(from)?.clone();
        self.check_move(&asset, to)?;
        let mut moves = vec![(from.clone(), to.clone())];
        if asset.form == Kind::File {
            let (old, new) = (Refs::place(from, Kind::File)?, Refs::place(to, Kind::File)?);
            if self.vfs.stat(&old)?.is_some() {
                moves.push((old, new));
            }
        }
        let moved = self.move_all(&moves);
        self.take_in(moved, moves.into_iter().flat_map(|(from, to)| [from, to]))?;
        self.lost_names(to)
    }

    /// What a creation would be refused for is no place for what is moved.
    fn check_move(&self, asset: &Asset, to: &VfsPath) -> Result<()> {
        let file_name = to.name().unwrap_or_default();
        let kind = self.assets.type_of(asset);
        let name = match (asset.form, kind) {
            (Kind::Folder, Some(kind)) => file_name.strip_suffix(&kind.suffix).filter(|name| !name.is_empty()),
            (Kind::File, _) if to.extension() == asset.path.extension() => {
                Some(split_suffix(file_name).map_or(file_name, |(name, _)| name))
            }
            (Kind::File, _) => None,
            (Kind::Folder, None) => Some(file_name),
        };
        let no_name = || Error::Name {
            name: file_name.to_owned(),
            kind: asset.kind.clone(),
        };
        let name = name.ok_or_else(no_name)?;
        // One that has such a name already may go on having it.
        if name != asset.name && !self.accepts_name(&asset.type_path, name) {
            return Err(no_name());
        }
        let folder = to.parent().unwrap_or_else(VfsPath::root);
        if Some(&folder) != asset.path.parent().as_ref() {
            self.check_folder(&folder)?;
        }
        // A loose file is an asset by where it lies and how it ends.
        if let Some(kind) = kind.filter(|kind| asset.form == Kind::File && !kind.claims(to)) {
            return Err(kind.not_claimed(to));
        }
        match self.vfs.stat(to)? {
            Some(_) => Err(Error::Exists { path: to.clone() }),
            None => Ok(()),
        }
    }

    /// Moves all of several, or none.
    fn move_all(&self, moves: &[(VfsPath, VfsPath)]) -> Result<()> {
        let mut unsynced = None;
        for (number, (from, to)) in moves.iter().enumerate() {
            match self.move_path(from, to) {
                Ok(()) => {}
                Err(error) if stands(&error) => unsynced = Some(error),
                Err(error) => {
                    let mut left = Vec::new();
                    for (from, to) in moves[..number].iter().rev() {
                        match self.move_path(to, from) {
                            Err(why) if !stands(&why) => left.push((to.clone(), why.to_string())),
                            _ => {}
                        }
                    }
                    return Err(Error::after_undo(error, left));
                }
            }
        }
        unsynced.map_or(Ok(()), Err)
    }

    /// Renames within a mount, or copies into another and removes the old.
    fn move_path(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        match self.vfs.rename(from, to) {
            Err(zero_vfs::Error::AcrossMounts { .. }) => self.move_across(from, to),
            done => Ok(done?),
        }
    }

    fn move_across(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        let removed = match self.vfs.copy(from, to) {
            Ok(()) => self.vfs.remove_tree(from).map_err(Error::from),
            // Nothing is taken away for a copy that a stop of the machine may undo: it is not moved.
            Err(zero_vfs::Error::NotSynced { path, source }) => {
                let action = "sync";
                Err(zero_vfs::Error::Io { action, path, source }.into())
            }
            Err(error) => return Err(error.into()),
        };
        let error = match removed {
            // Where it cannot be looked, some of it may be there still.
            Err(error) if self.vfs.stat(from).map_or(true, |stat| stat.is_some()) => error,
            done => return done,
        };
        // Of the old some may be gone: the copy alone has that, and stays until the old is whole.
        let taken_back = self
            .put_back(from, to)
            .and_then(|()| self.vfs.remove_tree(to).map_err(Error::from));
        match taken_back {
            Err(why) if !stands(&why) => Err(Error::HalfMoved {
                from: from.clone(),
                to: to.clone(),
                error: Box::new(error),
                why: why.to_string(),
            }),
            _ => Err(error),
        }
    }

    /// Writes what is missing of `from` out of its copy.
    fn put_back(&self, from: &VfsPath, copy: &VfsPath) -> Result<()> {
        let is_file = self.vfs.stat(copy)?.is_some_and(|stat| stat.kind == Kind::File);
        let files = match is_file {
            true => vec![copy.clone()],
            false => self.vfs.walk(copy)?.files,
        };
        for file in files {
            let place = match file.relative_to(copy) {
                Some(inner) if !inner.is_root() => from.join(&inner.as_str()[1..])?,
                _ => from.clone(),
            };
            if self.vfs.stat(&place)?.is_none() {
                match self.vfs.read(&file).and_then(|bytes| self.vfs.write(&place, &bytes)) {
                    Err(zero_vfs::Error::NotSynced { .. }) => {}
                    written => written?,
                }
            }
        }
        Ok(())
    }

    /// The assets that name what is at `path` now, by names that lead there no more.
    fn lost_names(&self, path: &VfsPath) -> Result<Vec<VfsPath>> {
        let Some(asset) = self.assets.at(path) else {
            return Ok(Vec::new());
        };
        let mut lost = Vec::new();
        for dependent in self.assets.dependents(asset) {
            let deps = self.assets.deps(&self.vfs, dependent)?;
            let is_lost = |dep: &crate::Dependency| match &dep.target {
                crate::Target::Renamed { path: now, .. } => now == path,
                target => target.meant() == Some(path),
            };
            if deps.iter().any(is_lost) {
                lost.push(dependent.path.clone());
            }
        }
        Ok(lost)
    }

    /// Writes files one after another and takes in what is written, be it that one fails. What may not outlast a stop of the
    /// machine is written all the same, and told at the end.
    pub(super) fn write_each(&mut self, files: &[(&VfsPath, &[u8])]) -> Result<()> {
        let mut unsynced = Ok(());
        let written = files.iter().try_for_each(|(path, bytes)| {
            match self.vfs.write(path, bytes).map_err(Error::from) {
                Err(error) if stands(&error) => unsynced = Err(error),
                written => written?,
            }
            Ok(())
        });
        self.take_in(written, files.iter().map(|(path, _)| (*path).clone()))?;
        unsynced
    }

    /// Takes in what an operation left at places, whether it succeeded or not; its own error comes first.
    pub(super) fn take_in<T>(&mut self, done: Result<T>, places: impl IntoIterator<Item = VfsPath>) -> Result<T> {
        let changes = self.assets.apply_own(&self.vfs, places);
        if let Ok(changes) = &changes {
            self.follow(changes);
        }
        let done = done?;
        changes?;
        Ok(done)
    }
}

/// Whether what failed is done all the same, and may only not outlast a stop of the machine.
pub(super) fn stands(error: &Error) -> bool {
    matches!(error, Error::Vfs(zero_vfs::Error::NotSynced { .. }))
}
