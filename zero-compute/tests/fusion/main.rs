//! Fused lists: the same bytes as unfused ones, in fewer dispatches.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod alone;
#[path = "../common/mod.rs"]
mod common;

use std::sync::Arc;

use common::{cpu_devices, devices};
use zero_compute::field::{Binary, Kind, Mode, Prelude, Program, Tape};
use zero_compute::kernels::{Form, Lattice, fan, gather, grid_faces, lattice, ramp, scan};
use zero_compute::*;

const fn each(writes: &'static str, own: &'static [&'static str], inert: Param) -> PerElement {
    PerElement { writes, own, inert }
}

/// `a * by`, with a helper, a constant and an alias of names that the other kernels use too.
static MUL: Kernel = Kernel::declare("mul")
    .read("a", Element::F32)
    .write("dst", Element::F32, Rule::LanesOf("a"))
    .param("by", Param::F32(1.5))
    .fusion(each("dst", &["a"], Param::F32(-1.0)))
    .wgsl(
        "alias T = f32;
const ONE: T = 1.0;
fn helper(value: T) -> T { return value * (params.by * ONE); }
fn element(i: u32, lane: u32) -> f32 { return helper(a_at(i, lane)); }",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (a, by) = (b.part::<f32>("a", range.clone())?, p.f32("by")?);
        let live = live_words(&range, b.lanes("dst"), p);
        for (k, (to, a)) in b.write::<f32>("dst")?.iter_mut().zip(a).enumerate() {
            *to = if k < live { a * by } else { -1.0 };
        }
        Ok(())
    }));

static COMBINE: Kernel = Kernel::declare("combine")
    .read("a", Element::F32)
    .read("b", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .specialize("OP", &["add", "sub", "min"])
    .fusion(each("dst", &["a", "b"], Param::F32(0.0)))
    .wgsl(
        "alias T = f32;
fn helper(a: T, b: T) -> T {
    // @when OP add
    return a + b;
    // @end
    // @when OP sub
    return a - b;
    // @end
    // @when OP min
    return select(b, a, a < b);
    // @end
}
fn element(i: u32, lane: u32) -> f32 { return helper(a_at(i, 0u), b_at(i, 0u)); }",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (x, y) = (b.part::<f32>("a", range.clone())?, b.part::<f32>("b", range.clone())?);
        let (op, live) = (p.option("OP")?, live_words(&range, 1, p));
        for (k, ((to, x), y)) in b.write::<f32>("dst")?.iter_mut().zip(x).zip(y).enumerate() {
            *to = match op {
                _ if k >= live => 0.0,
                "add" => x + y,
                "sub" => x - y,
                _ => {
                    if x < y {
                        *x
                    } else {
                        *y
                    }
                }
            };
        }
        Ok(())
    }));

/// The sum of the lanes of a vector, in order.
static LANE_SUM: Kernel = Kernel::declare("lane_sum")
    .read("v", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .fusion(each("dst", &["v"], Param::F32(7.0)))
    .wgsl(
        "// @use zero_noise
fn element(i: u32, lane: u32) -> f32 { return zn_keep(zn_keep(v_at(i, 0u) + v_at(i, 1u)) + v_at(i, 2u)); }",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (v, live) = (b.part::<f32>("v", range.clone())?, live_words(&range, 1, p));
        for (k, (to, v)) in b.write::<f32>("dst")?.iter_mut().zip(v.chunks_exact(3)).enumerate() {
            *to = if k < live { v[0] + v[1] + v[2] } else { 7.0 };
        }
        Ok(())
    }));

/// Words of a range that are live.
fn live_words(range: &std::ops::Range<usize>, lanes: u32, p: &CpuParams<'_>) -> usize {
    (p.live() as usize).saturating_sub(range.start).min(range.len()) * lanes as usize
}

fn read(column: &Column) -> Vec<u32> {
    let column = column.as_capacity();
    match column.element() {
        Element::F32 => bytemuck::cast_vec(column.read::<f32>().unwrap().wait().unwrap()),
        Element::I32 => bytemuck::cast_vec(column.read::<i32>().unwrap().wait().unwrap()),
        Element::U32 => column.read::<u32>().unwrap().wait().unwrap(),
    }
}

