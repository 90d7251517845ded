//! Templates as folders on disk, each written whole or not at all.

use super::beside::{Hold, Role, beside, discard, lock, role, settle};
use super::library::{TemplateStore, taken};
use super::{FOLDER_SUFFIX, Files, name};
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Templates as folders `<name>.pixelTemplate` of one folder on disk.
///
/// A write puts the files into a folder beside the template, hands them to the disk, and moves that in its place; a
/// failure on the way leaves what was there. Where a program is killed, the next use puts the template back that it was
/// replacing, and the next listing or write removes what it left half done.
///
/// Several of these, in one program or in many, may use one folder: a lock on it lets one write at a time, and nobody
/// read meanwhile. On a file system without locks one of two that write at once may fail with [`Error::File`]; no
/// template is lost there either.
#[derive(Clone, Debug)]
pub struct FolderStore {
    root: PathBuf,
}

impl FolderStore {
    /// The templates of a folder, which must exist.
    ///
    /// # Errors
    /// [`Error::File`] when there is no such folder, and when a template that a killed program was replacing cannot be
    /// put back.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self> {
        let root = root.into();
        let found = fs::metadata(&root).map_err(at(&root))?;
        if !found.is_dir() {
            let problem = io::Error::new(io::ErrorKind::NotADirectory, "this is no folder");
            return Err(at(&root)(problem));
        }
        let store = Self { root };
        if store.scan()?.1 {
            store.alone()?;
        }
        Ok(store)
    }

    /// The folder of a template, whether it is there or not.
    ///
    /// # Errors
    /// [`Error::BadName`].
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        name::check(name)?;
        Ok(self.root.join(format!("{name}{FOLDER_SUFFIX}")))
    }

    /// The lock that nobody else has, over a folder in order.
    fn alone(&self) -> Result<Option<File>> {
        let lock = lock(&self.root, Hold::Alone);
        settle(&self.root, lock.is_some())?;
        Ok(lock)
    }

    /// The names of the templates, and whether anything lies beside them that a writer put there.
    fn scan(&self) -> Result<(Vec<String>, bool)> {
        let (mut names, mut left) = (Vec::new(), false);
        for entry in fs::read_dir(&self.root).map_err(at(&self.root))? {
            let entry = entry.map_err(at(&self.root))?;
            let file_name = entry.file_name();
            let Some(file_name) = file_name.to_str() else { continue };
            left |= role(file_name).is_some();
            let name = file_name.strip_suffix(FOLDER_SUFFIX);
            if let Some(name) = name.filter(|name| name::check(name).is_ok())
                && entry.file_type().map_err(at(&entry.path()))?.is_dir()
            {
                names.push(name.to_owned());
            }
        }
        Ok((names, left))
    }
}

impl TemplateStore for FolderStore {
    /// Folders whose name no template can have are passed over, as are files.
    fn names(&self) -> Result<Vec<String>> {
        let reading = lock(&self.root, Hold::Shared);
        let (names, left) = self.scan()?;
        if !left {
            return Ok(names);
        }
        drop(reading);
        let _alone = self.alone()?;
        Ok(self.scan()?.0)
    }

    fn read(&self, name: &str) -> Result<Option<Files>> {
        let folder = self.folder(name)?;
        let reading = lock(&self.root, Hold::Shared);
        if let Some(files) = read_files(&folder)? {
            return Ok(Some(files));
        }
        drop(reading);
        let _alone = self.alone()?;
        read_files(&folder)
    }

    fn write(&mut self, name: &str, files: &Files) -> Result<()> {
        let folder = self.folder(name)?;
        let _alone = self.alone()?;
        write_whole(&folder, files).map_err(at(&folder))
    }

    fn create(&mut self, name: &str, files: &Files) -> Result<Option<String>> {
        let folder = self.folder(name)?;
        let _alone = self.alone()?;
        if let Some(existing) = taken(self.scan()?.0, name) {
            return Ok(Some(existing));
        }
        write_whole(&folder, files).map_err(at(&folder))?;
        Ok(None)
    }

    fn remove(&mut self, name: &str) -> Result<()> {
        let folder = self.folder(name)?;
        let _alone = self.alone()?;
        // Out of sight in one step, so that no half-deleted template is ever seen, and none comes back.
        discard(&folder, &folder).map_err(at(&folder))
    }
}

fn read_files(folder: &Path) -> Result<Option<Files>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(at(folder))?,
    };
    let mut files = Files::new();
    for entry in entries {
        let entry = entry.map_err(at(folder))?;
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            return Err(at(&path)(io::Error::new(
                io::ErrorKind::InvalidData,
                "this name is not UTF-8",
            )));
        };
        if !entry.file_type().map_err(at(&path))?.is_file() {
            let problem = "this is no file; a pixelTemplate folder holds files alone";
            return Err(at(&path)(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        files.insert(name, fs::read(&path).map_err(at(&path))?);
    }
    Ok(Some(files))
}

pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

fn write_whole(folder: &Path, files: &Files) -> io::Result<()> {
    let stands = stands(folder)?;
    let made = beside(folder, Role::New)?;
    let written = write_files(&made, files).and_then(|()| match stands {
        true => replace(folder, &made),
        false => fs::rename(&made, folder),
    });
    if let Err(error) = written {
        // The first error is the one to tell; what cannot be removed lies hidden beside and harms nothing.
        let _ = fs::remove_dir_all(&made);
        return Err(error);
    }
    match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync_folder(parent),
        _ => sync_folder(Path::new(".")),
    }
}

/// Whether a template stands there, with a sheet or without. What is no folder of files alone is left as it is.
fn stands(folder: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(no_template("it is no folder")),
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            let name = entry.file_name();
            return Err(no_template(&format!("in it, {} is no file", name.to_string_lossy())));
        }
    }
    Ok(true)
}

fn no_template(problem: &str) -> io::Error {
    let problem = format!("what stands there is no pixel template: {problem}");
    io::Error::new(io::ErrorKind::AlreadyExists, problem)
}

fn write_files(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (name, bytes) in files {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(folder.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    sync_folder(folder)
}

/// Moves what stands aside, the new one in its place, and then removes the old.
fn replace(folder: &Path, made: &Path) -> io::Result<()> {
    let aside = beside(folder, Role::Old)?;
    fs::rename(folder, &aside)?;
    if let Err(error) = fs::rename(made, folder) {
        // The old one goes back. Should that fail too, the next use puts it back; the first error is the one to tell.
        let _ = fs::rename(&aside, folder);
        return Err(error);
    }
    // The new one stands, so this write succeeded; what is left of the old one goes with the next.
    let _ = discard(folder, &aside);
    Ok(())
}

/// The names in a folder reach the disk. Only Unix lets a folder be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}
