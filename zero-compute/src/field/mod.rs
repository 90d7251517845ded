//! Fields: a per-element expression that runs as one dispatch.
//!
//! A [`Tape`] is a list of scalar operators in single-assignment form, shared by value: asking twice for the same
//! operator over the same operands answers the same [`Reg`]. Vectors are lanes; the tape knows none. A tape is
//! compiled into a [`Program`], which has three evaluators that agree bit for bit: WGSL for a GPU
//! ([`Program::wgsl`]), a virtual machine over blocks of 512 elements for a CPU ([`Program::run`]) and a short scalar
//! reference ([`Program::reference`]), which is also what folds constants.
//!
//! ```
//! use zero_compute::field::{Binary, Inputs, Isa, Kind, LeafView, Mode, Program, Scratch, Tape};
//!
//! let mut tape = Tape::new();
//! let height = tape.leaf(0, 0, Kind::F32);
//! let scale = tape.number(0, Kind::F32);
//! let scaled = tape.binary(Binary::Mul, height, scale)?;
//! let program = Program::compile(&tape, &[scaled], Mode::Pointwise)?;
//!
//! let heights = [1.0f32, 2.0, 3.0].map(f32::to_bits);
//! let leaves = [LeafView { words: &heights, lanes: 1 }];
//! let numbers = [0.5f32.to_bits()];
//! let mut out = [0u32; 3];
//! program.run(&Inputs { leaves: &leaves, numbers: &numbers }, 0, &mut out, Isa::Auto, &mut Scratch::default())?;
//! assert_eq!(out.map(f32::from_bits), [0.5, 1.0, 1.5]);
//! # Ok::<(), zero_compute::Error>(())
//! ```
//!
//! # What the operators mean
//!
//! Division and remainder by 0 answer 0, for floats and integers. The remainder takes the divisor's sign. The square
//! root and the logarithm of a value at or below 0 answer 0. `i32::MIN / -1` wraps. Integers wrap; shift amounts are
//! taken modulo 32. A float becomes an integer by cutting its fraction off and stopping at the ends of the range; NaN
//! becomes 0. Minimum and maximum are a comparison and a choice. A comparison answers a [`Kind::Bool`], which
//! converts to 0 or 1. A leaf shorter than the domain repeats its last element, so a leaf of one element is the same
//! everywhere; a lane that a leaf does not have, and any element of an empty leaf, reads 0.
//!
//! # Noise
//!
//! A field calls zero-noise by the names of [`Prelude`]: draws, value, gradient, simplex, fractal, ridged, warped, tiled
//! and cellular noise, and the slopes of value, gradient and fractal noise. What a function answers besides a first number
//! has a name of its own, and is computed once however many of them are called.
//!
//! ```
//! use zero_compute::field::{Binary, Inputs, Kind, LeafView, Mode, Prelude, Program, Tape};
//!
//! // Stones: how far a place is from the border of its cell, and a tint that is the same all over a stone.
//! let mut tape = Tape::new();
//! let (x, z) = (tape.leaf(0, 0, Kind::F32), tape.leaf(0, 1, Kind::F32));
//! let (seed, euclidean, hue) = (tape.const_u32(7), tape.const_u32(zero_noise::Metric::Euclidean as u32), tape.const_u32(0));
//! let [f1, f2, stone] = [Prelude::Cellular2F1, Prelude::Cellular2F2, Prelude::Cellular2Id]
//!     .map(|result| tape.call(result, &[seed, x, z, euclidean]));
//! let border = tape.binary(Binary::Sub, f2?, f1?)?;
//! let tint = tape.call(Prelude::Draw, &[stone?, hue])?;
//! let program = Program::compile(&tape, &[border, tint], Mode::Exact)?;
//!
//! let place = [12.5f32, -3.25].map(f32::to_bits);
//! let leaves = [LeafView { words: &place, lanes: 2 }];
//! let mut found = [0u32; 2];
//! program.reference(&Inputs { leaves: &leaves, numbers: &[] }, 0, &mut found)?;
//! let cell = zero_noise::cellular2(7, 12.5, -3.25, zero_noise::Metric::Euclidean);
//! assert_eq!(found.map(f32::from_bits), [cell.f2 - cell.f1, zero_noise::draw(cell.id, 0)]);
//! # Ok::<(), zero_compute::Error>(())
//! ```
//!
//! # Walks
//!
//! A [`Walk`] is a field of a state that each walker takes for itself step after step, until it ends: see there.
//!
//! # Modes
//!
//! Quotients, remainders and roots are zero-noise's, and sums are kept as they were rounded, or drivers would cancel and
//! factor them. [`Mode::Pointwise`] leaves a device free to fuse a product into the sums that read it, within 4 ulps of
//! the largest intermediate for an operator and 2 more a step of a chain; the CPU and the software adapter do not fuse.
//! [`Mode::Exact`] keeps those products too, so that every device answers the
//! same bits for finite values without subnormals. Every operator has such a form. Devices differ in the sign of
//! a zero inside an expression, so a float's bits are taken with every zero as 0, and every zero is written as 0.

mod calls;
mod key;
mod kind;
mod loops;
mod lower;
mod op;
mod prelude;
mod program;
mod reference;
mod scalar;
mod shared;
mod simplify;
mod tape;
mod vm;
mod walk;
mod walk_chain;
mod walk_wgsl;
mod walker;
mod wgsl;

pub use crate::device::Isa;
pub use kind::Kind;
pub use op::{Binary, Unary};
pub use prelude::Prelude;
pub use program::{Cost, Inputs, LeafUse, LeafView, MAX_COST, MAX_NUMBERS, Mode, NumberUse, Program};
pub use tape::{Imported, Reg, Tape};
pub use vm::{BLOCK, Scratch};
pub use walk::{MAX_STATE, Walk, WalkOut};
pub use walk_chain::WalkChain;
pub use walk_wgsl::{DIRECT_WALK_LEAVES, WalkLayout};
#[cfg(feature = "gpu")]
pub(crate) use wgsl::OPERATORS;
pub use wgsl::{DIRECT_LEAVES, Layout, MapDomain, MapParam, Place};
