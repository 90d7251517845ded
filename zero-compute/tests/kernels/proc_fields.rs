//! Kernels of one field each, which a field program computes as well.

use std::sync::Arc;

use zero_compute::field::{Binary, Kind, Mode, Prelude, Program, Tape};
use zero_compute::kernels::{PROC_FIELD_NOISE, PROC_FIELD_SCALE, proc_field_noise, proc_field_scale};
use zero_compute::{Domain, Element, Error, args};

use crate::{Bits, Random, bits, check_all, devices_once, live, live_counts, sizes};

#[test]
pub(crate) fn a_column_is_scaled_lane_by_lane() {
    let mut random = Random(71);
    for n in sizes() {
        let lanes = 1 + n % 3;
        let (values, scale) = (random.floats(n * lanes), random.float());
        let scaled: Vec<f32> = values.iter().map(|value| value * scale).collect();
        check_all(
            &format!("{n} x {lanes} by {scale}"),
            &[scaled.to_words()],
            |device, rec| vec![proc_field_scale(rec, &device.upload(&values, lanes).unwrap(), scale).unwrap()],
        );
        for count in live_counts(n) {
            let mut own = scaled.clone();
            own.iter_mut()
                .skip((count * lanes) as usize)
                .for_each(|value| *value = 0.0);
            check_all(
                &format!("{count} of {n} x {lanes}"),
                &[own.to_words()],
                |device, rec| {
                    let src = live(device, &device.upload(&values, lanes).unwrap(), count);
                    vec![proc_field_scale(rec, &src, scale).unwrap()]
                },
            );
        }
    }
}

#[test]
pub(crate) fn noise_is_read_where_the_coordinates_are() {
    let mut random = Random(72);
    for n in sizes() {
        let coords: Vec<f32> = random.floats(n * 2).iter().map(|along| along * 40.0).collect();
        let (seed, freq) = (random.ints(1)[0], 0.1);
        let noise: Vec<f32> = coords
            .chunks(2)
            .map(|at| zero_noise::noise::value2(seed as u32, at[0] * freq, at[1] * freq))
            .collect();
        for count in [n].into_iter().chain(live_counts(n)) {
            let mut own = noise.clone();
            own.iter_mut().skip(count as usize).for_each(|value| *value = 0.0);
            check_all(
                &format!("noise {seed}: {count} of {n}"),
                &[own.to_words()],
                |device, rec| {
                    let coords = live(device, &device.upload(&coords, 2).unwrap(), count);
                    vec![proc_field_noise(rec, &coords, seed, freq).unwrap()]
                },
            );
        }
    }
}

#[test]
fn a_field_program_computes_the_same() {
    let mut tape = Tape::new();
    let (src, scale) = (tape.leaf(0, 0, Kind::F32), tape.number(0, Kind::F32));
    let scaled = tape.binary(Binary::Mul, src, scale).unwrap();
    let scaling = Arc::new(Program::compile(&tape, &[scaled], Mode::Exact).unwrap());

    let mut tape = Tape::new();
    let (seed, freq) = (tape.const_u32(7), tape.number(0, Kind::F32));
    let [x, y] = [0, 1].map(|lane| {
        let along = tape.leaf(0, lane, Kind::F32);
        tape.binary(Binary::Mul, along, freq).unwrap()
    });
    let noise = tape.call(Prelude::Value2, &[seed, x, y]).unwrap();
    let noise = Arc::new(Program::compile(&tape, &[noise], Mode::Exact).unwrap());

    let mut random = Random(73);
    let values = random.floats(514);
    for (name, device) in devices_once() {
        let mut rec = device.record("maps");
        let (src, coords) = (device.upload(&values, 1).unwrap(), device.upload(&values, 2).unwrap());
        let number = [0.3f32.to_bits()];
        let pairs = [
            (
                proc_field_scale(&mut rec, &src, 0.3).unwrap(),
                rec.map(&scaling, std::slice::from_ref(&src), &number, Domain::of(&src))
                    .unwrap(),
            ),
            (
                proc_field_noise(&mut rec, &coords, 7, 0.3).unwrap(),
                rec.map(&noise, std::slice::from_ref(&coords), &number, Domain::of(&coords))
                    .unwrap(),
            ),
        ];
        rec.finish().unwrap().submit().unwrap();
        for (kernel, map) in pairs {
            assert_eq!(bits(&kernel), bits(&map.column("dst").unwrap()), "{name}");
        }
    }
}

/// Their defaults are seed 0, and a scale and a frequency of 1.
#[test]
fn left_out_numbers_are_the_stated_ones() {
    for (name, device) in devices_once() {
        let (values, coords) = ([0.5f32, -3.0], [0.25f32, 7.5]);
        let mut rec = device.record("defaults");
        let src = device.upload(&values, 1).unwrap();
        let same = rec
            .dispatch(&PROC_FIELD_SCALE, args! { src: &src }, Domain::count(2))
            .unwrap();
        let at = device.upload(&coords, 2).unwrap();
        let noise = rec
            .dispatch(&PROC_FIELD_NOISE, args! { coords: &at }, Domain::count(1))
            .unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(bits(&same.column("dst").unwrap()), values.to_words(), "{name}");
        let expected = zero_noise::noise::value2(0, 0.25, 7.5);
        assert_eq!(bits(&noise.column("dst").unwrap()), [expected.to_bits()], "{name}");
    }
}

#[test]
fn what_they_cannot_take_is_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let floats = device.upload(&[0.0f32; 6], 3).unwrap();
        let ints = device.upload(&[0i32; 6], 2).unwrap();
        let pairs = device.upload(&[0.0f32; 6], 2).unwrap();
        assert!(
            matches!(
                proc_field_scale(&mut rec, &ints, 1.0),
                Err(Error::WrongElement {
                    expected: Element::F32,
                    ..
                })
            ),
            "{name}"
        );
        for (coords, freq, expected) in [
            (&floats, 1.0, "2 lanes"),
            (&ints, 1.0, "f32"),
            (&pairs, f32::NAN, "finite"),
        ] {
            let error = proc_field_noise(&mut rec, coords, 0, freq).unwrap_err().to_string();
            assert!(
                error.contains("proc_field_noise") && error.contains(expected),
                "{name}: {error}"
            );
        }
        let error = proc_field_scale(&mut rec, &pairs, f32::INFINITY)
            .unwrap_err()
            .to_string();
        assert!(error.contains("`scale`") && error.contains("inf"), "{name}: {error}");
    }
}
