//! What the noises promise besides their ranges.

use zero_noise::*;

#[test]
fn value_noise_stands_on_its_lattice() {
    for (x, y, z) in [(0, 0, 0), (5, -3, 2), (-1_000_000, 77, -1)] {
        let (xf, yf, zf) = (x as f32, y as f32, z as f32);
        assert_eq!(value2(4, xf, yf), Scope::new(4).int(x).int(y).unit());
        assert_eq!(value3(4, xf, yf, zf), Scope::new(4).int(x).int(y).int(z).unit());
        assert_eq!(gradient2(4, xf, yf), 0.0);
        assert_eq!(gradient3(4, xf, yf, zf), 0.0);
    }
}

/// Neighbouring samples differ by no more than a slope allows, across cell borders too.
#[test]
fn noise_is_continuous() {
    let step = 1.0 / 256.0;
    for i in 0..20_000 {
        let (x, y, z) = (
            i as f32 * step - 40.0,
            i as f32 * 0.37 * step,
            3.0 - i as f32 * 0.61 * step,
        );
        let slopes = [
            value2(1, x + step, y) - value2(1, x, y),
            value3(1, x + step, y, z) - value3(1, x, y, z),
            gradient2(1, x + step, y) - gradient2(1, x, y),
            gradient3(1, x + step, y, z) - gradient3(1, x, y, z),
            0.5 * (simplex2(1, x + step, y) - simplex2(1, x, y)),
            0.5 * (simplex3(1, x + step, y, z) - simplex3(1, x, y, z)),
            0.5 * (ridged2(1, x + step, y, 1) - ridged2(1, x, y, 1)),
            0.5 * (ridged3(1, x + step, y, z, 1) - ridged3(1, x, y, z, 1)),
        ];
        assert!(
            slopes.iter().all(|slope| slope.abs() < 4.0 * step),
            "{slopes:?} at {x} {y} {z}"
        );
    }
}

fn rms(values: impl Iterator<Item = f32>) -> f64 {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), v| (sum + f64::from(v) * f64::from(v), n + 1));
    (sum / f64::from(n)).sqrt()
}

/// No grid shows in a fractal sum: at lattice points it is half as strong as elsewhere at least.
#[test]
fn fractal_noise_does_not_vanish_on_the_lattice() {
    for seed in 0..40 {
        for octaves in [1, 2, 6] {
            let draws = Scope::new(seed).text("elsewhere").state();
            let points = || (0..4096_u32).map(|i| ((i % 64) as f32, (i / 64) as f32, (i % 37) as f32));
            let elsewhere = |i: u32, axis: u32| draw(draws, 3 * i + axis) * 64.0;
            let on = rms(points().map(|(x, y, _)| fbm2(seed, x, y, octaves)));
            let off = rms((0..4096).map(|i| fbm2(seed, elsewhere(i, 0), elsewhere(i, 1), octaves)));
            assert!(
                on >= 0.5 * off,
                "2d, seed {seed}, {octaves} octaves: {on} against {off}"
            );
            let on = rms(points().map(|(x, y, z)| fbm3(seed, x, y, z, octaves)));
            let off = rms((0..4096).map(|i| fbm3(seed, elsewhere(i, 0), elsewhere(i, 1), elsewhere(i, 2), octaves)));
            assert!(
                on >= 0.5 * off,
                "3d, seed {seed}, {octaves} octaves: {on} against {off}"
            );
            let tiled = |x, y| fbm2_tiled(seed, x, y, octaves, [64, 64]);
            let on = rms(points().map(|(x, y, _)| tiled(x, y)));
            let off = rms((0..4096).map(|i| tiled(elsewhere(i, 0), elsewhere(i, 1))));
            assert!(
                on >= 0.5 * off,
                "tiled, seed {seed}, {octaves} octaves: {on} against {off}"
            );
        }
    }
}

/// The stated ranges are not only kept but used: a noise that hardly moves would keep them too.
#[test]
fn noise_fills_its_range() {
    let state = Scope::new(3).state();
    let at = |i: u32| draw(state, i) * 4096.0 - 2048.0;
    let spans = |noise: &dyn Fn(f32, f32, f32) -> f32| {
        (0..200_000).fold((f32::MAX, f32::MIN), |(low, high), i| {
            let v = noise(at(3 * i), at(3 * i + 1), at(3 * i + 2));
            (low.min(v), high.max(v))
        })
    };
    let (low, high) = spans(&|x, y, _| value2(1, x, y));
    assert!(low < 0.01 && high > 0.99, "value2: {low} {high}");
    let (low, high) = spans(&|x, y, z| value3(1, x, y, z));
    assert!(low < 0.05 && high > 0.95, "value3: {low} {high}");
    let (low, high) = spans(&|x, y, _| gradient2(1, x, y));
    assert!(low < -0.9 && high > 0.9, "gradient2: {low} {high}");
    let (low, high) = spans(&|x, y, z| gradient3(1, x, y, z));
    assert!(low < -0.65 && high > 0.65, "gradient3: {low} {high}");
    let (low, high) = spans(&|x, y, _| simplex2(1, x, y));
    assert!(low < -0.9 && high > 0.9, "simplex2: {low} {high}");
    let (low, high) = spans(&|x, y, z| simplex3(1, x, y, z));
    assert!(low < -0.8 && high > 0.8, "simplex3: {low} {high}");
    let (low, high) = spans(&|x, y, _| ridged2(1, x, y, 6));
    assert!(low < 0.15 && high > 0.95, "ridged2: {low} {high}");
    let (low, high) = spans(&|x, y, z| ridged3(1, x, y, z, 6));
    assert!(low < 0.25 && high > 0.9, "ridged3: {low} {high}");
}

