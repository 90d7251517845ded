//! A graph being played: presents, inputs that move, and what is kept between them.

mod arriving;
mod body;
mod fold;
mod frame;
mod memo;
mod moving;
mod placement;
mod recording;
mod report;
mod saving;
mod session;
mod step;
mod transport;

pub(crate) use arriving::Arriving;
pub use frame::Frame;
pub use moving::Clock;
pub use placement::Placement;
pub use report::{CookedReport, FoldReport, Profile, ProfileRow, Report, StepReport, Why};
pub use saving::DiskReport;
pub use transport::{PlayOn, Transport};

use crate::error::Result;
use crate::graph::definition::{Built, GraphDef};
use crate::graph::input::Inputs;
use crate::graph::timeline::Pace;
use crate::graph::wire::{ClockField, InputId};
use crate::plan::{FlatOp, FlatRef, Plan, Read, StepPlan};
use crate::store::memory::Keeper;
use crate::store::{Store, Tier};
use crate::value::{Key, KeyHasher, Value};
use frame::{Ring, Shown};
use memo::KeyMemo;
use moving::{LeafValues, Moving};
use recording::{Comparison, Recording, Verdict, refreshed};
use session::{Bound, CookedNode, Part, Session};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use step::{Mode, Solvers, set_followed};
use zero_compute::{Counting, Drive, Exec, Submission};

/// How a play is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOptions {
    /// Whether a cook that only numbers move is kept as a list and run again for other numbers. Off, every change is
    /// cooked node by node.
    pub recorded: bool,
    /// Whether each node that is cooked is run by itself and waited for, so that the report tells its time. It costs a
    /// submission a node, and a budget doesn't cut it.
    pub profiled: bool,
}

impl Default for PlayOptions {
    fn default() -> Self {
        PlayOptions {
            recorded: true,
            profiled: false,
        }
    }
}

/// A graph being played on a store. It may be sent to another thread between presents.
#[derive(Debug)]
pub struct Play {
    store: Store,
    graph: GraphDef,
    options: PlayOptions,
    transport: Transport,
    inputs: Inputs,
    plan: Arc<Plan>,
    /// What was cooked before, by what it asks.
    cooked_before: HashSet<Key>,
    /// Whether the plan is not the first.
    edited: bool,
    leaves: Option<LeafValues>,
    solvers: Solvers,
    recording: Option<Recording>,
    /// Inputs that turned out to decide what is recorded: they are cooked node by node.
    deciding: BTreeSet<InputId>,
    ring: Ring,
    shown: Option<Frame>,
    pinned: Vec<Key>,
    pending: Option<Pending>,
    /// What a cook that ran out of budget has made.
    cut: Option<Cut>,
    keeper: Arc<Keeper>,
    memo: KeyMemo,
    saving: Vec<saving::Saving>,
    report: Report,
    /// Of the device since the cook that the report is of began.
    counting: Option<Counting>,
}

/// What a present gives.
#[derive(Clone, Debug)]
pub enum Present {
    /// Everything that the graph gives, for the clock and the inputs it was asked for.
    Whole(Frame),
    /// The budget ran out, or the device is not done. What stood still stands; present again to go on.
    Pending,
}

impl Present {
    /// The frame, where it is whole.
    pub fn whole(self) -> Option<Frame> {
        match self {
            Present::Whole(frame) => Some(frame),
            Present::Pending => None,
        }
    }
}

/// A cook that ran out of budget: what it has made stands by content, whatever is asked for next.
#[derive(Debug)]
struct Cut {
    submissions: Vec<Submission>,
    filed: HashMap<Key, Arc<[Value]>>,
}

/// A cook whose device work is queued.
#[derive(Debug)]
struct Pending {
    submissions: Vec<Submission>,
    filed: Vec<(Key, Arc<[Value]>)>,
    outputs: Vec<Bound>,
    leaves: LeafValues,
    plan: Arc<Plan>,
    recording: Option<Recording>,
    /// Holds the first replay of `recording` to the cook that `outputs` are of.
    comparison: Option<Comparison>,
    frame: Option<Frame>,
}

impl Play {
    /// A graph to play on a store, with these inputs. Nothing is cooked yet; an input that the graph does not take, or
    /// a value it does not hold, is refused by name.
    pub fn new(store: &Store, graph: &GraphDef, inputs: Inputs) -> Result<Play> {
        Play::with_options(store, graph, inputs, PlayOptions::default())
    }

