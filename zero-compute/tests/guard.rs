//! Guards: a list says on the device whether its counts fit their rooms, and is recorded again where they did not.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::devices;
use zero_compute::kernels::{Form, HashGathered, expand, hash_gather, hash_grid, scan};
use zero_compute::*;

/// Counts of a run, which the test sets.
fn counts(device: &Device, n: u32, each: u32) -> Column {
    device.upload(&vec![each; n as usize], 1).unwrap()
}

#[test]
fn a_count_past_its_room_is_named_and_what_fits_is_written() {
    for (name, device) in devices() {
        let counts = counts(&device, 10, 3);
        for room in [0u32, 1, 29, 30, 31, 100] {
            let mut rec = device.record("expand");
            let slots = expand(&mut rec, &counts, room).unwrap();
            assert_eq!(rec.guard_room("slots", &slots.owner).unwrap(), 0);
            let list = rec.finish().unwrap();
            assert_eq!(list.guards(), 1);
            list.submit().unwrap();
            let outgrown = list.outgrown().unwrap().wait().unwrap();
            let expected = Outgrown {
                guard: 0,
                name: "slots".to_owned(),
                room,
                count: 30,
            };
            let expected = if room < 30 { vec![expected] } else { Vec::new() };
            assert_eq!(outgrown, expected, "{name}, {room}");
            let owners: Vec<i32> = (0..30.min(room as i32)).map(|slot| slot / 3).collect();
            assert_eq!(
                slots.owner.read::<i32>().unwrap().wait().unwrap(),
                owners,
                "{name}, {room}"
            );
            let past = slots.owner.as_capacity().read::<i32>().unwrap().wait().unwrap();
            assert!(past.iter().skip(30).all(|owner| *owner == -1), "{name}, {room}");
        }
    }
}

/// A step as a host runs it: recorded for a room, replayed, and recorded for a larger one when its count outgrew that.
#[test]
fn a_step_is_recorded_again_for_the_room_that_its_count_needs() {
    let record = |device: &Device, points: &Column, room: u32| -> (CommandList, HashGathered) {
        let mut rec = device.record("pairs");
        let grid = hash_grid(&mut rec, points, 1.0).unwrap();
        let pairs = hash_gather(&mut rec, &grid, points, 1.0, room).unwrap();
        rec.guard("pairs", &pairs.total, room).unwrap();
        (rec.finish().unwrap(), pairs)
    };
    let n = 64u32;
    let spread: Vec<f32> = (0..n).flat_map(|i| [i as f32 * 10.0, 0.0, 0.0]).collect();
    let crowd: Vec<f32> = (0..n).flat_map(|i| [(i % 4) as f32 * 10.0, 0.0, 0.0]).collect();
    for (name, device) in devices() {
        let points = device.upload(&spread, 3).unwrap();
        let next = device.upload(&crowd, 3).unwrap();
        let mut load = device.record("load");
        load.copy_into(&next, &points).unwrap();
        let load = load.finish().unwrap();
        let (mut list, mut pairs, mut room, mut recorded) = {
            let (list, pairs) = record(&device, &points, n);
            (list, pairs, n, 1)
        };
        let mut presented: Vec<Vec<i32>> = Vec::new();
        for frame in 0..4 {
            if frame == 2 {
                load.submit().unwrap();
            }
            loop {
                let counting = device.counting();
                list.submit().unwrap();
                let outgrown = list.outgrown().unwrap().wait().unwrap();
                let Some(first) = outgrown.first() else { break };
                assert_eq!(frame, 2, "{name}: {first:?}");
                assert_eq!((first.count, first.room), (n * n / 4, n), "{name}");
                assert_eq!(counting.delta().bind_groups, 0, "{name}: a replay makes nothing");
                room = first.next_room();
                (list, pairs) = record(&device, &points, room);
                recorded += 1;
            }
            presented.push(pairs.items.read::<i32>().unwrap().wait().unwrap());
        }
        assert_eq!((recorded, room), (2, 1024), "{name}");
        let alone: Vec<i32> = (0..n as i32).collect();
        assert!(presented[..2].iter().all(|frame| *frame == alone), "{name}");
        let near = |i: i32| (0..n as i32).filter(move |j| j % 4 == i % 4);
        let crowded: Vec<i32> = (0..n as i32).flat_map(near).collect();
        assert!(presented[2..].iter().all(|frame| *frame == crowded), "{name}");
    }
}

