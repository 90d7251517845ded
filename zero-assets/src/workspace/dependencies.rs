//! [`Watched`]: what assets with a behaviour name, so that a change of it can be told them.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::VfsPath;

use super::Workspace;
use super::hooks::{Call, Job};
use crate::answers::{Answers, parts_of};
use crate::asset::Asset;
use crate::assets::Assets;
use crate::behavior::DependencyChange;
use crate::calls::Calls;
use crate::deps::Dependency;
use crate::types::{References, SettingsBlock};

/// What each asset with a behaviour names, and who names what.
#[derive(Debug, Default)]
pub(super) struct Watched {
    deps: BTreeMap<VfsPath, Vec<Dependency>>,
    /// The assets that carry a name with a part.
    by_part: BTreeMap<String, BTreeSet<VfsPath>>,
    /// The assets that name what is at a path.
    by_target: BTreeMap<VfsPath, BTreeSet<VfsPath>>,
    declared: Declared,
}

/// What says where names are looked for.
#[derive(Debug, Default)]
struct Declared {
    calls: Calls,
    host: References,
    /// By type: keys and calls of its files, and settings that are names.
    types: BTreeMap<VfsPath, (References, Option<SettingsBlock>)>,
}

impl Declared {
    fn of(assets: &Assets) -> Self {
        let types = assets.types().iter();
        let types = types.map(|kind| (kind.path.clone(), (kind.references.clone(), kind.settings.clone())));
        Self {
            calls: assets.calls().clone(),
            host: assets.declared().clone(),
            types: types.collect(),
        }
    }

    /// Whether names are looked for elsewhere in an asset than `other` says.
    fn differs(&self, other: &Self, asset: &Asset) -> bool {
        let is_same = self.calls == other.calls && self.host == other.host;
        !is_same || self.types.get(&asset.type_path) != other.types.get(&asset.type_path)
    }
}

impl Watched {
    pub(super) fn new(assets: &Assets) -> Self {
        Self {
            declared: Declared::of(assets),
            ..Self::default()
        }
    }

    fn set(&mut self, path: &VfsPath, deps: Vec<Dependency>) {
        self.take(path);
        for dep in &deps {
            for part in parts_of(&dep.name) {
                self.by_part.entry(part).or_default().insert(path.clone());
            }
            if let Some(target) = dep.target.path() {
                self.by_target.entry(target.clone()).or_default().insert(path.clone());
            }
        }
        if !deps.is_empty() {
            self.deps.insert(path.clone(), deps);
        }
    }

    /// Forgets what an asset names, and hands it out.
    fn take(&mut self, path: &VfsPath) -> Option<Vec<Dependency>> {
        let deps = self.deps.remove(path)?;
        for dep in &deps {
            parts_of(&dep.name).for_each(|part| forget(&mut self.by_part, &part, path));
            if let Some(target) = dep.target.path() {
                forget(&mut self.by_target, target, path);
            }
        }
        Some(deps)
    }

    /// The assets of which a name may be answered otherwise, or what they name was edited.
    fn concerned(&self, answers: &Answers, edited: &BTreeSet<VfsPath>) -> BTreeSet<VfsPath> {
        if answers.all {
            return self.deps.keys().cloned().collect();
        }
        let by_part = answers.parts.iter().filter_map(|part| self.by_part.get(part));
        let places = answers.places.iter().chain(edited);
        let by_target = places.filter_map(|place| self.by_target.get(place));
        by_part.chain(by_target).flatten().cloned().collect()
    }
}

fn forget<K: Ord>(index: &mut BTreeMap<K, BTreeSet<VfsPath>>, key: &K, path: &VfsPath) {
    if let Some(paths) = index.get_mut(key) {
        paths.remove(path);
        if paths.is_empty() {
            index.remove(key);
        }
    }
}

impl Workspace {
    /// Looks at what the assets at `paths` name now: reads their files.
    pub(super) fn watch(&mut self, paths: impl IntoIterator<Item = VfsPath>) {
        for path in paths {
            let followed = self.assets.at(&path).filter(|asset| {
                let attached = self.behavior_of(asset);
                attached.is_some_and(|attached| attached.behavior.follows_names())
            });
            // What cannot be read names nothing; the checks tell it.
            let deps = followed.and_then(|asset| self.assets.deps(&self.vfs, asset).ok());
            self.watched.set(&path, deps.unwrap_or_default());
        }
    }

