//! What the fractal noises share: octaves, each twice as fine and half as high as the one before.
//!
//! Octave k has its own hash scope and its own shift of a quarter to three quarters of a cell on each axis: without
//! the shift every octave would be 0 at the lattice points of the first, which shows as a grid.
#![expect(
    clippy::needless_range_loop,
    reason = "rows are read and written lane by lane, which is the form that is vectorised"
)]

use super::lattice::{Axis, seeded, wrap};
use super::tiling::Tiling;
use crate::hash::{draw, fold_u32};

/// More octaves than this are read as this many: the next would be below the spacing of f32.
pub const MAX_OCTAVES: u32 = crate::consts::MAX_OCTAVES;

/// The scope that a seed's octaves are counted in: `Scope::new(seed).text(name)`, `name` being three letters and the
/// closing zero as one word.
#[inline(always)]
pub(super) fn scope(seed: u32, name: u32) -> u32 {
    fold_u32(seeded(seed), name)
}

/// An octave's shift along an axis, in [1/4, 3/4).
#[inline(always)]
fn shift(state: u32, axis: usize) -> f32 {
    0.25 + 0.5 * draw(state, axis as u32)
}

/// What the amplitudes 1, 1/2, ... before `next` add up to.
#[inline(always)]
fn total(next: f32) -> f32 {
    2.0 - 2.0 * next
}

/// One octave as its noise is asked for it.
#[derive(Clone, Copy)]
pub(super) struct Octave {
    pub(super) state: u32,
    /// A power of two, so that products with it are exact.
    pub(super) amplitude: f32,
}

/// A noise of octaves in `D` dimensions: `N` numbers that begin as zeros and gather the octaves, and the `M` that it
/// answers. A trait rather than closures, whose calls the compiler may leave standing in the loops of a block.
pub(super) trait Fractal<const D: usize, const N: usize, const M: usize>: Copy {
    /// The word of its hash scope.
    const NAME: u32;
    fn add(self, sum: [f32; N], octave: Octave, at: [Axis; D]) -> [f32; N];
    /// The answer from what was gathered and the sum of the amplitudes.
    fn finish(self, sum: [f32; N], total: f32) -> [f32; M];
}

/// A fractal noise at one point.
#[inline(always)]
pub(super) fn at_point<const D: usize, const N: usize, const M: usize>(
    fractal: impl Fractal<D, N, M>,
    tiling: impl Tiling<D>,
    seed: u32,
    at: [f32; D],
    octaves: u32,
) -> [f32; M] {
    at_points(fractal, tiling, seed, &at.map(|x| [x]), 1, octaves).map(|[value]| value)
}

/// A fractal noise at the first `n` of `L` points, which stand axis by axis, octave by octave: the order that is
/// vectorised.
#[inline(always)]
pub(super) fn at_points<F: Fractal<D, N, M>, const D: usize, const N: usize, const M: usize, const L: usize>(
    fractal: F,
    tiling: impl Tiling<D>,
    seed: u32,
    at: &[[f32; L]; D],
    n: usize,
    octaves: u32,
) -> [[f32; L]; M] {
    let base = scope(seed, F::NAME);
    let n = n.min(L);
    let mut x = *at;
    for (d, axis) in x.iter_mut().enumerate() {
        for x in &mut axis[..n] {
            *x = tiling.start(d, *x);
        }
    }
    let mut sums = [[0.0; L]; N];
    let (mut amplitude, mut scale) = (1.0, 1.0);
    for octave in 0..tiling.octaves(octaves) {
        let state = fold_u32(base, octave);
        let mut shifts = [0.0; D];
        for (d, to) in shifts.iter_mut().enumerate() {
            *to = shift(state, d);
        }
        for i in 0..n {
            let mut cells = [Axis::of(0.0); D];
            for d in 0..D {
                cells[d] = tiling.axis(d, scale, x[d][i] + shifts[d]);
            }
            let sum = fractal.add(lane(&sums, i), Octave { state, amplitude }, cells);
            for k in 0..N {
                sums[k][i] = sum[k];
            }
        }
        for axis in &mut x {
            for x in &mut axis[..n] {
                *x = wrap(*x * 2.0);
            }
        }
        amplitude *= 0.5;
        scale *= 2.0;
    }
    let total = total(amplitude);
    let mut results = [[0.0; L]; M];
    for i in 0..n {
        let values = fractal.finish(lane(&sums, i), total);
        for k in 0..M {
            results[k][i] = values[k];
        }
    }
    results
}

/// The `i`-th of every row.
#[inline(always)]
fn lane<const N: usize, const L: usize>(rows: &[[f32; L]; N], i: usize) -> [f32; N] {
    let mut values = [0.0; N];
    for k in 0..N {
        values[k] = rows[k][i];
    }
    values
}
