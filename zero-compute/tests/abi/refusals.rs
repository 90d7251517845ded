//! What a call is refused for, each refusal naming the kernel and the value, and leaving nothing recorded.

use zero_compute::call::Call;
use zero_compute::{CpuOptions, Device, values};

use crate::kernels::{ADD, FILTER, INOUT, INPLACE, LEN, PAIR, PARAMS, SPEC};
use crate::{check_refused, live, up};

#[test]
fn an_unknown_name_is_refused_with_the_known_ones() {
    check_refused(&["kernel `abi_add` has no `scale`; it has src, dst, delta"], |device| {
        Call::new(&ADD, 1).bind("src", up(device, &[1.0])).bind("scale", 2.0)
    });
    check_refused(&["kernel `params` has no `dir_w`; it has dst, dir_x"], |_| {
        Call::new(&PARAMS, 7).bind("dir", [1.0, 2.0, 3.0, 4.0])
    });
    check_refused(&["kernel `abi_add` has no `offset`"], |device| {
        Call::new(&ADD, 1)
            .bind("src", up(device, &[1.0]))
            .bind("offset", [1.0, 2.0])
    });
    check_refused(&["has no `MODE`; it has the specializations T"], |device| {
        Call::new(&SPEC, 1)
            .bind("src", up(device, &[1.0]))
            .specialize("MODE", "add")
    });
}

/// Without the lanes in the declaration these ran, over mixed-up words.
#[test]
fn a_column_of_other_lanes_is_refused() {
    use zero_compute::kernels::{COMPACT_I32, HASH_KEYS, PROC_FIELD_NOISE, SCAN_I32, SORT_F32};
    check_refused(
        &["kernel `proc_field_noise`", "`coords`", "2 lanes", "3 lanes"],
        |device| Call::new(&PROC_FIELD_NOISE, 2).bind("coords", device.upload(&[0.5f32; 6], 3).unwrap()),
    );
    for lanes in [2, 3] {
        let found = format!("2 elements of {lanes} lanes");
        let floats = vec![1.0f32; 2 * lanes as usize];
        let ints = vec![1i32; 2 * lanes as usize];
        check_refused(&["kernel `sort_f32`", "`keys`", "1 lane,", &found], |device| {
            Call::new(&SORT_F32, 2)
                .bind("keys", device.upload(&floats, lanes).unwrap())
                .bind("values", device.upload(&[0i32, 1], 1).unwrap())
        });
        check_refused(&["kernel `scan_i32`", "`src`", "1 lane,", &found], |device| {
            Call::new(&SCAN_I32, 2).bind("src", device.upload(&ints, lanes).unwrap())
        });
        check_refused(&["kernel `compact_i32`", "`flags`", "1 lane,", &found], |device| {
            Call::new(&COMPACT_I32, 2).bind("flags", device.upload(&ints, lanes).unwrap())
        });
    }
    check_refused(&["kernel `hash_keys`", "`points`", "3 lanes", "of 2 lanes"], |device| {
        Call::new(&HASH_KEYS, 2).bind("points", device.upload(&[0.5f32; 4], 2).unwrap())
    });
}

#[test]
fn a_name_twice_and_a_name_left_out_are_refused() {
    check_refused(&["kernel `abi_add` was given `src` twice"], |device| {
        Call::new(&ADD, 1)
            .bind("src", up(device, &[1.0]))
            .bind("src", up(device, &[1.0]))
    });
    check_refused(&["kernel `abi_pair` was given `b` twice"], |device| {
        let one = up(device, &[1.0]);
        Call::new(&PAIR, 1)
            .bind("a", &one)
            .columns(values! { b: &one, b: &one })
    });
    check_refused(&["kernel `abi_spec` was given `T` twice"], |device| {
        Call::new(&SPEC, 1)
            .bind("src", up(device, &[1.0]))
            .specialize("T", "i32")
            .specialize("T", "i32")
    });
    check_refused(&["kernel `params` was given `dir_y` twice"], |_| {
        Call::new(&PARAMS, 7).bind("dir", [1.0, 2.0]).bind("dir_y", 3.0)
    });
    // Recorded, and then found to be missing something: what was cast and copied before is taken back.
    check_refused(&["kernel `abi_pair` needs a column for `b`"], |device| {
        Call::new(&PAIR, 1)
            .bind("a", device.upload(&[1i32], 1).unwrap())
            .bind("dst", up(device, &[1.0]))
    });
}

