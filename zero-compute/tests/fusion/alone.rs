//! What never joins another dispatch: it is left alone, and the list has the bytes that it has without fusion.

use super::*;

const N: u32 = 3_000;

/// Records `step` between products that would join each other and what lies between, and checks that nothing joins but
/// the two products behind each of its outputs.
fn stays_alone(step: impl Fn(&mut Recorder, &Column) -> Vec<Column>) {
    for (name, device) in devices() {
        let run = |fusion: Option<Fusion>| {
            let start = device.upload(&floats(N, 4), 1).unwrap();
            let mut rec = device.record("alone");
            let before = mul(&mut rec, &start, 1.25).0;
            let between = step(&mut rec, &before);
            let after: Vec<Column> = between
                .iter()
                .map(|column| {
                    let once = mul(&mut rec, column, 0.75).0;
                    mul(&mut rec, &once, 1.5).0
                })
                .collect();
            if let Some(fusion) = fusion {
                rec.fuse(fusion, &after.iter().collect::<Vec<_>>()).unwrap();
            }
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            let bytes: Vec<Vec<u32>> = after.iter().map(read).collect();
            (bytes, list.fusion())
        };
        let (plain, none) = run(None);
        assert_eq!(none, None);
        for fusion in [Fusion::Off, Fusion::Chains, Fusion::Stages] {
            let (found, counts) = run(Some(fusion));
            assert!(found == plain, "{name}, {fusion:?}");
            let counts = counts.unwrap();
            let joined = if fusion == Fusion::Off { 0 } else { plain.len() };
            assert_eq!((counts.joined, counts.dropped), (joined, 0), "{name}, {fusion:?}");
            assert_eq!(
                counts.dispatches,
                counts.recorded - counts.joined - counts.staged,
                "{name}, {fusion:?}"
            );
        }
    }
}

fn column(done: &Dispatch, name: &str) -> Column {
    done.column(name).unwrap()
}

/// The products alone are one dispatch: what the other tests say of what lies between is no accident.
#[test]
fn nothing_between_is_one_dispatch() {
    for (name, device) in devices() {
        let start = device.upload(&floats(N, 4), 1).unwrap();
        let mut rec = device.record("joined");
        let mut last = start;
        for by in [1.25, 0.75, 1.5] {
            last = mul(&mut rec, &last, by).0;
        }
        rec.fuse(Fusion::Chains, &[&last]).unwrap();
        assert_eq!(rec.finish().unwrap().dispatches(), 1, "{name}");
    }
}

static IN_PLACE: Kernel = Kernel::declare("in_place")
    .inout("data", Element::F32)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { data[i] = data[i] + 1.0; }
}",
    )
    .cpu(Cpu::Ranges(|_, b, _, _| {
        b.write::<f32>("data")?.iter_mut().for_each(|value| *value += 1.0);
        Ok(())
    }));

#[test]
fn a_kernel_that_changes_its_input_in_place() {
    stays_alone(|rec, before| {
        rec.dispatch(&IN_PLACE, args! { data: before }, Domain::of(before))
            .unwrap();
        vec![before.clone()]
    });
}

static PARTS: Kernel = Kernel::declare("parts")
    .read("a", Element::F32)
    .write("whole", Element::F32, Rule::Domain)
    .write("rest", Element::F32, Rule::Domain)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) {
        whole[i] = floor(a[i]);
        rest[i] = a[i] - floor(a[i]);
    }
}",
    )
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let a = b.part::<f32>("a", range)?;
        for (to, a) in b.write::<f32>("whole")?.iter_mut().zip(a) {
            *to = a.floor();
        }
        for (to, a) in b.write::<f32>("rest")?.iter_mut().zip(a) {
            *to = a - a.floor();
        }
        Ok(())
    }));

#[test]
fn a_kernel_of_two_outputs() {
    stays_alone(|rec, before| {
        let done = rec.dispatch(&PARTS, args! { a: before }, Domain::of(before)).unwrap();
        vec![column(&done, "whole"), column(&done, "rest")]
    });
}

