//! How often programs are built, and when they go. Counts are those of a device of the test's own.

use crate::{body, common, floats, load};
use zero_compute::author::{AuthorKernel, Loader, SourceFile};
use zero_compute::*;

const BINDINGS: &str = "version: 1
bindings:
- { name: src, access: read, element: f32 }
- { name: dst, access: write, element: f32, count: n }
specialize:
- { name: OP, options: [add, sub] }
";

fn scale_by(factor: &str) -> AuthorKernel {
    let inner = format!("if (i < zero_n()) {{ dst[i] = src[i] * {factor}; }}\n// @when OP sub\n// @end");
    load(BINDINGS, &body(&inner)).unwrap()
}

fn run(device: &Device, kernel: &AuthorKernel, op: &str) -> f32 {
    let src = device.upload(&[3.0f32], 1).unwrap();
    let mut rec = device.record("run");
    let done = rec
        .dispatch(kernel, args! { src: &src, OP: op }, Domain::of(&src))
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    floats(&done.column("dst").unwrap())[0]
}

#[test]
fn one_source_is_one_program_and_a_changed_one_replaces_it() {
    let Some(device) = common::gpu() else { return };
    let programs = |device: &Device| device.stats().programs;
    let first = scale_by("2.0");
    let before = programs(&device);
    assert_eq!(run(&device, &first, "add"), 6.0);
    assert_eq!(run(&device, &first, "add"), 6.0);
    assert_eq!(programs(&device) - before, 1);
    // Read again with nothing changed: the same program, also once the handle that it was built for is gone.
    let again = scale_by("2.0");
    assert_eq!(run(&device, &again, "add"), 6.0);
    drop(first);
    assert_eq!(run(&device, &again, "add"), 6.0);
    assert_eq!(programs(&device) - before, 1);
    // The two options have the same lines here, and so one text.
    assert_eq!(run(&device, &again, "sub"), 6.0);
    assert_eq!(programs(&device) - before, 1);
    // Changed: one program more. A list that stands keeps the old one.
    let src = device.upload(&[3.0f32], 1).unwrap();
    let mut rec = device.record("stands");
    let old = rec.dispatch(&again, args! { src: &src }, Domain::of(&src)).unwrap();
    let standing = rec.finish().unwrap();
    let changed = scale_by("5.0");
    drop(again);
    assert_eq!(run(&device, &changed, "add"), 15.0);
    assert_eq!(programs(&device) - before, 2);
    standing.submit().unwrap();
    assert_eq!(floats(&old.column("dst").unwrap()), [6.0]);
    // The old text is nobody's any more: it was dropped, and would be built anew.
    let back = scale_by("2.0");
    assert_eq!(run(&device, &back, "add"), 6.0);
    assert_eq!(programs(&device) - before, 3);
    assert_eq!(run(&device, &changed, "add"), 15.0);
    assert_eq!(programs(&device) - before, 3, "what is owned still is not dropped");
}

/// A program belongs to every kernel of its text: it stays when another is built after the one that it was built for is
/// gone, which is when a device drops what is nobody's.
#[test]
fn a_program_of_two_kernels_stays_with_the_second() {
    let Some(device) = common::gpu() else { return };
    let programs = |device: &Device| device.stats().programs;
    let first = scale_by("2.0");
    let before = programs(&device);
    assert_eq!(run(&device, &first, "add"), 6.0);
    let second = scale_by("2.0");
    assert_eq!(run(&device, &second, "add"), 6.0);
    drop(first);
    let other = scale_by("3.0");
    assert_eq!(run(&device, &other, "add"), 9.0);
    assert_eq!(programs(&device) - before, 2);
    assert_eq!(run(&device, &second, "add"), 6.0);
    assert_eq!(programs(&device) - before, 2, "what is owned still is not built anew");
}

#[test]
fn a_program_is_built_on_another_thread_and_lists_wait_for_it() {
    let Some(device) = common::gpu() else { return };
    let kernel = scale_by("7.0");
    let before = device.stats().programs;
    let building = device.build(&kernel, Args::new(), false).unwrap();
    assert_eq!(run(&device, &kernel, "add"), 21.0);
    while !building.is_done() {
        std::thread::yield_now();
    }
    building.wait().unwrap();
    assert_eq!(device.stats().programs - before, 1);
    // The live form is a program of its own.
    device
        .build(&kernel, args! { OP: "add" }, true)
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(device.stats().programs - before, 2);
    let error = device
        .build(&kernel, args! { OP: "mul" }, false)
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, Error::UnknownOption { .. }), "{error}");
    // One that is dropped was built all the same: its thread came to its end.
    let other = scale_by("9.0");
    drop(device.build(&other, Args::new(), false).unwrap());
    assert_eq!(device.stats().programs - before, 3);
}

#[test]
fn a_built_in_kernel_is_built_ahead_too() {
    let Some(device) = common::gpu() else { return };
    let counting = device.counting();
    device
        .build(&kernels::RAMP, Args::new(), false)
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(counting.delta().programs, 1);
    let mut rec = device.record("ramp");
    kernels::ramp(&mut rec, Domain::count(4), 0, 1).unwrap();
    rec.finish().unwrap();
    assert_eq!(counting.delta().programs, 1);
}

#[test]
fn the_cpu_counts_programs_as_a_gpu_does() {
    let device = Device::cpu(CpuOptions::default());
    let loader = Loader::new().twin("sample", Cpu::Whole(|_, _, _| Ok(())));
    let load = |factor: &str| {
        let text = body(&format!("dst[i] = src[i] * {factor};"));
        let (bindings, wgsl) = (SourceFile::new("b.yaml", BINDINGS), SourceFile::new("s.wgsl", text));
        loader.load("sample", &bindings, &wgsl).unwrap()
    };
    let (a, b, c) = (load("1.0"), load("1.0"), load("2.0"));
    for (kernel, expected) in [(&a, 1), (&b, 1), (&c, 2), (&a, 2)] {
        run(&device, kernel, "add");
        assert_eq!(device.stats().programs, expected);
    }
}

#[test]
fn a_source_that_fails_leaves_the_old_kernel_standing() {
    let Some(device) = common::gpu() else { return };
    let mut kernel = scale_by("2.0");
    // As a host does when the file changed: what fails is shown, and the kernel is kept.
    let mut shown = Vec::new();
    for text in ["dst[i] = ;", "dst[i] = src[i] * 4.0;"] {
        match load(BINDINGS, &body(text)) {
            Ok(new) => kernel = new,
            Err(error) => shown.push(error.to_string()),
        }
        let expected = if shown.len() == 1 && text.contains('4') {
            12.0
        } else {
            6.0
        };
        assert_eq!(run(&device, &kernel, "add"), expected);
    }
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("k/sample.wgsl:4:"), "{}", shown[0]);
}
