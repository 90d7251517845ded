//! The GPU backend, over wgpu.

mod adapter;
mod awaited;
mod compile;
mod open;
mod parts;
mod probe;
mod read;
mod run;
mod scope;
mod times;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::device::Inner;
use crate::error::{Error, Result};
use crate::exec::CancelToken;
use crate::pool::Buffer;
use crate::queue::{State, lock};

#[cfg(not(target_arch = "wasm32"))]
pub use adapter::adapters_blocking;
pub use adapter::{Adapter, Lack, adapters};
pub(crate) use awaited::{End, Pending};
pub(crate) use compile::{GpuList, GpuPass, Program, storage_buffers};
pub use open::{GpuOptions, Limits, REQUIRED_FEATURES, REQUIRED_LIMITS};

/// How long a GPU may be silent before a wait gives up.
const PATIENCE_SECONDS: u32 = 120;
/// How long a wait only yields before it begins to sleep: about what a short list and its copy take.
const EAGER: Duration = Duration::from_micros(200);
/// The first and the longest sleep of a wait; each is twice the one before.
const SLEEPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

/// Whose the wgpu device is, and with it the callbacks for its loss and for errors that nobody captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Us,
    Host,
}

#[derive(Debug)]
pub(crate) struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    owner: Owner,
    lost: Arc<Lost>,
    staging: Arc<read::Staging>,
    finished: Arc<Finished>,
    awaited: Arc<awaited::Awaited>,
    /// Calls that a test has refused for want of memory.
    #[cfg(test)]
    refused: std::sync::atomic::AtomicU32,
}

/// Lists that wgpu called done, until the poll that took them in is over. A device that was destroyed drops what it is
/// handed and calls it done; that it is lost shows at the end of the same poll.
#[derive(Debug, Default)]
pub(crate) struct Finished(Mutex<Vec<Arc<State>>>);

impl Finished {
    pub(crate) fn add(&self, state: Arc<State>) {
        lock(&self.0).push(state);
    }

    fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    fn settle(&self, end: &Result<()>) {
        for state in lock(&self.0).drain(..) {
            match end {
                Ok(()) => state.finish(),
                Err(error) => state.fail(error),
            }
        }
    }
}

/// Why the device is gone, once it is.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    is_lost: AtomicBool,
    reason: Mutex<String>,
}

impl Lost {
    /// The first reason is kept.
    fn set(&self, reason: String) {
        let mut kept = lock(&self.reason);
        if !kept.is_empty() {
            return;
        }
        *kept = reason;
        self.is_lost.store(true, Ordering::Release);
    }

    fn check(&self) -> Result<()> {
        if self.is_lost.load(Ordering::Acquire) {
            return Err(Error::DeviceLost {
                reason: lock(&self.reason).clone(),
            });
        }
        Ok(())
    }
}

/// No thread is left behind.
impl Drop for Gpu {
    fn drop(&mut self) {
        self.awaited.close();
    }
}

impl Gpu {
    pub(crate) fn new(device: wgpu::Device, queue: wgpu::Queue, owner: Owner) -> Self {
        Self {
            device,
            queue,
            owner,
            lost: Arc::default(),
            staging: Arc::default(),
            finished: Arc::default(),
            awaited: Arc::default(),
            #[cfg(test)]
            refused: std::sync::atomic::AtomicU32::new(0),
        }
    }

    pub(crate) fn handles(&self) -> (&wgpu::Device, &wgpu::Queue) {
        (&self.device, &self.queue)
    }

    /// Hears of the device's loss. A host's device has a callback of its own, which this would replace.
    pub(crate) fn watch_for_loss(&self) {
        let lost = self.lost.clone();
        self.device
            .set_device_lost_callback(move |reason, message| lost.set(format!("{reason:?}: {message}")));
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.lost.check()
    }

    /// Words between the params of two dispatches.
    pub(crate) fn param_align_words(&self) -> usize {
        (self.device.limits().min_uniform_buffer_offset_alignment.max(16) / 4) as usize
    }

    pub(crate) fn create_buffer(&self, bytes: u64, what: &dyn Fn() -> String) -> Result<wgpu::Buffer> {
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::VERTEX
            | wgpu::BufferUsages::INDEX
            | wgpu::BufferUsages::INDIRECT;
        self.buffer(bytes, usage, what)
    }

