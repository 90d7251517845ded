//! [`Preview`]: what an installation would do.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use zero_vfs::{Kind, VfsPath};

use super::bundle::Package;
use super::content::{content_at, files_in};
use super::info::{PACKAGE_FILE, PackageInfo, Requirement};
use super::manifest::{Manifest, Part};
use super::problem::Conflict;
use super::record::{Files, Record};
use crate::classify::is_in_template;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::Refs;
use crate::registry::{Meaning, is_type_folder};
use crate::root::Root;
use crate::sidecars::is_sidecar_among;
use crate::types::{AssetType, TYPE_FILE, TYPE_SUFFIX};
use crate::workspace::Workspace;

/// How a package is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstallOptions {
    /// What is done with edits of what is installed.
    pub edits: Edits,
    /// What is done where a newer version is installed.
    pub downgrade: Downgrade,
}

/// What an update or a removal does with edits that were made to what it replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edits {
    /// It is refused.
    #[default]
    Refuse,
    /// They are lost.
    Overwrite,
}

/// What an installation does where a newer version is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Downgrade {
    /// It is refused.
    #[default]
    Refuse,
    /// The older version takes its place.
    Allow,
}

impl InstallOptions {
    /// The same, with edits lost.
    #[must_use]
    pub fn overwriting(self) -> Self {
        let edits = Edits::Overwrite;
        Self { edits, ..self }
    }

    /// The same, where an older version may take the place of a newer one.
    #[must_use]
    pub fn downgrading(self) -> Self {
        let downgrade = Downgrade::Allow;
        Self { downgrade, ..self }
    }
}

/// What an installation would do. Nothing is written for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preview {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// What would happen to each part, the package last.
    pub parts: Vec<PlannedPart>,
    /// Where the parts are that came with the version that is installed and that this one does not have. They stay: the
    /// world's assets may name them. They go with the package ([`Workspace::uninstall`]).
    pub dropped: Vec<VfsPath>,
    /// What keeps it out; where there is anything, [`Workspace::install`] is refused.
    pub conflicts: Vec<Conflict>,
}

/// What an installation would do with a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedPart {
    /// Which asset it is.
    pub guid: Guid,
    /// Where it is, or would be: a part that was moved since it was installed stays where it is.
    pub path: VfsPath,
    /// The name of its type.
    pub kind: String,
    /// What would happen.
    pub action: Action,
    /// The files that would be written.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those of them that would be new, by where they would be.
    pub added: Vec<VfsPath>,
    /// Those of them that would have other content than what is there.
    pub changed: Vec<VfsPath>,
    /// The files that are there and would be gone.
    pub removed: Vec<VfsPath>,
}

/// What an installation does with a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// It comes.
    Add,
    /// It takes the place of what is there, of the version `from` where that is a package.
    Replace {
        /// The version that goes.
        from: Option<Version>,
    },
    /// It is there already, the same.
    Same,
    /// It is there already, and what is there stays: another may have made it, edited it, or brought a newer version.
    Stays,
}

impl Workspace {
    /// What [`Workspace::install`] would do, and what keeps it from it.
    ///
    /// # Errors
    /// [`Error::Broken`] for a record of installed packages that does not stand up; [`Error::Vfs`].
    pub fn preview_install(&self, package: &Package, options: &InstallOptions) -> Result<Preview> {
        let record = Record::load(self.vfs())?;
        let manifest = package.manifest();
        let mut planning = Planning {
            world: self,
            manifest,
            record: &record,
            options,
            conflicts: Vec::new(),
        };
        let mut parts = Vec::new();
        for part in &manifest.parts {
            parts.push(planning.part(part)?);
        }
        planning.guids(package, &parts)?;
        planning.types(package, &parts)?;
        planning.requirements(package, &parts)?;
        let dropped = record.dropped(manifest);
        let dropped = dropped.filter_map(|(guid, _)| self.assets().original_of(*guid).cloned());
        let dropped = dropped.collect();
        let mut conflicts = planning.conflicts;
        conflicts.dedup();
        Ok(Preview {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            parts,
            dropped,
            conflicts,
        })
    }
}

/// The content of a part as it is recorded: without its sidecars, seen from the part.
pub(super) fn content(part: &Part) -> Files {
    let has = |file: &VfsPath| part.files.contains_key(file);
    let files = part.files.iter().filter(|(file, _)| !is_sidecar_among(file, has));
    files
        .filter_map(|(file, entry)| Some((file.relative_to(&part.path)?, entry.hash)))
        .collect()
}

