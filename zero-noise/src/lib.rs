//! Scoped hashing, lattice noise and portable transcendentals: the same bits on every processor and every GPU.
#![warn(missing_docs)]

mod consts;
mod hash;
mod isa;
pub mod math;
pub mod noise;
mod wgsl;

pub use hash::{Scope, draw, finish, fold_u32, unit};
pub use isa::Isa;
pub use math::*;
pub use noise::*;
pub use wgsl::WGSL;
