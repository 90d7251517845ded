//! Blocks of the noises of one octave.

use super::{read, shortest, write};
use crate::Isa;
use crate::isa::{CHUNK, dispatch};

macro_rules! blocks {
    ($($(#[$doc:meta])* $name:ident($($axis:ident),+ $(; $periods:ident: $count:literal)?): $scalar:path;)*) => {$(
        $(#[$doc])*
        pub fn $name(isa: Isa, seed: u32, $($axis: &[f32],)+ $($periods: [u32; $count],)? dst: &mut [f32]) {
            #[inline(always)]
            fn body(seed: u32, $($axis: &[f32],)+ $($periods: [u32; $count],)? dst: &mut [f32]) {
                let (src, mut dst) = ([$($axis),+], [dst]);
                let end = shortest(&src, &dst);
                for start in (0..end).step_by(CHUNK) {
                    let ([$($axis),+], n) = read(src, start, end);
                    let mut results = [[0.0; CHUNK]];
                    for i in 0..n {
                        results[0][i] = $scalar(seed, $($axis[i],)+ $($periods)?);
                    }
                    write(&mut dst, start, n, &results);
                }
            }
            dispatch!(isa, body, (seed: u32, $($axis: &[f32],)+ $($periods: [u32; $count],)? dst: &mut [f32]));
        }
    )*};
}

macro_rules! slope_blocks {
    ($($(#[$doc:meta])* $name:ident($($axis:ident),+) -> $count:literal: $scalar:path;)*) => {$(
        $(#[$doc])*
        pub fn $name(isa: Isa, seed: u32, $($axis: &[f32],)+ dst: [&mut [f32]; $count]) {
            #[inline(always)]
            fn body(seed: u32, $($axis: &[f32],)+ mut dst: [&mut [f32]; $count]) {
                let src = [$($axis),+];
                let end = shortest(&src, &dst);
                for start in (0..end).step_by(CHUNK) {
                    let ([$($axis),+], n) = read(src, start, end);
                    let mut results = [[0.0; CHUNK]; $count];
                    for i in 0..n {
                        let values = $scalar(seed, $($axis[i]),+);
                        for k in 0..$count {
                            results[k][i] = values[k];
                        }
                    }
                    write(&mut dst, start, n, &results);
                }
            }
            dispatch!(isa, body, (seed: u32, $($axis: &[f32],)+ dst: [&mut [f32]; $count]));
        }
    )*};
}

blocks! {
    /// [`value2`](crate::value2) of each pair.
    value2_block(x, y): crate::value2;
    /// [`value3`](crate::value3) of each triple.
    value3_block(x, y, z): crate::value3;
    /// [`gradient2`](crate::gradient2) of each pair.
    gradient2_block(x, y): crate::gradient2;
    /// [`gradient3`](crate::gradient3) of each triple.
    gradient3_block(x, y, z): crate::gradient3;
    /// [`simplex2`](crate::simplex2) of each pair.
    simplex2_block(x, y): crate::simplex2;
    /// [`simplex3`](crate::simplex3) of each triple.
    simplex3_block(x, y, z): crate::simplex3;
    /// [`value2_tiled`](crate::value2_tiled) of each pair.
    value2_tiled_block(x, y; periods: 2): crate::value2_tiled;
    /// [`value3_tiled`](crate::value3_tiled) of each triple.
    value3_tiled_block(x, y, z; periods: 3): crate::value3_tiled;
    /// [`gradient2_tiled`](crate::gradient2_tiled) of each pair.
    gradient2_tiled_block(x, y; periods: 2): crate::gradient2_tiled;
    /// [`gradient3_tiled`](crate::gradient3_tiled) of each triple.
    gradient3_tiled_block(x, y, z; periods: 3): crate::gradient3_tiled;
}

slope_blocks! {
    /// [`value2_slope`](crate::value2_slope) of each pair: values, slopes along x and along y, each in its slice.
    value2_slope_block(x, y) -> 3: crate::value2_slope;
    /// [`value3_slope`](crate::value3_slope) of each triple: values, slopes along x, y and z, each in its slice.
    value3_slope_block(x, y, z) -> 4: crate::value3_slope;
    /// [`gradient2_slope`](crate::gradient2_slope) of each pair: values, slopes along x and along y, each in its slice.
    gradient2_slope_block(x, y) -> 3: crate::gradient2_slope;
    /// [`gradient3_slope`](crate::gradient3_slope) of each triple: values, slopes along x, y and z, each in its slice.
    gradient3_slope_block(x, y, z) -> 4: crate::gradient3_slope;
}
