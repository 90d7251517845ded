//! One cook: from the keys of a plan's nodes to the values of its outputs.

use super::moving::{LeafValues, Moving};
use super::step::Solvers;
use crate::cook::{Cook, Followed, Guard};
use crate::error::{Error, Result};
use crate::graph::wire::{InputId, NodeId, ScopeId, StepField, Type, Wire};
use crate::plan::{Body, FlatNode, FlatOp, FlatRef, Plan};
use crate::store::Store;
use crate::value::{Key, KeyHasher, Leaf, Number, Origin, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use zero_compute::{CommandList, Device, Exec, Recorder, Submission};

/// Passes of one fold; a count above it is refused, since each pass cooks nodes of its own.
const MAX_PASSES: i32 = 1 << 16;

/// A value with its key. A moving one is written by a recorded list: it is never filed, since the next present
/// writes the same run again.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) key: Key,
    /// The node of the store's entry that holds it, where one may.
    pub(crate) entry: Option<Key>,
    pub(crate) value: Value,
    pub(crate) moving: bool,
}

/// What a body's references stand for.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) captures: Vec<Bound>,
    pub(crate) fold: Vec<Bound>,
    pub(crate) index: Option<Bound>,
    pub(crate) state: Vec<Bound>,
    /// The scope of the step being taken, and what is known of it.
    pub(crate) step: Option<ScopeId>,
}

/// Device work of one kind, recorded in order. A recorder is made with the first of it, so that a present that needs
/// none makes no list.
pub(crate) struct Lane {
    label: &'static str,
    recorder: Option<Recorder>,
    pub(crate) followed: Vec<Followed>,
    pub(crate) decided: BTreeSet<Leaf>,
    pub(crate) guards: Vec<Guard>,
}

impl Lane {
    pub(crate) fn new(label: &'static str) -> Lane {
        Lane {
            label,
            recorder: None,
            followed: Vec::new(),
            decided: BTreeSet::new(),
            guards: Vec::new(),
        }
    }

    /// Runs something that records into this lane, and keeps what it says of leaves.
    pub(crate) fn with<T>(&mut self, device: &Device, run: impl FnOnce(&mut Cook<'_>) -> Result<T>) -> Result<T> {
        let recorder = self.recorder.get_or_insert_with(|| device.record(self.label));
        let mut cx = Cook::new(device, recorder);
        let made = run(&mut cx)?;
        let Cook {
            followed,
            decided,
            guards,
            ..
        } = cx;
        self.followed.extend(followed);
        self.decided.extend(decided);
        self.guards.extend(guards);
        Ok(made)
    }

    /// The list of what was recorded so far; the next of it begins another.
    pub(crate) fn finish(&mut self) -> Result<Option<CommandList>> {
        Ok(self.recorder.take().map(Recorder::finish).transpose()?)
    }
}

/// A node that was cooked.
#[derive(Clone, Debug)]
pub(crate) struct CookedNode {
    pub(crate) node: NodeId,
    /// Its place in the plan, for a node of the graph itself.
    pub(crate) place: Option<u32>,
    pub(crate) moving: bool,
}

/// The cook of one present.
pub(crate) struct Session<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) store: &'a Store,
    pub(crate) moving: &'a Moving,
    pub(crate) leaves: &'a LeafValues,
    pub(crate) exec: &'a Exec<'a>,
    /// Device work that stands: submitted once.
    pub(crate) still: Lane,
    /// Device work that a recording runs again.
    pub(crate) live: Lane,
    pub(crate) filed: HashMap<Key, Arc<[Value]>>,
    pub(crate) cooked: Vec<CookedNode>,
    pub(crate) submissions: Vec<Submission>,
    /// What a recording of this cook runs, in order.
    pub(crate) parts: Vec<Part>,
}

