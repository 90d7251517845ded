//! How long work runs: cancel, budgets, the parts of a long list, progress.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{cpu_devices, devices};
use zero_compute::*;

/// Every element times a number.
static SCALE: Kernel = Kernel::declare("scale")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .param("by", Param::U32(2))
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = src[i] * params.by; }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, by) = (b.read::<u32>("src")?, b.write::<u32>("dst")?, p.u32("by")?);
        for (d, s) in dst.iter_mut().zip(&src[range]) {
            *d = s.wrapping_mul(by);
        }
        Ok(())
    }));

fn read(column: &Column) -> Vec<u32> {
    column.read::<u32>().unwrap().wait().unwrap()
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761) >> 3).collect()
}

static CALLS: AtomicU32 = AtomicU32::new(0);
static STOP: Mutex<Option<(u32, CancelToken)>> = Mutex::new(None);

/// Counts its slices, and cancels a token in the one it is told to.
static COUNTED: Kernel = Kernel::declare("counted")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let call = CALLS.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((at, token)) = &*STOP.lock().unwrap()
            && *at == call
        {
            token.cancel();
        }
        assert!(range.len() <= SLICE as usize);
        b.write::<u32>("dst")?.copy_from_slice(&b.read::<u32>("src")?[range]);
        Ok(())
    }));

#[test]
fn cancel_returns_within_a_slice_and_a_later_drive_finishes() {
    let device = Device::cpu(CpuOptions::default());
    let input = numbers(SLICE * 5 + 17);
    let src = device.upload(&input, 1).unwrap();
    let mut rec = device.record("long");
    let out = rec
        .dispatch(&COUNTED, args! { src: &src }, Domain::of(&src))
        .unwrap()
        .column("dst")
        .unwrap();
    let list = rec.finish().unwrap();
    CALLS.store(0, Ordering::SeqCst);
    let token = CancelToken::new();
    *STOP.lock().unwrap() = Some((2, token.clone()));
    let submission = list.submit().unwrap();
    let exec = Exec {
        cancel: &token,
        ..Exec::default()
    };
    assert_eq!(device.drive(&exec), Err(Error::Cancelled));
    assert_eq!(
        CALLS.load(Ordering::SeqCst),
        2,
        "no slice begins after the one that was cancelled"
    );
    assert_eq!(device.drive(&exec), Err(Error::Cancelled));
    assert_eq!(
        (CALLS.load(Ordering::SeqCst), device.queued(), submission.is_done()),
        (2, 1, false)
    );
    assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle));
    assert_eq!(
        (CALLS.load(Ordering::SeqCst), submission.is_done()),
        (6, true),
        "no slice runs twice"
    );
    assert!(read(&out) == input);
}

static TOKEN: Mutex<Option<CancelToken>> = Mutex::new(None);

/// Adds one in place, and cancels after its first 65 536 elements where it is told to.
static ADD_AND_STOP: Kernel = Kernel::declare("add_and_stop")
    .inout("data", Element::U32)
    .cpu(Cpu::Whole(|b, _, x| {
        for part in b.write::<u32>("data")?.chunks_mut(SLICE as usize) {
            x.checkpoint()?;
            part.iter_mut().for_each(|v| *v += 1);
            if let Some(token) = TOKEN.lock().unwrap().take() {
                token.cancel();
            }
        }
        Ok(())
    }));

#[test]
fn a_whole_function_that_is_cancelled_in_place_begins_again_from_what_was_there() {
    let device = Device::cpu(CpuOptions::default());
    let data = device.column(Element::U32, 1, SLICE * 2).unwrap();
    let mut rec = device.record("in place");
    rec.dispatch(&ADD_AND_STOP, args! { data: &data }, Domain::of(&data))
        .unwrap();
    let list = rec.finish().unwrap();
    let token = CancelToken::new();
    *TOKEN.lock().unwrap() = Some(token.clone());
    list.submit().unwrap();
    assert_eq!(
        device.drive(&Exec {
            cancel: &token,
            ..Exec::default()
        }),
        Err(Error::Cancelled)
    );
    assert!(read(&data).iter().all(|v| *v == 1));
}

static FEW: Mutex<Option<CancelToken>> = Mutex::new(None);

