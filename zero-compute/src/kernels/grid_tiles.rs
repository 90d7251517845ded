//! A lattice in tiles, each a column of its own: read at points between its own, and added to from such points.

use std::ops::Range;

use super::grid_sample::{Axis, Between, arguments, over_lattice};
use super::make::Lattice;
use super::parallel::{CHUNK, part};
use super::positions::{place_of, three_lanes};
use super::scatter::{FIXED_SETTLE, to_units, workspace};
use super::{same_length, shape};
use crate::{
    Args, Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Param, Recorder, Result, args,
};

/// What a kernel over one tile is told besides the lattice.
const fn over_tile(kernel: Kernel) -> Kernel {
    over_lattice(kernel)
        .param("first_x", Param::U32(0))
        .param("first_y", Param::U32(0))
        .param("first_z", Param::U32(0))
        .param("size_x", Param::U32(1))
        .param("size_y", Param::U32(1))
        .param("size_z", Param::U32(1))
}

/// One tile of [`grid_sample_tiles`]: reads the points that stand in it, and leaves the others as they are.
pub static GRID_SAMPLE_TILE: Kernel = over_tile(Kernel::declare("grid_sample_tile").read("values", Element::F32))
    .inout("dst", Element::F32)
    .wgsl(concat!(
        include_str!("lattice_cell.wgsl"),
        include_str!("grid_sample_tile.wgsl")
    ))
    .cpu(Cpu::Ranges(sample_twin));

/// One tile of [`grid_splat_tiles`]: `arrived` gathers units of 1 / `scale`, a power of two.
pub static GRID_SPLAT_TILE: Kernel = over_tile(Kernel::declare("grid_splat_tile").read_domain("values", Element::F32))
    .atomic("arrived", Element::I32)
    .param("scale", Param::F32(65536.0))
    .wgsl(concat!(
        include_str!("lattice_cell.wgsl"),
        include_str!("fixed.wgsl"),
        include_str!("grid_splat_tile.wgsl")
    ))
    .cpu(Cpu::Whole(splat_twin));

/// A lattice cut into tiles of so many cells along each axis, the last ones of what is left. Tiles are numbered with X
/// fastest, then Y, then Z. A tile holds the points at both ends of its cells, so that neighbours share those between
/// them, and each can be read by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeTiles {
    /// The lattice of all tiles together.
    pub whole: Lattice,
    /// Cells of a tile along each axis.
    pub cells: [u32; 3],
}

impl LatticeTiles {
    /// Tiles along each axis.
    pub fn across(&self) -> [u32; 3] {
        std::array::from_fn(|axis| {
            self.whole.counts[axis]
                .saturating_sub(1)
                .div_ceil(self.cells[axis].max(1))
                .max(1)
        })
    }

    /// Tiles in all.
    pub fn tiles(&self) -> u64 {
        self.across()
            .into_iter()
            .fold(1, |tiles: u64, across| tiles.saturating_mul(u64::from(across)))
    }

    /// The number of the first point of a tile along each axis.
    pub fn first(&self, tile: u32) -> [u32; 3] {
        let [x, y, _] = self.across();
        let at = [tile % x, tile / x % y, tile / x / y];
        std::array::from_fn(|axis| at[axis].saturating_mul(self.cells[axis]))
    }

    /// The points of a tile along each axis: its column holds their product, X fastest.
    pub fn points(&self, tile: u32) -> [u32; 3] {
        let first = self.first(tile);
        std::array::from_fn(|axis| {
            let left = self.whole.counts[axis].saturating_sub(first[axis]);
            left.min(self.cells[axis].saturating_add(1))
        })
    }

    /// The arguments of a kernel over each tile.
    fn arguments(&self, kernel: &str) -> Result<Vec<Args>> {
        let whole = arguments(kernel, self.whole)?;
        if self.cells.contains(&0) {
            return Err(Error::Invalid {
                what: format!("the tiles of `{kernel}`"),
                expected: "at least one cell along each axis".to_owned(),
                found: format!("{:?}", self.cells),
            });
        }
        let tiles = u32::try_from(self.tiles()).map_err(|_| Error::TooMany {
            what: format!("tiles of `{kernel}`"),
            found: self.tiles(),
            limit: u64::from(u32::MAX),
        })?;
        let of = |tile| {
            let ([first_x, first_y, first_z], [size_x, size_y, size_z]) = (self.first(tile), self.points(tile));
            let first = whole
                .clone()
                .with("first_x", first_x)
                .with("first_y", first_y)
                .with("first_z", first_z);
            first
                .with("size_x", size_x)
                .with("size_y", size_y)
                .with("size_z", size_z)
        };
        Ok((0..tiles).map(of).collect())
    }