/// The files that differ, as they are seen in `folder`.
fn differing(folder: &VfsPath, one: &Files, other: &Files) -> Result<Vec<VfsPath>> {
    let all: BTreeSet<&VfsPath> = one.keys().chain(other.keys()).collect();
    let differ = all.into_iter().filter(|file| one.get(*file) != other.get(*file));
    differ.map(|file| seen_in(folder, file)).collect()
}

/// The files of a part that are other than any package wrote them: none where all are as one did.
pub(super) fn edited(folder: &VfsPath, written: &[&Files], now: &Files) -> Result<Vec<VfsPath>> {
    match written {
        _ if written.contains(&now) => Ok(Vec::new()),
        [] => differing(folder, &Files::new(), now),
        [first, ..] => differing(folder, first, now),
    }
}

/// A file of a part where the part is.
pub(super) fn seen_in(folder: &VfsPath, inner: &VfsPath) -> Result<VfsPath> {
    match inner.is_root() {
        true => Ok(folder.clone()),
        false => Ok(folder.join(&inner.as_str()[1..])?),
    }
}

/// Where a part is, by the index and by the files as they are now: another program may have brought it, or taken it away,
/// since the last update.
pub(super) enum Place {
    Known(VfsPath),
    /// It is where the package would put it, and the index does not know.
    Arrived(VfsPath),
    /// The index knows it here, and it is not.
    Left(VfsPath),
    None,
}

impl Place {
    fn found(self) -> Option<VfsPath> {
        match self {
            Self::Known(path) | Self::Arrived(path) => Some(path),
            Self::Left(_) | Self::None => None,
        }
    }
}

impl Workspace {
    pub(super) fn place_of(&self, part: &Part) -> Result<Place> {
        let known = self.assets().names().guid.get(&part.guid);
        let known = known.and_then(|paths| self.assets().original_of(part.guid).or(paths.first()));
        if let Some(path) = known
            && self.vfs().stat(path)?.is_some()
        {
            return Ok(Place::Known(path.clone()));
        }
        let path = seen_in(&Root::World.folder()?, &part.path)?;
        let is_there = self.vfs().stat(&path)?.is_some_and(|stat| stat.kind == part.form());
        let sidecar = Refs::place(&path, part.form())?;
        let is_it = is_there
            && self.vfs().stat(&sidecar)?.is_some()
            && Refs::load(self.vfs(), &sidecar).0.guid == Some(part.guid);
        Ok(match (is_it, known) {
            (true, _) => Place::Arrived(path),
            (false, Some(known)) => Place::Left(known.clone()),
            (false, None) => Place::None,
        })
    }
}

struct Planning<'a> {
    world: &'a Workspace,
    manifest: &'a Manifest,
    record: &'a Record,
    options: &'a InstallOptions,
    conflicts: Vec<Conflict>,
}

