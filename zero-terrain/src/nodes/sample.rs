//! A raster as a field.

use zero_procgen::{Compose, Float, Graph, Int, Node, Raster, Result, Vec3};

/// A raster's value at a place, as a field: bilinear between the four samples around it, past the outer samples the
/// nearest. The height of the place is not read. Where the field decides something it has the same bits on every device.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.sample")]
pub struct Sample<'g> {
    /// What is read.
    #[input]
    pub raster: Raster<'g>,
    /// Where; left out, at the element's own position.
    #[input(unit = "m")]
    pub position: Option<Vec3<'g>>,
}

impl<'g> Compose<'g> for Sample<'g> {
    type Out = Float<'g>;
    fn compose(self, g: &'g Graph) -> Result<Float<'g>> {
        let place = self.position.unwrap_or_else(|| g.position());
        let (parts, samples) = (self.raster.parts(), self.raster.samples());
        let (west, east, along) = around(place.x(), parts.origin_x_m, parts.spacing_x_m, parts.width);
        let (north, south, down) = around(place.z(), parts.origin_z_m, parts.spacing_z_m, parts.height);
        let at = |column: Int<'g>, row: Int<'g>| -> Float<'g> { samples.gather(row * parts.width + column) };
        let upper = at(west, north).lerp(at(east, north), along);
        let lower = at(west, south).lerp(at(east, south), along);
        Ok(upper.lerp(lower, down))
    }
}

/// The samples before and after a place along an axis, and the share of the way from one to the other.
fn around<'g>(
    place: Float<'g>,
    origin: Float<'g>,
    spacing: Float<'g>,
    count: Int<'g>,
) -> (Int<'g>, Int<'g>, Float<'g>) {
    let last = count - 1;
    let cell = ((place - origin) / spacing - 0.5).max(0.0).min(last.to_float());
    let before = cell.floor();
    let index = before.to_int();
    (index, (index + 1).min(last), cell - before)
}

/// The height of the ground under the element's position, as a field: see `terrain.sample`.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.height")]
pub struct Height<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
}

impl<'g> Compose<'g> for Height<'g> {
    type Out = Float<'g>;
    fn compose(self, g: &'g Graph) -> Result<Float<'g>> {
        Ok(g.add(Sample::new(self.raster)))
    }
}
