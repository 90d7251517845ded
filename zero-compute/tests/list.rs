//! Command lists: replay, params, live counts, and what one submission costs.
#![allow(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::sync::Arc;

use common::{cpu_devices, devices};
use zero_compute::call::Call;
use zero_compute::field::{Binary, Kind, Mode, Program, Tape};
use zero_compute::*;

macro_rules! wgsl_map {
    ($body:literal) => {
        concat!(
            "@compute @workgroup_size(256)\n",
            "fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {\n",
            "    let i = zero_index(gid, nw);\n",
            "    if (i >= zero_n()) { return; }\n",
            $body,
            "\n}"
        )
    };
}

static SCALE: Kernel = Kernel::declare("scale")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .param("by", Param::U32(2))
    .wgsl(wgsl_map!("dst[i] = src[i] * params.by;"))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, by) = (b.read::<u32>("src")?, b.write::<u32>("dst")?, p.u32("by")?);
        for (d, s) in dst.iter_mut().zip(&src[range]) {
            *d = s.wrapping_mul(by);
        }
        Ok(())
    }));

static SCALE_WHOLE: Kernel = Kernel::declare("scale_whole")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .param("by", Param::U32(2))
    .wgsl(wgsl_map!("dst[i] = src[i] * params.by;"))
    .cpu(Cpu::Whole(|b, p, x| {
        let (src, dst, by) = (b.read::<u32>("src")?, b.write::<u32>("dst")?, p.u32("by")?);
        for (d, s) in dst.chunks_mut(SLICE as usize).zip(src.chunks(SLICE as usize)) {
            x.checkpoint()?;
            d.iter_mut().zip(s).for_each(|(d, s)| *d = s.wrapping_mul(by));
        }
        Ok(())
    }));

/// Doubles the live elements; the inert value is 9.
static LIVE: Kernel = Kernel::declare("live")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .wgsl(wgsl_map!(
        "if (i < zero_live()) { dst[i] = src[i] * 2u; } else { dst[i] = 9u; }"
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst) = (b.read::<u32>("src")?, b.write::<u32>("dst")?);
        for (d, i) in dst.iter_mut().zip(range) {
            *d = if i < p.live() as usize { src[i] * 2 } else { 9 };
        }
        Ok(())
    }));

static ODD: Kernel = Kernel::declare("odd")
    .read("src", Element::U32)
    .append("hits", Element::U32, Rule::same_as("src"))
    .wgsl(wgsl_map!(
        "if ((src[i] & 1u) == 1u) {
            let slot = atomicAdd(&hits_count[0], 1u);
            if (slot < arrayLength(&hits)) { hits[slot] = src[i]; }
        }"
    ))
    .cpu(Cpu::Whole(|b, _, _| {
        let (src, mut hits) = (b.read::<u32>("src")?, b.append::<u32>("hits")?);
        src.iter().filter(|v| *v % 2 == 1).for_each(|v| hits.push(&[*v]));
        Ok(())
    }));

static ADD_ONE: Kernel = Kernel::declare("add_one")
    .inout("data", Element::U32)
    .wgsl(wgsl_map!("data[i] = data[i] + 1u;"))
    .cpu(Cpu::Whole(|b, _, x| {
        for part in b.write::<u32>("data")?.chunks_mut(SLICE as usize) {
            x.checkpoint()?;
            part.iter_mut().for_each(|v| *v += 1);
        }
        Ok(())
    }));

static MODES: Kernel = Kernel::declare("modes")
    .read("a", Element::F32)
    .read("b", Element::F32)
    .write("dst", Element::F32, Rule::same_as("a"))
    .specialize("MODE", &["add", "min"])
    .wgsl(wgsl_map!(
        "// @when MODE add
    dst[i] = a[i] + b[i];
// @end
// @when MODE min
    dst[i] = min(a[i], b[i]);
// @end
"
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (x, y, dst) = (b.read::<f32>("a")?, b.read::<f32>("b")?, b.write::<f32>("dst")?);
        let add = p.option("MODE")? == "add";
        for (d, i) in dst.iter_mut().zip(range) {
            *d = if add { x[i] + y[i] } else { x[i].min(y[i]) };
        }
        Ok(())
    }));

