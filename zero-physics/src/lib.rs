//! Worlds of rapier3d: fixed steps, ground from grids of heights, bodies that settle, rays.
//!
//! **Priorities**, in order: the same bits from the same calls; ground that lies where its heights say; every number checked
//! where it enters. **Non-goals**: hiding rapier, which is re-exported and stays in reach through [`World::rapier_mut`];
//! an entity store; a thread of its own.
//!
//! # A tour
//!
//! A [`World`] has gravity and a fixed step. Ground is a [`HeightGrid`], bodies are [`Body`]s:
//!
//! ```
//! use glam::Vec3;
//! use zero_physics::{Body, HeightGrid, Surface, World, WorldOptions};
//!
//! let mut world = World::new(WorldOptions::default())?;
//! let heights_m = [2.0; 16];
//! let flat = HeightGrid { columns: 4, rows: 4, spacing_m: [10.0; 2], origin_m: [-20.0; 2], heights_m: &heights_m };
//! world.add_ground(&flat, Surface::default())?;
//!
//! let crate_of_wood = world.add_body(&Body::cuboid(Vec3::ONE, Vec3::new(0.0, 5.0, 0.0)))?;
//! let settled = world.settle(crate_of_wood, 10.0)?;
//! assert!(settled.at_rest && settled.secs < 3.0);
//! assert!((settled.state.pos_world.y - 2.5).abs() < 0.01);
//! # Ok::<(), zero_physics::Error>(())
//! ```
//!
//! A ray says what is where:
//!
//! ```
//! # use glam::Vec3;
//! # use zero_physics::{HeightGrid, Surface, World, WorldOptions};
//! # let mut world = World::new(WorldOptions::default())?;
//! # let flat = HeightGrid { columns: 2, rows: 2, spacing_m: [10.0; 2], origin_m: [-10.0; 2], heights_m: &[2.0; 4] };
//! # world.add_ground(&flat, Surface::default())?;
//! let below = world.ray_cast(Vec3::new(1.0, 100.0, 1.0), Vec3::NEG_Y, 1000.0)?;
//! assert_eq!(below.map(|hit| hit.pos_world.y), Some(2.0));
//! # Ok::<(), zero_physics::Error>(())
//! ```
//!
//! # Units
//! Metres, seconds, radians, kilograms; right-handed, Y up, ground over XZ, rows along +Z.
//!
//! # Features
//! `enhanced-determinism` is rapier's: the same bits on every machine, where otherwise they are the same on every run of one
//! program on one machine.
//!
//! # Threads and cost
//! A world runs on the thread that steps it. Bodies that sleep cost nothing.

mod body;
mod error;
mod ground;
mod ground_ray;
mod ray;
mod settle;
mod world;

pub use body::{Body, Shape, Surface};
pub use error::{Error, Result};
pub use glam;
pub use ground::{HeightGrid, MAX_SAMPLES};
pub use rapier3d;
pub use ray::Hit;
pub use settle::Settled;
pub use world::{BodyId, BodyState, GroundId, MAX_PLACE_M, World, WorldOptions};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
