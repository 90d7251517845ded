//! Triangles, boxes and points as the shapes at the leaves of a tree, each with the box around it.

use std::ops::Range;

use super::bvh_leaf::{Ball, Block, Bounds, Leaf, Triangle, VOID, Vector, all_near, is_near};
use crate::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

const fn shaped(kernel: Kernel, lanes: usize) -> Kernel {
    kernel
        .write("shapes", Element::F32, Rule::Lanes(lanes as u32))
        .write("lows", Element::F32, Rule::Lanes(3))
        .write("highs", Element::F32, Rule::Lanes(3))
        .determinism(Determinism::Exact)
}

/// First part of [`bvh_triangles`](super::bvh_triangles()): the corners of each triangle and its box.
pub static BVH_TRIANGLES: Kernel = shaped(
    Kernel::declare("bvh_triangles")
        .read("positions", Element::F32)
        .lanes(3)
        .read_domain("triangles", Element::I32)
        .lanes(3),
    Triangle::LANES,
)
.wgsl(concat!(
    include_str!("bvh_box.wgsl"),
    include_str!("bvh_triangles.wgsl")
))
.cpu(Cpu::Ranges(triangles_twin));

/// First part of [`bvh_boxes`](super::bvh_boxes()): each box cleaned.
pub static BVH_BOXES: Kernel = shaped(
    Kernel::declare("bvh_boxes").read_domain("boxes", Element::F32).lanes(6),
    Block::LANES,
)
.wgsl(concat!(include_str!("bvh_box.wgsl"), include_str!("bvh_boxes.wgsl")))
.cpu(Cpu::Ranges(boxes_twin));

/// First part of [`bvh_points`](super::bvh_points()) and [`bvh_balls`](super::bvh_balls()): the ball around each point,
/// of the radius in its fourth lane or, where it has but three, of that of the param, and its box.
pub static BVH_POINTS: Kernel = shaped(
    Kernel::declare("bvh_points")
        .read_domain("points", Element::F32)
        .lanes_between(3, 4)
        .param("radius", Param::F32(0.0)),
    Ball::LANES,
)
.wgsl(concat!(
    include_str!("bvh_box.wgsl"),
    include_str!("bvh_vector.wgsl"),
    include_str!("bvh_points.wgsl")
))
.cpu(Cpu::Ranges(points_twin));

/// Writes the shape of each element of the range, as `shape` answers it, and the box around it; past the live count zeros.
fn write_shapes<L: Leaf, const N: usize>(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    shape: impl Fn(usize) -> Option<[f32; N]>,
) -> Result<()> {
    let shapes = b.write::<f32>("shapes")?.chunks_exact_mut(N);
    let lows = b.write::<f32>("lows")?.chunks_exact_mut(3);
    let highs = b.write::<f32>("highs")?.chunks_exact_mut(3);
    for (((words, low), high), i) in shapes.zip(lows).zip(highs).zip(range) {
        let bounds = if i < p.live() as usize {
            // A ball that is void has no radius; what is void elsewhere is void in every lane.
            match shape(i) {
                Some(shape) => {
                    words.copy_from_slice(&shape);
                    L::bounds(words)
                }
                None => {
                    words.copy_from_slice(&void::<N>());
                    Bounds::EMPTY
                }
            }
        } else {
            words.fill(0.0);
            Bounds::ZERO
        };
        low.copy_from_slice(&bounds.low);
        high.copy_from_slice(&bounds.high);
    }
    Ok(())
}

/// The words of a void shape of that many lanes, as the shaders write them.
fn void<const N: usize>() -> [f32; N] {
    let mut words = [VOID; N];
    match N {
        Ball::LANES => words[3] = 0.0,
        Block::LANES => words[3..].fill(-VOID),
        _ => {}
    }
    words
}

fn vector(words: &[f32], first: usize) -> Option<Vector> {
    match words.get(first..first + 3)? {
        &[x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

fn cleaned<const N: usize>(words: [f32; N]) -> [f32; N] {
    words.map(zero_noise::clean)
}

fn triangles_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (positions, triangles) = (b.read::<f32>("positions")?, b.read::<i32>("triangles")?);
    let corner = |number: i32| {
        let first = usize::try_from(number).ok()?.checked_mul(3)?;
        vector(positions, first).filter(|corner| all_near(*corner))
    };
    write_shapes::<Triangle, { Triangle::LANES }>(range, b, p, |i| {
        let &[a, b, c] = triangles.get(i * 3..i * 3 + 3)? else {
            return None;
        };
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (corner(a)?, corner(b)?, corner(c)?);
        Some(cleaned([ax, ay, az, bx, by, bz, cx, cy, cz]))
    })
}

fn boxes_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let boxes = b.read::<f32>("boxes")?;
    write_shapes::<Block, { Block::LANES }>(range, b, p, |i| {
        let (low, high) = (vector(boxes, i * 6)?, vector(boxes, i * 6 + 3)?);
        let is_box = all_near(low) && all_near(high) && low.iter().zip(high).all(|(low, high)| *low <= high);
        let ([lx, ly, lz], [hx, hy, hz]) = (low, high);
        is_box.then_some(cleaned([lx, ly, lz, hx, hy, hz]))
    })
}

fn points_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (points, lanes, radius) = (b.read::<f32>("points")?, b.lanes("points") as usize, p.f32("radius")?);
    write_shapes::<Ball, { Ball::LANES }>(range, b, p, |i| {
        let [x, y, z] = vector(points, i * lanes)?;
        let radius = match lanes {
            4 => *points.get(i * lanes + 3)?,
            _ => radius,
        };
        let is_ball = all_near([x, y, z]) && is_near(radius) && zero_noise::clean(radius) >= 0.0;
        is_ball.then_some(cleaned([x, y, z, radius]))
    })
}
