//! Which dispatches of a list run together, as pure data: buffers are numbers, and no device is needed.

use std::collections::{HashMap, HashSet};

use super::{Fusion, FusionCounts};
use crate::column::Element;

/// Storage buffers of a fused dispatch, a live domain's count among them: what WebGPU's default limits bind.
pub(crate) const MAX_BUFFERS: usize = 8;
/// Dispatches in one, so that planning a long list takes time in proportion to it.
const MAX_MEMBERS: usize = 64;
/// Words of params in one: 16 KiB, the least that a uniform binding holds anywhere.
const MAX_WORDS: usize = 4096;
/// Lanes of an output that a thread may hold.
pub(crate) const MAX_LANES: u32 = 16;

/// What a buffer is seen as; a value passes from a dispatch to the next only as what it was written.
pub(crate) type Shape = (Element, u32);

/// The elements that a dispatch runs over: as many, of which so many are live as that buffer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Over {
    pub(crate) n: u32,
    pub(crate) count: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) buffer: u64,
    pub(crate) shape: Shape,
    /// Whether element `i` is read by thread `i` alone.
    pub(crate) is_own: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) buffer: u64,
    pub(crate) shape: Shape,
    /// Whether every word is written and none read.
    pub(crate) is_whole: bool,
}

/// What a per-element dispatch costs the one that it joins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joins {
    pub(crate) words: usize,
    pub(crate) weight: u32,
}

/// One recorded dispatch.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) over: Over,
    pub(crate) reads: Vec<Read>,
    pub(crate) writes: Vec<Write>,
    /// `None` for what always runs alone.
    pub(crate) joins: Option<Joins>,
}

/// Dispatches that run as one, in their recorded order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) node: usize,
    /// Whether its output is written to its buffer.
    pub(crate) is_stored: bool,
    /// For each of its reads the member of the group that computes it, where one does.
    pub(crate) from: Vec<Option<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) groups: Vec<Group>,
    pub(crate) counts: FusionCounts,
}

/// Which dispatches are dropped, and which run together in which order. `stands` says whether a buffer must hold after
/// the list what it would hold without fusion.
pub(crate) fn plan(nodes: &[Node], fusion: Fusion, max_weight: u32, stands: &dyn Fn(u64) -> bool) -> Plan {
    let live = live(nodes, stands);
    let flow = Flow::of(nodes, &live);
    let mut schedule = Schedule {
        nodes,
        flow: &flow,
        stands,
        fusion,
        max_weight,
        groups: Vec::new(),
        group_of: vec![usize::MAX; nodes.len()],
        same: HashMap::new(),
    };
    for at in (0..nodes.len()).filter(|&at| live[at]) {
        schedule.place(at);
    }
    schedule.finish(nodes.len())
}

/// A dispatch is live where it writes what stands, or what a live one after it reads.
fn live(nodes: &[Node], stands: &dyn Fn(u64) -> bool) -> Vec<bool> {
    let mut needed: HashSet<u64> = HashSet::new();
    let mut live = vec![false; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        // One over no elements does not run.
        let is_live = node.over.n > 0
            && node
                .writes
                .iter()
                .any(|write| stands(write.buffer) || needed.contains(&write.buffer));
        if !is_live {
            continue;
        }
        live[at] = true;
        for write in &node.writes {
            if write.is_whole {
                needed.remove(&write.buffer);
            } else {
                needed.insert(write.buffer);
            }
        }
        needed.extend(node.reads.iter().map(|read| read.buffer));
        needed.extend(node.over.count);
    }
    live
}

/// Who reads what whom wrote.
struct Flow {
    /// For each read of each dispatch the one that wrote it last, where one of the list did.
    writer_of: Vec<Vec<Option<usize>>>,
    /// The dispatches that read what a dispatch wrote, a change in place among them.
    readers_of: Vec<Vec<usize>>,
    /// The dispatches that must have run before each, whatever they share with it besides a value.
    before: Vec<Vec<usize>>,
}

impl Flow {
    fn of(nodes: &[Node], live: &[bool]) -> Flow {
        let mut flow = Flow {
            writer_of: vec![Vec::new(); nodes.len()],
            readers_of: vec![Vec::new(); nodes.len()],
            before: vec![Vec::new(); nodes.len()],
        };
        let mut last: HashMap<u64, usize> = HashMap::new();
        let mut readers: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, node) in nodes.iter().enumerate().filter(|(at, _)| live[*at]) {
            for read in &node.reads {
                let writer = last.get(&read.buffer).copied();
                flow.writer_of[at].push(writer);
                if let Some(writer) = writer {
                    flow.readers_of[writer].push(at);
                }
                readers.entry(read.buffer).or_default().push(at);
            }
            if let Some(count) = node.over.count {
                if let Some(&writer) = last.get(&count) {
                    flow.readers_of[writer].push(at);
                    flow.before[at].push(writer);
                }
                readers.entry(count).or_default().push(at);
            }
            for write in &node.writes {
                if let Some(&writer) = last.get(&write.buffer) {
                    flow.before[at].push(writer);
                    if !write.is_whole {
                        flow.readers_of[writer].push(at);
                    }
                }
                let old = readers.remove(&write.buffer).unwrap_or_default();
                flow.before[at].extend(old.into_iter().filter(|&reader| reader != at));
                last.insert(write.buffer, at);
            }
        }
        flow
    }
}

