// Generated from consts.rs; ZERO_BLESS=1 cargo test writes it anew.

const ZN_FNV_OFFSET: u32 = 0x811c9dc5u;
const ZN_FNV_PRIME: u32 = 0x01000193u;
const ZN_MURMUR_1: u32 = 0x85ebca6bu;
const ZN_MURMUR_2: u32 = 0xc2b2ae35u;
const ZN_UNIT: f32 = 5.9604645e-8f;
const ZN_MAX: f32 = 3.4028235e38f;
const ZN_ANGLE_LARGE: f32 = 8192.0f;
const ZN_TWO_OVER_PI: f32 = 0.63661975f;
const ZN_HALF_PI_1: f32 = 1.5703125f;
const ZN_HALF_PI_2: f32 = 0.0004837513f;
const ZN_HALF_PI_3: f32 = 7.5495336e-8f;
const ZN_HALF_PI_4: f32 = 2.563344e-12f;
const ZN_SIN_0: f32 = -0.16666655f;
const ZN_SIN_1: f32 = 0.008332187f;
const ZN_SIN_2: f32 = -0.00019517893f;
const ZN_COS_0: f32 = 0.041666646f;
const ZN_COS_1: f32 = -0.001388731f;
const ZN_COS_2: f32 = 2.4432327e-5f;
const ZN_EXP2_0: f32 = 0.69314724f;
const ZN_EXP2_1: f32 = 0.24022655f;
const ZN_EXP2_2: f32 = 0.055502724f;
const ZN_EXP2_3: f32 = 0.009617064f;
const ZN_EXP2_4: f32 = 0.0013418304f;
const ZN_EXP2_5: f32 = 0.00015816897f;
const ZN_LOG_0: f32 = 0.3333333f;
const ZN_LOG_1: f32 = 0.20000486f;
const ZN_LOG_2: f32 = 0.14249396f;
const ZN_LOG_3: f32 = 0.12139432f;
const ZN_TWO_OVER_LN2: f32 = 2.88539f;
const ZN_TWO_OVER_LN2_LOW: f32 = 3.851926e-8f;
const ZN_ATAN_0: f32 = -0.333333f;
const ZN_ATAN_1: f32 = 0.19998547f;
const ZN_ATAN_2: f32 = -0.14264241f;
const ZN_ATAN_3: f32 = 0.10952183f;
const ZN_ATAN_4: f32 = -0.08403446f;
const ZN_ATAN_5: f32 = 0.057957552f;
const ZN_ATAN_6: f32 = -0.03117783f;
const ZN_ATAN_7: f32 = 0.010914614f;
const ZN_ATAN_8: f32 = -0.0017936258f;
const ZN_HALF_PI: f32 = 1.5707964f;
const ZN_HALF_PI_LOW: f32 = -4.371139e-8f;
const ZN_PI: f32 = 3.1415927f;
const ZN_PI_LOW: f32 = -8.742278e-8f;
const ZN_TANH_SMALL: f32 = 0.625f;
const ZN_TANH_0: f32 = -0.33333275f;
const ZN_TANH_1: f32 = 0.13331237f;
const ZN_TANH_2: f32 = -0.05372202f;
const ZN_TANH_3: f32 = 0.02057976f;
const ZN_TANH_4: f32 = -0.0056372806f;
const ZN_NEAR: f32 = 0.25f;
const ZN_GRID: f32 = 0.75f;
const ZN_SETTLED: f32 = 8.673617e-19f;
const ZN_WRAP: f32 = 4194304.0f;
const ZN_WRAP_INVERSE: f32 = 2.3841858e-7f;
const ZN_OCTAGON_LONG: f32 = 1.306563f;
const ZN_OCTAGON_SHORT: f32 = 0.5411961f;
const ZN_ICOSAHEDRON_LONG: f32 = 0.98224694f;
const ZN_ICOSAHEDRON_SHORT: f32 = 0.607062f;
const ZN_FBM_SCOPE: u32 = 0x006d6266u;
const ZN_RIDGED_SCOPE: u32 = 0x00676472u;
const ZN_WARP_SCOPE: u32 = 0x00707277u;
const ZN_SIMPLEX_SCOPE: u32 = 0x00787073u;
const ZN_CELLULAR_SCOPE: u32 = 0x006c6563u;
const ZN_MAX_OCTAVES: u32 = 0x00000010u;
const ZN_MAX_PERIOD: u32 = 0x00400000u;
const ZN_MAX_WARP: f32 = 1048576.0f;
const ZN_VALUE_SLOPE: f32 = 1.875f;
const ZN_GRADIENT_SLOPE: f32 = 3.0f;
const ZN_SKEW2: u32 = 0x5db3d743u;
const ZN_SKEW2_FLOAT: f32 = 0.3660254f;
const ZN_UNSKEW2: f32 = 0.21132487f;
const ZN_SKEW3: u32 = 0x55555555u;
const ZN_SKEW3_FLOAT: f32 = 0.33333334f;
const ZN_UNSKEW3: f32 = 0.16666667f;
const ZN_SIMPLEX2_SCALE: f32 = 70.0f;
const ZN_SIMPLEX3_SCALE: f32 = 93.0f;
const ZN_SIMPLEX_EDGE: f32 = 0.0009765625f;
const ZN_METRIC_EUCLIDEAN: u32 = 0x00000000u;
const ZN_METRIC_MANHATTAN: u32 = 0x00000001u;
const ZN_METRIC_CHEBYSHEV: u32 = 0x00000002u;
const ZN_CELL_UNIT: f32 = 1.5258789e-5f;
const ZN_CELL_LAST: f32 = 0.99998474f;
const ZN_TWO_OVER_PI_WORDS: array<u32, 8> = array<u32, 8>(
    0x00000000u,
    0xa2f9836eu,
    0x4e441529u,
    0xfc2757d1u,
    0xf534ddc0u,
    0xdb629599u,
    0x3c439041u,
    0xfe5163abu,
);
