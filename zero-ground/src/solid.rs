//! Solid things by id: for physics, the nav bake, and saves.

use crate::candidate::Candidate;
use crate::clearing::{Clearing, Trample};
use crate::density::Density;
use crate::error::{Error, Result};
use crate::grid::Chunk;
use crate::layer::Layer;
use crate::steps::Cell;

/// How many layers have ids: 0 to 63, where 31 bits end.
pub const SOLID_LAYERS: u32 = 64;

/// The most cells a side of a chunk with ids: 22 * 22 = 484 fit 512, and 23 * 23 do not.
pub const SOLID_CELLS: u32 = 22;

/// Chunks with ids lie from -128 to 127 about the grid's corner.
const HALF: i32 = 128;
const CHUNKS: u32 = 256;
const CELLS: u32 = 512;

/// Whether the things of a chunk have ids.
pub(crate) fn has_ids(chunk: Chunk) -> bool {
    let fits = -HALF..HALF;
    fits.contains(&chunk.cx) && fits.contains(&chunk.cz)
}

/// The id of a solid thing: `((layer * 256 + cz + 128) * 256 + cx + 128) * 512 + i * cells + j`, from 0 to 2^31 - 1.
/// It names the same thing as long as the painting under it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32", into = "u32")
)]
pub struct SolidId(u32);

impl SolidId {
    /// The id of a cell of a chunk that has `cells` cells a side.
    ///
    /// # Errors
    /// [`Error::IdLimit`] for a layer above 63, a chunk outside -128 to 127, more than 22 cells a side, and a cell that
    /// such a chunk does not have.
    pub fn new(layer: u32, chunk: Chunk, (i, j): (u32, u32), cells: u32) -> Result<Self> {
        check("the layer", "0 to 63", layer, layer < SOLID_LAYERS)?;
        check(
            "the chunk's cx",
            "-128 to 127",
            chunk.cx,
            (-HALF..HALF).contains(&chunk.cx),
        )?;
        check(
            "the chunk's cz",
            "-128 to 127",
            chunk.cz,
            (-HALF..HALF).contains(&chunk.cz),
        )?;
        check_cells(cells)?;
        check("the cell's i", "less than the cells a side", i, i < cells)?;
        check("the cell's j", "less than the cells a side", j, j < cells)?;
        let (cx, cz) = ((chunk.cx + HALF).cast_unsigned(), (chunk.cz + HALF).cast_unsigned());
        Ok(Self(((layer * CHUNKS + cz) * CHUNKS + cx) * CELLS + i * cells + j))
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The layer that the id belongs to.
    pub const fn layer(self) -> u32 {
        self.0 / (CELLS * CHUNKS * CHUNKS)
    }

    /// The chunk that the thing is listed in.
    pub const fn chunk(self) -> Chunk {
        let cx = (self.0 / CELLS % CHUNKS).cast_signed() - HALF;
        let cz = (self.0 / (CELLS * CHUNKS) % CHUNKS).cast_signed() - HALF;
        Chunk::new(cx, cz)
    }

    /// The cell that the id names, in chunks of `cells` cells a side; its band is 0.
    ///
    /// # Errors
    /// [`Error::IdLimit`] for no cells or more than 22, and when such a chunk does not have the cell.
    pub fn cell(self, cells: u32) -> Result<Cell> {
        check_cells(cells)?;
        let at = self.0 % CELLS;
        check(
            "the cell's place",
            "less than the square of the cells a side",
            at,
            at < cells * cells,
        )?;
        Ok(Cell {
            layer: self.layer(),
            chunk: self.chunk(),
            band: 0,
            i: at / cells,
            j: at % cells,
        })
    }
}

fn check(what: &'static str, expected: &'static str, found: impl Into<i64>, fits: bool) -> Result<()> {
    if fits {
        Ok(())
    } else {
        Err(Error::IdLimit {
            what,
            expected,
            found: found.into(),
        })
    }
}

fn check_cells(cells: u32) -> Result<()> {
    check(
        "the cells a side of a chunk",
        "1 to 22",
        cells,
        (1..=SOLID_CELLS).contains(&cells),
    )
}

impl std::fmt::Display for SolidId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<SolidId> for u32 {
    fn from(id: SolidId) -> Self {
        id.0
    }
}

impl From<SolidId> for i32 {
    fn from(id: SolidId) -> Self {
        // Below 2^31 by construction.
        id.0.cast_signed()
    }
}

impl TryFrom<u32> for SolidId {
    type Error = Error;

    fn try_from(id: u32) -> Result<Self> {
        check("the number", "0 to 2147483647", id, i32::try_from(id).is_ok())?;
        Ok(Self(id))
    }
}

impl TryFrom<i32> for SolidId {
    type Error = Error;

    fn try_from(id: i32) -> Result<Self> {
        check("the number", "0 to 2147483647", id, id >= 0)?;
        Ok(Self(id.cast_unsigned()))
    }
}

/// A solid thing and its id.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Solid {
    /// Its id.
    pub id: SolidId,
    /// What stands there: the same bits at every band.
    pub thing: Candidate,
}

/// A chunk's solid things: a buffer that the caller holds and uses again.
#[derive(Clone, Debug, Default)]
pub struct GroundSolids {
    solids: Vec<Solid>,
    near: Vec<Clearing>,
}

impl GroundSolids {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self {
            solids: Vec::new(),
            near: Vec::new(),
        }
    }

    /// The things, by ascending id.
    pub fn as_slice(&self) -> &[Solid] {
        &self.solids
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.solids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// The things, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Solid> {
        self.solids.iter()
    }
}

