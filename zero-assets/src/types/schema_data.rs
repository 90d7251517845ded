//! A [`Schema`] as data, for what is reported of a type.

use serde_json::Map;

use super::{FieldType, Schema};
use crate::value::Value;

impl Schema {
    /// The settings as they are written in a `type.yaml`, with what each is by default; all that is said of them, and no key
    /// for what is not.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let fields = self.fields.iter().map(|(name, field)| {
            let mut said = field.value_type.entries();
            if !field.default.is_null() {
                said.insert("default".to_owned(), field.default.clone());
            }
            if let Some(description) = &field.description {
                said.insert("description".to_owned(), description.as_str().into());
            }
            (name.clone(), Value::Object(said))
        });
        Value::Object(fields.collect())
    }
}

impl FieldType {
    fn entries(&self) -> Map<String, Value> {
        let (word, more): (&str, Vec<(&str, Option<Value>)>) = match self {
            Self::Bool => ("bool", vec![]),
            Self::Integer { min, max } => (
                "integer",
                vec![("min", min.map(Value::from)), ("max", max.map(Value::from))],
            ),
            Self::Number { min, max } => (
                "number",
                vec![("min", min.map(Value::from)), ("max", max.map(Value::from))],
            ),
            Self::Text { max_bytes } => ("text", vec![("max_bytes", max_bytes.map(Value::from))]),
            Self::Word { words } => ("word", vec![("words", Some(Value::from(words.clone())))]),
            Self::Vector { len } => ("vector", vec![("len", Some(Value::from(*len)))]),
            Self::Asset { category } => ("asset", vec![("category", Some(category.as_str().into()))]),
            Self::List { item } => ("list", vec![("item", Some(Value::Object(item.entries())))]),
            Self::Any => ("any", vec![]),
        };
        let said = more
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)));
        [("type".to_owned(), Value::from(word))]
            .into_iter()
            .chain(said)
            .collect()
    }
}
