//! [`FileId`]: a path as a number.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::path::VfsPath;

/// A path as a number, of one [`crate::Vfs`]: cheap to copy, compare and hash. It names the place, not what lies there, and
/// stays the same however often a file comes and goes. Numbers are given in the order in which paths are first asked for
/// and are good for one run of a program: never store one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// Its number, from 0 without gaps: an index for tables beside the files.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The numbers of all paths that were asked for. Nothing is ever taken out.
#[derive(Debug, Default)]
pub(crate) struct FileIds(RwLock<Interned>);

#[derive(Debug, Default)]
struct Interned {
    by_path: HashMap<VfsPath, FileId>,
    paths: Vec<VfsPath>,
}

impl FileIds {
    pub(crate) fn of(&self, path: &VfsPath) -> FileId {
        if let Some(id) = self.0.read().unwrap_or_else(PoisonError::into_inner).by_path.get(path) {
            return *id;
        }
        let mut interned = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = interned.by_path.get(path) {
            return *id;
        }
        // Each path takes some hundred bytes: memory ends long before the numbers do.
        let id = FileId(interned.paths.len() as u32);
        interned.by_path.insert(path.clone(), id);
        interned.paths.push(path.clone());
        id
    }

    pub(crate) fn path(&self, id: FileId) -> Option<VfsPath> {
        let interned = self.0.read().unwrap_or_else(PoisonError::into_inner);
        interned.paths.get(id.index()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_path_has_one_number_from_any_thread() {
        let ids = FileIds::default();
        let paths: Vec<VfsPath> = (0..200).map(|n| VfsPath::parse(&format!("/{n}")).unwrap()).collect();
        let seen: Vec<Vec<FileId>> = std::thread::scope(|scope| {
            let all = || paths.iter().map(|path| ids.of(path)).collect();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(all)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seen.iter().all(|one| *one == seen[0]));
        for (path, id) in paths.iter().zip(&seen[0]) {
            assert_eq!(ids.path(*id).as_ref(), Some(path));
        }
        let mut indices: Vec<usize> = seen[0].iter().map(|id| id.index()).collect();
        indices.sort_unstable();
        assert_eq!(indices, (0..200).collect::<Vec<_>>());
        assert_eq!(ids.path(FileId(200)), None);
    }
}