    /// Refuses another number of columns than tiles, and columns that have not an element a point of their tile.
    fn check(&self, kernel: &str, binding: &str, columns: &[Column], lanes: u32) -> Result<()> {
        if columns.len() as u64 != self.tiles() {
            return Err(Error::Invalid {
                what: format!("`{binding}` of `{kernel}`"),
                expected: format!("{} columns, one a tile", self.tiles()),
                found: columns.len().to_string(),
            });
        }
        for (tile, column) in (0..).zip(columns) {
            let points = self.points(tile).map(u64::from);
            let count = points.iter().product::<u64>();
            if u64::from(column.capacity()) != count || column.lanes() != lanes {
                let expected = format!("{count} elements of {lanes} lanes, as tile {tile} has {points:?} points");
                return Err(shape(kernel, binding, expected, column));
            }
        }
        Ok(())
    }
}

/// As [`grid_sample`](super::grid_sample()) of the whole lattice, bit for bit, with a column for each of its tiles
/// (`f32`, as many lanes each): trilinear between the eight lattice points around each of `points` (`f32`, 3 lanes). What
/// is answered is live with `points`; a slot past their live count is zeros.
///
/// Cost: 1 pass to fill, and 1 a tile over all points.
///
/// # Errors
/// Those of [`grid_sample`](super::grid_sample()); [`Error::Invalid`] for another number of columns than tiles or tiles of
/// no cells.
pub fn grid_sample_tiles(
    rec: &mut Recorder,
    values: &[Column],
    tiles: &LatticeTiles,
    points: &Column,
) -> Result<Column> {
    rec.all_or_nothing(|rec| sample_steps(rec, values, tiles, points))
}

fn sample_steps(rec: &mut Recorder, values: &[Column], tiles: &LatticeTiles, points: &Column) -> Result<Column> {
    let name = GRID_SAMPLE_TILE.name();
    let arguments = tiles.arguments(name)?;
    three_lanes(name, "points", points)?;
    let lanes = values.first().map_or(1, Column::lanes);
    tiles.check(name, "values", values, lanes)?;
    let dst = rec.output(Element::F32, lanes, points.capacity(), name, "dst")?;
    rec.fill(&dst, 0)?;
    for (arguments, values) in arguments.into_iter().zip(values) {
        let arguments = arguments
            .with("values", values)
            .with("points", points)
            .with("dst", &dst);
        rec.dispatch(&GRID_SAMPLE_TILE, arguments, Domain::of(points))?;
    }
    match points.live_count() {
        Some(count) => dst.with_live(&count),
        None => Ok(dst),
    }
}

/// As [`grid_splat`](super::grid_splat()) to the whole lattice, bit for bit, with a column for each of its tiles (`f32`,
/// as many lanes as `values`): a point that several tiles hold is the same in all of them, so nothing has to be exchanged
/// afterwards.
///
/// Cost: 3 passes a tile, one of them over all points, with a word of workspace a word of `dst`.
///
/// # Errors
/// Those of [`grid_splat`](super::grid_splat()); [`Error::Invalid`] for another number of columns than tiles or tiles of
/// no cells.
pub fn grid_splat_tiles(
    rec: &mut Recorder,
    values: &Column,
    points: &Column,
    tiles: &LatticeTiles,
    dst: &[Column],
    fraction_bits: u32,
) -> Result<()> {
    rec.all_or_nothing(|rec| splat_steps(rec, values, points, tiles, dst, fraction_bits))
}

fn splat_steps(
    rec: &mut Recorder,
    values: &Column,
    points: &Column,
    tiles: &LatticeTiles,
    dst: &[Column],
    fraction_bits: u32,
) -> Result<()> {
    let name = GRID_SPLAT_TILE.name();
    let arguments = tiles.arguments(name)?;
    if fraction_bits > 30 {
        return Err(Error::Invalid {
            what: format!("fraction bits of `{name}`"),
            expected: "at most 30".to_owned(),
            found: fraction_bits.to_string(),
        });
    }
    three_lanes(name, "points", points)?;
    let domain = Domain::of(points);
    same_length(name, "values", values, &domain)?;
    tiles.check(name, "dst", dst, values.lanes())?;
    let scale = (1u32 << fraction_bits) as f32;
    for (arguments, dst) in arguments.into_iter().zip(dst) {
        rec.check_column(name, "dst", Element::F32, dst)?;
        let arrived = workspace(rec, dst, Element::I32, 0)?;
        let arguments = arguments.with("values", values).with("points", points);
        let arguments = arguments.with("arrived", &arrived).with("scale", scale);
        rec.dispatch(&GRID_SPLAT_TILE, arguments, domain.clone())?;
        rec.dispatch(
            &FIXED_SETTLE,
            args! { arrived: &arrived, dst: dst, unit: 1.0 / scale },
            Domain::of(&dst.as_capacity()),
        )?;
    }
    Ok(())
}

