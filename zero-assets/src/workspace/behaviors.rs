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
    /// By the identity of their type, as it was written.
    attached: BTreeMap<String, Arc<Attached>>,
    /// By the folder of the type that each identity means now.
    by_type: BTreeMap<VfsPath, Arc<Attached>>,
}

impl fmt::Debug for Behaviors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.attached.keys()).finish()
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
                self.attached.insert(identity, Arc::new(attached));
            }
        }
        self.refresh(assets);
    }

    /// Looks again at which types the identities mean.
    pub(super) fn refresh(&mut self, assets: &Assets) {
        let found = self.attached.iter();
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
                Some(kind) => told.extend(shadowed(kind, &*attached.behavior)),
            }
        }
        told
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
    /// of one that was attached. Assets that are there are registered with the next update. A type that is not there is
    /// a diagnostic until it is; so is a behaviour whose type went away, and it takes effect again when that is back.
    pub fn attach(&mut self, identity: impl Into<String>, behavior: Arc<dyn Behavior>) {
        let identity = identity.into();
        let events = behavior.events();
        let attached = Arc::new(Attached {
            behavior,
            events,
            is_builtin: false,
        });
        self.behaviors.attached.insert(identity, attached);
        self.behaviors.refresh(&self.assets);
        self.arrive_all();
    }

    /// Detaches the behaviour of a type and hands it back.
    pub fn detach(&mut self, identity: &str) -> Option<Arc<dyn Behavior>> {
        let attached = self.behaviors.attached.remove(identity)?;
        self.behaviors.refresh(&self.assets);
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
