//! Values gathered by the cells of a tile in fixed point, so that their order does not matter.

use super::parallel::{CHUNK, part};
use super::raster::Raster;
use super::raster_exchange::UNITS;
use super::raster_place::{Share, arguments, cells_along, check_apron, over_points, stored_cell};
use super::scatter::{SCATTER_FIXED, to_units};
use super::{one_lane, same_length, shape};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Param, Recorder, Result, args,
};

/// [`raster_splat`].
pub static RASTER_SPLAT: Kernel = over_points("raster_splat")
    .read_domain("values", Element::F32)
    .read_domain("points", Element::F32)
    .lanes_between(2, 3)
    .atomic("delta", Element::I32)
    .param("scale", Param::F32(UNITS))
    .wgsl(concat!(
        include_str!("raster_place.wgsl"),
        include_str!("fixed.wgsl"),
        include_str!("raster_splat.wgsl")
    ))
    .cpu(Cpu::Whole(twin));

/// Adds values (`f32`) to cells of a tile by number (`cells`, `i32`, one lane; stored cells, X fastest): each, rounded to
/// 1 / 65 536 half up and held inside `i32`, is added to `delta` (`i32`, as many lanes), which wraps. A number that names
/// no cell, and a slot past the live count of `cells`, adds nothing; into a `delta` of no elements nothing is dispatched.
/// See [`raster_resolve`](super::raster_resolve()).
///
/// Cost: 1 pass of atomic operations.
///
/// # Errors
/// [`Error::WrongShape`] where `cells` has more than one lane, lengths or lanes differ; [`Error::WrongElement`] for other
/// kinds.
pub fn raster_accumulate(rec: &mut Recorder, values: &Column, cells: &Column, delta: &Column) -> Result<()> {
    rec.all_or_nothing(|rec| raster_accumulate_steps(rec, values, cells, delta))
}

fn raster_accumulate_steps(rec: &mut Recorder, values: &Column, cells: &Column, delta: &Column) -> Result<()> {
    let domain = Domain::of(cells);
    one_lane("raster_accumulate", "cells", cells)?;
    same_length("raster_accumulate", "values", values, &domain)?;
    same_lanes("raster_accumulate", values, delta)?;
    rec.check_column("raster_accumulate", "values", Element::F32, values)?;
    rec.check_column("raster_accumulate", "cells", Element::I32, cells)?;
    rec.check_column("raster_accumulate", "delta", Element::I32, delta)?;
    if delta.is_empty() {
        return Ok(());
    }
    let arguments = args! { src: values, index: cells, dst: delta, scale: UNITS };
    rec.dispatch(&SCATTER_FIXED, arguments, domain).map(drop)
}

/// Adds values (`f32`, any lanes, one a point) at points (`f32`, 2 lanes X and Z, or 3 lanes) to the units that tile
/// number `tile` of a raster gathers (`delta`, `i32`, as many lanes), rounded as [`raster_accumulate`] does.
///
/// Only points that stand in the tile's interior count, so that points given to every tile count once. What
/// [`Share::Bilinear`] gives to cells past it falls into the apron, of which
/// [`raster_resolve`](super::raster_resolve()) brings the neighbours theirs. A coordinate that is no number counts as 0;
/// points past the live count add nothing. Coordinates are good to 2^23 cells from the origin.
///
/// Cost: 1 pass of atomic operations.
///
/// # Errors
/// [`Error::Invalid`] for an origin that is not finite, a cell that is not positive and finite, a tile that the raster
/// does not have, or bilinear shares without an apron; [`Error::WrongShape`] where `points` has neither 2 nor 3 lanes,
/// `delta` is not of the tile, lengths or lanes differ; [`Error::WrongElement`] for other kinds.
pub fn raster_splat(
    rec: &mut Recorder,
    values: &Column,
    points: &Column,
    raster: &Raster,
    tile: u32,
    delta: &Column,
    share: Share,
) -> Result<()> {
    let name = RASTER_SPLAT.name();
    let arguments = arguments(name, points, raster, tile, share)?;
    check_apron(name, raster, share)?;
    let domain = Domain::of(points);
    same_length(name, "values", values, &domain)?;
    raster.tile.check(name, "delta", delta)?;
    same_lanes(name, values, delta)?;
    let arguments = arguments.with("values", values).with("delta", delta);
    rec.dispatch(&RASTER_SPLAT, arguments, domain).map(drop)
}