    /// The same, with options.
    pub fn with_options(store: &Store, graph: &GraphDef, inputs: Inputs, options: PlayOptions) -> Result<Play> {
        let plan = plan_for(graph, &inputs, None)?;
        Ok(Play {
            store: store.clone(),
            graph: graph.clone(),
            options,
            transport: Transport::new(plan.built.timeline.unwrap_or_default(), PlayOn::Auto)?,
            inputs,
            plan,
            cooked_before: HashSet::new(),
            edited: false,
            leaves: None,
            solvers: Solvers::new(options.recorded),
            recording: None,
            deciding: BTreeSet::new(),
            ring: Ring::default(),
            shown: None,
            pinned: Vec::new(),
            pending: None,
            cut: None,
            keeper: store.keeper(),
            memo: KeyMemo::default(),
            saving: Vec::new(),
            report: Report::default(),
            counting: None,
        })
    }

    /// Plays another graph from the next present on: an edit of the one it plays, say. What the graphs have in common
    /// is not cooked again. Values given to inputs are kept where the graph takes them, and let go of where it doesn't;
    /// a step begins again. What stands stands until the next present is whole. On a refusal nothing changes.
    pub fn set_graph(&mut self, graph: &GraphDef) -> Result<()> {
        let mut inputs = self.inputs.clone();
        inputs.0.retain(|name, value| graph.takes(name, value));
        let plan = plan_for(graph, &inputs, Some(&self.plan))?;
        self.replan(plan);
        self.graph = graph.clone();
        self.inputs = inputs;
        Ok(())
    }

    /// Goes over to another plan, where it is one.
    fn replan(&mut self, plan: Arc<Plan>) {
        if Arc::ptr_eq(&plan.built, &self.plan.built) {
            return;
        }
        self.abandon();
        if plan.built.timeline != self.plan.built.timeline {
            self.transport.retime(plan.built.timeline.unwrap_or_default());
        }
        self.plan = plan;
        self.edited |= !self.cooked_before.is_empty();
        self.leaves = None;
        self.solvers.clear();
        self.recording = None;
        self.deciding.clear();
    }

    /// Gives inputs other values; those left out keep theirs. They count from the next present on. On a refusal
    /// nothing changes.
    pub fn set_inputs(&mut self, inputs: Inputs) -> Result<()> {
        let mut next = self.inputs.clone();
        next.0.extend(inputs.0);
        let plan = plan_for(&self.graph, &next, Some(&self.plan))?;
        self.replan(plan);
        self.inputs = next;
        Ok(())
    }

    /// The plan that the next present cooks.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The device it cooks on, to be polled while a present is pending.
    pub fn device(&self) -> &zero_compute::Device {
        self.store.device()
    }

    /// What the last present did; of one that went on with a pending one, what both did.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What stands: the last whole frame.
    pub fn shown(&self) -> Option<&Frame> {
        self.shown.as_ref()
    }

    /// The playhead of the graph's timeline.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }
    /// The same to be moved, given another range or another rate.
    pub fn transport_mut(&mut self) -> &mut Transport {
        &mut self.transport
    }

    /// Lets time pass for the playhead, in seconds, and brings the graph to where it is then. Frame by frame the playhead
    /// waits for a present that is pending; in real time it goes on. A graph that is placed in a scene is presented with
    /// [`Transport::clock`] instead.
    pub fn tick(&mut self, elapsed_secs: f64, exec: &Exec<'_>) -> Result<Present> {
        let waits = self.pending.is_some() || self.cut.is_some();
        if !waits || self.transport.timeline().pace == Pace::RealTime {
            self.transport.advance(elapsed_secs)?;
        }
        self.present(self.transport.clock(), exec)
    }

    /// Takes the playhead to a time and brings the graph there. A step is taken from its start again where that is back in
    /// time.
    pub fn seek(&mut self, time_secs: f64, exec: &Exec<'_>) -> Result<Present> {
        self.transport.seek(time_secs)?;
        self.present(self.transport.clock(), exec)
    }

    /// Of all that the graph reads of a clock and of where it stands: while it stays, a present with the same inputs
    /// shows the same, unless a step moves on.
    pub fn live_digest(&self, clock: &Clock) -> Key {
        let mut fields: BTreeSet<ClockField> = BTreeSet::new();
        let nodes = self.plan.reads.iter().flat_map(|reads| reads.iter());
        fields.extend(nodes.filter_map(|read| {
            if let Read::Clock(field) = read {
                Some(*field)
            } else {
                None
            }
        }));
        let results = self.plan.body.results.iter();
        fields.extend(results.filter_map(|held| {
            if let FlatRef::Clock(field) = held {
                Some(*field)
            } else {
                None
            }
        }));
        let mut hasher = KeyHasher::new("live");
        for field in fields {
            hasher.text(&format!("{field:?}"));
            clock.bits(field).unwrap_or_default().iter().for_each(|bits| {
                hasher.u32(*bits);
            });
        }
        hasher.finish()
    }

