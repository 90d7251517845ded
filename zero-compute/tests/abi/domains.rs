//! The elements that a call runs over, and the variant that the domain picks.

use zero_compute::call::{Call, Live, Value};
use zero_compute::{Element, Len, kernels, values};

use crate::kernels::{ADD, COUNTED, FILTER, LIVE};
use crate::{check_refused, devices_once, floats, live, up, words};

#[test]
fn a_number_a_column_and_a_live_column_are_domains() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, 2.0, 3.0]);
        for domain in [Value::from(3), Value::from(3u32), Value::from(3.0), Value::from(&src)] {
            let called = Call::new(&LIVE, domain).bind("src", &src).run(device).unwrap();
            let dst = called.column("dst").unwrap();
            assert!(matches!(dst.len(), Len::Known(3)), "{name}");
            assert_eq!(floats(&dst), [2.0, 4.0, 6.0], "{name}");
            assert_eq!(called.info.specialization[0].1, "plain", "{name}");
        }
        for (count, expected) in [
            (0, [-1.0, -1.0, -1.0]),
            (1, [2.0, -1.0, -1.0]),
            (3, [2.0, 4.0, 6.0]),
            (9, [2.0, 4.0, 6.0]),
        ] {
            let called = Call::new(&LIVE, live(device, &src, count))
                .bind("src", &src)
                .run(device)
                .unwrap();
            let dst = called.column("dst").unwrap();
            assert_eq!(floats(&dst.as_capacity()), expected, "{name}: count {count}");
            assert_eq!(floats(&dst), expected[..count.min(3) as usize], "{name}: count {count}");
            assert_eq!(called.info.specialization[0].1, "device", "{name}");
            assert_eq!(called.info.elements, 3, "{name}: the capacity");
        }
    }
}

#[test]
fn every_form_of_a_live_count_is_a_domain() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, 2.0, 3.0, 4.0]);
        let mut rec = device.record("counts");
        let flags = device.upload(&[1, 0, 1, 1], 1).unwrap();
        let kept = Call::new(&kernels::COMPACT_I32, 4)
            .bind("flags", &flags)
            .record(&mut rec)
            .unwrap();
        // A scan's total is a count, of signed integers.
        let total = kernels::scan(&mut rec, &flags, kernels::Form::Exclusive).unwrap().total;
        assert_eq!(total.element(), Element::I32);
        let count = kept.live("indices_count").unwrap();
        let domains = [
            Value::from(&count),
            Value::from(&kept.column("indices").unwrap()),
            Value::from(values! { count: count.count(), capacity: 4 }),
            Value::from(values! { count: &count, capacity: 4 }),
            Value::from(values! { count: &total, capacity: 4.0 }),
            Value::from(Live::new(&total, 4).unwrap()),
        ];
        let outputs: Vec<_> = domains
            .into_iter()
            .map(|domain| Call::new(&LIVE, domain).bind("src", &src).record(&mut rec).unwrap())
            .collect();
        rec.finish().unwrap().submit().unwrap();
        for called in outputs {
            let dst = called.column("dst").unwrap();
            assert_eq!(floats(&dst.as_capacity()), [2.0, 4.0, 6.0, -1.0], "{name}");
            assert_eq!(floats(&dst).len(), 3, "{name}");
        }
    }
}

#[test]
fn a_kernel_that_declares_domain_count_gets_the_number_over_any_domain() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, 2.0, 3.0]);
        let called = Call::new(&COUNTED, 3).run(device).unwrap();
        assert_eq!(words(&called.column("dst").unwrap()), [33, 33, 33], "{name}");
        let called = Call::new(&COUNTED, live(device, &src, 2)).run(device).unwrap();
        assert_eq!(
            words(&called.column("dst").unwrap().as_capacity()),
            [22, 22, 22],
            "{name}"
        );
        // The count itself, past the capacity; what is live stops at it.
        let called = Call::new(&COUNTED, live(device, &src, 5)).run(device).unwrap();
        assert_eq!(
            words(&called.column("dst").unwrap().as_capacity()),
            [53, 53, 53],
            "{name}"
        );
    }
}

