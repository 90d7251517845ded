//! [`Made`]: the folders that are made on the way to a change.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Folders that were made for a change, outermost first. They go again when this does, unless they are kept: a change
/// that fails leaves no folder behind.
#[derive(Debug, Default)]
pub(crate) struct Made(Vec<PathBuf>);

impl Made {
    /// Makes `folder` and those that lead to it, where they are missing.
    pub(crate) fn lead_to(folder: &Path) -> io::Result<Self> {
        let mut made = Self::default();
        let missing: Vec<&Path> = folder.ancestors().take_while(|at| !at.is_dir()).collect();
        for at in missing.into_iter().rev() {
            match fs::create_dir(at) {
                Ok(()) => made.0.push(at.to_path_buf()),
                // Another program made it since.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && at.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// Lets the folders stand, and names them, outermost first.
    pub(crate) fn keep(mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.0)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // A folder that cannot be removed is no longer empty, as another program has put something there; then those that
        // hold it cannot go either. The error to tell is that of the change.
        let _ = self.0.iter().rev().try_for_each(fs::remove_dir);
    }
}
