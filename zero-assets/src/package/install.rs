//! [`Workspace::install`]: a package into a world, whole or not at all; and out of it again.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::{Kind, Vfs, VfsPath};

use super::bundle::Package;
use super::content::{Known, content_at};
use super::info::{PackageInfo, Requirement};
use super::manifest::Part;
use super::pack::within;
use super::preview::{Action, Edits, InstallOptions, Place, PlannedPart, Preview, content, edited};
use super::problem::Conflict;
use super::record::{Entry, Installed, Record};
use super::staging::{Coming, Found, Staging};
use super::steps::{Before, Step, Steps};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::Refs;
use crate::root::Root;
use crate::workspace::Workspace;

/// A package that was installed just now.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Installation {
    /// What was done.
    pub done: Preview,
    /// What is wrong with what came, by the rules of this world; and what failed as its arrival was told.
    pub diagnostics: Vec<Diagnostic>,
}

impl Workspace {
    /// Installs a package with what it depends on, as [`Workspace::preview_install`] says: every file is held against its
    /// hash, everything is written beside the world, and then moved into place. It is there whole or not at all, also where
    /// the program is stopped: then the next opening of the world goes on with it. Guids are kept, so that what names an
    /// asset in one world names it in another. What is installed already is updated where it lies. The record of what was
    /// written is kept in `.installed` in the world's source, a file for each package.
    ///
    /// # Errors
    /// [`Error::PackageConflicts`] with all that keeps it out; [`Error::PackageRefused`] for a damaged file;
    /// [`Error::Overtaken`] where another program put or changed something at one of the places meanwhile; as
    /// [`Workspace::preview_install`]; [`Error::Vfs`].
    pub fn install(&mut self, package: &Package, options: &InstallOptions) -> Result<Installation> {
        let mut diagnostics = self.look_again(package)?;
        let done = self.preview_install(package, options)?.check()?;
        let manifest = package.manifest();
        let record = Record::load(self.vfs())?;
        let mut changes = Vec::new();
        for (part, planned) in manifest.parts.iter().zip(&done.parts) {
            if matches!(planned.action, Action::Add | Action::Replace { .. }) {
                changes.extend(self.changes(package, part, planned)?);
            }
        }
        let parts = manifest.parts.iter().zip(&done.parts);
        // What is the same already, and no package brought, is the world's own.
        let is_own = |(part, planned): &(&Part, &PlannedPart)| match planned.action {
            Action::Add | Action::Replace { .. } => true,
            Action::Same => !record.written(part.guid).is_empty(),
            Action::Stays => false,
        };
        let own = parts.filter(is_own).map(|(part, _)| (part.guid, content(part)));
        // What the new version does not have any more came for the package all the same, while it is there.
        let dropped = record.dropped(manifest).map(|(guid, files)| (*guid, files.clone()));
        let dropped = dropped.filter(|(guid, _)| self.assets().names().guid.contains_key(guid));
        let installed = Installed {
            guid: manifest.guid,
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            parts: dropped.chain(own).collect(),
        };
        // Where nothing came, nothing was installed: an author's own package is not one to be taken out again.
        let is_known = record.packages.get(&manifest.guid) == Some(&installed) || installed.parts.is_empty();
        if changes.is_empty() && is_known {
            return Ok(Installation { done, diagnostics });
        }
        let entry = Entry {
            package: installed,
            is_removed: false,
        };
        diagnostics.extend(self.stage(changes, &record, entry)?);
        for planned in &done.parts {
            for path in within(self.assets(), &planned.path) {
                diagnostics.extend(self.validate(&path)?);
            }
        }
        diagnostics.sort_by(Diagnostic::order);
        diagnostics.dedup();
        Ok(Installation { done, diagnostics })
    }

    /// Takes in what other programs did to the parts of a package since the last update: those that came and those that
    /// left.
    fn look_again(&mut self, package: &Package) -> Result<Vec<Diagnostic>> {
        let mut places = Vec::new();
        for part in &package.manifest().parts {
            match self.place_of(part)? {
                Place::Arrived(path) | Place::Left(path) => places.push(path),
                Place::Known(_) | Place::None => {}
            }
        }
        match places.is_empty() {
            true => Ok(Vec::new()),
            false => self.changed_places(places),
        }
    }

    /// The steps that put a part in its place.
    fn changes(&self, package: &Package, part: &Part, planned: &PlannedPart) -> Result<Vec<(Step, Coming)>> {
        let goes = matches!(planned.action, Action::Replace { .. });
        let files = package.files_of(part)?;
        if part.form() == Kind::Folder {
            let inner = files.into_iter();
            let coming = inner.filter_map(|(file, bytes)| Some((file.relative_to(&part.path)?, bytes)));
            return Ok(vec![self.step(&planned.path, goes, coming.collect())?]);
        }
        // A loose file and its sidecar.
        let mut steps = Vec::new();
        for (file, bytes) in files {
            let target = match file == part.path {
                true => planned.path.clone(),
                false => Refs::place(&planned.path, Kind::File)?,
            };
            let goes = goes && self.vfs().stat(&target)?.is_some();
            steps.push(self.step(&target, goes, vec![(VfsPath::root(), bytes)])?);
        }
        Ok(steps)
    }

