//! What drivers like to rewrite keeps its bits: sums that cancel, factors in common, chains of products and constants,
//! quotients and roots.

use proptest::prelude::*;
use std::sync::Arc;
use zero_compute::field::{Binary, Inputs, Kind, LeafView, Mode, Program, Reg, Tape, Unary};
use zero_compute::{Device, DeviceClass, Domain};

use crate::common::gpu;
use crate::{runner, scale};

const LEAVES: u32 = 3;
const COUNT: u32 = 64;

/// One shape, and which values and constants it is of.
#[derive(Clone, Debug)]
struct Move {
    shape: u32,
    places: [usize; 3],
    constants: [f32; 2],
}

/// A constant or an input: an everyday value, or one many magnitudes off, so that sums lose or cancel digits.
fn number() -> impl Strategy<Value = f32> {
    (1.0f32..2.0, -30i32..30, any::<bool>(), 0..3).prop_map(|(digits, exponent, negative, kind)| {
        let size = match kind {
            0 => digits,
            1 => digits * (exponent as f32 / 8.0).exp2(),
            _ => digits * (exponent as f32).exp2(),
        };
        if negative { -size } else { size }
    })
}

/// The leaf's words.
fn words() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(number().prop_map(f32::to_bits), (COUNT * LEAVES) as usize)
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = (0..SHAPES, [0..100usize, 0..100, 0..100], [number(), number()]);
    let one = one.prop_map(|(shape, places, constants)| Move {
        shape,
        places,
        constants,
    });
    prop::collection::vec(one, 1..12)
}

const SHAPES: u32 = 16;

/// The value of one shape over the values x, y and z, with constants c and d.
fn shape(tape: &mut Tape, shape: u32, [x, y, z]: [Reg; 3], constants: [f32; 2]) -> Reg {
    use Binary::{Add, Div, Mul, Sub};
    let [c, d] = constants.map(|constant| tape.const_f32(constant));
    let zero = tape.const_f32(0.0);
    let one = tape.const_f32(1.0);
    let mut op = |op, a, b| tape.binary(op, a, b).unwrap();
    match shape {
        0 => {
            let sum = op(Add, x, y);
            op(Sub, sum, y)
        }
        1 => {
            let difference = op(Sub, x, y);
            op(Add, difference, y)
        }
        2 => {
            let difference = op(Sub, x, y);
            op(Sub, x, difference)
        }
        3 => op(Sub, zero, x),
        4 => op(Div, x, y),
        5 => {
            let product = op(Mul, x, y);
            op(Add, product, z)
        }
        6 => {
            let product = op(Mul, x, y);
            op(Sub, z, product)
        }
        // Factors in common.
        7 => {
            let (a, b) = (op(Mul, x, y), op(Mul, x, z));
            op(Add, a, b)
        }
        8 => {
            let (a, b) = (op(Mul, x, y), op(Mul, z, y));
            op(Sub, a, b)
        }
        9 => {
            let product = op(Mul, x, y);
            op(Add, product, x)
        }
        // Constants that could be joined.
        10 => {
            let scaled = op(Mul, x, c);
            op(Mul, scaled, d)
        }
        11 => {
            let sum = op(Add, x, c);
            op(Add, sum, d)
        }
        12 => {
            let quotient = op(Div, x, c);
            op(Mul, quotient, d)
        }
        // A blend, which drivers know by its shape.
        13 => {
            let rest = op(Sub, one, z);
            let (a, b) = (op(Mul, x, rest), op(Mul, y, z));
            op(Add, a, b)
        }
        // A product that cancels against its own rounding.
        14 => {
            let product = op(Mul, x, y);
            let sum = op(Add, product, c);
            let left = op(Sub, sum, product);
            op(Sub, left, c)
        }
        _ => {
            let square = op(Mul, x, x);
            let sum = op(Add, square, y);
            let root = tape.unary(Unary::Sqrt, sum).unwrap();
            let negative = tape.unary(Unary::Neg, root).unwrap();
            tape.binary(Mul, negative, z).unwrap()
        }
    }
}

/// Every value on the way is a root, so that the one that differs is seen; and the last alone is compiled too, because
/// what is stored is not rewritten as freely.
fn check(device: &Device, moves: &[Move], words: &[u32]) -> Result<(), TestCaseError> {
    let mut tape = Tape::new();
    let mut values: Vec<Reg> = (0..LEAVES).map(|lane| tape.leaf(0, lane, Kind::F32)).collect();
    for step in moves {
        let of = |place: usize| values[values.len() - 1 - place % values.len().min(5)];
        let value = shape(&mut tape, step.shape, step.places.map(of), step.constants);
        values.push(value);
    }
    let view = [LeafView { words, lanes: LEAVES }];
    let leaf = device.upload::<f32>(bytemuck::cast_slice(words), LEAVES).unwrap();
    // Bits are promised where nothing on the way is subnormal, infinite or NaN.
    let fine = |word: u32| f32::from_bits(word) == 0.0 || f32::from_bits(word).is_normal();
    // Hardware may fuse products into the sums that read them, which `Mode::Pointwise` leaves open.
    let contracts = matches!(device.class(), DeviceClass::Gpu { contracts: true, .. });
    let modes: &[Mode] = if contracts {
        &[Mode::Exact]
    } else {
        &[Mode::Pointwise, Mode::Exact]
    };
    for mode in modes.iter().copied() {
        let all = Program::compile(&tape, &values, mode).unwrap();
        let last = Program::compile(&tape, &values[values.len() - 1..], mode).unwrap();
        let mut recorder = device.record("rewrites");
        let columns = [&all, &last].map(|program| {
            let leaves = vec![leaf.clone(); program.leaves().len()];
            let map = recorder.map(&Arc::new(program.clone()), &leaves, &[], Domain::count(COUNT));
            map.unwrap().column("dst").unwrap()
        });
        recorder.finish().unwrap().submit().unwrap();
        let [found, found_last] = columns.map(|column| column.read::<f32>().unwrap().wait().unwrap());
        let lanes = values.len();
        for (element, found) in found.chunks(lanes).enumerate() {
            let mut expected = vec![0; lanes];
            let inputs = Inputs {
                leaves: &view,
                numbers: &[],
            };
            all.reference(&inputs, element as u32, &mut expected).unwrap();
            if !expected.iter().all(|word| fine(*word)) {
                continue;
            }
            for (lane, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let expected = f32::from_bits(*expected);
                prop_assert!(
                    found.to_bits() == expected.to_bits(),
                    "{mode:?}, element {element}, value {lane}: {found:e} for {expected:e}"
                );
            }
            let (found, expected) = (found_last[element], f32::from_bits(expected[lanes - 1]));
            prop_assert!(
                found.to_bits() == expected.to_bits(),
                "{mode:?}, element {element}, alone: {found:e} for {expected:e}"
            );
        }
    }
    Ok(())
}

#[test]
fn what_drivers_rewrite_keeps_its_bits() {
    let Some(device) = gpu() else { return };
    let result = runner(60 * scale()).run(&(moves(), words()), |(moves, words)| check(&device, &moves, &words));
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Each shape by itself, over many more values.
#[test]
fn every_shape_that_drivers_rewrite_keeps_its_bits() {
    let Some(device) = gpu() else { return };
    for shape in 0..SHAPES {
        let strategy = ([number(), number()], words());
        let result = runner(8 * scale()).run(&strategy, |(constants, words)| {
            let alone = Move {
                shape,
                places: [0, 1, 2],
                constants,
            };
            check(&device, &[alone], &words)
        });
        result.unwrap_or_else(|error| panic!("shape {shape}: {error}"));
    }
}
