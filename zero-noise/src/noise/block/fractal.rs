//! Blocks of the noises of several octaves.
#![expect(
    clippy::too_many_arguments,
    reason = "the arguments of the scalar functions, a slice for each axis"
)]

use super::{Chunk, read, shortest, write};
use crate::Isa;
use crate::isa::{CHUNK, dispatch};
use crate::noise::fractal::{Fbm, FbmSlope};
use crate::noise::octaves::{Fractal, at_points};
use crate::noise::ridged::{Ridged, RidgedSlope};
use crate::noise::tiling::{Open, Tiled};
use crate::noise::warp;

/// A chunk's points displaced as [`warp2`](crate::warp2) and [`warp3`](crate::warp3) do.
#[inline(always)]
fn warped<const D: usize>(seed: u32, at: &Chunk<D>, n: usize, octaves: u32, strength: f32) -> Chunk<D>
where
    Fbm: Fractal<D, 1, 1>,
{
    let seeds: [u32; D] = warp::seeds(seed);
    let mut moved = *at;
    for d in 0..D {
        let [by] = at_points(Fbm, Open, seeds[d], at, n, octaves);
        for i in 0..n.min(CHUNK) {
            moved[d][i] = warp::displaced(at[d][i], strength, by[i]);
        }
    }
    moved
}

macro_rules! octave_blocks {
    ($($(#[$doc:meta])* $name:ident($($axis:ident),+ $(; $($more:ident: $more_type:ty),+)?) -> $dst:ty:
        |$at:ident, $n:ident, $seed:ident, $octaves:ident| $noise:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(isa: Isa, seed: u32, $($axis: &[f32],)+ octaves: u32, $($($more: $more_type,)+)? dst: $dst) {
            #[inline(always)]
            fn body($seed: u32, $($axis: &[f32],)+ $octaves: u32, $($($more: $more_type,)+)? dst: $dst) {
                let (src, mut dst) = ([$($axis),+], Destinations::slices(dst));
                let end = shortest(&src, &dst);
                for start in (0..end).step_by(CHUNK) {
                    let ($at, $n) = read(src, start, end);
                    write(&mut dst, start, $n, &$noise);
                }
            }
            dispatch!(isa, body, (seed: u32, $($axis: &[f32],)+ octaves: u32, $($($more: $more_type,)+)? dst: $dst));
        }
    )*};
}

/// One slice to write, or several.
trait Destinations<'a, const M: usize> {
    fn slices(self) -> [&'a mut [f32]; M];
}

impl<'a> Destinations<'a, 1> for &'a mut [f32] {
    #[inline(always)]
    fn slices(self) -> [&'a mut [f32]; 1] {
        [self]
    }
}

impl<'a, const M: usize> Destinations<'a, M> for [&'a mut [f32]; M] {
    #[inline(always)]
    fn slices(self) -> [&'a mut [f32]; M] {
        self
    }
}

