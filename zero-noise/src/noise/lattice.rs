//! What the lattice noises share: coordinates, cells, corner hashes, the fade curve.
//!
//! *No subnormals.* Many GPUs read and write them as 0, so none may come about that a result depends on. A sum, a
//! difference and a product of multiples of powers of two, exact or rounded, is a multiple of such a power too. Here
//! coordinates, and so the way into a cell, are multiples of 2^-25; a fade and its slope are multiples of 2^-24. Directions
//! have 24 digits below 2, so ramps are multiples of 2^-49; three fades of them, or two and a slope, are multiples of 2^-121.
//! Whatever is not 0 is 2^-121 at least, five powers above the subnormals. (Without the grids the product of three
//! fades beside a lattice point is of any size.) Gradient noise below 2^-60 is 0, so that the amplitude of the last
//! octave, 2^-15, leads there neither.

use crate::consts::{FNV_OFFSET, GRID, NEAR, SETTLED, WRAP, WRAP_INVERSE};
use crate::hash::{finish, fold_u32};
use crate::math::{clean, floor, floor_small};

/// A coordinate as the lattice reads it. From 2^22 on, where f32 has two samples a cell at most, it wraps, exactly: `x`
/// modulo 2^22. Within a quarter of 0 it is rounded to a multiple of 2^-24, which no other cell has finer ones than.
#[inline(always)]
pub(super) fn coordinate(x: f32) -> f32 {
    let x = wrap(clean(x));
    let near = (x + GRID) - GRID;
    if x.abs() < NEAR { near } else { x }
}

/// What is too small to show is 0.
#[inline(always)]
pub(super) fn settled(x: f32) -> f32 {
    if x.abs() < SETTLED { 0.0 } else { x }
}

/// `x` in [0, 2], rounded to a multiple of 2^-24 or, from 1/2 on, of 2^-23 and 2^-22.
#[inline(always)]
fn on_grid(x: f32) -> f32 {
    (x + 0.5) - 0.5
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
    on_grid(t * t * t * (10.0 + t * (t * 6.0 - 15.0)))
}

/// The slope of [`fade`], 30 t^2 (t - 1)^2: 0 at both ends, 1.875 between them.
#[inline(always)]
pub(super) fn fade_slope(t: f32) -> f32 {
    let half = t * (t - 1.0);
    on_grid(30.0 * (half * half))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_multiple(x: f32, power: i32) -> bool {
        (f64::from(x) * 2_f64.powi(power)).fract() == 0.0
    }

    /// What keeps subnormals away, over every 61st way into a cell and every exponent of a coordinate.
    #[test]
    fn coordinates_and_fades_are_multiples_of_their_grids() {
        for i in (0..=1_u32 << 24).step_by(61).chain([1, 1 << 23, 1 << 24]) {
            let t = i as f32 / 16_777_216.0;
            let (fade, slope) = (fade(t), fade_slope(t));
            assert!(is_multiple(fade, 24) && is_multiple(slope, 24), "{t}: {fade} {slope}");
        }
        for bits in (0..=u32::MAX).step_by(4093) {
            let x = f32::from_bits(bits);
            let (read, axis) = (coordinate(x), Axis::of(coordinate(x)));
            assert!(is_multiple(read, 25) && is_multiple(axis.inside, 25), "{x:e}");
            let moved = if x.abs() < 4_194_304.0 { (read - x).abs() } else { 0.0 };
            assert!(moved <= 0.5 / 16_777_216.0, "{x:e} is read as {read:e}");
        }
        assert_eq!(
            (fade(0.0), fade(1.0), fade_slope(0.0), fade_slope(1.0)),
            (0.0, 1.0, 0.0, 0.0)
        );
        assert_eq!(coordinate(-1e-9).to_bits(), 0);
        assert_eq!(coordinate(0.25_f32.next_down()), 0.25);
    }
}
