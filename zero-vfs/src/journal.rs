//! [`Journal`]: what was changed through a [`crate::Vfs`], for its feeds.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::change::{Arrival, Origin};
use crate::hash::ContentHash;
use crate::path::VfsPath;

/// More entries than these are one: everything may have changed.
const MOST_ENTRIES: usize = 1 << 16;

/// One change, made by this program.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: VfsPath,
    pub(crate) what: What,
    pub(crate) origin: Origin,
    pub(crate) arrival: Arrival,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A file that holds this from then on.
    Wrote(ContentHash),
    /// A whole tree.
    WroteTree,
    Removed,
    /// Moved, to here.
    RenamedTo(VfsPath),
}

/// Hands entries to whoever subscribed. Without subscribers it holds nothing.
#[derive(Debug, Default)]
pub(crate) struct Journal(Mutex<Vec<Weak<Subscription>>>);

/// Entries that wait to be taken, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Subscription(Mutex<Waiting>);

#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) entries: Vec<Entry>,
    /// There were too many: everything may have changed.
    pub(crate) overflowed: bool,
}

impl Journal {
    pub(crate) fn subscribe(&self) -> Arc<Subscription> {
        let subscription = Arc::default();
        self.subscribers().push(Arc::downgrade(&subscription));
        subscription
    }

    /// Passes an entry on; it is made only if anyone listens.
    pub(crate) fn record(&self, entry: impl FnOnce() -> Entry) {
        let mut subscribers = self.subscribers();
        subscribers.retain(|one| one.strong_count() > 0);
        if subscribers.is_empty() {
            return;
        }
        let entry = entry();
        for subscriber in subscribers.iter().filter_map(Weak::upgrade) {
            subscriber.push(entry.clone());
        }
    }

    fn subscribers(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Subscription>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    pub(crate) fn take(&self) -> Waiting {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, entry: Entry) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.overflowed {
            return;
        }
        waiting.entries.push(entry);
        if waiting.entries.len() > MOST_ENTRIES {
            *waiting = Waiting {
                entries: Vec::new(),
                overflowed: true,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry {
            path: VfsPath::root(),
            what: What::Removed,
            origin: Origin::Local,
            arrival: Arrival::Edited,
        }
    }

    #[test]
    fn nothing_is_made_for_nobody() {
        let journal = Journal::default();
        journal.record(|| panic!("nobody listens"));
        let subscription = journal.subscribe();
        journal.record(entry);
        assert_eq!(subscription.take().entries.len(), 1);
        assert!(subscription.take().entries.is_empty());
        drop(subscription);
        journal.record(|| panic!("nobody listens any more"));
    }

    #[test]
    fn too_many_entries_are_everything() {
        let journal = Journal::default();
        let subscription = journal.subscribe();
        (0..=MOST_ENTRIES).for_each(|_| journal.record(entry));
        let waiting = subscription.take();
        assert!(waiting.overflowed && waiting.entries.is_empty());
        journal.record(entry);
        assert_eq!(subscription.take().entries.len(), 1);
    }
}
