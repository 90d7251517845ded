//! Means, questions and prefix sums of runs.

use zero_compute::kernels::{Form, Test, mean, scan_segments, segments_mean, segments_test};
use zero_compute::{Error, Word};

use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// The sum in the stated order of [`zero_compute::kernels::reduce`]: 256 running sums, then halves onto each other.
fn float_sum(values: &[f32]) -> f32 {
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
    level(&values.chunks(1024).map(level).collect::<Vec<_>>())
}

/// The sum of a run of one lane in the stated order of [`zero_compute::kernels::segments`]: element by element, but for
/// the whole blocks, each of which is summed by itself.
pub(crate) fn float_run_sum(values: &[f32], run: std::ops::Range<usize>) -> f32 {
    let (mut sum, mut at) = (0.0, run.start);
    while at < run.end {
        let step = if at % 1024 == 0 && at + 1024 <= run.end {
            1024
        } else {
            1
        };
        sum += match step {
            1 => values[at],
            _ => float_sum(&values[at..at + step]),
        };
        at += step;
    }
    sum
}

/// One lane of a column.
pub(crate) fn lane_of(values: &[f32], lane: u32, lanes: u32) -> Vec<f32> {
    let of_lane = values.iter().skip(lane as usize).step_by(lanes as usize);
    of_lane.copied().collect()
}

/// The quotient of finite numbers, 0 for nothing.
fn quotient(sum: f32, count: usize) -> f32 {
    if count == 0 { 0.0 } else { sum / count as f32 }
}

#[test]
pub(crate) fn a_mean_is_its_sum_divided_once() {
    let mut random = Random(51);
    for n in sizes() {
        let lanes = 1 + random.below(3);
        let values = random.floats(n * lanes);
        let of_front = |front: u32| {
            let of_lane = |lane: u32| {
                let of_lane = lane_of(&values, lane, lanes);
                quotient(float_sum(&of_lane[..front as usize]), front as usize)
            };
            (0..lanes).map(of_lane).collect::<Vec<f32>>().to_words()
        };
        check_all(&format!("mean of {n} x {lanes}"), &[of_front(n)], |device, rec| {
            vec![mean(rec, &device.upload(&values, lanes).unwrap()).unwrap()]
        });
        for count in live_counts(n) {
            check_all(
                &format!("mean of {count} of {n} x {lanes}"),
                &[of_front(count.min(n))],
                |device, rec| vec![mean(rec, &live(device, &device.upload(&values, lanes).unwrap(), count)).unwrap()],
            );
        }
    }
}

/// Ascending starts of runs over `n` elements, some of them of empty runs, and where each ends.
fn random_runs(random: &mut Random, n: u32) -> (Vec<u32>, Vec<std::ops::Range<usize>>) {
    let count = 1 + random.below(n / 3 + 2);
    let mut starts: Vec<u32> = (0..count).map(|_| random.below(n + 1)).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([n]);
    let runs = starts
        .iter()
        .zip(ends)
        .map(|(&from, to)| from as usize..to as usize)
        .collect();
    (starts, runs)
}

#[test]
pub(crate) fn runs_have_means_and_answer_questions() {
    let mut random = Random(52);
    for n in sizes() {
        let lanes = 1 + random.below(3);
        let (values, flags) = (random.floats(n * lanes), random.flags(n, 2));
        let (starts, runs) = random_runs(&mut random, n);
        let columns: Vec<Vec<f32>> = (0..lanes).map(|lane| lane_of(&values, lane, lanes)).collect();
        for count in live_counts(starts.len() as u32) {
            let (mut means, mut answers) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
            for (own, run) in runs.iter().enumerate() {
                let is_live = (own as u32) < count;
                for column in &columns {
                    let sum = float_run_sum(column, run.clone());
                    means.push(if is_live { quotient(sum, run.len()) } else { 0.0 });
                }
                let set = flags[run.clone()].iter().filter(|flag| **flag != 0).count();
                let own = [set as u32, u32::from(set > 0), u32::from(set == run.len())];
                for (answers, own) in answers.iter_mut().zip(own) {
                    answers.push(if is_live { own } else { 0 });
                }
            }
            let [set, any, all] = answers;
            check_all(
                &format!("runs {count} of {} over {n}", starts.len()),
                &[means.to_words(), set, any, all],
                |device, rec| {
                    let starts = live(device, &device.upload(&starts, 1).unwrap(), count);
                    let flags = device.upload(&flags, 1).unwrap();
                    let values = device.upload(&values, lanes).unwrap();
                    let mut columns = vec![segments_mean(rec, &values, &starts).unwrap()];
                    let questions = [Test::Count, Test::Any, Test::All];
                    columns.extend(questions.map(|asked| segments_test(rec, &flags, &starts, asked).unwrap()));
                    columns
                },
            );
        }
    }
}

