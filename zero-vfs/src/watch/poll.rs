//! [`Seen`]: what a folder looked like, to tell what has changed when it is looked at again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::stamp::Stamp;

/// Every file below a folder, by its path on disk, as it looked.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<PathBuf, Stamp>);

impl Seen {
    /// Looks at the folder.
    pub(super) fn look(root: &Path) -> Self {
        Self::look_at(root, SystemTime::now())
    }

    fn look_at(root: &Path, now: SystemTime) -> Self {
        let mut seen = Self::default();
        let mut open = vec![root.to_path_buf()];
        while let Some(folder) = open.pop() {
            // A folder that is gone, or cannot be read, has nothing in it that could be told of.
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.metadata() {
                    Ok(found) if found.is_dir() => open.push(entry.path()),
                    Ok(found) => drop(seen.0.insert(entry.path(), Stamp::of_file(&found, now))),
                    Err(_) => {}
                }
            }
        }
        seen
    }

    /// Whether a file was there.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    /// The files that look other than in `before`, or are new, and those that are gone; sorted.
    ///
    /// A file may be written twice within one tick of the clock, with a look in between, and look the same afterwards. So one
    /// that was written shortly before a look counts once more when its times have come of age.
    pub(super) fn changed_since(&self, before: &Self) -> Vec<PathBuf> {
        let changed = self.0.iter().filter(|(path, stamp)| {
            let came_of_age = |old: &Stamp| !old.is_settled() && stamp.is_settled();
            let old = before.0.get(*path);
            old.is_none_or(|old| !old.looks_like(stamp) || came_of_age(old))
        });
        let gone = before.0.keys().filter(|path| !self.0.contains_key(*path));
        let mut paths: Vec<PathBuf> = changed.map(|(path, _)| path).chain(gone).cloned().collect();
        paths.sort_unstable();
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_new_files_and_gone_ones_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("d")).unwrap();
        fs::write(at("a"), "1").unwrap();
        fs::write(at("d/b"), "1").unwrap();
        let before = Seen::look(folder.path());
        fs::write(at("a"), "longer").unwrap();
        fs::write(at("d/new"), "1").unwrap();
        fs::remove_file(at("d/b")).unwrap();
        let after = Seen::look(folder.path());
        assert_eq!(after.changed_since(&before), [at("a"), at("d/b"), at("d/new")]);
        fs::remove_dir_all(at("d")).unwrap();
        let last = Seen::look(folder.path());
        assert_eq!(last.changed_since(&after), [at("d/new")]);
        assert!(last.changed_since(&last).is_empty());
    }

    #[test]
    fn a_file_written_just_before_a_look_is_told_once_more_later() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "1").unwrap();
        let now = SystemTime::now();
        let after = |secs| Seen::look_at(folder.path(), now + std::time::Duration::from_secs(secs));
        assert!(after(0).changed_since(&after(0)).is_empty());
        assert_eq!(after(9).changed_since(&after(0)), [folder.path().join("a")]);
        assert!(after(19).changed_since(&after(9)).is_empty());
    }
}
