//! Counts past what a word holds, elements past what an `i32` numbers, and runs past what a software adapter loops.

use std::ops::Range;

use zero_compute::kernels::{
    Edge, Reduce, Test, Tile, expand, offsets, raster_stencil, segments, segments_mean, segments_test,
};
use zero_compute::{Device, Error, Recorder, Result};

use crate::runs::{float_run_sum, lane_of};
use crate::{Bits, Random, bits, check_all, devices_once, live};

/// Sums that stay at 2^32 - 1.
fn stopped(counts: &[u32]) -> (Vec<u32>, u32) {
    let mut sum = 0u64;
    let before = counts.iter().map(|&count| {
        let before = sum;
        sum += u64::from(count);
        before.min(u64::from(u32::MAX)) as u32
    });
    let before = before.collect();
    (before, sum.min(u64::from(u32::MAX)) as u32)
}

#[test]
fn a_list_that_is_too_long_for_a_word_is_never_taken_for_a_short_one() {
    let mut random = Random(901);
    for n in [2u32, 3, 5, 1023, 1025, 5000] {
        // Sums that end at 2^32 - 1, at 2^32 and far past it, the greatest count first, last and in between.
        for (greatest, at) in [
            (i32::MAX, 0),
            (i32::MAX, n - 1),
            (i32::MAX - 1, n / 2),
            (1 << 30, n / 3),
        ] {
            let mut counts: Vec<i32> = (0..n).map(|_| random.below(4) as i32).collect();
            counts[at as usize] = greatest;
            counts[0] = i32::MAX;
            let given: Vec<u32> = counts.iter().map(|&count| count as u32).collect();
            let (before, total) = stopped(&given);
            let expected = [before, vec![total]];
            check_all(
                &format!("{greatest} at {at} of {n} counts"),
                &expected,
                |device, rec| {
                    let starts = offsets(rec, &device.upload(&counts, 1).unwrap()).unwrap();
                    vec![starts.dst, starts.total]
                },
            );
            check_all(
                &format!("{greatest} at {at} of {n} unsigned"),
                &expected,
                |device, rec| {
                    let starts = offsets(rec, &device.upload(&given, 1).unwrap()).unwrap();
                    vec![starts.dst, starts.total]
                },
            );
        }
    }
    // 2^32 exactly, which would wrap to nothing at all.
    let counts = [1u32 << 31, 1 << 31, 7];
    let owner = vec![0u32; 100];
    let local: Vec<u32> = (0..100).collect();
    check_all("2^32 slots and 7", &[owner, local, vec![u32::MAX]], |device, rec| {
        let made = expand(rec, &device.upload(&counts, 1).unwrap(), 100).unwrap();
        vec![made.owner, made.local_index, made.total]
    });
}

