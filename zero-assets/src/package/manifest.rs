//! [`Manifest`]: what a packed package holds, file by file.

use std::collections::BTreeMap;

use semver::Version;
use serde::Serialize;
use zero_vfs::{ContentHash, Kind, VfsPath};
use zero_yaml::Node;

use super::info::{Requirement, requirement};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::guid::Guid;
use crate::reader::{Keys, Reader};
use crate::refs::Refs;

/// The file of a packed package that lists the rest.
pub(super) const MANIFEST_FILE: &str = "/manifest.yaml";
/// The folder of a packed package that holds the files, each at its place below a world's source.
pub(super) const FILES_FOLDER: &str = "/files";

const FORMAT: Format = Format {
    max_bytes: 16 << 20,
    max_nodes: 1_000_000,
    ..Format::FIRST
};

/// What a packed package holds: the package and all that it depends on, each a [`Part`] that is installed whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// What it is.
    pub description: String,
    /// Which asset it is: the guid of the last part.
    pub guid: Guid,
    /// Packages that must be there, in these versions.
    pub dependencies: Vec<Requirement>,
    /// Assets of libraries that must be there: they are not packed.
    pub needs: Vec<Need>,
    /// What is installed, in this order: what the package depends on, then the package.
    pub parts: Vec<Part>,
}

/// An asset of a library that a package needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Need {
    /// Which asset.
    pub guid: Guid,
    /// Its identity where the package was made, for messages.
    pub identity: String,
}

/// An asset with all that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Where it goes below a world's source.
    pub path: VfsPath,
    /// Which asset it is.
    pub guid: Guid,
    /// The name of its type.
    pub kind: String,
    /// Which package it is, where it is one.
    pub package: Option<PackageId>,
    /// Its files, each where it goes below a world's source.
    pub files: BTreeMap<VfsPath, FileEntry>,
}

/// A package in one of its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackageId {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Version,
}

/// A file of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileEntry {
    /// Its length.
    pub bytes: u64,
    /// Its content.
    pub hash: ContentHash,
}

impl Part {
    /// Whether it is a folder or one file.
    #[must_use]
    pub fn form(&self) -> Kind {
        match self.files.contains_key(&self.path) {
            true => Kind::File,
            false => Kind::Folder,
        }
    }

    /// The sidecar that holds its guid.
    pub(super) fn sidecar(&self) -> Result<VfsPath> {
        Ok(Refs::place(&self.path, self.form())?)
    }
}

#[derive(Serialize)]
struct ManifestText<'a> {
    version: u32,
    package: PackageText<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependencies: Vec<RequirementText<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needs: Vec<NeedText<'a>>,
    parts: Vec<PartText<'a>>,
}

#[derive(Serialize)]
struct PackageText<'a> {
    name: &'a str,
    version: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    guid: String,
}

#[derive(Serialize)]
struct RequirementText<'a> {
    name: &'a str,
    version: String,
}

#[derive(Serialize)]
struct NeedText<'a> {
    identity: &'a str,
    guid: String,
}

#[derive(Serialize)]
struct PartText<'a> {
    path: &'a str,
    guid: String,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<PackageIdText<'a>>,
    files: Vec<FileText<'a>>,
}

#[derive(Serialize)]
struct PackageIdText<'a> {
    name: &'a str,
    version: String,
}

#[derive(Serialize)]
struct FileText<'a> {
    path: &'a str,
    bytes: u64,
    hash: String,
}

impl Manifest {
    /// The text of a `manifest.yaml`, which [`Manifest::parse`] reads.
    ///
    /// # Errors
    /// [`Error::Yaml`] for a text that no YAML can hold.
    pub fn to_text(&self) -> Result<String> {
        let file = |(path, entry): (&'_ VfsPath, &FileEntry)| -> (String, u64, String) {
            (path.to_string(), entry.bytes, entry.hash.to_string())
        };
        let files: Vec<Vec<_>> = self
            .parts
            .iter()
            .map(|part| part.files.iter().map(file).collect())
            .collect();
        let parts = self.parts.iter().zip(&files).map(|(part, files)| PartText {
            path: part.path.as_str(),
            guid: part.guid.to_string(),
            kind: &part.kind,
            package: part.package.as_ref().map(|id| PackageIdText {
                name: &id.name,
                version: id.version.to_string(),
            }),
            files: files
                .iter()
                .map(|(path, bytes, hash)| FileText {
                    path,
                    bytes: *bytes,
                    hash: hash.clone(),
                })
                .collect(),
        });
        Ok(zero_yaml::to_string(&ManifestText {
            version: FORMAT.version(),
            package: PackageText {
                name: &self.name,
                version: self.version.to_string(),
                description: &self.description,
                guid: self.guid.to_string(),
            },
            dependencies: self
                .dependencies
                .iter()
                .map(|needed| RequirementText {
                    name: &needed.name,
                    version: needed.version.to_string(),
                })
                .collect(),
            needs: self
                .needs
                .iter()
                .map(|need| NeedText {
                    identity: &need.identity,
                    guid: need.guid.to_string(),
                })
                .collect(),
            parts: parts.collect(),
        })?)
    }

