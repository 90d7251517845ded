//! The kinds of numbers that the other tests leave out: what a family does for floats it does for integers, and back.

use zero_compute::kernels::{Reduce, Test, copy_lanes, segments, segments_test, test};
use zero_compute::parity::live_counts;
use zero_compute::{Device, Word};

use crate::{Bits, Random, check_all, check_once, live, sizes};

/// What each reduction does, and what a run of nothing has.
type Folds<T> = [(Reduce, fn(T, T) -> T, T); 3];

/// Ascending starts of runs over `n` elements, the first of them 0.
fn starts_over(random: &mut Random, n: u32) -> Vec<u32> {
    let mut starts = vec![0];
    starts.extend((0..n / 4).map(|_| random.below(n + 1)));
    starts.sort_unstable();
    starts
}

/// The elements of a run.
fn run_of(starts: &[u32], run: usize, n: u32) -> std::ops::Range<usize> {
    starts[run] as usize..starts.get(run + 1).copied().unwrap_or(n) as usize
}

fn check_segments<T: Word + Default>(values: &[T], starts: &[u32], folds: Folds<T>)
where
    [T]: Bits,
{
    let n = values.len() as u32;
    for count in live_counts(starts.len() as u32) {
        for (op, fold, empty) in folds {
            let own = |run: usize| values[run_of(starts, run, n)].iter().copied().fold(empty, fold);
            let runs = 0..starts.len();
            let expected: Vec<T> = runs
                .map(|run| if (run as u32) < count { own(run) } else { T::default() })
                .collect();
            check_all(
                &format!("segments {} {op:?}, {count} over {n}", T::ELEMENT),
                &[expected.to_words()],
                |device, rec| {
                    let starts = live(device, &device.upload(starts, 1).unwrap(), count);
                    vec![segments(rec, &device.upload(values, 1).unwrap(), &starts, op).unwrap()]
                },
            );
        }
    }
}

#[test]
pub(crate) fn runs_of_integers_fold_and_wrap() {
    let mut random = Random(91);
    for n in sizes() {
        let starts = starts_over(&mut random, n);
        let ints: Folds<i32> = [
            (Reduce::Sum, i32::wrapping_add, 0),
            (Reduce::Min, i32::min, i32::MAX),
            (Reduce::Max, i32::max, i32::MIN),
        ];
        check_segments(&random.ints(n), &starts, ints);
        let words: Folds<u32> = [
            (Reduce::Sum, u32::wrapping_add, 0),
            (Reduce::Min, u32::min, u32::MAX),
            (Reduce::Max, u32::max, 0),
        ];
        check_segments(&random.words(n), &starts, words);
    }
}

/// What the flags answer, in the order of `ASKED`.
fn answers(flags: &[bool]) -> [u32; 3] {
    let set = flags.iter().filter(|flag| **flag).count();
    [set as u32, u32::from(set > 0), u32::from(set == flags.len())]
}

const ASKED: [Test; 3] = [Test::Count, Test::Any, Test::All];

fn check_flags<T: Word>(flags: &[bool], starts: &[u32], values: &[T]) {
    let n = values.len() as u32;
    for count in live_counts(starts.len() as u32) {
        let mut expected: [Vec<u32>; 3] = Default::default();
        for run in 0..starts.len() {
            let own = answers(&flags[run_of(starts, run, n)]);
            for (expected, own) in expected.iter_mut().zip(own) {
                expected.push(if (run as u32) < count { own } else { 0 });
            }
        }
        check_all(
            &format!("flags of {} in runs, {count} over {n}", T::ELEMENT),
            &expected,
            |device, rec| {
                let starts = live(device, &device.upload(starts, 1).unwrap(), count);
                let values = device.upload(values, 1).unwrap();
                ASKED
                    .map(|asked| segments_test(rec, &values, &starts, asked).unwrap())
                    .to_vec()
            },
        );
    }
    for count in live_counts(n) {
        let expected = answers(&flags[..count.min(n) as usize]).map(|answer| vec![answer]);
        check_all(
            &format!("flags of {}, {count} of {n}", T::ELEMENT),
            &expected,
            |device, rec| {
                let values = live(device, &device.upload(values, 1).unwrap(), count);
                ASKED.map(|asked| test(rec, &values, asked).unwrap()).to_vec()
            },
        );
    }
}

#[test]
pub(crate) fn flags_of_words_and_of_floats_answer_questions() {
    let mut random = Random(92);
    for n in sizes() {
        let flags: Vec<bool> = (0..n).map(|_| random.below(3) > 0).collect();
        let starts = starts_over(&mut random, n);
        // A word whose bits are a negative integer, and a float below 1, are set.
        let words: Vec<u32> = flags.iter().map(|flag| u32::from(*flag) << 31).collect();
        let floats: Vec<f32> = flags.iter().map(|flag| f32::from(u8::from(*flag)) * -0.25).collect();
        check_flags(&flags, &starts, &words);
        check_flags(&flags, &starts, &floats);
    }
}

fn check_lanes<T: Word + Default>(src: &[T], dst: &[T])
where
    [T]: Bits,
{
    let n = src.len() as u32 / 2;
    for count in live_counts(n) {
        let mut expected = dst.to_vec();
        for (i, to) in expected.chunks_exact_mut(3).enumerate() {
            to[2] = if (i as u32) < count { src[2 * i] } else { T::default() };
        }
        let copied = |device: &Device, rec: &mut zero_compute::Recorder| {
            let to = device.upload(dst, 3).unwrap();
            let from = live(device, &device.upload(src, 2).unwrap(), count);
            copy_lanes(rec, &from, 0, &to, 2, 1).unwrap();
            vec![to]
        };
        let what = format!("copy_lanes of {}, {count} of {n}", T::ELEMENT);
        check_once(&what, &[expected.to_words()], copied);
    }
}

#[test]
pub(crate) fn lanes_of_integers_are_copied() {
    let mut random = Random(93);
    for n in sizes() {
        check_lanes(&random.ints(2 * n), &random.ints(3 * n));
        check_lanes(&random.words(2 * n), &random.words(3 * n));
    }
}
