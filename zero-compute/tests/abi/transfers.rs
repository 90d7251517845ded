//! Uploads and read-backs of whole records.

use std::sync::Arc;

use zero_compute::call::transfer::{self, Moved};
use zero_compute::call::{BufferRef, Call, Field, Items, List, Live, Other, Readable, Record, Value};
use zero_compute::field::{Binary, Kind, Mode, Program, Tape};
use zero_compute::{Column, CpuOptions, Device, Element, Error, Exec, Len, values};

use crate::common::devices;
use crate::kernels::FILTER;
use crate::{devices_once, floats, ints, live, read, up, words};

#[test]
fn values_become_columns_of_their_kinds() {
    for (name, device) in &devices() {
        let held = up(device, &[9.0]);
        let counting = device.counting();
        let uploaded = transfer::upload(
            device,
            values! {
                number: 7, floats: vec![1.0f32, 2.0], points: vec![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]],
                texts: vec!["a", "b"], ints: vec![-1, 2], words: vec![5u32],
                pairs: List::of_lanes(Items::I32(vec![1, 2, 3, 4]), 2),
                inner: values! { deep: vec![8.0f32], deeper: values! { one: 1.5 } }, held: &held,
            },
        )
        .unwrap();
        assert_eq!(counting.delta().uploads, 8, "{name}");
        assert_eq!(floats(&uploaded.column("number").unwrap()), [7.0], "{name}");
        assert_eq!(floats(&uploaded.column("floats").unwrap()), [1.0, 2.0], "{name}");
        let points = uploaded.column("points").unwrap();
        assert_eq!(
            (points.lanes(), points.capacity(), points.element()),
            (3, 2, Element::F32),
            "{name}"
        );
        assert_eq!(floats(&points), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "{name}");
        let texts = uploaded.list("texts").unwrap();
        assert_eq!(texts.as_texts().unwrap(), ["a", "b"], "{name}: texts stay on the host");
        assert_eq!(ints(&uploaded.column("ints").unwrap()), [-1, 2], "{name}");
        assert_eq!(words(&uploaded.column("words").unwrap()), [5], "{name}");
        assert_eq!(uploaded.column("pairs").unwrap().lanes(), 2, "{name}");
        let inner = uploaded.record("inner").unwrap();
        assert_eq!(floats(&inner.column("deep").unwrap()), [8.0], "{name}");
        assert_eq!(
            floats(&inner.record("deeper").unwrap().column("one").unwrap()),
            [1.5],
            "{name}"
        );
        assert_eq!(
            uploaded.column("held").unwrap().id(),
            held.id(),
            "{name}: held as it is"
        );
    }
}

fn up_u32(device: &Device, word: u32) -> Column {
    device.upload(&[word], 1).unwrap()
}

#[test]
fn bools_vectors_and_what_is_on_the_device_are_taken() {
    for (name, device) in &devices() {
        let held = up(device, &[9.0]);
        let count = Live::new(&up_u32(device, 3), 7).unwrap();
        let uploaded = transfer::upload(
            device,
            values! {
                yes: true, no: false, pair: [1, -2], triple: [0.5f32, 1.5, 2.5], buffer: BufferRef::of(&held),
                count: &count, far: vec![1.0f32, f32::INFINITY],
            },
        )
        .unwrap();
        assert_eq!(floats(&uploaded.column("yes").unwrap()), [1.0], "{name}");
        assert_eq!(floats(&uploaded.column("no").unwrap()), [0.0], "{name}");
        for (of, expected) in [("pair", &[1.0, -2.0][..]), ("triple", &[0.5, 1.5, 2.5])] {
            let column = uploaded.column(of).unwrap();
            assert_eq!(
                (column.capacity(), column.lanes() as usize),
                (1, expected.len()),
                "{name}"
            );
            assert_eq!(floats(&column), expected, "{name}");
        }
        assert_eq!(uploaded.column("buffer").unwrap().id(), held.id(), "{name}");
        let live = uploaded.live("count").unwrap();
        assert_eq!((live.count().id(), live.capacity()), (count.count().id(), 7), "{name}");
        assert_eq!(floats(&uploaded.column("far").unwrap()), [1.0, f32::INFINITY], "{name}");
    }
}

