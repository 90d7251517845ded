//! Folds: passes that build on each other, cooked one by one, or cooked once and run again from a list.

use super::report::FoldReport;
use super::session::{Frame, Lane, Part, Session, constant};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Wire};
use crate::plan::{Body, FlatNode, FlatOp, FlatRef, Stop};
use crate::value::{Bound, Count, Key, KeyHasher, Value};
use std::sync::Arc;
use zero_compute::{Column, Element, Recorder};

/// Passes from which on a fold is recorded.
const RECORDED_FROM: i32 = 3;

/// A fold about to run.
struct Passes<'b> {
    body: &'b Body,
    stop: &'b Stop,
    count: i32,
    state: Vec<Bound>,
    captures: Vec<Bound>,
    stop_captures: Vec<Bound>,
    moving: bool,
}

impl Session<'_> {
    /// Runs the passes of a fold, each from what the pass before left; nothing where the budget ran out.
    pub(super) fn fold(&mut self, node: &FlatNode, inputs: Vec<Bound>, moving: bool) -> Result<Option<Vec<Value>>> {
        let FlatOp::Fold { body, state, stop } = &node.op else {
            return Err(Error::Refused("no fold".to_owned()));
        };
        let mut inputs = inputs.into_iter();
        let count = inputs
            .next()
            .ok_or_else(|| Error::Refused("a fold without a count".to_owned()))?;
        let passes = Passes {
            body,
            stop,
            count: self.passes("count", &count)?,
            state: inputs.by_ref().take(*state).collect(),
            captures: inputs.by_ref().take(body.captures.len()).collect(),
            stop_captures: inputs.collect(),
            moving,
        };
        let (name, site) = self.plan.built.described(node.node);
        let mut report = FoldReport::new(name, site, stop);
        let before = self.cooked.len();
        let recorded = match passes.count >= RECORDED_FROM {
            true => self.recorded(&passes, &mut report)?,
            false => None,
        };
        let values = match recorded {
            Some(values) => Some(values),
            None => self.pass_by_pass(passes, &mut report)?,
        };
        report.cooked = (self.cooked.len() - before) as u64;
        if values.is_some() {
            // One that was cut is told of by the present that ends it.
            self.folds.push(report);
        }
        Ok(values)
    }

    /// Each pass from its nodes. A pass whose nodes are held cooks nothing.
    fn pass_by_pass(&mut self, passes: Passes<'_>, report: &mut FoldReport) -> Result<Option<Vec<Value>>> {
        let mut frame = Frame {
            captures: passes.captures,
            fold: passes.state,
            ..Frame::default()
        };
        for pass in 1..=passes.count {
            let asked = pass < passes.count && !matches!(passes.stop, Stop::Never);
            let before = if asked { frame.fold.clone() } else { Vec::new() };
            frame.index = Some(constant(Wire::Int(pass))?);
            let Some(left) = self.run(passes.body, &frame, None)? else {
                return Ok(None);
            };
            frame.fold = left;
            report.passes += 1;
            if !asked {
                continue;
            }
            report.stopped = match passes.stop {
                Stop::Never => false,
                Stop::Unchanged => self.unchanged(&before, &frame.fold)?,
                Stop::When(stop) => {
                    let seen = before.iter().chain(&frame.fold).cloned().collect();
                    match self.stops(stop, seen, &passes.stop_captures)? {
                        Some(stops) => stops,
                        None => return Ok(None),
                    }
                }
            };
            if report.stopped {
                break;
            }
        }
        Ok(Some(frame.fold.into_iter().map(|bound| bound.value).collect()))
    }

    fn stops(&mut self, stop: &Body, seen: Vec<Bound>, captures: &[Bound]) -> Result<Option<bool>> {
        let frame = Frame {
            captures: captures.to_vec(),
            fold: seen,
            ..Frame::default()
        };
        let Some(answer) = self.run(stop, &frame, None)? else {
            return Ok(None);
        };
        match answer.first() {
            Some(bound) => Ok(Some(self.decided(bound)?.bits[0] != 0)),
            None => Err(Error::Refused("the stop of the fold answers nothing".to_owned())),
        }
    }

    /// Whether a pass left the state as it found it: numbers by their bits, runs by what they hold.
    fn unchanged(&mut self, before: &[Bound], after: &[Bound]) -> Result<bool> {
        let mut same = true;
        for (old, new) in before.iter().zip(after) {
            if old.key == new.key {
                continue;
            }
            for bound in [old, new] {
                if let Value::Number(_) = bound.value {
                    self.decided(bound)?;
                }
            }
            same = same && shape(&old.value) == shape(&new.value);
            same = same && self.words(old, old.moving)? == self.words(new, new.moving)?;
        }
        Ok(same)
    }

    /// What the runs of a value hold. It waits for the device, and a recording that did so can't be run again.
    fn words(&mut self, bound: &Bound, moving: bool) -> Result<Vec<Vec<u32>>> {
        let mut columns = Vec::new();
        bound.value.each_column(&mut |column| columns.push(column.clone()));
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        if self.live.is_within() {
            return Err(Error::Refused(
                "a fold that ends where the device's state no longer changes stands outside what runs from a list, such \
                 as a step"
                    .to_owned(),
            ));
        }
        self.waited |= moving;
        self.flush_still()?;
        self.flush_live()?;
        columns.iter().map(|column| self.read(column)).collect()
    }

    fn read(&self, column: &Column) -> Result<Vec<u32>> {
        Ok(match column.element() {
            Element::F32 => bits(column.read::<f32>()?.wait_with(self.exec)?, f32::to_bits),
            Element::I32 => bits(column.read::<i32>()?.wait_with(self.exec)?, i32::cast_unsigned),
            _ => column.read::<u32>()?.wait_with(self.exec)?,
        })
    }

    /// The first pass cooked into a list over a state of its own, and the list run for every pass. Nothing, and why, where
    /// the body can't run so.
    fn recorded(&mut self, passes: &Passes<'_>, report: &mut FoldReport) -> Result<Option<Vec<Value>>> {
        if let Some(reason) = self.unlisted(passes) {
            report.reason = Some(reason);
            return Ok(None);
        }
        let device = self.store.device().clone();
        let mut own: Vec<Column> = Vec::new();
        let mut held: Vec<Bound> = Vec::with_capacity(passes.state.len());
        for bound in &passes.state {
            held.push(stand_in(&device, bound, &mut own)?);
        }
        let before = self.cooked.len();
        let (left, mut lane) = self.first_pass(passes, &held)?;
        let same = left
            .iter()
            .zip(&held)
            .all(|(left, held)| shape(&left.value) == shape(&held.value));
        if !same {
            let reason = "a pass leaves a state of another shape".to_owned();
            report.reason = Some(passes.body.unlisted.get_or_init(|| reason).clone());
            // What was cooked into the list is cooked again; what stands stays.
            let tried = self.cooked.split_off(before);
            self.cooked.extend(tried.into_iter().filter(|node| !node.moving));
            return Ok(None);
        }
        lane.with(&device, |cx| write_back(cx.recorder(), &left, &own))?;
        let (list, followed) = (lane.finish()?, std::mem::take(&mut lane.followed));
        if passes.moving {
            self.live.decided.extend(lane.decided);
        }
        let sources = runs(&passes.state);
        self.lane(passes.moving).with(&device, |cx| {
            let pairs = sources.iter().zip(&own);
            pairs
                .into_iter()
                .try_for_each(|(from, to)| Ok(cx.recorder().copy_into(from, to)?))
        })?;
        self.flush_still()?;
        if passes.moving {
            self.flush_live()?;
        }
        let mut words = match passes.stop {
            Stop::Unchanged => self.every_word(&held, passes.moving)?,
            _ => Vec::new(),
        };
        for pass in 1..=passes.count {
            self.exec.checkpoint()?;
            if let Some(list) = &list {
                self.submit(list)?;
            }
            report.passes += 1;
            if matches!(passes.stop, Stop::Unchanged) && pass < passes.count {
                let now = self.every_word(&held, passes.moving)?;
                report.stopped = now == words;
                if report.stopped {
                    break;
                }
                words = now;
            }
        }
        report.recorded = 1;
        report.replayed = u64::from(report.passes) - 1;
        if let (Some(list), true) = (list, passes.moving) {
            let times = report.passes;
            self.parts.push(Part::List { list, followed, times });
        }
        Ok(Some(held.into_iter().map(|bound| bound.value).collect()))
    }

    /// Cooks a pass into a lane of its own. It is whole or not at all, so no budget cuts it, and its nodes are not run one
    /// by one.
    fn first_pass(&mut self, passes: &Passes<'_>, held: &[Bound]) -> Result<(Vec<Bound>, Lane)> {
        let frame = Frame {
            captures: passes.captures.clone(),
            fold: held.to_vec(),
            ..Frame::default()
        };
        let outer = std::mem::replace(&mut self.live, Lane::new("fold"));
        let (deadline_ms, profiled) = (self.deadline_ms.take(), std::mem::take(&mut self.profiled));
        let runs = std::mem::take(&mut self.moving_runs);
        let ran = self.run(passes.body, &frame, None);
        let lane = std::mem::replace(&mut self.live, outer);
        (self.deadline_ms, self.profiled) = (deadline_ms, profiled);
        let made = std::mem::replace(&mut self.moving_runs, runs);
        if passes.moving {
            self.moving_runs.extend(made);
        }
        match ran? {
            Some(left) => Ok((left, lane)),
            None => Err(Error::Refused("a pass of a fold was cut by a budget".to_owned())),
        }
    }

    fn every_word(&mut self, held: &[Bound], moving: bool) -> Result<Vec<Vec<Vec<u32>>>> {
        held.iter().map(|bound| self.words(bound, moving)).collect()
    }

    /// Why the passes can't run from one list, as far as that is known before one is cooked.
    fn unlisted(&self, passes: &Passes<'_>) -> Option<String> {
        if let Some(reason) = passes.body.unlisted.get() {
            return Some(reason.clone());
        }
        let reason = match () {
            () if self.live.is_within() => "it stands in what is recorded already",
            () if matches!(passes.stop, Stop::When(_)) => "it ends by a function of its state",
            () if reads_index(passes.body) => "its body reads the number of the pass",
            () if waits(passes.body) => "its body waits for the device",
            () if !passes.state.iter().all(|bound| on_device(&bound.value)) => {
                "its state holds more than geometry, rasters and columns"
            }
            () => return None,
        };
        Some(reason.to_owned())
    }
}