    /// A step about a place: what is there now goes or does not, and something comes or does not.
    fn step(&self, target: &VfsPath, goes: bool, coming: Coming) -> Result<(Step, Coming)> {
        let goes = match goes {
            true => Some(Known::of(&content_at(self.vfs(), target)?)),
            false => None,
        };
        let step = Step {
            target: target.clone(),
            goes,
            comes: (!coming.is_empty()).then(|| Known::coming(&coming)),
        };
        Ok((step, coming))
    }

    /// The packages that are installed, by name.
    ///
    /// # Errors
    /// [`Error::Broken`] for a record that does not stand up, [`Error::Vfs`].
    pub fn installed(&self) -> Result<Vec<Installed>> {
        let mut installed: Vec<Installed> = Record::load(self.vfs())?.packages.into_values().collect();
        installed.sort_by(|one, other| (&one.name, one.guid).cmp(&(&other.name, other.guid)));
        Ok(installed)
    }

    /// Takes an installed package out again, with the parts that came for it alone and that nothing which stays names; whole
    /// or not at all. Answers what went.
    ///
    /// # Errors
    /// [`Error::NotInstalled`]; [`Error::PackageConflicts`] where an asset that stays names one of the package, another package
    /// needs it by its `package.yaml`, or the package was edited and `edits` does not give that up; [`Error::Vfs`].
    pub fn uninstall(&mut self, package: Guid, edits: Edits) -> Result<Vec<VfsPath>> {
        let record = Record::load(self.vfs())?;
        let Some(installed) = record.packages.get(&package) else {
            let mut names = record
                .packages
                .values()
                .map(|known| known.name.clone())
                .collect::<Vec<_>>();
            names.sort();
            return Err(Error::NotInstalled { package, names });
        };
        let going = self.going(installed, &record, edits)?;
        let mut changes = Vec::new();
        for path in &going {
            let sidecar = Refs::place(path, Kind::File)?;
            let is_file = self.assets().at(path).is_some_and(|asset| asset.form == Kind::File);
            changes.push(self.step(path, true, Coming::new())?);
            if is_file && self.vfs().stat(&sidecar)?.is_some() {
                changes.push(self.step(&sidecar, true, Coming::new())?);
            }
        }
        let entry = record.without(installed);
        self.stage(changes, &record, entry)?;
        Ok(going)
    }

    /// Makes changes together, writes down what became of the package, and takes them in. Answers what is told of it.
    fn stage(&mut self, changes: Vec<(Step, Coming)>, record: &Record, entry: Entry) -> Result<Vec<Diagnostic>> {
        let targets: Vec<VfsPath> = changes.iter().map(|(step, _)| step.target.clone()).collect();
        let before = Before::Was(record.hash_of(entry.package.guid));
        let (steps, coming) = changes.into_iter().unzip();
        let entries = vec![entry];
        let steps = Steps { steps, entries, before };
        let finished = Staging::decide(self.vfs(), steps, coming)?.finish();
        let taken_in = self.changed_places(targets);
        let mut told = finished?;
        told.extend(taken_in?);
        Ok(told)
    }

    /// The parts of a package that can go with it. The package itself must.
    fn going(&self, installed: &Installed, record: &Record, edits: Edits) -> Result<Vec<VfsPath>> {
        let mut going: BTreeMap<VfsPath, Guid> = BTreeMap::new();
        let mut conflicts = Vec::new();
        for guid in installed.parts.keys() {
            let paths = self.assets().names().guid.get(guid);
            let Some(path) = paths.and_then(|paths| self.assets().original_of(*guid).or(paths.first())) else {
                continue;
            };
            let is_package = *guid == installed.guid;
            // Another program took it away since.
            if self.vfs().stat(path)?.is_none() {
                continue;
            }
            let edited = edited(path, &record.written(*guid), &content_at(self.vfs(), path)?)?;
            let is_kept = !edited.is_empty() && edits == Edits::Refuse;
            if is_package && is_kept {
                let path = path.clone();
                conflicts.push(Conflict::Edited { path, files: edited });
            } else if Root::of(path) == Root::World
                && (is_package || !(is_kept || record.is_shared(*guid, installed.guid)))
            {
                going.insert(path.clone(), *guid);
            }
        }
        // What stays keeps what it names, and that what it names.
        let packages = self.packages()?;
        loop {
            let (mut kept, mut in_use) = (BTreeSet::new(), Vec::new());
            for (by, needed, path) in needed_from_outside(&packages, &going) {
                match going.get(&path) == Some(&installed.guid) {
                    true => in_use.push(Conflict::RequiredBy {
                        by,
                        name: needed.name,
                        version: needed.version,
                    }),
                    false => drop(kept.insert(path)),
                }
            }
            for (path, guid) in &going {
                for (named, by) in self.named_from_outside(path, &going) {
                    match *guid == installed.guid {
                        true => in_use.push(Conflict::InUse { path: named, by }),
                        false => drop(kept.insert(path.clone())),
                    }
                }
            }
            if kept.is_empty() {
                conflicts.extend(in_use);
                break;
            }
            going.retain(|path, _| !kept.contains(path));
        }
        match conflicts.is_empty() {
            true => Ok(going.into_keys().collect()),
            false => Err(Error::PackageConflicts {
                package: installed.name.clone(),
                conflicts,
            }),
        }
    }

