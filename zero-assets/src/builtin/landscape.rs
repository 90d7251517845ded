//! Rules of `terrainData`: what a manifest says of its ground, and that its children are there.

use serde_json::json;
use zero_vfs::VfsPath;
use zero_yaml::{Node, Position};

use super::held::{Codes, Held, finite, numbers};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const FILE: &str = "terrain.yaml";
const CODES: Codes = Codes {
    broken: "terrain.broken",
    unknown: "terrain.unknown_key",
};
const KEYS: &[&str] = &[
    "version",
    "size",
    "origin",
    "heightRange",
    "height",
    "holes",
    "water",
    "waterShade",
    "controls",
    "layers",
    "slices",
    "scatter",
];
/// How many layers a control texture weighs, one a channel.
const LAYERS_A_CONTROL: usize = 4;

/// A child that a manifest names, and where.
struct Child {
    name: String,
    at: Position,
    suffix: &'static str,
}

/// What a manifest names.
#[derive(Default)]
struct Manifest {
    children: Vec<Child>,
    /// Diagnostics of layers, under a code of their own.
    layers: Vec<(Position, String)>,
}

pub(super) fn terrain(held: &mut Held<'_>) {
    let manifest = held.yaml(FILE, CODES, &Format::FIRST, manifest);
    let (Some(manifest), Some(file)) = (manifest, held.file(FILE)) else {
        return;
    };
    for child in manifest.children {
        let in_folder = |name: &str| {
            VfsPath::root()
                .join(name)
                .is_ok_and(|path| path.segments().count() == 1)
        };
        let what = match child.name.ends_with(child.suffix) && in_folder(&child.name) {
            false => format!("`{}` is no name of a `{}` in this folder", child.name, child.suffix),
            true if !is_there(held, &child) => format!("`{}` is not here", child.name),
            true => continue,
        };
        held.tell(Diagnostic::error("terrain.child", &file, what).at(child.at));
    }
    for (at, message) in manifest.layers {
        held.tell(Diagnostic::error("terrain.layers", &file, message).at(at));
    }
}

fn is_there(held: &Held<'_>, child: &Child) -> bool {
    let path = held.folder().join(&child.name);
    path.is_ok_and(|path| matches!(held.context.vfs.stat(&path), Ok(Some(_))))
}

fn manifest(reader: &mut Reader<'_>, tree: &Node) -> Option<Manifest> {
    let keys = reader.keys(tree, "a terrain.yaml", KEYS)?;
    stands(reader, keys);
    let mut read = Manifest::default();
    match keys.get("height") {
        Some(_) => read.children.extend(child(reader, keys, "height", ".texture")),
        None => reader.wrong(
            keys.at(),
            "the key `height` is missing: it is the ground that one stands on",
        ),
    }
    read.children.extend(child(reader, keys, "holes", ".texture"));
    read.children.extend(child(reader, keys, "water", ".texture"));
    if let Some(node) = keys.get("waterShade")
        && let Some(shade) = reader.keys(node, "`waterShade`", &["file", "depthMax"])
    {
        reader.needed_text(shade, "file");
        read.children.extend(child(reader, shade, "file", ".texture"));
        positive(reader, shade, "depthMax");
    }
    let controls = names(reader, keys, "controls", &mut read.children);
    let slices = slices(reader, keys, &mut read.children);
    layers(reader, keys, controls, slices, &mut read.layers);
    for entry in reader.items(keys, "scatter") {
        if let Some(scatter) = reader.keys(entry, "an entry of `scatter`", &["name", "file", "count"]) {
            reader.needed_text(scatter, "name");
            reader.needed_text(scatter, "file");
            read.children.extend(child(reader, scatter, "file", ".instances"));
            reader.count(scatter, "count");
        }
    }
    Some(read)
}

