//! The kernels beneath the nodes, for hosts that record their own lists.
//!
//! Every one is [`Exact`](zero_compute::Determinism::Exact). A grid's run is row by row, its `width` a param; each twin
//! refuses a width that does not divide its run.

mod gradient;
mod resample;
mod thermal;
mod window;

pub use gradient::GRADIENT;
pub(crate) use gradient::gradient_at;
pub use resample::RESAMPLE;
pub use thermal::{FROM_FIXED, THERMAL, TO_FIXED};
pub use window::WINDOW;

use zero_compute::{Error, Result};

/// Units of the fixed point that erosion moves material in, a metre: one is 1/65 536 m.
pub const UNITS_PER_M: f32 = 65_536.0;

/// How far from 0 the fixed point reaches, in units: differences of two heights stay within 32 bits.
pub const MAX_UNITS: i32 = (1 << 30) - 128;

/// Rows of a grid, where its width divides its run.
fn rows(kernel: &str, samples: usize, width: u32) -> Result<usize> {
    match samples.checked_div(width as usize) {
        Some(rows) if rows * width as usize == samples => Ok(rows),
        _ => Err(Error::WrongShape {
            kernel: kernel.to_owned(),
            binding: "width".to_owned(),
            expected: format!("a width that divides {samples} samples"),
            found: width.to_string(),
        }),
    }
}
