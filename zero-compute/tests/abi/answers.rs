//! What a call answers: allocated outputs, copies of what was bound, appends and their counts, and what ran.

use zero_compute::call::Call;
use zero_compute::{Determinism, Len, values};

use crate::common::devices;
use crate::kernels::{ADD, FILTER, INOUT, INPLACE, LEN, LIVE, NOTHING, PAIR, SCALE, SPEC};
use crate::{check_floats, devices_once, floats, ints, on_every_device, read, up, words};

#[test]
fn an_output_is_allocated_by_its_rule() {
    check_floats("dst", &[1.5, 2.5], |device| {
        Call::new(&ADD, 2)
            .bind("src", up(device, &[1.0, 2.0]))
            .bind("delta", 0.5)
    });
    // Of the length of src, whatever the domain.
    check_floats("dst", &[1.0, 2.0, 3.0, 4.0, 5.0], |device| {
        Call::new(&LEN, 2).bind("src", up(device, &[1.0, 2.0, 3.0, 4.0, 5.0]))
    });
    check_floats("dst", &[4.0, 6.0], |device| {
        Call::new(&PAIR, 2)
            .bind("a", up(device, &[1.0, 2.0]))
            .bind("b", up(device, &[3.0, 4.0]))
    });
    check_floats("dst", &[-3.0, 6.0], |device| {
        Call::new(&SCALE, 2)
            .bind("src", up(device, &[1.0, -2.0]))
            .bind("scale", -3)
    });
}

#[test]
fn a_kernel_that_writes_nothing_answers_no_columns() {
    on_every_device(
        |device| Call::new(&NOTHING, 2).bind("src", up(device, &[1.0, 2.0])),
        |name, _, called| assert!(called.columns.is_empty(), "{name}"),
    );
}

#[test]
fn a_written_column_is_copied_and_the_copy_comes_back() {
    for (name, device) in devices_once() {
        let (src, dst) = (up(device, &[1.0, 2.0]), up(device, &[10.0, 20.0]));
        let call = Call::new(&INOUT, 2).bind_all(values! { src: &src, dst: &dst, mode: 1 });
        let called = call.run(device).unwrap();
        let out = called.column("dst").unwrap();
        assert_eq!(floats(&out), [11.0, 22.0], "{name}");
        assert_eq!(floats(&dst), [10.0, 20.0], "{name}: the caller's column changed");
        assert_ne!(out.id(), dst.id(), "{name}");
        // The same column may be read and written: what is written is a copy.
        let doubled = Call::new(&INOUT, 2).bind("src", &src).bind("dst", &src).bind("mode", 1);
        assert_eq!(
            floats(&doubled.run(device).unwrap().column("dst").unwrap()),
            [2.0, 4.0],
            "{name}"
        );
        assert_eq!(floats(&src), [1.0, 2.0], "{name}");
        // Written whole: a column of the shape of the rule.
        let added = Call::new(&ADD, 2)
            .bind("src", &src)
            .bind("dst", &dst)
            .run(device)
            .unwrap();
        assert_eq!(floats(&added.column("dst").unwrap()), [2.0, 3.0], "{name}");
        assert_eq!(floats(&dst), [10.0, 20.0], "{name}");
    }
}

#[test]
fn an_in_place_column_is_copied_and_the_copy_comes_back() {
    for (name, device) in devices_once() {
        let data = device.upload(&[5i32, -1], 1).unwrap();
        let called = Call::new(&INPLACE, &data).bind("data", &data).run(device).unwrap();
        assert_eq!(ints(&called.column("data").unwrap()), [6, 0], "{name}");
        assert_eq!(ints(&data), [5, -1], "{name}: the caller's column changed");
    }
}

