//! The stated errors, measured densely against f64.

use zero_noise::*;

/// Distance in units in the last place of the f32 nearest to `want`, none smaller than the smallest normal's.
fn ulps(got: f32, want: f64) -> f64 {
    let exponent = ((want as f32).abs().max(f32::MIN_POSITIVE).to_bits() >> 23) as i32 - 127;
    (f64::from(got) - want).abs() / 2_f64.powi(exponent - 23)
}

/// Every `step`-th float of both signs, from the smallest normal to the largest finite.
fn floats(step: usize) -> impl Iterator<Item = f32> {
    let normal = f32::MIN_POSITIVE.to_bits()..=f32::MAX.to_bits();
    normal
        .step_by(step)
        .flat_map(|bits| [f32::from_bits(bits), -f32::from_bits(bits)])
}

struct Worst {
    error: f64,
    at: Vec<f32>,
}

impl Worst {
    fn new() -> Self {
        Self {
            error: 0.0,
            at: Vec::new(),
        }
    }

    fn see(&mut self, error: f64, at: &[f32]) {
        if error > self.error || error.is_nan() {
            *self = Self { error, at: at.to_vec() };
        }
    }

    /// Within the bound, and the bound is not a loose one.
    fn holds(self, name: &str, bound: f64) {
        println!("{name}: {:.3} ulp at {:?}, stated {bound}", self.error, self.at);
        assert!(
            self.error <= bound,
            "{name}: {} ulp at {:?}, stated {bound}",
            self.error,
            self.at
        );
        assert!(
            self.error > bound * 0.5,
            "{name}: stated {bound} ulp, but {} were measured",
            self.error
        );
    }
}

fn unary(name: &str, bound: f64, inputs: impl Iterator<Item = f32>, f: fn(f32) -> f32, oracle: fn(f64) -> f64) {
    let mut worst = Worst::new();
    for x in inputs {
        let want = oracle(f64::from(x));
        worst.see(ulps(f(x), want), &[x]);
    }
    worst.holds(name, bound);
}

/// A fixed sequence of pairs whose exponents are spread over `exponents` (of two), both signs.
fn pairs(count: u32, exponents: std::ops::Range<i32>) -> impl Iterator<Item = (f32, f32)> {
    let state = Scope::new(count).text("pairs").state();
    let float = move |at: u32| {
        let hash = finish(fold_u32(state, at));
        let span = (exponents.end - exponents.start) as f32;
        let exponent = exponents.start + (draw(state ^ 1, at) * span) as i32;
        f32::from_bits((hash & 0x807f_ffff) | (((exponent + 127) as u32) << 23))
    };
    (0..count).map(move |i| (float(2 * i), float(2 * i + 1)))
}

#[test]
fn sine_and_cosine() {
    let [mut sine, mut cosine, mut sine_large, mut cosine_large] = [(); 4].map(|()| Worst::new());
    for x in floats(487) {
        // f64's own reduction is exact; its result is good to far below an ulp of f32.
        let (s, c) = f64::from(x).sin_cos();
        let large = x.abs() > 8192.0;
        let (sines, cosines) = if large {
            (&mut sine_large, &mut cosine_large)
        } else {
            (&mut sine, &mut cosine)
        };
        sines.see(ulps(sin(x), s), &[x]);
        cosines.see(ulps(cos(x), c), &[x]);
    }
    sine.holds("sin", 1.0);
    cosine.holds("cos", 1.0);
    sine_large.holds("sin of large angles", 1.0);
    cosine_large.holds("cos of large angles", 1.0);
}

#[test]
fn exponential_and_logarithm() {
    let inputs = (0..2_000_000)
        .map(|i| -126.0 + i as f32 * 1.27e-4)
        .filter(|&x| x < 128.0);
    unary("exp2", 1.1, inputs, exp2, f64::exp2);
    unary(
        "exp2 small",
        1.1,
        floats(487).filter(|x| x.abs() < 1.0),
        exp2,
        f64::exp2,
    );
    unary("log2", 0.6, floats(487).filter(|&x| x > 0.0), log2, f64::log2);
    unary(
        "log2 near 1",
        0.6,
        (0x3f00_0000..0x4000_0000).step_by(3).map(f32::from_bits),
        log2,
        f64::log2,
    );
}

#[test]
fn hyperbolic_tangent() {
    unary("tanh", 1.6, floats(487), tanh, f64::tanh);
}

#[test]
fn angle_of_a_vector() {
    let mut worst = Worst::new();
    for (y, x) in pairs(2_000_000, -12..12) {
        worst.see(ulps(atan2(y, x), f64::from(y).atan2(f64::from(x))), &[y, x]);
    }
    worst.holds("atan2", 1.6);
}

#[test]
fn power() {
    let mut worst = Worst::new();
    for (a, b) in pairs(4_000_000, -10..7) {
        let want = f64::from(a.abs()).powf(f64::from(b));
        if (f64::from(f32::MIN_POSITIVE)..f64::from(f32::MAX)).contains(&want) {
            worst.see(ulps(pow(a.abs(), b), want), &[a.abs(), b]);
        }
    }
    for i in 0..1_000_000_u32 {
        // Bases near 1 to large powers, where the logarithm's relative error shows most.
        let a = f32::from_bits(0x3f80_0000 + (finish(i) >> 12)) - 0.05;
        let b = (unit(finish(i ^ 77)) * 2.0 - 1.0) * 125.0 / a.log2().abs().max(1e-4);
        let want = f64::from(a).powf(f64::from(b));
        if (f64::from(f32::MIN_POSITIVE)..f64::from(f32::MAX)).contains(&want) {
            worst.see(ulps(pow(a, b), want), &[a, b]);
        }
    }
    worst.holds("pow", 2.6);
}

