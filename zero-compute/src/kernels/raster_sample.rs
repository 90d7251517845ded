//! The cells of tiles read at points.

use std::ops::Range;

use super::grid_sample::SLACK;
use super::raster::Raster;
use super::raster_place::{Share, arguments, cells, cells_along, check_apron, over_points, stored_cell};
use super::{same_length, shape};
use crate::{Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Param, Recorder, Result};

/// [`raster_sample`].
pub static RASTER_SAMPLE: Kernel = over_points("raster_sample")
    .read("layer", Element::F32)
    .read_domain("points", Element::F32)
    .lanes_between(2, 3)
    .inout("dst", Element::F32)
    .param("count_x", Param::U32(1))
    .param("count_z", Param::U32(1))
    .wgsl(concat!(
        include_str!("raster_place.wgsl"),
        include_str!("raster_sample.wgsl")
    ))
    .cpu(Cpu::Ranges(twin));

/// Reads tile number `tile` of a raster (`layer`, `f32`, any lanes) at those of `points` (`f32`, 2 lanes X and Z, or 3
/// lanes) that stand in its interior, into their elements of `dst` (`f32`, one a point, as many lanes); the others stand
/// as they are. Over all tiles every point is read once: [`raster_sample_all`] does that.
///
/// [`Share::Cell`] reads the cell that a point stands in. [`Share::Bilinear`] blends the four whose centres are around
/// it, along X and then along Z, those past the tile's edge from its apron, which must hold what the neighbours do (see
/// [`raster_exchange`](super::raster_exchange())). At a centre the answer is that cell's value, bit for bit: a coordinate
/// `x` closer to it than `2^-22 (|x| + |origin|)`, which is what its rounding may have taken from it, counts as it. Outside
/// the raster the nearest cell of it counts, and belongs to the tile at the edge; what the apron holds past the edge is
/// never read. A coordinate that is no number counts as 0; points past the live count are read by no tile. Coordinates are
/// good to 2^23 cells from the origin.
///
/// Cost: 1 pass; a read a lane, or 4 reads and 3 blends.
///
/// # Errors
/// [`Error::Invalid`] for an origin that is not finite, a cell that is not positive and finite, a tile that the raster
/// does not have, more than 2^23 cells along an axis, or bilinear shares of more than one tile without an apron;
/// [`Error::WrongShape`] where `points` has neither 2 nor 3 lanes, `layer` is not of the tile, lengths or lanes differ;
/// [`Error::WrongElement`] for other than floats.
pub fn raster_sample(
    rec: &mut Recorder,
    layer: &Column,
    points: &Column,
    raster: &Raster,
    tile: u32,
    dst: &Column,
    share: Share,
) -> Result<()> {
    let name = RASTER_SAMPLE.name();
    let arguments = arguments(name, points, raster, tile, share)?;
    if raster.tiles() > 1 {
        check_apron(name, raster, share)?;
    }
    raster.tile.check(name, "layer", layer)?;
    let domain = Domain::of(points);
    same_length(name, "dst", dst, &domain)?;
    same_lanes("dst", layer, dst)?;
    // At most 2^23 each.
    let [count_x, count_z] = cells(raster).map(|cells| cells as u32);
    let arguments = arguments
        .with("layer", layer)
        .with("dst", dst)
        .with("count_x", count_x)
        .with("count_z", count_z);
    rec.dispatch(&RASTER_SAMPLE, arguments, domain).map(drop)
}

/// Reads a layer of a whole raster (one column a tile, X fastest) at `points`, as [`raster_sample`] reads a tile. What it
/// answers has the lanes of the layer and is live with `points`; a slot past their live count is zeros.
///
/// Of one tile without an apron, its rows along Z, it reads what [`grid_sample`](super::grid_sample()) does of the lattice
/// of the cells' centres.
///
/// Cost: 1 pass to fill, and 1 a tile over all points.
///
/// # Errors
/// Those of [`raster_sample`]; [`Error::Invalid`] for a raster of no tiles, or another number of columns than tiles.
pub fn raster_sample_all(
    rec: &mut Recorder,
    layers: &[Column],
    points: &Column,
    raster: &Raster,
    share: Share,
) -> Result<Column> {
    rec.all_or_nothing(|rec| raster_sample_all_steps(rec, layers, points, raster, share))
}

