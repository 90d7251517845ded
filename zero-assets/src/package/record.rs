//! [`Installed`]: which packages a world has, and what was written for each.
//!
//! Each package has a file of its own, named by its guid, that is written whole: programs that install different packages
//! at one moment write different files.

use std::collections::BTreeMap;

use semver::Version;
use serde::Serialize;
use zero_vfs::{ContentHash, Kind, Vfs, VfsPath};
use zero_yaml::Node;

use super::content::Known;
use super::manifest::{Manifest, guid};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::guid::Guid;
use crate::reader::{Keys, Reader};
use crate::root::Root;

/// The folder of a world that says which packages are installed in it, a file each.
pub(super) const RECORDS_FOLDER: &str = ".installed";
/// The one file that said so of all packages once. It is read and never written: what became of a package since is in the
/// folder.
const OLD_FILE: &str = ".packages";

const FORMAT: Format = Format {
    max_bytes: 64 << 20,
    max_nodes: 4_000_000,
    ..Format::FIRST
};

/// The files of a part as they were written, seen from the part.
pub(super) type Files = BTreeMap<VfsPath, ContentHash>;

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

/// The file of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) package: Installed,
    /// Whether it was taken out again. Then its parts are those that others have too and that it wrote last.
    pub(super) is_removed: bool,
}

/// All packages that are installed in a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) packages: BTreeMap<Guid, Installed>,
    /// What packages that were taken out wrote last of parts that others have.
    former: Vec<BTreeMap<Guid, Files>>,
    /// The content of the file of each package that has one.
    hashes: BTreeMap<Guid, ContentHash>,
}

#[derive(Serialize)]
struct EntryText {
    version: u32,
    package: PackageText,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
    parts: Vec<PartText>,
}

#[derive(Serialize)]
struct PackageText {
    name: String,
    version: String,
    guid: String,
}

#[derive(Serialize)]
struct PartText {
    guid: String,
    files: BTreeMap<String, String>,
}

impl Entry {
    /// Where it lies.
    pub(super) fn place(&self) -> Result<VfsPath> {
        Ok(Root::World
            .folder()?
            .join(&format!("{RECORDS_FOLDER}/{}.yaml", self.package.guid))?)
    }

    /// Whether it says nothing, so that no file is needed for it.
    pub(super) fn is_void(&self, vfs: &Vfs) -> Result<bool> {
        let is_listed = || Ok::<_, Error>(old_packages(vfs)?.contains_key(&self.package.guid));
        Ok(self.is_removed && self.package.parts.is_empty() && !is_listed()?)
    }

    /// The file of one package at a place.
    pub(super) fn read(vfs: &Vfs, file: &VfsPath) -> Result<Self> {
        Self::parse(file, &vfs.read_bounded(file, FORMAT.max_bytes as u64)?)
    }

    /// Reads the bytes of a file of one package.
    ///
    /// # Errors
    /// [`Error::Broken`], [`Error::Yaml`], [`Error::NewerVersion`].
    fn parse(file: &VfsPath, bytes: &[u8]) -> Result<Self> {
        let tree = FORMAT.parse(file, bytes)?;
        let mut reader = new_reader(file);
        let known = ["version", "package", "removed", "parts"];
        let read = reader.keys(&tree, "the record of a package", &known).and_then(|keys| {
            let Some(node) = keys.get("package") else {
                reader.wrong(keys.at(), "the key `package` is missing");
                return None;
            };
            let own = reader.keys(node, "`package`", &["name", "version", "guid"])?;
            Some(Self {
                is_removed: reader.flag(keys, "removed", false),
                package: installed(&mut reader, own, keys)?,
            })
        });
        whole(reader, read)
    }

    pub(super) fn to_text(&self) -> Result<String> {
        let package = &self.package;
        let part = |(guid, files): (&Guid, &Files)| PartText {
            guid: guid.to_string(),
            files: files
                .iter()
                .map(|(file, hash)| (file.to_string(), hash.to_string()))
                .collect(),
        };
        Ok(zero_yaml::to_string(&EntryText {
            version: FORMAT.version(),
            package: PackageText {
                name: package.name.clone(),
                version: package.version.to_string(),
                guid: package.guid.to_string(),
            },
            removed: self.is_removed,
            parts: package.parts.iter().map(part).collect(),
        })?)
    }
}

