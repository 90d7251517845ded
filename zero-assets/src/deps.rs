//! [`Dependency`]: the names of other assets that an asset carries, and what answers to them.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Node, Position};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::classify::is_in_template;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::guid::Guid;
use crate::luau;
use crate::refs::{Pin, Refs};
use crate::resolve::Query;
use crate::types::References;

/// The most bytes of a file that is looked through for names.
const MAX_SCANNED_BYTES: u64 = 1 << 20;

/// A name of another asset, as an asset carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dependency {
    /// How it is named: `require`, `call:g:node:2`, `call:fx.beam.material`, `key:shader`.
    pub via: String,
    /// The name, as it is written.
    pub name: String,
    /// The types that it may be of; any where none is named.
    pub categories: Vec<String>,
    /// The file that it is in.
    pub file: VfsPath,
    /// Where in the file.
    pub at: Position,
    /// What answers to it.
    pub target: Target,
}

/// What answers to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// An asset.
    Found {
        /// Where it is.
        path: VfsPath,
        /// Its guid, if it has one yet.
        guid: Option<Guid>,
    },
    /// No asset has the name any more, and the `.refs` knows which was meant.
    Renamed {
        /// Where it is now.
        path: VfsPath,
        /// Its guid.
        guid: Guid,
    },
    /// None, or several.
    Unresolved {
        /// Why.
        message: String,
    },
}

impl Target {
    /// The asset that is meant.
    #[must_use]
    pub fn path(&self) -> Option<&VfsPath> {
        match self {
            Self::Found { path, .. } | Self::Renamed { path, .. } => Some(path),
            Self::Unresolved { .. } => None,
        }
    }

    fn guid(&self) -> Option<Guid> {
        match self {
            Self::Found { guid, .. } => *guid,
            Self::Renamed { guid, .. } => Some(*guid),
            Self::Unresolved { .. } => None,
        }
    }
}

/// A name before it is resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    via: String,
    name: String,
    categories: Vec<String>,
    file: VfsPath,
    at: Position,
}

impl Assets {
    /// Where names of assets are, beyond what types declare: for an interface that is no type's.
    pub fn declare_references(&mut self, more: &References) {
        self.declare(more);
    }

