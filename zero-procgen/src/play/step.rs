//! Steps: a state on the device that a recorded list moves on.

use super::report::StepReport;
use super::session::{Bound, Frame, Lane, Session};
use crate::cook::{Followed, Over};
use crate::error::{Error, Result};
use crate::graph::wire::{ClockField, StepField};
use crate::plan::{Read, StepPlan};
use crate::value::{Key, KeyHasher, Leaf, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Not;
use std::sync::Arc;
use zero_compute::{Column, CommandList, Device, Element, Recorder};

/// Lists kept a step, one for each set of step values that its body decided by.
const KEPT_VARIANTS: usize = 6;

/// Substeps that one present takes at most: each is queued on its own.
const MOST_AT_ONCE: u64 = 250_000;

/// The steps of a play.
#[derive(Debug, Default)]
pub(crate) struct Solvers {
    solvers: BTreeMap<u32, Solver>,
    /// Steps that only alternatives stand on which were not taken.
    passed_by: BTreeSet<u32>,
    pub(crate) time_secs: f64,
    /// The clock of the last present that was whole.
    pub(crate) reached_secs: f64,
    /// Whether the lists are kept and run again.
    pub(crate) recorded: bool,
    pub(crate) mode: Mode,
}

/// What a session asks of the steps it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Reach the clock; what they stand on may be in other runs than before.
    #[default]
    Cook,
    /// Reach the clock; what they stand on is written into the runs it was recorded with.
    Replay,
    /// Stay: a replay has just reached the clock, and a cook beside it is compared.
    Compare,
}

#[derive(Debug)]
struct Solver {
    /// Of the inputs that the step stands on: others begin it again.
    start: Key,
    /// Of the runs that its lists read: others need other lists.
    bound_to: Key,
    state: Vec<Column>,
    clear: CommandList,
    steps: u64,
    substeps: u64,
    /// When the span begins that the present covers, and whether the present before took all its steps.
    from_secs: f64,
    whole: bool,
    variants: Vec<Variant>,
    report: StepReport,
}

/// A recorded substep, for the leaves' values that decided it.
#[derive(Debug)]
struct Variant {
    fixed: Vec<(Leaf, u32)>,
    /// Nothing where the state stays as it is.
    list: Option<CommandList>,
    followed: Vec<Followed>,
}

impl Variant {
    fn dispatches(&self) -> u64 {
        self.list.as_ref().map_or(0, |list| list.dispatches() as u64)
    }

    fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let Some(list) = &self.list else { return Ok(()) };
        set_followed(list, &self.followed, &|leaf| session.leaves.get(leaf))?;
        session.submit(list)
    }
}

impl Solvers {
    pub(crate) fn new(recorded: bool) -> Solvers {
        Solvers {
            recorded,
            ..Solvers::default()
        }
    }

    /// Steps taken by the solver of a node.
    pub(crate) fn taken(&self, place: u32) -> u64 {
        self.solvers.get(&place).map_or(0, |solver| solver.steps)
    }

    /// Lets go of the steps that the last whole cook passed by.
    pub(crate) fn pass_by(&mut self, places: BTreeSet<u32>) {
        self.solvers.retain(|place, _| !places.contains(place));
        self.passed_by = places;
    }

    /// Whether the step has not reached the clock, or is past it. One that the last cook passed by waits for nothing.
    pub(crate) fn behind(&self, place: u32, step: &StepPlan) -> bool {
        if self.passed_by.contains(&place) {
            return false;
        }
        // A clock that no step can reach is refused where the step is taken.
        target(self.time_secs, step.decl.dt_secs)
            .is_ok_and(|target| self.taken(place) == target)
            .not()
    }

    pub(crate) fn reports(&self) -> Vec<StepReport> {
        self.solvers.values().map(|solver| solver.report.clone()).collect()
    }

    /// Bytes of the states.
    pub(crate) fn bytes(&self) -> u64 {
        let states = self.solvers.values().flat_map(|solver| &solver.state);
        states.map(Column::bytes).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.solvers.clear();
        self.passed_by.clear();
    }

