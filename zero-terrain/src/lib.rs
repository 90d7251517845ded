//! Ground: nodes that make it, a container that keeps it, and a heightfield to stand on.
//!
//! **Priorities**: the same bits on every device, so that a forest is the same forest; nothing that is no height comes in
//! unnoticed; a landscape on a disk is whole or not there. **Non-goals**: drawing, which is a renderer's; planets.
//!
//! # A tour
//!
//! Heights that a host has are a raster once they are on a device. [`upload_heights`] refuses what is none:
//!
//! ```
//! use zero_terrain::compute::{CpuOptions, Device};
//! let device = Device::cpu(CpuOptions::default());
//! let dem = zero_terrain::upload_heights(&device, 2, 2, [30.0, 30.0], [0.0, 0.0], &[1.0, 2.0, 3.0, 4.0])?;
//! assert_eq!(dem.width(), 2);
//! let refused = zero_terrain::upload_heights(&device, 2, 1, [30.0, 30.0], [0.0, 0.0], &[1.0, f32::NAN]);
//! assert!(refused.unwrap_err().to_string().contains("number 1 (column 1, row 0)"));
//! # Ok::<(), zero_terrain::Error>(())
//! ```
//!
//! A graph shapes it with the family of [`nodes`]. Rasters change hands, and a raster is read as a field: `terrain.height`
//! and `terrain.slope` at the element's own position, `terrain.sample` anywhere.
//!
//! ```
//! use zero_terrain::procgen::nodes::field;
//! use zero_terrain::procgen::Graph;
//! use zero_terrain::nodes as terrain;
//!
//! let graph = Graph::define("ground", |g| {
//!     let land = g.add(terrain::Resample::new(g.raster("dem")).spacing_m(5.0));
//!     let detail = g.add(field::Fbm::new(g.position() / 60.0).octaves(5)) * 3.0;
//!     let land = g.add(terrain::AddHeight::new(land).by(detail));
//!     let land = g.add(terrain::Thermal::new(land).steps(40).talus_deg(34.0));
//!     let rock = g.add(terrain::Slope::new(land)).smoothstep(28.0, 38.0);
//!     g.output("rock", g.add(terrain::Mask::new(land, rock)));
//!     g.output("mesh", g.add(terrain::Surface::new(land)));
//!     g.output("land", land);
//! })?;
//! assert_eq!(graph.inputs()[0].name, "dem");
//! # Ok::<(), zero_terrain::procgen::Error>(())
//! ```
//!
//! A [`Heightfield`] is that ground on the host: [`Heightfield::download`] reads a raster back.
//!
//! ```
//! use zero_terrain::{Grid, Heightfield};
//! let grid = Grid { width: 2, height: 2, spacing_m: [10.0, 10.0], origin_m: [0.0, 0.0] };
//! let ground = Heightfield::new(grid, vec![0.0, 10.0, 0.0, 10.0])?;
//! assert_eq!(ground.height_at(10.0, 10.0), 5.0);
//! let hit = ground.ray_cast(glam::vec3(10.0, 100.0, 10.0), glam::Vec3::NEG_Y, 1_000.0)?;
//! assert_eq!(hit.map(|hit| hit.distance_m), Some(95.0));
//! # Ok::<(), zero_terrain::Error>(())
//! ```
//!
//! With the feature `assets`, `TerrainData` is a landscape at rest.
//!
//! # Units and coordinates
//! Metres; right-handed, Y up; rows of a grid go along +Z, samples stand at the centres of their cells. A mask reads slopes
//! in degrees, code asks for them in radians.
//!
//! # Threads and cost
//! Everything is `Send + Sync`; no thread is started. A node is one dispatch or two, `terrain.thermal` one a step.

pub mod kernels;
pub mod nodes;

#[cfg(feature = "assets")]
mod data;
mod error;
mod grid;
mod heightfield;
mod ray;
mod upload;

#[cfg(feature = "assets")]
pub use data::{Coverage, Instance, Layer, LayerInfo, SUFFIX, Scatter, TerrainData, VERSION, Water};
pub use error::{Error, Result};
pub use grid::{Grid, MAX_HEIGHT_M};
pub use heightfield::Heightfield;
pub use ray::Hit;
pub use upload::upload_heights;
#[cfg(feature = "assets")]
pub use zero_assets as assets;
pub use {glam, zero_compute as compute, zero_procgen as procgen};

/// The README's program is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
