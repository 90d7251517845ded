//! What can go wrong, in words.

/// A result with this crate's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate. Each message names the thing, what was expected and what arrived.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that is not within its range, NaN and infinities among them.
    #[error("{what}: expected {expected}, got {found}")]
    Value {
        /// The thing, by name.
        what: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Bytes that are no density map.
    #[error("density map, byte {at}: expected {expected}, got {found}")]
    File {
        /// Offset of the part that is wrong, in bytes from the start.
        at: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A solid id that the 31 bits cannot hold.
    #[error("solid id: {what} must be {expected}, got {found}")]
    IdLimit {
        /// Which part of the id.
        what: &'static str,
        /// What fits.
        expected: &'static str,
        /// What was asked for.
        found: i64,
    },
    /// Solid things were asked of a layer that has none.
    #[error("layer {layer} is a cover layer: solid things and their ids need a row with `solid: true`")]
    NotSolid {
        /// The layer's number.
        layer: u32,
    },
    /// An id of one layer was given to another.
    #[error("solid id {id} belongs to layer {expected}, and layer {layer} was asked")]
    OtherLayer {
        /// The id.
        id: u32,
        /// The layer that the id names.
        expected: u32,
        /// The layer that was asked.
        layer: u32,
    },
    /// A band that the row does not have.
    #[error("band {band}: layer {layer} has {bands} bands, numbered from 0")]
    NoBand {
        /// The layer's number.
        layer: u32,
        /// The band asked for.
        band: usize,
        /// How many there are.
        bands: usize,
    },
    /// A cell that the chunk does not have at this band.
    #[error("cell ({i}, {j}): a chunk of layer {layer} has {cells} by {cells} cells here, numbered from 0")]
    NoCell {
        /// The layer's number.
        layer: u32,
        /// The cell along x.
        i: u32,
        /// The cell along z.
        j: u32,
        /// Cells a side.
        cells: u32,
    },
}

/// Refuses a number outside a range, both ends included. NaN is in none.
pub(crate) fn within(what: &str, value: f32, [low, high]: [f32; 2], unit: &str) -> Result<()> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let gap = if unit.is_empty() { "" } else { " " };
    Err(Error::Value {
        what: what.to_owned(),
        expected: format!("{low} to {high}{gap}{unit}"),
        found: value.to_string(),
    })
}
