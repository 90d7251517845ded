//! What fails reaches who caused it, and nobody else.
#![expect(
    clippy::unwrap_used,
    reason = "the lints spare test functions alone, not what they call"
)]

mod common;

use common::{cpu_devices, devices};
use zero_compute::*;

/// Writes `value`, and refuses 13.
static PICKY: Kernel = Kernel::declare("picky")
    .write("dst", Element::U32, Rule::Domain)
    .param("value", Param::U32(0))
    .cpu(Cpu::Whole(|b, p, _| {
        let value = p.u32("value")?;
        if value == 13 {
            return Err(Error::Invalid {
                what: "value".to_owned(),
                expected: "another number".to_owned(),
                found: value.to_string(),
            });
        }
        b.write::<u32>("dst")?.fill(value);
        Ok(())
    }));

/// Adds 1 in place; fails where the first word is 100.
static STEP: Kernel = Kernel::declare("step")
    .inout("state", Element::U32)
    .cpu(Cpu::Whole(|b, _, _| {
        for word in b.write::<u32>("state")? {
            if *word == 100 {
                return Err(Error::Cancelled).or(Err(Error::Taken));
            }
            *word += 1;
        }
        Ok(())
    }));

fn picky(device: &Device, value: u32) -> (CommandList, Column, Slot) {
    let mut recorder = device.record("picky");
    let done = recorder
        .dispatch(&PICKY, args! { value: value }, Domain::count(4))
        .unwrap();
    let (column, slot) = (done.column("dst").unwrap(), done.slot("value").unwrap());
    (recorder.finish().unwrap(), column, slot)
}

fn copy_of(column: &Column) -> (CommandList, Column) {
    let mut recorder = column.device().record("copy");
    let copy = recorder.copy(column).unwrap();
    (recorder.finish().unwrap(), copy)
}

fn words(column: &Column) -> Result<Vec<u32>> {
    column.read::<u32>()?.wait()
}

fn refused<T: std::fmt::Debug>(name: &str, result: Result<T>) {
    let error = result.unwrap_err();
    assert!(
        matches!(&error, Error::Invalid { found, .. } if found == "13"),
        "{name}: {error}"
    );
}

#[test]
fn a_failure_is_told_to_its_caller_and_to_one_drive() {
    for (name, device) in cpu_devices() {
        let (good, good_column, _) = picky(&device, 1);
        let (bad, bad_column, _) = picky(&device, 13);
        let (after, after_column, _) = picky(&device, 2);
        let submissions = [&good, &bad, &after].map(|list| list.submit().unwrap());
        // Whoever waits for what is right is not told of what is wrong, however the queue is driven.
        assert_eq!(words(&after_column), Ok(vec![2; 4]), "{name}");
        assert_eq!(words(&good_column), Ok(vec![1; 4]), "{name}");
        assert_eq!(
            submissions.each_ref().map(Submission::is_done),
            [true, false, true],
            "{name}"
        );
        assert_eq!(submissions[0].error(), None, "{name}");
        refused(name, submissions[1].error().map_or(Ok(()), Err));
        refused(name, words(&bad_column));
        refused(name, pollster::block_on(bad_column.read::<u32>().unwrap()));
        let mut polled = bad_column.read::<u32>().unwrap();
        device.poll();
        refused(name, polled.try_take().unwrap());
        refused(name, device.drive(&Exec::default()));
        assert_eq!(
            device.drive(&Exec::default()),
            Ok(Drive::Idle),
            "{name}: it is told once"
        );
        assert_eq!(device.queued(), 0, "{name}");
    }
}

#[test]
fn every_failure_that_nobody_drove_is_told_to_a_drive_of_its_own() {
    for (name, device) in cpu_devices() {
        let lists: Vec<_> = (0..3).map(|_| picky(&device, 13)).collect();
        for way in 0..3 {
            lists.iter().for_each(|(list, ..)| drop(list.submit().unwrap()));
            match way {
                0 => assert_eq!(device.poll(), 0, "{name}"),
                1 => assert_eq!(device.advance(&Exec::default()), Ok(Drive::Idle), "{name}"),
                _ => assert_eq!(words(&device.upload(&[1u32], 1).unwrap()), Ok(vec![1]), "{name}"),
            }
            for _ in &lists {
                refused(name, device.drive(&Exec::default()));
            }
            assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle), "{name}, {way}");
        }
        // A host that never asks does not pay for it for ever.
        for (list, ..) in lists.iter().cycle().take(KEPT_FAILURES + 9) {
            list.submit().unwrap();
        }
        device.poll();
        let told = (0..).take_while(|_| device.drive(&Exec::default()).is_err()).count();
        assert_eq!(told, KEPT_FAILURES, "{name}");
    }
}

