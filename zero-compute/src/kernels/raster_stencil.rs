//! A weighted sum over the neighbourhood of each cell of a tile.

use std::ops::Range;

use super::parallel::part;
use super::raster::Tile;
use super::shape;
use super::{one_lane, runs_to_its_end};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, Recorder, Result,
    Rule, args,
};

/// The widest stencil, in cells to each side.
pub const MAX_STENCIL: u32 = 32;

/// [`raster_stencil`].
pub static RASTER_STENCIL: Kernel = Kernel::declare("raster_stencil")
    .read_domain("src", Element::F32)
    .read("weights", Element::F32)
    .lanes(1)
    .write("dst", Element::F32, Rule::LanesOf("src"))
    .param("stride", Param::U32(1))
    .param("wide", Param::U32(1))
    .param("high", Param::U32(1))
    .param("apron", Param::U32(0))
    .param("radius", Param::U32(1))
    .specialize("EDGE", &["apron", "clamp"])
    .determinism(Determinism::Exact)
    .wgsl(include_str!("raster_stencil.wgsl"))
    .cpu(Cpu::Ranges(twin));

/// What a stencil sees past the interior of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The apron, which must be as wide as the stencil reaches.
    Apron,
    /// The nearest cell of the interior.
    Clamp,
}

/// For every cell of a tile's interior the sum of the cells up to `radius` away along each axis, each times its weight
/// (`f32`, one lane, `(2 radius + 1)^2` elements: row by row from the lowest Z, X fastest). `src` is a layer (`f32`, any
/// lanes); the apron of what is answered is that of `src`.
///
/// The sum starts at 0 and goes from the first weight to the last, one rounding a product and one a sum.
///
/// Cost: 1 pass; a read and a product for each weight and lane of a cell.
///
/// # Errors
/// [`Error::Invalid`] for a radius past [`MAX_STENCIL`] or, with [`Edge::Apron`], past the apron; [`Error::WrongShape`]
/// where `src` is not of that tile or `weights` not of that radius, [`Error::WrongElement`] for other than floats;
/// [`Error::TooMany`] on a software adapter for more weights times lanes than it takes (from 51 lanes on at the largest
/// radius).
pub fn raster_stencil(
    rec: &mut Recorder,
    src: &Column,
    tile: Tile,
    weights: &Column,
    radius: u32,
    edge: Edge,
) -> Result<Column> {
    let name = RASTER_STENCIL.name();
    tile.check(name, "src", src)?;
    let most = match edge {
        Edge::Apron => tile.apron.min(MAX_STENCIL),
        Edge::Clamp => MAX_STENCIL,
    };
    if radius > most {
        return Err(Error::Invalid {
            what: format!("the radius of `{name}`"),
            expected: format!("at most {most}"),
            found: radius.to_string(),
        });
    }
    one_lane(name, "weights", weights)?;
    let side = 2 * radius + 1;
    if weights.capacity() != side * side {
        return Err(shape(name, "weights", format!("{} elements", side * side), weights));
    }
    // A round a lane, one a row, and one for each four weights of a row or one that is left over.
    let rounds = u64::from(src.lanes()) * (1 + u64::from(side) * (4 + u64::from(side / 4)));
    runs_to_its_end(rec, name, rounds)?;
    let arguments = args! {
        src: src, weights: weights,
        stride: tile.stride(), wide: tile.wide, high: tile.high, apron: tile.apron, radius: radius,
        EDGE: match edge { Edge::Apron => "apron", Edge::Clamp => "clamp" },
    };
    rec.dispatch(&RASTER_STENCIL, arguments, Domain::of(&src.as_capacity()))?
        .column("dst")
}

/// A stencil over a tile as the CPU runs it.
struct Stencil<'a> {
    src: &'a [f32],
    weights: &'a [f32],
    lanes: usize,
    stride: usize,
    /// The interior's cells along each axis.
    columns: Range<usize>,
    rows: Range<usize>,
    radius: i32,
    is_clamped: bool,
}

impl Stencil<'_> {
    /// The cell that is read, along an axis, for one that lies `offset` away.
    fn cell(&self, at: usize, offset: i32, interior: &Range<usize>) -> usize {
        let cell = at.saturating_add_signed(offset as isize);
        if self.is_clamped {
            cell.clamp(interior.start, interior.end.saturating_sub(1))
        } else {
            cell
        }
    }

    /// The sums of the cells of one row, weight after weight, so that neighbouring cells are added at once.
    fn row(&self, z: usize, columns: Range<usize>, sums: &mut [f32]) -> Result<()> {
        let cells = |cells: Range<usize>| {
            let words = cells.start * self.lanes..cells.end * self.lanes;
            part(RASTER_STENCIL.name(), "src", self.src, words)
        };
        sums.fill(0.0);
        let mut weights = self.weights.iter();
        for down in -self.radius..=self.radius {
            let first = self.cell(z, down, &self.rows) * self.stride;
            for across in -self.radius..=self.radius {
                let weight = weights.next().copied().unwrap_or_default();
                let low = self.cell(columns.start, across, &self.columns);
                let high = self.cell(columns.end - 1, across, &self.columns);
                if high - low == columns.len() - 1 {
                    let src = cells(first + low..first + high + 1)?;
                    sums.iter_mut().zip(src).for_each(|(sum, value)| *sum += weight * value);
                    continue;
                }
                for (x, sums) in columns.clone().zip(sums.chunks_exact_mut(self.lanes)) {
                    let at = first + self.cell(x, across, &self.columns);
                    let src = cells(at..at + 1)?;
                    sums.iter_mut().zip(src).for_each(|(sum, value)| *sum += weight * value);
                }
            }
        }
        Ok(())
    }
}

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let of = |name| Ok::<usize, Error>(p.u32(name)? as usize);
    let (apron, stride) = (of("apron")?, of("stride")?.max(1));
    let stencil = Stencil {
        src: b.read::<f32>("src")?,
        weights: b.read::<f32>("weights")?,
        lanes: (b.lanes("src") as usize).max(1),
        stride,
        columns: apron..apron + of("wide")?,
        rows: apron..apron + of("high")?,
        radius: p.u32("radius")? as i32,
        is_clamped: p.option("EDGE")? == "clamp",
    };
    let lanes = stencil.lanes;
    let dst = b.write::<f32>("dst")?;
    dst.copy_from_slice(part(
        b.kernel,
        "src",
        stencil.src,
        range.start * lanes..range.end * lanes,
    )?);
    for z in range.start / stride..range.end.div_ceil(stride) {
        x.checkpoint()?;
        let row = z * stride;
        let first = range.start.max(row + stencil.columns.start);
        let end = range.end.min(row + stencil.columns.end);
        if !stencil.rows.contains(&z) || first >= end {
            continue;
        }
        let own = (first - range.start) * lanes..(end - range.start) * lanes;
        let sums = dst.get_mut(own).unwrap_or_default();
        stencil.row(z, first - row..end - row, sums)?;
    }
    Ok(())
}
