//! [`Staged`]: a folder that is filled out of sight and then moved to where it belongs, whole.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{hold, when_free};
use crate::os_path::temporary_name;

/// A folder on its way in. It goes with all it holds when this does, unless it is kept.
#[derive(Debug)]
pub(crate) struct Staged {
    path: PathBuf,
    /// Keeps the sweeps of other programs off it.
    _held: Option<File>,
    /// The folders in it, which are synced before it is moved.
    folders: BTreeSet<PathBuf>,
    kept: bool,
}

impl Staged {
    /// Makes an empty one. [`ErrorKind::AlreadyExists`] where the name is taken, or a sweep took it in this very moment.
    pub(crate) fn make(path: PathBuf) -> io::Result<Self> {
        fs::create_dir(&path)?;
        let held = match hold(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(ErrorKind::AlreadyExists.into()),
            held => held?,
        };
        Ok(Self {
            _held: held,
            folders: BTreeSet::from([path.clone()]),
            path,
            kept: false,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, which must not be there yet, and brings it to the disk.
    pub(crate) fn write(&mut self, at: &Path, bytes: &[u8]) -> io::Result<()> {
        // The staged folder itself is never made again: if it is gone, a sweep took it for a left-over, with what was in it.
        let inside = at.ancestors().skip(1).take_while(|folder| *folder != self.path);
        let missing: Vec<&Path> = inside.take_while(|folder| !self.folders.contains(*folder)).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder)?;
            self.folders.insert(folder.to_path_buf());
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(at)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Brings the names of all its folders to the disk, the deepest first.
    pub(crate) fn sync(&self, sync: fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.folders.iter().rev().try_for_each(|folder| sync(folder))
    }

    /// It was moved to where it belongs.
    pub(crate) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.kept {
            // The first error is the one to tell; what stays is removed when the folder is next opened for writing.
            let _ = remove(&self.path);
        }
    }
}

/// Removes a staged folder of whoever left it. It takes another name first: had its owner moved it into place in this very
/// moment, then this fails, and never empties what stands there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(set_aside(path)?)
}

/// Gives a folder the name of a temporary beside it, in one step. From then on it is a left-over.
pub(crate) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    // Counted down, so that no name of a writer of this program, which counts up, is met.
    for _ in 0..1000 {
        let number = u64::MAX - COUNTER.fetch_add(1, Ordering::Relaxed);
        let doomed = path.with_file_name(temporary_name(std::process::id(), number));
        match fs::symlink_metadata(&doomed) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => continue,
        }
        when_free(|| fs::rename(path, &doomed))?;
        return Ok(doomed);
    }
    Err(io::Error::new(
        ErrorKind::AlreadyExists,
        "every name beside it is taken",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_kept_goes_and_what_is_kept_stays() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let make = || {
            let mut staged = Staged::make(folder.path().join(".zero-tmp-00000001-0000000000000001")).unwrap();
            let at = staged.path().join("a/b");
            staged.write(&at, b"1").unwrap();
            assert_eq!(staged.write(&at, b"2").unwrap_err().kind(), ErrorKind::AlreadyExists);
            staged
        };
        drop(make());
        assert_eq!(names(), 0);
        let staged = make();
        fs::rename(staged.path(), folder.path().join("there")).unwrap();
        staged.keep();
        assert_eq!(fs::read(folder.path().join("there/a/b")).unwrap(), b"1");
    }

    #[test]
    fn one_that_was_swept_is_not_filled_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut staged = Staged::make(folder.path().join("staged")).unwrap();
        staged.write(&folder.path().join("staged/a/b"), b"1").unwrap();
        remove(staged.path()).unwrap();
        for next in ["staged/a/c", "staged/d/e"] {
            let error = staged.write(&folder.path().join(next), b"2").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
        assert!(!staged.path().exists());
    }

    #[test]
    fn what_was_moved_into_place_is_never_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let mut staged = Staged::make(folder.path().join("staged")).unwrap();
        staged.write(&folder.path().join("staged/file"), b"1").unwrap();
        fs::rename(staged.path(), folder.path().join("there")).unwrap();
        // As a sweep that saw the folder a moment ago.
        assert_eq!(remove(staged.path()).unwrap_err().kind(), ErrorKind::NotFound);
        drop(staged);
        assert!(folder.path().join("there/file").exists());
    }
}
