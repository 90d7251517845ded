//! zero-noise's WGSL has the bits of its Rust, over random words and the edges of each function's cases.

mod common;

use zero_compute::{Determinism, Domain, Element, Kernel, Rule, args};
use zero_noise::{finish, fold_u32};

const COUNT: u32 = 1 << 20;
const SEED: u32 = 7;

static FUNCTION: Kernel = Kernel::declare("noise_parity")
    .read("a", Element::U32)
    .read("b", Element::U32)
    .read("c", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .specialize(
        "F",
        &[
            "clean",
            "sin",
            "cos",
            "exp2",
            "log2",
            "tanh",
            "sqrt",
            "recip",
            "fract",
            "div",
            "modulo",
            "pow",
            "atan2",
            "draw",
            "value2",
            "value3",
            "gradient2",
            "gradient3",
            "fbm2",
            "fbm3",
        ],
    )
    .determinism(Determinism::Exact)
    .wgsl(include_str!("noise_parity.wgsl"));

type Twin = fn(f32, f32, f32) -> f32;

const TWINS: [(&str, Twin); 20] = [
    ("clean", |a, _, _| zero_noise::clean(a)),
    ("sin", |a, _, _| zero_noise::sin(a)),
    ("cos", |a, _, _| zero_noise::cos(a)),
    ("exp2", |a, _, _| zero_noise::exp2(a)),
    ("log2", |a, _, _| zero_noise::log2(a)),
    ("tanh", |a, _, _| zero_noise::tanh(a)),
    ("sqrt", |a, _, _| zero_noise::sqrt(a)),
    ("recip", |a, _, _| zero_noise::recip(a)),
    ("fract", |a, _, _| zero_noise::fract(a)),
    ("div", |a, b, _| zero_noise::div(a, b)),
    ("modulo", |a, b, _| zero_noise::modulo(a, b)),
    ("pow", |a, b, _| zero_noise::pow(a, b)),
    ("atan2", |a, b, _| zero_noise::atan2(a, b)),
    ("draw", |a, b, _| zero_noise::draw(a.to_bits(), b.to_bits())),
    ("value2", |a, b, _| zero_noise::value2(SEED, a, b)),
    ("value3", |a, b, c| zero_noise::value3(SEED, a, b, c)),
    ("gradient2", |a, b, _| zero_noise::gradient2(SEED, a, b)),
    ("gradient3", |a, b, c| zero_noise::gradient3(SEED, a, b, c)),
    ("fbm2", |a, b, _| zero_noise::fbm2(SEED, a, b, 5)),
    ("fbm3", |a, b, c| zero_noise::fbm3(SEED, a, b, c, 5)),
];

/// Words of every kind: any bits, small and moderate numbers, small integers, powers of two and their neighbours, and
/// at last the special values.
fn words(stream: u32) -> Vec<u32> {
    (0..COUNT)
        .map(|i| {
            let hash = finish(fold_u32(stream, i));
            let signed = hash.cast_signed() as f32;
            match finish(hash) % 6 {
                0 => hash,
                1 => (signed * 2.0_f32.powi(-28)).to_bits(),
                2 => (signed * 2.0_f32.powi(-18)).to_bits(),
                3 => ((hash % 257) as f32 * 0.5 - 64.0).to_bits(),
                4 => (hash & 0xff80_0000).wrapping_add(hash & 3).wrapping_sub(1),
                _ => [
                    0,
                    1 << 31,
                    1,
                    0x7f80_0000,
                    0xff80_0000,
                    0x7fc0_0000,
                    0x7f7f_ffff,
                    0x0080_0000,
                ][(hash & 7) as usize],
            }
        })
        .collect()
}

#[test]
fn wgsl_has_the_bits_of_rust() {
    let Some(device) = common::gpu() else { return };
    let [a, b, c] = [words(1), words(2), words(3)];
    let columns = [&a, &b, &c].map(|words| device.upload(words, 1).unwrap());
    let [column_a, column_b, column_c] = &columns;
    let mut wrong = Vec::new();
    for (name, twin) in TWINS {
        let mut recorder = device.record(name);
        let args = args! { a: column_a, b: column_b, c: column_c, F: name };
        let dst = recorder
            .dispatch(&FUNCTION, args, Domain::of(column_a))
            .unwrap()
            .column("dst")
            .unwrap();
        recorder.finish().unwrap().submit().unwrap();
        let got = dst.read::<u32>().unwrap().wait().unwrap();
        let differing: Vec<_> = (0..COUNT as usize)
            .filter_map(|i| {
                let [a, b, c] = [a[i], b[i], c[i]].map(f32::from_bits);
                let want = twin(a, b, c);
                let got = f32::from_bits(got[i]);
                (want.to_bits() != got.to_bits())
                    .then(|| format!("{name}({a:e}, {b:e}, {c:e}) = {got:e}, not {want:e}"))
            })
            .collect();
        if let Some(first) = differing.first() {
            wrong.push(format!("{} of {COUNT}: {first}", differing.len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
