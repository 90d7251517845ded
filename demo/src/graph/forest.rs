//! Where the trees stand.

use super::trees;
use zero_procgen::nodes::field::Fbm;
use zero_procgen::nodes::geometry::SetPosition;
use zero_procgen::nodes::instances::Place;
use zero_procgen::nodes::points::OnSurface;
use zero_procgen::{Float, Geo, Graph, Raster, vec3};
use zero_terrain::nodes::Sample;

/// How deep a trunk's foot stands in the ground, in metres, so that none floats on a slope.
const SUNK_M: f32 = 0.5;

/// Broadleaves on the lower slopes, conifers above them and on what is steep. Both grow in groves, off the shore, and on
/// nothing that is near a cliff. `steep` and `high` are the landscape's masks.
pub(super) fn forest<'g>(g: &'g Graph, surface: Geo<'g>, steep: Raster<'g>, high: Raster<'g>) -> [Geo<'g>; 2] {
    let (steep, high) = (g.add(Sample::new(steep)), g.add(Sample::new(high)));
    let dry = high.smoothstep(0.003, 0.008);
    let holds = steep.smoothstep(0.66, 0.52);
    let place = g.position();
    let flat = vec3(place.x(), 0.0, place.z());
    let grove = g.add(Fbm::new(flat / 380.0).octaves(4).seed(7));
    let grows = dry * holds;
    // 1 where conifers take over.
    let conifers = (high + grove * 0.12).smoothstep(0.34, 0.52);
    let broadleaf = grows * (1.0 - conifers) * (0.1 + 0.9 * grove.smoothstep(-0.28, 0.02));
    let conifer = grows * (0.05 + 0.95 * conifers) * (0.15 + 0.85 * (-grove).smoothstep(-0.25, 0.05));
    [
        population(g, surface, "broadleaf", broadleaf, trees::broadleaf(g), 7.5, 11),
        population(g, surface, "conifer", conifer, trees::conifer(g), 5.5, 12),
    ]
}

/// One kind of tree: `count` of them are thrown, of which `density` lets some stay, none nearer than `apart_m`.
fn population<'g>(
    g: &'g Graph,
    surface: Geo<'g>,
    name: &str,
    density: Float<'g>,
    tree: Geo<'g>,
    apart_m: f32,
    seed: i32,
) -> Geo<'g> {
    let count = g.int(&format!("{name}_count"), 50_000);
    let spots = g.add(
        OnSurface::new(surface)
            .count(count)
            .min_dist(apart_m)
            .density(density)
            .seed(seed),
    );
    let foot = g.add(SetPosition::new(spots, g.position() + vec3(0.0, -SUNK_M, 0.0)));
    let (size, turn) = (0.75 + 0.55 * g.rand("size"), g.rand("yaw") * 360.0);
    g.add(Place::new(foot, tree).scale(size).yaw_deg(turn))
}
