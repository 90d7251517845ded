//! [`ContentCheck`]: what the bytes of an asset's file must hold.

use zero_vfs::VfsPath;
use zero_yaml::Node;

use super::about::UNWRITTEN;
use crate::diagnostic::{Diagnostic, Severity};
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::structured;
use crate::value::{self, Value, value_at};

/// A check on a file's bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContentCheck {
    /// What is checked.
    pub test: ContentTest,
    /// What the author is told when it fails; what was found is told where this says nothing.
    pub message: Option<String>,
}

/// What a [`ContentCheck`] looks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContentTest {
    /// The file has content.
    NonEmpty,
    /// The JSON holds a key of this shape.
    JsonField(FieldTest),
    /// The YAML holds a key of this shape.
    YamlField(FieldTest),
    /// The file says what the asset is.
    Described {
        /// Keys that a YAML file must have, each with its limit.
        keys: Vec<DescribedKey>,
        /// Sections that a Markdown file must have.
        headings: Vec<String>,
    },
}

/// The shape that a key of a file must have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldTest {
    /// The key, dotted for nesting.
    pub key: String,
    /// What its value is.
    pub value_type: Option<ValueType>,
    /// Whether a text, list or mapping must hold something.
    pub non_empty: bool,
    /// The values that are accepted; any where none is named.
    pub accept: Vec<Value>,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueType {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

/// A key that a description must have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DescribedKey {
    /// The key.
    pub key: String,
    /// The most bytes of UTF-8 that its text may have.
    pub max_bytes: Option<usize>,
}

/// The words for types of values; several of them are what JSON calls the same thing.
const VALUE_TYPES: &[(&str, ValueType)] = &[
    ("text", ValueType::Text),
    ("string", ValueType::Text),
    ("number", ValueType::Number),
    ("integer", ValueType::Integer),
    ("boolean", ValueType::Boolean),
    ("bool", ValueType::Boolean),
    ("list", ValueType::List),
    ("array", ValueType::List),
    ("mapping", ValueType::Mapping),
    ("object", ValueType::Mapping),
];

impl ValueType {
    fn holds(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Mapping => value.is_object(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Integer => "a whole number",
            Self::Boolean => "true or false",
            Self::List => "a list",
            Self::Mapping => "a mapping",
        }
    }
}

