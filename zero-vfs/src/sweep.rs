//! [`Sweep`]: how far left-over temporaries are looked for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::hold;
use crate::os_path::is_temporary;
use crate::staged;

/// Where opening a folder for writing looks for the temporaries of programs that were stopped. They are files, and folders
/// with whole trees on their way in, named `.zero-tmp-`, 8 hexadecimal digits, `-` and 16 more; no listing shows them. One
/// that a program is writing at that moment stays, where the system says so (not on Windows).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sweep {
    /// In the folder and everywhere below it, which lists each of those folders once.
    #[default]
    Tree,
    /// In the folder itself: where it is a person's, of any size, and only files right in it are written. A temporary
    /// further down stays.
    Folder,
}

/// What was found of temporaries when a folder was opened.
#[derive(Debug, Default)]
pub struct Swept {
    /// How many were removed.
    pub removed: usize,
    /// Folders that could not be looked into and temporaries that could not be removed.
    pub failed: Vec<(PathBuf, io::Error)>,
}

impl Swept {
    /// Removes the temporaries in `folder`; below it in real folders only, so that no link leads the sweep astray.
    pub(crate) fn sweep(&mut self, folder: &Path, how_far: Sweep) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.failed.push((folder.to_path_buf(), error)),
        };
        for entry in entries {
            let found = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            match found {
                Err(error) => self.failed.push((folder.to_path_buf(), error)),
                Ok((kind, entry)) if kind.is_dir() && is_temporary(&entry.file_name().to_string_lossy()) => {
                    self.take_away(&entry.path(), staged::remove);
                }
                Ok((kind, entry)) if kind.is_dir() && how_far == Sweep::Tree => self.sweep(&entry.path(), how_far),
                Ok((kind, entry)) if kind.is_file() && is_temporary(&entry.file_name().to_string_lossy()) => {
                    self.take_away(&entry.path(), |file| fs::remove_file(file));
                }
                Ok(_) => {}
            }
        }
    }

    /// Removes a temporary, unless someone is writing it, or another sweep has it.
    fn take_away(&mut self, temporary: &Path, remove: impl FnOnce(&Path) -> io::Result<()>) {
        let held = hold(temporary);
        if matches!(&held, Err(error) if error.kind() == io::ErrorKind::NotFound) {
            return;
        }
        match remove(temporary) {
            Ok(()) => self.removed += 1,
            Err(error) => self.failed.push((temporary.to_path_buf(), error)),
        }
    }
}
