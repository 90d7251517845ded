//! For any bits that come in, what goes out is finite, normal or positive zero, and within its range.

use crate::functions::{BINARY, NOISE2, NOISE3, UNARY};
use proptest::prelude::*;

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
        "fract" | "value2" | "value3" => 0.0..=1.0 - f32::EPSILON / 2.0,
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
    }
}
