//! Which behaviour is attached to which type.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use zero_vfs::VfsPath;

use super::Workspace;
use crate::asset::Asset;
use crate::assets::{Assets, SOURCE};
use crate::behavior::{Behavior, HookContext, RESERVED_METHODS};
use crate::diagnostic::Diagnostic;
use crate::events::{EventSchema, Events};
use crate::types::AssetType;

/// A behaviour and what it says of itself once.
pub(super) struct Attached {
    pub(super) behavior: Arc<dyn Behavior>,
    pub(super) events: Vec<EventSchema>,
    /// Whether it is one that comes with the crate, which leaves to the host what only a running system can do.
    pub(super) is_builtin: bool,
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Attached")
    }
}

/// The behaviours that are attached.
#[derive(Default)]
pub(super) struct Behaviors {
    /// Those that come with the crate, by the identity of their type.
    builtin: BTreeMap<String, Arc<Attached>>,
    /// Those of the host, with the identity of their type as it was written, in the order in which they were attached.
    attached: Vec<(String, Arc<Attached>)>,
    /// By the folder of the type that each identity means now: the host's before ours, the last before those before it.
    by_type: BTreeMap<VfsPath, Arc<Attached>>,
}

impl fmt::Debug for Behaviors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.builtin.keys().chain(self.attached.iter().map(|(name, _)| name));
        f.debug_set().entries(names).finish()
    }
}

impl Behaviors {
    /// Attaches the behaviours of the built-in types that are there.
    pub(super) fn attach_builtin(&mut self, assets: &Assets) {
        for (identity, behavior) in crate::builtin::builtin_behaviors() {
            if type_of(assets, &identity).is_some() {
                let events = behavior.events();
                let attached = Attached {
                    behavior,
                    events,
                    is_builtin: true,
                };
                self.builtin.insert(identity, Arc::new(attached));
            }
        }
        self.refresh(assets);
    }

    /// Looks again at which types the identities mean.
    pub(super) fn refresh(&mut self, assets: &Assets) {
        let hosts = self.attached.iter().map(|(identity, attached)| (identity, attached));
        let found = self.builtin.iter().chain(hosts);
        let found = found.filter_map(|(identity, attached)| Some((type_of(assets, identity)?, attached)));
        self.by_type = found
            .map(|(kind, attached)| (kind.path.clone(), attached.clone()))
            .collect();
    }

    /// The behaviour of the type in a folder.
    pub(super) fn of_type(&self, folder: &VfsPath) -> Option<Arc<Attached>> {
        self.by_type.get(folder).cloned()
    }

    /// What is wrong with what is attached.
    pub(super) fn told(&self, assets: &Assets) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for (identity, attached) in &self.attached {
            match type_of(assets, identity) {
                None => told.extend(missing(assets, identity)),
                Some(kind) => {
                    told.extend(shadowed(kind, &*attached.behavior));
                    told.extend(self.given_way(kind, identity, attached));
                }
            }
        }
        for identity in self.builtin.keys() {
            if type_of(assets, identity).is_none() {
                told.extend(missing(assets, identity));
            }
        }
        told
    }

    /// Of a behaviour whose type has another since: two identities were written that came to mean one type.
    fn given_way(&self, kind: &AssetType, identity: &str, attached: &Arc<Attached>) -> Option<Diagnostic> {
        let taken = self.by_type.get(&kind.path)?;
        let (other, _) = self.attached.iter().find(|(_, other)| Arc::ptr_eq(other, taken))?;
        let message = format!(
            "the behaviour attached to `{identity}` is not called: the one attached to `{other}`, which is the same type, is"
        );
        let told = Diagnostic::warning("behavior.twice", &kind.path, message);
        (!Arc::ptr_eq(taken, attached)).then(|| told.help("detach one of the two"))
    }

    /// Where the behaviour is that an identity was attached with, or another identity of the same type.
    fn position(&self, assets: &Assets, identity: &str) -> Option<usize> {
        let by_name = self.attached.iter().position(|(written, _)| written == identity);
        by_name.or_else(|| {
            let folder = &type_of(assets, identity)?.path;
            let means = |written: &str| type_of(assets, written).is_some_and(|kind| kind.path == *folder);
            self.attached.iter().position(|(written, _)| means(written))
        })
    }
}

