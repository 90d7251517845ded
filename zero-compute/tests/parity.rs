//! The harness finds what differs, and says where.

mod common;

use std::sync::LazyLock;

use zero_compute::kernels::{COMPACT_I32, GATHER_F32, SCAN_F32, SCATTER_U32, gather, scan};
#[cfg(feature = "gpu")]
use zero_compute::parity::Part;
use zero_compute::parity::{Difference, Input, Parity, live_counts};
use zero_compute::*;

fn parity() -> &'static Parity {
    static PARITY: LazyLock<Parity> = LazyLock::new(common::parity);
    &PARITY
}

fn difference(result: Result<zero_compute::parity::Report>) -> Difference {
    match result {
        Err(Error::Differs(difference)) => *difference,
        other => unreachable!("{other:?}"),
    }
}

/// Doubles on the CPU; `FORM` says what is wrong with it there.
static DOUBLE: Kernel = Kernel::declare("double")
    .read("src", Element::I32)
    .write("dst", Element::I32, Rule::same_as("src"))
    .specialize("FORM", &["right", "one off", "past the count"])
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = select(0, src[i] * 2, i < zero_live()); }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, form) = (b.read::<i32>("src")?, b.write::<i32>("dst")?, p.option("FORM")?);
        for (d, i) in dst.iter_mut().zip(range) {
            let inside = i < p.live() as usize || form == "past the count";
            *d = if inside { src[i].wrapping_mul(2) } else { 0 };
            if form == "one off" && i == 300 {
                *d += 1;
            }
        }
        Ok(())
    }));

#[test]
fn shipped_kernels_hold_over_drawn_inputs() {
    let check = |check: zero_compute::parity::KernelCheck<'_>, cases: u64| {
        let report = check.check().unwrap();
        assert_eq!(
            (report.devices, report.cases),
            (parity().devices().len(), cases),
            "{report:?}"
        );
        assert!(report.words > 100_000, "{report:?}");
    };
    // Ten sizes, each plain and under six live counts, for every option.
    check(
        parity()
            .kernel(&GATHER_F32)
            .input("index", Input::indices_into("src"))
            .input("src", Input::floats(-1e30..=1e30).lanes(3).elements(|n| n / 2 + 1)),
        70,
    );
    let options = |kernel: &Kernel| {
        kernel
            .specializations()
            .map(|s| s.options.len() as u64)
            .product::<u64>()
    };
    check(parity().kernel(&SCAN_F32), 70 * options(&SCAN_F32));
    check(
        parity().kernel(&COMPACT_I32).input("flags", Input::ints(-1..=1)),
        70 * options(&COMPACT_I32),
    );
    check(
        parity()
            .kernel(&SCATTER_U32)
            .option("OP", "max")
            .input("index", Input::indices_into("dst"))
            .input("dst", Input::words(0..=1000).elements(|n| n / 3 + 1)),
        70,
    );
    let right = parity().kernel(&DOUBLE).option("FORM", "right").check().unwrap();
    assert_eq!(right.cases, 70);
}

#[cfg(feature = "gpu")]
#[test]
fn a_word_that_a_gpu_has_otherwise_is_named() {
    if parity().devices().len() == Parity::cpu().devices().len() {
        return;
    }
    let found = difference(parity().kernel(&DOUBLE).option("FORM", "one off").seed(4).check());
    assert_eq!(found.what, "kernel `double` (FORM one off)");
    assert_eq!(
        (found.output.as_str(), found.part, found.element, found.lane),
        ("dst", Part::Word, 300, 0)
    );
    assert_eq!((found.case.n, found.case.live, found.case.seed), (1023, None, 4));
    assert_eq!(found.expected.wrapping_sub(found.found), 1);
    assert_eq!(found.reference, "cpu baseline");
    // What lies past a live count is held too.
    let found = difference(parity().kernel(&DOUBLE).option("FORM", "past the count").check());
    assert_eq!((found.case.n, found.case.live, found.element), (1, Some(0), 0));
}

