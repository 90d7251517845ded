//! Changes on disk that hold out against what else is running.

use std::fs::{self, File};
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
