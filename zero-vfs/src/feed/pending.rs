//! [`Pending`]: paths that may have changed and have not been looked at yet.

use std::collections::BTreeMap;
use std::time::Duration;

use super::FeedOptions;
use super::ledger::Cause;
use crate::change::By;
use crate::hash::ContentHash;
use crate::path::VfsPath;
use crate::signal::Settling;

/// What this program left at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// It cannot be said.
    Anything,
    /// A file with this content.
    Content(ContentHash),
}

/// That a path may have changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) cause: Cause,
    pub(super) expected: Expected,
    /// When it came among all touches.
    pub(super) order: u64,
    settling: Settling,
    first: Duration,
    last: Duration,
}

impl Touch {
    /// By this program, which knows that it is done.
    pub(super) fn own(cause: Cause, expected: Expected, now: Duration) -> Self {
        Self {
            cause,
            expected,
            order: 0,
            settling: Settling::Whole,
            first: now,
            last: now,
        }
    }

    /// By someone else.
    pub(super) fn outside(settling: Settling, now: Duration) -> Self {
        Self {
            settling,
            ..Self::own(Cause::OUTSIDE, Expected::Anything, now)
        }
    }

    /// Whether it may be put off still.
    pub(super) fn may_wait(&self, now: Duration, options: &FeedOptions) -> bool {
        self.settling == Settling::MayGoOn && now.saturating_sub(self.first) < options.longest_wait
    }

    fn due(&self, options: &FeedOptions) -> Duration {
        match self.settling {
            Settling::Whole => Duration::ZERO,
            Settling::MayGoOn => (self.last + options.quiet).min(self.first + options.longest_wait),
        }
    }
}

/// Touches by path, at most one each.
#[derive(Debug, Default)]
pub(super) struct Pending {
    touches: BTreeMap<VfsPath, Touch>,
    order: u64,
}

impl Pending {
    /// Adds a touch. Of several of one path the latest counts. But what this program did itself is looked at at once, whoever
    /// else touched the path: often that is its own echo, and if not, then what is found is not what was expected.
    pub(super) fn touch(&mut self, path: &VfsPath, touch: Touch) {
        self.order += 1;
        let mut touch = Touch {
            order: self.order,
            ..touch
        };
        if let Some(known) = self.touches.get(path)
            && touch.cause.by == By::Outside
        {
            if known.cause.by == By::Own {
                return;
            }
            touch.first = known.first;
            touch.settling = known.settling.min(touch.settling);
        }
        self.touches.insert(path.clone(), touch);
    }

    /// Adds one that was taken, as it was.
    pub(super) fn put_back(&mut self, path: VfsPath, touch: Touch) {
        self.touches.entry(path).or_insert(touch);
    }

    /// Whether anything is waited for.
    pub(super) fn is_waiting(&self) -> bool {
        !self.touches.is_empty()
    }

    /// Takes out the paths whose time has come, in the order in which they were touched.
    pub(super) fn take_due(&mut self, now: Duration, options: &FeedOptions) -> Vec<(VfsPath, Touch)> {
        let is_due = |_: &VfsPath, touch: &mut Touch| touch.due(options) <= now;
        let mut due: Vec<(VfsPath, Touch)> = self.touches.extract_if(.., is_due).collect();
        due.sort_by_key(|(_, touch)| touch.order);
        due
    }

    pub(super) fn next_due(&self, options: &FeedOptions) -> Option<Duration> {
        self.touches.values().map(|touch| touch.due(options)).min()
    }
}
