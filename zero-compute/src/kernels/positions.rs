//! Positions: columns of three floats an element.

use super::shape;
use crate::{Column, Result};

/// Refuses what is not positions.
pub(super) fn three_lanes(kernel: &str, binding: &str, column: &Column) -> Result<()> {
    if column.lanes() == 3 {
        return Ok(());
    }
    Err(shape(kernel, binding, "3 lanes".to_owned(), column))
}

/// Position `number` of a column of three lanes, cleaned.
pub(super) fn place_of(places: &[f32], number: usize) -> [f32; 3] {
    match places.get(number * 3..number * 3 + 3) {
        Some(&[x, y, z]) => [x, y, z].map(zero_noise::clean),
        _ => [0.0; 3],
    }
}
