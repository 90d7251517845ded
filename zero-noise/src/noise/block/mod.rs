//! Whole slices at once: the bits of the scalar functions, vectorised. Coordinates are separate slices, and as many
//! elements are written as the shortest slice has.
//!
//! A closure is a function of its own, which the compiler may leave outside of the AVX2 clone it is called from; so the
//! loops here are written out by macros and call nothing but `inline(always)` functions.

mod cellular;
mod fractal;
mod points;

pub use cellular::*;
pub use fractal::*;
pub use points::*;

use crate::isa::CHUNK;

/// `D` coordinates or `D` results of a chunk of points.
type Chunk<const D: usize> = [[f32; CHUNK]; D];

/// The next chunk of `D` coordinates from `start` on: the points, and how many they are.
#[inline(always)]
fn read<const D: usize>(src: [&[f32]; D], start: usize, end: usize) -> (Chunk<D>, usize) {
    let n = CHUNK.min(end - start);
    let mut at = [[0.0; CHUNK]; D];
    for (to, from) in at.iter_mut().zip(src) {
        to[..n].copy_from_slice(&from[start..start + n]);
    }
    (at, n)
}

#[inline(always)]
fn write<const M: usize>(dst: &mut [&mut [f32]; M], start: usize, n: usize, results: &Chunk<M>) {
    for (to, from) in dst.iter_mut().zip(results) {
        to[start..start + n].copy_from_slice(&from[..n]);
    }
}

/// The length of the shortest slice.
#[inline(always)]
fn shortest<const D: usize, const M: usize>(src: &[&[f32]; D], dst: &[&mut [f32]; M]) -> usize {
    let mut n = usize::MAX;
    for slice in src {
        n = n.min(slice.len());
    }
    for slice in dst {
        n = n.min(slice.len());
    }
    n
}
