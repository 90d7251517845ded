//! The files of a run, each whole or not at all.

use crate::cook::Landscape;
use crate::error::{Error, Result};
use crate::graph::{LAYERS, SPECIES};
use crate::look::{LAYER_COLORS, SPECIES_TINTS};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use std::path::{Path, PathBuf};
use zero_compute::Device;
use zero_examples::Elevation;
use zero_examples::hillshade::{self, Sun};
use zero_procgen::export::{Glb, Material};
use zero_render::Picture;
use zero_terrain::{Coverage, Heightfield, LayerInfo, TerrainData, Water};
use zero_vfs::{Access, FolderOptions, FolderSource, Mount, Sweep, Vfs, VfsPath};

/// The landscape as an asset.
pub const TERRAIN: &str = "jacksboro.terrainData";
/// The landscape for other programs.
pub const MESH: &str = "landscape.glb";
/// The whole model, shaded.
pub const HILLSHADE: &str = "hillshade.png";
/// The landscape as it looks.
pub const PICTURE: &str = "landscape.png";

/// The folder that a run writes into.
#[derive(Debug)]
pub struct Out {
    folder: PathBuf,
    vfs: Vfs,
    /// Left-overs of earlier runs that could not be removed, each with the reason.
    pub warnings: Vec<String>,
}

impl Out {
    /// Opens the folder, made where it is missing. It may be anyone's, of any size: nothing below it is looked at.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be made, [`Error::Vfs`] where it is no folder.
    pub fn open(folder: &Path) -> Result<Out> {
        std::fs::create_dir_all(folder).map_err(|source| Error::File {
            path: folder.to_owned(),
            source,
        })?;
        let options = FolderOptions::new(Access::ReadWrite).sweep(Sweep::Folder);
        let source = FolderSource::open_with(folder, &options)?;
        let failed = source.swept().failed.iter();
        let warnings = failed
            .map(|(path, error)| format!("{}: a left-over cannot be removed: {error}", path.display()))
            .collect();
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(VfsPath::root(), source))?;
        Ok(Out {
            folder: folder.to_owned(),
            vfs,
            warnings,
        })
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Within`] names the folder and the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = VfsPath::root().join(name)?;
        self.vfs
            .write(&path, bytes)
            .map_err(|error| Error::from(error).within(&self.folder))
    }

    /// Removes a file of an earlier run; answers whether there was one.
    ///
    /// # Errors
    /// [`Error::Within`] names the folder and the file.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let path = VfsPath::root().join(name)?;
        let removed = || {
            let there = matches!(self.vfs.stat(&path)?, Some(found) if found.kind == zero_vfs::Kind::File);
            if there {
                self.vfs.remove(&path)?;
            }
            Ok(there)
        };
        removed().map_err(|error: zero_vfs::Error| Error::from(error).within(&self.folder))
    }
}

/// The hillshade of the whole model as a PNG: shaded on the device, lit from the north-west as maps are.
///
/// # Errors
/// Those of the device, and of the encoder.
pub fn hillshade_png(device: &Device, map: &Heightfield) -> Result<Vec<u8>> {
    let grid = map.grid();
    let land = Elevation::new(grid.width, grid.height, grid.spacing_m, map.heights_m().to_vec())?;
    let light = hillshade::shade(device, &land, Sun::default())?;
    Ok(hillshade::png(&land, &light)?)
}

/// The landscape as an asset: ground, the water that floods it up to a height, layers and trees.
///
/// # Errors
/// [`Error::Terrain`] for what does not fit together.
pub fn terrain_data(landscape: &Landscape, water_m: f32) -> Result<TerrainData> {
    let layers = LAYERS.into_iter().zip(LAYER_COLORS).zip(&landscape.layers);
    let covers = layers.map(|((name, tint), weights)| {
        let mut info = LayerInfo::new(name);
        (info.tint, info.tiling_m) = (tint, 8.0);
        let weights = weights.clone();
        Coverage { info, weights }
    });
    let water = Water::flood(&landscape.ground, water_m)?;
    let mut data = TerrainData::new(landscape.ground.clone())
        .with_water(water)?
        .with_layers(covers.collect())?;
    for scatter in &landscape.scatters {
        data = data.with_scatter(scatter.clone())?;
    }
    Ok(data)
}

/// The landscape for other programs: the ground once, each species once with its poses.
///
/// # Errors
/// [`Error::Procgen`] for what glTF cannot say.
pub fn glb(landscape: &Landscape) -> Result<Glb> {
    let matt = |[red, green, blue]: [f32; 3]| Material {
        base_color: [red, green, blue, 1.0],
        ..Material::default()
    };
    let mut glb = Glb::new()
        .add("land", &landscape.land)?
        .material("land", matt([1.0; 3]))?;
    for ((name, trees), [light, dark]) in SPECIES.into_iter().zip(&landscape.trees).zip(SPECIES_TINTS) {
        let between = [0, 1, 2].map(|lane| 0.5 * (light[lane] + dark[lane]));
        glb = glb.add(name, trees)?.material(name, matt(between))?;
    }
    Ok(glb)
}

/// A picture as a PNG.
///
/// # Errors
/// [`Error::Picture`] where it cannot be encoded.
pub fn picture_png(picture: &Picture) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (pixels, _) = picture.rgba8.as_chunks::<4>();
    let rgb: Vec<u8> = pixels
        .iter()
        .flat_map(|[red, green, blue, _]| [*red, *green, *blue])
        .collect();
    PngEncoder::new(&mut bytes)
        .write_image(&rgb, picture.width, picture.height, ExtendedColorType::Rgb8)
        .map_err(|source| Error::Picture { name: PICTURE, source })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_to_write_into_is_swept_and_what_lies_below_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (here, below) = (
            folder.path().join(".zero-tmp-00000001-0000000000000000"),
            folder.path().join("theirs/.zero-tmp-00000001-0000000000000000"),
        );
        std::fs::create_dir(folder.path().join("theirs")).unwrap();
        std::fs::write(&here, b"half").unwrap();
        std::fs::write(&below, b"theirs").unwrap();
        let out = Out::open(folder.path()).unwrap();
        assert!(out.warnings.is_empty() && !here.exists() && below.exists());
        out.write("a.png", b"picture").unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.png")).unwrap(), b"picture");
    }
}
