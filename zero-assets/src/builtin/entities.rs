//! Rules of the types that hold entities: `scene` and `bundle`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use zero_vfs::nearest_names;
use zero_yaml::{Node, Position};

use super::held::{Codes, Held, numbers};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::Reader;
use crate::value::Value;

const SCENE: Codes = Codes {
    broken: "scene.broken",
    unknown: "scene.unknown_key",
};
const BUNDLE: Codes = Codes {
    broken: "bundle.broken",
    unknown: "bundle.unknown_key",
};

/// An entity as its file says it.
struct Entity {
    id: String,
    at: Position,
    parent: Option<(String, Position)>,
}

pub(super) fn scene(held: &mut Held<'_>) {
    hierarchy(held, "scene.yaml", SCENE, "scene.entity");
}

pub(super) fn bundle(held: &mut Held<'_>) {
    let Some(entities) = hierarchy(held, "bundle.yaml", BUNDLE, "bundle.entity") else {
        return;
    };
    let roots: Vec<&Entity> = entities.iter().filter(|entity| entity.parent.is_none()).collect();
    let Some(file) = held.file("bundle.yaml").filter(|_| roots.len() != 1) else {
        return;
    };
    // With several, the second is the one too many.
    let told = match roots.get(1) {
        None => Diagnostic::error(
            "bundle.root",
            &file,
            "no entity is without a parent: a bundle has one root",
        ),
        Some(second) => {
            let names = super::held::quoted(roots.iter().map(|root| root.id.as_str()));
            let message = format!("a bundle has one root, and {names} have no parent");
            Diagnostic::error("bundle.root", &file, message).at(second.at)
        }
    };
    held.tell(told);
}

/// The entities of a file, after what is wrong with them was told.
fn hierarchy(held: &mut Held<'_>, inner: &str, codes: Codes, code: &'static str) -> Option<Vec<Entity>> {
    let entities = held.yaml(inner, codes, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(tree, &format!("a {inner}"), &["version", "entities"])?;
        if keys.get("entities").is_none() {
            reader.wrong(tree.at, "the key `entities` is missing");
        }
        let items = reader.items(keys, "entities").iter();
        Some(items.filter_map(|item| entity(reader, item)).collect::<Vec<_>>())
    })?;
    let file = held.file(inner)?;
    let mut parents: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for entity in &entities {
        let parent = entity.parent.as_ref().map(|(parent, _)| parent.as_str());
        if parents.insert(&entity.id, parent).is_some() {
            let message = format!("the id `{}` is there already", entity.id);
            held.tell(Diagnostic::error(code, &file, message).at(entity.at));
        }
    }
    let rings = in_rings(&parents);
    for entity in &entities {
        let Some((parent, at)) = &entity.parent else { continue };
        if !parents.contains_key(parent.as_str()) {
            let near = nearest_names(parent, parents.keys().copied());
            let message = format!("`{}` hangs on `{parent}`, which is not there", entity.id);
            held.tell(Diagnostic::error(code, &file, message).at(*at).did_you_mean(&near));
        } else if rings.contains(entity.id.as_str()) {
            let message = format!("`{}` hangs on itself", entity.id);
            held.tell(Diagnostic::error(code, &file, message).at(*at));
        }
    }
    Some(entities)
}

/// The entities that hang on themselves: those from which going up leads back.
fn in_rings<'e>(parents: &BTreeMap<&'e str, Option<&'e str>>) -> BTreeSet<&'e str> {
    let mut rings = BTreeSet::new();
    // From which walk each was come by: no walk goes where one was before.
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let up = |id: &str| parents.get(id).copied().flatten();
    for (walk, start) in parents.keys().enumerate() {
        let mut at = Some(*start);
        while let Some(id) = at {
            match seen.get(id) {
                None => drop(seen.insert(id, walk)),
                // This walk has come round: all from here to here again are one ring.
                Some(by) if *by == walk => {
                    let mut round = Some(id);
                    while let Some(id) = round.filter(|id| rings.insert(*id)) {
                        round = up(id);
                    }
                    break;
                }
                Some(_) => break,
            }
            at = up(id);
        }
    }
    rings
}

fn entity(reader: &mut Reader<'_>, node: &Node) -> Option<Entity> {
    const KEYS: &[&str] = &["id", "name", "parent", "position", "rotation", "scale", "components"];
    let keys = reader.keys(node, "an entity", KEYS)?;
    let id = reader.needed_text(keys, "id")?;
    reader.text_of(keys, "name");
    for key in ["position", "rotation", "scale"] {
        if let Some(node) = keys.get(key) {
            numbers::<3>(reader, node, &format!("`{key}`"));
        }
    }
    if let Some(node) = keys.get("components") {
        match &node.value {
            zero_yaml::Value::Map(_) => {}
            other => reader.wrong(
                node.at,
                format!("`components` is a mapping, and {} is here", other.kind()),
            ),
        }
    }
    let parent_at = keys.get("parent").map_or(node.at, |node| node.at);
    let parent = reader.text_of(keys, "parent").map(|parent| (parent, parent_at));
    let at = keys.get("id").map_or(node.at, |node| node.at);
    Some(Entity { id, at, parent })
}

/// The entities by id: their names, parents and components.
pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data("scene.yaml").or_else(|| held.data("bundle.yaml"))?;
    let entities = data.get("entities").and_then(Value::as_array).into_iter().flatten();
    let entities = entities.map(|entity| {
        let components: Vec<&String> = match entity.get("components") {
            Some(Value::Object(components)) => components.keys().collect(),
            _ => Vec::new(),
        };
        json!({
            "components": components,
            "id": entity.get("id"),
            "name": entity.get("name"),
            "parent": entity.get("parent"),
        })
    });
    Some(json!({ "entities": entities.collect::<Vec<_>>() }))
}
