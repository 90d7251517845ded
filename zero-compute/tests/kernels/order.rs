//! Sort.

use zero_compute::kernels::{gather, sort};
use zero_compute::{Error, Word};

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
fn keys_of_every_kind_sort_stably() {
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
