//! Where cooked values are kept, by content key, for every play that shares the store.

use crate::value::{Key, Value};
use memory::{Keeper, Keepers, Memory, Part};
use shards::Shards;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zero_compute::Device;

pub(crate) mod disk;
pub(crate) mod memory;
mod shards;

pub use disk::DiskCache;
pub use memory::Tier;

/// What an entry counts beside its runs, so that entries that hold numbers alone don't gather without end.
const ENTRY_BYTES: u64 = 1024;

/// How a store is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// Bytes of device memory that may be kept: cooked values, and what plays keep beside them. It is checked when a
    /// present commits. Past it things go [`Tier`] by tier, of the values those used longest ago first, until four
    /// fifths of it are left or only what plays stand on.
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
    disk: Option<DiskCache>,
    shards: Shards,
    ledger: Mutex<Ledger>,
    keepers: Keepers,
}

/// What changes when presents commit, one at a time.
#[derive(Debug, Default)]
struct Ledger {
    /// Holders of each run, so that a run that several entries share is counted once.
    runs: HashMap<u64, (u32, u64)>,
    bytes: u64,
    pinned: HashMap<Key, u32>,
    counts: StoreStats,
    /// Whether a commit found the budget passed and has not ended yet.
    over: bool,
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
    /// Presents that ended with what they cooked filed.
    pub commits: u64,
    /// Of those, the ones that found the budget passed and let things go.
    pub trims: u64,
}

impl Store {
    /// An empty store on a device.
    pub fn new(device: &Device, options: StoreOptions) -> Store {
        Store::made(device, options, None)
    }

    /// An empty store on a device, beside a folder that holds the outputs which graphs mark with
    /// [`Graph::cache`](crate::Graph::cache): what is there is not cooked.
    ///
    /// ```
    /// use zero_compute::{CpuOptions, Device, Exec};
    /// use zero_procgen::nodes::{field, geometry, mesh};
    /// use zero_procgen::{Clock, DiskCache, Graph, Play, Store, StoreOptions, inputs, vec3};
    ///
    /// let hills = Graph::define("hills", |g| {
    ///     let sheet = g.add(mesh::Grid::new().size([50.0, 1.0, 50.0]).cells_x(64).cells_z(64));
    ///     let height = g.add(field::Fbm::new(g.position() / 12.0).octaves(5));
    ///     g.output("land", g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0))));
    ///     g.cache("land");
    /// })?;
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// let run = || -> zero_procgen::Result<usize> {
    ///     let device = Device::cpu(CpuOptions::default());
    ///     let disk = DiskCache::open(folder, "my nodes, version 1")?;
    ///     let store = Store::with_disk(&device, StoreOptions::default(), disk);
    ///     let mut play = Play::new(&store, &hills, inputs! {})?;
    ///     play.present(Clock::default(), &Exec::default())?;
    ///     let cooked = play.report().cooked.len();
    ///     play.flush_disk(&Exec::default())?;
    ///     Ok(cooked)
    /// };
    /// assert!(run()? > 0);
    /// assert_eq!(run()?, 0, "the second run finds the land on disk");
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    pub fn with_disk(device: &Device, options: StoreOptions, disk: DiskCache) -> Store {
        Store::made(device, options, Some(disk))
    }

    fn made(device: &Device, options: StoreOptions, disk: Option<DiskCache>) -> Store {
        let inner = StoreInner {
            device: device.clone(),
            options,
            disk,
            shards: Shards::default(),
            ledger: Mutex::default(),
            keepers: Keepers::default(),
        };
        Store { inner: Arc::new(inner) }
    }

    /// The device its values live on.
    pub fn device(&self) -> &Device {
        &self.inner.device
    }

    /// The folder beside it, where there is one.
    pub fn disk(&self) -> Option<&DiskCache> {
        self.inner.disk.as_ref()
    }

