//! What a kernel of files tells of itself.

use crate::{load, sample};
use zero_compute::*;

#[test]
fn it_tells_its_files_params_and_choices() {
    let kernel = sample("staged");
    assert_eq!(kernel.name(), "staged");
    assert_eq!(kernel.description(), Some("Each stage binds what it needs alone."));
    let files: Vec<&str> = kernel
        .files()
        .map(|file| file.rsplit('/').next().unwrap_or_default())
        .collect();
    assert_eq!(files, ["bindings.yaml", "staged.wgsl", "minus.wgsl", "plus.wgsl"]);
    let choices: Vec<_> = kernel.specializations().collect();
    assert_eq!(
        choices,
        [
            ("STAGE", &["heads", "table"][..], Some("table")),
            ("SIGN", &["plus", "minus"], Some("plus"))
        ]
    );
    let step = sample("step");
    let choices: Vec<_> = step.specializations().collect();
    assert_eq!(choices, [("STEP", &[][..], None), ("PRELUDE", &[][..], Some(""))]);
}

#[test]
fn params_have_kinds_and_defaults() {
    let text = "version: 1
params:
- { name: a, type: float, default: -1.5 }
- { name: b, type: int, default: -7 }
- { name: c, type: uint, default: 4000000000 }
- { name: d, type: bool, default: true }
- { name: e, type: f32 }
- { name: f, type: i32 }
- { name: g, type: u32 }
- { name: h, type: bool }
";
    let kernel = load(text, &crate::body("_ = params.a;")).unwrap();
    let params: Vec<_> = kernel.params().copied().collect();
    assert_eq!(
        params,
        [
            ("a", Param::F32(-1.5)),
            ("b", Param::I32(-7)),
            ("c", Param::U32(4_000_000_000)),
            ("d", Param::U32(1)),
            ("e", Param::F32(0.0)),
            ("f", Param::I32(0)),
            ("g", Param::U32(0)),
            ("h", Param::U32(0)),
        ]
    );
}

#[test]
fn a_variant_is_a_declaration_like_any_other() {
    let kernel = sample("abi_spec").variant(&args! { T: "i32" }, false).unwrap();
    let bindings: Vec<_> = kernel
        .bindings()
        .map(|b| (b.name, b.access, b.element, b.rule))
        .collect();
    assert_eq!(
        bindings,
        [
            ("src", Access::Read, Element::I32, None),
            ("dst", Access::Write, Element::I32, Some(Rule::Domain))
        ]
    );
    assert!(matches!(kernel.class(), Determinism::Exact));
    assert!(kernel.twin().is_none());
}

#[test]
fn a_column_has_the_lanes_that_the_file_states() {
    let text = "version: 1
bindings:
- { name: at, element: f32, access: read, lanes: 3 }
- { name: dst, element: f32, access: write, count: n }
";
    let kernel = load(text, &crate::body("dst[i] = at[3u * i];")).unwrap();
    let Some(gpu) = crate::gpu() else { return };
    for lanes in 1..=4 {
        let at = gpu.upload(&vec![1.0f32; 2 * lanes as usize], lanes).unwrap();
        let mut rec = gpu.record("lanes");
        let done = rec.dispatch(&kernel, args! { at: &at }, Domain::count(2));
        if lanes == 3 {
            done.unwrap();
        } else {
            let error = done.unwrap_err().to_string();
            let expected = format!("binding `at`: expected 3 lanes, got 2 elements of {lanes} lanes");
            assert!(error.contains(&expected), "{error}");
        }
    }
}

#[test]
fn determinism_is_what_the_file_says() {
    let class = |line: &str| {
        let kernel = load(&format!("version: 1\n{line}"), &crate::body("")).unwrap();
        kernel.variant(&Args::new(), false).unwrap().class()
    };
    assert!(matches!(class("determinism: exact"), Determinism::Exact));
    assert!(matches!(
        class("determinism: { pointwise: 6 }"),
        Determinism::Pointwise { ulps: 6 }
    ));
    assert!(
        matches!(class(""), Determinism::Pointwise { ulps: 4 }),
        "who says nothing promises little"
    );
    let Determinism::FloatOrder { bound } = class("determinism: float_order") else {
        panic!("another class");
    };
    assert_eq!(bound(1024, 2.0), 1024.0 * 1024.0 * 2.0 / 16_777_216.0);
}

#[test]
fn the_shader_is_the_files_with_a_header_in_front() {
    let text = sample("near").wgsl(&Args::new(), false).unwrap();
    let count = |needle: &str| text.matches(needle).count();
    assert_eq!(
        (count("fn zero_grid_cell("), count("fn zn_mul("), count("#include")),
        (1, 1, 0)
    );
    let step = sample("step").wgsl(&args! { STEP: "s" }, true).unwrap();
    assert!(
        step.contains("return s;") && step.contains("domain_count: array<u32>"),
        "{step}"
    );
}