/// Correct rounding against f64, where a double rounding cannot matter: 53 digits are more than twice 24 and two.
#[test]
fn division_root_and_fraction_are_correctly_rounded() {
    for (a, b) in pairs(1_000_000, -60..60) {
        assert_eq!(div(a, b), (f64::from(a) / f64::from(b)) as f32, "{a} / {b}");
    }
    for x in floats(487) {
        let want = (1.0 / f64::from(x)) as f32;
        // A quotient of 2^-126 and less is 0.
        assert_eq!(
            recip(x),
            if want.abs() <= f32::MIN_POSITIVE { 0.0 } else { want },
            "1 / {x}"
        );
        let want = (f64::from(x) - f64::from(x).floor()) as f32;
        assert_eq!(fract(x), want.min(1.0 - f32::EPSILON / 2.0), "the fraction of {x}");
    }
    for x in floats(487).filter(|&x| x > 0.0) {
        assert_eq!(sqrt(x), f64::from(x).sqrt() as f32, "{x}");
    }
}

/// What should come out exactly does.
#[test]
fn exact_values() {
    for n in -126..=127 {
        let power = f32::from_bits(((n + 127) as u32) << 23);
        assert_eq!(exp2(n as f32), power);
        assert_eq!(log2(power), n as f32);
        assert_eq!(pow(2.0, n as f32), power);
    }
    for i in 1..=1000 {
        let x = i as f32;
        assert_eq!(pow(x, 2.0), x * x);
        assert_eq!(pow(x, 1.0), x);
        assert_eq!(pow(-x, 2.0), x * x);
        assert_eq!(pow(-x, 1.0), -x);
    }
    assert_eq!(pow(-2.0, 3.0), -8.0);
    assert_eq!(pow(-2.0, -1.0), -0.5);
    assert_eq!(pow(-1.0, 16_777_215.0), -1.0);
    assert_eq!(pow(-1.0, 16_777_216.0), 1.0);
    assert_eq!(pow(-2.0, 0.5), 0.0);
    assert_eq!(pow(0.0, 2.0), 0.0);
    assert_eq!(pow(0.0, -2.0), 0.0);
    assert_eq!(pow(0.0, 0.0), 1.0);
    assert_eq!((sin(0.0), cos(0.0), tanh(0.0), atan2(0.0, 0.0)), (0.0, 1.0, 0.0, 0.0));
    assert_eq!(atan2(0.0, -1.0), std::f32::consts::PI);
    assert_eq!(atan2(1.0, 0.0), std::f32::consts::FRAC_PI_2);
    assert_eq!(tanh(20.0), 1.0);
}

/// The answers where a function has none.
#[test]
fn beyond_the_domain() {
    for x in [0.0, -0.0, -1.0, -f32::MAX, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(sqrt(x), 0.0);
        assert_eq!(log2(x), 0.0);
        assert_eq!(div(x, 0.0), 0.0);
        assert_eq!(modulo(x, 0.0), 0.0);
    }
    assert_eq!((exp2(128.0), exp2(f32::INFINITY)), (f32::MAX, f32::MAX));
    assert_eq!((exp2(-126.1), exp2(f32::NEG_INFINITY)), (0.0, 0.0));
    assert_eq!(div(f32::MAX, -0.5), -f32::MAX);
    assert_eq!(div(1e-30, 1e30), 0.0);
    assert_eq!(clean(f32::NAN), 0.0);
    assert_eq!(clean(f32::NEG_INFINITY), -f32::MAX);
    assert_eq!(clean(1e-40), 0.0);
    assert_eq!(clean(-0.0).to_bits(), 0);
}

/// In units of the larger operand's last place, around the circle of the divisor.
#[test]
fn remainders_err_by_a_place_of_the_larger_operand_at_most() {
    let mut worst = Worst::new();
    for (a, b) in pairs(1_000_000, -10..10) {
        let (wide, divisor) = (f64::from(a), f64::from(b));
        // Exact: both factors have 24 digits.
        let want = wide - (wide / divisor).floor() * divisor;
        let error = (f64::from(modulo(a, b)) - want).abs();
        let around = error.min(divisor.abs() - error);
        let larger = a.abs().max(b.abs());
        worst.see(around / f64::from(larger.next_up() - larger), &[a, b]);
    }
    worst.holds("modulo", 1.0);
}

#[test]
fn remainders() {
    for (a, b, want) in [
        (7.5, 2.0, 1.5),
        (-0.5, 2.0, 1.5),
        (0.5, -2.0, -1.5),
        (6.0, 3.0, 0.0),
        (-6.0, 3.0, 0.0),
    ] {
        assert_eq!(modulo(a, b), want, "{a} mod {b}");
    }
    assert_eq!(fract(2.75), 0.75);
    assert_eq!(fract(-0.25), 0.75);
    assert_eq!(fract(-1e-30), 1.0 - f32::EPSILON / 2.0);
    assert_eq!(fract(-8_388_607.5), 0.5);
}
