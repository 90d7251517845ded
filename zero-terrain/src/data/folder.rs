//! A folder that is written whole or not at all.

use super::SUFFIX;
use super::manifest::FILE;
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the files into a folder beside the path and moves it there once every file is on the disk.
pub(super) fn write_whole(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let named = folder.file_name().and_then(|name| name.to_str());
    let Some(name) = named.filter(|name| name.len() > SUFFIX.len() && name.ends_with(SUFFIX)) else {
        let found = format!("'{}'", folder.display());
        return Err(Error::value(
            "the path of a landscape",
            format!("a name that ends with {SUFFIX}"),
            found,
        ));
    };
    try_write(folder, name, files).map_err(|source| Error::File {
        path: folder.display().to_string(),
        source,
    })
}

fn try_write(folder: &Path, name: &str, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    let stands = stands(folder)?;
    let made = Temporary::beside(folder, name)?;
    fs::create_dir(&made.0)?;
    for (path, bytes) in files {
        let path = made.0.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    sync_folders(&made.0)?;
    if stands {
        replace(folder, name, &made.0)?;
    } else {
        fs::rename(&made.0, folder)?;
    }
    match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync_folder(parent),
        _ => sync_folder(Path::new(".")),
    }
}

/// Whether a landscape stands there. Anything else is left alone.
fn stands(folder: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() && folder.join(FILE).is_file() => Ok(true),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("what stands there is no landscape: it has no {FILE}"),
        )),
    }
}

/// Moves what stands aside, the new one in its place, and then removes the old.
fn replace(folder: &Path, name: &str, made: &Path) -> io::Result<()> {
    let aside = Temporary::beside(folder, name)?;
    fs::rename(folder, &aside.0)?;
    match fs::rename(made, folder) {
        Ok(()) => fs::remove_dir_all(&aside.0),
        Err(error) => {
            // The old one goes back; should that fail too, it must not go with the temporary.
            let back = fs::rename(&aside.0, folder);
            if back.is_err() {
                std::mem::forget(aside);
            }
            Err(error)
        }
    }
}

fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// The names in a folder reach the disk. Only Unix lets a folder be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// A folder that is removed with all it holds when this goes, unless it was moved.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(folder: &Path, name: &str) -> io::Result<Temporary> {
        /// Two writers of one process never share a name.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (process, next) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let at = folder.with_file_name(format!(".{name}.{process}.{next}.tmp"));
        match fs::symlink_metadata(&at) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Temporary(at)),
            Err(error) => Err(error),
            Ok(_) => Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!("{} is in the way", at.display()),
            )),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the move there is nothing to remove; after a failure the first error is the one to tell.
        let _ = fs::remove_dir_all(&self.0);
    }
}
