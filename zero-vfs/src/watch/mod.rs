//! [`FolderWatch`]: being told when others change a folder on disk.

mod native;
mod poll;
mod thread;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::diagnostic::Diagnostic;
use crate::folder::FolderSource;
use crate::path::{TEMPORARY_PREFIX, VfsPath};
use crate::signal::{Settling, Signal};
use native::Native;
use thread::Poller;

/// How a folder is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// By the operating system, or where that cannot be had, [`Watching::Poll`] every two seconds.
    #[default]
    Native,
    /// By looking at every file of it again and again: for network drives, containers and disks of which the system tells
    /// nothing. Each look costs a listing of every folder; files are read only where they look changed.
    Poll(Duration),
    /// By the host, which tells [`FolderSource::signal`].
    External,
    /// Not at all.
    Off,
}

/// How often is looked where the system's own watch cannot be had.
const FALLBACK: Duration = Duration::from_secs(2);

/// Watches a folder as long as it lives: what others change there is told to the [`FolderSource`]'s listeners, such as a
/// [`crate::Feed`], which waits until it is quiet.
///
/// Native and polling watches hold a thread, which ends and is waited for when this goes. Nothing else is needed:
///
/// ```
/// use zero_vfs::{Access, FolderSource, FolderWatch, Watching};
/// # let folder = tempfile::tempdir().unwrap();
/// let source = FolderSource::open(&folder, Access::ReadWrite)?;
/// let watch = FolderWatch::new(&source, Watching::Native);
/// assert_ne!(watch.watching(), Watching::Off);
/// drop(watch);
/// # Ok::<(), zero_vfs::Error>(())
/// ```
///
/// A system has only so many native watches, one for each folder. Where they run out, the folder is polled from then on, and one
/// message (`vfs.watch_fallback`) says so, in the next batch of each feed.
#[derive(Debug)]
pub struct FolderWatch {
    state: State,
}

#[derive(Debug)]
enum State {
    Native(Native),
    Poll(Poller),
    Idle(Watching),
}

impl FolderWatch {
    /// Begins to watch `source`. What cannot be watched as asked is polled; see [`FolderWatch::watching`].
    #[must_use]
    pub fn new(source: &FolderSource, watching: Watching) -> Self {
        Self::with_native(source, watching, Native::start)
    }

    /// [`FolderWatch::new`] with another way to start a native watch, for the tests of what happens when there is none.
    fn with_native(
        source: &FolderSource,
        watching: Watching,
        start: impl FnOnce(Told) -> Result<Native, String>,
    ) -> Self {
        let told = Told {
            root: source.root().to_path_buf(),
            signal: source.signal().clone(),
        };
        let state = match watching {
            Watching::Native => match start(told.clone()) {
                Ok(native) => State::Native(native),
                Err(why) => {
                    told.fall_back(&why);
                    State::Poll(Poller::start(told, FALLBACK))
                }
            },
            Watching::Poll(interval) => State::Poll(Poller::start(told, interval)),
            idle @ (Watching::External | Watching::Off) => State::Idle(idle),
        };
        Self { state }
    }

    /// How it is watched now: [`Watching::Poll`] too where a native watch was asked for and could not be had, or ran out.
    #[must_use]
    pub fn watching(&self) -> Watching {
        match &self.state {
            State::Native(native) => native.watching(),
            State::Poll(poller) => Watching::Poll(poller.interval()),
            State::Idle(idle) => *idle,
        }
    }
}

/// Whom a watch tells.
#[derive(Clone, Debug)]
struct Told {
    root: PathBuf,
    signal: Arc<Signal>,
}

impl Told {
    /// Something at this path on disk may have changed. What no path can name has no content of interest.
    fn touched(&self, on_disk: &Path) {
        if let Ok(path) = inner(&self.root, on_disk) {
            self.signal.touch(&path, Settling::MayGoOn);
        }
    }

    /// Something at this path on disk may have come or gone. That there is a name which no path can be is told of the
    /// folder that it is in, which is looked through for it; our own temporaries are nobody's business.
    fn came_or_went(&self, on_disk: &Path) {
        match inner(&self.root, on_disk) {
            Ok(path) | Err(Some(path)) => self.signal.touch(&path, Settling::MayGoOn),
            Err(None) => {}
        }
    }

    /// Anything may have changed.
    fn all(&self) {
        self.signal.touch(&VfsPath::root(), Settling::MayGoOn);
    }

    fn fall_back(&self, why: &str) {
        let message = format!(
            "the system's watch on `{}` cannot be had ({why}); it is looked at every {} seconds instead",
            self.root.display(),
            FALLBACK.as_secs()
        );
        let help = "raise the system's limit of watches (fs.inotify.max_user_watches on Linux), or watch fewer folders";
        let diagnostic = Diagnostic::warning("vfs.watch_fallback", VfsPath::root(), message, help);
        self.signal.tell(diagnostic);
    }
}

impl Told {
    fn no_thread(&self, error: &std::io::Error) {
        let message = format!(
            "`{}` is not watched: the system gave no thread ({error})",
            self.root.display()
        );
        let help = "close other programs and mount the folder again";
        self.signal
            .tell(Diagnostic::error("vfs.not_watched", VfsPath::root(), message, help));
    }
}

/// A path on disk as the source knows it. Where a name in it can be in no path, the folder that the name is in, unless it is
/// that of a temporary.
fn inner(root: &Path, on_disk: &Path) -> Result<VfsPath, Option<VfsPath>> {
    let inner = on_disk.strip_prefix(root).map_err(|_| None)?;
    let mut path = VfsPath::root();
    for segment in inner.components() {
        let name = segment.as_os_str();
        let is_temporary = name.as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes());
        let joined = name.to_str().and_then(|name| path.join(name).ok());
        path = joined.ok_or((!is_temporary).then_some(path))?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Listener};

    #[test]
    fn paths_on_disk_are_the_sources_own_and_temporaries_are_none() {
        let check = |on_disk: &str, expected: Result<&str, Option<&str>>| {
            let found = inner(Path::new("/root"), Path::new(on_disk));
            let found = found.as_ref().map(VfsPath::as_str);
            assert_eq!(found.map_err(|folder| folder.as_ref().map(VfsPath::as_str)), expected);
        };
        check("/root", Ok("/"));
        check("/root/a/b.c", Ok("/a/b.c"));
        check("/elsewhere/a", Err(None));
        check("/root/a/.zero-tmp-0000002a-0000000000000000", Err(None));
        check("/root/a:b", Err(Some("/")));
        check("/root/d/aux.txt", Err(Some("/d")));
        check("/root/d/a:b/c", Err(Some("/d")));
    }

    #[test]
    fn without_native_watches_it_polls_and_says_so_once() {
        let folder = tempfile::tempdir().unwrap();
        let source = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
        let watch = FolderWatch::with_native(&source, Watching::Native, |_| Err("no more watches".into()));
        assert_eq!(watch.watching(), Watching::Poll(FALLBACK));
        let listener = Arc::new(Listener::new());
        source.signal().add(&listener);
        let told = listener.take().told;
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].code, "vfs.watch_fallback");
        assert!(told[0].message.contains("no more watches"), "{}", told[0].message);
    }

    #[test]
    fn off_and_external_hold_no_thread() {
        let folder = tempfile::tempdir().unwrap();
        let source = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
        for idle in [Watching::Off, Watching::External] {
            let watch = FolderWatch::with_native(&source, idle, |_| panic!("not asked for"));
            assert_eq!(watch.watching(), idle);
            assert!(matches!(watch.state, State::Idle(_)));
        }
    }
}
