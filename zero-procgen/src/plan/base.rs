//! What a plan takes over from the plan of a graph that begins alike: an edit near the end of a long graph plans what
//! follows it alone, and a body that was lowered is not lowered again.

use super::{Body, FlatNode, FlatOp, Plan, Read};
use crate::graph::definition::Built;
use crate::graph::wire::{FoldStop, Node, NodeId, NodeOp, ScopeId, Wire};
use crate::value::Key;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Stands for no place.
const NOWHERE: u32 = u32::MAX;

/// What a plan remembers of how it was made.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// The nodes of the graph that were lowered, in order, each with the count of the plan's nodes after it.
    lowered: Vec<(NodeId, u32)>,
    /// The place in the plan of each node of the graph.
    placed: Vec<u32>,
}

impl Made {
    pub(super) fn new(nodes: usize) -> Made {
        Made {
            lowered: Vec::new(),
            placed: vec![NOWHERE; nodes],
        }
    }

    pub(super) fn lowered(&mut self, id: NodeId, count: usize) {
        self.lowered.push((id, count as u32));
    }

    pub(super) fn placed(&mut self, places: HashMap<NodeId, u32>) {
        for (id, place) in places {
            if let Some(held) = self.placed.get_mut(id.index()) {
                *held = place;
            }
        }
    }
}

/// The plan to take over from, and how much of its graph the new one repeats.
#[derive(Clone, Copy)]
pub(super) struct Base<'p> {
    plan: &'p Plan,
    /// Nodes that both graphs begin with.
    alike: usize,
}

/// What is taken over: the first nodes of the plan.
#[derive(Clone, Copy)]
pub(super) struct Taken<'p> {
    base: Base<'p>,
    /// Nodes of the graph that need no lowering.
    pub(super) lowered: usize,
    /// Nodes of the plan that they made.
    count: usize,
}

impl<'p> Base<'p> {
    pub(super) fn new(plan: &'p Plan, built: &Built) -> Base<'p> {
        Base {
            plan,
            alike: Alike::of(&plan.built, built).nodes(),
        }
    }

    /// The body of a node that both graphs have.
    pub(super) fn body(&self, id: NodeId) -> Option<&'p Arc<Body>> {
        self.op(id)?.bodies().next()
    }

    /// What ends a fold that both graphs have.
    pub(super) fn stop(&self, id: NodeId) -> Option<&'p Arc<Body>> {
        self.op(id)?.bodies().nth(1)
    }

    fn op(&self, id: NodeId) -> Option<&'p FlatOp> {
        self.placed(id).filter(|_| id.index() < self.alike)
    }

    /// What a node of the old graph became.
    fn placed(&self, id: NodeId) -> Option<&'p FlatOp> {
        let place = self.plan.made.placed.get(id.index())?;
        self.plan.body.nodes.get(*place as usize).map(|node| &node.op)
    }

    /// Where what is needed can be told without a walk of all nodes: where both graphs begin alike for the most part.
    pub(super) fn edge(self) -> Option<Edge<'p>> {
        (self.alike > self.plan.built.nodes.len() / 2).then(|| Edge::new(self))
    }

    /// How much of what the new graph needs the plan begins with.
    pub(super) fn taken(self, needed: &[NodeId]) -> Taken<'p> {
        let pairs = needed.iter().zip(&self.plan.made.lowered);
        let same = pairs.take_while(|(id, (held, _))| *id == held && id.index() < self.alike);
        let lowered = same.count();
        let count = match lowered.checked_sub(1).and_then(|last| self.plan.made.lowered.get(last)) {
            Some((_, count)) => *count as usize,
            None => 0,
        };
        Taken {
            base: self,
            lowered,
            count,
        }
    }
}

/// The nodes of the common beginning that what follows it in the old graph reads itself. All that is needed of the
/// beginning is needed for them: where what follows in the new graph reads them too, and nothing else that was not needed,
/// what is needed of the beginning has stayed.
pub(super) struct Edge<'p> {
    base: Base<'p>,
    nodes: HashSet<NodeId>,
    /// How many of them have not been met.
    left: usize,
    /// Whether something is needed that was not.
    grown: bool,
}

