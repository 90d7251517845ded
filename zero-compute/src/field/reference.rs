//! The scalar reference: one element, line after line.

use super::kind::Kind;
use super::program::{Inputs, LeafView, Program};
use super::scalar;
use super::tape::{Line, Node, Reg};
use super::vm::Place;
use crate::error::Result;

/// What is written of a value: devices differ in which sign a zero has, so every zero is written as 0.
pub(super) fn clean_zero(kind: Kind, bits: u32) -> u32 {
    if kind == Kind::F32 && bits == NEGATIVE_ZERO {
        0
    } else {
        bits
    }
}

pub(super) const NEGATIVE_ZERO: u32 = 0x8000_0000;

impl Program {
    /// Computes one element the plain way, a word a root. This is what the other evaluators are held to; it allocates
    /// and is slow.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] where `inputs` or `out` are not of this program's shape.
    pub fn reference(&self, inputs: &Inputs<'_>, element: u32, out: &mut [u32]) -> Result<()> {
        self.check_inputs(inputs)?;
        self.check_words("the output of one element", out.len(), self.roots().len())?;
        let place = Place {
            first: element,
            step: 0,
            state: &[],
            starts: &[],
        };
        out.copy_from_slice(&self.answers_at(inputs, &place));
        Ok(())
    }

    /// The roots of one walker's step.
    pub(super) fn answers(&self, inputs: &Inputs<'_>, walker: u32, step: u32, state: &[u32]) -> Vec<u32> {
        let place = Place {
            first: walker,
            step,
            state,
            starts: &[],
        };
        self.answers_at(inputs, &place)
    }

    fn answers_at(&self, inputs: &Inputs<'_>, place: &Place<'_>) -> Vec<u32> {
        let values = self.values(inputs, place);
        let roots = self.roots().iter();
        roots
            .map(|root| clean_zero(root.kind, values[root.index as usize]))
            .collect()
    }

    /// Every intermediate of one element, in the order of the program's lines.
    fn values(&self, inputs: &Inputs<'_>, place: &Place<'_>) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::with_capacity(self.lines().len());
        for line in self.lines() {
            let value = evaluate(line, place, inputs, |reg| values[reg.index as usize]);
            values.push(value);
        }
        values
    }
}

/// The value of one line at the first element of a place.
fn evaluate(line: &Line, place: &Place<'_>, inputs: &Inputs<'_>, of: impl Fn(Reg) -> u32) -> u32 {
    let leaf = |slot: u32| inputs.leaves[slot as usize];
    match line.node {
        Node::Const { bits } => bits,
        Node::Id => place.first,
        Node::State { lane } => place.state.get(lane as usize).copied().unwrap_or_default(),
        Node::Step => place.step,
        Node::Number { slot } => inputs.numbers[slot as usize],
        Node::Leaf { slot, lane } => leaf(slot).at(u64::from(place.first), lane),
        Node::Gather { slot, lane, index } => {
            let at = of(index);
            let negative = index.kind == super::Kind::I32 && at.cast_signed() < 0;
            leaf(slot).at(if negative { 0 } else { u64::from(at) }, lane)
        }
        Node::Unary { op, a } => scalar::unary(op, a.kind, of(a)),
        Node::Binary { op, a, b } => scalar::binary(op, a.kind, of(a), of(b)),
        Node::Select { cond, a, b } => scalar::select(of(cond), of(a), of(b)),
        Node::Call { prelude, args } => scalar::call(prelude, args.map(of)),
    }
}

/// The values of the lines that are the same at every element. `uniform` names them, operands before their users;
/// `values` holds a word for every line of the program, of which only theirs are written.
pub(super) fn fill_uniform(
    program: &Program,
    uniform: &[u32],
    inputs: &Inputs<'_>,
    place: &Place<'_>,
    values: &mut [u32],
) {
    for &index in uniform {
        let line = &program.lines()[index as usize];
        values[index as usize] = evaluate(line, place, inputs, |reg| values[reg.index as usize]);
    }
}

impl LeafView<'_> {
    /// The word of `lane` at `element`, by the rules of a leaf.
    pub(super) fn at(&self, element: u64, lane: u32) -> u32 {
        let Some(last) = self.elements().checked_sub(1) else {
            return 0;
        };
        if lane >= self.lanes {
            return 0;
        }
        let at = (last as u64).min(element) as usize;
        self.words[at * self.lanes as usize + lane as usize]
    }
}