struct Schedule<'a> {
    nodes: &'a [Node],
    flow: &'a Flow,
    stands: &'a dyn Fn(u64) -> bool,
    fusion: Fusion,
    max_weight: u32,
    groups: Vec<Vec<usize>>,
    group_of: Vec<usize>,
    /// The groups over the same elements that may be joined, in order.
    same: HashMap<Over, Vec<usize>>,
}

impl Schedule<'_> {
    /// Puts a dispatch into the first group that it may run in: after everything that must be over, and beside or
    /// after what computes its own elements.
    fn place(&mut self, at: usize) {
        let node = &self.nodes[at];
        let mut first = 0;
        for &before in &self.flow.before[at] {
            first = first.max(self.group_of[before] + 1);
        }
        for (read, writer) in node.reads.iter().zip(&self.flow.writer_of[at]) {
            let Some(writer) = *writer else { continue };
            let group = self.group_of[writer];
            first = first.max(if self.passes(writer, at, read) {
                group
            } else {
                group + 1
            });
        }
        let joined = node.joins.and_then(|_| self.joinable(at, first));
        let group = joined.unwrap_or_else(|| {
            let new = self.groups.len();
            self.groups.push(Vec::new());
            if node.joins.is_some() {
                self.same.entry(node.over).or_default().push(new);
            }
            new
        });
        self.groups[group].push(at);
        self.group_of[at] = group;
    }

    /// Whether a value may pass from one dispatch to another without a buffer.
    fn passes(&self, writer: usize, reader: usize, read: &Read) -> bool {
        let (from, to) = (&self.nodes[writer], &self.nodes[reader]);
        self.fusion != Fusion::Off
            && from.joins.is_some()
            && to.joins.is_some()
            && from.over == to.over
            && read.is_own
            && from
                .writes
                .iter()
                .any(|write| write.buffer == read.buffer && write.shape == read.shape)
    }

    fn joinable(&self, at: usize, first: usize) -> Option<usize> {
        if self.fusion == Fusion::Off {
            return None;
        }
        let same = self.same.get(&self.nodes[at].over)?;
        let from = same.partition_point(|&group| group < first);
        same.get(from..)?.iter().copied().find(|&group| self.fits(group, at))
    }

    /// Whether a dispatch may join a group. An output counts as stored until all its readers have joined, so that a
    /// group stays within its buffers however the rest is placed.
    fn fits(&self, group: usize, at: usize) -> bool {
        let members = &self.groups[group];
        let all = || members.iter().copied().chain([at]);
        let reads_a_member = || self.flow.writer_of[at].iter().flatten().any(|w| members.contains(w));
        if members.len() >= MAX_MEMBERS || (self.fusion == Fusion::Chains && !reads_a_member()) {
            return false;
        }
        let (mut words, mut weight) = (0, 0u32);
        for joins in all().filter_map(|node| self.nodes[node].joins) {
            words += joins.words;
            weight = weight.saturating_add(joins.weight);
        }
        if words > MAX_WORDS || weight > self.max_weight {
            return false;
        }
        let mut inputs: HashSet<(u64, Shape)> = HashSet::new();
        let mut stored = 0;
        for node in all() {
            let reads = self.nodes[node].reads.iter().zip(&self.flow.writer_of[node]);
            for (read, writer) in reads {
                let inside = writer.is_some_and(|w| w == at || members.contains(&w));
                if !inside {
                    inputs.insert((read.buffer, read.shape));
                }
            }
            let is_member = |reader: &usize| *reader == at || members.contains(reader);
            stored += usize::from(self.is_stored(node, &is_member));
        }
        let count = usize::from(self.nodes[at].over.count.is_some());
        inputs.len() + stored + count <= MAX_BUFFERS
    }

    fn is_stored(&self, node: usize, is_member: &dyn Fn(&usize) -> bool) -> bool {
        let stands = self.nodes[node].writes.iter().any(|write| (self.stands)(write.buffer));
        stands || !self.flow.readers_of[node].iter().all(is_member)
    }

    fn finish(self, recorded: usize) -> Plan {
        let mut counts = FusionCounts {
            recorded,
            dispatches: self.groups.len(),
            ..FusionCounts::default()
        };
        let mut groups = Vec::with_capacity(self.groups.len());
        let mut placed = 0;
        for nodes in &self.groups {
            placed += nodes.len();
            let position = |writer: &usize| nodes.iter().position(|node| node == writer);
            let is_member = |reader: &usize| nodes.contains(reader);
            let members: Vec<Member> = nodes
                .iter()
                .map(|&node| Member {
                    node,
                    is_stored: self.is_stored(node, &is_member),
                    from: self.flow.writer_of[node]
                        .iter()
                        .map(|writer| writer.as_ref().and_then(position))
                        .collect(),
                })
                .collect();
            let chains = chains(&members);
            counts.fused += usize::from(members.len() > 1);
            counts.joined += members.len() - chains;
            counts.staged += chains - 1;
            counts.absorbed += members.iter().filter(|member| !member.is_stored).count();
            groups.push(Group { members });
        }
        counts.dropped = recorded - placed;
        Plan { groups, counts }
    }
}

/// How many chains a group holds that do not read each other.
fn chains(members: &[Member]) -> usize {
    let mut chain: Vec<usize> = (0..members.len()).collect();
    for (at, member) in members.iter().enumerate() {
        for &from in member.from.iter().flatten() {
            let (old, new) = (chain[at], chain[from]);
            chain
                .iter_mut()
                .filter(|name| **name == old)
                .for_each(|name| *name = new);
        }
    }
    chain.iter().enumerate().filter(|(at, name)| at == *name).count()
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