#[test]
fn an_empty_domain_runs_nothing_and_answers_empty_columns() {
    for (name, device) in devices_once() {
        let none = up(device, &[]);
        let called = Call::new(&ADD, 0).bind("src", &none).run(device).unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [0.0f32; 0], "{name}");
        let called = Call::new(&FILTER, &none).bind("src", &none).run(device).unwrap();
        assert_eq!(words(called.live("hits_count").unwrap().count()), [0], "{name}");
    }
}

#[test]
fn what_is_no_domain_is_refused() {
    let domain = |value: Value| {
        move |device: &zero_compute::Device| Call::new(&ADD, value.clone()).bind("src", up(device, &[1.0]))
    };
    let names = "a number of elements, a column, a live count, or a record of `count` and `capacity`";
    for value in [
        Value::from(-1),
        Value::from(1.5),
        Value::from(f64::NAN),
        Value::from(5e9),
        Value::from("three"),
        Value::from([1, 2]),
        Value::from(values! { count: 3, capacity: 4 }),
        Value::from(values! { capacity: 4 }),
    ] {
        check_refused(&["kernel `abi_add`, `domain`", names], domain(value));
    }
    check_refused(&["`domain`", "a record of count, capacity, other"], |device| {
        let count = device.upload(&[1u32], 1).unwrap();
        Call::new(&ADD, values! { count: count, capacity: 4, other: 1 })
    });
    check_refused(
        &["count of a domain", "a column of one integer", "1 words of f32"],
        |device| Call::new(&ADD, values! { count: up(device, &[1.0]), capacity: 4 }),
    );
    check_refused(&["count of a domain", "2 words of u32"], |device| {
        Call::new(
            &ADD,
            values! { count: device.upload(&[1u32, 2], 1).unwrap(), capacity: 4 },
        )
    });
}

#[test]
fn the_domain_picks_count_and_nobody_else() {
    check_refused(&["`COUNT`", "`plain`, which the domain picks", "`device`"], |device| {
        Call::new(&LIVE, 1)
            .bind("src", up(device, &[1.0]))
            .specialize("COUNT", "device")
    });
    check_refused(&["`COUNT`", "`device`, which the domain picks", "`plain`"], |device| {
        let src = up(device, &[1.0]);
        Call::new(&LIVE, live(device, &src, 1))
            .bind("src", &src)
            .specialize("COUNT", "plain")
    });
    check_refused(&["`domain_count`", "the domain sets it"], |device| {
        Call::new(&COUNTED, 1).bind("domain_count", device.upload(&[1u32], 1).unwrap())
    });
}

/// The count that a kernel binds by itself is the one that its live domain needs: no second buffer.
#[test]
fn a_kernel_that_binds_its_count_has_room_for_seven_more() {
    use zero_compute::*;
    static EIGHT: Kernel = Kernel::declare("eight")
        .read("domain_count", Element::U32)
        .write("a", Element::U32, Rule::Domain)
        .write("b", Element::U32, Rule::Domain)
        .write("c", Element::U32, Rule::Domain)
        .write("d", Element::U32, Rule::Domain)
        .write("e", Element::U32, Rule::Domain)
        .write("f", Element::U32, Rule::Domain)
        .write("g", Element::U32, Rule::Domain)
        .wgsl(
            "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) { return; }
    let count = domain_count[0];
    a[i] = count; b[i] = count; c[i] = count; d[i] = count; e[i] = count; f[i] = count; g[i] = count;
}",
        )
        .cpu(Cpu::Ranges(|_, b, _, _| {
            let count = b.read::<u32>("domain_count")?[0];
            for name in ["a", "b", "c", "d", "e", "f", "g"] {
                b.write::<u32>(name)?.fill(count);
            }
            Ok(())
        }));
    for (name, device) in devices_once() {
        let called = Call::new(&EIGHT, live(device, &up(device, &[0.0; 3]), 2))
            .run(device)
            .unwrap();
        assert_eq!(words(&called.column("g").unwrap()), [2, 2], "{name}");
    }
}
