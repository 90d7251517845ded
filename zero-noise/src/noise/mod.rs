//! Value and gradient noise over a hashed integer lattice, and sums of octaves.

mod block;
mod fractal;
mod gradient;
mod lattice;
mod value;

pub use block::*;
pub use fractal::{MAX_OCTAVES, fbm2, fbm3};
pub use gradient::{gradient2, gradient3};
pub use value::{value2, value3};
