//! [`Package`]: a packed package, whatever it is packed in.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use zero_vfs::{ContentHash, Kind, Source, Vfs, VfsPath, WriteOptions, ZipLimits, ZipSource, pack_zip};

use super::manifest::{FILES_FOLDER, MANIFEST_FILE, Manifest, Part};
use super::problem::PackageProblem;
use super::steps::no_place;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::Refs;
use crate::sidecars::is_sidecar_among;

/// What a packed package may hold before it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackageLimits {
    /// Files; 20 000.
    pub files: u64,
    /// Bytes of one file; 1 GiB.
    pub file_bytes: u64,
    /// Bytes of all files; 1 GiB.
    pub total_bytes: u64,
}

impl Default for PackageLimits {
    fn default() -> Self {
        Self {
            files: 20_000,
            file_bytes: 1 << 30,
            total_bytes: 1 << 30,
        }
    }
}

impl PackageLimits {
    /// What an archive of such a package may hold, with its manifest.
    fn of_zip(&self) -> ZipLimits {
        let mut limits = ZipLimits::default();
        // Folders are entries too.
        limits.entries = self.files.saturating_mul(2).saturating_add(2);
        limits.file_bytes = self.file_bytes.max(Manifest::max_bytes());
        limits.total_bytes = self.total_bytes.saturating_add(Manifest::max_bytes());
        limits
    }
}

/// A package with all that it depends on, packed in a folder or an archive: a `manifest.yaml`, and a folder `files`.
///
/// What it says of itself is held against what it holds before anything of it is used: a file that is not listed, missing,
/// or another than the manifest's hash says, a place outside what a package may fill, a guid that is not the one it says it
/// is. Each is an [`Error::PackageRefused`] that names the package and the file.
#[derive(Clone)]
pub struct Package {
    source: Arc<dyn Source>,
    manifest: Manifest,
    /// The guids of all assets in it, with the sidecars that hold them.
    guids: BTreeMap<Guid, VfsPath>,
}

impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest { name, version, .. } = &self.manifest;
        write!(f, "Package({name} {version} in {})", self.source.name())
    }
}

impl Package {
    /// Opens a package that lies at the top of a source: a folder ([`zero_vfs::FolderSource`]), an archive, or any other.
    /// Its manifest and its sidecars are read; the other files when they are used.
    ///
    /// # Errors
    /// [`Error::PackageRefused`]; [`Error::Broken`], [`Error::Yaml`] and [`Error::NewerVersion`] for its manifest;
    /// [`Error::Vfs`].
    pub fn open(source: impl Source + 'static) -> Result<Self> {
        Self::open_with(source, &PackageLimits::default())
    }

    /// [`Package::open`] with other limits.
    ///
    /// # Errors
    /// As [`Package::open`].
    pub fn open_with(source: impl Source + 'static, limits: &PackageLimits) -> Result<Self> {
        Self::of(Arc::new(source), limits)
    }

