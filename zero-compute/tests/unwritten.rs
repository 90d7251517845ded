//! What nothing has written is read by nobody: what the pool left in a buffer is never taken for a result.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::devices;
use zero_compute::call::Call;
use zero_compute::kernels::{self, SCAN_U32};
use zero_compute::*;

/// Leaves words in the pool for whoever asks next.
fn dirty(device: &Device) {
    let left: Vec<Column> = (0..8)
        .map(|_| device.upload(&[0xdead_beefu32; 64], 1).unwrap())
        .collect();
    drop(left);
}

fn words(column: &Column) -> Result<Vec<u32>> {
    column.read::<u32>()?.wait()
}

fn is_unwritten<T: std::fmt::Debug>(name: &str, result: Result<T>) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Unwritten { .. }), "{name}: {error}");
    assert!(error.to_string().contains("was never written"), "{name}: {error}");
}

/// A list that copies `[1, 2, 3]`, and the copy.
fn copying(device: &Device) -> (CommandList, Column) {
    let src = device.upload(&[1u32, 2, 3], 1).unwrap();
    dirty(device);
    let mut rec = device.record("copy");
    let copy = rec.copy(&src).unwrap();
    (rec.finish().unwrap(), copy)
}

#[test]
fn an_output_is_refused_until_its_list_has_run() {
    for (name, device) in devices() {
        let (list, copy) = copying(&device);
        is_unwritten(name, words(&copy));
        is_unwritten(name, pollster::block_on(copy.read::<u32>().unwrap()));
        // A read-back that stands behind the submission is whole.
        let early = copy.read::<u32>().unwrap();
        list.submit().unwrap();
        let late = copy.read::<u32>().unwrap();
        is_unwritten(name, early.wait());
        assert_eq!(late.wait(), Ok(vec![1, 2, 3]), "{name}");
        assert_eq!(words(&copy), Ok(vec![1, 2, 3]), "{name}");
    }
}

/// Keeps the words above 2.
static ABOVE: Kernel = Kernel::declare("above")
    .read_domain("src", Element::U32)
    .append(
        "hits",
        Element::U32,
        Rule::Sized {
            elements: Extent::Count(64),
            lanes: Width::Lanes(1),
        },
    )
    .wgsl(
        "@compute @workgroup_size(256)
         fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
             let i = zero_index(gid, nw);
             if (i < zero_n() && src[i] > 2u) { hits[atomicAdd(&hits_count[0], 1u)] = src[i]; }
         }",
    )
    .cpu(Cpu::Whole(|b, _, _| {
        let src = b.read::<u32>("src")?;
        let mut hits = b.append::<u32>("hits")?;
        src.iter()
            .filter(|word| **word > 2)
            .for_each(|word| hits.push(&[*word]));
        Ok(())
    }));

#[test]
fn what_an_append_leaves_past_its_count_is_zero() {
    for (name, device) in devices() {
        let src = device.upload(&[1u32, 2, 3], 1).unwrap();
        dirty(&device);
        let mut rec = device.record("append");
        let hits = rec.dispatch(&ABOVE, args! { src: &src }, Domain::of(&src)).unwrap();
        let hits = hits.column("hits").unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(words(&hits), Ok(vec![3]), "{name}");
        let mut whole = vec![0; 64];
        whole[0] = 3;
        assert_eq!(words(&hits.as_capacity()), Ok(whole), "{name}");
    }
}

