//! The one place that turns a [`VfsPath`] into a path of the operating system.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, PathProblem, Result};
use crate::path::{TEMPORARY_PREFIX, VfsPath, check_segment, nfc};
use crate::source::{Kind, Look, Stat, Survey, Unreachable, Why};
use crate::stamp::Stamp;

pub(crate) const LINK_OUT: &str = "it leads out of the mounted folder, or to nothing";
pub(crate) const LINK_TO_FOLDER: &str = "a link to a folder is not followed, so that a tree stays a tree";

/// What a path comes to on disk.
#[derive(Debug)]
pub(crate) enum Located {
    /// It is there. `named` is the path as written, `real` where a link to a file leads (else the same).
    Found { named: PathBuf, real: PathBuf, look: Look },
    /// It is not there; this is where it would be.
    Missing(PathBuf),
    /// It is not there, and cannot be: this file is where a folder would have to be.
    BelowFile(VfsPath),
    /// It is not there, and cannot be: a name on the way differs by case from one on disk, and this
    /// operating system holds the two to be the same.
    OtherCase(VfsPath),
}

/// Finds `path` below `root`, which is canonical, one segment at a time, so that no link is followed unseen.
///
/// The check and the later use are two steps: another program that swaps a folder for a link in between is
/// not stopped. Whoever can do that can write the folder itself.
pub(crate) fn locate(root: &Path, path: &VfsPath) -> Result<Located> {
    let io_error = |source| Error::Io {
        action: "look at",
        path: path.clone(),
        source,
    };
    let mut named = root.to_path_buf();
    let mut segments = path.segments();
    let mut so_far = VfsPath::root();
    while let Some(segment) = segments.next() {
        let folder = named.clone();
        named.push(segment);
        so_far = so_far.join(segment)?;
        let metadata = match fs::symlink_metadata(&named) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                named.extend(segments);
                return Ok(Located::Missing(named));
            }
            Err(error) => return Err(io_error(error)),
        };
        if FOLDS_CASE && !holds_name(&folder, segment).map_err(io_error)? {
            return Ok(Located::OtherCase(so_far));
        }
        let is_last = segments.clone().next().is_none();
        if metadata.is_symlink() {
            let refuse = |reason| Error::Link {
                path: path.clone(),
                link: named.clone(),
                reason,
            };
            let (real, look) = follow(root, &named).map_err(refuse)?;
            return Ok(match is_last {
                true => Located::Found { named, real, look },
                false => Located::BelowFile(so_far),
            });
        }
        match (kind(&metadata), is_last) {
            (None, _) => return Err(Error::Special { path: so_far }),
            (Some(Kind::File), false) => return Ok(Located::BelowFile(so_far)),
            (Some(Kind::File), true) => {
                return Ok(Located::Found {
                    real: named.clone(),
                    named,
                    look: look(&metadata),
                });
            }
            (Some(Kind::Folder), _) => {}
        }
    }
    Ok(Located::Found {
        real: named.clone(),
        named,
        look: Look::FOLDER,
    })
}

/// Reads the names in `folder`, sorted, those that no path can reach apart.
pub(crate) fn survey(root: &Path, folder: &Path) -> io::Result<Survey> {
    let mut survey = Survey::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let os_name = entry.file_name();
        let lossy = os_name.to_string_lossy().into_owned();
        if is_temporary(&lossy) {
            continue;
        }
        match reach(root, &entry, os_name.to_str()) {
            Ok(Some(look)) => survey.entries.push((lossy, look)),
            Ok(None) => {} // gone between the listing and the look
            Err(Unseen::Why(why)) => survey.unreachable.push(Unreachable { name: lossy, why }),
            Err(Unseen::Io(error)) => return Err(error),
        }
    }
    survey.entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    survey.unreachable.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(survey)
}

enum Unseen {
    Why(Why),
    Io(io::Error),
}

fn reach(root: &Path, entry: &fs::DirEntry, name: Option<&str>) -> std::result::Result<Option<Look>, Unseen> {
    let name = name.ok_or(Unseen::Why(Why::Name(PathProblem::Encoding)))?;
    if nfc(name) != name {
        return Err(Unseen::Why(Why::Name(PathProblem::Encoding)));
    }
    check_segment(name).map_err(|problem| Unseen::Why(Why::Name(problem)))?;
    let metadata = match fs::symlink_metadata(entry.path()) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Unseen::Io(error)),
    };
    if metadata.is_symlink() {
        let (_, look) = follow(root, &entry.path()).map_err(|reason| Unseen::Why(Why::Link(reason)))?;
        return Ok(Some(look));
    }
    match kind(&metadata) {
        Some(Kind::Folder) => Ok(Some(Look::FOLDER)),
        Some(Kind::File) => Ok(Some(look(&metadata))),
        None => Err(Unseen::Why(Why::Special)),
    }
}

/// Where a link leads: to a file that lies, links resolved, below `root`. Otherwise the reason to refuse it.
fn follow(root: &Path, link: &Path) -> std::result::Result<(PathBuf, Look), &'static str> {
    let real = link.canonicalize().map_err(|_| LINK_OUT)?;
    if !real.starts_with(root) {
        return Err(LINK_OUT);
    }
    let metadata = fs::metadata(&real).map_err(|_| LINK_OUT)?;
    match metadata.is_file() {
        true => Ok((real, look(&metadata))),
        false => Err(LINK_TO_FOLDER),
    }
}

/// A file's.
pub(crate) fn look(metadata: &Metadata) -> Look {
    Look {
        stat: Stat::file(metadata.len()),
        stamp: Stamp::of_file(metadata, SystemTime::now()),
    }
}

fn kind(metadata: &Metadata) -> Option<Kind> {
    match (metadata.is_file(), metadata.is_dir()) {
        (true, _) => Some(Kind::File),
        (_, true) => Some(Kind::Folder),
        _ => None,
    }
}

/// Whether the usual file systems of this operating system take two names equal but for case for one. Paths
/// compare by case everywhere, so the name on disk has to be looked at there.
const FOLDS_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// Whether `folder` holds `name` in exactly this case (in either normal form, which Apple's fold too).
fn holds_name(folder: &Path, name: &str) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        if entry?
            .file_name()
            .to_str()
            .is_some_and(|on_disk| on_disk == name || nfc(on_disk) == name)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The name of the `counter`th temporary of process `process`.
pub(crate) fn temporary_name(process: u32, counter: u64) -> String {
    format!("{TEMPORARY_PREFIX}{process:08x}-{counter:016x}")
}

/// Whether [`temporary_name`] could have made this name.
pub(crate) fn is_temporary(name: &str) -> bool {
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(process, counter)| process.len() == 8 && counter.len() == 16 && hex(process) && hex(counter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_temporaries_are_recognised() {
        assert!(is_temporary(&temporary_name(u32::MAX, u64::MAX)));
        assert!(is_temporary(&temporary_name(1, 0)));
        for name in [
            ".zero-tmp-",
            ".zero-tmp-1-2",
            ".zero-tmp-0000000g-0000000000000000",
            "zero-tmp",
            ".zero",
        ] {
            assert!(!is_temporary(name), "{name}");
        }
    }

    #[test]
    fn the_look_at_names_tells_case_apart() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Bark.png"), b"").unwrap();
        assert!(holds_name(folder.path(), "Bark.png").unwrap());
        assert!(!holds_name(folder.path(), "bark.png").unwrap());
    }
}
