//! Folders beside a landscape that hold one on its way in or out, and what stopped programs left of them.
//!
//! A landscape `NAME` comes in as `.NAME.PROCESS.N.tmp` and one that it replaces goes out as `.NAME.PROCESS.N.old.tmp`.
//! Its manifest is the last file to come and the first to go, so that what holds one is whole. A whole one is removed or
//! put back only by who holds the folder around it ([`hold`]): whoever moves landscapes holds it too, so that a whole one
//! under such a name is then a stopped program's.

use super::manifest::FILE;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The file in an unfinished landscape that its writer keeps locked. A system lets go of the locks of a program that
/// stops, so that a lock which can be had says that the writer is gone. No path of a virtual file system has such a name,
/// so that no child of a landscape has it.
const LOCK: &str = ".zero-tmp-lock";
const NEW: &str = "tmp";
const OLD: &str = "old.tmp";

/// An unfinished landscape: a folder that is removed with all it holds when this goes, unless it was moved.
pub(super) struct Temporary {
    path: PathBuf,
    /// Open, and locked where the file system has locks.
    lock: Option<File>,
    moved: bool,
}

impl Temporary {
    /// Makes an empty one beside the folder of a landscape. A name that is taken is stepped over, so that two writers never
    /// share one.
    pub(super) fn beside(folder: &Path, name: &str) -> io::Result<Temporary> {
        let mut number = 0u64;
        loop {
            let path = beside(folder, name, number, NEW);
            match fs::create_dir(&path) {
                Ok(()) => {
                    if let Some(lock) = claim(&path)? {
                        let (lock, moved) = (Some(lock), false);
                        return Ok(Temporary { path, lock, moved });
                    }
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            number += 1;
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the claim up, as the landscape is whole. The folder around it should be [held](hold).
    pub(super) fn release(&mut self) -> io::Result<()> {
        self.lock = None;
        fs::remove_file(self.path.join(LOCK))
    }

    /// Moves it to where it belongs.
    pub(super) fn move_to(&mut self, folder: &Path) -> io::Result<()> {
        fs::rename(&self.path, folder)?;
        self.moved = true;
        Ok(())
    }

    /// Takes the place of the landscape that stands there in one step, where the system has such a step, and removes that
    /// one. Answers whether it did.
    pub(super) fn exchange_with(&mut self, folder: &Path) -> io::Result<bool> {
        if !exchanged(&self.path, folder) {
            return Ok(false);
        }
        self.moved = true;
        remove_old(&self.path).map(|()| true)
    }
}

/// Two folders change names; whether they did.
#[cfg(target_os = "linux")]
fn exchanged(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchanged(_: &Path, _: &Path) -> bool {
    false
}

/// The folder around a landscape, locked as long as the answer is kept: whoever moves landscapes in it waits. `None`
/// where the system locks no folders.
pub(super) fn hold(folder: &Path) -> Option<File> {
    let held = File::open(around(folder)).ok()?;
    held.lock().ok().map(|()| held)
}

/// The folder that a landscape lies in.
pub(super) fn around(folder: &Path) -> &Path {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Puts a landscape back that a program moved aside and was stopped before the new one stood. The folder around it must
/// be [held](hold).
pub(super) fn restore(folder: &Path, name: &str) -> io::Result<()> {
    let missing = fs::symlink_metadata(folder).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if !missing {
        return Ok(());
    }
    let Ok(entries) = fs::read_dir(around(folder)) else {
        return Ok(());
    };
    let aside = entries.flatten().filter(|entry| {
        let role = entry.file_name().to_str().and_then(|found| role(found, name));
        role == Some(OLD) && entry.path().join(FILE).is_file()
    });
    let newest = aside.max_by_key(|entry| entry.metadata().and_then(|found| found.modified()).ok());
    newest.map_or(Ok(()), |entry| fs::rename(entry.path(), folder))
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.moved {
            // The first error is the one to tell; what stays is swept by the next writer.
            let _ = remove_new(&self.path);
        }
    }
}

/// Makes the lock of a new folder and takes it; `None` where a sweep was faster and the folder is gone.
fn claim(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => return Ok(None),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // A file system without locks: no sweep gets the lock either.
        Err(TryLockError::Error(_)) => Ok(Some(file)),
        // A sweep may have had the lock first: then the folder went with it.
        Ok(()) => Ok(path.exists().then_some(file)),
    }
}

/// Moves the landscape in a folder aside, under the name that is answered.
pub(super) fn move_aside(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut number = 0u64;
    loop {
        let aside = beside(folder, name, number, OLD);
        match fs::symlink_metadata(&aside) {
            Err(error) if error.kind() == ErrorKind::NotFound => return fs::rename(folder, &aside).map(|()| aside),
            Err(error) => return Err(error),
            Ok(_) => number += 1,
        }
    }
}

/// Removes a landscape that was moved aside.
pub(super) fn remove_old(aside: &Path) -> io::Result<()> {
    let removed = gone(fs::remove_file(aside.join(FILE))).and_then(|()| fs::remove_dir_all(aside));
    gone(removed)
}

/// Removes what stopped programs left beside a landscape; whole landscapes only where the folder around them is
/// [held](hold), and one that was moved aside only where another stands. What cannot be removed is in nobody's way: names
/// that are taken are stepped over, and the next writer tries again.
pub(super) fn sweep(folder: &Path, name: &str, held: bool) {
    let Ok(entries) = fs::read_dir(around(folder)) else {
        return;
    };
    let stands = folder.join(FILE).is_file();
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let path = entry.path();
        let whole = path.join(FILE).exists();
        let _ = match entry.file_name().to_str().and_then(|found| role(found, name)) {
            _ if !is_folder || (whole && !held) => Ok(()),
            Some(NEW) => sweep_new(&path, held),
            Some(_) if stands || !whole => remove_old(&path),
            _ => Ok(()),
        };
    }
}

/// Removes an unfinished landscape unless its writer lives, and a whole one of which the writer is gone.
fn sweep_new(path: &Path, held: bool) -> io::Result<()> {
    let lock = match OpenOptions::new().write(true).open(path.join(LOCK)) {
        Ok(lock) => lock,
        // Whole and given up, by a writer that holds the folder around it until it has moved.
        Err(error) if error.kind() == ErrorKind::NotFound && held && path.join(FILE).exists() => {
            return remove_old(path);
        }
        // Just made, or removed but for itself.
        Err(error) if error.kind() == ErrorKind::NotFound => return fs::remove_dir(path),
        Err(error) => return Err(error),
    };
    // Whole since it was looked at, where the writer gave its claim up.
    if lock.try_lock().is_ok() && (held || !path.join(FILE).exists()) {
        return remove_new(path);
    }
    Ok(())
}

/// Removes an unfinished landscape, its lock last: what is left of it at any time can be told by that.
fn remove_new(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != LOCK {
            fs::remove_file(entry.path())?;
        }
    }
    gone(fs::remove_file(path.join(LOCK)))?;
    fs::remove_dir(path)
}

/// What is gone already need not be removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn beside(folder: &Path, name: &str, number: u64, role: &str) -> PathBuf {
    folder.with_file_name(format!(".{name}.{}.{number}.{role}", std::process::id()))
}

/// What a folder of this name holds, if it is one of those that belong to the landscape `name`.
fn role(found: &str, name: &str) -> Option<&'static str> {
    let rest = found.strip_prefix('.')?.strip_prefix(name)?.strip_prefix('.')?;
    let (process, rest) = rest.split_once('.')?;
    let (number, rest) = rest.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let role = [NEW, OLD].into_iter().find(|role| *role == rest)?;
    (digits(process) && digits(number)).then_some(role)
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
    fn left_overs_are_swept_and_what_is_whole_or_anothers_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, files: &[&str]| {
            let at = folder.path().join(name);
            fs::create_dir_all(at.join("height.texture")).unwrap();
            files.iter().for_each(|file| fs::write(at.join(file), "half").unwrap());
        };
        make(".a.terrainData.1.0.tmp", &[LOCK, "height.texture/image.exr"]);
        make(".a.terrainData.1.0.old.tmp", &["height.texture/image.exr"]);
        fs::create_dir(folder.path().join(".a.terrainData.1.1.tmp")).unwrap();
        let kept = [
            (".a.terrainData.1.2.old.tmp", &[FILE][..]),
            (".a.terrainData.1.2.tmp", &[FILE]),
            (".a.terrainData.1.3.tmp", &[LOCK]),
            (".a.terrainData.1.x.tmp", &[LOCK]),
            (".a.terrainData.mine.tmp", &[]),
            (".b.terrainData.1.0.tmp", &[LOCK]),
        ];
        kept.iter().for_each(|(name, files)| make(name, files));
        let living = File::open(folder.path().join(".a.terrainData.1.3.tmp").join(LOCK)).unwrap();
        living.lock().unwrap();
        sweep(&folder.path().join("a.terrainData"), "a.terrainData", false);
        assert_eq!(names(folder.path()), kept.map(|(name, _)| name));
        drop(living);
        sweep(&folder.path().join("a.terrainData"), "a.terrainData", false);
        assert!(!folder.path().join(".a.terrainData.1.3.tmp").exists());
    }

    #[test]
    fn a_whole_landscape_that_was_moved_aside_is_put_back_and_what_was_coming_goes() {
        let folder = tempfile::tempdir().unwrap();
        let landscape = folder.path().join("a.terrainData");
        let make = |name: &str, text: &str| {
            fs::create_dir_all(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(FILE), text).unwrap();
        };
        make(".a.terrainData.7.0.old.tmp", "old");
        make(".a.terrainData.7.0.tmp", "new");
        let _held = hold(&landscape).unwrap();
        restore(&landscape, "a.terrainData").unwrap();
        sweep(&landscape, "a.terrainData", true);
        assert_eq!(names(folder.path()), ["a.terrainData"]);
        assert_eq!(fs::read_to_string(landscape.join(FILE)).unwrap(), "old");
        // One that stands is never replaced by what lies aside; what lies aside goes.
        make(".a.terrainData.7.1.old.tmp", "older");
        restore(&landscape, "a.terrainData").unwrap();
        sweep(&landscape, "a.terrainData", true);
        assert_eq!(names(folder.path()), ["a.terrainData"]);
        assert_eq!(fs::read_to_string(landscape.join(FILE)).unwrap(), "old");
    }

    #[test]
    fn a_whole_landscape_aside_stays_where_none_stands_and_the_folder_is_not_held() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".a.terrainData.7.0.old.tmp")).unwrap();
        fs::write(folder.path().join(".a.terrainData.7.0.old.tmp").join(FILE), "old").unwrap();
        sweep(&folder.path().join("a.terrainData"), "a.terrainData", false);
        sweep(&folder.path().join("a.terrainData"), "a.terrainData", true);
        assert_eq!(names(folder.path()), [".a.terrainData.7.0.old.tmp"]);
    }

    #[test]
    fn a_name_that_is_taken_is_stepped_over_and_a_living_writer_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let landscape = folder.path().join("a.terrainData");
        let first = Temporary::beside(&landscape, "a.terrainData").unwrap();
        let second = Temporary::beside(&landscape, "a.terrainData").unwrap();
        assert_ne!(first.path(), second.path());
        sweep(&landscape, "a.terrainData", true);
        assert!(first.path().join(LOCK).exists() && second.path().join(LOCK).exists());
        drop((first, second));
        assert!(names(folder.path()).is_empty());
    }
}
