//! A body being cooked: the keys of its nodes, then what its results need, then the nodes in order.
//!
//! A pick, a list and the like make nothing: they stand for what others make, and what that is shows when they are
//! settled. What stands on one has no key before. So they are settled first, in rounds, each round those that nothing
//! unsettled lies beneath; an alternative that is not taken is never looked at.

use super::session::{CookedNode, Frame, Meter, Session, constant};
use super::step::Solvers;
use crate::error::{Error, Result};
use crate::graph::wire::{Type, Wire};
use crate::plan::{Body, FlatNode, FlatOp, FlatRef};
use crate::value::{Bound, Key, KeyHasher, Number, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Passes of one fold or each; a count above it is refused, since each pass cooks nodes of its own.
pub(super) const MAX_PASSES: i32 = 1 << 16;

/// How far the cook of a body has come.
struct Progress<'b> {
    body: &'b Body,
    frame: &'b Frame,
    /// The key of each node and whether it moves: whether anything it stands on is written by a recorded list. Nothing
    /// while something beneath is not settled.
    keys: Vec<Option<(Key, bool)>>,
    values: Vec<Option<Arc<[Value]>>>,
    /// Whether what is held was asked for the node.
    asked: Vec<bool>,
    settled: HashMap<u32, Settled>,
    /// The results that a disk cache answers for, and those that it was asked for.
    kept: HashMap<usize, Bound>,
    asked_disk: HashSet<usize>,
}

/// What a node that makes nothing stands for.
enum Settled {
    /// Its inputs from this place on.
    Inputs(usize),
    /// These values.
    Values(Vec<Bound>),
}

impl<'b> Progress<'b> {
    fn new(body: &'b Body, frame: &'b Frame) -> Progress<'b> {
        let count = body.nodes.len();
        Progress {
            body,
            frame,
            keys: vec![None; count],
            values: vec![None; count],
            asked: vec![false; count],
            settled: HashMap::new(),
            kept: HashMap::new(),
            asked_disk: HashSet::new(),
        }
    }

    fn node(&self, place: u32) -> &'b FlatNode {
        &self.body.nodes[place as usize]
    }

    /// The reference behind settled choices.
    fn resolve(&self, reference: FlatRef) -> FlatRef {
        let mut at = reference;
        while let FlatRef::Node(place, output) = at
            && let Some(Settled::Inputs(first)) = self.settled.get(&place)
        {
            match self.node(place).inputs.get(first + usize::from(output)) {
                Some(behind) => at = *behind,
                None => break,
            }
        }
        at
    }

    /// The key behind a reference to a node of the body; nothing where something beneath is not settled.
    fn key(&self, place: u32, output: u16) -> Option<(Key, bool)> {
        match self.settled.get(&place) {
            Some(Settled::Values(values)) => {
                let bound = values.get(usize::from(output))?;
                Some((bound.key, bound.moving))
            }
            _ => self.keys[place as usize].map(|(key, moving)| (key.output(output), moving)),
        }
    }

    /// The results that nothing has answered for.
    fn missing(&self) -> Vec<FlatRef> {
        let results = self.body.results.iter().enumerate();
        let missing = results.filter(|(index, _)| !self.kept.contains_key(index));
        missing.map(|(_, reference)| *reference).collect()
    }

    fn keyed(&self, reference: FlatRef) -> bool {
        match self.resolve(reference) {
            FlatRef::Node(place, output) => self.key(place, output).is_some(),
            _ => true,
        }
    }
}

/// What a node needs before it can be cooked or settled: of a pick the choice alone.
fn demands(node: &FlatNode) -> &[FlatRef] {
    match node.op {
        FlatOp::Pick { .. } => node.inputs.get(..1).unwrap_or_default(),
        _ => &node.inputs,
    }
}

