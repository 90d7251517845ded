//! The meaning of single operators, at their edges, by every CPU evaluator.

use zero_compute::Error;
use zero_compute::field::{
    Binary, Inputs, Isa, Kind, LeafView, MAX_COST, Mode, Prelude, Program, Scratch, Tape, Unary,
};

/// Runs one program on one column a leaf and answers its output from the machine, once the reference agrees.
fn run(program: &Program, leaves: &[(&[u32], u32)], numbers: &[u32], count: usize) -> Vec<u32> {
    let views: Vec<_> = leaves.iter().map(|&(words, lanes)| LeafView { words, lanes }).collect();
    let inputs = Inputs {
        leaves: &views,
        numbers,
    };
    let lanes = program.lanes() as usize;
    let mut expected = vec![0; count * lanes];
    for (i, words) in expected.chunks_mut(lanes).enumerate() {
        program.reference(&inputs, i as u32, words).unwrap();
    }
    for isa in [Isa::Baseline, Isa::Auto] {
        let mut out = vec![0; count * lanes];
        program.run(&inputs, 0, &mut out, isa, &mut Scratch::default()).unwrap();
        assert_eq!(out, expected, "{isa:?}");
    }
    expected
}

fn one(op: Unary, kind: Kind, values: &[u32]) -> Vec<u32> {
    let mut tape = Tape::new();
    let a = tape.leaf(0, 0, kind);
    let root = tape.unary(op, a).unwrap();
    let program = Program::compile(&tape, &[root], Mode::Pointwise).unwrap();
    run(&program, &[(values, 1)], &[], values.len())
}

/// An operator over pairs, computed at run time and folded from constants.
fn two(op: Binary, kind: Kind, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, kind), tape.leaf(0, 1, kind));
    let root = tape.binary(op, a, b).unwrap();
    let program = Program::compile(&tape, &[root], Mode::Pointwise).unwrap();
    let words: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let found = run(&program, &[(&words, 2)], &[], pairs.len());
    for (&(a, b), &word) in pairs.iter().zip(&found) {
        let mut tape = Tape::new();
        let mut constant = |word: u32| match kind {
            Kind::F32 => tape.const_f32(f32::from_bits(word)),
            Kind::I32 => tape.const_i32(word.cast_signed()),
            Kind::U32 => tape.const_u32(word),
            Kind::Bool => tape.const_bool(word != 0),
        };
        let (a, b) = (constant(a), constant(b));
        let root = tape.binary(op, a, b).unwrap();
        assert_eq!(
            tape.constant(root),
            Some(word),
            "{} is folded to the same bits",
            op.name()
        );
    }
    found
}

fn floats(op: Binary, pairs: &[(f32, f32)]) -> Vec<f32> {
    let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (a.to_bits(), b.to_bits())).collect();
    two(op, Kind::F32, &pairs).into_iter().map(f32::from_bits).collect()
}

fn ints(op: Binary, pairs: &[(i32, i32)]) -> Vec<i32> {
    let pairs: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| (a.cast_unsigned(), b.cast_unsigned()))
        .collect();
    two(op, Kind::I32, &pairs).into_iter().map(u32::cast_signed).collect()
}

#[test]
fn division_and_remainder_by_zero_are_zero() {
    assert_eq!(
        floats(Binary::Div, &[(1.0, 0.0), (-1.0, -0.0), (0.0, 0.0), (7.0, 2.0)]),
        [0.0, 0.0, 0.0, 3.5]
    );
    assert_eq!(
        floats(Binary::Div, &[(1e30, 1e-30), (-1e30, 1e-30), (1e-30, 1e30)]),
        [f32::MAX, f32::MIN, 0.0]
    );
    assert_eq!(floats(Binary::Mod, &[(1.0, 0.0), (0.0, 0.0)]), [0.0, 0.0]);
    assert_eq!(
        ints(Binary::Div, &[(5, 0), (-7, 2), (i32::MIN, -1), (i32::MIN, 1)]),
        [0, -3, i32::MIN, i32::MIN]
    );
    assert_eq!(ints(Binary::Mod, &[(5, 0), (i32::MIN, -1), (i32::MIN, 0)]), [0, 0, 0]);
    assert_eq!(
        two(Binary::Div, Kind::U32, &[(5, 0), (u32::MAX, 2)]),
        [0, i32::MAX as u32]
    );
    assert_eq!(two(Binary::Mod, Kind::U32, &[(5, 0), (5, 3)]), [0, 2]);
}

