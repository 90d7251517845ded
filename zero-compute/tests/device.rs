//! Columns: upload, read back, views, limits and the pool.
#![expect(
    clippy::unwrap_used,
    reason = "the lints spare test functions alone, not what they call"
)]

mod common;

use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use common::{cpu_devices, devices};
use zero_compute::{Column, CommandList, Device, Element, Error, Len, kernels};

#[test]
fn what_is_uploaded_comes_back() {
    for (name, device) in devices() {
        for len in [0usize, 1, 3, 64, 65, 1000, 70_001] {
            let words: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
            let column = device.upload(&words, 1).unwrap();
            assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), words, "{name}, {len}");
        }
        let floats = [1.0f32, -0.0, f32::MIN_POSITIVE, 3.5, f32::MAX, 0.1];
        let column = device.upload(&floats, 3).unwrap();
        assert_eq!(
            (column.capacity(), column.lanes(), column.element()),
            (2, 3, Element::F32),
            "{name}"
        );
        let back = column.read::<f32>().unwrap().wait().unwrap();
        assert_eq!(back.map_bits(), floats.to_vec().map_bits(), "{name}");
        let ints = [-1i32, i32::MIN, i32::MAX];
        assert_eq!(
            device.upload(&ints, 1).unwrap().read::<i32>().unwrap().wait().unwrap(),
            ints,
            "{name}"
        );
    }
}

trait MapBits {
    fn map_bits(&self) -> Vec<u32>;
}
impl MapBits for Vec<f32> {
    fn map_bits(&self) -> Vec<u32> {
        self.iter().map(|v| v.to_bits()).collect()
    }
}

#[test]
fn a_new_column_is_zero_even_in_a_used_buffer() {
    for (name, device) in devices() {
        drop(device.upload(&[7u32; 100], 1).unwrap());
        let column = device.column(Element::U32, 1, 90).unwrap();
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), vec![0; 90], "{name}");
        let live = device.live_column(Element::F32, 2, 10).unwrap();
        assert!(matches!(live.len(), Len::Live { capacity: 10, .. }), "{name}");
        assert_eq!(live.read::<f32>().unwrap().wait().unwrap(), [0.0f32; 0], "{name}");
        assert_eq!(
            live.as_capacity().read::<f32>().unwrap().wait().unwrap(),
            [0.0f32; 20],
            "{name}"
        );
    }
}

#[test]
fn a_live_column_reads_its_front_and_never_past_its_capacity() {
    for (name, device) in devices() {
        let items = device.upload(&[1u32, 2, 3, 4, 5, 6], 2).unwrap();
        let read = |count: u32| {
            let count = device.upload(&[count], 1).unwrap();
            items.with_live(&count).unwrap().read::<u32>().unwrap().wait().unwrap()
        };
        assert_eq!(read(0), [0u32; 0], "{name}");
        assert_eq!(read(2), [1, 2, 3, 4], "{name}");
        assert_eq!(read(4_000_000_000), [1, 2, 3, 4, 5, 6], "{name}");
    }
}

#[test]
fn words_that_do_not_divide_are_refused() {
    for (name, device) in devices() {
        let error = device.upload(&[1.0f32; 7], 3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "uploaded column: 7 words do not divide into elements of 3 lanes",
            "{name}"
        );
        assert!(
            matches!(device.upload(&[1.0f32], 0), Err(Error::BadLanes { lanes: 0, .. })),
            "{name}"
        );
        assert!(
            matches!(device.column(Element::F32, 0, 4), Err(Error::BadLanes { .. })),
            "{name}"
        );
        let column = device.upload(&[1.0f32; 6], 3).unwrap();
        assert_eq!(column.reinterpret(2).unwrap().capacity(), 3, "{name}");
        assert!(
            matches!(column.reinterpret(4), Err(Error::BadLanes { words: 6, lanes: 4, .. })),
            "{name}"
        );
        assert!(matches!(column.reinterpret(0), Err(Error::BadLanes { .. })), "{name}");
    }
}

#[test]
fn reading_as_another_element_is_refused() {
    for (name, device) in devices() {
        let column: Column = device.upload(&[1.0f32], 1).unwrap();
        let error = column.read::<u32>().unwrap_err().to_string();
        assert!(error.contains("f32") && error.contains("u32"), "{name}: {error}");
    }
}

#[test]
fn too_large_a_column_is_refused_with_both_numbers() {
    for (name, device) in devices() {
        let error = device.column(Element::F32, 4, u32::MAX).unwrap_err();
        let (bytes, limit) = (u64::from(u32::MAX) * 16, device.limits().max_binding_bytes);
        assert!(
            matches!(&error, Error::TooLarge { bytes: b, limit: l, .. } if (*b, *l) == (bytes, limit)),
            "{name}"
        );
        let text = error.to_string();
        assert!(
            text.contains(&bytes.to_string()) && text.contains(&limit.to_string()),
            "{name}: {text}"
        );
    }
}

