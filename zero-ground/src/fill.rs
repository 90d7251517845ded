//! A layer's row of numbers.

use crate::error::{Error, Result, within};
use crate::grid::{ChunkGrid, FAR_M};
use crate::solid::{SOLID_CELLS, SOLID_LAYERS};
use crate::steps::cells_a_side;

/// The most bands that a row may have.
pub const MAX_BANDS: usize = 16;

/// The most cells along a side of a chunk: a million candidates.
pub const MAX_CELLS: u32 = 1024;

/// A ring of distance in which a layer is filled at one step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Band {
    /// The widest a cell may be, in metres, at most the chunk's side; the fewest cells that are no wider tile the chunk.
    /// Each band's is at least that of the band before. Far bands of solid things have no cells of their own, and theirs
    /// may be wider.
    pub step_m: f32,
    /// What the scale of cover is multiplied by here, 0.01 to 100, so that fewer things still hide the ground. Solid
    /// things ignore it.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub grow: f32,
}

#[cfg(feature = "serde")]
fn one() -> f32 {
    1.0
}

impl Band {
    /// A band whose things keep their size.
    pub const fn new(step_m: f32) -> Self {
        Self { step_m, grow: 1.0 }
    }

    /// A band whose things are larger by a factor.
    pub const fn grown(step_m: f32, grow: f32) -> Self {
        Self { step_m, grow }
    }
}

/// A layer's row of numbers: with a [`Density`](crate::Density), all that decides what it grows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct GroundFill {
    /// The bands from near to far, 1 to [`MAX_BANDS`].
    pub bands: Vec<Band>,
    /// Whether things are solid: they keep their places and ids in every band, and far bands draw fewer of them.
    pub solid: bool,
    /// Whether the callback and the clearings of a [`Trample`](crate::Trample) thin it.
    pub trample: bool,
    /// How far things stray from the middles of their cells, 0 to 1 (anywhere in the cell).
    pub jitter: f32,
    /// What the painted chance is multiplied by, 0 to 1.
    pub chance: f32,
    /// The smallest scale where the painted one is 1, 0.001 to 1000.
    pub scale_min: f32,
    /// The largest scale where the painted one is 1, `scale_min` to 1000.
    pub scale_max: f32,
    /// The least that the wind moves a thing, 0 to 1000, in whatever unit the game's shader takes.
    pub wind_min: f32,
    /// The most that the wind moves a thing, `wind_min` to 1000.
    pub wind_max: f32,
}

impl Default for GroundFill {
    /// Cover every metre, and in two further bands every 2 and 4 m at larger scales.
    fn default() -> Self {
        Self {
            bands: vec![Band::new(1.0), Band::grown(2.0, 1.4), Band::grown(4.0, 2.0)],
            solid: false,
            trample: false,
            jitter: 1.0,
            chance: 1.0,
            scale_min: 0.8,
            scale_max: 1.2,
            wind_min: 0.0,
            wind_max: 1.0,
        }
    }
}

impl GroundFill {
    /// Refuses what is out of range by name: the row by itself, and its bands on this grid.
    pub fn validate(&self, number: u32, grid: &ChunkGrid) -> Result<()> {
        grid.validate()?;
        within("fill.jitter", self.jitter, [0.0, 1.0], "")?;
        within("fill.chance", self.chance, [0.0, 1.0], "")?;
        within("fill.scale_min", self.scale_min, [0.001, 1000.0], "")?;
        within(
            "fill.scale_max (from scale_min on)",
            self.scale_max,
            [self.scale_min, 1000.0],
            "",
        )?;
        within("fill.wind_min", self.wind_min, [0.0, 1000.0], "")?;
        within(
            "fill.wind_max (from wind_min on)",
            self.wind_max,
            [self.wind_min, 1000.0],
            "",
        )?;
        self.validate_bands(grid)?;
        if self.solid {
            self.validate_ids(number, grid)
        } else {
            Ok(())
        }
    }

    fn validate_bands(&self, grid: &ChunkGrid) -> Result<()> {
        if self.bands.is_empty() || self.bands.len() > MAX_BANDS {
            return Err(Error::Value {
                what: "fill.bands".to_owned(),
                expected: format!("1 to {MAX_BANDS} bands"),
                found: self.bands.len().to_string(),
            });
        }
        let mut least = grid.chunk_m / MAX_CELLS as f32;
        for (index, band) in self.bands.iter().enumerate() {
            // A far band of solid things has no cells of its own: its step only says how few are drawn.
            let most = if self.solid && index > 0 { FAR_M } else { grid.chunk_m };
            let name = format!("fill.bands[{index}].step_m (from the band before on)");
            within(&name, band.step_m, [least, most], "m")?;
            within(&format!("fill.bands[{index}].grow"), band.grow, [0.01, 100.0], "")?;
            least = band.step_m;
        }
        Ok(())
    }

    fn validate_ids(&self, number: u32, grid: &ChunkGrid) -> Result<()> {
        if number >= SOLID_LAYERS {
            return Err(Error::IdLimit {
                what: "the number of a solid layer",
                expected: "0 to 63",
                found: i64::from(number),
            });
        }
        let step_m = self.bands.first().map_or(grid.chunk_m, |band| band.step_m);
        let cells = cells_a_side(grid.chunk_m, step_m);
        if cells > SOLID_CELLS {
            return Err(Error::Value {
                what: "fill.bands[0].step_m of a solid layer".to_owned(),
                expected: format!(
                    "at most {SOLID_CELLS} cells a side of a chunk, a step of at least {} m",
                    grid.chunk_m / SOLID_CELLS as f32
                ),
                found: format!("{step_m} m, {cells} cells"),
            });
        }
        Ok(())
    }
}