#[test]
fn the_remainder_takes_the_divisors_sign() {
    assert_eq!(
        floats(Binary::Mod, &[(5.5, 2.0), (-5.5, 2.0), (5.5, -2.0), (-5.5, -2.0)]),
        [1.5, 0.5, -0.5, -1.5]
    );
    assert_eq!(
        ints(Binary::Mod, &[(7, 3), (-7, 3), (7, -3), (-7, -3), (6, -3)]),
        [1, 2, -2, -1, 0]
    );
    let tiny = floats(Binary::Mod, &[(-1e-8, 1.0)])[0];
    assert!((0.0..1.0).contains(&tiny), "{tiny} is below the divisor");
}

#[test]
fn roots_and_logarithms_at_and_below_zero_are_zero() {
    let values = [0.0f32, -0.0, -1.0, -1e30, 4.0].map(f32::to_bits);
    assert_eq!(
        one(Unary::Sqrt, Kind::F32, &values),
        [0.0f32, 0.0, 0.0, 0.0, 2.0].map(f32::to_bits)
    );
    assert_eq!(
        one(Unary::Log2, Kind::F32, &values),
        [0.0f32, 0.0, 0.0, 0.0, 2.0].map(f32::to_bits)
    );
}

#[test]
fn conversions_cut_and_stop_at_the_ends() {
    let values = [
        0.0,
        -0.9,
        2.9,
        -2.9,
        2147483520.0,
        2147483648.0,
        -2147483648.0,
        -2147483904.0,
        4294967040.0,
        4294967296.0,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
    ]
    .map(f32::to_bits);
    let max = i32::MAX;
    let min = i32::MIN;
    let signed: Vec<_> = one(Unary::ToI32, Kind::F32, &values)
        .into_iter()
        .map(u32::cast_signed)
        .collect();
    assert_eq!(
        signed,
        [
            0, 0, 2, -2, 2147483520, max, min, min, max, max, max, min, max, min, 0, 0
        ]
    );
    let top = u32::MAX;
    assert_eq!(
        one(Unary::ToU32, Kind::F32, &values),
        [
            0,
            0,
            2,
            0,
            2147483520,
            1 << 31,
            0,
            0,
            4294967040,
            top,
            top,
            0,
            top,
            0,
            0,
            0
        ]
    );
    let large = [0, 0x00ff_ffff, 0x0100_0001, 0x0100_0003, u32::MAX, i32::MIN as u32];
    let rounded = [0.0f32, 16777215.0, 16777216.0, 16777220.0, 4294967296.0, 2147483648.0].map(f32::to_bits);
    assert_eq!(one(Unary::ToF32, Kind::U32, &large), rounded);
    let rounded = [0.0f32, 16777215.0, 16777216.0, 16777220.0, -1.0, -2147483648.0].map(f32::to_bits);
    assert_eq!(one(Unary::ToF32, Kind::I32, &large), rounded);
}

#[test]
fn a_bool_is_zero_or_one_whatever_word_it_came_as() {
    let words = [0, 1, 2, 0x8000_0000];
    assert_eq!(one(Unary::ToU32, Kind::Bool, &words), [0, 1, 1, 1]);
    assert_eq!(
        one(Unary::ToF32, Kind::Bool, &words),
        [0.0f32, 1.0, 1.0, 1.0].map(f32::to_bits)
    );
    assert_eq!(one(Unary::Not, Kind::Bool, &words), [1, 0, 0, 0]);
}

#[test]
fn integers_wrap_and_shifts_are_masked() {
    assert_eq!(ints(Binary::Add, &[(i32::MAX, 1)]), [i32::MIN]);
    assert_eq!(ints(Binary::Mul, &[(i32::MAX, 2)]), [-2]);
    assert_eq!(ints(Binary::Shr, &[(-8, 1), (-8, 33), (-8, -31)]), [-4, -4, -4]);
    assert_eq!(
        two(Binary::Shl, Kind::U32, &[(1, 31), (1, 32), (1, 33)]),
        [1 << 31, 1, 2]
    );
    let values = [i32::MIN, -5, 0, 5].map(i32::cast_unsigned);
    assert_eq!(
        one(Unary::Abs, Kind::I32, &values),
        [i32::MIN, 5, 0, 5].map(i32::cast_unsigned)
    );
    assert_eq!(
        one(Unary::Neg, Kind::I32, &values),
        [i32::MIN, 5, 0, -5].map(i32::cast_unsigned)
    );
    assert_eq!(
        one(Unary::Sign, Kind::I32, &values),
        [-1, -1, 0, 1].map(i32::cast_unsigned)
    );
}

