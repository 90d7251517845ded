//! The primitives that rays meet.

use std::ops::Range;

use super::bvh::{Bvh, asking};
use super::bvh_leaf::{Ball, Block, Bounds, Leaf, Met, Triangle, Vector, all_near, sub, words_of};
use super::bvh_tree::{NONE, for_shape};
use super::bvh_walk::{Nodes, Walker};
use super::shape;
use crate::{Column, Cpu, CpuBindings, CpuExec, CpuParams, Domain, Element, Kernel, Recorder, Result, Rule};

/// As in `bvh_ray.wgsl`.
const WIDER: f32 = 1.0 / 524_288.0;
const ACROSS: f32 = 1.0 / 16_777_216.0;
/// 2^-30: the least length of a ray's direction along its longest axis.
const SHORTEST: f32 = 1.0 / 1_073_741_824.0;

/// [`bvh_ray`].
pub static BVH_RAY: Kernel = asking("bvh_ray")
    .read_domain("rays", Element::F32)
    .lanes(8)
    .write("primitive", Element::I32, Rule::Domain)
    .write("t", Element::F32, Rule::Domain)
    .write("uv", Element::F32, Rule::Lanes(2))
    .write("visited", Element::U32, Rule::Domain)
    .specialize("MODE", &["nearest", "any"])
    .wgsl(concat!(
        include_str!("bvh_box.wgsl"),
        include_str!("bvh_vector.wgsl"),
        include_str!("bvh_leaf.wgsl"),
        include_str!("bvh_walk.wgsl"),
        include_str!("bvh_ray.wgsl")
    ))
    .cpu(Cpu::Ranges(ray_twin));

/// Which hit of a ray is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RayMode {
    /// The one of the least `t`, of equally near ones that of the lowest primitive.
    #[default]
    Nearest,
    /// The first that the walk comes by, on every device the same: enough to know that something is in the way.
    Any,
}

impl RayMode {
    /// The option of the `MODE` specialization.
    fn option(self) -> &'static str {
        match self {
            RayMode::Nearest => "nearest",
            RayMode::Any => "any",
        }
    }
}

/// What [`bvh_ray`] answers, an element a ray.
#[derive(Clone, Debug)]
pub struct BvhHits {
    /// The primitive that is met (`i32`); -1 where none is, and past the live count.
    pub primitive: Column,
    /// Where on the ray, in lengths of its direction (`f32`); 0 where nothing is met.
    pub t: Column,
    /// In a triangle the shares of its second and third corner (`f32`, 2 lanes; the first has the rest); else 0.
    pub uv: Column,
    /// Nodes and leaves that were looked at (`u32`).
    pub visited: Column,
}

/// What each of `rays` meets. A ray is eight floats: its origin, its direction (of any length), and the least and the
/// greatest `t` that count, both included; the latter may be infinite.
///
/// Triangles have two sides. Boxes and balls are solid: a ray that starts inside meets them at its least `t`.
///
/// No ray slips between triangles that share an edge or a corner, by the positions of their corners to the bit: the test is
/// that of Woop, Benthin and Wald, *Watertight Ray/Triangle Intersection* (2013), in which what is exactly on an edge is in
/// both its triangles, and boxes are widened by more than rounding takes from them. A triangle seen edge-on, or without an
/// area, is not met. `t` rounds to within the widened box of its primitive (2^-19 of its reach from the origin at most).
///
/// A ray meets nothing whose direction is 0, or whose longest axis is below 2^-30 or beyond 2^30, or an origin beyond 2^30,
/// or which has anything that is no number.
///
/// Cost: 1 pass; with few overlapping boxes some 2 log2 n nodes.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) where `rays` has not 8 lanes,
/// [`Error::WrongElement`](crate::Error::WrongElement) where they are not floats.
pub fn bvh_ray(rec: &mut Recorder, bvh: &Bvh, rays: &Column, mode: RayMode) -> Result<BvhHits> {
    if rays.lanes() != 8 {
        return Err(shape(BVH_RAY.name(), "rays", "8 lanes".to_owned(), rays));
    }
    let arguments = bvh.arguments().with("rays", rays).with("MODE", mode.option());
    let done = rec.dispatch(&BVH_RAY, arguments, Domain::of(rays))?;
    Ok(BvhHits {
        primitive: done.column("primitive")?,
        t: done.column("t")?,
        uv: done.column("uv")?,
        visited: done.column("visited")?,
    })
}

/// Where a ray is in something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) near: f32,
    pub(super) far: f32,
}

/// A ray made ready: the twin of `bvh_ray.wgsl`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) origin: Vector,
    pub(super) direction: Vector,
    /// Of the direction; 0 for an axis that the ray runs across.
    inverse: Vector,
    /// What straightens the ray along its longest axis, the third of `axes`.
    shear: Vector,
    axes: [usize; 3],
    from: f32,
    to: f32,
}

