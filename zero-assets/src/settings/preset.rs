//! [`Preset`]: settings under a name, as a `.preset` asset holds them.

use zero_vfs::Vfs;
use zero_yaml::{Field, Node, Position};

use super::Values;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::reader::Reader;
use crate::value;

/// The file that is the content of a preset.
pub(crate) const PRESET_FILE: &str = "preset.yaml";
pub(crate) const BROKEN: &str = "preset.broken";
pub(crate) const UNKNOWN_KEY: &str = "preset.unknown_key";

/// Settings under a name.
pub(crate) struct Preset {
    /// The type whose settings they are, as the preset's own library calls it.
    pub(crate) kind: String,
    pub(crate) kind_at: Position,
    /// The settings, each with its place.
    pub(crate) values: Vec<Field>,
}

impl Preset {
    /// What the preset says.
    ///
    /// # Errors
    /// [`Error::Broken`] where it does not say what a preset says, [`Error::Vfs`], [`Error::Yaml`],
    /// [`Error::NewerVersion`].
    pub(crate) fn load(vfs: &Vfs, asset: &Asset) -> Result<Self> {
        let file = asset.path.join(PRESET_FILE)?;
        let tree = Format::FIRST.read(vfs, &file)?;
        let mut reader = Reader::new(&file, BROKEN, UNKNOWN_KEY);
        let read = Self::read(&mut reader, &tree).filter(|_| !reader.has_errors());
        read.ok_or_else(|| {
            reader.told.retain(Diagnostic::is_error);
            Error::Broken {
                diagnostics: reader.told,
            }
        })
    }

    pub(crate) fn read(reader: &mut Reader<'_>, tree: &Node) -> Option<Self> {
        let keys = reader.keys(tree, "a preset.yaml", &["version", "for", "values"])?;
        Some(Self {
            kind: reader.needed_text(keys, "for")?,
            kind_at: keys.get("for").map_or(tree.at, |node| node.at),
            values: reader.entries(keys, "values"),
        })
    }

    /// The settings as they are laid under what a creation asks for.
    pub(crate) fn settings(&self) -> Values {
        let entries = self.values.iter();
        entries
            .map(|entry| (entry.key.clone(), value::of_node(&entry.node)))
            .collect()
    }
}
