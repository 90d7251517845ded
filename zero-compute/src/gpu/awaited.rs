//! Read-backs and submissions that futures wait for. wgpu calls back in a poll of its device alone, so while there are any
//! a thread polls. It ends with the last of them, whose future waits for its end: a thread that outlived the futures could
//! be the one that drops the device, at a time when the process is ending already.
//!
//! Each such thread is of a round. The round is over when nothing is waited for, and what comes later begins another: a
//! future that waits for the end of a thread must not wait for what that thread would poll for next.

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

/// The end of a submission, as one of the futures waits for it that may be of it: one that is dropped lets go of none of
/// the others.
#[derive(Debug)]
pub(crate) struct End(pub(crate) Arc<State>);

impl Pending for End {
    fn what(&self) -> &'static str {
        "a submission was awaited"
    }

    fn has_ended(&self) -> bool {
        self.0.end().is_some()
    }

    fn fail(&self, error: &Error) {
        self.0.fail(error);
    }
}

/// What is waited for, and the thread that polls for it.
#[derive(Debug, Default)]
pub(crate) struct Awaited {
    waiting: Mutex<Waiting>,
    /// Told when the thread that polls is to end.
    rest: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    all: Vec<Waited>,
    is_polled: bool,
    /// Which thread polls, of all that did: an earlier one ends when it next looks.
    round: u64,
    /// The thread of this round, and those of earlier ones that nobody has joined.
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Waited {
    pending: Weak<dyn Pending>,
    since: web_time::Instant,
}

impl Waited {
    fn is(&self, pending: &Arc<dyn Pending>) -> bool {
        std::ptr::addr_eq(self.pending.as_ptr(), Arc::as_ptr(pending))
    }
}

impl Waiting {
    /// Adds what is waited for; answers whether nobody polls yet, which the caller is to change.
    fn add(&mut self, pending: &Arc<dyn Pending>) -> bool {
        if !self.all.iter().any(|waited| waited.is(pending)) {
            self.all.push(Waited {
                pending: Arc::downgrade(pending),
                since: web_time::Instant::now(),
            });
        }
        !std::mem::replace(&mut self.is_polled, true)
    }

    /// Ends the round: the thread that polls ends when it next looks, and who comes later is polled for by another.
    fn end(&mut self) {
        self.is_polled = false;
        self.round += 1;
    }

    /// The threads to join, which are at their end or will be soon. One does not join itself: a waker may run the task
    /// where it is called, which is there.
    fn take_threads(&mut self) -> Vec<JoinHandle<()>> {
        let here = std::thread::current().id();
        let (own, others) = std::mem::take(&mut self.threads)
            .into_iter()
            .partition(|thread| thread.thread().id() == here);
        self.threads = own;
        others
    }

    /// Lets go of what has ended or is waited for by nobody. Answers those about which the device is silent for too long.
    fn settle(&mut self, now: web_time::Instant, patience: Duration) -> Vec<Arc<dyn Pending>> {
        let mut given_up = Vec::new();
        self.all.retain(|waited| {
            let Some(pending) = waited.pending.upgrade().filter(|pending| !pending.has_ended()) else {
                return false;
            };
            let is_patient = now.duration_since(waited.since) < patience;
            if !is_patient {
                given_up.push(pending);
            }
            is_patient
        });
        given_up
    }
}

impl Awaited {
    /// Settles what a poll has ended; answers how many are left for the thread of that round to poll for.
    fn go_on(&self, round: u64, patience: Duration) -> usize {
        let (given_up, left) = {
            let mut waiting = lock(&self.waiting);
            let given_up = waiting.settle(web_time::Instant::now(), patience);
            if waiting.all.is_empty() && waiting.round == round {
                waiting.end();
            }
            let left = if waiting.round == round { waiting.all.len() } else { 0 };
            (given_up, left)
        };
        // Whoever is woken may run here, and let go.
        for pending in given_up {
            pending.fail(&Error::Stalled {
                what: pending.what(),
                seconds: patience.as_secs() as u32,
            });
        }
        left
    }

    /// Fails all of them: nobody polls from here on.
    fn fail(&self, error: &Error) {
        let all = {
            let mut waiting = lock(&self.waiting);
            waiting.end();
            std::mem::take(&mut waiting.all)
        };
        let all = all.iter().filter_map(|waited| waited.pending.upgrade());
        for pending in all.filter(|pending| !pending.has_ended()) {
            pending.fail(error);
        }
    }

