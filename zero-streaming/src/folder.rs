//! A storage over a folder of the file system.

use crate::storage::check_path;
use crate::{BoxError, Storage};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The ending of a file that is still being written.
const PART: &str = ".part";

/// Files below one folder. A file is written beside its place, flushed to the disk and moved there, so that what is read
/// is whole: the new bytes, or the old ones. One writer a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderStorage {
    root: PathBuf,
}

impl FolderStorage {
    /// Files below this folder. Nothing is created until the first write.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn place(&self, path: &str) -> Result<PathBuf, BoxError> {
        check_path(path)?;
        if path.ends_with(PART) {
            return Err(format!("a path that ends in {PART:?} is one that is still being written").into());
        }
        Ok(self.root.join(path))
    }
}

fn write_whole(part: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(part, place)
}

impl Storage for FolderStorage {
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), BoxError> {
        let place = self.place(path)?;
        let part = self.root.join(format!("{path}{PART}"));
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(&part, &place, bytes).map_err(|error| match fs::remove_file(&part) {
            Err(left) if left.kind() != io::ErrorKind::NotFound => format!(
                "{error}; and its half-written {} could not be removed: {left}",
                part.display()
            )
            .into(),
            _ => BoxError::from(error),
        })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, BoxError> {
        Ok(fs::read(self.place(path)?)?)
    }

    fn remove(&mut self, path: &str) -> Result<(), BoxError> {
        match fs::remove_file(self.place(path)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}
