//! What a call does around its dispatch, over the sizes at and around the edges of workgroups and slices, and over live
//! counts of none, one, half, all and more than there is room for.

use zero_compute::call::{Call, Live};
use zero_compute::{Drive, Exec, Fusion, values};

use crate::common::devices;
use crate::kernels::{COLUMNS, FILTER, INOUT, INPLACE, INTS};
use crate::{devices_once, floats, ints, live, up, words};

const SIZES: [u32; 9] = [0, 1, 2, 255, 256, 257, 1025, 65_536, 65_537];

fn counts(n: u32) -> [u32; 5] {
    [0, n.min(1), n / 2, n, n + 7]
}

/// Numbers of both signs with halves, no two alike.
fn numbers(n: u32) -> Vec<f32> {
    (0..n)
        .map(|i| (i as f32 + 0.5) * if i % 2 == 0 { 1.0 } else { -1.0 })
        .collect()
}

#[test]
fn casts() {
    for (name, device) in devices_once() {
        for n in SIZES {
            let values = numbers(n);
            let expected: Vec<i32> = values.iter().map(|v| *v as i32).collect();
            let src = up(device, &values);
            for count in counts(n) {
                let some = live(device, &src, count);
                let called = Call::new(&INTS, &some).bind("src", &some).run(device).unwrap();
                let dst = called.column("dst").unwrap();
                assert_eq!(ints(&dst), expected[..count.min(n) as usize], "{name}: {count} of {n}");
            }
            let called = Call::new(&INTS, n).bind("src", &src).run(device).unwrap();
            assert_eq!(ints(&called.column("dst").unwrap()), expected, "{name}: {n}");
        }
    }
}

#[test]
fn tables() {
    for (name, device) in devices_once() {
        for n in SIZES {
            let values = numbers(n);
            let points: Vec<i32> = (0..3 * n).map(|i| i as i32).collect();
            let expected: Vec<f32> = values
                .iter()
                .zip(points.chunks(3))
                .map(|(v, p)| v + p[0] as f32)
                .collect();
            let columns = values! {
                a: up(device, &values), b: device.upload(&points, 3).unwrap(), none: up(device, &[]),
                other: device.upload(&[5u32; 257], 1).unwrap(),
            };
            let called = Call::new(&COLUMNS, n).bind("cols", columns).run(device).unwrap();
            assert_eq!(floats(&called.column("dst").unwrap()), expected, "{name}: {n}");
        }
    }
}

#[test]
fn copies_and_appends_after_what_is_there() {
    for (name, device) in devices_once() {
        for n in SIZES {
            let values = numbers(n);
            let src = up(device, &values);
            let above = values.iter().filter(|v| **v > 0.0).count() as u32;
            for count in counts(n) {
                let before = live(device, &src, count);
                let call = Call::new(&FILTER, n).bind("src", &src).bind("hits", &before);
                let called = call.run(device).unwrap();
                let what = format!("{name}: {above} after {count} of {n}");
                let hits = floats(&called.column("hits").unwrap());
                assert_eq!(
                    words(called.live("hits_count").unwrap().count()),
                    [count + above],
                    "{what}"
                );
                assert_eq!(hits.len() as u32, (count + above).min(n), "{what}");
                let kept = count.min(n) as usize;
                assert_eq!(hits[..kept], values[..kept], "{what}: what was there");
                assert!(hits[kept..].iter().all(|v| *v > 0.0), "{what}: what came after");
                assert_eq!(
                    words(Live::of(&before).unwrap().count()),
                    [count],
                    "{what}: the caller's count"
                );
            }
            let added = Call::new(&INOUT, n)
                .bind("src", &src)
                .bind("dst", &src)
                .bind("mode", 1)
                .run(device)
                .unwrap();
            let expected: Vec<f32> = values.iter().map(|v| v + v).collect();
            assert_eq!(floats(&added.column("dst").unwrap()), expected, "{name}: {n}");
            assert_eq!(floats(&src), values, "{name}: {n}, the caller's column");
        }
    }
}

/// A budget of nothing runs a slice at a time; the bytes are the same.
#[test]
fn a_table_is_packed_slice_by_slice() {
    let n = 200_000;
    let (a, b) = (numbers(n), vec![0.25; n as usize]);
    let expected: Vec<f32> = a.iter().map(|v| v + 0.25).collect();
    for (name, device) in &devices() {
        let columns = values! { a: up(device, &a), b: up(device, &b) };
        let called = Call::new(&COLUMNS, n).bind("cols", columns).run(device).unwrap();
        let mut drives = 0;
        while device
            .drive(&Exec {
                budget_ms: Some(0.0),
                ..Exec::default()
            })
            .unwrap()
            == Drive::Budget
        {
            drives += 1;
        }
        assert_eq!(floats(&called.column("dst").unwrap()), expected, "{name}");
        if *name == "cpu" {
            // Three dispatches over the table's 400 000 words and one over the domain, less the drive that ends them.
            assert_eq!(drives, 3 * 7 + 4 - 1, "{name}");
        }
    }
}

/// Copies, counts, casts, fields and tables are dispatches like any other: fusion keeps what they write.
#[test]
fn a_fused_list_of_calls_answers_the_same() {
    use zero_compute::call::Field;
    use zero_compute::field::{Binary, Kind, Mode, Program, Tape};
    let mut tape = Tape::new();
    let leaf = tape.leaf(0, 0, Kind::F32);
    let half = tape.const_f32(0.5);
    let halved = tape.binary(Binary::Mul, leaf, half).unwrap();
    let program = std::sync::Arc::new(Program::compile(&tape, &[halved], Mode::Exact).unwrap());
    for (name, device) in devices_once() {
        let src = device
            .upload(&(0..600).map(|i| i - 300).collect::<Vec<i32>>(), 1)
            .unwrap();
        let answers = [None, Some(Fusion::Off), Some(Fusion::Chains), Some(Fusion::Stages)].map(|fusion| {
            let mut rec = device.record("fused");
            let floats_of_src = rec.cast(&src, zero_compute::Element::F32).unwrap();
            // A field that is cast to the integers that the kernel changes in place.
            let field = Field::new(&program, &[&floats_of_src]);
            let ints_up = Call::new(&INPLACE, 600).bind("data", &field).record(&mut rec).unwrap();
            let data = ints_up.column("data").unwrap();
            let first = Call::new(&FILTER, &src).bind("src", &data).record(&mut rec).unwrap();
            let hits = first.column("hits").unwrap();
            let after = Call::new(&FILTER, 600).bind_all(values! { src: &src, hits: &hits, threshold: 250.0 });
            let after = after.record(&mut rec).unwrap();
            let added = Call::new(&INOUT, 600).bind_all(values! { src: &field, dst: &src, mode: 1 });
            let added = added.record(&mut rec).unwrap().column("dst").unwrap();
            let columns = values! { a: &data, b: &added };
            let table = Call::new(&COLUMNS, 600).bind("cols", columns).record(&mut rec).unwrap();
            let (all, sums) = (after.column("hits").unwrap(), table.column("dst").unwrap());
            if let Some(fusion) = fusion {
                rec.fuse(fusion, &[&all, &sums]).unwrap();
            }
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            list.submit().unwrap();
            let mut found = floats(&all);
            found.sort_by(f32::total_cmp);
            (found, floats(&sums))
        });
        assert_eq!(answers[0].0.len(), 301 + 49, "{name}");
        assert_eq!(answers[0].1[599], 150.0 + 299.0 + 149.5, "{name}");
        for fused in &answers[1..] {
            assert_eq!(*fused, answers[0], "{name}");
        }
    }
}
