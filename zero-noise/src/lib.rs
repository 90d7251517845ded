//! Scoped hashing, lattice noise and portable transcendentals: the same bits on every processor and every GPU.
//!
//! Three things that procedural content is made of, each as a scalar Rust function, as a block function that is
//! vectorised for the processor at hand, and as WGSL under the prefix `zn_` ([`WGSL`]). For any bits that come in, all
//! three answer with the same bits.
//!
//! # Draws
//!
//! There is no generator. A draw is a hash of what it is for: a seed, names, numbers.
//!
//! ```
//! use zero_noise::{Scope, draw};
//!
//! const YAW: Scope = Scope::new(7).text("trees").text("yaw");
//! let yaws: Vec<f32> = (0..1000).map(|tree| draw(YAW.state(), tree)).collect();
//! assert!(yaws.iter().all(|yaw| (0.0..1.0).contains(yaw)));
//! // Another tree more changes none of them, and another name none of the others.
//! assert_eq!(yaws[12], YAW.uint(12).unit());
//! assert_ne!(yaws[12], Scope::new(7).text("trees").text("size").uint(12).unit());
//! ```
//!
//! # Functions
//!
//! [`sin`], [`cos`], [`exp2`], [`log2`], [`pow`], [`atan2`], [`tanh`], and [`div`], [`sqrt`], [`modulo`], [`fract`], each
//! with a stated error, and with an answer where mathematics has none. [`floor`] and [`round`] are the standard library's
//! in a form that is vectorised on every x86 processor.
//!
//! ```
//! use zero_noise::{cos, div, log2, pow, sin, sqrt};
//!
//! assert_eq!(sin(1e30).to_bits(), (1e30_f32 as f64).sin().to_bits32());
//! assert_eq!((div(1.0, 0.0), sqrt(-1.0), log2(0.0)), (0.0, 0.0, 0.0));
//! assert_eq!(pow(-2.0, 3.0), -8.0);
//! assert_eq!(cos(f32::NAN), 1.0); // NaN is read as 0
//! # trait Bits { fn to_bits32(self) -> u32; }
//! # impl Bits for f64 { fn to_bits32(self) -> u32 { (self as f32).to_bits() } }
//! ```
//!
//! # Noise
//!
//! [`value2`] and [`value3`] in `[0, 1)`, [`gradient2`] and [`gradient3`] in `[-1, 1]`, and their sums of octaves
//! [`fbm2`] and [`fbm3`], in `[-1, 1]` too. All hash the integer lattice, fade with Perlin's quintic and keep their range.
//! [`ridged2`] folds the octaves to crests, [`warped2`] displaces what it reads, [`simplex2`] stands on triangles and
//! [`cellular2`] on feature points. Names that end in `_slope` answer the derivatives too, those in `_tiled` repeat.
//!
//! ```
//! use zero_noise::{Scope, fbm2, gradient2, value2};
//!
//! let seed = Scope::new(7).text("hills").hash();
//! assert_eq!(value2(seed, 3.0, -2.0), Scope::new(seed).int(3).int(-2).unit());
//! assert_eq!(gradient2(seed, 3.0, -2.0), 0.0);
//! // A fractal sum does not show the lattice: its octaves are shifted.
//! assert_ne!(fbm2(seed, 3.0, -2.0, 5), 0.0);
//!
//! // A normal without a second sample.
//! use zero_noise::{fbm2_slope, recip, sqrt};
//! let [_, rise_x, rise_y] = fbm2_slope(seed, 3.0, -2.0, 5);
//! let scale = recip(sqrt(rise_x * rise_x + rise_y * rise_y + 1.0));
//! let normal = [-rise_x * scale, scale, -rise_y * scale];
//! assert!(normal[1] > 0.0 && normal[1] <= 1.0);
//! ```
//!
//! # Blocks
//!
//! Each function has a form of slices, which runs on AVX2 where the processor has it ([`Isa`]).
//!
//! ```
//! use zero_noise::{Isa, sin, sin_block};
//!
//! let angles: Vec<f32> = (0..1000).map(|i| i as f32 * 0.1).collect();
//! let mut sines = vec![0.0; 1000];
//! sin_block(Isa::Auto, &angles, &mut sines);
//! assert_eq!(sines[700], sin(angles[700]));
//! ```
//!
//! # Inputs and outputs
//!
//! Every function reads NaN, subnormals and -0 as 0 and infinities as the largest finite number ([`clean`]), and answers
//! with a normal number or 0. No answer depends on a subnormal on the way, so that a device which flushes them agrees:
//! coordinates and fades of the lattice noises are rounded to grids whose products stay above them.
//!
//! # What keeps the bits
//!
//! Add, subtract, multiply, floor and integers give the same bits everywhere, as long as nobody fuses or rearranges
//! them. Rust does not. Drivers do: they fuse a product into the sum that it feeds, they take `(a + b) - b` for `a`, and
//! `0 - x` for `-x`. So in WGSL such values pass through `zn_keep`, an xor with a zero that the driver cannot know
//! (`zn_mul` is a product kept), and negation is done on the bits. Shaders that go on calculating with these functions and
//! must stay exact do the same with their own sums.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

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