    /// Reads the bytes of a `manifest.yaml`; `file` is for messages. All of it must stand up.
    ///
    /// # Errors
    /// [`Error::Broken`] with all that does not, [`Error::Yaml`], [`Error::NewerVersion`].
    pub fn parse(file: &VfsPath, bytes: &[u8]) -> Result<Self> {
        let tree = FORMAT.parse(file, bytes)?;
        let mut reader = Reader::new(file, "package.manifest", "package.unknown_key");
        let read = manifest(&mut reader, &tree);
        let has_errors = reader.has_errors();
        match read {
            Some(manifest) if !has_errors => Ok(manifest),
            _ => {
                let mut diagnostics = reader.told;
                diagnostics.retain(Diagnostic::is_error);
                Err(Error::Broken { diagnostics })
            }
        }
    }

    pub(super) fn max_bytes() -> u64 {
        FORMAT.max_bytes as u64
    }
}

fn manifest(reader: &mut Reader<'_>, tree: &Node) -> Option<Manifest> {
    let known = ["version", "package", "dependencies", "needs", "parts"];
    let keys = reader.keys(tree, "a manifest", &known)?;
    let Some(node) = keys.get("package") else {
        reader.wrong(keys.at(), "the key `package` is missing");
        return None;
    };
    let package = reader.keys(node, "`package`", &["name", "version", "description", "guid"])?;
    let dependencies = reader.items(keys, "dependencies").iter();
    let dependencies = dependencies.filter_map(|item| requirement(reader, item)).collect();
    let needs = reader.items(keys, "needs").iter();
    let needs = needs.filter_map(|item| need(reader, item)).collect();
    let parts = reader.items(keys, "parts").iter();
    let parts = parts.filter_map(|item| part(reader, item)).collect();
    Some(Manifest {
        name: reader.needed_text(package, "name")?,
        version: version(reader, package)?,
        description: reader.text_of(package, "description").unwrap_or_default(),
        guid: guid(reader, package)?,
        dependencies,
        needs,
        parts,
    })
}

fn need(reader: &mut Reader<'_>, node: &Node) -> Option<Need> {
    let keys = reader.keys(node, "an entry of `needs`", &["identity", "guid"])?;
    Some(Need {
        identity: reader.needed_text(keys, "identity")?,
        guid: guid(reader, keys)?,
    })
}

fn part(reader: &mut Reader<'_>, node: &Node) -> Option<Part> {
    let keys = reader.keys(
        node,
        "an entry of `parts`",
        &["path", "guid", "kind", "package", "files"],
    )?;
    let mut files = BTreeMap::new();
    for item in reader.items(keys, "files") {
        let Some((path, entry)) = file(reader, item) else {
            continue;
        };
        if files.insert(path.clone(), entry).is_some() {
            reader.wrong(item.at, format!("the file `{path}` is listed twice"));
        }
    }
    Some(Part {
        path: place(reader, keys)?,
        guid: guid(reader, keys)?,
        kind: reader.needed_text(keys, "kind")?,
        package: match keys.get("package") {
            None => None,
            Some(node) => Some(package_id(reader, node)?),
        },
        files,
    })
}

fn package_id(reader: &mut Reader<'_>, node: &Node) -> Option<PackageId> {
    let keys = reader.keys(node, "`package` of a part", &["name", "version"])?;
    Some(PackageId {
        name: reader.needed_text(keys, "name")?,
        version: version(reader, keys)?,
    })
}

fn file(reader: &mut Reader<'_>, node: &Node) -> Option<(VfsPath, FileEntry)> {
    let keys = reader.keys(node, "an entry of `files`", &["path", "bytes", "hash"])?;
    let path = place(reader, keys)?;
    let Some(bytes) = reader.count(keys, "bytes") else {
        reader.wrong(node.at, "`bytes` says how long the file is");
        return None;
    };
    let text = reader.needed_text(keys, "hash")?;
    match text.parse() {
        Ok(hash) => Some((path, FileEntry { bytes, hash })),
        Err(why) => {
            reader.wrong(node.at, format!("`{text}` is no hash: {why}"));
            None
        }
    }
}

fn place(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<VfsPath> {
    let text = reader.needed_text(keys, "path")?;
    match VfsPath::parse(&text) {
        Ok(path) => Some(path),
        Err(error) => {
            reader.wrong(keys.at(), error.to_string());
            None
        }
    }
}

pub(super) fn guid(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<Guid> {
    let text = reader.needed_text(keys, "guid")?;
    let guid = Guid::parse(&text);
    if guid.is_none() {
        reader.wrong(keys.at(), format!("`{text}` is no guid"));
    }
    guid
}

fn version(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<Version> {
    let text = reader.needed_text(keys, "version")?;
    match Version::parse(&text) {
        Ok(version) => Some(version),
        Err(why) => {
            reader.wrong(keys.at(), format!("`{text}` is no version as `1.2.0` is: {why}"));
            None
        }
    }
}
