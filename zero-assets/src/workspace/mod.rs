//! [`Workspace`]: content that lives: an index that follows its files, the behaviours of types, and what is done with
//! assets.

mod behaviors;
mod create;
mod dependencies;
mod derive;
mod hooks;
mod inspect;
mod moving;
mod operations;
mod overwrite;
mod picture;
mod places;
mod placing;
mod scene;
mod search;
mod settings;
mod update;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use zero_vfs::{Feed, FeedOptions, Vfs, VfsPath};

use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::events::Events;
use crate::root::Root;
use crate::settings::Values;

use behaviors::{Attached, Behaviors};
use dependencies::Watched;
use hooks::Jobs;

pub use create::{Create, Created, Over};
pub use inspect::Record;
pub use operations::Shapes;
pub use picture::{Kept, Picture, Shown};
pub use settings::Settings;
pub use update::Update;

/// A world's content while a host runs: files, the index over them, and the behaviours of types.
///
/// Operations take effect at once: what [`Workspace::create`] made is found when it returns. What others do to the files is
/// seen with [`Workspace::update`], which also calls the hooks: in the order of the changes, an asset's one after the other,
/// never one inside another.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use zero_assets::{Create, Workspace, builtin};
/// use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
///
/// let mut vfs = Vfs::new();
/// vfs.mount(builtin()?)?;
/// vfs.mount(Mount::new(VfsPath::parse("/zero/source")?, MemorySource::new("world")))?;
/// let mut world = Workspace::open(Arc::new(vfs))?;
///
/// world.create(&Create::new("assetType", "note"))?;
/// let made = world.create(&Create::new("note", "monday").folder("diary"))?;
/// assert_eq!(made.path.as_str(), "/zero/source/diary/monday.note");
/// assert_eq!(world.assets().find("diary.monday")?.guid, Some(made.guid));
///
/// // It is moved by someone else, and is still the same asset.
/// let (from, to) = (made.path, VfsPath::parse("/zero/source/archive/first.note")?);
/// world.vfs().rename(&from, &to)?;
/// world.update(Duration::from_secs(1));
/// assert_eq!(world.assets().by_guid(made.guid)?.identity, "archive.first");
/// # Ok::<(), zero_assets::Error>(())
/// ```
#[derive(Debug)]
pub struct Workspace {
    vfs: Arc<Vfs>,
    assets: Assets,
    behaviors: Behaviors,
    events: Events,
    feed: Feed,
    /// Assets whose arrival was told, with the behaviour that it was told to.
    registered: BTreeMap<VfsPath, Arc<Attached>>,
    jobs: Jobs,
    watched: Watched,
    /// The settings of assets as their behaviour last heard of them.
    settings_heard: BTreeMap<VfsPath, Values>,
    /// Assets that were made or edited since what they name was written down.
    unsettled: BTreeSet<VfsPath>,
    /// What was told when the world was opened, and not handed out yet.
    told_at_open: Vec<Diagnostic>,
    /// What search knows, from the first search on.
    search: Option<crate::SearchIndex>,
}

impl Workspace {
    /// Opens the content of `vfs`, with the behaviours of those built-in types that are mounted
    /// ([`crate::builtin_behaviors`]). Assets that are there are registered with their behaviours as those are attached. An
    /// installation of a package in which a program was stopped is gone on with first; one that cannot go on is told
    /// (`package.unfinished`) and left as it is. What is told of it and of the files comes with the first
    /// [`Workspace::update`].
    ///
    /// Cost: it reads every file once, to know later which are others, and keeps a hash of each; then it lists every folder
    /// again and reads what [`Assets::load`] does.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`] if the world's source cannot be listed.
    pub fn open(vfs: Arc<Vfs>) -> Result<Self> {
        let mut told_at_open = crate::package::go_on(&vfs);
        let mut feed = Feed::new(&vfs, FeedOptions::default());
        // What is there already is no change; what is told of it is.
        let batch = feed.pull(&vfs, std::time::Duration::ZERO);
        told_at_open.extend(batch.diagnostics.iter().map(update::of_vfs));
        let assets = Assets::load(&vfs)?;
        let mut behaviors = Behaviors::default();
        behaviors.attach_builtin(&assets);
        // What was edited while no program ran is written down with the first call of `settle`.
        let own = assets.iter().filter(|asset| Root::of(&asset.path) == Root::World);
        let unsettled = own.map(|asset| asset.path.clone()).collect();
        let watched = Watched::new(&assets);
        Ok(Self {
            vfs,
            assets,
            behaviors,
            events: Events::default(),
            feed,
            registered: BTreeMap::new(),
            jobs: Jobs::default(),
            watched,
            settings_heard: BTreeMap::new(),
            unsettled,
            told_at_open,
            search: None,
        })
    }

