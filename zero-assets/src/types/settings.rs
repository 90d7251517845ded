//! [`SettingsBlock`] and [`Schema`]: the typed settings that each asset of a type has.

use std::collections::BTreeMap;

use zero_vfs::VfsPath;
use zero_yaml::{Field, Node, Position};

use super::files::is_relative;
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::refs::REFS_FILE;
use crate::settings::VERSION_KEY;
use crate::value::{self, Value};

/// Where the settings of a type's assets are declared and where their values live.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingsBlock {
    /// The file of an asset that holds its values.
    pub values: String,
    /// What settings there are.
    pub schema: SchemaSource,
    /// The key, dotted for nesting, under which a schema's file holds the schema; the whole file where there is
    /// none.
    pub export: Option<String>,
}

/// Where a schema is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SchemaSource {
    /// In the `type.yaml` itself.
    Inline(Schema),
    /// In a file of the type's folder.
    TypeFile(String),
    /// In a file that each asset has of its own.
    InstanceFile(String),
}

/// The settings that an asset has, by name.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// The settings.
    pub fields: BTreeMap<String, SettingField>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingField {
    /// What its value is.
    pub value_type: FieldType,
    /// The value where nobody says another; `null` where there is none.
    pub default: Value,
    /// What it does, for the person who sets it.
    pub description: Option<String>,
}

/// What the value of a setting is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FieldType {
    /// `true` or `false`.
    Bool,
    /// A whole number between two bounds, which belong to it.
    Integer {
        /// The least.
        min: Option<i64>,
        /// The most.
        max: Option<i64>,
    },
    /// A finite number between two bounds, which belong to it.
    Number {
        /// The least.
        min: Option<f64>,
        /// The most.
        max: Option<f64>,
    },
    /// A text.
    Text {
        /// The most bytes of UTF-8.
        max_bytes: Option<usize>,
    },
    /// One of a few words.
    Word {
        /// The words.
        words: Vec<String>,
    },
    /// So many numbers: a vector, a colour.
    Vector {
        /// How many.
        len: usize,
    },
    /// The name of an asset.
    Asset {
        /// The type that it resolves in.
        category: String,
    },
    /// A list whose items are of one type.
    List {
        /// The items' type.
        item: Box<FieldType>,
    },
    /// Any mapping, list or value: what a type checks itself.
    Any,
}

#[derive(Clone, Copy)]
enum Named {
    Bool,
    Integer,
    Number,
    Text,
    OneOf,
    Vector,
    Asset,
    List,
    Any,
}

const WORDS: &[(&str, Named)] = &[
    ("bool", Named::Bool),
    ("integer", Named::Integer),
    ("number", Named::Number),
    ("text", Named::Text),
    ("word", Named::OneOf),
    ("vector", Named::Vector),
    ("asset", Named::Asset),
    ("list", Named::List),
    ("any", Named::Any),
];

/// The most numbers of a vector.
const MAX_VECTOR: u64 = 16;

impl SettingsBlock {
    pub(super) fn names(&self, file: &str) -> bool {
        let schema = match &self.schema {
            SchemaSource::InstanceFile(schema) => Some(schema.as_str()),
            _ => None,
        };
        self.values == file || schema == Some(file)
    }
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<SettingsBlock> {
    let keys = reader.keys(node, "`settings`", &["values", "schema"])?;
    let values = relative(reader, keys, "values")?;
    if let Some(what) = anothers(&values) {
        let at = keys.get("values").map_or(keys.at(), |node| node.at);
        reader.wrong(at, format!("`{values}` cannot hold settings: it is {what}"));
        return None;
    }
    let Some(schema) = keys.get("schema") else {
        reader.wrong(node.at, "the key `schema` is missing");
        return None;
    };
    let schema_keys = reader.keys(schema, "`schema`", &["type", "instance", "export"])?;
    let export = reader.text_of(schema_keys, "export");
    let schema = match (schema_keys.get("type"), schema_keys.get("instance")) {
        (Some(of_type), None) if of_type.text().is_some() => {
            SchemaSource::TypeFile(relative(reader, schema_keys, "type")?)
        }
        (Some(of_type), None) => SchemaSource::Inline(Schema::read(reader, of_type, &[])?),
        (None, Some(_)) => SchemaSource::InstanceFile(relative(reader, schema_keys, "instance")?),
        _ => {
            let message = "a schema is either of the type (`type`) or of each asset (`instance`)";
            reader.wrong(schema.at, message);
            return None;
        }
    };
    Some(SettingsBlock { values, schema, export })
}

/// Whose a file is that an asset's settings would be written over.
fn anothers(file: &str) -> Option<&'static str> {
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    if name.ends_with(REFS_FILE) {
        return Some("a sidecar, which holds guids");
    }
    if matches!(name, "README.md" | ".metadata") {
        return Some("the asset's description");
    }
    // A folder with a suffix is an asset of its own, or will be.
    let is_asset = folders
        .split('/')
        .any(|folder| crate::registry::split_suffix(folder).is_some());
    is_asset.then_some("a file of an asset inside")
}

