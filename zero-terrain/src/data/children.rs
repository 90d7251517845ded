//! What else a landscape's folder holds.

use super::manifest::{FILE, Manifest, Read};
use crate::error::{Error, Result};
use zero_assets::Diagnostic;
use zero_vfs::{Kind, Vfs, VfsPath};

/// The names of the children of the landscape that stands in a folder. A manifest that cannot be understood names none.
pub(super) fn named_before(vfs: &Vfs, folder: &VfsPath) -> Result<Vec<String>> {
    if vfs.stat(&folder.join(FILE)?)?.is_none() {
        return Ok(Vec::new());
    }
    match Read::from(vfs, folder) {
        Ok(read) => Ok(read.manifest.children().map(str::to_owned).collect()),
        Err(Error::Vfs(error)) => Err(error.into()),
        Err(_) => Ok(Vec::new()),
    }
}

/// Tells of each texture and population that the manifest does not name: another tool's, or one that was lost from it.
pub(super) fn tell_unnamed(vfs: &Vfs, folder: &VfsPath, manifest: &Manifest, told: &mut Vec<Diagnostic>) -> Result<()> {
    for entry in vfs.list(folder)?.entries {
        let is_child = [".texture", ".instances"]
            .iter()
            .any(|suffix| entry.name.ends_with(suffix));
        if is_child && !manifest.children().any(|name| name == entry.name) {
            let message = format!("{FILE} does not name it, so it is not read");
            told.push(Diagnostic::warning(
                "terrain.unnamed",
                &folder.join(&entry.name)?,
                message,
            ));
        }
    }
    Ok(())
}

/// The files in a landscape's folder that are none of its own, with their bytes: what its manifest does not name.
///
/// # Errors
/// [`Error::Vfs`], also for what no path can reach: it would be lost unseen.
pub(super) fn others(vfs: &Vfs, folder: &VfsPath) -> Result<Vec<(VfsPath, Vec<u8>)>> {
    let own = named_before(vfs, folder)?;
    let listing = vfs.list(folder)?;
    let mut unreachable: Vec<_> = listing
        .unreachable
        .into_iter()
        .map(|held| (folder.clone(), held))
        .collect();
    let mut files = Vec::new();
    for entry in listing.entries {
        let path = folder.join(&entry.name)?;
        match entry.stat.kind {
            _ if entry.name == FILE || own.contains(&entry.name) => {}
            Kind::File => files.push(path),
            Kind::Folder => {
                let walk = vfs.walk(&path)?;
                files.extend(walk.files);
                unreachable.extend(walk.unreachable);
            }
        }
    }
    if let Some((path, held)) = unreachable.into_iter().next() {
        let (name, why) = (held.name, held.why);
        return Err(zero_vfs::Error::HoldsUnreachable { path, name, why }.into());
    }
    let read = |path: VfsPath| Ok((path.clone(), vfs.read(&path)?));
    files.into_iter().map(read).collect()
}
