//! The picture: the landscape under a sun, drawn without a window.

use crate::cook::Landscape;
use crate::error::Result;
use crate::graph::SPECIES;
use crate::look::{CLIFF_DEG, HEATH_M, LAYER_COLORS, ROCK_DEG, SHORE_M, SPECIES_TINTS};
use crate::settings::Settings;
use zero_noise::Scope;
use zero_procgen::{Class, HostGeometry};
use zero_render::glam::Vec3;
use zero_render::{
    Camera, FrameParams, Headless, Heightfield, Instance, Material, MeshData, Object, Picture, Renderer, Scene, Sun,
    TerrainLayer, TerrainMaterial, WaterPlane,
};

/// The size of the picture.
pub const SIZE: [u32; 2] = [1280, 720];

/// Draws the landscape from where the script says.
///
/// # Errors
/// [`Error::Render`](crate::Error::Render).
pub fn draw(headless: &Headless, landscape: &Landscape, settings: &Settings, size: [u32; 2]) -> Result<Picture> {
    let mut renderer = headless.renderer()?;
    let scene = scene(&renderer, landscape, settings)?;
    let mut params = FrameParams::new(size[0], size[1]);
    params.ev100 = settings.air.ev100;
    params.time_secs = 10.0;
    Ok(headless.render(&mut renderer, &scene, &camera(landscape, settings), params)?)
}

fn camera(landscape: &Landscape, settings: &Settings) -> Camera {
    let camera = settings.camera;
    let ground = landscape.ground.height_at(camera.x_m, camera.z_m).max(settings.water_m);
    let eye = Vec3::new(camera.x_m, ground + camera.above_m, camera.z_m);
    let (turn, pitch) = (camera.bearing_deg.to_radians(), camera.pitch_deg.to_radians());
    let ahead = Vec3::new(turn.sin() * pitch.cos(), pitch.sin(), -turn.cos() * pitch.cos());
    Camera::looking_at(eye, eye + ahead, camera.fov_deg.to_radians())
}

fn scene(renderer: &Renderer, landscape: &Landscape, settings: &Settings) -> Result<Scene> {
    let mut scene = Scene::default();
    scene.sun = Sun::at_deg(settings.sun.bearing_deg, settings.sun.height_deg);
    scene.atmosphere.haze = settings.air.haze;
    scene.water = Some(WaterPlane::at(settings.water_m));
    let material = renderer.upload_terrain_material(&ground_material())?;
    let masks = Some((&*landscape.steep, &*landscape.high));
    let (steep, high) = masks_around(&landscape.around, settings.water_m);
    for (name, ground, masks, cells) in [
        ("ground", &landscape.ground, masks, 120),
        ("around", &landscape.around, Some((&*steep, &*high)), 160),
    ] {
        let grid = ground.grid();
        let field = Heightfield {
            name,
            columns: grid.width,
            rows: grid.height,
            spacing_m: grid.spacing_m,
            origin: Vec3::new(grid.origin_m[0], 0.0, grid.origin_m[1]),
            heights_m: ground.heights_m(),
            first_mask: masks.map(|(first, _)| first),
            second_mask: masks.map(|(_, second)| second),
        };
        for tile in field.to_tiles(cells)? {
            scene
                .objects
                .push(Object::new(&renderer.upload_mesh(&tile)?, &material));
        }
    }
    for ((name, trees), tints) in SPECIES.into_iter().zip(&landscape.trees).zip(SPECIES_TINTS) {
        let (Some(tree), places) = (trees.mesh(), placements(trees, tints)?) else {
            continue;
        };
        if places.is_empty() {
            continue;
        }
        let leaves = Material::new(name, Vec3::splat(0.9), 0.85)
            .translucent(0.45)
            .varied(0.3, 2.5);
        let (mesh, material) = (
            renderer.upload_mesh(&mesh(name, tree)?)?,
            renderer.upload_material(&leaves)?,
        );
        let instances = renderer.upload_instances(name, &places)?;
        scene.objects.push(Object::instanced(&mesh, &material, &instances));
    }
    Ok(scene)
}

