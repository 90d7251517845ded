//! What a place holds, by its content: to tell whether it is what was written there.

use std::collections::BTreeSet;
use std::fmt::Write;

use zero_vfs::{ContentHash, Kind, Vfs, VfsPath};

use super::record::Files;
use super::staging::Coming;
use crate::error::{Error, Result};
use crate::sidecars::is_sidecar_among;

/// Every file in a folder, as it is now.
pub(super) fn files_in(vfs: &Vfs, folder: &VfsPath) -> Result<Vec<VfsPath>> {
    let walk = vfs.walk(folder)?;
    match walk.unreachable.into_iter().next() {
        Some((path, held)) => Err(Error::Vfs(zero_vfs::Error::HoldsUnreachable {
            path,
            name: held.name,
            why: held.why,
        })),
        None => Ok(walk.files),
    }
}

/// The content of the files at a place, seen from it, as it is now. Sidecars, which the program itself keeps up, are left
/// out, but for one that is the place itself.
pub(super) fn content_at(vfs: &Vfs, path: &VfsPath) -> Result<Files> {
    let is_file = vfs.stat(path)?.is_some_and(|stat| stat.kind == Kind::File);
    if is_file {
        return Ok(Files::from([(VfsPath::root(), vfs.hash(path)?)]));
    }
    let files: BTreeSet<VfsPath> = files_in(vfs, path)?.into_iter().collect();
    let mut content = Files::new();
    let has = |file: &VfsPath| files.contains(file);
    for file in files.iter().filter(|file| !is_sidecar_among(file, has)) {
        if let Some(inner) = file.relative_to(path) {
            content.insert(inner, vfs.hash(file)?);
        }
    }
    Ok(content)
}

/// By which content something at a place is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known(BTreeSet<ContentHash>);

impl Known {
    pub(super) fn of(files: &Files) -> Self {
        Self(BTreeSet::from([one_hash(files)]))
    }

    pub(super) fn of_hash(hash: ContentHash) -> Self {
        Self(BTreeSet::from([hash]))
    }

    /// Any of several.
    pub(super) fn any<'f>(all: impl IntoIterator<Item = &'f Files>) -> Self {
        Self(all.into_iter().map(one_hash).collect())
    }

    /// What comes to a place.
    pub(super) fn coming(coming: &Coming) -> Self {
        let has = |file: &VfsPath| coming.iter().any(|(other, _)| other == file);
        let files = coming
            .iter()
            .filter(|(file, _)| file.is_root() || !is_sidecar_among(file, has));
        Self::of(
            &files
                .map(|(file, bytes)| (file.clone(), ContentHash::of(bytes)))
                .collect(),
        )
    }

    /// The hash that it is written down as, where it is one.
    pub(super) fn hash(&self) -> Option<ContentHash> {
        self.0.first().copied()
    }

    /// Whether it is at a place.
    pub(super) fn is_at(&self, vfs: &Vfs, path: &VfsPath) -> Result<bool> {
        Ok(vfs.stat(path)?.is_some() && self.0.contains(&one_hash(&content_at(vfs, path)?)))
    }
}

fn one_hash(files: &Files) -> ContentHash {
    let text = files.iter().fold(String::new(), |mut text, (file, hash)| {
        // Writing into a text does not fail.
        let _ = writeln!(text, "{hash} {file}");
        text
    });
    ContentHash::of(text.as_bytes())
}
