//! A layer: a checked row of numbers on a grid, and what it grows.

use crate::candidate::Candidate;
use crate::clearing::{BadAnswer, Clearing, Trample};
use crate::density::Density;
use crate::error::{Error, Result};
use crate::fill::GroundFill;
use crate::grid::{Chunk, ChunkGrid};
use crate::solid::has_ids;
use crate::steps::{self, Draw, Prefix, cells_a_side};
use glam::Vec2;

/// A layer of a stream: its number, the grid and its row, checked once so that filling has nothing left to refuse.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Parts", into = "Parts")
)]
pub struct Layer {
    number: u32,
    grid: ChunkGrid,
    fill: GroundFill,
}

impl Layer {
    /// Checks the row and the grid. The number enters every draw; a solid layer's is at most 63, and its chunks have
    /// at most 22 cells a side.
    pub fn new(number: u32, grid: ChunkGrid, fill: GroundFill) -> Result<Self> {
        fill.validate(number, &grid)?;
        Ok(Self { number, grid, fill })
    }

    /// Its number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The grid of its chunks.
    pub fn grid(&self) -> &ChunkGrid {
        &self.grid
    }

    /// Its row.
    pub fn row(&self) -> &GroundFill {
        &self.fill
    }

    /// Cells along a side of a chunk at a band: those of band 0 for a solid layer, whatever the band.
    pub fn cells(&self, band: usize) -> Result<u32> {
        Ok(self.plan(band)?.cells)
    }

    /// Fills `grown` with what stands in a chunk at a band, i running slowest. What it held is dropped.
    ///
    /// About 20 to 40 ns a cell. Room for every cell of the chunk is made in the first call; later ones with the same layer
    /// allocate nothing. A chunk with nothing painted in it costs a look at its texels.
    ///
    /// # Errors
    /// [`Error::NoBand`], and [`Error::Value`] when the callback's answer is negative or not finite: `grown` is empty
    /// then, and so it is when the callback panics.
    pub fn fill(
        &self,
        density: &Density,
        trample: &Trample<'_>,
        chunk: Chunk,
        band: usize,
        grown: &mut Grown,
    ) -> Result<()> {
        grown.things.clear();
        grown.looked_at = 0;
        let plan = self.plan(band)?;
        // Taken out while it is filled: a callback that panics leaves an empty buffer and not part of a chunk.
        let mut things = std::mem::take(&mut grown.things);
        things.reserve(self.most());
        let looked_at = self.each(density, trample, chunk, &plan, &mut grown.near, |thing| {
            things.push(thing)
        });
        if looked_at.is_err() {
            things.clear();
        }
        grown.things = things;
        grown.looked_at = looked_at?;
        Ok(())
    }

    /// What stands in one cell of a chunk at a band: exactly what [`fill`](Self::fill) grows there.
    ///
    /// # Errors
    /// As [`fill`](Self::fill), and [`Error::NoCell`].
    pub fn candidate(
        &self,
        density: &Density,
        trample: &Trample<'_>,
        chunk: Chunk,
        band: usize,
        (i, j): (u32, u32),
    ) -> Result<Option<Candidate>> {
        let plan = self.plan(band)?;
        if i >= plan.cells || j >= plan.cells {
            return Err(Error::NoCell {
                layer: self.number,
                i,
                j,
                cells: plan.cells,
            });
        }
        if self.fill.solid && !has_ids(chunk) {
            return Ok(None);
        }
        let trample = if self.fill.trample { *trample } else { Trample::NONE };
        let site = Site {
            row: &self.fill,
            plan,
            density,
            trample,
            origin_m: self.grid.origin_m(chunk),
        };
        Ok(site.grow(plan.prefix(self.number, chunk).then(i), i, j)?)
    }

    /// The most that a chunk can hold, at any band.
    pub(crate) fn most(&self) -> usize {
        let cells = self.plan(0).map_or(0, |plan| plan.cells as usize);
        cells * cells
    }

    /// Calls `keep` with what stands in a chunk, and answers how many cells were looked at.
    pub(crate) fn each(
        &self,
        density: &Density,
        trample: &Trample<'_>,
        chunk: Chunk,
        plan: &Plan,
        near: &mut Vec<Clearing>,
        mut keep: impl FnMut(Candidate),
    ) -> Result<usize> {
        let (origin_m, side_m) = (self.grid.origin_m(chunk), self.grid.chunk_m);
        let trample = if self.fill.trample {
            trample.near(origin_m, side_m, near)
        } else {
            Trample::NONE
        };
        if !density.is_painted(origin_m, side_m) || (self.fill.solid && !has_ids(chunk)) {
            return Ok(0);
        }
        let site = Site {
            row: &self.fill,
            plan: *plan,
            density,
            trample,
            origin_m,
        };
        let prefix = plan.prefix(self.number, chunk);
        for i in 0..plan.cells {
            let column = prefix.then(i);
            for j in 0..plan.cells {
                if let Some(thing) = site.grow(column, i, j)? {
                    keep(thing);
                }
            }
        }
        Ok(plan.cells as usize * plan.cells as usize)
    }

