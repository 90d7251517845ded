//! A spatial hash grid: points sorted by the bucket of their cell, and the walk over those near a place.

use std::ops::{ControlFlow, Range};

use super::numbered;
use super::parallel::{CHUNK, part};
use super::positions::{place_of, three_lanes};
use super::sort::sort;
use crate::{
    Args, CancelToken, Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel,
    Param, Recorder, Result, Rule, args,
};

/// The widest radius in cells: a place then looks into at most 10 cells an axis.
const MAX_REACH: f32 = 4.0;
/// As `FAR` of `hash_cell.wgsl`.
const FAR: f32 = 4_194_304.0;

macro_rules! walk_source {
    ($($source:literal),+) => {
        concat!(
            include_str!("hash_cell.wgsl"),
            include_str!("hash_walk.wgsl"),
            $(include_str!($source)),+
        )
    };
}
pub(super) use walk_source;

/// What the kernels that walk a grid bind and are told.
pub(super) const fn walker(name: &'static str) -> Kernel {
    Kernel::declare(name)
        .read("points", Element::F32)
        .lanes(3)
        .read("starts", Element::U32)
        .lanes(1)
        .read("order", Element::I32)
        .lanes(1)
        .param("per_cell", Param::F32(1.0))
        .param("bits", Param::U32(1))
        .param("radius", Param::F32(1.0))
        .param("reach", Param::F32(1.0))
        .param("square", Param::F32(1.0))
        .determinism(Determinism::Exact)
}

/// First part of [`hash_grid`]: the bucket of each point.
pub static HASH_KEYS: Kernel = Kernel::declare("hash_keys")
    .read_domain("points", Element::F32)
    .lanes(3)
    .write("keys", Element::U32, Rule::Domain)
    .param("per_cell", Param::F32(1.0))
    .param("bits", Param::U32(1))
    .determinism(Determinism::Exact)
    .wgsl(concat!(include_str!("hash_cell.wgsl"), include_str!("hash_keys.wgsl")))
    .cpu(Cpu::Ranges(keys_twin));

/// Last part of [`hash_grid`]: where each bucket starts among the first `count[0]` (at most `capacity`) sorted keys.
pub static HASH_STARTS: Kernel = Kernel::declare("hash_starts")
    .read("keys", Element::U32)
    .lanes(1)
    .read("count", Element::U32)
    .lanes(1)
    .write("starts", Element::U32, Rule::Domain)
    .param("capacity", Param::U32(u32::MAX))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("hash_starts.wgsl"))
    .cpu(Cpu::Ranges(starts_twin));

/// Points sorted by the cells that they stand in: what [`hash_grid`] answers and the functions beside it ask.
#[derive(Clone, Debug)]
pub struct HashGrid {
    /// The points it was built over (`f32`, 3 lanes).
    pub points: Column,
    /// Where each bucket starts in `order` (`u32`), and one more for the end of the last.
    pub starts: Column,
    /// Point numbers (`i32`) bucket by bucket, in a bucket ascending; -1 past the live count.
    pub order: Column,
    cell: f32,
    bits: u32,
}

/// Sorts points (`f32`, 3 lanes) by the bucket of the cell that each stands in; cells are cubes of the edge `cell`.
///
/// Coordinates past 2^22 cells from the origin fall in the outermost cells, where what is asked stays right and gets
/// slow. A coordinate that is no number counts as 0. There are at least as many buckets as points, a power of
/// two, up to 2^24 of them.
/// Points past the live count are in no bucket.
///
/// Cost: 28 passes, most of them a stable sort by bucket; workspace of some 6 words a point.
///
/// # Errors
/// [`Error::Invalid`] for an edge that is not positive and finite, or whose inverse is not; [`Error::WrongShape`] for
/// other than 3 lanes, [`Error::WrongElement`] for other than floats, [`Error::TooMany`] past 2^31 points.
pub fn hash_grid(rec: &mut Recorder, points: &Column, cell: f32) -> Result<HashGrid> {
    rec.all_or_nothing(|rec| hash_grid_steps(rec, points, cell))
}

