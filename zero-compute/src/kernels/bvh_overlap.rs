//! The primitives whose boxes overlap boxes, as a packed list.

use std::ops::Range;

use super::bvh::{Bvh, asking};
use super::bvh_leaf::{Ball, Block, Bounds, Leaf, Triangle, words_of};
use super::bvh_tree::for_shape;
use super::bvh_walk::Nodes;
use super::parallel::{for_each, part, runs};
use super::scan::offsets;
use super::shape;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Param, Recorder, Result, Rule,
};

macro_rules! overlap_source {
    ($source:literal) => {
        concat!(
            include_str!("bvh_box.wgsl"),
            include_str!("bvh_vector.wgsl"),
            include_str!("bvh_leaf.wgsl"),
            include_str!("bvh_leaves.wgsl"),
            include_str!("bvh_overlap.wgsl"),
            include_str!($source)
        )
    };
}

/// First part of [`bvh_overlap`]: how many primitives overlap each box.
pub static BVH_COUNT: Kernel = asking("bvh_count")
    .read_domain("boxes", Element::F32)
    .lanes(6)
    .write("written", Element::U32, Rule::Domain)
    .write("visited", Element::U32, Rule::Domain)
    .wgsl(overlap_source!("bvh_count.wgsl"))
    .cpu(Cpu::Ranges(count_twin));

/// Last part of [`bvh_overlap`]: the primitives that overlap each box, from `offsets` of the box on.
pub static BVH_LIST: Kernel = asking("bvh_list")
    .read_domain("boxes", Element::F32)
    .lanes(6)
    .read_domain("offsets", Element::U32)
    .lanes(1)
    .inout("written", Element::I32)
    .param("room", Param::U32(0))
    .wgsl(overlap_source!("bvh_list.wgsl"))
    .cpu(Cpu::Whole(list_twin));

/// What [`bvh_overlap`] answers.
#[derive(Clone, Debug)]
pub struct BvhOverlaps {
    /// Primitives that overlap each box (`i32`), box after box, live with `total`; 0 past it.
    pub items: Column,
    /// Where the items of each box start (`u32`).
    pub offsets: Column,
    /// Primitives that overlap each box (`u32`).
    pub counts: Column,
    /// The sum of the counts (one `u32`), which may exceed the capacity: the items that did not fit were not written.
    pub total: Column,
    /// Nodes and leaves that were looked at for each box, counting them (`u32`).
    pub visited: Column,
}

/// Lists the primitives of a tree whose boxes overlap each of `boxes` (three lower and three upper bounds, `f32`, 6 lanes),
/// in a column of `capacity` items.
///
/// Boxes that touch overlap. The items of a box stand in the order of the leaves. `total` states the true count whatever
/// the capacity: where it is greater, the first `capacity` items were written. A box with a bound that is no number, or
/// an upper below its lower, overlaps nothing, and so does one past the live count; infinite bounds are no bounds. All
/// pairs must be fewer than 2^32. [`expand`](super::expand()) of the counts gives each item the number of its box.
///
/// Cost: 6 passes, two of them walks.
///
/// # Errors
/// [`Error::WrongShape`] where `boxes` has not 6 lanes, [`Error::WrongElement`] where they are not floats.
pub fn bvh_overlap(rec: &mut Recorder, bvh: &Bvh, boxes: &Column, capacity: u32) -> Result<BvhOverlaps> {
    rec.all_or_nothing(|rec| bvh_overlap_steps(rec, bvh, boxes, capacity))
}

fn bvh_overlap_steps(rec: &mut Recorder, bvh: &Bvh, boxes: &Column, capacity: u32) -> Result<BvhOverlaps> {
    if boxes.lanes() != 6 {
        return Err(shape(BVH_COUNT.name(), "boxes", "6 lanes".to_owned(), boxes));
    }
    let domain = Domain::of(boxes);
    let arguments = bvh.arguments().with("boxes", boxes);
    let counted = rec.dispatch(&BVH_COUNT, arguments.clone(), domain.clone())?;
    let counts = counted.column("written")?;
    let starts = offsets(rec, &counts)?;
    let items = rec.output(Element::I32, 1, capacity, BVH_LIST.name(), "written")?;
    rec.fill(&items, 0)?;
    let arguments = arguments
        .with("offsets", &starts.dst)
        .with("written", &items)
        .with("room", capacity);
    rec.dispatch(&BVH_LIST, arguments, domain)?;
    Ok(BvhOverlaps {
        items: items.with_live(&starts.total)?,
        offsets: starts.dst,
        counts,
        total: starts.total,
        visited: counted.column("visited")?,
    })
}

fn overlap(a: &Bounds, b: &Bounds) -> bool {
    let axes = [0, 1, 2];
    !a.is_empty()
        && axes
            .iter()
            .all(|&axis: &usize| a.low[axis] <= b.high[axis] && a.high[axis] >= b.low[axis])
}

