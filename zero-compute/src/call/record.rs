//! Values by name.

use super::list::List;
use super::value::{Live, Value};
use crate::column::Column;
use crate::error::{Error, Result};
use crate::table::listed;

/// Values by name, in the order they were given. Written with [`values!`](crate::values).
///
/// A name given twice stays in it twice: who takes the record refuses it.
#[derive(Clone, Debug, Default)]
pub struct Record(Vec<(String, Value)>);

impl Record {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// These values and one more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.push(name, value);
        self
    }

    /// Adds a value.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// How many values it holds.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn listed(&self) -> String {
        listed(self.names())
    }

    /// The first name that is given a second time.
    pub(super) fn twice(&self) -> Option<&str> {
        let repeated = |(at, (name, _)): &(usize, &(String, Value))| self.0.iter().take(*at).any(|(n, _)| n == name);
        self.0
            .iter()
            .enumerate()
            .find(repeated)
            .map(|(_, (name, _))| name.as_str())
    }

    /// The column of that name.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name that the record lacks, with those that it has, and for another type of value.
    pub fn column(&self, name: &str) -> Result<Column> {
        self.want(name, "a column", |value| value.as_column().cloned())
    }

    /// The live count of that name.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn live(&self, name: &str) -> Result<Live> {
        self.want(name, "a live count", |value| match value {
            Value::Live(live) => Some(live.clone()),
            _ => None,
        })
    }

    /// The number of that name, or a bool's 1 or 0.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn number(&self, name: &str) -> Result<f64> {
        self.want(name, "a number", |value| value.as_number().map(super::bind::to_f64))
    }

    /// The text of that name.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn text(&self, name: &str) -> Result<&str> {
        self.want(name, "a text", |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The list of that name.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn list(&self, name: &str) -> Result<&List> {
        self.want(name, "a list", |value| match value {
            Value::List(list) => Some(list),
            _ => None,
        })
    }

    /// The floats of the list of that name, interleaved.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn floats(&self, name: &str) -> Result<&[f32]> {
        self.want(name, "a list of f32", |value| match value {
            Value::List(list) => list.as_f32(),
            _ => None,
        })
    }

    /// The signed integers of the list of that name, interleaved.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn ints(&self, name: &str) -> Result<&[i32]> {
        self.want(name, "a list of i32", |value| match value {
            Value::List(list) => list.as_i32(),
            _ => None,
        })
    }

    /// The record of that name.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn record(&self, name: &str) -> Result<&Record> {
        self.want(name, "a record", |value| match value {
            Value::Record(record) => Some(record),
            _ => None,
        })
    }

    fn want<'a, T>(&'a self, name: &str, expected: &str, take: impl FnOnce(&'a Value) -> Option<T>) -> Result<T> {
        let Some(value) = self.get(name) else {
            return Err(Error::Invalid {
                what: format!("the value `{name}` of a record"),
                expected: format!("one of {}", self.listed()),
                found: "no such name".to_owned(),
            });
        };
        take(value).ok_or_else(|| Error::Invalid {
            what: format!("the value `{name}` of a record"),
            expected: expected.to_owned(),
            found: value.describe(),
        })
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Record {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        Self(
            values
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}

impl From<&Record> for Record {
    fn from(record: &Record) -> Self {
        record.clone()
    }
}

impl IntoIterator for Record {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Values by name: a [`Record`](crate::call::Record).
///
/// ```
/// use zero_compute::values;
/// let settings = values! { seed: 7, offset: [0.5, 0.0, 2.0], label: "shore" };
/// assert_eq!(settings.number("seed")?, 7.0);
/// # Ok::<(), zero_compute::Error>(())
/// ```
#[macro_export]
macro_rules! values {
    ($($name:ident : $value:expr),* $(,)?) => {
        $crate::call::Record::new()$(.with(stringify!($name), $value))*
    };
}
