//! Programs built before a list needs them, off the calling thread.

use std::sync::{Arc, Mutex};

use crate::args::Args;
use crate::device::{Backend, Device, Inner};
use crate::error::{Error, Result};
use crate::kernel_ref::KernelRef;
use crate::list::{Code, ProgramSlot};
use crate::queue::lock;
use crate::stats::Counters;

/// A program on its way; [`Device::build`] answers it. Dropped before the end, it waits: no thread is left behind.
#[derive(Debug)]
pub struct Building {
    outcome: Arc<Mutex<Option<Result<()>>>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Building {
    /// Whether it has ended, well or not.
    pub fn is_done(&self) -> bool {
        lock(&self.outcome).is_some()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// What [`Recorder::finish`](crate::Recorder::finish) would have met: [`Error::BadShader`], [`Error::BadSource`],
    /// [`Error::DeviceLost`].
    pub fn wait(mut self) -> Result<()> {
        self.join();
        // A thread that did not come to its end left none.
        lock(&self.outcome).clone().unwrap_or(Err(Error::BuildPanicked))
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic shows as an end without an outcome.
            let _ = thread.join();
        }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        self.join();
    }
}

impl Device {
    /// Builds the program of a kernel before the first list needs it, on a thread of its own; in a browser, which has
    /// none, before this returns. `args` chooses the options, as in a dispatch; `live` says over which form of domain
    /// it will run. A list that is finished meanwhile waits for it and builds nothing twice. On a CPU device there is
    /// nothing to build, and the program is counted.
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
    /// [`Error::NoThread`] where the system gives none. What fails later is told by [`Building::wait`].
    pub fn build(&self, kernel: impl Into<KernelRef>, args: Args, live: bool) -> Result<Building> {
        let code = crate::record::code(&kernel.into(), &args, live)?;
        if let (Backend::Cpu(_), Code::Kernel { kernel, .. }) = (&self.inner.backend, &code)
            && kernel.twin().is_none()
        {
            return Err(Error::GpuOnly {
                kernel: kernel.name().to_owned(),
            });
        }
        let outcome: Arc<Mutex<Option<Result<()>>>> = Arc::default();
        let (told, inner) = (outcome.clone(), self.inner.clone());
        let work = move || {
            let end = build(&inner, &code, live);
            *lock(&told) = Some(end);
        };
        let is_cpu = matches!(self.inner.backend, Backend::Cpu(_));
        let thread = if is_cpu || cfg!(target_arch = "wasm32") {
            work();
            None
        } else {
            let spawned = std::thread::Builder::new()
                .name("zero-compute build".to_owned())
                .spawn(work);
            let failed = |error: std::io::Error| Error::NoThread {
                purpose: "to build a program on",
                message: error.to_string(),
            };
            Some(spawned.map_err(failed)?)
        };
        Ok(Building { outcome, thread })
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