/// Adds 1 in place to a whole column; panics at a 100.
static WHOLE_PANICS: Kernel = Kernel::declare("whole_panics")
    .inout("state", Element::U32)
    .cpu(Cpu::Whole(|b, _, _| {
        for word in b.write::<u32>("state")? {
            assert!(*word != 100, "the word is {word}");
            *word += 1;
        }
        Ok(())
    }));

/// Doubles; panics at a 100.
static RANGES_PANIC: Kernel = Kernel::declare("ranges_panic")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .fusion(PerElement {
        writes: "dst",
        own: &["src"],
        inert: Param::U32(0),
    })
    .wgsl("fn element(i: u32, lane: u32) -> u32 { return src_at(i, lane) * 2u; }")
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let src = b.part::<u32>("src", range)?;
        for (to, from) in b.write::<u32>("dst")?.iter_mut().zip(src) {
            assert!(*from != 100, "a hundred");
            *to = from * 2;
        }
        Ok(())
    }));

#[test]
fn a_twin_that_panics_fails_its_submission_and_the_device_goes_on() {
    let check = |name: &str, device: &Device, list: CommandList, written: &Column, message: &str| {
        let expected = Error::BadTwin {
            kernel: message.split(' ').next().unwrap().to_owned(),
            message: format!("it panicked: {}", message.split_once(' ').unwrap().1),
        };
        let submission = list.submit().unwrap();
        let (after, column, _) = picky(device, 5);
        let later = after.submit().unwrap();
        assert_eq!(device.drive(&Exec::default()), Err(expected.clone()), "{name}");
        assert_eq!(submission.error(), Some(expected.clone()), "{name}");
        assert_eq!(words(written), Err(expected), "{name}");
        assert_eq!(words(&column), Ok(vec![5; 4]), "{name}");
        assert!(later.is_done() && device.queued() == 0, "{name}");
        device.poll();
        assert_eq!(
            device.drive(&Exec::default()),
            Ok(Drive::Idle),
            "{name}: it is told once"
        );
    };
    for (name, device) in cpu_devices() {
        // The short one runs on this thread, the long one is shared among those of the pool.
        for n in [4u32, 40_000] {
            let mut numbers: Vec<u32> = (0..n).map(|i| i % 50).collect();
            let sound = device.upload(&numbers, 1).unwrap();
            numbers[n as usize - 2] = 100;
            let src = device.upload(&numbers, 1).unwrap();

            let mut rec = device.record("whole");
            rec.dispatch(&WHOLE_PANICS, args! { state: &src.clone() }, Domain::of(&src))
                .unwrap();
            let state = rec.copy(&src).unwrap();
            let list = rec.finish().unwrap();
            check(name, &device, list, &state, "whole_panics the word is 100");

            let src = device.upload(&numbers, 1).unwrap();
            let double = |rec: &mut Recorder, src: &Column| {
                let done = rec
                    .dispatch(&RANGES_PANIC, args! { src: src }, Domain::of(src))
                    .unwrap();
                done.column("dst").unwrap()
            };
            for fused in [false, true] {
                let mut rec = device.record("ranges");
                let once = double(&mut rec, &src);
                let twice = double(&mut rec, &once);
                if fused {
                    rec.fuse(Fusion::Stages, &[&twice]).unwrap();
                }
                let list = rec.finish().unwrap();
                assert_eq!(list.dispatches(), if fused { 1 } else { 2 }, "{name}");
                check(name, &device, list, &twice, "ranges_panic a hundred");
            }
            let mut rec = device.record("sound");
            let doubled = double(&mut rec, &sound);
            rec.finish().unwrap().submit().unwrap();
            let expected = (0..n).map(|i| i % 50 * 2).collect();
            assert_eq!(words(&doubled), Ok(expected), "{name}");
        }
    }
}

#[test]
fn advance_runs_on_behind_a_failure_and_drive_stops_at_it() {
    for (name, device) in cpu_devices() {
        let (bad, ..) = picky(&device, 13);
        let (good, column, _) = picky(&device, 3);
        bad.submit().unwrap();
        let stopped = good.submit().unwrap();
        refused(name, device.drive(&Exec::default()));
        assert!(!stopped.is_done() && device.queued() == 1, "{name}");
        bad.submit().unwrap();
        let passed = good.submit().unwrap();
        assert_eq!(device.advance(&Exec::default()), Ok(Drive::Idle), "{name}");
        assert!(stopped.is_done() && passed.is_done(), "{name}");
        refused(name, device.drive(&Exec::default()));
        assert_eq!(words(&column), Ok(vec![3; 4]), "{name}");
    }
}

