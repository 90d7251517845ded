//! [`Asset`]: one asset, by its names.

use std::collections::BTreeMap;

use zero_vfs::{Kind, VfsPath};

use crate::guid::Guid;
use crate::root::Root;

/// An asset: a folder `<name>.<type>` and what it holds, or a loose file that a type claims.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asset {
    /// Its folder, or its file.
    pub path: VfsPath,
    /// Whether it is a folder or one file.
    pub form: Kind,
    /// Its name: the folder's without the type's suffix, the file's without its extension.
    pub name: String,
    /// The name of its type.
    pub kind: String,
    /// The folder of its type.
    pub type_path: VfsPath,
    /// Which asset it is, whatever it is called; `None` until one is written into its `.refs`.
    pub guid: Option<Guid>,
    /// The library it is in, without the `@`; `None` in the world.
    pub library: Option<String>,
    /// The way to it from its world or library: segments joined by dots, suffixes of assets dropped, so that
    /// `/zero/source/kit/bark.texture` is `kit.bark`. An asset that holds it keeps its suffix unless its type
    /// is a container.
    pub identity: String,
    /// Further names that it answers to.
    pub aliases: Vec<String>,
}

impl Asset {
    /// The identity as it is written from anywhere: `@lib::identity` in a library.
    #[must_use]
    pub fn full_identity(&self) -> String {
        format!("{}{}", self.root(), self.identity)
    }

    /// The world or library that it is in.
    #[must_use]
    pub fn root(&self) -> Root {
        self.library.clone().map_or(Root::World, Root::Library)
    }
}

/// Assets by each of their names. Paths of one name are sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Names {
    pub(crate) identity: BTreeMap<String, Vec<VfsPath>>,
    /// Short names and aliases.
    pub(crate) name: BTreeMap<String, Vec<VfsPath>>,
    pub(crate) guid: BTreeMap<Guid, Vec<VfsPath>>,
}

impl Names {
    pub(crate) fn add(&mut self, asset: &Asset) {
        add(&mut self.identity, &asset.identity, &asset.path);
        for name in std::iter::once(&asset.name).chain(&asset.aliases) {
            add(&mut self.name, name, &asset.path);
        }
        if let Some(guid) = &asset.guid {
            add(&mut self.guid, guid, &asset.path);
        }
    }

    pub(crate) fn remove(&mut self, asset: &Asset) {
        remove(&mut self.identity, &asset.identity, &asset.path);
        for name in std::iter::once(&asset.name).chain(&asset.aliases) {
            remove(&mut self.name, name, &asset.path);
        }
        if let Some(guid) = &asset.guid {
            remove(&mut self.guid, guid, &asset.path);
        }
    }
}

fn add<K: Ord + Clone>(index: &mut BTreeMap<K, Vec<VfsPath>>, key: &K, path: &VfsPath) {
    let paths = index.entry(key.clone()).or_default();
    if let Err(place) = paths.binary_search(path) {
        paths.insert(place, path.clone());
    }
}

fn remove<K: Ord + Clone>(index: &mut BTreeMap<K, Vec<VfsPath>>, key: &K, path: &VfsPath) {
    if let Some(paths) = index.get_mut(key) {
        paths.retain(|known| known != path);
        if paths.is_empty() {
            index.remove(key);
        }
    }
}