    pub(crate) fn plan(&self, band: usize) -> Result<Plan> {
        let bands = &self.fill.bands;
        let (Some(first), Some(own)) = (bands.first(), bands.get(band)) else {
            return Err(Error::NoBand {
                layer: self.number,
                band,
                bands: bands.len(),
            });
        };
        let (hashed, step_m, grow, far_share) = if self.fill.solid {
            (0, first.step_m, 1.0, steps::far_share(first.step_m, own.step_m))
        } else {
            (band as u32, own.step_m, own.grow, 1.0)
        };
        let cells = cells_a_side(self.grid.chunk_m, step_m);
        Ok(Plan {
            hashed,
            cells,
            spacing_m: self.grid.chunk_m / cells as f32,
            grow,
            far_share,
        })
    }
}

/// How a band is filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The band that enters the hash.
    hashed: u32,
    pub(crate) cells: u32,
    spacing_m: f32,
    grow: f32,
    /// The share of things that the band draws, by draw 7.
    far_share: f32,
}

impl Plan {
    fn prefix(&self, layer: u32, chunk: Chunk) -> Prefix {
        Prefix::of_chunk(layer, chunk, self.hashed)
    }
}

/// All that the cells of a chunk share.
struct Site<'a> {
    row: &'a GroundFill,
    plan: Plan,
    density: &'a Density,
    trample: Trample<'a>,
    origin_m: Vec2,
}

impl Site<'_> {
    /// What stands in a cell. Draws that decide come first; the rest are made only for what stands.
    #[inline(always)]
    fn grow(&self, column: Prefix, i: u32, j: u32) -> std::result::Result<Option<Candidate>, BadAnswer> {
        let (row, plan) = (self.row, &self.plan);
        let cell = column.then(j);
        let x_m = self.origin_m.x + steps::along(i, cell.draw(Draw::AlongX), row.jitter, plan.spacing_m);
        let z_m = self.origin_m.y + steps::along(j, cell.draw(Draw::AlongZ), row.jitter, plan.spacing_m);
        let at_m = Vec2::new(x_m, z_m);
        let painted = self.density.sample(at_m);
        let chance = self.trample.apply(painted.chance * row.chance, at_m)?;
        if !steps::keeps(cell.draw(Draw::Keep), chance) || !steps::keeps(cell.draw(Draw::Far), plan.far_share) {
            return Ok(None);
        }
        let scale = steps::scale(
            row.scale_min,
            row.scale_max,
            cell.draw(Draw::Scale),
            painted.scale,
            plan.grow,
        );
        if scale <= 0.0 {
            return Ok(None);
        }
        Ok(Some(Candidate {
            i,
            j,
            x_m,
            z_m,
            scale,
            yaw_rad: steps::yaw(cell.draw(Draw::Yaw)),
            seed: steps::seed(cell.draw(Draw::Seed)),
            wind: steps::wind(row.wind_min, row.wind_max, cell.draw(Draw::Wind)),
        }))
    }
}

/// What a fill grew: a buffer that the caller holds and uses again.
#[derive(Clone, Debug, Default)]
pub struct Grown {
    things: Vec<Candidate>,
    near: Vec<Clearing>,
    looked_at: usize,
}

impl Grown {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self {
            things: Vec::new(),
            near: Vec::new(),
            looked_at: 0,
        }
    }

    /// What stands, i running slowest.
    pub fn as_slice(&self) -> &[Candidate] {
        &self.things
    }

    /// How many things stand.
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// Whether nothing stands.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// What stands, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Candidate> {
        self.things.iter()
    }

    /// How many cells the last fill looked at: none where nothing is painted.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }
}

impl<'a> IntoIterator for &'a Grown {
    type Item = &'a Candidate;
    type IntoIter = std::slice::Iter<'a, Candidate>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// What serde sees of a layer.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    number: u32,
    #[serde(default)]
    grid: ChunkGrid,
    fill: GroundFill,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Layer {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        Self::new(parts.number, parts.grid, parts.fill)
    }
}

#[cfg(feature = "serde")]
impl From<Layer> for Parts {
    fn from(layer: Layer) -> Self {
        Self {
            number: layer.number,
            grid: layer.grid,
            fill: layer.fill,
        }
    }
}
