//! Cooking the graph and reading back what the files and the picture are made of.

use crate::content::Content;
use crate::error::Result;
use crate::graph::{LAYERS, SPECIES, landscape};
use crate::settings::Settings;
use zero_compute::{Device, Exec, Progress, Stats};
use zero_examples::whole_with;
use zero_procgen::{Clock, Frame, HostGeometry, Inputs, Play, Store, StoreOptions};
use zero_terrain::{Heightfield, Scatter};

/// From one sample of the hillshade to the next, in metres.
const MAP_SPACING_M: f32 = 25.0;
/// A mesh for other programs has at most this many triangles; a finer landscape is read at a wider spacing for it.
pub const MESH_TRIANGLES: f64 = 1.0e6;

/// A graph that was cooked, on its device.
#[derive(Debug)]
pub struct Cooked {
    frame: Frame,
    /// What the device did for it.
    pub stats: Stats,
}

/// What a cook made, on the host.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// The whole model, for the hillshade.
    pub map: Heightfield,
    /// The whole model, sunk beneath the window.
    pub around: Heightfield,
    /// The window.
    pub ground: Heightfield,
    /// The mask of steepness, a number a sample of the ground.
    pub steep: Vec<f32>,
    /// The mask of height, a number a sample of the ground.
    pub high: Vec<f32>,
    /// How much of each layer covers a sample, in the order of [`LAYERS`].
    pub layers: Vec<Vec<f32>>,
    /// The window as a mesh.
    pub land: HostGeometry,
    /// The trees of each species, in the order of [`SPECIES`].
    pub trees: Vec<HostGeometry>,
    /// The same as populations.
    pub scatters: Vec<Scatter>,
}

/// The spacing of the mesh for other programs: the landscape's, or the next multiple of it that keeps the mesh within
/// [`MESH_TRIANGLES`].
pub fn mesh_spacing_m(settings: &Settings) -> f32 {
    let window = settings.window;
    let triangles = |times: f64| {
        let side = f64::from(window.size_m) / (f64::from(window.spacing_m) * times);
        2.0 * side * side
    };
    let mut times = 1.0;
    while triangles(times) > MESH_TRIANGLES {
        times += 1.0;
    }
    window.spacing_m * times as f32
}

fn inputs(device: &Device, content: &Content) -> Result<Inputs> {
    let (settings, land) = (&content.settings, content.model.elevation());
    let window = settings.window;
    let origin = [-window.x_m, -window.z_m];
    let (cell_m, heights_m) = (land.cell_m(), land.heights_m());
    let model = zero_terrain::upload_heights(device, land.columns(), land.rows(), cell_m, origin, heights_m)?;
    Ok(zero_procgen::inputs! {
        model: model,
        map_spacing_m: MAP_SPACING_M,
        size_m: window.size_m,
        spacing_m: window.spacing_m,
        mesh_spacing_m: mesh_spacing_m(settings),
        water_m: settings.water_m,
        detail_m: settings.detail_m,
        erosion_steps: settings.erosion.steps,
        talus_deg: settings.erosion.talus_deg,
        broadleaf_count: settings.trees.broadleaf,
        conifer_count: settings.trees.conifer,
    })
}

/// Uploads the model and cooks the graph, and waits for it, telling how far it is.
///
/// # Errors
/// Those of the graph, by the line that made the node, and of the device.
pub fn cook(device: &Device, content: &Content, progress: &dyn Progress) -> Result<Cooked> {
    let counting = device.counting();
    let graph = landscape()?;
    let store = Store::new(device, StoreOptions::default());
    let mut play = Play::new(&store, &graph, inputs(device, content)?)?;
    let exec = Exec {
        progress,
        ..Exec::default()
    };
    let frame = whole_with(&mut play, Clock::default(), &exec)?;
    Ok(Cooked {
        frame,
        stats: counting.delta(),
    })
}

impl Cooked {
    /// Reads everything back.
    ///
    /// # Errors
    /// Those of the device.
    pub fn download(&self) -> Result<Landscape> {
        let heights = |name: &str| -> Result<Heightfield> { Ok(Heightfield::download(self.frame.raster(name)?)?) };
        let weights =
            |name: &str| -> Result<Vec<f32>> { Ok(self.frame.raster(name)?.samples().read::<f32>()?.wait()?) };
        let trees = SPECIES.map(|name| self.frame.geometry(name));
        let (mut meshes, mut scatters) = (Vec::new(), Vec::new());
        for (name, population) in SPECIES.into_iter().zip(trees) {
            let population = population?;
            meshes.push(population.download()?);
            scatters.push(Scatter::download(name, population)?);
        }
        Ok(Landscape {
            map: heights("map")?,
            around: heights("around")?,
            ground: heights("ground")?,
            steep: weights("steep")?,
            high: weights("high")?,
            layers: LAYERS.into_iter().map(weights).collect::<Result<_>>()?,
            land: self.frame.geometry("land")?.download()?,
            trees: meshes,
            scatters,
        })
    }
}
