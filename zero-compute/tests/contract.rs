//! What the contract refuses, each refusal naming the kernel and the binding.
#![allow(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{cpu_devices, devices};
use zero_compute::*;

static PAIR: Kernel = Kernel::declare("pair")
    .read("a", Element::F32)
    .read("b", Element::F32)
    .write("dst", Element::F32, Rule::same_as("a"))
    .append("hits", Element::F32, Rule::same_as("a"))
    .param("scale", Param::F32(1.0))
    .param("steps", Param::U32(1))
    .specialize("MODE", &["add", "min"])
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = (a[i] + b[i]) * params.scale; }
}",
    )
    .cpu(Cpu::Whole(|b, p, _| {
        let (x, y, scale) = (b.read::<f32>("a")?, b.read::<f32>("b")?, p.f32("scale")?);
        for (d, (x, y)) in b.write::<f32>("dst")?.iter_mut().zip(x.iter().zip(y)) {
            *d = (x + y) * scale;
        }
        Ok(())
    }));

#[test]
fn every_refusal_names_the_kernel_and_the_argument() {
    for (name, device) in devices() {
        let a = device.upload(&[1.0f32, 2.0], 1).unwrap();
        let ints = device.upload(&[1u32, 2], 1).unwrap();
        let long = device.upload(&[1.0f32; 3], 1).unwrap();
        let foreign = Device::cpu(CpuOptions::default()).upload(&[1.0f32, 2.0], 1).unwrap();
        let check = |args: Args, expected: &str| {
            let error = device
                .record("t")
                .dispatch(&PAIR, args, Domain::of(&a))
                .unwrap_err()
                .to_string();
            assert!(error.contains("`pair`") && error.contains(expected), "{name}: {error}");
        };
        check(
            args! { a: &a, b: &a, nothing: 1 },
            "kernel `pair` has no `nothing`; it has a, b, dst, hits, scale, steps, MODE",
        );
        check(args! { a: &a }, "needs a column for `b`");
        check(
            args! { a: &a, b: &ints },
            "binding `b`: expected a column of f32, got one of u32",
        );
        check(
            args! { a: &a, b: &a, dst: &long },
            "binding `dst`: expected 2 elements of 1 lanes, got 3 elements",
        );
        check(
            args! { a: &a, b: &a, hits: &long },
            "binding `hits`: expected a live column",
        );
        check(
            args! { a: &a, b: &a, dst: &a },
            "writes `dst` and also binds the same column as `a`",
        );
        check(
            args! { a: &a, b: &foreign },
            "the column for `b` belongs to another device",
        );
        check(args! { a: 1.0, b: &a }, "`a`: expected a column, got the number 1.0");
        check(
            args! { a: &a, b: &a, scale: &a },
            "`scale`: expected a number (f32), got a column of f32",
        );
        check(args! { a: &a, b: &a, steps: 0.5 }, "`steps`: expected u32, got 0.5");
        check(args! { a: &a, b: &a, steps: -1 }, "`steps`: expected u32, got -1");
        check(
            args! { a: &a, b: &a, MODE: "max" },
            "`MODE` has no option `max`; it has add, min",
        );
        check(
            args! { a: &a, b: &a, MODE: 1 },
            "`MODE`: expected an option, got the number 1",
        );
        check(Args::new().with("a", &a).with("a", &a), "was given `a` twice");

        let counter = a.with_live(&device.column(Element::U32, 1, 1).unwrap()).unwrap();
        let count = counter.live_count().unwrap();
        let hits = device.column(Element::F32, 1, 2).unwrap().with_live(&count).unwrap();
        let error = device
            .record("t")
            .dispatch(&PAIR, args! { a: &a, b: &a, hits: &hits }, Domain::live(&count, 2))
            .unwrap_err();
        assert!(matches!(error, Error::Aliased { .. }), "{name}: {error}");
        let wrong = device
            .record("t")
            .dispatch(&PAIR, args! { a: &a, b: &a }, Domain::live(&a, 2))
            .unwrap_err();
        assert!(wrong.to_string().contains("`domain_count`"), "{name}: {wrong}");
        let many = device
            .record("t")
            .dispatch(&PAIR, args! { a: &a, b: &a }, Domain::count(u32::MAX))
            .unwrap_err();
        assert!(matches!(many, Error::TooMany { .. }), "{name}: {many}");
        let done = device
            .record("t")
            .dispatch(&PAIR, args! { a: &a, b: &a }, Domain::of(&a))
            .unwrap();
        assert!(
            done.column("a").unwrap_err().to_string().contains("it has dst, hits"),
            "{name}"
        );
        assert!(
            done.slot("MODE")
                .unwrap_err()
                .to_string()
                .contains("it has scale, steps"),
            "{name}"
        );
    }
}

