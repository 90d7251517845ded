//! The pure steps of a candidate: what each draw is turned into.
//!
//! Plain IEEE single precision in the order written, so that a shader, a tool or a script that repeats these lines gets
//! the same bits. Their names in older papers are `gf_hash` ([`Cell::hash`]), `gf_along`, `gf_keeps`, `gf_scale`,
//! `gf_yaw`, `gf_seed` and `gf_wind`.

use crate::grid::Chunk;
use glam::Vec2;
use zero_noise::{Scope, draw, unit};

/// A whole turn in radians, as the nearest `f32`.
pub const TURN_RAD: f32 = std::f32::consts::TAU;

/// What a draw decides. Its number is the last thing that the hash folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Draw {
    /// Where in its cell, along x.
    AlongX = 0,
    /// Where in its cell, along z.
    AlongZ = 1,
    /// Whether it stands at all.
    Keep = 2,
    /// Which way it faces.
    Yaw = 3,
    /// Its seed.
    Seed = 4,
    /// How much the wind moves it.
    Wind = 5,
    /// How large it is.
    Scale = 6,
    /// Whether a solid thing is drawn in far bands.
    Far = 7,
}

impl Draw {
    /// All of them, by number.
    pub const ALL: [Self; 8] = [
        Self::AlongX,
        Self::AlongZ,
        Self::Keep,
        Self::Yaw,
        Self::Seed,
        Self::Wind,
        Self::Scale,
        Self::Far,
    ];

    /// Its number, 0 to 7.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

/// One cell of one chunk of one layer at one band: all that a draw depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The layer's number.
    pub layer: u32,
    /// The chunk.
    pub chunk: Chunk,
    /// The band. Solid layers hash with band 0 at every band.
    pub band: u32,
    /// The cell along x.
    pub i: u32,
    /// The cell along z.
    pub j: u32,
}

impl Cell {
    /// zero-noise's scoped hash over (layer, cx, cz, band, i, j, draw), each four little-endian bytes.
    pub const fn hash(self, draw: Draw) -> u32 {
        Scope::new(self.layer)
            .int(self.chunk.cx)
            .int(self.chunk.cz)
            .uint(self.band)
            .uint(self.i)
            .uint(self.j)
            .uint(draw.number())
            .hash()
    }

    /// The draw as a number in `[0, 1)`: the upper 24 bits of [`hash`](Self::hash) times 2^-24.
    pub const fn draw(self, draw: Draw) -> f32 {
        unit(self.hash(draw))
    }
}

/// What a chunk's cells share of the hash, and then what one column's do: folding goes on from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefix(u32);

impl Prefix {
    pub(crate) const fn of_chunk(layer: u32, chunk: Chunk, band: u32) -> Self {
        Self(Scope::new(layer).int(chunk.cx).int(chunk.cz).uint(band).state())
    }

    #[inline(always)]
    pub(crate) const fn then(self, cell: u32) -> Self {
        Self(zero_noise::fold_u32(self.0, cell))
    }

    #[inline(always)]
    pub(crate) const fn draw(self, number: Draw) -> f32 {
        draw(self.0, number.number())
    }
}

/// `a + (b - a) * t`.
#[inline(always)]
pub const fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// `t * t * (3 - 2 t)`, for t from 0 to 1: flat at both ends.
#[inline(always)]
pub const fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// How far into its chunk a candidate stands along one axis, in metres: `(cell + lerp(0.5, draw, jitter)) * spacing`.
/// A jitter of 0 is the cell's middle, 1 anywhere in it. Draws 0 (x) and 1 (z).
#[inline(always)]
pub const fn along(cell: u32, draw: f32, jitter: f32, spacing_m: f32) -> f32 {
    (cell as f32 + lerp(0.5, draw, jitter)) * spacing_m
}

/// Whether a candidate stands: its draw 2 is under the chance. A chance of 0 keeps none and of 1 all.
#[inline(always)]
pub const fn keeps(draw: f32, chance: f32) -> bool {
    draw < chance
}

/// The angle about +Y in `[0, TURN_RAD)`: `draw * TURN_RAD`. Draw 3.
#[inline(always)]
pub const fn yaw(draw: f32) -> f32 {
    draw * TURN_RAD
}

/// The seed in `[0, 1)`: draw 4 as it is.
#[inline(always)]
pub const fn seed(draw: f32) -> f32 {
    draw
}

/// How much the wind moves it: `lerp(min, max, draw)`. Draw 5.
#[inline(always)]
pub const fn wind(min: f32, max: f32, draw: f32) -> f32 {
    lerp(min, max, draw)
}

