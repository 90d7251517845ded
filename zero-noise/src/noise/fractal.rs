//! Fractal sums: octaves of gradient noise, and the sum of their slopes.

use super::gradient;
use super::lattice::Axis;
use super::octaves::{Fractal, Octave, at_point};
use super::tiling::{Open, Tiled};
use crate::consts::{FBM_SCOPE, GRADIENT_SLOPE};
use crate::math::{clamp, div};

/// Fractal gradient noise in two dimensions, in `[-1, 1]`: lacunarity 2, gain 1/2, divided by the sum of the
/// amplitudes. No octaves answer 0, and more than [`MAX_OCTAVES`](super::MAX_OCTAVES) that many.
#[inline(always)]
pub fn fbm2(seed: u32, x: f32, y: f32, octaves: u32) -> f32 {
    let [value] = at_point(Fbm, Open, seed, [x, y], octaves);
    value
}

/// Fractal gradient noise in three dimensions, as [`fbm2`].
#[inline(always)]
pub fn fbm3(seed: u32, x: f32, y: f32, z: f32, octaves: u32) -> f32 {
    let [value] = at_point(Fbm, Open, seed, [x, y, z], octaves);
    value
}

/// [`fbm2`] and its slopes: the value, then the derivatives along x and y for each cell of the first octave. Octaves are
/// half as high and twice as fine, so all have slopes of one size: they are within 3 times the octaves over the sum of
/// the amplitudes, and always within 48. They err by less than 2^-17 of six octaves, and the value by less than
/// 2^-19, where the octaves' coordinates are those that f32 has.
#[inline(always)]
pub fn fbm2_slope(seed: u32, x: f32, y: f32, octaves: u32) -> [f32; 3] {
    at_point(FbmSlope, Open, seed, [x, y], octaves)
}

/// [`fbm3`] and its slopes along x, y and z, as [`fbm2_slope`].
#[inline(always)]
pub fn fbm3_slope(seed: u32, x: f32, y: f32, z: f32, octaves: u32) -> [f32; 4] {
    at_point(FbmSlope, Open, seed, [x, y, z], octaves)
}

/// [`fbm2`] on a lattice that repeats after `periods` cells of the first octave along x and y, so that opposite edges of
/// a tile of that size have the same bits. A period of 0 does not repeat, and none is larger than 2^22. Octaves whose own
/// period, which doubles with each, is beyond 2^22 cells are left out: 7 remain of a period of 65536.
#[inline(always)]
pub fn fbm2_tiled(seed: u32, x: f32, y: f32, octaves: u32, periods: [u32; 2]) -> f32 {
    let [value] = at_point(Fbm, Tiled::of(periods), seed, [x, y], octaves);
    value
}

/// [`fbm3`] on a lattice that repeats, as [`fbm2_tiled`].
#[inline(always)]
pub fn fbm3_tiled(seed: u32, x: f32, y: f32, z: f32, octaves: u32, periods: [u32; 3]) -> f32 {
    let [value] = at_point(Fbm, Tiled::of(periods), seed, [x, y, z], octaves);
    value
}

/// The sum of the octaves.
#[derive(Clone, Copy)]
pub(super) struct Fbm;

/// The sum of the octaves and those of their slopes.
#[derive(Clone, Copy)]
pub(super) struct FbmSlope;

macro_rules! fractals {
    ($($d:literal, $n:literal: $at:ident, $slope_at:ident;)*) => {$(
        impl Fractal<$d, 1, 1> for Fbm {
            const NAME: u32 = FBM_SCOPE;

            #[inline(always)]
            fn add(self, [sum]: [f32; 1], octave: Octave, at: [Axis; $d]) -> [f32; 1] {
                [sum + octave.amplitude * gradient::$at(octave.state, at)]
            }

            #[inline(always)]
            fn finish(self, [sum]: [f32; 1], total: f32) -> [f32; 1] {
                [clamp(div(sum, total), -1.0, 1.0)]
            }
        }

        impl Fractal<$d, $n, $n> for FbmSlope {
            const NAME: u32 = FBM_SCOPE;

            /// An octave's frequency and its amplitude make 1, so its slopes count in full.
            #[inline(always)]
            fn add(self, sum: [f32; $n], octave: Octave, at: [Axis; $d]) -> [f32; $n] {
                let mut added = gradient::$slope_at(octave.state, at);
                added[0] *= octave.amplitude;
                for k in 0..$n {
                    added[k] += sum[k];
                }
                added
            }

            #[inline(always)]
            fn finish(self, sum: [f32; $n], total: f32) -> [f32; $n] {
                let steepest = GRADIENT_SLOPE * super::MAX_OCTAVES as f32;
                let mut done = sum;
                for slope in &mut done {
                    *slope = clamp(div(*slope, total), -steepest, steepest);
                }
                done[0] = clamp(done[0], -1.0, 1.0);
                done
            }
        }
    )*};
}

fractals! {
    2, 3: at2, slope_at2;
    3, 4: at3, slope_at3;
}
