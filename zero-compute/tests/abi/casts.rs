//! A column whose words are not those that a binding reads is read as the numbers it holds.

use zero_compute::call::Call;
use zero_compute::{Element, values};

use crate::kernels::{ADD, INPLACE, INTS, TABLE_CASTS, WORDS};
use crate::{devices_once, floats, ints, kinds, live, words};

/// Floats at the edges of integers, with what they are as `i32` and as `u32`.
fn edges() -> Vec<f32> {
    let mut edges = vec![
        0.0,
        -0.0,
        0.99,
        -0.99,
        1.5,
        -1.5,
        2.5,
        16_777_217.0,
        2_147_483_520.0,
        2_147_483_648.0,
        4_294_967_040.0,
        4_294_967_296.0,
        -2_147_483_648.0,
        -2_147_483_904.0,
        3e38,
        -3e38,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
    ];
    let mut state = 1u32;
    for _ in 0..5000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        edges.push((state as i32 as f32) * 1.7);
    }
    edges
}

fn integers() -> Vec<u32> {
    let mut integers = vec![
        0,
        1,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        16_777_217,
        16_777_219,
        0xffff_ff7f,
        0xffff_ff80,
    ];
    let mut state = 7u32;
    for _ in 0..5000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        integers.push(state);
    }
    integers
}

#[test]
fn floats_are_cut_to_integers_and_stop_at_the_ends() {
    // Rust's `as` is the rule: it cuts, stops at the ends and takes NaN for 0.
    let as_ints: Vec<i32> = edges().iter().map(|v| *v as i32).collect();
    let as_words: Vec<u32> = edges().iter().map(|v| *v as u32).collect();
    assert_eq!(
        (as_ints[10], as_ints[13], as_ints[18], as_words[1]),
        (i32::MAX, i32::MIN, 0, 0)
    );
    for (name, device) in devices_once() {
        let src = device.upload(&edges(), 1).unwrap();
        let called = Call::new(&INTS, &src).bind("src", &src).run(device).unwrap();
        assert_eq!(ints(&called.column("dst").unwrap()), as_ints, "{name}");
        let called = Call::new(&WORDS, &src).bind("src", &src).run(device).unwrap();
        assert_eq!(words(&called.column("dst").unwrap()), as_words, "{name}");
    }
}

#[test]
fn integers_become_the_nearest_float_and_the_nearest_integer_of_the_other_kind() {
    let signed: Vec<i32> = integers().iter().map(|v| *v as i32).collect();
    for (name, device) in devices_once() {
        let (from_signed, from_unsigned) = (
            device.upload(&signed, 1).unwrap(),
            device.upload(&integers(), 1).unwrap(),
        );
        let cast = |kernel, src| {
            let called = Call::new(kernel, src).bind("src", src).bind_all(values! {}).run(device);
            called.unwrap().column("dst").unwrap()
        };
        let mut rec = device.record("casts");
        let floated = [&from_signed, &from_unsigned].map(|src| rec.cast(src, Element::F32).unwrap());
        rec.finish().unwrap().submit().unwrap();
        let expected: Vec<f32> = signed.iter().map(|v| *v as f32).collect();
        assert_eq!(floats(&floated[0]), expected, "{name}: i32 to f32");
        let expected: Vec<f32> = integers().iter().map(|v| *v as f32).collect();
        assert_eq!(floats(&floated[1]), expected, "{name}: u32 to f32");
        let expected: Vec<u32> = signed.iter().map(|v| u32::try_from(*v).unwrap_or(0)).collect();
        assert_eq!(words(&cast(&WORDS, &from_signed)), expected, "{name}: i32 to u32");
        let expected: Vec<i32> = integers()
            .iter()
            .map(|v| i32::try_from(*v).unwrap_or(i32::MAX))
            .collect();
        assert_eq!(ints(&cast(&INTS, &from_unsigned)), expected, "{name}: u32 to i32");
    }
}