fn relative(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str) -> Option<String> {
    let path = reader.needed_text(keys, key)?;
    if !is_relative(&path) {
        let at = keys.get(key).map_or(keys.at(), |node| node.at);
        reader.wrong(at, format!("`{path}` is no path below a folder"));
        return None;
    }
    Some(path)
}

impl Schema {
    /// The most bytes that a schema's file may hold.
    pub(crate) const MAX_BYTES: u64 = Format::FIRST.max_bytes as u64;

    /// Reads a schema's file, or the part of it under `export`. `path` is for messages. Where an error is told, the
    /// schema is `None`.
    #[must_use]
    pub fn parse(path: &VfsPath, bytes: &[u8], export: Option<&str>) -> (Option<Self>, Vec<Diagnostic>) {
        let tree = match Format::FIRST.parse(path, bytes) {
            Ok(tree) => tree,
            Err(error) => return (None, vec![Diagnostic::of_error("settings.schema", path, &error)]),
        };
        let mut reader = Reader::new(path, "settings.schema", "settings.unknown_key");
        let schema = match export {
            // A whole file says its own version among the settings.
            None => Self::read(&mut reader, &tree, &[VERSION_KEY]),
            Some(export) => match tree.at_path(export) {
                Some(node) => Self::read(&mut reader, node, &[]),
                None => {
                    reader.wrong(
                        Position::START,
                        format!("the file has no `{export}`, which holds the schema"),
                    );
                    None
                }
            },
        };
        let schema = schema.filter(|_| !reader.has_errors());
        (schema, reader.told)
    }

    fn read(reader: &mut Reader<'_>, node: &Node, no_settings: &[&str]) -> Option<Self> {
        if !matches!(node.value, zero_yaml::Value::Map(_)) {
            let message = format!("a schema is a mapping of settings, and {} is here", node.value.kind());
            reader.wrong(node.at, message);
            return None;
        }
        let is_setting = |entry: &&Field| !no_settings.contains(&entry.key.as_str());
        let fields = node.fields().iter().filter(is_setting).filter_map(|entry| {
            if entry.key == VERSION_KEY {
                let message = "no setting is called `version`: a file of values says its own version under that key";
                reader.wrong(entry.at, message);
            }
            Some((entry.key.clone(), setting(reader, &entry.node)?))
        });
        Some(Self {
            fields: fields.collect(),
        })
    }
}

fn setting(reader: &mut Reader<'_>, node: &Node) -> Option<SettingField> {
    let value_type = field_type(reader, node, &["default", "description"])?;
    let keys = reader.keys(node, "a setting", ALL)?;
    let default = keys.get("default").map_or(Value::Null, value::of_node);
    if !default.is_null()
        && let Err(why) = value_type.check(&default)
    {
        let at = keys.get("default").map_or(node.at, |node| node.at);
        reader.wrong(at, format!("the default does not fit the setting: {why}"));
    }
    Some(SettingField {
        value_type,
        default,
        description: reader.text_of(keys, "description"),
    })
}

const ALL: &[&str] = &[
    "type",
    "min",
    "max",
    "max_bytes",
    "words",
    "len",
    "category",
    "item",
    "default",
    "description",
];

