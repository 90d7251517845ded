//! [`Dependency`]: the names of other assets that an asset carries, and what answers to them.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::Position;

use crate::asset::Asset;
use crate::assets::Assets;
use crate::classify::is_in_template;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::named::{MAX_SCANNED_BYTES, Named, may_hold_names};
use crate::refs::{Pin, Refs, VIA_TYPE};
use crate::resolve::Query;
use crate::root::Root;
use crate::types::References;

/// The type whose assets are types.
const TYPE_OF_TYPES: &str = "assetType";

/// A name of another asset, as an asset carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dependency {
    /// How it is named: `require`, `call:g:node:2`, `call:fx.beam.material`, `call:g.*`, `key:shader`, `setting:shade`,
    /// `include`.
    pub via: String,
    /// The name, as it is written.
    pub name: String,
    /// The types that it may be of; any where none is named.
    pub categories: Vec<String>,
    /// The file that it is in.
    pub file: VfsPath,
    /// Where in the file.
    pub at: Position,
    /// What answers to it.
    pub target: Target,
}

/// What answers to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// An asset.
    Found {
        /// Where it is.
        path: VfsPath,
        /// Its guid, if it has one yet.
        guid: Option<Guid>,
    },
    /// No asset has the name any more, and the `.refs` knows which was meant.
    Renamed {
        /// Where it is now.
        path: VfsPath,
        /// Its guid.
        guid: Guid,
    },
    /// Another asset than the one that the `.refs` knows was meant, which is here too: the name was taken over. The name
    /// leads to the other one; the `.refs` keeps the one that was meant until [`Assets::confirm_references`].
    Retargeted {
        /// Where the asset is that has the name now.
        path: VfsPath,
        /// Its guid, if it has one yet.
        guid: Option<Guid>,
        /// Where the asset is that was meant.
        meant: VfsPath,
        /// Its guid.
        meant_guid: Guid,
    },
    /// No asset, and the host may know what is meant: an operation of its graphs, a text of its shaders.
    Elsewhere,
    /// None, or several.
    Unresolved {
        /// Why.
        message: String,
    },
}

impl Target {
    /// The asset that the name leads to.
    #[must_use]
    pub fn path(&self) -> Option<&VfsPath> {
        match self {
            Self::Found { path, .. } | Self::Renamed { path, .. } | Self::Retargeted { path, .. } => Some(path),
            Self::Elsewhere | Self::Unresolved { .. } => None,
        }
    }

    /// The asset that was meant, where the name leads to another.
    #[must_use]
    pub fn meant(&self) -> Option<&VfsPath> {
        match self {
            Self::Retargeted { meant, .. } => Some(meant),
            _ => None,
        }
    }

    /// What the `.refs` holds for the name.
    fn pinned(&self, trust: Trust) -> Option<Guid> {
        match (self, trust) {
            (Self::Found { guid, .. }, _) => *guid,
            (Self::Retargeted { guid, .. }, Trust::Names) => *guid,
            (Self::Renamed { guid, .. }, _) | (Self::Retargeted { meant_guid: guid, .. }, _) => Some(*guid),
            (Self::Elsewhere | Self::Unresolved { .. }, _) => None,
        }
    }
}

/// What holds where a name leads to another asset than was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// What the `.refs` knows.
    Pins,
    /// What the name leads to.
    Names,
}

impl Assets {
    /// Where names of assets are, beyond what types declare: for an interface that is no type's.
    pub fn declare_references(&mut self, more: &References) {
        self.declare(more);
    }

