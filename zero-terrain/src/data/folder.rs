//! A folder that is written whole or not at all.

use super::SUFFIX;
use super::manifest::FILE;
use super::temporary::{Temporary, move_aside, remove_old, sweep};
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

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
    sweep(folder, name);
    let mut made = Temporary::beside(folder, name)?;
    // The manifest comes last: what holds one is whole.
    let (manifest, children): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| path == FILE);
    for (path, bytes) in children.into_iter().chain(manifest) {
        let path = made.path().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    made.release()?;
    sync_folders(made.path())?;
    if stands {
        replace(folder, name, &mut made)?;
    } else {
        made.move_to(folder)?;
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
fn replace(folder: &Path, name: &str, made: &mut Temporary) -> io::Result<()> {
    let aside = move_aside(folder, name)?;
    match made.move_to(folder) {
        Ok(()) => remove_old(&aside),
        Err(error) => {
            // The old one goes back; should that fail too, it stays aside, whole, and the first error is the one to tell.
            let _ = fs::rename(&aside, folder);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_stopped_program_left_is_in_nobodys_way_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, process) = (folder.path().join("a.terrainData"), std::process::id());
        for number in 0..3 {
            let left = format!(".a.terrainData.{process}.{number}.tmp");
            fs::create_dir_all(folder.path().join(&left).join("height.texture")).unwrap();
            fs::write(folder.path().join(&left).join(".zero-tmp-lock"), "").unwrap();
            fs::write(folder.path().join(&left).join("height.texture/image.exr"), "half").unwrap();
        }
        let files = |text: &str| {
            let file = |path: &str| (path.to_owned(), text.as_bytes().to_vec());
            [file(FILE), file("height.texture/image.exr")]
        };
        for text in ["first", "second"] {
            write_whole(&path, &files(text)).unwrap();
            let mut names: Vec<_> = fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            assert_eq!((names.len(), names.pop().unwrap()), (1, "a.terrainData".into()));
            assert_eq!(fs::read_dir(&path).unwrap().count(), 2, "no lock comes along");
            assert_eq!(fs::read_to_string(path.join("height.texture/image.exr")).unwrap(), text);
        }
    }
}