    /// The files.
    #[must_use]
    pub fn vfs(&self) -> &Arc<Vfs> {
        &self.vfs
    }

    /// The index of all assets.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// What is wrong with the content, with the files that it lies in (names that clash, what cannot be read), and with the
    /// behaviours that are attached; and once something was searched, with what search reads.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = self.assets.diagnostics().to_vec();
        self.by_name_rules(&mut all, self.assets.iter());
        // What no path can reach the index tells.
        let of_files = self.feed.standing().filter(|told| told.code != "vfs.unreachable");
        all.extend(of_files.map(update::of_vfs));
        all.extend(self.behaviors.told(&self.assets));
        all.extend(self.search.iter().flat_map(crate::SearchIndex::diagnostics));
        all.sort_by(Diagnostic::order);
        all
    }

    /// Gives every asset that can be written a guid, and each copy one of its own (see [`Assets::settle`]); and writes
    /// what assets that were made or edited since the last call name into their `.refs`, so that it is known when what
    /// they name is moved. The first call does so for all assets of the world, for it is not known what was edited while no
    /// program ran. An editor calls it after an [`Workspace::update`] that brought changes, before a person moves anything.
    ///
    /// # Errors
    /// As [`Assets::settle`].
    pub fn settle(&mut self) -> Result<crate::Settled> {
        let mut settled = self.assets.settle(&self.vfs)?;
        let mut paths = std::mem::take(&mut self.unsettled);
        paths.extend(settled.given.iter().map(|(path, _)| path.clone()));
        for path in paths
            .iter()
            .filter(|path| self.assets.at(path).is_some())
            .collect::<Vec<_>>()
        {
            match self.assets.record_references(&self.vfs, path) {
                Ok(_) => {}
                Err(crate::Error::Vfs(error @ zero_vfs::Error::NotSynced { .. })) => {
                    let told = Diagnostic::warning("vfs.not_synced", path, error.to_string());
                    settled.diagnostics.push(told);
                }
                Err(error) => settled.cannot(path, error),
            }
        }
        settled.left.sort();
        settled.left.dedup();
        settled.diagnostics.sort_by(Diagnostic::order);
        settled.diagnostics.dedup();
        Ok(settled)
    }

    /// Takes what the names of an asset lead to now for what they mean, where the `.refs` knows of others
    /// ([`crate::Target::Retargeted`]), and answers whether anything was written.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::Vfs`].
    pub fn confirm_references(&mut self, path: &VfsPath) -> Result<bool> {
        // What is taken has a guid to be pinned by.
        self.assets.settle(&self.vfs)?;
        self.assets.confirm_references(&self.vfs, path)
    }

    /// Where names of assets are, beyond what types declare: for an interface that is no type's. A key that a type declares
    /// too is as it is said here.
    pub fn declare_references(&mut self, more: &crate::types::References) {
        self.assets.declare_references(more);
        self.watch_declared_anew();
    }

    pub(crate) fn asset(&self, path: &VfsPath) -> Result<&crate::Asset> {
        self.assets.at(path).ok_or_else(|| Error::NoAsset {
            name: path.to_string(),
            near: Vec::new(),
        })
    }
}
