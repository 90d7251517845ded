//! Opaque assets: what lies in one registers nothing, so no types either.

use std::collections::BTreeMap;

use zero_vfs::VfsPath;

use crate::classify::Classifier;
use crate::diagnostic::Diagnostic;
use crate::guid::Guid;
use crate::refs::Refs;
use crate::registry::{TAKEN, TypeRegistry};
use crate::tree::Tree;
use crate::types::AssetType;

/// What is known of the folder of a type: what was read of its `type.yaml`, and what is told of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypeFact {
    pub(crate) value: Option<AssetType>,
    pub(crate) told: Vec<Diagnostic>,
}

/// Registers the types of `facts`, except those that lie in an opaque asset.
///
/// Which assets are opaque is known from the types alone, so every type is taken first and the hidden ones are taken away,
/// until none is left. A type that hides another is hidden itself at times: it hides nothing then, for which those that
/// hide it go first.
pub(crate) fn register_types(
    facts: &BTreeMap<VfsPath, TypeFact>,
    refs: &BTreeMap<VfsPath, Refs>,
    tree: &Tree,
) -> (TypeRegistry, Vec<Diagnostic>) {
    let guid = |folder: &VfsPath| -> Option<Guid> {
        let place = Refs::place(folder, zero_vfs::Kind::Folder).ok()?;
        refs.get(&place)?.guid
    };
    let mut standing: Vec<&VfsPath> = facts.keys().collect();
    loop {
        let kinds = standing.iter().filter_map(|folder| facts.get(*folder)?.value.as_ref());
        let kinds = kinds.map(|kind| (kind, guid(&kind.path)));
        let (mut types, mut told) = TypeRegistry::build(kinds.clone(), &BTreeMap::new());
        if told.iter().any(|told| told.code == TAKEN) {
            (types, told) = TypeRegistry::build(kinds, &pins_of_types(refs));
        }
        for folder in &standing {
            if facts.get(*folder).is_some_and(|fact| fact.value.is_none()) {
                types.add_broken(folder);
            }
        }
        let opaque = opaque_assets(&Classifier { types: &types, refs }, tree);
        let hider = |folder: &VfsPath| {
            let within = opaque.iter().find(|(asset, _)| is_below(folder, asset));
            within.map(|(_, kind)| *kind)
        };
        let hidden: Vec<&VfsPath> = standing
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
            told.extend(
                standing
                    .iter()
                    .filter_map(|folder| facts.get(*folder))
                    .flat_map(|fact| fact.told.clone()),
            );
            return (types, told);
        }
        standing.retain(|folder| !gone.contains(folder));
    }
}

/// How many assets say that they were made with each type.
fn pins_of_types(refs: &BTreeMap<VfsPath, Refs>) -> BTreeMap<Guid, usize> {
    let mut counts = BTreeMap::new();
    for pin in refs.values().filter_map(Refs::asset_type) {
        *counts.entry(pin.guid).or_default() += 1;
    }
    counts
}

/// The assets in `tree` that a walk does not go into, outermost only.
fn opaque_assets<'a>(classifier: &Classifier<'a>, tree: &'a Tree) -> Vec<(&'a VfsPath, &'a AssetType)> {
    let mut found: Vec<(&VfsPath, &AssetType)> = Vec::new();
    for folder in tree.folders() {
        // Folders come in the order of their paths: what an asset holds follows it directly.
        if found.last().is_some_and(|(asset, _)| folder.starts_with(asset)) {
            continue;
        }
        let kind = classifier.folder_type(folder);
        found.extend(kind.filter(|kind| kind.is_opaque_walker).map(|kind| (folder, kind)));
    }
    found
}

fn is_below(folder: &VfsPath, asset: &VfsPath) -> bool {
    folder != asset && folder.starts_with(asset)
}
