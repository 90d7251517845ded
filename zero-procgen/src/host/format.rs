//! The kinds of files that a folder writes, by the ends of their names.

use super::folder::{Downloaded, Held};
use crate::error::{Error, Result};
use crate::export::{Glb, Material, obj_text, ply_bytes};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Geometries, each a node with a mesh; populations as instances.
    Glb,
    /// One geometry with its columns.
    Ply,
    /// Geometries as objects.
    Obj,
    /// One raster in grey, or the picture of a previewer.
    Png,
    /// One raster, every sample as it is.
    Exr,
    /// Anything in words.
    Txt,
}

/// The formats by the ends of names.
const FORMATS: [(&str, Format); 6] = [
    ("glb", Format::Glb),
    ("ply", Format::Ply),
    ("obj", Format::Obj),
    ("png", Format::Png),
    ("exr", Format::Exr),
    ("txt", Format::Txt),
];

/// The materials of a folder, and who wears them.
#[derive(Clone, Debug, Default)]
pub(super) struct Wardrobe {
    pub(super) materials: BTreeMap<String, Material>,
    /// By output.
    pub(super) worn: BTreeMap<String, String>,
}

impl Format {
    pub(super) fn of(file: &str) -> Result<Format> {
        let end = Path::new(file).extension().and_then(|end| end.to_str()).unwrap_or("");
        let found = FORMATS.iter().find(|(name, _)| *name == end);
        let (_, format) = found.ok_or_else(|| Error::Kind {
            what: format!("file '{file}'"),
            expected: format!("one of .{}", FORMATS.map(|(name, _)| name).join(", .")),
            found: format!(".{end}"),
        })?;
        if cfg!(not(feature = "images")) && matches!(format, Format::Png | Format::Exr) {
            return Err(Error::Refused(format!(
                "file '{file}': pictures are written with the feature `images`"
            )));
        }
        Ok(*format)
    }

    /// How many outputs a file of it takes.
    pub(super) fn takes_one(self) -> bool {
        matches!(self, Format::Ply | Format::Png | Format::Exr)
    }

    /// Refuses an output that a file of it can't hold.
    pub(super) fn accept(self, file: &str, output: &str, held: &Downloaded) -> Result<()> {
        let (geometry, raster) = (
            matches!(held.held, Held::Geometry(_)),
            matches!(held.held, Held::Raster(_)),
        );
        let (fits, expected) = match self {
            Format::Glb | Format::Ply | Format::Obj => (geometry, "a Geometry"),
            Format::Png => (
                raster || held.picture.is_some(),
                "a Raster, or a previewer that has a picture of it",
            ),
            Format::Exr => (raster, "a Raster"),
            Format::Txt => (true, "anything"),
        };
        match fits {
            true => Ok(()),
            false => Err(Error::Kind {
                what: format!("file '{file}', output '{output}'"),
                expected: expected.to_owned(),
                found: held.kind.clone(),
            }),
        }
    }

    /// The bytes of a file of these outputs, which [`accept`](Self::accept) let pass. `range` goes from black to white
    /// where a raster becomes grey.
    pub(super) fn bytes(
        self,
        outputs: &[(&str, &Downloaded)],
        wardrobe: &Wardrobe,
        range: Option<RangeInclusive<f32>>,
    ) -> Result<Vec<u8>> {
        let mut geometries = outputs.iter().filter_map(|(name, output)| match &output.held {
            Held::Geometry(geometry) => Some((*name, geometry)),
            _ => None,
        });
        match (self, outputs) {
            (Format::Glb, _) => {
                let mut glb = Glb::new();
                let worn: BTreeMap<&str, &str> = outputs
                    .iter()
                    .filter_map(|(name, _)| Some((*name, wardrobe.worn.get(*name)?.as_str())))
                    .collect();
                for (name, material) in &wardrobe.materials {
                    if worn.values().any(|worn| worn == name) {
                        glb = glb.named_material(name, *material)?;
                    }
                }
                for (name, geometry) in geometries {
                    glb = match worn.get(name) {
                        Some(material) => glb.add_wearing(name, geometry, material)?,
                        None => glb.add(name, geometry)?,
                    };
                }
                glb.to_bytes()
            }
            (Format::Ply, _) => geometries.next().map_or(Ok(Vec::new()), |(_, held)| ply_bytes(held)),
            (Format::Obj, _) => Ok(obj_text(geometries)?.into_bytes()),
            (Format::Txt, _) => {
                let told = outputs
                    .iter()
                    .map(|(name, held)| format!("{name}: {}\n", held.summary()));
                Ok(told.collect::<String>().into_bytes())
            }
            (Format::Png | Format::Exr, [(_, held), ..]) => picture(self, held, range),
            (Format::Png | Format::Exr, []) => Ok(Vec::new()),
        }
    }
}

#[cfg(feature = "images")]
fn picture(format: Format, held: &Downloaded, range: Option<RangeInclusive<f32>>) -> Result<Vec<u8>> {
    use crate::export::{exr_bytes, picture_bytes, png_bytes};
    match (&held.held, &held.picture) {
        (Held::Raster(raster), _) if format == Format::Exr => exr_bytes(raster),
        (Held::Raster(raster), _) => png_bytes(raster, range.unwrap_or_else(|| raster.extent())),
        (_, Some(picture)) => picture_bytes(picture),
        (_, None) => Ok(Vec::new()),
    }
}

/// No file has such a name without the feature: see [`Format::of`].
#[cfg(not(feature = "images"))]
fn picture(format: Format, _: &Downloaded, _: Option<RangeInclusive<f32>>) -> Result<Vec<u8>> {
    Err(Error::Refused(format!(
        "{format:?} is written with the feature `images`"
    )))
}
