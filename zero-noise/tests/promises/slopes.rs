//! Slopes are the derivatives of their noise, to the stated error, and come with its bits.

use crate::oracle::{fbm, gradient, octaves, ridged, seeded, simplex, value};
use zero_noise::*;

/// The step of the central differences, whose own error in f64 is below 10^-8: that of a third derivative of 400.
const STEP: f64 = 1e-5;

/// Places of the plane and of space: in cells, at their borders and at their corners.
fn places() -> impl Iterator<Item = [f32; 3]> {
    let state = Scope::new(11).text("slopes").state();
    (0..60_000_u32).map(move |i| {
        std::array::from_fn(|d| {
            let x = draw(state, 3 * i + d as u32) * 128.0 - 64.0;
            // A quarter of the coordinates on whole numbers or next to them.
            match finish(3 * i + d as u32) % 8 {
                0 => x.floor(),
                1 => x.floor() + 1.0 / 1024.0,
                _ => x,
            }
        })
    })
}

fn wide<const D: usize>(at: [f32; D]) -> [f64; D] {
    at.map(f64::from)
}

/// The central difference along an axis.
fn difference<const D: usize>(axis: usize, noise: impl Fn([f64; D]) -> f64) -> f64 {
    let mut step = [0.0; D];
    step[axis] = STEP;
    let ahead = noise(step);
    step[axis] = -STEP;
    (ahead - noise(step)) / (2.0 * STEP)
}

/// Values are as near to `noise`, which is asked at a step away, as `value_error` says, and slopes to its differences as
/// `slope_error` does; and neither bound is a loose one.
fn check<const D: usize, const N: usize>(
    name: &str,
    [value_error, slope_error]: [f64; 2],
    sloped: impl Fn([f32; D]) -> [f32; N],
    plain: impl Fn([f32; D]) -> f32,
    noise: impl Fn([f32; D], [f64; D]) -> f64,
) {
    let (mut values, mut slopes) = (0.0_f64, 0.0_f64);
    for place in places() {
        let at: [f32; D] = std::array::from_fn(|d| place[d]);
        let got = sloped(at);
        assert_eq!(
            got[0].to_bits(),
            plain(at).to_bits(),
            "{name} at {at:?}: the value is another"
        );
        values = values.max((f64::from(got[0]) - noise(at, [0.0; D])).abs());
        for d in 0..D {
            let want = difference(d, |step| noise(at, step));
            let error = (f64::from(got[d + 1]) - want).abs();
            slopes = slopes.max(error);
        }
    }
    println!(
        "{name}: values err by 2^{:.2}, slopes by 2^{:.2}",
        values.log2(),
        slopes.log2()
    );
    assert!(
        values <= value_error && slopes <= slope_error,
        "{name}: values err by {values:e} and slopes by {slopes:e}"
    );
    assert!(
        values > value_error / 4.0 && slopes > slope_error / 4.0,
        "{name}: the stated errors are loose, {values:e} and {slopes:e} were measured"
    );
}

fn away<const D: usize>(at: [f32; D], step: [f64; D]) -> [f64; D] {
    let at = wide(at);
    std::array::from_fn(|d| at[d] + step[d])
}

/// The errors that the documentation states.
const VALUE: [f64; 2] = [8.0 * TWO_23, 32.0 * TWO_23];
const TWO_23: f64 = 1.0 / 8_388_608.0;

#[test]
fn slopes_of_value_noise_are_its_derivatives() {
    let state = seeded(5);
    check(
        "value2",
        VALUE,
        |[x, y]| value2_slope(5, x, y),
        |[x, y]| value2(5, x, y),
        |at, step| value(state, away(at, step)),
    );
    check(
        "value3",
        VALUE,
        |[x, y, z]| value3_slope(5, x, y, z),
        |[x, y, z]| value3(5, x, y, z),
        |at, step| value(state, away(at, step)),
    );
}