/// The box that is asked about, if it is one.
fn asked(boxes: &[f32], i: usize) -> Option<Bounds> {
    let words = boxes.get(i * 6..i * 6 + 6)?;
    let bounds = Block::bounds(words);
    let bounds = Bounds {
        low: bounds.low.map(zero_noise::clean),
        high: bounds.high.map(zero_noise::clean),
    };
    let is_box =
        words.iter().all(|word| !word.is_nan()) && bounds.low.iter().zip(bounds.high).all(|(low, high)| *low <= high);
    is_box.then_some(bounds)
}

/// Calls `f` with every primitive whose box overlaps box `i`, until it answers `false`.
fn visit<L: Leaf>(
    nodes: &mut Nodes<'_>,
    leaves: &[f32],
    box_asked: &Bounds,
    mut f: impl FnMut(u32) -> bool,
) -> Result<u32> {
    nodes.leaves(
        |bounds| overlap(bounds, box_asked),
        |leaf, primitive| !overlap(&L::bounds(words_of::<L>(leaves, leaf)), box_asked) || f(primitive),
    )
}

/// A tree as a CPU function sees it that reads `nodes` and `leaves` ([`Bvh::bindings`]): the twin of what a kernel of files
/// includes as `@builtin::systems.procgen.bvh_overlap`.
#[derive(Debug)]
pub struct BvhBoxes<'a> {
    nodes: Nodes<'a>,
    leaves: &'a [f32],
    lanes: u32,
}

impl<'a> BvhBoxes<'a> {
    /// The tree that is bound as `nodes` and `leaves`, asked for as long as `x` is not cancelled. One serves any number of
    /// boxes.
    ///
    /// # Errors
    /// [`Error::BadTwin`] and [`Error::WrongElement`] for a kernel without these bindings, [`Error::WrongShape`] for
    /// `leaves` that have not the lanes of a shape.
    pub fn of(b: &CpuBindings<'a>, x: &CpuExec<'a>) -> Result<Self> {
        let lanes = b.lanes("leaves");
        let leaves = b.read::<f32>("leaves")?;
        if ![Triangle::LANES, Block::LANES, Ball::LANES].contains(&(lanes as usize)) {
            return Err(Error::WrongShape {
                kernel: b.kernel.to_owned(),
                binding: "leaves".to_owned(),
                expected: "9, 6 or 4 lanes, as the leaves of a tree have".to_owned(),
                found: format!("{lanes} lanes"),
            });
        }
        Ok(Self {
            nodes: Nodes::of(b.read::<u32>("nodes")?, x.cancel),
            leaves,
            lanes,
        })
    }

    /// Calls `f` with every primitive whose box overlaps a box (three lower and three upper bounds), in the order of the
    /// leaves, until it answers `false`. Boxes that touch overlap; a box with a bound that is no number, or an upper below
    /// its lower, overlaps nothing. Answers how many nodes and leaves were looked at.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn overlapping(&mut self, bounds: [f32; 6], f: impl FnMut(u32) -> bool) -> Result<u32> {
        let Some(asked) = asked(&bounds, 0) else {
            return Ok(0);
        };
        match self.lanes {
            4 => visit::<Ball>(&mut self.nodes, self.leaves, &asked, f),
            6 => visit::<Block>(&mut self.nodes, self.leaves, &asked, f),
            _ => visit::<Triangle>(&mut self.nodes, self.leaves, &asked, f),
        }
    }
}

fn count_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, count(range, b, p, x))
}

fn count<L: Leaf>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let mut nodes = Nodes::of(b.read::<u32>("nodes")?, x.cancel);
    let (leaves, boxes) = (b.read::<f32>("leaves")?, b.read::<f32>("boxes")?);
    let outputs = b.write::<u32>("written")?.iter_mut().zip(b.write::<u32>("visited")?);
    for ((count, visited), i) in outputs.zip(range) {
        (*count, *visited) = (0, 0);
        let Some(asked) = asked(boxes, i).filter(|_| i < p.live() as usize) else {
            continue;
        };
        *visited = visit::<L>(&mut nodes, leaves, &asked, |_| {
            *count += 1;
            true
        })?;
    }
    Ok(())
}

fn list_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, list(b, p, x))
}

fn list<L: Leaf>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let nodes = b.read::<u32>("nodes")?;
    let (leaves, boxes) = (b.read::<f32>("leaves")?, b.read::<f32>("boxes")?);
    let offsets = part(b.kernel, "offsets", b.read::<u32>("offsets")?, 0..live)?;
    let mut jobs = runs(offsets, b.write::<i32>("written")?);
    for_each(x, &mut jobs, |job| {
        let mut nodes = Nodes::of(nodes, x.cancel);
        let mut free = job.items.iter_mut();
        for asked in job.owners.clone().filter_map(|i| asked(boxes, i)) {
            if free.len() == 0 {
                break;
            }
            visit::<L>(&mut nodes, leaves, &asked, |primitive| match free.next() {
                Some(item) => {
                    *item = primitive.cast_signed();
                    true
                }
                None => false,
            })?;
        }
        Ok(())
    })
}
