//! Removing, checking and saving assets.

use std::collections::BTreeMap;

use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use super::moving::stands;
use super::settings::hook_error;
use crate::asset::Asset;
use crate::behavior::{Interface, RefShape, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::events::Subscription;
use crate::guid::Guid;
use crate::refs::Refs;
use crate::resolve::Query;
use crate::types::UNDESCRIBED;
use crate::value::Value;

impl Workspace {
    /// The asset that a name means; see [`Query`].
    ///
    /// # Errors
    /// As [`crate::Assets::resolve`].
    pub fn resolve(&self, query: &Query<'_>) -> Result<&Asset> {
        self.assets.resolve(query)
    }

    /// Removes an asset with all that it holds, and answers the assets that name it. A folder goes in one step, where its
    /// source says so ([`zero_vfs::Source::remove_tree`]: a folder on disk and one in memory do); elsewhere file by file, the
    /// sidecar last, and one that cannot be removed leaves what was not come to.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::Vfs`].
    pub fn delete(&mut self, path: &VfsPath) -> Result<Vec<VfsPath>> {
        let asset = self.asset(path)?.clone();
        let named = self.assets.dependents(&asset).map(|other| other.path.clone());
        let dependents: Vec<VfsPath> = named.filter(|other| !other.starts_with(path)).collect();
        let mut gone = vec![path.clone()];
        let mut removed = self.vfs.remove_tree(path).map_err(Error::from);
        if asset.form == Kind::File && removed.as_ref().err().is_none_or(stands) {
            let place = Refs::place(path, Kind::File)?;
            if self.vfs.stat(&place)?.is_some() {
                removed = removed.and(self.vfs.remove(&place).map_err(Error::from));
                gone.push(place);
            }
        }
        self.take_in(removed, gone)?;
        Ok(dependents)
    }

    /// Takes in what was put at places or taken from them, and tells those who are to know. Answers what failed.
    pub(crate) fn changed_places(&mut self, places: Vec<VfsPath>) -> Result<Vec<Diagnostic>> {
        let changes = self.assets.apply_own(&self.vfs, places)?;
        self.follow(&changes);
        self.unsettled.extend(changes.added.iter().cloned());
        let came: std::collections::BTreeSet<VfsPath> = changes.added.into_iter().collect();
        Ok(self.run_jobs_of(|path| came.contains(path)).1)
    }

    /// Calls up what an operation of ours did to assets.
    pub(super) fn follow(&mut self, changes: &crate::Changes) {
        changes.removed.iter().for_each(|asset| self.leave(asset));
        match changes.types_changed {
            true => self.types_changed(),
            false => changes.added.iter().for_each(|path| self.arrive(path)),
        }
        let paths = changes.removed.iter().map(|asset| asset.path.clone());
        self.watch(paths.chain(changes.added.iter().cloned()));
    }

    /// What is wrong with an asset: by its type's declaration, then its settings, then by the rules of its type's
    /// behaviour. A rule that fails is `validate.hook_failed`.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::Vfs`].
    pub fn validate(&self, path: &VfsPath) -> Result<Vec<Diagnostic>> {
        let asset = self.asset(path)?;
        let mut told = self.assets.check(&self.vfs, asset)?;
        self.by_name_rules(&mut told, [asset]);
        told.extend(self.check_settings(asset));
        told.extend(self.check_derived(asset)?);
        told.extend(self.check_recipe(asset));
        told.extend(
            self.inspector(path)?
                .1
                .into_iter()
                .filter(|told| told.path.starts_with(path)),
        );
        told.extend(self.interface(path)?.1);
        if let Some(attached) = self.behavior_of(asset) {
            match attached.behavior.validate(&self.context(asset, &attached)) {
                Ok(problems) => told.extend(problems.into_iter().map(|problem| problem.told_of(&asset.path))),
                Err(error) => {
                    let message = format!("the rules of the type `{}` failed: {error}", asset.kind);
                    told.push(Diagnostic::error("validate.hook_failed", &asset.path, message));
                }
            }
        }
        told.sort_by(Diagnostic::order);
        told.dedup();
        Ok(told)
    }

    /// What keeps assets from being published: every error; a type that does not say what it is for, whether or not it
    /// changed; and for those that `is_changed`, each text that is still to be written.
    ///
    /// # Errors
    /// As [`Workspace::validate`].
    pub fn publish_blockers<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a VfsPath>,
        is_changed: impl Fn(&VfsPath) -> bool,
    ) -> Result<Vec<Diagnostic>> {
        let mut blockers = Vec::new();
        for path in paths {
            let changed = is_changed(path);
            let told = self.validate(path)?.into_iter();
            blockers.extend(told.filter(|told| match &*told.code {
                UNDESCRIBED => changed,
                "about.missing" => true,
                _ => told.is_error(),
            }));
        }
        Ok(blockers)
    }

    /// The guid of an asset's type, as it is pinned, or that of the type it is of.
    ///
    /// # Errors
    /// [`Error::NoAsset`].
    pub fn type_ref(&self, path: &VfsPath) -> Result<Option<Guid>> {
        let asset = self.asset(path)?;
        let pinned = self
            .assets
            .refs_of(asset)
            .and_then(|refs| refs.asset_type())
            .map(|pin| pin.guid);
        Ok(pinned.or_else(|| self.assets.at(&asset.type_path)?.guid))
    }

    /// The module that an asset's type shares with its assets under a name.
    ///
    /// # Errors
    /// [`Error::NoAsset`] for an asset or a module that is not there, with the nearest names.
    pub fn module_of(&self, path: &VfsPath, name: &str) -> Result<&Asset> {
        let asset = self.asset(path)?;
        let modules = self
            .behavior_of(asset)
            .map(|attached| attached.behavior.modules())
            .unwrap_or_default();
        let Some(module) = modules.get(name) else {
            return Err(Error::NoAsset {
                name: name.to_owned(),
                near: zero_vfs::nearest_names(name, modules.keys().map(String::as_str)),
            });
        };
        // As a file of the type's own folder says it.
        let from = asset.type_path.join("behavior")?;
        self.assets.resolve(&Query::new(module).from(&from))
    }

    /// Calls a method of an asset's type.
    ///
    /// # Errors
    /// [`Error::NoMethod`] with the nearest, [`Error::Hook`].
    pub fn call(&self, path: &VfsPath, method: &str, arguments: &[Value]) -> Result<Value> {
        let asset = self.asset(path)?;
        let attached = self.behavior_of(asset);
        let methods = attached
            .as_ref()
            .map(|attached| attached.behavior.methods())
            .unwrap_or_default();
        let reached = methods.contains(&method) && !crate::RESERVED_METHODS.contains(&method);
        let Some(attached) = attached.as_ref().filter(|_| reached) else {
            return Err(Error::NoMethod {
                asset: asset.path.clone(),
                method: method.to_owned(),
                near: zero_vfs::nearest_names(method, methods.iter().copied()),
            });
        };
        let called = attached
            .behavior
            .call(&self.context(asset, attached), method, arguments);
        called.map_err(|source| hook_error(asset, "method", source))
    }

    /// What the source of an asset declares, as its type reads it without running it; nothing where the type reads none.
    /// What cannot be read is told as `interface.unreadable`.
    ///
    /// # Errors
    /// [`Error::NoAsset`].
    pub fn interface(&self, path: &VfsPath) -> Result<(Value, Vec<Diagnostic>)> {
        let asset = self.asset(path)?;
        let Some(attached) = self.behavior_of(asset) else {
            return Ok(Default::default());
        };
        let read = attached.behavior.interface(&self.context(asset, &attached));
        let read = read.unwrap_or_else(|error| Interface {
            value: Value::Null,
            unreadable: vec![Unreadable {
                path: None,
                at: None,
                message: error.to_string(),
            }],
        });
        let told = read.unreadable.into_iter().map(|part| {
            let file = part.path.and_then(|inner| asset.path.join(&inner).ok());
            let file = file.as_ref().unwrap_or(&asset.path);
            Diagnostic {
                at: part.at,
                ..Diagnostic::error("interface.unreadable", file, part.message)
            }
        });
        Ok((read.value, told.collect()))
    }

    /// Subscribes to an event of an asset. The subscription is held by the asset's guid: it outlives any move.
    ///
    /// # Errors
    /// [`Error::Event`] for an event that the type does not declare, or an asset without a guid.
    pub fn subscribe(&self, path: &VfsPath, event: &str) -> Result<Subscription> {
        let asset = self.asset(path)?;
        let attached = self.behavior_of(asset);
        let declared = attached
            .as_ref()
            .map(|attached| attached.events.as_slice())
            .unwrap_or_default();
        self.events.subscribe(asset, declared, event)
    }

    /// Writes what was edited of an asset in memory into its files, as its type says. Whole or not at all. Answers
    /// whether there was anything to write.
    ///
    /// # Errors
    /// [`Error::Hook`], [`Error::NotUndone`], [`Error::Vfs`].
    pub fn save_definition(&mut self, path: &VfsPath) -> Result<bool> {
        let asset = self.asset(path)?.clone();
        let Some(attached) = self.behavior_of(&asset) else {
            return Ok(false);
        };
        let files = attached.behavior.save_definition(&self.context(&asset, &attached));
        let Some(files) = files.map_err(|source| hook_error(&asset, "saveDefinition", source))? else {
            return Ok(false);
        };
        let mut all = self.files_by_inner(&asset)?;
        all.extend(files);
        let written = self.write_over(&asset, &all);
        self.take_in(written, [asset.path])?;
        Ok(true)
    }

    /// The result types of methods, for each asset of a type that says them: at most 64 assets of it, by path.
    ///
    /// # Errors
    /// [`Error::NoType`].
    pub fn ref_shapes(&self, kind: &str) -> Result<Shapes> {
        let mut shapes = Shapes::default();
        for (number, asset) in self.assets.list(kind)?.enumerate() {
            let Some(attached) = self.behavior_of(asset) else {
                continue;
            };
            if number >= MAX_SHAPED {
                let message =
                    format!("more than {MAX_SHAPED} assets of `{kind}`: its methods keep their declared result here");
                shapes
                    .diagnostics
                    .push(Diagnostic::warning("behavior.shapes_left_out", &asset.path, message));
                continue;
            }
            match attached.behavior.ref_shapes(&self.context(asset, &attached)) {
                Ok(own) if own.is_empty() => {}
                Ok(own) => drop(shapes.by_asset.insert(asset.path.clone(), own)),
                Err(error) => {
                    let message = format!("`refShapes` of the type `{}` failed: {error}", asset.kind);
                    shapes
                        .diagnostics
                        .push(Diagnostic::error("behavior.hook_failed", &asset.path, message));
                }
            }
        }
        Ok(shapes)
    }
}

/// The result types of methods, for each asset of a type that says them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Shapes {
    /// By asset, then by method.
    pub by_asset: BTreeMap<VfsPath, BTreeMap<String, RefShape>>,
    /// What failed, and what was left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// The most assets of one type whose methods have result types of their own.
const MAX_SHAPED: usize = 64;
