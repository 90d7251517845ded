//! Sums keep every rounding that their order states, where a compiler that reassociates, cancels or drops a zero would
//! not. The values are such that any other order, and any sum that is left out, ends in other bits.

use zero_compute::kernels::{Form, Reduce, mean, reduce, scan, scan_segments, segments, segments_mean};

use crate::runs::{float_run_sum, float_scan_of_runs};
use crate::sums::{float_scan, float_sum};
use crate::{Bits, Random, check_all};

const SIZES: [u32; 7] = [1, 2, 5, 255, 1023, 1025, 3000];

/// Values of a kind.
type Values = fn(&mut Random, u32) -> f32;

const KINDS: [(&str, Values); 6] = [
    // What (a + b) - b is not a of.
    ("cancelling", |_, i| [1e8, 1.0, -1e8, 0.333_333_34][i as usize % 4]),
    // Each too small to change the sum alone, not so together.
    ("small behind large", |_, i| if i % 256 == 0 { 1.0 } else { 3.0e-8 }),
    ("of all sizes", |random, _| {
        random.float() * [1e-12, 1e-6, 1.0, 1e6, 1e12][random.below(5) as usize]
    }),
    ("opposites", |random, i| {
        let size = 1.0 + (i / 2 % 97) as f32 * 0.1 + random.below(2) as f32 * 1e-6;
        if i % 2 == 0 { size } else { -size }
    }),
    ("large", |_, i| [3.0e30, 3.0e29, -3.1e30, -1.0e29][i as usize % 4]),
    ("alike", |_, _| 0.1),
];

/// Whether the plain sum of some values in another order has other bits, so that the test can fail.
fn tells_orders_apart(values: &[f32]) -> bool {
    let forth = values.iter().fold(0.0f32, |sum, value| sum + value);
    let back = values.iter().rev().fold(0.0f32, |sum, value| sum + value);
    let stated = float_sum(values);
    stated.to_bits() != forth.to_bits() || stated.to_bits() != back.to_bits()
}

fn check_segments(kind: &str, values: &[f32], length: usize) {
    let starts: Vec<u32> = (0..values.len() as u32).step_by(length).collect();
    let runs = starts.iter().map(|&start| {
        let start = start as usize;
        start..(start + length).min(values.len())
    });
    let sums: Vec<f32> = runs.clone().map(|run| float_run_sum(values, run)).collect();
    let means: Vec<f32> = runs.zip(&sums).map(|(run, sum)| sum / run.len() as f32).collect();
    check_all(
        &format!("{kind}: segments of {length} of {}", values.len()),
        &[sums.to_words(), means.to_words()],
        |device, rec| {
            let (values, starts) = (device.upload(values, 1).unwrap(), device.upload(&starts, 1).unwrap());
            vec![
                segments(rec, &values, &starts, Reduce::Sum).unwrap(),
                segments_mean(rec, &values, &starts).unwrap(),
            ]
        },
    );
}

#[test]
fn sums_are_rounded_in_their_stated_order() {
    let mut random = Random(21);
    let mut telling = 0;
    for (kind, of) in KINDS {
        for n in SIZES {
            let values: Vec<f32> = (0..n).map(|i| of(&mut random, i)).collect();
            assert!(values.iter().all(|value| value.is_finite()));
            telling += u32::from(tells_orders_apart(&values));
            let sum = float_sum(&values);
            check_all(&format!("{kind}: sum of {n}"), &[vec![sum.to_bits()]], |device, rec| {
                vec![reduce(rec, &device.upload(&values, 1).unwrap(), Reduce::Sum).unwrap()]
            });
            check_all(
                &format!("{kind}: mean of {n}"),
                &[vec![(sum / n as f32).to_bits()]],
                |device, rec| vec![mean(rec, &device.upload(&values, 1).unwrap()).unwrap()],
            );
            for form in [Form::Inclusive, Form::Exclusive] {
                let (sums, total) = float_scan(&values, form);
                let expected = [sums.to_words(), vec![total.to_bits()]];
                check_all(&format!("{kind}: {form:?} scan of {n}"), &expected, |device, rec| {
                    let scanned = scan(rec, &device.upload(&values, 1).unwrap(), form).unwrap();
                    vec![scanned.dst, scanned.total]
                });
                let heads: Vec<i32> = (0..n).map(|i| i32::from(i % 37 == 5)).collect();
                let expected = [float_scan_of_runs(&values, &heads, form).to_words()];
                check_all(&format!("{kind}: {form:?} runs of {n}"), &expected, |device, rec| {
                    let (values, heads) = (device.upload(&values, 1).unwrap(), device.upload(&heads, 1).unwrap());
                    vec![scan_segments(rec, &values, &heads, form).unwrap().dst]
                });
            }
            // Runs within a block, and ones of elements before a block, the block and elements after it.
            check_segments(kind, &values, 100);
            check_segments(kind, &values, 1100);
        }
    }
    assert!(telling > 15, "{telling} of the values tell orders apart");
}

/// A sum begins with +0, so that of negative zeros is +0 and not what a compiler makes of `0 + x`.
#[test]
fn a_sum_of_negative_zeros_is_zero() {
    for n in [1u32, 2, 4, 1025] {
        let values = vec![-0.0f32; n as usize];
        let heads = vec![0i32; n as usize];
        check_all(&format!("negative zeros: {n}"), &[vec![0]], |device, rec| {
            vec![reduce(rec, &device.upload(&values, 1).unwrap(), Reduce::Sum).unwrap()]
        });
        check_all(
            &format!("a segment of negative zeros: {n}"),
            &[vec![0]],
            |device, rec| {
                let (values, starts) = (device.upload(&values, 1).unwrap(), device.upload(&[0u32], 1).unwrap());
                vec![segments(rec, &values, &starts, Reduce::Sum).unwrap()]
            },
        );
        for form in [Form::Inclusive, Form::Exclusive] {
            let expected = [vec![0; n as usize], vec![0]];
            check_all(
                &format!("{form:?} scan of negative zeros: {n}"),
                &expected,
                |device, rec| {
                    let scanned = scan(rec, &device.upload(&values, 1).unwrap(), form).unwrap();
                    vec![scanned.dst, scanned.total]
                },
            );
            let expected = [float_scan_of_runs(&values, &heads, form).to_words()];
            check_all(
                &format!("{form:?} runs of negative zeros: {n}"),
                &expected,
                |device, rec| {
                    let (values, heads) = (device.upload(&values, 1).unwrap(), device.upload(&heads, 1).unwrap());
                    vec![scan_segments(rec, &values, &heads, form).unwrap().dst]
                },
            );
        }
    }
}
