//! What can go wrong, and the checks of numbers that come in.

use glam::Vec3;
use std::fmt::Display;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number, or a count of numbers, that is not what it must be.
    #[error("{what}: expected {expected}, got {found}")]
    Value {
        /// The thing, by name and place.
        what: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A body or a piece of ground that is not in the world, or no more.
    #[error("{what} is not in this world; it was removed, or comes from another world")]
    Missing {
        /// The thing.
        what: String,
    },
    /// A body was moved to no place, or its velocity is no number. It stands where it last was, and takes part no more.
    #[error("{what} has a place or a velocity that is no finite number, and was switched off")]
    NotFinite {
        /// The body or the collider.
        what: String,
    },
}

impl Error {
    pub(crate) fn value(what: impl Into<String>, expected: impl Into<String>, found: impl Display) -> Error {
        Error::Value {
            what: what.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}

/// A number within a range, both ends included. NaN is in none.
pub(crate) fn within(what: &str, value: f32, [low, high]: [f32; 2], unit: &str) -> Result<()> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let space = if unit.is_empty() { "" } else { " " };
    Err(Error::value(what, format!("{low} to {high}{space}{unit}"), value))
}

/// Three numbers, each at most `most` away from 0.
pub(crate) fn vector(what: &str, value: Vec3, most: f32, unit: &str) -> Result<()> {
    for (axis, lane) in ["x", "y", "z"].into_iter().zip(value.to_array()) {
        within(&format!("{what}, {axis}"), lane, [-most, most], unit)?;
    }
    Ok(())
}
