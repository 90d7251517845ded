//! [`Refs`]: the sidecar in which an asset keeps its guid and the guids of what it depends on.

use serde::Serialize;
use zero_vfs::{Kind, Vfs, VfsPath};
use zero_yaml::Node;

use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::format::Format;
use crate::guid::Guid;
use crate::reader::Reader;

/// The sidecar in an asset's folder. That of an asset that is one file is the file's name with this at its end.
pub(crate) const REFS_FILE: &str = ".refs";
/// What links an asset to its type.
pub(crate) const VIA_TYPE: &str = "asset_type";

pub(crate) const FORMAT: Format = Format::FIRST;

const KEYS: &[&str] = &["version", "guid", "references", "derived", "pictured"];

/// What an asset's `.refs` says. The program writes it; a person has no need to.
///
/// ```yaml
/// version: 1
/// guid: 5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52
/// references:
/// - via: asset_type
///   name: note
///   guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refs {
    /// Which asset this is.
    pub guid: Option<Guid>,
    /// What it depends on, the link to its type among it.
    pub references: Vec<Pin>,
    /// What the file that is computed from the asset was made of, as a hash.
    pub derived: Option<String>,
    /// What the asset held when the picture that is kept of it was made, as a hash.
    pub pictured: Option<String>,
}

/// A dependency, held by the guid of what it names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Pin {
    /// How the asset names it: `asset_type`, a key (`key:shader`), a call (`call:g:node`), `require`.
    pub via: String,
    /// The name, as it is written.
    pub name: String,
    /// The type that the name resolved in.
    pub category: Option<String>,
    /// Which asset is meant, whatever it is called by now.
    pub guid: Guid,
}

impl Pin {
    /// The link to a type.
    pub(crate) fn asset_type(name: &str, guid: Guid) -> Self {
        Self {
            via: VIA_TYPE.to_owned(),
            name: name.to_owned(),
            category: None,
            guid,
        }
    }
}

#[derive(Serialize)]
struct RefsText {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<PinText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pictured: Option<String>,
}

#[derive(Serialize)]
struct PinText {
    via: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    guid: String,
}

impl Refs {
    /// Where the sidecar of the asset at `path` is.
    ///
    /// # Errors
    /// [`zero_vfs::Error::Path`] for a file whose name has no room for it.
    pub fn place(path: &VfsPath, form: Kind) -> zero_vfs::Result<VfsPath> {
        match form {
            Kind::Folder => path.join(REFS_FILE),
            Kind::File => VfsPath::parse(&format!("{path}{REFS_FILE}")),
        }
    }

    /// The link to the asset's type.
    #[must_use]
    pub fn asset_type(&self) -> Option<&Pin> {
        self.references.iter().find(|pin| pin.via == VIA_TYPE)
    }

    /// Puts the link to the type first, in place of the one that was there.
    pub(crate) fn set_type(&mut self, pin: Pin) {
        self.references.retain(|pin| pin.via != VIA_TYPE);
        self.references.insert(0, pin);
    }

    /// Reads the bytes of a sidecar; `path` is for messages. What does not fit is told and left out.
    #[must_use]
    pub fn parse(path: &VfsPath, bytes: &[u8]) -> (Self, Vec<Diagnostic>) {
        let tree = match FORMAT.parse(path, bytes) {
            Ok(tree) => tree,
            Err(error) => return (Self::default(), vec![Diagnostic::of_error("refs.broken", path, &error)]),
        };
        let mut reader = Reader::new(path, "refs.broken", "refs.unknown_key");
        let mut refs = Self::default();
        if let Some(keys) = reader.keys(&tree, "a .refs", KEYS) {
            refs.guid = keys.get("guid").and_then(|node| guid(&mut reader, node));
            for item in reader.items(keys, "references") {
                refs.references.extend(pin(&mut reader, item));
            }
            refs.derived = reader.text_of(keys, "derived");
            refs.pictured = reader.text_of(keys, "pictured");
        }
        (refs, reader.told)
    }

