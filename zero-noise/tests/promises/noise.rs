//! What the noises promise besides their ranges.

use crate::oracle::SIMPLEX_SCALES;
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

/// Neighbouring samples differ by no more than a slope allows, across cell borders, the seams of tiles and the places
/// where noise wraps too. The factors are how steep each is beside value noise.
#[test]
fn noise_is_continuous() {
    let step = 1.0 / 256.0;
    for i in 0..20_000 {
        let (x, y, z) = (
            i as f32 * step - 40.0,
            i as f32 * 0.37 * step,
            3.0 - i as f32 * 0.61 * step,
        );
        let next = x + step;
        let metric = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev][i % 3];
        let distances = |cellular: Cellular| [cellular.f1, cellular.f2];
        let ways = |a: Cellular, b: Cellular| {
            let (a, b) = (distances(a), distances(b));
            (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
        };
        let (plane, space) = ([3, 5], [3, 5, 7]);
        let slopes = [
            value2(1, next, y) - value2(1, x, y),
            value3(1, next, y, z) - value3(1, x, y, z),
            value2_tiled(1, next, y, plane) - value2_tiled(1, x, y, plane),
            gradient2(1, next, y) - gradient2(1, x, y),
            gradient3(1, next, y, z) - gradient3(1, x, y, z),
            gradient2_tiled(1, next, y, plane) - gradient2_tiled(1, x, y, plane),
            gradient3_tiled(1, next, y, z, space) - gradient3_tiled(1, x, y, z, space),
            0.5 * (simplex2(1, next, y) - simplex2(1, x, y)),
            0.5 * (simplex3(1, next, y, z) - simplex3(1, x, y, z)),
            0.5 * (ridged2(1, next, y, 1) - ridged2(1, x, y, 1)),
            0.5 * (ridged3(1, next, y, z, 1) - ridged3(1, x, y, z, 1)),
            // Three octaves, each as steep as the first: half the height at twice the frequency.
            (fbm2(1, next, y, 3) - fbm2(1, x, y, 3)) / 3.0,
            (fbm3(1, next, y, z, 3) - fbm3(1, x, y, z, 3)) / 3.0,
            (fbm2_tiled(1, next, y, 3, plane) - fbm2_tiled(1, x, y, 3, plane)) / 3.0,
            // A warp by 0.25 of a noise of slope 9 moves a step by up to 3.25 of it, along each axis.
            (warped2(1, next, y, 3, 0.25) - warped2(1, x, y, 3, 0.25)) / 18.0,
            (warped3(1, next, y, z, 3, 0.25) - warped3(1, x, y, z, 3, 0.25)) / 24.0,
            ways(cellular2(1, next, y, metric), cellular2(1, x, y, metric)),
            ways(cellular3(1, next, y, z, metric), cellular3(1, x, y, z, metric)),
            ways(
                cellular2_tiled(1, next, y, metric, plane),
                cellular2_tiled(1, x, y, metric, plane),
            ),
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
        // All octaves for the first seeds: sixteen of them take long.
        for octaves in [1, 2, 6, MAX_OCTAVES].into_iter().take(if seed < 6 { 4 } else { 3 }) {
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
            let tiled = |x, y, z| fbm3_tiled(seed, x, y, z, octaves, [64, 64, 64]);
            let on = rms(points().map(|(x, y, z)| tiled(x, y, z)));
            let off = rms((0..4096).map(|i| tiled(elsewhere(i, 0), elsewhere(i, 1), elsewhere(i, 2))));
            assert!(
                on >= 0.5 * off,
                "tiled 3d, seed {seed}, {octaves} octaves: {on} against {off}"
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

/// The greatest sum that a simplex could have, over a grid of places in it, were every gradient in the worst direction:
/// `length` is that of the gradients, `unskew` what takes a corner of the skewed lattice back.
fn greatest_sum<const D: usize>(grid: u32, unskew: f64, length: f64) -> f64 {
    let corners: Vec<[f64; D]> = (0..4_u32.pow(D as u32))
        .map(|corner| std::array::from_fn(|d| f64::from(corner / 4_u32.pow(d as u32) % 4) - 1.0))
        .map(|corner: [f64; D]| corner.map(|x| x - corner.iter().sum::<f64>() * unskew))
        .collect();
    let places = (0..(grid + 1).pow(D as u32)).map(|place| {
        let at: [f64; D] =
            std::array::from_fn(|d| f64::from(place / (grid + 1).pow(d as u32) % (grid + 1)) / f64::from(grid));
        at.map(|x| x - at.iter().sum::<f64>() * unskew)
    });
    let sum = |at: [f64; D]| -> f64 {
        let far = corners.iter().map(|corner| {
            let square: f64 = at.iter().zip(corner).map(|(x, c)| (x - c) * (x - c)).sum();
            (0.5 - square).max(0.0).powi(4) * length * square.sqrt()
        });
        far.sum()
    };
    places.map(sum).fold(0.0, f64::max)
}

/// The scales that the oracle has, and so by its tests the noise, are the greatest that keep the range: whole numbers,
/// and one more would not.
#[test]
fn simplex_noise_is_scaled_to_the_supremum_of_its_formula() {
    let unskew = [(3.0 - 3_f64.sqrt()) / 6.0, 1.0 / 6.0];
    let most = [
        greatest_sum::<2>(400, unskew[0], std::f64::consts::SQRT_2),
        greatest_sum::<3>(40, unskew[1], 2.0 / 3_f64.sqrt()),
    ];
    for (scale, most) in SIMPLEX_SCALES.into_iter().zip(most) {
        assert!(
            scale * most <= 1.0 && (scale + 1.0) * most > 1.0,
            "{scale} times {most}"
        );
    }
}

/// No point is further from the second feature point than the middle of a square whose own point stands in a corner of it
/// is from the far corner of the square beside: `sqrt(0.5^2 + 1.5^2)`. And a square that is met so is not far from it.
#[test]
fn the_second_feature_point_is_as_far_as_stated_and_no_further() {
    // Over a grid of places in a square: the second smallest of the ways to the furthest corner of each square around.
    let far = |p: f64, cell: f64| (p - cell).abs().max((p - cell - 1.0).abs());
    let second = |p: [f64; 2], way: &dyn Fn(f64, f64) -> f64| {
        let cells = (0..9).map(|cell| [f64::from(cell % 3) - 1.0, f64::from(cell / 3) - 1.0]);
        let mut ways: Vec<f64> = cells.map(|[x, y]| way(far(p[0], x), far(p[1], y))).collect();
        ways.sort_by(f64::total_cmp);
        ways[1]
    };
    let supremum = |way: &dyn Fn(f64, f64) -> f64| {
        let places = (0..=200).flat_map(|x| (0..=200).map(move |y| [f64::from(x) / 200.0, f64::from(y) / 200.0]));
        places.map(|place| second(place, way)).fold(0.0, f64::max)
    };
    assert!((supremum(&f64::hypot) - 2.5_f64.sqrt()).abs() < 1e-9 && 2.5_f64.sqrt() < 1.5812);
    assert!((supremum(&|x, y| x + y) - 2.0).abs() < 1e-9);
    assert!((supremum(&f64::max) - 1.5).abs() < 1e-9);
}
