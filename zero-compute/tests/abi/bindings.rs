//! What a name may be bound to: fields, textures, params of every kind, and the columns of a record.

use std::sync::Arc;

use zero_compute::call::{BufferRef, Call, Field, Texture};
use zero_compute::field::{Binary, Kind, Mode, Program, Tape, Unary};
use zero_compute::{Len, values};

use crate::common::devices;
use crate::kernels::{ADD, COUNTED, INOUT, INPLACE, LIVE, PAIR, PARAMS, SCALE, TEXTURE, WORDS};
use crate::{check_floats, devices_once, floats, ints, live, on_every_device, up, words};

/// `leaf * number + element`.
fn field_program() -> Arc<Program> {
    let mut tape = Tape::new();
    let leaf = tape.leaf(0, 0, Kind::F32);
    let number = tape.number(0, Kind::F32);
    let id = tape.id();
    let id = tape.unary(Unary::ToF32, id).unwrap();
    let scaled = tape.binary(Binary::Mul, leaf, number).unwrap();
    let sum = tape.binary(Binary::Add, scaled, id).unwrap();
    Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap())
}

fn field(column: &zero_compute::Column, scale: f32) -> Field {
    Field::new(&field_program(), &[column]).with_numbers(&[scale.to_bits()])
}

#[test]
fn a_field_is_computed_over_the_domain_in_one_dispatch() {
    for (name, device) in &devices() {
        let leaf = up(device, &[1.0, 2.0, 3.0]);
        let counting = device.counting();
        let call = Call::new(&ADD, 3).bind("src", field(&leaf, 10.0)).bind("delta", 0.5);
        let called = call.run(device).unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [10.5, 21.5, 32.5], "{name}");
        assert_eq!(counting.delta().dispatches, 2, "{name}: the field and the kernel");
        // Over a live domain the column that it lands in has the count.
        let some = live(device, &leaf, 2);
        let called = Call::new(&LIVE, &some)
            .bind("src", field(&leaf, 1.0))
            .run(device)
            .unwrap();
        let dst = called.column("dst").unwrap();
        assert!(matches!(dst.len(), Len::Live { capacity: 3, .. }), "{name}");
        assert_eq!(floats(&dst.as_capacity()), [2.0, 6.0, -1.0], "{name}");
        // In place it is a column of the call's own, and read as numbers of the binding's kind.
        let called = Call::new(&INPLACE, 3)
            .bind("data", field(&leaf, 1.5))
            .run(device)
            .unwrap();
        assert_eq!(ints(&called.column("data").unwrap()), [2, 5, 7], "{name}");
    }
}

#[test]
fn params_take_numbers_bools_and_vectors() {
    let expected = [1.0, 2.5, -3.0, 7.0, 9.0, 1.0, 0.25];
    check_floats("dst", &expected, |_| {
        Call::new(&PARAMS, 7).bind_all(values! { dir: [1.0, 2.5, -3.0], steps: 7.0, least: 9, is_on: true, time: 0.25 })
    });
    // A vector of fewer numbers leaves the defaults; a component may be given by itself.
    let expected = [4.0, 5.0, 0.0, -2.0, 0.0, 0.0, -1.0];
    check_floats("dst", &expected, |_| {
        Call::new(&PARAMS, 7).bind_all(values! { dir: [4, 5], steps: -2, is_on: false })
    });
    let expected = [0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    check_floats("dst", &expected, |_| {
        Call::new(&PARAMS, 7).bind_all(values! { dir_y: 8u32, time: true })
    });
}

#[test]
fn count_time_and_frame_may_always_be_given() {
    check_floats("dst", &[2.0, 3.0], |device| {
        let call = Call::new(&ADD, 2).bind("src", up(device, &[1.0, 2.0]));
        call.bind_all(values! { count: 2, time: 1.5, frame: 90 })
    });
}

#[test]
fn a_texture_binds_its_texels_and_sets_its_size_where_it_is_declared() {
    for (name, device) in devices_once() {
        let texels = device.upload(&[1i32, 2, 3, 4, 5, 6], 1).unwrap();
        let image = Texture::new(&texels, 3, 2).unwrap();
        let called = Call::new(&TEXTURE, 6).bind("image", &image).run(device).unwrap();
        let expected = [321.0, 322.0, 323.0, 324.0, 325.0, 326.0];
        assert_eq!(floats(&called.column("dst").unwrap()), expected, "{name}");
        // A kernel without the params takes the texels alone.
        let called = Call::new(&SCALE, 6).bind("src", &image).run(device).unwrap();
        assert_eq!(
            floats(&called.column("dst").unwrap()),
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            "{name}"
        );
        let error = Texture::new(&texels, 3, 3).unwrap_err().to_string();
        assert!(error.contains("expected 3 x 3, got 6"), "{error}");
    }
}

#[test]
fn the_columns_of_a_record_fill_what_is_not_named() {
    for (name, device) in devices_once() {
        let geometry = values! {
            a: up(device, &[1.0, 2.0]), b: up(device, &[10.0, 20.0]), data: up(device, &[0.0, 0.0]), label: "unused",
        };
        let called = Call::new(&PAIR, 2).columns(&geometry).run(device).unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [11.0, 22.0], "{name}");
        // What is named stands.
        let call = Call::new(&PAIR, 2)
            .columns(&geometry)
            .bind("b", up(device, &[5.0, 5.0]));
        assert_eq!(
            floats(&call.run(device).unwrap().column("dst").unwrap()),
            [6.0, 7.0],
            "{name}"
        );
        // Only what is read is filled.
        let error = Call::new(&INPLACE, 2)
            .columns(&geometry)
            .run(device)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`abi_inplace` needs a column for `data`"),
            "{name}: {error}"
        );
        // By value too.
        let ints = values! { src: device.upload(&[3i32, 4], 1).unwrap() };
        let called = Call::new(&ADD, 2).columns(&ints).run(device).unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [4.0, 5.0], "{name}");
        // The count of the domain is the call's own, whatever the record holds under its name.
        let columns = values! { domain_count: device.upload(&[99u32], 1).unwrap() };
        let called = Call::new(&COUNTED, 3).columns(&columns).run(device).unwrap();
        assert_eq!(words(&called.column("dst").unwrap()), [33, 33, 33], "{name}");
    }
}

#[test]
fn a_buffer_reference_and_a_live_count_are_bound_as_columns() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, 2.0]);
        let called = Call::new(&ADD, BufferRef::of(&src))
            .bind("src", BufferRef::of(&src))
            .run(device)
            .unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [2.0, 3.0], "{name}");
        let written = Call::new(&INOUT, 2)
            .bind("src", &src)
            .bind("dst", BufferRef::of(&src))
            .bind("mode", 1);
        assert_eq!(
            floats(&written.run(device).unwrap().column("dst").unwrap()),
            [2.0, 4.0],
            "{name}"
        );
        let count = zero_compute::call::Live::of(&live(device, &src, 1)).unwrap();
        let called = Call::new(&WORDS, 1).bind("src", &count).run(device).unwrap();
        assert_eq!(words(&called.column("dst").unwrap()), [1], "{name}");
    }
}

#[test]
fn a_live_column_that_is_read_keeps_its_count_in_what_is_shaped_like_it() {
    on_every_device(
        |device| Call::new(&ADD, 3).bind("src", live(device, &up(device, &[1.0, 2.0, 3.0]), 2)),
        |name, _, called| assert_eq!(floats(&called.column("dst").unwrap()), [2.0, 3.0], "{name}"),
    );
}
