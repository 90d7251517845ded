//! What follows the clock, read at the time of a step.

use super::Graph;
use super::scope::StepInfo;
use super::socket::{Float, Int, Socket};
use super::wire::{ClockField, FoldStop, NodeId, NodeOp, ScopeId, ScopeKind, StepField, Wire};
use crate::error::Site;
use std::collections::{BTreeSet, HashMap, HashSet};

impl<'g> StepInfo<'g> {
    /// A value that follows the clock, as it is when this substep begins and not as it is at the present: what moves
    /// between two presents is read where it was on the way. The value is made of operators over the clock; a node of
    /// another kind that reads the clock is refused, since it is cooked once a present.
    ///
    /// ```
    /// use zero_procgen::{Graph, Next, State, Step, Vec3, vec3};
    ///
    /// let graph = Graph::define("trail", |g| {
    ///     // A source on a circle: however far apart the presents, it drips along the whole of its way.
    ///     let turn = g.clock().time() * 2.0;
    ///     let source = vec3(turn.cos(), 0.0, turn.sin());
    ///     let drops = g.step("drops", Step::every(0.01), State::new(512).vec3("P"), |now, step| {
    ///         let born = (step.index() % 512).equals(g.element().id());
    ///         let place: Vec3<'_> = born.choose(step.sample(source), now.vec3("P"));
    ///         Next::new().set("P", place)
    ///     });
    ///     g.output("drops", drops.points());
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn sample<S: Socket<'g>>(self, value: S) -> S {
        S::from_wire(self.graph, self.graph.sampled(self.scope, value.wire(), Site::caller()))
    }

    /// How far this substep is through the span of time that the present covers, from 0 at the present before it to 1.
    /// A present that nothing came before covers the time from 0 on; one that covers no time is at 1.
    #[track_caller]
    pub fn progress(self) -> Float<'g> {
        self.read::<Float<'g>>(StepField::Progress).max(0.0).min(1.0)
    }

    /// The same of another substep by its number: what [`index`](Self::index) counts. One an element spreads what a
    /// present makes over the way that its sources move meanwhile.
    #[track_caller]
    pub fn between(self, index: impl Into<Int<'g>>) -> Float<'g> {
        let (progress, share) = (
            self.read::<Float<'g>>(StepField::Progress),
            self.read::<Float<'g>>(StepField::Share),
        );
        let ahead = (index.into() - self.index()).to_float();
        (progress + ahead * share).max(0.0).min(1.0)
    }
}

impl Graph {
    /// The step that a body being written belongs to, by the name of the step.
    pub(crate) fn open_step(&self, name: &str) -> Option<StepInfo<'_>> {
        let inner = self.inner.borrow();
        let named =
            |scope: &&ScopeId| matches!(&inner.scopes[scope.index()].kind, ScopeKind::Step(decl) if decl.name == name);
        let scope = inner.scope_stack.iter().rev().find(named).copied()?;
        drop(inner);
        Some(StepInfo { graph: self, scope })
    }

    /// A value with the step's time in place of the clock's.
    pub(crate) fn sampled(&self, scope: ScopeId, value: Wire, site: Site) -> Wire {
        if value == Wire::Refused {
            return value;
        }
        let mut cone: BTreeSet<NodeId> = BTreeSet::new();
        let mut held: Vec<NodeId> = Vec::new();
        let mut open = vec![value];
        while let Some(wire) = open.pop() {
            let Wire::Node(id, _) = wire else { continue };
            let inner = self.inner.borrow();
            let node = &inner.nodes[id.index()];
            match node.op {
                NodeOp::Math(_) if cone.insert(id) => open.extend(&node.inputs),
                NodeOp::Math(_) => {}
                _ => held.push(id),
            }
        }
        if let Some(id) = held.into_iter().find(|id| self.reads_time(*id)) {
            let node = self.inner.borrow().nodes[id.index()].op.name();
            let message = format!("a sampled value is made of operators over the clock; {node} reads the clock too");
            self.refuse(site, "step", message);
            return Wire::Refused;
        }
        let mut sampled: HashMap<NodeId, Wire> = HashMap::new();
        // A node reads only nodes before it.
        for id in cone {
            let node = self.inner.borrow().nodes[id.index()].clone();
            let inputs: Vec<Wire> = node.inputs.iter().map(|wire| at_step(*wire, scope, &sampled)).collect();
            if inputs != node.inputs {
                let copy = self.push(node.op, inputs, node.outputs, site);
                sampled.insert(id, Wire::Node(copy, 0));
            }
        }
        at_step(value, scope, &sampled)
    }

    /// Whether a node stands on the clock's time or frame.
    fn reads_time(&self, id: NodeId) -> bool {
        let inner = self.inner.borrow();
        let (mut open, mut seen) = (vec![Wire::Node(id, 0)], HashSet::new());
        while let Some(wire) = open.pop() {
            match wire {
                Wire::Clock(ClockField::Time | ClockField::Frame) => return true,
                Wire::Node(id, _) if seen.insert(id) => {
                    let node = &inner.nodes[id.index()];
                    open.extend(&node.inputs);
                    let bodies: Vec<ScopeId> = match node.op {
                        NodeOp::Fold(body, FoldStop::When(stop)) => vec![body, stop],
                        NodeOp::Fold(body, _) | NodeOp::Step(body) | NodeOp::Each(body, _) => vec![body],
                        _ => Vec::new(),
                    };
                    open.extend(bodies.iter().flat_map(|body| &inner.scopes[body.index()].results));
                }
                _ => {}
            }
        }
        false
    }
}

fn at_step(wire: Wire, scope: ScopeId, sampled: &HashMap<NodeId, Wire>) -> Wire {
    match wire {
        Wire::Clock(ClockField::Time) => Wire::Step(scope, StepField::Time),
        Wire::Clock(ClockField::Frame) => Wire::Step(scope, StepField::Frame),
        Wire::Node(id, _) => sampled.get(&id).copied().unwrap_or(wire),
        other => other,
    }
}
