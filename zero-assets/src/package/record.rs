//! [`Installed`]: which packages a world has, and what was written for each.

use std::collections::BTreeMap;

use semver::Version;
use serde::Serialize;
use zero_vfs::{ContentHash, Vfs, VfsPath};
use zero_yaml::Node;

use super::manifest::guid;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::guid::Guid;
use crate::reader::Reader;
use crate::root::Root;

/// The file of a world that says which packages are installed in it.
pub(super) const RECORD_FILE: &str = ".packages";

const FORMAT: Format = Format {
    max_bytes: 64 << 20,
    max_nodes: 4_000_000,
    ..Format::FIRST
};

/// A package that was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// Which asset it is.
    pub guid: Guid,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// The parts that were written for it, itself among them, by guid; and the files of each as they were written, seen from
    /// the part. Sidecars, which the program itself keeps up, are not among them.
    pub parts: BTreeMap<Guid, BTreeMap<VfsPath, ContentHash>>,
}

/// All packages that are installed in a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) packages: BTreeMap<Guid, Installed>,
}

#[derive(Serialize)]
struct RecordText {
    version: u32,
    packages: Vec<InstalledText>,
}

#[derive(Serialize)]
struct InstalledText {
    name: String,
    version: String,
    guid: String,
    parts: Vec<PartText>,
}

#[derive(Serialize)]
struct PartText {
    guid: String,
    files: BTreeMap<String, String>,
}

impl Record {
    pub(super) fn place() -> Result<VfsPath> {
        Ok(Root::World.folder()?.join(RECORD_FILE)?)
    }

    /// The record of a world; empty where there is none.
    ///
    /// # Errors
    /// [`Error::Broken`] for one that does not stand up: what it said is not lost by writing another over it.
    pub(super) fn load(vfs: &Vfs) -> Result<Self> {
        Self::read(vfs, &Self::place()?)
    }

