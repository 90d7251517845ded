//! A field as it is consumed: one dispatch of a map, with the same bits on every device.

use std::sync::Arc;

use proptest::strategy::{Strategy, ValueTree};
use zero_compute::field::{BLOCK, Binary, Kind, MAX_COST, Mode, Prelude, Program, Reg, Tape, Unary};
use zero_compute::{Column, Device, Domain, Element};

use crate::common::{devices, gpu};
use crate::random::{Data, Expression, LEAVES, Random, Recipe, held, recipe, reference};
use crate::{runner, scale};

fn upload(device: &Device, element: Element, words: &[u32], lanes: u32) -> Column {
    match element {
        Element::F32 => device.upload::<f32>(bytemuck::cast_slice(words), lanes).unwrap(),
        Element::I32 => device.upload::<i32>(bytemuck::cast_slice(words), lanes).unwrap(),
        Element::U32 => device.upload::<u32>(words, lanes).unwrap(),
    }
}

fn read(column: &Column) -> Vec<u32> {
    match column.element() {
        Element::F32 => bytemuck::cast_vec(column.read::<f32>().unwrap().wait().unwrap()),
        Element::I32 => bytemuck::cast_vec(column.read::<i32>().unwrap().wait().unwrap()),
        Element::U32 => column.read::<u32>().unwrap().wait().unwrap(),
    }
}

/// One map of a program over `count` elements of `data`.
fn map(device: &Device, program: &Program, data: &Data, count: usize) -> Vec<u32> {
    let (views, numbers) = data.views(program);
    let leaves: Vec<_> = program
        .leaves()
        .iter()
        .zip(&views)
        .map(|(leaf, view)| upload(device, leaf.element, view.words, view.lanes))
        .collect();
    let mut recorder = device.record("map");
    let domain = Domain::count(count as u32);
    let dst = recorder
        .map(&Arc::new(program.clone()), &leaves, &numbers, domain)
        .unwrap()
        .column("dst")
        .unwrap();
    let list = recorder.finish().unwrap();
    list.submit().unwrap();
    read(&dst)
}

fn check(device: &Device, name: &str, program: &Program, data: &Data, held: &[bool]) {
    let lanes = program.lanes() as usize;
    let expected = reference(program, data, held.len());
    let found = map(device, program, data, held.len());
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!(
            !held[i / lanes] || found == expected,
            "{name}: element {}, lane {} is {found:#x}, expected {expected:#x} ({} and {})\n{program:#?}",
            i / lanes,
            i % lanes,
            f32::from_bits(*found),
            f32::from_bits(*expected),
        );
    }
}

/// Random recipes that do not depend on the run.
fn recipes(count: u32, most: usize) -> Vec<Recipe> {
    let mut runner = runner(1);
    (0..count)
        .map(|_| recipe(most).new_tree(&mut runner).unwrap().current())
        .collect()
}

#[test]
fn random_expressions_agree_on_every_device() {
    let devices = devices();
    let (mut compared, mut values, mut all) = (0, 0, 0);
    for recipe in recipes(14 * scale(), 120) {
        let expression = Expression::build(&recipe);
        let data = Data::new(recipe.data_seed, 61);
        let held = held(&expression, &data, 61);
        compared += held.iter().filter(|kept| **kept).count();
        all += held.len();
        values += expression.values.len();
        for kind in [Kind::F32, Kind::I32, Kind::U32] {
            for mode in [Mode::Pointwise, Mode::Exact] {
                let program = expression.program(kind, mode);
                for (name, device) in &devices {
                    check(device, name, &program, &data, &held);
                }
            }
        }
    }
    assert!(values > 1000 || scale() > 1 && values > 10_000, "{values} expressions");
    assert!(
        3 * compared > all,
        "{compared} of {all} elements are held to their bits"
    );
}

#[test]
fn every_size_agrees_on_every_device() {
    let recipe = &recipes(1, 25)[0];
    let expression = Expression::build(recipe);
    for (name, device) in devices() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 65_535, 65_537] {
            let data = Data::new(recipe.data_seed ^ count as u32, count);
            let held = held(&expression, &data, count);
            check(
                &device,
                name,
                &expression.program(Kind::F32, Mode::Pointwise),
                &data,
                &held,
            );
        }
    }
}

