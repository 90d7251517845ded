//! [`TypeRegistry`]: the asset types that are known, all read by one loader.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use zero_vfs::{VfsPath, nearest_names};

use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::root::Root;
use crate::types::{AssetType, TYPE_FILE, TYPE_SUFFIX};

/// The types. The built-in ones come from folders in the virtual file system like everyone's, the type of types
/// among them; see [`crate::builtin`].
///
/// A world and its libraries may each have a type of one name; against the built-in ones those keep it, and within one of
/// them the type that the `.refs` of more assets pin, then the first by path. Seen from a root, a name means its own type, then a built-in one, then the world's,
/// then that of the one library that has it. An asset's `.refs` says which it was written against.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeRegistry {
    types: BTreeMap<VfsPath, AssetType>,
    by_name: BTreeMap<String, Vec<VfsPath>>,
    by_suffix: BTreeMap<String, Vec<VfsPath>>,
    by_guid: BTreeMap<Guid, VfsPath>,
    /// Types whose `type.yaml` does not stand up, by the suffix that their name gives them.
    broken: BTreeMap<String, VfsPath>,
}

/// The code under which a type is told whose name or suffix another has.
pub(crate) const TAKEN: &str = "type.taken";

/// What a suffix means where it stands.
pub(crate) enum Meaning<'a> {
    /// No type.
    Nothing,
    /// One type.
    Type(&'a AssetType),
    /// Types of several libraries.
    Several(Vec<&'a AssetType>),
}

impl TypeRegistry {
    /// Registers types, in the order of their roots (built-in, libraries, world), of how many assets pin them, and of their
    /// paths. One whose name or suffix is taken is told and left out.
    pub(crate) fn build<'a>(
        types: impl Iterator<Item = (&'a AssetType, Option<Guid>)>,
        pins: &BTreeMap<Guid, usize>,
    ) -> (Self, Vec<Diagnostic>) {
        let pins = |guid: Option<Guid>| guid.and_then(|guid| pins.get(&guid)).copied().unwrap_or_default();
        let mut all: Vec<_> = types
            .map(|(kind, guid)| ((rank(&kind.path), Reverse(pins(guid)), &kind.path), kind, guid))
            .collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        let mut registry = Self::default();
        let told = all
            .into_iter()
            .filter_map(|(_, kind, guid)| registry.add(kind, guid))
            .collect();
        (registry, told)
    }

    /// Remembers the folder of a type that does not stand up.
    pub(crate) fn add_broken(&mut self, folder: &VfsPath) {
        let name = folder.name().and_then(|name| name.strip_suffix(TYPE_SUFFIX));
        if let Some(name) = name {
            self.broken.entry(format!(".{name}")).or_insert_with(|| folder.clone());
        }
    }

    /// The type that would have this suffix if its `type.yaml` stood up.
    pub(crate) fn broken_of(&self, suffix: &str) -> Option<&VfsPath> {
        self.broken.get(suffix)
    }

    fn add(&mut self, new: &AssetType, guid: Option<Guid>) -> Option<Diagnostic> {
        let root = Root::of(&new.path);
        let is_taken_by = |path: &&VfsPath| {
            let other = Root::of(path);
            other == root || other.is_builtin()
        };
        let clash = |paths: Option<&Vec<VfsPath>>| paths.into_iter().flatten().find(is_taken_by).cloned();
        let by_name = clash(self.by_name.get(&new.name)).map(|old| (format!("the name `{}`", new.name), old));
        let by_suffix = clash(self.by_suffix.get(&new.suffix)).map(|old| (format!("the suffix `{}`", new.suffix), old));
        if let Some((what, old)) = by_name.or(by_suffix) {
            let message = format!("{what} is taken by the type in `{old}`; this one is left out");
            return Some(Diagnostic::error(TAKEN, &new.path, message));
        }
        self.by_name.entry(new.name.clone()).or_default().push(new.path.clone());
        self.by_suffix
            .entry(new.suffix.clone())
            .or_default()
            .push(new.path.clone());
        if let Some(guid) = guid {
            self.by_guid.entry(guid).or_insert_with(|| new.path.clone());
        }
        self.types.insert(new.path.clone(), new.clone());
        None
    }

    /// The type of this name, as the world sees it.
    ///
    /// # Errors
    /// [`Error::NoType`] with the nearest names; [`Error::Ambiguous`] where several libraries have one.
    pub fn get(&self, name: &str) -> Result<&AssetType> {
        self.get_in(&Root::World, name)
    }

    /// The type of this name, as it is seen from a root. `@lib::name` names that of a library.
    ///
    /// # Errors
    /// As [`TypeRegistry::get`].
    pub fn get_in(&self, root: &Root, name: &str) -> Result<&AssetType> {
        let (only, plain) = match name.strip_prefix('@').and_then(|rest| rest.split_once("::")) {
            Some((library, plain)) => (Some(Root::Library(library.to_owned())), plain),
            None => (None, name),
        };
        let paths = self.by_name.get(plain).map(Vec::as_slice).unwrap_or_default();
        let meaning = match only {
            None => self.meaning(root, paths),
            Some(only) => match paths.iter().find(|path| Root::of(path) == only) {
                Some(path) => self.types.get(path).map_or(Meaning::Nothing, Meaning::Type),
                None => Meaning::Nothing,
            },
        };
        match meaning {
            Meaning::Type(kind) => Ok(kind),
            Meaning::Nothing => Err(Error::NoType {
                name: name.to_owned(),
                near: nearest_names(plain, self.by_name.keys().map(String::as_str)),
            }),
            Meaning::Several(kinds) => Err(Error::Ambiguous {
                name: name.to_owned(),
                candidates: kinds.iter().map(|kind| kind.path.clone()).collect(),
            }),
        }
    }

    /// The type in a folder.
    #[must_use]
    pub fn at(&self, folder: &VfsPath) -> Option<&AssetType> {
        self.types.get(folder)
    }

    /// The type whose folder has this guid.
    #[must_use]
    pub fn by_guid(&self, guid: Guid) -> Option<&AssetType> {
        self.types.get(self.by_guid.get(&guid)?)
    }

    pub(crate) fn has_guid(&self, kind: &AssetType) -> bool {
        self.by_guid.values().any(|path| *path == kind.path)
    }

    /// All types, by name, then by path.
    pub fn iter(&self) -> impl Iterator<Item = &AssetType> {
        let paths = self.by_name.values().flatten();
        paths.filter_map(|path| self.types.get(path))
    }

    /// The asset's name and type, for the name of a folder that ends in a type's suffix, as the world sees it.
    #[must_use]
    pub fn split<'a>(&self, folder_name: &'a str) -> Option<(&'a str, &AssetType)> {
        let (name, suffix) = split_suffix(folder_name)?;
        match self.of_suffix(&Root::World, suffix) {
            Meaning::Type(kind) => Some((name, kind)),
            _ => None,
        }
    }

    pub(crate) fn of_suffix(&self, root: &Root, suffix: &str) -> Meaning<'_> {
        self.meaning(root, self.by_suffix.get(suffix).map(Vec::as_slice).unwrap_or_default())
    }

    /// Of types that share a name or suffix, the one that is meant in `root`.
    fn meaning(&self, root: &Root, paths: &[VfsPath]) -> Meaning<'_> {
        let of = |wanted: &dyn Fn(&Root) -> bool| -> Option<&AssetType> {
            self.types.get(paths.iter().find(|path| wanted(&Root::of(path)))?)
        };
        let nearest = of(&|other| other == root)
            .or_else(|| of(&Root::is_builtin))
            .or_else(|| of(&|other| *other == Root::World));
        match (nearest, paths) {
            (Some(kind), _) => Meaning::Type(kind),
            (None, []) => Meaning::Nothing,
            (None, [one]) => self.types.get(one).map_or(Meaning::Nothing, Meaning::Type),
            (None, _) => Meaning::Several(paths.iter().filter_map(|path| self.types.get(path)).collect()),
        }
    }

    /// Suffixes close to one, for "did you mean".
    pub(crate) fn near_suffixes(&self, suffix: &str) -> Vec<String> {
        nearest_names(suffix, self.by_suffix.keys().map(String::as_str))
    }
}

/// The order in which roots take names.
fn rank(path: &VfsPath) -> u8 {
    match Root::of(path) {
        root if root.is_builtin() => 0,
        Root::Library(_) => 1,
        Root::World => 2,
    }
}

/// A name and the suffix with its dot; `None` for a name without a dot that is not its first character.
pub(crate) fn split_suffix(name: &str) -> Option<(&str, &str)> {
    let dot = name.rfind('.').filter(|&dot| dot > 0)?;
    Some(name.split_at(dot))
}

pub(crate) fn is_type_folder(folder: &VfsPath) -> bool {
    let name = folder.name().unwrap_or_default();
    name.len() > TYPE_SUFFIX.len() && name.ends_with(TYPE_SUFFIX)
}

/// The `type.yaml` of a type's folder.
pub(crate) fn type_file(folder: &VfsPath) -> VfsPath {
    folder.join(TYPE_FILE).unwrap_or_else(|_| folder.clone())
}