#[test]
fn whole_numbers_and_fractions() {
    let values = [2.5f32, -2.5, 3.5, -0.25, 1e9].map(f32::to_bits);
    assert_eq!(
        one(Unary::Round, Kind::F32, &values),
        [2.0f32, -2.0, 4.0, 0.0, 1e9].map(f32::to_bits)
    );
    assert_eq!(
        one(Unary::Floor, Kind::F32, &values),
        [2.0f32, -3.0, 3.0, -1.0, 1e9].map(f32::to_bits)
    );
    assert_eq!(
        one(Unary::Ceil, Kind::F32, &values),
        [3.0f32, -2.0, 4.0, 0.0, 1e9].map(f32::to_bits)
    );
    assert_eq!(
        one(Unary::Fract, Kind::F32, &values),
        [0.5f32, 0.5, 0.5, 0.75, 0.0].map(f32::to_bits)
    );
}

#[test]
fn a_leaf_repeats_its_end_and_a_lane_it_lacks_is_zero() {
    let mut tape = Tape::new();
    let roots = [0, 1, 2].map(|lane| tape.leaf(3, lane, Kind::U32));
    let program = Program::compile(&tape, &roots, Mode::Pointwise).unwrap();
    assert_eq!((program.lanes(), program.leaves()[0].lanes), (3, 3));
    assert_eq!(
        run(&program, &[(&[1, 2, 3, 4], 2)], &[], 3),
        [1, 2, 0, 3, 4, 0, 3, 4, 0]
    );
    assert_eq!(
        run(&program, &[(&[1, 2, 3], 3)], &[], 2),
        [1, 2, 3, 1, 2, 3],
        "one element is the same everywhere"
    );
    assert_eq!(run(&program, &[(&[], 3)], &[], 2), [0; 6], "an empty leaf is 0");
}

#[test]
fn gathers_are_clamped_at_both_ends() {
    let mut tape = Tape::new();
    let index = tape.leaf(0, 0, Kind::I32);
    let signed = tape.gather(1, 0, Kind::U32, index).unwrap();
    let index = tape.unary(Unary::BitsToU32, index).unwrap();
    let unsigned = tape.gather(1, 0, Kind::U32, index).unwrap();
    let program = Program::compile(&tape, &[signed, unsigned], Mode::Pointwise).unwrap();
    let at = [-1, 0, 2, 3, i32::MAX].map(i32::cast_unsigned);
    let found = run(&program, &[(&at, 1), (&[10, 11, 12], 1)], &[], 5);
    assert_eq!(found, [10, 12, 10, 10, 12, 12, 12, 12, 12, 12]);
}

#[test]
fn select_takes_one_of_two_and_the_element_number_counts_up() {
    let mut tape = Tape::new();
    let id = tape.id();
    let limit = tape.number(5, Kind::U32);
    let below = tape.binary(Binary::Lt, id, limit).unwrap();
    let (ten, twenty) = (tape.const_u32(10), tape.const_u32(20));
    let root = tape.select(below, ten, twenty).unwrap();
    let program = Program::compile(&tape, &[root], Mode::Exact).unwrap();
    assert_eq!(program.numbers()[0].slot, 5);
    assert_eq!(run(&program, &[], &[2], 4), [10, 10, 20, 20]);
    let unsure = tape.select(below, ten, ten).unwrap();
    assert_eq!(unsure, ten, "a choice between equals is none");
}

#[test]
fn equal_lines_are_one() {
    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let ab = tape.binary(Binary::Mul, a, b).unwrap();
    let before = tape.len();
    assert_eq!(tape.binary(Binary::Mul, b, a).unwrap(), ab);
    assert_eq!(tape.leaf(0, 0, Kind::F32), a);
    assert_eq!(tape.len(), before);
    assert_ne!(
        tape.binary(Binary::Sub, b, a).unwrap(),
        tape.binary(Binary::Sub, a, b).unwrap()
    );
}

#[test]
fn an_identity_is_taken_only_where_the_bits_stay() {
    let mut tape = Tape::new();
    let a = tape.leaf(0, 0, Kind::F32);
    let (zero, one) = (tape.const_f32(0.0), tape.const_f32(1.0));
    assert_eq!(tape.binary(Binary::Mul, a, one).unwrap(), a);
    assert_eq!(tape.binary(Binary::Sub, a, zero).unwrap(), a);
    assert_ne!(tape.binary(Binary::Add, a, zero).unwrap(), a, "-0 + 0 is +0");
    assert_ne!(tape.binary(Binary::Mul, a, zero).unwrap(), zero, "-1 * 0 is -0");
    let back = tape.unary(Unary::Neg, a).unwrap();
    assert_eq!(tape.unary(Unary::Neg, back).unwrap(), a);
}

