//! The primitives nearest to places.

use std::ops::Range;

use super::bvh::{Bvh, asking};
use super::bvh_leaf::{Ball, Block, Bounds, Leaf, Triangle, Vector, all_near, words_of};
use super::bvh_tree::{NONE, for_shape};
use super::bvh_walk::{Nodes, Walker};
use super::positions::three_lanes;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Error, Kernel, Param, Recorder, Result, Rule,
};

/// [`bvh_nearest`].
pub static BVH_NEAREST: Kernel = asking("bvh_nearest")
    .read_domain("places", Element::F32)
    .lanes(3)
    .write("primitive", Element::I32, Rule::Domain)
    .write("point", Element::F32, Rule::Lanes(3))
    .write("distances", Element::F32, Rule::Domain)
    .write("visited", Element::U32, Rule::Domain)
    .param("square", Param::F32(f32::MAX))
    .wgsl(concat!(
        include_str!("bvh_box.wgsl"),
        include_str!("bvh_vector.wgsl"),
        include_str!("bvh_leaf.wgsl"),
        include_str!("bvh_walk.wgsl"),
        include_str!("bvh_nearest.wgsl")
    ))
    .cpu(Cpu::Ranges(nearest_twin));

/// What [`bvh_nearest`] answers, an element a place.
#[derive(Clone, Debug)]
pub struct BvhNearest {
    /// The nearest primitive (`i32`); -1 where none is within the radius, and past the live count.
    pub primitive: Column,
    /// Its nearest point (`f32`, 3 lanes); the origin where there is none.
    pub point: Column,
    /// How far it is (`f32`); -1 where there is none.
    pub distance: Column,
    /// Nodes and leaves that were looked at (`u32`).
    pub visited: Column,
}

/// The primitive of a tree that is nearest to each of `places` (`f32`, 3 lanes) within `radius`, which may be infinite;
/// of equally near ones that of the lowest number.
///
/// Boxes and balls are solid: a place inside is its own nearest point. The point found is in the box of its primitive.
/// What counts is its squared distance, rounded, against `radius * radius`, rounded. A triangle without an area is its
/// edges. A place that is no number or has a coordinate beyond 2^30 is near nothing.
///
/// Cost: 1 pass; with few overlapping boxes some 4 log2 n nodes, more the farther the place is from everything.
///
/// # Errors
/// [`Error::Invalid`] for a radius that is not positive or whose square is below the normal numbers,
/// [`Error::WrongShape`] where `places` has not 3 lanes, [`Error::WrongElement`] where they are not floats.
pub fn bvh_nearest(rec: &mut Recorder, bvh: &Bvh, places: &Column, radius: f32) -> Result<BvhNearest> {
    let square = radius * radius;
    if !(radius > 0.0 && square >= f32::MIN_POSITIVE) {
        return Err(Error::Invalid {
            what: "radius around a place in a tree of boxes".to_owned(),
            expected: "a positive number".to_owned(),
            found: radius.to_string(),
        });
    }
    three_lanes(BVH_NEAREST.name(), "places", places)?;
    let arguments = bvh
        .arguments()
        .with("places", places)
        .with("square", square.min(f32::MAX));
    let done = rec.dispatch(&BVH_NEAREST, arguments, Domain::of(places))?;
    Ok(BvhNearest {
        primitive: done.column("primitive")?,
        point: done.column("point")?,
        distance: done.column("distances")?,
        visited: done.column("visited")?,
    })
}

/// A place that looks for what is nearest, and the best that it has found.
struct Search<'a, L> {
    place: Vector,
    leaves: &'a [f32],
    found: u32,
    best: f32,
    point: Vector,
    kind: std::marker::PhantomData<L>,
}

impl<L: Leaf> Walker for Search<'_, L> {
    fn reach(&self, bounds: &Bounds) -> Option<f32> {
        let square = bounds.square(self.place);
        (!bounds.is_empty() && square <= self.best).then_some(square)
    }

    fn take(&mut self, leaf: usize, primitive: u32) {
        let words = words_of::<L>(self.leaves, leaf);
        let bounds = L::bounds(words);
        if self.reach(&bounds).is_none() {
            return;
        }
        let point = L::point(words, &bounds, self.place);
        if point.square < self.best || (point.square == self.best && primitive < self.found) {
            (self.best, self.found, self.point) = (point.square, primitive, point.at);
        }
    }

    fn limit(&self) -> Option<f32> {
        Some(self.best)
    }
}

fn nearest_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, search(range, b, p, x))
}

fn search<L: Leaf>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let mut nodes = Nodes::of(b.read::<u32>("nodes")?, x.cancel);
    let (leaves, places) = (b.read::<f32>("leaves")?, b.read::<f32>("places")?);
    let square = p.f32("square")?;
    let found = b
        .write::<i32>("primitive")?
        .iter_mut()
        .zip(b.write::<f32>("distances")?);
    let found = found.zip(b.write::<f32>("point")?.chunks_exact_mut(3));
    for ((((primitive, distance), point), visited), i) in found.zip(b.write::<u32>("visited")?).zip(range) {
        (*primitive, *distance, *visited) = (-1, -1.0, 0);
        point.fill(0.0);
        let place = match places.get(i * 3..i * 3 + 3) {
            Some(&[x, y, z]) if i < p.live() as usize && all_near([x, y, z]) => [x, y, z].map(zero_noise::clean),
            _ => continue,
        };
        let mut search = Search::<L> {
            place,
            leaves,
            found: NONE,
            best: square,
            point: [0.0; 3],
            kind: std::marker::PhantomData,
        };
        *visited = nodes.walk(&mut search)?;
        if search.found != NONE {
            (*primitive, *distance) = (search.found.cast_signed(), zero_noise::sqrt(search.best));
            point.copy_from_slice(&search.point.map(zero_noise::clean));
        }
    }
    Ok(())
}
