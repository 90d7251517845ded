//! Points on a surface.

use crate::cook::filter::Filter;
use crate::cook::sample::SampleSurface;
use crate::cook::thin::Thin;
use crate::{Class, Compose, Float, Geo, Graph, Int, Node, Result, Socket, Type, Wire};

/// Points strewn over the triangles of a surface, by area: `P`, the unit normal `N` of the surface there and `id`, the
/// sample's number, in the order they are thrown.
///
/// `count` samples are thrown; `density` lets each stay by chance, and `min_dist` then lets those go that are too near
/// another. How many are left stays on the device. A sample is drawn by its number alone: it keeps its place when
/// `count` grows, and a draw keyed by `id` stays its own when others go. Everything is computed with the same bits on
/// every device, the density too, which is refused where it holds an operator that can't be.
///
/// `density` is read at the samples: `g.position()` is a sample's place, `g.element().point::<Vec3>("N")` its normal.
/// `N` is the surface's own smooth normal where its points hold one, else that of the triangle.
///
/// A triangle with a corner that is not finite, or whose area lies outside 5e-19 to 5e17 square metres, is never
/// chosen, nor is a primitive of other than three corners; a surface with nothing to choose gives no points. A surface
/// whose vertices are not three to a primitive is refused.
///
/// Of two samples nearer than `min_dist` the one that goes first by a draw stays, so the answer does not depend on the
/// samples' order. No two kept points are nearer than `min_dist`, in exact arithmetic, and every sample that is let go
/// has a kept one within it (give or take 1e-6 of it), as long as no cube as wide as `min_dist` holds more than 256
/// samples: what is beyond those in a cube goes.
///
/// Cost: 7 dispatches for the samples; 6 more for a density; 30 more for a distance, among them a sort and 16 rounds
/// of asking the 27 cells around, in which a point that is decided does nothing. A distance or a density that follows
/// an input or the clock replays; a count that moves is cooked anew. A density of 1 and a distance of 0 that the build
/// knows cost nothing.
#[derive(Clone, Debug, Node)]
#[node(id = "points.on_surface")]
pub struct OnSurface<'g> {
    /// What is strewn over; every primitive is a triangle.
    #[input]
    pub surface: Geo<'g>,
    /// How many samples are thrown, before density and distance let some go.
    #[input(default = 100, min = 0)]
    pub count: Int<'g>,
    /// No two points are nearer than this; 0 keeps all.
    #[input(default = 0.0, min = 0.0, unit = "m", uniform)]
    pub min_dist: Float<'g>,
    /// The chance that a sample stays, at each sample.
    #[input(default = 1.0)]
    pub density: Float<'g>,
    /// Which draws.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for OnSurface<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let seed = self.seed.cast_unsigned();
        let thrown = vec![self.surface.into(), self.count.into()];
        let mut points: Geo<'g> = g
            .operation(SampleSurface { seed }, thrown, vec![Type::Geometry])
            .single();
        if !matches!(self.density.wire(), Wire::Float(chance) if chance >= 1.0) {
            let stays = g.draw(seed, "points", "stay", g.element().id()).lt(self.density);
            let thinned = vec![points.into(), stays.into()];
            let op = Filter { class: Class::Point };
            points = g.operation(op, thinned, vec![Type::Geometry]).single();
        }
        if !matches!(self.min_dist.wire(), Wire::Float(distance) if distance <= 0.0) {
            let apart = vec![points.into(), self.min_dist.into()];
            points = g.operation(Thin { seed }, apart, vec![Type::Geometry]).single();
        }
        Ok(points)
    }
}