/// Every operator over pairs of words at the edges, in one program of many lanes.
#[test]
fn every_operator_agrees_at_its_edges() {
    let mut random = Random(11);
    let pairs = 512;
    let words = LEAVES.map(|(kind, _)| (0..2 * pairs).map(|_| random.word(kind)).collect::<Vec<_>>());
    let Some(device) = gpu() else { return };
    for mode in [Mode::Pointwise, Mode::Exact] {
        for kind in [Kind::F32, Kind::I32, Kind::U32] {
            let mut tape = Tape::new();
            let slot = LEAVES.iter().position(|&(k, _)| k == kind).unwrap() as u32;
            let (a, b) = (tape.leaf(slot, 0, kind), tape.leaf(slot, 1, kind));
            let mut results: Vec<Reg> = Vec::new();
            results.extend(Unary::ALL.iter().filter_map(|&op| tape.unary(op, a).ok()));
            results.extend(Binary::ALL.iter().filter_map(|&op| tape.binary(op, a, b).ok()));
            for answer in [Kind::F32, Kind::I32, Kind::U32] {
                let roots = results
                    .iter()
                    .copied()
                    .filter(|&r| tape.kind(r).element() == answer.element());
                for root in roots {
                    let program = Program::compile(&tape, &[root], mode).unwrap();
                    edges(&device, "software gpu", &program, &words[slot as usize]);
                }
            }
        }
    }
}

fn edges(device: &Device, name: &str, program: &Program, words: &[u32]) {
    let leaf = upload(device, program.leaves()[0].element, words, 2);
    let mut recorder = device.record("edges");
    let dst = recorder
        .map(
            &Arc::new(program.clone()),
            &[leaf],
            &[],
            Domain::count(words.len() as u32 / 2),
        )
        .unwrap();
    recorder.finish().unwrap().submit().unwrap();
    let found = read(&dst.column("dst").unwrap());
    let view = [zero_compute::field::LeafView { words, lanes: 2 }];
    let inputs = zero_compute::field::Inputs {
        leaves: &view,
        numbers: &[],
    };
    for (i, word) in found.iter().enumerate() {
        let mut expected = [0];
        program.reference(&inputs, i as u32, &mut expected).unwrap();
        let float = f32::from_bits(expected[0]);
        if program.element() == Element::F32 && !(float == 0.0 || float.is_normal()) {
            continue;
        }
        assert_eq!(
            *word,
            expected[0],
            "{name}: {:x?}\n{program:#?}",
            &words[2 * i..2 * i + 2]
        );
    }
}

#[test]
fn conversions_of_what_no_field_should_hold_agree_too() {
    let values = [
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        -f32::INFINITY,
        2147483648.0,
        4294967296.0,
        -2147483904.0,
    ];
    let words: Vec<u32> = values.iter().flat_map(|v| [v.to_bits(), 0]).collect();
    for (name, device) in devices() {
        for op in [Unary::ToI32, Unary::ToU32] {
            let mut tape = Tape::new();
            let a = tape.leaf(0, 0, Kind::F32);
            let root = tape.unary(op, a).unwrap();
            edges(
                &device,
                name,
                &Program::compile(&tape, &[root], Mode::Exact).unwrap(),
                &words,
            );
        }
    }
}

#[test]
fn a_chain_of_a_hundred_operators_is_one_dispatch() {
    for (name, device) in devices() {
        let mut tape = Tape::new();
        let x = tape.leaf(0, 0, Kind::F32);
        let mut value = x;
        for k in 0..100u16 {
            let number = tape.const_f32(1.0 + f32::from(k + 1) / 64.0);
            let op = [Binary::Mul, Binary::Sub, Binary::Min, Binary::Div][usize::from(k) % 4];
            value = tape.binary(op, value, number).unwrap();
        }
        let program = Arc::new(Program::compile(&tape, &[value], Mode::Exact).unwrap());
        assert_eq!(program.cost().operators, 100);
        let leaf = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
        let mut recorder = device.record("chain");
        let map = recorder.map(&program, &[leaf], &[], Domain::count(3)).unwrap();
        let list = recorder.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        map.column("dst").unwrap().read::<f32>().unwrap().wait().unwrap();
        assert_eq!(counting.delta().dispatches, 1, "{name}");
    }
}

#[test]
fn leaves_past_the_fifth_cost_a_copy_each_on_a_gpu() {
    let mut tape = Tape::new();
    let mut sum = tape.const_i32(0);
    for slot in 0..7 {
        let leaf = tape.leaf(slot, slot % 2, Kind::I32);
        let weight = tape.const_i32(10_i32.pow(slot));
        let part = tape.binary(Binary::Mul, leaf, weight).unwrap();
        sum = tape.binary(Binary::Add, sum, part).unwrap();
    }
    let program = Arc::new(Program::compile(&tape, &[sum], Mode::Exact).unwrap());
    for (name, device) in devices() {
        let leaves: Vec<_> = (1..8).map(|k| device.upload(&[k, k, -k, -k], 2).unwrap()).collect();
        let mut recorder = device.record("seven");
        let map = recorder.map(&program, &leaves, &[], Domain::count(3)).unwrap();
        let list = recorder.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        let found = map.column("dst").unwrap().read::<i32>().unwrap().wait().unwrap();
        assert_eq!(found, [7_654_321, -7_654_321, -7_654_321], "{name}");
        let copies = if name.contains("gpu") { 2 } else { 0 };
        assert_eq!(counting.delta().dispatches, 1 + copies, "{name}");
    }
}

