//! Plans of small lists by hand, and of random ones by playing them through.

use std::collections::HashMap;

use super::*;

const N: u32 = 100;
/// Buffers from here on were handed in, so they stand.
const OUTSIDE: u64 = 100;
const KEPT: u64 = 50;

fn stands(buffer: u64) -> bool {
    buffer >= KEPT
}

fn over(n: u32) -> Over {
    Over { n, count: None }
}

fn own(buffer: u64) -> Read {
    Read {
        buffer,
        shape: (Element::F32, 1),
        is_own: true,
    }
}

fn anywhere(buffer: u64) -> Read {
    Read {
        is_own: false,
        ..own(buffer)
    }
}

fn write(buffer: u64) -> Write {
    Write {
        buffer,
        shape: (Element::F32, 1),
        is_whole: true,
    }
}

/// A per-element dispatch.
fn each(reads: &[Read], to: u64) -> Node {
    Node {
        over: over(N),
        reads: reads.to_vec(),
        writes: vec![write(to)],
        joins: Some(Joins { words: 8, weight: 1 }),
    }
}

/// A dispatch that runs alone.
fn alone(reads: &[Read], to: u64) -> Node {
    Node {
        joins: None,
        ..each(reads, to)
    }
}

/// The nodes of each group, the stored ones marked.
fn groups(nodes: &[Node], fusion: Fusion) -> (Vec<Vec<(usize, bool)>>, FusionCounts) {
    let plan = plan(nodes, fusion, 1000, &stands);
    let text = |group: &Group| group.members.iter().map(|m| (m.node, m.is_stored)).collect();
    (plan.groups.iter().map(text).collect(), plan.counts)
}

fn check(nodes: &[Node], fusion: Fusion, expected: &[&[(usize, bool)]]) -> FusionCounts {
    let (found, counts) = groups(nodes, fusion);
    assert_eq!(found, expected);
    let saved = counts.dropped + counts.joined + counts.staged;
    assert_eq!(counts.recorded, counts.dispatches + saved, "{counts:?}");
    counts
}

#[test]
fn a_chain_is_one_dispatch_that_writes_its_end() {
    let chain = [
        each(&[own(OUTSIDE)], 0),
        each(&[own(0)], 1),
        each(&[own(1), own(0)], KEPT),
    ];
    let counts = check(&chain, Fusion::Chains, &[&[(0, false), (1, false), (2, true)]]);
    assert_eq!((counts.joined, counts.absorbed, counts.fused), (2, 2, 1));
    let plan = plan(&chain, Fusion::Stages, 1000, &stands);
    assert_eq!(plan.groups[0].members[2].from, [Some(1), Some(0)]);
    check(&chain, Fusion::Off, &[&[(0, true)], &[(1, true)], &[(2, true)]]);
}

#[test]
fn what_is_kept_is_written_too() {
    let chain = [each(&[own(OUTSIDE)], KEPT), each(&[own(KEPT)], KEPT + 1)];
    check(&chain, Fusion::Stages, &[&[(0, true), (1, true)]]);
}

#[test]
fn what_nothing_depends_on_is_dropped() {
    let empty = Node {
        over: over(0),
        ..each(&[own(OUTSIDE)], KEPT)
    };
    let reads_only = Node {
        writes: Vec::new(),
        ..alone(&[own(OUTSIDE)], 9)
    };
    let nodes = [
        each(&[own(OUTSIDE)], 0),
        alone(&[own(0)], 1),
        empty,
        reads_only,
        each(&[own(OUTSIDE)], KEPT),
        // Written anew before anybody reads it.
        each(&[own(OUTSIDE)], 2),
        each(&[own(OUTSIDE)], 2),
        alone(&[own(2)], KEPT + 1),
    ];
    let counts = check(&nodes, Fusion::Off, &[&[(4, true)], &[(6, true)], &[(7, true)]]);
    assert_eq!(counts.dropped, 5);
}

#[test]
fn what_is_read_elsewhere_or_as_something_else_is_written_first() {
    let gathered = [each(&[own(OUTSIDE)], 0), each(&[anywhere(0)], KEPT)];
    check(&gathered, Fusion::Stages, &[&[(0, true)], &[(1, true)]]);
    let recast = Read {
        shape: (Element::U32, 1),
        ..own(0)
    };
    check(
        &[each(&[own(OUTSIDE)], 0), each(&[recast], KEPT)],
        Fusion::Stages,
        &[&[(0, true)], &[(1, true)]],
    );
    let both = [each(&[own(OUTSIDE)], 0), each(&[own(0), anywhere(0)], KEPT)];
    check(&both, Fusion::Stages, &[&[(0, true)], &[(1, true)]]);
    let whole = [each(&[own(OUTSIDE)], 0), alone(&[own(0)], KEPT)];
    check(&whole, Fusion::Stages, &[&[(0, true)], &[(1, true)]]);
}