fn floats(n: u32, seed: u32) -> Vec<f32> {
    let word = |i: u32| (i ^ seed).wrapping_mul(2_654_435_761) >> 8;
    (0..n).map(|i| 0.5 + word(i) as f32 / (1 << 24) as f32).collect()
}

fn mul(rec: &mut Recorder, a: &Column, by: f32) -> (Column, Slot) {
    let done = rec.dispatch(&MUL, args! { a: a, by: by }, Domain::of(a)).unwrap();
    (done.column("dst").unwrap(), done.slot("by").unwrap())
}

fn combine(rec: &mut Recorder, a: &Column, b: &Column, op: &str) -> Column {
    let done = rec.dispatch(&COMBINE, args! { a: a, b: b, OP: op }, Domain::of(a));
    done.unwrap().column("dst").unwrap()
}

/// `x * y + z`, of which a device that fuses would make one operation.
fn mul_add(mode: Mode) -> Arc<Program> {
    let mut tape = Tape::new();
    let [x, y, z] = [0, 1, 2].map(|slot| tape.leaf(slot, 0, Kind::F32));
    let product = tape.binary(Binary::Mul, x, y).unwrap();
    let sum = tape.binary(Binary::Add, product, z).unwrap();
    Arc::new(Program::compile(&tape, &[sum], mode).unwrap())
}

/// A vector of a value, and a product with a number.
fn vector() -> Arc<Program> {
    let mut tape = Tape::new();
    let (x, k) = (tape.leaf(0, 0, Kind::F32), tape.number(0, Kind::F32));
    let y = tape.binary(Binary::Mul, x, k).unwrap();
    let z = tape.binary(Binary::Sub, y, x).unwrap();
    Arc::new(Program::compile(&tape, &[x, y, z], Mode::Exact).unwrap())
}

fn noise() -> Arc<Program> {
    let mut tape = Tape::new();
    let (x, y) = (tape.leaf(0, 0, Kind::F32), tape.leaf(0, 2, Kind::F32));
    let seed = tape.const_u32(11);
    let value = tape.call(Prelude::Value2, &[seed, x, y]).unwrap();
    // Several results of one call are a value of their own in the shader.
    let metric = tape.const_u32(1);
    let cell = [Prelude::Cellular2F1, Prelude::Cellular2F2].map(|f| tape.call(f, &[seed, x, y, metric]).unwrap());
    let border = tape.binary(Binary::Sub, cell[1], cell[0]).unwrap();
    let one = tape.const_f32(1.0);
    let value = tape.binary(Binary::Add, value, one).unwrap();
    let value = tape.binary(Binary::Add, value, border).unwrap();
    Arc::new(Program::compile(&tape, &[value], Mode::Pointwise).unwrap())
}

#[test]
fn a_chain_is_one_dispatch_with_the_bits_of_many() {
    let n = 70_001;
    let start = floats(n, 3);
    let expected: Vec<f32> = start
        .iter()
        .map(|x| (0..8).fold(*x, |x, k| x * (0.9 + k as f32 * 0.03)))
        .collect();
    for (name, device) in devices() {
        let start = device.upload(&start, 1).unwrap();
        let mut rec = device.record("chain");
        let mut last = start.clone();
        for k in 0..8 {
            last = mul(&mut rec, &last, 0.9 + k as f32 * 0.03).0;
        }
        rec.fuse(Fusion::Chains, &[&last]).unwrap();
        let list = rec.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        let found = last.read::<f32>().unwrap().wait().unwrap();
        assert!(found == expected, "{name}");
        assert_eq!((list.dispatches(), counting.delta().dispatches), (1, 1), "{name}");
        let counts = list.fusion().unwrap();
        assert_eq!((counts.recorded, counts.joined, counts.absorbed), (8, 7, 7), "{name}");
    }
}

/// Its structs have members of the names that the kernel declares and binds.
static STRUCTS: Kernel = Kernel::declare("structs")
    .read("a", Element::F32)
    .write("dst", Element::F32, Rule::LanesOf("a"))
    .param("by", Param::F32(0.5))
    .fusion(each("dst", &["a"], Param::F32(0.0)))
    .wgsl(
        "alias T = f32;
struct Inner { params: T, by: T }
struct Pair { a: T, element : T, helper /* called */ : Inner, dst: array<T, 2> }
fn helper(p: Pair) -> T { return p.a * p.helper.by + p.element * p.helper.params + p.dst[1]; }
fn element(i: u32, lane: u32) -> f32 {
    var by: Inner;
    by.by = params.by;
    let p = Pair(a_at(i, lane), 2.0, by, array<T, 2>(1.0, 0.25));
    return helper(p);
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (a, by) = (b.part::<f32>("a", range)?, p.f32("by")?);
        for (to, a) in b.write::<f32>("dst")?.iter_mut().zip(a) {
            *to = a * by + 0.25;
        }
        Ok(())
    }));

