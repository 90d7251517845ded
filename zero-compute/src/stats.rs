//! Counts of the work a device has done. They are the same on every machine, so guarantees are tested on them.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What a device has done since it was made. Subtract two to see what happened between them, or use
        /// [`Device::counting`](crate::Device::counting).
        ///
        /// `live_bytes`, `pooled_bytes` and `reading_bytes` are levels, not counts: a difference carries the later level.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Stats { $($(#[$doc])* pub $name: u64,)* }

        /// The counters behind [`Stats`].
        #[derive(Debug, Default)]
        pub(crate) struct Counters { $(pub(crate) $name: AtomicU64,)* }

        impl Counters {
            pub(crate) fn snapshot(&self) -> Stats {
                Stats { $($name: self.$name.load(Relaxed),)* }
            }
        }

        impl Sub for Stats {
            type Output = Stats;
            fn sub(self, earlier: Stats) -> Stats {
                let delta = Stats { $($name: self.$name.saturating_sub(earlier.$name),)* };
                Stats {
                    live_bytes: self.live_bytes,
                    pooled_bytes: self.pooled_bytes,
                    reading_bytes: self.reading_bytes,
                    ..delta
                }
            }
        }
    };
}

counters! {
    /// Dispatches run. One over no elements is skipped and not counted.
    dispatches,
    /// Command lists run to their end.
    submissions,
    /// Parts in which lists were handed to a GPU: one a list, and more where it is longer than
    /// [`PART_DISPATCHES`](crate::PART_DISPATCHES) or [`PART_ELEMENTS`](crate::PART_ELEMENTS); none on the CPU.
    parts,
    /// Command lists finished by a recorder.
    lists,
    /// Buffers taken for columns, from the pool or the driver.
    allocations,
    /// Buffers that the driver (on the CPU: the allocator) made: for columns, for reading back, and one for the params of
    /// each list on a GPU.
    created,
    /// Buffers given back to the driver (on the CPU: to the allocator) by [`Device::trim`](crate::Device::trim), or where
    /// memory ran out.
    freed,
    /// Uploads of columns.
    uploads,
    /// Bytes uploaded to columns.
    upload_bytes,
    /// Writes of changed params before a list ran: at most one a submission.
    param_writes,
    /// Read-backs asked for.
    readbacks,
    /// Bytes that landed in read-backs.
    readback_bytes,
    /// Kernel variants and field programs met for the first time; a GPU builds a pipeline for each of their passes.
    programs,
    /// Bind groups made; none on the CPU.
    bind_groups,
    /// Bytes of buffers that columns hold now.
    live_bytes,
    /// Bytes of buffers that wait in the pool now, those for reading back among them.
    pooled_bytes,
    /// Bytes of buffers through which a GPU is being read back now; none on the CPU.
    reading_bytes,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicU64, n: u64) {
        counter.fetch_add(n, Relaxed);
    }

    pub(crate) fn sub(counter: &AtomicU64, n: u64) {
        counter.fetch_sub(n, Relaxed);
    }
}

/// Counts from the moment it was made.
#[derive(Clone, Debug)]
pub struct Counting {
    device: crate::Device,
    start: Stats,
}

impl Counting {
    pub(crate) fn new(device: crate::Device) -> Self {
        let start = device.stats();
        Self { device, start }
    }

    /// What the device has done since.
    pub fn delta(&self) -> Stats {
        self.device.stats() - self.start
    }
}