#[test]
fn buffers_return_to_the_pool() {
    for (name, device) in devices() {
        let round = || {
            let a = device.upload(&[1u32; 5000], 1).unwrap();
            let b = device.column(Element::U32, 1, 300).unwrap();
            a.read::<u32>().unwrap().wait().unwrap();
            b.read::<u32>().unwrap().wait().unwrap();
        };
        round();
        let counting = device.counting();
        for _ in 0..5 {
            round();
        }
        let delta = counting.delta();
        assert_eq!(
            (delta.created, delta.allocations, delta.uploads, delta.readbacks),
            (0, 10, 5, 10),
            "{name}"
        );
        assert_eq!(delta.upload_bytes, 5 * 20_000, "{name}");
        assert_eq!(delta.readback_bytes, 5 * (20_000 + 1200), "{name}");
        assert!(delta.pooled_bytes >= 32_768 + 2048, "{name}: {delta:?}");
    }
}

#[test]
fn trim_frees_the_pool() {
    for (name, device) in common::cpu_devices() {
        let kept = device.column(Element::U32, 1, 64).unwrap();
        drop(device.column(Element::U32, 1, 1000).unwrap());
        let before = device.stats();
        assert_eq!((before.live_bytes, before.pooled_bytes), (256, 4096), "{name}");
        let trimmed = device.trim(0);
        assert_eq!((trimmed.buffers, trimmed.bytes), (1, 4096), "{name}");
        let after = device.stats();
        assert_eq!((after.live_bytes, after.pooled_bytes), (256, 0), "{name}");
        drop(kept);
        assert_eq!(
            (device.stats().live_bytes, device.stats().pooled_bytes),
            (0, 256),
            "{name}"
        );
    }
}

#[test]
fn readbacks_are_asynchronous() {
    for (name, device) in devices() {
        let column = device.upload(&[3u32, 4], 1).unwrap();
        device.poll();
        let mut read = column.read::<u32>().unwrap();
        assert_eq!(device.queued(), 1, "{name}");
        assert!(
            read.try_take().is_none(),
            "{name}: nothing lands before the device is driven"
        );
        let mut landed = 0;
        let mut words = None;
        for _ in 0..10_000 {
            landed += device.poll();
            words = read.try_take();
            if words.is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert_eq!(words.unwrap().unwrap(), [3, 4], "{name}");
        assert_eq!(landed, 1, "{name}");
        assert!(read.try_take().is_none(), "{name}: words are taken once");
        let awaited = pollster::block_on(column.read::<u32>().unwrap()).unwrap();
        assert_eq!(awaited, [3, 4], "{name}");
    }
}

/// Runs a future to its end, polling it when it is woken alone; answers how often that was.
fn block_on<F: Future>(future: F) -> (F::Output, u32) {
    struct Woken(Mutex<bool>, Condvar);
    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            *self.0.lock().unwrap() = true;
            self.1.notify_one();
        }
    }
    let woken = Arc::new(Woken(Mutex::new(true), Condvar::new()));
    let waker = Waker::from(woken.clone());
    let mut future = std::pin::pin!(future);
    let mut polls = 0;
    loop {
        let mut is_woken = woken.0.lock().unwrap();
        while !std::mem::take(&mut *is_woken) {
            is_woken = woken.1.wait(is_woken).unwrap();
        }
        drop(is_woken);
        polls += 1;
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return (output, polls);
        }
    }
}

/// A list that takes a software adapter a while, and a column of two ones that it writes last.
fn long_list(device: &Device) -> (CommandList, Column) {
    let mut rec = device.record("long");
    let mut column = device.upload(&vec![1u32; 1 << 20], 1).unwrap();
    for _ in 0..20 {
        column = kernels::scan(&mut rec, &column, kernels::Form::Inclusive).unwrap().dst;
    }
    let first = device.upload(&[0i32; 2], 1).unwrap();
    let ones = kernels::gather(&mut rec, &column, &first).unwrap();
    (rec.finish().unwrap(), ones)
}

#[test]
fn what_is_awaited_is_polled_when_it_is_there_and_not_before() {
    for (name, device) in devices() {
        let (list, ones) = long_list(&device);
        for round in 0..3 {
            list.submit().unwrap();
            let (words, polls) = block_on(ones.read::<u32>().unwrap());
            assert_eq!(words, Ok(vec![1, 1]), "{name}");
            assert!(polls <= 2, "{name}, round {round}: polled {polls} times");
        }
        let (end, polls) = block_on(list.submit().unwrap().into_future());
        assert_eq!(end, Ok(()), "{name}");
        assert!(polls <= 2, "{name}: a submission was polled {polls} times");
        // Two at once, of which the second is asked for while the first is waited for.
        let both = async {
            let (a, b) = (ones.read::<u32>()?, ones.read::<u32>()?);
            Ok::<_, Error>((a.await?, b.await?))
        };
        assert_eq!(block_on(both).0, Ok((vec![1, 1], vec![1, 1])), "{name}");
    }
}