fn hash_grid_steps(rec: &mut Recorder, points: &Column, cell: f32) -> Result<HashGrid> {
    let per_cell = zero_noise::recip(cell);
    if !(cell.is_normal() && cell > 0.0 && per_cell.is_normal()) {
        return Err(Error::Invalid {
            what: "edge of a hash grid's cells".to_owned(),
            expected: "a positive finite number".to_owned(),
            found: cell.to_string(),
        });
    }
    three_lanes(HASH_KEYS.name(), "points", points)?;
    numbered(HASH_KEYS.name(), "points", points.capacity())?;
    let capacity = points.capacity();
    let bits = (u32::BITS - capacity.saturating_sub(1).leading_zeros()).clamp(4, 24);
    let arguments = args! { points: points, per_cell: per_cell, bits: bits };
    let keys = rec
        .dispatch(&HASH_KEYS, arguments, Domain::of(points))?
        .column("keys")?;
    let sorted = sort(rec, &keys, None)?;
    let count = match points.live_count() {
        Some(count) => count,
        None => points.device().upload(&[capacity], 1)?,
    };
    let arguments = args! { keys: &sorted.keys, count: &count, capacity: capacity };
    let starts = rec.dispatch(&HASH_STARTS, arguments, Domain::count((1 << bits) + 1))?;
    Ok(HashGrid {
        points: points.clone(),
        starts: starts.column("starts")?,
        order: sorted.values,
        cell,
        bits,
    })
}

impl HashGrid {
    /// What a kernel binds that includes `@builtin::systems.procgen.grid` (feature `author`): `gcfg` (the inverse of a
    /// cell's edge and the bits of a bucket's number), `grange` ([`starts`](Self::starts)) and `gorder`
    /// ([`order`](Self::order) as `u32`; `u32::MAX` past the live count).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn bindings(&self) -> Result<Args> {
        let settings = [zero_noise::recip(self.cell), self.bits as f32];
        let settings = self.points.device().upload(&settings, 1)?;
        let order = crate::moves::words_of(&self.order)?;
        Ok(args! { gcfg: &settings, grange: &self.starts, gorder: &order })
    }

    /// The arguments of a kernel that walks this grid, without those of its own.
    ///
    /// The reach is a little more than the radius, so that no point is missed whose distance rounds down to it.
    pub(super) fn arguments(&self, radius: f32) -> Result<Args> {
        let (square, reach) = (radius * radius, radius * 1.000_001);
        if !(radius > 0.0 && radius <= MAX_REACH * self.cell && square.is_normal() && reach.is_finite()) {
            return Err(Error::Invalid {
                what: "radius around a place in a hash grid".to_owned(),
                expected: format!("a positive number up to {MAX_REACH} cells of {}", self.cell),
                found: radius.to_string(),
            });
        }
        Ok(args! {
            points: &self.points, starts: &self.starts, order: &self.order,
            per_cell: zero_noise::recip(self.cell), bits: self.bits, radius: radius, reach: reach, square: square,
        })
    }
}

/// How a position becomes a cell, and a cell a bucket: the twin of `hash_cell.wgsl`.
#[derive(Clone, Copy)]
struct Cells {
    per_cell: f32,
    bits: u32,
}

impl Cells {
    fn of(p: &CpuParams<'_>) -> Result<Self> {
        Ok(Self {
            per_cell: p.f32("per_cell")?,
            bits: p.u32("bits")?.clamp(1, 31),
        })
    }

    fn cell(self, place: [f32; 3]) -> [i32; 3] {
        place.map(|x| zero_noise::floor(zero_noise::clean(x) * self.per_cell).clamp(-FAR, FAR) as i32)
    }

    fn bucket(self, [x, y, z]: [i32; 3]) -> usize {
        let mixed = x.cast_unsigned().wrapping_mul(73_856_093)
            ^ y.cast_unsigned().wrapping_mul(19_349_663)
            ^ z.cast_unsigned().wrapping_mul(83_492_791);
        (mixed.wrapping_mul(0x9e37_79b1) >> (32 - self.bits)) as usize
    }
}

/// A grid as the CPU walks it: the twin of `hash_walk.wgsl`. A walk may look at every point, so it ends where the work is
/// cancelled, and whoever walks asks whether it was.
pub(super) struct Walker<'a> {
    cancel: &'a CancelToken,
    cells: Cells,
    points: &'a [f32],
    starts: &'a [u32],
    order: &'a [i32],
    reach: f32,
    square: f32,
}

