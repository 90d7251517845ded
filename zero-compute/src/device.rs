//! A device: where columns live and kernels run.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::column::{Column, Element, Word};
use crate::cpu::CpuOptions;
pub use crate::cpu::Isa;
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::pool::{Buffer, Pool, Trimmed};
use crate::profile::Profiles;
use crate::queue::{Job, Runner};
use crate::record::Recorder;
use crate::spoil::Spoiled;
use crate::stats::{Counters, Counting, Stats};

/// Elements that run between two looks at the cancel token and the budget, on each thread.
pub const SLICE: u32 = 65_536;

/// Dispatches that a GPU is handed in one submission; a kernel of several passes counts as that many. A longer list is
/// handed over in parts, and a drive looks at the cancel token and the budget between them.
pub const PART_DISPATCHES: u32 = 1024;

/// Elements of all dispatches together that a GPU is handed in one submission: some milliseconds of a large GPU, and
/// tenths of a second of a software adapter. A dispatch is never cut; one of more elements is a part of its own.
pub const PART_ELEMENTS: u64 = 1 << 26;

/// Failures that [`Device::poll`], [`Device::advance`] and waits keep for the drives that come after them, each of which
/// tells of one.
pub const KEPT_FAILURES: usize = 64;

/// What a result may depend on besides its inputs; part of a content key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceClass {
    /// The CPU backend: the same bits on every machine.
    Cpu,
    /// A GPU.
    Gpu {
        /// Whether it fuses a multiply and an add.
        contracts: bool,
        /// Whether it flushes subnormal numbers to zero.
        flushes_subnormals: bool,
    },
}

/// What a device is, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The adapter's name, or "CPU".
    pub name: String,
    /// The driver and its version; empty on the CPU.
    pub driver: String,
    /// "cpu", or wgpu's backend.
    pub backend: String,
    /// Whether a GPU is really a CPU.
    pub software: bool,
}

/// What a device can bind and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceLimits {
    /// Bytes of one column.
    pub max_binding_bytes: u64,
    /// Storage buffers of one pass, a live domain's count and appended counters included.
    pub max_storage_buffers: u32,
    /// Workgroups in one dimension; more make a dispatch of two.
    pub max_workgroups_per_dim: u32,
}

/// What [`Device::drive`] left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// Nothing is queued. On a GPU everything is handed over, and may still run.
    Idle,
    /// The budget is used up and work is left; the next drive goes on where this one stopped.
    Budget,
}

#[derive(Debug)]
pub(crate) enum Backend {
    Cpu(CpuOptions),
    #[cfg(feature = "gpu")]
    Gpu(crate::gpu::Gpu),
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) backend: Backend,
    pub(crate) counters: Counters,
    pub(crate) pool: Pool,
    pub(crate) limits: DeviceLimits,
    pub(crate) max_buffer_bytes: u64,
    pub(crate) queue: Mutex<VecDeque<Job>>,
    /// Jobs in the queue, and the one that is under way.
    pub(crate) pending: AtomicUsize,
    pub(crate) runner: Mutex<Runner>,
    /// The failures that a call which returns no error met, for the drives that come.
    pub(crate) failed: Mutex<VecDeque<Error>>,
    /// How often a host has driven the device.
    drives: AtomicU64,
    pub(crate) spoiled: Spoiled,
    pub(crate) profiles: Profiles,
    /// Bytes that all buffers together may take.
    pub(crate) memory_limit: AtomicU64,
    pub(crate) landed: AtomicUsize,
    pub(crate) programs: crate::programs::Programs,
    /// Workspace of field programs, one for each thread that runs them.
    pub(crate) scratch: Mutex<Vec<crate::field::Scratch>>,
    info: DeviceInfo,
    class: OnceLock<DeviceClass>,
}

impl Inner {
    /// Ids are unique in the process, so that a column can be told apart from one of another device.
    pub(crate) fn next_id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
}

/// Where columns live and kernels run: a GPU through wgpu, or the CPU. A clone is another handle on the same device.
///
/// Work happens in the order of submission. Submitting queues it; [`poll`](Self::poll), [`drive`](Self::drive) and
/// [`Readback::wait`](crate::Readback::wait) run it on the thread that calls them (and on the pool of
/// [`CpuOptions`]). A device owns no thread, and may be used from several. While a read-back or a submission of a GPU
/// is awaited a thread polls for it, and ends with it.
///
/// Keep no GPU device, and no column of one, in a thread-local variable that drops it: wgpu reads thread-locals of its
/// own while a device is dropped, and the process aborts where those are gone already. A `static` is fine.
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) inner: Arc<Inner>,
}

