//! Every function under its name, in a form that the tests can go through.

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

/// Name, scalar form, block form.
pub(crate) type Named2 = (&'static str, fn(u32, f32, f32) -> f32, Noise2);

pub(crate) const NOISE2: [Named2; 4] = [
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
];

/// Name, scalar form, block form.
pub(crate) type Named3 = (&'static str, fn(u32, f32, f32, f32) -> f32, Noise3);

pub(crate) const NOISE3: [Named3; 4] = [
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
];