#[test]
fn a_column_allocated_by_its_rule_is_refused_with_both_numbers() {
    static WIDE: Kernel = Kernel::declare("wide")
        .write("dst", Element::F32, Rule::Lanes(1000))
        .wgsl("@compute @workgroup_size(256) fn main() { dst[0] = 0.0; }")
        .cpu(Cpu::Whole(|_, _, _| Ok(())));
    for (name, device) in devices() {
        let error = device
            .record("t")
            .dispatch(&WIDE, args! {}, Domain::count(1 << 31))
            .unwrap_err()
            .to_string();
        let (bytes, limit) = ((1u64 << 31) * 4000, device.limits().max_binding_bytes);
        let expected = format!("takes {bytes} bytes and the device binds at most {limit}");
        assert!(
            error.contains("`wide`, binding `dst`") && error.contains(&expected),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_twin_that_asks_for_what_is_not_there_fails_and_the_device_goes_on() {
    static ASKS: Kernel = Kernel::declare("asks")
        .read("src", Element::F32)
        .write("dst", Element::F32, Rule::same_as("src"))
        .param("which", Param::U32(0))
        .cpu(Cpu::Whole(|b, p, _| match p.u32("which")? {
            0 => b.read::<f32>("nothing").map(|_| ()),
            1 => b.read::<u32>("src").map(|_| ()),
            2 => b.write::<f32>("dst").and(b.write::<f32>("dst")).map(|_| ()),
            3 => b.write::<f32>("src").map(|_| ()),
            4 => b.read::<f32>("dst").map(|_| ()),
            5 => b.append::<f32>("dst").map(|_| ()),
            6 => p.f32("which").map(|_| ()),
            _ => p.option("MODE").map(|_| ()),
        }));
    for (name, device) in cpu_devices() {
        let src = device.upload(&[1.0f32], 1).unwrap();
        let expected = [
            "there is no binding `nothing`; there are src, dst",
            "binding `src`: expected a column of f32, got one of u32",
            "`dst` is taken already",
            "`src` is not a binding that is written",
            "`dst` is written, not read",
            "`dst` is not a binding that is appended to",
            "there is no f32 param `which`",
            "there is no specialization `MODE`",
        ];
        for (which, expected) in expected.into_iter().enumerate() {
            let mut rec = device.record("t");
            rec.dispatch(&ASKS, args! { src: &src, which: which as u32 }, Domain::of(&src))
                .unwrap();
            let list = rec.finish().unwrap();
            let submission = list.submit().unwrap();
            let error = device.drive(&Exec::default()).unwrap_err().to_string();
            assert!(error.contains("`asks`") && error.contains(expected), "{name}: {error}");
            assert_eq!(submission.error().map(|e| e.to_string()), Some(error.clone()), "{name}");
            assert!(!submission.is_done() && device.queued() == 0, "{name}");
            list.submit().unwrap();
            device.poll();
            assert_eq!(
                device.drive(&Exec::default()).unwrap_err().to_string(),
                error,
                "{name}: poll keeps it"
            );
            assert_eq!(device.drive(&Exec::default()), Ok(Drive::Idle), "{name}");
        }
    }
}

#[test]
fn ranges_write_only_what_the_domain_divides() {
    static HALF: Kernel = Kernel::declare("half")
        .write("dst", Element::F32, Rule::CeilDiv(2))
        .cpu(Cpu::Ranges(|_, _, _, _| Ok(())));
    for (name, device) in cpu_devices() {
        let error = device
            .record("t")
            .dispatch(&HALF, args! {}, Domain::count(4))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`half`, binding `dst`: expected 4 elements, as the domain has"),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_kernel_without_the_form_a_device_runs_is_refused_when_recorded() {
    static NEITHER: Kernel = Kernel::declare("neither").write("dst", Element::F32, Rule::Domain);
    for (name, device) in devices() {
        let error = device
            .record("t")
            .dispatch(&NEITHER, args! {}, Domain::count(1))
            .unwrap_err();
        let is_meant = match device.class() {
            DeviceClass::Cpu => matches!(error, Error::GpuOnly { .. }),
            DeviceClass::Gpu { .. } => matches!(error, Error::BadKernel { .. }),
        };
        assert!(is_meant && error.to_string().contains("`neither`"), "{name}: {error}");
    }
}

#[cfg(feature = "gpu")]
mod gpu {
    use super::*;

    fn refused(kernel: &'static Kernel) -> Option<String> {
        let device = common::gpu()?;
        let mut rec = device.record("t");
        let recorded = rec.dispatch(kernel, args! {}, Domain::count(1));
        let error = recorded.and_then(|_| rec.finish()).unwrap_err().to_string();
        // The device goes on.
        let data = device.upload(&[5u32], 1).unwrap();
        assert_eq!(data.read::<u32>().unwrap().wait().unwrap(), [5]);
        Some(error)
    }

    #[test]
    fn a_shader_that_does_not_parse_is_refused_with_the_authors_line() {
        static BAD: Kernel = Kernel::declare("bad")
            .write("dst", Element::F32, Rule::Domain)
            .specialize("MODE", &["a", "b"])
            .wgsl("// one\n// @when MODE b\nfn unused() {}\n// @end\n@compute @workgroup_size(256)\nfn main() { dst[0] = nothing; }");
        let Some(error) = refused(&BAD) else { return };
        assert!(error.contains("kernel `bad`") && error.contains("line 6"), "{error}");
        assert!(error.contains("contract.rs") && error.contains("nothing"), "{error}");
    }

    #[test]
    fn a_shader_of_the_wrong_type_is_refused_with_the_authors_line() {
        static BAD: Kernel = Kernel::declare("bad_type")
            .write("dst", Element::F32, Rule::Domain)
            .wgsl("@compute @workgroup_size(256)\nfn main() {\n    dst[0] = 1u;\n}");
        let Some(error) = refused(&BAD) else { return };
        assert!(
            error.contains("kernel `bad_type`") && error.contains("line 3"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_entry_point_and_a_binding_outside_its_pass_are_refused() {
        static ENTRY: Kernel = Kernel::declare("entry")
            .write("dst", Element::F32, Rule::Domain)
            .wgsl("@compute @workgroup_size(256) fn other() { dst[0] = 1.0; }");
        static OUTSIDE: Kernel = Kernel::declare("outside")
            .write("dst", Element::F32, Rule::Domain)
            .scratch("sums", Element::F32, Rule::One)
            .wgsl("@compute @workgroup_size(256) fn first() { dst[0] = sums[0]; }")
            .pass("first", Groups::One, &["dst"]);
        static UNKNOWN: Kernel = Kernel::declare("unknown")
            .write("dst", Element::F32, Rule::Domain)
            .wgsl("@compute @workgroup_size(256) fn first() { dst[0] = 1.0; }")
            .pass("first", Groups::One, &["dst", "sums"]);
        for (kernel, expected) in [
            (&ENTRY, "main"),
            (&OUTSIDE, "first"),
            (&UNKNOWN, "`sums`, which is not declared"),
        ] {
            let Some(error) = refused(kernel) else { return };
            assert!(error.contains(kernel.name()) && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn more_storage_buffers_than_a_pass_binds_are_refused_with_both_numbers() {
        static NINE: Kernel = Kernel::declare("nine")
            .write("a", Element::F32, Rule::Domain)
            .write("b", Element::F32, Rule::Domain)
            .write("c", Element::F32, Rule::Domain)
            .write("d", Element::F32, Rule::Domain)
            .write("e", Element::F32, Rule::Domain)
            .append("f", Element::F32, Rule::Domain)
            .append("g", Element::F32, Rule::Domain)
            .wgsl("@compute @workgroup_size(256) fn main() { a[0] = 1.0; }");
        let Some(error) = refused(&NINE) else { return };
        assert!(
            error.contains("`nine`, pass `main`: storage buffers: 9 is past the limit of 8"),
            "{error}"
        );
    }

    #[test]
    fn an_adapter_that_is_not_there_is_refused_with_those_that_are() {
        let options = GpuOptions {
            adapter_name: Some("no such adapter".to_owned()),
            ..GpuOptions::default()
        };
        let error = Device::gpu_blocking(options).unwrap_err().to_string();
        assert!(
            error.contains("named like `no such adapter`") && error.contains("found"),
            "{error}"
        );
    }

    #[test]
    fn auto_never_takes_a_software_adapter() {
        assert!(!Device::auto_blocking().info().software);
    }

    #[test]
    fn a_hosts_device_is_used_as_it_is() {
        let Some(host) = common::gpu() else { return };
        let (device, queue) = host.wgpu().unwrap();
        let ours = Device::from_wgpu(device, queue).unwrap();
        let column = ours.upload(&[1u32, 2], 1).unwrap();
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [1, 2]);
        assert!(
            column
                .wgpu_buffer()
                .is_some_and(|buffer| buffer.size() >= column.bytes())
        );
        assert_eq!(ours.class(), host.class());
        assert!(ours.info().software);
    }
}

#[test]
fn a_declaration_with_names_that_cannot_stand_is_refused_on_every_device() {
    fn done(_: &mut CpuBindings<'_>, _: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
        Ok(())
    }
    const fn of(kernel: Kernel) -> Kernel {
        kernel
            .wgsl("@compute @workgroup_size(256) fn main() {}")
            .cpu(Cpu::Whole(done))
    }
    static BINDINGS: Kernel =
        of(Kernel::declare("names")
            .write("a", Element::F32, Rule::Domain)
            .write("a", Element::F32, Rule::Domain));
    static PARAMS: Kernel = of(Kernel::declare("names")
        .param("a", Param::F32(0.0))
        .param("a", Param::U32(0)));
    static BOTH: Kernel = of(Kernel::declare("names")
        .write("a", Element::F32, Rule::Domain)
        .param("a", Param::U32(0)));
    static CHOICE: Kernel = of(Kernel::declare("names")
        .param("a", Param::U32(0))
        .specialize("a", &["x"]));
    static WORD: Kernel = of(Kernel::declare("names").write("from", Element::F32, Rule::Domain));
    static KEYWORD: Kernel = of(Kernel::declare("names").param("while", Param::U32(0)));
    static DASH: Kernel = of(Kernel::declare("names").write("a-b", Element::F32, Rule::Domain));
    static OURS: Kernel = of(Kernel::declare("names").param("zero_n", Param::U32(0)));
    static COUNTER: Kernel =
        of(Kernel::declare("names")
            .append("a", Element::F32, Rule::Domain)
            .write("a_count", Element::U32, Rule::One));
    static LANES: Kernel = of(Kernel::declare("names")
        .write("a", Element::F32, Rule::Domain)
        .param("a_lanes", Param::U32(0)));
    let cases: [(&'static Kernel, &str); 10] = [
        (&BINDINGS, "`a` is declared twice"),
        (&PARAMS, "`a` is declared twice"),
        (&BOTH, "`a` is declared twice"),
        (&CHOICE, "`a` is declared twice"),
        (&WORD, "`from` is a word of WGSL"),
        (&KEYWORD, "`while` is a word of WGSL"),
        (&DASH, "`a-b` is no name"),
        (&OURS, "names that begin with `zero_`"),
        (&COUNTER, "`a_count` is the name of the counter of `a`"),
        (&LANES, "`a_lanes` is the name of the lanes of `a`"),
    ];
    for (name, device) in devices() {
        for (kernel, expected) in cases {
            let refused = |error: Error| {
                assert!(matches!(error, Error::BadKernel { .. }), "{name}: {error}");
                let error = error.to_string();
                assert!(
                    error.contains("kernel `names` is declared wrongly: ") && error.contains(expected),
                    "{name}: {error}"
                );
            };
            let mut rec = device.record("t");
            refused(rec.dispatch(kernel, args! {}, Domain::count(3)).unwrap_err());
            refused(device.build(kernel, args! {}, false).unwrap_err());
        }
    }
}

#[test]
fn a_column_with_fewer_elements_than_the_domain_is_refused_where_the_declaration_says_so() {
    static DOUBLED: Kernel = Kernel::declare("doubled")
        .read_domain("src", Element::F32)
        .write("dst", Element::F32, Rule::LanesOf("src"))
        .wgsl(
            "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    let lanes = params.src_lanes;
    if (i >= zero_n()) { return; }
    for (var k = i * lanes; k < (i + 1u) * lanes; k += 1u) { dst[k] = src[k] * 2.0; }
}",
        )
        .cpu(Cpu::Ranges(|range, b, _, _| {
            let (src, dst) = (b.part::<f32>("src", range)?, b.write::<f32>("dst")?);
            dst.iter_mut().zip(src).for_each(|(d, s)| *d = s * 2.0);
            Ok(())
        }));
    static OWN: Kernel = Kernel::declare("own")
        .read("src", Element::F32)
        .write("dst", Element::F32, Rule::Domain)
        .fusion(PerElement {
            writes: "dst",
            own: &["src"],
            inert: Param::F32(0.0),
        })
        .wgsl("fn element(i: u32, lane: u32) -> f32 { return src_at(i, lane) * 2.0; }")
        .cpu(Cpu::Ranges(|range, b, _, _| {
            let (src, dst) = (b.part::<f32>("src", range)?, b.write::<f32>("dst")?);
            dst.iter_mut().zip(src).for_each(|(d, s)| *d = s * 2.0);
            Ok(())
        }));
    for (name, device) in devices() {
        let three = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
        let live = device.upload(&[1u32], 1).unwrap();
        for kernel in [&DOUBLED, &OWN] {
            for domain in [Domain::count(4), Domain::live(&live, 4)] {
                let mut rec = device.record("t");
                let error = rec.dispatch(kernel, args! { src: &three }, domain).unwrap_err();
                assert_eq!(
                    error.to_string(),
                    format!(
                        "kernel `{}`, binding `src`: expected at least 4 elements, as the domain has, got 3 elements of 1 \
                         lanes",
                        kernel.name()
                    ),
                    "{name}"
                );
                assert_eq!(rec.finish().unwrap().dispatches(), 0, "{name}");
            }
            // As many, or more, and no domain at all.
            for n in [3u32, 2, 0] {
                let mut rec = device.record("t");
                let done = rec.dispatch(kernel, args! { src: &three }, Domain::count(n)).unwrap();
                rec.finish().unwrap().submit().unwrap();
                let dst = done.column("dst").unwrap().read::<f32>().unwrap().wait().unwrap();
                assert_eq!(dst, [2.0, 4.0, 6.0][..n as usize], "{name}");
            }
            let error = device
                .record("t")
                .dispatch(kernel, args! {}, Domain::count(1))
                .unwrap_err();
            assert!(
                error.to_string().contains("needs a column for `src`"),
                "{name}: {error}"
            );
        }
        let wide = device.upload(&[1.0f32; 6], 3).unwrap();
        let error = device
            .record("t")
            .dispatch(&DOUBLED, args! { src: &wide }, Domain::count(3))
            .unwrap_err();
        assert!(
            error.to_string().contains("got 2 elements of 3 lanes"),
            "{name}: {error}"
        );
    }
}
