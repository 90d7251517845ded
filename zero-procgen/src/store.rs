//! Where cooked values are kept, by content key, for every play that shares the store.

use crate::error::Result;
use crate::value::{Key, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zero_compute::Device;

/// What an entry counts beside its runs, so that entries that hold numbers alone don't gather without end.
const ENTRY_BYTES: u64 = 1024;

/// How a store is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// Bytes of device memory that kept values may stand on, checked when a present commits. Past it the values used
    /// longest ago go first, until four fifths of it are left or only what a play stands on.
    pub budget_bytes: u64,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions { budget_bytes: 1 << 30 }
    }
}

/// A store of cooked values on one device. Cloning shares it; plays on any thread may use it at once.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<StoreInner>,
}

#[derive(Debug)]
struct StoreInner {
    device: Device,
    options: StoreOptions,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    entries: HashMap<Key, Entry>,
    /// Entries by when they were used last; the counter never repeats.
    order: BTreeMap<u64, Key>,
    clock: u64,
    /// Holders of each run, so that a run that several entries share is counted once.
    runs: HashMap<u64, (u32, u64)>,
    bytes: u64,
    pinned: HashMap<Key, u32>,
    counts: StoreStats,
}

#[derive(Debug)]
struct Entry {
    values: Arc<[Value]>,
    used: u64,
}

/// What a store has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreStats {
    /// Nodes whose values are held.
    pub entries: u64,
    /// Bytes of the runs they stand on, and a kibibyte an entry.
    pub bytes: u64,
    /// Reads that a held entry answered.
    pub hits: u64,
    /// Nodes filed.
    pub filed: u64,
    /// Entries let go of.
    pub evicted: u64,
}

impl Store {
    /// An empty store on a device.
    pub fn new(device: &Device, options: StoreOptions) -> Store {
        let inner = StoreInner {
            device: device.clone(),
            options,
            held: Mutex::default(),
        };
        Store { inner: Arc::new(inner) }
    }

    /// The device its values live on.
    pub fn device(&self) -> &Device {
        &self.inner.device
    }

    /// What it holds and has done.
    pub fn stats(&self) -> StoreStats {
        let held = self.lock();
        StoreStats {
            entries: held.entries.len() as u64,
            bytes: held.bytes,
            ..held.counts
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // A panic elsewhere leaves the table whole: each change is made under one lock.
        self.inner.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, key: Key) -> Option<Arc<[Value]>> {
        self.lock().touch(key)
    }

    /// Whether a held value stands on the run.
    pub(crate) fn holds_run(&self, run: u64) -> bool {
        self.lock().runs.contains_key(&run)
    }

    /// Files what a present cooked, all of it at once, and pins what it stands on in place of what it stood on.
    pub(crate) fn commit(&self, cooked: Vec<(Key, Arc<[Value]>)>, pin: &[Key], unpin: &[Key]) -> Result<()> {
        let mut held = self.lock();
        for (key, values) in cooked {
            held.file(key, values);
        }
        for key in pin {
            *held.pinned.entry(*key).or_default() += 1;
        }
        held.unpin(unpin);
        held.trim(self.inner.options.budget_bytes);
        Ok(())
    }

    pub(crate) fn unpin(&self, keys: &[Key]) {
        self.lock().unpin(keys);
    }
}

impl Held {
    fn touch(&mut self, key: Key) -> Option<Arc<[Value]>> {
        self.clock += 1;
        let clock = self.clock;
        let entry = self.entries.get_mut(&key)?;
        self.order.remove(&entry.used);
        entry.used = clock;
        self.order.insert(clock, key);
        self.counts.hits += 1;
        Some(entry.values.clone())
    }

    fn file(&mut self, key: Key, values: Arc<[Value]>) {
        if self.entries.contains_key(&key) {
            // Two plays cooked the same node at once; the first to commit is kept.
            return;
        }
        self.clock += 1;
        let (runs, bytes) = (&mut self.runs, &mut self.bytes);
        for value in values.iter() {
            value.each_column(&mut |column| {
                let run = runs.entry(column.id()).or_insert((0, column.bytes()));
                if run.0 == 0 {
                    *bytes += run.1;
                }
                run.0 += 1;
            });
        }
        self.bytes += ENTRY_BYTES;
        self.order.insert(self.clock, key);
        self.entries.insert(
            key,
            Entry {
                values,
                used: self.clock,
            },
        );
        self.counts.filed += 1;
    }

    fn drop_entry(&mut self, key: Key) {
        let Some(entry) = self.entries.remove(&key) else { return };
        self.order.remove(&entry.used);
        let (runs, bytes) = (&mut self.runs, &mut self.bytes);
        for value in entry.values.iter() {
            value.each_column(&mut |column| {
                if let Some(run) = runs.get_mut(&column.id()) {
                    run.0 -= 1;
                    if run.0 == 0 {
                        *bytes -= run.1;
                        runs.remove(&column.id());
                    }
                }
            });
        }
        self.bytes -= ENTRY_BYTES;
        self.counts.evicted += 1;
    }

    fn unpin(&mut self, keys: &[Key]) {
        for key in keys {
            if let Some(count) = self.pinned.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    self.pinned.remove(key);
                }
            }
        }
    }

    fn trim(&mut self, budget: u64) {
        if self.bytes <= budget {
            return;
        }
        let goal = budget / 5 * 4;
        let oldest: Vec<Key> = self.order.values().copied().collect();
        for key in oldest {
            if self.bytes <= goal {
                break;
            }
            if !self.pinned.contains_key(&key) {
                self.drop_entry(key);
            }
        }
    }
}
