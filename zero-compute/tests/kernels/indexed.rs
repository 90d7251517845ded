//! Gather, scatter, compact, expand.

use zero_compute::kernels::{COMPACT_I32, Scatter, compact, expand, gather, scatter};
use zero_compute::{Column, Domain, Element, Error, Len, Word, args};

use crate::common::devices;
use crate::{Bits, Random, check_all, check_once, devices_once, live, live_counts, sizes};

/// Indices into `n` elements, some of them outside.
fn indices(random: &mut Random, count: u32, n: u32) -> Vec<i32> {
    let mut one = || match random.below(16) {
        0 => -1 - random.below(5) as i32,
        1 => (n + random.below(5)) as i32,
        2 => {
            if random.below(2) == 0 {
                i32::MIN
            } else {
                i32::MAX
            }
        }
        _ => random.below(n.max(1)) as i32,
    };
    (0..count).map(|_| one()).collect()
}

fn inside(index: i32, n: u32) -> Option<usize> {
    u32::try_from(index)
        .ok()
        .filter(|index| *index < n)
        .map(|index| index as usize)
}

#[test]
pub(crate) fn gather_reads_through_the_index() {
    let mut random = Random(11);
    for n in sizes() {
        for lanes in [1u32, 3] {
            let src = random.words(n * lanes);
            let count = 1 + random.below(2 * n + 1);
            let index = indices(&mut random, count, n);
            for front in live_counts(count) {
                let mut expected = Vec::new();
                for (i, &index) in index.iter().enumerate() {
                    let from = inside(index, n).filter(|_| (i as u32) < front);
                    for lane in 0..lanes as usize {
                        expected.push(from.map_or(0, |from| src[from * lanes as usize + lane]));
                    }
                }
                check_all(
                    &format!("gather {front} of {count} from {n} x {lanes}"),
                    &[expected],
                    |device, rec| {
                        let index = live(device, &device.upload(&index, 1).unwrap(), front);
                        vec![gather(rec, &device.upload(&src, lanes).unwrap(), &index).unwrap()]
                    },
                );
            }
        }
    }
    // The other kinds move their words as they are.
    let (floats, ints) = (random.floats(90), random.ints(90));
    let reverse: Vec<i32> = (0..90).rev().collect();
    let backwards = [
        floats.iter().rev().map(|v| v.to_bits()).collect(),
        ints.iter().rev().map(|v| *v as u32).collect::<Vec<_>>(),
    ];
    check_all("gather kinds", &backwards, |device, rec| {
        let reverse = device.upload(&reverse, 1).unwrap();
        vec![
            gather(rec, &device.upload(&floats, 1).unwrap(), &reverse).unwrap(),
            gather(rec, &device.upload(&ints, 1).unwrap(), &reverse).unwrap(),
        ]
    });
}

#[test]
fn a_column_of_no_elements_is_not_what_its_buffer_held() {
    for (name, device) in devices_once() {
        // The pool hands the buffer on.
        for kept in [7.5f32, -1.0] {
            drop(device.upload(&[kept; 64], 1).unwrap());
            let empty = device.upload::<f32>(&[], 1).unwrap();
            let mut rec = device.record("nothing");
            let read = gather(&mut rec, &empty, &device.upload(&[0, -1, 1], 1).unwrap()).unwrap();
            rec.finish().unwrap().submit().unwrap();
            assert_eq!(read.read::<f32>().unwrap().wait().unwrap(), [0.0; 3], "{name}");
        }
    }
}

/// Scatters `src` into `dst` as `fold` says, for several live counts.
fn check_scatter<T: Word + PartialEq>(
    random: &mut Random,
    (src, dst, lanes): (&[T], &[T], u32),
    how: Scatter,
    fold: impl Fn(T, T) -> T,
) where
    [T]: Bits,
{
    let (count, n) = (src.len() as u32 / lanes, dst.len() as u32 / lanes);
    let index = indices(random, count, n);
    for front in live_counts(count) {
        let mut expected = dst.to_vec();
        for (i, &index) in index.iter().enumerate().take(front as usize) {
            if let Some(to) = inside(index, n) {
                for lane in 0..lanes as usize {
                    let place = &mut expected[to * lanes as usize + lane];
                    *place = fold(*place, src[i * lanes as usize + lane]);
                }
            }
        }
        let what = format!("scatter {how:?} of {front} of {count} into {n} x {lanes}");
        check_once(&what, &[expected.to_words()], |device, rec| {
            let to = device.upload(dst, lanes).unwrap();
            let index = live(device, &device.upload(&index, 1).unwrap(), front);
            scatter(rec, &device.upload(src, lanes).unwrap(), &index, &to, how).unwrap();
            vec![to]
        });
    }
}