impl<'p> Edge<'p> {
    fn new(base: Base<'p>) -> Edge<'p> {
        let built = &base.plan.built;
        let mut open: Vec<Wire> = built.outputs.iter().map(|output| output.wire).collect();
        open.extend(built.checks.iter().map(|id| Wire::Node(*id, 0)));
        let (mut nodes, mut seen) = (HashSet::new(), HashSet::new());
        while let Some(wire) = open.pop() {
            let Wire::Node(id, _) = wire else { continue };
            let node = &built.nodes[id.index()];
            let within = !matches!(node.op, NodeOp::Math(_)) && node.scope != ScopeId(0);
            if within {
                continue;
            }
            if id.index() < base.alike {
                nodes.insert(id);
            } else if seen.insert(id) {
                open.extend(&node.inputs);
                if let Some(op) = base.placed(id) {
                    open.extend(op.bodies().flat_map(|body| body.captures.iter().copied()));
                }
            }
        }
        let left = nodes.len();
        Edge {
            base,
            nodes,
            left,
            grown: false,
        }
    }

    /// Whether what a node of the new graph stands on is known. It is asked once of each node.
    pub(super) fn meets(&mut self, id: NodeId, math: bool) -> bool {
        if id.index() >= self.base.alike {
            return false;
        }
        if self.nodes.contains(&id) {
            self.left -= 1;
            return true;
        }
        let needed = !math && self.base.placed(id).is_some();
        self.grown |= !math && !needed;
        needed
    }

    /// The nodes of the beginning that are needed, in order; nothing where they are others than they were.
    pub(super) fn needed(&self) -> Option<impl Iterator<Item = NodeId>> {
        let lowered = self.base.plan.made.lowered.iter().map(|(id, _)| *id);
        let stayed = self.left == 0 && !self.grown;
        stayed.then(|| lowered.take_while(|id| id.index() < self.base.alike))
    }
}

impl<'p> Taken<'p> {
    pub(super) fn nodes(&self) -> &'p [Arc<FlatNode>] {
        &self.base.plan.body.nodes[..self.count]
    }

    pub(super) fn reads(&self) -> &'p [Arc<BTreeSet<Read>>] {
        &self.base.plan.reads[..self.count]
    }

    /// The checks among them.
    pub(super) fn checks(&self) -> &'p [u32] {
        self.below(&self.base.plan.body.checks)
    }

    /// The steps among them.
    pub(super) fn steps(&self) -> &'p [u32] {
        self.below(&self.base.plan.steps)
    }

    /// The first of them that reads the clock.
    pub(super) fn clocked(&self) -> Option<u32> {
        self.base.plan.clocked.filter(|place| (*place as usize) < self.count)
    }

    /// Those of ascending places that are taken over.
    fn below(&self, places: &'p [u32]) -> &'p [u32] {
        &places[..places.partition_point(|place| (*place as usize) < self.count)]
    }

    pub(super) fn work(&self) -> &'p [Key] {
        &self.base.plan.work[..self.count]
    }

    /// The place of a node of the graph among what is taken over.
    pub(super) fn place(&self, id: NodeId) -> Option<u32> {
        let place = self.base.plan.made.placed.get(id.index()).copied()?;
        ((place as usize) < self.count && id.index() < self.base.alike).then_some(place)
    }

    /// What the new plan remembers from the start.
    pub(super) fn made(&self, nodes: usize) -> Made {
        let mut made = Made::new(nodes);
        let held = &self.base.plan.made;
        made.lowered.extend_from_slice(&held.lowered[..self.lowered]);
        for (id, (place, held)) in made.placed.iter_mut().zip(&held.placed).enumerate() {
            if (*held as usize) < self.count && id < self.base.alike {
                *place = *held;
            }
        }
        made
    }
}

