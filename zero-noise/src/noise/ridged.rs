//! Ridges: octaves of folded gradient noise, each held back where the one before is low (Musgrave, in "Texturing and
//! Modeling", 1994, with offset 1 and gain 2).
//!
//! *Range.* An octave's signal (1 - |noise|)^2 times its weight is in [0, 1], and so is the next weight; the sum is
//! divided by that of the amplitudes.

use super::gradient;
use super::lattice::Axis;
use super::octaves::{Fractal, Octave, at_point};
use super::tiling::Open;
use crate::consts::RIDGED_SCOPE;
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

/// Ridges out of octaves.
#[derive(Clone, Copy)]
pub(super) struct Ridged;

macro_rules! fractals {
    ($($d:literal: $at:ident;)*) => {$(
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
    )*};
}

fractals! {
    2: at2;
    3: at3;
}

/// The sum, and what the next octave's weight lacks of 1, so that it begins as 0 as sums do.
#[inline(always)]
fn fold([sum, held]: [f32; 2], amplitude: f32, noise: f32) -> [f32; 2] {
    let crest = 1.0 - noise.abs();
    let signal = crest * crest * (1.0 - held);
    let weight = clamp(2.0 * signal, 0.0, 1.0);
    [sum + amplitude * signal, 1.0 - weight]
}
