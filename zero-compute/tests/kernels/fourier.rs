//! Fourier transforms: against rustfft in 64 bits, and by what a transform must satisfy.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use zero_compute::kernels::{Direction, fft, fft_2d};
use zero_compute::{Column, Device, Error, Recorder, Result};

use crate::{Random, bits, devices_once, live};

type Transform<'a> = &'a dyn Fn(&mut Recorder, &Column) -> Result<Column>;

/// What a transform of these complex numbers answers on every device, which must be the same bits on all.
fn run(what: &str, src: &[f32], transform: Transform<'_>) -> Vec<f32> {
    let on = |device: &Device| {
        let mut rec = device.record(what);
        let out = transform(&mut rec, &device.upload(src, 2).unwrap()).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        list.submit().unwrap();
        bits(&out)
    };
    let mut devices = devices_once().iter();
    let first = on(&devices.next().unwrap().1);
    assert_eq!(first.len(), src.len(), "{what}");
    for (name, device) in devices {
        assert!(on(device) == first, "{what}: {name} gives other bits");
    }
    first.into_iter().map(f32::from_bits).collect()
}

fn energy(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(|v| v * v).sum::<f64>()
}

/// The root of the sum of the squares of the differences, in terms of that of `expected`.
fn difference(found: &[f32], expected: &[f64]) -> f64 {
    let error = energy(found.iter().zip(expected).map(|(&f, e)| f64::from(f) - e));
    let whole = energy(expected.iter().copied());
    if whole == 0.0 { error } else { (error / whole).sqrt() }
}

/// rustfft over lines of `size` elements that stand `inner` apart, as [`fft_2d`] takes them.
fn oracle(values: &mut [Complex<f64>], size: usize, inner: usize, direction: Direction) {
    let mut planner = FftPlanner::new();
    let (plan, scale) = match direction {
        Direction::Forward => (planner.plan_fft_forward(size), 1.0),
        Direction::Inverse => (planner.plan_fft_inverse(size), 1.0 / size as f64),
    };
    for grid in values.chunks_exact_mut(size * inner) {
        for first in 0..inner {
            let mut line: Vec<_> = grid.iter().skip(first).step_by(inner).copied().collect();
            plan.process(&mut line);
            for (to, value) in grid.iter_mut().skip(first).step_by(inner).zip(line) {
                *to = value * scale;
            }
        }
    }
}

fn wide(values: &[f32]) -> Vec<Complex<f64>> {
    values
        .chunks_exact(2)
        .map(|v| Complex::new(v[0].into(), v[1].into()))
        .collect()
}

fn flat(values: &[Complex<f64>]) -> Vec<f64> {
    values.iter().flat_map(|v| [v.re, v.im]).collect()
}

const SIZES: [u32; 9] = [2, 4, 8, 16, 32, 64, 128, 256, 512];
const BOTH: [Direction; 2] = [Direction::Forward, Direction::Inverse];

#[test]
pub(crate) fn lines_agree_with_the_true_transform() {
    let mut random = Random(41);
    for size in SIZES {
        for lines in [0u32, 1, 7, 8, 9, 257] {
            let src = random.floats(2 * size * lines);
            for direction in BOTH {
                let what = format!("{lines} lines of {size}, {direction:?}");
                let found = run(&what, &src, &|rec, src| fft(rec, src, size, direction));
                let mut expected = wide(&src);
                oracle(&mut expected, size as usize, 1, direction);
                let error = difference(&found, &flat(&expected));
                assert!(error < 1e-6, "{what}: {error:e}");
            }
        }
    }
}

#[test]
fn grids_agree_with_the_true_transform() {
    let mut random = Random(42);
    for (width, height, grids) in [
        (2, 2, 5),
        (4, 16, 3),
        (32, 8, 2),
        (16, 512, 1),
        (64, 64, 2),
        (256, 128, 1),
    ] {
        let src = random.floats(2 * width * height * grids);
        for direction in BOTH {
            let what = format!("{grids} grids of {width} x {height}, {direction:?}");
            let found = run(&what, &src, &|rec, src| fft_2d(rec, src, width, height, direction));
            let mut expected = wide(&src);
            oracle(&mut expected, width as usize, 1, direction);
            oracle(&mut expected, height as usize, width as usize, direction);
            let error = difference(&found, &flat(&expected));
            assert!(error < 1e-6, "{what}: {error:e}");
        }
    }
}

