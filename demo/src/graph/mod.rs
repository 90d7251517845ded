//! The graph: from an elevation model to worn ground, its masks and the trees on it.

mod forest;
mod trees;

use crate::look::{HEATH_M, ROCK_DEG, SHORE_M};
use zero_procgen::nodes::field::Fbm;
use zero_procgen::{Float, Geo, Graph, GraphDef, Raster, Result, Vec3, vec3};
use zero_terrain::nodes::{AddHeight, Height, Mask, Resample, Slope, Surface, Thermal, Window};

/// The names of the layers that cover the ground, in channel order. Each is an output raster of the graph.
pub const LAYERS: [&str; 4] = ["woodland", "heath", "rock", "shore"];
/// The names of the populations of trees. Each is an output of the graph.
pub const SPECIES: [&str; 2] = ["broadleaf", "conifer"];

/// The steepness that the mask `steep` calls 1, in degrees.
pub const STEEP_DEG: f32 = 60.0;
/// How far above the water the mask `high` is 1, in metres.
pub const HIGH_M: f32 = 800.0;

/// How far the model is read past the window's edges, in metres: the smooth filter looks at neighbours there.
const MARGIN_M: f32 = 400.0;
/// How far from the window's edges the detail fades, in metres, so that the ground meets what lies around it.
const FADE_M: f32 = 260.0;

/// The landscape. Its input `model` is the elevation model, placed so that the window's centre is the origin; the other
/// inputs are the script's settings. Outputs:
///
/// | output | what it is |
/// |---|---|
/// | `map` | the whole model at `map_spacing_m`, for the hillshade |
/// | `around` | the same, sunk beneath the window: what the picture shows behind it |
/// | `ground` | the window's heights |
/// | `steep`, `high` | masks: steepness in parts of [`STEEP_DEG`], height above the water in parts of [`HIGH_M`] |
/// | one a [layer](LAYERS) | how much of it covers the ground |
/// | `land` | the window as a mesh at `mesh_spacing_m`, coloured by its layers |
/// | one a [species](SPECIES) | its trees |
///
/// Everything that decides something is exact: the same trees stand in the same places on every device.
///
/// # Errors
/// Those of a build; there are none as it stands.
pub fn landscape() -> Result<GraphDef> {
    Graph::define("landscape", |g| {
        let model = g.raster("model");
        let map = g.add(Resample::new(model).spacing_m(g.float("map_spacing_m", 25.0)));
        g.output("map", map);
        g.output("around", around(g, map));

        let ground = ground(g, model);
        g.output("ground", ground);
        let (slope, above) = (g.add(Slope::new(ground)), g.add(Height::new(ground)) - water(g));
        let steep = g.add(Mask::new(ground, slope / STEEP_DEG));
        let high = g.add(Mask::new(ground, above / HIGH_M));
        g.output("steep", steep);
        g.output("high", high);
        for (name, weight) in LAYERS.into_iter().zip(cover(g, slope, above)) {
            g.output(name, g.add(Mask::new(ground, weight)));
        }

        g.output("land", land(g, ground));
        let surface = g.add(Surface::new(ground));
        for (name, trees) in SPECIES.into_iter().zip(forest::forest(g, surface, steep, high)) {
            g.output(name, trees);
        }
    })
}

fn water(g: &Graph) -> Float<'_> {
    g.float("water_m", 300.0)
}

fn size(g: &Graph) -> Float<'_> {
    g.float("size_m", 6000.0).range(100.0..=20_000.0)
}

/// How far a place lies inside the window's nearest edge, in metres; below 0 outside.
fn inside(g: &Graph) -> Float<'_> {
    let place = g.position();
    size(g) * 0.5 - place.x().abs().max(place.z().abs())
}

/// The window at the landscape's spacing, with relief finer than the model holds, worn until it rests.
fn ground<'g>(g: &'g Graph, model: Raster<'g>) -> Raster<'g> {
    let (half, side) = (size(g) * 0.5, size(g));
    let (from, reach) = (-half - MARGIN_M, side + 2.0 * MARGIN_M);
    let coarse = g.add(Window::new(model, from, from, reach, reach));
    let fine = g.add(Resample::new(coarse).spacing_m(g.float("spacing_m", 5.0)));
    let window = g.add(Window::new(fine, -half, -half, side, side));
    let rough = g.add(AddHeight::new(window).by(detail(g, window)));
    let steps = g.int("erosion_steps", 60);
    g.add(Thermal::new(rough).steps(steps).talus_deg(g.float("talus_deg", 36.0)))
}

/// Spurs and gullies on what stands above the valley floor, little on the floor itself.
fn detail<'g>(g: &'g Graph, window: Raster<'g>) -> Float<'g> {
    let place = g.position();
    let flat = vec3(place.x(), 0.0, place.z());
    let bends = g.add(Fbm::new(flat / 700.0).octaves(3).seed(3));
    let folds = g.add(Fbm::new(flat / 260.0 + bends * 0.5).octaves(6).seed(1));
    let grain = g.add(Fbm::new(flat / 60.0).octaves(4).seed(2));
    // Folded noise has sharp lines where it turns: gullies, since they point down.
    let gullies = folds.abs() * 2.4 - 0.5;
    let above = g.add(Height::new(window)) - water(g);
    let strength = 0.12 + 0.88 * above.smoothstep(10.0, 320.0);
    let edge = inside(g).smoothstep(0.0, FADE_M);
    (gullies + grain * 0.22) * strength * edge * g.float("detail_m", 16.0)
}

/// The model around the window: beneath it, it is sunk, so that the finer ground covers it.
fn around<'g>(g: &'g Graph, map: Raster<'g>) -> Raster<'g> {
    g.add(AddHeight::new(map).by(inside(g).smoothstep(0.0, 200.0) * -60.0))
}

/// How much of each layer covers the ground, from its slope in degrees and its height above the water.
fn cover<'g>(g: &'g Graph, slope: Float<'g>, above: Float<'g>) -> [Float<'g>; 4] {
    let place = g.position();
    let patches = g.add(Fbm::new(vec3(place.x(), 0.0, place.z()) / 140.0).octaves(4).seed(5));
    let rock = (slope + patches * 7.0).smoothstep(ROCK_DEG[0], ROCK_DEG[1]);
    let shore = (above + patches * 2.0).smoothstep(SHORE_M[0], SHORE_M[1]) * (1.0 - rock);
    let heath = (above + patches * 160.0).smoothstep(HEATH_M[0], HEATH_M[1]) * (1.0 - rock);
    let woodland = (1.0 - rock - shore - heath).max(0.0);
    [woodland, heath, rock, shore]
}

/// The window as a mesh for other programs, with a colour a point.
fn land<'g>(g: &'g Graph, ground: Raster<'g>) -> Geo<'g> {
    let coarse = g.add(Resample::new(ground).spacing_m(g.float("mesh_spacing_m", 10.0)));
    let mesh = g.add(Surface::new(coarse));
    let above = g.position().y() - water(g);
    let weights = cover(g, g.add(Slope::new(coarse)), above);
    let tints = crate::look::LAYER_COLORS;
    let mixed = weights
        .into_iter()
        .zip(tints)
        .map(|(weight, tint)| weight * Vec3::from(tint));
    match mixed.reduce(|sum, part| sum + part) {
        Some(color) => mesh.point().set("Cd", color),
        None => mesh,
    }
}