fn raster_sample_all_steps(
    rec: &mut Recorder,
    layers: &[Column],
    points: &Column,
    raster: &Raster,
    share: Share,
) -> Result<Column> {
    let name = RASTER_SAMPLE.name();
    raster.check_layers(name, "layer", layers)?;
    let Some(first) = layers.first() else {
        return Err(Error::Invalid {
            what: format!("the raster of `{name}`"),
            expected: "at least one tile".to_owned(),
            found: "none".to_owned(),
        });
    };
    layers.iter().try_for_each(|layer| same_lanes("layer", first, layer))?;
    for layer in layers {
        rec.check_column(name, "layer", Element::F32, layer)?;
    }
    let dst = rec.output(Element::F32, first.lanes(), points.capacity(), name, "dst")?;
    rec.fill(&dst, 0)?;
    for (tile, layer) in (0..).zip(layers) {
        raster_sample(rec, layer, points, raster, tile, &dst, share)?;
    }
    Ok(match points.live_count() {
        Some(count) => dst.with_live(&count)?,
        None => dst,
    })
}

fn same_lanes(binding: &str, layer: &Column, other: &Column) -> Result<()> {
    if other.lanes() == layer.lanes() {
        return Ok(());
    }
    let expected = format!("{} lanes, as layer has", layer.lanes());
    Err(shape(RASTER_SAMPLE.name(), binding, expected, other))
}

/// The cells between whose centres a point is: the twin of `raster_sample.wgsl`.
#[derive(Clone, Copy)]
struct Between {
    low: i32,
    high: i32,
    part: f32,
}

/// A tile as the points see it along an axis.
#[derive(Clone, Copy)]
struct Axis {
    origin: f32,
    size: f32,
    first: i32,
    interior: i32,
    /// The last cell of the raster.
    last: i32,
    is_shared: bool,
}

impl Axis {
    /// The cells that a clean coordinate reads; `None` where it stands in another tile's interior.
    fn between(self, position: f32) -> Option<Between> {
        let u = cells_along(position, self.origin, self.size);
        let cell = (zero_noise::floor(u) as i32).clamp(0, self.last);
        if !(0..self.interior).contains(&(cell - self.first)) {
            return None;
        }
        if !self.is_shared {
            return Some(Between {
                low: cell,
                high: cell,
                part: 0.0,
            });
        }
        let slack = zero_noise::div((position.abs() + self.origin.abs()) * SLACK, self.size);
        let mut centre = u - 0.5;
        if (centre - cell as f32).abs() <= slack {
            centre = cell as f32;
        }
        let centre = centre.clamp(0.0, self.last as f32);
        let low = zero_noise::floor(centre);
        Some(Between {
            low: low as i32,
            high: (low as i32 + 1).min(self.last),
            part: centre - low,
        })
    }
}

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let is_shared = p.option("SHARE")? == "bilinear";
    let axis = |origin, size, first, interior, count| {
        Ok::<Axis, Error>(Axis {
            origin: p.f32(origin)?,
            size: p.f32(size)?,
            first: p.u32(first)? as i32,
            interior: p.u32(interior)? as i32,
            last: p.u32(count)?.max(1) as i32 - 1,
            is_shared,
        })
    };
    let along_x = axis("origin_x", "size_x", "first_x", "wide", "count_x")?;
    let along_z = axis("origin_z", "size_z", "first_z", "high", "count_z")?;
    let (stride, apron) = (p.u32("stride")? as i32, p.u32("apron")? as i32);
    let (lanes, places) = ((b.lanes("layer") as usize).max(1), (b.lanes("points") as usize).max(1));
    let (layer, points) = (b.read::<f32>("layer")?, b.read::<f32>("points")?);
    let live = range.start..range.end.min(p.live() as usize);
    let blend = |a: f32, b: f32, part: f32| a + (b - a) * part;
    for (dst, i) in b.write::<f32>("dst")?.chunks_exact_mut(lanes).zip(live) {
        let place = points.get(i * places..(i + 1) * places).unwrap_or_default();
        let (Some(&x), Some(&z)) = (place.first(), place.last()) else {
            continue;
        };
        let (x, z) = (zero_noise::clean(x), zero_noise::clean(z));
        let (Some(x), Some(z)) = (along_x.between(x), along_z.between(z)) else {
            continue;
        };
        let cell = |x: i32, z: i32| {
            let (x, z) = (x - along_x.first + apron, z - along_z.first + apron);
            // A tile without the apron that it needs is refused where it is recorded.
            let first = stored_cell(stride, x.max(0), z.max(0)) * lanes;
            layer.get(first..first + lanes).unwrap_or_default()
        };
        if !is_shared {
            let own = cell(x.low, z.low);
            dst.iter_mut().zip(own).for_each(|(to, value)| *to = *value);
            continue;
        }
        let near = cell(x.low, z.low).iter().zip(cell(x.high, z.low));
        let far = cell(x.low, z.high).iter().zip(cell(x.high, z.high));
        for (to, ((a, b), (c, d))) in dst.iter_mut().zip(near.zip(far)) {
            *to = blend(blend(*a, *b, x.part), blend(*c, *d, x.part), z.part);
        }
    }
    Ok(())
}
