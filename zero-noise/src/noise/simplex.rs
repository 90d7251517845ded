//! Simplex noise (Perlin, 2001; the patent on its use for textures ended in 2022): one ramp for each corner of a triangle
//! or tetrahedron, under a kernel that ends where the next simplex begins.
//!
//! *Cells.* Skewing by s = F (x + y + ...) maps the simplices to halves of squares or sixths of cubes. F of the whole
//! parts is an integer product in units of 2^-32, so that a cell and the way into it are as precise far out as near 0.
//!
//! *Kernel.* (1/2 - d^2)^4, 1/2 being the square of a simplex's height: it is 0 on the far side, with three derivatives.
//!
//! *Range.* |noise| is at most the sum over the corners of kernel, distance and direction's length. Its supremum is
//! 0.014256 at the middle of an edge in the plane and 0.010727 on a cell's long diagonal in space; the scales 70 and 93
//! are a little less than one over these.
//!
//! There is no tiled form: the skewed lattice repeats along x and y after no whole number of cells.

use super::gradient::{bounded, ramp2, ramp3};
use super::lattice::coordinate;
use super::octaves::scope;
use crate::consts::{
    SIMPLEX_EDGE, SIMPLEX_SCOPE, SIMPLEX2_SCALE, SIMPLEX3_SCALE, SKEW2, SKEW2_FLOAT, SKEW3, SKEW3_FLOAT, UNIT, UNSKEW2,
    UNSKEW3,
};
use crate::hash::{finish, fold_u32};
use crate::math::floor_small;

/// Simplex noise in two dimensions, in `[-1, 1]`; 0 at the corners of its triangles, whose sides are 0.816 long. Three
/// corners a sample against [`gradient2`](super::gradient2)'s four, and no direction that the eye finds. Errs by less than
/// 2^-19, as far from the origin as near it.
#[inline(always)]
pub fn simplex2(seed: u32, x: f32, y: f32) -> f32 {
    at2(scope(seed, SIMPLEX_SCOPE), x, y)
}

/// Simplex noise in three dimensions, in `[-1, 1]`, as [`simplex2`]: four corners against eight.
#[inline(always)]
pub fn simplex3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    at3(scope(seed, SIMPLEX_SCOPE), x, y, z)
}

#[inline(always)]
pub(super) fn at2(state: u32, x: f32, y: f32) -> f32 {
    let parts = [x, y].map(|x| Part::of(coordinate(x)));
    let [x, y] = parts.map(|part| part.inside);
    let (whole, fraction) = skew(parts[0].whole.wrapping_add(parts[1].whole), SKEW2);
    let more = fraction + (x + y) * SKEW2_FLOAT;
    let [i, j] = parts.map(|part| Skewed::of(part, whole, more));
    let back = (i.inside + j.inside) * UNSKEW2;
    let (x, y) = (i.inside - back, j.inside - back);
    let low = i.inside > j.inside;
    let (mid_i, mid_j) = (u32::from(low), u32::from(!low));
    let (mid_x, mid_y) = (if low { 1.0 } else { 0.0 }, if low { 0.0 } else { 1.0 });
    let sum = corner2(state, [i.cell, j.cell], x, y)
        + corner2(
            state,
            [i.cell.wrapping_add(mid_i), j.cell.wrapping_add(mid_j)],
            (x - mid_x) + UNSKEW2,
            (y - mid_y) + UNSKEW2,
        )
        + corner2(
            state,
            [i.cell.wrapping_add(1), j.cell.wrapping_add(1)],
            (x - 1.0) + 2.0 * UNSKEW2,
            (y - 1.0) + 2.0 * UNSKEW2,
        );
    bounded(SIMPLEX2_SCALE * sum)
}

#[inline(always)]
pub(super) fn at3(state: u32, x: f32, y: f32, z: f32) -> f32 {
    let parts = [x, y, z].map(|x| Part::of(coordinate(x)));
    let [x, y, z] = parts.map(|part| part.inside);
    let sum = parts[0].whole.wrapping_add(parts[1].whole).wrapping_add(parts[2].whole);
    let (whole, fraction) = skew(sum, SKEW3);
    let more = fraction + ((x + y) + z) * SKEW3_FLOAT;
    let cells = parts.map(|part| Skewed::of(part, whole, more));
    let [u, v, w] = cells.map(|cell| cell.inside);
    let back = ((u + v) + w) * UNSKEW3;
    let at = [u - back, v - back, w - back];
    // From the corner of the cell one goes first along the axis of the largest part, then of the middle one. The last
    // comparison is strict, so that equal parts are in an order too.
    let (xy, yz, zx) = (u >= v, v >= w, w > u);
    let first = [xy & !zx, yz & !xy, zx & !yz];
    let second = [xy | !zx, yz | !xy, zx | !yz];
    let near = corner3(state, cells, at, [false; 3], 0.0) + corner3(state, cells, at, first, UNSKEW3);
    let far = corner3(state, cells, at, second, 2.0 * UNSKEW3) + corner3(state, cells, at, [true; 3], 0.5);
    bounded(SIMPLEX3_SCALE * (near + far))
}

/// What the corner at this lattice point adds, (x, y) away from it.
#[inline(always)]
fn corner2(state: u32, [i, j]: [u32; 2], x: f32, y: f32) -> f32 {
    let hash = finish(fold_u32(fold_u32(state, i), j));
    kernel(x * x + y * y) * ramp2(hash, x, y)
}

/// What the corner adds that is one further along the axes of `step`, `offset` making up for the skew.
#[inline(always)]
fn corner3(state: u32, cells: [Skewed; 3], at: [f32; 3], step: [bool; 3], offset: f32) -> f32 {
    let mut hash = state;
    let mut from = at;
    for d in 0..3 {
        hash = fold_u32(hash, cells[d].cell.wrapping_add(u32::from(step[d])));
        from[d] = (at[d] - if step[d] { 1.0 } else { 0.0 }) + offset;
    }
    let [x, y, z] = from;
    kernel((x * x + y * y) + z * z) * ramp3(finish(hash), x, y, z)
}

/// A coordinate's whole number and the rest.
#[derive(Clone, Copy)]
struct Part {
    whole: i32,
    inside: f32,
}

impl Part {
    #[inline(always)]
    fn of(x: f32) -> Self {
        let (floor, whole) = floor_small(x);
        Self {
            whole,
            inside: x - floor,
        }
    }
}

/// A skewed coordinate: its cell, and the way into it.
#[derive(Clone, Copy)]
struct Skewed {
    cell: u32,
    inside: f32,
}

impl Skewed {
    #[inline(always)]
    fn of(part: Part, whole: i32, more: f32) -> Self {
        let sum = part.inside + more;
        let (floor, carry) = floor_small(sum);
        Self {
            cell: part.whole.wrapping_add(whole).wrapping_add(carry).cast_unsigned(),
            inside: sum - floor,
        }
    }
}

/// The whole number and the rest of an integer times `factor` * 2^-32, the rest to 24 digits.
#[inline(always)]
fn skew(sum: i32, factor: u32) -> (i32, f32) {
    let product = u64::from(sum.cast_unsigned()) * u64::from(factor);
    let correction = if sum < 0 { factor } else { 0 };
    let whole = ((product >> 32) as u32).wrapping_sub(correction);
    (whole.cast_signed(), (product as u32 >> 8) as f32 * UNIT)
}

#[inline(always)]
fn kernel(square: f32) -> f32 {
    let base = 0.5 - square;
    let base = if base < SIMPLEX_EDGE { 0.0 } else { base };
    let square = base * base;
    square * square
}
