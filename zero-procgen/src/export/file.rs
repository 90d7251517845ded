//! Files that are written whole or not at all.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file beside the path and moves it there once it is complete and on the disk. On any error the path holds
/// what it held before, and nothing else is left.
pub(super) fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    try_write(path, content).map_err(|source| Error::File {
        path: path.display().to_string(),
        source,
    })
}

fn try_write(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (temporary, file) = Temporary::beside(path)?;
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // The name must not reach the disk before what it names.
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.0, path)
}

/// A file that is removed when this goes, unless it was moved.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(path: &Path) -> io::Result<(Temporary, File)> {
        /// Two writers of one process never share a name.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(
            ".{}.{}.tmp",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        let at = path.with_file_name(hidden);
        let file = OpenOptions::new().write(true).create_new(true).open(&at)?;
        Ok((Temporary(at), file))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the move there is nothing to remove; after a failure the first error is the one to tell.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_that_fails_midway_leaves_what_stood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        let failed = write_whole(&path, |out| {
            out.write_all(&[7; 100_000])?;
            assert_eq!(names(folder.path()).len(), 2, "the unfinished file is beside the path");
            Err(io::Error::other("the disk is full"))
        });
        let message = failed.unwrap_err().to_string();
        assert!(
            message.contains("a.glb") && message.contains("the disk is full"),
            "{message}"
        );
        assert_eq!(names(folder.path()), ["a.glb"]);
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn a_write_replaces_what_stood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        write_whole(&path, |out| out.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names(folder.path()), ["a.glb"]);
    }
}
