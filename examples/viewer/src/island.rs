//! The graph that the viewer plays: an island with a forest.

use zero_procgen::nodes::field::Fbm;
use zero_procgen::nodes::geometry::{Merge, RecalculateNormals, SetPosition, Transform};
use zero_procgen::nodes::instances::Place;
use zero_procgen::nodes::mesh::{Cone, Grid};
use zero_procgen::nodes::points::OnSurface;
use zero_procgen::{Float, Geo, Graph, GraphDef, Result, Vec3, vec3};

/// Side of the square of ground, in metres; its edges lie under water.
pub(crate) const SIDE_M: f32 = 400.0;
/// The lowest and the highest tree that the input takes, in metres.
pub(crate) const TREE_M: [f32; 2] = [2.0, 12.0];

/// An island in water that stands at 0. `tree_height` (metres) moves with no cook. Outputs: `land`, with two masks a
/// point (`steep`, 0 level to 1 upright, and `high`, 1 at 40 m), and `trees`.
pub(crate) fn island() -> Result<GraphDef> {
    Graph::define("island", |g| {
        let land = land(g);
        g.output("land", land);
        g.output("trees", forest(g, land));
    })
}

fn land(g: &Graph) -> Geo<'_> {
    let sheet = g.add(Grid::new().size([SIDE_M, 1.0, SIDE_M]).cells_x(220).cells_z(220));
    let place = g.position();
    let bends = g.add(Fbm::new(place / 170.0).octaves(3).seed(4));
    let folds = g.add(Fbm::new(place / 75.0 + bends * 0.6).octaves(6).seed(2));
    let far = (place.x() * place.x() + place.z() * place.z()).sqrt() / (SIDE_M * 0.5);
    let shore = (far + bends * 0.35).smoothstep(0.95, 0.15);
    let ridges = 1.0 - folds.abs() * 2.2;
    let height = shore * (6.0 + ridges * 34.0) - 9.0;
    let raised = g.add(SetPosition::new(sheet, place + vec3(0.0, height, 0.0)));
    let land = g.add(RecalculateNormals::new(raised));
    let (steep, high) = masks(g);
    land.point().set("steep", steep).point().set("high", high)
}

/// How steep and how high it is where the field is read.
fn masks(g: &Graph) -> (Float<'_>, Float<'_>) {
    let steep = 1.0 - g.element().point::<Vec3<'_>>("N").y();
    (steep, g.position().y() / 40.0)
}

fn forest<'g>(g: &'g Graph, land: Geo<'g>) -> Geo<'g> {
    let (steep, high) = masks(g);
    let groves = g.add(Fbm::new(g.position() / 45.0).octaves(3).seed(9));
    let grows = steep.smoothstep(0.34, 0.2) * high.smoothstep(0.06, 0.1) * high.smoothstep(0.95, 0.6);
    let density = grows * (0.15 + 0.85 * groves.smoothstep(-0.25, 0.1));
    let spots = g.add(OnSurface::new(land).count(16_000).min_dist(2.2).density(density));
    let sunk = g.add(SetPosition::new(spots, g.position() + vec3(0.0, -0.3, 0.0)));
    let [low, tall] = TREE_M;
    let height = g.float("tree_height", 7.0).range(low..=tall);
    let (size, turn) = (0.6 + 0.6 * g.rand("size"), g.rand("yaw") * 360.0);
    g.add(Place::new(sunk, tree(g, height)).scale(size).yaw_deg(turn))
}

/// Three skirts of branches on a trunk.
fn tree<'g>(g: &'g Graph, height: Float<'g>) -> Geo<'g> {
    let trunk = g.add(Cone::new().radius(0.28).height(height * 0.6).segments(5));
    let mut parts = vec![trunk.point().set("Cd", vec3(0.16, 0.10, 0.06))];
    for (radius, base, top) in [(0.24, 0.15, 0.55), (0.19, 0.36, 0.78), (0.13, 0.58, 1.0)] {
        let skirt = g.add(
            Cone::new()
                .radius(height * radius)
                .height(height * (top - base))
                .segments(8),
        );
        let skirt = g.add(Transform::new(skirt).translate(vec3(0.0, height * base, 0.0)));
        parts.push(skirt.point().set("Cd", vec3(1.0, 1.0, 1.0)));
    }
    g.add(Merge::new(parts))
}
