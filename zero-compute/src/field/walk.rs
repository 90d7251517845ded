//! A walk: a field of a state, taken step after step by each walker on its own.

use super::Isa;
use super::key;
use super::kind::Kind;
use super::op::wrong_kind;
use super::program::{Cost, Inputs, LeafUse, MAX_COST, Mode, NumberUse, Program};
use super::reference::clean_zero;
use super::tape::{Node, Reg, Tape};
use super::vm::{BLOCK, Scratch};
use super::walker::Walker;
use crate::column::Element;
use crate::error::{Error, Result};

/// The most floats of a walker's state.
pub const MAX_STATE: u32 = 8;

/// A compiled step of a walk, with what ends it.
///
/// A walker has a state of 1 to 8 floats. Before each step `done`, where there is one, is computed of its state; where it
/// is not 0 the walker stands still from then on. Else the step's values are its next state. Both read the state by
/// [`Tape::walk_state`], the number of the step by [`Tape::walk_step`], the walker's number by [`Tape::id`], and columns
/// and numbers as any field does: [`Tape::leaf`] is one value a walker, [`Tape::gather`] any. A zero of either sign enters
/// a state as 0.
///
/// ```
/// use zero_compute::field::{Binary, Kind, Mode, Tape, Walk};
/// use zero_compute::{CpuOptions, Device, WalkOptions};
/// use std::sync::Arc;
///
/// // Doubles, and stops at 10 or more.
/// let mut tape = Tape::new();
/// let (state, ten) = (tape.walk_state(0), tape.const_f32(10.0));
/// let next = tape.binary(Binary::Add, state, state)?;
/// let done = tape.binary(Binary::Ge, state, ten)?;
/// let walk = Arc::new(Walk::compile(&tape, &[next], Some(done), Mode::Exact)?);
///
/// let device = Device::cpu(CpuOptions::default());
/// let start = device.upload(&[1.0f32, 50.0], 1)?;
/// let mut rec = device.record("double");
/// let walked = rec.walk(&walk, &start, &[], &[], WalkOptions { steps: 6, path_lanes: 1 })?;
/// rec.finish()?.submit()?;
/// assert_eq!(walked.last.read::<f32>()?.wait()?, [16.0, 50.0]);
/// assert_eq!(walked.taken.read::<u32>()?.wait()?, [4, 0]);
/// let path = walked.path.read::<f32>()?.wait()?;
/// assert_eq!(path[..7], [1.0, 2.0, 4.0, 8.0, 16.0, 16.0, 16.0]);
/// # Ok::<(), zero_compute::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    /// A root for each lane of the state, and one more for `done`.
    program: Program,
    width: u32,
    key: u128,
}

/// What the CPU evaluators write of some walkers, all interleaved.
#[derive(Debug)]
pub struct WalkOut<'a> {
    /// The last state of each walker, [`Walk::width`] words a walker.
    pub last: &'a mut [u32],
    /// The steps that each walker took.
    pub taken: &'a mut [u32],
    /// `steps + 1` places a walker, each the first `path_lanes` lanes of its state.
    pub path: &'a mut [u32],
    /// Lanes of the state that the path holds.
    pub path_lanes: u32,
}

impl Walk {
    /// Compiles a step: `step` holds the next state, a float a lane, and `done` (a float or a Bool) ends a walker's walk
    /// where it is not 0.
    ///
    /// # Errors
    /// Those of [`Program::compile`]; [`Error::Invalid`] for a state of no lanes or more than [`MAX_STATE`], or where a
    /// lane is read that the state does not have; [`Error::WrongKind`] where a lane is no float, or `done` neither a float
    /// nor a Bool.
    pub fn compile(tape: &Tape, step: &[Reg], done: Option<Reg>, mode: Mode) -> Result<Walk> {
        let width = u32::try_from(step.len()).unwrap_or(u32::MAX);
        if !(1..=MAX_STATE).contains(&width) {
            return Err(Error::Invalid {
                what: "the state of a walk".to_owned(),
                expected: format!("1 to {MAX_STATE} floats"),
                found: format!("{width} lanes"),
            });
        }
        if let Some(lane) = step.iter().find(|lane| lane.kind != Kind::F32) {
            return Err(wrong_kind("walk", "a state of floats", &[lane.kind]));
        }
        if let Some(done) = done.filter(|done| !matches!(done.kind, Kind::F32 | Kind::Bool)) {
            return Err(wrong_kind("walk", "a float or a bool that ends it", &[done.kind]));
        }
        let roots: Vec<Reg> = step.iter().copied().chain(done).collect();
        let program = Program::compile_roots(tape, &roots, Element::F32, mode, MAX_COST)?;
        let read = program.lines().iter().filter_map(|line| match line.node {
            Node::State { lane } => Some(lane),
            _ => None,
        });
        if let Some(lane) = read.max().filter(|lane| *lane >= width) {
            return Err(Error::Invalid {
                what: "a lane of a walk's state".to_owned(),
                expected: format!("one below {width}"),
                found: lane.to_string(),
            });
        }
        let key = key::walk(program.key(), width, done.is_some());
        Ok(Walk { program, width, key })
    }