#[test]
fn dispatches_over_other_elements_stay_apart() {
    let shorter = Node {
        over: over(N - 1),
        ..each(&[own(0)], KEPT)
    };
    let live = Node {
        over: Over {
            n: N,
            count: Some(OUTSIDE + 1),
        },
        ..each(&[own(0)], KEPT + 1)
    };
    let nodes = [each(&[own(OUTSIDE)], 0), shorter, live];
    check(&nodes, Fusion::Stages, &[&[(0, true)], &[(1, true)], &[(2, true)]]);
}

#[test]
fn a_live_count_is_made_before_it_is_read() {
    let live = Node {
        over: Over { n: N, count: Some(0) },
        ..each(&[own(OUTSIDE)], KEPT)
    };
    let counted = Node {
        over: over(1),
        ..each(&[own(OUTSIDE + 1)], 0)
    };
    check(&[counted, live], Fusion::Stages, &[&[(0, true)], &[(1, true)]]);
}

#[test]
fn nothing_moves_past_a_write_of_what_it_reads_or_writes() {
    let nodes = [
        each(&[own(OUTSIDE)], 0),
        // Writes what the first reads, so it may not share a dispatch with it, nor may the reader after it.
        each(&[own(OUTSIDE + 1)], OUTSIDE),
        each(&[own(OUTSIDE)], KEPT),
        each(&[own(0)], KEPT + 1),
    ];
    check(
        &nodes,
        Fusion::Stages,
        &[&[(0, false), (3, true)], &[(1, true), (2, true)]],
    );
    let twice = [each(&[own(OUTSIDE)], KEPT), each(&[own(OUTSIDE + 1)], KEPT)];
    check(&twice, Fusion::Stages, &[&[(0, true)], &[(1, true)]]);
}

#[test]
fn independent_dispatches_share_one_within_eight_buffers() {
    let nodes: Vec<Node> = (0..6).map(|k| each(&[own(OUTSIDE + k)], KEPT + k)).collect();
    // Four inputs and four outputs; then two and two.
    let (found, counts) = groups(&nodes, Fusion::Stages);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2]);
    assert_eq!((counts.staged, counts.joined, counts.fused), (4, 0, 2));
    assert_eq!(groups(&nodes, Fusion::Chains).0.len(), 6);
}

/// The count of a live domain is a buffer of the dispatch.
#[test]
fn a_live_count_takes_one_of_the_eight_buffers() {
    let live = |k| Node {
        over: Over {
            n: N,
            count: Some(OUTSIDE + 50),
        },
        ..each(&[own(OUTSIDE + k)], KEPT + k)
    };
    let nodes: Vec<Node> = (0..6).map(live).collect();
    let (found, _) = groups(&nodes, Fusion::Stages);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
}

/// A change of some words needs what wrote the others, and reads it, also where it states no read.
#[test]
fn what_a_change_in_place_leaves_is_needed() {
    let change = Node {
        writes: vec![Write {
            is_whole: false,
            ..write(0)
        }],
        ..alone(&[], 0)
    };
    let nodes = [each(&[own(OUTSIDE)], 0), change, each(&[own(0)], KEPT)];
    let counts = check(&nodes, Fusion::Stages, &[&[(0, true)], &[(1, true)], &[(2, true)]]);
    assert_eq!((counts.dropped, counts.absorbed), (0, 0));
}

#[test]
fn a_group_that_is_full_of_weight_or_words_takes_no_more() {
    let heavy = |weight, words| Node {
        joins: Some(Joins { words, weight }),
        ..each(&[own(OUTSIDE)], KEPT)
    };
    let next = |node: Node| Node {
        writes: vec![write(KEPT + 1)],
        ..node
    };
    // And of members: a chain of one more than there may be goes on in a second dispatch.
    let last = MAX_MEMBERS as u64;
    let chain: Vec<Node> = (0..=last)
        .map(|k| {
            each(
                &[own(if k == 0 { 2000 } else { k })],
                if k == last { 1000 } else { k + 1 },
            )
        })
        .collect();
    let made = plan(&chain, Fusion::Chains, 1000, &|buffer| buffer >= 1000);
    let sizes: Vec<usize> = made.groups.iter().map(|group| group.members.len()).collect();
    assert_eq!(sizes, [MAX_MEMBERS, 1]);
    for (a, b, together) in [
        (heavy(500, 1), heavy(500, 1), 1),
        (heavy(500, 1), heavy(501, 1), 2),
        (heavy(1, 2048), heavy(1, 2048), 1),
        (heavy(1, 2048), heavy(1, 2049), 2),
    ] {
        assert_eq!(groups(&[a, next(b)], Fusion::Stages).0.len(), together);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = mix(self.0, 1);
        self.0 % n
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let z = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x2545_f491_4f6c_dd1d);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 31)
}

const INNER: u64 = 12;
/// Buffers of a random list, by number: those of the list, those kept, those handed in.
fn pick(random: &mut Random) -> u64 {
    let base = [0, KEPT, OUTSIDE][random.below(3) as usize];
    base + random.below(if base == 0 { INNER } else { 4 })
}

