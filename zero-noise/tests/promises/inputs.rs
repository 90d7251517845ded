//! Inputs that the tests share: every kind of float, and coordinates of every scale.

use zero_noise::{Scope, finish, fold_u32};

/// Floats that stand at the edges of the functions' cases.
pub(crate) const EDGES: [f32; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    0.625,
    -0.625,
    0.99999994,
    1.0000001,
    std::f32::consts::FRAC_PI_2,
    -std::f32::consts::PI,
    8192.0,
    8192.001,
    -8192.0,
    8191.9995,
    4194303.5,
    4194304.0,
    -4194304.0,
    -4194304.5,
    8388608.0,
    16777216.0,
    2147483648.0,
    -2147483648.0,
    4294967296.0,
    1e20,
    -1e20,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-40,
    -1e-40,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    128.0,
    -126.0,
];

/// The edges, then `count` floats: a third of any bits, a third within 2^16, a third within 16.
pub(crate) fn floats(name: &str, count: u32) -> Vec<f32> {
    EDGES.into_iter().chain(floats_from(name, 0, count)).collect()
}

/// `count` floats of the sequence of [`floats`], from the `first` on.
pub(crate) fn floats_from(name: &str, first: u32, count: u32) -> Vec<f32> {
    let state = Scope::new(0).text(name).state();
    let drawn = (first..first + count).map(|i| {
        let hash = finish(fold_u32(state, i));
        let signed = hash.cast_signed() as f32;
        match i % 3 {
            0 => f32::from_bits(hash),
            1 => signed / 32_768.0,
            _ => signed / 134_217_728.0,
        }
    });
    drawn.collect()
}