    /// Notes that something is waited for no more. Where it was the last, the thread that polled has ended when this
    /// returns; it does so within a poll.
    pub(crate) fn let_go(&self, pending: &Arc<dyn Pending>) {
        let threads = {
            let mut waiting = lock(&self.waiting);
            waiting.all.retain(|waited| !waited.is(pending));
            if !waiting.all.is_empty() {
                return;
            }
            waiting.end();
            waiting.take_threads()
        };
        self.rest.notify_all();
        join(threads);
    }

    /// Ends the thread that polls, if there is one.
    pub(crate) fn close(&self) {
        let threads = {
            let mut waiting = lock(&self.waiting);
            waiting.end();
            waiting.take_threads()
        };
        self.rest.notify_all();
        join(threads);
    }

    /// Sleeps that long, or until the round of the thread is over.
    fn sleep(&self, round: u64, time: Duration) {
        let waiting = lock(&self.waiting);
        if waiting.round == round {
            drop(self.rest.wait_timeout(waiting, time));
        }
    }
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        // Its end is all that counts.
        let _ = thread.join();
    }
}

/// Sees to it that the waker of what the GPU was handed is called.
pub(crate) fn watch(device: &Arc<Inner>, awaited: &Arc<Awaited>, pending: &Arc<dyn Pending>) -> Result<()> {
    let thread = std::thread::Builder::new().name("zero-compute poll".to_owned());
    watch_on(thread, device, awaited, pending)
}

fn watch_on(
    thread: std::thread::Builder,
    device: &Arc<Inner>,
    awaited: &Arc<Awaited>,
    pending: &Arc<dyn Pending>,
) -> Result<()> {
    // A browser's event loop calls back by itself.
    if cfg!(target_arch = "wasm32") {
        return Ok(());
    }
    let mut waiting = lock(&awaited.waiting);
    if !waiting.add(pending) {
        return Ok(());
    }
    // With the lock, so that no other thread of a later round can come to stand here before it.
    let (round, weak, polled) = (waiting.round, Arc::downgrade(device), awaited.clone());
    match thread.spawn(move || poll_for(round, &weak, &polled)) {
        Ok(thread) => {
            let earlier = waiting.take_threads();
            waiting.threads.push(thread);
            drop(waiting);
            join(earlier);
            Ok(())
        }
        Err(error) => {
            drop(waiting);
            let error = Error::NoThread {
                purpose: "to poll on",
                message: error.to_string(),
            };
            awaited.fail(&error);
            Err(error)
        }
    }
}