    /// Looks again at the assets in which names are looked for elsewhere since the types changed.
    pub(super) fn watch_declared_anew(&mut self) {
        let now = Declared::of(&self.assets);
        let before = &self.watched.declared;
        let stale = self.registered.keys().filter_map(|path| self.assets.at(path));
        let stale = stale
            .filter(|asset| before.differs(&now, asset))
            .map(|asset| asset.path.clone());
        let stale: Vec<VfsPath> = stale.collect();
        self.watched.declared = now;
        self.watch(stale);
    }

    /// Calls up `onDependencyChange` for assets that name one of `edited`, or carry a name that is answered now and was
    /// not. Looks up those names alone of which a change can answer a part.
    pub(super) fn tell_dependents(&mut self, edited: &BTreeSet<VfsPath>) {
        let answers = self.assets.take_answers().unwrap_or_else(|| Answers {
            all: true,
            ..Answers::default()
        });
        for path in self.watched.concerned(&answers, edited) {
            let Some(mut deps) = self.watched.take(&path) else {
                continue;
            };
            if let Some(asset) = self.assets.at(&path).cloned() {
                let changes = answered_again(&self.assets, &asset, &mut deps, edited);
                if let Some(attached) = self.behavior_of(&asset) {
                    for (dependency, resolved) in changes {
                        let call = Call::Dependency(DependencyChange { dependency, resolved });
                        let (asset, attached) = (asset.clone(), attached.clone());
                        self.jobs.push(Job { asset, attached, call });
                    }
                }
            }
            self.watched.set(&path, deps);
        }
    }
}