/// The size: `lerp(min, max, draw) * painted * grow`, painted being the density's G. Draw 6.
#[inline(always)]
pub const fn scale(min: f32, max: f32, draw: f32, painted: f32, grow: f32) -> f32 {
    lerp(min, max, draw) * painted * grow
}

/// The share of solid things that a band draws: `(step0 / step_band)^2`.
#[inline(always)]
pub const fn far_share(step0_m: f32, step_band_m: f32) -> f32 {
    let ratio = step0_m / step_band_m;
    ratio * ratio
}

/// Cells along a side of a chunk: the fewest that are no wider than the step, at least 1. With `q = chunk / step` it is
/// `ceil(q - q * 2^-22)`: a step that is an nth of the chunk but for its rounding has n cells. Where that is no number
/// above 0 (NaN, a step of 0 or less, sides that are not finite) it is 1; a [`Layer`](crate::Layer) refuses such steps.
#[inline]
pub fn cells_a_side(chunk_m: f32, step_m: f32) -> u32 {
    let quotient = chunk_m / step_m;
    let quotient = quotient - quotient * 2.384_185_8e-7;
    let whole = zero_noise::floor(quotient);
    let cells = whole as u32;
    let cells = if quotient > whole {
        cells.saturating_add(1)
    } else {
        cells
    };
    cells.max(1)
}

/// Cosine and sine of a yaw: zero-noise's, so the same bits everywhere.
#[inline]
pub fn cos_sin(yaw_rad: f32) -> (f32, f32) {
    (zero_noise::cos(yaw_rad), zero_noise::sin(yaw_rad))
}

/// Turns a local (x, z) by a yaw about +Y: `(c x + s z, -s x + c z)`.
#[inline]
pub fn turn(yaw_rad: f32, local: Vec2) -> Vec2 {
    let (c, s) = cos_sin(yaw_rad);
    Vec2::new(c * local.x + s * local.y, -s * local.x + c * local.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_fold_to_the_cell_s_own_draws() {
        let cell = Cell {
            layer: 3,
            chunk: Chunk::new(-7, 120),
            band: 2,
            i: 41,
            j: 300,
        };
        let prefix = Prefix::of_chunk(3, cell.chunk, 2).then(41).then(300);
        for number in Draw::ALL {
            assert_eq!(prefix.draw(number), cell.draw(number));
        }
    }

    #[test]
    fn draws_have_their_numbers() {
        let numbers: Vec<u32> = Draw::ALL.into_iter().map(Draw::number).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(
            (Draw::Keep.number(), Draw::Scale.number(), Draw::Far.number()),
            (2, 6, 7)
        );
    }

    #[test]
    fn jitter_goes_from_the_middle_of_the_cell_to_all_of_it() {
        assert_eq!(along(3, 0.9, 0.0, 2.0), 7.0);
        assert_eq!(along(3, 0.0, 1.0, 2.0), 6.0);
        assert_eq!(along(3, 0.75, 1.0, 2.0), 7.5);
        assert_eq!(along(0, 0.0, 0.5, 1.0), 0.25);
    }

    #[test]
    fn the_largest_draw_is_less_than_a_turn() {
        assert!(yaw(1.0 - f32::EPSILON / 2.0) < TURN_RAD);
    }

    /// three.js: a positive rotation about +Y takes +Z towards +X.
    #[test]
    fn a_quarter_turn_takes_z_to_x() {
        let quarter = TURN_RAD / 4.0;
        assert!((turn(quarter, Vec2::Y) - Vec2::X).length() < 1e-6);
        assert!((turn(quarter, Vec2::X) + Vec2::Y).length() < 1e-6);
        let about_y = glam::Quat::from_rotation_y(0.7) * glam::Vec3::new(0.3, 0.0, -1.1);
        assert!((turn(0.7, Vec2::new(0.3, -1.1)) - Vec2::new(about_y.x, about_y.z)).length() < 1e-6);
    }

    #[test]
    fn a_step_of_an_nth_of_the_chunk_has_n_cells() {
        for cells in 1..=1024_u32 {
            assert_eq!(cells_a_side(32.0, 32.0 / cells as f32), cells);
        }
        assert_eq!(cells_a_side(32.0, 20.0), 2);
        assert_eq!(cells_a_side(32.0, 1.45), 23);
        assert_eq!(cells_a_side(32.0, 100.0), 1);
        for (chunk_m, step_m) in [
            (32.0, 0.0),
            (32.0, -1.0),
            (f32::NAN, 1.0),
            (32.0, f32::NAN),
            (1e38, 1e-38),
        ] {
            assert_eq!(cells_a_side(chunk_m, step_m), 1, "{chunk_m} by {step_m}");
        }
    }
}