/// Polls until nothing is waited for. It holds the device while it polls, and not while it sleeps.
fn poll_for(round: u64, device: &Weak<Inner>, awaited: &Awaited) {
    let (mut sleep, mut known) = (SLEEPS.0, 0);
    loop {
        awaited.sleep(round, sleep);
        // A future that waits holds its device.
        let Some(device) = device.upgrade() else { return };
        let Backend::Gpu(gpu) = &device.backend else { return };
        if let Err(error) = gpu.take_in() {
            awaited.fail(&error);
            return;
        }
        let left = awaited.go_on(round, Duration::from_secs(u64::from(PATIENCE_SECONDS)));
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
    use std::future::IntoFuture;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn landing() -> (Arc<Landing>, Arc<dyn Pending>) {
        let landing = Arc::new(Landing::default());
        (landing.clone(), landing)
    }

    fn add(awaited: &Awaited, pending: &Arc<dyn Pending>) -> bool {
        lock(&awaited.waiting).add(pending)
    }

    fn round(awaited: &Awaited) -> u64 {
        lock(&awaited.waiting).round
    }

    #[test]
    fn one_thread_polls_for_what_has_not_ended_and_somebody_waits_for() {
        let awaited = Awaited::default();
        let ((a, of_a), (b, of_b), (c, of_c)) = (landing(), landing(), landing());
        assert!(add(&awaited, &of_a), "nobody polls yet");
        assert!(!add(&awaited, &of_b) && !add(&awaited, &of_a) && !add(&awaited, &of_c));
        assert_eq!(awaited.go_on(0, HOUR), 3, "each is known once");
        drop((c, of_c));
        assert_eq!(awaited.go_on(0, HOUR), 2);
        a.land(Ok(vec![1]));
        assert_eq!(awaited.go_on(0, HOUR), 1);
        assert!(!add(&awaited, &of_b), "it is polled for");
        b.land(Ok(vec![2]));
        assert_eq!(awaited.go_on(0, HOUR), 0);
        let (d, of_d) = landing();
        assert!(add(&awaited, &of_d), "the thread has ended");
        assert_eq!(awaited.go_on(round(&awaited), Duration::ZERO), 0);
        assert!(matches!(d.take(), Some(Err(Error::Stalled { .. }))));
        let ((e, of_e), list) = (landing(), Arc::new(State::default()));
        let of_list: Arc<dyn Pending> = Arc::new(End(list.clone()));
        assert!(add(&awaited, &of_e) && !add(&awaited, &of_list));
        assert_eq!(awaited.go_on(round(&awaited), HOUR), 2);
        awaited.fail(&Error::Abandoned);
        assert_eq!(e.take(), Some(Err(Error::Abandoned)));
        assert_eq!(list.end(), Some(Err(Error::Abandoned)));
        assert!(add(&awaited, &of_a), "who comes after a failure is polled for anew");
    }

    #[test]
    fn a_thread_polls_for_none_that_come_after_its_round() {
        let awaited = Awaited::default();
        let ((_a, of_a), (_b, of_b)) = (landing(), landing());
        assert!(add(&awaited, &of_a));
        awaited.let_go(&of_a);
        assert!(add(&awaited, &of_b), "another thread is to poll for it");
        let now = round(&awaited);
        assert_eq!(awaited.go_on(0, HOUR), 0, "the first ends");
        assert_eq!(awaited.go_on(now, HOUR), 1, "and leaves the second to its own");
        let start = web_time::Instant::now();
        awaited.sleep(0, HOUR);
        assert!(start.elapsed() < HOUR, "it does not sleep any more");
    }

    #[test]
    fn a_future_that_is_dropped_lets_go_of_no_other_of_the_same_list() {
        let (awaited, list) = (Awaited::default(), Arc::new(State::default()));
        let [first, second]: [Arc<dyn Pending>; 2] = [(); 2].map(|()| Arc::new(End(list.clone())) as Arc<dyn Pending>);
        assert!(add(&awaited, &first) && !add(&awaited, &second));
        awaited.let_go(&first);
        assert_eq!(awaited.go_on(0, HOUR), 1);
    }

    #[test]
    fn who_is_given_up_on_may_let_go_where_it_is_woken() {
        struct LetsGo(Arc<Awaited>, Arc<dyn Pending>);
        impl std::task::Wake for LetsGo {
            fn wake(self: Arc<Self>) {
                self.0.let_go(&self.1);
            }
        }
        let (awaited, list) = (Arc::new(Awaited::default()), Arc::new(State::default()));
        let pending: Arc<dyn Pending> = Arc::new(End(list.clone()));
        list.wake_at_end(&Arc::new(LetsGo(awaited.clone(), pending.clone())).into());
        assert!(add(&awaited, &pending));
        assert_eq!(awaited.go_on(0, Duration::ZERO), 0);
        assert!(matches!(list.end(), Some(Err(Error::Stalled { .. }))));
    }

    /// The thread holds the device while it polls, and it is in a poll that it wakes who waits.
    #[test]
    fn nobody_holds_the_device_once_a_future_is_over() {
        let software = crate::GpuOptions {
            software: true,
            ..crate::GpuOptions::default()
        };
        let device = match crate::Device::gpu_blocking(software) {
            Ok(device) => device,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "CI needs a software adapter: {error}");
                eprintln!("SKIPPED ON A GPU: {error}");
                return;
            }
        };
        let column = device.upload(&[7u32; 1000], 1).unwrap();
        let mut rec = device.record("fill");
        rec.fill(&column, 8).unwrap();
        let list = rec.finish().unwrap();
        pollster::block_on(column.read::<u32>().unwrap()).unwrap();
        let held = Arc::strong_count(&device.inner);
        for round in 0..200 {
            let submission = list.submit().unwrap();
            pollster::block_on(submission.into_future()).unwrap();
            assert_eq!(Arc::strong_count(&device.inner), held, "round {round}: a submission");
            let words = pollster::block_on(column.read::<u32>().unwrap()).unwrap();
            assert_eq!(words, [8; 1000]);
            assert_eq!(Arc::strong_count(&device.inner), held, "round {round}: a read-back");
        }
        let Backend::Gpu(gpu) = &device.inner.backend else {
            panic!("it is a GPU")
        };
        assert!(lock(&gpu.awaited.waiting).threads.is_empty());
    }

    #[test]
    fn where_there_is_no_thread_nothing_is_waited_for() {
        let device = crate::Device::cpu(crate::CpuOptions::default());
        let (awaited, (landing, pending)) = (Arc::new(Awaited::default()), landing());
        let huge = std::thread::Builder::new().stack_size(usize::MAX / 4);
        let error = watch_on(huge, &device.inner, &awaited, &pending).unwrap_err();
        assert!(
            matches!(
                error,
                Error::NoThread {
                    purpose: "to poll on",
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(landing.take(), Some(Err(error)));
        assert!(add(&awaited, &pending), "the next who comes tries again");
    }
}
