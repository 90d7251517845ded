//! Inputs that are a pure function of a seed: the same on every device and every machine.

use std::ops::RangeInclusive;

/// Sizes at and around the edges of workgroups, blocks and slices: what a check goes over unless it is told otherwise.
pub const EDGE_SIZES: [u32; 10] = [0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 65_537];

/// Live counts of a capacity: none, one, half, all but one, all, and more than there is room for.
pub fn live_counts(capacity: u32) -> [u32; 6] {
    [
        0,
        capacity.min(1),
        capacity / 2,
        capacity.saturating_sub(1),
        capacity,
        capacity.saturating_add(7),
    ]
}

/// One set of inputs: a size, a live count, a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Case {
    /// Elements of the domain; of a live one its capacity.
    pub n: u32,
    /// The live count, which may be past `n`; `None` for a plain domain.
    pub live: Option<u32>,
    /// What the inputs are drawn from.
    pub seed: u64,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.live {
            None => write!(f, "{} elements", self.n)?,
            Some(live) => write!(f, "{live} of {} elements", self.n)?,
        }
        write!(f, ", seed {}", self.seed)
    }
}

/// Draws inputs by name: the same name gives the same numbers within a case, another name others.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    case: Case,
}

impl Draws {
    pub(super) fn new(case: Case) -> Self {
        Self { case }
    }

    /// The case.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Elements of the domain that are live.
    pub fn live(&self) -> u32 {
        self.case.live.map_or(self.case.n, |live| live.min(self.case.n))
    }

    /// `count` floats in the range: most of them anywhere in it, some at its ends, at whole numbers and at zero where
    /// they lie inside. None is subnormal. Empty ranges, and those without finite ends, give zeros.
    pub fn floats(&self, name: &str, count: usize, range: RangeInclusive<f32>) -> Vec<f32> {
        let (low, high) = (*range.start(), *range.end());
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return vec![0.0; count];
        }
        let mut random = self.random(name);
        let inside = |v: f32| {
            let v = if v.abs() < f32::MIN_POSITIVE { 0.0 } else { v };
            v.clamp(low, high)
        };
        let mut one = || {
            let unit = f64::from(random.word() >> 8) * 2f64.powi(-24);
            let anywhere = (f64::from(low) + (f64::from(high) - f64::from(low)) * unit) as f32;
            match random.below(32) {
                0 => low,
                1 => high,
                2 => inside(0.0),
                3 | 4 => inside(anywhere.round()),
                _ => inside(anywhere),
            }
        };
        (0..count).map(|_| one()).collect()
    }

    /// `count` signed integers in the range, some of them at its ends.
    pub fn ints(&self, name: &str, count: usize, range: RangeInclusive<i32>) -> Vec<i32> {
        let low = i64::from(*range.start());
        let mut random = self.random(name);
        let span = i64::from(*range.end()) - low;
        let offset = |random: &mut Random| random.within(span.max(0) as u64) as i64;
        (0..count).map(|_| (low + offset(&mut random)) as i32).collect()
    }

    /// `count` unsigned integers in the range, some of them at its ends.
    pub fn words(&self, name: &str, count: usize, range: RangeInclusive<u32>) -> Vec<u32> {
        let low = *range.start();
        let mut random = self.random(name);
        let span = range.end().saturating_sub(low);
        (0..count)
            .map(|_| low + random.within(u64::from(span)) as u32)
            .collect()
    }

    /// `count` indices into `n` elements; one in eight names none of them, and is below zero, past the end or far away.
    pub fn indices(&self, name: &str, count: usize, n: u32) -> Vec<i32> {
        let mut random = self.random(name);
        let mut one = || match random.below(24) {
            0 => -1 - random.below(5) as i32,
            1 => n.saturating_add(random.below(5)).min(i32::MAX as u32) as i32,
            2 if random.below(2) == 0 => i32::MIN,
            2 => i32::MAX,
            _ if n == 0 => -1,
            _ => random.below(n).min(i32::MAX as u32) as i32,
        };
        (0..count).map(|_| one()).collect()
    }

    fn random(&self, name: &str) -> Random {
        let mut state = self.case.seed ^ (u64::from(self.case.n) << 32 | u64::from(self.live()));
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Random(state)
    }
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }

    /// Within 0..=span, with one in sixteen at an end.
    fn within(&mut self, span: u64) -> u64 {
        match self.below(32) {
            0 => 0,
            1 => span,
            _ => (u64::from(self.word()) * (span + 1)) >> 32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(seed: u64) -> Draws {
        Draws::new(Case {
            n: 100,
            live: None,
            seed,
        })
    }

    #[test]
    fn draws_keep_to_their_ranges_reach_the_ends_and_depend_on_seed_and_name() {
        let draw = draws(1);
        let floats = draw.floats("a", 10_000, -2.5..=7.0);
        assert!(floats.iter().all(|v| (-2.5..=7.0).contains(v) && !v.is_subnormal()));
        assert!(floats.contains(&-2.5) && floats.contains(&7.0) && floats.contains(&0.0));
        assert!(floats.iter().any(|v| v.fract() != 0.0));
        let ints = draw.ints("a", 10_000, i32::MIN..=i32::MAX);
        assert!(ints.contains(&i32::MIN) && ints.contains(&i32::MAX));
        assert!(draw.ints("a", 1000, -3..=4).iter().all(|v| (-3..=4).contains(v)));
        let words = draw.words("a", 10_000, 5..=u32::MAX);
        assert!(words.contains(&5) && words.contains(&u32::MAX) && words.iter().all(|v| *v >= 5));
        let indices = draw.indices("a", 10_000, 100);
        let inside = indices.iter().filter(|index| (0..100).contains(*index)).count();
        assert!((8000..9900).contains(&inside), "{inside}");
        assert!(indices.contains(&-1) && indices.contains(&100) && indices.contains(&i32::MIN));
        assert!(draw.indices("a", 500, 0).contains(&-1));
        assert_eq!(draw.words("a", 50, 0..=9), draws(1).words("a", 50, 0..=9));
        assert_ne!(draw.words("a", 50, 0..=9), draws(2).words("a", 50, 0..=9));
        assert_ne!(draw.words("a", 50, 0..=9), draw.words("b", 50, 0..=9));
    }
}
