//! The block machine against the scalar reference, bit for bit.

use std::cell::Cell;

use proptest::prelude::*;
use zero_compute::field::{BLOCK, Binary, Inputs, Isa, Kind, LeafView, Mode, Program, Scratch, Tape, Unary};

use crate::random::{Data, Expression, Random, Recipe, recipe, reference};
use crate::{runner, scale};

const KINDS: [Kind; 3] = [Kind::F32, Kind::I32, Kind::U32];

fn machine(program: &Program, data: &Data, count: usize, isa: Isa, pieces: usize) -> Vec<u32> {
    let (leaves, numbers) = data.views(program);
    let inputs = Inputs {
        leaves: &leaves,
        numbers: &numbers,
    };
    let lanes = program.lanes() as usize;
    let mut out = vec![0xdead_beef; count * lanes];
    let mut scratch = Scratch::default();
    let piece = count.div_ceil(pieces).max(1);
    for (k, part) in out.chunks_mut(piece * lanes).enumerate() {
        program
            .run(&inputs, (k * piece) as u32, part, isa, &mut scratch)
            .unwrap();
    }
    out
}

/// Every value of an expression, together and the last ones alone, by the machine in both forms. Answers how many
/// elements were compared.
fn check(recipe: &Recipe, count: usize) -> usize {
    let expression = Expression::build(recipe);
    let data = Data::new(recipe.data_seed, count);
    // Only what an infinity or a NaN has reached is left out: the bits of a NaN are nobody's promise.
    let floats = expression.program(Kind::F32, Mode::Pointwise);
    let finite: Vec<bool> = reference(&floats, &data, count)
        .chunks(floats.lanes() as usize)
        .map(|words| words.iter().all(|&w| f32::from_bits(w).is_finite()))
        .collect();
    for kind in KINDS {
        let group = expression.group(kind);
        // Together every value is an output, so none is fused into its user; alone they are.
        let alone = group.iter().rev().take(12);
        let alone = alone.map(|&root| Program::compile(&expression.tape, &[root], Mode::Pointwise).unwrap());
        for program in alone.chain([expression.program(kind, Mode::Pointwise)]) {
            let lanes = program.lanes() as usize;
            let expected = reference(&program, &data, count);
            for (isa, pieces) in [(Isa::Baseline, 1), (Isa::Auto, 1), (Isa::Auto, 3)] {
                let found = machine(&program, &data, count, isa, pieces);
                for (element, kept) in finite.iter().enumerate() {
                    let at = element * lanes..(element + 1) * lanes;
                    assert!(
                        !kept || found[at.clone()] == expected[at.clone()],
                        "element {element} of {count}, {isa:?} in {pieces}: {:x?}, expected {:x?}\n{program:#?}",
                        &found[at.clone()],
                        &expected[at],
                    );
                }
            }
        }
    }
    finite.iter().filter(|kept| **kept).count()
}

