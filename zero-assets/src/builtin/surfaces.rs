//! Rules of the types that draw: `material`, `shader`, `renderFeature`.

use std::collections::BTreeMap;

use serde_json::json;
use zero_vfs::{VfsPath, nearest_names};
use zero_yaml::{Node, Position};

use super::held::{Codes, Held, finite};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::resolve::Query;
use crate::value::Value;

const MATERIAL: Codes = Codes {
    broken: "material.broken",
    unknown: "material.unknown_key",
};
const SHADER: Codes = Codes {
    broken: "shader.broken",
    unknown: "shader.unknown_key",
};
const FEATURE: Codes = Codes {
    broken: "renderFeature.broken",
    unknown: "renderFeature.unknown_key",
};
const PROPERTIES_FILE: &str = "properties.yaml";

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Property {
    Float,
    Range { min: f64, max: f64 },
    Vector(usize),
    Color,
    Int,
    Bool,
    Texture,
}

impl Property {
    fn words(self) -> String {
        match self {
            Self::Float => "a number".to_owned(),
            Self::Range { min, max } => format!("a number from {min} to {max}"),
            Self::Vector(len) => format!("{len} numbers"),
            Self::Color => "a colour of 3 or 4 numbers".to_owned(),
            Self::Int => "a whole number".to_owned(),
            Self::Bool => "true or false".to_owned(),
            Self::Texture => "a texture".to_owned(),
        }
    }

    /// Whether a value is one of it.
    fn holds(self, node: &Node) -> bool {
        let numbers = |counts: &[usize]| {
            counts.contains(&node.items().len())
                && node
                    .items()
                    .iter()
                    .all(|item| item.number().is_some_and(f64::is_finite))
        };
        match self {
            Self::Float => node.number().is_some_and(f64::is_finite),
            Self::Range { min, max } => node.number().is_some_and(|value| (min..=max).contains(&value)),
            Self::Vector(len) => numbers(&[len]),
            Self::Color => numbers(&[3, 4]),
            Self::Int => matches!(node.value, zero_yaml::Value::Integer(_) | zero_yaml::Value::Unsigned(_)),
            Self::Bool => matches!(node.value, zero_yaml::Value::Bool(_)),
            Self::Texture => node.text().is_some_and(|name| !name.is_empty()),
        }
    }
}

type Properties = BTreeMap<String, Property>;

/// A property that cannot be, and why.
type Misfit = (Position, String);

pub(super) fn shader(held: &mut Held<'_>) {
    let read = held.yaml(PROPERTIES_FILE, SHADER, &Format::FIRST, properties);
    if let (Some((_, misfits)), Some(file)) = (read, held.file(PROPERTIES_FILE)) {
        for (at, message) in misfits {
            held.tell(Diagnostic::error("shader.property", &file, message).at(at));
        }
    }
    let programs: Vec<String> = held
        .files
        .iter()
        .filter(|file| file.ends_with(".wgsl"))
        .cloned()
        .collect();
    for program in programs {
        includes(held, &program);
    }
}

/// That the parts which a program includes by their names are here. A name with dots is another shader's.
fn includes(held: &mut Held<'_>, program: &str) {
    let Some(file) = held.file(program) else { return };
    let Some(text) = held.text(SHADER.broken, &file) else {
        return;
    };
    for (line, text) in text.lines().enumerate() {
        let Some(name) = text.trim().strip_prefix("#include") else {
            continue;
        };
        let name = name.trim().trim_matches('"');
        let is_there = name.contains("::") || held.file(name).is_some() || held.file(&format!("{name}.wgsl")).is_some();
        if !is_there {
            let at = Position {
                line: line as u32 + 1,
                column: 1,
            };
            held.tell(Diagnostic::error("shader.include", &file, format!("`{name}` is not here")).at(at));
        }
    }
}

fn properties(reader: &mut Reader<'_>, tree: &Node) -> Option<(Properties, Vec<Misfit>)> {
    let keys = reader.keys(tree, "a properties.yaml", &["version", "properties"])?;
    let (mut all, mut misfits) = (Properties::new(), Vec::new());
    let Some(node) = keys.get("properties") else {
        return Some((all, misfits));
    };
    if !matches!(node.value, zero_yaml::Value::Map(_)) {
        reader.wrong(
            node.at,
            format!("`properties` is a mapping by name, and {} is here", node.value.kind()),
        );
        return None;
    }
    for entry in node.fields() {
        let Some(property) = property(reader, &entry.node, &mut misfits) else {
            continue;
        };
        let name = entry.key.as_str();
        let is_taken = ["s", "input", "material"].contains(&name) || name.starts_with("mg_");
        if !crate::assets::is_plain_name(name) || property == Property::Texture && is_taken {
            let message = format!("`{name}` is no name that the program can give to a property");
            misfits.push((entry.at, message));
        }
        all.insert(name.to_owned(), property);
    }
    Some((all, misfits))
}

