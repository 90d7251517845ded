//! Value noise: a unit draw at every lattice point, faded between them.

use super::lattice::{Axis, blend2, blend3, coordinate, corners2, corners3, fade, seeded};
use crate::consts::UNIT;
use crate::hash::unit;
use crate::math::clamp;

/// Value noise in two dimensions, in `[0, 1)`. At a lattice point it is that point's draw,
/// `Scope::new(seed).int(x).int(y).unit()`.
#[inline(always)]
pub fn value2(seed: u32, x: f32, y: f32) -> f32 {
    at2(seeded(seed), coordinate(x), coordinate(y))
}

/// Value noise in three dimensions, in `[0, 1)`. At a lattice point it is that point's draw,
/// `Scope::new(seed).int(x).int(y).int(z).unit()`.
#[inline(always)]
pub fn value3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    at3(seeded(seed), coordinate(x), coordinate(y), coordinate(z))
}

#[inline(always)]
pub(super) fn at2(state: u32, x: f32, y: f32) -> f32 {
    let (x, y) = (Axis::of(x), Axis::of(y));
    let corners = corners2(state, x, y).map(unit);
    clamp(blend2(corners, fade(x.inside), fade(y.inside)), 0.0, 1.0 - UNIT)
}

#[inline(always)]
pub(super) fn at3(state: u32, x: f32, y: f32, z: f32) -> f32 {
    let (x, y, z) = (Axis::of(x), Axis::of(y), Axis::of(z));
    let corners = corners3(state, x, y, z).map(unit);
    clamp(
        blend3(corners, fade(x.inside), fade(y.inside), fade(z.inside)),
        0.0,
        1.0 - UNIT,
    )
}