#[test]
fn a_read_back_that_is_under_way_counts_for_the_memory_limit() {
    let Some(device) = common::gpu() else { return };
    let column = device.upload(&vec![7u32; 1 << 18], 1).unwrap();
    device.poll();
    device.trim(0);
    let start = device.stats();
    assert_eq!(
        (start.live_bytes, start.pooled_bytes, start.reading_bytes),
        (1 << 20, 0, 0)
    );
    // 1 MiB goes through a buffer of 1 MiB, and nothing is taken in between two that are handed over at once.
    device.set_memory_limit(1 << 21);
    let [first, second] = [(); 2].map(|()| column.read::<u32>().unwrap());
    let refused = |error: Result<(), Error>| {
        let error = error.unwrap_err();
        assert!(matches!(&error, Error::OutOfMemory { bytes: 1_048_576, .. }), "{error}");
    };
    refused(device.drive(&zero_compute::Exec::default()).map(drop));
    refused(second.wait().map(drop));
    assert_eq!(first.wait().unwrap(), vec![7; 1 << 18]);
    let stats = device.stats();
    assert_eq!((stats.pooled_bytes, stats.reading_bytes), (1 << 20, 0));
    // One after the other they fit.
    for _ in 0..3 {
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), vec![7; 1 << 18]);
    }
    assert_eq!(device.stats().created - start.created, 1);
    // With a live count there is a word more, and with it the next size.
    device.set_memory_limit(u64::MAX);
    let live = column.with_live(&device.upload(&[5u32], 1).unwrap()).unwrap();
    assert_eq!(live.read::<u32>().unwrap().wait().unwrap(), [7; 5]);
    assert_eq!(device.stats().pooled_bytes, (1 << 20) + (1 << 21));
}

#[test]
fn a_device_outlives_its_handles_as_long_as_a_column_needs_it() {
    for (name, device) in common::cpu_devices() {
        let column = device.upload(&[1u32, 2], 1).unwrap();
        drop(device);
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [1, 2], "{name}");
    }
}

/// Waits of one thread meet polls of the others all the time here; a wait that leaves the waiting to wgpu-core panics.
#[test]
fn threads_that_share_a_gpu_wait_at_the_same_time() {
    let Some(device) = common::gpu() else { return };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4u32)
            .map(|thread| {
                let device = &device;
                scope.spawn(move || {
                    let column = device.column(Element::U32, 1, 300 + thread).unwrap();
                    for round in 0..200 {
                        let bits = thread << 16 | round;
                        let mut recorder = device.record("fill");
                        recorder.fill(&column, bits).unwrap();
                        recorder.finish().unwrap().submit().unwrap();
                        let words = column.read::<u32>().unwrap().wait().unwrap();
                        assert_eq!(
                            words,
                            vec![bits; 300 + thread as usize],
                            "thread {thread}, round {round}"
                        );
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn ci_runs_both_instruction_sets() {
    // Said where the processor has one alone, and failed for it in CI.
    let devices = cpu_devices();
    assert_eq!(devices.len(), 5);
    common::has_both_instruction_sets();
}

#[test]
fn a_live_count_is_one_word_of_the_same_device() {
    let all = devices();
    for (at, (name, device)) in all.iter().enumerate() {
        let items = device.upload(&[1.0f32, 2.0], 1).unwrap();
        let refused = |count: &Column, expected: &str| {
            let error = items.with_live(count).unwrap_err().to_string();
            assert!(error.contains(expected), "{name}: {error}");
        };
        // The next device: a CPU's count for a CPU, a CPU's for a GPU, and a GPU's for a CPU.
        let (_, other) = &all[(at + 1) % all.len()];
        refused(
            &other.upload(&[1u32], 1).unwrap(),
            "the live count of a column belongs to another device",
        );
        refused(
            &device.upload(&[1i32], 1).unwrap(),
            "expected a column of u32, got one of i32",
        );
        refused(
            &device.upload(&[1.0f32], 1).unwrap(),
            "expected a column of u32, got one of f32",
        );
        refused(
            &device.upload(&[1u32, 1], 1).unwrap(),
            "expected one word, got 2 elements of 1 lanes",
        );
        refused(
            &device.upload(&[1u32, 1], 2).unwrap(),
            "expected one word, got 1 elements of 2 lanes",
        );
        refused(
            &device.upload::<u32>(&[], 1).unwrap(),
            "expected one word, got 0 elements",
        );
        let live = items.with_live(&device.upload(&[1u32], 1).unwrap()).unwrap();
        assert_eq!(live.read::<f32>().unwrap().wait(), Ok(vec![1.0]), "{name}");
    }
}
