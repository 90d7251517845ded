//! What points learn from those near them, and the nearest points of places.

use std::ops::{ControlFlow, Range};

use super::hash_grid::{HashGrid, Walker, walk_source, walker};
use super::parallel::part;
use super::positions::{place_of, three_lanes};
use super::same_length;
use crate::{Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Recorder, Result, Rule};

/// The most points that [`hash_nearest`] lists a place.
pub const MAX_NEAREST: u32 = 16;

/// [`hash_measure`].
pub static HASH_MEASURE: Kernel = walker("hash_measure")
    .write("counted", Element::U32, Rule::Domain)
    .write("nearest", Element::F32, Rule::Domain)
    .write("centroid", Element::F32, Rule::Lanes(3))
    .wgsl(walk_source!("hash_measure.wgsl"))
    .cpu(Cpu::Ranges(measure_twin));

/// [`hash_repel`].
pub static HASH_REPEL: Kernel = walker("hash_repel")
    .write("dst", Element::F32, Rule::Lanes(3))
    .wgsl(walk_source!("hash_repel.wgsl"))
    .cpu(Cpu::Ranges(repel_twin));

/// [`hash_average`].
pub static HASH_AVERAGE: Kernel = walker("hash_average")
    .read_domain("values", Element::F32)
    .write("dst", Element::F32, Rule::LanesOf("values"))
    .wgsl(walk_source!("hash_average.wgsl"))
    .cpu(Cpu::Ranges(average_twin));

/// [`hash_nearest`].
pub static HASH_NEAREST: Kernel = walker("hash_nearest")
    .read_domain("places", Element::F32)
    .lanes(3)
    .inout("items", Element::I32)
    .inout("distances", Element::F32)
    .wgsl(walk_source!("hash_places.wgsl", "hash_nearest.wgsl"))
    .cpu(Cpu::Ranges(nearest_twin));

/// What [`hash_measure`] answers, an element a point of the grid.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How many other points are near (`u32`); 0 past the live count.
    pub count: Column,
    /// The distance of the nearest of them (`f32`); -1 where none is, and past the live count.
    pub nearest: Column,
    /// The mean of their positions (`f32`, 3 lanes): the point's own where none is, the origin past the live count.
    pub centroid: Column,
}

/// Counts, for each point of a grid, the others within `radius`, and answers the distance of the nearest and the mean of
/// their positions. What is near and in which order positions are added is said at
/// [`hash_gather`](super::hash_gather()).
///
/// Cost: 1 pass, a walk over the cells around each point.
///
/// # Errors
/// [`Error::Invalid`] for a radius that is not positive or more than 4 cells.
pub fn hash_measure(rec: &mut Recorder, grid: &HashGrid, radius: f32) -> Result<Measured> {
    let done = rec.dispatch(&HASH_MEASURE, grid.arguments(radius)?, Domain::of(&grid.points))?;
    Ok(Measured {
        count: done.column("counted")?,
        nearest: done.column("nearest")?,
        centroid: done.column("centroid")?,
    })
}

/// How each point of a grid is pushed by the others within `radius` (`f32`, 3 lanes): the mean of the unit vectors away
/// from each, weighted by `(radius - distance) / radius`. A point on the very same place has no direction and pushes by
/// nothing, but counts in the mean. Zeros where none is near, and past the live count.
///
/// Cost: 1 pass, a walk over the cells around each point.
///
/// # Errors
/// [`Error::Invalid`] for a radius that is not positive or more than 4 cells.
pub fn hash_repel(rec: &mut Recorder, grid: &HashGrid, radius: f32) -> Result<Column> {
    let done = rec.dispatch(&HASH_REPEL, grid.arguments(radius)?, Domain::of(&grid.points))?;
    done.column("dst")
}

/// The mean of `values` (`f32`, any lanes, one an element of the points) over the other points within `radius` of each
/// point of a grid, added in the order of [`hash_gather`](super::hash_gather()). A point's own values where none is near,
/// zeros past the live count.
///
/// Cost: 1 pass, a walk over the cells around each point for every lane.
///
/// # Errors
/// [`Error::Invalid`] for a radius that is not positive or more than 4 cells, [`Error::WrongShape`] for values of
/// another length, [`Error::WrongElement`] for other than floats.
pub fn hash_average(rec: &mut Recorder, grid: &HashGrid, values: &Column, radius: f32) -> Result<Column> {
    let domain = Domain::of(&grid.points);
    same_length(HASH_AVERAGE.name(), "values", values, &domain)?;
    let arguments = grid.arguments(radius)?.with("values", values);
    rec.dispatch(&HASH_AVERAGE, arguments, domain)?.column("dst")
}

/// What [`hash_nearest`] answers, an element a place.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Numbers of the nearest points (`i32`, `k` lanes), the nearest first, of equally near ones the lower number first;
    /// -1 where there is none, and past the live count.
    pub items: Column,
    /// Their distances (`f32`, `k` lanes); -1 where there is none.
    pub distances: Column,
}

/// The `k` nearest points of a grid within `radius` of each of `places` (`f32`, 3 lanes). A place that is a point of the
/// grid is nearest to itself. What is near is said at [`hash_gather`](super::hash_gather()).
///
/// Cost: 1 pass, a walk over the cells around each place.
///
/// # Errors
/// [`Error::Invalid`] for `k` of 0 or more than 16, or a radius that is not positive or more than 4 cells;
/// [`Error::WrongShape`] where `places` has not 3 lanes, [`Error::WrongElement`] where they are not floats.
pub fn hash_nearest(rec: &mut Recorder, grid: &HashGrid, places: &Column, k: u32, radius: f32) -> Result<Nearest> {
    rec.all_or_nothing(|rec| hash_nearest_steps(rec, grid, places, k, radius))
}

