//! What is waited for: read-backs, guards and submissions, on both backends.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{cpu_devices, devices};
use zero_compute::*;

/// Drives until `take` answers, as a host does frame by frame.
fn by_frames<T>(device: &Device, mut take: impl FnMut() -> Option<T>) -> T {
    loop {
        device.poll();
        match take() {
            Some(taken) => return taken,
            None => std::thread::yield_now(),
        }
    }
}

fn fill(column: &Column, bits: u32) -> CommandList {
    let mut rec = column.device().record("fill");
    rec.fill(column, bits).unwrap();
    rec.finish().unwrap()
}

#[test]
fn an_answer_arrives_once_and_says_so_afterwards() {
    for (name, device) in devices() {
        let column = device.upload(&[3u32, 4], 1).unwrap();
        let taken = || {
            let mut readback = column.read::<u32>().unwrap();
            assert_eq!(by_frames(&device, || readback.try_take()), Ok(vec![3, 4]), "{name}");
            assert!(readback.try_take().is_none(), "{name}");
            readback
        };
        assert_eq!(taken().wait(), Err(Error::Taken), "{name}");
        assert_eq!(pollster::block_on(taken()), Err(Error::Taken), "{name}");

        let mut rec = device.record("guarded");
        rec.guard("count", &column, 2).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        let taken = || {
            let mut answer = list.outgrown().unwrap();
            let found = by_frames(&device, || answer.try_take()).unwrap();
            assert_eq!((found[0].count, found[0].room), (3, 2), "{name}");
            assert!(answer.try_take().is_none(), "{name}");
            answer
        };
        assert_eq!(taken().wait(), Err(Error::Taken), "{name}");
        assert_eq!(pollster::block_on(taken()), Err(Error::Taken), "{name}");
    }
}

#[test]
fn a_column_that_is_read_as_another_kind_says_what_it_holds() {
    for (name, device) in devices() {
        let column = device.upload(&[1.0f32], 1).unwrap();
        let error = column.read::<u32>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the column holds f32 and was to be read as u32; read it as f32, or cast it first",
            "{name}"
        );
    }
}

#[test]
fn a_submission_is_waited_for_without_a_read_back() {
    for (name, device) in devices() {
        let column = device.column(Element::U32, 1, 1000).unwrap();
        let list = fill(&column, 7);
        let counting = device.counting();
        let waited = list.submit().unwrap();
        assert!(!waited.is_done(), "{name}: nothing has run");
        waited.wait(&Exec::default()).unwrap();
        assert!(waited.is_done() && waited.error().is_none(), "{name}");
        // Waiting again is no work.
        waited.wait(&Exec::default()).unwrap();

        let awaited = list.submit().unwrap();
        pollster::block_on(async { (&awaited).await }).unwrap();
        assert!(awaited.is_done(), "{name}");
        pollster::block_on(async { awaited.await }).unwrap();
        let delta = counting.delta();
        assert_eq!((delta.submissions, delta.readbacks), (2, 0), "{name}");
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [7; 1000], "{name}");
    }
}

#[test]
fn a_wait_for_a_submission_tells_how_it_ended() {
    for (name, device) in devices() {
        let column = device.column(Element::U32, 1, 4).unwrap();
        let list = fill(&column, 7);
        // Abandoned before it ran.
        let abandoned = list.submit().unwrap();
        abandoned.abandon();
        assert_eq!(abandoned.wait(&Exec::default()), Err(Error::Abandoned), "{name}");
        assert_eq!(
            pollster::block_on(async { (&abandoned).await }),
            Err(Error::Abandoned),
            "{name}"
        );
        // Cancelled: it keeps its place, and a later wait ends.
        let cancel = CancelToken::new();
        cancel.cancel();
        let exec = Exec {
            cancel: &cancel,
            ..Exec::default()
        };
        let cancelled = list.submit().unwrap();
        assert_eq!(cancelled.wait(&exec), Err(Error::Cancelled), "{name}");
        assert!(!cancelled.is_done(), "{name}");
        cancelled.wait(&Exec::default()).unwrap();
        // A budget does not end a wait.
        let clock = ManualClock::new();
        let exec = Exec {
            budget_ms: Some(0.0),
            clock: &clock,
            ..Exec::default()
        };
        list.submit().unwrap().wait(&exec).unwrap();
    }
}

/// Refuses 13.
static PICKY: Kernel = Kernel::declare("picky")
    .write("dst", Element::U32, Rule::Domain)
    .param("value", Param::U32(0))
    .cpu(Cpu::Whole(|b, p, _| match p.u32("value")? {
        13 => Err(Error::Cancelled).or(Err(Error::BuildPanicked)),
        value => {
            b.write::<u32>("dst")?.fill(value);
            Ok(())
        }
    }));

#[test]
fn a_wait_for_a_submission_that_fails_has_its_error_and_no_others() {
    for (name, device) in cpu_devices() {
        let record = |value: u32| {
            let mut rec = device.record("picky");
            rec.dispatch(&PICKY, args! { value: value }, Domain::count(4)).unwrap();
            rec.finish().unwrap()
        };
        let (good, bad) = (record(1), record(13));
        let submissions = [&bad, &good, &bad].map(|list| list.submit().unwrap());
        assert_eq!(submissions[1].wait(&Exec::default()), Ok(()), "{name}");
        for failed in [&submissions[0], &submissions[2]] {
            assert_eq!(failed.wait(&Exec::default()), Err(Error::BuildPanicked), "{name}");
            let awaited = pollster::block_on(async { failed.await });
            assert_eq!(awaited, Err(Error::BuildPanicked), "{name}");
        }
    }
}

/// Who awaits on one thread is woken by the thread that drives.
#[test]
fn an_await_ends_when_another_thread_runs_the_list() {
    let device = Device::cpu(CpuOptions::default());
    let column = device.column(Element::U32, 1, 4).unwrap();
    let list = fill(&column, 7);
    for _ in 0..200 {
        let submission = list.submit().unwrap();
        std::thread::scope(|scope| {
            let driver = device.clone();
            scope.spawn(move || driver.poll());
            pollster::block_on(async { (&submission).await }).unwrap();
        });
        assert!(submission.is_done());
    }
}

/// Of two futures of one list the one that is dropped before its end lets go of nothing that the other waits for.
#[test]
fn a_future_that_is_dropped_leaves_another_of_the_same_list_waiting() {
    use std::future::IntoFuture;
    use std::pin::pin;
    use std::task::{Context, Waker};

    for (name, device) in devices() {
        let mut column = device.upload(&vec![1u32; 1 << 18], 1).unwrap();
        let mut rec = device.record("long");
        for _ in 0..10 {
            column = kernels::scan(&mut rec, &column, kernels::Form::Inclusive).unwrap().dst;
        }
        let submission = rec.finish().unwrap().submit().unwrap();
        let mut second = pin!((&submission).into_future());
        let mut noop = Context::from_waker(Waker::noop());
        let is_pending = second.as_mut().poll(&mut noop).is_pending();
        assert_eq!(
            is_pending,
            name.contains("gpu"),
            "{name}: a CPU runs it where it is polled"
        );
        {
            let mut first = pin!((&submission).into_future());
            assert_eq!(first.as_mut().poll(&mut noop).is_pending(), is_pending, "{name}");
        }
        // It shows without anybody who polls it or the device, so there is still a thread that does.
        let start = std::time::Instant::now();
        while !submission.is_done() {
            assert!(start.elapsed().as_secs() < 60, "{name}: nobody polls for the second");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}
