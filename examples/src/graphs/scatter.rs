//! Trees on hills: points thrown over a surface, kept where it is flat, each a copy of one tree.

// program: begin
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{Geo, Graph, GraphDef, Result, Vec3, vec3};

/// Hills of fractal noise with trees on what is not too steep. `tree_height` (metres) moves with no cook. The errors are
/// those of a build; there are none as it stands.
pub fn forest() -> Result<GraphDef> {
    Graph::define("forest", |g| {
        let land = hills(g);
        g.output("land", land);
        g.output("trees", scatter(g, land));
    })
}

fn hills(g: &Graph) -> Geo<'_> {
    let sheet = g.add(mesh::Grid::new().size([120.0, 1.0, 120.0]).cells_x(160).cells_z(160));
    let height = g.add(field::Fbm::new(g.position() / 40.0).octaves(5)) * 14.0;
    let raised = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
    g.add(geometry::RecalculateNormals::new(raised))
}

fn scatter<'g>(g: &'g Graph, land: Geo<'g>) -> Geo<'g> {
    let steep = 1.0 - g.element().point::<Vec3<'_>>("N").y();
    let flat = 1.0 - steep.smoothstep(0.05, 0.25);
    let spots = g.add(points::OnSurface::new(land).count(4_000).min_dist(1.5).density(flat));
    let height = g.float("tree_height", 3.0).range(1.0..=9.0);
    let tree = g.add(mesh::Cone::new().radius(0.8).height(height));
    let (size, turn) = (0.7 + 0.6 * g.rand("scale"), g.rand("yaw") * 360.0);
    g.add(instances::Place::new(spots, tree).scale(size).yaw_deg(turn))
}
// program: end
