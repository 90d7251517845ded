//! One cook: from the keys of a plan's nodes to the values of its outputs.

use super::memo::KeyMemo;
use super::moving::{LeafValues, Moving};
use super::report::FoldReport;
use super::saving::DiskReport;
use super::step::Solvers;
use crate::cook::{Cook, Followed, Guard};
use crate::error::{Error, Result};
use crate::graph::wire::{InputId, NodeId, ScopeId, StepField, Type, Wire};
use crate::plan::{FlatNode, FlatOp, FlatRef, Plan};
use crate::store::Store;
pub(crate) use crate::value::Bound;
use crate::value::{Key, KeyHasher, Leaf, Number, Origin, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use zero_compute::{CommandList, Device, Exec, Recorder, Submission};

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

    /// Whether it is the list of a body that runs again, and not what the play itself records.
    pub(crate) fn is_within(&self) -> bool {
        matches!(self.label, "step" | "fold")
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

    fn dispatches(&self) -> u64 {
        self.recorder
            .as_ref()
            .map_or(0, |recorder| recorder.dispatches() as u64)
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
    pub(crate) cost: Cost,
}

/// What a node took by itself, without the nodes of its body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) dispatches: u64,
    pub(crate) bytes: u64,
    pub(crate) time_ms: Option<f64>,
}

/// The cook of one present.
pub(crate) struct Session<'a> {
    pub(crate) plan: &'a Arc<Plan>,
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
    /// The folds that ran.
    pub(crate) folds: Vec<FoldReport>,
    /// Whether it waited for what a recording writes, so that the recording can't decide again.
    pub(crate) waited: bool,
    /// What the lists submitted so far dispatch.
    pub(crate) planned_dispatches: u64,
    /// When the present runs out of budget, by the clock of `exec`.
    pub(crate) deadline_ms: Option<f64>,
    /// Bytes of the runs that a recording of this cook writes.
    pub(crate) moving_runs: HashMap<u64, u64>,
    /// Whether each node is run by itself, so that its time can be told.
    pub(crate) profiled: bool,
    /// The keys of nodes that ask what they asked before.
    pub(crate) memo: KeyMemo,
    /// What was read from the disk cache, and what could not be.
    pub(crate) disk: DiskReport,
    /// What the nodes of bodies took meanwhile, which is not their owner's.
    inner: Cost,
}

/// A piece of a recording: a list, or a step between two lists.
#[derive(Debug)]
pub(crate) enum Part {
    List {
        list: CommandList,
        followed: Vec<Followed>,
        /// How often it runs, one time after the other.
        times: u32,
    },
    /// The place of the step in the plan, and what it stands on.
    Step { place: u32, inputs: Vec<Bound> },
}