#[test]
fn mean_of_signed_noise_is_zero_and_seeds_differ() {
    let state = Scope::new(5).state();
    let at = |i: u32| draw(state, i) * 1024.0;
    let mean = |noise: &dyn Fn(f32, f32) -> f32| {
        (0..100_000)
            .map(|i| f64::from(noise(at(2 * i), at(2 * i + 1))))
            .sum::<f64>()
            / 100_000.0
    };
    assert!(mean(&|x, y| gradient2(1, x, y)).abs() < 0.01);
    assert!(mean(&|x, y| fbm2(1, x, y, 5)).abs() < 0.01);
    assert!((mean(&|x, y| value2(1, x, y)) - 0.5).abs() < 0.01);
    let product = mean(&|x, y| gradient2(1, x, y) * gradient2(2, x, y));
    assert!(product.abs() < 0.01, "seeds 1 and 2 correlate: {product}");
}

/// Coordinates wrap by 2^22 where they stop having fractions; so do all that are further out.
#[test]
fn huge_coordinates_wrap() {
    const WRAP: f32 = 4_194_304.0;
    for k in 1..4 {
        for i in 0..16 {
            let (near, far) = (i as f32, k as f32 * WRAP + 8.0 * i as f32);
            assert_eq!(value2(1, 8.0 * near, 0.5), value2(1, far, 0.5));
            assert_eq!(fbm3(1, 8.0 * near, 0.5, 0.25, 4), fbm3(1, far, 0.5, 0.25, 4));
        }
    }
    for x in [1e20, f32::MAX, f32::INFINITY, f32::NAN] {
        assert_eq!(gradient2(1, x, 0.3), gradient2(1, 0.0, 0.3));
    }
    assert_ne!(
        value2(1, WRAP - 0.5, 0.5),
        value2(1, -0.5, 0.5),
        "below 2^22 every cell is its own"
    );
    assert_eq!(value2(1, -WRAP - 0.5, 0.0), value2(1, WRAP - 0.5, 0.0));
}

#[test]
fn octaves_are_bounded() {
    assert_eq!(fbm2(1, 0.3, 0.4, 0), 0.0);
    assert_eq!(fbm3(1, 0.3, 0.4, 0.5, 0), 0.0);
    assert_eq!(fbm2(1, 0.3, 0.4, u32::MAX), fbm2(1, 0.3, 0.4, MAX_OCTAVES));
    assert_ne!(fbm2(1, 0.3, 0.4, 5), fbm2(1, 0.3, 0.4, 6));
}

/// A warp moves a point by its noise: nowhere without strength, and nowhere further than the strength.
#[test]
fn warps_displace_by_fractal_noise() {
    for i in 0..2000 {
        let (x, y, z) = (i as f32 * 0.37 - 300.0, i as f32 * 0.11, 40.0 - i as f32 * 0.23);
        assert_eq!(warped2(3, x, y, 4, 0.0), fbm2(3, x, y, 4));
        assert_eq!(warped3(3, x, y, z, 4, f32::NAN), fbm3(3, x, y, z, 4));
        let seed = |axis| Scope::new(3).text("wrp").uint(axis).hash();
        let moved = warp2(3, x, y, 4, 2.5);
        assert_eq!(
            moved,
            [x + 2.5 * fbm2(seed(0), x, y, 4), y + 2.5 * fbm2(seed(1), x, y, 4)]
        );
        assert_eq!(warped2(3, x, y, 4, 2.5), fbm2(3, moved[0], moved[1], 4));
        let moved = warp3(3, x, y, z, 4, 2.5);
        assert_eq!(moved[2], z + 2.5 * fbm3(seed(2), x, y, z, 4));
        assert_eq!(warped3(3, x, y, z, 4, 2.5), fbm3(3, moved[0], moved[1], moved[2], 4));
    }
    assert_eq!(warp2(3, 5.0, 6.0, 4, f32::MAX), warp2(3, 5.0, 6.0, 4, 1_048_576.0));
}

/// The suprema that the ranges are drawn from, over a grid of places with the worst direction at every corner.
#[test]
fn stated_suprema_are_those_of_the_formulas() {
    let longest = |x: f64, y: f64| {
        let base = (0.5 - x * x - y * y).max(0.0);
        base.powi(4) * std::f64::consts::SQRT_2 * x.hypot(y)
    };
    let (unskew, grid) = ((3.0 - 3_f64.sqrt()) / 6.0, 400);
    let mut most = 0.0_f64;
    for i in 0..=grid {
        for j in 0..=i {
            let (u, v) = (f64::from(i) / f64::from(grid), f64::from(j) / f64::from(grid));
            let (x, y) = (u - (u + v) * unskew, v - (u + v) * unskew);
            let (mid, far) = (1.0 - unskew, 1.0 - 2.0 * unskew);
            most = most.max(longest(x, y) + longest(x - mid, y + unskew) + longest(x - far, y - far));
        }
    }
    assert!(70.0 * most <= 1.0 && 70.0 * most > 0.99, "{most}");
}
