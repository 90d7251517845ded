//! [`Watched`]: what assets with a behaviour name, so that a change of it can be told them.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::VfsPath;

use super::Workspace;
use super::hooks::{Call, Job};
use crate::behavior::DependencyChange;
use crate::deps::Dependency;

/// What each asset with a behaviour names.
#[derive(Debug, Default)]
pub(super) struct Watched(BTreeMap<VfsPath, Vec<Dependency>>);

impl Workspace {
    /// Looks at what the assets at `paths` name now.
    pub(super) fn watch(&mut self, paths: impl IntoIterator<Item = VfsPath>) {
        for path in paths {
            let deps = match self.assets.at(&path) {
                // What cannot be read names nothing; the checks tell it.
                Some(asset) if self.behavior_of(asset).is_some() => self.assets.deps(&self.vfs, asset).ok(),
                _ => None,
            };
            match deps.filter(|deps| !deps.is_empty()) {
                Some(deps) => self.watched.0.insert(path, deps),
                None => self.watched.0.remove(&path),
            };
        }
    }

    /// Looks at what every asset with a behaviour names.
    pub(super) fn watch_all(&mut self) {
        let all: Vec<VfsPath> = self.assets.iter().map(|asset| asset.path.clone()).collect();
        self.watch(all);
    }

    /// Calls up `onDependencyChange` for assets that name one of `edited`, or carry a name that is answered now and was
    /// not.
    pub(super) fn tell_dependents(&mut self, edited: &BTreeSet<VfsPath>) {
        let mut jobs = Vec::new();
        for (path, deps) in &mut self.watched.0 {
            let Some(asset) = self.assets.at(path) else { continue };
            let mut changes: BTreeMap<VfsPath, Option<String>> = BTreeMap::new();
            for dep in deps {
                let was_answered = dep.target.path().is_some();
                if let Some(target) = self.assets.answer_again(asset, dep) {
                    dep.target = target;
                }
                match dep.target.path() {
                    Some(now) if !was_answered => {
                        changes.insert(now.clone(), Some(dep.name.clone()));
                    }
                    Some(now) if edited.contains(now) => {
                        changes.entry(now.clone()).or_insert(None);
                    }
                    _ => {}
                }
            }
            jobs.extend(changes.into_iter().map(|(dependency, resolved)| {
                let change = DependencyChange { dependency, resolved };
                (asset.clone(), Call::Dependency(change))
            }));
        }
        for (asset, call) in jobs {
            if let Some(attached) = self.behavior_of(&asset) {
                self.jobs.push(Job { asset, attached, call });
            }
        }
    }
}