impl Planning<'_> {
    fn part(&mut self, part: &Part) -> Result<PlannedPart> {
        let (path, action) = match self.world.place_of(part)?.found() {
            None => self.new_part(part)?,
            Some(path) => {
                let action = self.known_part(part, &path)?;
                (path, action)
            }
        };
        let is_written = matches!(action, Action::Add | Action::Replace { .. });
        let written = part.files.values().filter(|_| is_written);
        let (files, bytes) = written.fold((0, 0), |(files, bytes), entry| (files + 1, bytes + entry.bytes));
        let mut planned = PlannedPart {
            guid: part.guid,
            path,
            kind: part.kind.clone(),
            action,
            files,
            bytes,
            added: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
        };
        if is_written {
            self.compare(part, &mut planned)?;
        }
        Ok(planned)
    }

    /// Says what would become of each file.
    fn compare(&self, part: &Part, planned: &mut PlannedPart) -> Result<()> {
        let vfs = self.world.vfs();
        let sidecar = Refs::place(&planned.path, Kind::File)?;
        let mut there: BTreeSet<VfsPath> = match (vfs.stat(&planned.path)?.map(|stat| stat.kind), part.form()) {
            (None, _) => BTreeSet::new(),
            (Some(Kind::Folder), _) => files_in(vfs, &planned.path)?.into_iter().collect(),
            (Some(Kind::File), _) => BTreeSet::from([planned.path.clone()]),
        };
        if part.form() == Kind::File && vfs.stat(&sidecar)?.is_some() {
            there.insert(sidecar.clone());
        }
        for (file, entry) in &part.files {
            let target = match file.relative_to(&part.path) {
                Some(inner) => seen_in(&planned.path, &inner)?,
                None => sidecar.clone(),
            };
            match there.remove(&target) {
                false => planned.added.push(target),
                true if vfs.hash(&target)? != entry.hash => planned.changed.push(target),
                true => {}
            }
        }
        planned.removed = there.into_iter().collect();
        Ok(())
    }

    /// A part that the world does not have.
    fn new_part(&mut self, part: &Part) -> Result<(VfsPath, Action)> {
        let assets = self.world.assets();
        let path = seen_in(&Root::World.folder()?, &part.path)?;
        // A file that stands where a folder would be is in the way too.
        let mut in_the_way = None;
        for place in path.ancestors() {
            let stat = self.world.vfs().stat(&place)?;
            let is_file = stat.as_ref().is_some_and(|stat| stat.kind == zero_vfs::Kind::File);
            let is_asset = place != path && stat.is_some() && assets.at(&place).is_some();
            if (place == path && stat.is_some()) || is_file || is_asset {
                in_the_way = Some(place);
                break;
            }
        }
        self.conflicts
            .extend(in_the_way.map(|path| Conflict::Occupied { path }));
        Ok((path, Action::Add))
    }

    /// A part that the world has, wherever it lies there.
    fn known_part(&mut self, part: &Part, path: &VfsPath) -> Result<Action> {
        let now = content_at(self.world.vfs(), path)?;
        if now == content(part) {
            return Ok(Action::Same);
        }
        let is_package = part.guid == self.manifest.guid;
        if Root::of(path) != Root::World {
            if is_package {
                self.conflicts.push(Conflict::Occupied { path: path.clone() });
            }
            return Ok(Action::Stays);
        }
        let offered = part.package.as_ref().map(|id| &id.version);
        let installed = match offered {
            Some(_) => self.world.package_at(path)?.map(|id| id.version),
            None => None,
        };
        if let (Some(offered), Some(installed)) = (offered, &installed)
            && offered < installed
            && self.options.downgrade == Downgrade::Refuse
        {
            if is_package {
                self.conflicts.push(Conflict::Newer {
                    name: self.manifest.name.clone(),
                    installed: installed.clone(),
                    offered: offered.clone(),
                });
            }
            return Ok(Action::Stays);
        }
        // What another package brought, or the world made itself, is not this one's to replace, unless it is a package.
        let own = self.record.packages.get(&self.manifest.guid);
        let is_own = own.is_some_and(|own| own.parts.contains_key(&part.guid))
            && !self.record.is_shared(part.guid, self.manifest.guid);
        let written = match is_package || offered.is_some() || is_own {
            true => self.record.written(part.guid),
            false => Vec::new(),
        };
        let edited = edited(path, &written, &now)?;
        if edited.is_empty() || self.options.edits == Edits::Overwrite && (is_package || !written.is_empty()) {
            return Ok(Action::Replace { from: installed });
        }
        if is_package || (offered.is_some() && offered != installed.as_ref()) {
            let path = path.clone();
            self.conflicts.push(Conflict::Edited { path, files: edited });
        }
        Ok(Action::Stays)
    }

    /// No asset of the world has the guid of one that comes, but where that one takes its place.
    fn guids(&mut self, package: &Package, parts: &[PlannedPart]) -> Result<()> {
        let assets = self.world.assets();
        for (guid, sidecar) in package.guids() {
            let holds = |part: &&Part| part.files.contains_key(sidecar);
            let Some(number) = self.manifest.parts.iter().position(|part| holds(&part)) else {
                continue;
            };
            let planned = &parts[number];
            if matches!(planned.action, Action::Same | Action::Stays) {
                continue;
            }
            let there = assets.names().guid.get(&guid).into_iter().flatten();
            let taken = there.filter(|path| !path.starts_with(&planned.path));
            self.conflicts
                .extend(taken.map(|path| Conflict::GuidTaken { path: path.clone() }));
        }
        Ok(())
    }

    /// The types that come, in a part or as one, have names and suffixes that no type of the world has.
    fn types(&mut self, package: &Package, parts: &[PlannedPart]) -> Result<()> {
        let types = self.world.assets().types();
        let manifest = self.manifest;
        let all = manifest.parts.iter().zip(parts);
        let written = all.filter(|(_, planned)| matches!(planned.action, Action::Add | Action::Replace { .. }));
        for (part, planned) in written {
            for file in part.files.keys().filter(|file| file.name() == Some(TYPE_FILE)) {
                let folder = file
                    .parent()
                    .filter(|folder| is_type_folder(folder) && !is_in_template(file));
                let inner = folder.and_then(|folder| folder.relative_to(&part.path));
                let Some(inner) = inner else { continue };
                let place = seen_in(&planned.path, &inner)?;
                // What a part replaces is in its way no more.
                let stays = |known: &&AssetType| !known.path.starts_with(&planned.path);
                let is_there = |known: &AssetType| Ok::<_, Error>(self.world.vfs().stat(&known.path)?.is_some());
                let name = place.name().unwrap_or_default();
                let name = name.strip_suffix(TYPE_SUFFIX).unwrap_or(name).to_owned();
                if let Some(known) = types.get(&name).ok().filter(stays)
                    && is_there(known)?
                {
                    let by = known.path.clone();
                    self.conflicts.push(Conflict::TypeTaken { name, by });
                    continue;
                }
                // One that does not stand up has no suffix, and is told once it is there.
                let Ok((Some(kind), _)) = AssetType::parse(&place, &package.read(file)?) else {
                    continue;
                };
                if let Meaning::Type(known) = types.of_suffix(&Root::World, &kind.suffix)
                    && stays(&known)
                    && is_there(known)?
                {
                    let (suffix, by) = (kind.suffix, known.path.clone());
                    self.conflicts.push(Conflict::SuffixTaken { name, suffix, by });
                }
            }
        }
        Ok(())
    }

    /// What the packages that come need is there afterwards, in versions that will do; and those that stay and need one of
    /// them can use it.
    fn requirements(&mut self, package: &Package, parts: &[PlannedPart]) -> Result<()> {
        let assets = self.world.assets();
        for need in &self.manifest.needs {
            if !assets.names().guid.contains_key(&need.guid) {
                let identity = need.identity.clone();
                self.conflicts.push(Conflict::Needs { identity });
            }
        }
        // The packages as they would be.
        let mut needed = self.manifest.dependencies.clone();
        let mut versions: BTreeMap<String, Version> = BTreeMap::new();
        let mut comes: BTreeMap<String, Version> = BTreeMap::new();
        let mut places: BTreeSet<VfsPath> = BTreeSet::new();
        for (part, planned) in self.manifest.parts.iter().zip(parts) {
            let Some(id) = part.package.as_ref().filter(|_| planned.action != Action::Stays) else {
                continue;
            };
            comes.insert(id.name.clone(), id.version.clone());
            places.insert(planned.path.clone());
            let file = part.path.join(PACKAGE_FILE)?;
            if part.guid != self.manifest.guid && part.files.contains_key(&file) {
                let (info, _) = PackageInfo::parse(&part.path, &package.read(&file)?)?;
                needed.extend(info.map(|info| info.dependencies).unwrap_or_default());
            }
        }
        let staying = self.world.packages()?;
        for (path, info) in staying.iter().filter(|(path, _)| !places.contains(path)) {
            // The world's own before those of libraries.
            if Root::of(path) == Root::World || !versions.contains_key(&info.name) {
                versions.insert(info.name.clone(), info.version.clone());
            }
        }
        versions.extend(comes.clone());
        for Requirement { name, version } in needed {
            let found = versions.get(&name);
            if !found.is_some_and(|found| version.matches(found)) {
                let found = found.cloned();
                self.conflicts.push(Conflict::Requires { name, version, found });
            }
        }
        for (path, info) in staying.iter().filter(|(path, _)| !places.contains(path)) {
            for Requirement { name, version } in &info.dependencies {
                if comes.get(name).is_some_and(|comes| !version.matches(comes)) {
                    self.conflicts.push(Conflict::RequiredBy {
                        by: path.clone(),
                        name: name.clone(),
                        version: version.clone(),
                    });
                }
            }
        }
        Ok(())
    }
}

impl Preview {
    /// An error where something keeps the package out.
    pub(super) fn check(self) -> Result<Self> {
        match self.conflicts.is_empty() {
            true => Ok(self),
            false => Err(Error::PackageConflicts {
                package: self.name,
                conflicts: self.conflicts,
            }),
        }
    }
}
