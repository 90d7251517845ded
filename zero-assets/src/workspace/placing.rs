//! The files of an asset that is made: put in place whole, with a guid for it and for each that its template holds.

use std::collections::BTreeSet;

use zero_vfs::{Kind, VfsPath, WriteOptions};

use super::Workspace;
use super::behaviors::Attached;
use super::create::{Create, Created, Over, Plan};
use super::moving::stands;
use super::overwrite::Together;
use super::settings::hook_error;
use crate::asset::Asset;
use crate::behavior::Files;
use crate::deps::Trust;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::{REFS_FILE, Refs};
use crate::registry::{Meaning, split_suffix};
use crate::root::Root;
use crate::settle::Settled;
use crate::types::{AssetType, TEMPLATE};

/// What stands in the texts of a template for the name of the asset.
const NAME_MARK: &str = "{{name}}";

/// A template's text with the name in it. Where a value of YAML is the name and nothing else, it is written as the text that
/// it is: an asset may be called `true`.
fn filled(file: &VfsPath, text: &str, name: &str) -> Result<String> {
    if !matches!(file.extension(), Some("yaml" | "yml")) {
        return Ok(text.replace(NAME_MARK, name));
    }
    let written = zero_yaml::to_string(name)?;
    let lines = text.split_inclusive('\n').map(|line| {
        let before = line.trim_end().strip_suffix(NAME_MARK);
        let is_value = before.is_some_and(|before| before.ends_with(": ") || before.ends_with("- "));
        line.replace(NAME_MARK, if is_value { written.trim_end() } else { name })
    });
    Ok(lines.collect())
}