fn read(column: &Column) -> Vec<u32> {
    column.read::<u32>().unwrap().wait().unwrap()
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761) >> 3).collect()
}

#[test]
fn a_list_that_begins_with_nothing_writes_its_params() {
    for (name, device) in devices() {
        let (none, src) = (
            device.upload(&[0f32; 0], 1).unwrap(),
            device.upload(&[1.0f32, 2.0], 1).unwrap(),
        );
        let mut rec = device.record("empty first");
        zero_compute::kernels::proc_field_scale(&mut rec, &none, 2.0).unwrap();
        let scaled = rec
            .dispatch(
                &zero_compute::kernels::PROC_FIELD_SCALE,
                args! { src: &src, scale: 2.0 },
                Domain::of(&src),
            )
            .unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap().wait(&Exec::default()).unwrap();
        list.set(scaled.slot("scale").unwrap(), 3.0).unwrap();
        let before = device.stats().param_writes;
        list.submit().unwrap().wait(&Exec::default()).unwrap();
        assert_eq!(device.stats().param_writes - before, 1, "{name}");
        let scaled = scaled.column("dst").unwrap();
        assert_eq!(scaled.read::<f32>().unwrap().wait().unwrap(), [3.0, 6.0], "{name}");
    }
}

#[test]
fn a_list_runs_as_often_as_it_is_submitted() {
    for (name, device) in devices() {
        let data = device.upload(&[1u32, 2, 3], 1).unwrap();
        let mut rec = device.record("add");
        rec.dispatch(&ADD_ONE, args! { data: &data }, Domain::of(&data))
            .unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        assert_eq!(read(&data), [2, 3, 4], "{name}");
        list.submit().unwrap();
        list.submit().unwrap();
        assert_eq!(read(&data), [4, 5, 6], "{name}");
    }
}

#[test]
fn a_replay_writes_its_params_once_and_makes_nothing() {
    for (name, device) in devices() {
        let src = device.upload(&[1u32, 10], 1).unwrap();
        let mut rec = device.record("two");
        let first = rec.dispatch(&SCALE, args! { src: &src }, Domain::of(&src)).unwrap();
        let first_out = first.column("dst").unwrap();
        let second = rec
            .dispatch(&SCALE, args! { src: &first_out, by: 3 }, Domain::of(&src))
            .unwrap();
        let out = second.column("dst").unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        assert_eq!(read(&out), [6, 60], "{name}");

        let counting = device.counting();
        list.submit().unwrap();
        device.poll();
        let delta = counting.delta();
        assert_eq!(
            (delta.param_writes, delta.dispatches, delta.submissions),
            (0, 2, 1),
            "{name}: unchanged"
        );

        let counting = device.counting();
        list.set(first.slot("by").unwrap(), 5u32).unwrap();
        list.set(second.slot("by").unwrap(), 7u32).unwrap();
        list.submit().unwrap();
        device.poll();
        let delta = counting.delta();
        let made = (
            delta.allocations,
            delta.created,
            delta.programs,
            delta.bind_groups,
            delta.uploads,
        );
        assert_eq!((delta.param_writes, made), (1, (0, 0, 0, 0, 0)), "{name}");
        assert_eq!(read(&out), [35, 350], "{name}");
    }
}

