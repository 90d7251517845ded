//! [`FacetValue`]: what an asset states under a facet, and [`Filter`]s on it.

use std::collections::BTreeSet;
use std::fmt;

use crate::types::{Facet, FacetType};
use crate::value::{self, Value};

/// What an asset states under a facet of its type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FacetValue {
    /// Whether something is so. Every asset states it: `false` where its files say nothing.
    Bool(bool),
    /// A number; never NaN or infinite.
    Number(f64),
    /// A word.
    Word(String),
}

impl fmt::Display for FacetValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Word(value) => value.fmt(f),
        }
    }
}

impl From<bool> for FacetValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for FacetValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for FacetValue {
    fn from(value: &str) -> Self {
        Self::Word(value.to_owned())
    }
}

/// What must hold of a facet of an asset that is found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Filter {
    /// It is this.
    Is(FacetValue),
    /// It is a number from `min` to `max`, both included.
    Range {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
}

impl Filter {
    pub(super) fn holds(&self, stated: Option<&FacetValue>) -> bool {
        match (self, stated) {
            (Self::Is(wanted), Some(stated)) => wanted == stated,
            (Self::Range { min, max }, Some(FacetValue::Number(number))) => min <= number && number <= max,
            _ => false,
        }
    }

    /// Why a facet cannot be asked for this.
    pub(super) fn misfit(&self, facet: &Facet) -> Option<String> {
        match (self, facet.facet_type) {
            (Self::Is(FacetValue::Bool(_)), FacetType::Bool)
            | (Self::Is(FacetValue::Number(_)), FacetType::Number)
            | (Self::Is(FacetValue::Word(_)), FacetType::Enum) => None,
            (Self::Range { .. }, FacetType::Number) if !facet.is_range => {
                Some("its type does not declare `filter: range`".to_owned())
            }
            (Self::Range { min, max }, FacetType::Number) if min <= max => None,
            (Self::Range { min, max }, FacetType::Number) => Some(format!("{min} to {max} is no range")),
            (Self::Range { .. }, other) => Some(format!("it is {}, and has no ranges", word_for(other))),
            (Self::Is(value), other) => Some(format!("it is {}, and {value} was asked for", word_for(other))),
        }
    }
}

fn word_for(facet_type: FacetType) -> &'static str {
    match facet_type {
        FacetType::Bool => "true or false",
        FacetType::Number => "a number",
        FacetType::Enum => "a word",
    }
}

/// What a value in a file states under a facet, or why it does not.
pub(super) fn stated(facet_type: FacetType, found: Option<&Value>) -> Result<Option<FacetValue>, String> {
    let found = found.filter(|value| !value.is_null());
    match (facet_type, found) {
        (FacetType::Bool, None) => Ok(Some(FacetValue::Bool(false))),
        (_, None) => Ok(None),
        (FacetType::Bool, Some(Value::Bool(value))) => Ok(Some(FacetValue::Bool(*value))),
        (FacetType::Number, Some(Value::Number(number))) => Ok(number.as_f64().map(FacetValue::Number)),
        (FacetType::Enum, Some(Value::String(word))) => Ok(Some(FacetValue::Word(word.clone()))),
        (wanted, Some(other)) => Err(format!(
            "it is {}, and {} is there",
            word_for(wanted),
            value::kind(other)
        )),
    }
}

/// The names of the components that a file's entities carry: under every key `components`, the keys of a mapping, or the
/// texts of a list and the `type` of its mappings.
pub(super) fn components(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if key == "components" {
                    named(value, found);
                }
                components(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| components(item, found)),
        _ => {}
    }
}

fn named(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => found.extend(fields.keys().cloned()),
        Value::Array(items) => {
            let name = |item: &Value| item.as_str().or_else(|| item.get("type")?.as_str()).map(str::to_owned);
            found.extend(items.iter().filter_map(name));
        }
        _ => {}
    }
}
