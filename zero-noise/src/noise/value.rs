//! Value noise: a unit draw at every lattice point, faded between them.
//!
//! *Slopes.* With the fade u of x and its derivative u', d/dx lerp(a, b, u) = u' (b - a), and likewise on every axis.
//! |b - a| < 1 and u' <= 15/8, so no slope reaches 15/8.

use super::lattice::{Axis, blend2, blend3, coordinate, corners2, corners3, fade, fade_slope, lerp, seeded};
use super::tiling::Tiled;
use crate::consts::{UNIT, VALUE_SLOPE};
use crate::hash::unit;
use crate::math::{clamp, clean};

/// Value noise in two dimensions, in `[0, 1)`. At a lattice point it is that point's draw,
/// `Scope::new(seed).int(x).int(y).unit()`.
#[inline(always)]
pub fn value2(seed: u32, x: f32, y: f32) -> f32 {
    at2(seeded(seed), [x, y].map(|x| Axis::of(coordinate(x))))
}

/// Value noise in three dimensions, in `[0, 1)`. At a lattice point it is that point's draw,
/// `Scope::new(seed).int(x).int(y).int(z).unit()`.
#[inline(always)]
pub fn value3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    at3(seeded(seed), [x, y, z].map(|x| Axis::of(coordinate(x))))
}

/// [`value2`] and its slopes: the value, then the derivatives along x and y for each cell of way, in
/// `[-1.875, 1.875]`. The derivatives are those of the formula, not differences; they err by less than 2^-18, and the
/// value by less than 2^-20.
#[inline(always)]
pub fn value2_slope(seed: u32, x: f32, y: f32) -> [f32; 3] {
    slope_at2(seeded(seed), [x, y].map(|x| Axis::of(coordinate(x))))
}

/// [`value3`] and its slopes along x, y and z, as [`value2_slope`].
#[inline(always)]
pub fn value3_slope(seed: u32, x: f32, y: f32, z: f32) -> [f32; 4] {
    slope_at3(seeded(seed), [x, y, z].map(|x| Axis::of(coordinate(x))))
}

/// [`value2`] on a lattice that repeats after `periods` cells along x and y, so that opposite edges of a tile of that
/// size have the same bits. A period of 0 does not repeat, and none is larger than 2^22. Within a period's cells but the
/// last it is `value2`.
#[inline(always)]
pub fn value2_tiled(seed: u32, x: f32, y: f32, periods: [u32; 2]) -> f32 {
    let tile = Tiled::of(periods);
    at2(seeded(seed), tile.cells([x, y]))
}

/// [`value3`] on a lattice that repeats, as [`value2_tiled`].
#[inline(always)]
pub fn value3_tiled(seed: u32, x: f32, y: f32, z: f32, periods: [u32; 3]) -> f32 {
    let tile = Tiled::of(periods);
    at3(seeded(seed), tile.cells([x, y, z]))
}

#[inline(always)]
pub(super) fn at2(state: u32, at: [Axis; 2]) -> f32 {
    let [u, v] = at.map(|axis| fade(axis.inside));
    bounded(blend2(corners2(state, at).map(unit), u, v))
}

#[inline(always)]
pub(super) fn at3(state: u32, at: [Axis; 3]) -> f32 {
    let [u, v, w] = at.map(|axis| fade(axis.inside));
    bounded(blend3(corners3(state, at).map(unit), u, v, w))
}

#[inline(always)]
pub(super) fn slope_at2(state: u32, at: [Axis; 2]) -> [f32; 3] {
    let [u, v] = at.map(|axis| fade(axis.inside));
    let [du, dv] = at.map(|axis| fade_slope(axis.inside));
    let [a, b, c, d] = corners2(state, at).map(unit);
    let (bottom, top) = (lerp(a, b, u), lerp(c, d, u));
    let dx = du * lerp(b - a, d - c, v);
    let dy = dv * (top - bottom);
    [bounded(lerp(bottom, top, v)), slope(dx), slope(dy)]
}

#[inline(always)]
pub(super) fn slope_at3(state: u32, at: [Axis; 3]) -> [f32; 4] {
    let [u, v, w] = at.map(|axis| fade(axis.inside));
    let [du, dv, dw] = at.map(|axis| fade_slope(axis.inside));
    let [a, b, c, d, e, f, g, h] = corners3(state, at).map(unit);
    let (bottom_near, top_near) = (lerp(a, b, u), lerp(c, d, u));
    let (bottom_far, top_far) = (lerp(e, f, u), lerp(g, h, u));
    let (near, far) = (lerp(bottom_near, top_near, v), lerp(bottom_far, top_far, v));
    let dx = du * lerp(lerp(b - a, d - c, v), lerp(f - e, h - g, v), w);
    let dy = dv * lerp(top_near - bottom_near, top_far - bottom_far, w);
    let dz = dw * (far - near);
    [bounded(lerp(near, far, w)), slope(dx), slope(dy), slope(dz)]
}

#[inline(always)]
fn bounded(value: f32) -> f32 {
    clamp(value, 0.0, 1.0 - UNIT)
}

#[inline(always)]
fn slope(value: f32) -> f32 {
    clean(clamp(value, -VALUE_SLOPE, VALUE_SLOPE))
}
