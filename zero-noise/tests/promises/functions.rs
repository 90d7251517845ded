//! Every function under its name, in a form that the tests can go through.

use crate::pinned::{PERIODS2, PERIODS3};
use zero_noise::*;

pub(crate) type Block1 = fn(Isa, &[f32], &mut [f32]);
pub(crate) type Block2 = fn(Isa, &[f32], &[f32], &mut [f32]);
pub(crate) type Noise2 = fn(Isa, u32, &[f32], &[f32], &mut [f32]);
pub(crate) type Noise3 = fn(Isa, u32, &[f32], &[f32], &[f32], &mut [f32]);

/// Name, scalar form, block form.
pub(crate) type Unary = (&'static str, fn(f32) -> f32, Block1);

pub(crate) const UNARY: [Unary; 8] = [
    ("sin", sin, sin_block),
    ("cos", cos, cos_block),
    ("exp2", exp2, exp2_block),
    ("log2", log2, log2_block),
    ("tanh", tanh, tanh_block),
    ("sqrt", sqrt, sqrt_block),
    ("recip", recip, recip_block),
    ("fract", fract, fract_block),
];

/// Name, scalar form, block form.
pub(crate) type Binary = (&'static str, fn(f32, f32) -> f32, Block2);

pub(crate) const BINARY: [Binary; 4] = [
    ("div", div, div_block),
    ("modulo", modulo, modulo_block),
    ("pow", pow, pow_block),
    ("atan2", atan2, atan2_block),
];

/// The strength that warps are tested with.
pub(crate) const STRENGTH: f32 = 1.75;

/// Name, scalar form, block form.
pub(crate) type Named2 = (&'static str, fn(u32, f32, f32) -> f32, Noise2);

pub(crate) const NOISE2: [Named2; 13] = [
    ("value2", value2, value2_block),
    ("gradient2", gradient2, gradient2_block),
    (
        "fbm2, 1 octave",
        |s, x, y| fbm2(s, x, y, 1),
        |i, s, x, y, d| fbm2_block(i, s, x, y, 1, d),
    ),
    (
        "fbm2, 6 octaves",
        |s, x, y| fbm2(s, x, y, 6),
        |i, s, x, y, d| fbm2_block(i, s, x, y, 6, d),
    ),
    ("simplex2", simplex2, simplex2_block),
    (
        "value2_tiled",
        |s, x, y| value2_tiled(s, x, y, PERIODS2),
        |i, s, x, y, d| value2_tiled_block(i, s, x, y, PERIODS2, d),
    ),
    (
        "gradient2_tiled",
        |s, x, y| gradient2_tiled(s, x, y, PERIODS2),
        |i, s, x, y, d| gradient2_tiled_block(i, s, x, y, PERIODS2, d),
    ),
    (
        "fbm2_tiled",
        |s, x, y| fbm2_tiled(s, x, y, 6, PERIODS2),
        |i, s, x, y, d| fbm2_tiled_block(i, s, x, y, 6, PERIODS2, d),
    ),
    (
        "ridged2",
        |s, x, y| ridged2(s, x, y, 6),
        |i, s, x, y, d| ridged2_block(i, s, x, y, 6, d),
    ),
    (
        "warped2",
        |s, x, y| warped2(s, x, y, 3, STRENGTH),
        |i, s, x, y, d| warped2_block(i, s, x, y, 3, STRENGTH, d),
    ),
    (
        "warped2, far",
        |s, x, y| warped2(s, x, y, 2, 1e9),
        |i, s, x, y, d| warped2_block(i, s, x, y, 2, 1e9, d),
    ),
    (
        "ridged2_tiled",
        |s, x, y| ridged2_tiled(s, x, y, 6, PERIODS2),
        |i, s, x, y, d| ridged2_tiled_block(i, s, x, y, 6, PERIODS2, d),
    ),
    (
        "warped2_tiled",
        |s, x, y| warped2_tiled(s, x, y, 3, STRENGTH, PERIODS2),
        |i, s, x, y, d| warped2_tiled_block(i, s, x, y, 3, STRENGTH, PERIODS2, d),
    ),
];

/// Name, scalar form, block form.
pub(crate) type Named3 = (&'static str, fn(u32, f32, f32, f32) -> f32, Noise3);

pub(crate) const NOISE3: [Named3; 12] = [
    ("value3", value3, value3_block),
    ("gradient3", gradient3, gradient3_block),
    (
        "fbm3, 1 octave",
        |s, x, y, z| fbm3(s, x, y, z, 1),
        |i, s, x, y, z, d| fbm3_block(i, s, x, y, z, 1, d),
    ),
    (
        "fbm3, 6 octaves",
        |s, x, y, z| fbm3(s, x, y, z, 6),
        |i, s, x, y, z, d| fbm3_block(i, s, x, y, z, 6, d),
    ),
    ("simplex3", simplex3, simplex3_block),
    (
        "value3_tiled",
        |s, x, y, z| value3_tiled(s, x, y, z, PERIODS3),
        |i, s, x, y, z, d| value3_tiled_block(i, s, x, y, z, PERIODS3, d),
    ),
    (
        "gradient3_tiled",
        |s, x, y, z| gradient3_tiled(s, x, y, z, PERIODS3),
        |i, s, x, y, z, d| gradient3_tiled_block(i, s, x, y, z, PERIODS3, d),
    ),
    (
        "fbm3_tiled",
        |s, x, y, z| fbm3_tiled(s, x, y, z, 6, PERIODS3),
        |i, s, x, y, z, d| fbm3_tiled_block(i, s, x, y, z, 6, PERIODS3, d),
    ),
    (
        "ridged3",
        |s, x, y, z| ridged3(s, x, y, z, 6),
        |i, s, x, y, z, d| ridged3_block(i, s, x, y, z, 6, d),
    ),
    (
        "warped3",
        |s, x, y, z| warped3(s, x, y, z, 3, STRENGTH),
        |i, s, x, y, z, d| warped3_block(i, s, x, y, z, 3, STRENGTH, d),
    ),
    (
        "ridged3_tiled",
        |s, x, y, z| ridged3_tiled(s, x, y, z, 6, PERIODS3),
        |i, s, x, y, z, d| ridged3_tiled_block(i, s, x, y, z, 6, PERIODS3, d),
    ),
    (
        "warped3_tiled",
        |s, x, y, z| warped3_tiled(s, x, y, z, 3, STRENGTH, PERIODS3),
        |i, s, x, y, z, d| warped3_tiled_block(i, s, x, y, z, 3, STRENGTH, PERIODS3, d),
    ),
];

/// Coordinates of points, axis by axis; the plane's noises read the first two axes.
pub(crate) type Axes<'a> = [&'a [f32]; 3];

/// The words of several results, 0 where there are fewer.
pub(crate) type Words = [u32; 4];

/// Noises of several results. Name, scalar form, block form, and the bounds of each result.
pub(crate) struct Several {
    pub(crate) name: &'static str,
    pub(crate) scalar: fn(u32, [f32; 3]) -> Words,
    pub(crate) block: fn(Isa, u32, Axes<'_>) -> Vec<Words>,
    pub(crate) bounds: [[f32; 2]; 4],
}

fn words<const N: usize>(values: [f32; N]) -> Words {
    let mut words = [0; 4];
    for (to, value) in words.iter_mut().zip(values) {
        *to = value.to_bits();
    }
    words
}

/// What a block writes into `N` slices.
fn rows<const N: usize>(n: usize, write: impl FnOnce([&mut [f32]; N])) -> Vec<Words> {
    let mut rows: [Vec<f32>; N] = std::array::from_fn(|_| vec![9.0; n]);
    write(rows.each_mut().map(Vec::as_mut_slice));
    (0..n)
        .map(|i| words::<N>(std::array::from_fn(|k| rows[k][i])))
        .collect()
}

fn cell(cell: Cellular) -> Words {
    [cell.f1.to_bits(), cell.f2.to_bits(), 0, cell.id]
}

fn cells(n: usize, write: impl FnOnce(&mut [Cellular])) -> Vec<Words> {
    let mut dst = vec![Cellular::default(); n];
    write(&mut dst);
    dst.into_iter().map(cell).collect()
}

/// A slope within `steepest` on each axis, of a value in these bounds.
const fn sloped(value: [f32; 2], steepest: f32) -> [[f32; 2]; 4] {
    let slope = [-steepest, steepest];
    [value, slope, slope, slope]
}

/// Distances within these; what stands for the id is no number.
const fn distances(f1: f32, f2: f32) -> [[f32; 2]; 4] {
    [[0.0, f1], [0.0, f2], [0.0, 0.0], [f32::MIN, f32::MAX]]
}

macro_rules! cellular {
    ($name:literal, $metric:ident, $f1:expr, $f2:expr; $scalar:ident, $block:ident, [$($axis:literal),+] $(, $periods:expr)?) => {
        Several {
            name: $name,
            scalar: |s, at| cell($scalar(s, $(at[$axis],)+ Metric::$metric $(, $periods)?)),
            block: |i, s, at| cells(at[0].len(), |d| $block(i, s, $(at[$axis],)+ Metric::$metric, $($periods,)? d)),
            bounds: distances($f1, $f2),
        }
    };
}

const ROOT_2: f32 = std::f32::consts::SQRT_2;
const ROOT_3: f32 = 1.732_050_8;
/// All six octaves' slopes over the sum of their amplitudes.
const FBM_SLOPE: f32 = 3.0 * 6.0 / (2.0 - 0.03125);

/// Of three octaves, read where three axes are displaced.
const WARPED_SLOPE: f32 = WARPED_OCTAVES * (1.0 + 3.0 * WARPED_OCTAVES * STRENGTH);
const WARPED_OCTAVES: f32 = 3.0 * 3.0 / 1.75;

pub(crate) const SEVERAL: [Several; 20] = [
    Several {
        name: "value2_slope",
        scalar: |s, [x, y, _]| words(value2_slope(s, x, y)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| value2_slope_block(i, s, x, y, d)),
        bounds: sloped([0.0, 1.0 - f32::EPSILON / 2.0], 1.875),
    },
    Several {
        name: "value3_slope",
        scalar: |s, [x, y, z]| words(value3_slope(s, x, y, z)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| value3_slope_block(i, s, x, y, z, d)),
        bounds: sloped([0.0, 1.0 - f32::EPSILON / 2.0], 1.875),
    },
    Several {
        name: "gradient2_slope",
        scalar: |s, [x, y, _]| words(gradient2_slope(s, x, y)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| gradient2_slope_block(i, s, x, y, d)),
        bounds: sloped([-1.0, 1.0], 2.924),
    },
    Several {
        name: "gradient3_slope",
        scalar: |s, [x, y, z]| words(gradient3_slope(s, x, y, z)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| gradient3_slope_block(i, s, x, y, z, d)),
        bounds: sloped([-1.0, 1.0], 2.98),
    },
    Several {
        name: "fbm2_slope",
        scalar: |s, [x, y, _]| words(fbm2_slope(s, x, y, 6)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| fbm2_slope_block(i, s, x, y, 6, d)),
        bounds: sloped([-1.0, 1.0], FBM_SLOPE),
    },
    Several {
        name: "fbm3_slope",
        scalar: |s, [x, y, z]| words(fbm3_slope(s, x, y, z, 6)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| fbm3_slope_block(i, s, x, y, z, 6, d)),
        bounds: sloped([-1.0, 1.0], FBM_SLOPE),
    },
    Several {
        name: "ridged2_slope",
        scalar: |s, [x, y, _]| words(ridged2_slope(s, x, y, 6)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| ridged2_slope_block(i, s, x, y, 6, d)),
        bounds: sloped([0.0, 1.0], 64.0),
    },
    Several {
        name: "ridged3_slope",
        scalar: |s, [x, y, z]| words(ridged3_slope(s, x, y, z, 6)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| ridged3_slope_block(i, s, x, y, z, 6, d)),
        bounds: sloped([0.0, 1.0], 64.0),
    },
    Several {
        name: "warped2_slope",
        scalar: |s, [x, y, _]| words(warped2_slope(s, x, y, 3, STRENGTH)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| warped2_slope_block(i, s, x, y, 3, STRENGTH, d)),
        bounds: sloped([-1.0, 1.0], WARPED_SLOPE),
    },
    Several {
        name: "warped3_slope",
        scalar: |s, [x, y, z]| words(warped3_slope(s, x, y, z, 3, STRENGTH)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| warped3_slope_block(i, s, x, y, z, 3, STRENGTH, d)),
        bounds: sloped([-1.0, 1.0], WARPED_SLOPE),
    },
    Several {
        name: "warp2",
        scalar: |s, [x, y, _]| words(warp2(s, x, y, 3, STRENGTH)),
        block: |i, s, [x, y, _]| rows(x.len(), |d| warp2_block(i, s, x, y, 3, STRENGTH, d)),
        bounds: [[-4_194_306.0, 4_194_306.0]; 4],
    },
    Several {
        name: "warp3",
        scalar: |s, [x, y, z]| words(warp3(s, x, y, z, 3, STRENGTH)),
        block: |i, s, [x, y, z]| rows(x.len(), |d| warp3_block(i, s, x, y, z, 3, STRENGTH, d)),
        bounds: [[-4_194_306.0, 4_194_306.0]; 4],
    },
    cellular!("cellular2, Euclidean", Euclidean, ROOT_2, 1.5812; cellular2, cellular2_block, [0, 1]),
    cellular!("cellular2, Manhattan", Manhattan, 2.0, 2.0; cellular2, cellular2_block, [0, 1]),
    cellular!("cellular2, Chebyshev", Chebyshev, 1.0, 1.5; cellular2, cellular2_block, [0, 1]),
    cellular!("cellular2_tiled", Euclidean, ROOT_2, 1.5812; cellular2_tiled, cellular2_tiled_block, [0, 1], PERIODS2),
    cellular!("cellular3, Euclidean", Euclidean, ROOT_3, ROOT_3; cellular3, cellular3_block, [0, 1, 2]),
    cellular!("cellular3, Manhattan", Manhattan, 3.0, 3.0; cellular3, cellular3_block, [0, 1, 2]),
    cellular!("cellular3, Chebyshev", Chebyshev, 1.0, 1.5; cellular3, cellular3_block, [0, 1, 2]),
    cellular!(
        "cellular3_tiled", Manhattan, 3.0, 3.0; cellular3_tiled, cellular3_tiled_block, [0, 1, 2], PERIODS3
    ),
];
