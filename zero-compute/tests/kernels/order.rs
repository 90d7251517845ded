//! Sort.

use zero_compute::kernels::{Order, gather, sort, sort_by, sort_columns};
use zero_compute::{Column, Error, Word};

use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

fn check_sort<T: Word + Default>(keys: &[T], compare: impl Fn(&T, &T) -> std::cmp::Ordering)
where
    [T]: Bits,
{
    let n = keys.len() as u32;
    for count in live_counts(n) {
        let mut order: Vec<i32> = (0..n.min(count) as i32).collect();
        // Stable, as the standard library's sort is.
        order.sort_by(|a, b| compare(&keys[*a as usize], &keys[*b as usize]));
        let mut sorted: Vec<T> = order.iter().map(|i| keys[*i as usize]).collect();
        sorted.resize(n as usize, T::default());
        order.resize(n as usize, -1);
        check_all(
            &format!("sort {count} of {n}"),
            &[sorted.to_words(), order.to_words()],
            |device, rec| {
                let done = sort(rec, &live(device, &device.upload(keys, 1).unwrap(), count), None).unwrap();
                vec![done.keys, done.values]
            },
        );
    }
}

#[test]
pub(crate) fn keys_of_every_kind_sort_stably() {
    let mut random = Random(17);
    for n in sizes() {
        check_sort(&random.words(n), Ord::cmp);
        check_sort(&random.ints(n), Ord::cmp);
        check_sort(&random.floats(n), f32::total_cmp);
        // Many equal keys: only a stable sort gives this order.
        let few: Vec<u32> = (0..n).map(|_| random.below(5) * 0x0101_0101).collect();
        check_sort(&few, Ord::cmp);
    }
}

#[test]
fn hard_keys_sort() {
    let n = 3_000;
    check_sort(&vec![7u32; n as usize], Ord::cmp);
    check_sort(&(0..n).rev().collect::<Vec<i32>>(), Ord::cmp);
    let mut random = Random(18);
    let ends = [
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1.0,
        -1.0,
    ];
    let floats: Vec<f32> = (0..n).map(|_| ends[random.below(9) as usize]).collect();
    check_sort(&floats, f32::total_cmp);
    let ends = [i32::MIN, i32::MAX, -1, 0, 1];
    let ints: Vec<i32> = (0..n).map(|_| ends[random.below(5) as usize]).collect();
    check_sort(&ints, Ord::cmp);
}

#[test]
fn two_sorts_make_a_key_of_two_words() {
    let mut random = Random(19);
    let pairs: Vec<(u32, u32)> = (0..4_000).map(|_| (random.below(40), random.below(1 << 31))).collect();
    let mut order: Vec<i32> = (0..4_000).collect();
    order.sort_by_key(|i| pairs[*i as usize]);
    let (high, low): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    check_all("wide keys", &[order.to_words()], |device, rec| {
        let (high, low) = (device.upload(&high, 1).unwrap(), device.upload(&low, 1).unwrap());
        let by_low = sort(rec, &low, None).unwrap().values;
        let high = gather(rec, &high, &by_low).unwrap();
        vec![sort(rec, &high, Some(&by_low)).unwrap().values]
    });
}

#[test]
pub(crate) fn descending_keys_sort_stably() {
    fn check<T: Word + Default>(keys: &[T], compare: impl Fn(&T, &T) -> std::cmp::Ordering)
    where
        [T]: Bits,
    {
        let n = keys.len() as u32;
        for count in live_counts(n) {
            let mut order: Vec<i32> = (0..n.min(count) as i32).collect();
            order.sort_by(|a, b| compare(&keys[*b as usize], &keys[*a as usize]));
            let mut sorted: Vec<T> = order.iter().map(|i| keys[*i as usize]).collect();
            sorted.resize(n as usize, T::default());
            order.resize(n as usize, -1);
            check_all(
                &format!("sort {count} of {n}, descending"),
                &[sorted.to_words(), order.to_words()],
                |device, rec| {
                    let keys = live(device, &device.upload(keys, 1).unwrap(), count);
                    let done = sort_by(rec, &keys, None, Order::Descending).unwrap();
                    vec![done.keys, done.values]
                },
            );
        }
    }
    let mut random = Random(61);
    for n in sizes() {
        check(&random.words(n), Ord::cmp);
        check(&random.ints(n), Ord::cmp);
        check(&random.floats(n), f32::total_cmp);
        check(&(0..n).map(|_| random.below(5)).collect::<Vec<u32>>(), Ord::cmp);
    }
}

