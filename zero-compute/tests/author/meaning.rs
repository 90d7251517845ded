//! What kernels of files do when they run.

use crate::common::cpu_devices;
use crate::{floats, folder, gpu, load, sample, words};
use zero_compute::author::Loader;
use zero_compute::*;

#[test]
fn a_kernel_of_files_is_dispatched_as_a_static_one() {
    let Some(device) = gpu() else { return };
    let add = sample("abi_add");
    let src = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
    let mut rec = device.record("add");
    let default = rec.dispatch(&add, args! { src: &src }, Domain::of(&src)).unwrap();
    let given = rec
        .dispatch(&add, args! { src: &src, delta: 0.5 }, Domain::of(&src))
        .unwrap();
    let list = rec.finish().unwrap();
    list.submit().unwrap();
    assert_eq!(floats(&default.column("dst").unwrap()), [2.0, 3.0, 4.0]);
    assert_eq!(floats(&given.column("dst").unwrap()), [1.5, 2.5, 3.5]);
    list.set(given.slot("delta").unwrap(), -1.0).unwrap();
    list.submit().unwrap();
    assert_eq!(floats(&given.column("dst").unwrap()), [0.0, 1.0, 2.0]);
}

#[test]
fn a_list_keeps_what_it_runs_when_the_kernel_is_gone() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[1.0f32], 1).unwrap();
    let mut rec = device.record("add");
    let done = {
        let add = sample("abi_add");
        rec.dispatch(add, args! { src: &src }, Domain::of(&src)).unwrap()
    };
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(floats(&done.column("dst").unwrap()), [2.0]);
}

#[test]
fn an_appended_output_has_its_count_and_capacity() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[0.9f32, 0.1, 0.6, 0.7], 1).unwrap();
    let mut rec = device.record("filter");
    let done = rec
        .dispatch(sample("abi_filter"), args! { src: &src }, Domain::of(&src))
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    let hits = done.column("hits").unwrap();
    assert_eq!(hits.capacity(), 4);
    assert_eq!(words(&hits.live_count().unwrap()), [3]);
    let mut kept = floats(&hits);
    kept.sort_by(f32::total_cmp);
    assert_eq!(kept, [0.6, 0.7, 0.9]);
}