impl Part {
    /// Whether it is the step at a place of the plan.
    pub(crate) fn is_step(&self, at: u32) -> bool {
        matches!(self, Part::Step { place, .. } if *place == at)
    }
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        plan: &'a Arc<Plan>,
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
            folds: Vec::new(),
            waited: false,
            planned_dispatches: 0,
            deadline_ms: None,
            moving_runs: HashMap::new(),
            profiled: false,
            memo: KeyMemo::default(),
            disk: DiskReport::default(),
            inner: Cost::default(),
        }
    }

    /// Queues a list.
    pub(crate) fn submit(&mut self, list: &CommandList) -> Result<()> {
        self.planned_dispatches += list.dispatches() as u64;
        self.submissions.push(list.submit()?);
        Ok(())
    }

    /// What was recorded so far, submitted or not.
    fn dispatches(&self) -> u64 {
        self.planned_dispatches + self.still.dispatches() + self.live.dispatches()
    }

    /// Submits what was recorded of the work that stands.
    pub(crate) fn flush_still(&mut self) -> Result<()> {
        match self.still.finish()? {
            Some(list) => self.submit(&list),
            None => Ok(()),
        }
    }

    /// Submits what was recorded of the work that moves; it is a part of the recording.
    pub(crate) fn flush_live(&mut self) -> Result<()> {
        if let Some(list) = self.live.finish()? {
            self.submit(&list)?;
            let followed = std::mem::take(&mut self.live.followed);
            let times = 1;
            self.parts.push(Part::List { list, followed, times });
        }
        Ok(())
    }

    /// Whether the budget is spent. A present that has cooked nothing goes on, so that each gets somewhere.
    pub(super) fn is_over(&self) -> bool {
        let spent = |deadline: f64| !self.cooked.is_empty() && self.exec.clock.now_ms() >= deadline;
        self.deadline_ms.is_some_and(spent)
    }

    pub(super) fn located(&self, node: NodeId, error: Error) -> Error {
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

    /// What a reference to anything but a node of the body stands for.
    pub(super) fn outside(&self, reference: FlatRef, frame: &Frame) -> Result<Bound> {
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

    pub(super) fn cook(
        &mut self,
        node: &FlatNode,
        place: u32,
        inputs: Vec<Bound>,
        moving: bool,
        solvers: Option<&mut Solvers>,
    ) -> Result<Option<Vec<Value>>> {
        match &node.op {
            FlatOp::Expr(expr) => {
                let values: Vec<Value> = inputs.into_iter().map(|bound| bound.value).collect();
                Ok(Some(vec![expr.cook(&values)?]))
            }
            FlatOp::Operation(op) => {
                let _span = tracing::debug_span!("cook", node = op.id()).entered();
                let values: Vec<Value> = inputs.into_iter().map(|bound| bound.value).collect();
                let device = self.store.device();
                self.lane(moving).with(device, |cx| op.cook(cx, &values)).map(Some)
            }
            FlatOp::Fold { .. } => self.fold(node, inputs, moving),
            FlatOp::Step(step) => match solvers {
                Some(solvers) => {
                    // The step reads what the work before it writes, and the work after it what it reaches.
                    self.flush_still()?;
                    self.flush_live()?;
                    self.parts.push(Part::Step {
                        place,
                        inputs: inputs.clone(),
                    });
                    solvers.advance(self, place, step, inputs).map(Some)
                }
                None => Err(Error::Refused(
                    "a step stands in the graph itself, not in a body".to_owned(),
                )),
            },
            FlatOp::Pick { .. } | FlatOp::List { .. } | FlatOp::Item | FlatOp::Each { .. } => {
                Err(Error::Refused("a node that makes nothing was to be cooked".to_owned()))
            }
        }
    }

    /// Runs what is queued, so that the clock tells what it took.
    fn drive(&mut self) -> Result<()> {
        self.flush_still()?;
        self.flush_live()?;
        let exec = Exec {
            budget_ms: None,
            ..*self.exec
        };
        self.store.device().advance(&exec)?;
        Ok(())
    }

    pub(super) fn lane(&mut self, moving: bool) -> &mut Lane {
        if moving { &mut self.live } else { &mut self.still }
    }
}

/// Tells what one node takes.
pub(super) struct Meter {
    dispatches: u64,
    begun_ms: Option<f64>,
    around: Cost,
}

impl Meter {
    pub(super) fn start(session: &mut Session<'_>) -> Meter {
        Meter {
            dispatches: session.dispatches(),
            begun_ms: session.profiled.then(|| session.exec.clock.now_ms()),
            around: std::mem::take(&mut session.inner),
        }
    }

    pub(super) fn stop(self, session: &mut Session<'_>, read: &[Bound], made: &[Value]) -> Result<Cost> {
        let dispatches = session.dispatches().saturating_sub(self.dispatches);
        let time_ms = match self.begun_ms {
            None => None,
            Some(begun_ms) => {
                session.drive()?;
                Some(session.exec.clock.now_ms() - begun_ms)
            }
        };
        let inner = std::mem::replace(&mut session.inner, self.around);
        session.inner.dispatches += dispatches;
        session.inner.time_ms = time_ms.map(|time| session.inner.time_ms.unwrap_or(0.0) + time);
        Ok(Cost {
            dispatches: dispatches.saturating_sub(inner.dispatches),
            bytes: new_bytes(read, made),
            time_ms: time_ms.map(|time| time - inner.time_ms.unwrap_or(0.0)),
        })
    }
}

/// Bytes of the runs that an answer stands on and what it was made of does not.
fn new_bytes(read: &[Bound], made: &[Value]) -> u64 {
    let mut runs = HashMap::new();
    let values = made.iter();
    values.for_each(|value| {
        value.each_column(&mut |column| {
            runs.insert(column.id(), column.bytes());
        });
    });
    if !runs.is_empty() {
        read.iter().for_each(|bound| {
            bound.value.each_column(&mut |column| {
                runs.remove(&column.id());
            });
        });
    }
    runs.values().sum()
}

pub(super) fn constant(wire: Wire) -> Result<Bound> {
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
    let ty = if matches!(field, StepField::Index | StepField::Frame) {
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
