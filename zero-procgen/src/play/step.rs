//! Steps: a state on the device that a recorded list moves on.

use super::report::StepReport;
use super::session::{Bound, Frame, Lane, Session};
use crate::cook::{Followed, Over};
use crate::error::{Error, Result};
use crate::graph::wire::{StepField, Type};
use crate::plan::{FlatRef, Read, StepPlan};
use crate::value::{Key, KeyHasher, Leaf, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use zero_compute::{Column, CommandList, Element, Recorder};

/// Lists kept a step, one for each set of step values that its body decided by.
const KEPT_VARIANTS: usize = 6;

/// The steps of a play.
#[derive(Debug, Default)]
pub(crate) struct Solvers {
    solvers: BTreeMap<u32, Solver>,
    pub(crate) time_secs: f64,
    /// Whether the lists are kept and run again.
    pub(crate) recorded: bool,
}

#[derive(Debug)]
struct Solver {
    /// Of what the step stands on: another begins it again.
    start: Key,
    state: Vec<Column>,
    clear: CommandList,
    steps: u64,
    substeps: u64,
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
        session.submissions.push(list.submit()?);
        Ok(())
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

    /// Whether some step has not reached the clock, or is past it.
    pub(crate) fn behind(&self, place: u32, step: &StepPlan) -> bool {
        self.taken(place) != target(self.time_secs, step.decl.dt_secs)
    }

    pub(crate) fn reports(&self) -> Vec<StepReport> {
        self.solvers.values().map(|solver| solver.report.clone()).collect()
    }

    pub(crate) fn clear(&mut self) {
        self.solvers.clear();
    }

    /// Takes the steps that the clock asks for, and answers the columns of the state.
    pub(crate) fn advance(
        &mut self,
        session: &mut Session<'_>,
        place: u32,
        step: &Arc<StepPlan>,
        inputs: Vec<Bound>,
    ) -> Result<Vec<Value>> {
        let target = target(self.time_secs, step.decl.dt_secs);
        let start = start_key(session, place, &inputs)?;
        let mut inputs = inputs.into_iter();
        let count = inputs
            .next()
            .ok_or_else(|| Error::Refused("a step without a count".to_owned()))?;
        let captures: Vec<Bound> = inputs.collect();
        let known = self.solvers.remove(&place).filter(|solver| solver.start == start);
        let mut solver = match known {
            Some(solver) if solver.steps <= target => solver,
            Some(mut solver) => {
                // The clock went back: the same runs begin again from zeros.
                session.submissions.push(solver.clear.submit()?);
                (solver.steps, solver.substeps) = (0, 0);
                solver.report.restarts += 1;
                solver
            }
            None => begin(session, step, start, &count)?,
        };
        while solver.steps < target {
            session.exec.checkpoint()?;
            for _ in 0..step.decl.substeps {
                self.substep(session, step, &captures, &mut solver)?;
                solver.substeps += 1;
            }
            solver.steps += 1;
            solver.report.steps += 1;
        }
        let columns = solver.state.iter().cloned().map(Value::Column).collect();
        self.solvers.insert(place, solver);
        Ok(columns)
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
        let time = (solver.substeps as f64 * f64::from(dt)) as f32;
        let known = [
            (StepField::Dt, dt.to_bits()),
            (StepField::Time, time.to_bits()),
            (StepField::Index, (solver.substeps as i32).cast_unsigned()),
            (StepField::First, first.to_bits()),
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
            return Ok(());
        }
        let variant = record(session, step, captures, solver)?;
        session.flush_still()?;
        variant.run(session)?;
        solver.report.recorded += 1;
        solver.report.dispatches += variant.dispatches();
        solver.report.list_dispatches = variant.dispatches();
        if !self.recorded {
            solver.report.reason = Some("recorded cooks are off".to_owned());
        } else if solver.variants.len() < KEPT_VARIANTS {
            solver.variants.push(variant);
        } else {
            let leaves: Vec<String> = variant.fixed.iter().map(|(leaf, _)| format!("{leaf:?}")).collect();
            solver.report.reason = Some(format!(
                "its body decides by {} in more ways than are kept",
                leaves.join(", ")
            ));
        }
        Ok(())
    }
}

/// Every step that begins at or before the time has been taken.
fn target(time_secs: f64, dt_secs: f32) -> u64 {
    if time_secs < 0.0 {
        return 0;
    }
    // A share of a step small enough to be the rounding of `frame / fps` counts as reached.
    (time_secs / f64::from(dt_secs) + 1e-4).floor() as u64 + 1
}

/// Of the count and the captures that do not follow time.
fn start_key(session: &Session<'_>, place: u32, inputs: &[Bound]) -> Result<Key> {
    let node = &session.plan.body.nodes[place as usize];
    let mut hasher = KeyHasher::new("step start");
    hasher.key(node.key);
    for (reference, bound) in node.inputs.iter().zip(inputs) {
        let follows_time = match reference {
            FlatRef::Node(from, _) => {
                let reads = &session.plan.reads[*from as usize];
                reads.iter().any(|read| matches!(read, Read::Clock(_) | Read::Step(_)))
            }
            FlatRef::Clock(_) => true,
            _ => false,
        };
        if !follows_time {
            hasher.key(bound.key);
        }
    }
    for read in &session.plan.reads[place as usize] {
        if let Read::Input(id) = read {
            hasher.key(session.leaves.input(*id, false)?.key);
        }
    }
    Ok(hasher.finish())
}

fn begin(session: &mut Session<'_>, step: &Arc<StepPlan>, start: Key, count: &Bound) -> Result<Solver> {
    let device = session.store.device().clone();
    let limit = crate::cook::construct::MAX_ELEMENTS;
    let count = session
        .still
        .with(&device, |cx| cx.decide_count("step", &count.value, limit))?;
    let mut state = Vec::with_capacity(step.decl.columns.len());
    let mut clear = device.record(&format!("{}: clear", step.decl.name));
    for (_, ty) in &step.decl.columns {
        let element = if *ty == Type::Int { Element::I32 } else { Element::F32 };
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
        state,
        clear,
        steps: 0,
        substeps: 0,
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
    let results = session.run(&step.body, &frame, None)?;
    solver.report.cooked += (session.cooked.len() - before) as u64;
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