#[test]
fn slopes_of_gradient_noise_are_its_derivatives() {
    let (state, errors) = (seeded(5), [16.0 * TWO_23, 64.0 * TWO_23]);
    check(
        "gradient2",
        errors,
        |[x, y]| gradient2_slope(5, x, y),
        |[x, y]| gradient2(5, x, y),
        |at, step| gradient(state, away(at, step)),
    );
    check(
        "gradient3",
        errors,
        |[x, y, z]| gradient3_slope(5, x, y, z),
        |[x, y, z]| gradient3(5, x, y, z),
        |at, step| gradient(state, away(at, step)),
    );
}

#[test]
fn slopes_of_fractal_noise_are_its_derivatives() {
    let state = Scope::new(5).text("fbm").state();
    let errors = [16.0 * TWO_23, 64.0 * TWO_23];
    check(
        "fbm2",
        errors,
        |[x, y]| fbm2_slope(5, x, y, 6),
        |[x, y]| fbm2(5, x, y, 6),
        |at, step| fbm(&octaves(state, at, step, 6)),
    );
    check(
        "fbm3",
        errors,
        |[x, y, z]| fbm3_slope(5, x, y, z, 6),
        |[x, y, z]| fbm3(5, x, y, z, 6),
        |at, step| fbm(&octaves(state, at, step, 6)),
    );
}

/// The noises without slopes, against f64 too.
fn near<const D: usize>(name: &str, bound: f64, got: impl Fn([f32; D]) -> f32, want: impl Fn([f32; D]) -> f64) {
    let mut worst = 0.0_f64;
    for place in places() {
        let at = std::array::from_fn(|d| place[d]);
        let error = (f64::from(got(at)) - want(at)).abs();
        worst = worst.max(error);
    }
    println!("{name}: errs by 2^{:.2}", worst.log2());
    assert!(worst <= bound, "{name}: errs by {worst:e}");
    assert!(
        worst > bound / 4.0,
        "{name}: the stated error is loose, {worst:e} was measured"
    );
}

#[test]
fn ridged_noise_is_its_formula() {
    let state = Scope::new(5).text("rdg").state();
    let error = 16.0 * TWO_23;
    near(
        "ridged2",
        error,
        |[x, y]| ridged2(5, x, y, 6),
        |at| ridged(&octaves(state, at, [0.0; 2], 6)),
    );
    near(
        "ridged3",
        error,
        |[x, y, z]| ridged3(5, x, y, z, 6),
        |at| ridged(&octaves(state, at, [0.0; 3], 6)),
    );
}

/// No corner is forgotten and none is counted twice, near the origin and 2^20 cells from it.
#[test]
fn simplex_noise_is_the_sum_over_all_corners() {
    let state = Scope::new(5).text("spx").state();
    let error = 16.0 * TWO_23;
    near(
        "simplex2",
        error,
        |[x, y]| simplex2(5, x, y),
        |at| simplex(state, wide(at)),
    );
    near(
        "simplex3",
        error,
        |[x, y, z]| simplex3(5, x, y, z),
        |at| simplex(state, wide(at)),
    );
    let far = |x: f32| x + 1_048_576.0;
    near(
        "simplex2, far",
        error,
        |[x, y]| simplex2(5, far(x), -y),
        |[x, y]| simplex(state, wide([far(x), -y])),
    );
    near(
        "simplex3, far",
        error,
        |[x, y, z]| simplex3(5, x, -far(y), z),
        |[x, y, z]| simplex(state, wide([x, -far(y), z])),
    );
}

/// Whether a ridged noise has a derivative there that a difference finds: no octave is on a crest, and no weight at its end.
fn is_smooth(octaves: &[f64]) -> bool {
    const NEAR: f64 = 0.01;
    let mut weight = 1.0_f64;
    octaves.iter().all(|noise| {
        let signal = (1.0 - noise.abs()).powi(2) * weight;
        weight = (2.0 * signal).clamp(0.0, 1.0);
        noise.abs() > NEAR && (2.0 * signal - 1.0).abs() > NEAR
    })
}

