//! From the graph as it was written to the flat plan.

use super::base::{Base, Made, Taken};
use super::{Body, FlatNode, FlatOp, FlatRef, Plan, Read, StepPlan, Stop};
use crate::cook::Operation;
use crate::cook::expr::{Expr, ExprArg, ExprStep};
use crate::error::{Error, Result};
use crate::graph::definition::Built;
use crate::graph::input::{InputDecl, InputValue};
use crate::graph::math::MathOp;
use crate::graph::wire::{FoldStop, InputId, NodeId, NodeOp, ScopeId, ScopeKind, Wire};
use crate::value::{Key, KeyHasher};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, OnceLock};

pub(super) fn plan(built: Arc<Built>, base: Option<&Plan>) -> Result<Plan> {
    let roots: Vec<Wire> = built.outputs.iter().map(|output| output.wire).collect();
    let base = base.map(|plan| Base::new(plan, &built));
    let mut region = Region::new(&built, ScopeId(0));
    region.base = base;
    let needed = region.mark(&roots, &built.checks)?;
    region.take_over(&needed);
    let taken = region.taken;
    let (body, made) = region.lower(&needed, &roots)?;
    let outputs = built.outputs.iter().map(|output| output.name.clone()).collect();
    let (held_reads, held_work) = match &taken {
        Some(taken) => (taken.reads(), taken.work()),
        None => Default::default(),
    };
    let reads = reads(&body, held_reads);
    let work = work(&body, held_work, &built.inputs);
    let from = held_reads.len();
    let clocked = taken.and_then(|taken| taken.clocked()).or_else(|| {
        let first = reads[from..].iter().position(|reads| reads.iter().any(is_clock));
        first.map(|place| (from + place) as u32)
    });
    let mut steps = taken.map_or(Vec::new(), |taken| taken.steps().to_vec());
    let new = body.nodes.iter().enumerate().skip(from);
    steps.extend(new.filter_map(|(place, node)| matches!(node.op, FlatOp::Step(_)).then_some(place as u32)));
    Ok(Plan {
        clocked,
        steps,
        built,
        body,
        outputs,
        reads,
        work,
        made,
    })
}

fn is_clock(read: &Read) -> bool {
    matches!(read, Read::Clock(_))
}

/// One body being lowered.
struct Region<'b> {
    built: &'b Built,
    scope: ScopeId,
    nodes: Vec<Arc<FlatNode>>,
    placed: HashMap<NodeId, u32>,
    captures: Vec<Wire>,
    checks: Vec<u32>,
    bodies: HashMap<NodeId, Arc<Body>>,
    stops: HashMap<NodeId, Arc<Body>>,
    /// Nodes of the bodies around this one that are cooked in it, since only what a pick of it may take stands on them.
    /// They are filed by content, so one answer serves wherever they are cooked.
    lent: HashSet<NodeId>,
    /// The plan to take over from, of the graph itself alone.
    base: Option<Base<'b>>,
    taken: Option<Taken<'b>>,
    /// The node being lowered, which a bare read of the element is made for.
    reader: NodeId,
}

