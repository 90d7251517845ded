#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod candidate;
mod clearing;
mod density;
mod density_file;
mod error;
mod fill;
mod grid;
mod layer;
mod solid;
pub mod steps;

pub use candidate::Candidate;
pub use clearing::{Clearing, Clearings, Trample};
pub use density::{Density, DensityShape, MAX_SIDE, TEXEL_M, Texel};
pub use density_file::{MAGIC, VERSION};
pub use error::{Error, Result};
pub use fill::{Band, GroundFill, MAX_BANDS, MAX_CELLS};
pub use glam;
pub use grid::{Chunk, ChunkGrid};
pub use layer::{Grown, Layer};
pub use solid::{GroundSolids, SOLID_CELLS, SOLID_LAYERS, Solid, SolidId};
