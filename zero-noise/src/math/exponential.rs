//! Powers of two, logarithms, powers and the hyperbolic tangent.

use super::bits::{clamp, clean, floor, floor_small, two_product, with_sign};
use crate::consts::*;

/// 2^x. 0 where the result would be below 2^-126, `f32::MAX` from 2^128 on.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    exp2_sum(clean(x), 0.0)
}

/// 2^(x + low) for a `low` far below the spacing that matters to the integer part.
#[inline(always)]
fn exp2_sum(x: f32, low: f32) -> f32 {
    // The clamped ends under- and overflow by themselves, and the exponent below stays within 32 bits.
    let x = clamp(x, -127.25, 128.25);
    let (n, integer) = floor_small(x + 0.5);
    let f = (x - n) + low;
    let tail = EXP2_2 + f * (EXP2_3 + f * (EXP2_4 + f * EXP2_5));
    let value = 1.0 + f * (EXP2_0 + f * (EXP2_1 + f * tail));
    let bits = value.to_bits().cast_signed().wrapping_add(integer << 23);
    let bits = if bits < 0x0080_0000 { 0 } else { bits };
    f32::from_bits(bits.min(0x7f7f_ffff).cast_unsigned())
}

/// The base-2 logarithm; 0 for 0 and below.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let x = clean(x);
    log2_parts(if x > 0.0 { x } else { 1.0 }).0
}

/// The logarithm of a normal x > 0: its nearest float or the next, and what is missing, together good to about
/// 2^-29 of its size.
///
/// x = 2^e m with m about 1, s = (m - 1) / (m + 1), log2 m = 2 / ln 2 * atanh s. The quotient's and the leading
/// product's rounding errors are carried along; the polynomial is a hundredth of the whole.
#[inline(always)]
fn log2_parts(x: f32) -> (f32, f32) {
    let bits = x.to_bits().cast_signed();
    // The bits of sqrt(1/2), so that m lies between it and its double.
    let exponent = bits.wrapping_sub(0x3f35_04f3) >> 23;
    let m = f32::from_bits(bits.wrapping_sub(exponent << 23).cast_unsigned());
    let e = exponent as f32;
    let f = m - 1.0;
    let d = m + 1.0;
    let d_low = m - (d - 1.0);
    let s = f / d;
    let (product, error) = two_product(s, d);
    let residue = ((f - product) - error) - s * d_low;
    // 1 / d = (1 - s) / 2.
    let s_low = residue * (0.5 - 0.5 * s);
    let w = s * s;
    let series = w * (LOG_0 + w * (LOG_1 + w * (LOG_2 + w * LOG_3)));
    let tail = s_low + s * series;
    let (lead, lead_error) = two_product(s, TWO_OVER_LN2);
    let low = lead_error + (s * TWO_OVER_LN2_LOW + tail * TWO_OVER_LN2);
    let high = e + lead;
    let low = (lead - (high - e)) + low;
    let sum = high + low;
    (sum, low - (sum - high))
}

/// a^b. Anything to the 0 is 1; 0 to any other power is 0. A negative base to an integer power has the sign that the
/// power's parity gives it; to any other power it answers 0. Under- and overflow as [`exp2`].
#[inline(always)]
pub fn pow(a: f32, b: f32) -> f32 {
    let (a, b) = (clean(a), clean(b));
    let size = a.abs();
    let (high, low) = log2_parts(if size > 0.0 { size } else { 1.0 });
    // The logarithm of the float nearest to 1 times 2^32 is out of range already.
    let power = clamp(b, -4_294_967_296.0, 4_294_967_296.0);
    let (product, error) = two_product(power, high);
    let rest = clamp(error + power * low, -6.0e-5, 6.0e-5);
    let value = exp2_sum(product, rest);
    // Floats from 2^24 on are even integers.
    let power = clamp(b, -16_777_216.0, 16_777_216.0);
    let whole = floor(power);
    let integer = whole == power;
    let odd = integer && whole - 2.0 * floor(0.5 * whole) == 1.0;
    let negative = if odd {
        0.0 - value
    } else {
        if integer { value } else { 0.0 }
    };
    let value = if a < 0.0 { negative } else { value };
    let value = if size == 0.0 { 0.0 } else { value };
    if b == 0.0 { 1.0 } else { value }
}

/// The hyperbolic tangent, in [-1, 1].
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let x = clean(x);
    let size = clamp(x.abs(), 0.0, 10.0);
    let w = size * size;
    let tail = TANH_0 + w * (TANH_1 + w * (TANH_2 + w * (TANH_3 + w * TANH_4)));
    let small = size + size * (w * tail);
    // e^(2x) = 2^(x * 2 / ln 2).
    let e = exp2_sum(size * TWO_OVER_LN2, 0.0);
    let large = 1.0 - 2.0 / (e + 1.0);
    with_sign(if size < TANH_SMALL { small } else { large }, x)
}