#[test]
fn an_upload_refuses_what_is_no_column_by_its_path() {
    let foreign = Device::cpu(CpuOptions::default());
    let foreign = up(&foreign, &[1.0]);
    for (name, device) in devices_once() {
        let refused = |values, expected: &str| {
            let error = transfer::upload(device, values).unwrap_err().to_string();
            assert!(error.contains(expected), "{name}: {error}");
        };
        refused(
            values! { a: values! { b: "text" } },
            "upload: `a.b`: expected a number, a bool, a vector, a list, a column, a live count",
        );
        refused(
            values! { a: [1.0, f64::NAN] },
            "upload: `a`: expected a number that an f32 holds",
        );
        refused(
            values! { a: values! { b: vec![[0.0f32, 1.0], [f32::INFINITY, f32::NAN]] } },
            "upload: `a.b[3]`: expected a number, got NaN",
        );
        refused(
            values! { a: Live::new(&up_u32(foreign.device(), 1), 1).unwrap() },
            "the column `a` belongs to another device",
        );
        refused(values! { a: 1, a: 2 }, "upload: `a`: expected every name once");
        refused(values! { a: &foreign }, "the column `a` belongs to another device");
        refused(
            values! { a: List::of_lanes(Items::F32(vec![1.0; 4]), 3) },
            "4 words do not divide",
        );
        refused(values! { a: List::of_lanes(Items::F32(vec![1.0; 4]), 0) }, "of 0 lanes");
    }
}

fn doubled(device: &Device, values: &[f32]) -> Field {
    let mut tape = Tape::new();
    let leaf = tape.leaf(0, 0, Kind::F32);
    let twice = tape.binary(Binary::Add, leaf, leaf).unwrap();
    let program = Program::compile(&tape, &[twice], Mode::Exact).unwrap();
    Field::new(&Arc::new(program), &[&up(device, values)])
}

#[test]
fn everything_comes_back_together() {
    for (name, device) in &devices() {
        let column = device.upload(&[1i32, 2, 3, 4, 5, 6], 2).unwrap();
        let some = live(device, &column, 2);
        let asked = values! {
            whole: &column, front: &some, count: Live::of(&some).unwrap(), number: 2.5, flag: true, text: "shore",
            vector: [1, 2], table: values! { words: device.upload(&[7u32], 1).unwrap(), empty: up(device, &[]) },
            field: doubled(device, &[1.5, 2.5]), list: vec!["kept"],
        };
        let counting = device.counting();
        let transfer = transfer::readback(device, asked).unwrap();
        let arrived = transfer.wait().unwrap();
        assert_eq!(counting.delta().readbacks, 6, "{name}");
        let values = &arrived.values;
        assert_eq!(values.ints("whole").unwrap(), [1, 2, 3, 4, 5, 6], "{name}");
        assert_eq!(values.list("whole").unwrap().lanes(), 2, "{name}");
        assert_eq!(values.ints("front").unwrap(), [1, 2, 3, 4], "{name}: the live front");
        assert_eq!(values.number("count").unwrap(), 2.0, "{name}");
        assert_eq!(values.number("number").unwrap(), 2.5, "{name}");
        assert!(matches!(values.get("flag"), Some(Value::Bool(true))), "{name}");
        assert_eq!(values.text("text").unwrap(), "shore", "{name}");
        assert!(
            matches!(values.get("vector"), Some(Value::Vec(v)) if v.len() == 2),
            "{name}"
        );
        let table = values.record("table").unwrap();
        assert_eq!(table.list("words").unwrap().as_u32().unwrap(), [7], "{name}");
        assert!(table.list("empty").unwrap().is_empty(), "{name}");
        assert_eq!(values.floats("field").unwrap(), [3.0, 5.0], "{name}");
        assert_eq!(values.list("list").unwrap().as_texts().unwrap(), ["kept"], "{name}");
        let moved = |name: &str, elements: u32, bytes: u64| Moved {
            name: name.to_owned(),
            elements,
            bytes,
        };
        let expected = [
            moved("whole", 3, 24),
            moved("front", 2, 16),
            moved("count", 1, 4),
            moved("table.words", 1, 4),
            moved("table.empty", 0, 0),
            moved("field", 2, 8),
        ];
        assert_eq!(arrived.report.moved, expected, "{name}");
        assert_eq!((arrived.report.bytes(), arrived.report.polls), (56, 0), "{name}");
    }
}

/// A geometry as a layer above has it: columns on a device, or lists.
#[derive(Clone, Debug)]
struct Shape {
    name: &'static str,
    points: Value,
}

impl Readable for Shape {
    const TYPE_NAME: &'static str = "Geometry";

    fn parts(&self) -> Record {
        values! { P: self.points.clone() }
    }

    fn with_parts(&self, parts: Record) -> Self {
        let points = parts.get("P").cloned();
        Self {
            points: points.unwrap_or_else(|| self.points.clone()),
            ..self.clone()
        }
    }
}