    /// Brings the graph to the clock. A present that nothing moved for does nothing; one that is cancelled or runs out
    /// of budget leaves what stood standing, and the next goes on from there, to the clock that was asked for first. On a
    /// refusal what stood stands too.
    pub fn present(&mut self, clock: Clock, exec: &Exec<'_>) -> Result<Present> {
        let _span = tracing::debug_span!("present", graph = self.graph.name()).entered();
        if self.pending.is_none() && self.cut.is_none() {
            // A present that goes on with a pending one adds to its report.
            self.report = Report::default();
            self.counting = Some(self.store.device().counting());
        }
        let budget = Budget::of(exec);
        self.let_go(self.keeper.asked());
        let answer = self.advance(clock, exec, &budget);
        self.write_landed(&budget.rest(exec))?;
        self.report.device = self.counting.as_ref().map(Counting::delta).unwrap_or_default();
        self.report.steps = self.solvers.reports();
        answer.map_err(|error| error.of_document(self.plan.built.document.as_ref()))
    }

    fn advance(&mut self, clock: Clock, exec: &Exec<'_>, budget: &Budget) -> Result<Present> {
        exec.checkpoint()?;
        clock.check()?;
        let device = device_key(&self.store);
        let values = self.plan.built.resolve(&self.inputs)?;
        let leaves = LeafValues::new(device, &self.plan.built.inputs, values, clock)?;
        if let Some(pending) = &self.pending {
            if pending.leaves.moved_inputs(&leaves).is_empty() {
                return self.settle(exec, budget);
            }
            self.abandon();
        }
        let moved = match &self.leaves {
            Some(last) => leaves.moved_inputs(last),
            None => BTreeSet::new(),
        };
        let clock_moved = self.leaves.as_ref().is_none_or(|last| last.clock != clock) && self.plan.reads_clock();
        self.solvers.time_secs = clock.time_secs;
        let step_moved = self.steps().any(|(place, step)| self.solvers.behind(place, &step));
        if let Some(frame) = &self.shown
            && self.leaves.is_some()
            && moved.is_empty()
            && !clock_moved
            && !step_moved
        {
            self.solvers.reached_secs = clock.time_secs;
            return Ok(Present::Whole(frame.clone()));
        }
        let asked = match &self.recording {
            Some(recording) => recording.answers(&moved, &leaves),
            None => Verdict::No,
        };
        match asked {
            Verdict::Replay => self.replay(leaves, exec)?,
            Verdict::Verify => self.verify(leaves, exec)?,
            Verdict::No => self.cook(leaves, &moved, exec, budget.deadline_ms, None)?,
        }
        if self.cut.is_some() {
            return Ok(Present::Pending);
        }
        self.settle(exec, budget)
    }

    fn steps(&self) -> impl Iterator<Item = (u32, Arc<StepPlan>)> {
        let steps = self.plan.steps.iter();
        steps.filter_map(|place| match &self.plan.body.nodes[*place as usize].op {
            FlatOp::Step(step) => Some((*place, step.clone())),
            _ => None,
        })
    }

