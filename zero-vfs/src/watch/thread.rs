//! [`Poller`]: the thread that looks at a folder again and again.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Told;
use super::poll::Seen;

/// A thread that looks at a folder every so often, until this goes; then it is waited for.
#[derive(Debug)]
pub(super) struct Poller {
    interval: Duration,
    /// Dropped to end the thread.
    alive: Option<Sender<()>>,
    /// `None` where the system gave no thread.
    thread: Option<JoinHandle<()>>,
}

impl Poller {
    pub(super) fn start(told: Told, interval: Duration) -> Self {
        let (alive, ended) = channel::<()>();
        let message = told.clone();
        // Seen before this returns: what changes from then on is told.
        let mut before = Seen::look(&told.root);
        let work = move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let now = Seen::look(&told.root);
                now.changed_since(&before)
                    .iter()
                    .for_each(|path| match now.has(path) && before.has(path) {
                        true => told.touched(path),
                        false => told.came_or_went(path),
                    });
                before = now;
            }
        };
        let thread = std::thread::Builder::new().name("zero-vfs poll".into()).spawn(work);
        let thread = thread.inspect_err(|error| message.no_thread(error)).ok();
        let alive = Some(alive);
        Self {
            interval,
            alive,
            thread,
        }
    }

    pub(super) fn interval(&self) -> Duration {
        self.interval
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        drop(self.alive.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed by the thread itself.
            let _ = thread.join();
        }
    }
}