impl Record {
    /// The record of a world; empty where there is none.
    ///
    /// # Errors
    /// [`Error::Broken`] for one that does not stand up: what it said is not lost by writing another over it.
    pub(super) fn load(vfs: &Vfs) -> Result<Self> {
        let mut record = Self {
            packages: old_packages(vfs)?,
            ..Self::default()
        };
        let folder = Root::World.folder()?.join(RECORDS_FOLDER)?;
        let entries = match vfs.list(&folder) {
            Ok(listing) => listing.entries,
            Err(zero_vfs::Error::NotFound { .. }) => return Ok(record),
            Err(error) => return Err(error.into()),
        };
        for held in entries.into_iter().filter(|held| held.stat.kind == Kind::File) {
            // What others put beside them is no record.
            let Some(guid) = held.name.strip_suffix(".yaml").and_then(Guid::parse) else {
                continue;
            };
            let file = folder.join(&held.name)?;
            let bytes = match vfs.read_bounded(&file, FORMAT.max_bytes as u64) {
                Ok(bytes) => bytes,
                // Taken out since it was listed.
                Err(zero_vfs::Error::NotFound { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            let entry = Entry::parse(&file, &bytes)?;
            if entry.package.guid != guid {
                let message = format!("it is named for {guid}, and is the record of {}", entry.package.guid);
                let told = Diagnostic::error("package.record", &file, message);
                let diagnostics = vec![told.help("a copy of another record: remove it")];
                return Err(Error::Broken { diagnostics });
            }
            record.hashes.insert(guid, ContentHash::of(&bytes));
            record.add(entry);
        }
        Ok(record)
    }

    fn add(&mut self, entry: Entry) {
        let Entry { package, is_removed } = entry;
        match is_removed {
            true => {
                self.packages.remove(&package.guid);
                self.former.push(package.parts);
            }
            false => drop(self.packages.insert(package.guid, package)),
        }
    }

    /// What is to be written where a package is taken out: what it wrote last of parts that others have, so that those are
    /// still known as they are.
    pub(super) fn without(&self, package: &Installed) -> Entry {
        let mut package = package.clone();
        let others = || self.packages.values().filter(|other| other.guid != package.guid);
        let parts = std::mem::take(&mut package.parts).into_iter();
        let is_wanted = |guid: &Guid, files: &Files| {
            let mut known = others().filter_map(|other| other.parts.get(guid)).peekable();
            known.peek().is_some() && known.all(|other| other != files)
        };
        let parts = parts.filter(|(guid, files)| is_wanted(guid, files)).collect();
        package.parts = parts;
        Entry {
            package,
            is_removed: true,
        }
    }

    /// The files of a part, as each package that has or had it wrote them: the last that did is among them.
    pub(super) fn written(&self, part: Guid) -> Vec<&Files> {
        let packages = self.packages.values().map(|package| &package.parts);
        packages
            .chain(&self.former)
            .filter_map(|parts| parts.get(&part))
            .collect()
    }

    /// The parts that a package brought in the version that is installed, and that its manifest does not have.
    pub(super) fn dropped<'r>(&'r self, manifest: &'r Manifest) -> impl Iterator<Item = (&'r Guid, &'r Files)> {
        let parts = self.packages.get(&manifest.guid).map(|package| &package.parts);
        let is_part = |guid: &Guid| manifest.parts.iter().any(|part| part.guid == *guid);
        parts.into_iter().flatten().filter(move |(guid, _)| !is_part(guid))
    }

    /// The content of the file of a package; `None` where it has none.
    pub(super) fn hash_of(&self, package: Guid) -> Option<ContentHash> {
        self.hashes.get(&package).copied()
    }

    /// Whether another package than `package` has a part.
    pub(super) fn is_shared(&self, part: Guid, package: Guid) -> bool {
        let mut others = self.packages.values().filter(|other| other.guid != package);
        others.any(|other| other.parts.contains_key(&part))
    }
}

/// The packages in the one file of older programs.
fn old_packages(vfs: &Vfs) -> Result<BTreeMap<Guid, Installed>> {
    let file = Root::World.folder()?.join(OLD_FILE)?;
    match vfs.read_bounded(&file, FORMAT.max_bytes as u64) {
        Ok(bytes) => parse_old(&file, &bytes),
        Err(zero_vfs::Error::NotFound { .. }) => Ok(BTreeMap::new()),
        Err(error) => Err(error.into()),
    }
}

/// Reads the one file of all packages that older programs wrote.
fn parse_old(file: &VfsPath, bytes: &[u8]) -> Result<BTreeMap<Guid, Installed>> {
    let tree = FORMAT.parse(file, bytes)?;
    let mut reader = new_reader(file);
    let mut packages = BTreeMap::new();
    if let Some(keys) = reader.keys(&tree, "the record of packages", &["version", "packages"]) {
        for item in reader.items(keys, "packages") {
            let known = ["name", "version", "guid", "parts"];
            let keys = reader.keys(item, "an entry of `packages`", &known);
            if let Some(package) = keys.and_then(|keys| installed(&mut reader, keys, keys)) {
                packages.insert(package.guid, package);
            }
        }
    }
    whole(reader, Some(packages))
}

/// What an installation of an older program was to do to the record: what differs between its two forms of it.
pub(super) fn old_changes(file: &VfsPath, before: &[u8], after: &[u8]) -> Result<Vec<Entry>> {
    let (before, after) = (parse_old(file, before)?, parse_old(file, after)?);
    let changed = after
        .values()
        .filter(|package| before.get(&package.guid) != Some(package));
    let changed = changed.map(|package| (package.clone(), false));
    let gone = before.values().filter(|package| !after.contains_key(&package.guid));
    let gone = gone.map(|package| {
        let parts = BTreeMap::new();
        (
            Installed {
                parts,
                ..package.clone()
            },
            true,
        )
    });
    let all = changed.chain(gone);
    Ok(all.map(|(package, is_removed)| Entry { package, is_removed }).collect())
}

/// What the packages of the one file of older programs wrote, part by part.
pub(super) fn old_parts(file: &VfsPath, bytes: &[u8]) -> Result<Known> {
    let packages = parse_old(file, bytes)?;
    Ok(Known::any(packages.values().flat_map(|package| package.parts.values())))
}

fn new_reader(file: &VfsPath) -> Reader<'_> {
    Reader::new(file, "package.record", "package.unknown_key")
}

/// What was read, where all of it stands up.
fn whole<T>(reader: Reader<'_>, read: Option<T>) -> Result<T> {
    let mut told = reader.told;
    told.retain(Diagnostic::is_error);
    match read {
        Some(read) if told.is_empty() => Ok(read),
        _ => Err(Error::Broken { diagnostics: told }),
    }
}

/// What `own` says of a package, with the parts under `parts` of `list`.
fn installed(reader: &mut Reader<'_>, own: Keys<'_>, list: Keys<'_>) -> Option<Installed> {
    let mut parts = BTreeMap::new();
    for item in reader.items(list, "parts") {
        parts.extend(part(reader, item));
    }
    let version = reader.needed_text(own, "version")?;
    let Ok(version) = Version::parse(&version) else {
        reader.wrong(own.at(), format!("`{version}` is no version"));
        return None;
    };
    Some(Installed {
        guid: guid(reader, own)?,
        name: reader.needed_text(own, "name")?,
        version,
        parts,
    })
}

fn part(reader: &mut Reader<'_>, node: &Node) -> Option<(Guid, Files)> {
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

    fn package(parts: BTreeMap<Guid, Files>) -> Installed {
        Installed {
            guid: Guid::random(),
            name: "kit".to_owned(),
            version: Version::new(1, 2, 3),
            parts,
        }
    }

    fn files(text: &str) -> Files {
        let hash = ContentHash::of(text.as_bytes());
        BTreeMap::from([
            (VfsPath::parse("/a b' # c.txt").unwrap(), hash),
            (VfsPath::root(), hash),
        ])
    }

    #[test]
    fn what_is_written_is_read() {
        let parts = BTreeMap::from([(Guid::random(), files("text")), (Guid::random(), BTreeMap::new())]);
        for (parts, is_removed) in [(parts, false), (BTreeMap::new(), true)] {
            let package = package(parts);
            let entry = Entry { package, is_removed };
            let file = entry.place().unwrap();
            assert_eq!(Entry::parse(&file, entry.to_text().unwrap().as_bytes()).unwrap(), entry);
        }
        let file = VfsPath::parse("/x.yaml").unwrap();
        let fails = |text: &str, expected: &str| {
            let error = Entry::parse(&file, text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        fails("package: { name: a, version: x }", "`x` is no version");
        fails("parts: []", "the key `package` is missing");
        fails(
            "version: 2\npackage: {}",
            "it is of version 2; this program reads versions up to 1",
        );
        let error = parse_old(&file, b"packages: [{ name: a, version: x }]").unwrap_err();
        assert!(error.to_string().contains("`x` is no version"), "{error}");
    }

    /// A part that two packages have, and one of them wrote last: it is known as it is while one of them has it.
    #[test]
    fn what_a_package_wrote_last_is_known_after_it_is_gone() {
        let (shared, own) = (Guid::random(), Guid::random());
        let one = package(BTreeMap::from([(shared, files("new")), (own, files("own"))]));
        let other = package(BTreeMap::from([(shared, files("old"))]));
        let mut record = Record::default();
        for package in [&one, &other] {
            record.packages.insert(package.guid, package.clone());
        }
        let left = record.without(&one);
        assert_eq!(left.package.parts, BTreeMap::from([(shared, files("new"))]));
        record.add(left);
        assert_eq!(record.packages.keys().collect::<Vec<_>>(), [&other.guid]);
        let known = record.written(shared);
        assert!(
            known.contains(&&files("new")) && known.contains(&&files("old")),
            "{known:?}"
        );
        assert_eq!(record.written(own), Vec::<&Files>::new());
        assert!(record.without(&other).package.parts.is_empty());
    }
}
