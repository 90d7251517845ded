//! Copies of a model that comes from outside, standing on rolling ground and all looking one way.

use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{Graph, GraphDef, Result, vec3};

/// Rolling ground and, where it is not too steep, copies of the input `model`, whose lowest point is `foot` metres below
/// its origin. The errors are those of a build; there are none as it stands.
pub fn crowd() -> Result<GraphDef> {
    Graph::define("crowd", |g| {
        let sheet = g.add(mesh::Grid::new().size([40.0, 1.0, 40.0]).cells_x(80).cells_z(80));
        let height = g.add(field::Fbm::new(g.position() / 16.0).octaves(4)) * 4.0;
        let raised = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
        let ground = g.add(geometry::RecalculateNormals::new(raised));
        g.output("ground", ground);

        let model = g.geometry("model");
        let standing = g.add(geometry::Transform::new(model).translate(vec3(0.0, g.float("foot", 0.0), 0.0)));
        let spots = g.add(points::OnSurface::new(ground).count(600).min_dist(2.0));
        let (size, turn) = (0.5 + 0.9 * g.rand("size"), g.rand("turn") * 50.0 - 25.0);
        let crowd = instances::Place::new(spots, standing)
            .scale(size)
            .yaw_deg(turn)
            .stand(instances::Stand::Upright);
        g.output("crowd", g.add(crowd));
    })
}
