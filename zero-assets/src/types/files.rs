//! [`FileRule`]: which files an asset holds.

use zero_vfs::{Kind, VfsPath, Walk};
use zero_yaml::Node;

use super::content::{self, ContentCheck, ContentTest, UNDESCRIBED};
use super::{AssetType, matches};
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::reader::Reader;

/// A file or folder that assets of a type hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FileRule {
    /// A path below the asset; `*` matches any part of one segment.
    pub path: String,
    /// Whether a file or a folder is meant.
    pub kind: Kind,
    /// Rules of one group are satisfied by any one of them.
    pub one_of_group: Option<String>,
    /// What the file's bytes must hold.
    pub content: Vec<ContentCheck>,
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> (Vec<FileRule>, Vec<FileRule>) {
    let Some(keys) = reader.keys(node, "`files`", &["required", "optional"]) else {
        return Default::default();
    };
    let mut list = |key: &str| -> Vec<FileRule> {
        let items = reader.items(keys, key);
        items.iter().filter_map(|item| rule(reader, item)).collect()
    };
    (list("required"), list("optional"))
}

fn rule(reader: &mut Reader<'_>, node: &Node) -> Option<FileRule> {
    let keys = reader.keys(
        node,
        "an entry of `files`",
        &["path", "kind", "one_of_group", "content"],
    )?;
    let path = reader.needed_text(keys, "path")?;
    let kind = reader.needed_word(keys, "kind", &[("file", Kind::File), ("folder", Kind::Folder)])?;
    let one_of_group = reader.text_of(keys, "one_of_group");
    let content: Vec<ContentCheck> = reader
        .items(keys, "content")
        .iter()
        .filter_map(|item| content::read(reader, item))
        .collect();
    if kind == Kind::Folder && !content.is_empty() {
        reader.wrong(
            node.at,
            "`content` checks the bytes of a file, and this entry is a folder",
        );
    }
    if !is_relative(&path) {
        let message = format!("`{path}` is no path below an asset: names with `/` between them, none of them `..`");
        reader.wrong(keys.get("path").map_or(node.at, |node| node.at), message);
    }
    Some(FileRule {
        path,
        kind,
        one_of_group,
        content,
    })
}

/// Whether a path, which may hold stars, stays below the folder that it is joined to.
pub(super) fn is_relative(path: &str) -> bool {
    VfsPath::parse(&format!("/{}", path.replace('*', "x"))).is_ok_and(|path| !path.is_root())
}

impl AssetType {
    /// Whether a loose file is an asset of the type, by the folder that it lies in or by how it ends. Another type may claim it
    /// too, and its folder may be one in which no assets are looked for.
    pub(crate) fn claims(&self, file: &VfsPath) -> bool {
        let folder = file.parent();
        let folder = folder.as_ref().and_then(VfsPath::name);
        let by_folder = folder.is_some() && self.plural_dir.as_deref() == folder;
        let extension = file.extension().unwrap_or_default();
        by_folder || self.classify_exts.iter().any(|known| known == extension)
    }

    /// The error of a loose file at a path where it would be no asset of the type.
    pub(crate) fn not_claimed(&self, path: &VfsPath) -> Error {
        Error::NotClaimed {
            path: path.clone(),
            kind: self.name.clone(),
            folder: self.plural_dir.clone(),
            extensions: self.classify_exts.clone(),
        }
    }