#[derive(Clone, Copy)]
enum Word {
    NonEmpty,
    Json,
    Yaml,
    Described,
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<ContentCheck> {
    let words = [
        ("non_empty", Word::NonEmpty),
        ("json_field", Word::Json),
        ("yaml_field", Word::Yaml),
        ("described", Word::Described),
    ];
    let check = node.get("check").and_then(Node::text);
    let known: &[&str] = match check {
        Some("json_field" | "yaml_field") => &["check", "message", "key", "type", "non_empty", "accept"],
        Some("described") => &["check", "message", "keys", "headings"],
        _ => &["check", "message"],
    };
    let keys = reader.keys(node, "an entry of `content`", known)?;
    let test = match reader.needed_word(keys, "check", &words)? {
        Word::NonEmpty => ContentTest::NonEmpty,
        Word::Json => ContentTest::JsonField(field_test(reader, keys)?),
        Word::Yaml => ContentTest::YamlField(field_test(reader, keys)?),
        Word::Described => ContentTest::Described {
            keys: reader
                .items(keys, "keys")
                .iter()
                .filter_map(|item| described_key(reader, item))
                .collect(),
            headings: reader.texts(keys, "headings"),
        },
    };
    let message = reader.text_of(keys, "message");
    Some(ContentCheck { test, message })
}

fn field_test(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<FieldTest> {
    Some(FieldTest {
        key: reader.needed_text(keys, "key")?,
        value_type: match keys.get("type") {
            None => None,
            Some(node) => Some(reader.word(node, "`type`", VALUE_TYPES)?),
        },
        non_empty: reader.flag(keys, "non_empty", false),
        accept: reader.items(keys, "accept").iter().map(value::of_node).collect(),
    })
}

fn described_key(reader: &mut Reader<'_>, node: &Node) -> Option<DescribedKey> {
    let keys = reader.keys(node, "an entry of `keys`", &["key", "max_bytes"])?;
    Some(DescribedKey {
        key: reader.needed_text(keys, "key")?,
        max_bytes: reader.count(keys, "max_bytes").map(|bytes| bytes as usize),
    })
}

impl ContentCheck {
    /// What the check finds wrong with `bytes`, which are the file `path`. What a `described` check finds is
    /// `asset.undescribed`, a warning where the text is still to be written and an error where it is too long or lacks
    /// a section; anything else is `asset.content`, an error.
    pub(crate) fn run(&self, path: &VfsPath, bytes: &[u8]) -> Vec<Diagnostic> {
        let code = match self.test {
            ContentTest::Described { .. } => UNDESCRIBED,
            _ => "asset.content",
        };
        let found = match &self.test {
            ContentTest::NonEmpty => match bytes.iter().all(u8::is_ascii_whitespace) {
                true => vec![Found::plain("the file is empty")],
                false => Vec::new(),
            },
            ContentTest::JsonField(test) => match serde_json::from_slice::<Value>(bytes) {
                Ok(value) => test.found(&value, || structured::json_places(path, bytes)),
                Err(error) => vec![Found {
                    at: Some(structured::json_position(&error)),
                    ..Found::plain(format!("this is no JSON: {}", structured::json_message(&error)))
                }],
            },
            ContentTest::YamlField(test) => match Format::UNVERSIONED.parse(path, bytes) {
                Ok(tree) => test.found(&value::of_node(&tree), || Some(tree)),
                Err(error) => return vec![Diagnostic::of_error(code, path, &error)],
            },
            ContentTest::Described { keys, headings } => described(path, bytes, keys, headings),
        };
        let tell = |found: Found| {
            let told = match &self.message {
                // The author's own words first; what was found helps.
                Some(message) => Diagnostic::error(code, path, message.as_str()).help(found.message),
                None => Diagnostic::error(code, path, found.message),
            };
            Diagnostic {
                at: found.at,
                severity: found.severity,
                ..told
            }
        };
        found.into_iter().map(tell).collect()
    }
}

impl FieldTest {
    /// What does not fit, where `places` has the key.
    fn found(&self, root: &Value, places: impl FnOnce() -> Option<Node>) -> Vec<Found> {
        let told = self.run(root).map(|message| Found {
            at: places().and_then(|tree| Some(tree.at_path(&self.key)?.at)),
            ..Found::plain(message)
        });
        told.into_iter().collect()
    }

    fn run(&self, root: &Value) -> Option<String> {
        let Some(value) = value_at(root, &self.key) else {
            return Some(format!("the key `{}` is missing", self.key));
        };
        if let Some(wanted) = self.value_type.filter(|wanted| !wanted.holds(value)) {
            let (wanted, found) = (wanted.words(), value::kind(value));
            return Some(format!("`{}` is {wanted}, and {found} is here", self.key));
        }
        let is_empty = match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(entries) => entries.is_empty(),
            _ => false,
        };
        if self.non_empty && is_empty {
            return Some(format!("`{}` is empty", self.key));
        }
        if !self.accept.is_empty() && !self.accept.iter().any(|accepted| value::equal(accepted, value)) {
            let all: Vec<String> = self.accept.iter().map(Value::to_string).collect();
            return Some(format!(
                "`{}` is one of {}, and {value} is here",
                self.key,
                all.join(", ")
            ));
        }
        None
    }
}

/// A text that says what an asset is, and is not as its type asks: it blocks what changes the asset, and nothing else.
pub(crate) const UNDESCRIBED: &str = "asset.undescribed";

struct Found {
    severity: Severity,
    message: String,
    at: Option<zero_yaml::Position>,
}

impl Found {
    fn plain(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            at: None,
        }
    }

    /// A text that is still to be written: the asset works, and is not published as it is.
    fn unwritten(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::plain(message)
        }
    }
}

/// Where a text is not written yet: empty, or at a line that begins with `[[describe]]`.
pub(crate) fn unwritten(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some("nothing is written here yet".to_owned());
    }
    let line = text.lines().position(|line| line.trim_start().starts_with(UNWRITTEN))?;
    Some(format!("line {} still begins with `{UNWRITTEN}`", line + 1))
}

fn described(path: &VfsPath, bytes: &[u8], keys: &[DescribedKey], headings: &[String]) -> Vec<Found> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![Found::plain("this is not UTF-8 text")];
    };
    if text.trim().is_empty() || keys.is_empty() {
        // A file of several texts is looked at key by key instead.
        if let Some(why) = unwritten(text) {
            return vec![Found::unwritten(why)];
        }
    }
    let mut found = Vec::new();
    if !keys.is_empty() {
        match Format::UNVERSIONED.parse(path, bytes) {
            Ok(tree) => found.extend(keys.iter().filter_map(|key| key.check(&tree))),
            Err(error) => found.push(Found::plain(error.to_string())),
        }
    }
    for heading in headings {
        let is_it = |line: &str| line.starts_with('#') && line.trim_start_matches('#').trim() == heading;
        if !text.lines().any(is_it) {
            found.push(Found::plain(format!("it has no section `{heading}`")));
        }
    }
    found
}

impl DescribedKey {
    fn check(&self, tree: &Node) -> Option<Found> {
        let Some(node) = tree.get(&self.key) else {
            return Some(Found::unwritten(format!("the key `{}` is missing", self.key)));
        };
        let text = node.text().unwrap_or_default();
        let at = Some(node.at);
        if let Some(why) = unwritten(text) {
            let message = format!("`{}` is not written: {why}", self.key);
            return Some(Found {
                at,
                ..Found::unwritten(message)
            });
        }
        let limit = self.max_bytes.filter(|limit| text.len() > *limit)?;
        let message = format!("`{}` has {} bytes, more than the {limit} allowed", self.key, text.len());
        Some(Found {
            at,
            ..Found::plain(message)
        })
    }
}
