//! [`Document`]: what search reads of one asset, as its type's `indexing:` says.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::{Vfs, VfsPath};

use super::facet::{self, FacetValue};
use super::symbols::symbols;
use crate::asset::Asset;
use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::structured;
use crate::types::{Extractor, FacetFrom, METADATA_FILE, Recipe, UNWRITTEN, matches};
use crate::value::{Value, value_at};

/// The most bytes of a file that are read for search.
const MAX_READ_BYTES: u64 = 1 << 20;

/// What search reads of an asset.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Document {
    /// The text of what it is.
    pub(super) identity: String,
    /// The text of what it does and how it is made.
    pub(super) capability: String,
    /// The text of the file that is read whole for its facets.
    pub(super) facet_text: String,
    pub(super) facets: BTreeMap<String, FacetValue>,
    /// Its pictures, those of what it is first.
    pub(super) pictures: Vec<VfsPath>,
    /// What could not be read.
    pub(super) told: Vec<Diagnostic>,
    /// How many files were read.
    pub(super) files_read: u64,
}

/// Reads an asset. What cannot be read is told, and the rest is read.
pub(super) fn read(vfs: &Vfs, assets: &Assets, asset: &Asset, recipe: &Recipe) -> Document {
    let files = assets.files_of(asset).into_iter();
    let mut reading = Reading {
        vfs,
        files: files.filter_map(|file| Some((inner(asset, &file)?, file))).collect(),
        texts: BTreeMap::new(),
        values: BTreeMap::new(),
        document: Document::default(),
    };
    reading.data(recipe);
    reading.content(recipe);
    reading.facets(recipe);
    reading.document
}

/// A file as the patterns of a type name it: below its asset, or by its own name where it is the asset.
pub(super) fn inner(asset: &Asset, file: &VfsPath) -> Option<String> {
    match *file == asset.path {
        true => file.name().map(str::to_owned),
        false => Some(file.relative_to(&asset.path)?.as_str()[1..].to_owned()),
    }
}

/// Whether a recipe reads a file.
pub(super) fn reads(recipe: &Recipe, file: &str) -> bool {
    let data = recipe.data.iter().flat_map(|entry| &entry.files);
    let content = recipe.content.iter().flat_map(|entry| &entry.files);
    let facets = recipe.facets.keys.values().any(|facet| match &facet.from {
        FacetFrom::Field { file: named, .. } => named == file,
        FacetFrom::Metadata { .. } => file == METADATA_FILE,
        FacetFrom::ComponentsContain { .. } | FacetFrom::ComponentsOutside { .. } => is_data(file),
    });
    facets
        || data
            .chain(content)
            .chain(&recipe.facets.file)
            .any(|pattern| matches(pattern, file))
}

/// Whether a recipe reads files in folders of an asset, which become another's when an asset is made around them.
pub(super) fn reads_deep(recipe: &Recipe) -> bool {
    let data = recipe.data.iter().flat_map(|entry| &entry.files);
    let content = recipe.content.iter().flat_map(|entry| &entry.files);
    let deep_facet = recipe.facets.keys.values().any(|facet| match &facet.from {
        FacetFrom::Field { file, .. } => file.contains('/'),
        FacetFrom::Metadata { .. } => false,
        FacetFrom::ComponentsContain { .. } | FacetFrom::ComponentsOutside { .. } => true,
    });
    deep_facet
        || data
            .chain(content)
            .chain(&recipe.facets.file)
            .any(|pattern| pattern.contains('/'))
}

fn is_data(file: &str) -> bool {
    matches!(file.rsplit_once('.'), Some((_, "yaml" | "yml" | "json")))
}

struct Reading<'a> {
    vfs: &'a Vfs,
    /// The asset's files, by how the patterns of its type name them.
    files: BTreeMap<String, VfsPath>,
    /// The texts that were read: a file that several entries name is read once.
    texts: BTreeMap<VfsPath, Option<String>>,
    values: BTreeMap<VfsPath, Option<Value>>,
    document: Document,
}