fn same_lanes(kernel: &str, values: &Column, delta: &Column) -> Result<()> {
    if delta.lanes() == values.lanes() {
        return Ok(());
    }
    let expected = format!("{} lanes, as values has", values.lanes());
    Err(shape(kernel, "delta", expected, delta))
}

/// A tile as the points see it along an axis.
#[derive(Clone, Copy)]
struct Axis {
    origin: f32,
    size: f32,
    first: i32,
    interior: i32,
    apron: i32,
}

impl Axis {
    /// How far along the raster a coordinate is, in cells; `None` where that is not in the tile's interior.
    fn along(self, position: f32) -> Option<f32> {
        let u = cells_along(zero_noise::clean(position), self.origin, self.size);
        let cell = zero_noise::floor(u) as i32 - self.first;
        (0..self.interior).contains(&cell).then_some(u)
    }

    /// The stored cell.
    fn cell(self, u: f32) -> [(i32, f32); 2] {
        let cell = zero_noise::floor(u) as i32 - self.first + self.apron;
        [(cell, 1.0), (-1, 0.0)]
    }

    /// The two stored cells around, each with its share; some may lie past what is stored.
    fn around(self, u: f32) -> [(i32, f32); 2] {
        let low = zero_noise::floor(u - 0.5);
        let part = u - 0.5 - low;
        let cell = low as i32 - self.first + self.apron;
        [(cell, 1.0 - part), (cell + 1, part)]
    }
}

fn twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let axis = |origin, size, first, interior| {
        Ok::<Axis, Error>(Axis {
            origin: p.f32(origin)?,
            size: p.f32(size)?,
            first: p.u32(first)? as i32,
            interior: p.u32(interior)? as i32,
            apron: p.u32("apron")? as i32,
        })
    };
    let along_x = axis("origin_x", "size_x", "first_x", "wide")?;
    let along_z = axis("origin_z", "size_z", "first_z", "high")?;
    let stored = |axis: Axis| 0..axis.interior + 2 * axis.apron;
    let (columns, rows) = (stored(along_x), stored(along_z));
    let (lanes, places) = ((b.lanes("values") as usize).max(1), (b.lanes("points") as usize).max(1));
    let live = p.live() as usize;
    let values = part(b.kernel, "values", b.read::<f32>("values")?, 0..live * lanes)?;
    let points = part(b.kernel, "points", b.read::<f32>("points")?, 0..live * places)?;
    let (scale, is_shared) = (p.f32("scale")?, p.option("SHARE")? == "bilinear");
    // What a cancelled dispatch changed is put back by who runs it, before it begins again.
    let delta = b.write::<i32>("delta")?;
    for (i, (point, values)) in points.chunks_exact(places).zip(values.chunks_exact(lanes)).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        let (Some(&px), Some(&pz)) = (point.first(), point.last()) else {
            continue;
        };
        let (Some(u), Some(v)) = (along_x.along(px), along_z.along(pz)) else {
            continue;
        };
        let shares = |axis: Axis, u| if is_shared { axis.around(u) } else { axis.cell(u) };
        for (z, share_z) in shares(along_z, v) {
            for (x, share_x) in shares(along_x, u) {
                if !columns.contains(&x) || !rows.contains(&z) {
                    continue;
                }
                let first = stored_cell(columns.end, x, z) * lanes;
                let weight = share_x * share_z;
                let cell = delta.get_mut(first..first + lanes).unwrap_or_default();
                for (units, value) in cell.iter_mut().zip(values) {
                    *units = units.wrapping_add(to_units(value * weight, scale));
                }
            }
        }
    }
    Ok(())
}
