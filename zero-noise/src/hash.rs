//! Scoped hashing: a draw is a pure function of the names and numbers that identify it.
//!
//! 32-bit FNV-1a (Fowler, Noll, Vo) folds integers as four little-endian bytes and texts as UTF-8 with a closing
//! zero byte; the finaliser of MurmurHash3 (Austin Appleby) then spreads every bit over the whole word. Folding is
//! sequential, so a state is a prefix: fold a scope once, then draw any number of elements from it.
//!
//! ```
//! use zero_noise::{Scope, draw};
//!
//! let scope = Scope::new(7).text("points").text("yaw");
//! let yaw_of_element_12 = draw(scope.state(), 12);
//! assert_eq!(yaw_of_element_12, scope.uint(12).unit());
//! assert!((0.0..1.0).contains(&yaw_of_element_12));
//! ```

use crate::consts::{FNV_OFFSET, FNV_PRIME, MURMUR_1, MURMUR_2, UNIT};

/// A hash under construction. `Copy`, eight bytes or fewer, usable in constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a scope does nothing until it is hashed"]
pub struct Scope(u32);

impl Scope {
    /// A scope that starts from an explicit seed.
    pub const fn new(seed: u32) -> Self {
        Self(fold_u32(FNV_OFFSET, seed))
    }

    /// Folds a name: its UTF-8 bytes and a closing zero, so that `"ab", "c"` is another scope than `"a", "bc"`.
    pub const fn text(self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut state = self.0;
        let mut at = 0;
        while at < bytes.len() {
            state = fold_byte(state, bytes[at]);
            at += 1;
        }
        Self(fold_byte(state, 0))
    }

    /// Folds a signed integer as its two's complement.
    pub const fn int(self, value: i32) -> Self {
        self.uint(value.cast_unsigned())
    }

    /// Folds an unsigned integer.
    pub const fn uint(self, value: u32) -> Self {
        Self(fold_u32(self.0, value))
    }

    /// The unfinished state, for [`fold_u32`] and [`draw`] (and their WGSL twins) to go on from.
    pub const fn state(self) -> u32 {
        self.0
    }

    /// The finished 32-bit hash.
    pub const fn hash(self) -> u32 {
        finish(self.0)
    }

    /// The hash as a number in `[0, 1)`.
    pub const fn unit(self) -> f32 {
        unit(self.hash())
    }
}

#[inline(always)]
const fn fold_byte(state: u32, byte: u8) -> u32 {
    (state ^ byte as u32).wrapping_mul(FNV_PRIME)
}

/// Folds the four bytes of `value`, lowest first, into an FNV-1a state.
#[inline(always)]
pub const fn fold_u32(state: u32, value: u32) -> u32 {
    let state = (state ^ (value & 0xff)).wrapping_mul(FNV_PRIME);
    let state = (state ^ ((value >> 8) & 0xff)).wrapping_mul(FNV_PRIME);
    let state = (state ^ ((value >> 16) & 0xff)).wrapping_mul(FNV_PRIME);
    (state ^ (value >> 24)).wrapping_mul(FNV_PRIME)
}

/// Spreads a state over the whole word: MurmurHash3's 32-bit finaliser, a bijection.
#[inline(always)]
pub const fn finish(state: u32) -> u32 {
    let h = (state ^ (state >> 16)).wrapping_mul(MURMUR_1);
    let h = (h ^ (h >> 13)).wrapping_mul(MURMUR_2);
    h ^ (h >> 16)
}

/// The upper 24 bits of a hash as a number in `[0, 1)`, a multiple of 2^-24.
#[inline(always)]
pub const fn unit(hash: u32) -> f32 {
    (hash >> 8) as f32 * UNIT
}

/// The draw of one element of a scope, in `[0, 1)`: `unit(finish(fold_u32(state, element)))`.
#[inline(always)]
pub const fn draw(state: u32, element: u32) -> f32 {
    unit(finish(fold_u32(state, element)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published FNV-1a test vectors: the empty string, and "a" (Noll's reference list).
    #[test]
    fn folding_is_fnv_1a() {
        assert_eq!(FNV_OFFSET, 0x811c_9dc5);
        assert_eq!(fold_byte(FNV_OFFSET, b'a'), 0xe40c_292c);
        let foobar = b"foobar".iter().fold(FNV_OFFSET, |h, &b| fold_byte(h, b));
        assert_eq!(foobar, 0xbf9c_f968);
    }

    #[test]
    fn integers_fold_as_little_endian_bytes_and_texts_close_with_zero() {
        let bytes = 0x1234_5678_u32.to_le_bytes().iter().fold(99, |h, &b| fold_byte(h, b));
        assert_eq!(fold_u32(99, 0x1234_5678), bytes);
        assert_eq!(
            Scope::new(1).text("abc"),
            Scope::new(1).uint(u32::from_le_bytes(*b"abc\0"))
        );
        assert_ne!(Scope::new(1).text("ab").text("c"), Scope::new(1).text("a").text("bc"));
    }

    /// Published vectors of the finaliser: fmix32(0) = 0, fmix32(1) = 0x514e28b7.
    #[test]
    fn finishing_is_murmur3() {
        assert_eq!(finish(0), 0);
        assert_eq!(finish(1), 0x514e_28b7);
    }

    #[test]
    fn units_fill_the_half_open_interval_evenly() {
        assert_eq!(unit(0), 0.0);
        assert_eq!(unit(u32::MAX), 1.0 - UNIT);
        let state = Scope::new(3).text("even").state();
        let mut bins = [0_u32; 64];
        for element in 0..64_000 {
            bins[(draw(state, element) * 64.0) as usize] += 1;
        }
        // 1000 a bin; six standard deviations of a binomial are 188.
        assert!(bins.iter().all(|&n| n.abs_diff(1000) < 188), "{bins:?}");
    }
}