/// One element that is made of a long column. It is cancelled on its way where it is told to be.
static LAST: Kernel = Kernel::declare("last")
    .read("src", Element::U32)
    .inout("dst", Element::U32)
    .cpu(Cpu::Whole(|b, _, x| {
        let (src, dst) = (b.read::<u32>("src")?, b.write::<u32>("dst")?);
        for part in src.chunks(SLICE as usize) {
            x.checkpoint()?;
            dst[0] += part[0];
            if let Some(token) = FEW.lock().unwrap().take() {
                token.cancel();
            }
        }
        Ok(())
    }));

#[test]
fn few_elements_with_much_work_can_be_cancelled() {
    for (name, device) in cpu_devices() {
        for (words, expected) in [(SLICE, Ok(Drive::Idle)), (2 * SLICE, Err(Error::Cancelled))] {
            let src = device.upload(&vec![1u32; words as usize], 1).unwrap();
            let dst = device.upload(&[5u32], 1).unwrap();
            let mut rec = device.record("few");
            rec.dispatch(&LAST, args! { src: &src, dst: &dst }, Domain::count(1))
                .unwrap();
            let list = rec.finish().unwrap();
            let token = CancelToken::new();
            *FEW.lock().unwrap() = Some(token.clone());
            let submission = list.submit().unwrap();
            let exec = Exec {
                cancel: &token,
                ..Exec::default()
            };
            // What is no more than a slice is not stopped on its way.
            assert_eq!(device.drive(&exec), expected, "{name}, {words} words");
            assert_eq!(submission.is_done(), expected.is_ok(), "{name}");
            assert_eq!(
                read(&dst),
                [5 + words / SLICE],
                "{name}: it began again from what was there"
            );
        }
    }
}

#[test]
fn a_gpu_looks_at_its_token_between_lists() {
    for (name, device) in devices() {
        let src = device.upload(&[4u32], 1).unwrap();
        let mut rec = device.record("scale");
        let out = rec
            .dispatch(&SCALE, args! { src: &src }, Domain::of(&src))
            .unwrap()
            .column("dst")
            .unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        list.submit().unwrap();
        let token = CancelToken::new();
        token.cancel();
        let counting = device.counting();
        assert_eq!(
            device.drive(&Exec {
                cancel: &token,
                ..Exec::default()
            }),
            Err(Error::Cancelled),
            "{name}"
        );
        assert_eq!((device.queued(), counting.delta().dispatches), (2, 0), "{name}");
        assert_eq!(read(&out), [8], "{name}");
    }
}

/// A chain of one scaling after another, so that a part that is left out or runs twice shows in the result.
fn chain(device: &Device, dispatches: u32) -> (CommandList, Column) {
    let src = device.upload(&[1u32], 1).unwrap();
    let mut rec = device.record("chain");
    let mut last = src;
    for _ in 0..dispatches {
        let args = args! { src: &last, by: 3u32 };
        last = rec
            .dispatch(&SCALE, args, Domain::of(&last))
            .unwrap()
            .column("dst")
            .unwrap();
    }
    (rec.finish().unwrap(), last)
}

#[test]
fn a_gpu_is_handed_a_list_in_parts_of_a_stated_number_of_dispatches() {
    let Some(device) = common::gpu() else { return };
    for (dispatches, parts) in [
        (1, 1),
        (PART_DISPATCHES, 1),
        (PART_DISPATCHES + 1, 2),
        (2 * PART_DISPATCHES + 2, 3),
    ] {
        let (list, out) = chain(&device, dispatches);
        let counting = device.counting();
        list.submit().unwrap();
        assert_eq!(read(&out), [3u32.wrapping_pow(dispatches)], "{dispatches} dispatches");
        let delta = counting.delta();
        assert_eq!(
            (delta.parts, delta.submissions, delta.dispatches, delta.param_writes),
            (parts, 1, u64::from(dispatches), 0)
        );
    }
}

#[test]
fn a_list_of_many_elements_is_handed_over_in_parts() {
    let Some(device) = common::gpu() else { return };
    let column = device.column(Element::U32, 1, 1 << 25).unwrap();
    let mut rec = device.record("large fills");
    for bits in [1, 2, 3] {
        rec.fill(&column, bits).unwrap();
    }
    let list = rec.finish().unwrap();
    let counting = device.counting();
    list.submit().unwrap();
    device.drive(&Exec::default()).unwrap();
    assert_eq!((counting.delta().parts, counting.delta().dispatches), (2, 3));
    let front = device.upload(&[2u32], 1).unwrap();
    assert_eq!(
        read(&column.reinterpret(1 << 20).unwrap().with_live(&front).unwrap())[1 << 20],
        3
    );
}

