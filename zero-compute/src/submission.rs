//! A list that was submitted: whether it has run, and how it ended.

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::device::{Backend, Device};
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::queue::State;

/// A list on its way: [`wait`](Self::wait) for its end, look with [`is_done`](Self::is_done) after [`Device::poll`], or
/// `.await` it. Dropping it changes nothing.
///
/// ```
/// use zero_compute::*;
/// let device = Device::cpu(CpuOptions::default());
/// let column = device.column(Element::U32, 1, 4)?;
/// let mut rec = device.record("fill");
/// rec.fill(&column, 7)?;
/// let list = rec.finish()?;
///
/// let submission = list.submit()?;
/// submission.wait(&Exec::default())?; // nothing is read back
/// assert!(submission.is_done());
///
/// let again = list.submit()?;
/// pollster::block_on(async { again.await })?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Submission {
    pub(crate) state: Arc<State>,
    pub(crate) device: Device,
}

impl Submission {
    /// Whether the list ran to its end. On a GPU that shows after the [`Device::poll`] that takes it in.
    pub fn is_done(&self) -> bool {
        self.state.is_done()
    }

    /// The error that ended it: its own, or that of a list that failed and would have written what it reads.
    pub fn error(&self) -> Option<Error> {
        self.state.error()
    }

    /// Drives the device until the list has run, on a GPU until the GPU is through with it. It can be cancelled between
    /// slices, and goes on at the next drive then. The budget is not looked at: a wait ends when the list does.
    ///
    /// # Errors
    /// [`Submission::error`] where there is one, [`Error::Abandoned`], [`Error::Cancelled`]; [`Error::Stalled`] and
    /// [`Error::DeviceLost`] on a GPU. Other work that fails meanwhile is told to its own caller, and to a later
    /// [`Device::drive`].
    pub fn wait(&self, exec: &Exec<'_>) -> Result<()> {
        let exec = Exec {
            budget_ms: None,
            ..*exec
        };
        if self.state.end().is_none() {
            self.device.inner.advance(&exec)?;
        }
        #[cfg(feature = "gpu")]
        if let Backend::Gpu(gpu) = &self.device.inner.backend {
            let is_over = || self.state.end().is_some();
            gpu.wait_for("a submission was waited for", exec.cancel, &is_over)?;
        }
        // The queue is empty, and what leaves it has ended.
        self.state.end().unwrap_or(Err(Error::Abandoned))
    }

    /// Takes the list out of the queue where it has not run to its end. What it wrote up to then stays; the columns
    /// that it would have written keep what they held, and those that nothing has written before are refused to whoever
    /// reads them ([`Error::Unwritten`]).
    pub fn abandon(&self) {
        self.state.abandon();
    }
}

impl IntoFuture for Submission {
    type Output = Result<()>;
    type IntoFuture = Ending;

    /// The end of the list, with the errors of [`Submission::wait`].
    fn into_future(self) -> Ending {
        Ending {
            #[cfg(feature = "gpu")]
            pending: Arc::new(crate::gpu::End(self.state.clone())),
            submission: self,
        }
    }
}

impl IntoFuture for &Submission {
    type Output = Result<()>;
    type IntoFuture = Ending;

    fn into_future(self) -> Ending {
        self.clone().into_future()
    }
}

/// The future of a [`Submission`]'s end.
#[derive(Debug)]
#[must_use = "a future does nothing before it is awaited"]
pub struct Ending {
    submission: Submission,
    /// What the thread that polls knows this future by.
    #[cfg(feature = "gpu")]
    pending: Arc<dyn crate::gpu::Pending>,
}

impl Future for Ending {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let Submission { state, device } = &self.submission;
        if state.end().is_none() {
            state.wake_at_end(context.waker());
            if let Err(error) = device.inner.advance(&Exec::default()) {
                return Poll::Ready(Err(error));
            }
        }
        match (state.end(), &device.inner.backend) {
            (Some(end), _) => Poll::Ready(end),
            // The queue is empty, and what leaves it has ended.
            (None, Backend::Cpu(_)) => Poll::Ready(Err(Error::Abandoned)),
            #[cfg(feature = "gpu")]
            (None, Backend::Gpu(gpu)) => match gpu.watch(&device.inner, &self.pending) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        }
    }
}

/// The thread that polls for a future ends with it.
#[cfg(feature = "gpu")]
impl Drop for Ending {
    fn drop(&mut self) {
        if let Backend::Gpu(gpu) = &self.submission.device.inner.backend {
            gpu.let_go(&self.pending);
        }
    }
}
