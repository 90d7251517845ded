//! Kernels of files behind the typed calls: values by name, casts, tables, and what comes back.

use crate::{floats, gpu, sample, words};
use zero_compute::call::{Call, Record};

#[test]
fn a_table_is_read_by_slot_or_by_name() {
    let Some(device) = gpu() else { return };
    let column = |values: &[f32]| device.upload(values, 1).unwrap();
    let (x, y) = (column(&[1.0, 2.0]), column(&[30.0, 40.0]));
    let ordered = Record::new().with("head", &x).with("tail", &y);
    let called = Call::new(sample("abi_ordered"), 2)
        .bind("cols", ordered)
        .run(device)
        .unwrap();
    assert_eq!(floats(&called.column("dst").unwrap()), [301.0, 402.0]);
    let named = Record::new().with("b", &x).with("a", &y).with("more", &y);
    let called = Call::new(sample("abi_columns"), 2)
        .bind("cols", named)
        .run(device)
        .unwrap();
    assert_eq!(floats(&called.column("dst").unwrap()), [31.0, 42.0]);
    let short = Record::new().with("b", &x);
    let error = Call::new(sample("abi_columns"), 2)
        .bind("cols", short)
        .run(device)
        .unwrap_err()
        .to_string();
    assert!(error.contains("`abi_columns`") && error.contains('a'), "{error}");
}

#[test]
fn a_column_of_other_words_is_cast_to_the_chosen_element() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[1.75f32, -2.0], 1).unwrap();
    let called = Call::new(sample("abi_spec"), 2)
        .bind("src", &src)
        .specialize("T", "i32")
        .run(device)
        .unwrap();
    let dst = called.column("dst").unwrap().read::<i32>().unwrap().wait().unwrap();
    assert_eq!(dst, [2, -4]);
    assert_eq!(called.info.variant, "abi_spec[T=i32]");
    let called = Call::new(sample("abi_spec"), 2).bind("src", &src).run(device).unwrap();
    assert_eq!(floats(&called.column("dst").unwrap()), [3.5, -4.0]);
}

#[test]
fn a_written_binding_is_a_copy_and_one_left_out_is_zeros() {
    let Some(device) = gpu() else { return };
    let kernel = sample("abi_inout");
    let src = device.upload(&[1.0f32, 2.0], 1).unwrap();
    let dst = device.upload(&[10.0f32, 20.0], 1).unwrap();
    let call = || Call::new(&kernel, 2).bind("src", &src);
    let added = call().bind("dst", &dst).bind("mode", 1).run(device).unwrap();
    assert_eq!(floats(&added.column("dst").unwrap()), [11.0, 22.0]);
    assert_eq!(floats(&dst), [10.0, 20.0]);
    let fresh = call().bind("mode", 1).run(device).unwrap();
    assert_eq!(floats(&fresh.column("dst").unwrap()), [1.0, 2.0]);
    let doubled = call().run(device).unwrap();
    assert_eq!(floats(&doubled.column("dst").unwrap()), [2.0, 4.0]);
}

#[test]
fn the_domain_of_a_call_picks_the_variant() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[0.1f32, 0.9, 0.8], 1).unwrap();
    let found = Call::new(sample("abi_filter"), 3)
        .bind("src", &src)
        .run(device)
        .unwrap();
    let count = found.live("hits_count").unwrap();
    assert_eq!((words(count.count()), count.capacity()), (vec![2], 3));
    let live = Call::new(sample("abi_live"), count)
        .bind("src", &src)
        .run(device)
        .unwrap();
    assert_eq!(floats(&live.column("dst").unwrap().as_capacity()), [0.2, 1.8, -1.0]);
    assert_eq!(live.info.variant, "abi_live[COUNT=device,live]");
    let counted = Call::new(sample("always_counted"), 2).run(device).unwrap();
    assert_eq!(words(&counted.column("dst").unwrap()), [2, 2]);
}

#[test]
fn texts_of_a_call_are_put_in() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[3.0f32], 1).unwrap();
    let call = || Call::new(sample("step"), 1).bind("src", &src);
    let called = call().specialize("STEP", "s * s").run(device).unwrap();
    assert_eq!(floats(&called.column("dst").unwrap()), [9.0]);
    assert_eq!(called.info.specialization[0], ("STEP".to_owned(), "s * s".to_owned()));
    let error = call().run(device).unwrap_err().to_string();
    assert!(error.contains("`STEP`: expected a text"), "{error}");
    let error = call()
        .specialize("STEPS", "s")
        .specialize("STEP", "s")
        .run(device)
        .unwrap_err()
        .to_string();
    assert!(error.contains("has no `STEPS`"), "{error}");
}
