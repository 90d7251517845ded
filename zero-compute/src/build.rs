//! What is built off the calling thread: programs before a list needs them, whole lists, the programs of one list side by
//! side.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::args::Args;
use crate::device::{Backend, Device, Inner};
use crate::error::{Error, Result};
use crate::kernel_ref::KernelRef;
use crate::list::{Code, CommandList, ProgramSlot};
use crate::queue::lock;
use crate::record::Recorder;
use crate::stats::Counters;

/// The stack of a thread that builds: as large as a main thread's, for compilers of shaders recurse.
const STACK_BYTES: usize = 8 << 20;

/// Work on a thread of its own. Dropped before the end, it waits: no thread is left behind.
#[derive(Debug)]
struct Task<T> {
    outcome: Arc<Mutex<Outcome<T>>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct Outcome<T> {
    is_over: bool,
    end: Option<Result<T>>,
    waker: Option<Waker>,
}

impl<T> Default for Outcome<T> {
    fn default() -> Self {
        Self {
            is_over: false,
            end: None,
            waker: None,
        }
    }
}

/// Says how the work ended, even where it ended in a panic.
struct Settling<T>(Arc<Mutex<Outcome<T>>>);

impl<T> Settling<T> {
    fn settle(&self, end: Result<T>) {
        let waker = {
            let mut outcome = lock(&self.0);
            if outcome.is_over {
                return;
            }
            (outcome.is_over, outcome.end) = (true, Some(end));
            outcome.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Drop for Settling<T> {
    fn drop(&mut self) {
        self.settle(Err(Error::BuildPanicked));
    }
}

impl<T: Send + 'static> Task<T> {
    /// Runs `work` on a thread of its own, or before this returns where it is `here` or there are no threads.
    fn spawn(here: bool, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<Self> {
        Self::spawn_on(thread(), here, work)
    }

    fn spawn_on(
        thread: std::thread::Builder,
        here: bool,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<Self> {
        let outcome: Arc<Mutex<Outcome<T>>> = Arc::default();
        let settling = Settling(outcome.clone());
        let run = move || settling.settle(work());
        if here || cfg!(target_arch = "wasm32") {
            run();
            return Ok(Self { outcome, thread: None });
        }
        let spawned = thread.spawn(run).map_err(|error| Error::NoThread {
            purpose: "to build on",
            message: error.to_string(),
        })?;
        Ok(Self {
            outcome,
            thread: Some(spawned),
        })
    }
}

impl<T> Task<T> {
    fn is_done(&self) -> bool {
        lock(&self.outcome).is_over
    }

    fn wait(mut self) -> Result<T> {
        self.join();
        lock(&self.outcome).end.take().unwrap_or(Err(Error::Taken))
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Result<T>> {
        let mut outcome = lock(&self.outcome);
        if outcome.is_over {
            return Poll::Ready(outcome.end.take().unwrap_or(Err(Error::Taken)));
        }
        outcome.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has settled as an end without an outcome.
            let _ = thread.join();
        }
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.join();
    }
}

fn thread() -> std::thread::Builder {
    std::thread::Builder::new()
        .name("zero-compute build".to_owned())
        .stack_size(STACK_BYTES)
}

/// What `work` makes of each item, in their order, on as many threads as the machine runs at once. It waits for all of
/// them; `None` is of an item whose work panicked.
#[cfg_attr(not(any(feature = "gpu", test)), expect(dead_code, reason = "a CPU builds nothing"))]
pub(crate) fn side_by_side<I: Sync, R: Send>(items: &[I], work: impl Fn(&I) -> R + Sync) -> Vec<Option<R>> {
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            let one = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(item)));
            lock(&made).push((at, one.ok()));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let spawn = |_| thread().spawn_scoped(scope, run).ok();
        let spawned: Vec<_> = (0..threads.min(items.len())).filter_map(spawn).collect();
        if spawned.is_empty() {
            run();
        }
        for thread in spawned {
            // It has no panic to tell of: they are caught where they are met.
            let _ = thread.join();
        }
    });
    let mut all: Vec<Option<R>> = items.iter().map(|_| None).collect();
    for (at, one) in lock(&made).drain(..) {
        if let Some(place) = all.get_mut(at) {
            *place = one;
        }
    }
    all
}

/// A program on its way; [`Device::build`] answers it. Wait for it, look, or `.await` it. Dropped before the end, it
/// waits: no thread is left behind.
#[derive(Debug)]
pub struct Building(Task<()>);

impl Building {
    /// Whether it has ended, well or not.
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// What [`Recorder::finish`](crate::Recorder::finish) would have met: [`Error::BadShader`], [`Error::BadSource`],
    /// [`Error::DeviceLost`].
    pub fn wait(self) -> Result<()> {
        self.0.wait()
    }
}

impl Future for Building {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll(context)
    }
}

/// A list on its way; [`Recorder::finish_async`] answers it. Wait for it, look, or `.await` it. Dropped before the end,
/// it waits: no thread is left behind.
#[derive(Debug)]
pub struct Finishing(Task<CommandList>);

impl Finishing {
    /// Whether it has ended, well or not.
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// Waits for the list.
    ///
    /// # Errors
    /// As [`Recorder::finish`].
    pub fn wait(self) -> Result<CommandList> {
        self.0.wait()
    }
}

impl Future for Finishing {
    type Output = Result<CommandList>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll(context)
    }
}