#[test]
fn the_cpus_forms_are_held_to_the_same_bits_whatever_is_declared() {
    static THREADED: Kernel = Kernel::declare("threaded")
        .write("dst", Element::F32, Rule::Domain)
        .determinism(Determinism::FloatOrder { bound: |_, _| 1e9 })
        .cpu(Cpu::Whole(|b, _, x| {
            let threads = x.pool.map_or(1, rayon::ThreadPool::current_num_threads);
            b.write::<f32>("dst")?.fill(threads as f32);
            Ok(())
        }));
    let cpu = Parity::cpu();
    let found = difference(cpu.kernel(&THREADED).check());
    assert_eq!(
        (found.device.as_str(), found.found),
        ("cpu of 2 threads", 2.0f32.to_bits())
    );
    assert_eq!(found.what, "kernel `threaded`");
}

#[test]
fn a_replay_that_differs_from_the_first_run_is_found() {
    let cpu = Parity::cpu();
    let counts = |inputs: &mut zero_compute::parity::Inputs<'_>, rec: &mut Recorder| {
        let state = inputs.words("state", 1, 0..=9)?;
        let doubled = rec.copy(&state)?;
        rec.dispatch(
            &SCATTER_U32,
            args! { src: &doubled, index: &inputs.device().upload(&vec![0i32; inputs.n() as usize], 1)?, dst: &state },
            Domain::of(&doubled),
        )?;
        Ok(vec![state])
    };
    let work = cpu.work("sums in place", Determinism::Exact).sizes([64]);
    let found = difference(work.check(counts));
    assert_eq!(
        (found.what.as_str(), found.output.as_str()),
        ("sums in place", "output 0")
    );
    assert_eq!(
        (found.device.as_str(), found.reference.as_str()),
        ("cpu baseline", "cpu baseline")
    );
    let once = cpu.work("sums in place", Determinism::Exact).sizes([64]).runs(1);
    assert_eq!(once.check(counts).unwrap().cases, 1);
}

#[test]
fn recorded_work_is_held_to_an_oracle_over_sizes_and_live_counts() {
    let work = |right: bool| {
        parity()
            .work("gathered sums", Determinism::Exact)
            .sizes([1, 300, 5000])
            .with_live_counts()
            .oracle(move |draws| {
                let n = draws.case().n as usize;
                let src = draws.ints("src", n, -100..=100);
                let index = draws.indices("index", n, n as u32);
                let live = draws.live() as usize;
                let value = |at: &i32| {
                    usize::try_from(*at)
                        .ok()
                        .and_then(|at| src.get(at))
                        .copied()
                        .unwrap_or(0)
                };
                let mut sum = 0i32;
                let mut sums: Vec<i32> = Vec::new();
                for at in &index[..live] {
                    sums.push(sum);
                    sum += value(at);
                }
                sums.resize(n, if right { sum } else { 7 });
                vec![sums.into_iter().map(|v| v as u32).collect()]
            })
    };
    let make = |inputs: &mut zero_compute::parity::Inputs<'_>, rec: &mut Recorder| {
        let src = inputs.ints("src", 1, -100..=100)?;
        let index = inputs.indices("index", &src)?;
        let index = inputs.live(&index)?;
        let gathered = gather(rec, &src, &index)?;
        Ok(vec![scan(rec, &gathered, kernels::Form::Exclusive)?.dst])
    };
    let report = work(true).check(make).unwrap();
    assert_eq!(report.cases, 3 * 7);
    let found = difference(work(false).check(make));
    assert_eq!(
        (found.reference.as_str(), found.device.as_str()),
        ("the oracle", "cpu baseline")
    );
    assert_eq!(found.case.live, Some(0));
}

#[test]
fn what_a_check_is_given_wrongly_is_refused_by_name() {
    let cpu = Parity::cpu();
    let refused = |check: zero_compute::parity::KernelCheck<'_>, expected: &str| {
        let error = check.check().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(
        cpu.kernel(&DOUBLE).input("nothing", Input::ints(0..=1)),
        "kernel `double` has no `nothing`",
    );
    refused(cpu.kernel(&DOUBLE).option("FORM", "other"), "has no option `other`");
    refused(cpu.kernel(&DOUBLE).param("scale", 1), "has no `scale`");
    refused(
        cpu.kernel(&DOUBLE).input("src", Input::floats(0.0..=1.0)),
        "expected a column of i32",
    );
    refused(
        cpu.kernel(&DOUBLE).input("src", Input::indices_into("other")),
        "indices into a binding that is read, got `other`",
    );
}

