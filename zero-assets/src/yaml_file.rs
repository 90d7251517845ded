//! Reading a YAML file of an asset: within limits, of a known version, unknown keys told.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Document, Limits};

use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};

/// Reads and checks the file at `path`, whose `version` (1 where it is not said) is at most `known_version`.
pub(crate) fn read(vfs: &Vfs, path: &VfsPath, known_version: u32) -> Result<Document> {
    let limits = Limits::default();
    let bytes = vfs.read_bounded(path, limits.max_bytes as u64)?;
    let document = Document::parse_within(path.as_str(), &bytes, &limits)?;
    // The version is read on its own and first: the rest of a newer file may not fit at all.
    if document.position_of(&["version"]).is_some() {
        let Versioned { version } = document.read()?;
        if version > known_version {
            return Err(Error::NewerVersion {
                file: path.clone(),
                found: version,
                known: known_version,
            });
        }
        if version == 0 {
            return Err(document.error_at(&["version"], "versions count from 1").into());
        }
    }
    Ok(document)
}

#[derive(serde::Deserialize)]
struct Versioned {
    version: u32,
}

/// A warning for each key of the mapping at `steps` that is not in `known`.
pub(crate) fn unknown_keys(
    document: &Document,
    path: &VfsPath,
    code: &'static str,
    steps: &[&str],
    known: &[&str],
) -> Vec<Diagnostic> {
    document
        .keys_of(steps)
        .filter(|(key, _)| !known.contains(key))
        .map(|(key, at)| {
            let near = zero_vfs::nearest_names(key, known.iter().copied());
            let told = Diagnostic::warning(code, path, format!("the key `{key}` is not read"));
            told.at(at).did_you_mean(&near)
        })
        .collect()
}