/// The points that a tile holds along an axis, of those of the lattice.
#[derive(Clone, Copy)]
struct Held {
    first: usize,
    size: usize,
    count: usize,
}

impl Held {
    fn all(p: &CpuParams<'_>) -> Result<[Held; 3]> {
        let of = |first, size, count| {
            Ok::<Held, Error>(Held {
                first: p.u32(first)? as usize,
                size: p.u32(size)? as usize,
                count: p.u32(count)?.max(1) as usize,
            })
        };
        Ok([
            of("first_x", "size_x", "count_x")?,
            of("first_y", "size_y", "count_y")?,
            of("first_z", "size_z", "count_z")?,
        ])
    }

    /// Whether a place stands in a cell of the tile: the last tile has the end of the lattice.
    fn owns(self, at: Between) -> bool {
        let (after, end) = (at.low + 1, self.first + self.size);
        at.low >= self.first && (after < end || (after == self.count && end == self.count))
    }

    /// The place of a lattice point in the tile; `None` for one that it does not hold.
    fn stored(self, point: usize) -> Option<usize> {
        point.checked_sub(self.first).filter(|at| *at < self.size)
    }
}

fn sample_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (axes, held) = (Axis::all(p)?, Held::all(p)?);
    let lanes = (b.lanes("values") as usize).max(1);
    let (values, points) = (b.read::<f32>("values")?, b.read::<f32>("points")?);
    let live = range.start..range.end.min(p.live() as usize);
    let blend = |a: f32, b: f32, part: f32| a + (b - a) * part;
    for (dst, i) in b.write::<f32>("dst")?.chunks_exact_mut(lanes).zip(live) {
        let place = place_of(points, i);
        let at = [0, 1, 2].map(|axis: usize| axes[axis].between(place[axis]));
        if !held.iter().zip(at).all(|(held, at)| held.owns(at)) {
            continue;
        }
        let [x, y, z] = at;
        for (lane, to) in dst.iter_mut().enumerate() {
            let value = |x: usize, y: usize, z: usize| {
                let (x, y, z) = (x - held[0].first, y - held[1].first, z - held[2].first);
                let at = ((z * held[1].size + y) * held[0].size + x) * lanes + lane;
                values.get(at).copied().unwrap_or_default()
            };
            let row = |y, z| blend(value(x.low, y, z), value(x.high, y, z), x.part);
            let sheet = |z| blend(row(y.low, z), row(y.high, z), y.part);
            *to = blend(sheet(z.low), sheet(z.high), z.part);
        }
    }
    Ok(())
}

fn splat_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (axes, held) = (Axis::all(p)?, Held::all(p)?);
    let lanes = (b.lanes("values") as usize).max(1);
    let live = p.live() as usize;
    let values = part(b.kernel, "values", b.read::<f32>("values")?, 0..live * lanes)?;
    let points = b.read::<f32>("points")?;
    let scale = p.f32("scale")?;
    let arrived = b.write::<i32>("arrived")?;
    for (i, values) in values.chunks_exact(lanes).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        let place = place_of(points, i);
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let at = axes[axis].between(place[axis]);
            [(at.low, 1.0 - at.part), (at.high, at.part)].map(|(point, share)| (held[axis].stored(point), share))
        });
        for (z, share_z) in z {
            for (y, share_y) in y {
                for (x, share_x) in x {
                    let (Some(x), Some(y), Some(z)) = (x, y, z) else {
                        continue;
                    };
                    let weight = share_x * share_y * share_z;
                    let first = ((z * held[1].size + y) * held[0].size + x) * lanes;
                    let cell = arrived.get_mut(first..first + lanes).unwrap_or_default();
                    for (units, value) in cell.iter_mut().zip(values) {
                        *units = units.wrapping_add(to_units(value * weight, scale));
                    }
                }
            }
        }
    }
    Ok(())
}
