//! [`Copies`]: assets that share a guid, as the folder of one was copied.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::VfsPath;

use crate::asset::Names;
use crate::diagnostic::Diagnostic;
use crate::error::first_few;
use crate::guid::Guid;
use crate::root::Root;

/// Which guids several assets have, and whose each is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    /// Which asset had a guid when it was last one's alone: it keeps it when a copy appears.
    owners: BTreeMap<Guid, VfsPath>,
    shared: BTreeSet<Guid>,
}

impl Copies {
    /// Takes note of the assets that have a guid now.
    pub(crate) fn note(&mut self, guid: Guid, paths: &[VfsPath]) {
        match paths {
            [] => drop(self.owners.remove(&guid)),
            [one] => drop(self.owners.insert(guid, one.clone())),
            _ => {}
        }
        match paths.len() > 1 {
            true => self.shared.insert(guid),
            false => self.shared.remove(&guid),
        };
    }

    /// Of the assets that share a guid, the one whose it is.
    pub(crate) fn original<'a>(&'a self, guid: Guid, paths: &'a [VfsPath]) -> Option<&'a VfsPath> {
        let known = self
            .owners
            .get(&guid)
            .filter(|owner| paths.binary_search(owner).is_ok());
        let in_library = || paths.iter().find(|path| Root::of(path) != Root::World);
        known.or_else(in_library).or(paths.first())
    }

    /// What is told of assets that share a guid: all but one are copies that have none of their own yet.
    pub(crate) fn told<'a>(&'a self, names: &'a Names) -> impl Iterator<Item = Diagnostic> + 'a {
        let shared = self.shared.iter().filter_map(|guid| names.guid.get(guid));
        shared.flat_map(|paths| paths.iter().map(move |path| copied(path, paths)))
    }
}

fn copied(path: &VfsPath, paths: &[VfsPath]) -> Diagnostic {
    let others = paths.iter().filter(|other| *other != path);
    let others = first_few(others.map(VfsPath::as_str), paths.len() - 1);
    let message = format!("it has the same guid as {others}: one is a copy");
    Diagnostic::warning("asset.copied_guid", path, message).help("`settle` gives a copy a guid of its own")
}
