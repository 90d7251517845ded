//! A plan carried out: the steps of the list, and where their params are now.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::plan::{self, Joins, MAX_LANES, Node, Over, Read, Write};
use super::{Fused, Fusion, FusionCounts, Member, Port, Wire};
use crate::field::{DIRECT_LEAVES, MAX_COST};
use crate::kernel::Access;
use crate::list::{Code, Held, Step};

/// What an author's kernel weighs beside the operators of a field program.
const KERNEL_WEIGHT: u32 = 64;

/// Where the params of the recorded dispatches are in the list that was made of them.
#[derive(Debug, Default)]
pub(crate) struct Moves(Vec<Move>);

#[derive(Debug)]
struct Move {
    from: usize,
    words: usize,
    to: usize,
}

impl Moves {
    /// The word that `at` has become; `None` for one of a dispatch that was dropped.
    pub(crate) fn get(&self, at: usize) -> Option<usize> {
        let after = self.0.partition_point(|moved| moved.from <= at);
        let moved = self.0.get(after.checked_sub(1)?)?;
        let word = at - moved.from;
        (word < moved.words).then_some(moved.to + word)
    }
}

/// What a list is made of.
pub(crate) struct Applied {
    pub(crate) steps: Vec<Step>,
    pub(crate) params: Vec<u32>,
    pub(crate) moves: Moves,
    pub(crate) counts: FusionCounts,
}

/// Plans the steps of a list and makes the new ones. `align` is the words that the params of a step begin at a multiple
/// of.
pub(crate) fn apply(
    steps: Vec<Step>,
    params: &[u32],
    align: usize,
    fusion: Fusion,
    stands: &dyn Fn(u64) -> bool,
) -> Applied {
    let nodes: Vec<Node> = steps.iter().map(node).collect();
    let plan = plan::plan(&nodes, fusion, MAX_COST, stands);
    let mut old: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    let mut made = Applied {
        steps: Vec::with_capacity(plan.groups.len()),
        params: Vec::new(),
        moves: Moves::default(),
        counts: plan.counts,
    };
    for group in &plan.groups {
        let at = made.params.len().next_multiple_of(align.max(1));
        made.params.resize(at, 0);
        let mut members = Vec::with_capacity(group.members.len());
        for member in &group.members {
            let Some(step) = old.get_mut(member.node).and_then(Option::take) else {
                continue;
            };
            let to = made.params.len();
            made.params
                .extend_from_slice(params.get(step.at..step.at + step.words).unwrap_or_default());
            made.moves.0.push(Move {
                from: step.at,
                words: step.words,
                to,
            });
            members.push((step, member));
        }
        let words = made.params.len() - at;
        made.steps.extend(join(members, at, words));
    }
    made.moves.0.sort_by_key(|moved| moved.from);
    made
}

/// One step of the members of a group.
fn join(members: Vec<(Step, &plan::Member)>, at: usize, words: usize) -> Option<Step> {
    if members.len() < 2 {
        return members.into_iter().next().map(|(step, _)| Step { at, ..step });
    }
    let (n, count) = members.first().map(|(step, _)| (step.n, step.count.clone()))?;
    let mut columns = Columns::default();
    for (step, member) in &members {
        columns.add_inputs(step, member);
    }
    let mut start = 0;
    let mut joined = Vec::with_capacity(members.len());
    for (step, member) in members {
        joined.push(columns.wire(step, member, start));
        start = joined.last().map_or(start, |member| member.words.end);
    }
    Some(Step {
        code: Code::Fused(Arc::new(Fused { members: joined })),
        held: columns.held,
        n,
        count,
        at,
        words,
    })
}

/// The columns of a fused step: what is read once each, then what is written.
#[derive(Default)]
struct Columns {
    held: Vec<Held>,
    known: HashMap<(u64, crate::Element, u32), usize>,
}

impl Columns {
    fn add_inputs(&mut self, step: &Step, member: &plan::Member) {
        for (held, from) in reads(step).zip(&member.from) {
            if from.is_none() {
                let held_at = &mut self.held;
                self.known
                    .entry((held.buffer.id, held.element, held.lanes))
                    .or_insert_with(|| {
                        held_at.push(held.clone());
                        held_at.len() - 1
                    });
            }
        }
    }

