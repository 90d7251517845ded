//! Hills from noise: gradient noise whose finer octaves hold back where the coarser ones are steep, as if rain had.

use zero_render::{Heightfield, glam::Vec3};

/// Samples along an edge, and metres between them.
const SIDE: u32 = 1000;
const SPACING_M: f32 = 6.0;
/// The water's level, in metres.
pub(crate) const LAKE_M: f32 = 120.0;

/// Heights and masks of the land.
pub(crate) struct Ground {
    heights: Vec<f32>,
    slope: Vec<f32>,
    altitude: Vec<f32>,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let half = SIDE as f32 * SPACING_M * 0.5;
        let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
        let at = |i: u32| (i as f32 + 0.5) * SPACING_M - half;
        let heights: Vec<f32> = places.map(|(column, row)| height(at(column), at(row))).collect();
        let mut ground = Self {
            slope: Vec::new(),
            altitude: Vec::new(),
            heights,
        };
        ground.slope = (0..SIDE)
            .flat_map(|r| (0..SIDE).map(move |c| (c, r)))
            .map(|(c, r)| ground.steepness(c, r))
            .collect();
        ground.altitude = ground
            .heights
            .iter()
            .map(|h| ((h - LAKE_M) / 900.0).clamp(0.0, 1.0))
            .collect();
        ground
    }

    pub(crate) fn heightfield(&self) -> Heightfield<'_> {
        let half = SIDE as f32 * SPACING_M * 0.5;
        Heightfield {
            name: "mountains",
            columns: SIDE,
            rows: SIDE,
            spacing_m: [SPACING_M; 2],
            origin: Vec3::new(-half, 0.0, -half),
            heights_m: &self.heights,
            first_mask: Some(&self.slope),
            second_mask: Some(&self.altitude),
        }
    }

    /// Height and slope mask at a place.
    pub(crate) fn sample(&self, x: f32, z: f32) -> (f32, f32) {
        let half = SIDE as f32 * SPACING_M * 0.5;
        let cell = |v: f32| ((v + half) / SPACING_M - 0.5).clamp(0.0, SIDE as f32 - 1.001);
        let (u, v) = (cell(x), cell(z));
        let (c, r) = (u as usize, v as usize);
        let (fu, fv) = (u - c as f32, v - r as f32);
        let side = SIDE as usize;
        let mix = |list: &[f32]| {
            let near = list[r * side + c] * (1.0 - fu) + list[r * side + c + 1] * fu;
            let far = list[(r + 1) * side + c] * (1.0 - fu) + list[(r + 1) * side + c + 1] * fu;
            near * (1.0 - fv) + far * fv
        };
        (mix(&self.heights), mix(&self.slope))
    }

    /// 0 on the flat, 1 from 60 degrees on.
    fn steepness(&self, column: u32, row: u32) -> f32 {
        let at = |c: u32, r: u32| self.heights[(r.min(SIDE - 1) * SIDE + c.min(SIDE - 1)) as usize];
        let dx = (at(column + 1, row) - at(column.saturating_sub(1), row)) / (2.0 * SPACING_M);
        let dz = (at(column, row + 1) - at(column, row.saturating_sub(1))) / (2.0 * SPACING_M);
        ((dx * dx + dz * dz).sqrt().atan().to_degrees() / 60.0).min(1.0)
    }
}

/// Mountains at the far end, a lake in the middle, hills at the near one.
fn height(x: f32, z: f32) -> f32 {
    // The lake's basin, bent so that its shore is not an ellipse.
    let bend = 420.0 * noise(x / 900.0 + 7.1, z / 900.0, 11).0;
    let (u, v) = ((x + 150.0 + bend) / 1500.0, (z - 1050.0 + 0.6 * bend) / 950.0);
    let away = (u * u + v * v).sqrt();
    let basin = smooth(0.55, 1.9, away);
    let far = smooth(900.0, -1700.0, z);
    let side = smooth(700.0, 2600.0, x.abs()) * 0.55;
    let mountains = ridges(x / 2100.0, z / 2100.0) * (240.0 + 1050.0 * far.max(side));
    let hills = 60.0 * hills(x / 640.0, z / 640.0);
    LAKE_M - 45.0 + basin * (70.0 + mountains + hills) + 30.0 * smooth(0.3, 1.0, away)
}

/// Noise folded into crests, 0 to about 1.
fn ridges(x: f32, z: f32) -> f32 {
    let (mut sum, mut scale, mut amplitude, mut weight) = (0.0, 1.0, 0.56, 1.0);
    let (mut slope_x, mut slope_z) = (0.0, 0.0);
    for octave in 0..9 {
        let turned = (0.8 * x - 0.6 * z, 0.6 * x + 0.8 * z);
        let p = if octave % 2 == 0 { (x, z) } else { turned };
        let (value, dx, dz) = noise(p.0 * scale, p.1 * scale, octave);
        let crest = 1.0 - (value * 1.5).abs().min(1.0);
        slope_x += dx * amplitude * 0.5;
        slope_z += dz * amplitude * 0.5;
        let held = 1.0 / (1.0 + 1.1 * (slope_x * slope_x + slope_z * slope_z));
        sum += crest * crest * amplitude * weight * held;
        weight = (crest * 1.6).min(1.0);
        scale *= 2.03;
        amplitude *= 0.48;
    }
    sum
}

fn hills(x: f32, z: f32) -> f32 {
    (0..6)
        .map(|i| noise(x * 2_f32.powi(i), z * 2_f32.powi(i), 40 + i).0 * 0.5_f32.powi(i))
        .sum()
}

/// Gradient noise, -1 to 1, and its slope.
pub(crate) fn noise(x: f32, z: f32, seed: i32) -> (f32, f32, f32) {
    let (cx, cz) = (x.floor(), z.floor());
    let (fx, fz) = (x - cx, z - cz);
    let gradient = |dx: i32, dz: i32| {
        let angle = hash(cx as i32 + dx, cz as i32 + dz, seed) * std::f32::consts::TAU;
        (angle.cos(), angle.sin())
    };
    let corner = |dx: i32, dz: i32| {
        let (gx, gz) = gradient(dx, dz);
        (gx * (fx - dx as f32) + gz * (fz - dz as f32), gx, gz)
    };
    let fade = |t: f32| {
        (
            t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
            30.0 * t * t * (t * (t - 2.0) + 1.0),
        )
    };
    let ((u, du), (v, dv)) = (fade(fx), fade(fz));
    let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1));
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let value = mix(mix(a.0, b.0, u), mix(c.0, d.0, u), v);
    let dx = mix(mix(a.1, b.1, u), mix(c.1, d.1, u), v) + du * mix(b.0 - a.0, d.0 - c.0, v);
    let dz = mix(mix(a.2, b.2, u), mix(c.2, d.2, u), v) + dv * (mix(c.0, d.0, u) - mix(a.0, b.0, u));
    (value * 1.4, dx * 1.4, dz * 1.4)
}

/// An even draw from 0 to 1 for a place.
pub(crate) fn hash(x: i32, z: i32, seed: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x8da6_b343)
        ^ (z as u32).wrapping_mul(0xd816_3841)
        ^ (seed as u32).wrapping_mul(0xcb1a_b31f);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

pub(crate) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