#[test]
fn a_value_of_another_layer_answers_the_copy_that_holds_what_its_columns_held() {
    for (name, device) in &devices() {
        let points = device.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], 3).unwrap();
        let some = live(device, &points, 1);
        let shape = |points: &Column| {
            Other::readable(Shape {
                name: "rock",
                points: Value::from(points),
            })
        };
        let asked = values! { whole: shape(&points), parts: values! { front: shape(&some) } };
        let arrived = read(device, asked);
        let found = |value: Option<&Value>| match value {
            Some(Value::Other(other)) => {
                let shape = other.get::<Shape>().unwrap();
                assert_eq!(shape.name, "rock", "{name}");
                let Value::List(points) = &shape.points else {
                    panic!("{name}: {shape:?}")
                };
                (points.lanes(), points.as_f32().unwrap().to_vec())
            }
            other => panic!("{name}: {other:?}"),
        };
        let all = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(found(arrived.values.get("whole")), (3, all), "{name}");
        let parts = arrived.values.record("parts").unwrap();
        assert_eq!(found(parts.get("front")), (3, vec![1.0, 2.0, 3.0]), "{name}");
        let moved: Vec<&str> = arrived.report.moved.iter().map(|moved| moved.name.as_str()).collect();
        assert_eq!(moved, ["whole.P", "parts.front.P"], "{name}");
        // It is read again, for the copy is readable too; and nothing of it is on a device any more.
        let counting = device.counting();
        let again = read(device, values! { again: arrived.values.get("whole").unwrap() });
        assert_eq!(found(again.values.get("again")).0, 3, "{name}");
        assert_eq!(counting.delta().readbacks, 0, "{name}");
        // What cannot say what it holds would come back unread.
        let error = transfer::readback(device, values! { a: Other::new("Part", 7u8) }).unwrap_err();
        let expected = "readback: `a`: expected a value that is readable, got a Part";
        assert!(error.to_string().contains(expected), "{name}: {error}");
    }
}

#[test]
fn a_count_past_its_capacity_is_the_true_one() {
    for (name, device) in devices_once() {
        let over = live(device, &up(device, &[1.0, 2.0]), 9);
        let arrived = read(device, values! { count: Live::of(&over).unwrap(), over: &over });
        assert_eq!(arrived.values.number("count").unwrap(), 9.0, "{name}");
        assert_eq!(arrived.values.floats("over").unwrap(), [1.0, 2.0], "{name}");
    }
}

#[test]
fn a_report_counts_the_frames_of_the_host_however_the_values_are_taken() {
    // Devices of its own: what other tests drive would be counted too.
    for (name, device) in devices() {
        let src = up(&device, &[1.0, -1.0, 2.0]);
        let called = Call::new(&FILTER, &src).bind("src", &src).run(&device).unwrap();
        let ask = || transfer::readback(&device, &called.columns).unwrap();
        let mut transfer = ask();
        assert!(
            transfer.try_take().is_none() && transfer.try_take().is_none(),
            "{name}: nothing has run"
        );
        let mut frames = 0;
        let arrived = loop {
            device.poll();
            frames += 1;
            match transfer.try_take() {
                Some(arrived) => break arrived.unwrap(),
                None => std::thread::yield_now(),
            }
        };
        assert_eq!(arrived.values.number("hits_count").unwrap(), 2.0, "{name}");
        assert_eq!(arrived.report.polls, frames, "{name}");
        assert!(transfer.try_take().is_none(), "{name}: taken already");
        assert_eq!(transfer.wait().unwrap_err(), Error::Taken, "{name}");

        let (waited, awaited) = (ask(), ask());
        device.poll();
        device.drive(&Exec::default()).unwrap();
        device.advance(&Exec::default()).unwrap();
        assert_eq!(waited.wait().unwrap().report.polls, 3, "{name}");
        assert_eq!(pollster::block_on(awaited).unwrap().report.polls, 3, "{name}");
        assert_eq!(ask().wait().unwrap().report.polls, 0, "{name}");
        assert_eq!(pollster::block_on(ask()).unwrap().report.polls, 0, "{name}");
    }
}

#[test]
fn a_read_back_is_a_future() {
    for (name, device) in devices_once() {
        let src = up(device, &[1.0, -1.0, 2.0]);
        let called = Call::new(&FILTER, &src).bind("src", &src).run(device).unwrap();
        let asked = called.columns.with("src", &src).with("none", values! {});
        let arrived = pollster::block_on(transfer::readback(device, asked).unwrap()).unwrap();
        assert_eq!(arrived.values.floats("src").unwrap(), [1.0, -1.0, 2.0], "{name}");
        assert_eq!(arrived.values.number("hits_count").unwrap(), 2.0, "{name}");
        assert!(arrived.values.record("none").unwrap().is_empty(), "{name}");
        let nothing = pollster::block_on(transfer::readback(device, values! {}).unwrap()).unwrap();
        assert!(nothing.values.is_empty(), "{name}");
    }
}