#[test]
fn before_a_submission_nothing_is_said_to_have_fitted() {
    for (name, device) in devices() {
        let counts = counts(&device, 10, 3);
        for fusion in [None, Some(Fusion::Chains)] {
            let mut rec = device.record("expand");
            let slots = expand(&mut rec, &counts, 4).unwrap();
            rec.guard_room("slots", &slots.owner).unwrap();
            if let Some(fusion) = fusion {
                rec.fuse(fusion, &[&slots.owner]).unwrap();
            }
            let list = rec.finish().unwrap();
            let error = list.outgrown().unwrap().wait().unwrap_err();
            assert_eq!(
                error,
                Error::Unwritten {
                    what: "what the guards of a list found"
                },
                "{name}"
            );
            list.submit().unwrap().abandon();
            let error = pollster::block_on(list.outgrown().unwrap()).unwrap_err();
            assert!(matches!(error, Error::Unwritten { .. }), "{name}: {error}");
            list.submit().unwrap();
            assert_eq!(list.outgrown().unwrap().wait().unwrap().len(), 1, "{name}");
        }
    }
}

#[test]
fn the_word_is_written_anew_by_every_submission_and_each_guard_has_its_own() {
    for (name, device) in devices() {
        let (a, b) = (device.upload(&[5u32], 1).unwrap(), device.upload(&[9u32], 1).unwrap());
        let mut set = device.record("set");
        set.fill(&a, 2).unwrap();
        let set = set.finish().unwrap();
        let mut rec = device.record("guards");
        assert_eq!(rec.guard("a", &a, 4).unwrap(), 0);
        assert_eq!(rec.guard("b", &b, 9).unwrap(), 1);
        assert_eq!(rec.guard("b again", &b, 8).unwrap(), 2);
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        let mut first = list.outgrown().unwrap();
        set.submit().unwrap();
        list.submit().unwrap();
        let second = list.outgrown().unwrap().wait().unwrap();
        let named = |outgrown: &[Outgrown]| -> Vec<(u32, String, u32)> {
            outgrown.iter().map(|o| (o.guard, o.name.clone(), o.count)).collect()
        };
        let again = (2, "b again".to_owned(), 9);
        // Asked for first, it landed first.
        let first = first.try_take().unwrap().unwrap();
        assert_eq!(named(&first), [(0, "a".to_owned(), 5), again.clone()], "{name}");
        assert_eq!(named(&second), [again], "{name}");
    }
}

#[test]
fn an_answer_lands_without_a_wait_and_costs_one_read_back() {
    let device = Device::cpu(CpuOptions::default());
    let count = device.upload(&[5u32], 1).unwrap();
    let mut rec = device.record("polled");
    rec.guard("a", &count, 4).unwrap();
    let list = rec.finish().unwrap();
    let counting = device.counting();
    list.submit().unwrap();
    let mut answer = list.outgrown().unwrap();
    assert!(answer.try_take().is_none());
    assert_eq!(device.poll(), 1);
    assert_eq!(answer.try_take().unwrap().unwrap().len(), 1);
    assert!(answer.try_take().is_none());
    let spent = counting.delta();
    assert_eq!((spent.readbacks, spent.readback_bytes, spent.dispatches), (1, 4, 1));
    let future = list.outgrown().unwrap();
    assert_eq!(pollster::block_on(future).unwrap()[0].count, 5);

    let plain = device.record("none").finish().unwrap();
    let counting = device.counting();
    plain.submit().unwrap();
    assert_eq!(
        (plain.guards(), plain.outgrown().unwrap().wait().unwrap()),
        (0, Vec::new())
    );
    assert_eq!(counting.delta().readbacks, 0);
}

