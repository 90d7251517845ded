//! The arithmetic of one element: the meaning of every operator, written once. The reference and the constant folder
//! call it; the block VM inlines the same float and integer formulas into its loops.

use zero_noise::{Cellular, Metric, draw, math, noise};

use super::kind::Kind;
use super::op::{Binary, Unary};
use super::prelude::{Function, MAX_ARGS, MAX_RESULTS, Prelude};

const fn f(word: u32) -> f32 {
    f32::from_bits(word)
}

/// Operators whose meaning is more than one Rust operator.
pub(crate) mod num {
    /// The word of a float. Which sign a zero has differs between devices, so either is 0.
    #[inline(always)]
    pub(crate) fn bits_f32(a: f32) -> u32 {
        if a == 0.0 { 0 } else { a.to_bits() }
    }

    #[inline(always)]
    pub(crate) fn sign_f32(a: f32) -> f32 {
        let up = if a > 0.0 { 1.0 } else { 0.0 };
        if a < 0.0 { -1.0 } else { up }
    }

    /// zero-noise's quotient, less its cleaning of values that no field holds: the same bits for finite operands
    /// without subnormals.
    #[inline(always)]
    pub(crate) fn div_f32(a: f32, b: f32) -> f32 {
        let quotient = a / b;
        let quotient = if quotient < f32::MIN { f32::MIN } else { quotient };
        let quotient = if quotient > f32::MAX { f32::MAX } else { quotient };
        let tiny = quotient.abs() <= f32::MIN_POSITIVE;
        if tiny | (b == 0.0) { 0.0 } else { quotient }
    }

    #[inline(always)]
    pub(crate) fn min_f32(a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }

    #[inline(always)]
    pub(crate) fn max_f32(a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }

    #[inline(always)]
    pub(crate) fn div_i32(a: i32, b: i32) -> i32 {
        if b == 0 { 0 } else { a.wrapping_div(b) }
    }

    #[inline(always)]
    pub(crate) fn mod_i32(a: i32, b: i32) -> i32 {
        if b == 0 {
            return 0;
        }
        let rest = a.wrapping_rem(b);
        // The rest has the dividend's sign; one divisor more turns it to the divisor's.
        if rest != 0 && (rest ^ b) < 0 {
            rest.wrapping_add(b)
        } else {
            rest
        }
    }

