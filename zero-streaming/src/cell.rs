//! A cell, its groups and its proxy, and what they add up to.

use crate::body::{Body, Phase};
use crate::rule::Verdict;
use crate::slots::{Slot, Slots};
use crate::{CellInfo, CellKey, CellState, EntityId, GroupInfo, GroupState};

/// Where the records of a group are.
#[derive(Debug)]
pub(crate) enum Payload {
    Memory(Vec<u8>),
    /// The seal is the hash that its last bytes are: a file that was put in its place, or is an older one, is known by it.
    File {
        path: String,
        seal: [u8; 8],
    },
}

/// A root and its descendants.
#[derive(Debug)]
pub(crate) struct Group<E> {
    pub(crate) cell: Slot,
    /// The group as it was last written down.
    pub(crate) payload: Payload,
    pub(crate) entities: u64,
    pub(crate) bytes: u64,
    pub(crate) body: Body<E>,
}

impl<E: EntityId> Group<E> {
    pub(crate) fn info(&self, key: CellKey, layer: &str) -> GroupInfo {
        let state = match self.body.phase {
            Phase::Away => GroupState::Stored,
            Phase::Rising => GroupState::Loading,
            Phase::Standing if self.body.is_settled() => GroupState::Standing,
            Phase::Standing => GroupState::Settling,
            Phase::Falling => GroupState::Releasing,
        };
        let path = match &self.payload {
            Payload::File { path, .. } => Some(path.clone()),
            Payload::Memory(_) => None,
        };
        let (entities, bytes) = (self.entities, self.bytes);
        GroupInfo {
            key,
            layer: layer.to_owned(),
            state,
            entities,
            bytes,
            path,
        }
    }
}

/// What a released cell is drawn as.
#[derive(Debug)]
pub(crate) struct Proxy<E> {
    pub(crate) payload: Vec<u8>,
    pub(crate) records: u64,
    pub(crate) derived: bool,
    pub(crate) body: Body<E>,
}

/// Entities and a file that nothing owns any more.
#[derive(Debug)]
pub(crate) struct Stray<E> {
    pub(crate) body: Body<E>,
    pub(crate) file: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Cell<E> {
    pub(crate) layer: u32,
    pub(crate) key: CellKey,
    /// In the order in which they were filed.
    pub(crate) groups: Vec<Slot>,
    pub(crate) proxy: Option<Proxy<E>>,
    /// Proxies that another took the place of, each standing until that one does.
    pub(crate) retired: Vec<Body<E>>,
    /// What is left of groups and proxies that the store holds no more. It is taken out.
    pub(crate) strays: Vec<Stray<E>>,
    /// Whether the content is to stand. The hold band leaves this alone, which is how a move that the budget cut short
    /// finishes there.
    pub(crate) goal: bool,
    /// Whether the cell is in the far field, and to be drawn while its content is not there.
    pub(crate) far: bool,
    pub(crate) tally: Tally,
}

/// What a cell adds to the [`Stats`](crate::Stats).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) groups: u64,
    pub(crate) groups_up: u64,
    pub(crate) groups_settled: u64,
    pub(crate) entities: u64,
    pub(crate) entities_up: u64,
    pub(crate) bytes: u64,
    pub(crate) bytes_up: u64,
    pub(crate) has_proxy: bool,
    pub(crate) proxy_up: bool,
    pub(crate) proxy_settled: bool,
    pub(crate) proxy_entities: u64,
    pub(crate) proxy_bytes: u64,
    /// Something waits for entities to land or to be linked.
    pub(crate) settling: bool,
    pub(crate) pending: bool,
    /// A step has to look at it wherever the sources are.
    pub(crate) active: bool,
}

