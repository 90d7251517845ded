//! Outputs kept on disk, so that a program that starts again need not cook them again.

pub(crate) mod format;

use crate::error::{Error, Result};
use crate::value::{Key, KeyHasher, Value};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zero_compute::Device;

/// A folder that holds outputs which graphs mark with [`Graph::cache`](crate::Graph::cache). Cloning shares it; stores,
/// plays and programs may share a folder.
///
/// A file is known by what it is the answer to: the content key, the device (its class, adapter and driver), this
/// crate's version and the tag. It is written whole or not at all, and one that was damaged since is not read: the output
/// is cooked again, the file written anew, and the report says so.
#[derive(Clone, Debug)]
pub struct DiskCache {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    tag: String,
    /// Counts the files written, so that two threads don't write one.
    next: AtomicU64,
}

impl DiskCache {
    /// The cache in a folder, which is made where it is missing. The tag stands for what keys can't tell: the version
    /// of the host's own nodes, whose Rust no key holds. Another tag is another cache.
    ///
    /// # Errors
    /// [`Error::File`] where the folder can't be made.
    pub fn open(folder: impl Into<PathBuf>, tag: &str) -> Result<DiskCache> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(|source| at(&folder, source))?;
        let inner = Inner {
            folder,
            tag: tag.to_owned(),
            next: AtomicU64::new(0),
        };
        Ok(DiskCache { inner: Arc::new(inner) })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// What an output is filed under: its content key, and everything else that its bytes depend on.
    pub(crate) fn key(&self, device: &Device, content: Key) -> Key {
        let info = device.info();
        let mut hasher = KeyHasher::new("disk");
        hasher.key(content).text(&format!("{:?}", device.class()));
        hasher.text(&info.name).text(&info.driver).text(&info.backend);
        hasher.text(env!("CARGO_PKG_VERSION")).text(&self.inner.tag);
        hasher.finish()
    }

    fn path(&self, key: Key) -> PathBuf {
        self.inner.folder.join(format!("{key}.zpo"))
    }

    pub(crate) fn holds(&self, key: Key) -> bool {
        self.path(key).is_file()
    }

    /// What is filed under a key, on the device; nothing where there is no file. A file that can't be read is an error
    /// that names it and says why.
    pub(crate) fn load(&self, device: &Device, key: Key) -> std::result::Result<Option<Value>, String> {
        let path = self.path(key);
        let read = match fs::read(&path) {
            Ok(bytes) => format::decode(&bytes, key, device),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(error.to_string()),
        };
        read.map(Some).map_err(|why| {
            // Out of the way, so that it is written anew; where it can't be removed it is refused again.
            let removed = fs::remove_file(&path);
            let kept = removed
                .err()
                .map_or(String::new(), |error| format!("; it stays: {error}"));
            format!("{}: {why}{kept}", path.display())
        })
    }

    /// Files bytes under a key: beside the file first, then moved onto it.
    pub(crate) fn save(&self, key: Key, bytes: &[u8]) -> Result<()> {
        let path = self.path(key);
        let place = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("{}-{place}.new", std::process::id()));
        let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path));
        written.map_err(|source| {
            // What was written of it is of no use to anyone; that it can't be removed changes nothing about that.
            let _ = fs::remove_file(&beside);
            at(&path, source)
        })
    }
}

fn at(path: &Path, source: std::io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        source,
    }
}