/// A piece of a recording: a list, or a step between two lists.
#[derive(Debug)]
pub(crate) enum Part {
    List {
        list: CommandList,
        followed: Vec<Followed>,
    },
    /// The place of the step in the plan, and what it stands on.
    Step {
        place: u32,
        inputs: Vec<Bound>,
    },
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        store: &'a Store,
        moving: &'a Moving,
        leaves: &'a LeafValues,
        exec: &'a Exec<'a>,
    ) -> Session<'a> {
        Session {
            plan,
            store,
            moving,
            leaves,
            exec,
            still: Lane::new("still"),
            live: Lane::new("live"),
            filed: HashMap::new(),
            cooked: Vec::new(),
            submissions: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Submits what was recorded of the work that stands.
    pub(crate) fn flush_still(&mut self) -> Result<()> {
        if let Some(list) = self.still.finish()? {
            self.submissions.push(list.submit()?);
        }
        Ok(())
    }

    /// Submits what was recorded of the work that moves; it is a part of the recording.
    pub(crate) fn flush_live(&mut self) -> Result<()> {
        if let Some(list) = self.live.finish()? {
            self.submissions.push(list.submit()?);
            let followed = std::mem::take(&mut self.live.followed);
            self.parts.push(Part::List { list, followed });
        }
        Ok(())
    }

    /// Cooks what the references of a body need, and answers them in order.
    pub(crate) fn run(&mut self, body: &Body, frame: &Frame, solvers: Option<&mut Solvers>) -> Result<Vec<Bound>> {
        let mut solvers = solvers;
        let keys = self.keys(body, frame, solvers.as_deref())?;
        let top = solvers.is_some();
        let (needed, mut values) = self.needed(body, &keys);
        for (place, node) in body.nodes.iter().enumerate() {
            if !needed[place] || values[place].is_some() {
                continue;
            }
            let (key, moving) = keys[place];
            // An equal node of this body may have answered meanwhile.
            if !moving && let Some(held) = self.filed.get(&key) {
                values[place] = Some(held.clone());
                continue;
            }
            self.exec.checkpoint()?;
            let inputs: Vec<Bound> = node
                .inputs
                .iter()
                .map(|reference| self.bound(*reference, frame, &keys, &values))
                .collect::<Result<_>>()?;
            let made = self.cook(node, place as u32, inputs, moving, solvers.as_deref_mut());
            let made: Arc<[Value]> = made.map_err(|error| self.located(node.node, error))?.into();
            let place_in_plan = top.then_some(place as u32);
            self.cooked.push(CookedNode {
                node: node.node,
                place: place_in_plan,
                moving,
            });
            if !moving {
                self.filed.insert(key, made.clone());
            }
            values[place] = Some(made);
        }
        body.results
            .iter()
            .map(|reference| self.bound(*reference, frame, &keys, &values))
            .collect()
    }

    fn held(&self, key: Key) -> Option<Arc<[Value]>> {
        self.filed.get(&key).cloned().or_else(|| self.store.get(key))
    }

    fn located(&self, node: NodeId, error: Error) -> Error {
        match error {
            located @ (Error::Cook { .. } | Error::Check { .. }) => located,
            cancelled if cancelled.is_cancelled() => cancelled,
            other => {
                let (node, site) = self.plan.built.described(node);
                Error::Cook {
                    node,
                    site,
                    source: Box::new(other),
                }
            }
        }
    }

    /// The key of each node, and whether it moves: whether anything it stands on is written by a recorded list.
    fn keys(&self, body: &Body, frame: &Frame, solvers: Option<&Solvers>) -> Result<Vec<(Key, bool)>> {
        let mut keys: Vec<(Key, bool)> = Vec::with_capacity(body.nodes.len());
        for (place, node) in body.nodes.iter().enumerate() {
            let mut hasher = KeyHasher::new("node");
            hasher.key(node.key).key(self.leaves.device);
            let mut moving = self.reads_moving(&node.op);
            for reference in &node.inputs {
                let (key, moves) = match reference {
                    FlatRef::Node(from, output) => {
                        let (key, moves) = keys[*from as usize];
                        (key.output(*output), moves)
                    }
                    other => {
                        let bound = self.outside(*other, frame)?;
                        (bound.key, bound.moving)
                    }
                };
                hasher.key(key);
                moving |= moves;
            }
            if let FlatOp::Fold { body, .. } = &node.op {
                self.digest_reads(&mut hasher, body)?;
            }
            if let (FlatOp::Step(_), Some(solvers)) = (&node.op, solvers) {
                // What a step has reached moves with every step, whatever it stands on.
                moving = true;
                hasher.u64(solvers.taken(place as u32));
            }
            keys.push((hasher.finish(), moving));
        }
        Ok(keys)
    }

    /// Takes in what the nodes of a body read of the graph's inputs and clock themselves.
    fn digest_reads(&self, hasher: &mut KeyHasher, body: &Body) -> Result<()> {
        for reference in body.nodes.iter().flat_map(|node| &node.inputs).chain(&body.results) {
            if let FlatRef::Input(_) | FlatRef::Clock(_) = reference {
                hasher.key(self.outside(*reference, &Frame::default())?.key);
            }
        }
        for node in &body.nodes {
            if let FlatOp::Fold { body, .. } = &node.op {
                self.digest_reads(hasher, body)?;
            }
        }
        Ok(())
    }

    fn reads_moving(&self, op: &FlatOp) -> bool {
        let FlatOp::Fold { body, .. } = op else { return false };
        let moves = |reference: &FlatRef| match reference {
            FlatRef::Input(id) => self.moving.input(*id),
            FlatRef::Clock(field) => self.moving.clock(*field),
            _ => false,
        };
        body.nodes
            .iter()
            .any(|node| node.inputs.iter().any(moves) || self.reads_moving(&node.op))
            || body.results.iter().any(moves)
    }

    /// Which nodes the results need, and the values of those that something held answers for. They are taken out
    /// here, so that nothing another play lets go of meanwhile is missed.
    #[expect(clippy::type_complexity, reason = "two lists of one length, taken apart at once")]
    fn needed(&self, body: &Body, keys: &[(Key, bool)]) -> (Vec<bool>, Vec<Option<Arc<[Value]>>>) {
        let mut needed = vec![false; body.nodes.len()];
        let mut values: Vec<Option<Arc<[Value]>>> = vec![None; body.nodes.len()];
        let mark = |reference: &FlatRef, needed: &mut Vec<bool>| {
            if let FlatRef::Node(place, _) = reference {
                needed[*place as usize] = true;
            }
        };
        body.results.iter().for_each(|reference| mark(reference, &mut needed));
        for (place, node) in body.nodes.iter().enumerate().rev() {
            needed[place] |= is_check(node);
            if !needed[place] {
                continue;
            }
            let (key, moving) = keys[place];
            values[place] = if moving { None } else { self.held(key) };
            if values[place].is_none() {
                node.inputs.iter().for_each(|reference| mark(reference, &mut needed));
            }
        }
        (needed, values)
    }

    fn bound(
        &self,
        reference: FlatRef,
        frame: &Frame,
        keys: &[(Key, bool)],
        values: &[Option<Arc<[Value]>>],
    ) -> Result<Bound> {
        let FlatRef::Node(place, output) = reference else {
            return self.outside(reference, frame);
        };
        let (key, moving) = keys[place as usize];
        let value = values[place as usize]
            .as_ref()
            .and_then(|values| values.get(usize::from(output)));
        match value {
            Some(value) => Ok(Bound {
                key: key.output(output),
                entry: (!moving).then_some(key),
                value: value.clone(),
                moving,
            }),
            None => Err(Error::Refused(format!(
                "output {output} of node {place} of the plan was not made"
            ))),
        }
    }

    /// What a reference to anything but a node of the body stands for.
    fn outside(&self, reference: FlatRef, frame: &Frame) -> Result<Bound> {
        let missing = || Error::Refused(format!("{reference:?} is read outside its body"));
        Ok(match reference {
            FlatRef::Const(wire) => constant(wire)?,
            FlatRef::Input(id) => self.leaves.input(id, self.moving.input(id))?,
            FlatRef::Clock(field) => self.leaves.clock(field, self.moving.clock(field))?,
            FlatRef::Capture(place) => frame.captures.get(place as usize).cloned().ok_or_else(missing)?,
            FlatRef::FoldValue(slot) => frame.fold.get(usize::from(slot)).cloned().ok_or_else(missing)?,
            FlatRef::FoldIndex => frame.index.clone().ok_or_else(missing)?,
            FlatRef::State(slot) => frame.state.get(usize::from(slot)).cloned().ok_or_else(missing)?,
            FlatRef::Step(field) => step_number(frame.step.ok_or_else(missing)?, field, self.leaves)?,
            FlatRef::Node(..) => return Err(missing()),
        })
    }

    fn cook(
        &mut self,
        node: &FlatNode,
        place: u32,
        inputs: Vec<Bound>,
        moving: bool,
        solvers: Option<&mut Solvers>,
    ) -> Result<Vec<Value>> {
        match &node.op {
            FlatOp::Expr(expr) => {
                let values: Vec<Value> = inputs.into_iter().map(|bound| bound.value).collect();
                Ok(vec![expr.cook(&values)?])
            }
            FlatOp::Operation(op) => {
                let _span = tracing::debug_span!("cook", node = op.id()).entered();
                let values: Vec<Value> = inputs.into_iter().map(|bound| bound.value).collect();
                let device = self.store.device();
                self.lane(moving).with(device, |cx| op.cook(cx, &values))
            }
            FlatOp::Fold { body, state } => self.fold(body, *state, inputs, moving),
            FlatOp::Step(step) => match solvers {
                Some(solvers) => {
                    // The step reads what the work before it writes, and the work after it what it reaches.
                    self.flush_still()?;
                    self.flush_live()?;
                    self.parts.push(Part::Step {
                        place,
                        inputs: inputs.clone(),
                    });
                    solvers.advance(self, place, step, inputs)
                }
                None => Err(Error::Refused(
                    "a step stands in the graph itself, not in a body".to_owned(),
                )),
            },
        }
    }

    /// Runs the passes of a fold, each from what the pass before left. A pass whose nodes are held cooks nothing.
    fn fold(&mut self, body: &Body, state: usize, inputs: Vec<Bound>, moving: bool) -> Result<Vec<Value>> {
        let mut inputs = inputs.into_iter();
        let count = inputs
            .next()
            .ok_or_else(|| Error::Refused("a fold without a count".to_owned()))?;
        let device = self.store.device();
        let passes = self.lane(moving).with(device, |cx| cx.decide_int(&count.value))?;
        if passes > MAX_PASSES {
            return Err(Error::Refused(format!(
                "fold: expected at most {MAX_PASSES} passes, got {passes}"
            )));
        }
        let mut fold: Vec<Bound> = inputs.by_ref().take(state).collect();
        let captures: Vec<Bound> = inputs.collect();
        for pass in 1..=passes {
            let index = constant(Wire::Int(pass))?;
            let frame = Frame {
                captures: captures.clone(),
                fold,
                index: Some(index),
                ..Frame::default()
            };
            fold = self.run(body, &frame, None)?;
        }
        Ok(fold.into_iter().map(|bound| bound.value).collect())
    }

    fn lane(&mut self, moving: bool) -> &mut Lane {
        if moving { &mut self.live } else { &mut self.still }
    }
}