fn bits<T>(values: Vec<T>, of: impl Fn(T) -> u32) -> Vec<u32> {
    values.into_iter().map(of).collect()
}

fn reads_index(body: &Body) -> bool {
    let mut read = body.nodes.iter().flat_map(|node| &node.inputs).chain(&body.results);
    read.any(|reference| *reference == FlatRef::FoldIndex)
}

fn waits(body: &Body) -> bool {
    body.nodes.iter().any(|node| {
        let itself = matches!(
            &node.op,
            FlatOp::Fold {
                stop: Stop::Unchanged,
                ..
            }
        );
        itself || node.op.bodies().any(|body| waits(body))
    })
}

/// Whether a list that runs again can move the value on: runs, and what is made of runs.
fn on_device(value: &Value) -> bool {
    match value {
        Value::Geometry(_) | Value::Raster(_) => true,
        Value::Column(column) => column.live_count().is_none(),
        _ => false,
    }
}

/// Of everything but what the runs of a value hold.
fn shape(value: &Value) -> Key {
    let mut hasher = KeyHasher::new("shape");
    digest_shape(value, &mut hasher);
    hasher.finish()
}

fn digest_shape(value: &Value, key: &mut KeyHasher) {
    match value {
        Value::Number(number) => {
            key.text(number.ty().name());
            number.bits.iter().for_each(|bits| {
                key.u32(*bits);
            });
        }
        Value::Field(field) => {
            // Two fields that are not one can't be told to be equal.
            key.text("field").u64(Arc::as_ptr(field) as usize as u64);
        }
        Value::Column(column) => {
            key.text(&format!("{:?}", column.element()));
            key.u32(column.lanes()).u32(column.capacity());
        }
        Value::Raster(raster) => {
            key.text("raster").u32(raster.width()).u32(raster.height());
            let placed = raster.spacing_m().into_iter().chain(raster.origin_m());
            placed.for_each(|side| {
                key.f32(side);
            });
        }
        Value::List(list) => {
            key.text("list").u64(list.len() as u64);
            list.values().for_each(|value| digest_shape(value, key));
        }
        Value::Geometry(geometry) => {
            for class in [Class::Point, Class::Vertex, Class::Primitive] {
                let count = geometry.count(class);
                key.text(class.name()).u32(matches!(count, Count::Live { .. }).into());
                key.u32(count.capacity());
                for name in geometry.names(class) {
                    let ty = geometry.attribute(class, &name).map_or("", |held| held.ty.name());
                    key.text(&name).text(ty);
                }
            }
            for name in geometry.names(Class::Detail) {
                key.text(&name);
                if let Some(value) = geometry.detail(&name) {
                    digest_shape(value, key);
                }
            }
        }
    }
}

