//! Sine, cosine and the angle of a vector.

use super::bits::{EXPONENT, clean, floor_small, two_product, with_sign};
use crate::consts::*;

/// The sine of `x` radians, for every finite `x`.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    let x = clean(x);
    if x.abs() > ANGLE_LARGE {
        sin_large(x)
    } else {
        sin_small(x)
    }
}

/// The cosine of `x` radians, for every finite `x`.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    let x = clean(x);
    if x.abs() > ANGLE_LARGE {
        cos_large(x)
    } else {
        cos_small(x)
    }
}

#[inline(always)]
pub(super) fn sin_small(x: f32) -> f32 {
    wave(reduce_small(x), 0)
}

#[inline(always)]
pub(super) fn cos_small(x: f32) -> f32 {
    wave(reduce_small(x), 1)
}

pub(super) fn sin_large(x: f32) -> f32 {
    wave(reduce_large(x), 0)
}

pub(super) fn cos_large(x: f32) -> f32 {
    wave(reduce_large(x), 1)
}

/// An angle as a quadrant's number and what is left of it, at most pi/4 about, as a float and its missing part.
#[derive(Clone, Copy)]
struct Angle {
    rest: f32,
    low: f32,
    quadrant: i32,
}

/// Reduces |x| <= `ANGLE_LARGE` (Cody and Waite's way). The first two differences are exact.
#[inline(always)]
fn reduce_small(x: f32) -> Angle {
    let (n, quadrant) = floor_small(x * TWO_OVER_PI + 0.5);
    let exact = (x - n * HALF_PI_1) - n * HALF_PI_2;
    let third = n * HALF_PI_3;
    let partial = exact - third;
    let fourth = n * HALF_PI_4;
    let rest = partial - fourth;
    let low = ((exact - partial) - third) + ((partial - rest) - fourth);
    Angle { rest, low, quadrant }
}

/// Reduces any larger x (after Payne and Hanek): the 24-bit significand times those 96 digits of 2 / pi that
/// matter, as integers, kept to 64 bits of fraction of a whole turn.
fn reduce_large(x: f32) -> Angle {
    let bits = x.to_bits();
    let significand = (bits & 0x007f_ffff) | 0x0080_0000;
    // x = significand * 2^(exponent - 150). Digit k of 2 / pi, at index k + 31 behind the word of zeros, gives whole
    // turns from k < exponent - 151 on.
    let first = ((bits & EXPONENT) >> 23) - 120;
    let digits = |offset: u32| -> u32 {
        let at = (first >> 5) + offset;
        let shift = first & 31;
        let high = TWO_OVER_PI_WORDS[at.min(7) as usize];
        let low = TWO_OVER_PI_WORDS[(at + 1).min(7) as usize];
        if shift == 0 {
            high
        } else {
            (high << shift) | (low >> (32 - shift))
        }
    };
    let (high_1, low_1) = wide_product(significand, digits(1));
    let (high_2, _) = wide_product(significand, digits(2));
    let low = low_1.wrapping_add(high_2);
    let carry = u32::from(low < low_1);
    let high = significand
        .wrapping_mul(digits(0))
        .wrapping_add(high_1)
        .wrapping_add(carry);

    let quadrant = high.wrapping_add(0x2000_0000) >> 30;
    let high = high.wrapping_sub(quadrant << 30);
    let negative = high >= 0x8000_0000;
    let (high, low) = if negative {
        (if low == 0 { high.wrapping_neg() } else { !high }, low.wrapping_neg())
    } else {
        (high, low)
    };
    // The fraction is at most half a quadrant, so two digits are clear; and no f32 is so close to a multiple of pi/2
    // that the upper 31 would be.
    let zeros = high.leading_zeros().clamp(2, 31);
    let leading = (high << zeros) | (low >> (32 - zeros));
    // 24 digits convert exactly, and so do the 8 behind them; the last of the 24 weighs 2^(-22 - zeros) quadrants.
    let scale = f32::from_bits((105 - zeros) << 23);
    let upper = (leading >> 8) as f32 * scale;
    let lower = (leading & 0xff) as f32 * (scale * 0.003_906_25);
    let (rest, error) = two_product(upper, HALF_PI);
    let low = error + (upper * HALF_PI_LOW + lower * HALF_PI);
    let sign = if negative == (x < 0.0) { 1.0 } else { -1.0 };
    let quadrant = quadrant.cast_signed();
    Angle {
        rest: sign * rest,
        low: sign * low,
        quadrant: if x < 0.0 { -quadrant } else { quadrant },
    }
}

/// Upper and lower word of a product, from 16-bit halves as WGSL must.
const fn wide_product(a: u32, b: u32) -> (u32, u32) {
    let product = a as u64 * b as u64;
    ((product >> 32) as u32, product as u32)
}

/// The sine of the angle, `turn` quadrants further on.
#[inline(always)]
fn wave(angle: Angle, turn: i32) -> f32 {
    let Angle { rest, low, quadrant } = angle;
    let quadrant = quadrant.wrapping_add(turn);
    let square = rest * rest;
    let sines = SIN_0 + square * (SIN_1 + square * SIN_2);
    let sine = rest + (rest * (square * sines) + low);
    let cosines = COS_0 + square * (COS_1 + square * COS_2);
    let half = square * 0.5;
    let near = 1.0 - half;
    let cosine = near + (((1.0 - near) - half) + (square * (square * cosines) - rest * low));
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    let value = if quadrant & 2 == 0 { value } else { 0.0 - value };
    super::bits::clamp(value, -1.0, 1.0)
}

/// The angle of the vector (x, y) from the x axis, in (-pi, pi]; 0 for the zero vector.
#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (y, x) = (clean(y), clean(x));
    let (y_size, x_size) = (y.abs(), x.abs());
    let steep = y_size > x_size;
    let (small, large) = if steep { (x_size, y_size) } else { (y_size, x_size) };
    let q = super::div(small, large);
    let w = q * q;
    let tail = ATAN_5 + w * (ATAN_6 + w * (ATAN_7 + w * ATAN_8));
    let tail = ATAN_0 + w * (ATAN_1 + w * (ATAN_2 + w * (ATAN_3 + w * (ATAN_4 + w * tail))));
    let angle = q + q * (w * tail);
    let angle = if steep { HALF_PI - (angle - HALF_PI_LOW) } else { angle };
    let angle = if x < 0.0 { PI - (angle - PI_LOW) } else { angle };
    with_sign(angle, y)
}