    /// Opens a package in the bytes of a zip archive; `name` is for messages.
    ///
    /// # Errors
    /// As [`Package::open`]; [`zero_vfs::Error::Archive`] for an archive that is refused.
    pub fn from_zip(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Result<Self> {
        Self::from_zip_with(name, bytes, &PackageLimits::default())
    }

    /// [`Package::from_zip`] with other limits.
    ///
    /// # Errors
    /// As [`Package::from_zip`].
    pub fn from_zip_with(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>, limits: &PackageLimits) -> Result<Self> {
        let source = ZipSource::from_bytes_with(name, bytes, &limits.of_zip())?;
        Self::of(Arc::new(source), limits)
    }

    pub(super) fn of(source: Arc<dyn Source>, limits: &PackageLimits) -> Result<Self> {
        let refuse = |problem| Error::PackageRefused {
            package: source.name().to_owned(),
            problem,
        };
        let file = VfsPath::parse(MANIFEST_FILE)?;
        let bytes = match source.read(&file, Manifest::max_bytes()) {
            Ok(bytes) => bytes,
            Err(zero_vfs::Error::NotFound { .. }) => return Err(refuse(PackageProblem::NoManifest)),
            Err(error) => return Err(error.into()),
        };
        let manifest = Manifest::parse(&file, &bytes)?;
        check_parts(&manifest).map_err(refuse)?;
        check_sizes(&manifest, limits).map_err(refuse)?;
        check_held(&*source, &manifest)?.map_err(refuse)?;
        let mut package = Self {
            source,
            manifest,
            guids: BTreeMap::new(),
        };
        package.guids = package.read_guids()?;
        Ok(package)
    }

    /// What it holds.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads every file and holds it against the manifest.
    ///
    /// # Errors
    /// [`Error::PackageRefused`] for the first that is another; [`Error::Vfs`].
    pub fn verify(&self) -> Result<()> {
        let mut files = self.manifest.parts.iter().flat_map(|part| part.files.keys());
        files.try_for_each(|file| self.read(file).map(drop))
    }

    /// The package as a zip archive. The same package gives the same bytes.
    ///
    /// # Errors
    /// As [`Package::verify`] and [`zero_vfs::pack_zip`].
    pub fn to_zip(&self) -> Result<Vec<u8>> {
        Ok(pack_zip(&self.manifest.name, self.files()?)?)
    }

    /// Writes the package as a folder, where nothing may stand yet; whole or not at all.
    ///
    /// # Errors
    /// As [`Package::verify`] and [`Vfs::write_tree`].
    pub fn write_to(&self, vfs: &Vfs, folder: &VfsPath) -> Result<()> {
        Ok(vfs.write_tree(folder, self.files()?, &WriteOptions::default())?)
    }

    /// Everything that it is packed as: the manifest and the files.
    fn files(&self) -> Result<Vec<(VfsPath, Vec<u8>)>> {
        let mut all = vec![(VfsPath::parse(MANIFEST_FILE)?, self.manifest.to_text()?.into_bytes())];
        for file in self.manifest.parts.iter().flat_map(|part| part.files.keys()) {
            all.push((packed(file)?, self.read(file)?));
        }
        Ok(all)
    }

    /// The files of a part, each seen from the part, with its bytes as the manifest says they are.
    pub(super) fn files_of(&self, part: &Part) -> Result<Vec<(VfsPath, Vec<u8>)>> {
        part.files
            .keys()
            .map(|file| Ok((file.clone(), self.read(file)?)))
            .collect()
    }

    pub(super) fn guids(&self) -> impl Iterator<Item = (Guid, &VfsPath)> {
        self.guids.iter().map(|(guid, sidecar)| (*guid, sidecar))
    }

    /// A file, if it is the one that the manifest lists.
    pub(super) fn read(&self, file: &VfsPath) -> Result<Vec<u8>> {
        let mut parts = self.manifest.parts.iter();
        let Some(entry) = parts.find_map(|part| part.files.get(file)) else {
            return Err(self.refuse(PackageProblem::Unlisted { name: file.to_string() }));
        };
        let damaged = || PackageProblem::Damaged { path: file.clone() };
        match self.source.read(&packed(file)?, entry.bytes) {
            Ok(bytes) if ContentHash::of(&bytes) == entry.hash => Ok(bytes),
            Ok(_) | Err(zero_vfs::Error::TooLarge { .. }) => Err(self.refuse(damaged())),
            Err(error) => Err(error.into()),
        }
    }

    /// The guids of the assets in it. The sidecar of each part holds the one that the manifest says.
    fn read_guids(&self) -> Result<BTreeMap<Guid, VfsPath>> {
        let mut guids = BTreeMap::new();
        for part in &self.manifest.parts {
            let own = part.sidecar()?;
            if !part.files.contains_key(&own) {
                return Err(self.refuse(PackageProblem::Missing { path: own }));
            }
            let has = |file: &VfsPath| part.files.contains_key(file);
            for sidecar in part.files.keys().filter(|file| is_sidecar_among(file, has)) {
                let (refs, _) = Refs::parse(sidecar, &self.read(sidecar)?);
                let wrong = |why| PackageProblem::Guid {
                    path: sidecar.clone(),
                    why,
                };
                if *sidecar == own && refs.guid != Some(part.guid) {
                    return Err(self.refuse(wrong("not the one that the manifest says")));
                }
                let taken = refs.guid.and_then(|guid| guids.insert(guid, sidecar.clone()));
                if taken.is_some() {
                    return Err(self.refuse(wrong("that of another asset in the package too")));
                }
            }
        }
        Ok(guids)
    }

    fn refuse(&self, problem: PackageProblem) -> Error {
        Error::PackageRefused {
            package: self.source.name().to_owned(),
            problem,
        }
    }
}

/// Where a file lies in a packed package.
fn packed(file: &VfsPath) -> Result<VfsPath> {
    Ok(VfsPath::parse(&format!("{FILES_FOLDER}{file}"))?)
}

/// The parts lie where a package may put something, apart from each other, and the package is the last.
fn check_parts(manifest: &Manifest) -> std::result::Result<(), PackageProblem> {
    if manifest.parts.last().is_none_or(|part| part.guid != manifest.guid) {
        return Err(PackageProblem::NoPackage);
    }
    let place = |path: &VfsPath, why| PackageProblem::Place {
        path: path.clone(),
        why,
    };
    for (number, part) in manifest.parts.iter().enumerate() {
        if let Some(why) = no_place(&part.path) {
            return Err(place(&part.path, why));
        }
        let clashes = |other: &Part| other.path.starts_with(&part.path) || part.path.starts_with(&other.path);
        if manifest.parts[..number].iter().any(clashes) {
            return Err(place(&part.path, "another part of the package is there"));
        }
        let sidecar = part.sidecar().ok();
        let belongs = |file: &VfsPath| match part.form() {
            Kind::File => *file == part.path || Some(file) == sidecar.as_ref(),
            Kind::Folder => file.starts_with(&part.path),
        };
        if let Some(file) = part.files.keys().find(|file| !belongs(file)) {
            return Err(place(file, "it is outside of the part that lists it"));
        }
        check_tree(part)?;
    }
    check_case(manifest)
}

/// No file of a part is the folder of another.
fn check_tree(part: &Part) -> std::result::Result<(), PackageProblem> {
    let inside = |file: &VfsPath| file.ancestors().skip(1).any(|folder| part.files.contains_key(&folder));
    match part.files.keys().find(|file| inside(file)) {
        Some(file) => Err(PackageProblem::Place {
            path: file.clone(),
            why: "another file is where its folder would be",
        }),
        None => Ok(()),
    }
}

/// No two files or folders are equal but for case.
fn check_case(manifest: &Manifest) -> std::result::Result<(), PackageProblem> {
    let mut seen: BTreeMap<String, VfsPath> = BTreeMap::new();
    for file in manifest.parts.iter().flat_map(|part| part.files.keys()) {
        for path in file.ancestors() {
            let known = seen.entry(path.as_str().to_lowercase()).or_insert_with(|| path.clone());
            if *known != path {
                return Err(PackageProblem::CaseClash {
                    one: known.clone(),
                    other: path,
                });
            }
        }
    }
    Ok(())
}

fn check_sizes(manifest: &Manifest, limits: &PackageLimits) -> std::result::Result<(), PackageProblem> {
    let files = || manifest.parts.iter().flat_map(|part| &part.files);
    let count = files().count() as u64;
    if count > limits.files {
        let (files, limit) = (count, limits.files);
        return Err(PackageProblem::TooManyFiles { files, limit });
    }
    for (path, entry) in files() {
        if entry.bytes > limits.file_bytes {
            return Err(PackageProblem::TooLarge {
                path: path.clone(),
                bytes: entry.bytes,
                limit: limits.file_bytes,
            });
        }
    }
    let total = files().fold(0, |total: u64, (_, entry)| total.saturating_add(entry.bytes));
    match total > limits.total_bytes {
        true => Err(PackageProblem::TotalTooLarge {
            bytes: total,
            limit: limits.total_bytes,
        }),
        false => Ok(()),
    }
}

/// The source holds the files of the manifest, of their lengths, and no others.
fn check_held(source: &dyn Source, manifest: &Manifest) -> Result<std::result::Result<(), PackageProblem>> {
    let mut listed = BTreeMap::from([(VfsPath::parse(MANIFEST_FILE)?, None)]);
    for (file, entry) in manifest.parts.iter().flat_map(|part| &part.files) {
        listed.insert(packed(file)?, Some((file, entry.bytes)));
    }
    let mut open = vec![VfsPath::root()];
    while let Some(folder) = open.pop() {
        let listing = source.list(&folder)?;
        if let Some(held) = listing.unreachable.into_iter().next() {
            return Ok(Err(PackageProblem::Unlisted { name: held.name }));
        }
        for entry in listing.entries {
            let path = folder.join(&entry.name)?;
            match entry.stat.kind {
                // A folder of which nothing is listed is not gone into: what is in it is not listed either.
                Kind::Folder
                    if listed
                        .range(path.clone()..)
                        .next()
                        .is_some_and(|(file, _)| file.starts_with(&path)) =>
                {
                    open.push(path);
                }
                Kind::File if listed.contains_key(&path) => {
                    let known = listed.remove(&path).flatten();
                    if let Some((file, _)) = known.filter(|(_, bytes)| *bytes != entry.stat.len) {
                        return Ok(Err(PackageProblem::Damaged { path: file.clone() }));
                    }
                }
                _ => return Ok(Err(PackageProblem::Unlisted { name: path.to_string() })),
            }
        }
    }
    match listed.into_values().flatten().next() {
        Some((file, _)) => Ok(Err(PackageProblem::Missing { path: file.clone() })),
        None => Ok(Ok(())),
    }
}