    /// Cooks what the leaves moved. What stands on leaves that move by numbers alone goes into a list of its own,
    /// which is kept for the presents that follow.
    fn cook(
        &mut self,
        leaves: LeafValues,
        moved: &BTreeSet<InputId>,
        exec: &Exec<'_>,
        deadline_ms: Option<f64>,
        held_to: Option<Recording>,
    ) -> Result<()> {
        let moving = self.moving(moved);
        let plan = self.plan.clone();
        let store = self.store.clone();
        let mut session = Session::new(&plan, &store, &moving, &leaves, exec);
        let verified = held_to.is_some();
        (session.profiled, session.deadline_ms) = (self.options.profiled, deadline_ms);
        if let Some(cut) = self.cut.take() {
            (session.submissions, session.filed) = (cut.submissions, cut.filed);
        }
        self.solvers.mode = if verified { Mode::Compare } else { Mode::Cook };
        session.memo = std::mem::take(&mut self.memo);
        let made = session.run(&plan.body, &session::Frame::default(), Some(&mut self.solvers));
        self.memo = std::mem::take(&mut session.memo);
        self.report
            .cooked
            .extend(self.explain(&session.cooked, moved, verified));
        self.report.disk.take_in(std::mem::take(&mut session.disk));
        let work = session.cooked.iter().filter_map(|node| plan.work_of(node.place?));
        self.cooked_before.extend(work);
        let outputs = made?;
        session.flush_still()?;
        if outputs.is_some() {
            session.flush_live()?;
        }
        self.report.planned_dispatches += session.planned_dispatches;
        let Session {
            live,
            submissions,
            filed,
            cooked,
            parts,
            moving_runs,
            folds,
            waited,
            ..
        } = session;
        self.report.folds.extend(folds);
        let Some(outputs) = outputs else {
            self.cut = Some(Cut { submissions, filed });
            return Ok(());
        };
        if waited {
            // What was waited for decided: cooked node by node it is at least kept in the store.
            self.deciding.extend(moving.inputs.iter().copied());
        }
        // A step that only an alternative not taken stands on begins anew when it is taken again.
        let met = |place: u32| parts.iter().any(|part| part.is_step(place));
        let passed_by = self
            .steps()
            .map(|(place, _)| place)
            .filter(|place| !met(*place))
            .collect();
        self.solvers.pass_by(passed_by);
        let nodes = cooked.iter().filter(|node| node.moving && node.place.is_some()).count();
        let (recording, comparison) = match held_to {
            Some(replayed) => {
                let comparison = Comparison::new(&replayed.outputs_for(&leaves)?, &outputs)?;
                (Some(replayed), Some(comparison))
            }
            None if nodes > 0 && self.options.recorded && !waited => {
                let fixed = live
                    .decided
                    .iter()
                    .filter_map(|leaf| Some((*leaf, leaves.get(*leaf)?)))
                    .collect();
                let made = Recording {
                    parts,
                    guards: live.guards,
                    moving: moving.clone(),
                    fixed,
                    outputs: outputs.clone(),
                    nodes,
                    bytes: moving_runs.values().sum(),
                    verified: false,
                };
                self.deciding.extend(made.deciding_inputs());
                self.report.recorded = true;
                (Some(made), None)
            }
            None => (None, None),
        };
        let strip = |values: &Arc<[Value]>| values.iter().map(Value::without_origins).collect();
        let mut filed: Vec<(Key, Arc<[Value]>)> = filed.iter().map(|(key, values)| (*key, strip(values))).collect();
        filed.sort_by_key(|(key, _)| *key);
        self.pending = Some(Pending {
            submissions,
            filed,
            outputs,
            leaves,
            plan,
            recording,
            comparison,
            frame: None,
        });
        Ok(())
    }

    /// What the next cook treats as moving: what moved now or did before, as long as it decides nothing.
    fn moving(&self, moved: &BTreeSet<InputId>) -> Moving {
        if !self.options.recorded {
            return Moving::default();
        }
        let before = self
            .recording
            .iter()
            .flat_map(|recording| recording.moving.inputs.iter());
        let numeric = |id: &&InputId| self.plan.built.inputs[id.index()].ty.lanes().is_some();
        let inputs = before
            .chain(moved)
            .filter(numeric)
            .filter(|id| !self.deciding.contains(id))
            .copied()
            .collect();
        Moving {
            inputs,
            clock: self.plan.reads_clock(),
        }
    }