#[test]
fn guards_stand_in_a_fused_list_and_watch_what_is_not_kept() {
    for (name, device) in devices() {
        let counts = counts(&device, 100, 2);
        let mut rec = device.record("fused");
        let scanned = scan(&mut rec, &counts, Form::Inclusive).unwrap();
        let slots = expand(&mut rec, &counts, 150).unwrap();
        rec.guard("slots", &slots.total, 150).unwrap();
        rec.fuse(Fusion::Stages, &[&scanned.dst]).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(
            list.fusion().unwrap().dropped,
            1,
            "{name}: nothing needs the slots themselves"
        );
        list.submit().unwrap();
        assert_eq!(list.outgrown().unwrap().wait().unwrap()[0].count, 200, "{name}");
    }
}

#[test]
fn one_element_is_past_no_room() {
    for (name, device) in devices() {
        let count = device.upload(&[1u32], 1).unwrap();
        let mut rec = device.record("one");
        rec.guard("one", &count, 0).unwrap();
        rec.guard("fits", &count, 1).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        let outgrown = list.outgrown().unwrap().wait().unwrap();
        assert_eq!(outgrown.len(), 1, "{name}");
        assert_eq!(
            (outgrown[0].room, outgrown[0].count, outgrown[0].next_room()),
            (0, 1, 1),
            "{name}"
        );
    }
}

/// A guard that was refused watches nothing, and a list of none answers at once and reads nothing.
#[test]
fn a_list_whose_guards_were_refused_has_none() {
    let device = Device::cpu(CpuOptions::default());
    let floats = device.upload(&[5.0f32], 1).unwrap();
    let mut rec = device.record("refused");
    rec.guard("a", &floats, 4).unwrap_err();
    let list = rec.finish().unwrap();
    assert_eq!(list.guards(), 0);
    let counting = device.counting();
    list.submit().unwrap();
    let mut answer = list.outgrown().unwrap();
    assert_eq!(answer.try_take().unwrap().unwrap(), []);
    assert_eq!(pollster::block_on(list.outgrown().unwrap()).unwrap(), []);
    device.poll();
    assert_eq!(counting.delta().readbacks, 0);
}

#[test]
fn a_wait_for_guards_can_be_cancelled() {
    let device = Device::cpu(CpuOptions::default());
    let count = device.upload(&[5u32], 1).unwrap();
    let mut rec = device.record("cancelled");
    rec.guard("a", &count, 4).unwrap();
    let list = rec.finish().unwrap();
    list.submit().unwrap();
    let cancel = CancelToken::default();
    cancel.cancel();
    let exec = Exec {
        cancel: &cancel,
        ..Exec::default()
    };
    let error = list.outgrown().unwrap().wait_with(&exec).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    // The queue keeps its place.
    assert_eq!(list.outgrown().unwrap().wait().unwrap().len(), 1);
}

#[test]
fn a_room_grows_by_four_or_to_what_it_must_hold() {
    let next = |room, count| {
        let name = String::new();
        Outgrown {
            guard: 0,
            name,
            room,
            count,
        }
        .next_room()
    };
    assert_eq!([next(100, 101), next(100, 400), next(100, 401)], [400, 512, 512]);
    assert_eq!([next(0, 1), next(0, 3), next(1 << 31, u32::MAX)], [1, 4, u32::MAX]);
    // Four times the room, and the power of two, end at the most there is.
    assert_eq!([next(1 << 30, (1 << 30) + 1), next(4, (1 << 31) + 1)], [u32::MAX; 2]);
}

#[test]
fn too_many_guards_and_counts_of_another_kind_are_refused() {
    let device = Device::cpu(CpuOptions::default());
    let count = device.upload(&[5u32], 1).unwrap();
    let mut rec = device.record("many");
    for _ in 0..MAX_GUARDS {
        rec.guard("a", &count, 4).unwrap();
    }
    let error = rec.guard("a", &count, 4).unwrap_err().to_string();
    assert_eq!(error, "guards of one list: 1025 is past the limit of 1024");
    let floats = device.upload(&[5.0f32], 1).unwrap();
    let mut rec = device.record("wrong");
    assert!(matches!(rec.guard("a", &floats, 4), Err(Error::WrongElement { .. })));
    assert!(matches!(rec.guard_room("a", &count), Err(Error::WrongShape { .. })));
}
