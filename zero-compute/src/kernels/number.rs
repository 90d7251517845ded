//! The arithmetic that the families share: sums in one stated order, and order keys.

use crate::Word;

/// Elements in the block that one workgroup handles, and in the block of every fixed order.
pub(super) const BLOCK: usize = 1024;
/// Threads of a workgroup.
const THREADS: usize = 256;
/// Neighbouring elements that one thread of a prefix sum holds.
const OWN: usize = BLOCK / THREADS;
/// Threads in a row of a prefix sum.
const ROW: usize = 16;

/// A word that is summed in the families' one order.
pub(super) trait Summed: bytemuck::Pod + Default + Send + Sync {
    /// The sum: wrapping for integers, one rounding for floats, [`Count`] as it says.
    fn plus(self, other: Self) -> Self;

    /// Prefix sums of one block, in the order of `group_scan.wgsl`. Answers the sum of the block.
    ///
    /// Integers take the sums from left to right: any order gives the same bits.
    fn scan_block(src: &[Self], dst: &mut [Self], form: Form) -> Self {
        let mut sum = Self::default();
        for (to, &value) in dst.iter_mut().zip(src) {
            let after = sum.plus(value);
            *to = match form {
                Form::Exclusive => sum,
                Form::Inclusive => after,
            };
            sum = after;
        }
        sum
    }
}

/// A word that the families add and compare.
pub(super) trait Number: Word + Summed + PartialEq {
    /// An unsigned key of the same order (for floats IEEE 754's total order).
    fn to_key(self) -> u32;
    /// The value of a key.
    fn from_key(key: u32) -> Self;
    /// The key of the value that `min` starts from.
    const GREATEST_KEY: u32;
    /// The key of the value that `max` starts from.
    const LEAST_KEY: u32;
}

/// What counts add up to: sums stay at 2^32 - 1 once they reach it, in whatever order they are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Count(pub(super) u32);

impl Summed for Count {
    fn plus(self, other: Count) -> Count {
        Count(self.0.saturating_add(other.0))
    }
}

/// Whether a prefix sum holds its own element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The sum of the elements before this one.
    Exclusive,
    /// The sum of the elements up to this one.
    Inclusive,
}

impl Form {
    /// The option of the `FORM` specialization.
    pub(super) fn option(self) -> &'static str {
        match self {
            Form::Exclusive => "exclusive",
            Form::Inclusive => "inclusive",
        }
    }

    /// The form that an option names.
    pub(super) fn of_option(option: &str) -> Form {
        if option == "inclusive" {
            Form::Inclusive
        } else {
            Form::Exclusive
        }
    }
}

impl Summed for u32 {
    fn plus(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
}

impl Number for u32 {
    const GREATEST_KEY: u32 = u32::MAX;
    const LEAST_KEY: u32 = 0;
    fn to_key(self) -> u32 {
        self
    }
    fn from_key(key: u32) -> u32 {
        key
    }
}

impl Summed for i32 {
    fn plus(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }
}

impl Number for i32 {
    const GREATEST_KEY: u32 = u32::MAX;
    const LEAST_KEY: u32 = 0;
    fn to_key(self) -> u32 {
        self.cast_unsigned() ^ 0x8000_0000
    }
    fn from_key(key: u32) -> i32 {
        (key ^ 0x8000_0000).cast_signed()
    }
}

impl Summed for f32 {
    fn plus(self, other: f32) -> f32 {
        self + other
    }

    fn scan_block(src: &[f32], dst: &mut [f32], form: Form) -> f32 {
        let mut row_sum = 0.0;
        let width = ROW * OWN;
        for (row_src, row_dst) in src.chunks(width).zip(dst.chunks_mut(width)) {
            let mut thread_sum = 0.0;
            for (own_src, own_dst) in row_src.chunks(OWN).zip(row_dst.chunks_mut(OWN)) {
                let mut part = None;
                for (to, &value) in own_dst.iter_mut().zip(own_src) {
                    // The first element stands as it is: a part starts from no zero.
                    let after = part.map_or(value, |sum: f32| sum + value);
                    let own = match form {
                        Form::Exclusive => part.unwrap_or(0.0),
                        Form::Inclusive => after,
                    };
                    *to = row_sum + (thread_sum + own);
                    part = Some(after);
                }
                thread_sum += part.unwrap_or(0.0);
            }
            row_sum += thread_sum;
        }
        row_sum
    }
}

impl Number for f32 {
    /// The key of positive infinity.
    const GREATEST_KEY: u32 = 0xff80_0000;
    /// The key of negative infinity.
    const LEAST_KEY: u32 = 0x007f_ffff;
    fn to_key(self) -> u32 {
        let bits = self.to_bits();
        bits ^ if bits >> 31 == 1 { u32::MAX } else { 0x8000_0000 }
    }
    fn from_key(key: u32) -> f32 {
        f32::from_bits(key ^ if key >> 31 == 1 { 0x8000_0000 } else { u32::MAX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_and_come_back() {
        let floats = [f32::NEG_INFINITY, -2.5, -1e-30, -0.0, 0.0, 1e-30, 7.0, f32::INFINITY];
        let keys: Vec<u32> = floats.iter().map(|v| v.to_key()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:x?}");
        for v in floats {
            assert_eq!(f32::from_key(v.to_key()).to_bits(), v.to_bits());
        }
        assert_eq!(f32::from_key(f32::GREATEST_KEY), f32::INFINITY);
        assert_eq!(f32::from_key(f32::LEAST_KEY), f32::NEG_INFINITY);
        let ints = [i32::MIN, -1, 0, 1, i32::MAX];
        assert!(ints.map(Number::to_key).is_sorted_by(|a, b| a < b));
        assert_eq!(ints.map(|v| i32::from_key(v.to_key())), ints);
    }

    #[test]
    fn a_float_prefix_sum_never_decreases_and_ends_on_its_total() {
        let src: Vec<f32> = (0..BLOCK).map(|i| 0.1 + (i * 7919 % 1009) as f32 * 1.0e-4).collect();
        let mut dst = vec![0.0; BLOCK];
        let total = f32::scan_block(&src, &mut dst, Form::Inclusive);
        assert!(dst.is_sorted());
        assert_eq!(dst.last(), Some(&total));
        let exact: f64 = src.iter().map(|&v| f64::from(v)).sum();
        assert!((f64::from(total) - exact).abs() < 1e-4, "{total} {exact}");
    }
}
