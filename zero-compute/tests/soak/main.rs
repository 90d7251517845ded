//! A short form of the soak: random command lists on the CPU and the software adapter, compared bit for bit. The long one
//! is the example `soak`.
#![cfg(feature = "gpu")]
#![expect(clippy::panic, reason = "the lints spare test functions alone, not what they call")]

#[path = "../common/mod.rs"]
mod common;
mod lists;

use std::collections::BTreeSet;

use lists::{Devices, FAMILIES, Tally};
use zero_compute::Device;

fn devices() -> Option<Devices> {
    let cpus: Vec<Device> = common::cpu_devices().into_iter().map(|(_, device)| device).collect();
    Some(Devices {
        cpus,
        gpu: common::gpu()?,
    })
}

fn run(devices: &Devices, numbers: std::ops::Range<u64>, most: u32) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        if let Err(message) = lists::run(devices, number, most, &mut tally) {
            panic!("list {number} of at most {most} elements: {message}");
        }
    }
    tally
}

#[test]
fn random_lists_are_equal_on_both_backends() {
    let Some(devices) = devices() else { return };
    let small = run(&devices, 0..60, 3000);
    let large = run(&devices, 1000..1004, 100_000);
    let used: BTreeSet<&String> = small.families.keys().chain(large.families.keys()).collect();
    assert!(used.len() * 3 > FAMILIES.len() * 2, "{used:?}");
    assert!(
        small.submissions > 60 && small.words > 10_000 && small.fused > 10,
        "{small:?}"
    );
}

#[test]
fn a_list_is_known_by_its_number() {
    let Some(devices) = devices() else { return };
    let first = run(&devices, 7..10, 500);
    assert_eq!(run(&devices, 7..10, 500), first);
    assert_ne!(run(&devices, 8..11, 500), first);
}
