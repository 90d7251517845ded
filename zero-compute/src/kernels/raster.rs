//! Rasters: fields of cells in tiles, each with an apron of its neighbours' cells, and copies of them.

use std::ops::Range;

use super::parallel::part;
use super::shape;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Recorder, Result, Rule,
    args, moves,
};

/// A layer of a tile copied cell for cell, on the words of cells of whatever kind: what [`raster_copy`] and
/// [`raster_restore`] are made of.
pub static PROC_RASTER_COPY: Kernel = Kernel::declare("proc_raster_copy")
    .read_domain("src", Element::U32)
    .write("dst", Element::U32, Rule::LanesOf("src"))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("raster_copy.wgsl"))
    .cpu(Cpu::Ranges(copy_twin));

/// The shape of a tile: its interior, and the ring of cells around it that its neighbours own.
///
/// A layer of a tile is a column of [`stride`](Self::stride) times [`rows`](Self::rows) elements, X fastest, of any lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Cells of the interior along X.
    pub wide: u32,
    /// Cells of the interior along Z.
    pub high: u32,
    /// Cells of the apron on each side.
    pub apron: u32,
}

impl Tile {
    /// Stored cells along X.
    pub fn stride(self) -> u32 {
        self.wide.saturating_add(self.apron.saturating_mul(2))
    }

    /// Stored cells along Z.
    pub fn rows(self) -> u32 {
        self.high.saturating_add(self.apron.saturating_mul(2))
    }

    /// Stored cells.
    pub fn cells(self) -> u64 {
        u64::from(self.stride()) * u64::from(self.rows())
    }

    /// Refuses a column that has not an element a stored cell.
    pub(super) fn check(self, kernel: &str, binding: &str, column: &Column) -> Result<()> {
        if u64::from(column.capacity()) == self.cells() && self.wide > 0 && self.high > 0 {
            return Ok(());
        }
        let expected = format!(
            "{} elements, a tile of {} x {} cells with an apron of {}",
            self.cells(),
            self.wide,
            self.high,
            self.apron
        );
        Err(shape(kernel, binding, expected, column))
    }
}

/// Tiles of one shape, side by side, X fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raster {
    /// The shape of each tile.
    pub tile: Tile,
    /// Tiles along X.
    pub across: u32,
    /// Tiles along Z.
    pub down: u32,
    /// The corner of the first cell of the first tile's interior, along X and Z.
    pub origin: [f32; 2],
    /// The edges of a cell, along X and Z.
    pub cell: [f32; 2],
}

/// A tile, one of its eight neighbours, and which that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The number of the tile.
    pub tile: u32,
    /// The number of its neighbour.
    pub neighbour: u32,
    /// Where the neighbour lies, along X and Z: -1, 0 or 1 each.
    pub side: [i32; 2],
}

/// The most tiles of a raster whose pairs are listed: a list of all would take some 2 GiB.
const MAX_TILES: u32 = 1 << 24;

const SIDES: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

impl Raster {
    /// Tiles in all.
    pub fn tiles(&self) -> u64 {
        u64::from(self.across) * u64::from(self.down)
    }

    /// Every pair of a tile and a neighbour of which one at least is in `work` (all tiles without it), by ascending number
    /// of the tile.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a tile that the raster does not have, [`Error::TooMany`] past 2^24 tiles.
    pub fn pairs(&self, work: Option<&[u32]>) -> Result<Vec<Neighbour>> {
        let tiles = u32::try_from(self.tiles()).ok().filter(|tiles| *tiles <= MAX_TILES);
        let tiles = tiles.ok_or_else(|| Error::TooMany {
            what: "tiles of a raster".to_owned(),
            found: self.tiles(),
            limit: u64::from(MAX_TILES),
        })?;
        let mut is_work = vec![work.is_none(); tiles as usize];
        for &tile in work.unwrap_or_default() {
            let Some(marked) = is_work.get_mut(tile as usize) else {
                return Err(Error::Invalid {
                    what: "a tile of a raster".to_owned(),
                    expected: format!("a number below {tiles}"),
                    found: tile.to_string(),
                });
            };
            *marked = true;
        }
        let marked = |tile: u32| is_work.get(tile as usize).copied().unwrap_or(false);
        let mut pairs = Vec::new();
        for tile in 0..tiles {
            for side in SIDES {
                if let Some(neighbour) = self
                    .neighbour(tile, side)
                    .filter(|&other| marked(tile) || marked(other))
                {
                    pairs.push(Neighbour { tile, neighbour, side });
                }
            }
        }
        Ok(pairs)
    }