    /// What it holds and has done.
    pub fn stats(&self) -> StoreStats {
        let ledger = self.lock();
        StoreStats {
            entries: self.inner.shards.len(),
            bytes: ledger.bytes,
            hits: self.inner.shards.hits(),
            ..ledger.counts
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        // A panic elsewhere leaves the table whole: each change is made under one lock.
        self.inner.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is held under a key. Threads that read at once don't wait for each other.
    pub fn get(&self, key: Key) -> Option<Arc<[Value]>> {
        self.inner.shards.get(key)
    }

    /// The keys of what is held, those used longest ago first.
    pub fn keys(&self) -> Vec<Key> {
        self.inner.shards.oldest()
    }

    /// Whether a held value stands on the run.
    pub(crate) fn holds_run(&self, run: u64) -> bool {
        self.lock().runs.contains_key(&run)
    }

    /// Files what a present cooked, all of it at once, and pins what it stands on in place of what it stood on.
    /// The budget is asked after with [`trim`](Self::trim).
    pub(crate) fn commit(&self, cooked: Vec<(Key, Arc<[Value]>)>, pin: &[Key], unpin: &[Key]) {
        let mut ledger = self.lock();
        for (key, values) in cooked {
            ledger.file(&self.inner.shards, key, values);
        }
        for key in pin {
            *ledger.pinned.entry(*key).or_default() += 1;
        }
        ledger.unpin(unpin);
        ledger.counts.commits += 1;
        self.inner.shards.advance();
    }

    /// What a play keeps beside the store's values, as the play states it.
    pub(crate) fn keeper(&self) -> Arc<Keeper> {
        self.inner.keepers.add()
    }

    /// Lets a tier go at a commit point, where the budget is passed or was when the commit began: of the values at once,
    /// of what plays keep by asking the others; the play that commits does its own where this says so.
    pub(crate) fn trim(&self, committing: &Arc<Keeper>, tier: Tier) -> bool {
        let budget = self.inner.options.budget_bytes;
        let kept = self.inner.keepers.bytes();
        let mut ledger = self.lock();
        let limit = if ledger.over { budget / 5 * 4 } else { budget };
        if ledger.bytes + kept <= limit {
            return false;
        }
        ledger.over = true;
        match tier {
            Tier::Values => ledger.trim(&self.inner.shards, (budget / 5 * 4).saturating_sub(kept)),
            Tier::Copies | Tier::Recordings => self.inner.keepers.ask(committing, tier),
            Tier::Stands => {}
        }
        true
    }

    /// Ends a commit.
    pub(crate) fn committed(&self) {
        let mut ledger = self.lock();
        if std::mem::take(&mut ledger.over) {
            ledger.counts.trims += 1;
        }
    }

    /// Lets go of a tier and of those before it, as a host under memory pressure asks: of the values at once, of what
    /// plays keep when each presents next. Nothing that stands goes, and what a later present shows is the same.
    pub fn let_go(&self, tier: Tier) {
        self.inner.keepers.ask_all(tier);
        if tier >= Tier::Values {
            self.lock().trim(&self.inner.shards, 0);
        }
    }

    /// What is kept, by part.
    pub fn memory(&self) -> Memory {
        let ledger = self.lock();
        let standing = self.standing_bytes(&ledger);
        let mut parts = self.inner.keepers.parts();
        parts.push(Part {
            name: "values",
            tier: Tier::Values,
            bytes: ledger.bytes.saturating_sub(standing),
        });
        parts.push(Part {
            name: "shown values",
            tier: Tier::Stands,
            bytes: standing.min(ledger.bytes),
        });
        Memory {
            budget_bytes: self.inner.options.budget_bytes,
            parts,
        }
    }

    /// Bytes of the entries that plays stand on, each run once.
    fn standing_bytes(&self, ledger: &Ledger) -> u64 {
        let (mut runs, mut bytes) = (HashMap::new(), 0);
        for key in ledger.pinned.keys() {
            if let Some(values) = self.inner.shards.peek(*key) {
                bytes += ENTRY_BYTES;
                values.iter().for_each(|value| {
                    value.each_column(&mut |column| {
                        runs.insert(column.id(), column.bytes());
                    });
                });
            }
        }
        bytes + runs.values().sum::<u64>()
    }

    pub(crate) fn unpin(&self, keys: &[Key]) {
        self.lock().unpin(keys);
    }
}

impl Ledger {
    fn file(&mut self, shards: &Shards, key: Key, values: Arc<[Value]>) {
        if shards.contains(key) {
            // Two plays cooked the same node at once; the first to commit is kept.
            return;
        }
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
        shards.insert(key, values, self.counts.filed);
        self.counts.filed += 1;
    }

    fn drop_entry(&mut self, shards: &Shards, key: Key) {
        let Some(entry) = shards.remove(key) else { return };
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

    /// Lets values go that nothing stands on, those used longest ago first, until `goal` bytes are left.
    fn trim(&mut self, shards: &Shards, goal: u64) {
        for key in shards.oldest() {
            if self.bytes <= goal {
                break;
            }
            if !self.pinned.contains_key(&key) {
                self.drop_entry(shards, key);
            }
        }
    }
}