#[test]
fn what_is_no_number_sorts_to_the_ends() {
    let mut random = Random(62);
    let (nan, negative_nan) = (f32::from_bits(0x7fc0_0000), f32::from_bits(0xffc0_0000));
    let ends = [nan, negative_nan, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1.0];
    let keys: Vec<f32> = (0..2_000).map(|_| ends[random.below(7) as usize]).collect();
    let mut up: Vec<i32> = (0..2_000).collect();
    let mut down = up.clone();
    up.sort_by(|a, b| keys[*a as usize].total_cmp(&keys[*b as usize]));
    down.sort_by(|a, b| keys[*b as usize].total_cmp(&keys[*a as usize]));
    check_all("no numbers", &[up.to_words(), down.to_words()], |device, rec| {
        let keys = device.upload(&keys, 1).unwrap();
        [Order::Ascending, Order::Descending]
            .map(|order| sort_by(rec, &keys, None, order).unwrap().values)
            .to_vec()
    });
}

#[test]
fn keys_of_several_columns_decide_in_turn() {
    let mut random = Random(63);
    for n in sizes() {
        let first: Vec<u32> = (0..n).map(|_| random.below(4)).collect();
        let second: Vec<f32> = (0..n).map(|_| random.below(9) as f32 - 4.0).collect();
        let third: Vec<i32> = (0..n).map(|_| random.below(6) as i32 - 3).collect();
        for count in live_counts(n) {
            let mut order: Vec<i32> = (0..n.min(count) as i32).collect();
            order.sort_by(|&a, &b| {
                let (a, b) = (a as usize, b as usize);
                let by_second = second[b].total_cmp(&second[a]);
                first[a].cmp(&first[b]).then(by_second).then(third[a].cmp(&third[b]))
            });
            order.resize(n as usize, -1);
            check_all(
                &format!("three keys, {count} of {n}"),
                &[order.to_words()],
                |device, rec| {
                    let first = live(device, &device.upload(&first, 1).unwrap(), count);
                    let (second, third) = (device.upload(&second, 1).unwrap(), device.upload(&third, 1).unwrap());
                    let keys = [
                        (&first, Order::Ascending),
                        (&second, Order::Descending),
                        (&third, Order::Ascending),
                    ];
                    vec![sort_columns(rec, &keys).unwrap()]
                },
            );
        }
    }
}

#[test]
fn keys_of_several_columns_must_fit() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let none: [(&Column, Order); 0] = [];
        let error = sort_columns(&mut rec, &none);
        assert!(matches!(error, Err(Error::Invalid { .. })), "{name}: {error:?}");
        let (keys, short) = (
            device.upload(&[3u32, 1], 1).unwrap(),
            device.upload(&[1i32], 1).unwrap(),
        );
        let error = sort_columns(&mut rec, &[(&keys, Order::Ascending), (&short, Order::Ascending)]);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
    }
}

#[test]
fn sort_refuses_values_of_another_length_or_kind() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let keys = device.upload(&[3u32, 1, 2], 1).unwrap();
        let short = sort(&mut rec, &keys, Some(&device.upload(&[0i32; 2], 1).unwrap()));
        assert!(matches!(short, Err(Error::WrongShape { .. })), "{name}: {short:?}");
        let floats = sort(&mut rec, &keys, Some(&device.upload(&[0.0f32; 3], 1).unwrap()));
        assert!(matches!(floats, Err(Error::WrongElement { .. })), "{name}: {floats:?}");
    }
}