/// A replay that appends less leaves nothing of the run before, nor of what stood in a column that was bound.
#[test]
fn slots_past_the_count_are_zero_in_a_replay_too() {
    for (name, device) in devices() {
        let src = device.upload(&[3u32, 4, 5, 6], 1).unwrap();
        let bound = device.live_column(Element::U32, 1, 9).unwrap();
        let mut rec = device.record("stale");
        rec.fill(&bound, 0xdead_beef).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let mut rec = device.record("append");
        let own = rec.dispatch(&ABOVE, args! { src: &src }, Domain::of(&src)).unwrap();
        let own = own.column("hits").unwrap();
        rec.dispatch(&ABOVE, args! { src: &src, hits: &bound }, Domain::of(&src))
            .unwrap();
        let list = rec.finish().unwrap();
        for (at, words_of_run) in [[3u32, 4, 5, 6], [1, 9, 1, 1], [1; 4]].iter().enumerate() {
            let next = device.upload(words_of_run, 1).unwrap();
            let mut rec = device.record("next");
            rec.copy_into(&next, &src).unwrap();
            rec.finish().unwrap().submit().unwrap();
            list.submit().unwrap();
            let kept: Vec<u32> = words_of_run.iter().copied().filter(|word| *word > 2).collect();
            for (column, capacity) in [(&own, 64), (&bound, 9)] {
                let mut found = words(&column.as_capacity()).unwrap();
                let past = found.split_off(kept.len());
                found.sort_unstable();
                assert_eq!(found, kept, "{name}, {at}");
                assert_eq!(past, vec![0; capacity - kept.len()], "{name}, {at}, {capacity}");
            }
        }
    }
}

#[test]
fn an_output_of_an_abandoned_submission_is_refused_and_one_that_ran_before_stands() {
    for (name, device) in devices() {
        let (list, copy) = copying(&device);
        list.submit().unwrap().abandon();
        is_unwritten(name, words(&copy));
        list.submit().unwrap().wait(&Exec::default()).unwrap();
        assert_eq!(words(&copy), Ok(vec![1, 2, 3]), "{name}");
        list.submit().unwrap().abandon();
        assert_eq!(words(&copy), Ok(vec![1, 2, 3]), "{name}");
    }
}

#[test]
fn a_list_that_reads_what_was_never_written_does_not_run() {
    for (name, device) in devices() {
        let (first, copy) = copying(&device);
        let mut rec = device.record("second");
        let again = rec.copy(&copy).unwrap();
        let second = rec.finish().unwrap();
        let refused = second.submit().unwrap();
        is_unwritten(name, refused.wait(&Exec::default()));
        is_unwritten(name, words(&again));
        is_unwritten(name, device.drive(&Exec::default()));
        // In the right order both run.
        first.submit().unwrap();
        second.submit().unwrap();
        assert_eq!(words(&again), Ok(vec![1, 2, 3]), "{name}");
        assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle), "{name}");
    }
}

#[test]
fn a_count_that_was_never_written_is_no_domain_and_no_length() {
    for (name, device) in devices() {
        let src = device.upload(&[1u32, 0, 5], 1).unwrap();
        dirty(&device);
        let mut rec = device.record("compact");
        let kept = kernels::compact(&mut rec, &src).unwrap();
        let first = rec.finish().unwrap();
        let count = kept.indices.live_count().unwrap();
        let mut rec = device.record("ramp");
        let ramp = kernels::ramp(&mut rec, Domain::live(&count, 3), 7, 1).unwrap();
        let second = rec.finish().unwrap();
        is_unwritten(name, second.submit().unwrap().wait(&Exec::default()));
        let live = src.with_live(&count).unwrap();
        is_unwritten(name, words(&live));
        first.submit().unwrap();
        second.submit().unwrap();
        assert_eq!(ramp.read::<i32>().unwrap().wait().unwrap(), [7, 8], "{name}");
        assert_eq!(words(&live), Ok(vec![1, 0]), "{name}");
    }
}

#[test]
fn what_a_dispatch_over_nothing_makes_besides_is_zero() {
    for (name, device) in devices() {
        let empty = device.upload::<u32>(&[], 1).unwrap();
        for _ in 0..8 {
            dirty(&device);
            let called = Call::new(&SCAN_U32, 0).bind("src", &empty).run(&device).unwrap();
            assert_eq!(words(&called.column("total").unwrap()), Ok(vec![0]), "{name}");
            assert_eq!(words(&called.column("dst").unwrap()), Ok(vec![]), "{name}");
        }
    }
}