impl<'b> Region<'b> {
    fn new(built: &'b Built, scope: ScopeId) -> Region<'b> {
        Region {
            built,
            scope,
            nodes: Vec::new(),
            placed: HashMap::new(),
            captures: Vec::new(),
            checks: Vec::new(),
            bodies: HashMap::new(),
            stops: HashMap::new(),
            lent: HashSet::new(),
            base: None,
            taken: None,
            reader: NodeId(u32::MAX),
        }
    }

    /// Begins with what the plan to take over from begins with.
    fn take_over(&mut self, needed: &[NodeId]) {
        self.taken = self.base.map(|base| base.taken(needed));
        if let Some(taken) = &self.taken {
            self.nodes.extend_from_slice(taken.nodes());
            self.checks.extend_from_slice(taken.checks());
        }
    }

    /// Whether the node is cooked in this body.
    fn owns(&self, id: NodeId) -> bool {
        self.built.nodes[id.index()].scope == self.scope || self.lent.contains(&id)
    }

    /// Takes in what alternatives of a pick of this body stand on outside it: outside, it would be cooked for the body as a
    /// whole, whether a pass takes it or not. A step stays where it is, and so does what operators alone make.
    fn borrow(&mut self, alternatives: &[Wire]) {
        let mut open = alternatives.to_vec();
        let mut seen = HashSet::new();
        while let Some(wire) = open.pop() {
            let Wire::Node(id, _) = wire else { continue };
            let node = &self.built.nodes[id.index()];
            if matches!(node.op, NodeOp::Step(_)) || !seen.insert(id) {
                continue;
            }
            if !matches!(node.op, NodeOp::Math(_)) && !self.owns(id) {
                self.lent.insert(id);
            }
            open.extend(&node.inputs);
        }
    }

    fn place(&self, id: NodeId) -> Option<u32> {
        let held = self.placed.get(&id).copied();
        held.or_else(|| self.taken.as_ref()?.place(id))
    }

    /// Lowers the nodes that are needed, in order, for the roots.
    fn lower(mut self, needed: &[NodeId], roots: &[Wire]) -> Result<(Body, Made)> {
        let all = self.built.nodes.len();
        let top = self.scope == ScopeId(0);
        let (first, mut made) = match &self.taken {
            Some(taken) => (taken.lowered, taken.made(all)),
            None => (0, Made::new(if top { all } else { 0 })),
        };
        for id in &needed[first..] {
            let id = *id;
            self.reader = id;
            let node = &self.built.nodes[id.index()];
            let mut inputs = Vec::with_capacity(node.inputs.len());
            for wire in &node.inputs {
                inputs.push(self.wire(*wire)?);
            }
            let op = match &node.op {
                NodeOp::Operation(op) => FlatOp::Operation(op.clone()),
                NodeOp::Fold(_, stop) => FlatOp::Fold {
                    state: inputs.len() - 1,
                    body: self.bodies[&id].clone(),
                    stop: match stop {
                        FoldStop::Never => Stop::Never,
                        FoldStop::Unchanged => Stop::Unchanged,
                        FoldStop::When(_) => Stop::When(self.stops[&id].clone()),
                    },
                },
                NodeOp::Step(scope) => {
                    let ScopeKind::Step(decl) = &self.built.scopes[scope.index()].kind else {
                        return Err(Error::Refused("a step without its declaration".to_owned()));
                    };
                    let body = self.bodies[&id].clone();
                    FlatOp::Step(Arc::new(StepPlan {
                        decl: decl.clone(),
                        scope: *scope,
                        body,
                    }))
                }
                NodeOp::Each(_, fields) => FlatOp::Each {
                    body: self.bodies[&id].clone(),
                    carried: inputs.len() - 1,
                    fields: usize::from(*fields),
                },
                NodeOp::Pick(outputs) => FlatOp::Pick {
                    outputs: usize::from(*outputs),
                },
                NodeOp::List(fields) => FlatOp::List {
                    fields: usize::from(*fields),
                },
                NodeOp::Item => FlatOp::Item,
                NodeOp::Math(_) => continue,
            };
            for wire in op.bodies().flat_map(|body| body.captures.iter()).copied() {
                inputs.push(self.wire(wire)?);
            }
            let place = self.push(op, inputs, id);
            self.placed.insert(id, place);
            if top {
                made.lowered(id, self.nodes.len());
            }
        }
        self.reader = NodeId(u32::MAX);
        let mut results = Vec::with_capacity(roots.len());
        for wire in roots {
            results.push(self.wire(*wire)?);
        }
        made.placed(self.placed);
        let body = Body {
            nodes: self.nodes,
            results,
            captures: self.captures,
            checks: self.checks,
            unlisted: OnceLock::new(),
        };
        Ok((body, made))
    }

    /// The nodes of this body that the roots stand on, and those that are cooked though nothing reads them, in the order
    /// they were made. Bodies within are lowered on the
    /// way, so that what they capture is found. Nothing here recurses along the graph.
    fn mark(&mut self, roots: &[Wire], also: &[NodeId]) -> Result<Vec<NodeId>> {
        if let Some(mut edge) = self.base.and_then(Base::edge) {
            let after = self.walk(roots, also, &mut |id, math| edge.meets(id, math))?;
            if let Some(before) = edge.needed() {
                return Ok(before.chain(after).collect());
            }
        }
        self.walk(roots, also, &mut |_, _| false)
    }

    /// The nodes that the roots stand on, and those that are cooked though nothing reads them, in the order they were made.
    /// What a node stands on that `known` answers for is left out, and it too.
    fn walk(
        &mut self,
        roots: &[Wire],
        also: &[NodeId],
        known: &mut dyn FnMut(NodeId, bool) -> bool,
    ) -> Result<Vec<NodeId>> {
        let mut needed = Vec::new();
        let mut seen: HashSet<NodeId, BuildHasherDefault<OfId>> = HashSet::default();
        let mut open: Vec<Wire> = roots.to_vec();
        open.extend(also.iter().map(|id| Wire::Node(*id, 0)));
        while let Some(wire) = open.pop() {
            let Wire::Node(id, _) = wire else { continue };
            let node = &self.built.nodes[id.index()];
            let math = matches!(node.op, NodeOp::Math(_));
            if (!math && !self.owns(id)) || !seen.insert(id) || known(id, math) {
                continue;
            }
            open.extend(&node.inputs);
            match &node.op {
                NodeOp::Math(_) => continue,
                NodeOp::Pick(_) if self.scope != ScopeId(0) => self.borrow(&node.inputs[1..]),
                NodeOp::Operation(_) | NodeOp::Pick(_) | NodeOp::List(_) | NodeOp::Item => {}
                NodeOp::Fold(scope, _) | NodeOp::Step(scope) | NodeOp::Each(scope, _) => {
                    if matches!(node.op, NodeOp::Step(_)) && self.scope != ScopeId(0) {
                        let (name, site) = self.built.described(id);
                        return Err(Error::Cook {
                            node: name,
                            site,
                            source: Box::new(Error::Refused(
                                "a step stands in the graph itself, not in a body".into(),
                            )),
                        });
                    }
                    let body = match self.base.as_ref().and_then(|base| base.body(id)) {
                        Some(body) => body.clone(),
                        None => Arc::new(self.inner(*scope)?),
                    };
                    open.extend(&body.captures);
                    self.bodies.insert(id, body);
                    if let NodeOp::Fold(_, FoldStop::When(stop)) = &node.op {
                        let body = match self.base.as_ref().and_then(|base| base.stop(id)) {
                            Some(body) => body.clone(),
                            None => Arc::new(self.inner(*stop)?),
                        };
                        open.extend(&body.captures);
                        self.stops.insert(id, body);
                    }
                }
            }
            needed.push(id);
        }
        needed.sort_unstable();
        Ok(needed)
    }

    /// A body within this one.
    fn inner(&self, scope: ScopeId) -> Result<Body> {
        let results = &self.built.scopes[scope.index()].results;
        let mut region = Region::new(self.built, scope);
        let needed = region.mark(results, &[])?;
        let needed = region.in_order(&needed, results);
        region.lower(&needed, results).map(|(body, _)| body)
    }

    /// Nodes of a body each after what it reads, in the order that the roots come to them: a body is keyed by what it does,
    /// whatever order its nodes were made in.
    fn in_order(&self, needed: &[NodeId], roots: &[Wire]) -> Vec<NodeId> {
        let reads = |id: NodeId| -> Vec<Wire> {
            let inputs = self.built.nodes[id.index()].inputs.iter();
            let bodies = self.bodies.get(&id).into_iter().chain(self.stops.get(&id));
            inputs
                .chain(bodies.flat_map(|body| body.captures.iter()))
                .copied()
                .collect()
        };
        let of_body: HashSet<NodeId> = needed.iter().copied().collect();
        let mut met: HashSet<NodeId> = HashSet::new();
        let mut ordered = Vec::with_capacity(needed.len());
        let first: Vec<Wire> = roots.to_vec();
        let mut open = vec![(None, first.into_iter())];
        while let Some((id, wires)) = open.last_mut() {
            match wires.next() {
                Some(Wire::Node(from, _)) => {
                    let math = matches!(self.built.nodes[from.index()].op, NodeOp::Math(_));
                    if (math || of_body.contains(&from)) && met.insert(from) {
                        open.push((Some(from), reads(from).into_iter()));
                    }
                }
                Some(_) => {}
                None => {
                    ordered.extend(id.filter(|id| of_body.contains(id)));
                    open.pop();
                }
            }
        }
        ordered
    }

    fn push(&mut self, op: FlatOp, inputs: Vec<FlatRef>, node: NodeId) -> u32 {
        let key = match &op {
            // Worked out with the build, for all that plan it.
            FlatOp::Operation(_) => self.built.keys[node.index()],
            op => op_key(op, &self.built.inputs),
        };
        if matches!(&op, FlatOp::Operation(op) if op.id() == "construct.check") {
            self.checks.push(self.nodes.len() as u32);
        }
        self.nodes.push(Arc::new(FlatNode { op, inputs, node, key }));
        self.nodes.len() as u32 - 1
    }

    fn wire(&mut self, wire: Wire) -> Result<FlatRef> {
        Ok(match wire {
            _ if wire.as_constant().is_some() => FlatRef::Const(wire),
            Wire::Input(id) => FlatRef::Input(id),
            Wire::Clock(field) => FlatRef::Clock(field),
            Wire::Node(id, output) => match &self.built.nodes[id.index()].op {
                NodeOp::Math(_) => FlatRef::Node(self.expression(id)?, 0),
                _ if self.owns(id) => match self.place(id) {
                    Some(place) => FlatRef::Node(place, output),
                    None => return Err(Error::Refused(format!("node {} is read before it is made", id.index()))),
                },
                _ => self.capture(wire),
            },
            Wire::FoldValue(scope, slot) if scope == self.scope => FlatRef::FoldValue(slot),
            Wire::FoldIndex(scope) if scope == self.scope => FlatRef::FoldIndex,
            Wire::State(scope, slot) if scope == self.scope => FlatRef::State(slot),
            Wire::Step(scope, field) if scope == self.scope => FlatRef::Step(field),
            Wire::FoldValue(..) | Wire::FoldIndex(_) | Wire::State(..) | Wire::Step(..) => self.capture(wire),
            Wire::ElementNumber | Wire::Element(_) => FlatRef::Node(self.bare(wire)?, 0),
            _ => return Err(Error::Refused("a refused value is read".to_owned())),
        })
    }

    fn capture(&mut self, wire: Wire) -> FlatRef {
        let place = self.captures.iter().position(|held| *held == wire).unwrap_or_else(|| {
            self.captures.push(wire);
            self.captures.len() - 1
        });
        FlatRef::Capture(place as u32)
    }

    /// A read of the element with no operator over it.
    fn bare(&mut self, wire: Wire) -> Result<u32> {
        let mut inputs = Vec::new();
        let args = vec![self.argument(wire, &HashMap::new(), &mut inputs)?];
        let op = FlatOp::Expr(Expr::new(vec![ExprStep { op: MathOp::Same, args }]));
        Ok(self.push(op, inputs, self.reader))
    }

    /// Every operator that `root` stands on without another kind of node between, as one node of the plan.
    fn expression(&mut self, root: NodeId) -> Result<u32> {
        if let Some(place) = self.place(root) {
            return Ok(place);
        }
        // Each after what it reads, in the order of the operands: the same whatever order they were made in.
        let mut members: Vec<NodeId> = Vec::new();
        let mut steps: HashMap<NodeId, u32> = HashMap::new();
        let mut met = HashSet::from([root]);
        let mut open = vec![(root, 0)];
        while let Some((id, next)) = open.last_mut() {
            match self.built.nodes[id.index()].inputs.get(*next) {
                Some(wire) => {
                    *next += 1;
                    if let Wire::Node(from, _) = wire
                        && matches!(self.built.nodes[from.index()].op, NodeOp::Math(_))
                        && met.insert(*from)
                    {
                        open.push((*from, 0));
                    }
                }
                None => {
                    steps.insert(*id, members.len() as u32);
                    members.push(*id);
                    open.pop();
                }
            }
        }
        let mut inputs = Vec::new();
        let mut written = Vec::with_capacity(members.len());
        for id in &members {
            let node = &self.built.nodes[id.index()];
            let NodeOp::Math(op) = node.op else { continue };
            let mut args = Vec::with_capacity(node.inputs.len());
            for wire in &node.inputs {
                args.push(self.argument(*wire, &steps, &mut inputs)?);
            }
            written.push(ExprStep { op, args });
        }
        let place = self.push(FlatOp::Expr(Expr::new(written)), inputs, root);
        self.placed.insert(root, place);
        Ok(place)
    }

    fn argument(&mut self, wire: Wire, steps: &HashMap<NodeId, u32>, inputs: &mut Vec<FlatRef>) -> Result<ExprArg> {
        if let Wire::Node(id, _) = wire
            && let Some(step) = steps.get(&id)
        {
            return Ok(ExprArg::Step(*step));
        }
        Ok(match wire {
            Wire::ElementNumber => ExprArg::ElementNumber,
            Wire::Element(id) => ExprArg::Element(self.built.elements[id.index()].clone()),
            _ => match self.wire(wire)? {
                FlatRef::Const(wire) => ExprArg::Const(wire),
                reference => {
                    let place = inputs.iter().position(|held| *held == reference).unwrap_or_else(|| {
                        inputs.push(reference);
                        inputs.len() - 1
                    });
                    ExprArg::Leaf(place as u32)
                }
            },
        })
    }
}

/// Numbers of nodes are dense, so one product spreads them (Knuth's multiplicative hash).
#[derive(Debug, Default)]
struct OfId(u64);

impl Hasher for OfId {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32((*byte).into()));
    }
    fn write_u32(&mut self, id: u32) {
        self.0 = (self.0 ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Of what an operation does and every parameter of it.
pub(crate) fn operation_key(op: &dyn Operation) -> Key {
    let mut hasher = KeyHasher::new("op");
    hasher.text(op.id()).u32(op.version());
    op.digest(&mut hasher);
    hasher.finish()
}

/// Of what a node does and every parameter of it, bodies included.
fn op_key(op: &FlatOp, inputs: &[InputDecl]) -> Key {
    let mut hasher = KeyHasher::new("op");
    match op {
        FlatOp::Expr(expr) => hasher.key(expr.key),
        FlatOp::Operation(op) => return operation_key(op.as_ref()),
        FlatOp::Fold { body, state, stop } => {
            hasher.text("fold").u64(*state as u64);
            digest_body(&mut hasher, body, inputs);
            match stop {
                Stop::Never => {}
                Stop::Unchanged => {
                    hasher.text("until unchanged");
                }
                Stop::When(stop) => {
                    hasher.text("until");
                    digest_body(&mut hasher, stop, inputs);
                }
            }
            &mut hasher
        }
        FlatOp::Step(step) => {
            hasher.text("step").f32(step.decl.dt_secs).u32(step.decl.substeps);
            for (name, ty) in &step.decl.columns {
                hasher.text(name).text(ty.name());
            }
            digest_body(&mut hasher, &step.body, inputs);
            &mut hasher
        }
        FlatOp::Pick { outputs } => hasher.text("pick").u64(*outputs as u64),
        FlatOp::List { fields } => hasher.text("list").u64(*fields as u64),
        FlatOp::Item => hasher.text("item"),
        FlatOp::Each { body, carried, fields } => {
            hasher.text("each").u64(*carried as u64).u64(*fields as u64);
            digest_body(&mut hasher, body, inputs);
            &mut hasher
        }
    };
    hasher.finish()
}

fn digest_body(hasher: &mut KeyHasher, body: &Body, inputs: &[InputDecl]) {
    hasher.u64(body.nodes.len() as u64);
    for node in &body.nodes {
        hasher.key(node.key).u64(node.inputs.len() as u64);
        node.inputs
            .iter()
            .for_each(|reference| digest_ref(hasher, reference, inputs));
    }
    hasher.u64(body.results.len() as u64);
    body.results
        .iter()
        .for_each(|reference| digest_ref(hasher, reference, inputs));
}

/// The place alone, of an input its name: what stands there is keyed where the body is run.
fn digest_ref(hasher: &mut KeyHasher, reference: &FlatRef, inputs: &[InputDecl]) {
    match reference {
        FlatRef::Const(wire) => {
            hasher.u32(0);
            crate::cook::expr::digest_constant(hasher, *wire);
        }
        FlatRef::Input(id) => {
            let name = inputs.get(id.index()).map_or("", |input| input.name.as_str());
            hasher.u32(2).text(name);
        }
        other => {
            hasher.u32(1).text(&format!("{other:?}"));
        }
    }
}

impl Plan {
    /// What the graph computes, whatever order its nodes were made in and wherever it was written: its inputs with their
    /// defaults and ranges, its plain values, its timeline, and of every output and check the whole cone it stands on. Equal on every
    /// machine.
    pub fn hash(&self) -> Key {
        let mut hasher = KeyHasher::new("graph");
        hasher.text(&self.built.name);
        let mut inputs: Vec<&InputDecl> = self.built.inputs.iter().collect();
        inputs.sort_by(|a, b| a.name.cmp(&b.name));
        hasher.u64(inputs.len() as u64);
        for input in inputs {
            hasher.text(&input.name).text(input.ty.name());
            let default = input
                .default
                .as_ref()
                .map_or("nothing".to_owned(), InputValue::describe);
            hasher.text(&default).text(&format!("{:?}", input.range));
        }
        let mut plain: Vec<(&str, String)> = self
            .built
            .plain
            .iter()
            .map(|held| (held.name.as_str(), held.value.describe()))
            .collect();
        plain.sort();
        hasher.u64(plain.len() as u64);
        plain.iter().for_each(|(name, value)| {
            hasher.text(name).text(value);
        });
        if let Some(timeline) = &self.built.timeline {
            hasher.text(&format!("{timeline:?}"));
        }
        let mut outputs: Vec<(&str, Key)> = Vec::new();
        for (name, reference) in self.outputs.iter().zip(&self.body.results) {
            outputs.push((name, self.cone(reference)));
        }
        outputs.sort();
        hasher.u64(outputs.len() as u64);
        outputs.iter().for_each(|(name, key)| {
            hasher.text(name).key(*key);
        });
        let mut checks: Vec<Key> = self
            .body
            .nodes
            .iter()
            .zip(&self.work)
            .filter(|(node, _)| self.built.checks.contains(&node.node))
            .map(|(_, key)| *key)
            .collect();
        checks.sort();
        hasher.u64(checks.len() as u64);
        checks.iter().for_each(|key| {
            hasher.key(*key);
        });
        hasher.finish()
    }

    fn cone(&self, reference: &FlatRef) -> Key {
        match reference {
            FlatRef::Node(place, output) => match self.work.get(*place as usize) {
                Some(key) => key.output(*output),
                None => KeyHasher::new("nowhere").finish(),
            },
            other => {
                let mut hasher = KeyHasher::new("ref");
                digest_ref(&mut hasher, other, &self.built.inputs);
                hasher.finish()
            }
        }
    }
}

/// The inputs of the graph that the bodies of a node read.
pub(super) fn body_inputs(node: &FlatNode) -> BTreeSet<InputId> {
    own_reads(node)
        .into_iter()
        .filter_map(|read| if let Read::Input(id) = read { Some(id) } else { None })
        .collect()
}

/// What a node and the bodies within it read from outside the plan, itself.
fn own_reads(node: &FlatNode) -> BTreeSet<Read> {
    let mut reads = BTreeSet::new();
    collect(node, &mut reads);
    reads
}

fn collect(node: &FlatNode, reads: &mut BTreeSet<Read>) {
    for reference in &node.inputs {
        match reference {
            FlatRef::Input(id) => reads.insert(Read::Input(*id)),
            FlatRef::Clock(field) => reads.insert(Read::Clock(*field)),
            _ => false,
        };
    }
    for body in node.op.bodies() {
        body.nodes.iter().for_each(|inner| collect(inner, reads));
        for reference in &body.results {
            match reference {
                FlatRef::Input(id) => reads.insert(Read::Input(*id)),
                FlatRef::Clock(field) => reads.insert(Read::Clock(*field)),
                _ => false,
            };
        }
    }
}

/// A key for each node of its operation and of what it reads, inputs by their name.
fn work(body: &Body, held: &[Key], inputs: &[InputDecl]) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::with_capacity(body.nodes.len());
    keys.extend_from_slice(held);
    for node in &body.nodes[held.len()..] {
        let mut hasher = KeyHasher::new("work");
        hasher.key(node.key);
        for reference in &node.inputs {
            match reference {
                FlatRef::Node(from, output) => hasher.key(keys[*from as usize].output(*output)),
                other => {
                    digest_ref(&mut hasher, other, inputs);
                    &mut hasher
                }
            };
        }
        keys.push(hasher.finish());
    }
    keys
}

/// What each node reads from outside the plan. Most nodes read what one of those they read does, and share its set.
fn reads(body: &Body, held: &[Arc<BTreeSet<Read>>]) -> Vec<Arc<BTreeSet<Read>>> {
    let mut all: Vec<Arc<BTreeSet<Read>>> = Vec::with_capacity(body.nodes.len());
    all.extend_from_slice(held);
    let nothing = Arc::new(BTreeSet::new());
    for (place, node) in body.nodes.iter().enumerate().skip(held.len()) {
        let mut own = own_reads(node);
        if matches!(node.op, FlatOp::Step(_)) {
            own.insert(Read::Step(place as u32));
        }
        let from = node.inputs.iter().filter_map(|reference| match reference {
            FlatRef::Node(from, _) => Some(&all[*from as usize]),
            _ => None,
        });
        let from: Vec<&Arc<BTreeSet<Read>>> = from.collect();
        let most = from
            .iter()
            .copied()
            .max_by_key(|reads| reads.len())
            .unwrap_or(&nothing)
            .clone();
        let within = |reads: &BTreeSet<Read>| reads.is_subset(&most);
        let reads = match within(&own) && from.iter().all(|reads| Arc::ptr_eq(reads, &most) || within(reads)) {
            true => most,
            false => {
                from.iter().for_each(|reads| own.extend(reads.iter().copied()));
                Arc::new(own)
            }
        };
        all.push(reads);
    }
    all
}