fn property(reader: &mut Reader<'_>, node: &Node, misfits: &mut Vec<Misfit>) -> Option<Property> {
    const WORDS: &[(&str, Property)] = &[
        ("float", Property::Float),
        ("range", Property::Range { min: 0.0, max: 0.0 }),
        ("float2", Property::Vector(2)),
        ("float3", Property::Vector(3)),
        ("float4", Property::Vector(4)),
        ("color", Property::Color),
        ("int", Property::Int),
        ("bool", Property::Bool),
        ("texture", Property::Texture),
    ];
    let is_range = node.get("type").and_then(Node::text) == Some("range");
    let known: &[&str] = match is_range {
        true => &["type", "default", "description", "min", "max"],
        false => &["type", "default", "description"],
    };
    let keys = reader.keys(node, "a property", known)?;
    let mut property = reader.needed_word(keys, "type", WORDS)?;
    if is_range {
        let mut end = |key: &str| keys.get(key).and_then(|node| finite(reader, node, &format!("`{key}`")));
        match (end("min"), end("max")) {
            (Some(min), Some(max)) if min <= max => property = Property::Range { min, max },
            (Some(min), Some(max)) => {
                misfits.push((node.at, format!("{min} to {max} is no range, the least first")));
                return None;
            }
            _ => {
                misfits.push((node.at, "a range names its `min` and its `max`".to_owned()));
                return None;
            }
        }
    }
    if let Some(default) = keys.get("default").filter(|default| !property.holds(default)) {
        misfits.push((
            default.at,
            format!("its default is no value of it, which is {}", property.words()),
        ));
    }
    Some(property)
}

pub(super) fn shader_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data(PROPERTIES_FILE)?;
    Some(json!({ "properties": data.get("properties") }))
}

/// A value of a material, under the name of a property.
struct Given {
    name: String,
    at: Position,
    node: Node,
}

pub(super) fn material(held: &mut Held<'_>) {
    let read = held.yaml("mat.yaml", MATERIAL, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(
            tree,
            "a mat.yaml",
            &["version", "shader", "floats", "vectors", "flags", "textures"],
        )?;
        let mut given = Vec::new();
        for key in ["floats", "vectors", "flags", "textures"] {
            values(reader, keys, key, &mut given);
        }
        Some((reader.text_of(keys, "shader"), given))
    });
    let (Some((Some(shader), given)), Some(file)) = (read, held.file("mat.yaml")) else {
        return;
    };
    // A shader that nothing answers to is told with the names that the asset carries.
    let Some(properties) = properties_of(held, &shader, &file) else {
        return;
    };
    for value in given {
        let message = match properties.get(&value.name) {
            Some(property) if property.holds(&value.node) => continue,
            Some(property) => format!("`{}` is {}", value.name, property.words()),
            None => format!("the shader `{shader}` has no property `{}`", value.name),
        };
        let told = Diagnostic::error("material.property", &file, message).at(value.at);
        let near = match properties.contains_key(&value.name) {
            true => Vec::new(),
            false => nearest_names(&value.name, properties.keys().map(String::as_str)),
        };
        held.tell(told.did_you_mean(&near));
    }
}

fn properties_of(held: &Held<'_>, shader: &str, file: &VfsPath) -> Option<Properties> {
    let query = Query::new(shader).category("shader").from(file);
    let asset = held.context.assets.resolve(&query).ok()?;
    let file = asset.path.join(PROPERTIES_FILE).ok()?;
    let tree = Format::FIRST.read(held.context.vfs, &file).ok()?;
    // What is wrong with the shader is told of the shader.
    let mut reader = Reader::new(&file, SHADER.broken, SHADER.unknown);
    properties(&mut reader, &tree).map(|(all, _)| all)
}

