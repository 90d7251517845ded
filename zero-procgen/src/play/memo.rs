//! Keys kept from one present to the next.

use super::session::Session;
use crate::error::Result;
use crate::graph::wire::{ClockField, InputId};
use crate::value::{Key, KeyHasher};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The keys of a graph's nodes by what the nodes ask, kept while what the graph is given stays: after an edit most nodes
/// ask what they asked before. With each key, whether the node moves.
#[derive(Debug, Default)]
pub(crate) struct KeyMemo {
    /// Of everything the graph is given, and which of it moves.
    given: Option<Key>,
    keys: HashMap<Key, (Key, bool), BuildHasherDefault<OfKey>>,
}

/// Keys are hashes already: eight bytes of one serve as its hash.
#[derive(Debug, Default)]
struct OfKey(u64);

impl Hasher for OfKey {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }
    // How long a key is tells nothing.
    fn write_usize(&mut self, _length: usize) {}
    fn finish(&self) -> u64 {
        self.0
    }
}

impl KeyMemo {
    pub(super) fn get(&self, work: Key) -> Option<(Key, bool)> {
        self.keys.get(&work).copied()
    }

    pub(super) fn insert(&mut self, work: Key, held: (Key, bool)) {
        self.keys.insert(work, held);
    }
}

impl Session<'_> {
    /// Lets go of the kept keys where the graph is given something else than when they were worked out, or where most
    /// are of plans long gone.
    pub(super) fn check_memo(&mut self) -> Result<()> {
        let mut hasher = KeyHasher::new("given");
        hasher.key(self.leaves.device);
        for (index, input) in self.plan.built.inputs.iter().enumerate() {
            let id = InputId(index as u32);
            let moving = self.moving.input(id);
            hasher.text(&input.name).u32(moving.into());
            hasher.key(self.leaves.input(id, moving)?.key);
        }
        if self.plan.reads_clock {
            for field in ClockField::ALL {
                hasher.u32(self.moving.clock(field).into());
                hasher.key(self.leaves.clock(field, false)?.key);
            }
        }
        let given = Some(hasher.finish());
        if self.memo.given != given || self.memo.keys.len() > 4 * self.plan.len() + 4096 {
            self.memo.keys.clear();
        }
        self.memo.given = given;
        Ok(())
    }
}