#[test]
fn what_is_made_from_what_failed_fails_with_it_until_it_is_written() {
    for (name, device) in cpu_devices() {
        let (list, column, slot) = picky(&device, 1);
        let (copy, copied) = copy_of(&column);
        let (copy_again, copied_again) = copy_of(&copied);
        let run = || [&list, &copy, &copy_again].map(|list| list.submit().unwrap());
        run();
        assert_eq!(words(&copied_again), Ok(vec![1; 4]), "{name}");

        list.set(slot, 13u32).unwrap();
        let counting = device.counting();
        let failed = run();
        refused(name, words(&copied_again));
        for submission in failed {
            refused(name, submission.error().map_or(Ok(()), Err));
        }
        assert_eq!(
            (counting.delta().dispatches, counting.delta().submissions),
            (0, 0),
            "{name}: nothing runs on what was not made"
        );
        refused(name, device.drive(&Exec::default()));
        assert_eq!(
            device.drive(&Exec::default()),
            Ok(Drive::Idle),
            "{name}: three lists, one failure"
        );

        // Written anew by another list, or by the same one, it is whole.
        let mut recorder = device.record("fill");
        recorder.fill(&column, 9).unwrap();
        recorder.finish().unwrap().submit().unwrap();
        assert_eq!(words(&column), Ok(vec![9; 4]), "{name}");
        refused(name, words(&copied));
        list.set(slot, 4u32).unwrap();
        let mended = run();
        assert_eq!(words(&copied_again), Ok(vec![4; 4]), "{name}");
        assert!(mended.iter().all(Submission::is_done), "{name}");
        assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle), "{name}");
    }
}

#[test]
fn a_list_may_go_on_with_what_it_left_half_done_and_another_may_not() {
    for (name, device) in cpu_devices() {
        let state = device.upload(&[7u32, 100, 9], 1).unwrap();
        let mut recorder = device.record("step");
        recorder
            .dispatch(&STEP, args! { state: &state }, Domain::of(&state))
            .unwrap();
        let list = recorder.finish().unwrap();
        let first = list.submit().unwrap();
        assert_eq!(words(&state), Err(Error::Taken), "{name}");
        assert_eq!(first.error(), Some(Error::Taken), "{name}");
        let mut recorder = device.record("another");
        recorder
            .dispatch(&STEP, args! { state: &state }, Domain::of(&state))
            .unwrap();
        let another = recorder.finish().unwrap();
        let held_back = another.submit().unwrap();
        device.poll();
        assert_eq!(held_back.error(), Some(Error::Taken), "{name}");
        // The owner of the state is told, and puts it right.
        let mut recorder = device.record("begin");
        recorder.fill(&state, 1).unwrap();
        recorder.finish().unwrap().submit().unwrap();
        let again = list.submit().unwrap();
        assert_eq!(words(&state), Ok(vec![2; 3]), "{name}");
        assert!(again.is_done(), "{name}");
    }
}

#[test]
fn a_failure_is_forgotten_with_its_column() {
    let device = Device::cpu(CpuOptions::default());
    let (list, column, _) = picky(&device, 13);
    list.submit().unwrap();
    refused("cpu", words(&column));
    drop((list, column));
    // The pool hands the buffer on.
    let next = device.column(Element::U32, 1, 4).unwrap();
    assert_eq!(words(&next), Ok(vec![0; 4]));
    refused("cpu", device.drive(&Exec::default()));
}

