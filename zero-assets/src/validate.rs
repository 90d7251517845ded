//! Checks of one asset against its type.

use zero_vfs::{Kind, Vfs, VfsPath};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::builtin::BUILTIN;
use crate::deps;
use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::refs::Refs;
use crate::structured;
use crate::types::{ABOUT_FILE, AssetType, ContentTest, Inspector, TYPE_FILE, TYPE_SUFFIX, matches};

/// A type of whose assets search reads nothing, and which does not say so.
const UNINDEXED: &str = "type.unindexed";

/// The most bytes of a file that a check on its content reads.
const MAX_CHECKED_BYTES: u64 = 16 << 20;

impl Assets {
    /// What is wrong with an asset, by the declaration of its type: files that are missing, names, contents, texts
    /// that are not written, names that nothing answers to, settings that do not fit; and for a type, that it says
    /// what it is for and has an interface. Sorted.
    ///
    /// The rules of the type's own behaviour are added by [`crate::Workspace::validate`].
    ///
    /// # Errors
    /// [`crate::Error::Vfs`] if a file cannot be read.
    pub fn check(&self, vfs: &Vfs, asset: &Asset) -> Result<Vec<Diagnostic>> {
        let mut told = self.told_of(asset);
        let Some(kind) = self.type_of(asset) else {
            return Ok(told);
        };
        for file in self.files_of(asset) {
            told.extend(check_content(vfs, asset, kind, &file)?);
        }
        let deps = self.deps(vfs, asset)?;
        told.extend(deps::unresolved(self, &deps));
        told.extend(self.check_contract(vfs, asset, kind)?);
        if asset.path.name().is_some_and(|name| name.ends_with(TYPE_SUFFIX)) {
            let is_broken = told.iter().any(|told| told.code == "type.broken");
            told.extend(self.check_type(vfs, asset)?);
            // A block that does not stand up is told as such.
            told.retain(|told| !is_broken || told.code != UNINDEXED);
        }
        told.sort_by(Diagnostic::order);
        told.dedup();
        Ok(told)
    }

    /// What the index tells of an asset itself: not of those that it holds.
    fn told_of(&self, asset: &Asset) -> Vec<Diagnostic> {
        let sidecar = Refs::place(&asset.path, asset.form).ok();
        let is_about = |path: &VfsPath| {
            let holder = self.containing(path).map(|holder| &holder.path);
            holder == Some(&asset.path) || sidecar.as_ref() == Some(path)
        };
        // They are in the order of their paths, so those below the asset are together.
        let all = self.diagnostics();
        let below = all.partition_point(|told| told.path < asset.path);
        let below = all[below..]
            .iter()
            .take_while(|told| told.path.starts_with(&asset.path));
        let beside = sidecar.iter().filter(|sidecar| !sidecar.starts_with(&asset.path));
        let beside = beside.flat_map(|sidecar| {
            let first = all.partition_point(|told| told.path < *sidecar);
            all[first..].iter().take_while(move |told| told.path == *sidecar)
        });
        below
            .chain(beside)
            .filter(|told| is_about(&told.path))
            .cloned()
            .collect()
    }

    /// The file that says what an asset is built on must be one that can be read. What it names is among the dependencies.
    fn check_contract(&self, vfs: &Vfs, asset: &Asset, kind: &AssetType) -> Result<Option<Diagnostic>> {
        if kind.contract_ref.is_none() {
            return Ok(None);
        }
        let Some(primary) = self.primary_of(asset) else {
            return Ok(None);
        };
        let read = structured::read(vfs, &primary);
        Ok(read
            .err()
            .map(|error| Diagnostic::of_error("asset.contract", &primary, &error)))
    }

    /// The file that is an asset's content: the first of its type's primary files that is there.
    #[must_use]
    pub fn primary_of(&self, asset: &Asset) -> Option<VfsPath> {
        if asset.form == Kind::File {
            return Some(asset.path.clone());
        }
        let kind = self.type_of(asset)?;
        let files = self.files_of(asset);
        let inner = |file: &VfsPath| {
            file.relative_to(&asset.path)
                .map(|inner| inner.as_str()[1..].to_owned())
        };
        kind.primary.iter().find_map(|primary| {
            let is_it = |file: &&VfsPath| inner(file).is_some_and(|inner| matches(primary, &inner));
            files.iter().find(is_it).cloned()
        })
    }

    /// Whether a file is one of those that are an asset's content.
    pub(crate) fn is_primary(&self, asset: &Asset, file: &VfsPath) -> bool {
        let inner = match asset.form {
            Kind::File => return *file == asset.path,
            Kind::Folder => file.relative_to(&asset.path),
        };
        let Some((kind, inner)) = self.type_of(asset).zip(inner) else {
            return false;
        };
        kind.primary
            .iter()
            .any(|primary| matches(primary, &inner.as_str()[1..]))
    }

