//! Templates as folders on disk, each written whole or not at all.

use super::library::TemplateStore;
use super::{FOLDER_SUFFIX, Files, PAYLOAD_FILE, name};
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Templates as folders `<name>.pixelTemplate` of one folder on disk.
///
/// A write puts the files into a folder beside the template, hands them to the disk, and moves that in its place; a
/// failure on the way leaves what was there. A program killed between the two moves of a replacement leaves the old
/// template beside, as `.<name>.pixelTemplate.<process>.<number>.old`.
#[derive(Clone, Debug)]
pub struct FolderStore {
    root: PathBuf,
}

impl FolderStore {
    /// The templates of a folder, which must exist.
    ///
    /// # Errors
    /// [`Error::File`] when there is no such folder.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self> {
        let root = root.into();
        let found = fs::metadata(&root).map_err(at(&root))?;
        match found.is_dir() {
            true => Ok(Self { root }),
            false => Err(at(&root)(io::Error::new(
                io::ErrorKind::NotADirectory,
                "this is no folder",
            ))),
        }
    }

    /// The folder of a template, whether it is there or not.
    ///
    /// # Errors
    /// [`Error::BadName`].
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        name::check(name)?;
        Ok(self.root.join(format!("{name}{FOLDER_SUFFIX}")))
    }
}

impl TemplateStore for FolderStore {
    /// Folders whose name no template can have are passed over, as are files.
    fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(at(&self.root))? {
            let entry = entry.map_err(at(&self.root))?;
            let file_name = entry.file_name();
            let name = file_name.to_str().and_then(|name| name.strip_suffix(FOLDER_SUFFIX));
            if let Some(name) = name.filter(|name| name::check(name).is_ok())
                && entry.file_type().map_err(at(&entry.path()))?.is_dir()
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn read(&self, name: &str) -> Result<Option<Files>> {
        let folder = self.folder(name)?;
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries.map_err(at(&folder))?,
        };
        let mut files = Files::new();
        for entry in entries {
            let entry = entry.map_err(at(&folder))?;
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

    fn write(&mut self, name: &str, files: &Files) -> Result<()> {
        let folder = self.folder(name)?;
        write_whole(&folder, files).map_err(at(&folder))
    }

    fn remove(&mut self, name: &str) -> Result<()> {
        let folder = self.folder(name)?;
        // Out of sight in one step first, so that no half-deleted template is ever seen.
        let aside = beside(&folder, "old");
        fs::rename(&folder, &aside).map_err(at(&folder))?;
        fs::remove_dir_all(&aside).map_err(at(&aside))
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

fn write_whole(folder: &Path, files: &Files) -> io::Result<()> {
    let stands = stands(folder)?;
    let made = beside(folder, "new");
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

/// Whether a template stands there. Anything else is left alone.
fn stands(folder: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() && folder.join(PAYLOAD_FILE).is_file() => Ok(true),
        Ok(_) => {
            let problem = format!("what stands there is no pixel template: it has no {PAYLOAD_FILE}");
            Err(io::Error::new(io::ErrorKind::AlreadyExists, problem))
        }
    }
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
    let aside = beside(folder, "old");
    fs::rename(folder, &aside)?;
    if let Err(error) = fs::rename(made, folder) {
        // The old one goes back. Should that fail too, it stays beside under its hidden name.
        return fs::rename(&aside, folder).and(Err(error));
    }
    fs::remove_dir_all(&aside)
}

/// A hidden name beside a folder. Two writers of one machine never share one.
fn beside(folder: &Path, ending: &str) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (process, next) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{process}.{next}.{ending}"))
}

/// The names in a folder reach the disk. Only Unix lets a folder be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}
