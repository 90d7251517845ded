//! Division, square root, and what follows from a floor.

use super::bits::{clamp, clean, floor};
use crate::consts::{MAX, UNIT};

/// `a / b`, correctly rounded to nearest even. Division by 0 answers 0; quotients beyond the range saturate at
/// `f32::MAX`, and magnitudes of 2^-126 and less are 0.
///
/// IEEE 754 asks the same of the processor's own division, so Rust uses that; the WGSL twin corrects the device's
/// estimate with an integer remainder.
#[inline(always)]
pub fn div(a: f32, b: f32) -> f32 {
    let (a, b) = (clean(a), clean(b));
    let quotient = if b == 0.0 { 0.0 } else { a / b };
    let quotient = clamp(quotient, -MAX, MAX);
    if quotient.abs() <= f32::MIN_POSITIVE {
        0.0
    } else {
        quotient
    }
}

/// `1 / x`, as [`div`].
#[inline(always)]
pub fn recip(x: f32) -> f32 {
    div(1.0, x)
}

/// The square root, correctly rounded; 0 for 0 and below.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    let x = clean(x);
    let positive = if x > 0.0 { x } else { 0.0 };
    positive.sqrt()
}

/// `x - floor(x)`, correctly rounded and in `[0, 1)`: the largest number below 1 where the difference would round to 1.
#[inline(always)]
pub fn fract(x: f32) -> f32 {
    let x = clean(x);
    let rest = x - floor(x);
    if rest < 1.0 { rest } else { 1.0 - UNIT }
}

/// `a - floor(a / b) * b`, with the divisor's sign (or 0) and below it in magnitude; 0 for a divisor of 0. Errs by
/// 1 ulp of the larger operand at most, counted around the circle of `b`: what is a little below 0 may come out as a
/// little below `b`. Where the quotient is beyond 2^24 the remainder carries no information and only its bounds hold.
#[inline(always)]
pub fn modulo(a: f32, b: f32) -> f32 {
    let (a, b) = (clean(a), clean(b));
    let whole = floor(div(a, b));
    let multiple = clamp(whole * b, -MAX, MAX);
    let rest = clean(clamp(a - multiple, -MAX, MAX));
    // Rounding of the quotient can leave the remainder one step outside of its half-open interval.
    let below = if b > 0.0 { rest < 0.0 } else { rest > 0.0 };
    let rest = if below { 0.0 } else { rest };
    let limit = f32::from_bits(b.to_bits().wrapping_sub(1));
    let beyond = if b > 0.0 { rest >= b } else { rest <= b };
    if b == 0.0 {
        0.0
    } else if beyond {
        clean(limit)
    } else {
        rest
    }
}