/// The stated order: fours, rows of sixteen fours, blocks of sixteen rows, blocks, every level from left to right and
/// every level anew after a head.
pub(crate) fn float_scan_of_runs(values: &[f32], heads: &[i32], form: Form) -> Vec<f32> {
    /// A stretch whose second half begins anew has the sum of that half.
    fn join(a: (bool, f32), b: (bool, f32)) -> (bool, f32) {
        if b.0 { b } else { (a.0, a.1 + b.1) }
    }
    let none = (false, 0.0f32);
    let mut out = vec![0.0; values.len()];
    let (mut blocks, mut rows, mut fours, mut own) = (none, none, none, None);
    for (at, (&value, &head)) in values.iter().zip(heads).enumerate() {
        if at % 4 == 0 {
            fours = own.take().map_or(fours, |own| join(fours, own));
        }
        if at % 64 == 0 {
            rows = join(rows, std::mem::replace(&mut fours, none));
        }
        if at % 1024 == 0 {
            blocks = join(blocks, std::mem::replace(&mut rows, none));
        }
        let element = (head != 0, value);
        let before = own.unwrap_or(none);
        let after = own.map_or(element, |own| join(own, element));
        let part = if form == Form::Inclusive { after } else { before };
        let sum = join((false, blocks.1), join(rows, join(fours, part))).1;
        out[at] = if form == Form::Exclusive && head != 0 { 0.0 } else { sum };
        own = Some(after);
    }
    out
}

fn scan_of_runs<T: Copy>(values: &[T], heads: &[i32], zero: T, add: fn(T, T) -> T, form: Form) -> Vec<T> {
    let mut sum = zero;
    let step = |(&value, &head): (&T, &i32)| {
        let before = if head == 0 { sum } else { zero };
        sum = add(before, value);
        if form == Form::Inclusive { sum } else { before }
    };
    values.iter().zip(heads).map(step).collect()
}

fn check_scan<T: Word + Default>(values: &[T], heads: &[i32], form: Form, oracle: impl Fn(&[T], &[i32]) -> Vec<T>)
where
    [T]: Bits,
{
    let n = values.len() as u32;
    for count in live_counts(n) {
        let front = count.min(n) as usize;
        // What does not live adds nothing to the last run, whose total stands in its slots.
        let (mut living, mut begun) = (values[..front].to_vec(), heads[..front].to_vec());
        living.resize(n as usize + 1, T::default());
        begun.resize(n as usize + 1, 0);
        let sums = oracle(&living, &begun);
        let (sums, total) = sums.split_at(n as usize);
        check_all(
            &format!("scan of runs {count} of {n} {form:?}"),
            &[sums.to_words(), total.to_words()],
            |device, rec| {
                let src = live(device, &device.upload(values, 1).unwrap(), count);
                let scanned = scan_segments(rec, &src, &device.upload(heads, 1).unwrap(), form).unwrap();
                vec![scanned.dst, scanned.total]
            },
        );
    }
}

#[test]
pub(crate) fn prefix_sums_begin_anew_at_heads() {
    let mut random = Random(53);
    for n in sizes() {
        for one_in in [1, 3, 700, 1 << 30] {
            let heads = random.flags(n, one_in);
            for form in [Form::Exclusive, Form::Inclusive] {
                check_scan(&random.ints(n), &heads, form, |v, h| {
                    scan_of_runs(v, h, 0, i32::wrapping_add, form)
                });
                check_scan(&random.words(n), &heads, form, |v, h| {
                    scan_of_runs(v, h, 0, u32::wrapping_add, form)
                });
                check_scan(&random.floats(n), &heads, form, |v, h| float_scan_of_runs(v, h, form));
            }
        }
    }
}

#[test]
fn sums_of_floats_in_runs_are_close_to_the_true_ones() {
    let mut random = Random(54);
    let n = 50_000;
    let (values, heads) = (random.floats(n), random.flags(n, 2_000));
    let wide: Vec<f64> = values.iter().map(|&v| f64::from(v)).collect();
    let expected = scan_of_runs(&wide, &heads, 0.0, |a, b| a + b, Form::Inclusive);
    let magnitudes: Vec<f64> = wide.iter().map(|v| v.abs()).collect();
    let bounds = scan_of_runs(&magnitudes, &heads, 0.0, |a, b| a + b, Form::Inclusive);
    for (name, device) in devices_once() {
        let mut rec = device.record("sums");
        let (src, heads) = (device.upload(&values, 1).unwrap(), device.upload(&heads, 1).unwrap());
        let sums = scan_segments(&mut rec, &src, &heads, Form::Inclusive).unwrap().dst;
        rec.finish().unwrap().submit().unwrap();
        let sums = sums.read::<f32>().unwrap().wait().unwrap();
        for (at, (&found, (expected, bound))) in sums.iter().zip(expected.iter().zip(&bounds)).enumerate() {
            let error = (f64::from(found) - expected).abs();
            assert!(
                error <= bound * 64.0 * 2.0f64.powi(-24),
                "{name}: {at}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn what_runs_cannot_take_is_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (floats, ints) = (
            device.upload(&[0.0f32; 8], 1).unwrap(),
            device.upload(&[0i32; 8], 1).unwrap(),
        );
        let starts = device.upload(&[0u32, 3], 1).unwrap();
        for error in [
            mean(&mut rec, &ints),
            segments_mean(&mut rec, &ints, &starts),
            segments_mean(&mut rec, &floats, &ints),
            scan_segments(&mut rec, &floats, &floats, Form::Inclusive).map(|scanned| scanned.dst),
        ] {
            assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
        }
        let short = device.upload(&[0i32; 7], 1).unwrap();
        let pairs = floats.reinterpret(2).unwrap();
        for error in [
            scan_segments(&mut rec, &floats, &short, Form::Inclusive).map(|scanned| scanned.dst),
            scan_segments(&mut rec, &pairs, &short, Form::Inclusive).map(|scanned| scanned.dst),
            segments_test(&mut rec, &pairs, &starts, Test::Any),
        ] {
            assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        }
    }
}