    #[inline(always)]
    pub(crate) fn div_u32(a: u32, b: u32) -> u32 {
        a.checked_div(b).unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn mod_u32(a: u32, b: u32) -> u32 {
        a.checked_rem(b).unwrap_or(0)
    }
}

/// The value of `op` at `a`, a word of kind `kind`.
pub(crate) fn unary(op: Unary, kind: Kind, a: u32) -> u32 {
    let (x, i) = (f(a), a.cast_signed());
    match (op, kind) {
        (Unary::Neg, Kind::F32) => (-x).to_bits(),
        (Unary::Neg, _) => i.wrapping_neg().cast_unsigned(),
        (Unary::Abs, Kind::F32) => x.abs().to_bits(),
        (Unary::Abs, _) => i.wrapping_abs().cast_unsigned(),
        (Unary::Sign, Kind::F32) => num::sign_f32(x).to_bits(),
        (Unary::Sign, _) => i.signum().cast_unsigned(),
        (Unary::Floor, _) => x.floor().to_bits(),
        (Unary::Ceil, _) => x.ceil().to_bits(),
        (Unary::Round, _) => x.round_ties_even().to_bits(),
        (Unary::Fract, _) => math::fract(x).to_bits(),
        (Unary::Sqrt, _) => math::sqrt(x).to_bits(),
        (Unary::Sin, _) => math::sin(x).to_bits(),
        (Unary::Cos, _) => math::cos(x).to_bits(),
        (Unary::Exp2, _) => math::exp2(x).to_bits(),
        (Unary::Log2, _) => math::log2(x).to_bits(),
        (Unary::Tanh, _) => math::tanh(x).to_bits(),
        (Unary::Not, Kind::Bool) => a ^ 1,
        (Unary::Not, _) => !a,
        (Unary::ToF32, Kind::I32) => (i as f32).to_bits(),
        (Unary::ToF32, Kind::U32 | Kind::Bool) => (a as f32).to_bits(),
        (Unary::ToI32, Kind::F32) => (x as i32).cast_unsigned(),
        (Unary::ToU32, Kind::F32) => x as u32,
        (Unary::ToBool, Kind::F32) => u32::from(x != 0.0),
        (Unary::ToBool, _) => u32::from(a != 0),
        (Unary::ToF32 | Unary::ToI32 | Unary::ToU32, _) => a,
        (Unary::BitsToI32 | Unary::BitsToU32, Kind::F32) => num::bits_f32(x),
        (Unary::BitsToF32 | Unary::BitsToI32 | Unary::BitsToU32, _) => a,
    }
}

/// The value of `op` at `a` and `b`, where `a` is a word of kind `kind`.
pub(crate) fn binary(op: Binary, kind: Kind, a: u32, b: u32) -> u32 {
    match kind {
        Kind::F32 => binary_f32(op, f(a), f(b)),
        Kind::I32 => binary_i32(op, a.cast_signed(), b.cast_signed()),
        Kind::U32 | Kind::Bool => binary_u32(op, a, b),
    }
}

fn binary_f32(op: Binary, a: f32, b: f32) -> u32 {
    let value = match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => num::div_f32(a, b),
        Binary::Mod => math::modulo(a, b),
        Binary::Min => num::min_f32(a, b),
        Binary::Max => num::max_f32(a, b),
        Binary::Pow => math::pow(a, b),
        Binary::Atan2 => math::atan2(a, b),
        Binary::Lt => return u32::from(a < b),
        Binary::Le => return u32::from(a <= b),
        Binary::Gt => return u32::from(a > b),
        Binary::Ge => return u32::from(a >= b),
        Binary::Eq => return u32::from(a == b),
        Binary::Ne => return u32::from(a != b),
        // Binary::result refuses bits of floats, so that no tape holds one.
        Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => 0.0,
    };
    value.to_bits()
}

