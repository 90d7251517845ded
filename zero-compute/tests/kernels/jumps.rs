//! Pointer jumping against walking up step by step.

use zero_compute::Error;
use zero_compute::kernels::{jump_min, jump_rank};

use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// A forest in which every parent has a lower number, some of them named by nonsense, in a shuffled order.
fn forest(random: &mut Random, n: u32, is_chain: bool) -> Vec<i32> {
    let mut names: Vec<u32> = (0..n).collect();
    for at in (1..n as usize).rev() {
        names.swap(at, random.below(at as u32 + 1) as usize);
    }
    let mut parents = vec![0; n as usize];
    for at in 0..n {
        let own = names[at as usize];
        parents[own as usize] = match random.below(200) {
            _ if is_chain && at > 0 => names[at as usize - 1] as i32,
            0 => -1,
            1 => i32::MIN,
            2 => n as i32 + 3,
            _ if at == 0 => own as i32,
            _ => names[random.below(at) as usize] as i32,
        };
    }
    parents
}

/// The element above `at`, if it is no root.
fn above(parents: &[i32], at: usize, front: usize) -> Option<usize> {
    usize::try_from(parents[at]).ok().filter(|&up| up != at && up < front)
}

#[test]
pub(crate) fn roots_ranks_and_least_values_are_found() {
    let mut random = Random(95);
    for n in sizes() {
        for is_chain in [false, true] {
            // A chain of all elements is walked in n^2 steps by the oracle.
            if is_chain && n > 3_000 {
                continue;
            }
            let (parents, values) = (forest(&mut random, n, is_chain), random.ints(n));
            for count in live_counts(n) {
                let front = count.min(n) as usize;
                let (mut roots, mut ranks, mut least) = (Vec::new(), Vec::new(), Vec::new());
                for i in 0..n as usize {
                    let (mut at, mut rank) = (i, 0);
                    let mut smallest = if i < front { values[i] } else { 0 };
                    while let Some(up) = above(&parents, at, front).filter(|_| i < front) {
                        (at, rank, smallest) = (up, rank + 1, smallest.min(values[up]));
                    }
                    roots.push(at as i32);
                    ranks.push(rank);
                    least.push(smallest);
                }
                let expected = [roots.to_words(), ranks.to_words(), roots.to_words(), least.to_words()];
                check_all(
                    &format!("jump {count} of {n}, chain {is_chain}"),
                    &expected,
                    |device, rec| {
                        let parents = live(device, &device.upload(&parents, 1).unwrap(), count);
                        let ranked = jump_rank(rec, &parents).unwrap();
                        let least = jump_min(rec, &parents, &device.upload(&values, 1).unwrap()).unwrap();
                        vec![ranked.parent, ranked.value, least.parent, least.value]
                    },
                );
            }
        }
    }
}

#[test]
fn a_cycle_gets_its_least_number_for_a_name() {
    // Cycles of 1, 2, 3, ... elements, dealt out so that none lies together.
    let n = 1_000usize;
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    let mut dealt = (0..n).map(|i| i * 389 % n);
    while let Some(first) = dealt.next() {
        let length = cycles.len();
        cycles.push(std::iter::once(first).chain(dealt.by_ref().take(length)).collect());
    }
    let (mut parents, mut names) = (vec![0i32; n], vec![0i32; n]);
    for cycle in &cycles {
        let name = cycle.iter().copied().min().unwrap_or_default() as i32;
        for (at, &i) in cycle.iter().enumerate() {
            parents[i] = cycle[(at + 1) % cycle.len()] as i32;
            names[i] = name;
        }
    }
    let numbers: Vec<i32> = (0..n as i32).collect();
    check_all("cycles", &[names.to_words()], |device, rec| {
        let (parents, numbers) = (device.upload(&parents, 1).unwrap(), device.upload(&numbers, 1).unwrap());
        vec![jump_min(rec, &parents, &numbers).unwrap().value]
    });
}

#[test]
fn what_cannot_be_jumped_is_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (parents, short) = (
            device.upload(&[0i32; 4], 1).unwrap(),
            device.upload(&[0i32; 3], 1).unwrap(),
        );
        let error = jump_min(&mut rec, &parents, &short);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = jump_rank(&mut rec, &parents.reinterpret(2).unwrap());
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let floats = device.upload(&[0.0f32; 4], 1).unwrap();
        for error in [jump_rank(&mut rec, &floats), jump_min(&mut rec, &parents, &floats)] {
            assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
        }
    }
}