    fn buffer(&self, bytes: u64, usage: wgpu::BufferUsages, what: &dyn Fn() -> String) -> Result<wgpu::Buffer> {
        self.check()?;
        let descriptor = wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage,
            mapped_at_creation: false,
        };
        self.guarded(what, bytes, || self.device.create_buffer(&descriptor))
    }

    /// Zeros the first bytes of a buffer before anything that is submitted later.
    pub(crate) fn clear(&self, buffer: &wgpu::Buffer, bytes: u64) -> Result<()> {
        self.guarded(&|| "a clear".to_owned(), bytes, || {
            let mut encoder = self
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None });
            encoder.clear_buffer(buffer, 0, Some(bytes));
            self.queue.submit([encoder.finish()]);
        })
    }

    pub(crate) fn write(&self, buffer: &Buffer, bytes: &[u8]) -> Result<()> {
        self.check()?;
        let Some(buffer) = buffer.gpu().filter(|_| !bytes.is_empty()) else {
            return Ok(());
        };
        let what = || "an upload".to_owned();
        self.guarded(&what, bytes.len() as u64, || self.queue.write_buffer(buffer, 0, bytes))
    }

    /// Takes in what the GPU has finished, without waiting. This is the one place that polls.
    pub(crate) fn take_in(&self) -> Result<()> {
        // Where the driver says in a poll that the device is lost, wgpu calls back and then panics, for a poll has no
        // error for it. A lost device is for the host to get over, so the panic ends here.
        let poll = || self.device.poll(wgpu::PollType::Poll);
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(poll)).is_err() {
            self.lost.set("wgpu could not poll the device".to_owned());
        }
        if !self.finished.is_empty() {
            self.look_for_loss();
        }
        let end = self.check();
        self.finished.settle(&end);
        end
    }

    /// Finds out whether a host's device is gone; its callback is the host's. A device that is there refuses a buffer of
    /// these usages, and one that is lost refuses nothing any more, and makes nothing.
    fn look_for_loss(&self) {
        if self.owner == Owner::Us || cfg!(target_arch = "wasm32") {
            return;
        }
        let impossible = wgpu::BufferDescriptor {
            label: Some("zero-compute: refused by a device that is there"),
            size: 4,
            usage: wgpu::BufferUsages::empty(),
            mapped_at_creation: false,
        };
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        drop(self.device.create_buffer(&impossible));
        if pollster::block_on(scope.pop()).is_none() {
            self.lost
                .set("Destroyed or lost: the host's device answers nothing".to_owned());
        }
    }

    /// The loss of the device where that is why something failed, else the error as it is.
    pub(crate) fn explain(&self, error: Error) -> Error {
        // A device that is destroyed calls back in the next poll.
        self.look_for_loss();
        self.take_in().err().unwrap_or(error)
    }

    /// Sees to it that the waker of what the GPU was handed is called, without anybody who polls.
    pub(crate) fn watch(&self, device: &Arc<Inner>, pending: &Arc<dyn Pending>) -> Result<()> {
        awaited::watch(device, &self.awaited, pending)
    }

    /// Notes that a future waits no more: it is over, or dropped.
    pub(crate) fn let_go(&self, pending: &Arc<dyn Pending>) {
        self.awaited.let_go(pending);
    }

    /// Waits until `is_ready`. The GPU may be done before it is: another thread that polls the device takes in what is
    /// finished, and calls back a moment later.
    ///
    /// It polls and sleeps, and never asks wgpu to wait: a waiting poll of wgpu-core 30.0.2 panics where another thread
    /// polls meanwhile (gfx-rs/wgpu 9958), and holds up every submission until it is over (9470).
    pub(crate) fn wait_for(&self, what: &'static str, cancel: &CancelToken, is_ready: &dyn Fn() -> bool) -> Result<()> {
        let start = web_time::Instant::now();
        let mut sleep = SLEEPS.0;
        while !is_ready() {
            self.take_in()?;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            // A browser's thread cannot sleep, and while this one goes round nothing is called back.
            if cfg!(target_arch = "wasm32") {
                return Err(Error::Stalled { what, seconds: 0 });
            }
            let waited = start.elapsed();
            if waited.as_secs() >= u64::from(PATIENCE_SECONDS) {
                return Err(Error::Stalled {
                    what,
                    seconds: PATIENCE_SECONDS,
                });
            }
            if waited < EAGER {
                std::thread::yield_now();
            } else {
                std::thread::sleep(sleep);
                sleep = (sleep * 2).min(SLEEPS.1);
            }
        }
        self.check()
    }
}