impl<E: EntityId> Cell<E> {
    pub(crate) const fn new(layer: u32, key: CellKey, goal: bool) -> Self {
        Self {
            layer,
            key,
            groups: Vec::new(),
            proxy: None,
            retired: Vec::new(),
            strays: Vec::new(),
            goal,
            far: false,
            tally: Tally::EMPTY,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.proxy.is_none() && self.has_no_leftovers()
    }

    fn has_no_leftovers(&self) -> bool {
        self.retired.is_empty() && self.strays.is_empty()
    }

    /// Leaves these to be taken out, if there are any.
    pub(crate) fn leave(&mut self, entities: Vec<E>, file: Option<String>) {
        if !entities.is_empty() || file.is_some() {
            let body = if entities.is_empty() {
                Body::away()
            } else {
                Body::falling(entities)
            };
            self.strays.push(Stray { body, file });
        }
    }

    pub(crate) fn heed(&mut self, content: Verdict, far: Verdict) {
        match content {
            Verdict::Resident => self.goal = true,
            Verdict::Released => self.goal = false,
            Verdict::Hold => {}
        }
        match far {
            Verdict::Resident => self.far = true,
            Verdict::Released => self.far = false,
            Verdict::Hold => {}
        }
    }

    /// Whether all of the content has landed. A cell without content has nothing that is not there.
    pub(crate) fn content_stands(&self) -> bool {
        self.tally.groups_settled == self.tally.groups
    }

    /// Whether the proxy has to stand before any of the content may go.
    pub(crate) fn needs_cover(&self) -> bool {
        self.far && self.proxy.as_ref().is_some_and(|proxy| !proxy.body.is_settled())
    }

    /// Whether the proxy is to be taken down: the cell left the far field, or its content has landed.
    pub(crate) fn drops_proxy(&self) -> bool {
        !self.far || (self.goal && self.content_stands())
    }

    /// Whether what was retired may go: what takes its place stands, or nothing is to.
    pub(crate) fn drops_retired(&self) -> bool {
        self.drops_proxy() || self.proxy.as_ref().is_none_or(|proxy| proxy.body.is_settled())
    }

    pub(crate) fn count(&self, groups: &Slots<Group<E>>) -> Tally {
        let mut t = Tally {
            has_proxy: self.proxy.is_some(),
            ..Tally::EMPTY
        };
        for group in self.groups.iter().filter_map(|slot| groups.get(*slot)) {
            t.add(group);
        }
        if let Some(proxy) = &self.proxy {
            t.proxy_up = !proxy.body.is_away();
            t.proxy_settled = proxy.body.is_settled();
            t.settling |= proxy.body.is_settling();
            t.proxy_entities += proxy.body.entities.len() as u64;
            t.proxy_bytes += if t.proxy_up { proxy.payload.len() as u64 } else { 0 };
        }
        t.entities_up += self
            .strays
            .iter()
            .map(|stray| stray.body.entities.len() as u64)
            .sum::<u64>();
        t.proxy_entities += self.retired.iter().map(|body| body.entities.len() as u64).sum::<u64>();
        self.conclude(t)
    }

    /// What it adds with one more group, without a look at the others.
    pub(crate) fn count_with(&self, group: &Group<E>) -> Tally {
        let mut t = self.tally;
        t.add(group);
        self.conclude(t)
    }

    /// What follows from the sums.
    fn conclude(&self, mut t: Tally) -> Tally {
        let content_there = if self.goal {
            t.groups_settled == t.groups
        } else {
            t.groups_up == 0
        };
        let proxy_there = match (self.far, self.goal) {
            (true, false) => !t.has_proxy || t.proxy_settled,
            // A cell that loads keeps what it has up until the content has landed, and raises none.
            _ => !t.proxy_up,
        };
        t.pending = t.settling || !content_there || !proxy_there || !self.has_no_leftovers();
        t.active = self.goal || (self.far && t.has_proxy) || t.pending || t.groups_up > 0;
        t
    }

    pub(crate) fn info(&self, layer: &str, groups: &Slots<Group<E>>) -> CellInfo {
        let t = self.tally;
        let in_memory = |slot: &Slot| match &groups.get(*slot)?.payload {
            Payload::Memory(bytes) => Some(bytes.len() as u64),
            Payload::File { .. } => None,
        };
        CellInfo {
            key: self.key,
            layer: layer.to_owned(),
            state: if t.groups_up == 0 {
                CellState::Released
            } else if t.groups_settled == t.groups {
                CellState::Resident
            } else {
                CellState::Pending
            },
            groups: t.groups,
            entities: t.entities,
            entities_resident: t.entities_up,
            bytes: t.bytes,
            bytes_resident: t.bytes_up,
            bytes_in_memory: self.groups.iter().filter_map(in_memory).sum(),
            proxy: t.has_proxy,
            proxy_resident: t.proxy_settled,
        }
    }
}

impl Tally {
    fn add<E: EntityId>(&mut self, group: &Group<E>) {
        self.groups += 1;
        self.entities += group.entities;
        self.bytes += group.bytes;
        self.groups_settled += u64::from(group.body.is_settled());
        self.settling |= group.body.is_settling();
        if !group.body.is_away() {
            self.groups_up += 1;
            self.entities_up += group.body.entities.len() as u64;
            self.bytes_up += group.bytes;
        }
    }

    const EMPTY: Self = Self {
        groups: 0,
        groups_up: 0,
        groups_settled: 0,
        entities: 0,
        entities_up: 0,
        bytes: 0,
        bytes_up: 0,
        has_proxy: false,
        proxy_up: false,
        proxy_settled: false,
        proxy_entities: 0,
        proxy_bytes: 0,
        settling: false,
        pending: false,
        active: false,
    };
}
