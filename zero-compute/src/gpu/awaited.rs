//! Read-backs and submissions that futures wait for. wgpu calls back in a poll of its device alone, so while there are any
//! a thread polls; it ends with the last of them, whose future waits for its end: a thread that outlived the futures could
//! be the one that drops the device, at a time when the process is ending already.

use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::device::{Backend, Inner};
use crate::error::{Error, Result};
use crate::gpu::{PATIENCE_SECONDS, SLEEPS};
use crate::queue::{State, lock};
use crate::readback::Landing;

/// Something that a poll of the device ends, and that wakes who waits for it then.
pub(crate) trait Pending: std::fmt::Debug + Send + Sync {
    /// What it is, for messages.
    fn what(&self) -> &'static str;

    fn has_ended(&self) -> bool;

    /// Ends it.
    fn fail(&self, error: &Error);
}

impl Pending for Landing {
    fn what(&self) -> &'static str {
        "a read-back was awaited"
    }

    fn has_ended(&self) -> bool {
        self.is_landed()
    }

    fn fail(&self, error: &Error) {
        self.land(Err(error.clone()));
    }
}

impl Pending for State {
    fn what(&self) -> &'static str {
        "a submission was awaited"
    }

    fn has_ended(&self) -> bool {
        self.end().is_some()
    }

    fn fail(&self, error: &Error) {
        State::fail(self, error);
    }
}

/// What is waited for, and whether a thread polls for it.
#[derive(Debug, Default)]
pub(crate) struct Awaited {
    waiting: Mutex<Waiting>,
    /// Told when something is no longer waited for.
    rest: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    all: Vec<Waited>,
    is_polled: bool,
    /// The thread that polls, or polled last.
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Waited {
    pending: Weak<dyn Pending>,
    since: web_time::Instant,
}

impl Waiting {
    /// Lets go of what has ended or is waited for by nobody, and gives up on what the device is silent about. Answers
    /// whether anything is left.
    fn settle(&mut self, now: web_time::Instant, patience: Duration) -> bool {
        self.all.retain(|waited| {
            let Some(pending) = waited.pending.upgrade().filter(|pending| !pending.has_ended()) else {
                return false;
            };
            let is_patient = now.duration_since(waited.since) < patience;
            if !is_patient {
                pending.fail(&Error::Stalled {
                    what: pending.what(),
                    seconds: patience.as_secs() as u32,
                });
            }
            is_patient
        });
        !self.all.is_empty()
    }
}

impl Awaited {
    /// Adds what is waited for; answers whether nobody polls yet.
    fn add(&self, pending: &Arc<dyn Pending>) -> bool {
        let mut waiting = lock(&self.waiting);
        let is_known = |waited: &Waited| std::ptr::addr_eq(waited.pending.as_ptr(), Arc::as_ptr(pending));
        if !waiting.all.iter().any(is_known) {
            waiting.all.push(Waited {
                pending: Arc::downgrade(pending),
                since: web_time::Instant::now(),
            });
        }
        !std::mem::replace(&mut waiting.is_polled, true)
    }

    /// Settles what a poll has ended; answers how many are left, of which the thread polls on if there are any.
    fn go_on(&self, patience: Duration) -> usize {
        let mut waiting = lock(&self.waiting);
        waiting.is_polled = waiting.settle(web_time::Instant::now(), patience);
        waiting.all.len()
    }

    /// Fails all of them: nobody polls from here on.
    fn fail(&self, error: &Error) {
        let all = {
            let mut waiting = lock(&self.waiting);
            waiting.is_polled = false;
            std::mem::take(&mut waiting.all)
        };
        let all = all.iter().filter_map(|waited| waited.pending.upgrade());
        for pending in all.filter(|pending| !pending.has_ended()) {
            pending.fail(error);
        }
    }
}

impl Awaited {
    /// Notes that something is waited for no more. Where it was the last, the thread that polls has ended when this
    /// returns; it does so within a poll.
    pub(crate) fn let_go(&self, pending: &Arc<dyn Pending>) {
        let thread = {
            let mut waiting = lock(&self.waiting);
            let is_it = |waited: &Waited| std::ptr::addr_eq(waited.pending.as_ptr(), Arc::as_ptr(pending));
            waiting.all.retain(|waited| !is_it(waited));
            if !waiting.all.is_empty() {
                return;
            }
            waiting.thread.take()
        };
        self.rest.notify_all();
        // A waker may run the task where it is called, which is on that thread.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // Its end is all that counts.
            let _ = thread.join();
        }
    }

