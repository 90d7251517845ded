//! Several files changed together: all of them, or none.

use super::file::{Temporary, beside, file_name};
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Files that are complete beside their places, and files that are to go. Nothing is seen of it before
/// [`commit`](Self::commit); dropped before that, it leaves nothing.
#[derive(Default)]
pub(crate) struct Change {
    written: Vec<(PathBuf, Temporary)>,
    removed: Vec<PathBuf>,
}

/// What a place held before, under a hidden name beside it. It stays locked, so that no sweep takes it for what a
/// stopped writer left, and goes when this does.
struct Kept {
    place: PathBuf,
    /// Nothing where the place was empty.
    held: Option<(PathBuf, File)>,
}

impl Change {
    /// Writes a file beside its place.
    ///
    /// # Errors
    /// [`Error::File`] naming the path.
    pub(crate) fn write(&mut self, path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let temporary = beside(path, content).map_err(of(path))?;
        self.written.push((path.to_owned(), temporary));
        Ok(())
    }

    /// Has a file go too.
    pub(crate) fn remove(&mut self, path: &Path) {
        self.removed.push(path.to_owned());
    }

    /// Moves every file to its place, each in one go. Where one can't be, those that were moved are put back as they
    /// were. A program that is stopped in between leaves whole files, some of before and some of after.
    ///
    /// # Errors
    /// [`Error::File`] naming the path, and where something could not be put back, that.
    pub(crate) fn commit(self) -> Result<()> {
        let mut kept: Vec<Kept> = Vec::new();
        let written = self.written.iter().map(|(path, from)| (path, Some(from)));
        for (path, from) in written.chain(self.removed.iter().map(|path| (path, None))) {
            let changed = Kept::of(path).and_then(|held| {
                kept.push(held);
                match from {
                    Some(from) => from.move_to(path),
                    None => gone(fs::remove_file(path)),
                }
            });
            if let Err(source) = changed {
                let source = match undo(kept) {
                    Ok(()) => source,
                    Err(second) => io::Error::new(source.kind(), format!("{source}; then {second}")),
                };
                return Err(of(path)(source));
            }
        }
        Ok(())
    }
}

fn of(path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

/// That there is nothing to remove is as good as removing it.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn copied(mut file: &File, path: &Path) -> io::Result<()> {
    let mut copy = OpenOptions::new().write(true).create_new(true).open(path)?;
    let answer = io::copy(&mut file, &mut copy).and_then(|_| copy.sync_all());
    if answer.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(path);
    }
    answer
}

/// Puts everything back, the last first; the first that can't be is told, the others are put back all the same.
fn undo(kept: Vec<Kept>) -> io::Result<()> {
    let mut answer = Ok(());
    for held in kept.into_iter().rev() {
        let place = held.place.clone();
        if let Err(error) = held.put_back() {
            answer = answer.and(Err(io::Error::new(
                error.kind(),
                format!("{} could not be put back: {error}", place.display()),
            )));
        }
    }
    answer
}

impl Kept {
    fn of(place: &Path) -> io::Result<Kept> {
        let file = match File::open(place) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Kept {
                    place: place.to_owned(),
                    held: None,
                });
            }
            Err(error) => return Err(error),
        };
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "what is there is no file"));
        }
        // Shared, since another program may read it; a file system without locks has no sweep that gets one.
        let _ = file.try_lock_shared();
        let name = file_name(place)?;
        let mut number = 0u64;
        loop {
            let path = place.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()));
            number += 1;
            let linked = match fs::hard_link(place, &path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                // A file system without links: a copy serves.
                Err(_) => copied(&file, &path),
                Ok(()) => Ok(()),
            };
            match linked {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    return Ok(Kept {
                        place: place.to_owned(),
                        held: Some((path, file)),
                    });
                }
            }
        }
    }

    fn put_back(mut self) -> io::Result<()> {
        match self.held.take() {
            Some((path, _lock)) => {
                let answer = fs::rename(&path, &self.place);
                // Where both are links to one file a rename does nothing and leaves both.
                if answer.is_ok() {
                    gone(fs::remove_file(&path))?;
                }
                answer
            }
            None => gone(fs::remove_file(&self.place)),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some((path, _lock)) = self.held.take() {
            // What can't be removed is in nobody's way, and the next writer tries again.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn held(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut held: Vec<(String, String)> = entries
            .map(|entry| {
                let text = fs::read_to_string(entry.path()).unwrap_or_else(|_| "a folder".to_owned());
                (entry.file_name().into_string().unwrap(), text)
            })
            .collect();
        held.sort();
        held
    }

    fn pairs(held: &[(&str, &str)]) -> Vec<(String, String)> {
        let pair = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        held.iter().map(pair).collect()
    }

    #[test]
    fn nothing_is_seen_before_the_commit_and_then_everything() {
        let folder = folder_of(&[("a", "first"), ("gone", "first")]);
        let mut change = Change::default();
        change
            .write(&folder.path().join("a"), |out| out.write_all(b"second"))
            .unwrap();
        change
            .write(&folder.path().join("b"), |out| out.write_all(b"second"))
            .unwrap();
        change.remove(&folder.path().join("gone"));
        change.remove(&folder.path().join("never there"));
        let text = |name: &str| fs::read_to_string(folder.path().join(name));
        assert_eq!(text("a").unwrap(), "first");
        assert!(text("b").is_err());
        change.commit().unwrap();
        assert_eq!(held(folder.path()), pairs(&[("a", "second"), ("b", "second")]));
    }

    #[test]
    fn a_file_that_cannot_be_moved_leaves_all_as_they_were() {
        let folder = folder_of(&[("a", "first"), ("gone", "first")]);
        fs::create_dir(folder.path().join("c")).unwrap();
        let mut change = Change::default();
        for name in ["a", "b", "c"] {
            change
                .write(&folder.path().join(name), |out| out.write_all(b"second"))
                .unwrap();
        }
        change.remove(&folder.path().join("gone"));
        let message = change.commit().unwrap_err().to_string();
        assert!(message.contains("c: what is there is no file"), "{message}");
        assert_eq!(
            held(folder.path()),
            pairs(&[("a", "first"), ("c", "a folder"), ("gone", "first")])
        );
    }

    #[test]
    fn one_that_is_let_go_of_leaves_nothing() {
        let folder = folder_of(&[("a", "first")]);
        let mut change = Change::default();
        change
            .write(&folder.path().join("a"), |out| out.write_all(b"second"))
            .unwrap();
        drop(change);
        assert_eq!(held(folder.path()), pairs(&[("a", "first")]));
    }
}