    /// What is asked of a type beyond its files.
    fn check_type(&self, vfs: &Vfs, asset: &Asset) -> Result<Vec<Diagnostic>> {
        let Some(kind) = self.types().at(&asset.path) else {
            // It is not registered, which the index tells.
            return Ok(Vec::new());
        };
        // What is in the texts is checked as the type of types declares it.
        let mut told = Vec::new();
        if !self.tree().has_file(&asset.path.join(ABOUT_FILE)?) {
            let message = "the type does not say what it is for";
            let help = "write `about.yaml` with the keys `intent`, `function` and `usage`";
            told.push(Diagnostic::warning("about.missing", &asset.path, message).help(help));
        }
        if kind.indexing.is_none() {
            let message = format!(
                "the type `{}` does not say what search reads, so no asset of it is found",
                kind.name
            );
            let help = "name the files that say what an asset is under `indexing:`, or say `indexing: none`";
            told.push(Diagnostic::warning(UNINDEXED, &asset.path.join(TYPE_FILE)?, message).help(help));
        }
        told.extend(self.check_inspector(vfs, asset, kind)?);
        told.extend(self.check_examples(vfs, kind)?);
        told.extend(self.check_categories(vfs, kind));
        Ok(told)
    }

    /// A type has an interface that loads. For a library's types, the one who made the library answers.
    fn check_inspector(&self, vfs: &Vfs, asset: &Asset, kind: &AssetType) -> Result<Vec<Diagnostic>> {
        const REQUIRED: &str = "assetType.inspector_required";
        let (of_type, instance) = match &kind.inspector {
            Some(files) => (files.of_type.as_deref(), files.instance.as_deref()),
            None => (None, None),
        };
        let name = match (of_type, instance) {
            (Some(name), _) => name,
            // Each asset brings its own.
            (None, Some(_)) => return Ok(Vec::new()),
            (None, None) => {
                let message = format!("the type `{}` has no interface that people use it by", kind.name);
                let told = match asset.library.as_deref() {
                    Some(BUILTIN) => Diagnostic::error(REQUIRED, &asset.path, message),
                    _ => Diagnostic::warning(REQUIRED, &asset.path, message),
                };
                return Ok(vec![told.help(
                    "write an `inspector.yaml` and name it: `inspector: { type: inspector.yaml }`",
                )]);
            }
        };
        let file = asset.path.join(name)?;
        Ok(read_inspector(vfs, &file))
    }
}

/// What is wrong with the file of an interface. A script is loaded by those who run scripts.
fn read_inspector(vfs: &Vfs, file: &VfsPath) -> Vec<Diagnostic> {
    match vfs.read_bounded(file, Inspector::MAX_BYTES) {
        Ok(_) if file.extension() == Some("luau") => Vec::new(),
        Ok(bytes) => Inspector::parse(file, &bytes).1,
        Err(error) => vec![Diagnostic::error(
            "assetType.inspector_invalid",
            file,
            error.to_string(),
        )],
    }
}

pub(crate) fn check_content(vfs: &Vfs, asset: &Asset, kind: &AssetType, file: &VfsPath) -> Result<Vec<Diagnostic>> {
    // A file that is the whole asset is known by the rules under its own name.
    let inner = match asset.form {
        Kind::File => file.name().unwrap_or_default().to_owned(),
        Kind::Folder => match file.relative_to(&asset.path) {
            Some(inner) => inner.as_str()[1..].to_owned(),
            None => return Ok(Vec::new()),
        },
    };
    let checks: Vec<_> = kind.rules_for(&inner).flat_map(|rule| &rule.content).collect();
    if checks.is_empty() {
        return Ok(Vec::new());
    }
    let bytes = match vfs.read_bounded(file, MAX_CHECKED_BYTES) {
        Ok(bytes) => bytes,
        // Too long to look into is not empty; anything else that is asked of it cannot be told.
        Err(zero_vfs::Error::TooLarge { .. }) if checks.iter().all(|check| check.test == ContentTest::NonEmpty) => {
            return Ok(Vec::new());
        }
        Err(error @ (zero_vfs::Error::TooLarge { .. } | zero_vfs::Error::NotFound { .. })) => {
            return Ok(vec![Diagnostic::error("asset.content", file, error.to_string())]);
        }
        Err(error) => return Err(error.into()),
    };
    Ok(checks.iter().flat_map(|check| check.run(file, &bytes)).collect())
}
