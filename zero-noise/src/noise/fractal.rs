//! Fractal sums: octaves of gradient noise, each twice as fine and half as high as the one before.
//!
//! Octave k has its own hash scope and its own shift of a quarter to three quarters of a cell on each axis: without
//! the shift every octave would be 0 at the lattice points of the first, which shows as a grid.

use super::gradient;
use super::lattice::{coordinate, seeded, wrap};
use crate::consts::FBM_SCOPE;
use crate::hash::{draw, fold_u32};
use crate::math::clamp;

/// More octaves than this are read as this many: the next would be below the spacing of f32.
pub const MAX_OCTAVES: u32 = crate::consts::MAX_OCTAVES;

/// Fractal gradient noise in two dimensions, in `[-1, 1]`: lacunarity 2, gain 1/2, divided by the sum of the
/// amplitudes. No octaves answer 0, and more than [`MAX_OCTAVES`] that many.
#[inline(always)]
pub fn fbm2(seed: u32, x: f32, y: f32, octaves: u32) -> f32 {
    let base = scope(seed);
    let (mut x, mut y) = (coordinate(x), coordinate(y));
    let mut sum = Sum::default();
    for octave in 0..octaves.min(MAX_OCTAVES) {
        let state = fold_u32(base, octave);
        let (dx, dy) = (shift(state, 0), shift(state, 1));
        sum.add(gradient::at2(state, x + dx, y + dy));
        (x, y) = (wrap(x * 2.0), wrap(y * 2.0));
    }
    sum.normalised()
}

/// Fractal gradient noise in three dimensions, as [`fbm2`].
#[inline(always)]
pub fn fbm3(seed: u32, x: f32, y: f32, z: f32, octaves: u32) -> f32 {
    let base = scope(seed);
    let (mut x, mut y, mut z) = (coordinate(x), coordinate(y), coordinate(z));
    let mut sum = Sum::default();
    for octave in 0..octaves.min(MAX_OCTAVES) {
        let state = fold_u32(base, octave);
        let (dx, dy, dz) = (shift(state, 0), shift(state, 1), shift(state, 2));
        sum.add(gradient::at3(state, x + dx, y + dy, z + dz));
        (x, y, z) = (wrap(x * 2.0), wrap(y * 2.0), wrap(z * 2.0));
    }
    sum.normalised()
}

/// The scope that a seed's octaves are counted in: `Scope::new(seed).text("fbm")`.
#[inline(always)]
pub(super) fn scope(seed: u32) -> u32 {
    fold_u32(seeded(seed), FBM_SCOPE)
}

/// An octave's shift along an axis, in [1/4, 3/4).
#[inline(always)]
pub(super) fn shift(state: u32, axis: u32) -> f32 {
    0.25 + 0.5 * draw(state, axis)
}

/// A running sum of octaves. The amplitudes are powers of two, so that their products are exact.
#[derive(Clone, Copy)]
struct Sum {
    value: f32,
    amplitude: f32,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            value: 0.0,
            amplitude: 1.0,
        }
    }
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, octave: f32) {
        self.value += self.amplitude * octave;
        self.amplitude *= 0.5;
    }

    #[inline(always)]
    fn normalised(self) -> f32 {
        finish_sum(self.value, total(self.amplitude))
    }
}

/// What the amplitudes 1, 1/2, ... before `next` add up to.
#[inline(always)]
pub(super) fn total(next: f32) -> f32 {
    2.0 - 2.0 * next
}

#[inline(always)]
pub(super) fn finish_sum(value: f32, total: f32) -> f32 {
    clamp(crate::math::div(value, total), -1.0, 1.0)
}