#[test]
fn structs_with_members_of_other_names_are_fused() {
    // Halves and quarters of small integers: every step is exact, however a driver joins them.
    let start: Vec<f32> = (0..600).map(|i| i as f32).collect();
    let expected: Vec<f32> = start.iter().map(|x| (x * 0.5 + 0.25) * 0.5 + 0.25).collect();
    for (name, device) in devices() {
        let start = device.upload(&start, 1).unwrap();
        let mut rec = device.record("structs");
        let step = |rec: &mut Recorder, a: &Column| {
            let done = rec.dispatch(&STRUCTS, args! { a: a }, Domain::of(a)).unwrap();
            done.column("dst").unwrap()
        };
        let once = step(&mut rec, &start);
        let twice = step(&mut rec, &once);
        rec.fuse(Fusion::Chains, &[&twice]).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 1, "{name}");
        list.submit().unwrap();
        assert!(twice.read::<f32>().unwrap().wait().unwrap() == expected, "{name}");
    }
}

/// A product that ends one dispatch and feeds the sum that begins the next is rounded in between, whoever computes both.
#[test]
fn a_product_and_the_sum_of_the_next_dispatch_are_not_one_operation() {
    let n = 20_000;
    let (a, b) = (floats(n, 1), floats(n, 2));
    let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| (a * 1.1f32 - b).to_bits()).collect();
    let joined: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a.mul_add(1.1, -b).to_bits()).collect();
    assert_ne!(expected, joined, "the numbers tell the two apart");
    let mut tape = Tape::new();
    let (x, y) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let difference = tape.binary(Binary::Sub, x, y).unwrap();
    let difference = Arc::new(Program::compile(&tape, &[difference], Mode::Pointwise).unwrap());
    let mut tape = Tape::new();
    let (x, k) = (tape.leaf(0, 0, Kind::F32), tape.const_f32(1.1));
    let product = tape.binary(Binary::Mul, x, k).unwrap();
    let product = Arc::new(Program::compile(&tape, &[product], Mode::Pointwise).unwrap());
    for (name, device) in devices() {
        let (a, b) = (device.upload(&a, 1).unwrap(), device.upload(&b, 1).unwrap());
        let mut rec = device.record("kept products");
        let kernel = mul(&mut rec, &a, 1.1).0;
        let map = rec
            .map(&product, std::slice::from_ref(&a), &[], Domain::of(&a))
            .unwrap();
        let map = map.column("dst").unwrap();
        let mut outputs = Vec::new();
        for product in [kernel, map] {
            outputs.push(combine(&mut rec, &product, &b, "sub"));
            let map = rec
                .map(&difference, &[product, b.clone()], &[], Domain::of(&a))
                .unwrap();
            outputs.push(map.column("dst").unwrap());
        }
        rec.fuse(Fusion::Stages, &outputs.iter().collect::<Vec<_>>()).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 1, "{name}");
        list.submit().unwrap();
        for (k, output) in outputs.iter().enumerate() {
            assert!(read(output) == expected, "{name}, output {k}");
        }
    }
}

/// `(a + b) - b` is not `a`, though a driver that sees both sums says so.
#[test]
fn a_sum_and_the_difference_of_the_next_dispatch_do_not_cancel() {
    let n = 5_000;
    let (a, b) = (floats(n, 1), floats(n, 2));
    let b: Vec<f32> = b.iter().map(|b| b * 1000.0).collect();
    let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| ((a + b) - b).to_bits()).collect();
    let start: Vec<u32> = a.iter().map(|a| a.to_bits()).collect();
    assert_ne!(expected, start, "the numbers tell the two apart");
    for (name, device) in devices() {
        let (a, b) = (device.upload(&a, 1).unwrap(), device.upload(&b, 1).unwrap());
        let mut rec = device.record("kept sums");
        let sum = combine(&mut rec, &a, &b, "add");
        let difference = combine(&mut rec, &sum, &b, "sub");
        rec.fuse(Fusion::Chains, &[&difference]).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 1, "{name}");
        list.submit().unwrap();
        assert!(read(&difference) == expected, "{name}");
    }
}