#[test]
fn a_submission_keeps_the_params_of_its_moment() {
    for (name, device) in devices() {
        let src = device.upload(&[1u32], 1).unwrap();
        let mut rec = device.record("scale");
        let scale = rec
            .dispatch(&SCALE, args! { src: &src, by: 2 }, Domain::of(&src))
            .unwrap();
        let (out, slot) = (scale.column("dst").unwrap(), scale.slot("by").unwrap());
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        let before = out.read::<u32>().unwrap();
        list.set(slot, 9).unwrap();
        list.submit().unwrap();
        let after = out.read::<u32>().unwrap();
        assert_eq!(
            (before.wait().unwrap(), after.wait().unwrap()),
            (vec![2], vec![9]),
            "{name}"
        );
        let error = list.set(slot, 0.5).unwrap_err().to_string();
        assert!(error.contains("u32") && error.contains("0.5"), "{name}: {error}");
        let other = device.record("other").finish().unwrap();
        assert!(matches!(other.set(slot, 1), Err(Error::Foreign { .. })), "{name}");
    }
}

#[test]
fn a_live_domain_covers_its_capacity_and_knows_its_count() {
    for (name, device) in devices() {
        let src = device.upload(&[1u32, 2, 3, 4, 5], 1).unwrap();
        for (count, expected) in [(0u32, [9, 9, 9, 9, 9]), (2, [2, 4, 9, 9, 9]), (700, [2, 4, 6, 8, 10])] {
            let live = src.with_live(&device.upload(&[count], 1).unwrap()).unwrap();
            let mut rec = device.record("live");
            let out = rec
                .dispatch(&LIVE, args! { src: &live }, Domain::of(&live))
                .unwrap()
                .column("dst")
                .unwrap();
            rec.finish().unwrap().submit().unwrap();
            assert_eq!(read(&out.as_capacity()), expected, "{name}");
            assert_eq!(
                read(&out),
                expected[..count.min(5) as usize],
                "{name}: the output carries the count on"
            );
        }
    }
}

#[test]
fn appending_starts_from_empty_and_counts_what_did_not_fit() {
    for (name, device) in devices() {
        let src = device.upload(&numbers(5000), 1).unwrap();
        let mut rec = device.record("odd");
        let hits = rec
            .dispatch(&ODD, args! { src: &src }, Domain::of(&src))
            .unwrap()
            .column("hits")
            .unwrap();
        let small = device.live_column(Element::U32, 1, 3).unwrap();
        rec.dispatch(&ODD, args! { src: &src, hits: &small }, Domain::of(&src))
            .unwrap();
        let next = rec
            .dispatch(&LIVE, args! { src: &hits }, Domain::of(&hits))
            .unwrap()
            .column("dst")
            .unwrap();
        let list = rec.finish().unwrap();
        let mut expected: Vec<u32> = numbers(5000).into_iter().filter(|v| v % 2 == 1).collect();
        expected.sort_unstable();
        for _ in 0..2 {
            list.submit().unwrap();
            // A GPU appends in any order.
            let mut found = read(&hits);
            found.sort_unstable();
            assert_eq!(found, expected, "{name}");
            assert_eq!(read(&small).len(), 3, "{name}");
            assert_eq!(read(&small.live_count().unwrap()), [expected.len() as u32], "{name}");
            assert_eq!(read(&next).len(), expected.len(), "{name}");
        }
    }
}

#[test]
fn nothing_runs_over_no_elements_but_counters_are_cleared() {
    for (name, device) in devices() {
        let src = device.upload(&[0u32; 0], 1).unwrap();
        let hits = device.live_column(Element::U32, 1, 4).unwrap();
        let mut rec = device.record("empty");
        rec.fill(&hits.live_count().unwrap(), 3).unwrap();
        rec.dispatch(&ODD, args! { src: &src, hits: &hits }, Domain::of(&src))
            .unwrap();
        let out = rec
            .dispatch(&SCALE, args! { src: &src }, Domain::of(&src))
            .unwrap()
            .column("dst")
            .unwrap();
        let counting = device.counting();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(read(&hits), [0u32; 0], "{name}");
        assert_eq!(read(&out), [0u32; 0], "{name}");
        assert_eq!(counting.delta().dispatches, 2, "{name}: the fill and the clear");
        device.record("none").finish().unwrap().submit().unwrap();
        device.poll();
    }
}