#[test]
fn a_number_moves_without_compiling_and_a_live_domain_ends_in_zeros() {
    let mut tape = Tape::new();
    let (x, scale) = (tape.id(), tape.number(3, Kind::U32));
    let root = tape.binary(Binary::Mul, x, scale).unwrap();
    let one = tape.const_u32(1);
    let root = tape.binary(Binary::Add, root, one).unwrap();
    let program = Arc::new(Program::compile(&tape, &[root, x], Mode::Exact).unwrap());
    for (name, device) in devices() {
        let count = device.upload(&[3u32], 1).unwrap();
        let mut recorder = device.record("live");
        let map = recorder.map(&program, &[], &[10], Domain::live(&count, 5)).unwrap();
        let list = recorder.finish().unwrap();
        list.submit().unwrap();
        let dst = map.column("dst").unwrap().as_capacity();
        let all = |dst: &Column| dst.read::<u32>().unwrap().wait().unwrap();
        assert_eq!(all(&dst), [1, 0, 11, 1, 21, 2, 0, 0, 0, 0], "{name}");
        let counting = device.counting();
        list.set(map.number_slot(0).unwrap(), 100u32).unwrap();
        list.submit().unwrap();
        assert_eq!(all(&dst), [1, 0, 101, 1, 201, 2, 0, 0, 0, 0], "{name}");
        assert_eq!(
            (counting.delta().programs, counting.delta().allocations),
            (0, 0),
            "{name}"
        );
    }
}

/// The noise a field calls is zero-noise's, whether its seed and octaves are one number or vary over the elements.
#[test]
fn varying_seeds_and_octaves_agree() {
    let mut tape = Tape::new();
    let id = tape.id();
    let (x, y) = (tape.leaf(0, 0, Kind::F32), tape.leaf(0, 1, Kind::F32));
    let (seed, seven) = (tape.const_u32(5), tape.const_u32(7));
    let octaves = tape.binary(Binary::Mod, id, seven).unwrap();
    let roots = [
        tape.call(Prelude::Fbm3, &[seed, x, y, x, octaves]).unwrap(),
        tape.call(Prelude::Fbm2, &[id, x, y, seven]).unwrap(),
        tape.call(Prelude::Value3, &[id, x, y, y]).unwrap(),
        tape.call(Prelude::Draw, &[id, seed]).unwrap(),
    ];
    let program = Program::compile(&tape, &roots, Mode::Exact).unwrap();
    let data = Data {
        leaves: vec![(0..1200).map(|i| (i as f32 * 0.37 - 100.0).to_bits()).collect()],
        numbers: Vec::new(),
    };
    for (name, device) in devices() {
        let leaf = upload(&device, Element::F32, &data.leaves[0], 2);
        let mut recorder = device.record("noise");
        let map = recorder
            .map(&Arc::new(program.clone()), &[leaf], &[], Domain::count(600))
            .unwrap();
        recorder.finish().unwrap().submit().unwrap();
        let found = read(&map.column("dst").unwrap());
        let view = [zero_compute::field::LeafView {
            words: &data.leaves[0],
            lanes: 2,
        }];
        let inputs = zero_compute::field::Inputs {
            leaves: &view,
            numbers: &[],
        };
        for (i, words) in found.chunks(4).enumerate() {
            let mut expected = [0; 4];
            program.reference(&inputs, i as u32, &mut expected).unwrap();
            assert_eq!(words, expected, "{name}: element {i}");
        }
    }
}

/// Programs as costly as there may be, of plain operators and of calls: they build, and keep their bits.
#[test]
fn the_costliest_programs_run_on_every_device() {
    let mut plain = Tape::new();
    let mut value = plain.leaf(0, 0, Kind::F32);
    for k in 0..4000u16 {
        let number = plain.const_f32(1.0 + f32::from(k % 97 + 1) / 64.0);
        let op = [Binary::Mul, Binary::Sub, Binary::Min, Binary::Max][usize::from(k) % 4];
        value = plain.binary(op, value, number).unwrap();
    }
    let mut calls = Tape::new();
    let x = calls.leaf(0, 0, Kind::F32);
    let mut noise = x;
    for seed in 0..14 {
        let (seed, octaves) = (calls.const_u32(seed), calls.const_u32(3));
        noise = calls.call(Prelude::Fbm3, &[seed, noise, x, x, octaves]).unwrap();
    }
    let data = Data {
        leaves: vec![(0..300).map(|i| (i as f32 * 0.01 - 1.5).to_bits()).collect()],
        numbers: Vec::new(),
    };
    for (tape, root) in [(&plain, value), (&calls, noise)] {
        let program = Program::compile(tape, &[root], Mode::Pointwise).unwrap();
        assert!(program.cost().weight > MAX_COST * 9 / 10, "{:?}", program.cost());
        for (name, device) in devices() {
            check(&device, name, &program, &data, &[true; 300]);
        }
    }
}
