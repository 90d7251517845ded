//! Reading a column back, asynchronous first.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::column::{Column, Word};
use crate::device::{Backend, Device, Inner};
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::pool::Buffer;
use crate::queue::{Job, lock};
use crate::spoil::Spoiled;
use crate::stats::Counters;

/// Where a read-back lands.
#[derive(Debug, Default)]
pub(crate) struct Landing(Mutex<Landed>);

#[derive(Debug, Default)]
struct Landed {
    words: Option<Result<Vec<u32>>>,
    /// Whether the words were here and were handed out.
    is_taken: bool,
    waker: Option<Waker>,
}

impl Landing {
    pub(crate) fn land(&self, words: Result<Vec<u32>>) {
        let waker = {
            let mut landed = lock(&self.0);
            landed.words = Some(words);
            landed.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The words, once: afterwards it answers that they were taken. `None` where they are not here yet.
    pub(crate) fn take(&self) -> Option<Result<Vec<u32>>> {
        let mut landed = lock(&self.0);
        if landed.is_taken {
            return Some(Err(Error::Taken));
        }
        let words = landed.words.take();
        landed.is_taken = words.is_some();
        words
    }

    /// Whether nothing more is to be waited for.
    pub(crate) fn is_landed(&self) -> bool {
        let landed = lock(&self.0);
        landed.is_taken || landed.words.is_some()
    }

    fn is_taken(&self) -> bool {
        lock(&self.0).is_taken
    }
}

/// A read-back in the queue.
#[derive(Clone, Debug)]
pub(crate) struct ReadJob {
    pub(crate) buffer: Arc<Buffer>,
    pub(crate) count: Option<Arc<Buffer>>,
    pub(crate) capacity: u32,
    pub(crate) lanes: u32,
    pub(crate) landing: Arc<Landing>,
}

impl ReadJob {
    pub(crate) fn run(&self, device: &Inner) -> Result<()> {
        match &device.backend {
            Backend::Cpu(_) => {
                let count = self.count.as_ref().and_then(|c| c.cpu_read()?.first().copied());
                let words = self.live_words(count);
                let all = self.buffer.cpu_read();
                let front = all
                    .as_deref()
                    .and_then(|all| all.get(..words))
                    .unwrap_or_default()
                    .to_vec();
                landed(device, &self.landing, front);
                Ok(())
            }
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => gpu.read(device, self),
        }
    }

    pub(crate) fn fail(&self, error: Error) {
        self.landing.land(Err(error));
    }

    /// The error of the list that would have written what is read, where it failed.
    pub(crate) fn spoiled(&self, spoiled: &Spoiled) -> Option<Error> {
        let count = self.count.as_ref().and_then(|count| spoiled.of(count.id));
        count.or_else(|| spoiled.of(self.buffer.id))
    }

    /// The refusal of what nothing has written.
    pub(crate) fn unwritten(&self) -> Option<Error> {
        if self.count.as_ref().is_some_and(|count| !count.is_written()) {
            return Some(Error::Unwritten {
                what: "the live count of a column",
            });
        }
        let is_unwritten = self.live_words(None) > 0 && !self.buffer.is_written();
        is_unwritten.then_some(Error::Unwritten { what: "a column" })
    }

    /// Words of the live front, given the count where there is one.
    pub(crate) fn live_words(&self, count: Option<u32>) -> usize {
        count.map_or(self.capacity, |c| c.min(self.capacity)) as usize * self.lanes as usize
    }
}

pub(crate) fn landed(device: &Inner, landing: &Landing, words: Vec<u32>) {
    Counters::add(&device.counters.readback_bytes, words.len() as u64 * 4);
    device.landed.fetch_add(1, Ordering::AcqRel);
    landing.land(Ok(words));
}

/// Words on their way from a device: what a column holds after everything submitted before has run.
///
/// [`wait`](Self::wait) for them, look with [`try_take`](Self::try_take) after [`Device::poll`], or `.await` them: a
/// future runs what is queued where it is polled, then sleeps until it is woken. While any is awaited on a GPU a thread
/// looks for them every 50 us to 1 ms; in a browser the event loop does. Dropping it drops the words.
#[must_use = "the words arrive here"]
pub struct Readback<T> {
    device: Device,
    landing: Arc<Landing>,
    word: PhantomData<fn() -> T>,
}

impl<T: Word> Readback<T> {
    pub(crate) fn request(column: &Column) -> Result<Self> {
        let device = column.device().clone();
        let landing = Arc::new(Landing::default());
        Counters::add(&device.inner.counters.readbacks, 1);
        device.inner.push(Job::Read(ReadJob {
            buffer: column.buffer().clone(),
            count: column.count_buffer().cloned(),
            capacity: column.capacity(),
            lanes: column.lanes(),
            landing: landing.clone(),
        }));
        Ok(Self {
            device,
            landing,
            word: PhantomData,
        })
    }

    /// Drives the device until the words are here.
    ///
    /// # Errors
    /// The error of the list that would have written the column, or something that it was made from, where it failed;
    /// [`Error::Unwritten`] where no list that writes it has run;
    /// [`Error::Stalled`] and [`Error::DeviceLost`] on a GPU; [`Error::Taken`] after they were taken. Other work that fails meanwhile is told to its own caller,
    /// and to the next [`Device::drive`].
    pub fn wait(self) -> Result<Vec<T>> {
        self.wait_with(&Exec::default())
    }

    /// As [`wait`](Self::wait), but it can be cancelled between slices. The budget is not looked at: a wait ends when
    /// the words are here.
    ///
    /// # Errors
    /// As [`wait`](Self::wait), and [`Error::Cancelled`].
    pub fn wait_with(self, exec: &Exec<'_>) -> Result<Vec<T>> {
        let exec = Exec {
            budget_ms: None,
            ..*exec
        };
        if !self.landing.is_landed() {
            self.device.inner.advance(&exec)?;
        }
        #[cfg(feature = "gpu")]
        if let Backend::Gpu(gpu) = &self.device.inner.backend {
            gpu.wait_for("a read-back was waited for", exec.cancel, &|| self.landing.is_landed())?;
        }
        let words = self.landing.take().unwrap_or(Err(Error::Taken));
        words.map(words_of).map_err(|error| self.device.inner.explain(error))
    }

    /// The words, once they are here. After they were taken it answers `None`.
    pub fn try_take(&mut self) -> Option<Result<Vec<T>>> {
        if self.landing.is_taken() {
            return None;
        }
        self.landing.take().map(|words| words.map(words_of))
    }
}

impl<T: Word> Future for Readback<T> {
    type Output = Result<Vec<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !self.landing.is_landed() {
            lock(&self.landing.0).waker = Some(context.waker().clone());
            if let Err(error) = self.device.inner.advance(&Exec::default()) {
                return Poll::Ready(Err(error));
            }
        }
        match self.landing.take() {
            Some(words) => Poll::Ready(words.map(words_of)),
            None => self.pending(),
        }
    }
}

impl<T> Readback<T> {
    /// What is not here is on its way on a GPU, whose poller wakes who waits; a CPU has run it, or never will.
    fn pending(&self) -> Poll<Result<Vec<T>>> {
        match &self.device.inner.backend {
            Backend::Cpu(_) => Poll::Ready(Err(Error::Abandoned)),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                let landing: Arc<dyn crate::gpu::Pending> = self.landing.clone();
                match gpu.watch(&self.device.inner, &landing) {
                    Ok(()) => Poll::Pending,
                    Err(error) => Poll::Ready(Err(error)),
                }
            }
        }
    }
}

/// The thread that polls for a future ends with it.
#[cfg(feature = "gpu")]
impl<T> Drop for Readback<T> {
    fn drop(&mut self) {
        if let Backend::Gpu(gpu) = &self.device.inner.backend {
            let landing: Arc<dyn crate::gpu::Pending> = self.landing.clone();
            gpu.let_go(&landing);
        }
    }
}

fn words_of<T: Word>(words: Vec<u32>) -> Vec<T> {
    bytemuck::cast_vec(words)
}

impl<T> std::fmt::Debug for Readback<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Readback")
            .field("is_landed", &self.landing.is_landed())
            .finish()
    }
}
