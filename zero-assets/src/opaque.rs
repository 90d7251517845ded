//! Opaque assets: what lies in one registers nothing, so no types either.

use zero_vfs::{Vfs, VfsPath};

use crate::asset_type::AssetType;
use crate::diagnostic::Diagnostic;
use crate::registry::{TypeRegistry, is_type_folder};

/// Reads the types in `folders`, in this order, except those that lie in an opaque asset. `tree` is all folders in the
/// order of their paths.
///
/// Which assets are opaque is known from the types alone, so every type is read first and the hidden ones are taken away,
/// until none is left. A type that hides another is hidden itself at times: it hides nothing then, for which those that
/// hide it go first.
pub(crate) fn load_types<'a>(
    vfs: &Vfs,
    folders: impl Iterator<Item = &'a VfsPath>,
    tree: &'a [VfsPath],
) -> (TypeRegistry, Vec<Diagnostic>) {
    let mut folders: Vec<&VfsPath> = folders.filter(|folder| is_type_folder(folder)).collect();
    loop {
        let (types, diagnostics) = TypeRegistry::load(vfs, folders.iter().copied());
        let opaque = opaque_assets(&types, tree);
        let hider = |folder: &VfsPath| {
            let within = opaque.iter().find(|(asset, _)| is_below(folder, asset));
            within.map(|(_, kind)| *kind)
        };
        let hidden: Vec<&VfsPath> = folders
            .iter()
            .copied()
            .filter(|folder| hider(folder).is_some())
            .collect();
        let by_one_that_stands = |folder: &&VfsPath| hider(folder).is_some_and(|kind| hider(&kind.path).is_none());
        let mut gone: Vec<&VfsPath> = hidden.iter().copied().filter(by_one_that_stands).collect();
        if gone.is_empty() {
            // Types that hide each other in a ring: the first of them goes, and the rest is looked at again.
            gone.extend(hidden.first());
        }
        if gone.is_empty() {
            return (types, diagnostics);
        }
        folders.retain(|folder| !gone.contains(folder));
    }
}

/// The assets in `tree` that a walk does not go into, outermost only.
fn opaque_assets<'a>(types: &'a TypeRegistry, tree: &'a [VfsPath]) -> Vec<(&'a VfsPath, &'a AssetType)> {
    let mut found: Vec<(&VfsPath, &AssetType)> = Vec::new();
    for folder in tree {
        // Folders come in the order of their paths: what an asset holds follows it directly.
        if found.last().is_some_and(|(asset, _)| folder.starts_with(asset)) {
            continue;
        }
        let kind = folder.name().and_then(|name| types.split(name)).map(|(_, kind)| kind);
        found.extend(kind.filter(|kind| kind.is_opaque_walker).map(|kind| (folder, kind)));
    }
    found
}

fn is_below(folder: &VfsPath, asset: &VfsPath) -> bool {
    folder != asset && folder.starts_with(asset)
}