octave_blocks! {
    /// [`fbm2`](crate::fbm2) of each pair.
    fbm2_block(x, y) -> &mut [f32]: |at, n, seed, octaves| at_points(Fbm, Open, seed, &at, n, octaves);
    /// [`fbm3`](crate::fbm3) of each triple.
    fbm3_block(x, y, z) -> &mut [f32]: |at, n, seed, octaves| at_points(Fbm, Open, seed, &at, n, octaves);
    /// [`fbm2_tiled`](crate::fbm2_tiled) of each pair.
    fbm2_tiled_block(x, y; periods: [u32; 2]) -> &mut [f32]:
        |at, n, seed, octaves| at_points(Fbm, Tiled::of(periods), seed, &at, n, octaves);
    /// [`fbm3_tiled`](crate::fbm3_tiled) of each triple.
    fbm3_tiled_block(x, y, z; periods: [u32; 3]) -> &mut [f32]:
        |at, n, seed, octaves| at_points(Fbm, Tiled::of(periods), seed, &at, n, octaves);
    /// [`fbm2_slope`](crate::fbm2_slope) of each pair: values, slopes along x and along y, each in its slice.
    fbm2_slope_block(x, y) -> [&mut [f32]; 3]: |at, n, seed, octaves| at_points(FbmSlope, Open, seed, &at, n, octaves);
    /// [`fbm3_slope`](crate::fbm3_slope) of each triple: values, slopes along x, y and z, each in its slice.
    fbm3_slope_block(x, y, z) -> [&mut [f32]; 4]: |at, n, seed, octaves| at_points(FbmSlope, Open, seed, &at, n, octaves);
    /// [`ridged2`](crate::ridged2) of each pair.
    ridged2_block(x, y) -> &mut [f32]: |at, n, seed, octaves| at_points(Ridged, Open, seed, &at, n, octaves);
    /// [`ridged3`](crate::ridged3) of each triple.
    ridged3_block(x, y, z) -> &mut [f32]: |at, n, seed, octaves| at_points(Ridged, Open, seed, &at, n, octaves);
    /// [`warp2`](crate::warp2) of each pair: the displaced x and y, each in its slice.
    warp2_block(x, y; strength: f32) -> [&mut [f32]; 2]:
        |at, n, seed, octaves| warped(seed, &at, n, octaves, strength);
    /// [`warp3`](crate::warp3) of each triple: the displaced x, y and z, each in its slice.
    warp3_block(x, y, z; strength: f32) -> [&mut [f32]; 3]:
        |at, n, seed, octaves| warped(seed, &at, n, octaves, strength);
    /// [`warped2`](crate::warped2) of each pair.
    warped2_block(x, y; strength: f32) -> &mut [f32]: |at, n, seed, octaves| {
        let moved = warped(seed, &at, n, octaves, strength);
        at_points(Fbm, Open, seed, &moved, n, octaves)
    };
    /// [`warped3`](crate::warped3) of each triple.
    warped3_block(x, y, z; strength: f32) -> &mut [f32]: |at, n, seed, octaves| {
        let moved = warped(seed, &at, n, octaves, strength);
        at_points(Fbm, Open, seed, &moved, n, octaves)
    };
    /// [`ridged2_tiled`](crate::ridged2_tiled) of each pair.
    ridged2_tiled_block(x, y; periods: [u32; 2]) -> &mut [f32]:
        |at, n, seed, octaves| at_points(Ridged, Tiled::of(periods), seed, &at, n, octaves);
    /// [`ridged3_tiled`](crate::ridged3_tiled) of each triple.
    ridged3_tiled_block(x, y, z; periods: [u32; 3]) -> &mut [f32]:
        |at, n, seed, octaves| at_points(Ridged, Tiled::of(periods), seed, &at, n, octaves);
    /// [`ridged2_slope`](crate::ridged2_slope) of each pair: values, slopes along x and along y, each in its slice.
    ridged2_slope_block(x, y) -> [&mut [f32]; 3]:
        |at, n, seed, octaves| at_points(RidgedSlope, Open, seed, &at, n, octaves);
    /// [`ridged3_slope`](crate::ridged3_slope) of each triple: values, slopes along x, y and z, each in its slice.
    ridged3_slope_block(x, y, z) -> [&mut [f32]; 4]:
        |at, n, seed, octaves| at_points(RidgedSlope, Open, seed, &at, n, octaves);
    /// [`warped2_tiled`](crate::warped2_tiled) of each pair.
    warped2_tiled_block(x, y; strength: f32, periods: [u32; 2]) -> &mut [f32]:
        |at, n, seed, octaves| warp::tiled_points(seed, &at, n, octaves, strength, periods);
    /// [`warped3_tiled`](crate::warped3_tiled) of each triple.
    warped3_tiled_block(x, y, z; strength: f32, periods: [u32; 3]) -> &mut [f32]:
        |at, n, seed, octaves| warp::tiled_points(seed, &at, n, octaves, strength, periods);
    /// [`warped2_slope`](crate::warped2_slope) of each pair: values, slopes along x and along y, each in its slice.
    warped2_slope_block(x, y; strength: f32) -> [&mut [f32]; 3]:
        |at, n, seed, octaves| warp::slope_points(seed, &at, n, octaves, strength);
    /// [`warped3_slope`](crate::warped3_slope) of each triple: values, slopes along x, y and z, each in its slice.
    warped3_slope_block(x, y, z; strength: f32) -> [&mut [f32]; 4]:
        |at, n, seed, octaves| warp::slope_points(seed, &at, n, octaves, strength);
}