impl Reading<'_> {
    fn named(&self, patterns: &[String]) -> Vec<VfsPath> {
        let fits = |file: &str| patterns.iter().any(|pattern| matches(pattern, file));
        let named = self.files.iter().filter(|(inner, _)| fits(inner));
        named.map(|(_, file)| file.clone()).collect()
    }

    fn data(&mut self, recipe: &Recipe) {
        for entry in &recipe.data {
            for file in self.named(&entry.files) {
                let Some(text) = self.text(&file) else { continue };
                let read = match entry.extractor {
                    Extractor::Symbols => symbols(&file, &text),
                    // Nobody writes descriptions here: the source stands for the one that would be made of it.
                    Extractor::Verbatim | Extractor::Derive => written(&text),
                };
                let slot = match entry.role.is_identity() {
                    true => &mut self.document.identity,
                    false => &mut self.document.capability,
                };
                slot.push_str(&read);
                slot.push('\n');
            }
        }
    }

    fn content(&mut self, recipe: &Recipe) {
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for entry in &recipe.content {
            let pictures = self.named(&entry.files);
            match entry.role.is_identity() {
                true => first.extend(pictures),
                false => then.extend(pictures),
            }
        }
        first.extend(then);
        let mut seen = BTreeSet::new();
        first.retain(|picture| seen.insert(picture.clone()));
        self.document.pictures = first;
    }

    fn facets(&mut self, recipe: &Recipe) {
        let whole = recipe.facets.file.iter().cloned().collect::<Vec<_>>();
        for file in self.named(&whole) {
            let text = self.text(&file).unwrap_or_default();
            self.document.facet_text.push_str(&written(&text));
            self.document.facet_text.push('\n');
        }
        for (key, facet) in &recipe.facets.keys {
            // What a file that cannot be read would state is not known, and is not `false`.
            let of_file = match &facet.from {
                FacetFrom::Field { file, .. } => Some(file.as_str()),
                FacetFrom::Metadata { .. } => Some(METADATA_FILE),
                _ => None,
            };
            if let Some(file) = of_file.and_then(|file| self.files.get(file)).cloned()
                && self.value(&file).is_none()
            {
                continue;
            }
            let stated = match &facet.from {
                FacetFrom::Field { file, field } => self.field(file, field),
                FacetFrom::Metadata { key } => self.field(METADATA_FILE, key),
                FacetFrom::ComponentsContain { component } => {
                    Some(Value::Bool(self.components().iter().any(|name| name == component)))
                }
                FacetFrom::ComponentsOutside { components } => {
                    let is_outside = |name: &String| !components.contains(name);
                    Some(Value::Bool(self.components().iter().any(is_outside)))
                }
            };
            match facet::stated(facet.facet_type, stated.as_ref()) {
                Ok(value) => self.document.facets.extend(value.map(|value| (key.clone(), value))),
                Err(why) => {
                    let file = match &facet.from {
                        FacetFrom::Field { file, .. } => self.files.get(file),
                        _ => self.files.get(METADATA_FILE),
                    };
                    let message = format!("the facet `{key}` does not fit: {why}");
                    let told = file.map(|file| Diagnostic::warning("search.facet", file, message));
                    self.document.told.extend(told);
                }
            }
        }
    }

    fn field(&mut self, file: &str, field: &str) -> Option<Value> {
        let file = self.files.get(file)?.clone();
        let value = self.value(&file)?;
        value_at(&value, field).cloned()
    }

    /// The components that the entities in an asset's files carry.
    fn components(&mut self) -> BTreeSet<String> {
        let data = self.files.iter().filter(|(inner, _)| is_data(inner));
        let data: Vec<VfsPath> = data.map(|(_, file)| file.clone()).collect();
        let mut found = BTreeSet::new();
        for file in data {
            if let Some(value) = self.value(&file) {
                facet::components(&value, &mut found);
            }
        }
        found
    }

    fn value(&mut self, file: &VfsPath) -> Option<Value> {
        if let Some(known) = self.values.get(file) {
            return known.clone();
        }
        let value = self
            .text(file)
            .and_then(|text| match structured::parse(file, text.as_bytes()) {
                Ok(value) => Some(value),
                Err(error) => {
                    let told = Diagnostic::of_error("search.unreadable", file, &error);
                    self.document.told.push(Diagnostic {
                        severity: crate::Severity::Warning,
                        ..told
                    });
                    None
                }
            });
        self.values.insert(file.clone(), value.clone());
        value
    }

    fn text(&mut self, file: &VfsPath) -> Option<String> {
        if let Some(known) = self.texts.get(file) {
            return known.clone();
        }
        self.document.files_read += 1;
        let text = match self.vfs.read_bounded(file, MAX_READ_BYTES) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Some(text),
                Err(_) => self.left_out(file, "it is no text"),
            },
            // The change that took it away comes with the next batch.
            Err(zero_vfs::Error::NotFound { .. }) => None,
            Err(error) => self.left_out(file, &error.to_string()),
        };
        self.texts.insert(file.clone(), text.clone());
        text
    }

    fn left_out(&mut self, file: &VfsPath, why: &str) -> Option<String> {
        let message = format!("search does not find it by this file: {why}");
        let told = Diagnostic::warning("search.unreadable", file, message);
        self.document.told.push(told);
        None
    }
}

/// A text without the lines that are still to be written: what they ask for is none of what the asset is.
fn written(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(UNWRITTEN)).collect();
    lines.join("\n")
}