#[test]
fn a_thousand_random_expressions_agree() {
    let mut runner = runner(1000 * scale());
    let (compared, all) = (Cell::new(0), Cell::new(0));
    let result = runner.run(&recipe(40), |recipe| {
        compared.set(compared.get() + check(&recipe, 33));
        all.set(all.get() + 33);
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(
        2 * compared.get() > all.get(),
        "{} of {} elements stayed finite",
        compared.get(),
        all.get()
    );
}

#[test]
fn every_edge_of_a_block_agrees() {
    let mut runner = runner(4 * scale());
    let counts = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 65_535, 65_537];
    let result = runner.run(&(recipe(30), prop::sample::select(counts.to_vec())), |(recipe, _)| {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1] {
            check(&recipe, count);
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    for count in counts {
        check(
            &Recipe {
                choices: (0..12u16)
                    .map(|k| [7919u16, 31, 57, 91].map(|by| k.wrapping_mul(by)).into())
                    .collect(),
                data_seed: 7,
            },
            count,
        );
    }
}

/// Operators that the machine computes inside their only user, with each operand a column or a number.
#[test]
fn fused_neighbours_keep_both_roundings() {
    let leaves: Vec<Vec<u32>> = (0..4).map(|k| leaf_of(k, 700)).collect();
    let numbers = [1.25f32, -0.3, 7.7, 0.1].map(f32::to_bits);
    for form in 0..16u32 {
        let mut tape = Tape::new();
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| match form >> place & 1 {
            0 => tape.leaf(place, 0, Kind::F32),
            _ => tape.number(place, Kind::F32),
        });
        let mut roots = Vec::new();
        for inner in [Binary::Add, Binary::Sub, Binary::Mul] {
            let first = tape.binary(inner, a, b).unwrap();
            for outer in [Binary::Add, Binary::Sub, Binary::Mul] {
                roots.push(tape.binary(outer, first, c).unwrap());
                roots.push(tape.binary(outer, c, first).unwrap());
            }
        }
        for compare in [Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge, Binary::Eq, Binary::Ne] {
            let holds = tape.binary(compare, a, b).unwrap();
            roots.push(tape.select(holds, c, d).unwrap());
        }
        for root in roots {
            let program = Program::compile(&tape, &[root], Mode::Pointwise).unwrap();
            let data = Data {
                leaves: leaves.clone(),
                numbers: numbers.to_vec(),
            };
            let (views, words) = one_lane(&program, &data);
            let inputs = Inputs {
                leaves: &views,
                numbers: &words,
            };
            for isa in [Isa::Baseline, Isa::Auto] {
                let mut out = vec![0; 700];
                program.run(&inputs, 0, &mut out, isa, &mut Scratch::default()).unwrap();
                for (i, found) in out.iter().enumerate() {
                    let mut expected = [0];
                    program.reference(&inputs, i as u32, &mut expected).unwrap();
                    assert_eq!(*found, expected[0], "element {i}, {isa:?}\n{program:#?}");
                }
            }
        }
    }
}

/// Floats that meet often, so that comparisons hold, fail and are equal.
fn leaf_of(k: u64, count: usize) -> Vec<u32> {
    let mut random = Random(k);
    (0..count)
        .map(|_| (random.below(40) as f32 * 0.3 - 5.0).to_bits())
        .collect()
}

/// What a program reads of leaves of one lane each.
fn one_lane<'a>(program: &Program, data: &'a Data) -> (Vec<LeafView<'a>>, Vec<u32>) {
    let leaves = program.leaves().iter().map(|l| LeafView {
        words: &data.leaves[l.slot as usize],
        lanes: 1,
    });
    (
        leaves.collect(),
        program
            .numbers()
            .iter()
            .map(|n| data.numbers[n.slot as usize])
            .collect(),
    )
}

/// A chain of `length` operators over one leaf, each unlike the one before.
fn chain(length: u32) -> (Tape, zero_compute::field::Reg) {
    let mut tape = Tape::new();
    let mut value = tape.leaf(0, 0, Kind::F32);
    for k in 0..length {
        let number = tape.number(k % 7, Kind::F32);
        let op = [Binary::Add, Binary::Mul, Binary::Sub, Binary::Max][k as usize % 4];
        value = tape.binary(op, value, number).unwrap();
    }
    (tape, value)
}

#[test]
fn a_hundred_thousand_operators_are_written_and_refused_in_linear_time() {
    let (tape, root) = chain(100_000);
    let error = Program::compile(&tape, &[root], Mode::Pointwise)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("100000 operators") && error.contains("limit of 4096"),
        "{error}"
    );

    // A tape is copied onto another as it stands, places renamed.
    let mut other = Tape::new();
    let moved = other.import(&tape, &|slot| slot + 1, &|slot| slot + 3);
    assert_eq!(other.len(), tape.len());
    let root = moved.get(root).unwrap();
    assert_eq!(other.kind(root), Kind::F32);

    // Nothing of the chain but its leaf and a number is live here.
    let first = moved.get({
        let mut start = tape.clone();
        let leaf = start.leaf(0, 0, Kind::F32);
        assert_eq!(start.len(), tape.len(), "the leaf was there");
        leaf
    });
    let program = Program::compile(&other, &[first.unwrap()], Mode::Pointwise).unwrap();
    assert_eq!((program.leaves()[0].slot, program.cost().operators), (1, 0));
}

#[test]
fn the_longest_chain_runs() {
    let (tape, root) = chain(4000);
    let program = Program::compile(&tape, &[root], Mode::Pointwise).unwrap();
    assert_eq!((program.cost().operators, program.cost().leaf_reads), (4000, 1));
    let leaf: Vec<u32> = (0..1025).map(|i| (i as f32 * 0.01).to_bits()).collect();
    let views = [LeafView { words: &leaf, lanes: 1 }];
    let numbers = [1.0f32, 0.5, -0.25, 0.75, 2.0, -1.0, 0.125].map(f32::to_bits);
    let inputs = Inputs {
        leaves: &views,
        numbers: &numbers,
    };
    let mut out = vec![0; leaf.len()];
    program
        .run(&inputs, 0, &mut out, Isa::Auto, &mut Scratch::default())
        .unwrap();
    for (i, found) in out.iter().enumerate() {
        let mut expected = [0];
        program.reference(&inputs, i as u32, &mut expected).unwrap();
        assert_eq!(*found, expected[0], "element {i}");
    }
}

#[test]
fn a_program_is_what_its_expression_is_and_not_how_it_was_written() {
    let write = |early: bool| {
        let mut tape = Tape::new();
        let (a, b) = if early {
            let a = tape.leaf(0, 0, Kind::F32);
            (a, tape.leaf(1, 0, Kind::F32))
        } else {
            let b = tape.leaf(1, 0, Kind::F32);
            let dead = tape.unary(Unary::Sin, b).unwrap();
            tape.unary(Unary::Cos, dead).unwrap();
            (tape.leaf(0, 0, Kind::F32), b)
        };
        let (left, right) = if early { (a, b) } else { (b, a) };
        let sum = tape.binary(Binary::Add, left, right).unwrap();
        let root = tape.binary(Binary::Div, sum, b).unwrap();
        Program::compile(&tape, &[root], Mode::Pointwise).unwrap()
    };
    assert_eq!(write(true).key(), write(false).key());
    assert_eq!(write(false).cost().operators, 2, "what no root needs is dropped");
    // Pinned: a cache on disk is read by it. Change VERSION in key.rs when an operator changes its bits.
    assert_eq!(
        format!("{:032x}", write(true).key()),
        "7b9372786fb3a2f6e172014922c3a506"
    );

    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let keys: std::collections::BTreeSet<u128> = [(Binary::Sub, a, b), (Binary::Sub, b, a), (Binary::Add, a, b)]
        .into_iter()
        .flat_map(|(op, a, b)| {
            let root = tape.binary(op, a, b).unwrap();
            [Mode::Pointwise, Mode::Exact].map(|mode| Program::compile(&tape, &[root], mode).unwrap().key())
        })
        .collect();
    assert_eq!(keys.len(), 6, "operator, order and mode enter");
}
