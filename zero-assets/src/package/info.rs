//! [`PackageInfo`]: what a package says of itself in its `package.yaml`.

use semver::{Version, VersionReq};
use zero_vfs::{Vfs, VfsPath};
use zero_yaml::Node;

use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::reader::Reader;

/// The file of a package's folder that makes it one.
pub(crate) const PACKAGE_FILE: &str = "package.yaml";
/// The newest form of that file that is read. It is said under `format`, as `version` is the package's own.
const KNOWN_FORMAT: u64 = 1;

/// What a package says of itself.
///
/// ```yaml
/// name: kit
/// version: 1.2.0
/// description: Doors and what they hang in.
/// dependencies:
/// - { name: stone, version: ^1.0 }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackageInfo {
    /// Its name; that of its folder where the file does not say.
    pub name: String,
    /// Its version, by the rules of semver 2.0.
    pub version: Version,
    /// What it is.
    pub description: String,
    /// The packages that it needs, beyond those whose assets it names.
    pub dependencies: Vec<Requirement>,
}

/// A package that another needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirement {
    /// The name of the package.
    pub name: String,
    /// Which versions will do: `^1.2`, `>=1.0, <3`.
    pub version: VersionReq,
}

impl PackageInfo {
    /// Reads the bytes of a `package.yaml`; `folder` is the package's. What does not fit is told, and without a name or a
    /// version there is nothing.
    ///
    /// # Errors
    /// [`Error::Yaml`] for what is no YAML, [`Error::NewerVersion`].
    pub fn parse(folder: &VfsPath, bytes: &[u8]) -> Result<(Option<Self>, Vec<Diagnostic>)> {
        let file = folder.join(PACKAGE_FILE)?;
        let tree = Format::UNVERSIONED.parse(&file, bytes)?;
        let mut reader = Reader::new(&file, "package.broken", "package.unknown_key");
        let keys = ["format", "name", "version", "description", "dependencies"];
        let Some(keys) = reader.keys(&tree, "a package.yaml", &keys) else {
            return Ok((None, reader.told));
        };
        let format = reader.count(keys, "format").unwrap_or(1);
        if format > KNOWN_FORMAT {
            return Err(Error::NewerVersion {
                file,
                found: u32::try_from(format).unwrap_or(u32::MAX),
                known: KNOWN_FORMAT as u32,
            });
        }
        let own_name = || folder.name()?.split('.').next().map(str::to_owned);
        let name = match keys.get("name") {
            Some(node) => reader.text(node, "`name`"),
            None => own_name(),
        };
        let version = reader.needed_text(keys, "version");
        let version = version.and_then(|text| match Version::parse(&text) {
            Ok(version) => Some(version),
            Err(why) => {
                let at = keys.get("version").map_or(keys.at(), |node| node.at);
                reader.wrong(at, format!("`{text}` is no version as `1.2.0` is: {why}"));
                None
            }
        });
        // A new package's is still to be written.
        let described = keys.get("description").filter(|node| node.text() != Some(""));
        let description = described.and_then(|node| reader.text(node, "`description`"));
        let items = reader.items(keys, "dependencies");
        let dependencies = items.iter().filter_map(|item| requirement(&mut reader, item)).collect();
        let info = name.zip(version).map(|(name, version)| Self {
            name,
            version,
            description: description.unwrap_or_default(),
            dependencies,
        });
        Ok((info, reader.told))
    }

    /// What the package in a folder says of itself.
    ///
    /// # Errors
    /// [`Error::NotAPackage`] for a folder without a `package.yaml`, [`Error::Broken`] where that does not stand up, and as
    /// [`PackageInfo::parse`].
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Self> {
        let bytes = match vfs.read_bounded(&folder.join(PACKAGE_FILE)?, Format::UNVERSIONED.max_bytes as u64) {
            Ok(bytes) => bytes,
            Err(zero_vfs::Error::NotFound { .. } | zero_vfs::Error::NotAFile { .. }) => {
                return Err(Error::NotAPackage { path: folder.clone() });
            }
            Err(error) => return Err(error.into()),
        };
        match Self::parse(folder, &bytes)? {
            (Some(info), told) if !told.iter().any(Diagnostic::is_error) => Ok(info),
            (_, mut told) => {
                told.retain(Diagnostic::is_error);
                Err(Error::Broken { diagnostics: told })
            }
        }
    }
}

pub(super) fn requirement(reader: &mut Reader<'_>, node: &Node) -> Option<Requirement> {
    let keys = reader.keys(node, "an entry of `dependencies`", &["name", "version"])?;
    let name = reader.needed_text(keys, "name")?;
    let text = reader.needed_text(keys, "version")?;
    match VersionReq::parse(&text) {
        Ok(version) => Some(Requirement { name, version }),
        Err(why) => {
            let at = keys.get("version").map_or(keys.at(), |node| node.at);
            reader.wrong(at, format!("`{text}` says no versions as `^1.2` does: {why}"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<PackageInfo>, Vec<String>) {
        let folder = VfsPath::parse("/kit.package").unwrap();
        let (info, told) = PackageInfo::parse(&folder, text.as_bytes()).unwrap();
        (info, told.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_package_says_what_it_is() {
        let (info, told) = read("version: 1.2.0\ndescription: \"\"\ndependencies: [{ name: stone, version: ^1.0 }]\n");
        let info = info.unwrap();
        assert_eq!(
            (info.name.as_str(), info.version.to_string()),
            ("kit", "1.2.0".to_owned())
        );
        assert!(info.dependencies[0].version.matches(&Version::new(1, 9, 0)));
        assert!(!info.dependencies[0].version.matches(&Version::new(2, 0, 0)));
        assert_eq!(told, [] as [&str; 0]);
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let check = |text: &str, expected: &str| {
            let (info, told) = read(text);
            assert_eq!(info, None, "{text}");
            assert_eq!(told, [expected], "{text}");
        };
        check(
            "name: kit\n",
            "/kit.package/package.yaml:1:1: error[package.broken]: the key `version` is missing",
        );
        check(
            "version: 1.2\n",
            "/kit.package/package.yaml:1:10: error[package.broken]: `version` is a text, and a number is here",
        );
        check(
            "name: kit\nversion: one\n",
            "/kit.package/package.yaml:2:10: error[package.broken]: `one` is no version as `1.2.0` is: unexpected character 'o' while parsing major version number",
        );
        let folder = VfsPath::parse("/kit.package").unwrap();
        let error = PackageInfo::parse(&folder, b"format: 2\nversion: 1.0.0\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "/kit.package/package.yaml: it is of version 2; this program reads versions up to 1"
        );
    }
}