fn random_list(random: &mut Random) -> Vec<Node> {
    let count = 5 + random.below(40);
    let node = |random: &mut Random| {
        let to = pick(random);
        let mut reads: Vec<Read> = (0..random.below(4))
            .map(|_| Read {
                is_own: random.below(4) > 0,
                ..own(pick(random))
            })
            .filter(|read| read.buffer != to)
            .collect();
        let mut node = each(&[], to);
        node.over.n = [4, 6][random.below(2) as usize];
        if random.below(4) == 0 {
            node.over.count = Some(pick(random)).filter(|count| *count != to);
        }
        if random.below(5) == 0 {
            node.joins = None;
            if random.below(2) == 0 {
                node.writes[0].is_whole = false;
                reads.push(anywhere(to));
            }
        }
        node.reads = reads;
        node
    };
    (0..count).map(|_| node(random)).collect()
}

type Memory = HashMap<u64, Vec<u64>>;
/// Room for either domain: a buffer has no length of its own here.
const ROOM: usize = 6;

fn word(memory: &Memory, buffer: u64, at: usize) -> u64 {
    memory
        .get(&buffer)
        .map_or(mix(buffer, at as u64), |words| words[at % ROOM])
}

fn live_of(node: &Node, memory: &Memory) -> usize {
    match node.over.count {
        None => node.over.n as usize,
        Some(count) => (word(memory, count, 0) % u64::from(node.over.n + 1)) as usize,
    }
}

/// Plays one group as a device would: every element through all members, in any order of the elements.
fn play(nodes: &[Node], members: &[(usize, bool, &[Option<usize>])], memory: &mut Memory) {
    let Some(&(first, ..)) = members.first() else { return };
    let n = nodes[first].over.n as usize;
    // A change in place, which runs alone, reads what was there; so does every read of another element.
    let before = memory.clone();
    for i in 0..n {
        let mut values: Vec<u64> = Vec::new();
        for (node, is_stored, from) in members {
            let is_live = i < live_of(&nodes[*node], &before);
            let mut value = mix(*node as u64, 77);
            for (read, from) in nodes[*node].reads.iter().zip(*from) {
                let at = if read.is_own { i } else { (i * 5 + 1) % ROOM };
                let read = from.map_or_else(|| word(&before, read.buffer, at), |from| values[from]);
                value = mix(value, read);
            }
            let value = if is_live { value } else { 0 };
            values.push(value);
            if *is_stored {
                let to = nodes[*node].writes[0].buffer;
                let words = memory
                    .entry(to)
                    .or_insert_with(|| (0..ROOM).map(|at| mix(to, at as u64)).collect());
                words[i] = value;
            }
        }
    }
    // What was written whole is nothing past its elements, for those of another length.
    for (node, is_stored, _) in members.iter().filter(|(node, ..)| nodes[*node].writes[0].is_whole) {
        if *is_stored {
            memory.entry(nodes[*node].writes[0].buffer).or_default()[n..].fill(0);
        }
    }
}

#[test]
fn random_lists_leave_the_same_words_however_they_are_fused() {
    let mut random = Random(7);
    let (mut absorbed, mut staged, mut dropped, mut joined) = (0, 0, 0, 0);
    for round in 0..3000 {
        let nodes = random_list(&mut random);
        let mut expected = Memory::new();
        for at in 0..nodes.len() {
            let none = vec![None; nodes[at].reads.len()];
            play(&nodes, &[(at, true, &none)], &mut expected);
        }
        for fusion in [Fusion::Off, Fusion::Chains, Fusion::Stages] {
            let plan = plan(&nodes, fusion, 1000, &stands);
            let mut memory = Memory::new();
            for group in &plan.groups {
                let members: Vec<_> = group
                    .members
                    .iter()
                    .map(|m| (m.node, m.is_stored, m.from.as_slice()))
                    .collect();
                assert!(group.members.len() == 1 || buffers(&nodes, group) <= MAX_BUFFERS);
                play(&nodes, &members, &mut memory);
            }
            for (buffer, words) in expected.iter().filter(|(buffer, _)| stands(**buffer)) {
                assert_eq!(
                    memory.get(buffer),
                    Some(words),
                    "list {round}, {fusion:?}, buffer {buffer}"
                );
            }
            absorbed += plan.counts.absorbed;
            staged += plan.counts.staged;
            dropped += plan.counts.dropped;
            joined += plan.counts.joined;
        }
    }
    let all = [absorbed, staged, dropped, joined];
    assert!(all.iter().all(|count| *count > 200), "{all:?}");
}

fn buffers(nodes: &[Node], group: &Group) -> usize {
    let mut inputs: Vec<u64> = Vec::new();
    for member in &group.members {
        let reads = nodes[member.node].reads.iter().zip(&member.from);
        inputs.extend(reads.filter(|(_, from)| from.is_none()).map(|(read, _)| read.buffer));
    }
    inputs.sort_unstable();
    inputs.dedup();
    let stored = group.members.iter().filter(|m| m.is_stored).count();
    inputs.len() + stored + usize::from(nodes[group.members[0].node].over.count.is_some())
}
