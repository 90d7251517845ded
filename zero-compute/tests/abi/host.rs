//! Host functions: declared returns, a ceiling, and columns as references.

use zero_compute::call::{BufferRef, Call, HostCall, Other, Value, ValueType};
use zero_compute::{CancelToken, Error, Exec, ManualClock, values};

use crate::kernels::ADD;
use crate::{devices_once, floats, live, up};

#[test]
fn a_column_reaches_the_function_as_a_reference() {
    for (name, device) in devices_once() {
        let points = device.upload(&[0.0f32; 6], 3).unwrap();
        let some = live(device, &device.upload(&[4i32, 5], 1).unwrap(), 1);
        let call = HostCall::new("look")
            .arg("points", &points)
            .arg("nested", values! { some: &some })
            .arg("k", 2);
        let call = call.returns(&[ValueType::Buffer, ValueType::Number]);
        let returned = call
            .run(&Exec::default(), |args| {
                let Some(Value::Buffer(points)) = args.get("points") else {
                    panic!("{name}: {args:?}")
                };
                assert_eq!(
                    (points.type_name.as_str(), points.count, points.lanes),
                    ("Vec3", 2, 3),
                    "{name}"
                );
                assert!(points.live.is_none(), "{name}");
                let Some(Value::Buffer(some)) = args.record("nested")?.get("some") else {
                    panic!("{name}: {args:?}")
                };
                assert_eq!(
                    (some.type_name.as_str(), some.count, some.lanes),
                    ("Int", 2, 1),
                    "{name}"
                );
                assert_eq!(some.element, zero_compute::Element::I32, "{name}");
                assert_eq!(
                    some.live.as_ref().map(zero_compute::call::Live::capacity),
                    Some(2),
                    "{name}"
                );
                Ok(vec![Value::from(points), Value::from(args.number("k")? * 2.0)])
            })
            .unwrap();
        assert_eq!(
            returned[0].as_column().map(zero_compute::Column::id),
            Some(points.id()),
            "{name}"
        );
        assert_eq!(returned[1].as_number(), Some(4.0.into()), "{name}");
    }
}

#[test]
fn a_function_may_run_kernels_and_return_their_columns() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, 2.0]);
        let call = HostCall::new("add").arg("src", &src).returns(&[ValueType::Column]);
        let returned = call
            .run(&Exec::default(), |args| {
                let called = Call::new(&ADD, 2).bind("src", args.column("src")?).run(device)?;
                Ok(vec![called.column("dst")?.into()])
            })
            .unwrap();
        assert_eq!(floats(returned[0].as_column().unwrap()), [2.0, 3.0], "{name}");
    }
}

#[test]
fn a_wrong_return_is_refused_with_both_lists() {
    let run = |declared: &[ValueType], values: Vec<Value>| {
        HostCall::new("pick")
            .returns(declared)
            .run(&Exec::default(), |_| Ok(values))
    };
    let two = [ValueType::Number, ValueType::Text];
    assert_eq!(run(&two, vec![1.into(), "a".into()]).unwrap().len(), 2);
    for (values, found) in [
        (vec![], "nothing"),
        (vec![1.into()], "Number"),
        (vec!["a".into(), 1.into()], "String, Number"),
        (vec![1.into(), "a".into(), true.into()], "Number, String, Bool"),
    ] {
        let error = run(&two, values).unwrap_err().to_string();
        let expected = format!("function `pick` declares that it returns Number, String, and returned {found}");
        assert_eq!(error, expected);
    }
    // A type of a layer above goes by its name.
    let geometry = || Value::from(Other::new("Geometry", 7u8));
    let returned = run(&[ValueType::Other("Geometry")], vec![geometry()]).unwrap();
    assert!(
        matches!(&returned[0], Value::Other(other) if other.get::<u8>() == Some(&7) && other.get::<u16>().is_none())
    );
    let error = run(&[ValueType::Other("Part")], vec![geometry()])
        .unwrap_err()
        .to_string();
    assert!(error.contains("returns Part, and returned Geometry"), "{error}");
}

#[test]
fn a_function_that_takes_longer_than_its_ceiling_is_refused() {
    let clock = ManualClock::new();
    let exec = Exec {
        clock: &clock,
        ..Exec::default()
    };
    let run = |ms: f64| {
        HostCall::new("slow").ceiling_ms(5.0).run(&exec, |_| {
            clock.advance_ms(ms);
            Ok(vec![])
        })
    };
    assert!(run(5.0).is_ok());
    let error = run(7.5).unwrap_err();
    assert_eq!(error.to_string(), "function `slow` took 7.5 ms and may take 5");
    // Without a ceiling it may take as long as it likes.
    let unbound = HostCall::new("slow").run(&exec, |_| {
        clock.advance_ms(1e6);
        Ok(vec![])
    });
    assert!(unbound.is_ok());
}

#[test]
fn a_ceiling_that_is_no_time_is_refused_before_the_function_is_called() {
    for (ceiling_ms, found) in [(f64::NAN, "NaN"), (-1.0, "-1"), (f64::NEG_INFINITY, "-inf")] {
        let call = HostCall::new("slow").ceiling_ms(ceiling_ms);
        let error = call.run(&Exec::default(), |_| panic!("it was called")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("function `slow`: its ceiling: expected milliseconds from 0 up, got {found}")
        );
    }
    let clock = ManualClock::new();
    let exec = Exec {
        clock: &clock,
        ..Exec::default()
    };
    assert!(
        HostCall::new("quick")
            .ceiling_ms(0.0)
            .run(&exec, |_| Ok(vec![]))
            .is_ok()
    );
}

#[test]
fn a_cancelled_or_ambiguous_call_never_reaches_the_function() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let exec = Exec {
        cancel: &cancel,
        ..Exec::default()
    };
    let cancelled = HostCall::new("never").run(&exec, |_| panic!("it was called"));
    assert_eq!(cancelled.unwrap_err(), Error::Cancelled);
    let twice = HostCall::new("never")
        .arg("a", 1)
        .arg("a", 2)
        .run(&Exec::default(), |_| panic!("it was called"));
    assert_eq!(
        twice.unwrap_err().to_string(),
        "function `never`: argument `a`: expected every name once, got it twice"
    );
    let own = HostCall::new("fails").run(&Exec::default(), |_| Err(Error::Abandoned));
    assert_eq!(own.unwrap_err(), Error::Abandoned, "the function's own error");
}

#[test]
fn a_function_that_panics_is_an_error_with_its_words() {
    let number = 7;
    let literal = HostCall::new("a").run(&Exec::default(), |_| panic!("a test's own panic"));
    let written = HostCall::new("b").run(&Exec::default(), |_| panic!("a test's own panic, {number}"));
    assert_eq!(
        [literal, written].map(|result| result.unwrap_err().to_string()),
        [
            "function `a` panicked: a test's own panic",
            "function `b` panicked: a test's own panic, 7"
        ]
    );
}

#[test]
fn a_reference_names_the_type_of_its_elements() {
    for (_, device) in devices_once() {
        let names = [
            BufferRef::of(&device.upload(&[1.0f32; 12], 1).unwrap()).type_name,
            BufferRef::of(&device.upload(&[1.0f32; 12], 4).unwrap()).type_name,
            BufferRef::of(&device.upload(&[1.0f32; 12], 6).unwrap()).type_name,
            BufferRef::of(&device.upload(&[1u32; 12], 1).unwrap()).type_name,
            BufferRef::of(&device.upload(&[1i32; 12], 3).unwrap()).type_name,
        ];
        assert_eq!(names, ["Float", "Vec4", "f32x6", "UInt", "i32x3"]);
    }
}