/// As [`check`] for what is not smooth everywhere, or whose error is stated for slopes as a share of the steepest.
fn check_where<const D: usize, const N: usize>(
    name: &str,
    slope_error: f64,
    sloped: impl Fn([f32; D]) -> [f32; N],
    plain: impl Fn([f32; D]) -> f32,
    noise: impl Fn([f32; D], [f64; D]) -> Option<f64>,
) {
    let (mut worst, mut seen) = (0.0_f64, 0);
    for place in places() {
        let at: [f32; D] = std::array::from_fn(|d| place[d]);
        let got = sloped(at);
        assert_eq!(got[0].to_bits(), plain(at).to_bits(), "{name} at {at:?}");
        if noise(at, [0.0; D]).is_none() {
            continue;
        }
        seen += 1;
        for d in 0..D {
            let want = difference(d, |step| noise(at, step).unwrap_or(f64::NAN));
            if want.is_finite() {
                worst = worst.max((f64::from(got[d + 1]) - want).abs());
            }
        }
    }
    println!("{name}: slopes err by 2^{:.2} at {seen} places", worst.log2());
    assert!(seen > 10_000, "{name}: {seen} places");
    assert!(worst <= slope_error, "{name}: slopes err by {worst:e}");
    assert!(
        worst > slope_error / 4.0,
        "{name}: the stated error is loose, {worst:e} was measured"
    );
}

#[test]
fn slopes_of_ridged_noise_are_its_derivatives() {
    let state = Scope::new(5).text("rdg").state();
    let error = 256.0 * TWO_23;
    let smooth = |octaves: Vec<f64>| is_smooth(&octaves).then(|| ridged(&octaves));
    check_where(
        "ridged2",
        error,
        |[x, y]| ridged2_slope(5, x, y, 6),
        |[x, y]| ridged2(5, x, y, 6),
        |at, step| smooth(octaves(state, at, step, 6)),
    );
    check_where(
        "ridged3",
        error,
        |[x, y, z]| ridged3_slope(5, x, y, z, 6),
        |[x, y, z]| ridged3(5, x, y, z, 6),
        |at, step| smooth(octaves(state, at, step, 6)),
    );
}

/// In f64 the displaced point is not that which f32 rounds to: of a point of steep noise the slope is that of another by as
/// much as the noise bends in between.
#[test]
fn slopes_of_warped_noise_are_its_derivatives() {
    const STRENGTH: f32 = 1.5;
    fn warped<const D: usize>(at: [f32; D], step: [f64; D]) -> Option<f64> {
        let scope = |seed: u32| Scope::new(seed).text("fbm").state();
        let at: [f64; D] = std::array::from_fn(|d| f64::from(at[d]) + step[d]);
        let moved: [f64; D] = std::array::from_fn(|d| {
            let seed = Scope::new(5).text("wrp").uint(d as u32).hash();
            at[d] + f64::from(STRENGTH) * wide_fbm(scope(seed), at, 3)
        });
        Some(wide_fbm(scope(5), moved, 3))
    }
    let error = 8192.0 * TWO_23;
    check_where(
        "warped2",
        error,
        |[x, y]| warped2_slope(5, x, y, 3, STRENGTH),
        |[x, y]| warped2(5, x, y, 3, STRENGTH),
        warped,
    );
    check_where(
        "warped3",
        error,
        |[x, y, z]| warped3_slope(5, x, y, z, 3, STRENGTH),
        |[x, y, z]| warped3(5, x, y, z, 3, STRENGTH),
        warped,
    );
}

/// Fractal noise at a place of f64.
fn wide_fbm<const D: usize>(scope: u32, at: [f64; D], count: u32) -> f64 {
    let octave = |octave: u32| {
        let state = fold_u32(scope, octave);
        let place: [f64; D] =
            std::array::from_fn(|d| at[d] * 2_f64.powi(octave as i32) + 0.25 + 0.5 * f64::from(draw(state, d as u32)));
        gradient(state, place)
    };
    fbm(&(0..count).map(octave).collect::<Vec<f64>>())
}
