//! Tables of columns: packed in the declared order or by name, and read by slot and by name.

use zero_compute::call::Call;
use zero_compute::{Args, Domain, values};

use crate::kernels::{ACCESSORS, COLUMNS, ORDERED};
use crate::{check_floats, check_refused, devices_once, floats, up};

#[test]
fn a_table_with_a_declared_order_is_packed_in_it() {
    check_floats("dst", &[12.0, 34.0], |device| {
        // Neither the order of the record nor that of the names.
        let columns = values! { head: up(device, &[2.0, 4.0]), tail: up(device, &[1.0, 3.0]) };
        Call::new(&ORDERED, 2).bind("cols", columns)
    });
}

#[test]
fn a_table_without_one_is_read_by_name_whatever_else_it_holds() {
    check_floats("dst", &[11.0, 22.0], |device| {
        let columns = values! {
            z: up(device, &[7.0]), b: up(device, &[10.0, 20.0]), P: device.upload(&[1i32, 2, 3], 3).unwrap(),
            a: up(device, &[1.0, 2.0]),
        };
        Call::new(&COLUMNS, 2).bind("cols", columns)
    });
}

#[test]
fn an_unbound_table_takes_all_columns_of_the_record() {
    for (name, device) in devices_once() {
        let geometry = values! { b: up(device, &[10.0, 20.0]), a: up(device, &[1.0, 2.0]), label: "not a column" };
        let called = Call::new(&COLUMNS, 2).columns(&geometry).run(device).unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [11.0, 22.0], "{name}");
    }
}

#[test]
fn every_accessor_reads_what_it_says() {
    // In order of the names `floats` (of three lanes) is slot 0 and `ints` slot 1.
    let expected = [
        -7.0, -7.0, 0.0, 2.0, 21.5, 3.0, 0.0, 2.0, 3.0, 2.0, 1.5, 0.0, //
        9.0, 9.0, 9.0, -2.0, -15.5, 6.0, 0.0, 2.0, 3.0, 2.0, 4.5, 0.0, //
        // Past the end of both: the last element again.
        9.0, 9.0, 9.0, -2.0, -15.5, 6.0, 0.0, 2.0, 3.0, 2.0, 4.5, 0.0,
    ];
    check_floats("dst", &expected, |device| {
        let ints = device.upload(&[-7i32, 9], 1).unwrap();
        let points = device.upload(&[1.5f32, 2.0, 3.0, 4.5, -2.0, 6.0], 3).unwrap();
        Call::new(&ACCESSORS, 3).bind("cols", values! { ints: ints, floats: points })
    });
    // Of an empty column every element is 0.
    let nothing = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0];
    check_floats("dst", &nothing, |device| {
        let ints = device.upload::<i32>(&[], 1).unwrap();
        Call::new(&ACCESSORS, 1).bind("cols", values! { ints: ints, floats: up(device, &[]) })
    });
}

#[test]
fn columns_of_more_than_a_slice_arrive_whole() {
    let n = 70_000u32;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| (i % 17) as f32 * 100_000.0).collect();
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    check_floats("dst", &expected, |device| {
        Call::new(&COLUMNS, n).bind("cols", values! { a: up(device, &a), b: up(device, &b) })
    });
}