    /// Sleeps that long, or until something is waited for no more.
    fn sleep(&self, time: Duration) {
        let waiting = lock(&self.waiting);
        if !waiting.all.is_empty() {
            drop(self.rest.wait_timeout(waiting, time));
        }
    }
}

/// Sees to it that the waker of what the GPU was handed is called.
pub(crate) fn watch(device: &Arc<Inner>, awaited: &Arc<Awaited>, pending: &Arc<dyn Pending>) -> Result<()> {
    // A browser's event loop calls back by itself.
    if cfg!(target_arch = "wasm32") || !awaited.add(pending) {
        return Ok(());
    }
    let (device, polled) = (Arc::downgrade(device), awaited.clone());
    let spawned = std::thread::Builder::new()
        .name("zero-compute poll".to_owned())
        .spawn(move || poll_for(&device, &polled));
    let kept = spawned.map(|thread| lock(&awaited.waiting).thread.replace(thread));
    // One that polled before is at its end.
    let ended = kept.map(|last| last.map_or(Ok(()), JoinHandle::join));
    ended.map(drop).map_err(|error| {
        let error = Error::NoThread {
            purpose: "to poll on",
            message: error.to_string(),
        };
        awaited.fail(&error);
        error
    })
}

/// Polls until nothing is waited for. It holds the device while it polls, and not while it sleeps.
fn poll_for(device: &Weak<Inner>, awaited: &Awaited) {
    let (mut sleep, mut known) = (SLEEPS.0, 0);
    loop {
        awaited.sleep(sleep);
        // A future that waits holds its device.
        let Some(device) = device.upgrade() else { return };
        let Backend::Gpu(gpu) = &device.backend else { return };
        if let Err(error) = gpu.take_in() {
            awaited.fail(&error);
            return;
        }
        let left = awaited.go_on(Duration::from_secs(u64::from(PATIENCE_SECONDS)));
        if left == 0 {
            return;
        }
        // What has come meanwhile may be short.
        sleep = if left > known {
            SLEEPS.0
        } else {
            (sleep * 2).min(SLEEPS.1)
        };
        known = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_polls_for_what_has_not_ended_and_somebody_waits_for() {
        let awaited = Awaited::default();
        let landing = || Arc::new(Landing::default());
        let known = |landing: &Arc<Landing>| -> Arc<dyn Pending> { landing.clone() };
        let (a, b, c) = (landing(), landing(), landing());
        assert!(awaited.add(&known(&a)), "nobody polls yet");
        assert!(!awaited.add(&known(&b)) && !awaited.add(&known(&a)) && !awaited.add(&known(&c)));
        let hour = Duration::from_secs(3600);
        assert_eq!(awaited.go_on(hour), 3, "each is known once");
        drop(c);
        assert_eq!(awaited.go_on(hour), 2);
        a.land(Ok(vec![1]));
        assert_eq!(awaited.go_on(hour), 1);
        assert!(!awaited.add(&known(&b)), "it is polled for");
        b.land(Ok(vec![2]));
        assert_eq!(awaited.go_on(hour), 0);
        let d = landing();
        assert!(awaited.add(&known(&d)), "the thread has ended");
        assert_eq!(awaited.go_on(Duration::ZERO), 0);
        assert!(matches!(d.take(), Some(Err(Error::Stalled { .. }))));
        let (e, list) = (landing(), Arc::new(State::default()));
        let of_list: Arc<dyn Pending> = list.clone();
        assert!(awaited.add(&known(&e)) && !awaited.add(&of_list));
        assert_eq!(awaited.go_on(hour), 2);
        awaited.fail(&Error::Abandoned);
        assert_eq!(e.take(), Some(Err(Error::Abandoned)));
        assert_eq!(list.end(), Some(Err(Error::Abandoned)));
        assert!(
            awaited.add(&known(&landing())),
            "who comes after a failure is polled for anew"
        );
    }
}
