//! [`Workspace::pack`]: a package of a world, with what it depends on, made ready to travel.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use semver::Version;
use zero_vfs::{ContentHash, Kind, MemorySource, Source, VfsPath};

use super::bundle::{Package, PackageLimits};
use super::content::files_in;
use super::info::{PACKAGE_FILE, PackageInfo};
use super::manifest::{FILES_FOLDER, FileEntry, MANIFEST_FILE, Manifest, Need, PackageId, Part};
use super::problem::Conflict;
use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::refs::Refs;
use crate::root::Root;
use crate::workspace::Workspace;

impl Workspace {
    /// Packs the package at `path` with all that it depends on: the assets that the `.refs` of its assets record, the types
    /// of those among them, and the packages that its `package.yaml` names and those that they name in turn, each with the
    /// whole of what holds it. What lies
    /// in another library is not packed; it is what the package needs of a world. The world is settled first
    /// ([`Workspace::settle`]), so that every asset has its guid and what it names is written down.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::NotAPackage`]; [`Error::Broken`] with every error of the assets that would be packed, a
    /// name that nothing answers to among them; [`Error::PackageConflicts`] for a package that is named and is not there in a
    /// version that will do; [`Error::Vfs`].
    pub fn pack(&mut self, path: &VfsPath) -> Result<Package> {
        self.settle()?;
        let info = PackageInfo::load(self.vfs(), &self.asset(path)?.path)?;
        let mut packing = Packing {
            world: self,
            package: path,
            root: Root::of(path),
            parts: BTreeSet::new(),
            needs: BTreeSet::new(),
            told: Vec::new(),
        };
        packing.gather(&info)?;
        let Packing {
            parts, needs, mut told, ..
        } = packing;
        for part in &parts {
            told.extend(self.errors_in(part)?);
        }
        if !told.is_empty() {
            told.sort_by(Diagnostic::order);
            told.dedup();
            return Err(Error::Broken { diagnostics: told });
        }
        self.packed(path, info, parts, needs)
    }

    /// Puts the parts into a source of their own.
    fn packed(
        &self,
        path: &VfsPath,
        info: PackageInfo,
        parts: BTreeSet<VfsPath>,
        needs: BTreeSet<Need>,
    ) -> Result<Package> {
        let source = MemorySource::new(format!("the package `{}`", info.name));
        let others = parts.iter().filter(|part| *part != path);
        let mut packed = Vec::new();
        for part in others.chain([path]) {
            packed.push(self.part(part, &source)?);
        }
        let Some(guid) = packed.last().map(|part| part.guid) else {
            return Err(Error::NotAPackage { path: path.clone() });
        };
        let manifest = Manifest {
            name: info.name,
            version: info.version,
            description: info.description,
            guid,
            dependencies: info.dependencies,
            needs: needs.into_iter().collect(),
            parts: packed,
        };
        source.write(&VfsPath::parse(MANIFEST_FILE)?, manifest.to_text()?.as_bytes())?;
        // As strict as towards anyone's: what is packed here can be opened elsewhere.
        Package::of(Arc::new(source), &PackageLimits::default())
    }

    /// A part of a package; its files are put into `source`.
    fn part(&self, path: &VfsPath, source: &MemorySource) -> Result<Part> {
        let asset = self.asset(path)?;
        let root = Root::of(path).folder()?;
        let inside = |file: &VfsPath| file.relative_to(&root).unwrap_or_else(VfsPath::root);
        let mut files = BTreeMap::new();
        let packed = match asset.form {
            Kind::File => vec![path.clone(), Refs::place(path, Kind::File)?],
            Kind::Folder => files_in(self.vfs(), path)?,
        };
        for file in packed {
            let bytes = self.vfs().read(&file)?;
            let place = inside(&file);
            source.write(&VfsPath::parse(&format!("{FILES_FOLDER}{place}"))?, &bytes)?;
            let entry = FileEntry {
                bytes: bytes.len() as u64,
                hash: ContentHash::of(&bytes),
            };
            files.insert(place, entry);
        }
        Ok(Part {
            path: inside(path),
            guid: asset.guid.ok_or_else(|| no_guid(path))?,
            kind: asset.kind.clone(),
            package: self.package_at(path)?,
            files,
        })
    }