    /// Takes the steps that the clock asks for, and answers the columns of the state.
    pub(crate) fn advance(
        &mut self,
        session: &mut Session<'_>,
        place: u32,
        step: &Arc<StepPlan>,
        inputs: Vec<Bound>,
    ) -> Result<Vec<Value>> {
        let state = |solver: &Solver| solver.state.iter().cloned().map(Value::Column).collect();
        if self.mode == Mode::Compare
            && let Some(solver) = self.solvers.get(&place)
        {
            return Ok(state(solver));
        }
        let target = target(self.time_secs, step.decl.dt_secs)?;
        let start = start_key(session, place)?;
        let mut inputs = inputs.into_iter();
        let count = inputs
            .next()
            .ok_or_else(|| Error::Refused("a step without a count".to_owned()))?;
        let captures: Vec<Bound> = inputs.collect();
        let mut solver = match self.mode {
            Mode::Replay => match self.solvers.remove(&place) {
                Some(solver) => solver,
                None => return Err(Error::Refused("a recorded step without its state".to_owned())),
            },
            _ => self.solver_for(session, place, step, &count, &captures)?,
        };
        if solver.whole {
            solver.from_secs = self.reached_secs;
        }
        if solver.start != start || solver.steps > target {
            // Other numbers or an earlier clock: the same runs begin again from zeros.
            session.submit(&solver.clear)?;
            solver.report.restarts += u64::from(solver.substeps > 0);
            (solver.steps, solver.substeps, solver.start) = (0, 0, start);
            solver.from_secs = 0.0;
        }
        solver.whole = false;
        let taken = self.take(session, step, &captures, &mut solver, target);
        solver.whole = taken.is_ok();
        let columns = state(&solver);
        // A cancelled run keeps the steps it has queued; the next present goes on from there.
        self.solvers.insert(place, solver);
        taken.map(|()| columns)
    }

    fn take(
        &self,
        session: &mut Session<'_>,
        step: &Arc<StepPlan>,
        captures: &[Bound],
        solver: &mut Solver,
        target: u64,
    ) -> Result<()> {
        let each = u64::from(step.decl.substeps);
        if (target - solver.steps).saturating_mul(each) > MOST_AT_ONCE {
            return Err(Error::Refused(format!(
                "step '{}': the clock is {} steps ahead; one present takes at most {MOST_AT_ONCE} substeps",
                step.decl.name,
                target - solver.steps
            )));
        }
        while solver.steps < target {
            session.exec.checkpoint()?;
            self.substep(session, step, captures, solver)?;
            solver.substeps += 1;
            if solver.substeps.is_multiple_of(each) {
                solver.steps += 1;
                solver.report.steps += 1;
            }
        }
        Ok(())
    }

    /// The solver that was there, where its state has the length that is asked for, with the lists that read what is
    /// there to be read; else a new one.
    fn solver_for(
        &mut self,
        session: &mut Session<'_>,
        place: u32,
        step: &Arc<StepPlan>,
        count: &Bound,
        captures: &[Bound],
    ) -> Result<Solver> {
        let device = session.store.device().clone();
        let limit = crate::cook::construct::MAX_ELEMENTS;
        // A recording stands for this count alone, so it is decided where the recording sees it.
        let count = session
            .live
            .with(&device, |cx| cx.decide_count("count", &count.value, limit))?;
        let bound_to = binding(captures);
        let known = self.solvers.remove(&place);
        let fits = |solver: &Solver| solver.state.iter().all(|column| column.capacity() == count);
        match known.filter(fits) {
            Some(mut solver) => {
                if solver.bound_to != bound_to {
                    solver.bound_to = bound_to;
                    solver.variants.clear();
                }
                Ok(solver)
            }
            None => begin(&device, step, start_key(session, place)?, bound_to, count),
        }
    }

    /// How far a time is through the span that the present covers, and how much of it a substep is.
    fn within(&self, from_secs: f64, time: f64, dt: f64) -> (f64, f64) {
        let span = self.time_secs - from_secs;
        match span > 0.0 {
            true => ((time - from_secs) / span, dt / span),
            false => (1.0, 0.0),
        }
    }

