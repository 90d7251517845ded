//! [`Seen`]: what the base held where play changed something, so that a promotion loses no change of others.

use std::collections::BTreeMap;

use super::upper::Steps;
use crate::error::Result;
use crate::hash::ContentHash;
use crate::path::VfsPath;
use crate::source::{Kind, Source};

/// For each path that play changed, the content of the base's file there as play first changed it; `None` where the base
/// held no file.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<VfsPath, Option<ContentHash>>);

impl Seen {
    /// Remembers what the base holds at `path`, unless that is known from an earlier change of this play.
    pub(super) fn note(&mut self, base: &dyn Source, path: &VfsPath) -> Result<()> {
        if !self.0.contains_key(path) {
            self.0.insert(path.clone(), content(base, path)?);
        }
        Ok(())
    }

    /// The files of the base that others changed since, of those that `steps` writes or removes, sorted. One that holds
    /// already what it is to hold is none: a promotion that failed midway has been there.
    pub(super) fn changed(&self, base: &dyn Source, steps: &Steps) -> Result<Vec<VfsPath>> {
        let mut changed = Vec::new();
        let puts = steps.puts.iter().map(|(path, bytes)| (path, Some(bytes)));
        for (path, bytes) in puts.chain(steps.removals.iter().map(|path| (path, None))) {
            let now = content(base, path)?;
            let known = self.0.get(path).is_some_and(|seen| *seen == now);
            let is_done = match bytes {
                Some(bytes) => now == Some(ContentHash::of(bytes)),
                None => now.is_none(),
            };
            if !known && !is_done {
                changed.push(path.clone());
            }
        }
        changed.sort();
        changed.dedup();
        Ok(changed)
    }

    pub(super) fn forget(&mut self, path: &VfsPath) {
        self.0.remove(path);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

fn content(base: &dyn Source, path: &VfsPath) -> Result<Option<ContentHash>> {
    match base.stat(path)?.map(|stat| stat.kind) {
        Some(Kind::File) => match base.read(path, u64::MAX) {
            Ok(bytes) => Ok(Some(ContentHash::of(&bytes))),
            // Gone since it was looked at.
            Err(crate::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        },
        _ => Ok(None),
    }
}
