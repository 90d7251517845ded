//! From a play's frames to the renderer's scene: what moved is uploaded, what stands is kept.

use crate::error::Result;
use crate::island::{TREE_M, island};
use zero_compute::{Device, Exec};
use zero_procgen::{Class, Clock, Frame, HostGeometry, Play, Present, Store, StoreOptions, inputs};
use zero_render::glam::Vec3;
use zero_render::{
    Instance, Material, MaterialHandle, Mesh, MeshData, Object, Renderer, Scene, Sun, TerrainLayer, TerrainMaterial,
    WaterPlane,
};

/// Milliseconds of a frame that the graph may take before the picture goes on without it.
const BUDGET_MS: f64 = 8.0;

/// The graph being played and what the renderer holds of it.
pub(crate) struct World {
    play: Play,
    tree_m: f32,
    /// Whether an input moved since the scene was made.
    moved: bool,
    sun_bearing_deg: f32,
    land: Option<Mesh>,
    ground: MaterialHandle,
    leaves: MaterialHandle,
    pub(crate) scene: Scene,
}

impl World {
    pub(crate) fn new(device: &Device, renderer: &Renderer) -> Result<Self> {
        let store = Store::new(device, StoreOptions::default());
        let tree_m = 7.0;
        let mut scene = Scene::default();
        scene.water = Some(WaterPlane::at(0.0));
        scene.atmosphere.haze = 1.5;
        let mut world = Self {
            play: Play::new(&store, &island()?, inputs! { tree_height: tree_m })?,
            tree_m,
            moved: true,
            sun_bearing_deg: 110.0,
            land: None,
            ground: renderer.upload_terrain_material(&ground())?,
            leaves: renderer.upload_material(&leaves())?,
            scene,
        };
        world.turn_sun(0.0);
        Ok(world)
    }

    /// Taller trees by so many metres, or lower ones: an input moves, and the graph follows within a few frames.
    pub(crate) fn grow(&mut self, metres: f32) -> Result<()> {
        self.tree_m = (self.tree_m + metres).clamp(TREE_M[0], TREE_M[1]);
        self.play.set_inputs(inputs! { tree_height: self.tree_m })?;
        self.moved = true;
        Ok(())
    }

    /// Moves the sun by so many degrees. It is the scene's alone, so nothing is cooked.
    pub(crate) fn turn_sun(&mut self, degrees: f32) {
        self.sun_bearing_deg = (self.sun_bearing_deg + degrees).rem_euclid(360.0);
        self.scene.sun = Sun::at_deg(self.sun_bearing_deg, 24.0);
    }

    /// Spends a little time on what moved, and takes it into the scene once it is whole. The scene stays as it was till
    /// then.
    pub(crate) fn advance(&mut self, renderer: &Renderer, clock: Clock) -> Result<()> {
        let exec = Exec {
            budget_ms: Some(BUDGET_MS),
            ..Exec::default()
        };
        self.present(renderer, clock, &exec)
    }

    /// The same, however long it takes.
    pub(crate) fn finish(&mut self, renderer: &Renderer, clock: Clock) -> Result<()> {
        while self.moved {
            self.present(renderer, clock, &Exec::default())?;
            self.play.device().poll();
        }
        Ok(())
    }

    fn present(&mut self, renderer: &Renderer, clock: Clock, exec: &Exec<'_>) -> Result<()> {
        if self.moved
            && let Present::Whole(frame) = self.play.present(clock, exec)?
        {
            self.scene.objects = self.objects(renderer, &frame)?;
            self.moved = false;
        }
        Ok(())
    }

