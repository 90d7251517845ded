//! The WGSL of every expression is valid within WebGPU's default limits.

use zero_compute::field::{DIRECT_LEAVES, Kind, MapDomain, MapParam, Mode, Place, Program, Tape, Unary};

use crate::random::{Expression, recipe};
use crate::{runner, scale};

fn validate(source: &str) -> naga::Module {
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    module
}

#[test]
fn random_expressions_are_valid() {
    let mut runner = runner(30 * scale());
    let result = runner.run(&recipe(60), |recipe| {
        let expression = Expression::build(&recipe);
        for kind in [Kind::F32, Kind::I32, Kind::U32] {
            validate(&expression.program(kind, Mode::Pointwise).wgsl(MapDomain::Known));
        }
        validate(&expression.program(Kind::F32, Mode::Exact).wgsl(MapDomain::Live));
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn constants_that_wgsl_may_not_write_are_hidden_from_its_compiler() {
    let mut tape = Tape::new();
    let x = tape.leaf(0, 0, Kind::F32);
    for value in [
        f32::NAN,
        f32::INFINITY,
        -f32::INFINITY,
        f32::MIN_POSITIVE,
        f32::MAX,
        1e-40,
        -0.0,
    ] {
        let constant = tape.const_f32(value);
        let sum = tape.binary(zero_compute::field::Binary::Add, x, constant).unwrap();
        validate(
            &Program::compile(&tape, &[sum], Mode::Exact)
                .unwrap()
                .wgsl(MapDomain::Known),
        );
    }
    let least = tape.const_i32(i32::MIN);
    let as_float = tape.leaf(1, 0, Kind::I32);
    let sum = tape.binary(zero_compute::field::Binary::Div, as_float, least).unwrap();
    validate(
        &Program::compile(&tape, &[sum], Mode::Exact)
            .unwrap()
            .wgsl(MapDomain::Known),
    );
}

#[test]
fn a_map_of_many_leaves_stays_within_eight_storage_buffers() {
    let mut tape = Tape::new();
    let mut sum = tape.number(0, Kind::F32);
    for slot in 0..7 {
        let leaf = tape.leaf(slot, 0, Kind::F32);
        sum = tape.binary(zero_compute::field::Binary::Add, sum, leaf).unwrap();
    }
    let root = tape.unary(Unary::Sqrt, sum).unwrap();
    let program = Program::compile(&tape, &[root], Mode::Exact).unwrap();
    let layout = program.layout();
    let direct = layout
        .leaves
        .iter()
        .filter(|place| matches!(place, Place::Direct(_)))
        .count();
    assert_eq!((direct, layout.packed), (DIRECT_LEAVES, Some(5)));
    assert_eq!((layout.output, layout.live_count, layout.params), (6, 7, 8));
    let offsets: Vec<_> = layout
        .words
        .iter()
        .filter(|word| matches!(word, MapParam::Offset(_)))
        .collect();
    assert_eq!(offsets, [&MapParam::Offset(5), &MapParam::Offset(6)]);
    let module = validate(&program.wgsl(MapDomain::Live));
    let storage = |space| matches!(space, naga::AddressSpace::Storage { .. });
    assert_eq!(
        module.global_variables.iter().filter(|(_, v)| storage(v.space)).count(),
        8
    );
}