    /// Runs the steps and the recorded list for what the leaves hold now: no node is cooked.
    fn replay(&mut self, leaves: LeafValues, exec: &Exec<'_>) -> Result<()> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        let submissions = match self.run_recording(&recording, &leaves, exec) {
            Ok(submissions) => submissions,
            Err(error) => {
                // A cancel or a check that does not hold is no fault of the recording.
                self.recording = Some(recording);
                return Err(error);
            }
        };
        self.report.replayed = recording.nodes;
        let outputs = recording.outputs_for(&leaves)?;
        let plan = self.plan.clone();
        let recording = Some(recording);
        let filed = Vec::new();
        self.pending = Some(Pending {
            submissions,
            filed,
            outputs,
            leaves,
            plan,
            recording,
            comparison: None,
            frame: None,
        });
        Ok(())
    }

    /// Runs the parts of a recording in order. A step that was recorded for other values of what it decides by is
    /// cooked again.
    fn run_recording(
        &mut self,
        recording: &Recording,
        leaves: &LeafValues,
        exec: &Exec<'_>,
    ) -> Result<Vec<Submission>> {
        recording.check_guards(leaves)?;
        let (plan, store, moving) = (self.plan.clone(), self.store.clone(), recording.moving.clone());
        let mut session = Session::new(&plan, &store, &moving, leaves, exec);
        self.solvers.mode = Mode::Replay;
        for part in &recording.parts {
            match part {
                Part::List { list, followed, times } => {
                    set_followed(list, followed, &|leaf| leaves.get(leaf))?;
                    for _ in 0..*times {
                        session.exec.checkpoint()?;
                        session.submit(list)?;
                    }
                }
                Part::Step { place, inputs } => {
                    let FlatOp::Step(step) = &plan.body.nodes[*place as usize].op else {
                        continue;
                    };
                    let inputs = inputs
                        .iter()
                        .map(|bound| refreshed(bound, leaves))
                        .collect::<Result<_>>()?;
                    self.solvers.advance(&mut session, *place, step, inputs)?;
                }
            }
        }
        session.flush_still()?;
        self.report.planned_dispatches += session.planned_dispatches;
        let moved = recording.moving.inputs.clone();
        self.report.cooked.extend(self.explain(&session.cooked, &moved, false));
        Ok(session.submissions)
    }

    /// The first replay is held to a cook of the same numbers, which is what is shown.
    fn verify(&mut self, leaves: LeafValues, exec: &Exec<'_>) -> Result<()> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        let moved = recording.moving.inputs.clone();
        let submissions = self.run_recording(&recording, &leaves, exec)?;
        // It is whole or not at all: a budget cuts the device's work alone.
        self.cook(leaves, &moved, exec, None, Some(recording))?;
        if let Some(pending) = &mut self.pending {
            pending.submissions.splice(0..0, submissions);
        }
        Ok(())
    }

    /// Drives the device until the pending cook is done, then files and shows it.
    fn settle(&mut self, exec: &Exec<'_>, budget: &Budget) -> Result<Present> {
        let Some(pending) = &mut self.pending else {
            return Ok(self.shown.clone().map_or(Present::Pending, Present::Whole));
        };
        if pending.frame.is_none() {
            let mut still: HashSet<u64> = HashSet::new();
            for value in pending.filed.iter().flat_map(|(_, values)| values.iter()) {
                value.each_column(&mut |column| {
                    still.insert(column.id());
                });
            }
            let stands = |run: u64| still.contains(&run) || self.store.holds_run(run);
            let once = pending.comparison.is_some();
            let shown = Shown {
                names: &pending.plan.outputs,
                built: &pending.plan.built,
                outputs: &pending.outputs,
                stands: &stands,
                once,
            };
            let (frame, copied) = self.ring.show(self.store.device(), shown, &mut pending.submissions)?;
            self.report.planned_dispatches += copied;
            pending.frame = Some(frame);
        }
        // What fails of others on this device is theirs to hear of.
        let drive = self.store.device().advance(&budget.rest(exec))?;
        if drive == Drive::Budget {
            return Ok(Present::Pending);
        }
        if let Some(error) = pending.submissions.iter().find_map(Submission::error) {
            // What is left of it may be half written: everything that moves begins again.
            self.pending = None;
            self.recording = None;
            self.solvers.clear();
            self.ring.clear();
            return Err(error.into());
        }
        if let Some(comparison) = &mut pending.comparison {
            let Some(equal) = comparison.answer()? else {
                return Ok(Present::Pending);
            };
            self.report.mismatched = !equal;
            match (&mut pending.recording, equal) {
                (Some(recording), true) => recording.verified = true,
                (recording, _) => *recording = None,
            }
        }
        let Some(pending) = self.pending.take() else {
            return Ok(Present::Pending);
        };
        // Filed only now that the device has run it: nothing half made is found by another cook.
        let pin: Vec<Key> = pending.outputs.iter().flat_map(Bound::entries).collect();
        let unpin = std::mem::replace(&mut self.pinned, pin);
        self.recording = pending.recording;
        self.solvers.reached_secs = pending.leaves.clock.time_secs;
        self.leaves = Some(pending.leaves);
        self.shown = pending.frame;
        self.keep_on_disk(&pending.plan, &pending.outputs);
        self.commit(pending.filed, &unpin);
        Ok(self.shown.clone().map_or(Present::Pending, Present::Whole))
    }

    /// A commit point: what was cooked is filed, and what the store holds past its budget goes, tier by tier.
    fn commit(&mut self, filed: Vec<(Key, Arc<[Value]>)>, unpin: &[Key]) {
        self.keep();
        let store = self.store.clone();
        store.commit(filed, &self.pinned, unpin);
        for tier in Tier::ALL {
            if !store.trim(&self.keeper, tier) {
                break;
            }
            self.let_go(Some(tier));
        }
        store.committed();
    }

    /// States what the play keeps, by tier.
    fn keep(&self) {
        self.keeper.set(Tier::Copies, self.ring.idle_bytes());
        self.keeper.set(
            Tier::Recordings,
            self.recording.as_ref().map_or(0, |recording| recording.bytes),
        );
        self.keeper.set(
            Tier::Stands,
            self.ring.bytes() - self.ring.idle_bytes() + self.solvers.bytes(),
        );
    }

    /// Lets go of what a tier and those before it keep. It is made again where a present needs it: the same bytes.
    fn let_go(&mut self, tier: Option<Tier>) {
        let Some(tier) = tier else { return };
        if tier >= Tier::Copies {
            self.ring.drop_idle();
        }
        if tier >= Tier::Recordings && self.pending.is_none() {
            self.recording = None;
        }
        self.keep();
    }

    /// Lets go of queued work whose answer nobody wants any more. Where there are steps it runs to its end all the
    /// same, so that the state they reached stays whole.
    fn abandon(&mut self) {
        if let Some(pending) = self.pending.take() {
            if self.steps().next().is_none() {
                pending.submissions.iter().for_each(Submission::abandon);
            }
            self.recording = None;
        }
    }

    fn explain(&self, cooked: &[CookedNode], moved: &BTreeSet<InputId>, verified: bool) -> Vec<CookedReport> {
        let why = |node: &CookedNode| {
            let Some(place) = node.place else {
                return if verified { Why::Verified } else { Why::First };
            };
            if verified {
                return Why::Verified;
            }
            let known = |work: Key| self.cooked_before.contains(&work);
            if !self.plan.work_of(place).is_some_and(known) {
                return if self.edited { Why::Edited } else { Why::First };
            }
            let reads = &self.plan.reads[place as usize];
            let named = |read: &Read| match read {
                Read::Input(id) if moved.contains(id) => Some(self.plan.built.inputs[id.index()].name.clone()),
                _ => None,
            };
            let inputs: Vec<String> = reads.iter().filter_map(named).collect();
            match () {
                () if !inputs.is_empty() => Why::Inputs(inputs),
                () if reads.iter().any(|read| matches!(read, Read::Step(_))) => Why::Step,
                () if reads.iter().any(|read| matches!(read, Read::Clock(_))) => Why::Clock,
                () => Why::Released,
            }
        };
        cooked
            .iter()
            .map(|node| {
                let (name, site) = self.plan.built.described(node.node);
                CookedReport {
                    node: name,
                    site,
                    place: node.place.map(|place| place as usize),
                    why: why(node),
                    dispatches: node.cost.dispatches,
                    bytes: node.cost.bytes,
                    time_ms: node.cost.time_ms,
                }
            })
            .collect()
    }
}

/// What is left of a present's budget.
struct Budget {
    deadline_ms: Option<f64>,
}

impl Budget {
    fn of(exec: &Exec<'_>) -> Budget {
        let deadline_ms = exec.budget_ms.map(|budget| exec.clock.now_ms() + budget);
        Budget { deadline_ms }
    }

    fn rest<'a>(&self, exec: &Exec<'a>) -> Exec<'a> {
        let budget_ms = self
            .deadline_ms
            .map(|deadline| (deadline - exec.clock.now_ms()).max(0.0));
        Exec { budget_ms, ..*exec }
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        if let Some(pending) = self.pending.take() {
            pending.submissions.iter().for_each(Submission::abandon);
        }
        self.store.unpin(&self.pinned);
    }
}

fn plan_for(graph: &GraphDef, inputs: &Inputs, base: Option<&Plan>) -> Result<Arc<Plan>> {
    let built: Arc<Built> = graph.built_for(inputs)?;
    built.resolve(inputs)?;
    graph.planned(&built, base)
}

/// The same question on devices of two classes may have two answers.
fn device_key(store: &Store) -> Key {
    let mut hasher = KeyHasher::new("device");
    hasher.text(&format!("{:?}", store.device().class()));
    hasher.finish()
}
