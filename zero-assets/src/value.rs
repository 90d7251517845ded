//! [`Value`]: data whose shape a type declares, out of YAML or JSON.

use zero_yaml::{Field, Node, Position};

/// A value whose shape is known only as data: settings, details of an inspection, facets. Maps are in the
/// order of their keys, so that equal values are written as equal bytes.
pub use serde_json::Value;

/// A tree as plain data.
pub(crate) fn of_node(node: &Node) -> Value {
    match &node.value {
        zero_yaml::Value::Null => Value::Null,
        zero_yaml::Value::Bool(value) => Value::Bool(*value),
        zero_yaml::Value::Integer(value) => Value::from(*value),
        zero_yaml::Value::Unsigned(value) => Value::from(*value),
        zero_yaml::Value::Float(value) => Value::from(*value),
        zero_yaml::Value::Text(value) => Value::from(value.as_str()),
        zero_yaml::Value::List(items) => Value::Array(items.iter().map(of_node).collect()),
        zero_yaml::Value::Map(fields) => {
            let entries = fields.iter().map(|field| (field.key.clone(), of_node(&field.node)));
            Value::Object(entries.collect())
        }
    }
}

/// Data as a tree, each part at its place in `places`, as far as that has it; at the start where it does not.
pub(crate) fn to_node(value: &Value, places: Option<&Node>) -> Node {
    use zero_yaml::Value as Yaml;
    let held = match value {
        Value::Null => Yaml::Null,
        Value::Bool(value) => Yaml::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Yaml::Integer(whole),
            (None, Some(whole)) => Yaml::Unsigned(whole),
            (None, None) => Yaml::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Yaml::Text(text.clone()),
        Value::Array(items) => {
            let at = |number: usize| places.and_then(|places| places.items().get(number));
            let nodes = items.iter().enumerate();
            Yaml::List(nodes.map(|(number, item)| to_node(item, at(number))).collect())
        }
        Value::Object(entries) => {
            let fields = entries.iter().map(|(key, value)| {
                let fields = places.map(Node::fields).unwrap_or_default();
                let place = fields.iter().find(|field| field.key == *key);
                Field {
                    key: key.clone(),
                    at: place.map_or(Position::START, |field| field.at),
                    node: to_node(value, place.map(|field| &field.node)),
                }
            });
            Yaml::Map(fields.collect())
        }
    };
    Node {
        at: places.map_or(Position::START, |node| node.at),
        value: held,
    }
}

/// The value at a path of keys with dots between them; a number is an item of a list, from 0.
#[must_use]
pub fn value_at<'a>(value: &'a Value, dotted: &str) -> Option<&'a Value> {
    dotted.split('.').try_fold(value, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => value.get(step),
    })
}

/// What kind of value it is, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// Whether two values are the same, where 1 and 1.0 are.
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        // Whole numbers are compared as such: past 2^53 several are one as floats.
        (Value::Number(one), Value::Number(other)) => match one.is_f64() || other.is_f64() {
            true => one.as_f64() == other.as_f64(),
            false => one == other,
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(key, value): (&String, &Value)| other.get(key).is_some_and(|other| equal(value, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}
