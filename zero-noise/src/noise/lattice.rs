//! What the lattice noises share: coordinates, cells, corner hashes, the fade curve.

use crate::consts::{FNV_OFFSET, TINY, WRAP, WRAP_INVERSE};
use crate::hash::{finish, fold_u32};
use crate::math::{clean, floor, floor_small};

/// A coordinate as the lattice reads it. From 2^22 on, where f32 has two samples a cell at most, it wraps: `x` modulo
/// 2^22. Below 2^-40 it is 0, so that no product on the way is subnormal and matters. All is exact.
#[inline(always)]
pub(super) fn coordinate(x: f32) -> f32 {
    let x = wrap(clean(x));
    if x.abs() < TINY { 0.0 } else { x }
}

#[inline(always)]
pub(super) fn wrap(x: f32) -> f32 {
    let wrapped = x - floor(x * WRAP_INVERSE) * WRAP;
    if x.abs() < WRAP { x } else { wrapped }
}

/// One axis of a lattice cell: its two corners as the hash reads them, and the way into the cell in [0, 1]. It is 1 for
/// a coordinate so little below a whole number that the difference rounds up.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) cell: u32,
    pub(super) next: u32,
    pub(super) inside: f32,
}

impl Axis {
    #[inline(always)]
    pub(super) fn of(x: f32) -> Self {
        let (whole, cell) = floor_small(x);
        Self {
            cell: cell.cast_unsigned(),
            next: cell.cast_unsigned().wrapping_add(1),
            inside: x - whole,
        }
    }
}

/// The hash state that a noise of this seed starts its corners from.
#[inline(always)]
pub(super) fn seeded(seed: u32) -> u32 {
    fold_u32(FNV_OFFSET, seed)
}

/// Finished hashes of a square's corners: (0,0), (1,0), (0,1), (1,1).
#[inline(always)]
pub(super) fn corners2(state: u32, [x, y]: [Axis; 2]) -> [u32; 4] {
    let (left, right) = (fold_u32(state, x.cell), fold_u32(state, x.next));
    [
        finish(fold_u32(left, y.cell)),
        finish(fold_u32(right, y.cell)),
        finish(fold_u32(left, y.next)),
        finish(fold_u32(right, y.next)),
    ]
}

/// Finished hashes of a cube's corners, x fastest, z slowest.
#[inline(always)]
pub(super) fn corners3(state: u32, [x, y, z]: [Axis; 3]) -> [u32; 8] {
    let (left, right) = (fold_u32(state, x.cell), fold_u32(state, x.next));
    let columns = [
        fold_u32(left, y.cell),
        fold_u32(right, y.cell),
        fold_u32(left, y.next),
        fold_u32(right, y.next),
    ];
    let [a, b, c, d] = columns.map(|column| finish(fold_u32(column, z.cell)));
    let [e, f, g, h] = columns.map(|column| finish(fold_u32(column, z.next)));
    [a, b, c, d, e, f, g, h]
}

/// Perlin's quintic 6t^5 - 15t^4 + 10t^3: first and second derivative vanish at both ends.
#[inline(always)]
pub(super) fn fade(t: f32) -> f32 {
    t * t * t * (10.0 + t * (t * 6.0 - 15.0))
}

/// The slope of [`fade`], 30 t^2 (t - 1)^2: 0 at both ends, 1.875 between them.
#[inline(always)]
pub(super) fn fade_slope(t: f32) -> f32 {
    let half = t * (t - 1.0);
    30.0 * (half * half)
}

#[inline(always)]
pub(super) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

#[inline(always)]
pub(super) fn blend2(corners: [f32; 4], u: f32, v: f32) -> f32 {
    let [a, b, c, d] = corners;
    lerp(lerp(a, b, u), lerp(c, d, u), v)
}

#[inline(always)]
pub(super) fn blend3(corners: [f32; 8], u: f32, v: f32, w: f32) -> f32 {
    let [a, b, c, d, e, f, g, h] = corners;
    lerp(blend2([a, b, c, d], u, v), blend2([e, f, g, h], u, v), w)
}
