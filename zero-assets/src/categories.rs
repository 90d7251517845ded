//! The types that a `type.yaml` names: that each is one.

use zero_vfs::{Vfs, VfsPath, nearest_names};
use zero_yaml::{Node, Position};

use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::registry::type_file;
use crate::root::Root;
use crate::types::{AssetType, TYPE_FORMAT};

impl Assets {
    /// Warns of each type that a type's declaration names and that is none: names in it are never answered. One may come
    /// later, so it is no error.
    pub(crate) fn check_categories(&self, vfs: &Vfs, kind: &AssetType) -> Vec<Diagnostic> {
        let file = type_file(&kind.path);
        // What cannot be read is told of the type already.
        let Ok(tree) = TYPE_FORMAT.read(vfs, &file) else {
            return Vec::new();
        };
        let named = named(&tree).into_iter();
        named
            .filter_map(|(name, at)| self.check_category(&file, name, at))
            .collect()
    }

    fn check_category(&self, file: &VfsPath, name: &str, at: Position) -> Option<Diagnostic> {
        // Several of the name are as good as one.
        match self.types().get_in(&Root::of(file), name) {
            Ok(_) | Err(crate::Error::Ambiguous { .. }) => None,
            Err(_) => {
                let message = format!("there is no asset type `{name}`, so nothing answers to a name of one");
                let near = nearest_names(name, self.categories());
                Some(
                    Diagnostic::warning("type.category", file, message)
                        .at(at)
                        .did_you_mean(&near),
                )
            }
        }
    }
}

/// The names of types in a `type.yaml`, each with its place.
fn named(tree: &Node) -> Vec<(&str, Position)> {
    let mut found = Vec::new();
    if let Some(references) = tree.get("references") {
        let entries = references.fields().iter().flat_map(|list| list.node.items());
        found.extend(entries.filter_map(|entry| text(entry.get("type")?)));
    }
    found.extend(tree.at_path("contract_ref.category").and_then(text));
    if let Some(settings) = tree.at_path("settings.schema.type") {
        settings
            .fields()
            .iter()
            .for_each(|setting| of_setting(&setting.node, &mut found));
    }
    found
}

fn of_setting<'n>(node: &'n Node, found: &mut Vec<(&'n str, Position)>) {
    found.extend(node.get("category").and_then(text));
    node.get("item").into_iter().for_each(|item| of_setting(item, found));
}

fn text(node: &Node) -> Option<(&str, Position)> {
    Some((node.text()?, node.at))
}