/// A device keeps programs for what is run again; the same kernels wired to each other otherwise are another program.
#[test]
fn the_same_members_with_other_wires_are_another_program() {
    let n = 300;
    let (a, b) = (floats(n, 1), floats(n, 2));
    let products: Vec<f32> = a.iter().map(|a| a * 1.5).collect();
    let forth: Vec<u32> = products.iter().zip(&b).map(|(p, b)| (p - b).to_bits()).collect();
    let back: Vec<u32> = products.iter().zip(&b).map(|(p, b)| (b - p).to_bits()).collect();
    for (name, device) in devices() {
        let (a, b) = (device.upload(&a, 1).unwrap(), device.upload(&b, 1).unwrap());
        for (turned, expected) in [(false, &forth), (true, &back)] {
            let mut rec = device.record("wired");
            let product = mul(&mut rec, &a, 1.5).0;
            let difference = match turned {
                false => combine(&mut rec, &product, &b, "sub"),
                true => combine(&mut rec, &b, &product, "sub"),
            };
            rec.fuse(Fusion::Chains, &[&difference]).unwrap();
            let list = rec.finish().unwrap();
            assert_eq!(list.dispatches(), 1, "{name}");
            list.submit().unwrap();
            assert!(read(&difference) == *expected, "{name}, turned: {turned}");
        }
    }
}

/// Asked again, the columns are kept besides those named before, and the last answer to how holds.
#[test]
fn fusion_asked_for_again_keeps_more_and_is_the_last() {
    for (name, device) in devices() {
        let start = device.upload(&floats(50, 1), 1).unwrap();
        for (first, last, dispatches) in [(Fusion::Off, Fusion::Chains, 1), (Fusion::Chains, Fusion::Off, 2)] {
            let mut rec = device.record("again");
            let once = mul(&mut rec, &start, 1.5).0;
            let twice = mul(&mut rec, &once, 0.5).0;
            rec.fuse(first, &[&once]).unwrap();
            rec.fuse(last, &[&twice]).unwrap();
            let list = rec.finish().unwrap();
            assert_eq!(list.dispatches(), dispatches, "{name}, {first:?} and {last:?}");
            list.submit().unwrap();
            let products: Vec<u32> = floats(50, 1).iter().map(|x| (x * 1.5).to_bits()).collect();
            assert!(read(&once) == products, "{name}");
            read(&twice);
        }
    }
}

/// What of a random list stands: the columns it made in order, and the numbers that may be set.
#[derive(Default)]
struct Made {
    floats: Vec<Column>,
    vectors: Vec<Column>,
    indices: Vec<Column>,
    outputs: Vec<Column>,
    slots: Vec<Slot>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn of<'a>(&mut self, columns: &'a [Column]) -> &'a Column {
        &columns[self.below(columns.len())]
    }
}

