//! A tower: a loop that the build unrolls, and a fold over a count that only the cook knows.

use zero_procgen::nodes::{geometry, mesh};
use zero_procgen::{Geo, Graph, GraphDef, Result};

/// A tower of `storeys` storeys (a plain value: the graph is built again for another) on a plinth, with `rings` rings
/// around its foot (an input) and a `width` in metres (an input that moves with no cook).
///
/// # Errors
/// Those of a build; there are none as it stands.
pub fn tower() -> Result<GraphDef> {
    Graph::define("tower", |g| g.output("tower", build(g)))
}

fn build(g: &Graph) -> Geo<'_> {
    let storeys = g.plain("storeys", 5);
    let width = g.float("width", 8.0).range(0.5..=50.0);
    let mut tower = g.add(mesh::Box::new().size([9.0, 0.4, 9.0]));
    for s in 0..storeys {
        let _pass = g.scope("storey", s);
        let storey = g.add(mesh::Box::new().size([1.0, 1.0, 1.0]));
        let side = width * (1.0 - 0.08 * s as f32);
        let storey = g.add(
            geometry::Transform::new(storey)
                .scale(zero_procgen::vec3(side, 3.0, side))
                .yaw_deg(7.5 * s as f32)
                .translate([0.0, 1.7 + 3.0 * s as f32, 0.0]),
        );
        tower = g.add(geometry::Merge::new([tower, storey]));
    }
    g.fold(g.int("rings", 4).range(0..=64), tower, |i, so_far| {
        let ring = g.add(
            mesh::Cone::new()
                .radius(width * 0.5 + i * 0.25)
                .height(0.3)
                .segments(24),
        );
        g.add(geometry::Merge::new([so_far, ring]))
    })
}
