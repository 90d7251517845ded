//! Where file-backed groups are while they are away.

use crate::{BoxError, Error, Result};
use std::collections::BTreeMap;

/// Files by path: names joined by `/`.
pub trait Storage {
    /// Writes a file whole, in place of what was there, or leaves what was there.
    ///
    /// # Errors
    /// Nothing was written.
    fn write(&mut self, path: &str, bytes: &[u8]) -> std::result::Result<(), BoxError>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, BoxError>;

    /// Removes a file. One that is not there is removed.
    ///
    /// # Errors
    /// It is still there.
    fn remove(&mut self, path: &str) -> std::result::Result<(), BoxError>;
}

/// The storage of a store that was given none: it refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoStorage;

const NONE: &str = "this store was made without a storage; make it with `Store::with_storage`";

impl Storage for NoStorage {
    fn write(&mut self, _: &str, _: &[u8]) -> std::result::Result<(), BoxError> {
        Err(NONE.into())
    }

    fn read(&self, _: &str) -> std::result::Result<Vec<u8>, BoxError> {
        Err(NONE.into())
    }

    fn remove(&mut self, _: &str) -> std::result::Result<(), BoxError> {
        Err(NONE.into())
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryStorage {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryStorage {
    /// Every file with its bytes, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }
}

impl Storage for MemoryStorage {
    fn write(&mut self, path: &str, bytes: &[u8]) -> std::result::Result<(), BoxError> {
        self.files.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, BoxError> {
        self.files
            .get(path)
            .cloned()
            .ok_or_else(|| format!("there is no file {path:?}").into())
    }

    fn remove(&mut self, path: &str) -> std::result::Result<(), BoxError> {
        self.files.remove(path);
        Ok(())
    }
}

/// Names joined by `/` that cannot lead out of a folder on any system.
pub(crate) fn check_path(path: &str) -> Result<()> {
    let plain =
        |name: &str| !matches!(name, "" | "." | "..") && !name.chars().any(|c| c == '\\' || c == ':' || c.is_control());
    if path.split('/').all(plain) {
        return Ok(());
    }
    Err(Error::Path { path: path.to_owned() })
}