#[test]
fn a_packed_table_serves_many_calls_and_is_packed_anew_when_its_list_runs() {
    for (name, device) in devices_once() {
        let (a, b) = (up(device, &[1.0, 2.0]), up(device, &[10.0, 20.0]));
        let mut rec = device.record("pack");
        let table = rec.pack(&[("b", &b), ("a", &a)]).unwrap();
        assert_eq!(table.names(), ["b", "a"], "{name}");
        let called = Call::new(&COLUMNS, 2).bind("cols", &table).record(&mut rec).unwrap();
        let args = Args::new().with("cols", &table);
        let dispatched = rec.dispatch(&COLUMNS, args, Domain::count(2)).unwrap();
        rec.fill(&a, 3.0f32.to_bits()).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        assert_eq!(floats(&called.column("dst").unwrap()), [11.0, 22.0], "{name}");
        list.submit().unwrap();
        for dst in [called.column("dst").unwrap(), dispatched.column("dst").unwrap()] {
            assert_eq!(floats(&dst), [13.0, 23.0], "{name}");
        }
        let mut rec = device.record("refused");
        let error = rec.pack(&[("a", &a), ("a", &b)]).unwrap_err().to_string();
        assert!(error.contains("every name once, got `a` twice"), "{name}: {error}");
        let table = rec.pack(&[("head", &a), ("tail", &b)]).unwrap();
        let error = rec.dispatch(&ORDERED, Args::new().with("cols", &table), Domain::count(2));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("exactly tail, head, in this order, got a table of head, tail"),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_table_of_other_columns_is_refused_with_both_lists() {
    let exactly = "expected a table of exactly tail, head, got a table of";
    check_refused(&["`abi_ordered`, `cols`", exactly, "head, tail, third"], |device| {
        let one = up(device, &[1.0]);
        Call::new(&ORDERED, 1).bind("cols", values! { head: &one, tail: &one, third: &one })
    });
    check_refused(&[exactly, "got a table of head"], |device| {
        Call::new(&ORDERED, 1).bind("cols", values! { head: up(device, &[1.0]) })
    });
    check_refused(
        &["`abi_columns`, `cols`", "a table with a, b", "got a table of a, c"],
        |device| {
            let one = up(device, &[1.0]);
            Call::new(&COLUMNS, 1).bind("cols", values! { a: &one, c: &one })
        },
    );
    check_refused(
        &["`abi_columns`, `cols.b`", "expected a column, got the number 2"],
        |device| Call::new(&COLUMNS, 1).bind("cols", values! { a: up(device, &[1.0]), b: 2 }),
    );
    check_refused(
        &["`cols`", "expected a table of columns, got a column of f32"],
        |device| Call::new(&COLUMNS, 1).bind("cols", up(device, &[1.0])),
    );
    check_refused(
        &["`cols`", "expected a table with a, b, got a table of nothing"],
        |_| Call::new(&COLUMNS, 1).columns(values! {}),
    );
    check_refused(&["`abi_columns` needs a column for `cols`"], |_| Call::new(&COLUMNS, 1));
}

#[test]
fn a_function_that_asks_a_table_for_what_it_lacks_fails() {
    use zero_compute::*;
    static ASKS: Kernel = Kernel::declare("asks")
        .columns("cols", Columns::Named(&[]))
        .read("plain", Element::U32)
        .write("dst", Element::F32, Rule::Domain)
        .param("which", Param::U32(0))
        .cpu(Cpu::Whole(|b, p, _| match p.u32("which")? {
            0 => b.table("cols")?.slot("c").map(|_| ()),
            1 => b.table("plain").map(|_| ()),
            2 => b.table("nothing").map(|_| ()),
            _ => {
                let cols = b.table("cols")?;
                assert_eq!(
                    (cols.names(), cols.columns()),
                    (&["a".to_owned(), "b".to_owned()][..], 2)
                );
                assert_eq!(cols.words::<f32>(cols.slot("a")?), Some(&[1.0f32][..]));
                assert!(cols.words::<i32>(0).is_none() && cols.words::<f32>(9).is_none());
                b.write::<f32>("dst")?.fill(cols.f32(1, 0, 0));
                Ok(())
            }
        }));
    for (name, device) in crate::common::cpu_devices() {
        let run = |which: u32, plain: &[u32]| {
            let columns = values! { a: up(&device, &[1.0]), b: device.upload(&[5i32], 1).unwrap() };
            let plain = device.upload(plain, 1).unwrap();
            let call = Call::new(&ASKS, 1).bind_all(values! { cols: columns, plain: &plain, which: which });
            let called = call.run(&device).unwrap();
            device.drive(&Exec::default()).map(|_| called)
        };
        let error = run(0, &[0]).unwrap_err().to_string();
        assert!(
            error.contains("the table `cols` has no column `c`; it has a, b"),
            "{name}: {error}"
        );
        for plain in [
            &[][..],
            &[1],
            &[1, 2, 3, 4, 5],
            &[1, 5, 9, 9, 0],
            &[u32::MAX, 0, 0, 0],
            &[1, 5, 0, 1, 0, 400],
        ] {
            let error = run(1, plain).unwrap_err().to_string();
            assert!(
                error.contains("`asks`, CPU function: `plain` is no table of columns"),
                "{name}: {error}"
            );
        }
        let error = run(2, &[0]).unwrap_err().to_string();
        assert!(error.contains("there is no binding `nothing`"), "{name}: {error}");
        assert_eq!(floats(&run(3, &[0]).unwrap().column("dst").unwrap()), [5.0], "{name}");
    }
}
