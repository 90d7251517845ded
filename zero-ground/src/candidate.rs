//! What stands at a place.

use crate::steps::{cos_sin, turn};
use glam::Vec2;

/// A thing that stands: where, how large, which way, and numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Candidate {
    /// Its cell along x.
    pub i: u32,
    /// Its cell along z.
    pub j: u32,
    /// Where it stands, world x in metres.
    pub x_m: f32,
    /// Where it stands, world z in metres.
    pub z_m: f32,
    /// Its size, above 0; 1 is the model's own.
    pub scale: f32,
    /// Its angle about +Y in radians, 0 to less than a turn.
    pub yaw_rad: f32,
    /// A number of its own in `[0, 1)`, for colours, variants and phases.
    pub seed: f32,
    /// How much the wind moves it, between the row's `wind_min` and `wind_max`.
    pub wind: f32,
}

impl Candidate {
    /// Where it stands, (x, z) in metres.
    #[inline]
    pub fn pos_m(&self) -> Vec2 {
        Vec2::new(self.x_m, self.z_m)
    }

    /// Cosine and sine of its yaw, for an instance buffer.
    #[inline]
    pub fn cos_sin(&self) -> (f32, f32) {
        cos_sin(self.yaw_rad)
    }

    /// Where a point of its model, local (x, z) in metres, lies in the world: scaled, turned about +Y, moved.
    #[inline]
    pub fn place(&self, local: Vec2) -> Vec2 {
        self.pos_m() + turn(self.yaw_rad, local * self.scale)
    }

    /// Which of so many variants it is, by its seed: 0 to `count - 1`, and 0 when there are none.
    #[inline]
    pub fn variant(&self, count: u32) -> u32 {
        // The seed is a multiple of 2^-24, so the product is exact in an f64 and its floor below the count.
        (f64::from(self.seed) * f64::from(count)) as u32
    }
}
