//! Where an asset may go and what it may be called: asked of one that is made and of one that is moved.

use zero_vfs::VfsPath;

use super::Workspace;
use crate::asset::Asset;
use crate::assets::is_plain_name;
use crate::classify::is_in_template;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::root::Root;

impl Workspace {
    /// Whether an asset of a type may have a name: its behaviour says, and where it has none, code must be able to write it.
    pub(super) fn accepts_name(&self, kind: &VfsPath, name: &str) -> bool {
        match self.behaviors.of_type(kind) {
            Some(attached) => attached.behavior.accepts_name(name),
            None => is_plain_name(name),
        }
    }

    /// Whether what is put into a folder is found there as an asset.
    pub(super) fn check_folder(&self, folder: &VfsPath) -> Result<()> {
        let no_place = |why| {
            let path = folder.clone();
            Err(Error::NoPlace { path, why })
        };
        if !folder.starts_with(&Root::World.folder()?) {
            return no_place("assets are looked for in the world's source alone");
        }
        if is_in_template(folder) {
            return no_place("it is in a type's template, of which new assets are made");
        }
        if crate::package::is_of_installs(folder) {
            return no_place("it is where installations are prepared or written down");
        }
        let holders: Vec<&Asset> = folder.ancestors().filter_map(|path| self.assets.at(&path)).collect();
        let kind_of = |asset: &&&Asset| self.assets.type_of(asset);
        let opaque = holders
            .iter()
            .find(|holder| kind_of(holder).is_some_and(|kind| kind.is_opaque_walker));
        let closed = holders
            .first()
            .filter(|holder| !kind_of(holder).is_some_and(|kind| kind.is_container));
        match opaque.or(closed) {
            None => Ok(()),
            Some(holder) => Err(Error::NotAContainer {
                path: holder.path.clone(),
                kind: holder.kind.clone(),
            }),
        }
    }

    /// Makes what is told of the names of assets what the behaviours of their types say of them.
    pub(super) fn by_name_rules<'a>(&self, told: &mut Vec<Diagnostic>, assets: impl IntoIterator<Item = &'a Asset>) {
        told.retain(|told| {
            let named = self.assets.at(&told.path).filter(|_| told.code == "asset.name");
            named.is_none_or(|asset| !self.accepts_name(&asset.type_path, &asset.name))
        });
        // What code cannot write the index told.
        let refused = assets
            .into_iter()
            .filter(|asset| is_plain_name(&asset.name) && !self.accepts_name(&asset.type_path, &asset.name));
        told.extend(refused.map(|asset| {
            let message = format!("`{}` is no name that its type `{}` takes", asset.name, asset.kind);
            Diagnostic::warning("asset.name", &asset.path, message)
        }));
    }
}
