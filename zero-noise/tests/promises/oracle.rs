//! The noises again in f64, written from their definitions: what the errors and slopes are measured against.

use zero_noise::{draw, finish, fold_u32, unit};

/// The hash state of a seed.
pub(crate) fn seeded(seed: u32) -> u32 {
    fold_u32(0x811c_9dc5, seed)
}

fn fade(t: f64) -> f64 {
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// A corner's hash and where it is, from the cell that `at` lies in.
fn corner<const D: usize>(state: u32, at: [f64; D], step: usize) -> (u32, [f64; D], f64) {
    let (mut hash, mut weight) = (state, 1.0);
    let from = std::array::from_fn(|d| {
        let (whole, one) = (at[d].floor(), ((step >> d) & 1) as f64);
        let inside = at[d] - whole;
        hash = fold_u32(hash, ((whole + one) as i32).cast_unsigned());
        weight *= if one == 1.0 { fade(inside) } else { 1.0 - fade(inside) };
        inside - one
    });
    (finish(hash), from, weight)
}

/// The eight directions of the plane and the twelve of space, from a hash.
pub(crate) fn direction<const D: usize>(hash: u32) -> [f64; D] {
    let sign = |bit: u32| if hash >> bit & 1 == 1 { -1.0 } else { 1.0 };
    let mut along = [0.0; D];
    if D == 2 {
        let angle = std::f64::consts::PI / 8.0;
        let swap = (hash >> 29 & 1) as usize;
        along[swap] = sign(31) * std::f64::consts::SQRT_2 * angle.cos();
        along[1 - swap] = sign(30) * std::f64::consts::SQRT_2 * angle.sin();
    } else {
        let golden = (1.0 + 5_f64.sqrt()) / 2.0;
        let length = 2.0 / 3_f64.sqrt() / (1.0 + golden * golden).sqrt();
        let plane = (((hash & 0xffff) * 3) >> 16) as usize;
        along[plane] = sign(31) * golden * length;
        along[(plane + 1) % 3] = sign(30) * length;
    }
    along
}

pub(crate) fn value<const D: usize>(state: u32, at: [f64; D]) -> f64 {
    (0..1 << D)
        .map(|step| {
            let (hash, _, weight) = corner(state, at, step);
            weight * f64::from(unit(hash))
        })
        .sum()
}

pub(crate) fn gradient<const D: usize>(state: u32, at: [f64; D]) -> f64 {
    (0..1 << D)
        .map(|step| {
            let (hash, from, weight) = corner(state, at, step);
            weight * dot(direction(hash), from)
        })
        .sum()
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The octaves of a fractal noise at a point, `step` away from it: each one's gradient noise. The octaves' coordinates are
/// rounded to f32 as the noise rounds them; the step is not.
pub(crate) fn octaves<const D: usize>(scope: u32, at: [f32; D], step: [f64; D], count: u32) -> Vec<f64> {
    (0..count)
        .map(|octave| {
            let state = fold_u32(scope, octave);
            let scale = 2_f32.powi(octave as i32);
            let shifted: [f64; D] = std::array::from_fn(|d| {
                let shift = 0.25 + 0.5 * draw(state, d as u32);
                f64::from(at[d] * scale + shift) + step[d] * f64::from(scale)
            });
            gradient(state, shifted)
        })
        .collect()
}

pub(crate) fn fbm(octaves: &[f64]) -> f64 {
    let amplitudes = |k: usize| 0.5_f64.powi(k as i32);
    let total: f64 = (0..octaves.len()).map(amplitudes).sum();
    octaves.iter().enumerate().map(|(k, v)| amplitudes(k) * v).sum::<f64>() / total
}

pub(crate) fn ridged(octaves: &[f64]) -> f64 {
    let (mut sum, mut weight, mut total, mut amplitude) = (0.0, 1.0_f64, 0.0, 1.0);
    for noise in octaves {
        let signal = (1.0 - noise.abs()).powi(2) * weight;
        sum += amplitude * signal;
        total += amplitude;
        weight = (2.0 * signal).clamp(0.0, 1.0);
        amplitude *= 0.5;
    }
    sum / total
}

/// What the sums of a simplex are multiplied by, in the plane and in space.
pub(crate) const SIMPLEX_SCALES: [f64; 2] = [70.0, 93.0];

/// Simplex noise as the sum over all corners of the skewed lattice that could be near: no simplex is chosen.
pub(crate) fn simplex<const D: usize>(state: u32, at: [f64; D]) -> f64 {
    let (skew, scale) = if D == 2 {
        (1_572_067_139.0 / 4_294_967_296.0, SIMPLEX_SCALES[0])
    } else {
        (1_431_655_765.0 / 4_294_967_296.0, SIMPLEX_SCALES[1])
    };
    let unskew = skew / (1.0 + D as f64 * skew);
    let sum: f64 = at.iter().sum();
    let cell = at.map(|x| (x + sum * skew).floor());
    let mut noise = 0.0;
    for corner in 0..4_usize.pow(D as u32) {
        let lattice: [f64; D] = std::array::from_fn(|d| cell[d] + (corner / 4_usize.pow(d as u32) % 4) as f64 - 1.0);
        let back = lattice.iter().sum::<f64>() * unskew;
        let from: [f64; D] = std::array::from_fn(|d| at[d] - (lattice[d] - back));
        let base = 0.5 - dot(from, from);
        if base > 0.0 {
            let hash = lattice
                .iter()
                .fold(state, |hash, &x| fold_u32(hash, (x as i32).cast_unsigned()));
            noise += base.powi(4) * dot(direction(finish(hash)), from);
        }
    }
    scale * noise
}