/// Records the list that `seed` names. The same columns are handed in, and the same made, whatever the device.
fn record(rec: &mut Recorder, device: &Device, seed: u64, n: u32) -> Made {
    let mut random = Random(seed);
    let mut made = Made::default();
    let count = device.upload(&[n * (seed as u32 % 4) / 3], 1).unwrap();
    for k in 0..3 {
        let column = device.upload(&floats(n, k), 1).unwrap();
        made.floats.push(if k == 2 {
            column.with_live(&count).unwrap()
        } else {
            column
        });
    }
    made.vectors.push(device.upload(&floats(3 * n, 9), 3).unwrap());
    let index: Vec<i32> = (0..n as i32).map(|i| (i * 7) % (n as i32 + 3) - 1).collect();
    made.indices.push(device.upload(&index, 1).unwrap());
    let scratch = device.upload(&floats(n, 5), 1).unwrap();
    made.outputs.push(scratch.clone());
    let programs = [mul_add(Mode::Pointwise), mul_add(Mode::Exact)];
    for step in 0..22 {
        let a = random.of(&made.floats).clone();
        let b = random.of(&made.floats).clone();
        let v = random.of(&made.vectors).clone();
        let domain = Domain::of(&a);
        let float = match random.below(11) {
            0 | 1 => {
                let (column, slot) = mul(rec, &a, 0.75 + step as f32 * 0.02);
                made.slots.push(slot);
                column
            }
            2 | 3 => combine(rec, &a, &b, ["add", "sub", "min"][random.below(3)]),
            4 => {
                let leaves = [a, b, random.of(&made.floats).clone()];
                let map = rec.map(&programs[random.below(2)], &leaves, &[], domain).unwrap();
                map.column("dst").unwrap()
            }
            5 => {
                let map = rec.map(&vector(), &[a], &[1.25f32.to_bits()], domain).unwrap();
                made.slots.push(map.number_slot(0).unwrap());
                made.vectors.push(map.column("dst").unwrap());
                made.outputs.push(map.column("dst").unwrap());
                continue;
            }
            6 => {
                let done = rec.dispatch(&LANE_SUM, args! { v: &v }, Domain::of(&v)).unwrap();
                done.column("dst").unwrap()
            }
            7 => {
                let map = rec
                    .map(&noise(), std::slice::from_ref(&v), &[], Domain::of(&v))
                    .unwrap();
                map.column("dst").unwrap()
            }
            8 => gather(rec, &a, &random.of(&made.indices).clone()).unwrap(),
            9 if random.below(2) == 0 => {
                let index = ramp(rec, domain, n as i32 - 1, -1).unwrap();
                made.indices.push(index.clone());
                made.outputs.push(index);
                let counts = [n, 1, 1];
                let spacing = [0.25, 1.0, 1.0];
                let points = lattice(
                    rec,
                    Lattice {
                        counts,
                        spacing,
                        origin: [0.1; 3],
                    },
                )
                .unwrap();
                made.vectors.push(points.clone());
                made.outputs.push(points);
                continue;
            }
            9 => scan(rec, &a, Form::Exclusive).unwrap().dst,
            // What was read before is written over, and read after it.
            _ => {
                rec.copy_into(&a.as_capacity(), &scratch).unwrap();
                mul(rec, &scratch, 0.5).0
            }
        };
        made.floats.push(float.clone());
        made.outputs.push(float);
    }
    made
}

#[test]
fn random_lists_leave_the_same_bytes_fused_and_not() {
    let plain = Device::cpu(CpuOptions::default());
    let devices = devices();
    let (mut totals, mut moved) = (FusionCounts::default(), 0);
    for (seed, n) in (0..10).map(|seed| (seed, 300 + 7 * seed as u32)).chain([(10, 70_001)]) {
        let mut rec = plain.record("plain");
        let wanted = record(&mut rec, &plain, seed, n);
        let list = rec.finish().unwrap();
        assert_eq!(list.fusion(), None);
        let mut random = Random(seed + 99);
        let keep: Vec<usize> = (0..wanted.outputs.len())
            .filter(|k| *k == 0 || random.below(4) == 0)
            .collect();
        let runs = |list: &CommandList, made: &Made| -> Vec<Vec<u32>> {
            let mut words = Vec::new();
            for run in 0..2u8 {
                if run == 1 {
                    for (k, slot) in made.slots.iter().enumerate() {
                        list.set(*slot, 1.0 - k as f32 * 0.0625).unwrap();
                    }
                }
                list.submit().unwrap();
                words.extend(keep.iter().map(|k| read(&made.outputs[*k])));
            }
            words
        };
        let expected = runs(&list, &wanted);
        moved += usize::from(expected[..keep.len()] != expected[keep.len()..]);
        for (name, device) in &devices {
            // Hardware that fuses products into sums has bits of its own: it is held to its own plain list.
            let own = matches!(device.class(), zero_compute::DeviceClass::Gpu { contracts: true, .. });
            let expected = if own {
                let mut rec = device.record("plain");
                let made = record(&mut rec, device, seed, n);
                runs(&rec.finish().unwrap(), &made)
            } else {
                expected.clone()
            };
            for fusion in [Fusion::Off, Fusion::Chains, Fusion::Stages] {
                let mut rec = device.record("fused");
                let made = record(&mut rec, device, seed, n);
                let kept: Vec<&Column> = keep.iter().map(|k| &made.outputs[*k]).collect();
                rec.fuse(fusion, &kept).unwrap();
                let list = rec.finish().unwrap();
                let found = runs(&list, &made);
                for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let wrong = (0..expected.len()).find(|&k| found[k] != expected[k]);
                    assert_eq!(wrong, None, "list {seed} on {name}, {fusion:?}, output {at}");
                }
                let counts = list.fusion().unwrap();
                let saved = counts.dropped + counts.joined + counts.staged;
                assert_eq!(counts.recorded, counts.dispatches + saved, "{counts:?}");
                assert_eq!(counts.dispatches, list.dispatches());
                if fusion == Fusion::Stages {
                    totals.joined += counts.joined;
                    totals.staged += counts.staged;
                    totals.absorbed += counts.absorbed;
                    totals.dropped += counts.dropped;
                }
            }
        }
    }
    let least = [totals.joined, totals.staged, totals.absorbed, totals.dropped];
    assert!(least.iter().all(|count| *count > 50), "{totals:?}");
    assert!(moved > 5, "{moved} lists heard of their numbers");
}