#[test]
fn an_unbound_in_place_output_starts_from_zeros_every_time_the_list_runs() {
    for (name, device) in devices_once() {
        // A buffer of the pool that held something else.
        drop(up(device, &[9.0; 2]));
        let src = up(device, &[1.0, 2.0]);
        let mut rec = device.record("zeros");
        let called = Call::new(&INOUT, 2)
            .bind("src", &src)
            .bind("mode", 1)
            .record(&mut rec)
            .unwrap();
        let list = rec.finish().unwrap();
        for _ in 0..3 {
            list.submit().unwrap();
            assert_eq!(floats(&called.column("dst").unwrap()), [1.0, 2.0], "{name}");
        }
    }
}

#[test]
fn an_appended_output_comes_back_live_with_its_count() {
    for (name, device) in devices_once() {
        let src = up(device, &[0.1, 0.9, 0.6, 0.2]);
        let call = Call::new(&FILTER, &src).bind("src", &src).bind("threshold", 0.5);
        let called = call.run(device).unwrap();
        let hits = called.column("hits").unwrap();
        assert!(matches!(hits.len(), Len::Live { capacity: 4, .. }), "{name}");
        let mut found = floats(&hits);
        found.sort_by(f32::total_cmp);
        assert_eq!(found, [0.6, 0.9], "{name}");
        let count = called.live("hits_count").unwrap();
        assert_eq!((words(count.count()), count.capacity()), (vec![2], 4), "{name}");
        assert_eq!(
            called.columns.names().collect::<Vec<_>>(),
            ["hits", "hits_count"],
            "{name}"
        );
    }
}

#[test]
fn an_append_into_an_earlier_ones_column_goes_on_after_it_in_a_copy() {
    for (name, device) in devices_once() {
        let (first, second) = (up(device, &[1.0, -1.0, 2.0, -2.0]), up(device, &[-3.0, 3.0, 4.0, 5.0]));
        let mut rec = device.record("appends");
        let before = Call::new(&FILTER, &first).bind("src", &first).record(&mut rec).unwrap();
        let hits = before.column("hits").unwrap();
        let after = Call::new(&FILTER, &second)
            .bind("src", &second)
            .bind("hits", &hits)
            .record(&mut rec)
            .unwrap();
        let list = rec.finish().unwrap();
        for _ in 0..2 {
            list.submit().unwrap();
            let all = after.column("hits").unwrap();
            let mut found = floats(&all);
            assert_eq!(found.len(), 4, "{name}: as many as fit");
            found[..2].sort_by(f32::total_cmp);
            assert_eq!(found[..2], [1.0, 2.0], "{name}: those of the earlier pass come first");
            assert!(
                found[2..].iter().all(|v| [3.0, 4.0, 5.0].contains(v)),
                "{name}: {found:?}"
            );
            let count = after.live("hits_count").unwrap();
            assert_eq!(words(count.count()), [5], "{name}: the true count");
            let mut kept = floats(&hits);
            kept.sort_by(f32::total_cmp);
            assert_eq!(kept, [1.0, 2.0], "{name}: the earlier column changed");
        }
    }
}

/// A function that counts and is then cancelled begins again, from the count that it found.
#[test]
fn a_cancelled_append_begins_again_from_the_count_it_went_on_from() {
    use std::sync::Mutex;
    use zero_compute::*;
    /// What the function cancels after its first element.
    static CANCELS: Mutex<Option<CancelToken>> = Mutex::new(None);
    static STOPS: Kernel = Kernel::declare("stops")
        .read("src", Element::F32)
        .append("hits", Element::F32, Rule::Domain)
        .cpu(Cpu::Whole(|b, _, x| {
            let src = b.read::<f32>("src")?;
            let mut hits = b.append::<f32>("hits")?;
            for part in src.chunks(SLICE as usize) {
                hits.push(&part[..1]);
                if let Some(cancel) = CANCELS.lock().unwrap().take() {
                    cancel.cancel();
                }
                x.checkpoint()?;
            }
            Ok(())
        }));
    let n = SLICE as usize + 1;
    for (name, device) in crate::common::cpu_devices() {
        let src = device.upload(&vec![7.0f32; n], 1).unwrap();
        let before = Call::new(&STOPS, &src).bind("src", &src).run(&device).unwrap();
        assert_eq!(floats(&before.column("hits").unwrap()).len(), 2, "{name}");
        let call = Call::new(&STOPS, &src)
            .bind("src", &src)
            .bind("hits", before.column("hits").unwrap());
        let after = call.run(&device).unwrap();
        let cancel = CancelToken::new();
        *CANCELS.lock().unwrap() = Some(cancel.clone());
        let exec = Exec {
            cancel: &cancel,
            ..Exec::default()
        };
        assert_eq!(device.drive(&exec), Err(Error::Cancelled), "{name}");
        assert!(CANCELS.lock().unwrap().is_none(), "{name}: it was cancelled on its way");
        assert_eq!(floats(&after.column("hits").unwrap()), [7.0; 4], "{name}");
        assert_eq!(words(after.live("hits_count").unwrap().count()), [4], "{name}");
    }
}

