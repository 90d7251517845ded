//! [`Node`]: a document as a tree of values that know their places.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::document::Document;
use crate::error::{Error, Position, Result};
use crate::scan::Label;

/// A value of a document and where it begins. For a reader that goes on past what does not fit and tells all
/// of it, where serde stops at the first.
///
/// ```
/// use zero_yaml::{Document, Value};
/// let tree = Document::parse("bark.yaml", "name: bark\nsize: [64, 32]\n")?.tree()?;
/// let size = tree.get("size").ok_or("no size")?;
/// assert_eq!((size.at.line, size.at.column), (2, 7));
/// assert!(matches!(&size.value, Value::List(items) if items[1].value == Value::Integer(32)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub at: Position,
    /// What it is.
    pub value: Value,
}

/// What a [`Node`] holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~`, or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number past the range of `i64` and within that of `u64`, such as a hash.
    Unsigned(u64),
    /// Any other finite number, whole ones past the range of `u64` included.
    Float(f64),
    /// A text.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the text.
    Map(Vec<Field>),
}

/// A key of a mapping and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub key: String,
    /// Where the key begins.
    pub at: Position,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The value of a key, where this is a mapping that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.fields()
            .iter()
            .find(|field| field.key == key)
            .map(|field| &field.node)
    }

    /// The value at a path of keys with dots between them (`floats.roughness`); a number is an item of a
    /// sequence, from 0.
    #[must_use]
    pub fn at_path(&self, dotted: &str) -> Option<&Node> {
        dotted.split('.').try_fold(self, |node, step| match &node.value {
            Value::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => node.get(step),
        })
    }

    /// The keys and values of a mapping; none for another value.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match &self.value {
            Value::Map(fields) => fields,
            _ => &[],
        }
    }

    /// The items of a sequence; none for another value.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The number, where this is one; a whole one past 2^53 is rounded.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(value) => Some(value as f64),
            Value::Unsigned(value) => Some(value as f64),
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The text, where this is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Value {
    /// What kind of value it is, for messages: `a text`, `a mapping`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) | Self::Unsigned(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

impl Document {
    /// The whole document as a tree. Cost: a pass over the text; the stack holds as many levels as it has.
    ///
    /// # Errors
    /// [`Error::Value`] for a scalar that is no value of YAML's core schema, such as a number out of range.
    pub fn tree(&self) -> Result<Node> {
        let plain: Plain = self.read()?;
        let mut places = self.nodes().iter().map(|node| {
            let key = match &node.label {
                Label::Key { at, .. } => *at,
                _ => node.at,
            };
            (node.at, key)
        });
        // The scan and the reader see the same values in the same order; an empty document has none.
        let root = places.next().map_or(Position::START, |(at, _)| at);
        placed(plain, root, &mut places).ok_or_else(|| self.error_at(&[], "this document changed while it was read"))
    }
}

/// Puts the values of `plain` at their places, which come in document order.
fn placed(plain: Plain, at: Position, places: &mut impl Iterator<Item = (Position, Position)>) -> Option<Node> {
    let value = match plain {
        Plain::Null => Value::Null,
        Plain::Bool(value) => Value::Bool(value),
        Plain::Integer(value) => Value::Integer(value),
        Plain::Unsigned(value) => Value::Unsigned(value),
        Plain::Float(value) => Value::Float(value),
        Plain::Text(value) => Value::Text(value),
        Plain::List(items) => {
            let place = |item| places.next().and_then(|(at, _)| placed(item, at, places));
            Value::List(items.into_iter().map(place).collect::<Option<_>>()?)
        }
        Plain::Map(fields) => {
            let place = |(key, item)| {
                let (at, key_at) = places.next()?;
                let node = placed(item, at, places)?;
                Some(Field { key, at: key_at, node })
            };
            Value::Map(fields.into_iter().map(place).collect::<Option<_>>()?)
        }
    };
    Some(Node { at, value })
}

/// A value as serde hands it over, without its place.
enum Plain {
    Null,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Plain, E> {
        Ok(Plain::Null)
    }

    fn visit_none<E>(self) -> std::result::Result<Plain, E> {
        Ok(Plain::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Plain, D::Error> {
        Plain::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Plain, E> {
        Ok(Plain::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Plain, E> {
        Ok(Plain::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Plain, E> {
        Ok(i64::try_from(value).map_or(Plain::Unsigned(value), Plain::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Plain, E> {
        Ok(Plain::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Plain, E> {
        Ok(Plain::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> std::result::Result<Plain, E> {
        Ok(Plain::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Plain, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Plain::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Plain, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Plain::Map(map))
    }
}

impl Error {
    /// The error of a value at a place of a file, for a reader of [`Node`]s.
    #[must_use]
    pub fn value(file: &str, at: Position, message: impl Into<String>) -> Self {
        Self::Value {
            file: file.to_owned(),
            at,
            message: message.into(),
        }
    }
}
