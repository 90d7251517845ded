//! Ridges: octaves of folded gradient noise, each held back where the one before is low (Musgrave, in "Texturing and
//! Modeling", 1994, with offset 1 and gain 2).
//!
//! *Slopes.* With s = (1 - |n|)^2 w, where w is the weight that the octave before left, s' is -2 (1 - |n|) sgn(n) n' w +
//! (1 - |n|)^2 w', and the next weight's slope is 2 s' where 2 s is below 1 and 0 where it is held there. For each cell of
//! the octave |s'| is at most 6 more than that of the octave before.
//!
//! *Range.* An octave's signal (1 - |noise|)^2 times its weight is in [0, 1], and so is the next weight; the sum is
//! divided by that of the amplitudes.

use super::gradient;
use super::lattice::Axis;
use super::lattice::settled;
use super::octaves::{Fractal, MAX_OCTAVES, Octave, at_point};
use super::tiling::{Open, Tiled};
use crate::consts::{GRADIENT_SLOPE, RIDGED_SCOPE};
use crate::math::{clamp, div};

/// Ridged noise in two dimensions, in `[0, 1]`: 1 along sharp crests, detail on the heights and smooth valleys. No
/// octaves answer 0, and more than [`MAX_OCTAVES`](super::MAX_OCTAVES) that many. Errs by less than 2^-19 of six octaves.
#[inline(always)]
pub fn ridged2(seed: u32, x: f32, y: f32, octaves: u32) -> f32 {
    let [value] = at_point(Ridged, Open, seed, [x, y], octaves);
    value
}

/// Ridged noise in three dimensions, as [`ridged2`].
#[inline(always)]
pub fn ridged3(seed: u32, x: f32, y: f32, z: f32, octaves: u32) -> f32 {
    let [value] = at_point(Ridged, Open, seed, [x, y, z], octaves);
    value
}

/// [`ridged2`] on a lattice that repeats after `periods` cells of the first octave, as
/// [`fbm2_tiled`](crate::fbm2_tiled): opposite edges have the same bits.
#[inline(always)]
pub fn ridged2_tiled(seed: u32, x: f32, y: f32, octaves: u32, periods: [u32; 2]) -> f32 {
    let [value] = at_point(Ridged, Tiled::of(periods), seed, [x, y], octaves);
    value
}

/// [`ridged3`] on a lattice that repeats, as [`ridged2_tiled`].
#[inline(always)]
pub fn ridged3_tiled(seed: u32, x: f32, y: f32, z: f32, octaves: u32, periods: [u32; 3]) -> f32 {
    let [value] = at_point(Ridged, Tiled::of(periods), seed, [x, y, z], octaves);
    value
}

/// [`ridged2`] and its slopes: the value, then the derivatives along x and y for each cell of the first octave. They are
/// within 64 for six octaves, and always within 816; they err by less than 2^-15 of six octaves. On a crest, and where a
/// weight reaches its end, there is no derivative: it is that of one side.
#[inline(always)]
pub fn ridged2_slope(seed: u32, x: f32, y: f32, octaves: u32) -> [f32; 3] {
    at_point(RidgedSlope, Open, seed, [x, y], octaves)
}

/// [`ridged3`] and its slopes along x, y and z, as [`ridged2_slope`].
#[inline(always)]
pub fn ridged3_slope(seed: u32, x: f32, y: f32, z: f32, octaves: u32) -> [f32; 4] {
    at_point(RidgedSlope, Open, seed, [x, y, z], octaves)
}

/// Ridges out of octaves.
#[derive(Clone, Copy)]
pub(super) struct Ridged;

/// Ridges and their slopes.
#[derive(Clone, Copy)]
pub(super) struct RidgedSlope;

macro_rules! fractals {
    ($($d:literal, $gathered:literal, $m:literal: $at:ident, $slope_at:ident;)*) => {$(
        impl Fractal<$d, 2, 1> for Ridged {
            const NAME: u32 = RIDGED_SCOPE;

            #[inline(always)]
            fn add(self, sum: [f32; 2], octave: Octave, at: [Axis; $d]) -> [f32; 2] {
                fold(sum, octave.amplitude, gradient::$at(octave.state, at))
            }

            #[inline(always)]
            fn finish(self, [sum, _]: [f32; 2], total: f32) -> [f32; 1] {
                [clamp(div(sum, total), 0.0, 1.0)]
            }
        }

        /// What is gathered: the sum, what the next octave's weight lacks of 1, the slopes of the sum, and those of the
        /// weight for each cell of that octave.
        impl Fractal<$d, $gathered, $m> for RidgedSlope {
            const NAME: u32 = RIDGED_SCOPE;

            #[inline(always)]
            fn add(self, mut gathered: [f32; $gathered], octave: Octave, at: [Axis; $d]) -> [f32; $gathered] {
                let noise = gradient::$slope_at(octave.state, at);
                let weight = 1.0 - gathered[1];
                let crest = 1.0 - noise[0].abs();
                let square = crest * crest;
                let lean = if noise[0] < 0.0 { 2.0 * crest } else { -2.0 * crest } * weight;
                let is_free = 2.0 * (square * weight) < 1.0;
                let [sum, held] = fold([gathered[0], gathered[1]], octave.amplitude, noise[0]);
                (gathered[0], gathered[1]) = (sum, held);
                for axis in 0..$d {
                    let (slope, fall) = (2 + axis, 2 + $d + axis);
                    let rise = settled(lean * noise[1 + axis] + square * gathered[fall]);
                    // An octave's frequency and its amplitude make 1, so its slopes count in full; the weight rises by
                    // twice the signal, and a cell of the next octave is half as wide.
                    gathered[slope] += rise;
                    gathered[fall] = if is_free { rise } else { 0.0 };
                }
                gathered
            }

            #[inline(always)]
            fn finish(self, gathered: [f32; $gathered], total: f32) -> [f32; $m] {
                let steepest = GRADIENT_SLOPE * (MAX_OCTAVES * (MAX_OCTAVES + 1)) as f32;
                let mut done = [0.0; $m];
                done[0] = clamp(div(gathered[0], total), 0.0, 1.0);
                for axis in 0..$d {
                    done[1 + axis] = clamp(div(gathered[2 + axis], total), -steepest, steepest);
                }
                done
            }
        }
    )*};
}

fractals! {
    2, 6, 3: at2, slope_at2;
    3, 8, 4: at3, slope_at3;
}

/// The sum, and what the next octave's weight lacks of 1, so that it begins as 0 as sums do.
#[inline(always)]
fn fold([sum, held]: [f32; 2], amplitude: f32, noise: f32) -> [f32; 2] {
    let crest = 1.0 - noise.abs();
    let signal = crest * crest * (1.0 - held);
    let weight = clamp(2.0 * signal, 0.0, 1.0);
    [sum + amplitude * signal, 1.0 - weight]
}
