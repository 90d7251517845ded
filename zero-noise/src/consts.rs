//! Every constant that the Rust and the WGSL twins share, written once.
//!
//! `wgsl/constants.wgsl` is generated from this table; a test compares the two.
//!
//! The polynomials are minimax fits (Remez exchange in 320-bit arithmetic), rounded to f32 one coefficient after the
//! other with the rest fitted again. The power of two behind each is its largest relative error before rounding of
//! the evaluation itself.

/// A constant's value, with its WGSL type.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    F(f32),
    U(u32),
}

macro_rules! shared {
    ($($(#[$doc:meta])* $name:ident: $ty:ident = $value:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: shared!(@ty $ty) = $value;)*
        /// Name and value of each, in order.
        #[cfg(test)]
        pub(crate) const SHARED: &[(&str, Word)] = &[$((stringify!($name), Word::$ty($name))),*];
    };
    (@ty F) => { f32 };
    (@ty U) => { u32 };
}

shared! {
    FNV_OFFSET: U = 0x811c_9dc5;
    FNV_PRIME: U = 0x0100_0193;
    MURMUR_1: U = 0x85eb_ca6b;
    MURMUR_2: U = 0xc2b2_ae35;
    /// 2^-24.
    UNIT: F = 5.960_464_5e-8;
    MAX: F = f32::MAX;

    /// Above this magnitude an angle is reduced with [`TWO_OVER_PI_WORDS`].
    ANGLE_LARGE: F = 8192.0;
    TWO_OVER_PI: F = 0.636_619_75;
    /// pi/2 in three parts of 11 bits, whose products with a quadrant number below 2^13 are exact, and a rest.
    HALF_PI_1: F = 1.570_312_5;
    HALF_PI_2: F = 0.000_483_751_3;
    HALF_PI_3: F = 7.549_533_6e-8;
    HALF_PI_4: F = 2.563_344e-12;
    /// (sin r / r - 1) / r^2 over r^2, |r| <= pi/4 + 0.001: 2^-27.9.
    SIN_0: F = -0.166_666_55;
    SIN_1: F = 0.008_332_187;
    SIN_2: F = -0.000_195_178_93;
    /// (cos r - 1 + r^2 / 2) / r^4 over r^2: 2^-33.
    COS_0: F = 0.041_666_646;
    COS_1: F = -0.001_388_731;
    COS_2: F = 2.443_232_7e-5;
    /// (2^f - 1) / f over |f| <= 0.501: 2^-27.5.
    EXP2_0: F = 0.693_147_24;
    EXP2_1: F = 0.240_226_55;
    EXP2_2: F = 0.055_502_724;
    EXP2_3: F = 0.009_617_064;
    EXP2_4: F = 0.001_341_830_4;
    EXP2_5: F = 0.000_158_168_97;
    /// (atanh s / s - 1) / s^2 over s^2, |s| <= 0.1716: 2^-35.2 of the whole.
    LOG_0: F = 0.333_333_3;
    LOG_1: F = 0.200_004_86;
    LOG_2: F = 0.142_493_96;
    LOG_3: F = 0.121_394_32;
    /// 2 / ln 2, upper and lower part.
    TWO_OVER_LN2: F = 2.885_39;
    TWO_OVER_LN2_LOW: F = 3.851_926e-8;
    /// (atan q / q - 1) / q^2 over q^2, 0 <= q <= 1: 2^-28.1.
    ATAN_0: F = -0.333_333;
    ATAN_1: F = 0.199_985_47;
    ATAN_2: F = -0.142_642_41;
    ATAN_3: F = 0.109_521_83;
    ATAN_4: F = -0.084_034_46;
    ATAN_5: F = 0.057_957_552;
    ATAN_6: F = -0.031_177_83;
    ATAN_7: F = 0.010_914_614;
    ATAN_8: F = -0.001_793_625_8;
    HALF_PI: F = std::f32::consts::FRAC_PI_2;
    HALF_PI_LOW: F = -4.371_139e-8;
    PI: F = std::f32::consts::PI;
    PI_LOW: F = -8.742_278e-8;
    /// Below this magnitude tanh is its polynomial.
    TANH_SMALL: F = 0.625;
    /// (tanh x / x - 1) / x^2 over x^2, |x| <= 0.632: 2^-27.5.
    TANH_0: F = -0.333_332_75;
    TANH_1: F = 0.133_312_37;
    TANH_2: F = -0.053_722_02;
    TANH_3: F = 0.020_579_76;
    TANH_4: F = -0.005_637_280_6;

    /// Lattice coordinates below this magnitude are read as multiples of 2^-24: a sum with [`GRID`] has no finer places.
    NEAR: F = 0.25;
    GRID: F = 0.75;
    /// 2^-60. Gradient noise below this magnitude is 0.
    SETTLED: F = 8.673_617e-19;
    /// Lattice coordinates at and beyond this magnitude wrap.
    WRAP: F = 4_194_304.0;
    WRAP_INVERSE: F = 2.384_185_8e-7;
    /// sqrt 2 times cosine and sine of 22.5 degrees: eight directions of length sqrt 2.
    OCTAGON_LONG: F = 1.306_563;
    OCTAGON_SHORT: F = 0.541_196_1;
    /// The coordinates of an icosahedron's vertices at distance 2 / sqrt 3.
    ICOSAHEDRON_LONG: F = 0.982_246_94;
    ICOSAHEDRON_SHORT: F = 0.607_062;
    /// The name "fbm" with its closing zero, as one little-endian integer; then "rdg", "wrp", "spx" and "cel".
    FBM_SCOPE: U = 0x006d_6266;
    RIDGED_SCOPE: U = 0x0067_6472;
    WARP_SCOPE: U = 0x0070_7277;
    SIMPLEX_SCOPE: U = 0x0078_7073;
    CELLULAR_SCOPE: U = 0x006c_6563;
    MAX_OCTAVES: U = 16;
    /// The longest period of a tiled noise in cells, which is [`WRAP`].
    MAX_PERIOD: U = 0x0040_0000;
    /// The largest strength of a warp, in cells.
    MAX_WARP: F = 1_048_576.0;
    /// The largest slope of [`fade`](crate::noise), at 1/2: that of value noise is below it.
    VALUE_SLOPE: F = 1.875;
    /// No slope of gradient noise is larger: the suprema are 2.924 in the plane and 2.980 in space.
    GRADIENT_SLOPE: F = 3.0;

    /// What skews the plane so that its triangles become halves of squares, (sqrt 3 - 1) / 2, in units of 2^-32.
    SKEW2: U = 0x5db3_d743;
    SKEW2_FLOAT: F = 0.366_025_4;
    /// What takes that back: (3 - sqrt 3) / 6.
    UNSKEW2: F = 0.211_324_87;
    /// The same in space: 1/3 and 1/6.
    SKEW3: U = 0x5555_5555;
    SKEW3_FLOAT: F = 0.333_333_34;
    UNSKEW3: F = 0.166_666_67;
    /// One over the largest sum of a simplex's kernels times lengths, rounded down.
    SIMPLEX2_SCALE: F = 70.0;
    SIMPLEX3_SCALE: F = 93.0;
    /// 2^-10. A corner whose kernel's base is below it adds less than 2^-34 and is left out.
    SIMPLEX_EDGE: F = 0.000_976_562_5;

    METRIC_EUCLIDEAN: U = 0;
    METRIC_MANHATTAN: U = 1;
    METRIC_CHEBYSHEV: U = 2;
    /// 2^-16: what the feature points of cells are multiples of.
    CELL_UNIT: F = 0.000_015_258_789;
    /// The largest place of a feature point in its cell, 1 - 2^-16.
    CELL_LAST: F = 0.999_984_74;
}

/// A word of zeros, then the first 224 binary digits of 2 / pi after the point.
pub(crate) const TWO_OVER_PI_WORDS: [u32; 8] = [
    0,
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];
