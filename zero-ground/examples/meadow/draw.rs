//! How the things of the meadow look from above. The sun stands in the upper left.

use crate::canvas::{Canvas, hex};
use zero_ground::Candidate;
use zero_ground::glam::{Vec2, Vec3};

/// What grows, in the order it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Grass,
    Pebbles,
    Reeds,
    Flowers,
    Rocks,
    Trees,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Grass,
        Self::Pebbles,
        Self::Reeds,
        Self::Flowers,
        Self::Rocks,
        Self::Trees,
    ];
}

const SHADOW: u32 = 0x1c3330;
const SUN: Vec2 = Vec2::new(-0.6, -0.8);

/// 0 below `low`, 1 above `high`, smooth between.
pub(crate) fn smooth(low: f32, high: f32, at: f32) -> f32 {
    zero_ground::steps::smoothstep(((at - low) / (high - low)).clamp(0.0, 1.0))
}

/// The bare ground: soil under the meadow, worn earth on the path and in clearings, sand and water.
pub(crate) fn ground(at_m: Vec2, shore_m: f32, path_m: f32, clearing: f32, rolling: f32) -> Vec3 {
    let meadow = hex(0x4d7434).lerp(hex(0x6c9040), smooth(0.3, 0.7, rolling));
    let grain = zero_noise::gradient2(21, at_m.x * 1.7, at_m.y * 1.7) * 0.03;
    let earth = hex(0xb8935f) + grain;
    let worn = (1.0 - clearing).max(1.0 - smooth(0.6, 1.9, path_m + grain * 8.0));
    let land = meadow
        .lerp(earth, worn * 0.92)
        .lerp(hex(0xd8c38c), 1.0 - smooth(0.2, 1.7, shore_m));
    let ripple = zero_noise::gradient2(22, at_m.x * 0.9 + at_m.y * 0.3, at_m.y * 1.8);
    let water = hex(0x6fb7b8).lerp(hex(0x2a6f8e), smooth(0.0, 4.5, -shore_m)) + 0.035 * smooth(0.25, 0.6, ripple);
    let foam = smooth(-0.55, -0.15, shore_m) * (1.0 - smooth(-0.15, 0.0, shore_m));
    let water = water.lerp(hex(0xdcefe4), foam * 0.6);
    land.lerp(water, 1.0 - smooth(-0.08, 0.08, shore_m))
}

/// A number of its own for a part of a thing.
fn part(thing: &Candidate, number: u32) -> f32 {
    zero_noise::draw(thing.seed.to_bits(), number)
}

pub(crate) fn shadow(canvas: &mut Canvas, kind: Kind, thing: &Candidate) {
    let (reach, radius, alpha) = match kind {
        Kind::Trees => (1.0, 1.75, 0.5),
        Kind::Rocks => (0.25, 0.62, 0.45),
        _ => return,
    };
    let center = thing.pos_m() - SUN * reach * thing.scale;
    canvas.disc(center, radius * thing.scale, 0.35, hex(SHADOW), alpha);
}

pub(crate) fn thing(canvas: &mut Canvas, kind: Kind, thing: &Candidate) {
    match kind {
        Kind::Grass => tuft(canvas, thing, &[0x5c8a35, 0x78a542, 0x94bb4e, 0x486f33, 0xaec65a], 0.34),
        Kind::Reeds => tuft(canvas, thing, &[0x3f6b45, 0x5d8a4c, 0x8a9a52], 0.6),
        Kind::Flowers => flower(canvas, thing),
        Kind::Pebbles => pebble(canvas, thing),
        Kind::Rocks => rock(canvas, thing),
        Kind::Trees => tree(canvas, thing),
    }
}

/// Blades from one foot, leaning outward.
fn tuft(canvas: &mut Canvas, thing: &Candidate, greens: &[u32], length_m: f32) {
    let color = pick(greens, part(thing, 0));
    for blade in 0..4_u8 {
        let turn = f32::from(blade) * 1.57 + part(thing, 1 + u32::from(blade));
        let lean = Vec2::from_angle(turn) * length_m * (0.7 + 0.6 * part(thing, 9 + u32::from(blade)));
        // Light falls on blades that lean towards it.
        let light = 0.12 * lean.normalize_or_zero().dot(SUN);
        canvas.blade(thing.pos_m(), thing.place(lean), 0.17, color + light, 0.95);
    }
}

