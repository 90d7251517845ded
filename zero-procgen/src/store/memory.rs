//! What is kept beside cooked values, by what letting it go costs.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What letting go of a kept thing costs, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// Copies of what was shown that nobody holds any more: the next frame that moves makes its own.
    Copies,
    /// Cooked values that nothing stands on: cooked again where a present reaches them.
    Values,
    /// Lists recorded for numbers that move: the next number is cooked node by node and recorded again.
    Recordings,
    /// What plays stand on: shown values, frames that are held, the states of steps. No budget lets go of it.
    Stands,
}

impl Tier {
    /// All of them, in the order in which they go.
    pub const ALL: [Tier; 4] = [Tier::Copies, Tier::Values, Tier::Recordings, Tier::Stands];

    fn index(self) -> usize {
        self as usize
    }

    fn of(index: u8) -> Option<Tier> {
        Tier::ALL.get(usize::from(index).checked_sub(1)?).copied()
    }
}

/// What a store and the plays on it keep on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// What may be kept.
    pub budget_bytes: u64,
    /// What is kept, part by part. A run that two values share is counted once among the store's values.
    pub parts: Vec<Part>,
}

/// One kind of thing that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// What letting it go costs.
    pub tier: Tier,
    /// Bytes on the device.
    pub bytes: u64,
}

impl Memory {
    /// Bytes of all parts.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }

    /// Bytes of the parts of a tier.
    pub fn tier(&self, tier: Tier) -> u64 {
        let parts = self.parts.iter().filter(|part| part.tier == tier);
        parts.map(|part| part.bytes).sum()
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            writeln!(f, "{:<24} {:>14} bytes", part.name, part.bytes)?;
        }
        write!(f, "{:<24} {:>14} bytes of {}", "all", self.bytes(), self.budget_bytes)
    }
}

/// What one play keeps, and what it was asked to let go of. It is the play that lets go: between presents nobody else
/// may touch it.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    bytes: [AtomicU64; Tier::ALL.len()],
    /// One more than the place of the tier.
    asked: AtomicU8,
}

impl Keeper {
    pub(crate) fn set(&self, tier: Tier, bytes: u64) {
        self.bytes[tier.index()].store(bytes, Ordering::Relaxed);
    }

    fn get(&self, tier: Tier) -> u64 {
        self.bytes[tier.index()].load(Ordering::Relaxed)
    }

    fn ask(&self, tier: Tier) {
        self.asked.fetch_max(tier.index() as u8 + 1, Ordering::Relaxed);
    }

    /// The tier that it was asked to let go of since it was last asked after.
    pub(crate) fn asked(&self) -> Option<Tier> {
        match self.asked.load(Ordering::Relaxed) {
            0 => None,
            _ => Tier::of(self.asked.swap(0, Ordering::Relaxed)),
        }
    }
}

/// The plays of a store.
#[derive(Debug, Default)]
pub(super) struct Keepers(Mutex<Vec<Weak<Keeper>>>);

impl Keepers {
    pub(super) fn add(&self) -> Arc<Keeper> {
        let keeper = Arc::new(Keeper::default());
        let mut keepers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keepers.retain(|held| held.strong_count() > 0);
        keepers.push(Arc::downgrade(&keeper));
        keeper
    }

    fn all(&self) -> Vec<Arc<Keeper>> {
        let keepers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keepers.iter().filter_map(Weak::upgrade).collect()
    }

    /// Bytes of what every play keeps.
    pub(super) fn bytes(&self) -> u64 {
        let all = self.all();
        let each = all.iter().flat_map(|keeper| Tier::ALL.map(|tier| keeper.get(tier)));
        each.sum()
    }

    /// Asks every play but one.
    pub(super) fn ask(&self, but: &Arc<Keeper>, tier: Tier) {
        let all = self.all();
        let others = all.iter().filter(|keeper| !Arc::ptr_eq(keeper, but));
        others.for_each(|keeper| keeper.ask(tier));
    }

    pub(super) fn ask_all(&self, tier: Tier) {
        self.all().iter().for_each(|keeper| keeper.ask(tier));
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let all = self.all();
        let named = [
            ("idle copies", Tier::Copies),
            ("recordings", Tier::Recordings),
            ("shown copies and steps", Tier::Stands),
        ];
        let part = |(name, tier): (&'static str, Tier)| Part {
            name,
            tier,
            bytes: all.iter().map(|keeper| keeper.get(tier)).sum(),
        };
        named.into_iter().map(part).collect()
    }
}
