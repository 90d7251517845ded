//! Where the samples of a grid stand, and what a grid may be.

use crate::error::{Error, Result};

/// Metres above or below 0 that ground may reach: what erosion's fixed point holds.
pub const MAX_HEIGHT_M: f32 = 16_383.0;

/// The place of a grid of samples over the ground plane, cell-centred: sample (i, j) stands at
/// `origin_m + (i + 0.5, j + 0.5) * spacing_m`, i along +X and j, the row, along +Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Samples along +X, at least 1.
    pub width: u32,
    /// Samples along +Z, at least 1.
    pub height: u32,
    /// Metres from one sample to the next along X and along Z, above 0.
    pub spacing_m: [f32; 2],
    /// Where the grid's first corner stands along X and Z, in metres.
    pub origin_m: [f32; 2],
}

impl Grid {
    /// How many samples there are.
    pub fn count(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Metres of ground along X and Z.
    pub fn size_m(&self) -> [f64; 2] {
        [
            f64::from(self.width) * f64::from(self.spacing_m[0]),
            f64::from(self.height) * f64::from(self.spacing_m[1]),
        ]
    }

    /// Whether the grid can be: both sides at least 1, the spacing above 0, everything finite.
    pub(crate) fn check(&self) -> Result<()> {
        let Grid {
            width,
            height,
            spacing_m,
            origin_m,
        } = self;
        if *width == 0 || *height == 0 {
            return Err(Error::value(
                "the grid",
                "at least one sample a side",
                format!("{width} x {height}"),
            ));
        }
        for (axis, spacing, origin) in [("X", spacing_m[0], origin_m[0]), ("Z", spacing_m[1], origin_m[1])] {
            if !(spacing.is_finite() && spacing > 0.0) {
                return Err(Error::value(
                    format!("the grid's spacing along {axis}"),
                    "metres above 0",
                    spacing,
                ));
            }
            if !origin.is_finite() {
                return Err(Error::value(
                    format!("the grid's origin along {axis}"),
                    "finite metres",
                    origin,
                ));
            }
        }
        Ok(())
    }

    /// Whether the samples are as many as the grid has, each a finite number from `low` to `high`.
    pub(crate) fn check_samples(&self, what: &str, samples: &[f32], [low, high]: [f32; 2]) -> Result<()> {
        self.check()?;
        let Grid { width, height, .. } = self;
        if samples.len() as u64 != self.count() {
            let expected = format!("{} numbers for {width} x {height} samples", self.count());
            return Err(Error::value(what, expected, samples.len()));
        }
        let outside = |value: &f32| !(low..=high).contains(value);
        match samples.iter().position(outside) {
            None => Ok(()),
            Some(at) => {
                let (column, row) = (at as u64 % u64::from(*width), at as u64 / u64::from(*width));
                Err(Error::value(
                    format!("{what}, number {at} (column {column}, row {row})"),
                    format!("a number from {low} to {high}"),
                    samples[at],
                ))
            }
        }
    }
}
