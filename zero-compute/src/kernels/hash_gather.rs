//! The points near each of some places, as a packed list.

use std::ops::{ControlFlow, Range};

use super::hash_grid::{HashGrid, Walker, walk_source, walker};
use super::parallel::{for_each, part, runs};
use super::positions::{place_of, three_lanes};
use super::scan::offsets;
use crate::{Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Kernel, Param, Recorder, Result, Rule};

/// First part of [`hash_gather`]: how many points are near each place.
pub static HASH_COUNT: Kernel = walker("hash_count")
    .read_domain("places", Element::F32)
    .lanes(3)
    .write("written", Element::U32, Rule::Domain)
    .wgsl(walk_source!("hash_places.wgsl", "hash_count.wgsl"))
    .cpu(Cpu::Ranges(count_twin));

/// Last part of [`hash_gather`]: the numbers of the points near each place, from `offsets` of the place on.
pub static HASH_LIST: Kernel = walker("hash_list")
    .read_domain("places", Element::F32)
    .lanes(3)
    .read_domain("offsets", Element::U32)
    .lanes(1)
    .inout("written", Element::I32)
    .param("capacity", Param::U32(0))
    .wgsl(walk_source!("hash_places.wgsl", "hash_list.wgsl"))
    .cpu(Cpu::Whole(list_twin));

/// What [`hash_gather`] answers.
#[derive(Clone, Debug)]
pub struct HashGathered {
    /// Numbers of the points near each place (`i32`), place after place, live with `total`; 0 past it.
    pub items: Column,
    /// Where the items of each place start (`u32`).
    pub offsets: Column,
    /// Points near each place (`u32`).
    pub counts: Column,
    /// The sum of the counts (one `u32`), which may exceed the capacity: the items that did not fit were not written.
    pub total: Column,
}

/// Lists the points of a grid within `radius` of each of `places` (`f32`, 3 lanes), in a column of `capacity` items.
///
/// A point is near where its squared distance, rounded, is at most `radius * radius`, rounded; a place that is a point
/// of the grid is near itself. Items of a place stand cell by cell (Z, then Y, then X ascending), and in a cell by their
/// number. `total` states the true count whatever the capacity: where it is greater, the first `capacity` items were
/// written. Past the live count of `places` nothing is near. 2^32 pairs and more are counted as 2^32 - 1, more than fit.
///
/// Cost: 6 passes, two of them walks over the cells around each place (27 to 64 for a radius of a cell).
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) for a radius that is not positive or more than 4 cells,
/// [`Error::WrongShape`](crate::Error::WrongShape) where `places` has not 3 lanes,
/// [`Error::WrongElement`](crate::Error::WrongElement) where they are not floats.
pub fn hash_gather(
    rec: &mut Recorder,
    grid: &HashGrid,
    places: &Column,
    radius: f32,
    capacity: u32,
) -> Result<HashGathered> {
    rec.all_or_nothing(|rec| hash_gather_steps(rec, grid, places, radius, capacity))
}

fn hash_gather_steps(
    rec: &mut Recorder,
    grid: &HashGrid,
    places: &Column,
    radius: f32,
    capacity: u32,
) -> Result<HashGathered> {
    three_lanes(HASH_COUNT.name(), "places", places)?;
    let domain = Domain::of(places);
    let arguments = grid.arguments(radius)?.with("places", places);
    let counts = rec
        .dispatch(&HASH_COUNT, arguments.clone(), domain.clone())?
        .column("written")?;
    let starts = offsets(rec, &counts)?;
    let items = rec.output(Element::I32, 1, capacity, HASH_LIST.name(), "written")?;
    rec.fill(&items, 0)?;
    let arguments = arguments
        .with("offsets", &starts.dst)
        .with("written", &items)
        .with("capacity", capacity);
    rec.dispatch(&HASH_LIST, arguments, domain)?;
    Ok(HashGathered {
        items: items.with_live(&starts.total)?,
        offsets: starts.dst,
        counts,
        total: starts.total,
    })
}

fn count_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let places = b.read::<f32>("places")?;
    for (count, i) in b.write::<u32>("written")?.iter_mut().zip(range) {
        *count = 0;
        if i < p.live() as usize {
            walker.visit(place_of(places, i), |_, _, _| {
                *count += 1;
                ControlFlow::Continue(())
            })?;
        }
    }
    Ok(())
}

fn list_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let walker = Walker::of(b, p, x)?;
    let places = b.read::<f32>("places")?;
    let offsets = part(b.kernel, "offsets", b.read::<u32>("offsets")?, 0..p.live() as usize)?;
    let mut jobs = runs(offsets, b.write::<i32>("written")?);
    for_each(x, &mut jobs, |job| {
        let mut free = job.items.iter_mut();
        for i in job.owners.clone() {
            if free.len() == 0 {
                break;
            }
            walker.visit(place_of(places, i), |number, _, _| match free.next() {
                Some(item) => {
                    *item = number as i32;
                    ControlFlow::Continue(())
                }
                None => ControlFlow::Break(()),
            })?;
        }
        Ok(())
    })
}
