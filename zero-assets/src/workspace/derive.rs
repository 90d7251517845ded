//! The file that a type computes from each of its assets.

use zero_vfs::{ContentHash, VfsPath};

use super::Workspace;
use super::behaviors::Attached;
use super::picture::PICTURE_FILE;
use super::settings::hook_error;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::refs::Refs;
use crate::types::{Derive, matches};

impl Workspace {
    /// Computes the file that `derive:` of an asset's type names, where it is missing or was made of other files than the
    /// asset has now, and writes it. Answers its path where it was written. What it was made of is kept in the `.refs`.
    ///
    /// A host calls it when an asset is committed. A `timeout` is the host's to keep.
    ///
    /// # Errors
    /// [`crate::Error::Hook`], [`crate::Error::Vfs`], [`crate::Error::Broken`] for a `.refs` that cannot be read. After
    /// [`zero_vfs::Error::NotSynced`] it is written.
    pub fn derive(&mut self, path: &VfsPath) -> Result<Option<VfsPath>> {
        let asset = self.asset(path)?.clone();
        let declared = self.assets.type_of(&asset).and_then(|kind| kind.derive.clone());
        let (Some(declared), Some(attached)) = (declared, self.behavior_of(&asset)) else {
            return Ok(None);
        };
        let output = asset.path.join(&declared.output)?;
        let fingerprint = self.fingerprint(&asset, &declared, &attached)?;
        if self.is_derived(&asset, &output, &fingerprint) {
            return Ok(None);
        }
        let made = attached.behavior.derive(&self.context(&asset, &attached));
        let Some(bytes) = made.map_err(|source| hook_error(&asset, "derive", source))? else {
            return Ok(None);
        };
        let mut refs = self.assets.whole_refs(&asset)?.cloned().unwrap_or_default();
        refs.derived = Some(fingerprint);
        let place = Refs::place(&asset.path, asset.form)?;
        // The file first: a sidecar that is not written has it made again.
        self.write_each(&[(&output, &bytes), (&place, refs.to_text()?.as_bytes())])?;
        Ok(Some(output))
    }

    /// What is told of an asset whose computed file is not what its files would give now.
    pub(super) fn check_derived(&self, asset: &Asset) -> Result<Option<Diagnostic>> {
        let declared = self.assets.type_of(asset).and_then(|kind| kind.derive.as_ref());
        let Some(declared) = declared else {
            return Ok(None);
        };
        let output = asset.path.join(&declared.output)?;
        let Some(attached) = self.behavior_of(asset) else {
            return Ok(self.not_computed(asset, declared, &output));
        };
        if self.is_derived(asset, &output, &self.fingerprint(asset, declared, &attached)?) {
            return Ok(None);
        }
        let message = format!("`{}` is not made of what the asset holds now", declared.output);
        let told = match declared.required {
            true => Diagnostic::error("asset.not_derived", &asset.path, message),
            false => Diagnostic::warning("asset.not_derived", &asset.path, message),
        };
        Ok(Some(told.help("derive it before it is published")))
    }

    /// What is told of an asset whose file must be computed, where nothing is attached that computes it: nobody can say
    /// whether the one that is there is made of what the asset holds now.
    fn not_computed(&self, asset: &Asset, declared: &Derive, output: &VfsPath) -> Option<Diagnostic> {
        if !declared.required {
            return None;
        }
        let name = &declared.output;
        let told = match self.assets.tree().has_file(output) {
            true => {
                let message = format!("nothing tells whether `{name}` is made of what the asset holds now");
                Diagnostic::warning("asset.not_derived", &asset.path, message)
            }
            false => Diagnostic::error("asset.not_derived", &asset.path, format!("`{name}` is not there")),
        };
        let kind = &asset.kind;
        Some(told.help(format!("attach the behaviour of the type `{kind}`, which computes it")))
    }

    fn is_derived(&self, asset: &Asset, output: &VfsPath, fingerprint: &str) -> bool {
        let known = self.assets.refs_of(asset).and_then(|refs| refs.derived.as_deref());
        known == Some(fingerprint) && self.assets.tree().has_file(output)
    }

    /// A hash of what the type says that the computed file is made of; of the names and contents of the files that it names
    /// where it says nothing.
    fn fingerprint(&self, asset: &Asset, declared: &Derive, attached: &Attached) -> Result<String> {
        let said = attached.behavior.derive_fingerprint(&self.context(asset, attached));
        if let Some(said) = said.map_err(|source| hook_error(asset, "derive.fingerprint", source))? {
            return Ok(ContentHash::of(said.as_bytes()).to_string());
        }
        let mut all = Vec::new();
        for file in self.assets.files_of(asset) {
            let Some(inner) = file.relative_to(&asset.path) else {
                continue;
            };
            let inner = &inner.as_str()[1..];
            let is_input =
                declared.matches.is_empty() || declared.matches.iter().any(|pattern| matches(pattern, inner));
            // A picture of an asset is made of it too.
            if is_input && inner != declared.output && inner != PICTURE_FILE {
                all.extend_from_slice(inner.as_bytes());
                all.push(0);
                all.extend_from_slice(self.vfs.hash(&file)?.as_bytes());
            }
        }
        Ok(ContentHash::of(&all).to_string())
    }
}