#[test]
fn copies_and_fills_are_dispatches_of_the_list() {
    for (name, device) in devices() {
        let a = device
            .upload(&[1u32, 2, 3, 4], 2)
            .unwrap()
            .with_live(&device.upload(&[1u32], 1).unwrap())
            .unwrap();
        let to = device.column(Element::U32, 2, 2).unwrap();
        let mut rec = device.record("copy");
        let copy = rec.copy(&a).unwrap();
        rec.fill(&a.as_capacity(), 7).unwrap();
        rec.copy_into(&a, &to).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 4, "{name}: words and count, fill, words");
        list.submit().unwrap();
        assert_eq!(
            (read(&copy), read(&copy.as_capacity())),
            (vec![1, 2], vec![1, 2, 3, 4]),
            "{name}"
        );
        assert_eq!((read(&to), read(&a)), (vec![7; 4], vec![7; 2]), "{name}");
    }
}

#[test]
fn specializations_pick_their_lines() {
    for (name, device) in devices() {
        let (a, b) = (
            device.upload(&[1.0f32, 5.0], 1).unwrap(),
            device.upload(&[2.0f32, 3.0], 1).unwrap(),
        );
        let mut rec = device.record("modes");
        let add = rec
            .dispatch(&MODES, args! { a: &a, b: &b }, Domain::of(&a))
            .unwrap()
            .column("dst")
            .unwrap();
        let min = rec
            .dispatch(&MODES, args! { a: &a, b: &b, MODE: "min" }, Domain::of(&a))
            .unwrap();
        let min = min.column("dst").unwrap();
        let counting = device.counting();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(counting.delta().programs, 2, "{name}");
        assert_eq!(add.read::<f32>().unwrap().wait().unwrap(), [3.0, 8.0], "{name}");
        assert_eq!(min.read::<f32>().unwrap().wait().unwrap(), [1.0, 3.0], "{name}");
    }
}

#[test]
fn the_same_bytes_whatever_the_threads_and_whatever_the_form() {
    let input = numbers(300_001);
    let expected: Vec<u32> = input.iter().map(|v| v.wrapping_mul(11)).collect();
    for (name, device) in devices() {
        let src = device.upload(&input, 1).unwrap();
        let mut rec = device.record("forms");
        let ranges = rec
            .dispatch(&SCALE, args! { src: &src, by: 11 }, Domain::of(&src))
            .unwrap();
        let whole = rec
            .dispatch(&SCALE_WHOLE, args! { src: &src, by: 11 }, Domain::of(&src))
            .unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert!(read(&ranges.column("dst").unwrap()) == expected, "{name}: ranges");
        assert!(read(&whole.column("dst").unwrap()) == expected, "{name}: whole");
    }
}

#[test]
fn a_domain_past_one_dimension_of_workgroups_is_covered() {
    let n = 65_535 * 256 + 1000;
    for (name, device) in devices().into_iter().filter(|(name, _)| !name.contains("16")) {
        let column = device.column(Element::U32, 1, n).unwrap();
        let mut rec = device.record("fill");
        rec.fill(&column, 0xabcd).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert!(read(&column).iter().all(|v| *v == 0xabcd), "{name}");
    }
}

#[test]
fn an_abandoned_list_does_not_run() {
    for (name, device) in devices() {
        let data = device.upload(&[1u32], 1).unwrap();
        let mut rec = device.record("add");
        rec.dispatch(&ADD_ONE, args! { data: &data }, Domain::of(&data))
            .unwrap();
        let list = rec.finish().unwrap();
        let first = list.submit().unwrap();
        let second = list.submit().unwrap();
        first.abandon();
        let counting = device.counting();
        assert_eq!(read(&data), [2], "{name}");
        assert_eq!(
            (first.is_done(), second.is_done(), device.queued()),
            (false, true, 0),
            "{name}"
        );
        assert_eq!(
            (counting.delta().submissions, counting.delta().dispatches),
            (1, 1),
            "{name}"
        );
    }
}