fn binary_i32(op: Binary, a: i32, b: i32) -> u32 {
    let value = match op {
        Binary::Div => num::div_i32(a, b),
        Binary::Mod => num::mod_i32(a, b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Lt => i32::from(a < b),
        Binary::Le => i32::from(a <= b),
        Binary::Gt => i32::from(a > b),
        Binary::Ge => i32::from(a >= b),
        Binary::Shr => a.wrapping_shr(b.cast_unsigned()),
        // The rest does not see the sign.
        _ => return binary_u32(op, a.cast_unsigned(), b.cast_unsigned()),
    };
    value.cast_unsigned()
}

fn binary_u32(op: Binary, a: u32, b: u32) -> u32 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => num::div_u32(a, b),
        Binary::Mod => num::mod_u32(a, b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Lt => u32::from(a < b),
        Binary::Le => u32::from(a <= b),
        Binary::Gt => u32::from(a > b),
        Binary::Ge => u32::from(a >= b),
        Binary::Eq => u32::from(a == b),
        Binary::Ne => u32::from(a != b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.wrapping_shl(b),
        Binary::Shr => a.wrapping_shr(b),
        // Binary::result refuses these for integers, so that no tape holds one.
        Binary::Pow | Binary::Atan2 => 0,
    }
}

/// `a` where `cond` is not 0, else `b`.
pub(crate) const fn select(cond: u32, a: u32, b: u32) -> u32 {
    if cond != 0 { a } else { b }
}

/// The value of a function of zero-noise.
pub(crate) fn call(prelude: Prelude, args: [u32; MAX_ARGS]) -> u32 {
    results(prelude.function(), args)[prelude.result()]
}

/// All that a function of zero-noise answers, with zeros behind.
pub(super) fn results(function: Function, args: [u32; MAX_ARGS]) -> [u32; MAX_RESULTS] {
    let [seed, x, y, z, ..] = args;
    let (x, y, z) = (f(x), f(y), f(z));
    // What stands behind the coordinates, in the plane and in space.
    let [_, _, _, a2, b2, c2, ..] = args;
    let [_, _, _, _, a3, b3, c3, d3] = args;
    match function {
        Function::Draw => floats([draw(args[0], args[1])]),
        Function::Value2 => floats([noise::value2(seed, x, y)]),
        Function::Value3 => floats([noise::value3(seed, x, y, z)]),
        Function::Gradient2 => floats([noise::gradient2(seed, x, y)]),
        Function::Gradient3 => floats([noise::gradient3(seed, x, y, z)]),
        Function::Fbm2 => floats([noise::fbm2(seed, x, y, a2)]),
        Function::Fbm3 => floats([noise::fbm3(seed, x, y, z, a3)]),
        Function::Simplex2 => floats([noise::simplex2(seed, x, y)]),
        Function::Simplex3 => floats([noise::simplex3(seed, x, y, z)]),
        Function::Ridged2 => floats([noise::ridged2(seed, x, y, a2)]),
        Function::Ridged3 => floats([noise::ridged3(seed, x, y, z, a3)]),
        Function::Warped2 => floats([noise::warped2(seed, x, y, a2, f(b2))]),
        Function::Warped3 => floats([noise::warped3(seed, x, y, z, a3, f(b3))]),
        Function::Value2Tiled => floats([noise::value2_tiled(seed, x, y, [a2, b2])]),
        Function::Value3Tiled => floats([noise::value3_tiled(seed, x, y, z, [a3, b3, c3])]),
        Function::Gradient2Tiled => floats([noise::gradient2_tiled(seed, x, y, [a2, b2])]),
        Function::Gradient3Tiled => floats([noise::gradient3_tiled(seed, x, y, z, [a3, b3, c3])]),
        Function::Fbm2Tiled => floats([noise::fbm2_tiled(seed, x, y, a2, [b2, c2])]),
        Function::Fbm3Tiled => floats([noise::fbm3_tiled(seed, x, y, z, a3, [b3, c3, d3])]),
        Function::Value2Slope => floats(noise::value2_slope(seed, x, y)),
        Function::Value3Slope => floats(noise::value3_slope(seed, x, y, z)),
        Function::Gradient2Slope => floats(noise::gradient2_slope(seed, x, y)),
        Function::Gradient3Slope => floats(noise::gradient3_slope(seed, x, y, z)),
        Function::Fbm2Slope => floats(noise::fbm2_slope(seed, x, y, a2)),
        Function::Fbm3Slope => floats(noise::fbm3_slope(seed, x, y, z, a3)),
        Function::Warp2 => floats(noise::warp2(seed, x, y, a2, f(b2))),
        Function::Warp3 => floats(noise::warp3(seed, x, y, z, a3, f(b3))),
        Function::Cellular2 => cell(noise::cellular2(seed, x, y, metric(a2))),
        Function::Cellular3 => cell(noise::cellular3(seed, x, y, z, metric(a3))),
        Function::Cellular2Tiled => cell(noise::cellular2_tiled(seed, x, y, metric(a2), [b2, c2])),
        Function::Cellular3Tiled => cell(noise::cellular3_tiled(seed, x, y, z, metric(a3), [b3, c3, d3])),
    }
}

fn floats<const N: usize>(values: [f32; N]) -> [u32; MAX_RESULTS] {
    std::array::from_fn(|k| values.get(k).map_or(0, |value| value.to_bits()))
}

/// A cell as its three results.
pub(super) fn cell(found: Cellular) -> [u32; MAX_RESULTS] {
    [found.f1.to_bits(), found.f2.to_bits(), found.id, 0]
}

/// The metric of that number, as the WGSL twin reads it.
pub(super) const fn metric(number: u32) -> Metric {
    const MANHATTAN: u32 = Metric::Manhattan as u32;
    const CHEBYSHEV: u32 = Metric::Chebyshev as u32;
    match number {
        MANHATTAN => Metric::Manhattan,
        CHEBYSHEV => Metric::Chebyshev,
        _ => Metric::Euclidean,
    }
}
