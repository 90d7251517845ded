//! Ground raised by a field.

use zero_procgen::{Compose, Float, Graph, Node, Raster, Result};

/// Ground raised by a field, read at each sample: its position there is the sample's place, at the height it has so far.
/// The heights have the same bits on every device.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.add_height")]
pub struct AddHeight<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
    /// By how much it is raised; below 0 it is lowered.
    #[input(default = 0.0, unit = "m")]
    pub by: Float<'g>,
}

impl<'g> Compose<'g> for AddHeight<'g> {
    type Out = Raster<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Raster<'g>> {
        let height: Float<'g> = self.raster.samples().read();
        Ok(self.raster.map(height + self.by))
    }
}
