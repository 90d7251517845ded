//! A tree of boxes over primitives (a bounding volume hierarchy, built in one sweep over sorted Morton codes).

use super::bvh_shapes::{BVH_BOXES, BVH_POINTS, BVH_TRIANGLES};
use super::bvh_tree::{BVH_INTERNAL, BVH_KEYS, BVH_PYRAMID, LEAF_LANES, NODE, SHAPES};
use super::gather::gather;
use super::positions::three_lanes;
use super::reduce::{Reduce, reduce};
use super::shape;
use super::sort::sort;
use crate::{Args, Column, Determinism, Dispatch, Domain, Element, Error, Kernel, Param, Recorder, Result, args};

/// What stands at the leaves of a [`Bvh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BvhShape {
    /// Triangles, by their corners.
    Triangles,
    /// Solid boxes along the axes.
    Boxes,
    /// Solid balls.
    Balls,
}

impl BvhShape {
    /// The option of the `SHAPE` specialization.
    fn option(self) -> &'static str {
        match self {
            BvhShape::Triangles => SHAPES[0],
            BvhShape::Boxes => SHAPES[1],
            BvhShape::Balls => SHAPES[2],
        }
    }
}

/// A tree of boxes over primitives, as [`bvh_triangles`], [`bvh_boxes`], [`bvh_points`] and [`bvh_balls`] build it and
/// [`bvh_ray`](super::bvh_ray()), [`bvh_nearest`](super::bvh_nearest()) and [`bvh_overlap`](super::bvh_overlap()) ask it.
///
/// The same primitives give the same tree on every device. Leaves stand in the order of the Morton codes of their centres
/// in the bounds of all (30 bits, each given to the axis whose cells are longest: Vinkler, Bittner and Havran, *Extended
/// Morton Codes for High Performance Bounding Volume Hierarchy Construction*, 2017), primitives of one code in the order
/// of their numbers. Inner node 0 is the root; a node parts its leaves where the first bit of their codes differs, and
/// those of one code by the bits of their places (Karras, *Maximizing Parallelism in the Construction of BVHs, Octrees,
/// and k-d Trees*, 2012), so that no path is longer than 63 nodes, whatever the codes.
///
/// A primitive is *void* and found by nothing that names no point, has a coordinate that is no number or lies beyond 2^30,
/// an upper bound below its lower one, or a radius below 0. Void primitives are the last leaves. One without a volume or
/// an area is a primitive like any other.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// Nodes (`u32`, 9 lanes, live with the primitives). Of inner node `i`: the bits of the three lower and the three
    /// upper bounds of its box, and its two children, a leaf's number with the top bit set, `u32::MAX` for none. The last
    /// lane is the primitive of leaf `i`. The last inner node is that before the last leaf; a single leaf has one above
    /// it.
    pub nodes: Column,
    /// The shapes at the leaves (`f32`), in their order: the corners of a triangle (9 lanes), the bounds of a box (6), the
    /// centre and the radius of a ball (4). A first lane of 2^32 is void.
    pub leaves: Column,
    /// Primitives in the order of the leaves (`i32`); -1 past the live count.
    pub order: Column,
    /// What the primitives are.
    pub shape: BvhShape,
}

/// What the kernels that ask a tree bind and are told.
pub(super) const fn asking(name: &'static str) -> Kernel {
    Kernel::declare(name)
        .read("nodes", Element::U32)
        .lanes(NODE as u32)
        .read("leaves", Element::F32)
        .lanes_between(LEAF_LANES[0], LEAF_LANES[1])
        .param("capacity", Param::U32(0))
        .specialize("SHAPE", SHAPES)
        .determinism(Determinism::Exact)
}

impl Bvh {
    /// What a kernel binds that includes `@builtin::systems.procgen.bvh_overlap` (feature `author`): `nodes`
    /// ([`nodes`](Self::nodes)) and `leaves` ([`leaves`](Self::leaves)).
    pub fn bindings(&self) -> Args {
        args! { nodes: &self.nodes, leaves: &self.leaves }
    }