#[test]
fn the_answer_says_what_ran() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.5, 2.0, 3.0]);
        let called = Call::new(&SPEC, 3)
            .bind("src", &src)
            .specialize("T", "i32")
            .run(device)
            .unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [2.0, 4.0, 6.0], "{name}");
        let info = &called.info;
        assert_eq!(
            (info.kernel.as_str(), info.variant.as_str()),
            ("abi_spec", "abi_spec[T=i32]"),
            "{name}"
        );
        assert_eq!(
            (info.elements, info.specialization.as_slice()),
            (3, &[("T".to_owned(), "i32".to_owned())][..]),
            "{name}"
        );
        assert!(matches!(info.determinism, Determinism::Exact), "{name}");
        let plain = Call::new(&SPEC, 3).bind("src", &src).run(device).unwrap();
        assert_eq!(
            floats(&plain.column("dst").unwrap()),
            [3.0, 4.0, 6.0],
            "{name}: the first option"
        );
        assert_eq!(plain.info.variant, "abi_spec[T=f32]", "{name}");
        let counted = Call::new(&LIVE, crate::live(device, &src, 2))
            .bind("src", &src)
            .run(device)
            .unwrap();
        assert_eq!(counted.info.variant, "abi_live[COUNT=device,live]", "{name}");
        assert_eq!(
            Call::new(&ADD, 3).bind("src", &src).run(device).unwrap().info.variant,
            "abi_add",
            "{name}"
        );
    }
}

#[test]
fn the_whole_answer_is_read_back_as_it_is() {
    for (name, device) in devices_once() {
        let src = up(device, &[3.0, -1.0, 2.0]);
        let called = Call::new(&FILTER, &src).bind("src", &src).run(device).unwrap();
        let arrived = read(device, &called.columns);
        let mut hits = arrived.values.floats("hits").unwrap().to_vec();
        hits.sort_by(f32::total_cmp);
        assert_eq!(hits, [2.0, 3.0], "{name}");
        assert_eq!(arrived.values.number("hits_count").unwrap(), 2.0, "{name}");
    }
}

#[test]
fn a_recorded_call_is_replayed_with_other_numbers_and_makes_nothing() {
    for (name, device) in &devices() {
        let src = device.upload(&[1i32, 2], 1).unwrap();
        let mut rec = device.record("replayed");
        let added = Call::new(&ADD, 2)
            .bind("src", &src)
            .bind("delta", 0.5)
            .record(&mut rec)
            .unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        assert_eq!(floats(&added.column("dst").unwrap()), [1.5, 2.5], "{name}");
        let counting = device.counting();
        list.set(added.slot("delta").unwrap(), 10.0).unwrap();
        list.submit().unwrap();
        device.poll();
        let stats = counting.delta();
        assert_eq!(
            (stats.created, stats.uploads, stats.programs, stats.bind_groups),
            (0, 0, 0, 0),
            "{name}"
        );
        assert_eq!(floats(&added.column("dst").unwrap()), [11.0, 12.0], "{name}");
    }
}
