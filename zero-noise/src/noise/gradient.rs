//! Gradient noise (Perlin, 2002): a direction at every lattice point, whose ramps are faded into each other.
//!
//! *Range.* A weighted mean of ramps g . d obeys |noise|^2 <= sum w (g . d)^2 <= |g|^2 sum w |d|^2. The last sum
//! splits by axis into (1 - s) f^2 + s (1 - f)^2 with s = fade(f), which is largest at f = 1/2, where it is 1/4. So
//! |noise| <= |g| sqrt(n / 4) in n dimensions, and |g| = sqrt 2 and 2 / sqrt 3 keep it in [-1, 1]. The last rounding
//! is clamped.
//!
//! *Slopes.* The derivative of sum w (g . d) is sum w g + sum w' (g . d): the mean of the directions, and the difference
//! of opposite ramps by the fade's slope. The lattice points' directions are independent of each other, so that the
//! supremum at a place is the sum of the largest term of each corner; over all places it is 2.924 in the plane and
//! 2.980 in space, at the centre of a cell.
//!
//! *Directions.* Eight in the plane, at odd multiples of 22.5 degrees; in space the twelve vertices of an icosahedron,
//! whose fourth moments are isotropic and which cost two products a corner. None lies along an axis.

use super::lattice::{Axis, blend2, blend3, coordinate, corners2, corners3, fade, fade_slope, lerp, seeded, settled};
use super::tiling::Tiled;
use crate::consts::{GRADIENT_SLOPE, ICOSAHEDRON_LONG, ICOSAHEDRON_SHORT, OCTAGON_LONG, OCTAGON_SHORT};
use crate::math::{clamp, clean};

/// Gradient noise in two dimensions, in `[-1, 1]`; 0 at lattice points.
#[inline(always)]
pub fn gradient2(seed: u32, x: f32, y: f32) -> f32 {
    at2(seeded(seed), [x, y].map(|x| Axis::of(coordinate(x))))
}

/// Gradient noise in three dimensions, in `[-1, 1]`; 0 at lattice points.
#[inline(always)]
pub fn gradient3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    at3(seeded(seed), [x, y, z].map(|x| Axis::of(coordinate(x))))
}

/// [`gradient2`] and its slopes: the value, then the derivatives along x and y for each cell of way, in `[-3, 3]`. The
/// derivatives are those of the formula, not differences; they err by less than 2^-17, and the value by less than 2^-19.
#[inline(always)]
pub fn gradient2_slope(seed: u32, x: f32, y: f32) -> [f32; 3] {
    slope_at2(seeded(seed), [x, y].map(|x| Axis::of(coordinate(x))))
}

/// [`gradient3`] and its slopes along x, y and z, as [`gradient2_slope`].
#[inline(always)]
pub fn gradient3_slope(seed: u32, x: f32, y: f32, z: f32) -> [f32; 4] {
    slope_at3(seeded(seed), [x, y, z].map(|x| Axis::of(coordinate(x))))
}

/// [`gradient2`] on a lattice that repeats after `periods` cells along x and y, so that opposite edges of a tile of that
/// size have the same bits. A period of 0 does not repeat, and none is larger than 2^22. Within a period's cells but the
/// last it is `gradient2`.
#[inline(always)]
pub fn gradient2_tiled(seed: u32, x: f32, y: f32, periods: [u32; 2]) -> f32 {
    let tile = Tiled::of(periods);
    at2(seeded(seed), tile.cells([x, y]))
}

/// [`gradient3`] on a lattice that repeats, as [`gradient2_tiled`].
#[inline(always)]
pub fn gradient3_tiled(seed: u32, x: f32, y: f32, z: f32, periods: [u32; 3]) -> f32 {
    let tile = Tiled::of(periods);
    at3(seeded(seed), tile.cells([x, y, z]))
}

#[inline(always)]
pub(super) fn at2(state: u32, at: [Axis; 2]) -> f32 {
    let [u, v] = at.map(|axis| fade(axis.inside));
    bounded(blend2(ramps2(corners2(state, at), at), u, v))
}

#[inline(always)]
pub(super) fn at3(state: u32, at: [Axis; 3]) -> f32 {
    let [u, v, w] = at.map(|axis| fade(axis.inside));
    bounded(blend3(ramps3(corners3(state, at), at), u, v, w))
}

#[inline(always)]
pub(super) fn slope_at2(state: u32, at: [Axis; 2]) -> [f32; 3] {
    let [u, v] = at.map(|axis| fade(axis.inside));
    let [du, dv] = at.map(|axis| fade_slope(axis.inside));
    let hashes = corners2(state, at);
    let [a, b, c, d] = ramps2(hashes, at);
    let (bottom, top) = (lerp(a, b, u), lerp(c, d, u));
    let [along_x, along_y] = directions2(hashes);
    let dx = blend2(along_x, u, v) + du * lerp(b - a, d - c, v);
    let dy = blend2(along_y, u, v) + dv * (top - bottom);
    [bounded(lerp(bottom, top, v)), slope(dx), slope(dy)]
}