#[test]
fn energy_is_kept_and_the_inverse_undoes() {
    let mut random = Random(43);
    for size in SIZES {
        let src = random.floats(2 * size * size);
        let there = run("there", &src, &|rec, src| {
            fft_2d(rec, src, size, size, Direction::Forward)
        });
        let area = f64::from(size) * f64::from(size);
        let before = energy(src.iter().map(|&v| f64::from(v))) * area;
        let after = energy(there.iter().map(|&v| f64::from(v)));
        assert!(
            (after / before - 1.0).abs() < 1e-6,
            "Parseval, {size}: {after} for {before}"
        );
        let back = run("back", &there, &|rec, src| {
            fft_2d(rec, src, size, size, Direction::Inverse)
        });
        let wanted: Vec<f64> = src.iter().map(|&v| f64::from(v)).collect();
        let error = difference(&back, &wanted);
        assert!(error < 1e-6, "there and back, {size}: {error:e}");
    }
}

#[test]
fn a_transform_is_linear_and_a_single_wave_is_a_single_peak() {
    let mut random = Random(44);
    let forward: Transform<'_> = &|rec, src| fft(rec, src, 256, Direction::Forward);
    let (a, b) = (random.floats(512), random.floats(512));
    let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| 2.0 * a + b).collect();
    let (of_a, of_b, of_sum) = (
        run("a", &a, forward),
        run("b", &b, forward),
        run("2a + b", &sum, forward),
    );
    let expected: Vec<f64> = of_a
        .iter()
        .zip(&of_b)
        .map(|(a, b)| 2.0 * f64::from(*a) + f64::from(*b))
        .collect();
    assert!(difference(&of_sum, &expected) < 1e-6);

    // exp(2 pi i 5 k / 256) goes all into element 5, an impulse spreads evenly.
    let turn = |k: i32| std::f64::consts::TAU * 5.0 * f64::from(k) / 256.0;
    let wave: Vec<f32> = (0..256)
        .flat_map(|k| [turn(k).cos() as f32, turn(k).sin() as f32])
        .collect();
    let mut peak = vec![0.0; 512];
    peak[10] = 256.0;
    assert!(difference(&run("wave", &wave, forward), &peak) < 1e-6);
    let mut impulse = vec![0.0f32; 512];
    impulse[0] = 1.0;
    assert_eq!(run("impulse", &impulse, forward), [1.0f32, 0.0].repeat(256));
}

#[test]
fn what_is_no_transform_is_refused_by_name() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let src = device.upload(&[0.0f32; 96], 2).unwrap();
        for size in [0, 1, 3, 24, 1024, 1 << 31] {
            for (what, error) in [
                ("size", fft(&mut rec, &src, size, Direction::Forward).unwrap_err()),
                (
                    "width",
                    fft_2d(&mut rec, &src, size, 2, Direction::Forward).unwrap_err(),
                ),
                (
                    "height",
                    fft_2d(&mut rec, &src, 2, size, Direction::Forward).unwrap_err(),
                ),
            ] {
                let text = error.to_string();
                let expected =
                    format!("{what} of a Fourier transform: expected a power of two from 2 to 512, got {size}");
                assert_eq!(text, expected, "{name}");
            }
        }
        let error = fft(&mut rec, &src, 32, Direction::Forward);
        assert!(
            matches!(error, Err(Error::WrongShape { .. })),
            "{name}: 48 elements: {error:?}"
        );
        let error = fft(&mut rec, &src.reinterpret(1).unwrap(), 2, Direction::Forward);
        assert!(
            matches!(error, Err(Error::WrongShape { .. })),
            "{name}: one lane: {error:?}"
        );
        let error = fft(&mut rec, &live(device, &src, 16), 16, Direction::Forward);
        assert!(matches!(error, Err(Error::Invalid { .. })), "{name}: live: {error:?}");
        let integers = device.upload(&[0i32; 32], 2).unwrap();
        let error = fft(&mut rec, &integers, 16, Direction::Forward);
        assert!(
            matches!(error, Err(Error::WrongElement { .. })),
            "{name}: integers: {error:?}"
        );
    }
}
