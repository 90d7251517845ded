//! Ground from a grid of heights.

use crate::error::{Error, Result, within};
use crate::world::MAX_PLACE_M;
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::{ColliderBuilder, HeightFieldFlags, Vector};

/// Samples that one piece of ground may have: rapier numbers its triangles, twice over, in 32 bits.
pub const MAX_SAMPLES: u64 = 1 << 29;

/// Metres from one sample to the next that ground may have.
const SPACINGS_M: [f32; 2] = [1e-3, 1e4];

/// Heights over the ground plane, row by row, cell-centred: sample (i, j) stands at
/// `origin_m + (i + 0.5, j + 0.5) * spacing_m`, i along +X and j, the row, along +Z.
///
/// The ground reaches from the outer samples on one side to those on the other: half a spacing less, on every side, than
/// the cells do. Between four samples it is two triangles, which meet on the line from the sample at (i + 1, j) to that
/// at (i, j + 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightGrid<'a> {
    /// Samples along +X, at least 2.
    pub columns: u32,
    /// Samples along +Z, at least 2.
    pub rows: u32,
    /// Metres from one sample to the next along X and along Z, 0.001 to 10 000.
    pub spacing_m: [f32; 2],
    /// Where the corner of the first cell stands along X and Z, in metres, within [`MAX_PLACE_M`] of 0.
    pub origin_m: [f32; 2],
    /// `columns * rows` heights in metres, within [`MAX_PLACE_M`] of 0; sample (i, j) is at `j * columns + i`.
    pub heights_m: &'a [f32],
}

impl HeightGrid<'_> {
    /// Whether the grid can be ground.
    ///
    /// # Errors
    /// [`Error::Value`] names the first thing that is wrong: fewer than 2 samples a side, more than [`MAX_SAMPLES`] in all,
    /// a spacing or a place out of range, another number of heights than samples, a height out of range or NaN.
    pub fn check(&self) -> Result<()> {
        let HeightGrid {
            columns,
            rows,
            spacing_m,
            origin_m,
            heights_m,
        } = *self;
        let found = format!("{columns} x {rows}");
        if columns < 2 || rows < 2 {
            return Err(Error::value("the height grid", "at least 2 samples a side", found));
        }
        let samples = u64::from(columns) * u64::from(rows);
        if samples > MAX_SAMPLES {
            return Err(Error::value(
                "the height grid",
                format!("at most {MAX_SAMPLES} samples"),
                found,
            ));
        }
        for (axis, side) in [("X", 0), ("Z", 1)] {
            let count = [columns, rows][side];
            within(
                &format!("the height grid's spacing along {axis}"),
                spacing_m[side],
                SPACINGS_M,
                "m",
            )?;
            let far = (f64::from(origin_m[side]) + f64::from(count) * f64::from(spacing_m[side])) as f32;
            for (end, place) in [("origin", origin_m[side]), ("far end", far)] {
                let what = format!("the height grid's {end} along {axis}");
                within(&what, place, [-MAX_PLACE_M, MAX_PLACE_M], "m")?;
            }
        }
        if heights_m.len() as u64 != samples {
            let expected = format!("{samples} numbers for {columns} x {rows} samples");
            return Err(Error::value("the height grid's heights", expected, heights_m.len()));
        }
        for (at, height) in heights_m.iter().enumerate() {
            if !(-MAX_PLACE_M..=MAX_PLACE_M).contains(height) {
                let (column, row) = (at % columns as usize, at / columns as usize);
                let what = format!("the height grid's height at column {column}, row {row}");
                within(&what, *height, [-MAX_PLACE_M, MAX_PLACE_M], "m")?;
            }
        }
        Ok(())
    }

    /// The collider of a grid that was checked.
    ///
    /// rapier's heightfield lies around its own middle, is a unit wide before its scale, and holds its samples column by
    /// column: its row index runs along Z like ours, but neighbours in memory are neighbours along Z.
    pub(crate) fn collider(&self) -> ColliderBuilder {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        let mut by_column = Vec::with_capacity(self.heights_m.len());
        for column in 0..columns {
            by_column.extend(self.heights_m.iter().skip(column).step_by(columns));
        }
        let [width, depth] = [(self.columns, 0), (self.rows, 1)]
            .map(|(count, side)| (f64::from(count - 1) * f64::from(self.spacing_m[side])) as f32);
        let [x, z] = [(self.columns, 0), (self.rows, 1)].map(|(count, side)| {
            (f64::from(self.origin_m[side]) + 0.5 * f64::from(count) * f64::from(self.spacing_m[side])) as f32
        });
        // Without the flag, what slides over the edge between two level triangles stumbles on it.
        let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
        let heights = Array2::new(rows, columns, by_column);
        ColliderBuilder::heightfield_with_flags(heights, Vector::new(width, 1.0, depth), flags)
            .translation(Vector::new(x, 0.0, z))
    }
}