impl Device {
    /// The CPU backend. It never fails and needs nothing of the machine.
    pub fn cpu(options: CpuOptions) -> Device {
        let info = DeviceInfo {
            name: "CPU".to_owned(),
            driver: String::new(),
            backend: "cpu".to_owned(),
            software: false,
        };
        let limits = DeviceLimits {
            // Kernels index words with 32 bits.
            max_binding_bytes: 4 << 32,
            max_storage_buffers: 16,
            max_workgroups_per_dim: 65_535,
        };
        let device = Self::new(Backend::Cpu(options), limits, u64::MAX >> 1, info);
        device.set_class(DeviceClass::Cpu);
        device
    }

    /// The CPU backend: this build has no other.
    #[cfg(not(feature = "gpu"))]
    pub async fn auto() -> Device {
        Self::auto_blocking()
    }

    /// The CPU backend: this build has no other.
    #[cfg(not(feature = "gpu"))]
    pub fn auto_blocking() -> Device {
        Self::cpu(CpuOptions::default())
    }

    pub(crate) fn new(backend: Backend, limits: DeviceLimits, max_buffer_bytes: u64, info: DeviceInfo) -> Device {
        Device {
            inner: Arc::new(Inner {
                backend,
                counters: Counters::default(),
                pool: Pool::default(),
                limits,
                max_buffer_bytes,
                queue: Mutex::default(),
                pending: AtomicUsize::new(0),
                runner: Mutex::default(),
                failed: Mutex::default(),
                drives: AtomicU64::new(0),
                spoiled: Spoiled::default(),
                profiles: Profiles::default(),
                memory_limit: AtomicU64::new(u64::MAX),
                landed: AtomicUsize::new(0),
                programs: crate::programs::Programs::default(),
                scratch: Mutex::default(),
                info,
                class: OnceLock::new(),
            }),
        }
    }

    pub(crate) fn set_class(&self, class: DeviceClass) {
        // A second call would find the same answer.
        let _ = self.inner.class.set(class);
    }

    /// What a result may depend on besides its inputs.
    pub fn class(&self) -> DeviceClass {
        // Every constructor sets it before it hands the device out.
        self.inner.class.get().copied().unwrap_or(DeviceClass::Cpu)
    }

    /// What the device is, in words.
    pub fn info(&self) -> &DeviceInfo {
        &self.inner.info
    }

    /// What the device can bind and run.
    pub fn limits(&self) -> DeviceLimits {
        self.inner.limits
    }