#[test]
fn the_domain_picks_the_variant_that_reads_its_count() {
    let Some(device) = gpu() else { return };
    let kernel = sample("abi_live");
    let src = device.upload(&[1.0f32, 2.0, 3.0, 4.0], 1).unwrap();
    let run = |domain: Domain| {
        let mut rec = device.record("live");
        let done = rec.dispatch(&kernel, args! { src: &src }, domain).unwrap();
        rec.finish().unwrap().submit().unwrap();
        floats(&done.column("dst").unwrap().as_capacity())
    };
    assert_eq!(run(Domain::count(4)), [2.0, 4.0, 6.0, 8.0]);
    for (live, expected) in [
        (0u32, [-1.0, -1.0, -1.0, -1.0]),
        (1, [2.0, -1.0, -1.0, -1.0]),
        (3, [2.0, 4.0, 6.0, -1.0]),
        (4, [2.0, 4.0, 6.0, 8.0]),
        (9, [2.0, 4.0, 6.0, 8.0]),
    ] {
        let count = device.upload(&[live], 1).unwrap();
        assert_eq!(run(Domain::live(&count, 4)), expected, "{live} live");
    }
    let refused = |args: Args, domain: Domain, expected: &str| {
        let error = device
            .record("t")
            .dispatch(&kernel, args, domain)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    let count = device.upload(&[1u32], 1).unwrap();
    refused(
        args! { src: &src, COUNT: "plain" },
        Domain::live(&count, 4),
        "`COUNT`: expected `device`, as the domain is, got `plain`",
    );
    refused(
        args! { src: &src, COUNT: "device" },
        Domain::count(4),
        "`COUNT`: expected `plain`, as the domain is, got `device`",
    );
    let plain = kernel.variant(&Args::new(), false).unwrap();
    let live = kernel.variant(&Args::new(), true).unwrap();
    assert_eq!((plain.bindings().count(), live.bindings().count()), (2, 3));
}

#[test]
fn a_count_that_is_always_read_is_the_number_over_a_plain_domain() {
    let Some(device) = gpu() else { return };
    let kernel = sample("always_counted");
    let run = |domain: Domain| {
        let mut rec = device.record("counted");
        let done = rec.dispatch(&kernel, args! {}, domain).unwrap();
        rec.finish().unwrap().submit().unwrap();
        words(&done.column("dst").unwrap().as_capacity())
    };
    assert_eq!(run(Domain::count(3)), [3, 3, 3]);
    let count = device.upload(&[2u32], 1).unwrap();
    assert_eq!(run(Domain::live(&count, 3)), [2, 2, 2]);
}

#[test]
fn what_is_in_place_is_changed_and_what_is_sized_by_a_binding_has_its_length() {
    let Some(device) = gpu() else { return };
    let data = device.upload(&[1.0f32, 2.0], 1).unwrap();
    let long = device.upload(&[5.0f32, 6.0, 7.0], 1).unwrap();
    let mut rec = device.record("t");
    rec.dispatch(sample("abi_inplace"), args! { data: &data }, Domain::of(&data))
        .unwrap();
    let len = rec
        .dispatch(sample("abi_len"), args! { src: &long }, Domain::count(1))
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(floats(&data), [2.0, 3.0]);
    assert_eq!(floats(&len.column("dst").unwrap()), [5.0, 6.0, 7.0]);
}

#[test]
fn every_rule_of_a_size_is_the_length_that_the_shader_sees() {
    let Some(device) = gpu() else { return };
    let kernel = sample("sizes");
    let src = device.upload(&[0.0f32; 20], 2).unwrap();
    let mut rec = device.record("sizes");
    let default = rec.dispatch(&kernel, args! { src: &src }, Domain::of(&src)).unwrap();
    let given = rec
        .dispatch(&kernel, args! { src: &src, total: 2 }, Domain::count(3))
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    let lengths = |done: &Dispatch| {
        ["three", "alike", "groups", "fixed", "total_long", "times"].map(|name| {
            let column = done.column(name).unwrap();
            let said = words(&column)[0];
            let extra = if name == "times" { 20 } else { 0 };
            assert_eq!(u64::from(said), column.words() + extra, "{name}");
            (column.capacity(), column.lanes())
        })
    };
    assert_eq!(lengths(&default), [(10, 3), (10, 2), (9, 1), (5, 2), (7, 1), (70, 1)]);
    assert_eq!(lengths(&given), [(3, 3), (3, 2), (3, 1), (5, 2), (2, 1), (6, 1)]);
    let error = device
        .record("t")
        .dispatch(&kernel, args! { src: &src, total: -1 }, Domain::count(3))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`total`: expected a number of elements, got -1"),
        "{error}"
    );
}

