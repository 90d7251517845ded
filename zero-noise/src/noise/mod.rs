//! Noise over a hashed integer lattice: values, gradients, simplices, feature points, and sums of octaves.

mod block;
mod cellular;
mod fractal;
mod gradient;
mod lattice;
mod octaves;
mod ridged;
mod simplex;
mod tiling;
mod value;
mod warp;

pub use block::*;
pub use cellular::{Cellular, Metric, cellular2, cellular2_tiled, cellular3, cellular3_tiled};
pub use fractal::{fbm2, fbm2_slope, fbm2_tiled, fbm3, fbm3_slope, fbm3_tiled};
pub use gradient::{gradient2, gradient2_slope, gradient2_tiled, gradient3, gradient3_slope, gradient3_tiled};
pub use octaves::MAX_OCTAVES;
pub use ridged::{ridged2, ridged2_slope, ridged2_tiled, ridged3, ridged3_slope, ridged3_tiled};
pub use simplex::{simplex2, simplex3};
pub use value::{value2, value2_slope, value2_tiled, value3, value3_slope, value3_tiled};
pub use warp::{warp2, warp3, warped2, warped2_slope, warped2_tiled, warped3, warped3_slope, warped3_tiled};
