//! Where chunks lie: the square pieces of ground that are filled one at a time.

use crate::error::{Result, within};
use glam::Vec2;

/// The largest coordinate of a corner, in metres. Further out an `f32` has no centimetres left.
pub(crate) const FAR_M: f32 = 1e6;

/// A chunk by its place in the grid: `cx` along +x and `cz` along +z from the grid's corner. Negative ones lie on the
/// other side of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Chunk {
    /// Chunks along x.
    pub cx: i32,
    /// Chunks along z.
    pub cz: i32,
}

impl Chunk {
    /// The chunk `cx` along x and `cz` along z.
    pub const fn new(cx: i32, cz: i32) -> Self {
        Self { cx, cz }
    }
}

/// The grid of chunks: the corner of chunk (0, 0) that has the least x and z, and the side of a chunk.
///
/// Every layer of one stream uses one grid, since ids count chunks from its corner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ChunkGrid {
    /// Where chunk (0, 0) begins: world x and z in metres, within a thousand kilometres.
    pub corner_m: Vec2,
    /// The side of a chunk, 1 to 4096 metres.
    pub chunk_m: f32,
}

impl Default for ChunkGrid {
    /// Chunks of 32 m from the world's origin.
    fn default() -> Self {
        Self {
            corner_m: Vec2::ZERO,
            chunk_m: 32.0,
        }
    }
}

impl ChunkGrid {
    /// Refuses numbers out of range by name.
    pub fn validate(&self) -> Result<()> {
        within("grid.corner_m.x", self.corner_m.x, [-FAR_M, FAR_M], "m")?;
        within("grid.corner_m.z", self.corner_m.y, [-FAR_M, FAR_M], "m")?;
        within("grid.chunk_m", self.chunk_m, [1.0, 4096.0], "m")
    }

    /// The corner of a chunk that has its least x and z, as (x, z) in metres: `corner + (cx, cz) * chunk_m`.
    #[inline]
    pub fn origin_m(&self, chunk: Chunk) -> Vec2 {
        Vec2::new(
            self.corner_m.x + chunk.cx as f32 * self.chunk_m,
            self.corner_m.y + chunk.cz as f32 * self.chunk_m,
        )
    }

    /// The chunk that holds the point (x, z). Points too far for an `i32` are in the last chunk of their side, and NaN
    /// is in chunk 0.
    pub fn chunk_at(&self, at_m: Vec2) -> Chunk {
        let along = |at: f32, corner: f32| zero_noise::floor((at - corner) / self.chunk_m) as i32;
        Chunk::new(along(at_m.x, self.corner_m.x), along(at_m.y, self.corner_m.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_in_the_chunk_whose_origin_is_before_it() {
        let grid = ChunkGrid {
            corner_m: Vec2::new(100.0, -50.0),
            chunk_m: 32.0,
        };
        assert_eq!(grid.chunk_at(Vec2::new(100.0, -50.0)), Chunk::new(0, 0));
        assert_eq!(grid.chunk_at(Vec2::new(99.9, -18.0)), Chunk::new(-1, 1));
        assert_eq!(grid.origin_m(Chunk::new(-1, 1)), Vec2::new(68.0, -18.0));
        assert_eq!(
            grid.chunk_at(Vec2::new(f32::NAN, f32::INFINITY)),
            Chunk::new(0, i32::MAX)
        );
    }

    #[test]
    fn a_grid_out_of_range_is_refused_by_name() {
        for (grid, name) in [
            (
                ChunkGrid {
                    chunk_m: 0.0,
                    ..ChunkGrid::default()
                },
                "grid.chunk_m",
            ),
            (
                ChunkGrid {
                    chunk_m: f32::NAN,
                    ..ChunkGrid::default()
                },
                "grid.chunk_m",
            ),
            (
                ChunkGrid {
                    corner_m: Vec2::new(f32::INFINITY, 0.0),
                    ..ChunkGrid::default()
                },
                "grid.corner_m.x",
            ),
            (
                ChunkGrid {
                    corner_m: Vec2::new(0.0, -2e6),
                    ..ChunkGrid::default()
                },
                "grid.corner_m.z",
            ),
        ] {
            let text = grid.validate().unwrap_err().to_string();
            assert!(text.starts_with(name), "{text}");
        }
        assert!(ChunkGrid::default().validate().is_ok());
    }
}
