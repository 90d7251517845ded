//! Transcendentals, division and square root with the same bits everywhere.

mod arithmetic;
mod bits;
mod block;
mod exponential;
mod trig;

pub use arithmetic::{div, fract, modulo, recip, sqrt};
pub use bits::{clean, floor, round};
pub use block::*;
pub use exponential::{exp2, log2, pow, tanh};
pub use trig::{atan2, cos, sin};

pub(crate) use bits::{clamp, floor_small};
