//! The family `terrain`: rasters of ground, what they become, and fields over them.

mod add_height;
mod mask;
mod resample;
mod sample;
mod slope;
mod surface;
mod thermal;
mod window;

pub use add_height::AddHeight;
pub use mask::Mask;
pub use resample::{Filter, Resample};
pub use sample::{Height, Sample};
pub use slope::Slope;
pub use surface::Surface;
pub use thermal::Thermal;
pub use window::{Unit, Window};

use zero_procgen::values::{Raster, Value};
use zero_procgen::{Error, Registry, Result};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry
        .add::<AddHeight>()
        .add::<Height>()
        .add::<Mask>()
        .add::<Resample>()
        .add::<Sample>()
        .add::<Slope>()
        .add::<Surface>()
        .add::<Thermal>()
        .add::<Window>();
}

/// The raster and the numbers that an operation is cooked with.
fn raster_and<const N: usize>(inputs: &[Value]) -> Result<(&Raster, &[Value; N])> {
    if let [raster, rest @ ..] = inputs
        && let Ok(numbers) = rest.try_into()
    {
        return Ok((raster.raster()?, numbers));
    }
    Err(Error::Refused(format!(
        "expected a raster and {N} numbers, got {} inputs",
        inputs.len()
    )))
}