fn values(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str, given: &mut Vec<Given>) {
    let Some(node) = keys.get(key) else { return };
    let zero_yaml::Value::Map(fields) = &node.value else {
        return reader.wrong(
            node.at,
            format!("`{key}` is a mapping by property, and {} is here", node.value.kind()),
        );
    };
    for field in fields {
        let node = &field.node;
        let fits = match key {
            "floats" => Property::Float.holds(node),
            "vectors" => (2..=4).any(|len| Property::Vector(len).holds(node)),
            "flags" => Property::Bool.holds(node),
            _ => Property::Texture.holds(node),
        };
        if !fits {
            let what = match key {
                "floats" => "a finite number",
                "vectors" => "a list of 2 to 4 finite numbers",
                "flags" => "true or false",
                _ => "the name of a texture",
            };
            reader.wrong(node.at, format!("`{}` in `{key}` is {what}", field.key));
        }
        given.push(Given {
            name: field.key.clone(),
            at: node.at,
            node: node.clone(),
        });
    }
}

pub(super) fn material_detail(held: &mut Held<'_>) -> Option<Value> {
    held.data("mat.yaml")
}

/// The channels of a frame, each with the seam from which on it holds this frame.
const CHANNELS: &[(&str, usize)] = &[
    ("depth", 0),
    ("normal", 1),
    ("material", 1),
    ("velocity", 0),
    ("reflection", 0),
    ("colorHistory", 0),
    ("sceneColor", 1),
];
const SEAMS: &[(&str, usize)] = &[
    ("afterDepthPrepass", 0),
    ("afterOpaque", 1),
    ("afterTransparent", 2),
    ("post", 3),
];

pub(super) fn render_feature(held: &mut Held<'_>) {
    const INNER: &str = "feature.yaml";
    let read = held.yaml(INNER, FEATURE, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(
            tree,
            "a feature.yaml",
            &["version", "seam", "order", "reads", "writes", "readsPrevious"],
        )?;
        match keys.get("order").map(|node| (&node.value, node.at)) {
            None => reader.wrong(tree.at, "the key `order` is missing"),
            Some((zero_yaml::Value::Integer(_), _)) => {}
            Some((other, at)) => reader.wrong(at, format!("`order` is a whole number, and {} is here", other.kind())),
        }
        let seam = reader.needed_word(keys, "seam", SEAMS)?;
        let [reads, writes, _] = ["reads", "writes", "readsPrevious"].map(|key| channels(reader, keys, key));
        Some((seam, reads, writes))
    });
    let (Some((seam, reads, writes)), Some(file)) = (read, held.file(INNER)) else {
        return;
    };
    if writes.is_empty() {
        held.tell(Diagnostic::error(
            "renderFeature.channel",
            &file,
            "it writes no channel, so it adds nothing",
        ));
    }
    for (list, what) in [(&reads, "reads"), (&writes, "writes")] {
        for (place, (name, _, at)) in list.iter().enumerate() {
            if list[..place].iter().any(|(other, ..)| other == name) {
                let message = format!("it {what} `{name}` twice");
                held.tell(Diagnostic::error("renderFeature.channel", &file, message).at(*at));
            }
        }
    }
    for (name, _, at) in writes.iter().filter(|(name, ..)| *name == "colorHistory") {
        let message = format!("`{name}` is what the last frame ended with, and nobody writes it");
        held.tell(Diagnostic::error("renderFeature.channel", &file, message).at(*at));
    }
    for (name, from, at) in reads.iter().filter(|(_, from, _)| *from > seam) {
        let (seam, from) = (SEAMS[seam].0, SEAMS[*from].0);
        let told = Diagnostic::error(
            "renderFeature.early",
            &file,
            format!("`{name}` is made by `{from}`, and it runs at `{seam}`"),
        );
        held.tell(told.at(*at).help("read it with `readsPrevious`, or run later"));
    }
}

/// The channels that a list names: the name, the seam from which on it is made, and the place.
fn channels(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str) -> Vec<(&'static str, usize, Position)> {
    let words: Vec<(&str, (&'static str, usize))> = CHANNELS.iter().map(|&(name, seam)| (name, (name, seam))).collect();
    let mut found = Vec::new();
    for item in reader.items(keys, key) {
        if let Some((name, seam)) = reader.word(item, &format!("an item of `{key}`"), &words) {
            found.push((name, seam, item.at));
        }
    }
    found
}

pub(super) fn feature_detail(held: &mut Held<'_>) -> Option<Value> {
    held.data("feature.yaml")
}
