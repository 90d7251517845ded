//! What can go wrong.

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that is not within its range.
    #[error("{what}: expected {expected}, got {found}")]
    Value {
        /// The thing, by name.
        what: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
}

/// A number within a range, both ends included. NaN is in none.
pub(crate) fn within(what: &str, value: f64, [low, high]: [f64; 2], unit: &str) -> Result<f64> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Error::Value {
        what: what.to_owned(),
        expected: format!("{low} to {high}{}{unit}", if unit.is_empty() { "" } else { " " }),
        found: value.to_string(),
    })
}
