//! [`TypeRegistry`]: the asset types that are known, all read by one loader.

use std::collections::BTreeMap;

use zero_vfs::{Vfs, VfsPath, nearest_names};

use crate::asset_type::{AssetType, TYPE_SUFFIX};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};

/// The types by name. The built-in ones come from folders in the virtual file system like everyone's, the
/// type of types among them; see [`crate::builtin`].
#[derive(Clone, Debug, Default)]
pub struct TypeRegistry {
    types: BTreeMap<String, AssetType>,
    by_suffix: BTreeMap<String, String>,
}

impl TypeRegistry {
    /// Reads the types in `folders`, in this order, which are those that end in `.assetType`. A type that
    /// cannot be read, or whose name or suffix is taken by an earlier one, is a diagnostic and left out.
    pub fn load<'a>(vfs: &Vfs, folders: impl IntoIterator<Item = &'a VfsPath>) -> (Self, Vec<Diagnostic>) {
        let mut registry = Self::default();
        let mut diagnostics = Vec::new();
        for folder in folders.into_iter().filter(|folder| is_type_folder(folder)) {
            match AssetType::load(vfs, folder) {
                Ok(loaded) => {
                    diagnostics.extend(loaded.diagnostics);
                    diagnostics.extend(registry.add(loaded.value));
                }
                Err(Error::Yaml(error)) => {
                    let file = folder
                        .join(crate::asset_type::TYPE_FILE)
                        .unwrap_or_else(|_| folder.clone());
                    diagnostics.push(Diagnostic::yaml("type.broken", &file, &error));
                }
                Err(error) => diagnostics.push(Diagnostic::error("type.broken", folder, error.to_string())),
            }
        }
        (registry, diagnostics)
    }

    /// Adds a type unless its name or suffix is taken.
    fn add(&mut self, new: AssetType) -> Option<Diagnostic> {
        let clash = |what: &str, old: &AssetType| {
            let message = format!("{what} is taken by the type in `{}`; this one is left out", old.path);
            Some(Diagnostic::error("type.taken", &new.path, message))
        };
        if let Some(old) = self.types.get(&new.name) {
            return clash(&format!("the name `{}`", new.name), old);
        }
        if let Some(old) = self.by_suffix.get(&new.suffix).and_then(|name| self.types.get(name)) {
            return clash(&format!("the suffix `{}`", new.suffix), old);
        }
        self.by_suffix.insert(new.suffix.clone(), new.name.clone());
        self.types.insert(new.name.clone(), new);
        None
    }

    /// The type of this name.
    ///
    /// # Errors
    /// [`Error::NoType`] with the nearest names.
    pub fn get(&self, name: &str) -> Result<&AssetType> {
        self.types.get(name).ok_or_else(|| Error::NoType {
            name: name.to_owned(),
            near: nearest_names(name, self.types.keys().map(String::as_str)),
        })
    }

    /// All types, by name.
    pub fn iter(&self) -> impl Iterator<Item = &AssetType> {
        self.types.values()
    }

    /// The asset's name and type, for the name of a folder that ends in a type's suffix.
    #[must_use]
    pub fn split<'a>(&self, folder_name: &'a str) -> Option<(&'a str, &AssetType)> {
        let dot = folder_name.rfind('.').filter(|&dot| dot > 0)?;
        let (name, suffix) = folder_name.split_at(dot);
        Some((name, self.types.get(self.by_suffix.get(suffix)?)?))
    }

    /// Suffixes close to that of `folder_name`, for "did you mean".
    pub(crate) fn near_suffixes(&self, folder_name: &str) -> Vec<String> {
        let suffix = folder_name.rfind('.').map_or("", |dot| &folder_name[dot..]);
        nearest_names(suffix, self.by_suffix.keys().map(String::as_str))
    }
}

pub(crate) fn is_type_folder(folder: &VfsPath) -> bool {
    folder
        .name()
        .is_some_and(|name| name.len() > TYPE_SUFFIX.len() && name.ends_with(TYPE_SUFFIX))
}
