//! Gradient noise (Perlin, 2002): a direction at every lattice point, whose ramps are faded into each other.
//!
//! *Range.* A weighted mean of ramps g . d obeys |noise|^2 <= sum w (g . d)^2 <= |g|^2 sum w |d|^2. The last sum
//! splits by axis into (1 - s) f^2 + s (1 - f)^2 with s = fade(f), which is largest at f = 1/2, where it is 1/4. So
//! |noise| <= |g| sqrt(n / 4) in n dimensions, and |g| = sqrt 2 and 2 / sqrt 3 keep it in [-1, 1]. The last rounding
//! is clamped.
//!
//! *Directions.* Eight in the plane, at odd multiples of 22.5 degrees; in space the twelve vertices of an icosahedron,
//! whose fourth moments are isotropic and which cost two products a corner. None lies along an axis.

use super::lattice::{Axis, blend2, blend3, coordinate, corners2, corners3, fade, seeded};
use crate::consts::{ICOSAHEDRON_LONG, ICOSAHEDRON_SHORT, OCTAGON_LONG, OCTAGON_SHORT};
use crate::math::{clamp, clean};

/// Gradient noise in two dimensions, in `[-1, 1]`; 0 at lattice points.
#[inline(always)]
pub fn gradient2(seed: u32, x: f32, y: f32) -> f32 {
    at2(seeded(seed), coordinate(x), coordinate(y))
}

/// Gradient noise in three dimensions, in `[-1, 1]`; 0 at lattice points.
#[inline(always)]
pub fn gradient3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    at3(seeded(seed), coordinate(x), coordinate(y), coordinate(z))
}

#[inline(always)]
pub(super) fn at2(state: u32, x: f32, y: f32) -> f32 {
    let (x, y) = (Axis::of(x), Axis::of(y));
    let [a, b, c, d] = corners2(state, x, y);
    let (left, bottom) = (x.inside, y.inside);
    let (right, top) = (left - 1.0, bottom - 1.0);
    let ramps = [
        ramp2(a, left, bottom),
        ramp2(b, right, bottom),
        ramp2(c, left, top),
        ramp2(d, right, top),
    ];
    clean(clamp(blend2(ramps, fade(left), fade(bottom)), -1.0, 1.0))
}

#[inline(always)]
pub(super) fn at3(state: u32, x: f32, y: f32, z: f32) -> f32 {
    let (x, y, z) = (Axis::of(x), Axis::of(y), Axis::of(z));
    let [a, b, c, d, e, f, g, h] = corners3(state, x, y, z);
    let (left, bottom, near) = (x.inside, y.inside, z.inside);
    let (right, top, far) = (left - 1.0, bottom - 1.0, near - 1.0);
    let ramps = [
        ramp3(a, left, bottom, near),
        ramp3(b, right, bottom, near),
        ramp3(c, left, top, near),
        ramp3(d, right, top, near),
        ramp3(e, left, bottom, far),
        ramp3(f, right, bottom, far),
        ramp3(g, left, top, far),
        ramp3(h, right, top, far),
    ];
    clean(clamp(blend3(ramps, fade(left), fade(bottom), fade(near)), -1.0, 1.0))
}

/// Bits 31 and 30 of the hash are the signs, bit 29 says which axis is the long one.
#[inline(always)]
fn ramp2(hash: u32, x: f32, y: f32) -> f32 {
    let swap = hash & 0x2000_0000 != 0;
    let (long, short) = if swap { (y, x) } else { (x, y) };
    signed(long * OCTAGON_LONG, hash) + signed(short * OCTAGON_SHORT, hash << 1)
}

/// Bits 31 and 30 of the hash are the signs, the lower 16 choose one of three planes.
#[inline(always)]
fn ramp3(hash: u32, x: f32, y: f32, z: f32) -> f32 {
    let plane = ((hash & 0xffff) * 3) >> 16;
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

/// Flips the sign of `x` by the highest bit of `sign`.
#[inline(always)]
fn signed(x: f32, sign: u32) -> f32 {
    f32::from_bits(x.to_bits() ^ (sign & 0x8000_0000))
}
