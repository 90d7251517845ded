//! Keys kept from one present to the next.

use super::session::Session;
use crate::error::Result;
use crate::graph::wire::{ClockField, InputId};
use crate::plan::Plan;
use crate::value::key::OfKey;
use crate::value::{Key, KeyHasher};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// The keys of a graph's nodes by what the nodes ask, kept while what the graph is given stays: after an edit most nodes
/// ask what they asked before. With each key, whether the node moves.
#[derive(Debug, Default)]
pub(crate) struct KeyMemo {
    /// Of everything the graph is given, and which of it moves.
    given: Option<Key>,
    keys: HashMap<Key, (Key, bool), BuildHasherDefault<OfKey>>,
    last: Option<Last>,
}

/// The plan that was cooked last, with its keys by place.
#[derive(Debug)]
struct Last {
    plan: Arc<Plan>,
    keys: Vec<Option<(Key, bool)>>,
}

impl KeyMemo {
    pub(super) fn get(&self, work: Key) -> Option<(Key, bool)> {
        self.keys.get(&work).copied()
    }

    pub(super) fn insert(&mut self, work: Key, held: (Key, bool)) {
        self.keys.insert(work, held);
    }

    /// The keys of the nodes that the plan cooked last began with, as far as this one begins with the same.
    pub(super) fn begin(&self, plan: &Plan, keys: &mut [Option<(Key, bool)>]) {
        let Some(last) = &self.last else { return };
        let pairs = last.plan.body.nodes.iter().zip(&plan.body.nodes);
        let shared = pairs.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        let shared = shared.min(last.keys.len()).min(keys.len());
        keys[..shared].copy_from_slice(&last.keys[..shared]);
    }

    /// Keeps the keys of a plan that was cooked, but for those that a step moves.
    pub(super) fn keep(&mut self, plan: &Arc<Plan>, mut keys: Vec<Option<(Key, bool)>>) {
        if let Some(first) = plan.steps.first() {
            for (place, key) in keys.iter_mut().enumerate().skip(*first as usize) {
                if plan.follows_step(place) {
                    *key = None;
                }
            }
        }
        let plan = plan.clone();
        self.last = Some(Last { plan, keys });
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
        if self.plan.reads_clock() {
            for field in ClockField::ALL {
                hasher.u32(self.moving.clock(field).into());
                hasher.key(self.leaves.clock(field, false)?.key);
            }
        }
        let given = Some(hasher.finish());
        if self.memo.given != given || self.memo.keys.len() > 4 * self.plan.len() + 4096 {
            self.memo.keys.clear();
            self.memo.last = None;
        }
        self.memo.given = given;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::KeyMemo;
    use crate::nodes::{geometry, points};
    use crate::plan::Plan;
    use crate::value::Key;
    use crate::{Graph, Next, State, Step, vec3};
    use std::sync::Arc;

    fn plan(last: f32, base: Option<&Plan>) -> Arc<Plan> {
        let graph = Graph::define("chain", move |g| {
            let fall = g.step("fall", Step::every(0.1), State::new(4).vec3("P"), |now, step| {
                Next::new().set("P", now.vec3("P") + vec3(0.0, step.dt(), 0.0))
            });
            g.output("fall", fall.points());
            let mut chain = g.add(points::Grid::new());
            for by in [1.0, 2.0, last] {
                chain = g.add(geometry::Transform::new(chain).translate(vec3(by, 0.0, 0.0)));
            }
            g.output("chain", chain);
        });
        let built = graph.unwrap().plan().unwrap().built.clone();
        Arc::new(Plan::new(built, base).unwrap())
    }

    #[test]
    fn keys_are_kept_as_far_as_plans_begin_alike_but_for_what_follows_a_step() {
        let first = plan(3.0, None);
        let mut memo = KeyMemo::default();
        let key = |place: usize| Some((Key([place as u8; 16]), false));
        memo.keep(&first, (0..first.len()).map(key).collect());
        let begun = |plan: &Plan| {
            let mut keys = vec![None; plan.len()];
            memo.begin(plan, &mut keys);
            keys
        };
        let stepped = |place: usize| first.follows_step(place);
        assert_eq!((0..first.len()).filter(|place| stepped(*place)).count(), 2);
        for (place, held) in begun(&first).into_iter().enumerate() {
            assert_eq!(held, if stepped(place) { None } else { key(place) }, "{place}");
        }
        // An edit of the last node leaves all keys before it.
        let edited = plan(4.0, Some(&first));
        let shared = first.body.nodes.iter().zip(&edited.body.nodes);
        let shared = shared.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert!(shared > 5 && shared < edited.len(), "{shared} of {}", edited.len());
        let keys = begun(&edited);
        assert_eq!(keys[..shared], begun(&first)[..shared]);
        assert!(keys[shared..].iter().all(Option::is_none));
        // A plan that was made anew shares no node, whatever it computes.
        assert!(begun(&plan(3.0, None)).iter().all(Option::is_none));
    }
}