#[test]
fn live_counts_of_a_capacity_cover_its_edges() {
    assert_eq!(live_counts(8), [0, 1, 4, 7, 8, 15]);
    assert_eq!(live_counts(0), [0, 0, 0, 0, 0, 7]);
}

#[test]
fn a_check_that_compares_nothing_is_refused() {
    static MUTE: Kernel = Kernel::declare("mute")
        .read("src", Element::U32)
        .cpu(Cpu::Whole(|_, _, _| Ok(())));
    let cpu = Parity::cpu();
    let refused = |check: Result<zero_compute::parity::Report>, what: &str, found: &str| {
        let expected = Error::Invalid {
            what: format!("the check of {what}"),
            expected: "something to compare".to_owned(),
            found: found.to_owned(),
        };
        assert_eq!(check, Err(expected));
    };
    let gather = |parity: &Parity, sizes: &[u32]| {
        let check = parity.kernel(&GATHER_F32).sizes(sizes.iter().copied());
        check
            .input("index", Input::indices_into("src"))
            .input("src", Input::floats(0.0..=1.0))
            .check()
    };
    refused(
        cpu.kernel(&MUTE).check(),
        "kernel `mute`",
        "outputs of no word in 70 cases",
    );
    refused(gather(&cpu, &[]), "kernel `gather_f32`", "no size");
    refused(
        gather(&cpu, &[0]),
        "kernel `gather_f32`",
        "outputs of no word in 7 cases",
    );
    refused(gather(&Parity::of([]), &[9]), "kernel `gather_f32`", "no device");
    assert_eq!(gather(&cpu, &[9]).map(|report| report.words), Ok(7 * 9));

    let nothing = |_: &mut zero_compute::parity::Inputs<'_>, _: &mut Recorder| Ok(Vec::new());
    let work = || cpu.work("nothing", Determinism::Exact).sizes([3]);
    refused(work().check(nothing), "nothing", "outputs of no word in 1 cases");
    // One device is held to itself when it runs again, or to an oracle; else to nothing.
    let one = Parity::of([("cpu".to_owned(), Device::cpu(CpuOptions::default()))]);
    let copy = |inputs: &mut zero_compute::parity::Inputs<'_>, rec: &mut Recorder| {
        let src = inputs.words("src", 1, 0..=9)?;
        Ok(vec![rec.copy(&src)?])
    };
    let work = || one.work("a copy", Determinism::Exact).sizes([3]);
    refused(
        work().runs(1).check(copy),
        "a copy",
        "one run on one device, and no oracle",
    );
    let held = work().runs(1).oracle(|draws| vec![draws.words("src", 3, 0..=9)]);
    assert_eq!(held.check(copy).map(|report| report.words), Ok(3));
    assert_eq!(work().check(copy).map(|report| report.words), Ok(3));
}

#[test]
fn words_that_a_kernel_does_not_write_are_found() {
    static IDLE: Kernel = Kernel::declare("idle")
        .write("dst", Element::U32, Rule::Domain)
        .determinism(Determinism::Exact)
        .cpu(Cpu::Whole(|_, _, _| Ok(())));
    static ALMOST: Kernel = Kernel::declare("almost")
        .write("dst", Element::F32, Rule::Domain)
        .determinism(Determinism::FloatOrder { bound: |_, _| 1e9 })
        .cpu(Cpu::Whole(|b, _, _| {
            b.write::<f32>("dst")?.iter_mut().take(256).for_each(|word| *word = 1.0);
            Ok(())
        }));
    let cpu = Parity::cpu();
    let found = difference(cpu.kernel(&IDLE).check());
    assert_eq!(
        (found.what.as_str(), found.case.n, found.element),
        ("kernel `idle`", 1, 0)
    );
    assert_eq!(found.device, found.reference, "its second run is not its first");
    let found = difference(cpu.kernel(&ALMOST).check());
    assert_eq!((found.case.n, found.element), (257, 256));
}
