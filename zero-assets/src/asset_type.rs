//! [`AssetType`]: a kind of asset, declared as data in a `type.yaml`.

use serde::Deserialize;
use zero_vfs::{Kind, Vfs, VfsPath, Walk};
use zero_yaml::At;

use crate::diagnostic::{Diagnostic, Loaded};
use crate::error::Result;
use crate::yaml_file;

/// How the folders of types end. All other suffixes are read from types.
pub(crate) const TYPE_SUFFIX: &str = ".assetType";
/// The file of a type folder that declares it.
pub(crate) const TYPE_FILE: &str = "type.yaml";
const VERSION: u32 = 1;

/// A kind of asset, as its `type.yaml` declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssetType {
    /// The type's name: that of its folder without `.assetType`.
    pub name: String,
    /// How the folders of its assets end, with the dot. `.<name>` where the file does not say.
    pub suffix: String,
    /// The files that are an asset's content, the first that is there.
    pub primary: Vec<String>,
    /// Whether what an asset holds is named without the asset's suffix (`dunes.height`), as in a package.
    pub is_container: bool,
    /// Whether a walk stops at an asset: what looks like an asset inside it is none.
    pub is_opaque_walker: bool,
    /// The files an asset must hold. What an optional rule spells out more of the name of counts for that rule
    /// alone: where `*.png` is required and `preview.png` optional, a preview is none of what must be there.
    pub required: Vec<FileRule>,
    /// The files an asset may hold.
    pub optional: Vec<FileRule>,
    /// Whether an asset may hold files that are in neither list.
    pub allow_unlisted: bool,
    /// The type's folder.
    pub path: VfsPath,
}

/// A file or folder that assets of a type hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileRule {
    /// A path below the asset; `*` matches any part of one segment.
    pub path: String,
    /// Whether a file or a folder is meant.
    pub kind: Kind,
    /// Rules of one group are satisfied by any one of them.
    pub one_of_group: Option<String>,
}

#[derive(Deserialize)]
struct TypeFile {
    suffix: Option<At<String>>,
    primary: OneOrMany,
    #[serde(default)]
    is_container: bool,
    #[serde(default)]
    is_opaque_walker: bool,
    #[serde(default)]
    files: FilesSection,
    #[serde(default = "yes")]
    allow_unlisted: bool,
}

#[derive(Default, Deserialize)]
struct FilesSection {
    #[serde(default)]
    required: Vec<RuleEntry>,
    #[serde(default)]
    optional: Vec<RuleEntry>,
}

