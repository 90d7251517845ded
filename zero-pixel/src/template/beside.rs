//! Folders beside a template on its way in or out, what a stopped program left of them, and the lock that tells the two
//! apart.
//!
//! A template `NAME` comes in as `.NAME.pixelTemplate.PROCESS.N.new`. One that is replaced goes out as `.old`, whole, and
//! is renamed to `.gone` before its files are removed. So an `.old` whose template is missing is that template, and
//! whatever else lies there is of no use to anybody.

use super::{FOLDER_SUFFIX, name};
use crate::error::Result;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a folder beside a template is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// On its way in, not whole yet.
    New,
    /// On its way out, whole.
    Old,
    /// Out, and being removed.
    Gone,
}

impl Role {
    const ALL: [Self; 3] = [Self::New, Self::Old, Self::Gone];

    fn ending(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Old => "old",
            Self::Gone => "gone",
        }
    }
}

/// Who holds the lock of a folder of templates at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Any number of readers.
    Shared,
    /// One writer and nobody else.
    Alone,
}

/// Waits for the lock of a folder of templates; it is given up when the answer goes, and by the system when its program
/// stops. `None` where the file system has no locks.
///
/// Unix locks the folder itself. Elsewhere a folder cannot be opened, and a file in it stands for it.
pub(super) fn lock(root: &Path, hold: Hold) -> Option<File> {
    let opened = match cfg!(unix) {
        true => File::open(root),
        false => OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(root.join(".pixelTemplates.lock")),
    };
    let file = opened.ok()?;
    loop {
        let locked = match hold {
            Hold::Shared => file.lock_shared(),
            Hold::Alone => file.lock(),
        };
        match locked {
            Ok(()) => return Some(file),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// A path for a folder beside a template. A name that is taken is stepped over: the process id of a stopped program may
/// come again, in a container every time.
pub(super) fn beside(folder: &Path, role: Role) -> io::Result<PathBuf> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    for number in 0u64.. {
        let path = folder.with_file_name(format!(".{name}.{process}.{number}.{}", role.ending()));
        match fs::symlink_metadata(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        ErrorKind::AlreadyExists,
        "every name beside it is taken",
    ))
}

/// Which template a folder of that name was put beside, and as what.
pub(super) fn role(file_name: &str) -> Option<(&str, Role)> {
    let (template, rest) = file_name.strip_prefix('.')?.split_once(FOLDER_SUFFIX)?;
    let mut parts = rest.strip_prefix('.')?.split('.');
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = digits(parts.next()?) && digits(parts.next()?);
    let ending = parts.next()?;
    let role = Role::ALL.into_iter().find(|role| role.ending() == ending)?;
    (numbered && parts.next().is_none() && name::check(template).is_ok()).then_some((template, role))
}

/// Removes a template that was moved aside whole.
pub(super) fn discard(folder: &Path, aside: &Path) -> io::Result<()> {
    let gone = beside(folder, Role::Gone)?;
    fs::rename(aside, &gone)?;
    fs::remove_dir_all(&gone)
}

/// Puts templates back whose replacement was stopped midway, the newest where there are several, and removes what else
/// stopped programs left. The caller holds the lock [alone](Hold::Alone); `locked` says whether there is one, without
/// which another program may still write what looks left.
///
/// # Errors
/// When a template cannot be put back. What cannot be removed is in nobody's way.
pub(super) fn settle(root: &Path, locked: bool) -> Result<()> {
    let mut old: Vec<(SystemTime, PathBuf, PathBuf)> = Vec::new();
    for entry in fs::read_dir(root).map_err(super::folder::at(root))? {
        let entry = entry.map_err(super::folder::at(root))?;
        let file_name = entry.file_name();
        let Some((template, role)) = file_name.to_str().and_then(role) else {
            continue;
        };
        let (path, folder) = (entry.path(), root.join(format!("{template}{FOLDER_SUFFIX}")));
        match entry.metadata() {
            Ok(found) if found.is_dir() && role == Role::Old => {
                let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                old.push((modified, path, folder));
            }
            Ok(found) if found.is_dir() && locked => drop(fs::remove_dir_all(path)),
            _ => {}
        }
    }
    old.sort_unstable();
    for (_, aside, folder) in old.into_iter().rev() {
        match fs::symlink_metadata(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::rename(&aside, &folder).map_err(super::folder::at(&folder))?;
            }
            _ if locked => drop(discard(&folder, &aside)),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beside_a_template_say_whose_they_are_and_nothing_else_is_taken_for_one() {
        let root = Path::new("there");
        for one in Role::ALL {
            let path = beside(&root.join("camp-火.pixelTemplate"), one).unwrap();
            assert_eq!(
                role(path.file_name().unwrap().to_str().unwrap()),
                Some(("camp-火", one))
            );
        }
        for other in [
            "a.pixelTemplate",
            ".a.pixelTemplate",
            ".a.pixelTemplate.1.old",
            ".a.pixelTemplate.1.2.kept",
            ".a.pixelTemplate.1.x.old",
            ".a.pixelTemplate..2.old",
            ".a.pixelTemplate.1.2.old.old",
            ".a/b.pixelTemplate.1.2.old",
            ".a.textureSet.1.2.old",
            "..pixelTemplate.1.2.old",
        ] {
            assert_eq!(role(other), None, "{other}");
        }
    }

    #[test]
    fn a_name_that_is_taken_is_stepped_over() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a.pixelTemplate");
        let first = beside(&folder, Role::New).unwrap();
        fs::create_dir(&first).unwrap();
        assert_ne!(beside(&folder, Role::New).unwrap(), first);
    }

    #[test]
    fn without_a_lock_only_what_cannot_be_done_wrong_is_done() {
        let root = tempfile::tempdir().unwrap();
        let make = |name: &str| fs::create_dir(root.path().join(name)).unwrap();
        make(".a.pixelTemplate.1.0.new");
        make(".a.pixelTemplate.1.0.old");
        make(".b.pixelTemplate.1.0.old");
        make("b.pixelTemplate");
        settle(root.path(), false).unwrap();
        let mut names: Vec<_> = fs::read_dir(root.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        let expected = [
            ".a.pixelTemplate.1.0.new",
            ".b.pixelTemplate.1.0.old",
            "a.pixelTemplate",
            "b.pixelTemplate",
        ];
        assert_eq!(names, expected);
    }
}