/// Where the ground stands: without it nothing can stand on it.
fn stands(reader: &mut Reader<'_>, keys: Keys<'_>) {
    for key in ["size", "origin", "heightRange"] {
        let Some(node) = keys.get(key) else {
            reader.wrong(
                keys.at(),
                format!("the key `{key}` is missing: it says where the ground stands"),
            );
            continue;
        };
        let Some([one, two]) = numbers::<2>(reader, node, &format!("`{key}`")) else {
            continue;
        };
        match key {
            "size" if one <= 0.0 || two <= 0.0 => {
                reader.wrong(
                    node.at,
                    format!("`size` is metres above 0, and {one} by {two} are here"),
                );
            }
            "heightRange" if one > two => {
                reader.wrong(
                    node.at,
                    format!("`heightRange` is two heights, the lowest first, and {one} to {two} is here"),
                );
            }
            _ => {}
        }
    }
}

fn positive(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str) {
    let Some(node) = keys.get(key) else {
        return reader.wrong(keys.at(), format!("the key `{key}` is missing"));
    };
    if let Some(number) = finite(reader, node, &format!("`{key}`")).filter(|number| *number <= 0.0) {
        reader.wrong(node.at, format!("`{key}` is more than 0, and {number} is here"));
    }
}

fn child(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str, suffix: &'static str) -> Option<Child> {
    let at = keys.get(key)?.at;
    let name = reader.text_of(keys, key)?;
    Some(Child { name, at, suffix })
}

/// The textures that a list names, and how many.
fn names(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str, children: &mut Vec<Child>) -> usize {
    let items = reader.items(keys, key);
    for item in items {
        if let Some(name) = reader.text(item, &format!("an item of `{key}`")) {
            let (at, suffix) = (item.at, ".texture");
            children.push(Child { name, at, suffix });
        }
    }
    items.len()
}

/// How many slices there are of each role.
fn slices(reader: &mut Reader<'_>, keys: Keys<'_>, children: &mut Vec<Child>) -> [usize; 3] {
    let Some(node) = keys.get("slices") else { return [0; 3] };
    let Some(keys) = reader.keys(node, "`slices`", &["albedo", "normal", "mask", "size"]) else {
        return [0; 3];
    };
    if let Some(node) = keys.get("size") {
        numbers::<2>(reader, node, "`size`");
    }
    ["albedo", "normal", "mask"].map(|role| names(reader, keys, role, children))
}

fn layers(
    reader: &mut Reader<'_>,
    keys: Keys<'_>,
    controls: usize,
    slices: [usize; 3],
    told: &mut Vec<(Position, String)>,
) {
    const ROLES: [&str; 3] = ["albedoSlice", "normalSlice", "maskSlice"];
    let items = reader.items(keys, "layers");
    if items.len() > LAYERS_A_CONTROL * controls {
        let at = keys.get("layers").map_or(keys.at(), |node| node.at);
        let carried = LAYERS_A_CONTROL * controls;
        told.push((
            at,
            format!(
                "{} layers, and {controls} control textures carry {carried}",
                items.len()
            ),
        ));
    }
    for item in items {
        let known = [&["name", "tint", "tiling"][..], &ROLES].concat();
        let Some(layer) = reader.keys(item, "an entry of `layers`", &known) else {
            continue;
        };
        reader.needed_text(layer, "name");
        positive(reader, layer, "tiling");
        if let Some(node) = layer.get("tint") {
            numbers::<3>(reader, node, "`tint`");
        }
        for (role, count) in ROLES.into_iter().zip(slices) {
            let Some(node) = layer.get(role) else { continue };
            match node.value {
                zero_yaml::Value::Integer(-1) => {}
                zero_yaml::Value::Integer(slice) if usize::try_from(slice).is_ok_and(|slice| slice < count) => {}
                zero_yaml::Value::Integer(slice) => {
                    told.push((
                        node.at,
                        format!("`{role}` is {slice}, and there are {count} of them, from 0; -1 for none"),
                    ));
                }
                _ => reader.wrong(
                    node.at,
                    format!("`{role}` is a whole number, and {} is here", node.value.kind()),
                ),
            }
        }
    }
}

pub(super) fn terrain_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data(FILE)?;
    let said = |key: &str| data.get(key).cloned();
    let layers = data.get("layers").and_then(Value::as_array).into_iter().flatten();
    let layers: Vec<_> = layers.filter_map(|layer| layer.get("name").cloned()).collect();
    Some(json!({
        "heightRange": said("heightRange"),
        "layers": layers,
        "origin": said("origin"),
        "size": said("size"),
        "water": data.get("water").is_some(),
    }))
}
