//! Giving assets the guids that they lack.

use zero_vfs::{Kind, Vfs, VfsPath};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::{Pin, Refs};

/// What [`Assets::settle`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settled {
    /// Assets that got a guid, by path.
    pub given: Vec<(VfsPath, Guid)>,
    /// Assets that have none and cannot be written, and those whose `.refs` cannot be read, which is left as it is.
    pub left: Vec<VfsPath>,
    /// What is told: a copy that got a guid of its own; a `.refs` that could not be read, or not be written though its
    /// mount can be.
    pub diagnostics: Vec<Diagnostic>,
}

impl Settled {
    /// Notes an asset that is left as it is.
    pub(crate) fn cannot(&mut self, path: &VfsPath, error: Error) {
        self.left.push(path.clone());
        match error {
            // That of a library, say: it is as it should be.
            Error::Vfs(zero_vfs::Error::ReadOnly { .. } | zero_vfs::Error::NoWritableMount { .. }) => {}
            Error::Broken { diagnostics } => self.diagnostics.extend(diagnostics),
            error => {
                let message = format!("its `.refs` cannot be written: {error}");
                self.diagnostics
                    .push(Diagnostic::error("refs.not_written", path, message));
            }
        }
    }
}

impl Assets {
    /// Writes a `.refs` for every asset that can be written and has no guid, and gives each copy of an asset one of
    /// its own. Links to types are pinned with it. What cannot be written, and a `.refs` that cannot be read, is left as it
    /// is, told, and stops nothing else.
    ///
    /// Of assets that share a guid, the one keeps it that had it before the others came; where that is not known, a
    /// library's before the world's, then the first by path.
    ///
    /// # Errors
    /// [`Error::Vfs`] if what was written cannot be looked at.
    pub fn settle(&mut self, vfs: &Vfs) -> Result<Settled> {
        let mut settled = Settled::default();
        // Types first: what is of a type pins its guid.
        let (types, others): (Vec<Asset>, Vec<Asset>) = self
            .iter()
            .cloned()
            .partition(|asset| self.types().at(&asset.path).is_some());
        let mut written = Vec::new();
        for asset in types {
            written.extend(self.settle_one(vfs, &asset, &mut settled)?);
        }
        self.apply_own(vfs, std::mem::take(&mut written))?;
        for asset in others {
            written.extend(self.settle_one(vfs, &asset, &mut settled)?);
        }
        self.apply_own(vfs, written)?;
        settled.given.sort();
        Ok(settled)
    }

    /// Settles one asset and answers its sidecar, where it was written.
    fn settle_one(&self, vfs: &Vfs, asset: &Asset, settled: &mut Settled) -> Result<Option<VfsPath>> {
        let original = asset.guid.and_then(|guid| self.original_of(guid));
        if original.is_some_and(|original| *original == asset.path) {
            return Ok(None);
        }
        // One that left and whose leaving was not told yet: nothing is written where it was.
        if vfs.stat(&asset.path)?.is_none_or(|stat| stat.kind != asset.form) {
            return Ok(None);
        }
        // One that moved, of which the arrival is known and the leaving is not yet: it is no copy, and keeps its guid.
        if let Some(original) = original
            && !is_there(vfs, original, asset.form)?
        {
            return Ok(None);
        }
        let place = Refs::place(&asset.path, asset.form)?;
        let mut refs = match self.whole_refs(asset) {
            Ok(refs) => refs.cloned().unwrap_or_default(),
            Err(error) => {
                settled.cannot(&asset.path, error);
                return Ok(None);
            }
        };
        if original.is_some() {
            match self.deps(vfs, asset) {
                Ok(deps) => crate::deps::pins_of_copy(&mut refs, &deps),
                Err(error) => {
                    settled.cannot(&asset.path, error);
                    return Ok(None);
                }
            }
        }
        let guid = Guid::random();
        refs.guid = Some(guid);
        self.pin_type(asset, &mut refs);
        let written = refs.to_text().and_then(|text| Ok(vfs.write(&place, text.as_bytes())?));
        match written {
            Err(Error::Vfs(error @ zero_vfs::Error::NotSynced { .. })) => {
                let told = Diagnostic::warning("vfs.not_synced", &place, error.to_string());
                settled.diagnostics.push(told);
            }
            Err(error) => {
                settled.cannot(&asset.path, error);
                return Ok(None);
            }
            Ok(()) => {}
        }
        if let Some(original) = original {
            let message = format!("it is a copy of `{original}` and got a guid of its own, {guid}");
            settled
                .diagnostics
                .push(Diagnostic::warning("asset.copied", &asset.path, message));
        }
        settled.given.push((asset.path.clone(), guid));
        Ok(Some(place))
    }

    /// Pins the link to the asset's type, where there is none and the type has a guid.
    pub(crate) fn pin_type(&self, asset: &Asset, refs: &mut Refs) {
        let type_guid = self.at(&asset.type_path).and_then(|kind| kind.guid);
        if let (None, Some(guid)) = (refs.asset_type(), type_guid) {
            refs.set_type(Pin::asset_type(&asset.kind, guid));
        }
    }
}

/// Whether an asset with a sidecar is in its place now, whatever the index knows.
fn is_there(vfs: &Vfs, path: &VfsPath, form: Kind) -> Result<bool> {
    let is_asset = vfs.stat(path)?.is_some_and(|stat| stat.kind == form);
    Ok(is_asset && vfs.stat(&Refs::place(path, form)?)?.is_some())
}
