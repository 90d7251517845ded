//! Scan, reduce, test, segments.

use zero_compute::kernels::{Form, Reduce, Test, offsets, reduce, scan, segments, test};
use zero_compute::{Column, Device, Error, Word};

use crate::runs::{float_run_sum, lane_of};
use crate::{Bits, Random, check_all, devices_once, live, live_counts, scale, sizes};

/// The stated order of a float prefix sum: fours, rows of sixteen fours, blocks of sixteen rows, blocks, every level
/// from left to right.
pub(crate) fn float_scan(values: &[f32], form: Form) -> (Vec<f32>, f32) {
    let mut padded = values.to_vec();
    padded.resize(values.len().next_multiple_of(1024), 0.0);
    let mut out = Vec::new();
    let mut blocks = 0.0f32;
    for block in padded.chunks(1024) {
        let mut rows = 0.0f32;
        for row in block.chunks(64) {
            let mut fours = 0.0f32;
            for four in row.chunks(4) {
                let parts = [four[0], four[0] + four[1], four[0] + four[1] + four[2]];
                let all = parts[2] + four[3];
                let own = match form {
                    Form::Exclusive => [0.0, parts[0], parts[1], parts[2]],
                    Form::Inclusive => [parts[0], parts[1], parts[2], all],
                };
                out.extend(own.map(|own| blocks + (rows + (fours + own))));
                fours += all;
            }
            rows += fours;
        }
        blocks += rows;
    }
    out.truncate(values.len());
    (out, blocks)
}

fn scan_in_order<T: Copy>(values: &[T], zero: T, add: fn(T, T) -> T, form: Form) -> (Vec<T>, T) {
    let mut sum = zero;
    let mut out = Vec::new();
    for &value in values {
        let after = add(sum, value);
        out.push(if form == Form::Inclusive { after } else { sum });
        sum = after;
    }
    (out, sum)
}

/// Checks a scan of `values` and of live fronts of them against `oracle` of the front.
fn check_scan<T: Word + PartialEq>(values: &[T], form: Form, oracle: impl Fn(&[T]) -> (Vec<T>, T))
where
    [T]: Bits,
{
    let n = values.len() as u32;
    let (sums, total) = oracle(values);
    check_all(
        &format!("scan {n} {form:?}"),
        &[sums.to_words(), [total].to_words()],
        |device, rec| {
            let scanned = scan(rec, &device.upload(values, 1).unwrap(), form).unwrap();
            vec![scanned.dst, scanned.total]
        },
    );
    for count in live_counts(n) {
        let (mut sums, total) = oracle(&values[..count.min(n) as usize]);
        sums.resize(n as usize, total);
        check_all(
            &format!("scan {count} of {n} {form:?}"),
            &[sums.to_words(), [total].to_words()],
            |device, rec| {
                let scanned = scan(rec, &live(device, &device.upload(values, 1).unwrap(), count), form).unwrap();
                vec![scanned.dst, scanned.total]
            },
        );
    }
}

#[test]
pub(crate) fn integer_scans_wrap() {
    let mut random = Random(3);
    for n in sizes() {
        for form in [Form::Exclusive, Form::Inclusive] {
            check_scan(&random.ints(n), form, |v| scan_in_order(v, 0, i32::wrapping_add, form));
            check_scan(&random.words(n), form, |v| scan_in_order(v, 0, u32::wrapping_add, form));
        }
    }
}

#[test]
pub(crate) fn float_scans_keep_the_stated_order() {
    let mut random = Random(4);
    for n in sizes() {
        for form in [Form::Exclusive, Form::Inclusive] {
            check_scan(&random.floats(n), form, |v| float_scan(v, form));
        }
    }
}

#[test]
fn a_scan_of_weights_can_be_searched() {
    let mut random = Random(5);
    let weights: Vec<f32> = (0..100_003).map(|_| random.float().abs()).collect();
    for (name, device) in devices_once() {
        let mut rec = device.record("weights");
        let scanned = scan(&mut rec, &device.upload(&weights, 1).unwrap(), Form::Inclusive).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let sums = scanned.dst.read::<f32>().unwrap().wait().unwrap();
        assert!(sums.is_sorted(), "{name}: a sum of weights decreases");
        assert_eq!(
            sums.last().copied(),
            scanned.total.read::<f32>().unwrap().wait().unwrap().first().copied(),
            "{name}"
        );
    }
}