    /// The text of a sidecar, which [`Refs::parse`] reads.
    ///
    /// # Errors
    /// [`crate::Error::Yaml`] for a name that no YAML text can hold.
    pub fn to_text(&self) -> Result<String> {
        let pin = |pin: &Pin| PinText {
            via: pin.via.clone(),
            name: pin.name.clone(),
            category: pin.category.clone(),
            guid: pin.guid.to_string(),
        };
        Ok(zero_yaml::to_string(&RefsText {
            version: FORMAT.version(),
            guid: self.guid.map(|guid| guid.to_string()),
            references: self.references.iter().map(pin).collect(),
            derived: self.derived.clone(),
            pictured: self.pictured.clone(),
        })?)
    }

    /// The sidecar at `place`, or an empty one where none is.
    pub(crate) fn load(vfs: &Vfs, place: &VfsPath) -> (Self, Vec<Diagnostic>) {
        match vfs.read_bounded(place, FORMAT.max_bytes as u64) {
            Ok(bytes) => Self::parse(place, &bytes),
            Err(zero_vfs::Error::NotFound { .. }) => Default::default(),
            Err(error) => {
                let told = Diagnostic::error("refs.broken", place, error.to_string());
                (Self::default(), vec![told])
            }
        }
    }
}

fn guid(reader: &mut Reader<'_>, node: &Node) -> Option<Guid> {
    let text = reader.text(node, "`guid`")?;
    let guid = Guid::parse(&text);
    if guid.is_none() {
        reader.wrong(node.at, format!("`{text}` is no guid"));
    }
    guid
}

fn pin(reader: &mut Reader<'_>, node: &Node) -> Option<Pin> {
    let keys = reader.keys(node, "an entry of `references`", &["via", "name", "category", "guid"])?;
    let via = reader.needed_text(keys, "via")?;
    let name = reader.needed_text(keys, "name")?;
    let category = reader.text_of(keys, "category");
    let Some(node) = keys.get("guid") else {
        reader.wrong(node.at, "the key `guid` is missing");
        return None;
    };
    Some(Pin {
        via,
        name,
        category,
        guid: guid(reader, node)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let path = VfsPath::parse("/a.note/.refs").unwrap();
        let mut refs = Refs {
            guid: Some(Guid::random()),
            references: vec![Pin {
                via: "key:shader".to_owned(),
                name: "~.shaders.glow: \"x\"".to_owned(),
                category: Some("shader".to_owned()),
                guid: Guid::random(),
            }],
            derived: Some("made of this".to_owned()),
            pictured: Some("shows this".to_owned()),
        };
        refs.set_type(Pin::asset_type("note", Guid::random()));
        let (read, told) = Refs::parse(&path, refs.to_text().unwrap().as_bytes());
        assert_eq!((read, told), (refs, vec![]));
        let (read, told) = Refs::parse(&path, Refs::default().to_text().unwrap().as_bytes());
        assert_eq!((read, told), (Refs::default(), vec![]));
    }

    #[test]
    fn what_does_not_fit_is_told_and_the_rest_is_read() {
        let path = VfsPath::parse("/a.note/.refs").unwrap();
        let text = "guid: x\nextra: 1\nreferences:\n- via: require\n  name: a\n- via: require\n  name: b\n  guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n";
        let (read, told) = Refs::parse(&path, text.as_bytes());
        assert_eq!(read.guid, None);
        assert_eq!(read.references.len(), 1);
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "/a.note/.refs:2:1: warning[refs.unknown_key]: the key `extra` is not read",
                "/a.note/.refs:1:7: error[refs.broken]: `x` is no guid",
                "/a.note/.refs:4:3: error[refs.broken]: the key `guid` is missing",
            ]
        );
        let (_, told) = Refs::parse(&path, b"version: 2\n");
        assert!(
            told[0]
                .message
                .contains("it is of version 2; this program reads versions up to 1")
        );
    }
}
