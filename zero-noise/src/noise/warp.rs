//! Warped noise: coordinates displaced by fractal noise before they are read (after Quilez, "Domain warping").

use super::fractal::{fbm2, fbm3};
use super::lattice::{seeded, settled, wrap};
use crate::consts::{MAX_WARP, WARP_SCOPE};
use crate::hash::{finish, fold_u32};
use crate::math::{clamp, clean};

/// A point of the plane displaced on each axis by up to `strength` cells: by that much of [`fbm2`] under the seeds
/// `Scope::new(seed).text("wrp").uint(axis).hash()`. Any noise may be read there. `strength` is kept within 2^20.
#[inline(always)]
pub fn warp2(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> [f32; 2] {
    let [along_x, along_y] = seeds(seed);
    [
        displaced(x, strength, fbm2(along_x, x, y, octaves)),
        displaced(y, strength, fbm2(along_y, x, y, octaves)),
    ]
}

/// A point of space displaced on each axis, as [`warp2`] by [`fbm3`].
#[inline(always)]
pub fn warp3(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> [f32; 3] {
    let [along_x, along_y, along_z] = seeds(seed);
    [
        displaced(x, strength, fbm3(along_x, x, y, z, octaves)),
        displaced(y, strength, fbm3(along_y, x, y, z, octaves)),
        displaced(z, strength, fbm3(along_z, x, y, z, octaves)),
    ]
}

/// [`fbm2`] at the point that [`warp2`] answers, in `[-1, 1]`; without strength it is `fbm2`. Costs three of those.
#[inline(always)]
pub fn warped2(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> f32 {
    let [x, y] = warp2(seed, x, y, octaves, strength);
    fbm2(seed, x, y, octaves)
}

/// [`fbm3`] at the point that [`warp3`] answers, in `[-1, 1]`; without strength it is `fbm3`. Costs four of those.
#[inline(always)]
pub fn warped3(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> f32 {
    let [x, y, z] = warp3(seed, x, y, z, octaves, strength);
    fbm3(seed, x, y, z, octaves)
}

/// The seeds of the displacement along each axis.
#[inline(always)]
pub(super) fn seeds<const D: usize>(seed: u32) -> [u32; D] {
    let base = fold_u32(seeded(seed), WARP_SCOPE);
    std::array::from_fn(|axis| finish(fold_u32(base, axis as u32)))
}

#[inline(always)]
pub(super) fn displaced(x: f32, strength: f32, by: f32) -> f32 {
    settled(wrap(clean(x)) + clamp(clean(strength), -MAX_WARP, MAX_WARP) * by)
}