    /// The same for a record in another place.
    pub(super) fn read(vfs: &Vfs, file: &VfsPath) -> Result<Self> {
        match vfs.read_bounded(file, FORMAT.max_bytes as u64) {
            Ok(bytes) => Self::parse(file, &bytes),
            Err(zero_vfs::Error::NotFound { .. }) => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    fn parse(file: &VfsPath, bytes: &[u8]) -> Result<Self> {
        let tree = FORMAT.parse(file, bytes)?;
        let mut reader = Reader::new(file, "package.record", "package.unknown_key");
        let mut record = Self::default();
        if let Some(keys) = reader.keys(&tree, "the record of packages", &["version", "packages"]) {
            for item in reader.items(keys, "packages") {
                if let Some(package) = installed(&mut reader, item) {
                    record.packages.insert(package.guid, package);
                }
            }
        }
        let mut told = reader.told;
        told.retain(Diagnostic::is_error);
        match told.is_empty() {
            true => Ok(record),
            false => Err(Error::Broken { diagnostics: told }),
        }
    }

    pub(super) fn to_text(&self) -> Result<String> {
        let part = |(guid, files): (&Guid, &BTreeMap<VfsPath, ContentHash>)| PartText {
            guid: guid.to_string(),
            files: files
                .iter()
                .map(|(file, hash)| (file.to_string(), hash.to_string()))
                .collect(),
        };
        let packages = self.packages.values().map(|package| InstalledText {
            name: package.name.clone(),
            version: package.version.to_string(),
            guid: package.guid.to_string(),
            parts: package.parts.iter().map(part).collect(),
        });
        Ok(zero_yaml::to_string(&RecordText {
            version: FORMAT.version(),
            packages: packages.collect(),
        })?)
    }

    /// Does to this record what made `after` of `before`: what it says of other packages stays.
    pub(super) fn change(&mut self, before: &Self, mut after: Self) {
        for (guid, old) in &before.packages {
            match after.packages.remove(guid) {
                None => drop(self.packages.remove(guid)),
                Some(same) if same == *old => {}
                Some(new) => drop(self.packages.insert(*guid, new)),
            }
        }
        self.packages.append(&mut after.packages);
    }

    /// The files of a part as any package wrote them.
    pub(super) fn written(&self, part: Guid) -> Option<&BTreeMap<VfsPath, ContentHash>> {
        self.packages.values().find_map(|package| package.parts.get(&part))
    }

    /// Whether another package than `package` has a part.
    pub(super) fn is_shared(&self, part: Guid, package: Guid) -> bool {
        let mut others = self.packages.values().filter(|other| other.guid != package);
        others.any(|other| other.parts.contains_key(&part))
    }
}

fn installed(reader: &mut Reader<'_>, node: &Node) -> Option<Installed> {
    let keys = reader.keys(node, "an entry of `packages`", &["name", "version", "guid", "parts"])?;
    let mut parts = BTreeMap::new();
    for item in reader.items(keys, "parts") {
        parts.extend(part(reader, item));
    }
    let version = reader.needed_text(keys, "version")?;
    let Ok(version) = Version::parse(&version) else {
        reader.wrong(node.at, format!("`{version}` is no version"));
        return None;
    };
    Some(Installed {
        guid: guid(reader, keys)?,
        name: reader.needed_text(keys, "name")?,
        version,
        parts,
    })
}

fn part(reader: &mut Reader<'_>, node: &Node) -> Option<(Guid, BTreeMap<VfsPath, ContentHash>)> {
    let keys = reader.keys(node, "an entry of `parts`", &["guid", "files"])?;
    let mut files = BTreeMap::new();
    for field in keys.get("files").map(Node::fields).unwrap_or_default() {
        let hash = field.node.text().and_then(|text| text.parse().ok());
        match (VfsPath::parse(&field.key), hash) {
            (Ok(path), Some(hash)) => drop(files.insert(path, hash)),
            _ => reader.wrong(
                field.at,
                format!("`{}` is no path with the hash of its file", field.key),
            ),
        }
    }
    Some((guid(reader, keys)?, files))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(packages: &[(u128, u64)]) -> Record {
        let package = |&(number, major): &(u128, u64)| {
            let guid = Guid::parse(&format!("{number:08x}-0000-4000-8000-000000000000")).unwrap();
            let package = Installed {
                guid,
                name: format!("kit{number}"),
                version: Version::new(major, 0, 0),
                parts: BTreeMap::new(),
            };
            (guid, package)
        };
        Record {
            packages: packages.iter().map(package).collect(),
        }
    }

    /// Two programs that install, update and remove at once each change what is theirs.
    #[test]
    fn a_change_leaves_alone_what_others_did_meanwhile() {
        let before = of(&[(1, 1), (2, 1), (3, 1)]);
        let after = of(&[(1, 2), (3, 1), (4, 1)]);
        let mut alone = before.clone();
        alone.change(&before, after.clone());
        assert_eq!(alone, after, "alone it is what was meant");
        let mut meanwhile = of(&[(1, 1), (2, 1), (3, 7), (5, 1)]);
        meanwhile.change(&before, after);
        assert_eq!(meanwhile, of(&[(1, 2), (3, 7), (4, 1), (5, 1)]));
    }

    #[test]
    fn what_is_written_is_read() {
        let hash = ContentHash::of(b"text");
        let files = BTreeMap::from([
            (VfsPath::parse("/a b' # c.txt").unwrap(), hash),
            (VfsPath::root(), hash),
        ]);
        let package = Installed {
            guid: Guid::random(),
            name: "kit".to_owned(),
            version: Version::new(1, 2, 3),
            parts: BTreeMap::from([(Guid::random(), files), (Guid::random(), BTreeMap::new())]),
        };
        let record = Record {
            packages: BTreeMap::from([(package.guid, package)]),
        };
        let file = Record::place().unwrap();
        assert_eq!(
            Record::parse(&file, record.to_text().unwrap().as_bytes()).unwrap(),
            record
        );
        let empty = Record::default();
        assert_eq!(
            Record::parse(&file, empty.to_text().unwrap().as_bytes()).unwrap(),
            empty
        );
        let error = Record::parse(&file, b"packages: [{ name: a, version: x }]").unwrap_err();
        assert!(error.to_string().contains("`x` is no version"), "{error}");
    }
}