    /// Which package a folder is; `None` where it is none.
    pub(super) fn package_at(&self, folder: &VfsPath) -> Result<Option<PackageId>> {
        match PackageInfo::load(self.vfs(), folder) {
            Ok(PackageInfo { name, version, .. }) => Ok(Some(PackageId { name, version })),
            Err(Error::NotAPackage { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What is wrong with an asset and those in it.
    fn errors_in(&self, part: &VfsPath) -> Result<Vec<Diagnostic>> {
        let mut told = Vec::new();
        for path in within(self.assets(), part) {
            told.extend(self.validate(&path)?.into_iter().filter(Diagnostic::is_error));
        }
        Ok(told)
    }
}

/// An asset and those in it.
pub(super) fn within(assets: &Assets, path: &VfsPath) -> Vec<VfsPath> {
    let inner = assets.below(path).map(|asset| asset.path.clone());
    assets
        .at(path)
        .map(|asset| asset.path.clone())
        .into_iter()
        .chain(inner)
        .collect()
}

fn no_guid(path: &VfsPath) -> Error {
    let message = "it has no guid, and cannot be given one where it lies";
    Error::Broken {
        diagnostics: vec![Diagnostic::error("package.no_guid", path, message)],
    }
}

/// What is found on the way from a package to all that it depends on.
struct Packing<'a> {
    world: &'a Workspace,
    package: &'a VfsPath,
    root: Root,
    parts: BTreeSet<VfsPath>,
    needs: BTreeSet<Need>,
    told: Vec<Diagnostic>,
}

impl Packing<'_> {
    fn gather(&mut self, info: &PackageInfo) -> Result<()> {
        let mut open = vec![self.package.clone()];
        open.extend(self.named_packages(info)?);
        while let Some(part) = open.pop() {
            if !self.parts.insert(part.clone()) {
                continue;
            }
            for path in within(self.world.assets(), &part) {
                open.extend(self.dependencies(&path)?);
                // What another package needs, this one needs with it.
                let is_other = path != *self.package && self.world.assets().tree().has_file(&path.join(PACKAGE_FILE)?);
                if is_other {
                    let info = PackageInfo::load(self.world.vfs(), &path)?;
                    open.extend(self.named_packages(&info)?);
                }
            }
        }
        Ok(())
    }

    /// The packages that a `package.yaml` names.
    fn named_packages(&self, info: &PackageInfo) -> Result<Vec<VfsPath>> {
        let (mut found, mut conflicts) = (Vec::new(), Vec::new());
        for needed in &info.dependencies {
            match self.world.package_named(&needed.name)? {
                Some((path, version)) if needed.version.matches(&version) => {
                    // What a library holds is not packed, but is there for the one who packs.
                    found.extend(Some(path).filter(|path| Root::of(path) == self.root));
                }
                there => conflicts.push(Conflict::Requires {
                    name: needed.name.clone(),
                    version: needed.version.clone(),
                    found: there.map(|(_, version)| version),
                }),
            }
        }
        match conflicts.is_empty() {
            true => Ok(found),
            false => Err(Error::PackageConflicts {
                package: info.name.clone(),
                conflicts,
            }),
        }
    }

    /// The parts that an asset depends on. What is in a library is noted as a need.
    fn dependencies(&mut self, path: &VfsPath) -> Result<Vec<VfsPath>> {
        let assets = self.world.assets();
        let Some(asset) = assets.at(path) else {
            return Ok(Vec::new());
        };
        let deps = assets.deps(self.world.vfs(), asset)?;
        // Where a name leads to another asset than was meant, both travel: nobody said yet which it is.
        let named = deps
            .iter()
            .flat_map(|dep| dep.target.path().into_iter().chain(dep.target.meant()));
        let mut parts = Vec::new();
        for target in named.chain([&asset.type_path]) {
            let Some(target) = assets.at(target) else { continue };
            if target.root() == self.root {
                parts.push(self.part_of(&target.path));
            } else {
                match target.guid {
                    Some(guid) => drop(self.needs.insert(Need {
                        guid,
                        identity: target.full_identity(),
                    })),
                    None => {
                        let message = format!("it depends on `{}`, which has no guid", target.path);
                        self.told.push(Diagnostic::error("package.no_guid", path, message));
                    }
                }
            }
        }
        Ok(parts)
    }

    /// What travels with an asset: the outermost asset that holds it and not the package.
    fn part_of(&self, path: &VfsPath) -> VfsPath {
        if path.starts_with(self.package) {
            return self.package.clone();
        }
        let assets = self.world.assets();
        let holders = path.ancestors().filter(|folder| assets.at(folder).is_some());
        let apart = holders.filter(|holder| !self.package.starts_with(holder));
        apart.last().unwrap_or_else(|| path.clone())
    }
}

impl Workspace {
    /// The package of a name, with its version; the world's own before those of libraries.
    pub(super) fn package_named(&self, name: &str) -> Result<Option<(VfsPath, Version)>> {
        let mut found: Option<(VfsPath, Version)> = None;
        for (path, info) in self.packages()? {
            let is_nearer = found.is_none() || Root::of(&path) == Root::World;
            if info.name == name && is_nearer {
                found = Some((path, info.version));
            }
        }
        Ok(found)
    }

    /// Every package that is here, with what it says of itself, by path. One whose `package.yaml` does not stand up is left
    /// out; the checks tell it.
    ///
    /// # Errors
    /// [`Error::Vfs`].
    pub fn packages(&self) -> Result<Vec<(VfsPath, PackageInfo)>> {
        let mut packages = Vec::new();
        for asset in self.assets().iter().filter(|asset| asset.form == Kind::Folder) {
            if !self.assets().tree().has_file(&asset.path.join(PACKAGE_FILE)?) {
                continue;
            }
            match PackageInfo::load(self.vfs(), &asset.path) {
                Ok(info) => packages.push((asset.path.clone(), info)),
                Err(Error::Vfs(error)) => return Err(error.into()),
                Err(_) => {}
            }
        }
        Ok(packages)
    }
}