    /// The assets that an asset names, in the order of its files and lines: by the keys that its type declares, by
    /// `require`, `asset.resolve` and `asset.ref`, and by the arguments and fields of calls that any type declares.
    /// Its scripts are read, never run.
    ///
    /// # Errors
    /// [`Error::Vfs`] if a file cannot be read.
    pub fn deps(&self, vfs: &Vfs, asset: &Asset) -> Result<Vec<Dependency>> {
        let mut named = Vec::new();
        for file in self.files_of(asset) {
            // What a new asset is made of names nothing yet.
            if !may_hold_names(&file) || is_in_template(&file) {
                continue;
            }
            match vfs.read_bounded(&file, MAX_SCANNED_BYTES) {
                Ok(bytes) => named.extend(self.names_in(asset, &file, &bytes)),
                // A file that is too long to look through carries data, and one that is gone carries nothing.
                Err(zero_vfs::Error::TooLarge { .. } | zero_vfs::Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let pins = self.refs_of(asset);
        Ok(named.into_iter().map(|named| self.answer(named, pins)).collect())
    }

    /// The assets that the bytes of a file of an asset name.
    pub(crate) fn deps_in(&self, asset: &Asset, file: &VfsPath, bytes: &[u8]) -> Vec<Dependency> {
        if !may_hold_names(file) || bytes.len() as u64 > MAX_SCANNED_BYTES {
            return Vec::new();
        }
        let pins = self.refs_of(asset);
        let named = self.names_in(asset, file, bytes).into_iter();
        named.map(|named| self.answer(named, pins)).collect()
    }

    /// The assets that name this one: those whose `.refs` hold its guid, by path.
    pub fn dependents<'a>(&'a self, asset: &'a Asset) -> impl Iterator<Item = &'a Asset> {
        self.iter().filter(move |other| {
            let refs = self.refs_of(other);
            asset
                .guid
                .is_some_and(|guid| refs.is_some_and(|refs| refs.references.iter().any(|pin| pin.guid == guid)))
        })
    }

    /// The names in the bytes of a file of an asset.
    pub(crate) fn names_in(&self, asset: &Asset, file: &VfsPath, bytes: &[u8]) -> Vec<Named> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Vec::new();
        };
        match file.extension() {
            Some("luau" | "lua") => self.names_in_script(file, text),
            _ => self.names_in_data(asset, file, text),
        }
    }

    fn names_in_data(&self, asset: &Asset, file: &VfsPath, text: &str) -> Vec<Named> {
        let keys = self
            .types()
            .at(&asset.type_path)
            .map(|kind| kind.references.keys.as_slice())
            .unwrap_or_default();
        let keys = keys.iter().chain(&self.declared().keys);
        // JSON is YAML but for the tabs that may indent it, which stand in no text of its. What is neither is told by
        // the checks on the file.
        let untabbed = match file.extension() {
            Some("json") => text.replace('\t', " "),
            _ => text.to_owned(),
        };
        let Ok(tree) = Format::UNVERSIONED.parse(file, untabbed.as_bytes()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for reference in keys {
            let mut texts = Vec::new();
            tree.get(&reference.key)
                .into_iter()
                .for_each(|node| texts_in(node, &mut texts));
            found.extend(texts.into_iter().map(|(name, at)| Named {
                via: format!("key:{}", reference.key),
                name: name.to_owned(),
                categories: vec![reference.category.clone()],
                file: file.clone(),
                at,
            }));
        }
        found
    }

    fn names_in_script(&self, file: &VfsPath, text: &str) -> Vec<Named> {
        let tokens = luau::tokens(text);
        let mut found = Vec::new();
        let mut add = |via: String, categories: Vec<String>, text: Option<(&str, Position)>| {
            found.extend(text.filter(|(name, _)| !name.is_empty()).map(|(name, at)| Named {
                via,
                name: name.to_owned(),
                categories,
                file: file.clone(),
                at,
            }));
        };
        let declared = self.calls();
        for call in luau::calls(&tokens) {
            let text = |place: usize| call.args.get(place).and_then(|argument| luau::plain_text(argument));
            match call.name.as_str() {
                "require" => add("require".to_owned(), Vec::new(), text(0)),
                "asset.resolve" | "asset.ref" => {
                    let category = text(1).map(|(category, _)| category.to_owned());
                    add(format!("call:{}", call.name), category.into_iter().collect(), text(0));
                }
                _ => {}
            }
            for (position, categories) in declared.args(&call.name) {
                let via = format!("call:{}:{position}", call.name);
                add(via, categories, text(position - 1));
            }
            for (field, category) in declared.fields(&call.name) {
                let held = call.args.iter().find_map(|argument| luau::field_text(argument, field));
                add(format!("call:{}.{field}", call.name), vec![category.to_owned()], held);
            }
        }
        found
    }

    /// What answers now to a name that was looked up before: its target, where it has another than then.
    pub(crate) fn answer_again(&self, asset: &Asset, dep: &Dependency) -> Option<Target> {
        let query = Query::new(&dep.name).from(&dep.file);
        let answer = match dep.categories[..] {
            [] => self.answers(&query),
            ref categories => categories
                .iter()
                .find_map(|category| self.answers(&query.category(category))),
        };
        if answer.map(|found| &found.path) == dep.target.path() {
            return None;
        }
        let named = Named {
            via: dep.via.clone(),
            name: dep.name.clone(),
            categories: dep.categories.clone(),
            file: dep.file.clone(),
            at: dep.at,
        };
        Some(self.answer(named, self.refs_of(asset)).target)
    }

    /// What answers to a name: by the name, else by what the `.refs` says was meant.
    fn answer(&self, named: Named, pins: Option<&Refs>) -> Dependency {
        let target = match self.by_name(&named) {
            Ok(asset) => Target::Found {
                path: asset.path.clone(),
                guid: asset.guid,
            },
            Err(error) => {
                let pinned = pins.and_then(|refs| {
                    let is_it = |pin: &&Pin| pin.via == named.via && pin.name == named.name;
                    self.by_guid(refs.references.iter().find(is_it)?.guid).ok()
                });
                match pinned.and_then(|asset| Some((asset, asset.guid?))) {
                    Some((asset, guid)) => Target::Renamed {
                        path: asset.path.clone(),
                        guid,
                    },
                    None => Target::Unresolved {
                        message: error.to_string(),
                    },
                }
            }
        };
        Dependency {
            via: named.via,
            name: named.name,
            categories: named.categories,
            file: named.file,
            at: named.at,
            target,
        }
    }

    fn by_name(&self, named: &Named) -> Result<&Asset> {
        let query = Query::new(&named.name).from(&named.file);
        let mut first_error = None;
        for category in &named.categories {
            match self.resolve(&query.category(category)) {
                Ok(asset) => return Ok(asset),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            None => self.resolve(&query),
            Some(error) => Err(error),
        }
    }

    /// What the asset's `.refs` should hold: the link to its type, and a pin for each name that is answered. A name
    /// that nothing answers to keeps the pin that it had. `guid` is kept.
    pub(crate) fn recorded(&self, asset: &Asset, deps: &[Dependency]) -> Refs {
        let old = self.refs_of(asset);
        let mut pins: Vec<Pin> = deps.iter().filter_map(|dep| pin_of(dep, old)).collect();
        pins.sort();
        pins.dedup();
        let mut refs = Refs {
            guid: asset.guid,
            references: pins,
            derived: old.and_then(|refs| refs.derived.clone()),
        };
        match old.and_then(Refs::asset_type) {
            Some(pin) => refs.set_type(pin.clone()),
            None => self.pin_type(asset, &mut refs),
        }
        refs
    }

    /// Writes what an asset names into its `.refs`, where that differs from what it says, and answers whether it
    /// did. An asset without a guid gets one.
    ///
    /// # Errors
    /// [`Error::Vfs`] if a file cannot be read or written.
    pub fn record_references(&mut self, vfs: &Vfs, path: &VfsPath) -> Result<bool> {
        let Some(asset) = self.at(path).cloned() else {
            return Err(Error::NoAsset {
                name: path.to_string(),
                near: Vec::new(),
            });
        };
        let deps = self.deps(vfs, &asset)?;
        let mut refs = self.recorded(&asset, &deps);
        refs.guid = refs.guid.or_else(|| Some(Guid::random()));
        if self.refs_of(&asset) == Some(&refs) {
            return Ok(false);
        }
        let place = Refs::place(&asset.path, asset.form)?;
        vfs.write(&place, refs.to_text()?.as_bytes())?;
        self.apply_own(vfs, [place])?;
        Ok(true)
    }
}

fn pin_of(dep: &Dependency, old: Option<&Refs>) -> Option<Pin> {
    let kept = || {
        let pins = old.map(|refs| refs.references.as_slice()).unwrap_or_default();
        pins.iter()
            .find(|pin| pin.via == dep.via && pin.name == dep.name)
            .map(|pin| pin.guid)
    };
    Some(Pin {
        via: dep.via.clone(),
        name: dep.name.clone(),
        category: dep.categories.first().cloned(),
        guid: dep.target.guid().or_else(kept)?,
    })
}

/// What is told of names that nothing answers to, or that have changed.
pub(crate) fn unresolved(deps: &[Dependency]) -> impl Iterator<Item = Diagnostic> {
    deps.iter().filter_map(|dep| match &dep.target {
        Target::Found { .. } => None,
        Target::Renamed { path, .. } => {
            let message = format!("`{}` is not called that any more; it is `{path}` now", dep.name);
            Some(Diagnostic::warning("reference.renamed", &dep.file, message).at(dep.at))
        }
        Target::Unresolved { message } => {
            Some(Diagnostic::error("reference.unresolved", &dep.file, message.as_str()).at(dep.at))
        }
    })
}

fn may_hold_names(file: &VfsPath) -> bool {
    matches!(file.extension(), Some("luau" | "lua" | "yaml" | "yml" | "json"))
}

/// Every text in a value: the name itself, or those of a list or a table of them.
fn texts_in<'n>(node: &'n Node, found: &mut Vec<(&'n str, Position)>) {
    match &node.value {
        zero_yaml::Value::Text(text) if !text.is_empty() => found.push((text, node.at)),
        zero_yaml::Value::List(items) => items.iter().for_each(|item| texts_in(item, found)),
        zero_yaml::Value::Map(fields) => fields.iter().for_each(|field| texts_in(&field.node, found)),
        _ => {}
    }
}
