//! Changes on disk that hold out against what else is running.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

/// Removes our own temporary after a failure. If that fails too, the first error is the one to tell, and the
/// next opening of the folder removes it.
pub(crate) fn discard(temporary: &Path) {
    let _ = fs::remove_file(temporary);
}

/// A rename that replaces what is there, keeping a replaced file's permissions.
pub(crate) fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    if let Ok(old) = fs::metadata(to)
        && old.is_file()
    {
        fs::set_permissions(from, old.permissions())?;
    }
    when_free(|| fs::rename(from, to))
}

/// A rename of a file or a folder to where nothing may stand, also where another program puts something there in the same
/// moment: then it fails with [`ErrorKind::AlreadyExists`]. Where the system has no such rename, a file has both names for a
/// moment, and a folder may take the place of an empty one.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename_refusing(from, to) {
        Some(moved) => moved,
        None => rename_by_hand(from, to),
    }
}

/// The system's own rename that replaces nothing (`renameat2` of Linux); `None` where the system or the disk has none.
#[cfg(target_os = "linux")]
fn rename_refusing(from: &Path, to: &Path) -> Option<io::Result<()>> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => None,
        moved => Some(moved.map_err(io::Error::from)),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_refusing(_: &Path, _: &Path) -> Option<io::Result<()>> {
    None
}

fn rename_by_hand(from: &Path, to: &Path) -> io::Result<()> {
    // A folder is never put over one that holds something, nor over a file; and a link is moved as it is.
    if !fs::symlink_metadata(from)?.is_file() {
        let moved = when_free(|| fs::rename(from, to));
        return moved.map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory => ErrorKind::AlreadyExists.into(),
            _ => error,
        });
    }
    match fs::hard_link(from, to) {
        Ok(()) => when_free(|| fs::remove_file(from)).inspect_err(|_| discard(to)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Where the disk knows no second names for a file, a plain rename has to do.
        Err(_) => when_free(|| fs::rename(from, to)),
    }
}

/// Marks a temporary as one that is being written, for as long as what it answers lives, so that no sweep takes it for a
/// left-over. `None` where the system has no such mark for it. [`ErrorKind::NotFound`] where a sweep has it already.
pub(crate) fn hold(temporary: &Path) -> io::Result<Option<File>> {
    // On Windows a folder cannot be opened for it, and a file that is marked could not be read by others.
    if !cfg!(unix) {
        return Ok(None);
    }
    let file = File::open(temporary)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::NotFound.into()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Runs `operation` again, a few times, while the system says that something else holds the file: on
/// Windows an indexer or a virus scanner does so for moments.
pub(crate) fn when_free<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for wait_ms in [5, 20, 80, 320] {
        match operation() {
            Err(error) if is_held(&error) => std::thread::sleep(Duration::from_millis(wait_ms)),
            done => return done,
        }
    }
    operation()
}

/// Runs `operation` up to three times while what it works on goes away beneath it: another program that opens
/// the folder takes our temporary for a left-over one.
pub(crate) fn when_swept<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..2 {
        match operation() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => return done,
        }
    }
    operation()
}

fn is_held(error: &io::Error) -> bool {
    // ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION.
    let on_windows = cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33));
    on_windows || error.kind() == ErrorKind::ResourceBusy
}

/// Brings a folder's names to the disk. Windows has no such call, and needs none.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rename_to_a_new_name_never_takes_the_place_of_anything() {
        never_takes_the_place(rename_new);
        never_takes_the_place(rename_by_hand);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn nor_that_of_an_empty_folder_or_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("empty")).unwrap();
        fs::create_dir(at("dir")).unwrap();
        fs::write(at("dir/y"), "y").unwrap();
        std::os::unix::fs::symlink("nowhere", at("link")).unwrap();
        std::os::unix::fs::symlink("elsewhere", at("other")).unwrap();
        // A disk that has no such rename cannot keep the promise, and the documents say so.
        if rename_refusing(&at("none"), &at("none too")).is_none() {
            return;
        }
        for (from, to) in [("dir", "empty"), ("link", "other"), ("dir", "other")] {
            let error = rename_new(&at(from), &at(to)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{from} to {to}");
        }
        assert_eq!(fs::read_link(at("other")).unwrap(), Path::new("elsewhere"));
    }

    fn never_takes_the_place(rename_new: fn(&Path, &Path) -> io::Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for file in ["a", "b", "full/x", "dir/y"] {
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file), file).unwrap();
        }
        for (from, to) in [("a", "b"), ("dir", "full"), ("dir", "b"), ("a", "full")] {
            let error = rename_new(&at(from), &at(to)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{from} to {to}");
        }
        rename_new(&at("a"), &at("c")).unwrap();
        rename_new(&at("dir"), &at("e")).unwrap();
        assert!(!at("a").exists() && !at("dir").exists());
        assert_eq!(fs::read(at("c")).unwrap(), b"a");
        assert_eq!(fs::read(at("e/y")).unwrap(), b"dir/y");
        assert_eq!(fs::read(at("b")).unwrap(), b"b");
        assert_eq!(rename_new(&at("a"), &at("f")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_held_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let held = hold(folder.path()).unwrap();
        assert!(held.is_some());
        assert_eq!(hold(folder.path()).unwrap_err().kind(), ErrorKind::NotFound);
        drop(held);
        assert!(hold(folder.path()).unwrap().is_some());
    }

    /// How `retry` ends and how often it calls an operation whose first `failures` calls fail with `kind`.
    fn tried(
        retry: impl FnOnce(&mut dyn FnMut() -> io::Result<()>) -> io::Result<()>,
        kind: ErrorKind,
        failures: usize,
    ) -> (Option<ErrorKind>, usize) {
        let mut calls = 0;
        let result = retry(&mut || {
            calls += 1;
            if calls <= failures { Err(kind.into()) } else { Ok(()) }
        });
        (result.err().map(|error| error.kind()), calls)
    }

    #[test]
    fn a_held_file_is_tried_again_and_not_for_ever() {
        use ErrorKind::{ResourceBusy, StorageFull};
        assert_eq!(tried(|op| when_free(op), ResourceBusy, 2), (None, 3));
        assert_eq!(tried(|op| when_free(op), ResourceBusy, 99), (Some(ResourceBusy), 5));
        assert_eq!(tried(|op| when_free(op), StorageFull, 99), (Some(StorageFull), 1));
    }

    #[test]
    fn a_swept_temporary_is_written_again_and_not_for_ever() {
        use ErrorKind::{NotFound, StorageFull};
        assert_eq!(tried(|op| when_swept(op), NotFound, 2), (None, 3));
        assert_eq!(tried(|op| when_swept(op), NotFound, 99), (Some(NotFound), 3));
        assert_eq!(tried(|op| when_swept(op), StorageFull, 99), (Some(StorageFull), 1));
    }
}
