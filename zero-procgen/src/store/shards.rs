//! The table that a read goes through. Reads take no lock that another read waits for, and write to no word that every
//! read writes to, so that threads don't slow each other down.

use crate::value::key::OfKey;
use crate::value::{Key, Value};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// More than threads that read at once, so that two seldom meet.
const SHARDS: usize = 64;

/// What is held under a key.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) values: Arc<[Value]>,
    /// The commit that it was filed after or read last after.
    used: AtomicU64,
    /// Counts the entries filed, so that of two used at once the older goes first.
    place: u64,
}

/// Keys are hashes, and are not hashed again.
type Entries = HashMap<Key, Entry, BuildHasherDefault<OfKey>>;

/// One part of the table, on cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Shard {
    entries: RwLock<Entries>,
    hits: AtomicU64,
}

/// The table, in parts by key.
#[derive(Debug)]
pub(super) struct Shards {
    shards: Box<[Shard]>,
    /// Counts commits. It is read by every look-up, and written by none.
    commits: AtomicU64,
}

impl Default for Shards {
    fn default() -> Self {
        Shards {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            commits: AtomicU64::new(0),
        }
    }
}

impl Shard {
    fn read(&self) -> RwLockReadGuard<'_, Entries> {
        // A panic elsewhere leaves the table whole: each change is one insertion or one removal.
        self.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Entries> {
        self.entries.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shards {
    fn of(&self, key: Key) -> &Shard {
        // Keys are hashes, so any byte of one spreads them.
        &self.shards[usize::from(key.0[15]) % SHARDS]
    }

    /// What is held under a key, which is thereby used.
    pub(super) fn get(&self, key: Key) -> Option<Arc<[Value]>> {
        let shard = self.of(key);
        let entries = shard.read();
        let entry = entries.get(&key)?;
        let now = self.commits.load(Ordering::Relaxed);
        if entry.used.load(Ordering::Relaxed) != now {
            entry.used.store(now, Ordering::Relaxed);
        }
        shard.hits.fetch_add(1, Ordering::Relaxed);
        Some(entry.values.clone())
    }

    /// What is held under a key, without using it.
    pub(super) fn peek(&self, key: Key) -> Option<Arc<[Value]>> {
        self.of(key).read().get(&key).map(|entry| entry.values.clone())
    }

    pub(super) fn contains(&self, key: Key) -> bool {
        self.of(key).read().contains_key(&key)
    }

    /// Holds values under a key that holds none.
    pub(super) fn insert(&self, key: Key, values: Arc<[Value]>, place: u64) {
        let entry = Entry {
            values,
            used: AtomicU64::new(self.commits.load(Ordering::Relaxed)),
            place,
        };
        self.of(key).write().insert(key, entry);
    }

    pub(super) fn remove(&self, key: Key) -> Option<Entry> {
        self.of(key).write().remove(&key)
    }

    /// Begins the time after a commit.
    pub(super) fn advance(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// The keys, those used longest ago first.
    pub(super) fn oldest(&self) -> Vec<Key> {
        let mut all: Vec<(u64, u64, Key)> = Vec::new();
        for shard in &self.shards {
            let entries = shard.read();
            let used = |entry: &Entry| entry.used.load(Ordering::Relaxed);
            all.extend(entries.iter().map(|(key, entry)| (used(entry), entry.place, *key)));
        }
        all.sort_unstable();
        all.into_iter().map(|(_, _, key)| key).collect()
    }

    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.read().len() as u64).sum()
    }

    pub(super) fn hits(&self) -> u64 {
        let hits = self.shards.iter().map(|shard| shard.hits.load(Ordering::Relaxed));
        hits.sum()
    }
}