#[test]
pub(crate) fn scatter_folds_where_elements_meet() {
    let mut random = Random(12);
    for count in sizes() {
        for n in [0, 3, count / 3 + 1] {
            let lanes = 1 + random.below(3);
            let (src, dst) = (random.ints(count * lanes), random.ints(n * lanes));
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Last, |_, new| new);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Add, i32::wrapping_add);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Min, i32::min);
            let (src, dst) = (random.words(count * lanes), random.words(n * lanes));
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Last, |_, new| new);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Add, u32::wrapping_add);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Max, u32::max);
            let (src, dst) = (random.floats(count * lanes), random.floats(n * lanes));
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Last, |_, new| new);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Min, f32::min);
            check_scatter(&mut random, (&src, &dst, lanes), Scatter::Max, f32::max);
        }
    }
}

#[test]
pub(crate) fn floats_are_added_in_fixed_point() {
    let mut random = Random(13);
    for count in sizes() {
        let n = count / 7 + 1;
        let (src, dst) = (random.floats(count), random.floats(n));
        let index = indices(&mut random, count, n);
        for fraction_bits in [0u32, 4, 8] {
            let scale = 2.0f64.powi(fraction_bits as i32);
            let mut units = vec![0i32; n as usize];
            for (&value, &index) in src.iter().zip(&index) {
                if let Some(to) = inside(index, n) {
                    units[to] = units[to].wrapping_add((f64::from(value) * scale + 0.5).floor() as i32);
                }
            }
            let expected: Vec<f32> = dst
                .iter()
                .zip(&units)
                .map(|(&stands, &units)| {
                    if units == 0 {
                        stands
                    } else {
                        stands + units as f32 / scale as f32
                    }
                })
                .collect();
            check_once(
                &format!("fixed {count}, {fraction_bits} bits"),
                &[expected.to_words()],
                |device, rec| {
                    let to = device.upload(&dst, 1).unwrap();
                    let (src, index) = (device.upload(&src, 1).unwrap(), device.upload(&index, 1).unwrap());
                    scatter(rec, &src, &index, &to, Scatter::AddFixed { fraction_bits }).unwrap();
                    vec![to]
                },
            );
        }
    }
    // What does not fit is held at the ends, and halves round up.
    let src = [1e30f32, -1e30, 0.5, -0.5, 1.25];
    let expected = [2_147_483_520.0f32, -2_147_483_520.0, 1.0, 0.0, 1.0];
    check_once("fixed ends", &[expected.to_words()], |device, rec| {
        let to = device.upload(&[0.0f32; 5], 1).unwrap();
        let index = device.upload(&[0, 1, 2, 3, 4], 1).unwrap();
        let how = Scatter::AddFixed { fraction_bits: 0 };
        scatter(rec, &device.upload(&src, 1).unwrap(), &index, &to, how).unwrap();
        vec![to]
    });
}

#[test]
fn scatter_refuses_what_it_cannot_do() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (floats, ints) = (
            device.upload(&[0.0f32; 4], 1).unwrap(),
            device.upload(&[0i32; 4], 1).unwrap(),
        );
        let (to_floats, to_ints) = (
            device.upload(&[0.0f32; 4], 1).unwrap(),
            device.upload(&[0i32; 4], 1).unwrap(),
        );
        let (index, short) = (
            device.upload(&[0i32; 4], 1).unwrap(),
            device.upload(&[0i32; 3], 1).unwrap(),
        );
        let wide = device.upload(&[0i32; 8], 2).unwrap();
        let bits = |fraction_bits| Scatter::AddFixed { fraction_bits };
        for (src, to, how) in [
            (&floats, &to_floats, Scatter::Add),
            (&ints, &to_ints, bits(4)),
            (&floats, &to_floats, bits(31)),
        ] {
            let error = scatter(&mut rec, src, &index, to, how);
            assert!(matches!(error, Err(Error::Invalid { .. })), "{name}: {error:?}");
        }
        let error = scatter(&mut rec, &ints, &short, &to_ints, Scatter::Add);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = scatter(&mut rec, &ints, &index, &wide, Scatter::Add);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = scatter(&mut rec, &ints, &index, &to_floats, Scatter::Last);
        assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
    }
}

/// The live count of a column, as the device holds it.
fn count_of(column: &Column) -> u32 {
    match column.len() {
        Len::Live { count, .. } => count.read::<u32>().unwrap().wait().unwrap()[0],
        Len::Known(_) => panic!("the column is not live"),
    }
}

#[test]
pub(crate) fn compact_keeps_the_order() {
    let mut random = Random(14);
    for n in sizes() {
        for one_in in [1, 2, 50, 1 << 30] {
            let flags = random.flags(n, one_in);
            for count in live_counts(n) {
                let kept: Vec<i32> = (0..n.min(count) as i32).filter(|i| flags[*i as usize] != 0).collect();
                let mut inverse = vec![-1i32; n as usize];
                for (place, &i) in kept.iter().enumerate() {
                    inverse[i as usize] = place as i32;
                }
                let mut padded = kept.clone();
                padded.resize(n as usize, -1);
                let expected = [padded.to_words(), inverse.to_words(), vec![kept.len() as u32]];
                check_all(&format!("compact {count} of {n}"), &expected, |device, rec| {
                    let flags = live(device, &device.upload(&flags, 1).unwrap(), count);
                    let done = compact(rec, &flags).unwrap();
                    let kept = done.indices.live_count().unwrap();
                    vec![done.indices, done.inverse, kept]
                });
            }
        }
    }
}