#[test]
fn lists_are_submitted_from_several_threads() {
    for (name, device) in devices() {
        std::thread::scope(|scope| {
            for thread in 0..2u32 {
                let device = &device;
                scope.spawn(move || {
                    let data = device.upload(&[thread * 1000], 1).unwrap();
                    let mut rec = device.record("add");
                    rec.dispatch(&ADD_ONE, args! { data: &data }, Domain::of(&data))
                        .unwrap();
                    let list = rec.finish().unwrap();
                    for round in 1..=20 {
                        list.submit().unwrap();
                        assert_eq!(read(&data), [thread * 1000 + round], "{name}");
                    }
                });
            }
        });
    }
}

#[test]
fn a_field_program_is_one_dispatch_and_its_numbers_may_be_set() {
    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 1, Kind::F32));
    let k = tape.number(0, Kind::F32);
    let product = tape.binary(Binary::Mul, a, k).unwrap();
    let sum = tape.binary(Binary::Add, product, b).unwrap();
    let program = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
    for (name, device) in devices() {
        let a = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
        let b = device.upload(&[0.0f32, 0.5, 0.0, 0.25, 0.0, 0.125], 2).unwrap();
        let mut rec = device.record("map");
        let map = rec
            .map(&program, &[a.clone(), b.clone()], &[2.0f32.to_bits()], Domain::of(&a))
            .unwrap();
        let out = map.column("dst").unwrap();
        let count = device.upload(&[1u32], 1).unwrap();
        let live = Domain::live(&count, 3);
        let live = rec
            .map(&program, &[a.clone(), b], &[2.0f32.to_bits()], live)
            .unwrap()
            .column("dst")
            .unwrap();
        let list = rec.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        let read = |column: &Column| column.read::<f32>().unwrap().wait().unwrap();
        assert_eq!(read(&out), [2.5, 4.25, 6.125], "{name}");
        assert_eq!(
            (read(&live), read(&live.as_capacity())),
            (vec![2.5], vec![2.5, 0.0, 0.0]),
            "{name}"
        );
        assert_eq!(counting.delta().dispatches, 2, "{name}");
        list.set(map.number_slot(0).unwrap(), 10).unwrap();
        list.submit().unwrap();
        assert_eq!(read(&out), [10.5, 20.25, 30.125], "{name}");
        assert!(map.number_slot(1).is_err(), "{name}");
        let error = device
            .record("map")
            .map(&program, &[a], &[0], Domain::count(1))
            .unwrap_err()
            .to_string();
        assert_eq!(error, "leaves of a field program: expected 2, got 1", "{name}");
    }
}

#[test]
fn a_field_program_of_many_leaves_packs_those_past_the_direct_ones() {
    let mut tape = Tape::new();
    let mut sum = tape.const_f32(0.0);
    for slot in 0..8 {
        let leaf = tape.leaf(slot, 0, Kind::F32);
        sum = tape.binary(Binary::Add, sum, leaf).unwrap();
    }
    let program = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
    let n = 100_000u32;
    let leaves: Vec<Vec<f32>> = (0..8).map(|k| (0..n).map(|i| (i * 8 + k) as f32).collect()).collect();
    let expected: Vec<f32> = (0..n as usize)
        .map(|i| leaves.iter().fold(0.0, |sum, leaf| sum + leaf[i]))
        .collect();
    for (name, device) in devices() {
        let columns: Vec<Column> = leaves.iter().map(|leaf| device.upload(leaf, 1).unwrap()).collect();
        let mut rec = device.record("wide");
        let out = rec
            .map(&program, &columns, &[], Domain::count(n))
            .unwrap()
            .column("dst")
            .unwrap();
        let list = rec.finish().unwrap();
        let packing = if device.class() == DeviceClass::Cpu { 0 } else { 3 };
        assert_eq!(list.dispatches(), 1 + packing, "{name}");
        list.submit().unwrap();
        assert!(out.read::<f32>().unwrap().wait().unwrap() == expected, "{name}");
    }
}