/// A field's type, whose own keys stand beside `more` in the same mapping.
fn field_type(reader: &mut Reader<'_>, node: &Node, more: &[&str]) -> Option<FieldType> {
    let own: &[&str] = match node.get("type").and_then(Node::text) {
        Some("integer" | "number") => &["type", "min", "max"],
        Some("text") => &["type", "max_bytes"],
        Some("word") => &["type", "words"],
        Some("vector") => &["type", "len"],
        Some("asset") => &["type", "category"],
        Some("list") => &["type", "item"],
        Some("bool" | "any") | None => &["type"],
        // Of a type that there is none of, the type alone is told.
        Some(_) => &["type", "min", "max", "max_bytes", "words", "len", "category", "item"],
    };
    let keys = reader.keys(node, "a setting", &[own, more].concat())?;
    Some(match reader.needed_word(keys, "type", WORDS)? {
        Named::Bool => FieldType::Bool,
        Named::Any => FieldType::Any,
        Named::Integer => {
            let mut bound = |key| reader.integer(keys, key);
            FieldType::Integer {
                min: bound("min"),
                max: bound("max"),
            }
        }
        Named::Number => FieldType::Number {
            min: reader.number(keys, "min"),
            max: reader.number(keys, "max"),
        },
        Named::Text => FieldType::Text {
            max_bytes: reader.count(keys, "max_bytes").map(|bytes| bytes as usize),
        },
        Named::OneOf => {
            let words = reader.texts(keys, "words");
            if words.is_empty() {
                reader.wrong(node.at, "a setting of type `word` names its `words`");
            }
            FieldType::Word { words }
        }
        Named::Vector => match reader.count(keys, "len") {
            Some(len @ 1..=MAX_VECTOR) => FieldType::Vector { len: len as usize },
            _ => {
                let message = format!("a vector names how many numbers it has, 1 to {MAX_VECTOR}, as `len`");
                reader.wrong(node.at, message);
                return None;
            }
        },
        Named::Asset => FieldType::Asset {
            category: reader.needed_text(keys, "category")?,
        },
        Named::List => match keys.get("item") {
            Some(item) => FieldType::List {
                item: Box::new(field_type(reader, item, &[])?),
            },
            None => {
                reader.wrong(node.at, "a list says what its items are, as `item`");
                return None;
            }
        },
    })
}

impl FieldType {
    /// Why `value` is none of this type.
    pub(crate) fn check(&self, value: &Value) -> std::result::Result<(), String> {
        let found = || value::kind(value);
        let within = |below: bool, above: bool, range: String| match below || above {
            true => Err(format!("{value} is out of its range, {range}")),
            false => Ok(()),
        };
        match self {
            Self::Any => Ok(()),
            Self::Bool if value.is_boolean() => Ok(()),
            Self::Bool => Err(format!("it is true or false, and {} is here", found())),
            Self::Integer { min, max } => match value.as_i64() {
                Some(number) => {
                    let (below, above) = (min.is_some_and(|min| number < min), max.is_some_and(|max| number > max));
                    within(below, above, range(*min, *max))
                }
                None => Err(format!("it is a whole number, and {value} is here")),
            },
            Self::Number { min, max } => match value.as_f64() {
                Some(number) => {
                    let (below, above) = (min.is_some_and(|min| number < min), max.is_some_and(|max| number > max));
                    within(below, above, range(*min, *max))
                }
                None => Err(format!("it is a number, and {} is here", found())),
            },
            Self::Text { max_bytes } => match (value.as_str(), max_bytes) {
                (Some(text), Some(limit)) if text.len() > *limit => {
                    Err(format!("it has {} bytes, more than the {limit} allowed", text.len()))
                }
                (Some(_), _) => Ok(()),
                (None, _) => Err(format!("it is a text, and {} is here", found())),
            },
            Self::Word { words } => match value.as_str() {
                Some(word) if words.iter().any(|known| known == word) => Ok(()),
                _ => Err(format!("it is one of `{}`, and {value} is here", words.join("`, `"))),
            },
            Self::Vector { len } => match value.as_array() {
                Some(items) if items.len() == *len && items.iter().all(Value::is_number) => Ok(()),
                _ => Err(format!("it is {len} numbers, and {value} is here")),
            },
            Self::Asset { category } => match value.is_string() {
                true => Ok(()),
                false => Err(format!("it names a {category}, and {} is here", found())),
            },
            Self::List { item } => match value.as_array() {
                Some(items) => items.iter().enumerate().try_for_each(|(number, value)| {
                    item.check(value)
                        .map_err(|why| format!("item {number} does not fit: {why}"))
                }),
                None => Err(format!("it is a list, and {} is here", found())),
            },
        }
    }
}

fn range<T: std::fmt::Display>(min: Option<T>, max: Option<T>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "any".to_owned(),
    }
}