#[test]
fn an_element_type_is_a_choice() {
    let Some(device) = gpu() else { return };
    let kernel = sample("abi_spec");
    kernel.check().unwrap();
    let (f, i, u) = (
        device.upload(&[1.5f32, -2.0], 1).unwrap(),
        device.upload(&[7i32, -3], 1).unwrap(),
        device.upload(&[u32::MAX / 2, 1], 1).unwrap(),
    );
    let mut rec = device.record("spec");
    let two = || Domain::count(2);
    let floats_of = rec.dispatch(&kernel, args! { src: &f }, two()).unwrap();
    let ints_of = rec.dispatch(&kernel, args! { src: &i, T: "i32" }, two()).unwrap();
    let words_of = rec.dispatch(&kernel, args! { src: &u, T: "u32" }, two()).unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(floats(&floats_of.column("dst").unwrap()), [3.0, -4.0]);
    let ints = ints_of.column("dst").unwrap().read::<i32>().unwrap().wait().unwrap();
    assert_eq!(ints, [14, -6]);
    assert_eq!(words(&words_of.column("dst").unwrap()), [u32::MAX - 1, 2]);
    let refused = |args: Args, expected: &str| {
        let error = device
            .record("t")
            .dispatch(&kernel, args, two())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(
        args! { src: &f, T: "i32" },
        "binding `src`: expected a column of i32, got one of f32",
    );
    refused(
        args! { src: &f, T: "f16" },
        "`T` has no option `f16`; it has f32, i32, u32",
    );
    refused(args! { src: &f, T: 1 }, "`T`: expected an option");
}

#[test]
fn stages_bind_and_include_what_they_need() {
    let Some(device) = gpu() else { return };
    let kernel = sample("staged");
    kernel.check().unwrap();
    let column = |v: i32| device.upload(&[v], 1).unwrap();
    let (a, b, c) = (column(1), column(2), column(3));
    let run = |args: Args| {
        let mut rec = device.record("staged");
        let done = rec.dispatch(&kernel, args, Domain::count(1)).unwrap();
        rec.finish().unwrap().submit().unwrap();
        done.column("dst").unwrap().read::<i32>().unwrap().wait().unwrap()[0]
    };
    assert_eq!(
        run(args! { a: &a, b: &b }),
        21,
        "the default is `table`, as the file says"
    );
    assert_eq!(run(args! { a: &a, c: &c, STAGE: "heads" }), 31);
    assert_eq!(run(args! { a: &a, c: &c, STAGE: "heads", SIGN: "minus" }), -31);
    assert_eq!(run(args! { a: &a, b: &b, c: &c, SIGN: "minus" }), -321);
    let error = device
        .record("t")
        .dispatch(&kernel, args! { a: &a, b: &b, c: &c }, Domain::count(1))
        .unwrap_err()
        .to_string();
    assert!(error.contains("has no `c`; it has a, b, dst"), "{error}");
}

#[test]
fn texts_are_put_in_at_run_time() {
    let Some(device) = gpu() else { return };
    let kernel = sample("step");
    let src = device.upload(&[1.0f32, 4.0], 1).unwrap();
    let mut rec = device.record("step");
    let args =
        args! { src: &src, STEP: "twice(s) + 1.0", PRELUDE: "fn twice(x: f32) -> f32 {\n    return 2.0 * x;\n}" };
    let done = rec.dispatch(&kernel, args, Domain::of(&src)).unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(floats(&done.column("dst").unwrap()), [3.0, 9.0]);
    let refused = |args: Args, expected: &str| {
        let error = device
            .record("t")
            .dispatch(&kernel, args, Domain::of(&src))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(
        args! { src: &src },
        "`STEP`: expected a text, for it has none of its own, got nothing",
    );
    // The author's line, whichever line of the text is at fault, and however many lines came before it.
    refused(args! { src: &src, STEP: "s +" }, "step.wgsl:3:");
    refused(args! { src: &src, STEP: "q", PRELUDE: "fn f() {\n\n}" }, "step.wgsl:3:");
    refused(args! { src: &src, STEP: "s", PRELUDE: "fn f() {\n\n" }, "step.wgsl:2:");
}

#[test]
fn the_grid_module_agrees_with_the_hash_grid() {
    let Some(device) = gpu() else { return };
    let kernel = sample("near");
    let mut state = 1u64;
    let mut float = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / 16_777_216.0 - 0.5) * 12.0
    };
    let mut places: Vec<f32> = (0..3 * 500).map(|_| float()).collect();
    // The outermost cells, a cell's own edge, and what is no number.
    places.extend([1e9, -1e9, 0.0, 0.7, 1.4, -0.7, f32::NAN, 0.0, f32::INFINITY]);
    let points = device.upload(&places, 3).unwrap();
    let cell = 0.7;
    let mut rec = device.record("near");
    let grid = kernels::hash_grid(&mut rec, &points, cell).unwrap();
    let mut args = grid.bindings().unwrap();
    args = args.with("points", &points);
    let near = rec.dispatch(&kernel, args, Domain::of(&points)).unwrap();
    let bits = 9; // 503 points
    let keys_args = args! { points: &points, per_cell: zero_noise::recip(cell), bits: bits };
    let keys = rec
        .dispatch(&kernels::HASH_KEYS, keys_args, Domain::of(&points))
        .unwrap()
        .column("keys")
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(words(&near.column("buckets").unwrap()), words(&keys));
    let cells: Vec<[i64; 3]> = places
        .chunks(3)
        .map(|p| {
            [0, 1, 2].map(|axis| {
                let x = zero_noise::floor(zero_noise::clean(p[axis]) * zero_noise::recip(cell));
                x.clamp(-4_194_304.0, 4_194_304.0) as i64
            })
        })
        .collect();
    let around = |i: usize| {
        let near = |j: usize| (0..3).all(|axis| (cells[i][axis] - cells[j][axis]).abs() <= 1);
        (0..cells.len()).filter(|&j| j != i && near(j)).count() as u32
    };
    let expected: Vec<u32> = (0..cells.len()).map(around).collect();
    assert!(
        expected.iter().any(|n| *n > 3),
        "a test of nobody's neighbours shows nothing"
    );
    assert_eq!(words(&near.column("around").unwrap()), expected);
}