#[test]
fn results_do_not_grow_the_pool_when_a_step_is_recorded_again() {
    for (name, device) in cpu_devices() {
        let src = device.upload(&numbers(1000), 1).unwrap();
        let step = || {
            let mut rec = device.record("step");
            let scaled = rec
                .dispatch(&SCALE, args! { src: &src }, Domain::of(&src))
                .unwrap()
                .column("dst")
                .unwrap();
            let out = rec.dispatch(&ODD, args! { src: &scaled }, Domain::of(&scaled)).unwrap();
            rec.finish().unwrap().submit().unwrap();
            read(&out.column("hits").unwrap());
        };
        step();
        let counting = device.counting();
        (0..10).for_each(|_| step());
        assert_eq!((counting.delta().created, counting.delta().programs), (0, 0), "{name}");
    }
}

/// Seven dispatches of five programs.
fn many_programs(device: &Device) -> (Recorder, Column) {
    let mut rec = device.record("many");
    let numbers = kernels::ramp(&mut rec, Domain::count(1000), 1, 0).unwrap();
    let summed = kernels::scan(&mut rec, &numbers, kernels::Form::Inclusive).unwrap();
    let again = kernels::scan(&mut rec, &summed.dst, kernels::Form::Inclusive).unwrap();
    let copied = rec.copy(&again.dst).unwrap();
    let least = kernels::reduce(&mut rec, &copied, kernels::Reduce::Min).unwrap();
    let most = kernels::reduce(&mut rec, &copied, kernels::Reduce::Max).unwrap();
    let ends = kernels::concat(&mut rec, &[&least, &most]).unwrap();
    (rec, ends)
}

#[test]
fn a_list_has_the_same_programs_however_it_is_finished() {
    type Finish = fn(Recorder) -> Result<CommandList>;
    let ways: [Finish; 3] = [
        Recorder::finish,
        |rec| rec.finish_async()?.wait(),
        |rec| pollster::block_on(rec.finish_async()?),
    ];
    let mut built = Vec::new();
    for finish in ways {
        for (name, device) in devices() {
            let (rec, ends) = many_programs(&device);
            let counting = device.counting();
            let list = finish(rec).unwrap();
            let programs = counting.delta().programs;
            assert_eq!(counting.delta().lists, 1, "{name}");
            list.submit().unwrap();
            assert_eq!(ends.read::<i32>().unwrap().wait().unwrap(), [1, 500_500], "{name}");
            // Once they are there nothing is built, on whatever thread.
            let (rec, _) = many_programs(&device);
            finish(rec).unwrap();
            assert_eq!(counting.delta().programs, programs, "{name}");
            built.push(programs);
        }
    }
    assert!(
        built[0] >= 5 && built.iter().all(|programs| *programs == built[0]),
        "{built:?}"
    );
}

#[test]
fn of_several_programs_that_fail_the_first_of_the_list_is_told() {
    static FIRST: Kernel = Kernel::declare("first")
        .write("dst", Element::F32, Rule::Domain)
        .wgsl("@compute @workgroup_size(256) fn main() { dst[0] = 1u; }");
    static SECOND: Kernel = Kernel::declare("second")
        .write("dst", Element::F32, Rule::Domain)
        .wgsl("@compute @workgroup_size(256) fn main() { dst[0] = nothing; }");
    let Some(device) = common::gpu() else { return };
    let finish = |finish: fn(Recorder) -> Result<CommandList>| {
        let mut rec = device.record("bad");
        kernels::ramp(&mut rec, Domain::count(4), 0, 1).unwrap();
        rec.dispatch(&FIRST, args! {}, Domain::count(1)).unwrap();
        rec.dispatch(&SECOND, args! {}, Domain::count(1)).unwrap();
        finish(rec).unwrap_err()
    };
    for error in [finish(Recorder::finish), finish(|rec| rec.finish_async()?.wait())] {
        assert!(
            matches!(&error, Error::BadShader { kernel, .. } if kernel == "first"),
            "{error}"
        );
    }
    // What fails is not kept, and what is sound stands.
    let counting = device.counting();
    let mut rec = device.record("good");
    kernels::ramp(&mut rec, Domain::count(4), 0, 1).unwrap();
    rec.finish().unwrap();
    assert_eq!(counting.delta().programs, 0);
}

