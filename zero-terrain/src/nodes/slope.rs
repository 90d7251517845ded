//! How steep ground is.

use super::Sample;
use crate::kernels::GRADIENT;
use zero_procgen::{Col, Compose, Float, Graph, Node, Raster, Result};

/// How steep the ground is at the element's position, in degrees, 0 flat and 90 upright, as a field: Horn's gradient at
/// the samples, bilinear between them.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.slope")]
pub struct Slope<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
}

impl<'g> Compose<'g> for Slope<'g> {
    type Out = Float<'g>;
    fn compose(self, g: &'g Graph) -> Result<Float<'g>> {
        let [x, z] = gradient(g, self.raster).map(|rise| rise.read::<Float<'g>>());
        let angle = (x * x + z * z).sqrt().atan2(1.0) * (180.0 / std::f32::consts::PI);
        let degrees = g.exact_column_of(self.raster.parts().count(), angle);
        Ok(g.add(Sample::new(self.raster.with_samples(degrees))))
    }
}

/// The rise along X and along Z at each sample, metres a metre.
pub(super) fn gradient<'g>(g: &'g Graph, raster: Raster<'g>) -> [Col<'g>; 2] {
    let parts = raster.parts();
    g.kernel(&GRADIENT)
        .bind("heights", raster.samples())
        .int("width", parts.width)
        .number("spacing_x_m", parts.spacing_x_m)
        .number("spacing_z_m", parts.spacing_z_m)
        .over(raster.samples(), ["rise_x", "rise_z"])
}
