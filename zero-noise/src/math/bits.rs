//! The bit-level helpers under the functions: cleaning inputs, flooring, exact products.

use crate::consts::MAX;

pub(crate) const EXPONENT: u32 = 0x7f80_0000;
pub(crate) const SIGN: u32 = 0x8000_0000;

/// What every function reads in place of `x`: NaN, subnormals and negative zero are 0, infinities the largest finite
/// number of their sign. Integer tests alone, since a GPU compiler may assume that NaN does not occur.
#[inline(always)]
pub fn clean(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = bits & EXPONENT;
    let infinite = (bits & SIGN) | MAX.to_bits();
    let special = if bits & !SIGN == EXPONENT { infinite } else { 0 };
    let bits = if exponent == EXPONENT { special } else { bits };
    f32::from_bits(if exponent == 0 { 0 } else { bits })
}

/// 1.5 * 2^23. Adding it rounds |x| <= 2^22 to an integer that stands in the low bits of the sum.
const ROUND: f32 = 12_582_912.0;

/// The floor of |x| <= 2^22 as float and integer. `f32::floor` is a library call on baseline x86, which would keep
/// the loops around it from being vectorised.
#[inline(always)]
pub(crate) fn floor_small(x: f32) -> (f32, i32) {
    let shifted = x + ROUND;
    let nearest = shifted - ROUND;
    let above = nearest > x;
    let whole = nearest - if above { 1.0 } else { 0.0 };
    let integer = shifted.to_bits().wrapping_sub(ROUND.to_bits()).cast_signed();
    (whole, integer.wrapping_sub(i32::from(above)))
}

/// 2^23: from here on a float has no fraction.
const WHOLE: f32 = 8_388_608.0;

/// The whole number nearest to `x`, halves to the even one: the bits of [`f32::round_ties_even`], which is a library
/// call on baseline x86. A loop around this one is vectorised there too. Infinities and NaN are answered as they are.
#[inline(always)]
pub fn round(x: f32) -> f32 {
    let size = x.abs();
    let nearest = ((size + WHOLE) - WHOLE).copysign(x);
    if size < WHOLE { nearest } else { x }
}

/// The largest whole number not above `x`: the bits of [`f32::floor`], which is a library call on baseline x86. A loop
/// around this one is vectorised there too. Infinities and NaN are answered as they are.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    let nearest = round(x);
    let whole = nearest - if nearest > x { 1.0 } else { 0.0 };
    if x.abs() < WHOLE { whole } else { x }
}

/// `a * b` as the rounded product and its exact error, for factors whose product and its error are normal
/// (Dekker's product, by halves of 12 bits).
#[inline(always)]
pub(crate) fn two_product(a: f32, b: f32) -> (f32, f32) {
    let upper = |v: f32| f32::from_bits(v.to_bits() & 0xffff_f000);
    let (a_high, b_high) = (upper(a), upper(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    let product = a * b;
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// Keeps `x` within bounds, in the comparison order of the WGSL twin.
#[inline(always)]
pub(crate) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Gives `x >= 0` the sign bit of `sign`, except that zero stays positive.
#[inline(always)]
pub(crate) fn with_sign(x: f32, sign: f32) -> f32 {
    if sign < 0.0 { 0.0 - x } else { x }
}