/// Looks up the names of an asset again. Answers what it names that was edited, or that its name did not lead to before.
fn answered_again(
    assets: &Assets,
    asset: &Asset,
    deps: &mut [Dependency],
    edited: &BTreeSet<VfsPath>,
) -> BTreeMap<VfsPath, Option<String>> {
    let mut changes: BTreeMap<VfsPath, Option<String>> = BTreeMap::new();
    for dep in deps {
        let was_answered = dep.target.path().is_some();
        if let Some(target) = assets.answer_again(asset, dep) {
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
    changes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use proptest::prelude::*;
    use zero_vfs::{MemorySource, Mount, Vfs};

    use super::*;
    use crate::{Behavior, HookContext, HookResult, Step};

    #[derive(Debug)]
    struct Follows;

    impl Behavior for Follows {
        fn on_dependency_change(&self, _: &HookContext<'_>, _: &DependencyChange) -> HookResult<Step> {
            Ok(Step::Done)
        }
    }

    const NAMES: &[&str] = &[
        "a",
        "b",
        "kit.a",
        "c.b",
        "~.a",
        "~kit.b",
        ".b",
        "..a",
        "a.note",
        "@root::kit.a",
        "also",
        "/zero/source/kit.box/a.note",
        "@stone::a",
        "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d",
        "other.also",
    ];
    const FOLDERS: &[&str] = &[
        "/a.note",
        "/b.note",
        "/kit.box",
        "/kit.box/a.note",
        "/kit.box/b.note",
        "/c",
        "/c/b.note",
        "/libs/@stone/a.note",
    ];
    const TYPES: &[&str] = &[
        "primary: x\naliases_from: [{ file: x, key: also }]\nreferences: { keys: [{ key: see, type: note }] }\n",
        "primary: x\nreferences: { keys: [{ key: see, type: note }, { key: also, type: note }] }\n",
        "primary: x\nis_opaque_walker: true\nreferences: { args: [{ call: see, position: 1, type: note }] }\n",
    ];
    const BOXES: &[&str] = &[
        "primary: x\nis_container: true\nroot: true\n",
        "primary: x\nbroadcasts_subassets: true\n",
    ];

    #[derive(Clone, Debug)]
    enum Edit {
        Write(usize, Vec<usize>, usize),
        Guid(usize),
        Remove(usize),
        Rename(usize, usize),
        Type(usize, usize),
    }

    fn edit() -> impl Strategy<Value = Edit> {
        let folder = 0..FOLDERS.len();
        prop_oneof![
            6 => (folder.clone(), prop::collection::vec(0..NAMES.len(), 0..4), 0..3usize).prop_map(|(at, see, also)| Edit::Write(at, see, also)),
            1 => folder.clone().prop_map(Edit::Guid),
            2 => folder.clone().prop_map(Edit::Remove),
            3 => (folder.clone(), folder).prop_map(|(from, to)| Edit::Rename(from, to)),
            1 => (0..TYPES.len(), 0..BOXES.len()).prop_map(|(note, kind)| Edit::Type(note, kind)),
        ]
    }

    fn at(inner: &str) -> VfsPath {
        VfsPath::parse(&format!("/zero/source{inner}")).unwrap()
    }

    /// Makes an edit where it can be made.
    fn make(vfs: &Vfs, edit: &Edit) {
        let write = |inner: &str, text: String| drop(vfs.write(&at(inner), text.as_bytes()));
        match edit {
            Edit::Write(folder, see, also) => {
                let see: Vec<String> = see.iter().map(|name| format!("'{}'", NAMES[*name])).collect();
                let also = ["[]", "[also]", "[other/also, kit]"][*also];
                write(&format!("{}/x", FOLDERS[*folder]), format!("also: {also}\n"));
                write(
                    &format!("{}/x.yaml", FOLDERS[*folder]),
                    format!("see: [{}]\n", see.join(", ")),
                );
                let calls: Vec<String> = see.iter().map(|name| format!("see({name}) require({name})")).collect();
                write(&format!("{}/x.luau", FOLDERS[*folder]), calls.join("\n"));
            }
            Edit::Guid(folder) => write(
                &format!("{}/.refs", FOLDERS[*folder]),
                "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n".to_owned(),
            ),
            Edit::Remove(folder) => drop(vfs.remove_tree(&at(FOLDERS[*folder]))),
            Edit::Rename(from, to) => drop(vfs.rename(&at(FOLDERS[*from]), &at(FOLDERS[*to]))),
            Edit::Type(note, kind) => {
                write("/note.assetType/type.yaml", TYPES[*note].to_owned());
                write("/box.assetType/type.yaml", BOXES[*kind].to_owned());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        /// Looking up those names alone that a change can answer leaves none that is answered otherwise, and reading those
        /// assets alone that changed misses none of the names.
        #[test]
        fn what_is_watched_is_what_is_there(batches in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..10)) {
            let mut vfs = Vfs::new();
            vfs.mount(crate::builtin().unwrap()).unwrap();
            vfs.mount(Mount::new(at(""), MemorySource::new("world"))).unwrap();
            make(&vfs, &Edit::Type(0, 0));
            let mut world = Workspace::open(Arc::new(vfs)).unwrap();
            world.attach("note", Arc::new(Follows));
            world.attach("box", Arc::new(Follows));
            for (number, batch) in batches.iter().enumerate() {
                batch.iter().for_each(|edit| make(world.vfs(), edit));
                world.update(Duration::from_secs(10 * (number as u64 + 1)));
                let followed = |asset: &&Asset| ["note", "box"].contains(&asset.kind.as_str());
                for asset in world.assets.iter().filter(followed) {
                    let fresh = world.assets.deps(&world.vfs, asset).unwrap();
                    let known = world.watched.deps.get(&asset.path).cloned().unwrap_or_default();
                    let seen = |deps: &[Dependency]| -> Vec<(String, String, Option<VfsPath>)> {
                        deps.iter().map(|dep| (dep.via.clone(), dep.name.clone(), dep.target.path().cloned())).collect()
                    };
                    prop_assert_eq!(seen(&known), seen(&fresh), "{} after {:?}", &asset.path, batch);
                }
                prop_assert!(world.watched.deps.keys().all(|path| world.assets.at(path).is_some()));
            }
        }
    }
}
