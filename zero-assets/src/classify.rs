//! [`Classifier`]: which type a folder or a loose file is of.

use std::collections::BTreeMap;

use zero_vfs::{Kind, VfsPath};

use crate::diagnostic::Diagnostic;
use crate::refs::{REFS_FILE, Refs};
use crate::registry::{Meaning, TypeRegistry, split_suffix};
use crate::root::Root;
use crate::types::{AssetType, TEMPLATE, TYPE_SUFFIX};

/// The types, and what the `.refs` pin.
pub(crate) struct Classifier<'a> {
    pub(crate) types: &'a TypeRegistry,
    pub(crate) refs: &'a BTreeMap<VfsPath, Refs>,
}

/// What a path is.
pub(crate) struct Class<'a> {
    /// Its type, where it is an asset.
    pub(crate) kind: Option<&'a AssetType>,
    /// What is wrong with how it names its type.
    pub(crate) told: Option<Diagnostic>,
}

impl<'a> Classifier<'a> {
    /// The type of a folder, by its suffix and by what its `.refs` pins.
    pub(crate) fn folder(&self, folder: &VfsPath) -> Class<'a> {
        let name = folder.name().unwrap_or_default();
        let Some((_, suffix)) = split_suffix(name) else {
            return Class { kind: None, told: None };
        };
        let meaning = self.types.of_suffix(&Root::of(folder), suffix);
        self.pinned(folder, Kind::Folder, meaning, |kind| kind.suffix == suffix)
            .unwrap_or_else(|| Class {
                kind: None,
                told: self.unknown(folder, suffix),
            })
    }

    /// The type of a folder alone.
    pub(crate) fn folder_type(&self, folder: &VfsPath) -> Option<&'a AssetType> {
        self.folder(folder).kind
    }

    /// The type of a file that is in no asset, or loose in one that is a container.
    pub(crate) fn loose_file(&self, file: &VfsPath) -> Class<'a> {
        let name = file.name().unwrap_or_default();
        let none = Class { kind: None, told: None };
        // A name that begins with a dot and a sidecar are about content, never content.
        if name.starts_with('.') || name.ends_with(REFS_FILE) {
            return none;
        }
        let claims = |kind: &AssetType| kind.claims(file);
        let mut kinds: Vec<&AssetType> = self.types.iter().filter(|kind| claims(kind)).collect();
        let root = Root::of(file);
        // Of types of one name, the one that is meant here.
        kinds.retain(|kind| match self.types.get_in(&root, &kind.name) {
            Ok(meant) => meant.path == kind.path,
            Err(_) => true,
        });
        let meaning = match kinds[..] {
            [] => Meaning::Nothing,
            [one] => Meaning::Type(one),
            _ => Meaning::Several(kinds),
        };
        self.pinned(file, Kind::File, meaning, claims).unwrap_or(none)
    }

    /// The type that the sidecar pins, where it fits; otherwise the one that is meant. `None` for no type at all.
    fn pinned(
        &self,
        path: &VfsPath,
        form: Kind,
        meaning: Meaning<'a>,
        fits: impl Fn(&AssetType) -> bool,
    ) -> Option<Class<'a>> {
        let place = Refs::place(path, form).ok();
        let pin = place.as_ref().and_then(|place| self.refs.get(place)?.asset_type());
        let pinned = pin.and_then(|pin| self.types.by_guid(pin.guid));
        if let Some(kind) = pinned.filter(|kind| fits(kind)) {
            return Some(Class {
                kind: Some(kind),
                told: None,
            });
        }
        match meaning {
            Meaning::Nothing => None,
            Meaning::Type(kind) => {
                let told = pin.map(|pin| {
                    let message = format!(
                        "its `.refs` says that it was made with the type `{}` ({}), which is not here; `{}` is taken",
                        pin.name, pin.guid, kind.path
                    );
                    Diagnostic::warning("refs.type_missing", path, message)
                });
                // A type without a guid cannot be told from the one that was pinned.
                let told = told.filter(|_| self.types.has_guid(kind));
                Some(Class { kind: Some(kind), told })
            }
            Meaning::Several(kinds) => {
                let paths: Vec<String> = kinds.iter().map(|kind| format!("`{}`", kind.path)).collect();
                let message = format!("its type may be any of {}", paths.join(", "));
                let told = Diagnostic::error("asset.ambiguous_type", path, message)
                    .help("pin one in its `.refs`, or move it into the library whose type it is");
                Some(Class {
                    kind: None,
                    told: Some(told),
                })
            }
        }
    }

    /// What is said of a folder with a suffix that no type has. What cannot be a type's name (`v1.2`) is none.
    fn unknown(&self, folder: &VfsPath, suffix: &str) -> Option<Diagnostic> {
        if !suffix[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        if let Some(broken) = self.types.broken_of(suffix) {
            let message = format!("its type, in `{broken}`, does not stand up, so this is no asset until it is mended");
            return Some(Diagnostic::warning("asset.unknown_type", folder, message));
        }
        let message = format!("no type has the suffix `{suffix}`, so this is no asset");
        let told = Diagnostic::warning("asset.unknown_type", folder, message);
        let place = Refs::place(folder, Kind::Folder).ok();
        let pin = place.as_ref().and_then(|place| self.refs.get(place)?.asset_type());
        if let Some(kind) = pin.and_then(|pin| self.types.by_guid(pin.guid)) {
            let stem = folder
                .name()
                .unwrap_or_default()
                .strip_suffix(suffix)
                .unwrap_or_default();
            let help = format!(
                "its type is `{}` now: call it `{stem}{}`, or give the type `suffix: {suffix}`",
                kind.name, kind.suffix
            );
            return Some(told.help(help));
        }
        Some(match &self.types.near_suffixes(suffix)[..] {
            [] => told.help("make the type first"),
            near => told.did_you_mean(&near[..1]),
        })
    }
}

/// Whether a path lies in the template of a type: what a new asset is made of is no asset.
pub(crate) fn is_in_template(path: &VfsPath) -> bool {
    // Asked of every path there is: most hold no type's suffix at all.
    if !path.as_str().contains(TYPE_SUFFIX) {
        return false;
    }
    let is_type = |name: &str| name.len() > TYPE_SUFFIX.len() && name.ends_with(TYPE_SUFFIX);
    let names = path.segments().zip(path.segments().skip(1));
    names
        .into_iter()
        .any(|(folder, inner)| is_type(folder) && inner == TEMPLATE)
}