#[test]
fn a_value_of_another_type_is_refused() {
    check_refused(
        &[
            "`abi_add`, `src`",
            "a column, a field, a texture or a live count",
            "got the number 1.5",
        ],
        |_| Call::new(&ADD, 1).bind("src", 1.5),
    );
    check_refused(
        &["`abi_inplace`, `data`", "a column or a field", "got a vector of 3"],
        |_| Call::new(&INPLACE, 1).bind("data", [1, 2, 3]),
    );
    check_refused(
        &["`abi_add`, `dst`", "expected a column, got a list of 2 f32"],
        |device| {
            Call::new(&ADD, 1)
                .bind("src", up(device, &[1.0]))
                .bind("dst", vec![1.0f32, 2.0])
        },
    );
    check_refused(
        &["`abi_add`, `delta`", "expected a number (f32), got a column of f32"],
        |device| {
            let one = up(device, &[1.0]);
            Call::new(&ADD, 1).bind("src", &one).bind("delta", &one)
        },
    );
    check_refused(
        &["`abi_spec`, `T`", "Call::specialize sets", "the text `i32`"],
        |device| Call::new(&SPEC, 1).bind("src", up(device, &[1.0])).bind("T", "i32"),
    );
    check_refused(
        &["`abi_spec`: `T` has no option `f64`; it has f32, i32, u32"],
        |device| {
            Call::new(&SPEC, 1)
                .bind("src", up(device, &[1.0]))
                .specialize("T", "f64")
        },
    );
}

#[test]
fn a_number_that_does_not_fit_its_param_is_refused() {
    for (value, found) in [
        (0.5, "0.5"),
        (3e9, "3000000000.0"),
        (f64::NAN, "NaN"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        check_refused(&["`params`, `steps`: expected a number (i32), got ", found], |_| {
            Call::new(&PARAMS, 7).bind("steps", value)
        });
    }
    check_refused(&["`params`, `least`: expected a number (u32), got -1"], |_| {
        Call::new(&PARAMS, 7).bind("least", -1)
    });
    for (value, found) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1e300, "1e300")] {
        check_refused(
            &["`abi_add`, `delta`: expected a number (f32), got ", found],
            |device| Call::new(&ADD, 1).bind("src", up(device, &[1.0])).bind("delta", value),
        );
    }
}

#[test]
fn written_and_appended_columns_are_not_cast_and_must_fit() {
    check_refused(
        &["`abi_add`, binding `dst`: expected a column of f32, got one of i32"],
        |device| {
            Call::new(&ADD, 1)
                .bind("src", up(device, &[1.0]))
                .bind("dst", device.upload(&[1i32], 1).unwrap())
        },
    );
    check_refused(
        &["`abi_len`, binding `dst`: expected 2 elements of 1 lanes, got 3 elements"],
        |device| {
            Call::new(&LEN, 1)
                .bind("src", up(device, &[1.0, 2.0]))
                .bind("dst", up(device, &[1.0; 3]))
        },
    );
    check_refused(&["`abi_inout`, binding `dst`: expected 2 elements"], |device| {
        Call::new(&INOUT, 2)
            .bind("src", up(device, &[1.0, 2.0]))
            .bind("dst", up(device, &[1.0; 3]))
    });
    check_refused(&["`abi_filter`, binding `hits`: expected a live column"], |device| {
        let one = up(device, &[1.0]);
        Call::new(&FILTER, 1).bind("src", &one).bind("hits", &one)
    });
    check_refused(
        &["`abi_filter`, binding `hits`: expected a column of f32, got one of u32"],
        |device| {
            let hits = live(device, &device.upload(&[1u32], 1).unwrap(), 0);
            Call::new(&FILTER, 1)
                .bind("src", up(device, &[1.0]))
                .bind("hits", &hits)
        },
    );
}

#[test]
fn a_column_of_another_device_is_refused_wherever_it_is_bound() {
    let other = Device::cpu(CpuOptions::default());
    let foreign = other.upload(&[1i32], 1).unwrap();
    for binding in ["src", "dst"] {
        check_refused(
            &[&format!("the column for `{binding}` belongs to another device")],
            |device| {
                let call = Call::new(&INOUT, 1).bind(binding, &foreign);
                if binding == "dst" {
                    call.bind("src", up(device, &[1.0]))
                } else {
                    call
                }
            },
        );
    }
    check_refused(&["`domain_count` belongs to another device"], |device| {
        Call::new(&ADD, live(&other, &foreign, 1)).bind("src", up(device, &[1.0]))
    });
    check_refused(&["`cols` belongs to another device"], |_| {
        Call::new(&crate::kernels::COLUMNS, 1).columns(values! { a: &foreign, b: &foreign })
    });
}