/// How far two builds are the same.
struct Alike<'b> {
    one: &'b Built,
    other: &'b Built,
    inputs: usize,
    elements: usize,
}

impl<'b> Alike<'b> {
    fn of(one: &'b Built, other: &'b Built) -> Alike<'b> {
        let inputs = one.inputs.iter().zip(&other.inputs);
        let elements = one.elements.iter().zip(&other.elements);
        Alike {
            one,
            other,
            inputs: inputs.take_while(|(a, b)| a.name == b.name && a.ty == b.ty).count(),
            elements: elements.take_while(|(a, b)| a == b).count(),
        }
    }

    /// How many nodes both begin with.
    fn nodes(&self) -> usize {
        let pairs = self.one.nodes.iter().zip(&self.other.nodes).enumerate();
        pairs.take_while(|(at, (a, b))| self.node(*at, a, b)).count()
    }

    fn node(&self, at: usize, a: &Node, b: &Node) -> bool {
        let same = a.scope == b.scope && self.op(at, &a.op, &b.op) && self.wires(&a.inputs, &b.inputs);
        // What an operator gives follows from what it reads. A check, which gives nothing, states its line itself, and
        // the key of what it does leaves that out.
        let gives = || a.outputs == b.outputs && (!a.outputs.is_empty() || a.site == b.site);
        same && (matches!(a.op, NodeOp::Math(_)) || gives())
    }

    fn op(&self, at: usize, a: &NodeOp, b: &NodeOp) -> bool {
        match (a, b) {
            (NodeOp::Operation(_), NodeOp::Operation(_)) => self.one.keys.get(at) == self.other.keys.get(at),
            (NodeOp::Math(a), NodeOp::Math(b)) => a == b,
            (NodeOp::Fold(a, stop), NodeOp::Fold(b, other)) => {
                let ends = match stop {
                    FoldStop::When(scope) => self.scope(*scope),
                    _ => true,
                };
                a == b && stop == other && self.scope(*a) && ends
            }
            (NodeOp::Step(a), NodeOp::Step(b)) => a == b && self.scope(*a),
            (NodeOp::Each(a, of), NodeOp::Each(b, fields)) => a == b && of == fields && self.scope(*a),
            (NodeOp::Pick(a), NodeOp::Pick(b)) | (NodeOp::List(a), NodeOp::List(b)) => a == b,
            (NodeOp::Item, NodeOp::Item) => true,
            _ => false,
        }
    }

    fn scope(&self, id: ScopeId) -> bool {
        match (self.one.scopes.get(id.index()), self.other.scopes.get(id.index())) {
            (Some(a), Some(b)) => a.kind == b.kind && self.wires(&a.results, &b.results),
            _ => false,
        }
    }

    fn wires(&self, a: &[Wire], b: &[Wire]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.wire(*a, *b))
    }

    fn wire(&self, a: Wire, b: Wire) -> bool {
        match (a, b) {
            (Wire::Node(a, output), Wire::Node(b, other)) => a == b && output == other,
            (Wire::Input(a), Wire::Input(b)) => a == b && a.index() < self.inputs,
            (Wire::Element(a), Wire::Element(b)) => a == b && a.index() < self.elements,
            // By its bits: 0 and -0 are equal, and not the same.
            _ => a == b && a.as_constant() == b.as_constant(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::nodes::{geometry, mesh, points};
    use crate::plan::Plan;
    use crate::{Float, Graph, GraphDef, Next, State, Step, vec3};
    use std::sync::Arc;

    /// What an edit may change.
    #[derive(Clone, Copy)]
    struct Parts {
        first: f32,
        input: &'static str,
        column: &'static str,
        grown: f32,
        turns: i32,
        rate: f32,
        dead: bool,
        last: f32,
    }

    const PARTS: Parts = Parts {
        first: 1.0,
        input: "lift",
        column: "heat",
        grown: 0.5,
        turns: 3,
        rate: 30.0,
        dead: false,
        last: 0.0,
    };

    fn graph(parts: Parts) -> GraphDef {
        Graph::define("parts", move |g| {
            let lift = g.float(parts.input, 0.5);
            let mut solid = g.add(mesh::Box::new().size([parts.first, 1.0, 1.0]));
            for step in 0..10 {
                solid = g.add(geometry::Transform::new(solid).translate(vec3(lift, step as f32, 0.0)));
            }
            let unread = g.add(points::Grid::new());
            let heat: Float<'_> = g.element().point(parts.column);
            let warm = solid
                .point()
                .set(parts.column, lift * 2.0)
                .point()
                .set("double", heat * 2.0);
            let grown = g.fold(parts.turns, warm, |pass, so_far| {
                g.add(geometry::Transform::new(so_far).translate(vec3(pass * parts.grown, lift, 0.0)))
            });
            let fall = g.step(
                "fall",
                Step::every(1.0 / parts.rate),
                State::new(4).vec3("P"),
                |now, step| Next::new().set("P", now.vec3("P") + vec3(0.0, lift * step.dt(), 0.0)),
            );
            g.output("fall", fall.points());
            if parts.dead {
                g.output("unread", unread);
            }
            g.output(
                "last",
                g.add(geometry::Transform::new(grown).translate(vec3(0.0, parts.last, 0.0))),
            );
        })
        .unwrap()
    }

    /// Plans an edit over the plan before it and anew, which must give one plan; answers how many nodes were taken over,
    /// and how many there are.
    fn taken(before: Parts, after: Parts) -> (usize, usize) {
        let (before, after) = (graph(before).plan().unwrap(), graph(after));
        let anew = after.plan().unwrap();
        let over = Plan::new(anew.built.clone(), Some(&before)).unwrap();
        assert_eq!(format!("{:?}", over.body), format!("{:?}", anew.body));
        assert_eq!(over.reads, anew.reads);
        assert_eq!(over.work, anew.work);
        assert_eq!(over.hash(), anew.hash());
        assert_eq!((over.clocked, &over.steps), (anew.clocked, &anew.steps));
        assert_eq!(over.body.checks, anew.body.checks);
        // And a plan that was taken over may be taken over from.
        let again = Plan::new(anew.built.clone(), Some(&over)).unwrap();
        let shared = |plan: &Plan, base: &Plan| {
            let pairs = plan.body.nodes.iter().zip(&base.body.nodes);
            pairs.take_while(|(a, b)| Arc::ptr_eq(a, b)).count()
        };
        assert_eq!(shared(&again, &over), over.len());
        (shared(&over, &before), over.len())
    }

    #[test]
    fn an_edit_near_the_end_plans_what_follows_it_alone() {
        let (shared, all) = taken(PARTS, Parts { last: 0.25, ..PARTS });
        assert!(all - shared <= 5 && all > 50, "{shared} of {all}");
        // Equal, and not the same.
        assert_eq!(taken(PARTS, Parts { last: -0.0, ..PARTS }), (shared, all));
        assert_eq!(taken(PARTS, PARTS), (all, all));
    }

    #[test]
    fn an_edit_takes_over_what_stands_before_it_and_no_more() {
        let edits = [
            Parts { grown: 0.75, ..PARTS },
            Parts { turns: 4, ..PARTS },
            Parts { rate: 60.0, ..PARTS },
            Parts { dead: true, ..PARTS },
            Parts {
                column: "cold",
                ..PARTS
            },
        ];
        for edit in edits {
            for (before, after) in [(PARTS, edit), (edit, PARTS)] {
                let (shared, all) = taken(before, after);
                assert!(shared > 10 && shared < all, "{shared} of {all}");
            }
        }
        for edit in [Parts { first: 2.0, ..PARTS }, Parts { input: "rise", ..PARTS }] {
            let (shared, all) = taken(PARTS, edit);
            assert!(shared < 10, "{shared} of {all}");
        }
    }
}