fn hash_nearest_steps(rec: &mut Recorder, grid: &HashGrid, places: &Column, k: u32, radius: f32) -> Result<Nearest> {
    if !(1..=MAX_NEAREST).contains(&k) {
        return Err(Error::Invalid {
            what: "nearest points of a place".to_owned(),
            expected: format!("1 to {MAX_NEAREST}"),
            found: k.to_string(),
        });
    }
    three_lanes(HASH_NEAREST.name(), "places", places)?;
    let output = |rec: &Recorder, element, name| {
        let column = rec.output(element, k, places.capacity(), HASH_NEAREST.name(), name)?;
        Ok(match places.live_count() {
            Some(count) => column.with_live(&count)?,
            None => column,
        })
    };
    let (items, distances) = (
        output(rec, Element::I32, "items")?,
        output(rec, Element::F32, "distances")?,
    );
    let arguments = grid
        .arguments(radius)?
        .with("places", places)
        .with("items", &items)
        .with("distances", &distances);
    rec.dispatch(&HASH_NEAREST, arguments, Domain::of(places))?;
    Ok(Nearest { items, distances })
}

fn measure_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let outputs = b.write::<u32>("counted")?.iter_mut().zip(b.write::<f32>("nearest")?);
    let outputs = outputs.zip(b.write::<f32>("centroid")?.chunks_exact_mut(3));
    for (((count, nearest), centroid), i) in outputs.zip(range) {
        (*count, *nearest) = (0, -1.0);
        centroid.fill(0.0);
        if i >= p.live() as usize {
            continue;
        }
        let (own, mut least, mut sum) = (walker.point(i), None, [0.0f32; 3]);
        walker.visit(own, |number, point, square| {
            if number != i {
                *count += 1;
                least = Some(least.map_or(square, |least: f32| if square < least { square } else { least }));
                sum = add(sum, point);
            }
            ControlFlow::Continue(())
        })?;
        let middle = match least {
            Some(square) => {
                *nearest = zero_noise::sqrt(square);
                sum.map(|sum| zero_noise::div(sum, *count as f32))
            }
            None => own,
        };
        centroid.copy_from_slice(&middle);
    }
    Ok(())
}

fn repel_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let radius = p.f32("radius")?;
    for (dst, i) in b.write::<f32>("dst")?.chunks_exact_mut(3).zip(range) {
        let (mut found, mut sum) = (0u32, [0.0f32; 3]);
        if i < p.live() as usize {
            let own = walker.point(i);
            walker.visit(own, |number, point, square| {
                if number != i {
                    found += 1;
                    let far = zero_noise::sqrt(square);
                    let weight = zero_noise::div(radius - far, radius).max(0.0);
                    let away = [own[0] - point[0], own[1] - point[1], own[2] - point[2]];
                    sum = add(sum, away.map(|away| zero_noise::div(away, far) * weight));
                }
                ControlFlow::Continue(())
            })?;
        }
        dst.copy_from_slice(&sum.map(|sum| zero_noise::div(sum, found as f32)));
    }
    Ok(())
}

fn average_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let lanes = (b.lanes("values") as usize).max(1);
    let values = part(b.kernel, "values", b.read::<f32>("values")?, 0..p.n() as usize * lanes)?;
    let of = |number: usize| values.get(number * lanes..(number + 1) * lanes).unwrap_or_default();
    for (dst, i) in b.write::<f32>("dst")?.chunks_exact_mut(lanes).zip(range) {
        dst.fill(0.0);
        if i >= p.live() as usize {
            continue;
        }
        let mut found = 0u32;
        walker.visit(walker.point(i), |number, _, _| {
            if number != i {
                found += 1;
                dst.iter_mut().zip(of(number)).for_each(|(sum, value)| *sum += value);
            }
            ControlFlow::Continue(())
        })?;
        if found == 0 {
            dst.copy_from_slice(of(i));
        } else {
            dst.iter_mut()
                .for_each(|sum| *sum = zero_noise::div(*sum, found as f32));
        }
    }
    Ok(())
}

fn nearest_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let k = (b.lanes("items") as usize).clamp(1, MAX_NEAREST as usize);
    let places = b.read::<f32>("places")?;
    let items = b.write::<i32>("items")?.chunks_exact_mut(k);
    let distances = b.write::<f32>("distances")?.chunks_exact_mut(k);
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(MAX_NEAREST as usize + 1);
    for ((items, distances), i) in items.zip(distances).zip(range) {
        best.clear();
        if i < p.live() as usize {
            walker.visit(place_of(places, i), |number, _, square| {
                let at = best.partition_point(|held| *held < (square, number));
                best.insert(at, (square, number));
                best.truncate(k);
                ControlFlow::Continue(())
            })?;
        }
        items.fill(-1);
        distances.fill(-1.0);
        for ((item, distance), &(square, number)) in items.iter_mut().zip(distances).zip(&best) {
            (*item, *distance) = (number as i32, zero_noise::sqrt(square));
        }
    }
    Ok(())
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
