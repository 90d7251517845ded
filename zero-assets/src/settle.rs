//! Giving assets the guids that they lack.

use zero_vfs::{Vfs, VfsPath};

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
    /// Assets that have none and cannot be written.
    pub left: Vec<VfsPath>,
    /// What is told: a copy that got a guid of its own.
    pub diagnostics: Vec<Diagnostic>,
}

impl Assets {
    /// Writes a `.refs` for every asset that can be written and has no guid, and gives each copy of an asset one of
    /// its own. Links to types are pinned with it. What cannot be written is left as it is.
    ///
    /// Of assets that share a guid, the one keeps it that had it before the others came; where that is not known, a
    /// library's before the world's, then the first by path.
    ///
    /// # Errors
    /// [`Error::Vfs`] if a sidecar cannot be written for another reason than that nothing there can be.
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
        let place = Refs::place(&asset.path, asset.form)?;
        let mut refs = self.refs_of(asset).cloned().unwrap_or_default();
        if original.is_some() {
            crate::deps::pins_of_copy(&mut refs, &self.deps(vfs, asset)?);
        }
        let guid = Guid::random();
        refs.guid = Some(guid);
        self.pin_type(asset, &mut refs);
        match vfs.write(&place, refs.to_text()?.as_bytes()) {
            Ok(()) => {}
            Err(zero_vfs::Error::ReadOnly { .. } | zero_vfs::Error::NoWritableMount { .. }) => {
                settled.left.push(asset.path.clone());
                return Ok(None);
            }
            Err(error) => return Err(Error::Vfs(error)),
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