/// The two masks of ground that the graph makes none for: the same steepness and height above the water.
fn masks_around(ground: &zero_terrain::Heightfield, water_m: f32) -> (Vec<f32>, Vec<f32>) {
    let grid = *ground.grid();
    let place = |cell: u32, axis: usize| grid.origin_m[axis] + (cell as f32 + 0.5) * grid.spacing_m[axis];
    let cells = (0..grid.height).flat_map(|row| (0..grid.width).map(move |column| (column, row)));
    let steep = cells.map(|(column, row)| {
        let slope = ground.slope_at(place(column, 0), place(row, 1)).to_degrees();
        (slope / crate::graph::STEEP_DEG).min(1.0)
    });
    let high = ground.heights_m().iter();
    let high = high.map(|height| ((height - water_m) / crate::graph::HIGH_M).clamp(0.0, 1.0));
    (steep.collect(), high.collect())
}

/// The layers by the masks: the first is steepness, the second height above the water.
fn ground_material() -> TerrainMaterial {
    let [woodland, heath, rock, shore] = LAYER_COLORS.map(Vec3::from_array);
    let steep = |degrees: f32| degrees / crate::graph::STEEP_DEG;
    let high = |metres: f32| metres / crate::graph::HIGH_M;
    TerrainMaterial::new(
        "ground",
        [
            TerrainLayer::new(woodland * 1.35, woodland * 0.7).detail(38.0, 1.6),
            TerrainLayer::new(heath * 1.2, heath * 0.75)
                .detail(70.0, 1.8)
                .by_second_mask(high(HEATH_M[0]), high(HEATH_M[1]))
                .ragged(0.2),
            TerrainLayer::new(rock * 0.95, rock * 0.6)
                .detail(24.0, 1.2)
                .by_first_mask(steep(ROCK_DEG[0]), steep(ROCK_DEG[1]))
                .ragged(0.2),
            TerrainLayer::new(rock * 1.2, rock * 0.65)
                .detail(90.0, 6.0)
                .by_first_mask(steep(CLIFF_DEG[0]), steep(CLIFF_DEG[1]))
                .strata(0.7)
                .ragged(0.15),
            TerrainLayer::new(shore * 1.1, shore * 0.75)
                .detail(14.0, 0.3)
                .by_second_mask(high(SHORE_M[0]), high(SHORE_M[1]))
                .ragged(0.002),
        ],
    )
}

/// Where each tree stands, and its colour: drawn by its number, between its kind's two.
fn placements(trees: &HostGeometry, [light, dark]: [[f32; 3]; 2]) -> Result<Vec<Instance>> {
    let (light, dark) = (Vec3::from_array(light), Vec3::from_array(dark));
    let places = trees.vec3s(Class::Point, "P")?;
    let poses = trees
        .floats(Class::Point, "yaw")?
        .iter()
        .zip(trees.floats(Class::Point, "scale")?);
    let trees = places.iter().zip(poses).zip(0u32..);
    Ok(trees
        .map(|((place, (yaw_rad, scale)), number)| {
            let draw = |channel: &str| Scope::new(1).text(channel).uint(number).unit();
            let tint = light.lerp(dark, draw("tint")) * (0.8 + 0.4 * draw("shade"));
            Instance::standing(Vec3::from_array(*place), *yaw_rad, *scale).tinted(tint)
        })
        .collect())
}

/// A tree as the renderer takes it.
fn mesh(name: &str, tree: &HostGeometry) -> Result<MeshData> {
    let vectors = |column: &str| -> Result<Vec<Vec3>> {
        let lanes = tree.vec3s(Class::Point, column)?;
        Ok(lanes.iter().copied().map(Vec3::from_array).collect())
    };
    let colors = vectors("Cd")?.into_iter().zip(tree.floats(Class::Point, "open")?);
    Ok(MeshData {
        name: name.to_owned(),
        positions: vectors("P")?,
        normals: vectors("N")?,
        colors: colors.map(|(color, open)| color.extend(*open).to_array()).collect(),
        indices: tree
            .ints(Class::Vertex, "pt")?
            .iter()
            .map(|point| point.cast_unsigned())
            .collect(),
        ..MeshData::default()
    })
}
