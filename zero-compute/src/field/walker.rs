//! The walkers of a block, as the block machine takes them from step to step.

use super::Isa;
use super::Kind;
use super::program::{Inputs, Program};
use super::reference::clean_zero;
use super::vm::{Place, Scratch};

/// Up to a block of walkers between two steps.
pub(super) struct Walker<'a> {
    program: &'a Program,
    inputs: &'a Inputs<'a>,
    first: u32,
    isa: Isa,
    count: usize,
    width: usize,
    /// Lane after lane, a word a walker, so that the machine reads a lane where it lies.
    state: Vec<u32>,
    /// What the last step computed, interleaved: the next state, and what ends the walk.
    answers: Vec<u32>,
}

impl<'a> Walker<'a> {
    /// Walkers from number `first` on, with their states interleaved.
    pub(super) fn new(
        program: &'a Program,
        inputs: &'a Inputs<'a>,
        first: u32,
        width: usize,
        start: &[u32],
        isa: Isa,
    ) -> Walker<'a> {
        let count = start.len() / width.max(1);
        let lanes = (0..width).flat_map(|lane| start.iter().skip(lane).step_by(width));
        Walker {
            program,
            inputs,
            first,
            isa,
            count,
            width,
            state: lanes.map(|&word| clean_zero(Kind::F32, word)).collect(),
            answers: vec![0; count * program.lanes() as usize],
        }
    }

    /// Computes a step of all of them, and changes none.
    pub(super) fn step(&mut self, step: u32, scratch: &mut Scratch) {
        let place = Place {
            first: self.first,
            step,
            state: &self.state,
            starts: &[],
        };
        self.program
            .run_blocks(self.inputs, &place, &mut self.answers, self.isa, scratch);
    }

    /// Takes the computed step with one walker. Answers whether it did; one that has ended does not.
    pub(super) fn advance(&mut self, i: usize) -> bool {
        let lanes = self.program.lanes() as usize;
        let answers = self.answers.get(i * lanes..(i + 1) * lanes).unwrap_or_default();
        let (next, done) = answers.split_at(self.width.min(answers.len()));
        if done.iter().any(|done| *done != 0) {
            return false;
        }
        for (lane, &word) in next.iter().enumerate() {
            self.state[lane * self.count + i] = word;
        }
        true
    }

    /// A lane of a walker's state.
    pub(super) fn lane(&self, i: usize, lane: usize) -> u32 {
        self.state[lane * self.count + i]
    }

    /// Writes the states, interleaved.
    pub(super) fn states(&self, to: &mut [u32]) {
        for (i, words) in to.chunks_exact_mut(self.width.max(1)).enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                *word = self.lane(i, lane);
            }
        }
    }
}
