//! [`Workspace::update`]: what changed in the files since the last time.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use zero_vfs::{Batch, ChangeKind, Origin, VfsPath};

use super::Workspace;
use super::hooks::{Call, Job};
use crate::asset::Asset;
use crate::assets::Changes;
use crate::behavior::{AssetChange, AssetChangeKind};
use crate::diagnostic::Diagnostic;
use crate::refs::REFS_FILE;
use crate::value::equal;

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Update {
    /// What happened to the assets since the last update. What [`Workspace::create`], [`Workspace::move_asset`] and the like
    /// made, moved and removed is known when they return and is not told again; the files that they wrote are among the
    /// `edited` of the next update, as those of anyone are.
    pub changes: Changes,
    /// Hooks that were called and are done.
    pub hooks_done: usize,
    /// Hooks that wait for something, and those that wait for them.
    pub hooks_waiting: usize,
    /// What failed: hooks, and files that could not be looked at. The first after [`Workspace::open`] has what was told of
    /// the files, and of an installation that had been stopped, when the world was opened.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file that changed, as the hooks are told.
struct FileChange {
    path: VfsPath,
    kind: AssetChangeKind,
    origin: Origin,
}

impl Workspace {
    /// Takes in what changed in the files since the last call, then calls the hooks that wait. `now` is the time since any
    /// moment that stays the same, and must not go back; a file that someone else writes is taken when it has been quiet
    /// for a while.
    /// A path that cannot be looked at is told, and stays as it was known.
    pub fn update(&mut self, now: Duration) -> Update {
        let batch = self.feed.pull(&self.vfs, now);
        let files = file_changes(&batch);
        let paths = files.iter().map(|change| change.path.clone()).collect();
        let to_come = self.feed.next_due().is_some();
        let (changes, failed) = self.assets.apply_all(&self.vfs, paths, to_come);
        self.call_up(&changes, files);
        let (hooks_done, mut diagnostics) = self.run_jobs();
        diagnostics.append(&mut self.told_at_open);
        diagnostics.extend(batch.diagnostics.iter().map(of_vfs));
        if let Some(error) = failed {
            diagnostics.push(Diagnostic::of_error("vfs.unreadable", &VfsPath::root(), &error));
        }
        Update {
            changes,
            hooks_done,
            hooks_waiting: self.jobs.len(),
            diagnostics,
        }
    }

    /// Queues what the behaviours are to be told.
    fn call_up(&mut self, changes: &Changes, files: Vec<FileChange>) {
        for asset in &changes.removed {
            self.leave(asset);
        }
        match changes.types_changed {
            true => self.types_changed(),
            false => changes.added.iter().for_each(|path| self.arrive(path)),
        }
        for change in files {
            self.change(change);
        }
        let touched = changes.added.iter().chain(changes.edited.keys());
        let mut touched: BTreeSet<VfsPath> = touched.cloned().collect();
        self.unsettled.extend(touched.iter().cloned());
        self.watch(touched.clone());
        self.watch(changes.removed.iter().map(|asset| asset.path.clone()));
        // What arrived is no change of what it names.
        touched.retain(|path| changes.edited.contains_key(path));
        self.tell_dependents(&touched);
    }

    /// Calls up `onRegister` for every asset that has a behaviour and was not registered. Those that have another than they
    /// were registered with are looked at anew, and no others.
    pub(super) fn arrive_all(&mut self) {
        let is_news = |asset: &&Asset| {
            let now = self.behavior_of(asset);
            let known = self.registered.get(&asset.path);
            now.is_some_and(|now| known.is_none_or(|known| !Arc::ptr_eq(&now, known)))
        };
        let news: Vec<VfsPath> = self
            .assets
            .iter()
            .filter(is_news)
            .map(|asset| asset.path.clone())
            .collect();
        news.iter().for_each(|path| self.arrive(path));
        self.watch(news);
    }

    /// Calls up `onRegister` for an asset, once until it leaves.
    pub(super) fn arrive(&mut self, path: &VfsPath) {
        let Some(asset) = self.assets.at(path).cloned() else {
            return;
        };
        let Some(attached) = self.behavior_of(&asset) else {
            return;
        };
        // A behaviour that took another's place is told nothing anew: the assets are here already. Ours told nobody.
        let known = self.registered.insert(path.clone(), attached.clone());
        if known.is_some_and(|known| !known.is_builtin || attached.is_builtin) {
            return;
        }
        if let Ok(Some(settings)) = self.settings(&asset.path) {
            self.settings_heard.insert(path.clone(), settings.values);
        }
        let call = Call::Register;
        self.jobs.push(Job { asset, attached, call });
    }

    /// Calls up `onDelete` for an asset that was registered. Where its type is gone with it, the behaviour that it was
    /// registered with is told.
    pub(super) fn leave(&mut self, asset: &Asset) {
        let Some(known) = self.registered.remove(&asset.path) else {
            return;
        };
        self.settings_heard.remove(&asset.path);
        let attached = self.behavior_of(asset).unwrap_or(known);
        let (asset, call) = (asset.clone(), Call::Delete);
        self.jobs.push(Job { asset, attached, call });
    }

    /// Calls up `onChange` for the asset that a file is in.
    fn change(&mut self, change: FileChange) {
        // That of what is gone too.
        if change.path.name() == Some(REFS_FILE) || self.assets.is_sidecar(&change.path) {
            return;
        }
        let Some(asset) = self.assets.containing(&change.path).cloned() else {
            return;
        };
        let Some(attached) = self.behavior_of(&asset) else {
            return;
        };
        let (settings, settings_changed) = self.settings_of_change(&asset, &change.path);
        let call = Call::Change(AssetChange {
            path: change.path,
            asset: asset.path.clone(),
            kind_of_asset: asset.kind.clone(),
            kind: change.kind,
            origin: change.origin,
            settings,
            settings_changed,
        });
        self.jobs.push(Job { asset, attached, call });
    }

    /// The settings, and which are others than before, where `path` is the file of their values.
    fn settings_of_change(&mut self, asset: &Asset, path: &VfsPath) -> (Option<crate::settings::Values>, Vec<String>) {
        let block = self.assets.type_of(asset).and_then(|kind| kind.settings.as_ref());
        let is_values = block.is_some_and(|block| asset.path.join(&block.values).is_ok_and(|file| file == *path));
        let now = match is_values {
            true => self
                .settings(&asset.path)
                .ok()
                .flatten()
                .map(|settings| settings.values),
            false => None,
        };
        let Some(now) = now else { return (None, Vec::new()) };
        let before = self
            .settings_heard
            .insert(asset.path.clone(), now.clone())
            .unwrap_or_default();
        let fields: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let differs = |field: &&String| match (before.get(*field), now.get(*field)) {
            (Some(before), Some(now)) => !equal(before, now),
            _ => true,
        };
        let changed = fields.into_iter().filter(differs).cloned().collect();
        (Some(now), changed)
    }

    /// Tells every asset that it leaves: the world is closed, or another takes its place. Hooks that wait are called once
    /// more; what they still wait for is not.
    pub fn close(mut self) -> Vec<Diagnostic> {
        let all: Vec<Asset> = self.assets.iter().cloned().collect();
        all.iter().for_each(|asset| self.leave(asset));
        self.run_jobs().1
    }
}

/// The files of a batch, in its order; one that was moved left one place and came to another.
fn file_changes(batch: &Batch) -> Vec<FileChange> {
    let mut files = Vec::new();
    for change in &batch.changes {
        let (kind, left) = match &change.kind {
            ChangeKind::Seeded => (AssetChangeKind::Seeded, None),
            ChangeKind::Removed => (AssetChangeKind::Removed, None),
            ChangeKind::Renamed { from } => (AssetChangeKind::Edited, Some(from)),
            _ => (AssetChangeKind::Edited, None),
        };
        let origin = change.origin;
        files.extend(left.map(|from| FileChange {
            path: from.clone(),
            kind: AssetChangeKind::Removed,
            origin,
        }));
        files.push(FileChange {
            path: change.path.clone(),
            kind,
            origin,
        });
    }
    files
}

/// What the files tell, in our form.
pub(super) fn of_vfs(told: &zero_vfs::Diagnostic) -> Diagnostic {
    let path = &told.path;
    match told.severity {
        zero_vfs::Severity::Error => Diagnostic::error(told.code, path, told.message.as_str()),
        zero_vfs::Severity::Warning => Diagnostic::warning(told.code, path, told.message.as_str()),
    }
    .help(told.help.as_str())
}