/// It is a per-element kernel in all but the table.
static TABLE: Kernel = Kernel::declare("of_a_table")
    .columns("cols", Columns::Named(&["a", "b"]))
    .write("dst", Element::F32, Rule::Domain)
    .fusion(each("dst", &[], Param::F32(0.0)))
    .wgsl(
        "fn element(i: u32, lane: u32) -> f32 {
    return cols_f32(cols_col_a, i, 0u) - cols_f32(cols_col_b, i, 0u);
}",
    )
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let cols = b.table("cols")?;
        let (x, y) = (cols.slot("a")?, cols.slot("b")?);
        for (to, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *to = cols.f32(x, i, 0) - cols.f32(y, i, 0);
        }
        Ok(())
    }));

#[test]
fn a_kernel_that_reads_a_table() {
    stays_alone(|rec, before| {
        let other = before.device().upload(&floats(N, 6), 1).unwrap();
        let table = rec.pack(&[("a", before), ("b", &other)]).unwrap();
        let done = rec
            .dispatch(&TABLE, args! { cols: &table }, Domain::of(before))
            .unwrap();
        vec![column(&done, "dst")]
    });
}

/// The sum of that many leaves.
fn sum_of(leaves: u32) -> Arc<Program> {
    let mut tape = Tape::new();
    let mut sum = tape.leaf(0, 0, Kind::F32);
    for slot in 1..leaves {
        let leaf = tape.leaf(slot, 0, Kind::F32);
        sum = tape.binary(Binary::Add, sum, leaf).unwrap();
    }
    Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap())
}

fn map_of(rec: &mut Recorder, before: &Column, leaves: u32) -> Vec<Column> {
    let others = (1..leaves).map(|k| before.device().upload(&floats(N, 20 + k), 1).unwrap());
    let given: Vec<Column> = std::iter::once(before.clone()).chain(others).collect();
    let done = rec.map(&sum_of(leaves), &given, &[], Domain::of(before)).unwrap();
    vec![column(&done, "dst")]
}

#[test]
fn a_map_of_more_than_five_leaves() {
    stays_alone(|rec, before| map_of(rec, before, 6));
    // Five leaves join, on every device.
    for (name, device) in devices() {
        let start = device.upload(&floats(N, 4), 1).unwrap();
        let mut rec = device.record("five");
        let before = mul(&mut rec, &start, 1.25).0;
        let sum = map_of(&mut rec, &before, 5).remove(0);
        rec.fuse(Fusion::Chains, &[&sum]).unwrap();
        assert_eq!(rec.finish().unwrap().dispatches(), 1, "{name}");
    }
}

/// What a map reads through an index is written first.
#[test]
fn a_map_that_gathers_from_what_was_computed() {
    let mut tape = Tape::new();
    let (id, last) = (tape.id(), tape.const_u32(N - 1));
    let mirrored = tape.binary(Binary::Sub, last, id).unwrap();
    let there = tape.gather(0, 0, Kind::F32, mirrored).unwrap();
    let here = tape.leaf(1, 0, Kind::F32);
    let sum = tape.binary(Binary::Sub, there, here).unwrap();
    let program = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
    for (name, device) in devices() {
        let run = |fusion: Option<Fusion>| {
            let start = device.upload(&floats(N, 4), 1).unwrap();
            let mut rec = device.record("mirrored");
            let gathered = mul(&mut rec, &start, 1.25).0;
            let own = mul(&mut rec, &start, 0.75).0;
            let done = rec.map(&program, &[gathered, own], &[], Domain::of(&start)).unwrap();
            let last = mul(&mut rec, &column(&done, "dst"), 1.5).0;
            if let Some(fusion) = fusion {
                rec.fuse(fusion, &[&last]).unwrap();
            }
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            (read(&last), list.dispatches())
        };
        let (plain, recorded) = run(None);
        assert_eq!(recorded, 4, "{name}");
        for fusion in [Fusion::Chains, Fusion::Stages] {
            assert_eq!(run(Some(fusion)), (plain.clone(), 2), "{name}, {fusion:?}");
        }
    }
}

/// Appends what is above 1.
static LARGE: Kernel = Kernel::declare("large")
    .read("a", Element::F32)
    .append("hits", Element::F32, Rule::Domain)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n() && a[i] > 1.0) {
        let slot = atomicAdd(&hits_count[0], 1u);
        if (slot < arrayLength(&hits)) { hits[slot] = a[i]; }
    }
}",
    )
    .cpu(Cpu::Whole(|b, _, _| {
        let a = b.read::<f32>("a")?;
        let mut hits = b.append::<f32>("hits")?;
        for value in a.iter().filter(|value| **value > 1.0) {
            hits.push(&[*value]);
        }
        Ok(())
    }));

