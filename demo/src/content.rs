//! What the demo reads: its content in a virtual file system, and the elevation model in it.

use crate::error::{Error, Result};
use crate::settings::Settings;
use std::path::Path;
use std::sync::Arc;
use zero_assets::{Assets, Diagnostic, Loaded, Rows, Severity, Texture, TextureLimits, builtin};
use zero_examples::Elevation;
use zero_vfs::{Access, EmbeddedSource, FolderSource, Mount, Vfs, VfsPath, embed_files};

/// The elevation model's identity among the assets.
pub const MODEL: &str = "jacksboro";
/// The identity of the script that says what is made.
pub const SCRIPT: &str = "demo";

/// Where the content comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentFrom<'a> {
    /// The files that are part of the program.
    Program,
    /// A folder that holds `jacksboro.texture` and `demo.script`.
    Folder(&'a Path),
}

/// The content, read and checked.
#[derive(Clone, Debug)]
pub struct Content {
    /// The elevation model.
    pub model: Arc<Model>,
    /// What the script says.
    pub settings: Settings,
    /// What is to be said of the content, errors apart.
    pub warnings: Vec<Diagnostic>,
}

impl Content {
    /// Mounts the content and the built-in types, reads the elevation model as an asset and runs the script.
    ///
    /// # Errors
    /// Each names the file: what is missing, does not decode, or says what can't be.
    pub fn load(from: ContentFrom<'_>) -> Result<Content> {
        let mut vfs = Vfs::new();
        vfs.mount(builtin()?)?;
        for mount in mounts(from)? {
            vfs.mount(mount)?;
        }
        Content::of(&Arc::new(vfs))
    }

    /// Reads the content of a virtual file system that holds it and the built-in types.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn of(vfs: &Arc<Vfs>) -> Result<Content> {
        let assets = Assets::load(vfs)?;
        let (errors, mut warnings): (Vec<_>, Vec<_>) = assets
            .diagnostics()
            .iter()
            .cloned()
            .partition(|told| told.severity == Severity::Error);
        if !errors.is_empty() {
            let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
            return Err(Error::Content(told.join("; ")));
        }
        let texture = &assets.find(MODEL)?.path;
        let Loaded { value, diagnostics } = Texture::load(vfs, texture, &TextureLimits::default())?;
        warnings.extend(diagnostics);
        let model = Arc::new(Model::of(&value)?);
        let script = assets.find(SCRIPT)?.path.join("init.luau")?;
        Ok(Content {
            settings: Settings::from_script(vfs, &script, &model)?,
            model,
            warnings,
        })
    }
}

fn mounts(from: ContentFrom<'_>) -> Result<Vec<Mount>> {
    let source = VfsPath::parse(zero_assets::SOURCE)?;
    Ok(match from {
        ContentFrom::Folder(folder) => vec![Mount::new(source, FolderSource::open(folder, Access::ReadOnly)?)],
        ContentFrom::Program => {
            let model = embed_files!(
                "../../examples/content",
                [
                    "jacksboro.texture/README.md",
                    "jacksboro.texture/elevation.png",
                    "jacksboro.texture/texture.yaml",
                ]
            );
            let script = embed_files!("../content", ["demo.script/init.luau"]);
            vec![
                Mount::new(source.clone(), EmbeddedSource::new("the examples' content", model)?),
                Mount::new(source, EmbeddedSource::new("the demo's content", script)?),
            ]
        }
    })
}

/// An elevation model on the host: rows from the north.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    elevation: Elevation,
}

impl Model {
    /// Reads the heights of a texture.
    ///
    /// # Errors
    /// [`Error::Asset`] for a texture that says nothing of heights, [`Error::Host`] for a height that is not finite.
    pub fn of(texture: &Texture) -> Result<Model> {
        let mut heights_m = texture.heights_m()?;
        let [columns, rows] = texture.info.size;
        let elevation = texture.info.elevation.as_ref().ok_or(zero_assets::Error::NoElevation)?;
        if elevation.rows == Rows::SouthToNorth {
            let turned: Vec<f32> = heights_m.chunks(columns as usize).rev().flatten().copied().collect();
            heights_m = turned;
        }
        let cell_m = elevation.cell_size_m.map(|side| side as f32);
        Ok(Model {
            elevation: Elevation::new(columns, rows, cell_m, heights_m)?,
        })
    }

    /// The heights.
    pub fn elevation(&self) -> &Elevation {
        &self.elevation
    }

    /// The lowest and the highest cell of a square window about a place in metres from the north-west corner.
    ///
    /// # Errors
    /// [`Error::Setting`] for a window that holds no cell.
    pub fn range_m(&self, x_m: f64, z_m: f64, size_m: f64) -> Result<(f64, f64)> {
        let land = &self.elevation;
        let inside = |cell: u32, side: f32, centre: f64| {
            let place = (f64::from(cell) + 0.5) * f64::from(side);
            (place - centre).abs() <= size_m / 2.0
        };
        let [cell_x, cell_z] = land.cell_m();
        let heights = (0..land.rows())
            .filter(|row| inside(*row, cell_z, z_m))
            .flat_map(|row| (0..land.columns()).map(move |column| (column, row)))
            .filter(|(column, _)| inside(*column, cell_x, x_m))
            .filter_map(|(column, row)| land.heights_m().get((row * land.columns() + column) as usize));
        let range = heights.fold(None, |range: Option<(f64, f64)>, height| {
            let height = f64::from(*height);
            Some(range.map_or((height, height), |(low, high)| (low.min(height), high.max(height))))
        });
        range.ok_or_else(|| Error::Setting {
            script: SCRIPT.to_owned(),
            setting: "a window".to_owned(),
            expected: "cells of the model in it".to_owned(),
            found: format!("none within {size_m} m about ({x_m}, {z_m})"),
        })
    }
}