    /// The assets in `part` that others name, which do not go, with the first that names each.
    fn named_from_outside(&self, part: &VfsPath, going: &BTreeMap<VfsPath, Guid>) -> Vec<(VfsPath, VfsPath)> {
        let stays = |path: &VfsPath| !going.keys().any(|part| path.starts_with(part));
        let inner = within(self.assets(), part);
        let named = inner.iter().filter_map(|path| {
            let asset = self.assets().at(path)?;
            let mut dependents = self.assets().dependents(asset);
            let by = dependents.find(|other| stays(&other.path))?;
            Some((path.clone(), by.path.clone()))
        });
        named.collect()
    }
}

/// The packages that stay and need one that goes, what each needs, and where that is. Another of its name that stays, in a
/// version that will do, is as good.
fn needed_from_outside(
    packages: &[(VfsPath, PackageInfo)],
    going: &BTreeMap<VfsPath, Guid>,
) -> Vec<(VfsPath, Requirement, VfsPath)> {
    let goes = |path: &VfsPath| going.keys().any(|part| path.starts_with(part));
    let mut found = Vec::new();
    for (by, info) in packages.iter().filter(|(path, _)| !goes(path)) {
        for needed in &info.dependencies {
            let all = packages.iter().filter(|(_, info)| info.name == needed.name);
            let (gone, left): (Vec<_>, Vec<_>) = all.partition(|(path, _)| goes(path));
            if !left.iter().any(|(_, info)| needed.version.matches(&info.version)) {
                let places = gone.iter().filter_map(|(path, _)| {
                    let part = going.keys().find(|part| path.starts_with(part))?;
                    Some((by.clone(), needed.clone(), part.clone()))
                });
                found.extend(places);
            }
        }
    }
    found
}

/// Goes on with installations that a program was stopped in, and answers what is told of them. Nothing of it keeps a world
/// shut.
pub(crate) fn go_on(vfs: &Vfs) -> Vec<Diagnostic> {
    let found = match Staging::found(vfs) {
        Ok(found) => found,
        Err(error) => {
            let source = Root::World.folder().unwrap_or_else(|_| VfsPath::root());
            let message = format!("installations that were stopped could not be looked for: {error}");
            return vec![Diagnostic::warning("package.unfinished", &source, message)];
        }
    };
    found.into_iter().flat_map(go_on_with).collect()
}

fn go_on_with(found: Found<'_>) -> Vec<Diagnostic> {
    let unfinished = |folder: &VfsPath, why: String| {
        let message = format!("an installation that was stopped cannot go on: {why}");
        let told = Diagnostic::error("package.unfinished", folder, message);
        vec![told.help(
            "what it was to put in place is in there, and what it took away; make room, and open the world again",
        )]
    };
    match found {
        Found::Staging(staging) => {
            let folder = staging.folder().clone();
            match staging.finish() {
                Ok(told) => told,
                Err(error @ Error::NotUndone { .. }) => unfinished(&folder, error.to_string()),
                Err(error) => {
                    let message =
                        format!("an installation that was stopped was taken back, as it cannot go on: {error}");
                    vec![Diagnostic::warning("package.taken_back", &folder, message)]
                }
            }
        }
        Found::Done(staging) => match staging.clear() {
            Ok(()) => Vec::new(),
            Err(error) => {
                let message = format!("what an installation no longer needs could not be cleared up: {error}");
                vec![Diagnostic::warning("package.left_over", staging.folder(), message)]
            }
        },
        Found::Broken(folder, error) => unfinished(&folder, error.to_string()),
        Found::Foreign(path) => {
            let message = "installations are prepared here, and this is none: it is left alone, and is no content";
            let told = Diagnostic::warning("package.foreign", &path, message);
            vec![told.help("move it elsewhere, or remove it if nobody needs it")]
        }
    }
}
