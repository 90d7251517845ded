//! `terrain.yaml`.

use super::VERSION;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Document, Limits};

pub(super) const FILE: &str = "terrain.yaml";

/// What a manifest says. A key of another name is refused: what it says of the ground would be lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) version: u32,
    /// Metres of ground along X and Z.
    pub(super) size: [f64; 2],
    /// The centre of that rectangle.
    pub(super) origin: [f64; 2],
    /// The lowest and the highest height.
    pub(super) height_range: [f32; 2],
    pub(super) height: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) water: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) water_shade: Option<Shade>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) controls: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) layers: Vec<LayerEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) scatter: Vec<ScatterEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Shade {
    pub(super) file: String,
    /// The deepest water, in metres.
    pub(super) depth_max: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LayerEntry {
    pub(super) name: String,
    #[serde(default = "white")]
    pub(super) tint: [f32; 3],
    pub(super) tiling: f32,
    /// Slices of textures, -1 for none.
    #[serde(default = "none")]
    pub(super) albedo_slice: i32,
    #[serde(default = "none")]
    pub(super) normal_slice: i32,
    #[serde(default = "none")]
    pub(super) mask_slice: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScatterEntry {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) count: u32,
}

impl Manifest {
    /// The names of the children.
    pub(super) fn children(&self) -> impl Iterator<Item = &str> {
        let shade = self.water_shade.iter().map(|shade| &shade.file);
        let files = self.scatter.iter().map(|entry| &entry.file);
        let textures = [&self.height].into_iter().chain(&self.water).chain(shade);
        textures.chain(&self.controls).chain(files).map(String::as_str)
    }
}

fn white() -> [f32; 3] {
    [1.0; 3]
}

fn none() -> i32 {
    -1
}

/// A manifest and the text that it was read from, which errors point into.
pub(super) struct Read {
    pub(super) manifest: Manifest,
    document: Document,
}

impl Read {
    pub(super) fn from(vfs: &Vfs, folder: &VfsPath) -> Result<Read> {
        let file = folder.join(FILE)?;
        let limits = Limits::default();
        let bytes = vfs.read_bounded(&file, limits.max_bytes as u64)?;
        let document = Document::parse_within(file.as_str(), &bytes, &limits)?;
        if !document.text().ends_with('\n') {
            return Err(Error::Data {
                file: file.to_string(),
                field: "the last line".to_owned(),
                expected: "its end".to_owned(),
                found: "none: the file may be cut short".to_owned(),
            });
        }
        // The version is read on its own and first: the rest of a newer file may not fit at all.
        let Version { version } = document.read()?;
        if version > VERSION {
            return Err(Error::NewerVersion {
                file: file.to_string(),
                found: version,
                known: VERSION,
            });
        }
        let read = Read {
            manifest: document.read()?,
            document,
        };
        read.check()?;
        Ok(read)
    }

    /// An error at a key of the manifest.
    pub(super) fn error(&self, steps: &[&str], expected: &str, found: impl std::fmt::Display) -> Error {
        let message = format!("{}: expected {expected}, got {found}", steps.join("."));
        self.document.error_at(steps, message).into()
    }

    /// What no type can say.
    fn check(&self) -> Result<()> {
        let Manifest {
            version,
            size,
            origin,
            height_range: [low, high],
            ..
        } = &self.manifest;
        if *version == 0 {
            return Err(self.error(&["version"], "a version, which count from 1", version));
        }
        if !size.iter().all(|side| side.is_finite() && *side > 0.0) {
            return Err(self.error(&["size"], "metres above 0", format!("{size:?}")));
        }
        if !origin.iter().all(|side| side.is_finite()) {
            return Err(self.error(&["origin"], "finite metres", format!("{origin:?}")));
        }
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return Err(self.error(
                &["heightRange"],
                "two heights, the lowest first",
                format!("{low} and {high}"),
            ));
        }
        let (controls, layers) = (self.manifest.controls.len(), self.manifest.layers.len());
        if controls != layers.div_ceil(4) {
            let expected = format!("{} control textures for {layers} layers", layers.div_ceil(4));
            return Err(self.error(&["controls"], &expected, controls));
        }
        for (at, layer) in self.manifest.layers.iter().enumerate() {
            let slices = [layer.albedo_slice, layer.normal_slice, layer.mask_slice];
            if slices != [-1; 3] {
                let steps = ["layers", &at.to_string()];
                return Err(self.error(
                    &steps,
                    "no texture slices (-1), which this version doesn't read",
                    format!("{slices:?}"),
                ));
            }
        }
        Ok(())
    }

    /// A child of the container by the name that a key gives it.
    pub(super) fn child(&self, folder: &VfsPath, steps: &[&str], name: &str, suffix: &str) -> Result<VfsPath> {
        match VfsPath::root().join(name) {
            Ok(path) if path.segments().count() == 1 && name.ends_with(suffix) => Ok(folder.join(name)?),
            _ => Err(self.error(
                steps,
                &format!("the name of a {suffix} in this folder"),
                format!("'{name}'"),
            )),
        }
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}
