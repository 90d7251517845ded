//! The bits themselves, pinned: a change of any of them changes every world made with them.

use crate::functions::{BINARY, NOISE2, NOISE3, SEVERAL, UNARY};
use crate::inputs::floats;
use std::path::Path;
use zero_noise::{Scope, draw};

const COUNT: u32 = 20_000;

/// A hash over all the bits of a sequence. That blocks have the same on every instruction set is [`crate::blocks`]'s.
fn digest(values: impl Iterator<Item = f32>) -> u32 {
    values
        .fold(Scope::new(0), |scope, value| scope.uint(value.to_bits()))
        .hash()
}

fn goldens() -> String {
    let mut text =
        String::from("# A hash of each function's bits over fixed inputs. ZERO_BLESS=1 cargo test writes it anew.\n");
    let mut line = |name: &str, hash: u32| text.push_str(&format!("{name}: {hash:08x}\n"));
    line("Scope::new(0)", Scope::new(0).hash());
    line(
        "Scope::new(7).text(\"points\").int(-1)",
        Scope::new(7).text("points").int(-1).hash(),
    );
    line(
        "Scope::new(7).text(\"Höhe\").text(\"\")",
        Scope::new(7).text("Höhe").text("").hash(),
    );
    line("draw", digest((0..COUNT).map(|i| draw(Scope::new(7).state(), i))));
    let (a, b, c) = (
        floats("golden a", COUNT),
        floats("golden b", COUNT),
        floats("golden c", COUNT),
    );
    let b: Vec<f32> = b.iter().rev().copied().collect();
    let pairs = || a.iter().copied().zip(b.iter().copied());
    for (name, scalar, _) in UNARY {
        line(name, digest(a.iter().map(|&x| scalar(x))));
    }
    for (name, scalar, _) in BINARY {
        line(name, digest(pairs().map(|(a, b)| scalar(a, b))));
    }
    for (name, scalar, _) in NOISE2 {
        line(name, digest(pairs().map(|(x, y)| scalar(7, x, y))));
    }
    for (name, scalar, _) in NOISE3 {
        line(name, digest(pairs().zip(&c).map(|((x, y), &z)| scalar(7, x, y, z))));
    }
    for noise in &SEVERAL {
        let words = pairs().zip(&c).flat_map(|((x, y), &z)| (noise.scalar)(7, [x, y, z]));
        line(noise.name, digest(words.map(f32::from_bits)));
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