#[test]
fn the_counts_are_the_same_on_every_device_and_a_replay_makes_nothing() {
    let mut first: Option<(FusionCounts, u64)> = None;
    for (name, device) in devices() {
        let mut rec = device.record("counts");
        let made = record(&mut rec, &device, 4, 500);
        let kept: Vec<&Column> = made.outputs.iter().rev().take(3).collect();
        rec.fuse(Fusion::Stages, &kept).unwrap();
        let counting = device.counting();
        let list = rec.finish().unwrap();
        let found = (list.fusion().unwrap(), counting.delta().programs);
        assert_eq!(*first.get_or_insert(found), found, "{name}");
        list.submit().unwrap();
        device.poll();
        for slot in &made.slots {
            list.set(*slot, 0.5).unwrap();
        }
        let counting = device.counting();
        list.submit().unwrap();
        device.poll();
        let spent = counting.delta();
        assert_eq!(spent.dispatches, found.0.dispatches as u64, "{name}");
        let made = (spent.allocations, spent.created, spent.programs, spent.bind_groups);
        assert_eq!((made, spent.param_writes), ((0, 0, 0, 0), 1), "{name}");
    }
}

#[test]
fn what_is_not_kept_cannot_be_read_and_is_not_held() {
    for (name, device) in devices() {
        let start = device.upload(&floats(100_000, 0), 1).unwrap();
        let before = device.stats().live_bytes;
        for fusion in [Fusion::Off, Fusion::Chains, Fusion::Stages] {
            let mut rec = device.record("let go");
            let (inner, slot) = mul(&mut rec, &start, 2.0);
            let outer = mul(&mut rec, &inner, 2.0).0;
            let (dropped, dropped_slot) = mul(&mut rec, &start, 3.0);
            rec.fuse(fusion, &[&outer]).unwrap();
            let list = rec.finish().unwrap();
            list.submit().unwrap();
            list.set(dropped_slot, 5.0).unwrap();
            list.set(slot, 1.0).unwrap();
            list.submit().unwrap();
            let found = outer.read::<f32>().unwrap().wait().unwrap();
            assert!(
                found.iter().zip(floats(100_000, 0)).all(|(found, x)| *found == x * 2.0),
                "{name}"
            );
            for column in [&inner, &dropped] {
                let error = column.read::<f32>().unwrap_err();
                assert_eq!(error, Error::NotKept { what: "a column" }, "{name}");
                let mut rec = device.record("another");
                let error = rec.dispatch(&MUL, args! { a: column }, Domain::of(&start)).unwrap_err();
                assert!(error.to_string().contains("Recorder::fuse"), "{name}: {error}");
            }
            let held = if fusion == Fusion::Off { 2 } else { 1 };
            drop((inner, dropped));
            assert_eq!(
                device.stats().live_bytes - before,
                held * (1 << 19),
                "{name}, {fusion:?}"
            );
        }
    }
}

/// Something that changes a column.
type Work<'a> = &'a dyn Fn(&mut Recorder, &Column);

