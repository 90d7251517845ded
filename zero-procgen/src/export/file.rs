//! Files that are written whole or not at all.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside the path and moves it there once it is complete and on the disk. On any error the path holds
/// what it held before, and nothing else is left. What writers that were stopped left beside it is removed.
pub(super) fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    try_write(path, content).map_err(|source| Error::File {
        path: path.display().to_string(),
        source,
    })
}

fn try_write(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    beside(path, content)?.move_to(path)
}

/// A complete file beside the path, on the disk.
pub(super) fn beside(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Temporary> {
    let name = file_name(path)?;
    sweep(path, &name);
    let temporary = Temporary::beside(path, &name)?;
    let mut out = BufWriter::new(&temporary.file);
    content(&mut out)?;
    out.flush()?;
    drop(out);
    // The name must not reach the disk before what it names.
    temporary.file.sync_all()?;
    Ok(temporary)
}

pub(super) fn file_name(path: &Path) -> io::Result<String> {
    match path.file_name() {
        Some(name) => Ok(name.to_string_lossy().into_owned()),
        None => Err(io::Error::new(ErrorKind::InvalidInput, "the path names no file")),
    }
}

/// A file that is removed when this goes, unless it was moved. It is called `.NAME.PROCESS.N.tmp` and stays locked while
/// it is written: a system lets go of the locks of a program that stops, so that a lock which can be had says that the
/// writer is gone.
pub(super) struct Temporary {
    path: PathBuf,
    pub(super) file: File,
}

impl Temporary {
    /// Makes one. A name that is taken is stepped over, so that two writers never share one.
    pub(super) fn beside(path: &Path, name: &str) -> io::Result<Temporary> {
        let mut number = 0u64;
        loop {
            let path = path.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()));
            number += 1;
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {}
                // A file system without locks: no sweep gets the lock either.
                Err(TryLockError::Error(_)) => return Ok(Temporary { path, file }),
                // A sweep may have had the lock first: then the name is gone, or another writer's.
                Ok(()) if names(&path, &file) => return Ok(Temporary { path, file }),
                Ok(()) => {}
            }
        }
    }

    /// Puts it in a place, in one go.
    pub(super) fn move_to(&self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the move the name is gone, or another writer's; after a failure the first error is the one to tell.
        if names(&self.path, &self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the path names this very file.
#[cfg(unix)]
fn names(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (named, held) = (fs::symlink_metadata(path).map(identity), file.metadata().map(identity));
    matches!((named, held), (Ok(named), Ok(held)) if named == held)
}

/// Whether the path names a file: of an open one the system keeps the name.
#[cfg(not(unix))]
fn names(path: &Path, _: &File) -> bool {
    path.exists()
}

/// Removes the temporaries of this name whose writers are gone. What cannot be removed is in nobody's way: names that are
/// taken are stepped over, and the next writer tries again.
fn sweep(path: &Path, name: &str) {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(parent.unwrap_or(Path::new("."))) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file
            || !entry
                .file_name()
                .to_str()
                .is_some_and(|found| is_temporary(found, name))
        {
            continue;
        }
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else {
            continue;
        };
        // Between the listing and the lock the writer may have moved the file to its place, and another have taken the
        // name: who holds the lock of the file that the name stands for is alone with it.
        if file.try_lock().is_ok() && names(&entry.path(), &file) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_temporary(found: &str, name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let between = found
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".tmp"));
    between
        .and_then(|numbers| numbers.split_once('.'))
        .is_some_and(|(process, number)| digits(process) && digits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
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
            assert_eq!(
                names_in(folder.path()).len(),
                2,
                "the unfinished file is beside the path"
            );
            Err(io::Error::other("the disk is full"))
        });
        let message = failed.unwrap_err().to_string();
        assert!(
            message.contains("a.glb") && message.contains("the disk is full"),
            "{message}"
        );
        assert_eq!(names_in(folder.path()), ["a.glb"]);
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn a_write_replaces_what_stood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        write_whole(&path, |out| out.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["a.glb"]);
    }

    #[test]
    fn what_a_stopped_writer_left_is_in_nobodys_way_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        let left = format!(".a.glb.{}.0.tmp", std::process::id());
        let kept = [".a.glb.1.2.tmp", ".a.glb.mine.tmp", ".b.glb.1.0.tmp"];
        for name in kept.into_iter().chain([left.as_str(), ".a.glb.1.0.tmp"]) {
            fs::write(folder.path().join(name), b"half").unwrap();
        }
        // One whose writer lives.
        let living = File::open(folder.path().join(kept[0])).unwrap();
        living.lock().unwrap();
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        assert_eq!(names_in(folder.path()), [&kept[..], &["a.glb"]].concat());
        drop(living);
        // One that cannot be removed, as it is a folder, is stepped over.
        fs::create_dir(folder.path().join(&left)).unwrap();
        write_whole(&path, |out| out.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(folder.path().join(&left).exists() && !folder.path().join(kept[0]).exists());
    }

    #[test]
    fn writers_of_one_path_do_not_cross() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        write_whole(path, |out| out.write_all(&[writer; 20_000])).unwrap();
                        let seen = fs::read(path).unwrap();
                        assert!(seen.len() == 20_000 && seen.iter().all(|byte| *byte == seen[0]));
                    }
                });
            }
        });
        assert_eq!(names_in(folder.path()), ["a.glb"]);
    }
}
