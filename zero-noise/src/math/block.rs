//! Whole slices at once: the bits of the scalar functions, vectorised.

use super::trig::{cos_large, cos_small, sin_large, sin_small};
use crate::Isa;
use crate::consts::ANGLE_LARGE;
use crate::isa::{CHUNK, dispatch};

macro_rules! unary_block {
    ($($(#[$doc:meta])* $name:ident: $scalar:path;)*) => {$(
        $(#[$doc])*
        ///
        /// Covers as many elements as the shorter slice has.
        pub fn $name(isa: Isa, src: &[f32], dst: &mut [f32]) {
            #[inline(always)]
            fn body(src: &[f32], dst: &mut [f32]) {
                for (to, &x) in dst.iter_mut().zip(src) {
                    *to = $scalar(x);
                }
            }
            dispatch!(isa, body, (src: &[f32], dst: &mut [f32]));
        }
    )*};
}

macro_rules! binary_block {
    ($($(#[$doc:meta])* $name:ident: $scalar:path, $a:ident, $b:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Covers as many elements as the shortest slice has.
        pub fn $name(isa: Isa, $a: &[f32], $b: &[f32], dst: &mut [f32]) {
            #[inline(always)]
            fn body(a: &[f32], b: &[f32], dst: &mut [f32]) {
                for ((to, &a), &b) in dst.iter_mut().zip(a).zip(b) {
                    *to = $scalar(a, b);
                }
            }
            dispatch!(isa, body, ($a: &[f32], $b: &[f32], dst: &mut [f32]));
        }
    )*};
}

unary_block! {
    /// [`exp2`](super::exp2) of each element.
    exp2_block: super::exp2;
    /// [`log2`](super::log2) of each element.
    log2_block: super::log2;
    /// [`tanh`](super::tanh) of each element.
    tanh_block: super::tanh;
    /// [`sqrt`](super::sqrt) of each element.
    sqrt_block: super::sqrt;
    /// [`recip`](super::recip) of each element.
    recip_block: super::recip;
    /// [`fract`](super::fract) of each element.
    fract_block: super::fract;
}

binary_block! {
    /// [`div`](super::div) of each pair.
    div_block: super::div, a, b;
    /// [`modulo`](super::modulo) of each pair.
    modulo_block: super::modulo, a, b;
    /// [`pow`](super::pow) of each pair.
    pow_block: super::pow, a, b;
    /// [`atan2`](super::atan2) of each pair.
    atan2_block: super::atan2, y, x;
}

/// [`sin`](super::sin) of each element.
///
/// Covers as many elements as the shorter slice has.
pub fn sin_block(isa: Isa, src: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(src: &[f32], dst: &mut [f32]) {
        wave_body(src, dst, sin_small, sin_large);
    }
    dispatch!(isa, body, (src: &[f32], dst: &mut [f32]));
}

/// [`cos`](super::cos) of each element.
///
/// Covers as many elements as the shorter slice has.
pub fn cos_block(isa: Isa, src: &[f32], dst: &mut [f32]) {
    #[inline(always)]
    fn body(src: &[f32], dst: &mut [f32]) {
        wave_body(src, dst, cos_small, cos_large);
    }
    dispatch!(isa, body, (src: &[f32], dst: &mut [f32]));
}

/// The common reduction for all, then the rare large angles again by themselves: a branch in the first loop would
/// keep it from being vectorised.
#[inline(always)]
fn wave_body(src: &[f32], dst: &mut [f32], small: impl Fn(f32) -> f32, large: impl Fn(f32) -> f32) {
    for (src, dst) in src.chunks(CHUNK).zip(dst.chunks_mut(CHUNK)) {
        let mut any_large = false;
        for (to, &x) in dst.iter_mut().zip(src) {
            let x = super::clean(x);
            any_large |= x.abs() > ANGLE_LARGE;
            *to = small(x);
        }
        if any_large {
            for (to, &x) in dst.iter_mut().zip(src) {
                let x = super::clean(x);
                if x.abs() > ANGLE_LARGE {
                    *to = large(x);
                }
            }
        }
    }
}