/// What a scatter and a splat make for themselves goes with them.
#[test]
fn a_scatter_that_nothing_asks_for_is_dropped_with_its_workspace() {
    use zero_compute::kernels::{Lattice, Scatter, grid_splat, scatter};
    for (name, device) in devices() {
        let src = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
        let index = device.upload(&[0i32, 1, 0], 1).unwrap();
        let points = device.column(Element::F32, 3, 3).unwrap();
        let lattice = Lattice {
            counts: [4, 1, 1],
            ..Lattice::default()
        };
        let works: [Work<'_>; 4] = [
            &|rec, dst| scatter(rec, &src, &index, dst, Scatter::Last).unwrap(),
            &|rec, dst| scatter(rec, &src, &index, dst, Scatter::Max).unwrap(),
            &|rec, dst| scatter(rec, &src, &index, dst, Scatter::AddFixed { fraction_bits: 8 }).unwrap(),
            &|rec, dst| grid_splat(rec, &src, &points, lattice, dst, 8).unwrap(),
        ];
        for (at, work) in works.iter().enumerate() {
            let mut rec = device.record("dead");
            let empty = device.column(Element::F32, 1, 4).unwrap();
            let dst = rec.copy(&empty).unwrap();
            work(&mut rec, &dst);
            let kept = mul(&mut rec, &src, 2.0).0;
            let recorded = rec.dispatches();
            rec.fuse(Fusion::Off, &[&kept]).unwrap();
            let list = rec.finish().unwrap();
            let counts = list.fusion().unwrap();
            assert_eq!((counts.dispatches, counts.dropped), (1, recorded - 1), "{name}, {at}");
            list.submit().unwrap();
            assert_eq!(
                kept.read::<f32>().unwrap().wait().unwrap(),
                [2.0, 4.0, 6.0],
                "{name}, {at}"
            );
        }
    }
}

/// Past the live count a member holds its inert value, in registers as in memory.
#[test]
fn inert_values_are_those_of_the_dispatches_alone() {
    for (name, device) in devices() {
        let start = device.upload(&floats(10, 0), 1).unwrap();
        for live in [0u32, 1, 6, 10, 13] {
            let count = device.upload(&[live], 1).unwrap();
            let mut rec = device.record("inert");
            let a = mul(&mut rec, &start.with_live(&count).unwrap(), 2.0).0;
            let b = combine(&mut rec, &a, &a, "add");
            let up = ramp(&mut rec, Domain::live(&count, 10), 5, 1).unwrap();
            rec.fuse(Fusion::Stages, &[&a, &b, &up]).unwrap();
            let list = rec.finish().unwrap();
            assert_eq!(list.dispatches(), 1, "{name}");
            list.submit().unwrap();
            let live = live.min(10) as usize;
            let expected = |live: &dyn Fn(f32) -> f32, inert: f32| -> Vec<u32> {
                let value = |(i, x): (usize, f32)| if i < count_of(live_n(&count)) { live(x) } else { inert };
                floats(10, 0)
                    .into_iter()
                    .enumerate()
                    .map(|v| value(v).to_bits())
                    .collect()
            };
            assert_eq!(read(&a), expected(&|x| x * 2.0, -1.0), "{name}, {live}");
            assert_eq!(read(&b), expected(&|x| x * 2.0 + x * 2.0, 0.0), "{name}, {live}");
            let ups: Vec<u32> = (0..10)
                .map(|i| if i < live { 5 + i as u32 } else { u32::MAX })
                .collect();
            assert_eq!(read(&up), ups, "{name}, {live}");
        }
    }
}

fn live_n(count: &Column) -> u32 {
    count.read::<u32>().unwrap().wait().unwrap()[0]
}

fn count_of(live: u32) -> usize {
    live.min(10) as usize
}

#[test]
fn a_budget_stops_a_fused_dispatch_at_a_slice() {
    let n = 3 * SLICE + 5;
    for (name, device) in cpu_devices() {
        let start = device.upload(&floats(n, 0), 1).unwrap();
        let mut rec = device.record("slices");
        let mut last = start.clone();
        for _ in 0..3 {
            last = mul(&mut rec, &last, 1.0).0;
        }
        rec.fuse(Fusion::Stages, &[&last]).unwrap();
        let list = rec.finish().unwrap();
        list.submit().unwrap();
        let exec = Exec {
            budget_ms: Some(0.0),
            ..Exec::default()
        };
        let mut drives = 1;
        while device.drive(&exec).unwrap() == Drive::Budget {
            drives += 1;
        }
        let threads = if name.contains("16") {
            16
        } else if name.contains('2') {
            2
        } else {
            1
        };
        assert_eq!(drives, n.div_ceil(SLICE * threads), "{name}");
        assert!(last.read::<f32>().unwrap().wait().unwrap() == floats(n, 0), "{name}");
    }
}