/// Whether the node is there for what it refuses and not for what it gives.
fn is_check(node: &FlatNode) -> bool {
    matches!(&node.op, FlatOp::Operation(op) if op.id() == "construct.check")
}

fn constant(wire: Wire) -> Result<Bound> {
    match Number::constant(wire) {
        Some(number) => Ok(number_bound(number, false)),
        None => Err(Error::Refused(format!("{wire:?} is no constant"))),
    }
}

pub(crate) fn number_bound(number: Number, moving: bool) -> Bound {
    let value = Value::Number(number);
    let mut hasher = KeyHasher::new("number");
    value.digest(&mut hasher);
    Bound {
        key: hasher.finish(),
        entry: None,
        value,
        moving,
    }
}

fn step_number(scope: ScopeId, field: StepField, leaves: &LeafValues) -> Result<Bound> {
    let leaf = Leaf::Step(scope, field);
    let ty = if field == StepField::Index {
        Type::Int
    } else {
        Type::Float
    };
    let bits = leaves.get(leaf).unwrap_or(0);
    let origin = Some(Arc::new(Origin::leaf(ty, vec![leaf])?));
    Ok(number_bound(
        Number {
            ty,
            bits: [bits, 0, 0, 0],
            origin,
        },
        true,
    ))
}

/// The leaves of one input's number.
pub(crate) fn input_leaves(id: InputId, ty: Type) -> Vec<Leaf> {
    (0..ty.lanes().unwrap_or(0) as u8)
        .map(|lane| Leaf::Input(id, lane))
        .collect()
}