fn pick(colors: &[u32], draw: f32) -> Vec3 {
    let at = (draw * colors.len() as f32) as usize;
    hex(colors.get(at).copied().unwrap_or(0xffffff))
}

fn flower(canvas: &mut Canvas, thing: &Candidate) {
    let petals = pick(&[0xf6f2e2, 0xf2c744, 0xe2637a, 0x9c7bd0, 0xf6f2e2], part(thing, 0));
    canvas.disc(thing.pos_m() - SUN * 0.1, 0.26 * thing.scale, 0.1, hex(SHADOW), 0.35);
    for petal in 0..5_u8 {
        let out = Vec2::from_angle(f32::from(petal) * 1.2566) * 0.16;
        canvas.disc(thing.place(out), 0.12 * thing.scale, 0.05, petals, 1.0);
    }
    let heart = if petals == hex(0xf2c744) {
        hex(0x8a5a20)
    } else {
        hex(0xf0b93a)
    };
    canvas.disc(thing.pos_m(), 0.09 * thing.scale, 0.05, heart, 1.0);
}

fn pebble(canvas: &mut Canvas, thing: &Candidate) {
    let radius = 0.17 * thing.scale;
    let color = pick(&[0x8f8a80, 0xa8a193, 0x7a7670, 0xbab09c], part(thing, 0));
    canvas.disc(thing.pos_m() - SUN * 0.06, radius * 1.1, 0.08, hex(SHADOW), 0.4);
    canvas.disc(thing.pos_m(), radius, 0.05, color, 1.0);
    canvas.disc(thing.pos_m() + SUN * radius * 0.4, radius * 0.4, 0.1, color + 0.12, 0.8);
}

/// A faceted boulder: a rim, a ledge and a flat top, each side lit by the way it faces.
fn rock(canvas: &mut Canvas, thing: &Candidate) {
    const SIDES: u8 = 7;
    let base = pick(&[0x8d9092, 0x9a9488, 0x7f858c], part(thing, 0));
    let corner = |side: u8, size: f32| {
        let side = side % SIDES;
        let angle =
            (f32::from(side) + 0.6 * part(thing, 20 + u32::from(side))) / f32::from(SIDES) * std::f32::consts::TAU;
        thing.place(Vec2::from_angle(angle) * size * (0.52 + 0.22 * part(thing, 40 + u32::from(side))))
    };
    let top = thing.pos_m() + SUN * 0.08 * thing.scale;
    for side in 0..SIDES {
        let (a, b) = (corner(side, 1.0), corner(side + 1, 1.0));
        let (c, d) = (top.lerp(a, 0.55), top.lerp(b, 0.55));
        let facing = ((a + b) * 0.5 - thing.pos_m()).normalize_or_zero().dot(SUN);
        canvas.triangle([a, b, d], base + 0.2 * facing - 0.06);
        canvas.triangle([a, d, c], base + 0.2 * facing - 0.06);
        canvas.triangle([c, d, top], base + 0.08 * facing + 0.1);
    }
}

/// A crown of leaf clumps, dark below and bright towards the sun.
fn tree(canvas: &mut Canvas, thing: &Candidate) {
    const CLUMPS: u32 = 46;
    let leaves = [
        [0x234d2c, 0x3f7a35, 0x7fae49],
        [0x2a5230, 0x4f8438, 0x9dbb52],
        [0x1f4a3a, 0x357058, 0x6fa57a],
        [0x7a4a1e, 0xc07a2c, 0xeab653],
    ];
    let kind = [0, 1, 0, 1, 2, 0, 2, 1, 3]
        .get((part(thing, 0) * 9.0) as usize)
        .copied()
        .unwrap_or(0);
    let [dark, middle, bright] = leaves.get(kind).copied().unwrap_or_default().map(hex);
    canvas.disc(thing.pos_m(), 1.35 * thing.scale, 0.3, dark, 1.0);
    for clump in 0..CLUMPS {
        // Clumps wind inward and upward; the higher, the further they are moved towards the sun.
        let height = clump as f32 / (CLUMPS - 1) as f32;
        let out = (1.0 - height * height) * 1.4;
        let angle = clump as f32 * 2.399_963 + part(thing, 1);
        let size = 0.3 + 0.16 * part(thing, 100 + clump);
        let center = thing.place(Vec2::from_angle(angle) * out * (0.8 + 0.3 * part(thing, 200 + clump)));
        let center = center + SUN * height * 0.3 * thing.scale;
        let lit = ((center - thing.pos_m()).dot(SUN) / (1.5 * thing.scale)).clamp(-1.0, 1.0);
        let light = (height * 0.75 + lit * 0.4 + 0.15 * part(thing, 300 + clump)).clamp(0.0, 1.0);
        let color = if light < 0.5 {
            dark.lerp(middle, light * 2.0)
        } else {
            middle.lerp(bright, light * 2.0 - 1.0)
        };
        canvas.disc(center, size * thing.scale, 0.12, color, 1.0);
    }
}

