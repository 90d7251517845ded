//! Points from nothing, and points from points.

pub use super::surface::OnSurface;
use crate::cook::construct::NewPoints;
use crate::cook::filter::Filter as FilterOp;
use crate::{Choice, Class, Compose, Float, Geo, Graph, Int, Node, Registry, Result, Type, vec3};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry.add::<Disc>().add::<Grid>().add::<Filter>().add::<OnSurface>();
}

/// How a disc is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Fill {
    /// The golden angle from one to the next: evenly spread, the same for every seed.
    Sunflower,
    /// Drawn, each on its own.
    Random,
}

/// The turn from one point of a sunflower to the next, in turns: 1 - 1 / phi.
const GOLDEN_TURN: f32 = 0.381_966;

/// Points spread over a disc on the ground, centred on the origin.
#[derive(Clone, Debug, Node)]
#[node(id = "points.disc")]
pub struct Disc<'g> {
    /// How many points; below 0 reads as 0.
    #[input(default = 64, min = 0)]
    pub count: Int<'g>,
    /// Radius.
    #[input(default = 1.0, min = 0.0, unit = "m")]
    pub radius: Float<'g>,
    /// Which arrangement.
    #[input(default = Fill::Sunflower, options)]
    pub fill: Fill,
    /// Which draws.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Disc<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let id = g.element().id();
        let seed = self.seed.cast_unsigned();
        let (share, turn) = match self.fill {
            Fill::Sunflower => {
                let share = (id.to_float() + 0.5) / self.count.to_float();
                (share, (id.to_float() * GOLDEN_TURN).fract())
            }
            Fill::Random => (
                g.draw(seed, "points", "radius", id),
                g.draw(seed, "points", "angle", id),
            ),
        };
        let (distance, angle) = (self.radius * share.sqrt(), turn * std::f32::consts::TAU);
        let place = vec3(distance * angle.cos(), 0.0, distance * angle.sin());
        Ok(new_points(g, &[self.count]).point().set("P", place))
    }
}

/// A lattice of points on the ground, centred on the origin; the first runs along +X, rows along +Z.
#[derive(Clone, Debug, Node)]
#[node(id = "points.grid")]
pub struct Grid<'g> {
    /// Points along X; below 1 reads as 1.
    #[input(default = 4)]
    pub count_x: Int<'g>,
    /// Points along Z; below 1 reads as 1.
    #[input(default = 4)]
    pub count_z: Int<'g>,
    /// From one point to the next.
    #[input(default = 1.0, unit = "m")]
    pub spacing: Float<'g>,
}

impl<'g> Compose<'g> for Grid<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let (x, z) = (self.count_x.max(1), self.count_z.max(1));
        let id = g.element().id();
        let (column, row) = (id % x, id / x);
        let centred = |place: Int<'g>, count: Int<'g>| (place.to_float() - (count - 1) * 0.5) * self.spacing;
        Ok(new_points(g, &[x, z])
            .point()
            .set("P", vec3(centred(column, x), 0.0, centred(row, z))))
    }
}

/// The points whose value is above the threshold, in their order, with everything they carry. How many there are
/// stays on the device. The value decides, so it is computed with the same bits on every device.
#[derive(Clone, Debug, Node)]
#[node(id = "points.filter")]
pub struct Filter<'g> {
    /// The points to thin out.
    #[input]
    pub points: Geo<'g>,
    /// What is compared, at each point.
    #[input]
    pub value: Float<'g>,
    /// What it must be above.
    #[input(default = 0.5)]
    pub threshold: Float<'g>,
}

impl<'g> Compose<'g> for Filter<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let keep = self.value.gt(self.threshold);
        let op = FilterOp { class: Class::Point };
        Ok(
            g.operation(op, vec![self.points.into(), keep.into()], vec![Type::Geometry])
                .single(),
        )
    }
}

/// As many points as the product of the numbers, that hold nothing yet.
#[track_caller]
pub(crate) fn new_points<'g>(g: &'g Graph, sides: &[Int<'g>]) -> Geo<'g> {
    let sides = sides.iter().map(|side| (*side).into()).collect();
    g.operation(NewPoints, sides, vec![Type::Geometry]).single()
}