impl Session<'_> {
    /// Cooks what the references of a body need, and answers them in order; nothing where the budget ran out first, and
    /// then what was made by then is among `filed`.
    pub(crate) fn run(
        &mut self,
        body: &Body,
        frame: &Frame,
        solvers: Option<&mut Solvers>,
    ) -> Result<Option<Vec<Bound>>> {
        let mut solvers = solvers;
        let mut at = Progress::new(body, frame);
        let top = solvers.is_some();
        if top {
            self.check_memo()?;
            self.memo.begin(self.plan, &mut at.keys);
        }
        let needed = loop {
            self.keys(&mut at, solvers.as_deref())?;
            if top {
                self.look_on_disk(&mut at);
            }
            let missing = at.missing();
            let (needed, open) = self.needed(&mut at, &missing, true);
            if open.is_empty() {
                break needed;
            }
            let on_settled = |place: &u32| demands(at.node(*place)).iter().all(|reference| at.keyed(*reference));
            let ready: Vec<u32> = open.into_iter().filter(on_settled).collect();
            if ready.is_empty() {
                return Err(Error::Refused("a choice stands on itself".to_owned()));
            }
            let beneath: Vec<FlatRef> = ready
                .iter()
                .flat_map(|place| demands(at.node(*place)).iter().copied())
                .collect();
            let (beneath, _) = self.needed(&mut at, &beneath, false);
            if !self.make(&mut at, &beneath, solvers.as_deref_mut())? {
                return Ok(None);
            }
            for place in ready {
                let node = at.node(place);
                let settled = self.settle(&at, node).map_err(|error| self.located(node.node, error))?;
                let Some(settled) = settled else { return Ok(None) };
                at.settled.insert(place, settled);
            }
        };
        if !self.make(&mut at, &needed, solvers)? {
            return Ok(None);
        }
        let mut results = Vec::with_capacity(body.results.len());
        for (index, reference) in body.results.iter().enumerate() {
            results.push(match at.kept.remove(&index) {
                Some(bound) => bound,
                None => self.bound(&at, *reference)?,
            });
        }
        if top {
            self.memo.keep(self.plan, at.keys);
        }
        Ok(Some(results))
    }

    /// Takes the results that a disk cache holds, as soon as their keys are known. One that moves is not looked for: a
    /// recording writes it.
    fn look_on_disk(&mut self, at: &mut Progress<'_>) {
        if self.store.disk().is_none() {
            return;
        }
        for (index, reference) in at.body.results.iter().enumerate() {
            let FlatRef::Node(place, output) = at.resolve(*reference) else {
                continue;
            };
            let Some((node, moving)) = at.keys[place as usize] else {
                continue;
            };
            if !self.plan.built.outputs[index].cached || !at.asked_disk.insert(index) {
                continue;
            }
            if !moving && self.held(node).is_none() {
                let kept = self.kept_output(index, place, node.output(output));
                at.kept.extend(kept.map(|bound| (index, bound)));
            }
        }
    }

    /// The keys of the nodes that nothing unsettled lies beneath.
    fn keys(&mut self, at: &mut Progress<'_>, solvers: Option<&Solvers>) -> Result<()> {
        'nodes: for (place, node) in at.body.nodes.iter().enumerate() {
            if at.keys[place].is_some() || node.op.stands_in() {
                continue;
            }
            // Of the graph itself: what a node asks and what the graph is given say it all, unless a step lies beneath.
            let work = solvers
                .and_then(|_| self.plan.work_of(place as u32))
                .filter(|_| !self.plan.follows_step(place));
            if let Some(held) = work.and_then(|work| self.memo.get(work)) {
                at.keys[place] = Some(held);
                continue;
            }
            let mut hasher = KeyHasher::new("node");
            hasher.key(node.key).key(self.leaves.device);
            let mut moving = self.reads_moving(&node.op);
            for reference in &node.inputs {
                let (key, moves) = match at.resolve(*reference) {
                    FlatRef::Node(from, output) => match at.key(from, output) {
                        Some(key) => key,
                        None => continue 'nodes,
                    },
                    other => {
                        let bound = self.outside(other, at.frame)?;
                        (bound.key, bound.moving)
                    }
                };
                hasher.key(key);
                moving |= moves;
            }
            if let FlatOp::Fold { .. } = &node.op {
                for body in node.op.bodies() {
                    self.digest_reads(&mut hasher, body)?;
                }
            }
            if let (FlatOp::Step(_), Some(solvers)) = (&node.op, solvers) {
                // What a step has reached moves with every step, whatever it stands on.
                moving = true;
                hasher.u64(solvers.taken(place as u32));
            }
            let key = (hasher.finish(), moving);
            if let Some(work) = work {
                self.memo.insert(work, key);
            }
            at.keys[place] = Some(key);
        }
        Ok(())
    }

    /// How many nodes of a body stand on nothing that moves.
    pub(super) fn still_nodes(&self, body: &Body, frame: &Frame) -> Result<u64> {
        let mut moves: Vec<bool> = Vec::with_capacity(body.nodes.len());
        for node in &body.nodes {
            let mut moving = self.reads_moving(&node.op);
            for reference in &node.inputs {
                moving |= match reference {
                    FlatRef::Node(from, _) => moves.get(*from as usize).copied().unwrap_or(true),
                    other => self.outside(*other, frame)?.moving,
                };
            }
            moves.push(moving);
        }
        Ok(moves.iter().filter(|moving| !**moving).count() as u64)
    }

    /// Takes in what the nodes of a body read of the graph's inputs and clock themselves.
    fn digest_reads(&self, hasher: &mut KeyHasher, body: &Body) -> Result<()> {
        for reference in body.nodes.iter().flat_map(|node| &node.inputs).chain(&body.results) {
            if let FlatRef::Input(_) | FlatRef::Clock(_) = reference {
                hasher.key(self.outside(*reference, &Frame::default())?.key);
            }
        }
        for node in &body.nodes {
            for body in node.op.bodies() {
                self.digest_reads(hasher, body)?;
            }
        }
        Ok(())
    }

    /// Whether the bodies of a node read something that moves. A step moves by itself.
    fn reads_moving(&self, op: &FlatOp) -> bool {
        let moves = |reference: &FlatRef| match reference {
            FlatRef::Input(id) => self.moving.input(*id),
            FlatRef::Clock(field) => self.moving.clock(*field),
            _ => false,
        };
        let body_moves = |body: &Arc<Body>| {
            let within = |node: &Arc<FlatNode>| node.inputs.iter().any(moves) || self.reads_moving(&node.op);
            body.nodes.iter().any(within) || body.results.iter().any(moves)
        };
        !matches!(op, FlatOp::Step(_)) && op.bodies().any(body_moves)
    }

    /// Which nodes the roots need, and those among them that are not settled. The values of those that something held
    /// answers for are taken out here, so that nothing another play lets go of meanwhile is missed.
    fn needed(&self, at: &mut Progress<'_>, roots: &[FlatRef], checks: bool) -> (Vec<bool>, Vec<u32>) {
        let mut needed = vec![false; at.body.nodes.len()];
        let mut open = Vec::new();
        let mark = |at: &Progress<'_>, reference: FlatRef, needed: &mut Vec<bool>| {
            if let FlatRef::Node(place, _) = at.resolve(reference)
                && !at.settled.contains_key(&place)
            {
                needed[place as usize] = true;
            }
        };
        roots.iter().for_each(|reference| mark(at, *reference, &mut needed));
        if checks {
            at.body.checks.iter().for_each(|place| needed[*place as usize] = true);
        }
        for (place, node) in at.body.nodes.iter().enumerate().rev() {
            if !needed[place] {
                continue;
            }
            if node.op.stands_in() {
                open.push(place as u32);
            } else if let Some((key, moving)) = at.keys[place]
                && !at.asked[place]
            {
                at.asked[place] = true;
                if !moving && at.values[place].is_none() {
                    at.values[place] = self.held(key);
                }
            }
            if at.values[place].is_none() {
                demands(node)
                    .iter()
                    .for_each(|reference| mark(at, *reference, &mut needed));
            }
        }
        (needed, open)
    }

    /// Cooks the nodes that are needed, in order; whether the budget sufficed.
    fn make(&mut self, at: &mut Progress<'_>, needed: &[bool], solvers: Option<&mut Solvers>) -> Result<bool> {
        let mut solvers = solvers;
        let top = solvers.is_some();
        let missing =
            |place: &usize| needed[*place] && at.values[*place].is_none() && !at.body.nodes[*place].op.stands_in();
        let missing: Vec<usize> = (0..at.body.nodes.len()).filter(missing).collect();
        // What stands goes first: it reads nothing that moves, and can be cut by the budget, which a recording can't.
        let moves = |place: &usize| at.keys[*place].is_some_and(|(_, moving)| moving);
        let (moving, still): (Vec<usize>, Vec<usize>) = missing.into_iter().partition(moves);
        for place in still.into_iter().chain(moving) {
            let node = &at.body.nodes[place];
            let Some((key, moving)) = at.keys[place] else {
                return Err(Error::Refused(format!("node {place} of the plan has no key")));
            };
            // An equal node of this body may have answered meanwhile.
            if !moving && let Some(held) = self.filed.get(&key) {
                at.values[place] = Some(held.clone());
                continue;
            }
            self.exec.checkpoint()?;
            if moving {
                // A list is recorded whole, and a step that has moved on is not taken back.
                self.deadline_ms = None;
            }
            if self.is_over() {
                return Ok(false);
            }
            let inputs: Vec<Bound> = node
                .inputs
                .iter()
                .map(|reference| self.bound(at, *reference))
                .collect::<Result<_>>()?;
            let read = inputs.clone();
            let meter = Meter::start(self);
            let made = self.cook(node, place as u32, inputs, moving, solvers.as_deref_mut());
            let Some(made) = made.map_err(|error| self.located(node.node, error))? else {
                return Ok(false);
            };
            let made: Arc<[Value]> = made.into();
            let cost = meter.stop(self, &read, &made)?;
            self.cooked.push(CookedNode {
                node: node.node,
                place: top.then_some(place as u32),
                moving,
                cost,
            });
            if moving {
                let runs = &mut self.moving_runs;
                made.iter().for_each(|value| {
                    value.each_column(&mut |column| {
                        runs.insert(column.id(), column.bytes());
                    });
                });
            } else {
                self.filed.insert(key, made.clone());
            }
            at.values[place] = Some(made);
        }
        Ok(true)
    }

    pub(super) fn held(&self, key: Key) -> Option<Arc<[Value]>> {
        self.filed.get(&key).cloned().or_else(|| self.store.get(key))
    }

    fn bound(&self, at: &Progress<'_>, reference: FlatRef) -> Result<Bound> {
        let FlatRef::Node(place, output) = at.resolve(reference) else {
            return self.outside(at.resolve(reference), at.frame);
        };
        let missing = || Error::Refused(format!("output {output} of node {place} of the plan was not made"));
        if let Some(Settled::Values(values)) = at.settled.get(&place) {
            return values.get(usize::from(output)).cloned().ok_or_else(missing);
        }
        let (key, moving) = at.keys[place as usize].ok_or_else(missing)?;
        let values = at.values[place as usize].as_ref();
        let value = values.and_then(|values| values.get(usize::from(output)));
        Ok(Bound {
            key: key.output(output),
            entry: (!moving).then_some(key),
            value: value.ok_or_else(missing)?.clone(),
            moving,
        })
    }

    /// What a node that makes nothing stands for, now that what it demands is made; nothing where the budget ran out.
    fn settle(&mut self, at: &Progress<'_>, node: &FlatNode) -> Result<Option<Settled>> {
        let mut inputs: Vec<Bound> = demands(node)
            .iter()
            .map(|reference| self.bound(at, *reference))
            .collect::<Result<_>>()?;
        match &node.op {
            FlatOp::Pick { outputs } => {
                let of = (node.inputs.len() - 1).checked_div(*outputs).unwrap_or(0);
                let taken = self.place("the choice", inputs.first(), of)?;
                Ok(Some(Settled::Inputs(1 + taken * outputs)))
            }
            FlatOp::List { fields } => Ok(Some(Settled::Values(vec![Bound::list(*fields, inputs)]))),
            FlatOp::Item => {
                let list = match inputs.first() {
                    Some(bound) => bound.value.list()?.clone(),
                    None => return Err(Error::Refused("an item of no list".to_owned())),
                };
                let place = self.place("the item", inputs.get(1), list.len())?;
                Ok(Some(Settled::Values(list.bounds(place).unwrap_or_default().to_vec())))
            }
            FlatOp::Each { body, carried, fields } => {
                let source = inputs.remove(0);
                let captures = inputs.split_off(*carried);
                let left = self.each(body, *fields, &source, inputs, captures)?;
                Ok(left.map(Settled::Values))
            }
            _ => Err(Error::Refused("a node that is cooked was to be settled".to_owned())),
        }
    }

    /// A place below `of` that one number names: a truth names the first or the second, a whole number counts from 0.
    fn place(&mut self, what: &str, number: Option<&Bound>, of: usize) -> Result<usize> {
        let expected = |found: String| Error::Kind {
            what: what.to_owned(),
            expected: format!("a place from 0 and below {of}"),
            found,
        };
        let Some(bound) = number else {
            return Err(expected("nothing".to_owned()));
        };
        let number = self.decided(bound)?;
        let named = match number.ty() {
            Type::Bool => i32::from(number.bits[0] != 0),
            Type::Int => number.bits[0].cast_signed(),
            other => return Err(expected(format!("a {}", other.name()))),
        };
        usize::try_from(named)
            .ok()
            .filter(|place| *place < of)
            .ok_or_else(|| expected(named.to_string()))
    }

    /// A number that decides what is cooked. A recording made meanwhile holds for this value alone.
    pub(super) fn decided(&mut self, bound: &Bound) -> Result<Number> {
        let number = bound.value.number()?.clone();
        if let Some(origin) = &number.origin {
            self.live.decided.extend(origin.leaves.iter().copied());
        }
        Ok(number)
    }

    /// How many passes a number asks for.
    pub(super) fn passes(&mut self, what: &str, count: &Bound) -> Result<i32> {
        let number = self.decided(count)?;
        let passes = match number.ty() {
            Type::Int => number.bits[0].cast_signed(),
            other => {
                return Err(Error::Refused(format!(
                    "{what}: expected an Int, got a {}",
                    other.name()
                )));
            }
        };
        if passes > MAX_PASSES {
            return Err(Error::Refused(format!(
                "{what}: expected at most {MAX_PASSES} passes, got {passes}"
            )));
        }
        Ok(passes.max(0))
    }

    /// Runs a body for every item, and answers the list of what the passes left and what the last of them carried on.
    /// What a pass stands on is keyed by the item's content, so a pass over an item that was met before cooks nothing.
    fn each(
        &mut self,
        body: &Body,
        fields: usize,
        source: &Bound,
        carried: Vec<Bound>,
        captures: Vec<Bound>,
    ) -> Result<Option<Vec<Bound>>> {
        let list = match &source.value {
            Value::List(list) => Some(list.clone()),
            _ => None,
        };
        let passes = match &list {
            Some(list) if list.len() > MAX_PASSES as usize => {
                let message = format!("list: expected at most {MAX_PASSES} items, got {}", list.len());
                return Err(Error::Refused(message));
            }
            Some(list) => list.len() as i32,
            None => self.passes("count", source)?,
        };
        let mut frame = Frame {
            captures,
            ..Frame::default()
        };
        let mut carried = carried;
        let mut items = Vec::new();
        for pass in 0..passes {
            self.exec.checkpoint()?;
            let item = list.as_ref().and_then(|list| list.bounds(pass as usize));
            frame.fold = item.unwrap_or_default().to_vec();
            frame.fold.append(&mut carried);
            frame.index = Some(constant(Wire::Int(pass + 1))?);
            let Some(mut left) = self.run(body, &frame, None)? else {
                return Ok(None);
            };
            carried = left.split_off(fields.min(left.len()));
            items.append(&mut left);
        }
        let mut left = vec![Bound::list(fields, items)];
        left.append(&mut carried);
        Ok(Some(left))
    }
}
