//! Files of an asset that are written over: all of them, or none.

use zero_vfs::{Vfs, VfsPath};

use super::Workspace;
use super::moving::stands;
use crate::asset::Asset;
use crate::behavior::Files;
use crate::error::{Error, Result};
use crate::refs::Refs;

/// Changes of files that are made together.
pub(super) struct Together<'v> {
    vfs: &'v Vfs,
    /// What each file held before, oldest change first.
    undo: Vec<(VfsPath, Option<Vec<u8>>)>,
    unsynced: Option<Error>,
}

impl<'v> Together<'v> {
    pub(super) fn new(vfs: &'v Vfs) -> Self {
        Self {
            vfs,
            undo: Vec::new(),
            unsynced: None,
        }
    }

    /// Makes a file hold `bytes`, or takes it away. `old` is what it holds.
    pub(super) fn put(&mut self, path: &VfsPath, old: Option<Vec<u8>>, bytes: Option<&[u8]>) -> Result<()> {
        if old.as_deref() == bytes {
            return Ok(());
        }
        self.undo.push((path.clone(), old));
        let put = match bytes {
            Some(bytes) => self.vfs.write(path, bytes),
            None => self.vfs.remove(path),
        };
        match put.map_err(Error::from) {
            Err(error) if stands(&error) => self.unsynced = Some(error),
            put => put?,
        }
        Ok(())
    }

    /// Ends them: where one failed, each file is made what it was, whatever comes of the others.
    pub(super) fn end(self, done: Result<()>) -> Result<()> {
        let Err(error) = done else {
            return self.unsynced.map_or(Ok(()), Err);
        };
        let mut left = Vec::new();
        for (path, old) in self.undo.into_iter().rev() {
            match put_back(self.vfs, &path, old) {
                Err(zero_vfs::Error::NotSynced { .. }) | Ok(()) => {}
                Err(why) => left.push((path, why.to_string())),
            }
        }
        Err(Error::after_undo(error, left))
    }
}

/// Makes a file what it was; what is so already is left alone, as nobody may be able to write it.
fn put_back(vfs: &Vfs, path: &VfsPath, old: Option<Vec<u8>>) -> zero_vfs::Result<()> {
    match (old, vfs.stat(path)?) {
        (None, None) => Ok(()),
        (None, Some(_)) => vfs.remove(path),
        (Some(bytes), Some(_)) if vfs.read(path).is_ok_and(|now| now == bytes) => Ok(()),
        (Some(bytes), _) => vfs.write(path, &bytes),
    }
}

impl Workspace {
    /// Makes the files of a folder asset exactly `files`; the assets in it stay. Where a write fails, each file is made
    /// what it was before; those of which that fails too are named by the error.
    pub(super) fn write_over(&self, asset: &Asset, files: &Files) -> Result<()> {
        let before = self.files_by_inner(asset)?;
        let place = Refs::place(&asset.path, asset.form)?;
        let sidecar = self.assets.refs_of(asset).map(|_| self.vfs.read(&place)).transpose()?;
        let mut together = Together::new(&self.vfs);
        let gone = before.keys().filter(|inner| !files.contains_key(*inner));
        let written = files.iter().map(|(inner, bytes)| (inner, Some(bytes.as_slice())));
        let mut all = written.chain(gone.map(|inner| (inner, None)));
        let done = all.try_for_each(|(inner, bytes)| {
            // A loose file is the asset itself, and has no name in it.
            let path = match inner.is_empty() {
                true => asset.path.clone(),
                false => asset.path.join(inner)?,
            };
            let old = match path == place {
                true => sidecar.clone(),
                false => before.get(inner).cloned(),
            };
            together.put(&path, old, bytes)
        });
        together.end(done)
    }

    pub(super) fn files_by_inner(&self, asset: &Asset) -> Result<Files> {
        let mut files = Files::new();
        for file in self.assets.files_of(asset) {
            if let Some(inner) = file.relative_to(&asset.path) {
                files.insert(inner.as_str()[1..].to_owned(), self.vfs.read(&file)?);
            }
        }
        Ok(files)
    }
}