    /// The assets that an asset names, in the order of its files: by the keys and calls that its type declares, by its
    /// settings, values of `data` and presets of type `asset`, by what entities carry, by `require`, `asset.resolve` and `asset.ref`, by the arguments and fields of calls that
    /// any type declares, and by the `#include` of shaders. Its scripts are read, never run.
    ///
    /// # Errors
    /// [`Error::Vfs`] if a file cannot be read.
    pub fn deps(&self, vfs: &Vfs, asset: &Asset) -> Result<Vec<Dependency>> {
        let mut named = Vec::new();
        let read = |file: &VfsPath| vfs.read_bounded(file, MAX_SCANNED_BYTES).ok();
        let values = self.value_names(asset, &read);
        for file in self.files_of(asset) {
            // What a new asset is made of names nothing yet.
            if !may_hold_names(&file, &values) || is_in_template(&file) {
                continue;
            }
            match vfs.read_bounded(&file, MAX_SCANNED_BYTES) {
                Ok(bytes) => named.extend(self.names_in(asset, &values, &file, &bytes, &read)),
                // A file that is too long to look through carries data, and one that is gone carries nothing.
                Err(zero_vfs::Error::TooLarge { .. } | zero_vfs::Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(named.into_iter().map(|named| self.answer(asset, named)).collect())
    }

    /// The assets that an asset names whose files are these, which need not be written yet.
    pub(crate) fn deps_of(&self, vfs: &Vfs, asset: &Asset, files: &[(VfsPath, &[u8])]) -> Vec<Dependency> {
        let read = |wanted: &VfsPath| {
            let own = files.iter().find(|(file, _)| file == wanted);
            let own = own.map(|(_, bytes)| bytes.to_vec());
            own.or_else(|| vfs.read_bounded(wanted, MAX_SCANNED_BYTES).ok())
        };
        let values = self.value_names(asset, &read);
        let scanned = files
            .iter()
            .filter(|(file, bytes)| may_hold_names(file, &values) && bytes.len() as u64 <= MAX_SCANNED_BYTES);
        let named = scanned.flat_map(|(file, bytes)| self.names_in(asset, &values, file, bytes, &read));
        named.map(|named| self.answer(asset, named)).collect()
    }

    /// The assets that name this one: those whose `.refs` hold its guid, by path.
    pub fn dependents<'a>(&'a self, asset: &'a Asset) -> impl Iterator<Item = &'a Asset> {
        self.iter().filter(move |other| {
            let refs = self.refs_of(other);
            asset
                .guid
                .is_some_and(|guid| refs.is_some_and(|refs| refs.references.iter().any(|pin| pin.guid == guid)))
        })
    }

    /// What answers now to a name that was looked up before: its target, where it has another than then.
    pub(crate) fn answer_again(&self, asset: &Asset, dep: &Dependency) -> Option<Target> {
        let named = Named {
            via: dep.via.clone(),
            name: dep.name.clone(),
            categories: dep.categories.clone(),
            file: dep.file.clone(),
            at: dep.at,
        };
        let answer = self.by_name(asset, &named, |query| self.answers(query).ok_or(()), |_| ());
        if answer.ok().map(|found| &found.path) == dep.target.path() {
            return None;
        }
        Some(self.answer(asset, named).target)
    }

    /// What answers to a name: by the name, else by what the `.refs` says was meant.
    fn answer(&self, asset: &Asset, named: Named) -> Dependency {
        let pins = self
            .refs_of(asset)
            .map(|refs| refs.references.as_slice())
            .unwrap_or_default();
        let pins: Vec<&Pin> = pins
            .iter()
            .filter(|pin| pin.via == named.via && pin.name == named.name)
            .collect();
        let meant = || {
            let here = pins.iter().filter_map(|pin| self.by_guid(pin.guid).ok());
            here.filter_map(|asset| Some((asset.path.clone(), asset.guid?))).next()
        };
        let several = |candidates| Error::Ambiguous {
            name: named.name.clone(),
            candidates,
        };
        let target = match self.by_name(asset, &named, |query| self.resolve(query), several) {
            Ok(found) => {
                let (path, guid) = (found.path.clone(), found.guid);
                let is_meant = pins.is_empty() || pins.iter().any(|pin| Some(pin.guid) == guid);
                match meant().filter(|_| !is_meant) {
                    Some((meant, meant_guid)) => Target::Retargeted {
                        path,
                        guid,
                        meant,
                        meant_guid,
                    },
                    None => Target::Found { path, guid },
                }
            }
            Err(error) => match meant() {
                Some((path, guid)) => Target::Renamed { path, guid },
                None if named.may_be_the_hosts() && !matches!(error, Error::Ambiguous { .. }) => Target::Elsewhere,
                None => Target::Unresolved {
                    message: error.to_string(),
                },
            },
        };
        Dependency {
            via: named.via,
            name: named.name,
            categories: named.categories,
            file: named.file,
            at: named.at,
            target,
        }
    }

    /// The asset that a name in a file of `asset` leads to; `find` asks for it by its name, and `several` is the error where
    /// assets of more than one of the types that it may be of answer. What lies in the asset's own
    /// folder goes before, and the name of a type means what it means to the registry.
    fn by_name<'a, E>(
        &'a self,
        asset: &Asset,
        named: &Named,
        find: impl Fn(&Query<'_>) -> std::result::Result<&'a Asset, E>,
        several: impl FnOnce(Vec<VfsPath>) -> E,
    ) -> std::result::Result<&'a Asset, E> {
        let query = Query::new(&named.name).from(&named.file);
        let child = named.child_of(asset).and_then(|child| self.at(&child));
        let (mut first_error, mut found) = (None, Vec::<&Asset>::new());
        for category in &named.categories {
            let holds = |child: &&Asset| self.category(category).is_ok_and(|category| category.holds(child));
            if let Some(child) = child.filter(holds) {
                return Ok(child);
            }
            let is_type = category == TYPE_OF_TYPES;
            let kind = is_type.then(|| self.types().get_in(&Root::of(&named.file), &named.name).ok());
            if let Some(kind) = kind.flatten().and_then(|kind| self.at(&kind.path)) {
                return Ok(kind);
            }
            match find(&query.category(category)) {
                Ok(asset) => found.push(asset),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        found.dedup_by_key(|asset| &asset.path);
        match (&found[..], first_error) {
            ([one], _) => Ok(one),
            ([], None) => find(&query),
            ([], Some(error)) => Err(error),
            (all, _) => Err(several(all.iter().map(|asset| asset.path.clone()).collect())),
        }
    }

    /// What the asset's `.refs` should hold: the link to its type, and a pin for each name that is answered. A name
    /// that nothing answers to keeps the pin that it had, and so does one that leads to another asset than was meant,
    /// unless `trust` is in the names. `guid` is kept.
    pub(crate) fn recorded(&self, asset: &Asset, deps: &[Dependency], trust: Trust) -> Refs {
        let old = self.refs_of(asset);
        let mut pins: Vec<Pin> = deps.iter().filter_map(|dep| pin_of(dep, old, trust)).collect();
        pins.sort();
        pins.dedup();
        let mut refs = Refs {
            guid: asset.guid,
            references: pins,
            derived: old.and_then(|refs| refs.derived.clone()),
            pictured: old.and_then(|refs| refs.pictured.clone()),
        };
        match old.and_then(Refs::asset_type) {
            Some(pin) => refs.set_type(pin.clone()),
            None => self.pin_type(asset, &mut refs),
        }
        refs
    }

    /// Writes what an asset names into its `.refs`, where that differs from what it says, and answers whether it
    /// did. An asset without a guid gets one. A name that leads to another asset than was meant ([`Target::Retargeted`])
    /// stays pinned to the one that was.
    ///
    /// # Errors
    /// [`Error::Broken`] for a `.refs` that cannot be read, which is left as it is; [`Error::Vfs`] if a file cannot be read
    /// or written.
    pub fn record_references(&mut self, vfs: &Vfs, path: &VfsPath) -> Result<bool> {
        self.record(vfs, path, Trust::Pins)
    }

    /// The same, and what an asset's names lead to now is what it means: [`Target::Retargeted`] is confirmed.
    ///
    /// # Errors
    /// As [`Assets::record_references`].
    pub fn confirm_references(&mut self, vfs: &Vfs, path: &VfsPath) -> Result<bool> {
        self.record(vfs, path, Trust::Names)
    }

    fn record(&mut self, vfs: &Vfs, path: &VfsPath, trust: Trust) -> Result<bool> {
        let Some(asset) = self.at(path).cloned() else {
            return Err(Error::NoAsset {
                name: path.to_string(),
                near: Vec::new(),
            });
        };
        self.whole_refs(&asset)?;
        let deps = self.deps(vfs, &asset)?;
        let mut refs = self.recorded(&asset, &deps, trust);
        refs.guid = refs.guid.or_else(|| Some(Guid::random()));
        if self.refs_of(&asset) == Some(&refs) {
            return Ok(false);
        }
        let place = Refs::place(&asset.path, asset.form)?;
        // What may not outlast a stop of the machine stands all the same, and is taken in before it is told.
        let written = vfs.write(&place, refs.to_text()?.as_bytes());
        self.apply_own(vfs, [place])?;
        written?;
        Ok(true)
    }
}

/// The pins of a copy that are still its own: what a name leads to where the copy lies is what the copy means, and only what
/// nothing answers to there is as the original knew it.
pub(crate) fn pins_of_copy(refs: &mut Refs, deps: &[Dependency]) {
    let is_answered = |pin: &Pin| {
        let here = |dep: &Dependency| matches!(dep.target, Target::Found { .. } | Target::Retargeted { .. });
        let mut deps = deps.iter().filter(|dep| here(dep));
        deps.any(|dep| dep.via == pin.via && dep.name == pin.name)
    };
    refs.references.retain(|pin| pin.via == VIA_TYPE || !is_answered(pin));
}

fn pin_of(dep: &Dependency, old: Option<&Refs>, trust: Trust) -> Option<Pin> {
    let kept = || {
        let pins = old.map(|refs| refs.references.as_slice()).unwrap_or_default();
        pins.iter()
            .find(|pin| pin.via == dep.via && pin.name == dep.name)
            .map(|pin| pin.guid)
    };
    Some(Pin {
        via: dep.via.clone(),
        name: dep.name.clone(),
        category: dep.categories.first().cloned(),
        guid: dep.target.pinned(trust).or_else(kept)?,
    })
}

/// What is told of names that nothing answers to, or that have changed.
pub(crate) fn unresolved<'d>(assets: &'d Assets, deps: &'d [Dependency]) -> impl Iterator<Item = Diagnostic> + 'd {
    // As it can be written in place of the old name.
    let called = |path: &VfsPath| assets.at(path).map_or(path.to_string(), Asset::full_identity);
    deps.iter().filter_map(move |dep| match &dep.target {
        Target::Found { .. } | Target::Elsewhere => None,
        Target::Renamed { path, .. } => {
            let message = format!(
                "`{}` is not called that any more; it is `{}` now",
                dep.name,
                called(path)
            );
            Some(Diagnostic::warning("reference.renamed", &dep.file, message).at(dep.at))
        }
        Target::Retargeted { path, meant, .. } => {
            let message = format!(
                "`{}` leads to `{path}` now, and `{meant}` was meant, which is `{}`",
                dep.name,
                called(meant)
            );
            let told = Diagnostic::warning("reference.retargeted", &dep.file, message).at(dep.at);
            Some(told.help("name the one that is meant, or take the new one with `confirm_references`"))
        }
        Target::Unresolved { message } => {
            Some(Diagnostic::error("reference.unresolved", &dep.file, message.as_str()).at(dep.at))
        }
    })
}