impl Ray {
    /// The ray of eight words, if there is such a ray.
    fn of(words: &[f32]) -> Option<Ray> {
        let &[ox, oy, oz, dx, dy, dz, from, to] = words else {
            return None;
        };
        if !(all_near([ox, oy, oz]) && all_near([dx, dy, dz])) || from.is_nan() || to.is_nan() {
            return None;
        }
        let direction = [dx, dy, dz].map(zero_noise::clean);
        let [x, y, z] = direction.map(f32::abs);
        let longest = if z > x.max(y) { 2 } else { usize::from(y > x) };
        let axes = [(longest + 1) % 3, (longest + 2) % 3, longest];
        let along = direction[longest];
        if along.abs() < SHORTEST {
            return None;
        }
        let invert = |d: f32| {
            if d.abs() < along.abs() * ACROSS {
                0.0
            } else {
                zero_noise::recip(d)
            }
        };
        let (from, to) = (zero_noise::clean(from), zero_noise::clean(to));
        (from <= to).then(|| Ray {
            origin: [ox, oy, oz].map(zero_noise::clean),
            direction,
            inverse: direction.map(invert),
            shear: [
                zero_noise::div(direction[axes[0]], along),
                zero_noise::div(direction[axes[1]], along),
                zero_noise::recip(along),
            ],
            axes,
            from,
            to,
        })
    }

    /// Where the ray is in a box. A box in another never has a wider span: every step keeps the order of what goes in.
    pub(super) fn slabs(&self, bounds: &Bounds, wider: f32) -> Option<Span> {
        if bounds.is_empty() {
            return None;
        }
        let (low, high) = (sub(bounds.low, self.origin), sub(bounds.high, self.origin));
        let side = |axis: usize| low[axis].abs().max(high[axis].abs());
        let margin = side(0).max(side(1)).max(side(2)) * wider;
        let mut span = Span {
            near: f32::MIN,
            far: f32::MAX,
        };
        for axis in 0..3 {
            let (from, to) = (low[axis] - margin, high[axis] + margin);
            if self.inverse[axis] == 0.0 {
                if from > 0.0 || to < 0.0 {
                    return None;
                }
            } else {
                let (a, b) = (from * self.inverse[axis], to * self.inverse[axis]);
                span.near = span.near.max(a.min(b));
                span.far = span.far.min(a.max(b));
            }
        }
        (span.near <= span.far).then_some(span)
    }

    /// A corner as the ray sees it: across, across, and how far along the ray.
    pub(super) fn sheared(&self, corner: Vector) -> Vector {
        let p = sub(corner, self.origin);
        let along = p[self.axes[2]];
        [
            p[self.axes[0]] - self.shear[0] * along,
            p[self.axes[1]] - self.shear[1] * along,
            self.shear[2] * along,
        ]
    }
}

/// A ray on its way through a tree, and the best that it has met.
struct Way<'a, L> {
    ray: Ray,
    leaves: &'a [f32],
    is_any: bool,
    found: u32,
    best: f32,
    shares: [f32; 2],
    kind: std::marker::PhantomData<L>,
}

impl<L: Leaf> Walker for Way<'_, L> {
    fn reach(&self, bounds: &Bounds) -> Option<f32> {
        let span = self.ray.slabs(bounds, WIDER)?;
        let at = span.near.max(self.ray.from);
        (at <= span.far.min(self.best)).then_some(at)
    }

    fn take(&mut self, leaf: usize, primitive: u32) {
        if self.limit().is_none() {
            return;
        }
        let words = words_of::<L>(self.leaves, leaf);
        let met = self.ray.slabs(&L::bounds(words), WIDER);
        let Some(Met { span, shares }) = met.and_then(|span| L::meet(words, &self.ray, span)) else {
            return;
        };
        let at = span.near.max(self.ray.from);
        let is_nearer = at < self.best || (at == self.best && primitive < self.found);
        if at <= span.far.min(self.ray.to) && is_nearer {
            (self.best, self.found, self.shares) = (at, primitive, shares);
        }
    }

    fn limit(&self) -> Option<f32> {
        (!self.is_any || self.found == NONE).then_some(self.best)
    }
}

fn ray_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, follow(range, b, p, x))
}

fn follow<L: Leaf>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let mut nodes = Nodes::of(b.read::<u32>("nodes")?, x.cancel);
    let (leaves, rays) = (b.read::<f32>("leaves")?, b.read::<f32>("rays")?);
    let is_any = p.option("MODE")? == "any";
    let hits = b.write::<i32>("primitive")?.iter_mut().zip(b.write::<f32>("t")?);
    let hits = hits.zip(b.write::<f32>("uv")?.chunks_exact_mut(2));
    for ((((primitive, t), uv), visited), i) in hits.zip(b.write::<u32>("visited")?).zip(range) {
        (*primitive, *t, *visited) = (-1, 0.0, 0);
        uv.fill(0.0);
        let words = rays.get(i * 8..i * 8 + 8).filter(|_| i < p.live() as usize);
        let Some(ray) = words.and_then(Ray::of) else {
            continue;
        };
        let mut way = Way::<L> {
            best: ray.to,
            ray,
            leaves,
            is_any,
            found: NONE,
            shares: [0.0; 2],
            kind: std::marker::PhantomData,
        };
        *visited = nodes.walk(&mut way)?;
        if way.found != NONE {
            (*primitive, *t) = (way.found.cast_signed(), zero_noise::clean(way.best));
            uv.copy_from_slice(&way.shares.map(zero_noise::clean));
        }
    }
    Ok(())
}