    /// The arguments of a kernel that asks this tree, without those of its own.
    pub(super) fn arguments(&self) -> Args {
        args! {
            nodes: &self.nodes, leaves: &self.leaves, capacity: self.nodes.capacity(), SHAPE: self.shape.option(),
        }
    }
}

/// A tree over triangles: three point numbers each (`i32`, 3 lanes) into `positions` (`f32`, 3 lanes, read up to their
/// capacity). Of live triangles only the live front is in the tree.
///
/// ```
/// use zero_compute::{kernels::{RayMode, bvh_nearest, bvh_ray, bvh_triangles}, CpuOptions, Device};
///
/// let device = Device::cpu(CpuOptions::default());
/// let corners = device.upload(&[0.0f32, 1.0, 0.0, 4.0, 1.0, 0.0, 0.0, 1.0, 4.0, 4.0, 1.0, 4.0], 3)?;
/// let triangles = device.upload(&[0, 2, 1, 1, 2, 3], 3)?;
/// // From above, straight down: an origin, a direction, and the least and the greatest t.
/// let rays = device.upload(&[1.0f32, 3.0, 1.0, 0.0, -1.0, 0.0, 0.0, f32::INFINITY], 8)?;
/// let places = device.upload(&[3.0f32, 0.0, 9.0], 3)?;
///
/// let mut rec = device.record("a square");
/// let tree = bvh_triangles(&mut rec, &corners, &triangles)?;
/// let hits = bvh_ray(&mut rec, &tree, &rays, RayMode::Nearest)?;
/// let near = bvh_nearest(&mut rec, &tree, &places, 100.0)?;
/// rec.finish()?.submit()?;
///
/// assert_eq!(hits.primitive.read::<i32>()?.wait()?, [0]);
/// assert_eq!(hits.t.read::<f32>()?.wait()?, [2.0]);
/// assert_eq!(near.primitive.read::<i32>()?.wait()?, [1]);
/// assert_eq!(near.point.read::<f32>()?.wait()?, [3.0, 1.0, 4.0]);
/// # Ok::<(), zero_compute::Error>(())
/// ```
///
/// Cost: 42 passes, most of them a stable sort; beside the tree workspace of some 20 words a primitive.
///
/// # Errors
/// [`Error::WrongShape`] for other than 3 lanes, [`Error::WrongElement`] where `positions` are not floats or `triangles`
/// not `i32`, [`Error::TooLarge`] for more primitives than 36 bytes each can be bound of (3.7 million by default).
pub fn bvh_triangles(rec: &mut Recorder, positions: &Column, triangles: &Column) -> Result<Bvh> {
    rec.all_or_nothing(|rec| bvh_triangles_steps(rec, positions, triangles))
}

fn bvh_triangles_steps(rec: &mut Recorder, positions: &Column, triangles: &Column) -> Result<Bvh> {
    three_lanes(BVH_TRIANGLES.name(), "positions", positions)?;
    three_lanes(BVH_TRIANGLES.name(), "triangles", triangles)?;
    let arguments = args! { positions: positions, triangles: triangles };
    let shaped = rec.dispatch(&BVH_TRIANGLES, arguments, Domain::of(triangles))?;
    build(rec, &shaped, BvhShape::Triangles)
}

/// A tree over boxes: three lower and three upper bounds each (`f32`, 6 lanes).
///
/// Cost: that of [`bvh_triangles`].
///
/// # Errors
/// [`Error::WrongShape`] for other than 6 lanes, [`Error::WrongElement`] for other than floats, [`Error::TooLarge`] as
/// [`bvh_triangles`].
pub fn bvh_boxes(rec: &mut Recorder, boxes: &Column) -> Result<Bvh> {
    rec.all_or_nothing(|rec| bvh_boxes_steps(rec, boxes))
}

