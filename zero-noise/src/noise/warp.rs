//! Warped noise: coordinates displaced by fractal noise before they are read (after Quilez, "Domain warping").

use super::fractal::{Fbm, FbmSlope, fbm2, fbm3};
use super::lattice::{seeded, settled, wrap};
use super::octaves::{Fractal, at_points};
use super::tiling::{Open, Tiled, Tiling};
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

/// [`warped2`] on a lattice that repeats after `periods` cells of the first octave, as [`fbm2_tiled`](crate::fbm2_tiled):
/// both what displaces and what is read repeat, so that opposite edges have the same bits.
#[inline(always)]
pub fn warped2_tiled(seed: u32, x: f32, y: f32, octaves: u32, strength: f32, periods: [u32; 2]) -> f32 {
    let [[value]] = tiled_points(seed, &[[x], [y]], 1, octaves, strength, periods);
    value
}

/// [`warped3`] on a lattice that repeats, as [`warped2_tiled`].
#[inline(always)]
pub fn warped3_tiled(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32, periods: [u32; 3]) -> f32 {
    let [[value]] = tiled_points(seed, &[[x], [y], [z]], 1, octaves, strength, periods);
    value
}

/// [`warped2`] and its slopes: the value, then the derivatives along x and y for each cell of the first octave: the slopes
/// of the noise that is read, turned as the displacement turns its axes. They grow with `strength`: at most
/// `s (1 + 2 s |strength|)` where `s` bounds the slopes of [`fbm2`](crate::fbm2_slope). Those of three octaves at a strength
/// of 1.5 err by less than 2^-10 within 64 cells of the origin, nearly all of it for the displaced point is rounded.
#[inline(always)]
pub fn warped2_slope(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> [f32; 3] {
    slope_points(seed, &[[x], [y]], 1, octaves, strength).map(|[value]| value)
}

/// [`warped3`] and its slopes along x, y and z, as [`warped2_slope`]: at most `s (1 + 3 s |strength|)`.
#[inline(always)]
pub fn warped3_slope(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> [f32; 4] {
    slope_points(seed, &[[x], [y], [z]], 1, octaves, strength).map(|[value]| value)
}

/// The first `n` of `L` points of a warped noise that tiles.
#[inline(always)]
pub(super) fn tiled_points<const D: usize, const L: usize>(
    seed: u32,
    at: &[[f32; L]; D],
    n: usize,
    octaves: u32,
    strength: f32,
    periods: [u32; D],
) -> [[f32; L]; 1]
where
    Fbm: Fractal<D, 1, 1>,
{
    let (tile, seeds) = (Tiled::of(periods), seeds::<D>(seed));
    let mut moved = *at;
    for d in 0..D {
        let [by] = at_points(Fbm, tile, seeds[d], at, n, octaves);
        for i in 0..n.min(L) {
            // Counted from the tile's own edge, so that the sum is rounded alike in every tile.
            let open = wrap(clean(at[d][i]));
            let from = if periods[d] == 0 { open } else { tile.start(d, at[d][i]) };
            moved[d][i] = settled(from + bounded(strength) * by[i]);
        }
    }
    at_points(Fbm, tile, seed, &moved, n, octaves)
}

/// The first `n` of `L` points of a warped noise with its slopes; `M` is one more than `D`.
#[inline(always)]
pub(super) fn slope_points<const D: usize, const M: usize, const L: usize>(
    seed: u32,
    at: &[[f32; L]; D],
    n: usize,
    octaves: u32,
    strength: f32,
) -> [[f32; L]; M]
where
    FbmSlope: Fractal<D, M, M>,
{
    let (n, seeds) = (n.min(L), seeds::<D>(seed));
    let mut moved = *at;
    // How far along each axis a step along another takes the point that is read.
    let mut turned = [[[0.0; L]; D]; D];
    for d in 0..D {
        let by: [[f32; L]; M] = at_points(FbmSlope, Open, seeds[d], at, n, octaves);
        for i in 0..n {
            moved[d][i] = displaced(at[d][i], strength, by[0][i]);
        }
        for along in 0..D {
            let own = if along == d { 1.0 } else { 0.0 };
            for i in 0..n {
                turned[d][along][i] = settled(own + bounded(strength) * by[1 + along][i]);
            }
        }
    }
    let read: [[f32; L]; M] = at_points(FbmSlope, Open, seed, &moved, n, octaves);
    let mut done = read;
    for along in 0..D {
        for i in 0..n {
            let mut slope = settled(read[1][i] * turned[0][along][i]);
            for d in 1..D {
                slope += settled(read[1 + d][i] * turned[d][along][i]);
            }
            done[1 + along][i] = slope;
        }
    }
    done
}

/// The seeds of the displacement along each axis.
#[inline(always)]
pub(super) fn seeds<const D: usize>(seed: u32) -> [u32; D] {
    let base = fold_u32(seeded(seed), WARP_SCOPE);
    std::array::from_fn(|axis| finish(fold_u32(base, axis as u32)))
}

#[inline(always)]
pub(super) fn displaced(x: f32, strength: f32, by: f32) -> f32 {
    settled(wrap(clean(x)) + bounded(strength) * by)
}

#[inline(always)]
fn bounded(strength: f32) -> f32 {
    clamp(clean(strength), -MAX_WARP, MAX_WARP)
}
