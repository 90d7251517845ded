//! A short form of the soak: random sequences of edits, moved inputs, registrations and evictions, after each of which a
//! play shows what a cold one shows. The long one is the example `soak`.
#![expect(clippy::panic, reason = "the lints spare test functions alone, not what they call")]

mod sequences;

use sequences::{ACTIONS, Tally};
use zero_compute::{CpuOptions, Device};

fn run(device: &Device, numbers: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::new();
    for number in numbers {
        if let Err(message) = sequences::run(device, number, &mut tally) {
            panic!("sequence {number}: {message}");
        }
    }
    tally
}

#[test]
fn what_a_play_shows_after_anything_is_what_a_cold_play_shows() {
    let tally = run(&Device::cpu(CpuOptions::default()), 0..50);
    assert_eq!(tally["sequences"], 50);
    for action in ACTIONS {
        assert!(tally[action] >= 30, "{action}: {tally:?}");
    }
    // The plays of a sequence do not do the work of cold ones: some of it is kept, some of it replayed.
    assert!(tally["cooked"] < tally["cold"], "{tally:?}");
    assert!(tally["replayed"] > 100 && tally["words"] > 100_000, "{tally:?}");
}

#[test]
fn a_sequence_is_known_by_its_number() {
    let device = Device::cpu(CpuOptions::default());
    assert_eq!(run(&device, 7..9), run(&device, 7..9));
    assert_ne!(run(&device, 7..9), run(&device, 8..10));
}
