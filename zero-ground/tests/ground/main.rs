//! What a user of zero-ground relies on.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests, where a refusal is a failure"
)]

mod bands;
mod case;
mod file;
mod golden;
mod python;
mod refusals;
#[cfg(feature = "serde")]
mod serialized;
mod solids;
mod threads;
mod trample;
mod wild;

use zero_ground::{Band, ChunkGrid, Density, DensityShape, GroundFill, Layer, Texel};

/// A map of 256 by 256 m about the origin with the same paint everywhere.
fn painted(chance: f32) -> Density {
    let shape = DensityShape::new(128, 128).at(zero_ground::glam::Vec2::splat(-128.0));
    Density::from_fn(shape, |_| Texel::new(chance, 1.0)).unwrap()
}

/// Grass in three bands, on chunks of 32 m.
fn grass() -> Layer {
    Layer::new(
        1,
        ChunkGrid::default(),
        GroundFill {
            trample: true,
            ..GroundFill::default()
        },
    )
    .unwrap()
}

/// Rocks every 2 m, and fewer in three far bands.
fn rocks() -> Layer {
    let fill = GroundFill {
        bands: vec![Band::new(2.0), Band::grown(3.0, 5.0), Band::new(4.0), Band::new(64.0)],
        solid: true,
        trample: true,
        ..GroundFill::default()
    };
    Layer::new(2, ChunkGrid::default(), fill).unwrap()
}