#[inline(always)]
pub(super) fn slope_at3(state: u32, at: [Axis; 3]) -> [f32; 4] {
    let [u, v, w] = at.map(|axis| fade(axis.inside));
    let [du, dv, dw] = at.map(|axis| fade_slope(axis.inside));
    let hashes = corners3(state, at);
    let [a, b, c, d, e, f, g, h] = ramps3(hashes, at);
    let (bottom_near, top_near) = (lerp(a, b, u), lerp(c, d, u));
    let (bottom_far, top_far) = (lerp(e, f, u), lerp(g, h, u));
    let (near, far) = (lerp(bottom_near, top_near, v), lerp(bottom_far, top_far, v));
    let [along_x, along_y, along_z] = directions3(hashes);
    let dx = blend3(along_x, u, v, w) + du * lerp(lerp(b - a, d - c, v), lerp(f - e, h - g, v), w);
    let dy = blend3(along_y, u, v, w) + dv * lerp(top_near - bottom_near, top_far - bottom_far, w);
    let dz = blend3(along_z, u, v, w) + dw * (far - near);
    [bounded(lerp(near, far, w)), slope(dx), slope(dy), slope(dz)]
}

/// A gradient or simplex noise within its range.
#[inline(always)]
pub(super) fn bounded(value: f32) -> f32 {
    settled(clamp(value, -1.0, 1.0))
}

#[inline(always)]
fn slope(value: f32) -> f32 {
    clean(clamp(value, -GRADIENT_SLOPE, GRADIENT_SLOPE))
}

#[inline(always)]
fn ramps2([a, b, c, d]: [u32; 4], at: [Axis; 2]) -> [f32; 4] {
    let [left, bottom] = at.map(|axis| axis.inside);
    let (right, top) = (left - 1.0, bottom - 1.0);
    [
        ramp2(a, left, bottom),
        ramp2(b, right, bottom),
        ramp2(c, left, top),
        ramp2(d, right, top),
    ]
}

#[inline(always)]
fn ramps3([a, b, c, d, e, f, g, h]: [u32; 8], at: [Axis; 3]) -> [f32; 8] {
    let [left, bottom, near] = at.map(|axis| axis.inside);
    let (right, top, far) = (left - 1.0, bottom - 1.0, near - 1.0);
    [
        ramp3(a, left, bottom, near),
        ramp3(b, right, bottom, near),
        ramp3(c, left, top, near),
        ramp3(d, right, top, near),
        ramp3(e, left, bottom, far),
        ramp3(f, right, bottom, far),
        ramp3(g, left, top, far),
        ramp3(h, right, top, far),
    ]
}

/// The offset from a corner along the corner's direction. Bits 31 and 30 of the hash are the signs, bit 29 says which
/// axis is the long one.
#[inline(always)]
pub(super) fn ramp2(hash: u32, x: f32, y: f32) -> f32 {
    let swap = hash & 0x2000_0000 != 0;
    let (long, short) = if swap { (y, x) } else { (x, y) };
    signed(long * OCTAGON_LONG, hash) + signed(short * OCTAGON_SHORT, hash << 1)
}

/// The directions that [`ramp2`] reads from the corners' hashes, axis by axis.
#[inline(always)]
fn directions2(hashes: [u32; 4]) -> [[f32; 4]; 2] {
    let mut along = [[0.0; 4]; 2];
    for corner in 0..4 {
        let hash = hashes[corner];
        let (long, short) = (signed(OCTAGON_LONG, hash), signed(OCTAGON_SHORT, hash << 1));
        let swap = hash & 0x2000_0000 != 0;
        along[0][corner] = if swap { short } else { long };
        along[1][corner] = if swap { long } else { short };
    }
    along
}

/// The offset from a corner along the corner's direction. Bits 31 and 30 of the hash are the signs, the lower 16 choose
/// one of three planes.
#[inline(always)]
pub(super) fn ramp3(hash: u32, x: f32, y: f32, z: f32) -> f32 {
    let plane = plane3(hash);
    let long = if plane == 0 {
        x
    } else if plane == 1 {
        y
    } else {
        z
    };
    let short = if plane == 0 {
        y
    } else if plane == 1 {
        z
    } else {
        x
    };
    signed(long * ICOSAHEDRON_LONG, hash) + signed(short * ICOSAHEDRON_SHORT, hash << 1)
}

/// The directions that [`ramp3`] reads from the corners' hashes, axis by axis: plane k has its long part on axis k and
/// the short one on the next.
#[inline(always)]
fn directions3(hashes: [u32; 8]) -> [[f32; 8]; 3] {
    let mut along = [[0.0; 8]; 3];
    for corner in 0..8 {
        let hash = hashes[corner];
        let plane = plane3(hash);
        let long = signed(ICOSAHEDRON_LONG, hash);
        let short = signed(ICOSAHEDRON_SHORT, hash << 1);
        for (axis, along) in (0_u32..).zip(&mut along) {
            let other = if (plane + 1) % 3 == axis { short } else { 0.0 };
            along[corner] = if plane == axis { long } else { other };
        }
    }
    along
}

#[inline(always)]
fn plane3(hash: u32) -> u32 {
    ((hash & 0xffff) * 3) >> 16
}

/// Flips the sign of `x` by the highest bit of `sign`.
#[inline(always)]
fn signed(x: f32, sign: u32) -> f32 {
    f32::from_bits(x.to_bits() ^ (sign & 0x8000_0000))
}