    fn substep(
        &self,
        session: &mut Session<'_>,
        step: &Arc<StepPlan>,
        captures: &[Bound],
        solver: &mut Solver,
    ) -> Result<()> {
        let dt = step.decl.dt_secs / step.decl.substeps as f32;
        let first = if solver.substeps == 0 { 1.0f32 } else { 0.0 };
        let time = solver.substeps as f64 * f64::from(dt);
        let start = solver.steps as f64 * f64::from(step.decl.dt_secs);
        let (progress, share) = self.within(solver.from_secs, time, f64::from(dt));
        let frame = (time * session.leaves.clock.fps + 1e-6).floor() as i32;
        let known = [
            (StepField::Dt, dt.to_bits()),
            (StepField::Time, (time as f32).to_bits()),
            (StepField::Index, (solver.substeps as i32).cast_unsigned()),
            (StepField::First, first.to_bits()),
            (StepField::Start, (start as f32).to_bits()),
            (StepField::Frame, frame.cast_unsigned()),
            (StepField::Progress, (progress as f32).to_bits()),
            (StepField::Share, (share as f32).to_bits()),
        ];
        for (field, bits) in known {
            session.leaves.set_step(Leaf::Step(step.scope, field), bits);
        }
        let holds = |variant: &&Variant| {
            variant
                .fixed
                .iter()
                .all(|(leaf, bits)| session.leaves.get(*leaf) == Some(*bits))
        };
        if let Some(variant) = solver.variants.iter().find(holds) {
            variant.run(session)?;
            solver.report.replays += 1;
            solver.report.dispatches += variant.dispatches();
            solver.report.planned_dispatches = variant.dispatches();
            return Ok(());
        }
        let variant = record(session, step, captures, solver)?;
        session.flush_still()?;
        variant.run(session)?;
        solver.report.recorded += 1;
        solver.report.dispatches += variant.dispatches();
        solver.report.planned_dispatches = variant.dispatches();
        if !self.recorded {
            solver.report.reason = Some("recorded cooks are off".to_owned());
        } else if solver.variants.len() < KEPT_VARIANTS {
            solver.variants.push(variant);
        } else {
            let mut leaves: Vec<String> = variant.fixed.iter().map(|(leaf, _)| named(session, *leaf)).collect();
            leaves.dedup();
            solver.report.reason = Some(format!(
                "its body decides by {}, and lists are kept for {KEPT_VARIANTS} sets of values",
                leaves.join(", ")
            ));
        }
        Ok(())
    }
}

/// What a person calls a leaf.
fn named(session: &Session<'_>, leaf: Leaf) -> String {
    match leaf {
        Leaf::Input(id, _) => {
            let input = session.plan.built.inputs.get(id.index());
            format!("the input '{}'", input.map_or("", |input| &input.name))
        }
        Leaf::Clock(ClockField::Time, _) => "the clock's time".to_owned(),
        Leaf::Clock(ClockField::Frame, _) => "the clock's frame".to_owned(),
        Leaf::Clock(ClockField::Delta | ClockField::Fps, _) => "the clock's rate".to_owned(),
        Leaf::Clock(ClockField::Duration, _) => "the clock's duration".to_owned(),
        Leaf::Clock(ClockField::Entity | ClockField::Stands, _) => "the entity the graph stands on".to_owned(),
        Leaf::Clock(..) => "where the graph stands".to_owned(),
        Leaf::Step(_, StepField::Dt) => "step.dt".to_owned(),
        Leaf::Step(_, StepField::Time) => "step.time".to_owned(),
        Leaf::Step(_, StepField::Index) => "step.index".to_owned(),
        Leaf::Step(_, StepField::First) => "step.first".to_owned(),
        Leaf::Step(_, StepField::Start) => "step.start".to_owned(),
        Leaf::Step(_, StepField::Frame) => "the frame sampled at the step".to_owned(),
        Leaf::Step(_, StepField::Progress | StepField::Share) => "step.progress".to_owned(),
    }
}

/// Every step that begins at or before the time has been taken.
fn target(time_secs: f64, dt_secs: f32) -> Result<u64> {
    if time_secs < 0.0 {
        return Ok(0);
    }
    let steps = time_secs / f64::from(dt_secs);
    // What `frame / fps` falls short by in f64, and what `dt` does in f32, counts as reached.
    let reached = (steps * (1.0 + f64::from(f32::EPSILON) / 2.0) + 1e-4).floor();
    if reached < 1e15 {
        Ok(reached as u64 + 1)
    } else {
        Err(Error::Refused(format!(
            "a clock at {time_secs} s is {reached} steps of {dt_secs} s from the start"
        )))
    }
}

/// Of the inputs that the step stands on, directly or through other nodes.
fn start_key(session: &Session<'_>, place: u32) -> Result<Key> {
    let mut hasher = KeyHasher::new("step start");
    hasher.key(session.plan.body.nodes[place as usize].key);
    for read in session.plan.reads[place as usize].iter() {
        if let Read::Input(id) = read {
            hasher.key(session.leaves.input(*id, false)?.key);
        }
    }
    Ok(hasher.finish())
}

/// Of what a list over these captures is made for: the runs of those that a recording writes, the content of those
/// that stand.
fn binding(captures: &[Bound]) -> Key {
    let mut hasher = KeyHasher::new("step captures");
    for bound in captures {
        if bound.moving {
            bound.value.each_column(&mut |column| {
                hasher.u64(column.id());
            });
            hasher.text("|");
        } else {
            hasher.key(bound.key);
        }
    }
    hasher.finish()
}