#[test]
pub(crate) fn offsets_count_a_negative_as_nothing() {
    let mut random = Random(6);
    for n in sizes() {
        let counts: Vec<i32> = (0..n).map(|_| random.below(9) as i32 - 3).collect();
        let (expected, total) = scan_in_order(&counts, 0, |sum, count| sum + count.max(0), Form::Exclusive);
        check_all(
            &format!("offsets {n}"),
            &[expected.to_words(), [total].to_words()],
            |device, rec| {
                let starts = offsets(rec, &device.upload(&counts, 1).unwrap()).unwrap();
                vec![starts.dst, starts.total]
            },
        );
    }
}

/// 256 running sums, then halves onto each other.
pub(crate) fn float_sum(values: &[f32]) -> f32 {
    fn level(values: &[f32]) -> f32 {
        let mut sums = [0.0f32; 256];
        for (at, &value) in values.iter().enumerate() {
            sums[at % 256] += value;
        }
        for half in [128, 64, 32, 16, 8, 4, 2, 1] {
            for at in 0..half {
                sums[at] += sums[at + half];
            }
        }
        sums[0]
    }
    let blocks: Vec<f32> = values.chunks(1024).map(level).collect();
    level(&blocks)
}

fn check_reduce<T: Word + PartialEq>(values: &[T], lanes: u32, op: Reduce, oracle: impl Fn(&[T]) -> T)
where
    [T]: Bits,
{
    let n = values.len() as u32 / lanes;
    let run = |front: u32| {
        let lane = |lane| {
            let of_lane: Vec<T> = values
                .iter()
                .skip(lane as usize)
                .step_by(lanes as usize)
                .take(front as usize)
                .copied()
                .collect();
            oracle(&of_lane)
        };
        (0..lanes).map(lane).collect::<Vec<T>>().to_words()
    };
    check_all(&format!("{op:?} of {n} x {lanes}"), &[run(n)], |device, rec| {
        vec![reduce(rec, &device.upload(values, lanes).unwrap(), op).unwrap()]
    });
    for count in live_counts(n) {
        check_all(
            &format!("{op:?} of {count} of {n} x {lanes}"),
            &[run(count.min(n))],
            |device, rec| vec![reduce(rec, &live(device, &device.upload(values, lanes).unwrap(), count), op).unwrap()],
        );
    }
}

#[test]
pub(crate) fn reductions_agree_with_their_oracles() {
    let mut random = Random(7);
    for n in sizes() {
        let lanes = 1 + random.below(4);
        let (ints, words, floats) = (
            random.ints(n * lanes),
            random.words(n * lanes),
            random.floats(n * lanes),
        );
        check_reduce(&ints, lanes, Reduce::Sum, |v| {
            v.iter().fold(0, |a: i32, b| a.wrapping_add(*b))
        });
        check_reduce(&ints, lanes, Reduce::Min, |v| {
            v.iter().copied().min().unwrap_or(i32::MAX)
        });
        check_reduce(&ints, lanes, Reduce::Max, |v| {
            v.iter().copied().max().unwrap_or(i32::MIN)
        });
        check_reduce(&words, lanes, Reduce::Sum, |v| {
            v.iter().fold(0, |a: u32, b| a.wrapping_add(*b))
        });
        check_reduce(&words, lanes, Reduce::Min, |v| {
            v.iter().copied().min().unwrap_or(u32::MAX)
        });
        check_reduce(&words, lanes, Reduce::Max, |v| v.iter().copied().max().unwrap_or(0));
        check_reduce(&floats, lanes, Reduce::Sum, float_sum);
        let by = |v: &[f32], max: bool| {
            let sorted = v
                .iter()
                .copied()
                .min_by(|a, b| if max { b.total_cmp(a) } else { a.total_cmp(b) });
            sorted.unwrap_or(if max { f32::NEG_INFINITY } else { f32::INFINITY })
        };
        check_reduce(&floats, lanes, Reduce::Min, |v| by(v, false));
        check_reduce(&floats, lanes, Reduce::Max, |v| by(v, true));
    }
    let zeros = [0.0f32, -0.0, 0.0];
    check_reduce(&zeros, 1, Reduce::Min, |v| {
        if v.len() > 1 {
            -0.0
        } else if v.is_empty() {
            f32::INFINITY
        } else {
            0.0
        }
    });
}