#[test]
fn a_memory_limit_holds_whichever_threads_allocate_at_once() {
    const BYTES: u64 = 1 << 24;
    for (name, device) in [("cpu", Device::cpu(CpuOptions::default()))]
        .into_iter()
        .chain(common::gpu().map(|gpu| ("gpu", gpu)))
    {
        device.trim(0);
        let limit = device.stats().live_bytes + 3 * BYTES;
        device.set_memory_limit(limit);
        // What is made takes its time, so that all of them have looked before the first stands.
        let words = vec![1u32; BYTES as usize / 4];
        for round in 0..5 {
            let begin = std::sync::Barrier::new(8);
            let columns: Vec<_> = std::thread::scope(|scope| {
                let allocate = || {
                    begin.wait();
                    device.upload(&words, 1)
                };
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(allocate)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let (made, refused): (Vec<_>, Vec<_>) = columns.into_iter().partition(Result::is_ok);
            assert_eq!((made.len(), refused.len()), (3, 5), "{name}, round {round}");
            assert_eq!(device.stats().live_bytes, limit, "{name}, round {round}");
            for error in refused {
                let of_limit =
                    matches!(error, Err(Error::OutOfMemory { limit: Some(of), live, .. }) if of == limit && live <= of);
                assert!(of_limit, "{name}: {error:?}");
            }
            drop(made);
            device.trim(0);
        }
    }
}

#[test]
fn memory_that_runs_out_is_freed_from_the_pool_first_and_then_refused_with_both_numbers() {
    for (name, device) in devices() {
        device.trim(0);
        let live = device.stats().live_bytes;
        drop(device.column(Element::U32, 1, 1 << 14).unwrap());
        drop(device.column(Element::U32, 1, 1 << 12).unwrap());
        let kept = device.column(Element::U32, 1, 1 << 10).unwrap();
        let full = live + (1 << 12) + (1 << 17);
        device.set_memory_limit(full);
        let counting = device.counting();
        // 80 KiB wait in the pool; 128 KiB fit only without them.
        let large = device.column(Element::U32, 1, 1 << 15).unwrap();
        let delta = counting.delta();
        assert_eq!((delta.freed, delta.created, delta.pooled_bytes), (2, 1, 0), "{name}");
        assert_eq!(delta.live_bytes, full, "{name}");

        let error = device.column(Element::U32, 1, 1 << 15).unwrap_err();
        let expected = format!(
            "takes {} bytes, and {full} are in use already of the {full} that the device's memory limit allows",
            1 << 17
        );
        assert!(error.to_string().contains(&expected), "{name}: {error}");
        let refused = (1 << 17, full, Some(full));
        assert!(
            matches!(error, Error::OutOfMemory { bytes, live, limit, .. } if (bytes, live, limit) == refused),
            "{name}: {error:?}"
        );
        // A dispatch says whose output it was, and the device goes on.
        let mut recorder = device.record("t");
        let error = recorder.copy(&large).unwrap_err().to_string();
        assert!(error.contains("kernel `copy`, binding `dst`"), "{name}: {error}");
        drop(large);
        device.set_memory_limit(u64::MAX);
        assert_eq!(words(&kept), Ok(vec![0; 1 << 10]), "{name}");
    }
}

#[test]
fn trim_keeps_as_many_bytes_as_it_is_told_to() {
    for (name, device) in devices() {
        device.trim(0);
        let sizes = [1u32 << 10, 1 << 10, 1 << 12, 1 << 14];
        let columns = sizes.map(|words| device.column(Element::U32, 1, words).unwrap());
        drop(columns);
        let pooled = device.stats().pooled_bytes;
        assert_eq!(
            pooled,
            4 * sizes.iter().map(|words| u64::from(*words)).sum::<u64>(),
            "{name}"
        );
        assert_eq!(device.trim(pooled), Trimmed::default(), "{name}");
        // The largest goes first, and one is enough.
        let trimmed = device.trim(pooled - 1);
        assert_eq!((trimmed.buffers, trimmed.bytes), (1, 1 << 16), "{name}");
        let trimmed = device.trim(4096);
        assert_eq!((trimmed.buffers, trimmed.bytes), (2, (1 << 14) + (1 << 12)), "{name}");
        assert_eq!(device.stats().pooled_bytes, 4096, "{name}");
        let trimmed = device.trim(0);
        assert_eq!((trimmed.buffers, device.stats().pooled_bytes), (1, 0), "{name}");
        assert_eq!(device.trim(0), Trimmed::default(), "{name}");
    }
}

#[cfg(feature = "gpu")]
mod gpu {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn fill(column: &Column, bits: u32) -> CommandList {
        let mut recorder = column.device().record("fill");
        recorder.fill(column, bits).unwrap();
        recorder.finish().unwrap()
    }

    /// What wgpu refuses when a list runs: here a buffer that was destroyed behind the device's back.
    fn check_refusal(device: &Device) {
        let (broken, whole) = (
            device.column(Element::U32, 1, 4).unwrap(),
            device.column(Element::U32, 1, 4).unwrap(),
        );
        let (fill_broken, fill_whole) = (fill(&broken, 5), fill(&whole, 6));
        let (copy, copied) = copy_of(&broken);
        broken.wgpu_buffer().unwrap().destroy();
        let submissions = [&fill_broken, &fill_whole, &copy].map(|list| list.submit().unwrap());
        assert_eq!(words(&whole), Ok(vec![6; 4]));
        let error = submissions[0].error().unwrap();
        assert!(
            matches!(&error, Error::Gpu { what, .. } if what == "list `fill`"),
            "{error}"
        );
        assert!(submissions[1].is_done() && submissions[1].error().is_none());
        assert_eq!(submissions[2].error(), Some(error.clone()));
        assert_eq!(words(&broken), Err(error.clone()));
        assert_eq!(words(&copied), Err(error.clone()));
        assert_eq!(device.drive(&Exec::default()), Err(error));
        assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle));
        // A read-back that fails by itself is told of it too.
        let other = device.column(Element::U32, 1, 4).unwrap();
        other.wgpu_buffer().unwrap().destroy();
        let error = words(&other).unwrap_err();
        assert!(
            matches!(&error, Error::Gpu { what, .. } if what == "a read-back"),
            "{error}"
        );
        device.poll();
        assert_eq!(device.drive(&Exec::default()), Err(error));
        assert_eq!(words(&whole), Ok(vec![6; 4]));
        // What was destroyed must not come back from the pool.
        drop((fill_broken, copy, broken, other));
        device.trim(0);
    }

    #[test]
    fn what_a_gpu_refuses_reaches_the_submission_and_what_depends_on_it() {
        let Some(device) = common::gpu() else { return };
        check_refusal(&device);
    }

    #[test]
    fn a_hosts_device_tells_us_through_scopes_and_its_handlers_stay_its_own() {
        static BAD: Kernel = Kernel::declare("bad")
            .write("dst", Element::F32, Rule::Domain)
            .wgsl("@compute @workgroup_size(256) fn main() { dst[0] = 1u; }");
        let Some(opened) = common::gpu() else { return };
        // The device as a host has it: its own handlers, and ours beside it.
        let (host, queue) = opened.wgpu().unwrap();
        let (uncaptured, lost) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counter = uncaptured.clone();
        host.on_uncaptured_error(Arc::new(move |_| {
            counter.fetch_add(1, Ordering::AcqRel);
        }));
        let counter = lost.clone();
        host.set_device_lost_callback(move |_, _| {
            counter.fetch_add(1, Ordering::AcqRel);
        });
        let device = Device::from_wgpu(host, queue).unwrap();
        let mut recorder = device.record("bad");
        recorder.dispatch(&BAD, args! {}, Domain::count(1)).unwrap();
        let error = recorder.finish().unwrap_err();
        assert!(matches!(error, Error::BadShader { .. }), "{error}");
        check_refusal(&device);
        assert_eq!(
            uncaptured.load(Ordering::Acquire),
            0,
            "no error of ours is left to the host"
        );

        let column = device.column(Element::U32, 1, 4).unwrap();
        let list = fill(&column, 7);
        let submission = list.submit().unwrap();
        host.destroy();
        let is_lost = |what: &str, error: Option<Error>| {
            assert!(matches!(error, Some(Error::DeviceLost { .. })), "{what}: {error:?}");
        };
        is_lost("a wait", words(&column).err());
        is_lost("a submission under way", submission.error());
        is_lost("a submission", list.submit().err());
        is_lost("an upload", device.upload(&[1u32], 1).err());
        is_lost("a column", device.column(Element::U32, 1, 1 << 20).err());
        device.poll();
        is_lost("a drive", device.drive(&Exec::default()).err());
        assert_eq!(lost.load(Ordering::Acquire), 1, "the host hears of the loss itself");
        assert_eq!(uncaptured.load(Ordering::Acquire), 0);
        // Something else that the host owns is made anew.
        let another = common::gpu().unwrap();
        let (host, queue) = another.wgpu().unwrap();
        let device = Device::from_wgpu(host, queue).unwrap();
        let column = device.column(Element::U32, 1, 4).unwrap();
        fill(&column, 8).submit().unwrap();
        assert_eq!(words(&column), Ok(vec![8; 4]));
    }

    #[test]
    fn adapters_are_listed_and_one_of_them_is_opened() {
        let Some(opened) = common::gpu() else { return };
        let adapters = adapters_blocking();
        let found = adapters.iter().find(|adapter| adapter.info() == opened.info()).unwrap();
        assert!(found.is_suitable() && found.lacks().is_empty(), "{found}");
        assert_eq!(found.info().software, found.kind() == wgpu::DeviceType::Cpu);
        assert!(found.to_string().contains(&found.info().name), "{found}");
        let device = found.open_blocking(Limits::Adapter).unwrap();
        assert_eq!(device.info(), opened.info());
        assert!(device.limits().max_binding_bytes >= opened.limits().max_binding_bytes);
        let column = device.upload(&[1u32, 2], 1).unwrap();
        assert_eq!(words(&column), Ok(vec![1, 2]));
        let listed = pollster::block_on(zero_compute::adapters());
        assert_eq!(listed.len(), adapters.len());
    }
}
