//! Sheets that are saved to be used again: the payload, the folder and the library.

mod beside;
mod folder;
mod library;
mod name;
mod payload;

pub use folder::FolderStore;
pub use library::{Library, MemoryStore, TemplateStore};
pub(crate) use payload::{read as read_payload, write as write_payload};

use crate::canvas::Canvas;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// The file of a template's folder that holds the sheet.
pub const PAYLOAD_FILE: &str = "template.pixbin";
/// The file of a template's folder that holds what tools and search know of it.
pub const METADATA_FILE: &str = ".metadata";
/// What a template's folder is called after its name.
pub const FOLDER_SUFFIX: &str = ".pixelTemplate";
/// The version of the payload that this crate writes, and the only one that it reads.
pub const PAYLOAD_VERSION: u32 = 1;

/// The files of a template's folder, by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What tools and search know of a template: `.metadata`, a JSON object. Fields that this crate does not know are
/// kept as they are.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Metadata {
    /// What the sheet shows, in a sentence.
    #[serde(default)]
    pub description: String,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// All other fields: by any name but `description` and `tags`.
    #[serde(flatten)]
    pub fields: BTreeMap<String, serde_json::Value>,
}

impl Metadata {
    /// A description and tags.
    #[must_use]
    pub fn new<'a>(description: &str, tags: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            description: description.to_owned(),
            tags: tags.into_iter().map(str::to_owned).collect(),
            fields: BTreeMap::new(),
        }
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|error| Error::Template {
            file: METADATA_FILE,
            problem: error.to_string(),
        })
    }

    fn write(&self) -> Result<Vec<u8>> {
        if let Some(field) = ["description", "tags"]
            .into_iter()
            .find(|field| self.fields.contains_key(*field))
        {
            return Err(Error::Template {
                file: METADATA_FILE,
                problem: format!(
                    "`{field}` is among `Metadata::fields`; it has a place of its own, `Metadata::{field}`"
                ),
            });
        }
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| Error::Template {
            file: METADATA_FILE,
            problem: error.to_string(),
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// A saved sheet. It holds a copy: neither the canvas that it was made of nor one made of it is linked to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    sheet: Canvas,
    metadata: Metadata,
}

impl Template {
    /// A copy of a canvas, stopped, as a template.
    #[must_use]
    pub fn new(canvas: &Canvas, metadata: Metadata) -> Self {
        let mut sheet = canvas.clone();
        sheet.stop();
        Self { sheet, metadata }
    }

    /// The saved sheet.
    #[must_use]
    pub fn sheet(&self) -> &Canvas {
        &self.sheet
    }

    /// What tools and search know of it.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// A fresh canvas: a copy of the sheet, stopped, that nobody has seen a change of yet.
    #[must_use]
    pub fn instantiate(&self) -> Canvas {
        let frames = self.sheet.frames.iter().map(|frame| frame.pixels().to_vec()).collect();
        let sheet = &self.sheet;
        let mut canvas = Canvas::with_frames(sheet.width, sheet.height, sheet.palette.clone(), frames);
        canvas.pixel_size_m = sheet.pixel_size_m;
        canvas.plane = sheet.plane;
        canvas.active = sheet.active;
        canvas.playback = sheet.playback.clone();
        canvas
    }

    /// The files of its folder: `template.pixbin` and `.metadata`.
    ///
    /// # Errors
    /// [`Error::Template`] when the metadata's other fields have a `description` or `tags`.
    pub fn to_files(&self) -> Result<Files> {
        Ok(Files::from([
            (PAYLOAD_FILE.to_owned(), self.sheet.to_pixbin()),
            (METADATA_FILE.to_owned(), self.metadata.write()?),
        ]))
    }

    /// A template of the files of its folder. Other files than the two are passed over.
    ///
    /// # Errors
    /// [`Error::Template`] when one is missing or holds something else than it must; the field is named.
    pub fn from_files(files: &Files) -> Result<Self> {
        let file = |file: &'static str, problem: &str| {
            files.get(file).ok_or_else(|| Error::Template {
                file,
                problem: problem.to_owned(),
            })
        };
        let sheet = file(
            PAYLOAD_FILE,
            "this file is missing: the template has no saved sheet; `Library::replace` saves one",
        )?;
        let metadata = file(
            METADATA_FILE,
            "this file is missing; a pixelTemplate folder holds template.pixbin and .metadata",
        )?;
        Ok(Self {
            sheet: Canvas::from_pixbin(sheet)?,
            metadata: Metadata::read(metadata)?,
        })
    }
}

impl Canvas {
    /// The canvas as the payload of a template, `template.pixbin`: JSON with one pixel row a line. Equal canvases
    /// give equal bytes.
    #[must_use]
    pub fn to_pixbin(&self) -> Vec<u8> {
        write_payload(self)
    }

    /// A canvas of a template's payload.
    ///
    /// # Errors
    /// [`Error::Template`], naming the field and the line: what is no JSON, a field missing, unknown or twice, another
    /// version, a size out of range, arrays of a wrong length, an entry that the palette lacks, frames that disagree
    /// with `pixels`.
    pub fn from_pixbin(bytes: &[u8]) -> Result<Self> {
        read_payload(bytes)
    }
}
