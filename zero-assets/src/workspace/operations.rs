//! Moving, removing, checking and saving assets.

use std::collections::BTreeMap;

use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use super::settings::hook_error;
use crate::asset::Asset;
use crate::assets::is_sidecar;
use crate::behavior::{Files, Interface, RefShape, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::events::Subscription;
use crate::guid::Guid;
use crate::refs::Refs;
use crate::resolve::Query;
use crate::value::Value;

impl Workspace {
    /// The asset that a name means; see [`Query`].
    ///
    /// # Errors
    /// As [`crate::Assets::resolve`].
    pub fn resolve(&self, query: &Query<'_>) -> Result<&Asset> {
        self.assets.resolve(query)
    }

    /// Moves or renames an asset, with all that it holds. It stays the same asset: its guid, and what names it by guid,
    /// go with it. Answers the assets whose names for it no longer lead to it, which their `.refs` still do.
    ///
    /// Within a mount it is one step. Into another mount it is copied whole and then removed: a program that is killed
    /// between the two leaves both, told as `asset.copied_guid`, and one that is killed while removing leaves the whole copy
    /// and a part of the old.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Name`] for a name without the suffix of its type, [`Error::Vfs`].
    pub fn move_asset(&mut self, from: &VfsPath, to: &VfsPath) -> Result<Vec<VfsPath>> {
        let asset = self.asset(from)?.clone();
        let name = to.name().unwrap_or_default();
        let keeps_type = match (asset.form, self.assets.type_of(&asset)) {
            (Kind::Folder, Some(kind)) => name.len() > kind.suffix.len() && name.ends_with(&kind.suffix),
            (Kind::File, _) => to.extension() == from.extension(),
            (Kind::Folder, None) => true,
        };
        if !keeps_type {
            return Err(Error::Name {
                name: name.to_owned(),
                kind: asset.kind,
            });
        }
        if self.vfs.stat(to)?.is_some() {
            return Err(Error::Exists { path: to.clone() });
        }
        self.move_path(from, to)?;
        let mut moved = vec![from.clone(), to.clone()];
        if asset.form == Kind::File {
            let (old, new) = (Refs::place(from, Kind::File)?, Refs::place(to, Kind::File)?);
            if self.vfs.stat(&old)?.is_some() {
                if let Err(error) = self.move_path(&old, &new) {
                    // A file and its sidecar go together or not at all.
                    self.move_path(to, from)?;
                    return Err(error);
                }
                moved.extend([old, new]);
            }
        }
        let changes = self.assets.apply_own(&self.vfs, moved)?;
        self.follow(&changes);
        let Some(asset) = self.assets.at(to) else {
            return Ok(Vec::new());
        };
        let dependents: Vec<Asset> = self.assets.dependents(asset).cloned().collect();
        let mut lost = Vec::new();
        for dependent in dependents {
            let deps = self.assets.deps(&self.vfs, &dependent)?;
            let is_lost = |dep: &crate::Dependency| match &dep.target {
                crate::Target::Renamed { path, .. } => path == to,
                target => target.meant() == Some(to),
            };
            if deps.iter().any(is_lost) {
                lost.push(dependent.path);
            }
        }
        Ok(lost)
    }

    /// Renames within a mount, or copies into another and removes the old.
    fn move_path(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        match self.vfs.rename(from, to) {
            Err(zero_vfs::Error::AcrossMounts { .. }) => {
                self.vfs.copy(from, to)?;
                if let Err(error) = self.vfs.remove_tree(from) {
                    // What cannot be taken away is not moved.
                    self.vfs.remove_tree(to)?;
                    return Err(error.into());
                }
                Ok(())
            }
            done => Ok(done?),
        }
    }

    /// Removes an asset with all that it holds, and answers the assets that name it. File by file: a program that is killed
    /// midway leaves the files that it had not come to.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::Vfs`].
    pub fn delete(&mut self, path: &VfsPath) -> Result<Vec<VfsPath>> {
        let asset = self.asset(path)?.clone();
        let named = self.assets.dependents(&asset).map(|other| other.path.clone());
        let dependents: Vec<VfsPath> = named.filter(|other| !other.starts_with(path)).collect();
        self.vfs.remove_tree(path)?;
        let mut gone = vec![path.clone()];
        if asset.form == Kind::File {
            let place = Refs::place(path, Kind::File)?;
            if self.vfs.stat(&place)?.is_some() {
                self.vfs.remove(&place)?;
                gone.push(place);
            }
        }
        let changes = self.assets.apply_own(&self.vfs, gone)?;
        self.follow(&changes);
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
    fn follow(&mut self, changes: &crate::Changes) {
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
        Ok(told)
    }

    /// What keeps assets from being published: every error, and for those that `is_changed`, each text that is still to
    /// be written.
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
                "asset.undescribed" | "about.missing" => changed,
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
    /// [`Error::Hook`], [`Error::Vfs`].
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
        self.write_over(&asset, all)?;
        self.assets.apply_own(&self.vfs, [asset.path])?;
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

    /// Makes the files of a folder asset exactly `files`; the assets in it stay. Where a write fails, what was there before
    /// is put back.
    pub(super) fn write_over(&self, asset: &Asset, files: Files) -> Result<()> {
        let before = self.files_by_inner(asset)?;
        let place = Refs::place(&asset.path, asset.form)?;
        let sidecar = self.assets.refs_of(asset).map(|_| self.vfs.read(&place)).transpose()?;
        let mut undo: Vec<(VfsPath, Option<Vec<u8>>)> = Vec::new();
        let mut write = |inner: &str, bytes: Option<&[u8]>| -> Result<()> {
            let path = asset.path.join(inner)?;
            let old = match is_sidecar(&path) {
                true => sidecar.clone(),
                false => before.get(inner).cloned(),
            };
            if old.as_deref() == bytes {
                return Ok(());
            }
            undo.push((path.clone(), old));
            match bytes {
                Some(bytes) => self.vfs.write(&path, bytes)?,
                None => self.vfs.remove(&path)?,
            }
            Ok(())
        };
        let gone = before
            .keys()
            .filter(|inner| !files.contains_key(*inner))
            .map(|inner| (inner, None));
        let written = files.iter().map(|(inner, bytes)| (inner, Some(bytes.as_slice())));
        let done = written.chain(gone).try_for_each(|(inner, bytes)| write(inner, bytes));
        if let Err(error) = done {
            for (path, old) in undo.into_iter().rev() {
                match old {
                    Some(bytes) => self.vfs.write(&path, &bytes)?,
                    None if self.vfs.stat(&path)?.is_some() => self.vfs.remove(&path)?,
                    None => {}
                }
            }
            return Err(error);
        }
        Ok(())
    }

    fn files_by_inner(&self, asset: &Asset) -> Result<Files> {
        let mut files = Files::new();
        for file in self.assets.files_of(asset) {
            if let Some(inner) = file.relative_to(&asset.path) {
                files.insert(inner.as_str()[1..].to_owned(), self.vfs.read(&file)?);
            }
        }
        Ok(files)
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