impl Workspace {
    /// The files of a type's template, with the name filled into those that are text. Sidecars are left out: what is made
    /// is other assets than those of the template.
    pub(super) fn template(&self, kind: &AssetType, name: &str) -> Result<Files> {
        let folder = kind.path.join(TEMPLATE)?;
        if self.vfs.stat(&folder)?.is_none() {
            return Ok(Files::new());
        }
        let mut files = Files::new();
        for file in self.vfs.walk(&folder)?.files {
            let bytes = self.vfs.read(&file)?;
            let bytes = match String::from_utf8(bytes) {
                Ok(text) => filled(&file, &text, name)?.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            if let Some(inner) = file.relative_to(&folder) {
                files.insert(inner.as_str()[1..].to_owned(), bytes);
            }
        }
        let is_loose = |file: &str| {
            let path = folder.join(file);
            path.is_ok_and(|path| self.assets.types().iter().any(|kind| kind.claims(&path)))
        };
        let sidecars = files.keys().filter(|file| is_sidecar_in(&files, file, is_loose));
        let sidecars: Vec<String> = sidecars.cloned().collect();
        sidecars.iter().for_each(|file| drop(files.remove(file)));
        Ok(files)
    }

    /// Writes a new asset, whole.
    pub(super) fn place(&mut self, plan: &Plan, mut files: Files) -> Result<Guid> {
        let guid = Guid::random();
        let asset = self.future(plan, Some(guid));
        self.add_sidecars(&asset, &mut files)?;
        let written = self.vfs.write_tree(&plan.path, tree(files)?, &WriteOptions::default());
        Ok(written.map(|()| guid)?)
    }

    /// Adds the `.refs` of an asset that `files` make, and of each asset in it that has none there.
    fn add_sidecars(&self, asset: &Asset, files: &mut Files) -> Result<()> {
        let inner: Vec<(String, Asset)> = self.inner_assets(asset, files);
        let of = |file: &str| {
            let holds = |(folder, _): &&(String, Asset)| {
                file.strip_prefix(folder.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            };
            inner.iter().rev().find(holds)
        };
        let mut sidecars = Files::new();
        for (folder, held) in inner
            .iter()
            .map(|(folder, held)| (folder.as_str(), held))
            .chain([("", asset)])
        {
            let place = match folder {
                "" => REFS_FILE.to_owned(),
                _ => format!("{folder}/{REFS_FILE}"),
            };
            if !folder.is_empty() && files.contains_key(&place) {
                continue;
            }
            let own = files
                .iter()
                .filter(|(file, _)| of(file).map_or("", |(holder, _)| holder) == folder);
            let placed = own.filter_map(|(file, bytes)| Some((asset.path.join(file).ok()?, bytes.as_slice())));
            let deps = self.assets.deps_of(&self.vfs, held, &placed.collect::<Vec<_>>());
            sidecars.insert(
                place,
                self.assets.recorded(held, &deps, Trust::Pins).to_text()?.into_bytes(),
            );
        }
        files.extend(sidecars);
        Ok(())
    }

    /// The assets that `files` of an asset make in it, by their folders in it, those that hold others first.
    fn inner_assets(&self, asset: &Asset, files: &Files) -> Vec<(String, Asset)> {
        let is_opaque = |kind: &VfsPath| self.assets.types().at(kind).is_some_and(|kind| kind.is_opaque_walker);
        let mut found: Vec<(String, Asset)> = Vec::new();
        if is_opaque(&asset.type_path) {
            return found;
        }
        let folders = files
            .keys()
            .flat_map(|file| file.match_indices('/').map(|(at, _)| &file[..at]));
        for folder in folders.collect::<BTreeSet<&str>>() {
            let Ok(path) = asset.path.join(folder) else { continue };
            let (name, kind) = match path.name().and_then(split_suffix) {
                Some((name, suffix)) => (name.to_owned(), self.assets.types().of_suffix(&Root::of(&path), suffix)),
                None => continue,
            };
            let Meaning::Type(kind) = kind else { continue };
            let is_hidden = found
                .iter()
                .any(|(_, holder)| path.starts_with(&holder.path) && is_opaque(&holder.type_path));
            if is_hidden || crate::classify::is_in_template(&path) {
                continue;
            }
            let inner = Asset {
                guid: Some(Guid::random()),
                // What it is called is known when it is there; nothing that is written down of it says so.
                identity: name.clone(),
                name,
                kind: kind.name.clone(),
                type_path: kind.path.clone(),
                path,
                ..asset.clone()
            };
            found.push((folder.to_owned(), inner));
        }
        found
    }

    /// A new asset as the index will have it.
    pub(super) fn future(&self, plan: &Plan, guid: Option<Guid>) -> Asset {
        let name = plan.path.name().unwrap_or_default();
        let name = name.strip_suffix(&plan.kind.suffix).unwrap_or(name);
        Asset {
            path: plan.path.clone(),
            form: Kind::Folder,
            name: name.to_owned(),
            kind: plan.kind.name.clone(),
            type_path: plan.kind.path.clone(),
            guid,
            library: Root::of(&plan.path).library().map(str::to_owned),
            identity: crate::assets::join(&self.assets.prefix_of(&plan.folder), name),
            aliases: Vec::new(),
        }
    }

    /// Makes an asset that is one loose file, beside its sidecar.
    pub(super) fn create_file(
        &mut self,
        new: &Create,
        plan: &Plan,
        bytes: Vec<u8>,
        attached: &Attached,
    ) -> Result<Created> {
        let primary = plan.kind.primary.iter().map(|primary| primary.rsplit_once('.'));
        let of_primary = primary.flatten().map(|(_, extension)| extension);
        let path = match plan
            .kind
            .classify_exts
            .first()
            .map(String::as_str)
            .or(of_primary.into_iter().next())
        {
            Some(extension) => plan.folder.join(&format!("{}.{extension}", new.name))?,
            None => plan.folder.join(&new.name)?,
        };
        if !plan.kind.claims(&path) {
            return Err(plan.kind.not_claimed(&path));
        }
        self.check_no_settings(new, plan, attached, &path)?;
        self.check_claim(&plan.kind, &path)?;
        let place = Refs::place(&path, Kind::File)?;
        let (old, is_there) = (self.assets.at(&path).cloned(), self.vfs.stat(&path)?.is_some());
        let old = old.filter(|old| is_there && old.form == Kind::File && new.over == Over::Replace);
        if is_there && old.is_none() {
            return Err(Error::Exists { path });
        }
        // A sidecar of no file is somebody's: of a file that was moved away, or put there by hand.
        if old.is_none() && self.vfs.stat(&place)?.is_some() {
            return Err(Error::Exists { path: place });
        }
        let bytes = match &old {
            Some(old) => {
                let files = Files::from([(String::new(), bytes)]);
                let files = attached.behavior.on_replace(&self.context(old, attached), files);
                let mut files = files.map_err(|source| hook_error(old, "onReplace", source))?;
                let none = || hook_error(old, "onReplace", "it left out the file that the asset is".into());
                files.remove("").ok_or_else(none)?
            }
            None => bytes,
        };
        let guid = old.as_ref().and_then(|old| old.guid).unwrap_or_else(Guid::random);
        let asset = Asset {
            path: path.clone(),
            form: Kind::File,
            ..self.future(plan, Some(guid))
        };
        if old.is_some() {
            self.assets.whole_refs(&asset)?;
        }
        let deps = self.assets.deps_of(&self.vfs, &asset, &[(path.clone(), &bytes)]);
        let refs = self.assets.recorded(&asset, &deps, Trust::Pins);
        let mut together = Together::new(&self.vfs);
        let read = |file: &VfsPath| self.vfs.stat(file)?.map(|_| self.vfs.read(file)).transpose();
        // The sidecar first: without its file it is nothing, and the file is never there without it.
        let written = read(&place)
            .map_err(Error::from)
            .and_then(|was| together.put(&place, was, Some(refs.to_text()?.as_bytes())))
            .and_then(|()| together.put(&path, read(&path)?, Some(&bytes)));
        let written = together.end(written).map(|()| guid);
        self.finish(&path, written, [place])
    }

    /// What several types claim is of the one that its sidecar pins, by its guid.
    fn check_claim(&self, kind: &AssetType, path: &VfsPath) -> Result<()> {
        let class = self.assets.class_of_loose(path);
        match class.told {
            Some(told) if told.is_error() && !self.assets.types().has_guid(kind) => Err(Error::Broken {
                diagnostics: vec![told],
            }),
            _ => Ok(()),
        }
    }

    /// A loose file has no place for settings: those that are asked for are refused, not dropped.
    fn check_no_settings(&self, new: &Create, plan: &Plan, attached: &Attached, path: &VfsPath) -> Result<()> {
        let schema = self.schema_of(&plan.kind, None, Some(attached))?;
        let inputs = attached.behavior.creation_inputs();
        let is_setting = |name: &&String| {
            let is_known = schema.as_ref().is_some_and(|schema| schema.fields.contains_key(*name));
            is_known && !inputs.contains(&name.as_str())
        };
        let layers = [&new.settings.preset, &new.settings.importer, &new.settings.caller];
        let is_asked = layers.iter().any(|layer| !layer.is_empty());
        if is_asked || new.preset.is_some() || new.options.keys().any(|name| is_setting(&name)) {
            return Err(Error::no_settings(path, &plan.kind.name, Kind::File));
        }
        Ok(())
    }

    /// Writes `files` over an asset. It keeps its guid, and the assets in it stay as they are.
    pub(super) fn replace(&mut self, old: &Asset, mut files: Files, attached: Option<&Attached>) -> Result<Guid> {
        if let Some(attached) = attached {
            let replaced = attached.behavior.on_replace(&self.context(old, attached), files);
            files = replaced.map_err(|source| hook_error(old, "onReplace", source))?;
        }
        self.assets.whole_refs(old)?;
        let stays = |file: &String| {
            let path = old.path.join(file);
            let holder = path.ok().and_then(|path| self.assets.containing(&path));
            holder.is_some_and(|holder| holder.path != old.path)
        };
        files.retain(|file, _| !stays(file));
        let guid = old.guid.unwrap_or_else(Guid::random);
        let asset = Asset {
            guid: Some(guid),
            ..old.clone()
        };
        self.add_sidecars(&asset, &mut files)?;
        self.write_over(old, &files)?;
        Ok(guid)
    }

    /// Takes what was made into the index, with what it holds, and calls up its arrival. What was not made is looked at too.
    pub(super) fn finish(
        &mut self,
        path: &VfsPath,
        made: Result<Guid>,
        beside: impl IntoIterator<Item = VfsPath>,
    ) -> Result<Created> {
        let changes = self
            .assets
            .apply_own(&self.vfs, beside.into_iter().chain([path.clone()]));
        if let Ok(changes) = &changes {
            self.follow(changes);
            self.unsettled.extend(changes.added.iter().cloned());
        }
        let mut unsynced = None;
        let guid = match (made, self.assets.at(path).and_then(|asset| asset.guid)) {
            (Err(error), Some(guid)) if stands(&error) => {
                unsynced = Some(Diagnostic::warning("vfs.not_synced", path, error.to_string()));
                guid
            }
            (made, _) => made?,
        };
        let mut settled = Settled::default();
        let inside = changes?.added;
        // What one names of the others could not be looked up before they were there.
        for asset in inside.iter().filter(|_| inside.len() > 1) {
            if let Err(error) = self.assets.record_references(&self.vfs, asset) {
                settled.cannot(asset, error);
            }
        }
        self.arrive(path);
        self.watch([path.clone()]);
        self.unsettled.insert(path.clone());
        // It takes effect the moment it is there; what waits for other assets waits for the next update.
        let (_, mut diagnostics) = self.run_jobs_of(|other| other.starts_with(path));
        diagnostics.append(&mut settled.diagnostics);
        diagnostics.extend(unsynced);
        diagnostics.extend(self.validate(path)?);
        Ok(Created {
            path: path.clone(),
            identity: self.asset(path)?.full_identity(),
            guid,
            diagnostics,
        })
    }
}

/// Whether a file among others is the sidecar of a folder, or of a file beside it that is an asset by itself.
fn is_sidecar_in(files: &Files, file: &str, is_loose: impl Fn(&str) -> bool) -> bool {
    let Some(rest) = file.strip_suffix(REFS_FILE) else {
        return false;
    };
    rest.is_empty() || rest.ends_with('/') || (files.contains_key(rest) && is_loose(rest))
}

/// Files as the file system takes a tree of them.
fn tree(files: Files) -> Result<Vec<(VfsPath, Vec<u8>)>> {
    let entries = files.into_iter();
    entries
        .map(|(inner, bytes)| Ok((VfsPath::parse(&format!("/{inner}"))?, bytes)))
        .collect()
}
