//! Device buffers and the pool they return to. Buffers are pooled whole, in size classes that are powers of two.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use crate::device::{Backend, Inner};
use crate::error::{Error, Result};
use crate::stats::Counters;

/// The smallest size class, in bytes.
const LEAST_BYTES: u64 = 256;

/// Where a buffer's words are. A lock around plain words keeps the CPU backend in safe Rust; only the thread that
/// drives the device takes it, so it is never waited for.
#[derive(Debug)]
pub(crate) enum Storage {
    Cpu(RwLock<Vec<u32>>),
    #[cfg(feature = "gpu")]
    Gpu(wgpu::Buffer),
}

/// A buffer that goes back to its device's pool when the last handle on it is dropped.
#[derive(Debug)]
pub(crate) struct Buffer {
    pub(crate) id: u64,
    pub(crate) class: u64,
    storage: Storage,
    device: Weak<Inner>,
    /// Set where a fused list need not write it.
    let_go: AtomicBool,
    /// Set where it holds what the pool left in it, until a list that writes it has run.
    unwritten: AtomicBool,
}

impl Buffer {
    pub(crate) fn is_kept(&self) -> bool {
        !self.let_go.load(Ordering::Acquire)
    }

    pub(crate) fn let_go(&self) {
        self.let_go.store(true, Ordering::Release);
    }

    pub(crate) fn is_written(&self) -> bool {
        !self.unwritten.load(Ordering::Acquire)
    }

    /// Notes that what it holds is nobody's.
    pub(crate) fn mark_unwritten(&self) {
        self.unwritten.store(true, Ordering::Release);
    }