#[derive(Deserialize)]
struct RuleEntry {
    path: String,
    kind: KindWord,
    one_of_group: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum KindWord {
    File,
    Folder,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

fn yes() -> bool {
    true
}

impl AssetType {
    /// Reads the type in the folder `folder`. A key that is not read is a warning.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`], [`crate::Error::Yaml`], [`crate::Error::NewerVersion`].
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Loaded<Self>> {
        let file = folder.join(TYPE_FILE)?;
        let document = yaml_file::read(vfs, &file, VERSION)?;
        let read: TypeFile = document.read()?;
        let name = folder
            .name()
            .and_then(|name| name.strip_suffix(TYPE_SUFFIX))
            .unwrap_or_default()
            .to_owned();
        let suffix = match read.suffix {
            None => format!(".{name}"),
            Some(At { value, .. }) => {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let sound = value
                    .strip_prefix('.')
                    .is_some_and(|rest| !rest.is_empty() && rest.chars().all(plain));
                if !sound {
                    let message = format!("`{value}` is no suffix: a dot, then letters, digits or `_`");
                    return Err(document.error_at(&["suffix"], message).into());
                }
                value
            }
        };
        let known: [(&[&str], &[&str]); 2] = [
            (
                &[],
                &[
                    "version",
                    "suffix",
                    "primary",
                    "is_container",
                    "is_opaque_walker",
                    "files",
                    "allow_unlisted",
                ],
            ),
            (&["files"], &["required", "optional"]),
        ];
        let mut diagnostics: Vec<Diagnostic> = known
            .iter()
            .flat_map(|(steps, known)| yaml_file::unknown_keys(&document, &file, "type.unknown_key", steps, known))
            .collect();
        for (list, len) in [
            ("required", read.files.required.len()),
            ("optional", read.files.optional.len()),
        ] {
            for number in 0..len {
                let steps = ["files", list, &number.to_string()];
                let known = ["path", "kind", "one_of_group"];
                diagnostics.extend(yaml_file::unknown_keys(
                    &document,
                    &file,
                    "type.unknown_key",
                    &steps,
                    &known,
                ));
            }
        }
        let value = Self {
            name,
            suffix,
            primary: match read.primary {
                OneOrMany::One(file) => vec![file],
                OneOrMany::Many(files) => files,
            },
            is_container: read.is_container,
            is_opaque_walker: read.is_opaque_walker,
            required: read.files.required.into_iter().map(FileRule::from).collect(),
            optional: read.files.optional.into_iter().map(FileRule::from).collect(),
            allow_unlisted: read.allow_unlisted,
            path: folder.clone(),
        };
        Ok(Loaded { value, diagnostics })
    }

    /// What is wrong with the asset in `folder`, going by the files that `walk` found below it.
    pub(crate) fn check(&self, folder: &VfsPath, walk: &Walk) -> Vec<Diagnostic> {
        let below = |paths: &[VfsPath]| -> Vec<String> {
            paths
                .iter()
                .filter_map(|path| Some(path.relative_to(folder)?.as_str()[1..].to_owned()))
                .collect()
        };
        let (files, folders) = (below(&walk.files), below(&walk.folders));
        let holds = |rule: &FileRule| {
            let held = match rule.kind {
                Kind::File => &files,
                Kind::Folder => &folders,
            };
            held.iter()
                .any(|path| matches(&rule.path, path) && !self.is_spelled_out(path, rule))
        };
        let mut found = Vec::new();
        for (number, rule) in self.required.iter().enumerate() {
            let group: Vec<&FileRule> = match &rule.one_of_group {
                None => vec![rule],
                Some(name) => self
                    .required
                    .iter()
                    .filter(|rule| rule.one_of_group.as_ref() == Some(name))
                    .collect(),
            };
            // A group is told once, by its first rule.
            let is_first = self.required.iter().position(|other| std::ptr::eq(other, group[0])) == Some(number);
            if is_first && !group.iter().any(|rule| holds(rule)) {
                let wanted: Vec<String> = group.iter().map(|rule| format!("`{}`", rule.path)).collect();
                let message = format!("a {} needs {}", self.name, wanted.join(" or "));
                found.push(Diagnostic::error("asset.missing_file", folder, message));
            }
        }
        if !self.allow_unlisted {
            found.extend(files.iter().filter(|file| !self.lists(file)).filter_map(|file| {
                let message = format!("a {} does not hold such a file", self.name);
                Some(Diagnostic::warning(
                    "asset.unlisted_file",
                    &folder.join(file).ok()?,
                    message,
                ))
            }));
        }
        found
    }

    /// Whether an optional rule spells out more of the name of `path` than the required rule `than`: a
    /// `preview.png` is a preview, and never the `*.png` that an asset must hold.
    fn is_spelled_out(&self, path: &str, than: &FileRule) -> bool {
        let spelled = |rule: &FileRule| rule.path.chars().filter(|letter| *letter != '*').count();
        self.optional
            .iter()
            .any(|rule| rule.kind == than.kind && spelled(rule) > spelled(than) && matches(&rule.path, path))
    }

    /// Whether a rule lists `file`, by itself or by a folder it is in.
    fn lists(&self, file: &str) -> bool {
        let folders = file.match_indices('/').map(|(end, _)| &file[..end]);
        self.required.iter().chain(&self.optional).any(|rule| match rule.kind {
            Kind::File => matches(&rule.path, file),
            Kind::Folder => folders.clone().any(|folder| matches(&rule.path, folder)),
        }) || self.primary.iter().any(|primary| primary == file)
    }
}

impl From<RuleEntry> for FileRule {
    fn from(entry: RuleEntry) -> Self {
        let kind = match entry.kind {
            KindWord::File => Kind::File,
            KindWord::Folder => Kind::Folder,
        };
        Self {
            path: entry.path,
            kind,
            one_of_group: entry.one_of_group,
        }
    }
}

/// Whether `path` fits `pattern`, segment by segment; `*` stands for any text within one.
fn matches(pattern: &str, path: &str) -> bool {
    let (mut patterns, mut segments) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), segments.next()) {
            (None, None) => return true,
            (Some(pattern), Some(segment)) if segment_matches(pattern, segment) => {}
            _ => return false,
        }
    }
}

/// Takes the parts between stars from the left, each at the first place it fits: if any way fits, this does.
fn segment_matches(pattern: &str, segment: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == segment;
    };
    let Some(mut left) = segment.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_within_a_segment() {
        let check = |pattern, path, expected| assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        check("a.png", "a.png", true);
        check("*.png", "a.png", true);
        check("*.png", ".png", true);
        check("*.png", "a.png.txt", false);
        check("*.png", "b/a.png", false);
        check("*/a.png", "b/a.png", true);
        check("slice_*_*.texture", "slice_albedo_0.texture", true);
        check("a*b*c", "abc", true);
        check("a*b*c", "acb", false);
        check("ab*ba", "aba", false);
        check("*", "anything", true);
        check("a", "a/b", false);
    }
}