#[test]
fn a_float_sum_is_close_to_the_true_one() {
    let mut random = Random(8);
    let values: Vec<f32> = (0..300_000).map(|_| random.float().abs()).collect();
    let exact: f64 = values.iter().map(|&v| f64::from(v)).sum();
    for (name, device) in devices_once() {
        let mut rec = device.record("sum");
        let sum = reduce(&mut rec, &device.upload(&values, 1).unwrap(), Reduce::Sum).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let sum = f64::from(sum.read::<f32>().unwrap().wait().unwrap()[0]);
        // At most 20 roundings and one for each 256 blocks.
        assert!(
            (sum - exact).abs() <= exact * 24.0 * 2.0f64.powi(-24),
            "{name}: {sum} for {exact}"
        );
    }
}

#[test]
pub(crate) fn questions_about_flags() {
    let mut random = Random(9);
    for n in sizes() {
        for one_in in [1, 3, 1 << 30] {
            let flags = random.flags(n, one_in);
            for count in live_counts(n) {
                let front = &flags[..count.min(n) as usize];
                let set = front.iter().filter(|flag| **flag != 0).count();
                let expected =
                    [set as u32, u32::from(set > 0), u32::from(set == front.len())].map(|answer| vec![answer]);
                let ask = |device: &Device, rec: &mut zero_compute::Recorder, column: Column| -> Vec<Column> {
                    let column = live(device, &column, count);
                    [Test::Count, Test::Any, Test::All]
                        .map(|q| test(rec, &column, q).unwrap())
                        .to_vec()
                };
                check_all(&format!("test {count} of {n}"), &expected, |device, rec| {
                    ask(device, rec, device.upload(&flags, 1).unwrap())
                });
                let floats: Vec<f32> = flags.iter().map(|flag| *flag as f32 * 0.25).collect();
                check_all(&format!("float test {count} of {n}"), &expected, |device, rec| {
                    ask(device, rec, device.upload(&floats, 1).unwrap())
                });
            }
        }
    }
}

#[test]
pub(crate) fn segments_fold_their_runs() {
    let mut random = Random(10);
    for n in sizes() {
        for round in 0..scale().min(20) {
            let lanes = 1 + (n + round) % 3;
            let values = random.floats(n * lanes);
            let runs = 1 + random.below(n / 3 + 2);
            let mut starts: Vec<u32> = (0..runs).map(|_| random.below(n + 1)).collect();
            starts.sort_unstable();
            for (op, fold, empty) in [
                (Reduce::Sum, (|a, b| a + b) as fn(f32, f32) -> f32, 0.0),
                (Reduce::Min, f32::min, f32::INFINITY),
                (Reduce::Max, f32::max, f32::NEG_INFINITY),
            ] {
                let count = random.below(runs + 2);
                let columns: Vec<Vec<f32>> = (0..lanes).map(|lane| lane_of(&values, lane, lanes)).collect();
                let mut expected = Vec::new();
                for run in 0..runs as usize {
                    let own = starts[run] as usize..starts.get(run + 1).copied().unwrap_or(n) as usize;
                    for column in &columns {
                        expected.push(match op {
                            _ if run as u32 >= count => 0.0,
                            Reduce::Sum => float_run_sum(column, own.clone()),
                            _ => column[own.clone()].iter().copied().fold(empty, fold),
                        });
                    }
                }
                check_all(
                    &format!("segments {n} {op:?}"),
                    &[expected.to_words()],
                    |device, rec| {
                        let starts = live(device, &device.upload(&starts, 1).unwrap(), count);
                        vec![segments(rec, &device.upload(&values, lanes).unwrap(), &starts, op).unwrap()]
                    },
                );
            }
        }
    }
}

#[test]
fn more_lanes_than_a_family_takes_are_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (pairs, wide) = (
            device.upload(&[0.0f32; 8], 2).unwrap(),
            device.upload(&[0.0f32; 34], 17).unwrap(),
        );
        let errors = [
            scan(&mut rec, &pairs, Form::Exclusive).err(),
            test(&mut rec, &pairs, Test::Any).err(),
            reduce(&mut rec, &wide, Reduce::Sum).err(),
        ];
        for error in errors {
            assert!(matches!(error, Some(Error::WrongShape { .. })), "{name}: {error:?}");
        }
    }
}