fn bvh_boxes_steps(rec: &mut Recorder, boxes: &Column) -> Result<Bvh> {
    if boxes.lanes() != 6 {
        return Err(shape(BVH_BOXES.name(), "boxes", "6 lanes".to_owned(), boxes));
    }
    let shaped = rec.dispatch(&BVH_BOXES, args! { boxes: boxes }, Domain::of(boxes))?;
    build(rec, &shaped, BvhShape::Boxes)
}

/// A tree over points (`f32`, 3 lanes), each a ball of `radius`, which may be 0.
///
/// Cost: that of [`bvh_triangles`].
///
/// # Errors
/// [`Error::Invalid`] for a radius below 0, beyond 2^30 or that is no number, [`Error::WrongShape`] for other than 3 lanes,
/// [`Error::WrongElement`] for other than floats, [`Error::TooLarge`] as [`bvh_triangles`].
pub fn bvh_points(rec: &mut Recorder, points: &Column, radius: f32) -> Result<Bvh> {
    rec.all_or_nothing(|rec| bvh_points_steps(rec, points, radius))
}

fn bvh_points_steps(rec: &mut Recorder, points: &Column, radius: f32) -> Result<Bvh> {
    const FAR: f32 = 1_073_741_824.0;
    if !(0.0..=FAR).contains(&radius) {
        return Err(Error::Invalid {
            what: "radius of points in a tree of boxes".to_owned(),
            expected: format!("0 to {FAR}"),
            found: radius.to_string(),
        });
    }
    three_lanes(BVH_POINTS.name(), "points", points)?;
    let arguments = args! { points: points, radius: radius };
    let shaped = rec.dispatch(&BVH_POINTS, arguments, Domain::of(points))?;
    build(rec, &shaped, BvhShape::Balls)
}

/// A tree over balls: a centre and a radius each (`f32`, 4 lanes).
///
/// Cost: that of [`bvh_triangles`].
///
/// # Errors
/// [`Error::WrongShape`] for other than 4 lanes, [`Error::WrongElement`] for other than floats, [`Error::TooLarge`] as
/// [`bvh_triangles`].
pub fn bvh_balls(rec: &mut Recorder, balls: &Column) -> Result<Bvh> {
    rec.all_or_nothing(|rec| bvh_balls_steps(rec, balls))
}

fn bvh_balls_steps(rec: &mut Recorder, balls: &Column) -> Result<Bvh> {
    if balls.lanes() != 4 {
        return Err(shape(BVH_POINTS.name(), "points", "4 lanes".to_owned(), balls));
    }
    let shaped = rec.dispatch(&BVH_POINTS, args! { points: balls }, Domain::of(balls))?;
    build(rec, &shaped, BvhShape::Balls)
}

fn build(rec: &mut Recorder, shaped: &Dispatch, kind: BvhShape) -> Result<Bvh> {
    let shapes = shaped.column("shapes")?;
    let (lows, highs) = (shaped.column("lows")?, shaped.column("highs")?);
    let (least, greatest) = (reduce(rec, &lows, Reduce::Min)?, reduce(rec, &highs, Reduce::Max)?);
    let arguments = args! { lows: &lows, highs: &highs, least: &least, greatest: &greatest };
    let codes = rec
        .dispatch(&BVH_KEYS, arguments, Domain::of(&shapes))?
        .column("codes")?;
    let sorted = sort(rec, &codes, None)?;
    let leaves = gather(rec, &shapes, &sorted.values)?;
    // Groups of leaves past the live count are folded too, and never looked at.
    let arguments = args! { leaves: &leaves, SHAPE: kind.option() };
    let pyramid = rec.dispatch(&BVH_PYRAMID, arguments, Domain::of(&leaves.as_capacity()))?;
    let arguments = args! {
        codes: &sorted.keys, order: &sorted.values, leaves: &leaves, pyramid: &pyramid.column("pyramid")?,
        SHAPE: kind.option(),
    };
    let nodes = rec.dispatch(&BVH_INTERNAL, arguments, Domain::of(&leaves))?;
    Ok(Bvh {
        nodes: nodes.column("nodes")?,
        leaves,
        order: sorted.values,
        shape: kind,
    })
}