fn begin(device: &Device, step: &Arc<StepPlan>, start: Key, bound_to: Key, count: u32) -> Result<Solver> {
    let mut state = Vec::with_capacity(step.decl.columns.len());
    let mut clear = device.record("clear");
    for (_, ty) in &step.decl.columns {
        let element = ty.element().unwrap_or(Element::F32);
        let column = device.column(element, ty.lanes().unwrap_or(1), count)?;
        clear.fill(&column, 0)?;
        state.push(column);
    }
    let report = StepReport {
        name: step.decl.name.clone(),
        ..StepReport::default()
    };
    let clear = clear.finish()?;
    Ok(Solver {
        start,
        bound_to,
        state,
        clear,
        steps: 0,
        substeps: 0,
        from_secs: 0.0,
        whole: false,
        variants: Vec::new(),
        report,
    })
}

/// Cooks the body once with every dispatch it makes kept as a list that ends by writing the state in place.
fn record(session: &mut Session<'_>, step: &Arc<StepPlan>, captures: &[Bound], solver: &mut Solver) -> Result<Variant> {
    let outer = std::mem::replace(&mut session.live, Lane::new("step"));
    let recorded = record_into(session, step, captures, solver);
    let mut lane = std::mem::replace(&mut session.live, outer);
    recorded?;
    let fixed = lane
        .decided
        .iter()
        .filter_map(|leaf| Some((*leaf, session.leaves.get(*leaf)?)))
        .collect();
    let list = lane.finish()?;
    Ok(Variant {
        fixed,
        list,
        followed: lane.followed,
    })
}

fn record_into(session: &mut Session<'_>, step: &Arc<StepPlan>, captures: &[Bound], solver: &mut Solver) -> Result<()> {
    let state = solver.state.iter().enumerate().map(|(slot, column)| {
        let mut hasher = KeyHasher::new("state");
        hasher.u64(slot as u64).u64(column.id());
        Bound {
            key: hasher.finish(),
            entry: None,
            value: Value::Column(column.clone()),
            moving: true,
        }
    });
    let frame = Frame {
        captures: captures.to_vec(),
        state: state.collect(),
        step: Some(step.scope),
        ..Frame::default()
    };
    let before = session.cooked.len();
    // A body's nodes go into the step's own list, so they are not run one by one.
    let profiled = std::mem::take(&mut session.profiled);
    let results = session.run(&step.body, &frame, None);
    session.profiled = profiled;
    let Some(results) = results? else {
        let message = format!("step '{}' was cut by a budget", step.decl.name);
        return Err(Error::Refused(message));
    };
    solver.report.cooked += (session.cooked.len() - before) as u64;
    for cooked in &session.cooked[before..] {
        let operation = session.plan.built.nodes[cooked.node.index()].op.operation();
        *solver.report.operations.entry(operation).or_default() += 1;
    }
    solver.report.static_nodes = session.still_nodes(&step.body, &frame)?;
    let device = session.store.device().clone();
    session.live.with(&device, |cx| {
        let mut next = Vec::with_capacity(results.len());
        for (slot, bound) in results.iter().enumerate() {
            let over = Over::count(solver.state[slot].capacity());
            let column = cx.evaluate(&bound.value, step.decl.columns[slot].1, &over)?;
            next.push(own(cx.recorder(), column, slot, &solver.state)?);
        }
        // Every next value is made before the first is written, so that each was made of the state as it stood.
        for (column, held) in next.iter().zip(&solver.state) {
            if let Some(column) = column {
                cx.recorder().copy_into(column, held)?;
            }
        }
        Ok(())
    })
}

/// The next value of a column of the state, in a run that no other column of the state is; nothing where it stays.
fn own(recorder: &mut Recorder, column: Column, slot: usize, state: &[Column]) -> Result<Option<Column>> {
    match state.iter().position(|held| held.id() == column.id()) {
        None => Ok(Some(column)),
        Some(same) if same == slot => Ok(None),
        Some(_) => Ok(Some(recorder.copy(&column)?)),
    }
}

/// Sets the words of a list that follow leaves.
pub(crate) fn set_followed(list: &CommandList, followed: &[Followed], of: &dyn Fn(Leaf) -> Option<u32>) -> Result<()> {
    // Many words of a list follow one number, and they stand together.
    let mut last: Option<(*const crate::value::Origin, Vec<u32>)> = None;
    for word in followed {
        let same = last
            .as_ref()
            .is_some_and(|(origin, _)| *origin == Arc::as_ptr(&word.origin));
        if !same {
            last = Some((Arc::as_ptr(&word.origin), word.origin.evaluate(of)?));
        }
        let lanes = last.as_ref().map(|(_, lanes)| lanes);
        if let Some(bits) = lanes.and_then(|lanes| lanes.get(usize::from(word.lane))) {
            list.set_bits(word.slot, *bits)?;
        }
    }
    Ok(())
}
