//! Landscapes as assets: a manifest and the textures that it names by role.

mod children;
mod files;
mod folder;
mod layers;
mod manifest;
mod scatter;
mod temporary;
mod water;

pub use layers::{Coverage, Layer, LayerInfo};
pub use scatter::{Instance, Scatter};
pub use water::Water;

use crate::error::{Error, Result};
use crate::heightfield::Heightfield;
use std::path::Path;
use zero_assets::Loaded;
use zero_vfs::{Access, FolderSource, MemorySource, Mount, Vfs, VfsPath};

/// The version of the manifest that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// How the name of a landscape's folder ends.
pub const SUFFIX: &str = ".terrainData";

/// A landscape at rest: its ground, what covers it, and what stands on it.
///
/// On a disk it is a folder `NAME.terrainData`: the manifest `terrain.yaml` says where the ground stands and which child
/// plays which role. The children:
///
/// | child | what it holds |
/// |---|---|
/// | `height.texture` | `rgba32f` (OpenEXR): the height in metres, its rise along X and Z, and 1, that there is ground |
/// | `water.texture` | `rgba32f`, where it has water: the height of the surface in metres, and 1 where it covers the ground |
/// | `water_shade.texture` | `rgba8`, beside it: the depth over the deepest, which the manifest tells, and coverage |
/// | `controlN.texture` | `rgba8` (PNG): how much of each of four layers covers a texel; they sum to one |
/// | `scatter_NAME.instances` | where the copies of a population stand |
///
/// What else lies in the folder is somebody's: it is left alone, and stays when the landscape is written again.
///
/// Rows go along +Z. The same landscape is the same bytes on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainData {
    ground: Heightfield,
    water: Option<Water>,
    layers: Vec<Layer>,
    scatters: Vec<Scatter>,
}

impl TerrainData {
    /// Bare ground.
    pub fn new(ground: Heightfield) -> TerrainData {
        TerrainData {
            ground,
            water: None,
            layers: Vec::new(),
            scatters: Vec::new(),
        }
    }

    /// With these layers in place of the ones it has, in channel order. Their coverage at a sample is divided by its sum,
    /// so that the shares add up to one; where none covers, the first layer does.
    ///
    /// # Errors
    /// [`Error::Value`] naming the layer, for a name that is no identifier or is taken, numbers out of range, and coverage
    /// that is not one number from 0 to 1 a sample of the ground.
    pub fn with_layers(mut self, coverage: Vec<Coverage>) -> Result<TerrainData> {
        self.layers = layers::normalized(self.ground.grid(), coverage)?;
        Ok(self)
    }

    /// With this water in place of what it has; water that covers nothing leaves it dry.
    ///
    /// # Errors
    /// [`Error::Value`] for water over another number of samples than the ground has.
    pub fn with_water(mut self, water: Water) -> Result<TerrainData> {
        let (expected, found) = (self.ground.heights_m().len(), water.samples());
        if found != expected {
            let expected = format!("{expected} samples, as the ground has");
            return Err(Error::value("the water", expected, found));
        }
        self.water = (water.covered() > 0).then_some(water);
        Ok(self)
    }

    /// With one population more.
    ///
    /// # Errors
    /// [`Error::Value`] where its name is no identifier or is taken.
    pub fn with_scatter(mut self, scatter: Scatter) -> Result<TerrainData> {
        check_name("the scatter", scatter.name())?;
        if self.scatters.iter().any(|held| held.name() == scatter.name()) {
            return Err(Error::value(
                "the scatter's name",
                "one of its own",
                format!("'{}' again", scatter.name()),
            ));
        }
        self.scatters.push(scatter);
        Ok(self)
    }

    /// The ground.
    pub fn ground(&self) -> &Heightfield {
        &self.ground
    }
    /// The water that stands over it; `None` where it is dry.
    pub fn water(&self) -> Option<&Water> {
        self.water.as_ref()
    }
    /// What covers it, in channel order.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }
    /// What stands on it, in the order it was added.
    pub fn scatters(&self) -> &[Scatter] {
        &self.scatters
    }
    /// The control texture and the channel of a layer, both from 0.
    pub fn layer_slot(&self, name: &str) -> Option<(usize, usize)> {
        let at = self.layers.iter().position(|layer| layer.info().name == name)?;
        Some((at / 4, at % 4))
    }

    /// Writes the landscape as the folder, whose name ends with `.terrainData`, whole or not at all: into a folder beside
    /// it, every file synced, which then takes its place. What goes wrong before that leaves the path as it was and nothing
    /// beside it. A landscape that stood there changes places with the new one in one step on Linux; elsewhere it is moved
    /// aside first, and a machine that stops between those two moves leaves it under a hidden name, whole, from where the
    /// next write puts it back. Programs that write one landscape at once wait for each other and the last one stands.
    /// What else lay in its folder is copied into the new one: beside the manifest, not within the children that are
    /// written. What programs that were stopped left beside it is removed.
    ///
    /// # Errors
    /// [`Error::Value`] for a path of another name, [`Error::File`] where it can't be written, and where something stands
    /// there that is no landscape, which is left alone; [`Error::Vfs`] where something else in it can't be read.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<()> {
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(VfsPath::root(), MemorySource::new("landscape")))?;
        self.save(&vfs, &VfsPath::root())?;
        let mut files = Vec::new();
        for path in vfs.walk(&VfsPath::root())?.files {
            files.push((path.as_str().trim_start_matches('/').to_owned(), vfs.read(&path)?));
        }
        let folder = folder.as_ref();
        if folder.join(manifest::FILE).is_file() {
            let mut before = Vfs::new();
            let source = FolderSource::open(folder, Access::ReadOnly)?;
            before.mount(Mount::new(VfsPath::root(), source))?;
            for (path, bytes) in children::others(&before, &VfsPath::root())? {
                // A child of the new landscape takes the place of what has its name.
                let first = path.segments().next().unwrap_or_default();
                if vfs.stat(&VfsPath::root().join(first)?)?.is_none() {
                    files.push((path.as_str().trim_start_matches('/').to_owned(), bytes));
                }
            }
        }
        folder::write_whole(folder, &files)
    }

    /// Reads the landscape in a folder.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn read(folder: impl AsRef<Path>) -> Result<Loaded<TerrainData>> {
        let source = FolderSource::open(folder, Access::ReadOnly)?;
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(VfsPath::root(), source))?;
        TerrainData::load(&vfs, &VfsPath::root())
    }
}

/// Refuses a name that is not a letter or `_`, then letters, digits and `_`: it becomes part of a file's name.
fn check_name(what: &str, name: &str) -> Result<()> {
    let mut letters = name.chars();
    let begins = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if begins && name.len() <= 64 && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Ok(());
    }
    Err(Error::value(
        format!("the name of {what}"),
        "at most 64 letters, digits and _, no digit first",
        format!("'{name}'"),
    ))
}