impl<'a> Walker<'a> {
    pub(super) fn of(b: &CpuBindings<'a>, p: &CpuParams<'_>, x: &CpuExec<'a>) -> Result<Self> {
        Ok(Self {
            cancel: x.cancel,
            cells: Cells::of(p)?,
            points: b.read::<f32>("points")?,
            starts: b.read::<u32>("starts")?,
            order: b.read::<i32>("order")?,
            reach: p.f32("reach")?,
            square: p.f32("square")?,
        })
    }

    /// The position of a point; the origin for a number that is none's.
    pub(super) fn point(&self, number: usize) -> [f32; 3] {
        place_of(self.points, number)
    }

    /// Calls `f` with the number, the position and the squared distance of every point within the radius of `place`:
    /// cell by cell (Z, then Y, then X ascending), and in a cell by their number. `f` may end the walk.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn visit(
        &self,
        place: [f32; 3],
        mut f: impl FnMut(usize, [f32; 3], f32) -> ControlFlow<()>,
    ) -> Result<()> {
        let low = self.cells.cell(place.map(|x| x - self.reach));
        let high = self.cells.cell(place.map(|x| x + self.reach));
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    if self.visit_cell([x, y, z], place, &mut f)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn visit_cell(
        &self,
        cell: [i32; 3],
        place: [f32; 3],
        f: &mut impl FnMut(usize, [f32; 3], f32) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        let bucket = self.cells.bucket(cell);
        let Some(&[start, end]) = self.starts.get(bucket..bucket + 2) else {
            return Ok(ControlFlow::Continue(()));
        };
        let all = self.order.get(start as usize..end as usize).unwrap_or_default();
        for some in all.chunks(CHUNK) {
            if self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            for &number in some {
                let number = number.max(0) as usize;
                let point = self.point(number);
                let square = square_between(place, point);
                // Cells that share a bucket are told apart by where the point stands.
                let is_near = square <= self.square && self.cells.cell(point) == cell;
                if is_near && f(number, point, square).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn square_between(p: [f32; 3], q: [f32; 3]) -> f32 {
    let (x, y, z) = (p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    x * x + y * y + z * z
}

fn keys_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let cells = Cells::of(p)?;
    let points = part(b.kernel, "points", b.read::<f32>("points")?, 0..p.n() as usize * 3)?;
    for (key, i) in b.write::<u32>("keys")?.iter_mut().zip(range) {
        *key = if i < p.live() as usize {
            cells.bucket(cells.cell(place_of(points, i))) as u32
        } else {
            0
        };
    }
    Ok(())
}

fn starts_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let count = b.read::<u32>("count")?.first().copied().unwrap_or(0);
    let keys = b.read::<u32>("keys")?;
    let keys = part(b.kernel, "keys", keys, 0..count.min(p.u32("capacity")?) as usize)?;
    let mut at = keys.partition_point(|&key| (key as usize) < range.start);
    for (start, bucket) in b.write::<u32>("starts")?.iter_mut().zip(range) {
        while keys.get(at).is_some_and(|&key| (key as usize) < bucket) {
            at += 1;
        }
        *start = at as u32;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_over_many_points_in_one_cell_ends_soon_after_it_is_cancelled() {
        let n = 5 * CHUNK;
        let points = vec![0.5f32; 3 * n];
        let order: Vec<i32> = (0..n as i32).collect();
        // The cell at the origin has the first of 16 buckets.
        let mut starts = vec![n as u32; 17];
        starts[0] = 0;
        let cancel = CancelToken::new();
        let walker = Walker {
            cancel: &cancel,
            cells: Cells { per_cell: 1.0, bits: 4 },
            points: &points,
            starts: &starts,
            order: &order,
            reach: 0.25,
            square: 0.0625,
        };
        let mut seen = 0;
        let mut all = |stop: bool| {
            seen = 0;
            let end = walker.visit([0.5; 3], |_, _, _| {
                seen += 1;
                if stop {
                    cancel.cancel();
                }
                ControlFlow::Continue(())
            });
            (end, seen)
        };
        assert_eq!(all(false), (Ok(()), n));
        assert_eq!(all(true), (Err(Error::Cancelled), CHUNK));
        assert_eq!(all(false), (Err(Error::Cancelled), 0));
    }
}