    /// Whether two handles are of one device.
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A column that holds `words`, in elements of `lanes` words.
    ///
    /// # Errors
    /// [`Error::BadLanes`] where the words do not divide, [`Error::TooLarge`] and [`Error::OutOfMemory`].
    pub fn upload<T: Word>(&self, words: &[T], lanes: u32) -> Result<Column> {
        let len = words.len() as u64;
        let elements = len
            .checked_div(u64::from(lanes))
            .filter(|n| n * u64::from(lanes) == len);
        let bad = || Error::BadLanes {
            what: "uploaded column".to_owned(),
            words: len,
            lanes,
        };
        let capacity = u32::try_from(elements.ok_or_else(bad)?).map_err(|_| Error::TooLarge {
            what: "uploaded column".to_owned(),
            bytes: len * 4,
            limit: self.inner.limits.max_binding_bytes,
        })?;
        let buffer = self
            .inner
            .acquire(len, false, &|| format!("uploaded column of {capacity} elements"))?;
        match &self.inner.backend {
            Backend::Cpu(_) => {
                if let Some(mut to) = buffer.cpu_write()
                    && let Some(to) = to.get_mut(..words.len())
                {
                    to.copy_from_slice(bytemuck::cast_slice(words));
                }
            }
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                // wgpu writes through memory of its own.
                let what = || "an upload".to_owned();
                let write = || gpu.write(&buffer, bytemuck::cast_slice(words));
                self.inner.with_memory(None, 0, &what, &write)?;
            }
        }
        Counters::add(&self.inner.counters.uploads, 1);
        Counters::add(&self.inner.counters.upload_bytes, len * 4);
        Ok(Column::new(self.clone(), buffer, T::ELEMENT, lanes, capacity))
    }

    /// A column of zeros: `count` elements of `lanes` words.
    ///
    /// # Errors
    /// [`Error::BadLanes`] for no lanes, [`Error::TooLarge`] and [`Error::OutOfMemory`].
    pub fn column(&self, element: Element, lanes: u32, count: u32) -> Result<Column> {
        let buffer = self.buffer_of(lanes, count, true, &|| {
            format!("column of {count} elements of {lanes} lanes")
        })?;
        Ok(Column::new(self.clone(), buffer, element, lanes, count))
    }

    /// A column of zeros with room for `capacity` elements, none of which is live.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn live_column(&self, element: Element, lanes: u32, capacity: u32) -> Result<Column> {
        let count = self.inner.acquire(1, true, &|| "live count".to_owned())?;
        Ok(self.column(element, lanes, capacity)?.with_count(count))
    }

    pub(crate) fn buffer_of(
        &self,
        lanes: u32,
        count: u32,
        zeroed: bool,
        what: &dyn Fn() -> String,
    ) -> Result<Arc<Buffer>> {
        if lanes == 0 {
            return Err(Error::BadLanes {
                what: what(),
                words: 0,
                lanes,
            });
        }
        self.inner.acquire(u64::from(count) * u64::from(lanes), zeroed, what)
    }

    /// Starts a command list. The label names it in logs and in a GPU debugger.
    pub fn record(&self, label: &str) -> Recorder {
        Recorder::new(self.clone(), label)
    }

    /// Runs everything queued, and takes in what a GPU has finished. Answers the number of read-backs that landed
    /// since the last call. A failure reaches its caller as [`drive`](Self::drive) says, and is kept for the next
    /// drive, which returns it; of more than [`KEPT_FAILURES`] that no drive asks for the later ones reach their callers
    /// alone.
    pub fn poll(&self) -> usize {
        self.count_drive();
        while let Err(error) = self.inner.drive(&Exec::default()) {
            self.inner.keep_failure(error);
            // A failure takes its job off the queue; what fails with none left, a lost device, fails every time.
            if self.queued() == 0 {
                break;
            }
        }
        self.inner.landed.swap(0, Ordering::AcqRel)
    }

    /// Runs what is queued, in slices of at most [`SLICE`] elements a thread, looking at the cancel token and the
    /// budget between them. On a GPU it hands over one list after another, long ones in parts ([`PART_DISPATCHES`],
    /// [`PART_ELEMENTS`]), and looks between those; it does not wait for them. However small the budget, one slice or
    /// part runs.
    ///
    /// # Errors
    /// [`Error::Cancelled`], with the queue in its place: a later drive goes on with the same result. The error of a
    /// list that failed, which is then no longer queued, whoever submitted it: each failure is answered by one drive. It
    /// also stands in the [`Submission`](crate::Submission), and reaches every read-back and every list that reads what
    /// the failed list would have written, until another list or the same one writes it.
    pub fn drive(&self, exec: &Exec<'_>) -> Result<Drive> {
        self.count_drive();
        if let Some(error) = crate::queue::lock(&self.inner.failed).pop_front() {
            return Err(error);
        }
        self.inner.drive(exec)
    }

    /// As [`drive`](Self::drive), for one of several that share a device: work that fails is told to its own caller and
    /// to a later drive, and what is queued behind it runs.
    ///
    /// # Errors
    /// [`Error::Cancelled`], with the queue in its place; [`Error::DeviceLost`].
    pub fn advance(&self, exec: &Exec<'_>) -> Result<Drive> {
        self.count_drive();
        self.inner.advance(exec)
    }

    fn count_drive(&self) {
        self.inner.drives.fetch_add(1, Ordering::Relaxed);
    }

    /// How often a host has driven the device.
    pub(crate) fn drives(&self) -> u64 {
        self.inner.drives.load(Ordering::Relaxed)
    }

    /// Submissions and read-backs that wait or are under way.
    pub fn queued(&self) -> usize {
        self.inner.pending.load(Ordering::Acquire)
    }

    /// Counts of the work done since the device was made.
    pub fn stats(&self) -> Stats {
        self.inner.counters.snapshot()
    }

    /// Counts from here on.
    pub fn counting(&self) -> Counting {
        Counting::new(self.clone())
    }

    /// Frees buffers that wait to be used again until at most `keep_bytes` of them are left; 0 frees all. Those for
    /// reading back go first, then the largest of the pool. [`Stats::pooled_bytes`] says what waits; where memory runs out
    /// the pool is freed without being asked to.
    pub fn trim(&self, keep_bytes: u64) -> Trimmed {
        self.inner.trim(keep_bytes)
    }

    /// Bytes that the buffers of columns, of the pool and for reading back, those under way among them, may take together,
    /// `u64::MAX` (as at first) for what the driver gives. What would go past it frees the pool, and where that is not
    /// enough it is refused with [`Error::OutOfMemory`] and the limit, as it is without one where the driver has no more.
    /// It holds whichever threads allocate at once. Buffers that stand already are not taken away.
    pub fn set_memory_limit(&self, bytes: u64) {
        self.inner.memory_limit.store(bytes, Ordering::Release);
    }
}
