//! Heights of a host's own as a raster that a graph takes.

use crate::error::Result;
use crate::grid::{Grid, MAX_HEIGHT_M};
use zero_compute::Device;
use zero_procgen::values::Raster;

/// Puts heights in metres on a device as a raster, row by row: what a graph's raster input is given.
///
/// `spacing_m` is metres from one sample to the next along X and Z, `origin_m` where the first corner stands. One upload.
///
/// # Errors
/// [`Error::Value`](crate::Error::Value) for a grid without samples, another number of heights than samples, and the first
/// height that is no finite number within [`MAX_HEIGHT_M`] of 0, by its place; [`Error::Compute`](crate::Error::Compute)
/// where the device refuses, as for more bytes than it binds at once.
pub fn upload_heights(
    device: &Device,
    width: u32,
    height: u32,
    spacing_m: [f32; 2],
    origin_m: [f32; 2],
    heights_m: &[f32],
) -> Result<Raster> {
    let grid = Grid {
        width,
        height,
        spacing_m,
        origin_m,
    };
    grid.check_samples("heights", heights_m, [-MAX_HEIGHT_M, MAX_HEIGHT_M])?;
    let samples = device.upload(heights_m, 1)?;
    Ok(Raster::new(samples, width, height, spacing_m, origin_m)?)
}