/// Made triangles and points, each with a dispatch of its own unfused.
#[test]
fn what_is_made_is_staged_by_its_elements() {
    for (name, device) in devices() {
        let make = |rec: &mut Recorder| {
            vec![
                grid_faces(rec, 4, 5).unwrap(),
                fan(rec, 0, 1, 24).unwrap(),
                ramp(rec, Domain::count(24), 3, -2).unwrap(),
                lattice(
                    rec,
                    Lattice {
                        counts: [2, 3, 4],
                        origin: [0.5; 3],
                        spacing: [0.1, 0.7, -3.0],
                    },
                )
                .unwrap(),
            ]
        };
        let mut rec = device.record("plain");
        let plain = make(&mut rec);
        rec.finish().unwrap().submit().unwrap();
        let mut rec = device.record("staged");
        let staged = make(&mut rec);
        rec.fuse(Fusion::Stages, &staged.iter().collect::<Vec<_>>()).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!((list.dispatches(), list.fusion().unwrap().staged), (1, 3), "{name}");
        list.submit().unwrap();
        for (plain, staged) in plain.iter().zip(&staged) {
            assert_eq!(read(plain), read(staged), "{name}");
        }
    }
}

static WHOLE_READ: Kernel = Kernel::declare("whole_read")
    .read("a", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .fusion(each("dst", &["a"], Param::F32(0.0)))
    .wgsl("fn element(i: u32, lane: u32) -> f32 { return a_at(i, lane); }")
    .cpu(Cpu::Ranges(|_, b, _, _| b.read::<f32>("a").map(drop)));

#[test]
fn declarations_that_contradict_themselves_are_refused() {
    let device = Device::cpu(CpuOptions::default());
    let a = device.upload(&[1.0f32], 1).unwrap();
    let base = || {
        Kernel::declare("bad")
            .read("a", Element::F32)
            .write("dst", Element::F32, Rule::Domain)
            .wgsl("fn element(i: u32, lane: u32) -> f32 { return 0.0; }")
            .cpu(Cpu::Ranges(|_, _, _, _| Ok(())))
    };
    let check = |kernel: Kernel, expected: &str| {
        let kernel: &'static Kernel = Box::leak(Box::new(kernel));
        let mut rec = device.record("bad");
        let mut given = args! { a: &a };
        if kernel.bindings().any(|b| b.access == Access::InOut) {
            given = given.with("b", device.upload(&[1.0f32], 1).unwrap());
        }
        let error = rec.dispatch(kernel, given, Domain::count(1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let fusion = |own| each("dst", own, Param::F32(0.0));
    check(
        base().fusion(each("a", &[], Param::F32(0.0))),
        "writes one binding and changes none, here `a`",
    );
    check(
        base().inout("b", Element::F32).fusion(fusion(&["a"])),
        "writes one binding and changes none",
    );
    check(
        base().fusion(fusion(&["b"])),
        "`b` is read at its own element, and is no column",
    );
    check(
        base().fusion(each("dst", &[], Param::I32(0))),
        "its inert value is i32, and `dst` holds f32",
    );
    check(
        base().pass("main", Groups::One, &["dst"]).fusion(fusion(&[])),
        "has no passes",
    );

    let mut rec = device.record("reads it all");
    let b = mul(&mut rec, &a, 1.0).0;
    let c = rec
        .dispatch(&WHOLE_READ, args! { a: &b }, Domain::count(1))
        .unwrap()
        .column("dst")
        .unwrap();
    rec.fuse(Fusion::Chains, &[&c]).unwrap();
    rec.finish().unwrap().submit().unwrap();
    let error = c.read::<f32>().unwrap().wait().unwrap_err().to_string();
    assert!(
        error.contains("`a` is declared to be read at its own elements only"),
        "{error}"
    );

    let other = Device::cpu(CpuOptions::default()).upload(&[1.0f32], 1).unwrap();
    let error = device.record("foreign").fuse(Fusion::Chains, &[&other]).unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
}