    fn objects(&mut self, renderer: &Renderer, frame: &Frame) -> Result<Vec<Object>> {
        // No input of the graph moves the ground: one upload serves.
        let land = match &self.land {
            Some(land) => land.clone(),
            None => {
                let land = frame.geometry("land")?.download()?;
                renderer.upload_mesh(&mesh("land", &land)?)?
            }
        };
        self.land = Some(land.clone());
        let mut objects = vec![Object::new(&land, &self.ground)];
        let trees = frame.geometry("trees")?.download()?;
        let places = places(&trees)?;
        if let Some(tree) = trees.mesh()
            && !places.is_empty()
        {
            let tree = renderer.upload_mesh(&mesh("tree", tree)?)?;
            let places = renderer.upload_instances("trees", &places)?;
            objects.push(Object::instanced(&tree, &self.leaves, &places));
        }
        Ok(objects)
    }
}

fn ground() -> TerrainMaterial {
    let layer = |light: [f32; 3], dark: [f32; 3]| TerrainLayer::new(Vec3::from_array(light), Vec3::from_array(dark));
    TerrainMaterial::new(
        "ground",
        [
            layer([0.13, 0.17, 0.045], [0.06, 0.09, 0.025]).detail(22.0, 0.6),
            layer([0.24, 0.22, 0.12], [0.15, 0.14, 0.07])
                .detail(18.0, 0.7)
                .by_second_mask(0.6, 0.95)
                .ragged(0.15),
            layer([0.30, 0.28, 0.25], [0.15, 0.14, 0.13])
                .detail(12.0, 1.4)
                .strata(0.4)
                .by_first_mask(0.24, 0.34)
                .ragged(0.1),
            layer([0.52, 0.45, 0.32], [0.38, 0.32, 0.22])
                .detail(9.0, 0.15)
                .by_second_mask(0.06, 0.03)
                .ragged(0.02),
        ],
    )
}

fn leaves() -> Material {
    Material::new("leaves", Vec3::splat(0.95), 0.85)
        .translucent(0.4)
        .varied(0.3, 1.5)
}

/// Where each tree stands, with a green of its own.
fn places(trees: &HostGeometry) -> Result<Vec<Instance>> {
    let places = trees.vec3s(Class::Point, "P")?.iter();
    let poses = trees
        .floats(Class::Point, "yaw")?
        .iter()
        .zip(trees.floats(Class::Point, "scale")?);
    let (light, dark) = (Vec3::new(0.10, 0.15, 0.04), Vec3::new(0.03, 0.065, 0.025));
    let standing = places.zip(poses).map(|(place, (yaw_rad, scale))| {
        // Yaw is drawn by the tree's number, so that it serves as the draw of its colour too.
        let share = (yaw_rad / core::f32::consts::TAU).fract().abs();
        Instance::standing(Vec3::from_array(*place), *yaw_rad, *scale).tinted(light.lerp(dark, share))
    });
    Ok(standing.collect())
}

/// A geometry as the renderer takes it, with the columns it has.
fn mesh(name: &str, geometry: &HostGeometry) -> Result<MeshData> {
    let vectors = |column: &str| -> Result<Vec<Vec3>> {
        let lanes = geometry.vec3s(Class::Point, column)?;
        Ok(lanes.iter().copied().map(Vec3::from_array).collect())
    };
    let has = |column: &str| geometry.names(Class::Point).contains(&column);
    let mut masks = Vec::new();
    if has("steep") && has("high") {
        let (steep, high) = (
            geometry.floats(Class::Point, "steep")?,
            geometry.floats(Class::Point, "high")?,
        );
        masks.extend(steep.iter().zip(high).map(|(steep, high)| [*steep, *high]));
    }
    let mut colors = Vec::new();
    if has("Cd") {
        colors.extend(
            geometry
                .vec3s(Class::Point, "Cd")?
                .iter()
                .map(|[r, g, b]| [*r, *g, *b, 1.0]),
        );
    }
    let points = geometry.ints(Class::Vertex, "pt")?;
    Ok(MeshData {
        name: name.to_owned(),
        positions: vectors("P")?,
        normals: vectors("N")?,
        colors,
        masks,
        indices: points.iter().map(|point| point.cast_unsigned()).collect(),
        ..MeshData::default()
    })
}