    /// What is wrong with the asset in `folder`, going by the files that `walk` found below it.
    pub(crate) fn check_files(&self, folder: &VfsPath, walk: &Walk) -> Vec<Diagnostic> {
        let (files, folders) = (below(folder, &walk.files), below(folder, &walk.folders));
        let holds = |rule: &FileRule| {
            let held = match rule.kind {
                Kind::File => &files,
                Kind::Folder => &folders,
            };
            held.iter().any(|path| self.is_for(rule, path))
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
                let needs = format!("{} needs {}", with_article(&self.name), wanted.join(" or "));
                found.push(missing(folder, needs, &group));
            }
        }
        if !self.allow_unlisted {
            found.extend(files.iter().filter(|file| !self.lists(file)).filter_map(|file| {
                let message = format!("{} does not hold such a file", with_article(&self.name));
                Some(Diagnostic::warning(
                    "asset.unlisted_file",
                    &folder.join(file).ok()?,
                    message,
                ))
            }));
        }
        found
    }

    /// The rules that say what the bytes of the asset's file `path` (below the asset) must hold.
    pub(crate) fn rules_for<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a FileRule> {
        let rules = self.required.iter().chain(&self.optional);
        rules.filter(move |rule| rule.kind == Kind::File && self.is_for(rule, path))
    }

    /// Whether the rule is about `path`, and no optional rule spells out more of its name: a `preview.png` is a
    /// preview, and never the `*.png` that an asset must hold.
    fn is_for(&self, rule: &FileRule, path: &str) -> bool {
        let spelled = |rule: &FileRule| rule.path.chars().filter(|letter| *letter != '*').count();
        let closer =
            |other: &FileRule| other.kind == rule.kind && spelled(other) > spelled(rule) && matches(&other.path, path);
        matches(&rule.path, path) && !self.optional.iter().any(closer)
    }

    /// Whether a rule lists `file`, by itself or by a folder it is in.
    pub(crate) fn lists(&self, file: &str) -> bool {
        let folders = file.match_indices('/').map(|(end, _)| &file[..end]);
        let by_rule = self.required.iter().chain(&self.optional).any(|rule| match rule.kind {
            Kind::File => matches(&rule.path, file),
            Kind::Folder => folders.clone().any(|folder| matches(&rule.path, folder)),
        });
        let named = [&self.primary, &self.entry_files, &self.primary_aliases];
        // What every asset may hold: its identity and references, and the texts about it that people keep.
        let of_every_asset = [crate::refs::REFS_FILE, METADATA_FILE].contains(&file);
        by_rule || of_every_asset || named.into_iter().flatten().any(|name| name == file) || self.names_elsewhere(file)
    }

    /// Whether another block of the declaration names `file`.
    fn names_elsewhere(&self, file: &str) -> bool {
        let settings = self.settings.as_ref().is_some_and(|block| block.names(file));
        let inspector = self.inspector.as_ref().and_then(|files| files.instance.as_deref());
        let derived = self.derive.as_ref().map(|derive| derive.output.as_str());
        settings || inspector == Some(file) || derived == Some(file)
    }
}

/// What is told of a file that an asset needs and does not hold. One that is to say what the asset is, is not written yet:
/// it blocks what an unwritten one blocks, and its author's words are told.
fn missing(folder: &VfsPath, needs: String, group: &[&FileRule]) -> Diagnostic {
    let checks = group.iter().flat_map(|rule| &rule.content);
    let mut described = checks.filter(|check| matches!(check.test, ContentTest::Described { .. }));
    match described.next() {
        None => Diagnostic::error("asset.missing_file", folder, needs),
        Some(check) => match &check.message {
            Some(message) => Diagnostic::error(UNDESCRIBED, folder, message.as_str()).help(needs),
            None => Diagnostic::error(UNDESCRIBED, folder, needs),
        },
    }
}

/// The file of any asset that holds tags and whatever else people keep about it.
pub(crate) const METADATA_FILE: &str = ".metadata";

fn below(folder: &VfsPath, paths: &[VfsPath]) -> Vec<String> {
    let inside = paths.iter().filter_map(|path| path.relative_to(folder));
    inside.map(|path| path.as_str()[1..].to_owned()).collect()
}

/// The name of a type as one of it is called: `a texture`, `an assetType`.
pub(crate) fn with_article(name: &str) -> String {
    let is_vowel = name.starts_with(|c: char| "aeiouAEIOU".contains(c));
    format!("{} {name}", if is_vowel { "an" } else { "a" })
}