/// The type of an identity (`kit.note`, `@stone::note`), or of a type's plain name.
fn type_of<'a>(assets: &'a Assets, identity: &str) -> Option<&'a AssetType> {
    let by_identity = assets.find_of("assetType", identity);
    let by_identity = by_identity.ok().and_then(|asset| assets.types().at(&asset.path));
    by_identity.or_else(|| assets.types().get(identity).ok())
}

fn missing(assets: &Assets, identity: &str) -> Option<Diagnostic> {
    let source = VfsPath::parse(SOURCE).ok()?;
    let names: Vec<&str> = assets.types().iter().map(|kind| kind.name.as_str()).collect();
    let message = format!("a behaviour is attached to the type `{identity}`, which is not there");
    let told = Diagnostic::error("behavior.no_type", &source, message);
    Some(told.did_you_mean(&zero_vfs::nearest_names(identity, names)))
}

/// Methods that have the name of one that every asset has.
fn shadowed(kind: &AssetType, behavior: &dyn Behavior) -> Vec<Diagnostic> {
    let methods = behavior.methods().iter();
    let reserved = methods.filter(|method| RESERVED_METHODS.contains(method));
    reserved
        .map(|method| {
            let message =
                format!("the method `{method}` is never reached: every asset answers to it before its type is asked");
            Diagnostic::warning("behavior.shadowed", &kind.path, message)
        })
        .collect()
}

impl Workspace {
    /// Attaches the behaviour of a type by the type's identity (`kit.note`, `@stone::note`, or its plain name), in place
    /// of one that a host attached under any identity of that type, or of our own for a built-in type. Assets that are
    /// there are registered with the next update, but for those that the one before it has registered. What still
    /// waits to be called is called of the new one. A type that is not there is a diagnostic until it is; so is a behaviour whose
    /// type went away, and it takes effect again when that is back.
    pub fn attach(&mut self, identity: impl Into<String>, behavior: Arc<dyn Behavior>) {
        let identity = identity.into();
        let events = behavior.events();
        let attached = Arc::new(Attached {
            behavior,
            events,
            is_builtin: false,
        });
        let before = self.behaviors.position(&self.assets, &identity);
        let before = before.map(|position| self.behaviors.attached.remove(position).1);
        if let Some(before) = before {
            self.jobs.hand_over(&before, &attached);
        }
        self.behaviors.attached.push((identity, attached));
        self.behaviors.refresh(&self.assets);
        self.arrive_all();
    }

    /// Detaches the behaviour that a host attached to a type, under this identity of it or another, and hands it back. None
    /// of its hooks is called any more: not those that wait, and not `onDelete` for assets that it registered. A built-in
    /// type has its own rules again.
    pub fn detach(&mut self, identity: &str) -> Option<Arc<dyn Behavior>> {
        let position = self.behaviors.position(&self.assets, identity)?;
        let (_, attached) = self.behaviors.attached.remove(position);
        self.behaviors.refresh(&self.assets);
        self.jobs.drop_of(&attached);
        self.registered.retain(|_, known| !Arc::ptr_eq(known, &attached));
        self.arrive_all();
        Some(attached.behavior.clone())
    }

    /// The behaviour of an asset's type.
    pub(super) fn behavior_of(&self, asset: &Asset) -> Option<Arc<Attached>> {
        self.behaviors.of_type(&asset.type_path)
    }

    /// Finds the behaviours of types that came or changed, and calls up the arrival of all that is of them.
    pub(super) fn types_changed(&mut self) {
        self.behaviors.refresh(&self.assets);
        self.arrive_all();
        self.watch_declared_anew();
    }

    /// What a hook about `asset` is given.
    pub(super) fn context<'a>(&'a self, asset: &'a Asset, attached: &'a Attached) -> HookContext<'a> {
        context(&self.vfs, &self.assets, asset, &self.events, &attached.events)
    }
}

pub(super) fn context<'a>(
    vfs: &'a zero_vfs::Vfs,
    assets: &'a Assets,
    asset: &'a Asset,
    events: &'a Events,
    declared: &'a [EventSchema],
) -> HookContext<'a> {
    HookContext {
        vfs,
        assets,
        asset,
        events,
        declared,
    }
}
