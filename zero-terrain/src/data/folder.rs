//! A folder that is written whole or not at all.

use super::SUFFIX;
use super::manifest::FILE;
use super::temporary::{Temporary, around, hold, move_aside, remove_old, restore, sweep};
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
    let held = hold(folder);
    if held.is_some() {
        restore(folder, name)?;
    }
    sweep(folder, name, held.is_some());
    drop(held);
    stands(folder)?;
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
    sync_folders(made.path())?;
    // Another writer may have been faster: what stands is looked at again, and nobody moves anything meanwhile.
    let _held = hold(folder);
    made.release()?;
    sync_folder(made.path())?;
    if stands(folder)? {
        replace(folder, name, &mut made)?;
    } else {
        made.move_to(folder)?;
    }
    sync_folder(around(folder))
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

/// Puts the new one in the place of what stands, in one step where there is one, and then removes the old.
fn replace(folder: &Path, name: &str, made: &mut Temporary) -> io::Result<()> {
    if made.exchange_with(folder)? {
        return Ok(());
    }
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
    fn writers_of_one_landscape_at_once_all_succeed_and_one_of_them_stands_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.terrainData");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for round in 0..10 {
                        let text = format!("{writer} {round}").into_bytes();
                        let files = [FILE, "height.texture/image.exr"].map(|file| (file.to_owned(), text.clone()));
                        write_whole(path, &files).unwrap();
                    }
                });
            }
        });
        let names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["a.terrainData"]);
        let read = |file: &str| fs::read_to_string(path.join(file)).unwrap();
        assert_eq!(read(FILE), read("height.texture/image.exr"));
    }

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