/// The runs of a state, counts among them, whole.
fn runs(state: &[Bound]) -> Vec<Column> {
    let mut all = Vec::new();
    for bound in state {
        bound.value.each_column(&mut |column| all.push(column.as_capacity()));
    }
    all
}

/// The same value on runs of its own, which hold nothing yet.
fn stand_in(device: &zero_compute::Device, bound: &Bound, own: &mut Vec<Column>) -> Result<Bound> {
    let mut failed = None;
    let mut hasher = KeyHasher::new("fold state");
    let value =
        bound.value.map_columns(
            &mut |column| match device.column(column.element(), column.lanes(), column.capacity()) {
                Ok(made) => {
                    hasher.u64(made.id());
                    own.push(made.clone());
                    made
                }
                Err(error) => {
                    failed = Some(error);
                    column.clone()
                }
            },
        );
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(Bound {
            key: hasher.finish(),
            entry: None,
            value: value?,
            moving: true,
        }),
    }
}

/// Writes what a pass left over the state it began with. Every next value is made before the first is written, so that
/// each is made of the state as it stood.
fn write_back(recorder: &mut Recorder, left: &[Bound], own: &[Column]) -> Result<()> {
    let mut next = Vec::with_capacity(own.len());
    for (column, held) in runs(left).into_iter().zip(own) {
        next.push(match own.iter().any(|other| other.id() == column.id()) {
            _ if column.id() == held.id() => None,
            true => Some(recorder.copy(&column)?),
            false => Some(column),
        });
    }
    for (column, held) in next.iter().zip(own) {
        if let Some(column) = column {
            recorder.copy_into(column, held)?;
        }
    }
    Ok(())
}