/// A fire in a ring of stones, logs to sit on and two tents.
pub(crate) fn camp(canvas: &mut Canvas, at_m: Vec2) {
    canvas.disc(at_m, 0.95, 0.5, hex(0x4a3c30), 0.8);
    for log in [0.3_f32, 1.4, 2.5] {
        let along = Vec2::from_angle(log) * 0.6;
        canvas.line(at_m - along, at_m + along, 0.24, hex(0x5b3d26), 1.0);
    }
    for (radius, color) in [(0.5, 0xd9562b), (0.33, 0xf29b38), (0.17, 0xffe38a)] {
        canvas.disc(at_m, radius, 0.2, hex(color), 0.95);
    }
    for stone in 0..11_u8 {
        let out = at_m + Vec2::from_angle(f32::from(stone) * 0.5712) * 0.98;
        canvas.disc(out - SUN * 0.06, 0.23, 0.08, hex(SHADOW), 0.4);
        canvas.disc(
            out,
            0.2,
            0.05,
            if stone % 3 == 0 { hex(0x8a8880) } else { hex(0xa6a296) },
            1.0,
        );
    }
    for seat in [0.2_f32, 2.3] {
        let (middle, along) = (
            at_m + Vec2::from_angle(seat) * 2.2,
            Vec2::from_angle(seat + 1.57) * 0.95,
        );
        canvas.line(
            middle - along - SUN * 0.14,
            middle + along - SUN * 0.14,
            0.5,
            hex(SHADOW),
            0.35,
        );
        canvas.line(middle - along, middle + along, 0.42, hex(0x6d4a2c), 1.0);
        canvas.line(
            middle - along + SUN * 0.1,
            middle + along + SUN * 0.1,
            0.12,
            hex(0x9a6f45),
            1.0,
        );
    }
    tent(canvas, at_m + Vec2::new(-2.6, -2.3), 0.75, [0xd96f45, 0xa94a32]);
    tent(canvas, at_m + Vec2::new(2.4, -2.7), -0.55, [0x4f8fae, 0x356a88]);
}

/// A ridge tent: a lit side and one in shade.
fn tent(canvas: &mut Canvas, at_m: Vec2, turn: f32, [lit, shaded]: [u32; 2]) {
    let (ridge, side) = (Vec2::from_angle(turn) * 1.5, Vec2::from_angle(turn + 1.57) * 1.05);
    let [a, b, c, d] = [
        at_m - ridge - side,
        at_m + ridge - side,
        at_m + ridge + side,
        at_m - ridge + side,
    ];
    let fallen = -SUN * 0.35;
    canvas.triangle([a + fallen, b + fallen, c + fallen], hex(0x8a6c46));
    canvas.triangle([a + fallen, c + fallen, d + fallen], hex(0x8a6c46));
    let (start, end) = (at_m - ridge * 0.92, at_m + ridge * 0.92);
    for ([p, q], color) in [([a, b], lit), ([c, d], shaded)] {
        let [from, to] = if p == a { [start, end] } else { [end, start] };
        canvas.triangle([p, q, to], hex(color));
        canvas.triangle([p, to, from], hex(color));
    }
    canvas.line(start, end, 0.14, hex(0xf6ead0), 0.9);
}