#[test]
fn per_element_kernels_run_in_one_dispatch() {
    let Some(device) = gpu() else { return };
    let kernel = sample("per_element");
    kernel.check().unwrap();
    let values: Vec<f32> = (0..600).map(|n| n as f32).collect();
    let src = device.upload(&values, 2).unwrap();
    let live = src.with_live(&device.upload(&[7u32], 1).unwrap()).unwrap();
    for (src, living) in [(&src, 600), (&live, 14)] {
        let run = |fusion: Fusion| {
            let mut rec = device.record("chain");
            let mut last = src.clone();
            for (op, by) in [("mul", 3.0), ("add", 0.5), ("mul", -2.0)] {
                let args = args! { a: &last, by: by, OP: op };
                last = rec
                    .dispatch(&kernel, args, Domain::of(&last))
                    .unwrap()
                    .column("dst")
                    .unwrap();
            }
            rec.fuse(fusion, &[&last]).unwrap();
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            (list.dispatches(), floats(&last.as_capacity()))
        };
        let (fused, plain) = (run(Fusion::Chains), run(Fusion::Off));
        assert_eq!((fused.0, plain.0), (1, 3));
        let expected: Vec<f32> = (0..600)
            .map(|n| {
                if n < living {
                    (n as f32 * 3.0 + 0.5) * -2.0
                } else {
                    -1.0
                }
            })
            .collect();
        assert_eq!(plain.1, expected, "{living} words live");
        assert_eq!(fused.1, expected, "{living} words live, fused");
    }
}

/// Where the file says nothing of the value past a live count, it is 0.
#[test]
fn an_element_past_a_live_count_is_zero_where_nothing_is_said() {
    let bindings = "version: 1
bindings:
- { name: a, element: f32 }
- { name: dst, access: write, element: f32, count: a }
fusion: { writes: dst, own: a }
";
    let kernel = load(
        bindings,
        "fn element(i: u32, lane: u32) -> f32 { return a_at(i, lane) + 0.5; }",
    )
    .unwrap();
    let Some(device) = gpu() else { return };
    let a = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
    let live = a.with_live(&device.upload(&[2u32], 1).unwrap()).unwrap();
    let mut rec = device.record("inert");
    let done = rec.dispatch(&kernel, args! { a: &live }, Domain::of(&live)).unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(floats(&done.column("dst").unwrap().as_capacity()), [1.5, 2.5, 0.0]);
}

#[test]
fn without_a_rust_function_it_runs_on_a_gpu_only() {
    let add = sample("abi_add");
    for (name, device) in cpu_devices() {
        let src = device.upload(&[1.0f32], 1).unwrap();
        let error = device
            .record("t")
            .dispatch(&add, args! { src: &src }, Domain::of(&src))
            .unwrap_err();
        assert_eq!(
            error,
            Error::GpuOnly {
                kernel: "abi_add".to_owned()
            },
            "{name}"
        );
        assert_eq!(
            device.build(&add, Args::new(), false).map(|_| ()),
            Err(error),
            "{name}: building"
        );
    }
}

#[test]
fn a_rust_function_of_its_name_makes_it_run_everywhere() {
    fn add(range: std::ops::Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
        let (src, dst, delta) = (b.read::<f32>("src")?, b.write::<f32>("dst")?, p.f32("delta")?);
        for (d, s) in dst.iter_mut().zip(&src[range]) {
            *d = s + delta;
        }
        Ok(())
    }
    fn step(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
        let scale = if p.option("STEP")? == "s * 2.0" { 2.0 } else { 0.0 };
        let src = b.read::<f32>("src")?;
        for (d, s) in b.write::<f32>("dst")?.iter_mut().zip(src) {
            *d = s * scale;
        }
        Ok(())
    }
    let loader = Loader::new()
        .twin("abi_add", Cpu::Ranges(add))
        .twin("step", Cpu::Whole(step))
        .twin("another", Cpu::Ranges(add));
    let add = loader.load_folder(&folder("abi_add")).unwrap();
    let step = loader.load_folder(&folder("step")).unwrap();
    let devices = cpu_devices().into_iter().chain(gpu().map(|gpu| ("gpu", gpu.clone())));
    for (name, device) in devices {
        let numbers: Vec<f32> = (0..20_000).map(|n| n as f32).collect();
        let src = device.upload(&numbers, 1).unwrap();
        let mut rec = device.record("both");
        let added = rec
            .dispatch(&add, args! { src: &src }, Domain::of(&src))
            .unwrap()
            .column("dst")
            .unwrap();
        let args = args! { src: &added, STEP: "s * 2.0" };
        let done = rec
            .dispatch(&step, args, Domain::of(&src))
            .unwrap()
            .column("dst")
            .unwrap();
        rec.finish().unwrap().submit().unwrap();
        let expected: Vec<f32> = numbers.iter().map(|n| (n + 1.0) * 2.0).collect();
        assert_eq!(floats(&done), expected, "{name}");
    }
}
