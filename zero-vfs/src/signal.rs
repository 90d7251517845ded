//! [`Signal`] and [`Listener`]: how a source says that its files changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::diagnostic::Diagnostic;
use crate::path::VfsPath;

/// More paths than these are one: the root, which is looked through as a whole.
const MOST_PATHS: usize = 1 << 16;

/// Whether a change that a source tells of is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Settling {
    /// Someone may be writing still, as with a file on disk: it is looked at when it has been quiet for a while.
    MayGoOn,
    /// The change is whole, as in memory.
    Whole,
}

/// What a source holds to say that something changed other than through [`crate::Vfs`]: a watch on the disk, a shadow that
/// was discarded, a host that knows. [`crate::Source::listen`] adds the listeners.
#[derive(Debug, Default)]
pub struct Signal {
    inner: Mutex<Listeners>,
}

#[derive(Debug, Default)]
struct Listeners {
    listeners: Vec<Weak<Listener>>,
    told: Vec<Diagnostic>,
}

impl Signal {
    /// One that nobody listens to.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says that the file at `path`, or anything below it, may be another from now on. The path is the source's own.
    pub fn touch(&self, path: &VfsPath, settling: Settling) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.listeners.retain(|listener| match listener.upgrade() {
            Some(listener) => {
                listener.touch(path, settling);
                true
            }
            None => false,
        });
    }

    /// Says something that whoever runs the program should read, once, such as that a watch could not be had. Who listens
    /// later hears it too.
    pub fn tell(&self, diagnostic: Diagnostic) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for listener in inner.listeners.iter().filter_map(Weak::upgrade) {
            listener.heard().told.push(diagnostic.clone());
        }
        inner.told.push(diagnostic);
    }

    /// Adds a listener, which is dropped with its last owner.
    pub fn add(&self, listener: &Arc<Listener>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        listener.heard().told.extend(inner.told.iter().cloned());
        inner.listeners.push(Arc::downgrade(listener));
    }
}

/// What was heard of a source since it was last asked. A path that is touched a thousand times is held once; past 65 536
/// paths the whole source is.
#[derive(Debug, Default)]
pub struct Listener {
    heard: Mutex<Heard>,
}

/// What a [`Listener`] heard.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Heard {
    /// The paths that may have changed, and whether the change is over.
    pub touched: BTreeMap<VfsPath, Settling>,
    /// What was told, in order.
    pub told: Vec<Diagnostic>,
}

impl Listener {
    /// One that has heard nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Hands out what was heard and forgets it.
    #[must_use]
    pub fn take(&self) -> Heard {
        std::mem::take(&mut *self.heard())
    }

    fn touch(&self, path: &VfsPath, settling: Settling) {
        let mut heard = self.heard();
        // Of a change that may go on and one that is over, the file may be in the midst of the first.
        let known = heard.touched.entry(path.clone()).or_insert(settling);
        *known = settling.min(*known);
        if heard.touched.len() > MOST_PATHS {
            let settling = heard.touched.values().min().copied().unwrap_or(settling);
            heard.touched = BTreeMap::from([(VfsPath::root(), settling)]);
        }
    }

    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> VfsPath {
        VfsPath::parse(text).unwrap()
    }

    #[test]
    fn many_touches_of_one_path_are_one_and_the_unfinished_one_counts() {
        let (signal, listener) = (Signal::new(), Arc::new(Listener::new()));
        signal.add(&listener);
        for _ in 0..1000 {
            signal.touch(&path("/a"), Settling::Whole);
        }
        signal.touch(&path("/a"), Settling::MayGoOn);
        signal.touch(&path("/b"), Settling::Whole);
        let heard = listener.take().touched;
        assert_eq!(
            heard,
            BTreeMap::from([(path("/a"), Settling::MayGoOn), (path("/b"), Settling::Whole)])
        );
        assert!(listener.take().touched.is_empty());
    }

    #[test]
    fn too_many_paths_are_the_root() {
        let (signal, listener) = (Signal::new(), Arc::new(Listener::new()));
        signal.add(&listener);
        for n in 0..=MOST_PATHS {
            signal.touch(&path(&format!("/{n}")), Settling::Whole);
        }
        assert_eq!(
            listener.take().touched,
            BTreeMap::from([(VfsPath::root(), Settling::Whole)])
        );
    }

    #[test]
    fn a_message_reaches_who_listens_later() {
        let signal = Signal::new();
        signal.tell(Diagnostic::warning("vfs.test", VfsPath::root(), "said", "do"));
        let listener = Arc::new(Listener::new());
        signal.add(&listener);
        assert_eq!(listener.take().told.len(), 1);
        assert!(listener.take().told.is_empty());
    }
}