#[test]
fn cancel_and_budget_stop_between_the_parts_of_a_list() {
    struct CancelAtOnce(CancelToken);
    impl Progress for CancelAtOnce {
        fn report(&self, _: f32, _: &str) {
            self.0.cancel();
        }
    }
    let Some(device) = common::gpu() else { return };
    let dispatches = 2 * PART_DISPATCHES + 2;
    let (list, out) = chain(&device, dispatches);
    let counting = device.counting();
    let submission = list.submit().unwrap();
    let stop = CancelAtOnce(CancelToken::new());
    let cancelled = device.drive(&Exec {
        cancel: &stop.0,
        progress: &stop,
        ..Exec::default()
    });
    assert_eq!((cancelled, counting.delta().parts), (Err(Error::Cancelled), 1));
    let nothing_left = Exec {
        budget_ms: Some(0.0),
        clock: &ManualClock::new(),
        ..Exec::default()
    };
    assert_eq!(
        (device.drive(&nothing_left), counting.delta().parts),
        (Ok(Drive::Budget), 2)
    );
    assert!(!submission.is_done());
    assert_eq!(device.drive(&nothing_left), Ok(Drive::Idle));
    assert_eq!(read(&out), [3u32.wrapping_pow(dispatches)]);
    let delta = counting.delta();
    assert_eq!(
        (delta.parts, delta.submissions, delta.dispatches),
        (3, 1, u64::from(dispatches))
    );

    let abandoned = list.submit().unwrap();
    assert_eq!(device.drive(&nothing_left), Ok(Drive::Budget));
    abandoned.abandon();
    assert_eq!(
        (device.drive(&Exec::default()), counting.delta().parts),
        (Ok(Drive::Idle), 4)
    );
    assert_eq!(counting.delta().submissions, 1);
}

static BUDGET_CLOCK: ManualClock = ManualClock::new();
static TICK: Kernel = Kernel::declare("tick")
    .write("dst", Element::U32, Rule::Domain)
    .cpu(Cpu::Ranges(|_, b, _, _| {
        BUDGET_CLOCK.advance_ms(1.0);
        b.write::<u32>("dst")?.fill(1);
        Ok(())
    }));

#[test]
fn a_budget_ends_a_drive_at_a_slice_and_the_next_goes_on() {
    let device = Device::cpu(CpuOptions::default());
    let mut rec = device.record("ticks");
    rec.dispatch(&TICK, args! {}, Domain::count(SLICE * 4)).unwrap();
    let list = rec.finish().unwrap();
    let submission = list.submit().unwrap();
    let drive = |budget_ms| {
        let start = BUDGET_CLOCK.now_ms();
        let end = device
            .drive(&Exec {
                budget_ms: Some(budget_ms),
                clock: &BUDGET_CLOCK,
                ..Exec::default()
            })
            .unwrap();
        (end, BUDGET_CLOCK.now_ms() - start)
    };
    assert_eq!(drive(1.5), (Drive::Budget, 2.0));
    assert_eq!(
        drive(0.0),
        (Drive::Budget, 1.0),
        "a budget of nothing still runs one slice"
    );
    assert!(!submission.is_done());
    assert_eq!(drive(100.0), (Drive::Idle, 1.0));
    assert!(submission.is_done());
}

#[test]
fn progress_rises_to_one() {
    struct Heard(Mutex<Vec<f32>>);
    impl Progress for Heard {
        fn report(&self, fraction: f32, _: &str) {
            self.0.lock().unwrap().push(fraction);
        }
    }
    for (name, device) in devices() {
        let src = device.upload(&numbers(SLICE * 3), 1).unwrap();
        let mut rec = device.record("scale");
        rec.dispatch(&SCALE, args! { src: &src }, Domain::of(&src)).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        list.submit().unwrap();
        let heard = Heard(Mutex::default());
        device
            .drive(&Exec {
                progress: &heard,
                ..Exec::default()
            })
            .unwrap();
        let heard = heard.0.into_inner().unwrap();
        assert!(heard.is_sorted() && heard.last() == Some(&1.0), "{name}: {heard:?}");
    }
}
