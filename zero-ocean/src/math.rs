//! Exponential, logarithm, power and tanh in f64, with the same bits on every machine.
//!
//! They are made of add, subtract, multiply, divide, floor and moves of bits in a fixed order, which IEEE 754 defines to
//! the bit and Rust neither fuses nor rearranges. The standard library's are whatever the platform has, so two machines
//! may differ in the last place. Its `sqrt`, `floor`, `abs`, `min` and `max` are exact by the same standard and are used.

/// ln 2 in two parts: the first has 32 zero bits at its end, so that its product with an exponent is exact.
const LN_2_HIGH: f64 = 0.693_146_705_627_441_4;
const LN_2_LOW: f64 = 4.749_325_039_031_672_6e-7;

/// Beyond this `exp` answers with 0 or the largest finite number: e^708 is still a normal number.
const EXP_LIMIT: f64 = 708.0;

/// Below this `exp_m1` sums its own series, above it nothing is lost by taking 1 from `exp`.
const SERIES_LIMIT: f64 = 0.35;

/// e^x - 1 for |x| of at most [`SERIES_LIMIT`]: the Taylor series up to x^14, whose rest is below 2^-58 of the first term.
fn exp_m1_series(x: f64) -> f64 {
    const TERMS: u32 = 14;
    let mut sum = 1.0;
    for n in (2..=TERMS).rev() {
        sum = 1.0 + sum * x / f64::from(n);
    }
    x * sum
}

/// e^x within 1 ulp: 0 below -708, the largest finite number above 708. Not for NaN.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -EXP_LIMIT {
        return 0.0;
    }
    if x > EXP_LIMIT {
        return f64::MAX;
    }
    let twos = (x * std::f64::consts::LOG2_E + 0.5).floor();
    let rest = (x - twos * LN_2_HIGH) - twos * LN_2_LOW;
    // `twos` lies from -1021 to 1021: the exponent of a normal number.
    let scale = f64::from_bits(((twos as i64 + 1023) as u64) << 52);
    scale + scale * exp_m1_series(rest)
}

/// e^x - 1 within 3 ulp, also near 0, where `exp` would lose what counts. Not for NaN.
pub(crate) fn exp_m1(x: f64) -> f64 {
    if x.abs() <= SERIES_LIMIT {
        return exp_m1_series(x);
    }
    exp(x) - 1.0
}

/// The natural logarithm within 2 ulp, of a normal number above 0.
pub(crate) fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let mut twos = (bits >> 52) as i64 - 1023;
    let mut part = f64::from_bits((bits & MANTISSA) | (1023 << 52));
    if part > std::f64::consts::SQRT_2 {
        part *= 0.5;
        twos += 1;
    }
    // ln part = 2 artanh s, |s| < 0.172: the series up to s^21, whose rest is below 2^-58 of the first term.
    let s = (part - 1.0) / (part + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for odd in (3..=21).rev().step_by(2) {
        sum = sum * square + 1.0 / f64::from(odd);
    }
    let twos = twos as f64;
    twos * LN_2_HIGH + (2.0 * s + (2.0 * s * square * sum + twos * LN_2_LOW))
}

/// x^y for x above 0. The relative error is that of `exp` and 2^-52 for each 1 of |y ln x|.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    exp(y * ln(x))
}

/// The hyperbolic tangent within 4 ulp. Not for NaN.
pub(crate) fn tanh(x: f64) -> f64 {
    let twice = exp_m1(2.0 * x.abs().min(20.0));
    (twice / (twice + 2.0)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of the last place between two numbers of one sign.
    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    /// The largest distance from an oracle over evenly spread arguments.
    fn worst(from: f64, to: f64, ours: impl Fn(f64) -> f64, oracle: impl Fn(f64) -> f64) -> u64 {
        let count = 200_000;
        (0..=count)
            .map(|i| from + (to - from) * f64::from(i) / f64::from(count))
            .map(|x| ulps(ours(x), oracle(x)))
            .max()
            .unwrap()
    }

    // The platform's functions are the oracles: they lie within 1 ulp of the truth, which the bounds allow for.
    #[test]
    fn errors_are_as_stated() {
        let found = [
            worst(-700.0, 700.0, exp, f64::exp),
            worst(-1.0, 1.0, exp, f64::exp),
            worst(1e-9, 30.0, exp_m1, f64::exp_m1),
            worst(-30.0, -1e-9, exp_m1, f64::exp_m1),
            worst(1e-3, 0.999, ln, f64::ln),
            worst(1.001, 1e6, ln, f64::ln),
            worst(1e-9, 25.0, tanh, f64::tanh),
        ];
        let allowed = [2, 2, 4, 4, 3, 3, 5];
        for (found, allowed) in found.iter().zip(allowed) {
            assert!(*found <= allowed, "{found:?}");
        }
    }

    #[test]
    fn ends_are_where_they_belong() {
        assert_eq!((exp(0.0), exp_m1(0.0), ln(1.0), tanh(0.0)), (1.0, 0.0, 0.0, 0.0));
        assert_eq!((exp(-1e9), exp(1e9)), (0.0, f64::MAX));
        assert_eq!((tanh(1e9), tanh(-1e9)), (1.0, -1.0));
        assert_eq!(tanh(-0.3), -tanh(0.3));
        assert!((pow(8.0, 1.0 / 3.0) - 2.0).abs() < 1e-15);
    }

    // Arguments of every branch. Other bits on a machine mean that the promise of this module is broken there.
    #[test]
    fn bits_are_pinned() {
        let found = [
            exp(0.3),
            exp(-37.25),
            exp_m1(-1e-5),
            ln(0.1),
            ln(12345.678),
            pow(0.37, 0.22),
            tanh(0.7),
        ];
        let bits = found.map(f64::to_bits);
        assert_eq!(bits, PINNED, "{bits:#018x?}");
    }
    const PINNED: [u64; 7] = [
        0x3ff599058c8c1a96,
        0x3c93278bcd70e981,
        0xbee4f8aea9acf2ca,
        0xc0026bb1bbb55515,
        0x4022d79559791e31,
        0x3fe9b68d680f7468,
        0x3fe356fb17af2e91,
    ];
}
