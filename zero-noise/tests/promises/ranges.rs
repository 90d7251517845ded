//! For any bits that come in, what goes out is finite, normal or positive zero, and within its range.

use crate::functions::{BINARY, NOISE2, NOISE3, SEVERAL, Several, UNARY, Words};
use crate::inputs::floats_from;
use crate::scale::scale;
use proptest::prelude::*;
use zero_noise::Isa;

fn any_bits() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        -300.0..300.0_f32,
        prop::sample::select(crate::inputs::EDGES.to_vec())
    ]
}

/// Normal, or the one zero.
fn clean(x: f32) -> bool {
    x.is_normal() || x.to_bits() == 0
}

fn range(name: &str) -> std::ops::RangeInclusive<f32> {
    match name {
        "sin" | "cos" | "tanh" => -1.0..=1.0,
        "exp2" | "sqrt" => 0.0..=f32::MAX,
        "log2" => -126.0..=128.0,
        "fract" | "value2" | "value3" | "value2_tiled" | "value3_tiled" => 0.0..=1.0 - f32::EPSILON / 2.0,
        "ridged2" | "ridged3" | "ridged2_tiled" | "ridged3_tiled" => 0.0..=1.0,
        "atan2" => -std::f32::consts::PI..=std::f32::consts::PI,
        "recip" | "div" | "modulo" | "pow" => f32::MIN..=f32::MAX,
        _ => -1.0..=1.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn functions_answer_clean_numbers_in_range(a in any_bits(), b in any_bits()) {
        for (name, scalar, _) in UNARY {
            let value = scalar(a);
            prop_assert!(clean(value) && range(name).contains(&value), "{name}({a:e}) = {value:e}");
        }
        for (name, scalar, _) in BINARY {
            let value = scalar(a, b);
            prop_assert!(clean(value) && range(name).contains(&value), "{name}({a:e}, {b:e}) = {value:e}");
        }
    }

    #[test]
    fn remainders_stay_below_their_divisor(a in any_bits(), b in any_bits()) {
        let (rest, b) = (zero_noise::modulo(a, b), zero_noise::clean(b));
        prop_assert!(rest == 0.0 || (rest.abs() < b.abs() && (rest < 0.0) == (b < 0.0)), "{a:e} mod {b:e} = {rest:e}");
    }

    #[test]
    fn noise_stays_in_range(seed: u32, x in any_bits(), y in any_bits(), z in any_bits()) {
        for (name, scalar, _) in NOISE2 {
            let value = scalar(seed, x, y);
            prop_assert!(clean(value) && range(name).contains(&value), "{name}({seed}, {x:e}, {y:e}) = {value:e}");
        }
        for (name, scalar, _) in NOISE3 {
            let value = scalar(seed, x, y, z);
            prop_assert!(clean(value) && range(name).contains(&value), "{name}({seed}, {x:e}, {y:e}, {z:e}) = {value:e}");
        }
        for noise in &SEVERAL {
            let words = (noise.scalar)(seed, [x, y, z]);
            prop_assert!(bounded(noise, words), "{}({seed}, {x:e}, {y:e}, {z:e}) = {words:x?}", noise.name);
        }
    }
}

/// Every result within its bounds, and the distances of cellular noise in order.
fn bounded(noise: &Several, words: Words) -> bool {
    let values = words.map(f32::from_bits);
    let numbers = if noise.name.starts_with("cellular") { 2 } else { 4 };
    let within =
        (0..numbers).all(|k| clean(values[k]) && (noise.bounds[k][0]..=noise.bounds[k][1]).contains(&values[k]));
    within && (numbers == 4 || values[0] <= values[1])
}

/// Coordinates of every kind in chunks, `scale` times 32 768 samples of each noise: 10^8 at full scale.
fn over_samples(mut see: impl FnMut(u32, [&[f32]; 3])) {
    const CHUNK: u32 = 8192;
    for chunk in 0..4 * scale() {
        let axes = ["x", "y", "z"].map(|name| floats_from(name, chunk * CHUNK, CHUNK));
        see(chunk, [&axes[0], &axes[1], &axes[2]]);
    }
}

#[test]
fn noise_stays_in_range_over_many_samples_of_the_plane() {
    over_samples(|seed, [x, y, _]| {
        let mut dst = vec![9.0; x.len()];
        for (name, _, block) in NOISE2 {
            block(Isa::Auto, seed, x, y, &mut dst);
            let range = range(name);
            let bad = dst.iter().position(|value| !(clean(*value) && range.contains(value)));
            assert_eq!(bad.map(|i| (x[i], y[i], dst[i])), None, "{name} under seed {seed}");
        }
    });
}

#[test]
fn noise_stays_in_range_over_many_samples_of_space() {
    over_samples(|seed, [x, y, z]| {
        let mut dst = vec![9.0; x.len()];
        for (name, _, block) in NOISE3 {
            block(Isa::Auto, seed, x, y, z, &mut dst);
            let range = range(name);
            let bad = dst.iter().position(|value| !(clean(*value) && range.contains(value)));
            assert_eq!(
                bad.map(|i| (x[i], y[i], z[i], dst[i])),
                None,
                "{name} under seed {seed}"
            );
        }
    });
}

#[test]
fn several_results_stay_in_range_over_many_samples() {
    over_samples(|seed, axes| {
        for noise in &SEVERAL {
            let words = (noise.block)(Isa::Auto, seed, axes);
            let bad = words.iter().position(|&words| !bounded(noise, words));
            assert_eq!(
                bad.map(|i| (axes.map(|x| x[i]), words[i])),
                None,
                "{} under seed {seed}",
                noise.name
            );
        }
    });
}