impl<'a> IntoIterator for &'a GroundSolids {
    type Item = &'a Solid;
    type IntoIter = std::slice::Iter<'a, Solid>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Layer {
    /// Fills `solids` with all solid things of a chunk, as band 0 draws them, by ascending id. What it held is dropped.
    /// A chunk without ids (outside -128 to 127) has none.
    ///
    /// # Errors
    /// [`Error::NotSolid`] of a cover layer, and [`Error::Value`] when the callback's answer is negative or not finite:
    /// `solids` is empty then, and so it is when the callback panics.
    pub fn solid_list(
        &self,
        density: &Density,
        trample: &Trample<'_>,
        chunk: Chunk,
        solids: &mut GroundSolids,
    ) -> Result<()> {
        solids.solids.clear();
        self.require_solid()?;
        let plan = self.plan(0)?;
        // Taken out while it is filled: a callback that panics leaves an empty buffer and not part of a chunk.
        let mut list = std::mem::take(&mut solids.solids);
        list.reserve(self.most());
        let mut unnamed = Ok(());
        let filled = self.each(
            density,
            trample,
            chunk,
            &plan,
            &mut solids.near,
            |thing| match SolidId::new(self.number(), chunk, (thing.i, thing.j), plan.cells) {
                Ok(id) => list.push(Solid { id, thing }),
                Err(error) => unnamed = Err(error),
            },
        );
        let result = filled.and(unnamed);
        if result.is_err() {
            list.clear();
        }
        solids.solids = list;
        result
    }

    /// The solid thing of an id, or `None` when nothing stands there (any more).
    ///
    /// # Errors
    /// [`Error::NotSolid`] of a cover layer, [`Error::OtherLayer`], [`Error::IdLimit`] when this layer's chunks do not
    /// have the cell, and [`Error::Value`] when the callback's answer is negative or not finite.
    pub fn solid_at(&self, density: &Density, trample: &Trample<'_>, id: SolidId) -> Result<Option<Candidate>> {
        self.require_solid()?;
        if id.layer() != self.number() {
            return Err(Error::OtherLayer {
                id: id.get(),
                expected: id.layer(),
                layer: self.number(),
            });
        }
        let cell = id.cell(self.cells(0)?)?;
        self.candidate(density, trample, cell.chunk, 0, (cell.i, cell.j))
    }

    /// The id of the thing in a cell of a chunk.
    ///
    /// # Errors
    /// [`Error::NotSolid`] of a cover layer, and as [`SolidId::new`].
    pub fn solid_id(&self, chunk: Chunk, (i, j): (u32, u32)) -> Result<SolidId> {
        self.require_solid()?;
        SolidId::new(self.number(), chunk, (i, j), self.cells(0)?)
    }

    fn require_solid(&self) -> Result<()> {
        if self.row().solid {
            Ok(())
        } else {
            Err(Error::NotSolid { layer: self.number() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_formula() {
        let id = SolidId::new(3, Chunk::new(-5, 17), (4, 9), 20).unwrap();
        assert_eq!(id.get(), ((3 * 256 + 17 + 128) * 256 - 5 + 128) * 512 + 4 * 20 + 9);
        assert_eq!(SolidId::new(0, Chunk::new(-128, -128), (0, 0), 1).unwrap().get(), 0);
        // The last id of all: 28 of the 512 places of a chunk are beyond 22 by 22 cells.
        let last = SolidId::new(63, Chunk::new(127, 127), (21, 21), 22).unwrap();
        assert_eq!(last.get(), (1 << 31) - 1 - 28);
        assert_eq!(i32::from(last), i32::MAX - 28);
    }

    #[test]
    fn past_the_limits_an_id_is_refused_and_not_wrapped() {
        let zero = Chunk::new(0, 0);
        for (layer, chunk, cell, cells, text) in [
            (64, zero, (0, 0), 22, "solid id: the layer must be 0 to 63, got 64"),
            (
                u32::MAX,
                zero,
                (0, 0),
                22,
                "solid id: the layer must be 0 to 63, got 4294967295",
            ),
            (
                0,
                Chunk::new(128, 0),
                (0, 0),
                22,
                "solid id: the chunk's cx must be -128 to 127, got 128",
            ),
            (
                0,
                Chunk::new(-129, 0),
                (0, 0),
                22,
                "solid id: the chunk's cx must be -128 to 127, got -129",
            ),
            (
                0,
                Chunk::new(0, i32::MIN),
                (0, 0),
                22,
                "solid id: the chunk's cz must be -128 to 127, got -2147483648",
            ),
            (
                0,
                zero,
                (0, 0),
                23,
                "solid id: the cells a side of a chunk must be 1 to 22, got 23",
            ),
            (
                0,
                zero,
                (0, 0),
                0,
                "solid id: the cells a side of a chunk must be 1 to 22, got 0",
            ),
            (
                0,
                zero,
                (22, 0),
                22,
                "solid id: the cell's i must be less than the cells a side, got 22",
            ),
            (
                0,
                zero,
                (0, 7),
                7,
                "solid id: the cell's j must be less than the cells a side, got 7",
            ),
        ] {
            assert_eq!(SolidId::new(layer, chunk, cell, cells).unwrap_err().to_string(), text);
        }
        assert!(SolidId::new(63, Chunk::new(-128, 127), (21, 21), 22).is_ok());
        assert!(SolidId::try_from(1_u32 << 31).is_err());
        assert!(SolidId::try_from(-1_i32).is_err());
        assert!(
            SolidId::try_from(10_i32).unwrap().cell(3).is_err(),
            "the tenth of nine cells"
        );
    }
}