    fn wire(&mut self, step: Step, member: &plan::Member, start: usize) -> Member {
        let mut from = member.from.iter();
        let mut ports = Vec::with_capacity(step.held.len());
        let mut stored = None;
        for held in &step.held {
            let wire = if held.access == Access::Read {
                let known = self.known.get(&(held.buffer.id, held.element, held.lanes)).copied();
                match from.next().copied().flatten() {
                    Some(member) => Wire::Member(member),
                    // Every column that is read was added before.
                    None => Wire::Held(known.unwrap_or_default()),
                }
            } else {
                if member.is_stored {
                    stored = Some(self.held.len());
                    self.held.push(held.clone());
                }
                Wire::Own
            };
            ports.push(Port {
                name: held.name,
                element: held.element,
                lanes: held.lanes,
                wire,
            });
        }
        Member {
            code: step.code,
            ports,
            stored,
            words: start..start + step.words,
        }
    }
}

fn reads(step: &Step) -> impl Iterator<Item = &Held> {
    step.held.iter().filter(|held| held.access == Access::Read)
}

/// A step as the plan sees it.
fn node(step: &Step) -> Node {
    let mut node = Node {
        over: Over {
            n: step.n,
            count: step.count.as_ref().map(|count| count.id),
        },
        reads: Vec::new(),
        writes: Vec::new(),
        joins: joins(step),
    };
    for (index, held) in step.held.iter().enumerate() {
        let shape = (held.element, held.lanes);
        let read = |buffer, is_own| Read { buffer, shape, is_own };
        let write = |buffer, is_whole| Write {
            buffer,
            shape,
            is_whole,
        };
        match held.access {
            Access::Read => node.reads.push(read(held.buffer.id, reads_own(step, index, held))),
            Access::Write => node.writes.push(write(held.buffer.id, true)),
            Access::InOut | Access::Append => {
                for buffer in [Some(&held.buffer), held.count.as_ref()].into_iter().flatten() {
                    node.reads.push(read(buffer.id, false));
                    node.writes.push(write(buffer.id, false));
                }
            }
            // Its contents are nobody's, before a dispatch and after it.
            Access::Scratch => {}
        }
    }
    node
}

/// Whether a dispatch reads a column at its own element only.
fn reads_own(step: &Step, index: usize, held: &Held) -> bool {
    match &step.code {
        Code::Kernel { kernel, .. } => kernel
            .per_element()
            .is_some_and(|element| element.own.contains(&held.name)),
        Code::Map(program) => !program.gathers_from(index),
        Code::Fused(_) | Code::Walk(_) => false,
    }
}

fn joins(step: &Step) -> Option<Joins> {
    let output = step.held.iter().find(|held| held.access == Access::Write)?;
    if reads_twice(step) {
        return None;
    }
    let weight = match &step.code {
        // The functions that find a column of a table are written for a shader of its own.
        Code::Kernel { kernel, .. } if kernel.bindings().any(|b| b.columns.is_some()) => return None,
        Code::Kernel { kernel, .. } => kernel.per_element().map(|_| KERNEL_WEIGHT)?,
        // The leaves past those are packed into a table before it runs.
        Code::Map(program) if program.leaves().len() > DIRECT_LEAVES => return None,
        Code::Map(program) => program.cost().weight,
        Code::Fused(_) | Code::Walk(_) => return None,
    };
    (output.lanes <= MAX_LANES).then_some(Joins {
        words: step.words,
        weight,
    })
}

/// Whether a kernel reads one column under two names at any element. Its text may use both names for other things, and
/// one column of a fused shader has one name.
fn reads_twice(step: &Step) -> bool {
    let Code::Kernel { .. } = &step.code else { return false };
    let read = step
        .held
        .iter()
        .enumerate()
        .filter(|(_, held)| held.access == Access::Read);
    let mut seen = HashSet::new();
    let mut anywhere = read.filter(|(index, held)| !reads_own(step, *index, held));
    anywhere.any(|(_, held)| !seen.insert(held.buffer.id))
}

#[cfg(test)]
mod tests {
    use super::{Move, Moves};

    #[test]
    fn a_word_is_found_where_its_dispatch_went() {
        let moves = Moves(
            [(0, 5, 64), (64, 3, 5), (192, 2, 8)]
                .map(|(from, words, to)| Move { from, words, to })
                .into(),
        );
        let found = [0, 4, 5, 63, 64, 66, 67, 191, 192, 193, 194].map(|at| moves.get(at));
        let expected = [64, 68, 0, 0, 5, 7, 0, 0, 8, 9, 0].map(|at| Some(at).filter(|at| *at > 0));
        assert_eq!(found, expected);
    }
}