#[test]
fn columns_of_every_kind_meet_bindings_of_every_kind() {
    for (name, device) in devices_once() {
        for (element, src) in kinds(device, &[1, 2, 300]) {
            let called = Call::new(&ADD, &src)
                .bind("src", &src)
                .bind("delta", 0.5)
                .run(device)
                .unwrap();
            assert_eq!(
                floats(&called.column("dst").unwrap()),
                [1.5, 2.5, 300.5],
                "{name}: {element} as f32"
            );
            let called = Call::new(&INTS, &src).bind("src", &src).run(device).unwrap();
            assert_eq!(
                ints(&called.column("dst").unwrap()),
                [1, 2, 300],
                "{name}: {element} as i32"
            );
            let called = Call::new(&WORDS, &src).bind("src", &src).run(device).unwrap();
            assert_eq!(
                words(&called.column("dst").unwrap()),
                [1, 2, 300],
                "{name}: {element} as u32"
            );
            let mut rec = device.record("kept");
            assert_eq!(
                rec.cast(&src, element).unwrap().id(),
                src.id(),
                "{name}: of that kind already"
            );
            assert_eq!(rec.finish().unwrap().dispatches(), 0, "{name}");
        }
    }
}

/// What a kernel writes back through an in-place binding is of the binding's kind, and the caller's column stays.
#[test]
fn an_in_place_binding_changes_the_numbers_of_a_column_of_another_kind() {
    for (name, device) in devices_once() {
        let data = device.upload(&[1.9f32, -1.9, 1e10], 1).unwrap();
        let called = Call::new(&INPLACE, &data).bind("data", &data).run(device).unwrap();
        assert_eq!(ints(&called.column("data").unwrap()), [2, 0, i32::MIN], "{name}");
        assert_eq!(floats(&data), [1.9, -1.9, 1e10], "{name}");
    }
}

#[test]
fn a_cast_keeps_lanes_and_the_live_count() {
    for (name, device) in devices_once() {
        let points = device.upload(&[1i32, 2, 3, 4, 5, 6], 3).unwrap();
        let mut rec = device.record("cast");
        let cast = rec.cast(&live(device, &points, 1), Element::F32).unwrap();
        let empty = rec.cast(&device.upload::<i32>(&[], 2).unwrap(), Element::U32).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(
            (cast.lanes(), cast.capacity(), empty.lanes(), empty.capacity()),
            (3, 2, 2, 0),
            "{name}"
        );
        assert_eq!(floats(&cast), [1.0, 2.0, 3.0], "{name}");
        assert_eq!(
            floats(&cast.as_capacity()),
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            "{name}: past the count too"
        );
    }
}

/// The accessors of a table read a word as a cast does.
#[test]
fn a_table_is_read_by_value() {
    let signed: Vec<i32> = integers().iter().map(|v| *v as i32).collect();
    for (name, device) in devices_once() {
        let columns = [
            device.upload(&edges(), 1).unwrap(),
            device.upload(&signed, 1).unwrap(),
            device.upload(&integers(), 1).unwrap(),
        ];
        for value in columns {
            let mut rec = device.record("casts");
            let cast = [Element::F32, Element::I32, Element::U32].map(|element| rec.cast(&value, element).unwrap());
            let call = Call::new(&TABLE_CASTS, &value).bind("cols", values! { value: &value });
            let called = call.record(&mut rec).unwrap();
            rec.finish().unwrap().submit().unwrap();
            let kind = value.element();
            assert_eq!(
                ints(&called.column("ints").unwrap()),
                ints(&cast[1]),
                "{name}: {kind} as i32"
            );
            assert_eq!(
                words(&called.column("uints").unwrap()),
                words(&cast[2]),
                "{name}: {kind} as u32"
            );
            let found = floats(&called.column("floats").unwrap());
            let pairs = found.iter().zip(floats(&cast[0]));
            let differs = pairs
                .enumerate()
                .find(|(_, (a, b))| *a != b && !(a.is_nan() && b.is_nan()));
            assert_eq!(differs, None, "{name}: {kind} as f32");
        }
    }
}