#[test]
fn refusals_name_what_was_expected_and_what_arrived() {
    let mut tape = Tape::new();
    let (f, i, yes) = (
        tape.leaf(0, 0, Kind::F32),
        tape.leaf(1, 0, Kind::I32),
        tape.const_bool(true),
    );
    let check = |error: Error, parts: &[&str]| {
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    };
    check(tape.binary(Binary::Add, f, i).unwrap_err(), &["`add`", "f32, i32"]);
    check(tape.unary(Unary::Sin, i).unwrap_err(), &["`sin`", "f32", "i32"]);
    check(tape.select(f, i, i).unwrap_err(), &["`select`", "f32, i32, i32"]);
    check(tape.select(yes, f, i).unwrap_err(), &["`select`", "bool, f32, i32"]);
    check(
        tape.gather(0, 0, Kind::F32, f).unwrap_err(),
        &["`gather`", "i32 or u32", "f32"],
    );
    check(
        tape.call(Prelude::Fbm2, &[f, f]).unwrap_err(),
        &["`fbm2`", "u32, f32, f32, u32", "f32, f32"],
    );
    check(
        tape.call(Prelude::Draw, &[]).unwrap_err(),
        &["`draw`", "u32, u32", "nothing"],
    );
    check(
        Program::compile(&tape, &[], Mode::Exact).unwrap_err(),
        &["roots", "at least one"],
    );
    check(
        Program::compile(&tape, &[f, i], Mode::Exact).unwrap_err(),
        &["roots of one element", "f32, i32"],
    );
    let mut large = Tape::new();
    let mut far = large.id();
    for k in 0..20 {
        far = large.number(k, Kind::U32);
    }
    check(
        tape.unary(Unary::ToF32, far).unwrap_err(),
        &["`to_f32`", "another tape"],
    );
    let twice = tape.leaf(0, 1, Kind::U32);
    let twice = tape.unary(Unary::ToF32, twice).unwrap();
    let sum = tape.binary(Binary::Add, f, twice).unwrap();
    check(
        Program::compile(&tape, &[sum], Mode::Exact).unwrap_err(),
        &["leaf 0", "f32", "u32"],
    );
}

#[test]
fn the_bits_of_a_float_show_no_sign_of_a_zero() {
    let words = [0.0f32, -0.0, 1.0, -2.0].map(f32::to_bits);
    let expected = [0, 0, 0x3f80_0000, 0xc000_0000];
    assert_eq!(one(Unary::BitsToU32, Kind::F32, &words), expected);
    assert_eq!(one(Unary::BitsToI32, Kind::F32, &words), expected);
    assert_eq!(one(Unary::BitsToF32, Kind::U32, &words), expected);
}

#[test]
fn inputs_of_another_shape_are_refused() {
    let mut tape = Tape::new();
    let a = tape.leaf(0, 0, Kind::F32);
    let program = Program::compile(&tape, &[a, a], Mode::Exact).unwrap();
    let view = [LeafView {
        words: &[0; 4],
        lanes: 1,
    }];
    let mut scratch = Scratch::default();
    let none = Inputs {
        leaves: &[],
        numbers: &[],
    };
    let good = Inputs {
        leaves: &view,
        numbers: &[],
    };
    assert!(program.run(&none, 0, &mut [0; 4], Isa::Auto, &mut scratch).is_err());
    assert!(
        program.run(&good, 0, &mut [0; 3], Isa::Auto, &mut scratch).is_err(),
        "half an element"
    );
    assert!(
        program
            .run(&good, u32::MAX, &mut [0; 4], Isa::Auto, &mut scratch)
            .is_err(),
        "past the last number"
    );
    assert!(program.reference(&good, 0, &mut [0; 1]).is_err());
    assert!(program.run(&good, 0, &mut [0; 4], Isa::Auto, &mut scratch).is_ok());
}

#[test]
fn too_costly_a_program_is_refused_with_both_numbers() {
    let mut tape = Tape::new();
    let (x, seed) = (tape.leaf(0, 0, Kind::F32), tape.const_u32(1));
    let octaves = tape.const_u32(4);
    let mut value = x;
    for _ in 0..40 {
        value = tape.call(Prelude::Fbm3, &[seed, value, x, x, octaves]).unwrap();
    }
    let error = Program::compile(&tape, &[value], Mode::Exact).unwrap_err().to_string();
    assert!(
        error.contains("40 operators") && error.contains(&MAX_COST.to_string()),
        "{error}"
    );
}