/// An append makes its count too: it is needed where nothing but that is read.
#[test]
fn an_append_of_which_the_count_alone_is_read() {
    for (name, device) in devices() {
        let run = |fusion: Option<Fusion>| {
            let start = device.upload(&floats(N, 4), 1).unwrap();
            let mut rec = device.record("counted");
            let before = mul(&mut rec, &start, 1.25).0;
            let done = rec.dispatch(&LARGE, args! { a: &before }, Domain::of(&before)).unwrap();
            let count = column(&done, "hits").live_count().unwrap();
            let numbers = ramp(&mut rec, Domain::live(&count, N), 5, 1).unwrap();
            if let Some(fusion) = fusion {
                rec.fuse(fusion, &[&numbers]).unwrap();
            }
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            list.submit().unwrap();
            read(&numbers)
        };
        let plain = run(None);
        let hits = floats(N, 4).iter().filter(|value| **value * 1.25 > 1.0).count();
        assert!(hits > 100 && hits < N as usize - 100);
        assert_eq!(plain[hits - 1], 4 + hits as u32, "{name}");
        assert_ne!(plain[hits], 5 + hits as u32, "{name}");
        for fusion in [Fusion::Off, Fusion::Chains, Fusion::Stages] {
            assert_eq!(run(Some(fusion)), plain, "{name}, {fusion:?}");
        }
    }
}

/// Reads both columns at the element after its own.
static NEXT: Kernel = Kernel::declare("next_of_two")
    .read("a", Element::F32)
    .read("b", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .fusion(each("dst", &[], Param::F32(0.0)))
    .wgsl(
        "fn element(i: u32, lane: u32) -> f32 {
    let next = min(i + 1u, zero_n() - 1u);
    return a[next] - b[i];
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (x, y, n) = (b.read::<f32>("a")?, b.read::<f32>("b")?, p.n() as usize);
        for (to, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *to = x[(i + 1).min(n - 1)] - y[i];
        }
        Ok(())
    }));

#[test]
fn a_kernel_that_is_given_one_column_under_two_names() {
    for (name, device) in devices() {
        let columns = [4, 5, 6].map(|seed| device.upload(&floats(N, seed), 1).unwrap());
        let [start, one, other] = &columns;
        // Beside a product it is staged, where it is given two columns.
        for (b, dispatches) in [(one, 2), (other, 1)] {
            let run = |fusion: Option<Fusion>| {
                let mut rec = device.record("two names");
                let product = mul(&mut rec, start, 1.25).0;
                let done = rec.dispatch(&NEXT, args! { a: one, b: b }, Domain::of(one)).unwrap();
                let kept = [product, column(&done, "dst")];
                if let Some(fusion) = fusion {
                    rec.fuse(fusion, &[&kept[0], &kept[1]]).unwrap();
                }
                let list = rec.finish().unwrap();
                list.submit().unwrap();
                (kept.map(|column| read(&column)), list.dispatches())
            };
            let (plain, recorded) = run(None);
            assert_eq!(recorded, 2, "{name}");
            assert_eq!(run(Some(Fusion::Chains)), (plain.clone(), 2), "{name}");
            assert_eq!(run(Some(Fusion::Stages)), (plain, dispatches), "{name}");
        }
    }
}

#[test]
fn an_output_of_more_than_sixteen_lanes() {
    for (name, device) in devices() {
        for (lanes, dispatches) in [(16, 1), (17, 3)] {
            let run = |fusion: Option<Fusion>| {
                let start = device.upload(&floats(lanes * 100, 5), lanes).unwrap();
                let mut rec = device.record("wide");
                let mut last = start;
                for by in [1.25, 0.75, 1.5] {
                    last = mul(&mut rec, &last, by).0;
                }
                if let Some(fusion) = fusion {
                    rec.fuse(fusion, &[&last]).unwrap();
                }
                let list = rec.finish().unwrap();
                list.submit().unwrap();
                (read(&last), list.dispatches())
            };
            let (plain, recorded) = run(None);
            assert_eq!(recorded, 3, "{name}");
            for fusion in [Fusion::Chains, Fusion::Stages] {
                assert_eq!(
                    run(Some(fusion)),
                    (plain.clone(), dispatches),
                    "{name}, {lanes}, {fusion:?}"
                );
            }
        }
    }
}