impl Recorder {
    /// As [`finish`](Self::finish), on a thread of its own, so that a frame need not wait while programs build; in a
    /// browser, which has none, before this returns. On a CPU device there is nothing to wait for.
    ///
    /// ```
    /// use zero_compute::{kernels, CpuOptions, Device, Domain};
    /// let device = Device::cpu(CpuOptions::default());
    /// let mut recorder = device.record("step");
    /// let numbers = kernels::ramp(&mut recorder, Domain::count(3), 5, 1)?;
    /// let finishing = recorder.finish_async()?;
    /// while !finishing.is_done() {
    ///     // ... a frame without it ...
    /// }
    /// finishing.wait()?.submit()?;
    /// assert_eq!(numbers.read::<i32>()?.wait()?, [5, 6, 7]);
    /// # Ok::<(), zero_compute::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoThread`] where the system gives none. What [`finish`](Self::finish) fails with is told by
    /// [`Finishing`].
    pub fn finish_async(self) -> Result<Finishing> {
        Task::spawn(!self.is_gpu(), move || self.finish()).map(Finishing)
    }
}

impl Device {
    /// Builds the program of a kernel before the first list needs it, on a thread of its own; in a browser, which has
    /// none, before this returns. `args` chooses the options, as in a dispatch; `live` says over which form of domain
    /// it will run. A list that is finished meanwhile waits for it and builds nothing twice. On a CPU device there is
    /// nothing to build, and the program is counted. [`Recorder::finish_async`] does it for a whole list.
    ///
    /// ```
    /// use zero_compute::{kernels, Args, CpuOptions, Device};
    /// let device = Device::cpu(CpuOptions::default());
    /// let building = device.build(&kernels::RAMP, Args::new(), false)?;
    /// // ... other work of a start ...
    /// building.wait()?;
    /// assert_eq!(device.stats().programs, 1);
    /// # Ok::<(), zero_compute::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownOption`] and its kin at once, [`Error::GpuOnly`] for a kernel that the device cannot run,
    /// [`Error::NoThread`] where the system gives none. What fails later is told by [`Building`].
    pub fn build(&self, kernel: impl Into<KernelRef>, args: Args, live: bool) -> Result<Building> {
        let code = crate::record::code(&kernel.into(), &args, live)?;
        if let (Backend::Cpu(_), Code::Kernel { kernel, .. }) = (&self.inner.backend, &code)
            && kernel.twin().is_none()
        {
            return Err(Error::GpuOnly {
                kernel: kernel.name().to_owned(),
            });
        }
        let inner = self.inner.clone();
        let is_cpu = matches!(self.inner.backend, Backend::Cpu(_));
        Task::spawn(is_cpu, move || build(&inner, &code, live)).map(Building)
    }
}

fn build(device: &Inner, code: &Code, live: bool) -> Result<()> {
    match &device.backend {
        Backend::Cpu(_) => meet(device, code, live),
        #[cfg(feature = "gpu")]
        Backend::Gpu(gpu) => gpu.program(device, code, live).map(|_| ()),
    }
}

/// Counts a program that a CPU device meets for the first time, so that the counts of both backends agree.
pub(crate) fn meet(device: &Inner, code: &Code, live: bool) -> Result<()> {
    let (_, is_new) = device.programs.get(code.key(live), || Ok(ProgramSlot::Cpu))?;
    Counters::add(&device.counters.programs, u64::from(is_new));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_side_by_side_is_done_once_in_order_and_on_other_threads() {
        let here = std::thread::current().id();
        let items: Vec<u32> = (0..40).collect();
        let done = AtomicUsize::new(0);
        let made = side_by_side(&items, |item| {
            done.fetch_add(1, Ordering::Relaxed);
            (item * 2, std::thread::current().id() != here)
        });
        assert_eq!(done.into_inner(), 40);
        let expected: Vec<_> = items.iter().map(|item| Some((item * 2, true))).collect();
        assert_eq!(made, expected);
        assert_eq!(side_by_side(&[0u32; 0], |item| *item), []);
    }

    #[test]
    fn a_panic_of_one_leaves_out_no_other() {
        let made = side_by_side(&[1u32, 2, 3, 4], |item| {
            assert!(*item != 2, "a test's own panic");
            *item
        });
        assert_eq!(made, [Some(1), None, Some(3), Some(4)]);
        let task = Task::<()>::spawn(false, || panic!("a test's own panic")).unwrap();
        assert_eq!(task.wait(), Err(Error::BuildPanicked));
    }

    #[test]
    fn where_there_is_no_thread_is_an_error_with_the_words_of_the_system() {
        let huge = || thread().stack_size(usize::MAX / 4);
        let error = Task::spawn_on(huge(), false, || Ok(())).unwrap_err();
        let Error::NoThread { purpose, message } = &error else {
            panic!("{error}")
        };
        assert_eq!(*purpose, "to build on");
        assert!(!message.is_empty());
        assert_eq!(error.to_string(), format!("no thread to build on: {message}"));
        // What runs here needs none.
        assert_eq!(Task::spawn_on(huge(), true, || Ok(7)).unwrap().wait(), Ok(7));
    }

    #[test]
    fn a_task_runs_elsewhere_and_wakes_who_waits() {
        let here = std::thread::current().id();
        let other = Task::spawn(false, move || Ok(std::thread::current().id() != here)).unwrap();
        assert_eq!(other.wait(), Ok(true));
        let at_once = Task::spawn(true, move || Ok(std::thread::current().id() == here)).unwrap();
        assert!(at_once.is_done());
        assert_eq!(at_once.wait(), Ok(true));
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let task = Task::spawn(false, move || gone.recv().map_err(|_| Error::Cancelled)).unwrap();
        assert!(!task.is_done());
        let waiting =
            std::thread::spawn(move || pollster::block_on(std::future::poll_fn(|context| task.poll(context))));
        go.send(()).unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(()));
    }
}
