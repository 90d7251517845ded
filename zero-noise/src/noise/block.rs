//! Whole slices at once: the bits of the scalar functions, vectorised. Coordinates are separate slices, and as many
//! elements are written as the shortest slice has.

use super::fractal::{MAX_OCTAVES, finish_sum, scope, shift, total};
use super::lattice::{coordinate, seeded, wrap};
use super::{gradient, value};
use crate::Isa;
use crate::hash::fold_u32;
use crate::isa::{CHUNK, dispatch};

/// [`value2`](super::value2) of each pair.
pub fn value2_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]) {
        let state = seeded(seed);
        each2(x, y, dst, |x, y| value::at2(state, x, y));
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]));
}

/// [`value3`](super::value3) of each triple.
pub fn value3_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]) {
        let state = seeded(seed);
        each3(x, y, z, dst, |x, y, z| value::at3(state, x, y, z));
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]));
}

/// [`gradient2`](super::gradient2) of each pair.
pub fn gradient2_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]) {
        let state = seeded(seed);
        each2(x, y, dst, |x, y| gradient::at2(state, x, y));
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], dst: &mut [f32]));
}

/// [`gradient3`](super::gradient3) of each triple.
pub fn gradient3_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]) {
        let state = seeded(seed);
        each3(x, y, z, dst, |x, y, z| gradient::at3(state, x, y, z));
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32]));
}

/// [`fbm2`](super::fbm2) of each pair.
pub fn fbm2_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], octaves: u32, dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], octaves: u32, dst: &mut [f32]) {
        let base = scope(seed);
        for ((x, y), dst) in x.chunks(CHUNK).zip(y.chunks(CHUNK)).zip(dst.chunks_mut(CHUNK)) {
            let n = x.len().min(y.len()).min(dst.len());
            let (mut x, mut y, dst) = (Coordinates::read(x), Coordinates::read(y), &mut dst[..n]);
            dst.fill(0.0);
            let mut amplitude = 1.0;
            for octave in 0..octaves.min(MAX_OCTAVES) {
                let state = fold_u32(base, octave);
                let (dx, dy) = (shift(state, 0), shift(state, 1));
                for ((to, &x), &y) in dst.iter_mut().zip(&x.0).zip(&y.0) {
                    *to += amplitude * gradient::at2(state, x + dx, y + dy);
                }
                x.double();
                y.double();
                amplitude *= 0.5;
            }
            normalise(dst, amplitude);
        }
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], octaves: u32, dst: &mut [f32]));
}

/// [`fbm3`](super::fbm3) of each triple.
pub fn fbm3_block(isa: Isa, seed: u32, x: &[f32], y: &[f32], z: &[f32], octaves: u32, dst: &mut [f32]) {
    #[inline(always)]
    fn body(seed: u32, x: &[f32], y: &[f32], z: &[f32], octaves: u32, dst: &mut [f32]) {
        let base = scope(seed);
        let sources = x.chunks(CHUNK).zip(y.chunks(CHUNK)).zip(z.chunks(CHUNK));
        for (((x, y), z), dst) in sources.zip(dst.chunks_mut(CHUNK)) {
            let n = x.len().min(y.len()).min(z.len()).min(dst.len());
            let (mut x, mut y, mut z) = (Coordinates::read(x), Coordinates::read(y), Coordinates::read(z));
            let dst = &mut dst[..n];
            dst.fill(0.0);
            let mut amplitude = 1.0;
            for octave in 0..octaves.min(MAX_OCTAVES) {
                let state = fold_u32(base, octave);
                let (dx, dy, dz) = (shift(state, 0), shift(state, 1), shift(state, 2));
                for (((to, &x), &y), &z) in dst.iter_mut().zip(&x.0).zip(&y.0).zip(&z.0) {
                    *to += amplitude * gradient::at3(state, x + dx, y + dy, z + dz);
                }
                x.double();
                y.double();
                z.double();
                amplitude *= 0.5;
            }
            normalise(dst, amplitude);
        }
    }
    dispatch!(isa, body, (seed: u32, x: &[f32], y: &[f32], z: &[f32], octaves: u32, dst: &mut [f32]));
}

/// A chunk of one axis as the lattice reads it.
struct Coordinates([f32; CHUNK]);

impl Coordinates {
    #[inline(always)]
    fn read(src: &[f32]) -> Self {
        let mut chunk = [0.0; CHUNK];
        for (to, &x) in chunk.iter_mut().zip(src) {
            *to = coordinate(x);
        }
        Self(chunk)
    }

    #[inline(always)]
    fn double(&mut self) {
        for x in &mut self.0 {
            *x = wrap(*x * 2.0);
        }
    }
}

#[inline(always)]
fn normalise(dst: &mut [f32], next_amplitude: f32) {
    let total = total(next_amplitude);
    for value in dst {
        *value = finish_sum(*value, total);
    }
}

#[inline(always)]
fn each2(x: &[f32], y: &[f32], dst: &mut [f32], noise: impl Fn(f32, f32) -> f32) {
    for ((to, &x), &y) in dst.iter_mut().zip(x).zip(y) {
        *to = noise(coordinate(x), coordinate(y));
    }
}

#[inline(always)]
fn each3(x: &[f32], y: &[f32], z: &[f32], dst: &mut [f32], noise: impl Fn(f32, f32, f32) -> f32) {
    for (((to, &x), &y), &z) in dst.iter_mut().zip(x).zip(y).zip(z) {
        *to = noise(coordinate(x), coordinate(y), coordinate(z));
    }
}