#[test]
fn a_read_back_refuses_what_has_no_elements() {
    let foreign = Device::cpu(CpuOptions::default());
    let foreign = up(&foreign, &[1.0]);
    let mut tape = Tape::new();
    let one = tape.const_f32(1.0);
    let constant = Arc::new(Program::compile(&tape, &[one], Mode::Exact).unwrap());
    for (name, device) in devices_once() {
        let refused = |values, expected: &str| {
            let error = transfer::readback(device, values).unwrap_err().to_string();
            assert!(error.contains(expected), "{name}: {error}");
        };
        let field = Field::new(&constant, &[]);
        refused(
            values! { a: values! { f: field } },
            "readback: `a.f`: expected a field that reads a column",
        );
        refused(values! { a: &foreign }, "the column `a` belongs to another device");
        refused(values! { a: 1, a: 2 }, "readback: `a`: expected every name once");
        let mut rec = device.record("t");
        let table = rec.pack(&[]).unwrap();
        refused(values! { t: &table }, "expected the columns by themselves");
    }
}

/// What a record is asked for and lacks is named, with what it has.
#[test]
fn a_record_names_what_it_lacks() {
    let record = values! { a: 1, b: "text" };
    let missing = record.number("c").unwrap_err().to_string();
    assert!(missing.contains("`c`") && missing.contains("one of a, b"), "{missing}");
    let wrong = record.column("b").unwrap_err().to_string();
    assert!(
        wrong.contains("`b`") && wrong.contains("a column") && wrong.contains("the text `text`"),
        "{wrong}"
    );
    assert!(matches!(
        values! {}.with("l", vec![1.0f32]).list("l").map(List::len),
        Ok(1)
    ));
    for (_, device) in devices_once() {
        assert!(matches!(up(device, &[1.0]).len(), Len::Known(1)));
    }
}

#[test]
fn a_number_that_no_f32_holds_is_refused_by_its_path() {
    let device = Device::cpu(zero_compute::CpuOptions::default());
    let check = |value: Value, found: &str| {
        let values = values! { outer: Record::new().with("speed", value) };
        let error = transfer::upload(&device, values).unwrap_err().to_string();
        let expected = format!("upload: `outer.speed`: expected a number that an f32 holds, got the number {found}");
        assert_eq!(error, expected);
    };
    check(1e300.into(), "1e300");
    check((-3.5e38).into(), "-3.5e38");
    check(f64::NAN.into(), "NaN");
    check(f32::INFINITY.into(), "inf");
    check(16_777_217.into(), "16777217");
    check(u32::MAX.into(), "4294967295u");
    for (number, held) in [(16_777_216.0, 16_777_216.0), (0.1, 0.1f32), (1e-300, 0.0)] {
        let up = transfer::upload(&device, values! { a: number }).unwrap();
        assert_eq!(floats(&up.column("a").unwrap()), [held]);
    }
    let up = transfer::upload(&device, values! { a: -16_777_218 }).unwrap();
    assert_eq!(floats(&up.column("a").unwrap()), [-16_777_218.0]);
}

#[test]
fn a_field_has_the_elements_of_what_it_reads_at_its_own() {
    // Slot 0 is read through an index alone; slot 1 holds the indices.
    let mut tape = Tape::new();
    let index = tape.leaf(1, 0, Kind::I32);
    let picked = tape.gather(0, 0, Kind::F32, index).unwrap();
    let picked = Arc::new(Program::compile(&tape, &[picked], Mode::Exact).unwrap());
    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let sum = tape.binary(Binary::Add, a, b).unwrap();
    let sum = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
    let mut tape = Tape::new();
    let id = tape.id();
    let alone = tape.gather(0, 0, Kind::F32, id).unwrap();
    let alone = Arc::new(Program::compile(&tape, &[alone], Mode::Exact).unwrap());
    for (name, device) in devices_once() {
        let source = up(device, &[10.0, 11.0, 12.0, 13.0, 14.0]);
        let indices = device.upload(&[4i32, 0], 1).unwrap();
        let asked = values! { picked: Field::new(&picked, &[&source, &indices]) };
        let arrived = transfer::readback(device, asked).unwrap().wait().unwrap();
        assert_eq!(arrived.values.floats("picked").unwrap(), [14.0, 10.0], "{name}");

        let short = up(device, &[1.0, 2.0]);
        let asked = values! { sum: Field::new(&sum, &[&source, &short]) };
        assert_eq!(
            transfer::readback(device, asked).unwrap_err().to_string(),
            "readback: `sum`: expected columns of one length, 5 elements as the first, got one of 2 (map it over a \
             domain with Recorder::map)",
            "{name}"
        );
        let asked = values! { alone: Field::new(&alone, &[&source]) };
        let error = transfer::readback(device, asked).unwrap_err().to_string();
        assert!(error.ends_with("got a field without elements"), "{name}: {error}");
    }
}