#[test]
fn more_slots_than_an_i32_numbers_are_refused_with_both_numbers() {
    for (name, device) in devices_once() {
        let mut rec = device.record("numbered");
        let counts = device.upload(&[1i32, 2], 1).unwrap();
        let most = 1u32 << 31;
        match expand(&mut rec, &counts, most + 1) {
            Err(Error::TooMany { what, found, limit }) => {
                assert!(what.contains("expand") && what.contains("owner"), "{name}: {what}");
                assert_eq!((found, limit), (u64::from(most) + 1, u64::from(most)), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Runs around whole blocks, and ones that no software adapter loops through one by one.
fn runs(random: &mut Random, n: u32) -> Vec<u32> {
    let mut starts = vec![0, 1023, 2048, 3072, 4096, 5121, 6143, 6143, 6144, 7169, 7201, 7264];
    starts.push(n / 3 + random.below(9));
    starts
}

#[test]
fn long_runs_are_folded_to_their_end() {
    let mut random = Random(902);
    for (n, lanes) in [(5_000_003u32, 1u32), (90_000, 3)] {
        let values = random.floats(n * lanes);
        let flags = random.flags(n, 3);
        let starts = runs(&mut random, n);
        let ends = starts.iter().skip(1).copied().chain([n]);
        let ranges: Vec<_> = starts
            .iter()
            .zip(ends)
            .map(|(&from, to)| from as usize..to as usize)
            .collect();
        let columns: Vec<Vec<f32>> = (0..lanes).map(|lane| lane_of(&values, lane, lanes)).collect();
        let each = |fold: &dyn Fn(&[f32], Range<usize>) -> f32| {
            let of = |range: &Range<usize>| {
                let range = range.clone();
                columns.iter().map(move |column| fold(column, range.clone()))
            };
            ranges.iter().flat_map(of).collect::<Vec<f32>>().to_words()
        };
        let sums = each(&float_run_sum);
        let least = each(&|column, range| column[range].iter().copied().fold(f32::INFINITY, f32::min));
        let means = each(&|column, range| match range.len() {
            0 => 0.0,
            len => float_run_sum(column, range) / len as f32,
        });
        let set: Vec<u32> = ranges
            .iter()
            .map(|range| flags[range.clone()].iter().filter(|&&flag| flag != 0).count() as u32)
            .collect();
        check_all(
            &format!("runs of {n} x {lanes}"),
            &[sums, least, means, set],
            |device, rec| {
                let values = device.upload(&values, lanes).unwrap();
                let (flags, starts) = (device.upload(&flags, 1).unwrap(), device.upload(&starts, 1).unwrap());
                vec![
                    segments(rec, &values, &starts, Reduce::Sum).unwrap(),
                    segments(rec, &values, &starts, Reduce::Min).unwrap(),
                    segments_mean(rec, &values, &starts).unwrap(),
                    segments_test(rec, &flags, &starts, Test::Count).unwrap(),
                ]
            },
        );
    }
}

/// What a run of so many lanes takes of an invocation's rounds: 417 lanes are the most.
#[test]
fn the_most_lanes_of_a_run_are_folded_to_their_end() {
    let (n, lanes) = (4095u32, 417u32);
    let mut random = Random(904);
    let values = random.floats(n * lanes);
    // 1023 elements, two blocks, 1023 elements: the most of each.
    let sums: Vec<f32> = (0..lanes)
        .map(|lane| float_run_sum(&lane_of(&values, lane, lanes), 1..n as usize))
        .collect();
    check_all("a run of 417 lanes", &[sums.to_words()], |device, rec| {
        let (values, starts) = (
            device.upload(&values, lanes).unwrap(),
            device.upload(&[1u32], 1).unwrap(),
        );
        vec![segments(rec, &values, &starts, Reduce::Sum).unwrap()]
    });
}

/// Whether the work is recorded everywhere but on a software adapter, which refuses it naming its rounds.
fn refused_by_software(what: &str, record: impl Fn(&Device, &mut Recorder) -> Result<()>) {
    for (name, device) in devices_once() {
        let answer = record(device, &mut device.record(what));
        match (device.info().software, answer) {
            (false, Ok(())) => {}
            (true, Err(Error::TooMany { found, limit, .. })) => {
                assert!(found > limit && limit == 65_535, "{name}: {what}: {found} of {limit}");
            }
            (_, other) => panic!("{name}: {what}: {other:?}"),
        }
    }
}

#[test]
fn what_a_software_adapter_would_break_off_is_refused_there() {
    refused_by_software("a run of 418 lanes", |device, rec| {
        let (wide, starts) = (device.upload(&vec![0i32; 3 * 418], 418)?, device.upload(&[0u32], 1)?);
        segments(rec, &wide, &starts, Reduce::Max).map(drop)
    });
    let shape = Tile {
        wide: 2,
        high: 3,
        apron: 0,
    };
    let weights = vec![0.25f32; 65 * 65];
    refused_by_software("a stencil of 51 lanes", |device, rec| {
        let (cells, weights) = (device.upload(&[1.0f32; 6 * 51], 51)?, device.upload(&weights, 1)?);
        raster_stencil(rec, &cells, shape, &weights, 32, Edge::Clamp).map(drop)
    });
}

#[test]
fn the_widest_stencil_of_the_most_lanes_is_summed_to_its_end() {
    let lanes = 50;
    let mut random = Random(903);
    let shape = Tile {
        wide: 2,
        high: 1,
        apron: 0,
    };
    let (src, weights) = (random.floats(2 * lanes), random.floats(65 * 65));
    // Clamped to two cells side by side: what stands left of the middle reads the first one.
    let cell = |x: i32, lane: u32| src[(x.clamp(0, 1) as u32 * lanes + lane) as usize];
    let sum = |x: i32, lane: u32| {
        let terms = weights.iter().enumerate();
        terms.fold(0.0f32, |sum, (at, weight)| {
            sum + weight * cell(x + (at % 65) as i32 - 32, lane)
        })
    };
    let expected: Vec<f32> = (0..2)
        .flat_map(|x| (0..lanes).map(move |lane| (x, lane)))
        .map(|(x, lane)| sum(x, lane))
        .collect();
    check_all("65 x 65 weights of 50 lanes", &[expected.to_words()], |device, rec| {
        let (src, weights) = (device.upload(&src, lanes).unwrap(), device.upload(&weights, 1).unwrap());
        vec![raster_stencil(rec, &src, shape, &weights, 32, Edge::Clamp).unwrap()]
    });
}

#[test]
fn a_live_list_past_a_word_fills_its_room_and_no_more() {
    // The total of what is too much is greater than any room, so the count of what is listed is the room.
    for (name, device) in devices_once() {
        let mut rec = device.record("past a word");
        let counts = live(device, &device.upload(&[3u32 << 30, 3 << 30, 1], 1).unwrap(), 2);
        let made = expand(&mut rec, &counts, 64).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(made.owner.read::<i32>().unwrap().wait().unwrap().len(), 64, "{name}");
        assert_eq!(bits(&made.total), [u32::MAX], "{name}");
    }
}