#[test]
fn field_programs_that_were_not_used_for_long_are_built_anew() {
    let device = Device::cpu(CpuOptions::default());
    let src = device.upload(&[1.0f32], 1).unwrap();
    let run = |number: u32| {
        let mut tape = Tape::new();
        let leaf = tape.leaf(0, 0, Kind::F32);
        let constant = tape.const_f32(number as f32);
        let sum = tape.binary(Binary::Add, leaf, constant).unwrap();
        let program = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
        let mut rec = device.record("field");
        rec.map(&program, std::slice::from_ref(&src), &[], Domain::of(&src))
            .unwrap();
        let before = device.stats().programs;
        rec.finish().unwrap();
        device.stats().programs - before
    };
    let most = MAX_RUN_TIME_PROGRAMS as u32;
    assert_eq!((0..most).map(run).sum::<u64>(), u64::from(most));
    assert_eq!((0..most).map(run).sum::<u64>(), 0, "as many are kept");
    assert_eq!((run(most), run(0), run(1), run(most)), (1, 1, 1, 0));
}

#[test]
fn what_is_not_finite_is_refused_by_the_name_of_the_param() {
    static FLOAT: Kernel = Kernel::declare("float")
        .write("dst", Element::F32, Rule::Domain)
        .param("radius", Param::F32(1.0))
        .cpu(Cpu::Whole(|b, p, _| {
            b.write::<f32>("dst")?.fill(p.f32("radius")?);
            Ok(())
        }));
    let device = Device::cpu(CpuOptions::default());
    let mut rec = device.record("bad");
    let bad = [
        (Number::F32(f32::NAN), "NaN"),
        (Number::F64(f64::NAN), "NaN"),
        (Number::F32(f32::INFINITY), "inf"),
        (Number::F64(f64::NEG_INFINITY), "-inf"),
    ];
    for (number, found) in bad {
        let error = rec
            .dispatch(&FLOAT, args! { radius: number }, Domain::count(1))
            .unwrap_err();
        let expected = format!("kernel `float`, `radius`: expected f32, got {found}");
        assert_eq!(error.to_string(), expected);
        // A call says so too.
        let error = Call::new(&FLOAT, 1).bind("radius", number).run(&device).unwrap_err();
        let expected = format!("kernel `float`, `radius`: expected a number (f32), got {found}");
        assert_eq!(error.to_string(), expected);
    }
    let done = rec
        .dispatch(&FLOAT, args! { radius: f32::MAX }, Domain::count(1))
        .unwrap();
    let (slot, dst) = (done.slot("radius").unwrap(), done.column("dst").unwrap());
    let list = rec.finish().unwrap();
    for (number, found) in bad {
        let error = list.set(slot, number).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a number of list `bad`: expected f32, got {found}")
        );
    }
    list.submit().unwrap();
    assert_eq!(dst.read::<f32>().unwrap().wait().unwrap(), [f32::MAX]);
    // By its bits a slot takes anything.
    list.set_bits(slot, f32::INFINITY.to_bits()).unwrap();
    list.submit().unwrap();
    assert_eq!(dst.read::<f32>().unwrap().wait().unwrap(), [f32::INFINITY]);
}
