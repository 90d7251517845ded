//! Which files are sidecars: `.refs` in the folder of an asset, and `<file>.refs` beside a file that is one. Any other file that
//! ends so is its author's own.

use zero_vfs::{Kind, Vfs, VfsPath};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::refs::{REFS_FILE, Refs};

/// The file that `path` would be the sidecar of.
pub(crate) fn file_beside(path: &VfsPath) -> Option<VfsPath> {
    let beside = path.as_str().strip_suffix(REFS_FILE).map(VfsPath::parse);
    beside.and_then(zero_vfs::Result::ok)
}

/// Whether a file is a sidecar, as far as can be told of files alone: a `.refs`, or one with its file among them.
pub(crate) fn is_sidecar_among(path: &VfsPath, has: impl Fn(&VfsPath) -> bool) -> bool {
    path.name() == Some(REFS_FILE) || file_beside(path).is_some_and(|file| has(&file))
}

impl Assets {
    /// Whether a file is the sidecar of an asset.
    pub(crate) fn is_sidecar(&self, path: &VfsPath) -> bool {
        let (owner, form) = match path.name() {
            Some(REFS_FILE) => (path.parent(), Kind::Folder),
            _ => (file_beside(path), Kind::File),
        };
        let owner = owner.and_then(|owner| self.at(&owner));
        owner.is_some_and(|owner| owner.form == form)
    }

    /// Whether a file is the sidecar of what it lies in or beside, if that is an asset.
    pub(crate) fn may_be_sidecar(&self, path: &VfsPath) -> bool {
        is_sidecar_among(path, |file| self.tree().has_file(file))
    }

    /// Reads the sidecar that `path` is, or that lies beside it, again.
    pub(crate) fn read_sidecars(&mut self, vfs: &Vfs, path: &VfsPath) {
        let beside = Refs::place(path, Kind::File).ok();
        let beside = beside.filter(|place| self.tree().has_file(place) || self.refs.contains_key(place));
        for place in beside.iter().chain([path]) {
            if self.refs.remove(place).is_some() {
                self.told.remove(place);
            }
            if self.may_be_sidecar(place) && self.tree().has_file(place) {
                let (refs, told) = Refs::load(vfs, place);
                self.refs.insert(place.clone(), refs);
                self.set_told(place, told);
            }
        }
    }

    /// What an asset's `.refs` says, for one who is to write it anew: nothing where there is none.
    ///
    /// # Errors
    /// [`Error::Broken`] for one that cannot be read, or only in part: what it says beyond that would be lost.
    pub(crate) fn whole_refs(&self, asset: &Asset) -> Result<Option<&Refs>> {
        let place = Refs::place(&asset.path, asset.form)?;
        let told = self.told.get(&place).into_iter().flatten();
        let diagnostics: Vec<Diagnostic> = told.filter(|told| told.is_error()).cloned().collect();
        match diagnostics.is_empty() {
            true => Ok(self.refs.get(&place)),
            false => Err(Error::Broken { diagnostics }),
        }
    }
}
