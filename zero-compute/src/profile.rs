//! What each kernel takes, measured while somebody asks for it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::device::{Backend, Device};
use crate::error::Result;
use crate::exec::Exec;
use crate::list::Code;
use crate::queue::lock;

/// What measured the time of a [`Profile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeSource {
    /// The [`Clock`](crate::Clock) of the [`Exec`] under which the work ran: wall time, on the CPU backend.
    Clock,
    /// The GPU's own timestamps: time on the device.
    Timestamps,
    /// Nothing: the GPU has no timestamps, or the host opened its device without `TIMESTAMP_QUERY`.
    Nothing,
}

/// What one kernel took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KernelProfile {
    /// The kernel's name; "map" for field programs, "fill" and "copy" for what the recorder adds, and of a fused dispatch
    /// the names of its parts with "+" between.
    pub name: String,
    /// Dispatches that ran to their end.
    pub dispatches: u64,
    /// Elements of their domains, of live ones the capacity.
    pub elements: u64,
    /// Milliseconds of all of them together; `None` where nothing measures time.
    pub time_ms: Option<f64>,
}

/// What the kernels of a device took while it was profiled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// What measured the time.
    pub source: TimeSource,
    /// The kernels that ran, by name.
    pub kernels: Vec<KernelProfile>,
    /// Passes that lists were split into so that each could be timed; they are counted here alone.
    pub passes: u64,
}

impl Profile {
    /// The kernel of that name, if it ran.
    pub fn kernel(&self, name: &str) -> Option<&KernelProfile> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// Milliseconds of all kernels together; `None` where nothing measures time.
    pub fn time_ms(&self) -> Option<f64> {
        (self.source != TimeSource::Nothing).then(|| self.kernels.iter().filter_map(|kernel| kernel.time_ms).sum())
    }
}

/// Measures what kernels take from [`Device::profile`] until it is dropped.
#[derive(Debug)]
#[must_use = "it measures until it is dropped"]
pub struct Profiling {
    device: Device,
    table: Arc<Table>,
}

impl Profiling {
    /// Runs what is queued, waits until a GPU has answered, and says what every kernel has taken since the profile began.
    /// It can be asked again, and counts on.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), [`Error::DeviceLost`](crate::Error::DeviceLost) and
    /// [`Error::Stalled`](crate::Error::Stalled). Work that fails is told to its own caller.
    pub fn report(&self, exec: &Exec<'_>) -> Result<Profile> {
        let exec = Exec {
            budget_ms: None,
            ..*exec
        };
        self.device.advance(&exec)?;
        let source = match &self.device.inner.backend {
            Backend::Cpu(_) => TimeSource::Clock,
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                gpu.wait_for("a profile was waited for", exec.cancel, &|| {
                    self.table.under_way.load(Ordering::Acquire) == 0
                })?;
                if gpu.has_timestamps() {
                    TimeSource::Timestamps
                } else {
                    TimeSource::Nothing
                }
            }
        };
        let rows = lock(&self.table.rows);
        let kernels = rows.iter().map(|(name, row)| KernelProfile {
            name: name.clone(),
            dispatches: row.dispatches,
            elements: row.elements,
            time_ms: (source != TimeSource::Nothing).then_some(row.time_ms),
        });
        Ok(Profile {
            source,
            kernels: kernels.collect(),
            passes: self.table.passes.load(Ordering::Acquire),
        })
    }
}

impl Drop for Profiling {
    fn drop(&mut self) {
        let profiles = &self.device.inner.profiles;
        let mut tables = lock(&profiles.tables);
        tables.retain(|table| !Arc::ptr_eq(table, &self.table));
        profiles.open.store(tables.len(), Ordering::Release);
    }
}

impl Device {
    /// Measures what each kernel takes from here on, until the answer is dropped: dispatches, elements and time, by the
    /// clock of [`Exec`] on the CPU and by timestamps on a GPU that has them. Without a profile nothing is measured, and
    /// nothing is paid for it.
    ///
    /// On a GPU every pass of a kernel becomes a pass of its own, which costs some microseconds each; results and
    /// [`Stats`](crate::Stats) stay as they are.
    ///
    /// ```
    /// use zero_compute::{kernels, CpuOptions, Device, Domain, Exec};
    ///
    /// let device = Device::cpu(CpuOptions::default());
    /// let profiling = device.profile();
    /// let mut rec = device.record("numbers");
    /// let numbers = kernels::ramp(&mut rec, Domain::count(1000), 0, 1)?;
    /// rec.finish()?.submit()?;
    /// let profile = profiling.report(&Exec::default())?;
    /// let ramp = profile.kernel("ramp").expect("it ran");
    /// assert_eq!((ramp.dispatches, ramp.elements), (1, 1000));
    /// println!("{:?} ms", ramp.time_ms);
    /// # Ok::<(), zero_compute::Error>(())
    /// ```
    pub fn profile(&self) -> Profiling {
        let table = Arc::new(Table::default());
        let profiles = &self.inner.profiles;
        let mut tables = lock(&profiles.tables);
        tables.push(table.clone());
        profiles.open.store(tables.len(), Ordering::Release);
        drop(tables);
        Profiling {
            device: self.clone(),
            table,
        }
    }
}

/// The profiles of a device that are open.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    open: AtomicUsize,
    tables: Mutex<Vec<Arc<Table>>>,
}

impl Profiles {
    /// The tables that want to know; `None`, for the price of one load, where there are none.
    pub(crate) fn wanted(&self) -> Option<Tables> {
        if self.open.load(Ordering::Acquire) == 0 {
            return None;
        }
        let tables = lock(&self.tables).clone();
        (!tables.is_empty()).then_some(Tables(tables))
    }
}

/// What a profile has gathered.
#[derive(Debug, Default)]
struct Table {
    rows: Mutex<BTreeMap<String, Row>>,
    passes: AtomicU64,
    /// Parts whose timestamps a GPU has yet to answer.
    #[cfg(feature = "gpu")]
    under_way: AtomicUsize,
}

/// What one run, or a slice of one, adds to a kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) dispatches: u64,
    pub(crate) elements: u64,
    pub(crate) time_ms: f64,
}

/// The tables of all open profiles.
#[derive(Clone, Debug)]
pub(crate) struct Tables(Vec<Arc<Table>>);

/// The name that a profile knows a dispatch by.
pub(crate) fn name_of(code: &Code) -> Cow<'_, str> {
    match code {
        Code::Fused(fused) => Cow::Owned(fused.name()),
        code => Cow::Borrowed(code.name()),
    }
}

impl Tables {
    pub(crate) fn add(&self, name: &str, more: Row) {
        for table in &self.0 {
            let mut rows = lock(&table.rows);
            if !rows.contains_key(name) {
                rows.insert(name.to_owned(), Row::default());
            }
            if let Some(row) = rows.get_mut(name) {
                row.dispatches += more.dispatches;
                row.elements += more.elements;
                row.time_ms += more.time_ms;
            }
        }
    }
}

#[cfg(feature = "gpu")]
impl Tables {
    /// Notes that timestamps are asked for.
    pub(crate) fn begin(&self, passes: usize) {
        for table in &self.0 {
            table.passes.fetch_add(passes as u64, Ordering::AcqRel);
            table.under_way.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Notes that they are here, or will never be.
    pub(crate) fn end(&self) {
        for table in &self.0 {
            table.under_way.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