    /// Lanes of the state.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Whether a walker may stop before the last step.
    pub fn can_stop(&self) -> bool {
        self.program.lanes() > self.width
    }

    /// The columns it reads, by ascending slot.
    pub fn leaves(&self) -> &[LeafUse] {
        self.program.leaves()
    }

    /// The numbers it reads, by ascending slot.
    pub fn numbers(&self) -> &[NumberUse] {
        self.program.numbers()
    }

    /// The mode it was compiled for.
    pub fn mode(&self) -> Mode {
        self.program.mode()
    }

    /// What one step of one walker costs.
    pub fn cost(&self) -> Cost {
        self.program.cost()
    }

    /// A stable 128-bit hash of what it computes, as [`Program::key`].
    pub fn key(&self) -> u128 {
        self.key
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// Walks one walker the plain way. This is what the other evaluators are held to; it allocates and is slow. Answers
    /// the steps taken; `state` holds the first state and then the last, and `visit` sees it after each step.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `inputs` or `state` are not of this walk's shape.
    pub fn reference(
        &self,
        inputs: &Inputs<'_>,
        walker: u32,
        state: &mut [u32],
        steps: u32,
        mut visit: impl FnMut(&[u32]),
    ) -> Result<u32> {
        self.program.check_inputs(inputs)?;
        let width = self.width as usize;
        self.program
            .check_words("the state of one walker", state.len(), width)?;
        for lane in state.iter_mut() {
            *lane = clean_zero(Kind::F32, *lane);
        }
        for step in 0..steps {
            let answers = self.program.answers(inputs, walker, step, state);
            let (next, done) = answers.split_at(width.min(answers.len()));
            if done.iter().any(|done| *done != 0) {
                return Ok(step);
            }
            state.copy_from_slice(next);
            visit(state);
        }
        Ok(steps)
    }

    /// Walks the walkers `first..`, one for each word of `out.taken`, on the calling thread. `start` holds their first
    /// states, interleaved. `check` is asked now and then whether to go on.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `inputs`, `start` or `out` are not of this walk's shape; those of `check`.
    #[expect(clippy::too_many_arguments, reason = "what a field takes, and what a walk adds")]
    pub fn run(
        &self,
        inputs: &Inputs<'_>,
        first: u32,
        start: &[u32],
        steps: u32,
        out: &mut WalkOut<'_>,
        isa: Isa,
        scratch: &mut Scratch,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<()> {
        self.program.check_inputs(inputs)?;
        let (width, walkers) = (self.width as usize, out.taken.len());
        let path_lanes = out.path_lanes.min(self.width) as usize;
        let places = steps as usize + 1;
        let sizes = [
            ("the first states of a walk", start.len(), walkers * width),
            ("the last states of a walk", out.last.len(), walkers * width),
            ("the path of a walk", out.path.len(), walkers * places * path_lanes),
        ];
        for (what, found, expected) in sizes {
            self.program.check_words(what, found, expected)?;
        }
        let mut path = &mut *out.path;
        let blocks = start.chunks(BLOCK * width).zip(out.last.chunks_mut(BLOCK * width));
        for ((at, taken), (start, last)) in (0u32..).zip(out.taken.chunks_mut(BLOCK)).zip(blocks) {
            let (own, rest) = path.split_at_mut((taken.len() * places * path_lanes).min(path.len()));
            path = rest;
            let mut walker = Walker::new(
                &self.program,
                inputs,
                first.wrapping_add(at * BLOCK as u32),
                width,
                start,
                isa,
            );
            taken.fill(0);
            let mut record = Path {
                words: own,
                places,
                lanes: path_lanes,
            };
            record.at_start(&walker, taken.len());
            for step in 0..steps {
                if step % 128 == 0 {
                    check()?;
                }
                walker.step(step, scratch);
                let mut walking = false;
                for (i, taken) in taken.iter_mut().enumerate().filter(|(_, taken)| **taken == step) {
                    if walker.advance(i) {
                        (*taken, walking) = (step + 1, true);
                        record.place(&walker, i, step as usize + 1);
                    }
                }
                if !walking {
                    break;
                }
            }
            record.at_end(taken);
            walker.states(last);
        }
        Ok(())
    }
}

/// The path of the walkers of a block.
struct Path<'a> {
    words: &'a mut [u32],
    places: usize,
    lanes: usize,
}

impl Path<'_> {
    fn place(&mut self, walker: &Walker<'_>, i: usize, place: usize) {
        let at = (i * self.places + place) * self.lanes;
        for (lane, word) in self.words.iter_mut().skip(at).take(self.lanes).enumerate() {
            *word = walker.lane(i, lane);
        }
    }

    fn at_start(&mut self, walker: &Walker<'_>, walkers: usize) {
        if self.lanes > 0 {
            (0..walkers).for_each(|i| self.place(walker, i, 0));
        }
    }

    /// Past a walker's last step its last state stands.
    fn at_end(&mut self, taken: &[u32]) {
        if self.lanes == 0 {
            return;
        }
        let paths = self.words.chunks_exact_mut(self.places * self.lanes);
        for (path, &taken) in paths.zip(taken) {
            let last = taken as usize * self.lanes;
            for at in last + self.lanes..path.len() {
                path[at] = path[at - self.lanes];
            }
        }
    }
}
