//! The bits themselves, pinned: a change of any of them changes every world made with them.

use crate::functions::{BINARY, NOISE2, NOISE3, SEVERAL, UNARY};
use crate::pinned::{HEAD, TEXT, WORDS, axes, cases, count, digest, line, points, scopes, state};
use std::path::Path;
use zero_noise::Isa;

fn goldens() -> String {
    let mut text = String::from(HEAD);
    for (title, scope, bytes) in scopes() {
        let folded = bytes.iter().fold(0x811c_9dc5, |state: u32, &byte| {
            (state ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        assert_eq!(folded, scope.state(), "{title}");
        text.push_str(&line(title, scope.hash()));
    }
    let points = points();
    for case in cases() {
        let mut settings = case.settings;
        settings.seed = state(&case);
        let words = (0u32..)
            .zip(&points[..count(&case, &points)])
            .flat_map(|(i, &at)| (case.rust)(&settings, i, at).into_iter().take(case.words));
        text.push_str(&line(&case.title(), digest(words)));
    }
    text
}

#[test]
fn bits_are_those_that_were_pinned() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens.txt");
    let computed = goldens();
    if std::env::var_os("ZERO_BLESS").is_some() {
        std::fs::write(&path, &computed).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), computed);
}

/// Blocks have the pinned bits on either instruction set.
#[test]
fn blocks_have_the_pinned_bits() {
    let [a, b, c] = axes();
    let mut dst = vec![0.0; a.len()];
    let mut checked = 0;
    let mut check = |name: &str, isa: Isa, hash: u32| {
        let golden = line(name, hash);
        assert!(
            TEXT.lines().any(|pinned| pinned == golden.trim_end()),
            "{golden} on {isa:?}"
        );
        checked += 1;
    };
    let bits = |values: &[f32]| digest(values.iter().map(|value| value.to_bits()));
    for isa in [Isa::Auto, Isa::Baseline] {
        for (name, _, block) in UNARY {
            block(isa, &a, &mut dst);
            check(name, isa, bits(&dst));
        }
        for (name, _, block) in BINARY {
            block(isa, &a, &b, &mut dst);
            check(name, isa, bits(&dst));
        }
        for (name, _, block) in NOISE2 {
            block(isa, 7, &a, &b, &mut dst);
            check(name, isa, bits(&dst));
        }
        for (name, _, block) in NOISE3 {
            block(isa, 7, &a, &b, &c, &mut dst);
            check(name, isa, bits(&dst));
        }
        for noise in &SEVERAL {
            let words = (noise.block)(isa, 7, [&a, &b, &c]);
            check(noise.name, isa, digest(words.into_iter().flatten()));
        }
    }
    assert_eq!(checked, 2 * (8 + 4 + 13 + 12 + 20));
}

/// The table's calls are WGSL too, of the names that a shader over the points has.
#[test]
fn the_calls_are_valid_shaders() {
    for case in cases() {
        let source = format!(
            "{}\n{WORDS}\nvar<private> zero: u32;\nfn zn_zero() -> u32 {{ return zero; }}
fn words(s: u32, o: u32, w: f32, m: u32, p2: vec2<u32>, p3: vec3<u32>, i: u32, x: f32, y: f32, z: f32) -> vec4<u32> {{
    return {};
}}",
            zero_noise::WGSL,
            case.wgsl
        );
        let module = naga::front::wgsl::parse_str(&source)
            .map_err(|error| error.emit_to_string(&source))
            .unwrap();
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .map_err(|error| error.emit_to_string(&source))
            .unwrap();
    }
}
