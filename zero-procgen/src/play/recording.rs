//! A cook kept as a list: run again for other numbers, it cooks nothing.

use super::arriving::Arriving;
use super::moving::{LeafValues, Moving};
use super::session::{Bound, Part};
use crate::cook::Guard;
use crate::error::{Error, Result};
use crate::graph::wire::InputId;
use crate::value::{Leaf, Value};
use std::collections::BTreeSet;
use zero_compute::Column;

/// Whether a recording answers what moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does.
    Replay,
    /// It does, and no replay of it has been held to a cook yet.
    Verify,
    /// It does not.
    No,
}

/// A recorded cook of everything that stands on moving leaves.
#[derive(Debug)]
pub(crate) struct Recording {
    /// Lists, and the steps between them, in the order they run.
    pub(crate) parts: Vec<Part>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) moving: Moving,
    /// Leaves that decided what was recorded, with what they held.
    pub(crate) fixed: Vec<(Leaf, u32)>,
    pub(crate) outputs: Vec<Bound>,
    /// Nodes it stands in for.
    pub(crate) nodes: usize,
    /// Of the runs that its nodes answer.
    pub(crate) bytes: u64,
    pub(crate) verified: bool,
}

impl Recording {
    pub(crate) fn answers(&self, moved: &BTreeSet<InputId>, leaves: &LeafValues) -> Verdict {
        let held = |(leaf, bits): &(Leaf, u32)| leaves.get(*leaf) == Some(*bits);
        match moved.is_subset(&self.moving.inputs) && self.fixed.iter().all(held) {
            true if self.verified => Verdict::Replay,
            true => Verdict::Verify,
            false => Verdict::No,
        }
    }

    /// The followed inputs that decided something: a recording can't follow them.
    pub(crate) fn deciding_inputs(&self) -> impl Iterator<Item = InputId> {
        self.fixed.iter().filter_map(|(leaf, _)| match leaf {
            Leaf::Input(id, _) if self.moving.input(*id) => Some(*id),
            _ => None,
        })
    }

    /// Refuses, as the cook would, numbers that a check of the graph does not hold for.
    pub(crate) fn check_guards(&self, leaves: &LeafValues) -> Result<()> {
        for guard in &self.guards {
            let held = guard.origin.evaluate(&|leaf| leaves.get(leaf))?;
            if held.iter().all(|bits| *bits == 0) {
                return Err(Error::Check {
                    site: guard.site.into(),
                    message: guard.message.to_string(),
                });
            }
        }
        Ok(())
    }

    /// The outputs for what the leaves hold: runs are written by the lists, numbers are worked out here.
    pub(crate) fn outputs_for(&self, leaves: &LeafValues) -> Result<Vec<Bound>> {
        self.outputs.iter().map(|bound| refreshed(bound, leaves)).collect()
    }
}

/// A value for what the leaves hold.
pub(crate) fn refreshed(bound: &Bound, leaves: &LeafValues) -> Result<Bound> {
    Ok(match bound.moving {
        true => Bound {
            value: bound.value.refreshed(&|leaf| leaves.get(leaf))?,
            ..bound.clone()
        },
        false => bound.clone(),
    })
}

/// Reads of what a replay gave and of what a cook of the same numbers gave.
#[derive(Debug)]
pub(crate) struct Comparison {
    pairs: Vec<[Arriving; 2]>,
    equal: bool,
}

impl Comparison {
    /// Asks for both sides; they land as the device is driven. Of the outputs that the replay writes: what decided the
    /// recording may move no longer in the cook, which then answers for a whole output from what stands.
    pub(crate) fn new(replayed: &[Bound], cooked: &[Bound]) -> Result<Comparison> {
        let mut compared = Comparison {
            pairs: Vec::new(),
            equal: replayed.len() == cooked.len(),
        };
        for (replayed, cooked) in replayed.iter().zip(cooked).filter(|(replayed, _)| replayed.moving) {
            compared.equal &= numbers(&replayed.value) == numbers(&cooked.value);
            let (replayed, cooked) = (columns(&replayed.value), columns(&cooked.value));
            compared.equal &= replayed.len() == cooked.len();
            for (a, b) in replayed.iter().zip(&cooked) {
                compared.pairs.push([Arriving::ask(a)?, Arriving::ask(b)?]);
            }
        }
        Ok(compared)
    }

    /// Whether both gave the same words, once every read has landed.
    pub(crate) fn answer(&mut self) -> Result<Option<bool>> {
        while let Some([replayed, cooked]) = self.pairs.last_mut() {
            if !(replayed.landed()? && cooked.landed()?) {
                return Ok(None);
            }
            self.equal &= replayed.words().is_some() && replayed.words() == cooked.words();
            self.pairs.pop();
        }
        Ok(Some(self.equal))
    }
}

/// Every number outside runs, so that a comparison sees those too.
fn numbers(value: &Value) -> Vec<u32> {
    let mut all = Vec::new();
    value.each_number(&mut |bits| all.push(bits));
    all
}

fn columns(value: &Value) -> Vec<Column> {
    let mut all = Vec::new();
    value.each_column(&mut |column| all.push(column.clone()));
    all
}