    pub(crate) fn mark_written(&self) {
        self.unwritten.store(false, Ordering::Release);
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn device(&self) -> Option<Arc<Inner>> {
        self.device.upgrade()
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn device_handle(&self) -> Weak<Inner> {
        self.device.clone()
    }

    /// The words of a CPU buffer, to read.
    pub(crate) fn cpu_read(&self) -> Option<RwLockReadGuard<'_, Vec<u32>>> {
        match &self.storage {
            Storage::Cpu(words) => Some(words.read().unwrap_or_else(PoisonError::into_inner)),
            #[cfg(feature = "gpu")]
            Storage::Gpu(_) => None,
        }
    }

    /// The words of a CPU buffer, to write.
    pub(crate) fn cpu_write(&self) -> Option<RwLockWriteGuard<'_, Vec<u32>>> {
        match &self.storage {
            Storage::Cpu(words) => Some(words.write().unwrap_or_else(PoisonError::into_inner)),
            #[cfg(feature = "gpu")]
            Storage::Gpu(_) => None,
        }
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn gpu(&self) -> Option<&wgpu::Buffer> {
        match &self.storage {
            Storage::Gpu(buffer) => Some(buffer),
            Storage::Cpu(_) => None,
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Some(device) = self.device.upgrade() else { return };
        device.spoiled.forget(self.id);
        let storage = std::mem::replace(&mut self.storage, Storage::Cpu(RwLock::default()));
        let mut pool = device.pool.lock();
        Counters::sub(&device.counters.live_bytes, self.class);
        Counters::add(&device.counters.pooled_bytes, self.class);
        pool.free.entry(self.class).or_default().push(storage);
    }
}

/// What waits to be used again. Bytes go from one level of the counts to another with its lock, so that whoever asks what
/// stands with the lock finds each byte once.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Free>);

#[derive(Debug, Default)]
pub(crate) struct Free {
    free: BTreeMap<u64, Vec<Storage>>,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Free> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// A buffer of at least `words` words, of unspecified contents unless `zeroed`. Of no words it is one zero word: a GPU
    /// cannot bind less, and a kernel that asks for the length of what is bound takes it for an element.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        words: u64,
        zeroed: bool,
        what: &dyn Fn() -> String,
    ) -> Result<Arc<Buffer>> {
        let (zeroed, bytes) = (zeroed || words == 0, words.max(1).saturating_mul(4));
        let limit = self.limits.max_binding_bytes;
        if bytes > limit {
            return Err(Error::TooLarge {
                what: what(),
                bytes,
                limit,
            });
        }
        let class = bytes
            .next_power_of_two()
            .clamp(LEAST_BYTES, self.max_buffer_bytes.max(LEAST_BYTES));
        let storage = match self.pop(class) {
            Some(pooled) => self
                .reuse(pooled, class, bytes, zeroed, what)
                .inspect_err(|_| Counters::sub(&self.counters.live_bytes, class)),
            None => {
                let level = Some(&self.counters.live_bytes);
                let made = self.with_memory(level, class, what, &|| self.create(class, bytes, zeroed, what));
                made.inspect(|_| Counters::add(&self.counters.created, 1))
            }
        }?;
        Counters::add(&self.counters.allocations, 1);
        Ok(Arc::new(Buffer {
            id: self.next_id(),
            class,
            storage,
            device: Arc::downgrade(self),
            let_go: AtomicBool::new(false),
            unwritten: AtomicBool::new(false),
        }))
    }

    fn pop(&self, class: u64) -> Option<Storage> {
        let mut pool = self.pool.lock();
        let pooled = pool.free.get_mut(&class).and_then(Vec::pop)?;
        Counters::sub(&self.counters.pooled_bytes, class);
        Counters::add(&self.counters.live_bytes, class);
        Some(pooled)
    }

    /// Counts bytes to another level than before.
    #[cfg(feature = "gpu")]
    pub(crate) fn shift(&self, from: &AtomicU64, to: &AtomicU64, bytes: u64) {
        let _pool = self.pool.lock();
        Counters::sub(from, bytes);
        Counters::add(to, bytes);
    }

    fn create(&self, class: u64, bytes: u64, zeroed: bool, what: &dyn Fn() -> String) -> Result<Storage> {
        match &self.backend {
            Backend::Cpu(_) => Ok(Storage::Cpu(RwLock::new(cpu_words(
                Vec::new(),
                class,
                bytes / 4,
                zeroed,
                what,
            )?))),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => Ok(Storage::Gpu(gpu.create_buffer(class, what)?)),
        }
    }

    fn reuse(
        &self,
        pooled: Storage,
        class: u64,
        bytes: u64,
        zeroed: bool,
        what: &dyn Fn() -> String,
    ) -> Result<Storage> {
        match (&self.backend, pooled) {
            #[cfg(feature = "gpu")]
            (Backend::Gpu(gpu), Storage::Gpu(buffer)) => {
                if zeroed {
                    self.with_memory(None, 0, what, &|| gpu.clear(&buffer, bytes))?;
                }
                Ok(Storage::Gpu(buffer))
            }
            (_, Storage::Cpu(words)) => {
                let words = words.into_inner().unwrap_or_else(PoisonError::into_inner);
                Ok(Storage::Cpu(RwLock::new(cpu_words(
                    words,
                    class,
                    bytes / 4,
                    zeroed,
                    what,
                )?)))
            }
            #[cfg(feature = "gpu")]
            (Backend::Cpu(_), Storage::Gpu(_)) => self.create(class, bytes, zeroed, what),
        }
    }

    /// Makes something of `bytes` bytes, of 0 where it only writes, and counts them to that level: before it is made, so
    /// that of two threads which both fit alone one is refused. Where memory runs out it frees the pool and tries once
    /// more; the error then says how much stands besides.
    pub(crate) fn with_memory<T>(
        &self,
        level: Option<&AtomicU64>,
        bytes: u64,
        what: &dyn Fn() -> String,
        make: &dyn Fn() -> Result<T>,
    ) -> Result<T> {
        let within = || {
            self.reserve(level, bytes, what)?;
            make().inspect_err(|_| {
                if let Some(level) = level {
                    Counters::sub(level, bytes);
                }
            })
        };
        match within() {
            Err(Error::OutOfMemory { .. }) => {
                tracing::debug!(bytes, "out of memory: freeing the pool");
                self.trim(0);
                within().map_err(|error| self.with_live(error))
            }
            made => made,
        }
    }

    /// Counts bytes that are about to be made, where they fit the limit.
    fn reserve(&self, level: Option<&AtomicU64>, bytes: u64, what: &dyn Fn() -> String) -> Result<()> {
        let _pool = self.pool.lock();
        let limit = self.memory_limit.load(Ordering::Acquire);
        let live = self.bytes_in_use();
        let stand = live + self.counters.pooled_bytes.load(Ordering::Relaxed);
        if bytes > 0 && stand.saturating_add(bytes) > limit {
            return Err(Error::OutOfMemory {
                what: what(),
                bytes,
                live,
                limit: Some(limit),
            });
        }
        if let Some(level) = level {
            Counters::add(level, bytes);
        }
        Ok(())
    }

    /// An error that says what stands besides, where it is that the driver's memory ran out.
    pub(crate) fn with_live(&self, error: Error) -> Error {
        match error {
            Error::OutOfMemory {
                what,
                bytes,
                limit: None,
                ..
            } => Error::OutOfMemory {
                what,
                bytes,
                live: self.bytes_in_use(),
                limit: None,
            },
            other => other,
        }
    }

    /// Bytes that no trim frees.
    fn bytes_in_use(&self) -> u64 {
        let levels = [&self.counters.live_bytes, &self.counters.reading_bytes];
        levels.iter().map(|level| level.load(Ordering::Relaxed)).sum()
    }

    /// Frees what waits to be used again until at most `keep_bytes` are left: first the buffers for reading back, then
    /// of the pool the largest.
    pub(crate) fn trim(&self, keep_bytes: u64) -> Trimmed {
        let mut freed = Trimmed::default();
        let mut dropped = Vec::new();
        {
            let mut pool = self.pool.lock();
            let waiting = pool
                .free
                .iter()
                .map(|(class, list)| class * list.len() as u64)
                .sum::<u64>();
            #[cfg(feature = "gpu")]
            if let Backend::Gpu(gpu) = &self.backend {
                freed = gpu.trim_staging(keep_bytes.saturating_sub(waiting));
            }
            let mut left = waiting;
            for (class, list) in pool.free.iter_mut().rev() {
                while left > keep_bytes
                    && let Some(storage) = list.pop()
                {
                    left -= *class;
                    freed.count(*class);
                    dropped.push(storage);
                }
            }
            pool.free.retain(|_, list| !list.is_empty());
            Counters::sub(&self.counters.pooled_bytes, freed.bytes);
        }
        // Outside of the lock: giving memory back may take long.
        drop(dropped);
        #[cfg(feature = "gpu")]
        if let Backend::Gpu(gpu) = &self.backend
            && freed.buffers > 0
        {
            // wgpu frees what was dropped when it takes in what is done; a loss is told to whoever calls next.
            let _ = gpu.take_in();
        }
        Counters::add(&self.counters.freed, freed.buffers);
        freed
    }
}

/// What a trim gave back to the driver, or to the allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trimmed {
    /// Buffers.
    pub buffers: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Trimmed {
    pub(crate) fn count(&mut self, bytes: u64) {
        self.buffers += 1;
        self.bytes += bytes;
    }
}

/// Words with room for the class, of which only those asked for are touched.
fn cpu_words(mut vec: Vec<u32>, class: u64, words: u64, zeroed: bool, what: &dyn Fn() -> String) -> Result<Vec<u32>> {
    let full = || Error::OutOfMemory {
        what: what(),
        bytes: class,
        live: 0,
        limit: None,
    };
    let room = usize::try_from(class / 4).map_err(|_| full())?;
    let words = usize::try_from(words).map_err(|_| full())?;
    if zeroed {
        vec.clear();
    }
    vec.try_reserve_exact(room.saturating_sub(vec.len()))
        .map_err(|_| full())?;
    vec.resize(words, 0);
    Ok(vec)
}