    /// The tile on that side, if the raster does not end there.
    fn neighbour(&self, tile: u32, [x, z]: [i32; 2]) -> Option<u32> {
        let column = tile.checked_rem(self.across)?.checked_add_signed(x)?;
        let row = tile.checked_div(self.across)?.checked_add_signed(z)?;
        (column < self.across && row < self.down).then(|| row * self.across + column)
    }

    /// Refuses another number of columns than tiles, and columns that are no layer of a tile.
    pub(super) fn check_layers(&self, kernel: &str, binding: &str, layers: &[Column]) -> Result<()> {
        if layers.len() as u64 != self.tiles() {
            return Err(Error::Invalid {
                what: format!("`{binding}` of `{kernel}`"),
                expected: format!("{} columns, one a tile", self.tiles()),
                found: layers.len().to_string(),
            });
        }
        layers
            .iter()
            .try_for_each(|layer| self.tile.check(kernel, binding, layer))
    }
}

/// Copies the layers of tiles, apron included, into new columns: a checkpoint, to [`raster_restore`] from. Every cell is
/// copied, whatever the live count of a layer, and what is answered has none.
///
/// Cost: 1 pass a layer.
///
/// # Errors
/// [`Error::OutOfMemory`] and [`Error::TooLarge`].
pub fn raster_copy(rec: &mut Recorder, layers: &[Column]) -> Result<Vec<Column>> {
    rec.all_or_nothing(|rec| layers.iter().map(|layer| copy_of(rec, layer)).collect())
}

fn copy_of(rec: &mut Recorder, layer: &Column) -> Result<Column> {
    let name = PROC_RASTER_COPY.name();
    let to = rec.output(layer.element(), layer.lanes(), layer.capacity(), name, "dst")?;
    copy_cells(rec, layer, &to)?;
    Ok(to)
}

/// Copies layers over others of the same shapes and kinds, apron included.
///
/// Cost: 1 pass a layer.
///
/// # Errors
/// [`Error::Invalid`] where there are not as many of both, [`Error::WrongShape`] and [`Error::WrongElement`] where two
/// differ, [`Error::Aliased`] for a layer over itself.
pub fn raster_restore(rec: &mut Recorder, from: &[Column], to: &[Column]) -> Result<()> {
    if from.len() != to.len() {
        return Err(Error::Invalid {
            what: "layers to restore".to_owned(),
            expected: to.len().to_string(),
            found: from.len().to_string(),
        });
    }
    rec.all_or_nothing(|rec| from.iter().zip(to).try_for_each(|(from, to)| copy_cells(rec, from, to)))
}

fn copy_cells(rec: &mut Recorder, from: &Column, to: &Column) -> Result<()> {
    let name = PROC_RASTER_COPY.name();
    rec.check_column(name, "src", from.element(), from)?;
    rec.check_column(name, "dst", from.element(), to)?;
    let (src, dst) = (moves::bits_of(from), moves::bits_of(to));
    rec.dispatch(
        &PROC_RASTER_COPY,
        args! { src: &src, dst: &dst },
        Domain::count(to.capacity()),
    )
    .map(drop)
}

fn copy_twin(range: Range<usize>, b: &mut CpuBindings<'_>, _p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = b.lanes("src") as usize;
    let words = range.start * lanes..range.end * lanes;
    let src = part(b.kernel, "src", b.read::<u32>("src")?, words)?;
    b.write::<u32>("dst")?.copy_from_slice(src);
    Ok(())
}

/// Sets the layers of tiles to zero, apron included.
///
/// Cost: 1 pass a layer.
///
/// # Errors
/// [`Error::Foreign`] for a layer of another device.
pub fn raster_clear(rec: &mut Recorder, layers: &[Column]) -> Result<()> {
    rec.all_or_nothing(|rec| layers.iter().try_for_each(|layer| rec.fill(layer, 0)))
}
