//! Blocks of cellular noise.
#![expect(
    clippy::too_many_arguments,
    reason = "the arguments of the scalar functions, a slice for each axis"
)]

use crate::Isa;
use crate::consts::CELLULAR_SCOPE;
use crate::isa::{CHUNK, dispatch};
use crate::noise::cellular::{Cellular, Chebyshev, Euclidean, Manhattan, Measure, Metric, nearest};
use crate::noise::octaves::scope;
use crate::noise::tiling::{Open, Tiled, Tiling};

#[inline(always)]
fn by_metric<const D: usize>(
    seed: u32,
    tiling: impl Tiling<D>,
    src: [&[f32]; D],
    metric: Metric,
    dst: &mut [Cellular],
) {
    match metric {
        Metric::Euclidean => by_chunks(seed, tiling, src, Euclidean, dst),
        Metric::Manhattan => by_chunks(seed, tiling, src, Manhattan, dst),
        Metric::Chebyshev => by_chunks(seed, tiling, src, Chebyshev, dst),
    }
}

#[inline(always)]
fn by_chunks<const D: usize>(
    seed: u32,
    tiling: impl Tiling<D>,
    src: [&[f32]; D],
    measure: impl Measure,
    dst: &mut [Cellular],
) {
    let state = scope(seed, CELLULAR_SCOPE);
    let n = src.iter().fold(dst.len(), |n, axis| n.min(axis.len()));
    for start in (0..n).step_by(CHUNK) {
        let length = CHUNK.min(n - start);
        let mut at = [[0.0; CHUNK]; D];
        for (to, from) in at.iter_mut().zip(src) {
            to[..length].copy_from_slice(&from[start..start + length]);
        }
        let found = nearest(state, tiling, &at, length, measure);
        dst[start..start + length].copy_from_slice(&found[..length]);
    }
}

macro_rules! blocks {
    ($($(#[$doc:meta])* $name:ident($($axis:ident),+ $(; $periods:ident: $count:literal)?): $tiling:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(
            isa: Isa, seed: u32, $($axis: &[f32],)+ metric: Metric, $($periods: [u32; $count],)? dst: &mut [Cellular],
        ) {
            #[inline(always)]
            fn body(
                seed: u32, $($axis: &[f32],)+ metric: Metric, $($periods: [u32; $count],)? dst: &mut [Cellular],
            ) {
                by_metric(seed, $tiling, [$($axis),+], metric, dst);
            }
            dispatch!(isa, body, (
                seed: u32, $($axis: &[f32],)+ metric: Metric, $($periods: [u32; $count],)? dst: &mut [Cellular],
            ));
        }
    )*};
}

blocks! {
    /// [`cellular2`](crate::cellular2) of each pair.
    cellular2_block(x, y): Open;
    /// [`cellular3`](crate::cellular3) of each triple.
    cellular3_block(x, y, z): Open;
    /// [`cellular2_tiled`](crate::cellular2_tiled) of each pair.
    cellular2_tiled_block(x, y; periods: 2): Tiled::of(periods);
    /// [`cellular3_tiled`](crate::cellular3_tiled) of each triple.
    cellular3_tiled_block(x, y, z; periods: 3): Tiled::of(periods);
}
