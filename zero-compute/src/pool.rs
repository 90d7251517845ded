//! Device buffers and the pool they return to. Buffers are pooled whole, in size classes that are powers of two.

use std::collections::BTreeMap;
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
}

impl Buffer {
    #[cfg(feature = "gpu")]
    pub(crate) fn device(&self) -> Option<Arc<Inner>> {
        self.device.upgrade()
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
        let storage = std::mem::replace(&mut self.storage, Storage::Cpu(RwLock::default()));
        Counters::sub(&device.counters.live_bytes, self.class);
        Counters::add(&device.counters.pooled_bytes, self.class);
        device.pool.lock().free.entry(self.class).or_default().push(storage);
    }
}

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
        let pooled = self.pool.lock().free.get_mut(&class).and_then(Vec::pop);
        let is_pooled = pooled.is_some();
        let storage = match (&self.backend, pooled) {
            (Backend::Cpu(_), pooled) => Storage::Cpu(RwLock::new(cpu_words(pooled, class, bytes / 4, zeroed, what)?)),
            #[cfg(feature = "gpu")]
            (Backend::Gpu(gpu), Some(Storage::Gpu(buffer))) => {
                if zeroed {
                    gpu.clear(&buffer, bytes)?;
                }
                Storage::Gpu(buffer)
            }
            #[cfg(feature = "gpu")]
            (Backend::Gpu(gpu), _) => Storage::Gpu(gpu.create_buffer(class, what)?),
        };
        if is_pooled {
            Counters::sub(&self.counters.pooled_bytes, class);
        } else {
            Counters::add(&self.counters.created, 1);
        }
        Counters::add(&self.counters.allocations, 1);
        Counters::add(&self.counters.live_bytes, class);
        Ok(Arc::new(Buffer {
            id: self.next_id(),
            class,
            storage,
            device: Arc::downgrade(self),
        }))
    }

    /// Frees what waits in the pool.
    pub(crate) fn trim(&self) {
        let freed = std::mem::take(&mut self.pool.lock().free);
        let bytes: u64 = freed.iter().map(|(class, list)| class * list.len() as u64).sum();
        Counters::sub(&self.counters.pooled_bytes, bytes);
        #[cfg(feature = "gpu")]
        if let Backend::Gpu(gpu) = &self.backend {
            gpu.trim();
        }
    }
}

/// Words with room for the class, of which only those asked for are touched.
fn cpu_words(
    pooled: Option<Storage>,
    class: u64,
    words: u64,
    zeroed: bool,
    what: &dyn Fn() -> String,
) -> Result<Vec<u32>> {
    let full = || Error::OutOfMemory {
        what: what(),
        bytes: class,
    };
    let mut vec = match pooled {
        Some(Storage::Cpu(lock)) => lock.into_inner().unwrap_or_else(PoisonError::into_inner),
        _ => Vec::new(),
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
