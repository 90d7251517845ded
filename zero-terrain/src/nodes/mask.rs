//! Coverage over ground.

use zero_procgen::{Compose, Float, Graph, Node, Raster, Result};

/// How much of something covers the ground, 0 to 1 at each sample, from a field read there. The weights have the same
/// bits on every device.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.mask")]
pub struct Mask<'g> {
    /// The ground: where the samples stand.
    #[input]
    pub raster: Raster<'g>,
    /// The weight; below 0 it is 0, above 1 it is 1.
    #[input]
    pub weight: Float<'g>,
}

impl<'g> Compose<'g> for Mask<'g> {
    type Out = Raster<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Raster<'g>> {
        Ok(self.raster.map(self.weight.max(0.0).min(1.0)))
    }
}