#[test]
fn a_list_of_kept_elements_of_another_capacity_is_filled_to_its_end() {
    for (n, one_in) in [(1u32, 1), (257, 2), (1025, 3), (5_000, 2)] {
        let flags = Random(141).flags(n, one_in);
        let kept: Vec<i32> = (0..n as i32).filter(|i| flags[*i as usize] != 0).collect();
        let mut inverse = vec![-1i32; n as usize];
        for (place, &i) in kept.iter().enumerate() {
            inverse[i as usize] = place as i32;
        }
        for capacity in [1, n / 3 + 1, n, n + 1, 2 * n + 700] {
            let mut listed = kept.clone();
            listed.resize(capacity as usize, -1);
            let expected = [listed.to_words(), inverse.to_words(), vec![kept.len() as u32]];
            check_all(&format!("{n} into {capacity}"), &expected, |device, rec| {
                let room = device.live_column(Element::I32, 1, capacity).unwrap();
                rec.fill(&room, 77).unwrap();
                let flags = device.upload(&flags, 1).unwrap();
                let arguments = args! { flags: &flags, indices: &room };
                let done = rec.dispatch(&COMPACT_I32, arguments, Domain::of(&flags)).unwrap();
                let indices = done.column("indices").unwrap();
                let count = indices.live_count().unwrap();
                vec![indices, done.column("inverse").unwrap(), count]
            });
        }
    }
}

#[test]
pub(crate) fn flags_of_every_kind_are_read_by_value() {
    let expected = [vec![1, 2, u32::MAX, u32::MAX]];
    check_all("float flags", &expected, |device, rec| {
        vec![
            compact(rec, &device.upload(&[0.0f32, 0.5, -2.0, -0.0], 1).unwrap())
                .unwrap()
                .indices,
        ]
    });
    check_all("unsigned flags", &expected, |device, rec| {
        vec![
            compact(rec, &device.upload(&[0u32, 9, u32::MAX, 0], 1).unwrap())
                .unwrap()
                .indices,
        ]
    });
}

#[test]
fn a_live_chain_never_leaves_the_device() {
    let mut random = Random(15);
    let values = random.floats(5_000);
    let first = random.flags(5_000, 3);
    let second = random.flags(5_000, 2);
    // `second` is asked of the elements that `first` keeps.
    let expected: Vec<f32> = (0..5_000)
        .filter(|&i| first[i] != 0 && second[i] != 0)
        .map(|i| values[i])
        .collect();
    for (name, device) in devices() {
        let mut rec = device.record("chain");
        let (values, first) = (device.upload(&values, 1).unwrap(), device.upload(&first, 1).unwrap());
        let second = device.upload(&second, 1).unwrap();
        let once = compact(&mut rec, &first).unwrap().indices;
        let left = gather(&mut rec, &second, &once).unwrap();
        let again = compact(&mut rec, &left).unwrap().indices;
        let chosen = gather(&mut rec, &once, &again).unwrap();
        let result = gather(&mut rec, &values, &chosen).unwrap();
        let list = rec.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        let found = result.read::<f32>().unwrap().wait().unwrap();
        assert_eq!(found, expected, "{name}");
        assert_eq!(count_of(&result) as usize, expected.len(), "{name}");
        assert_eq!(counting.delta().uploads, 0, "{name}");
    }
}

#[test]
pub(crate) fn expand_lays_out_runs_and_tells_what_did_not_fit() {
    let mut random = Random(16);
    for n in sizes() {
        let counts: Vec<i32> = (0..n).map(|_| [0, 0, 1, 2, 7, -4][random.below(6) as usize]).collect();
        for front in live_counts(n) {
            let mut slots = Vec::new();
            for (i, &count) in counts.iter().enumerate().take(front as usize) {
                slots.extend((0..count).map(|own| (i as i32, own)));
            }
            for capacity in [0, slots.len() as u32 / 2, slots.len() as u32, slots.len() as u32 + 300] {
                let slot = |at: u32| slots.get(at as usize).copied().unwrap_or((-1, -1));
                let owner: Vec<i32> = (0..capacity).map(|at| slot(at).0).collect();
                let local: Vec<i32> = (0..capacity).map(|at| slot(at).1).collect();
                let expected = [owner.to_words(), local.to_words(), vec![slots.len() as u32]];
                check_all(
                    &format!("expand {front} of {n} into {capacity}"),
                    &expected,
                    |device, rec| {
                        let counts = live(device, &device.upload(&counts, 1).unwrap(), front);
                        let done = expand(rec, &counts, capacity).unwrap();
                        vec![done.owner, done.local_index, done.total]
                    },
                );
            }
        }
    }
}
