//! Recording a walk: one dispatch, however many steps.

use std::sync::Arc;

use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::field::{DIRECT_WALK_LEAVES, Walk};
use crate::kernel::{Access, HEAD_WORDS, WORKGROUP};
use crate::list::{Code, Held};
use crate::map::{check_len, held, input_word};
use crate::record::{Dispatch, MAX_ELEMENTS, Recorder};

/// The most steps of one walk: a longer one may trip a driver's watchdog, and Mesa's software adapter ends the loops of an
/// invocation after 65 535 rounds, all of them together. Walk on from the last states.
pub const MAX_WALK_STEPS: u32 = 32_768;

/// Words of a walk's params in front of its program's: the steps, and the lanes of the path.
pub(crate) const WALK_WORDS: usize = 2;

/// How far a walk goes and what is kept of its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// The most steps that a walker takes, at most [`MAX_WALK_STEPS`].
    pub steps: u32,
    /// Lanes of the state, from the first, that the path holds: 3 where they are a position, 0 for no path.
    pub path_lanes: u32,
}

impl Default for WalkOptions {
    /// 64 steps, and the path of a state whose first three lanes are a position.
    fn default() -> Self {
        Self {
            steps: 64,
            path_lanes: 3,
        }
    }
}

/// What [`Recorder::walk`] answers.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The last state of each walker (`f32`, a lane a float of the state); 0 past the live count.
    pub last: Column,
    /// The steps that each walker took (`u32`); 0 past the live count.
    pub taken: Column,
    /// `steps + 1` places a walker, walker after walker: where it started and where each step brought it (`f32`,
    /// `path_lanes` lanes). Past its last step its last place stands; 0 past the live count of walkers. Empty without a
    /// path.
    pub path: Column,
    /// The dispatch, for the [slots of its numbers](Dispatch::number_slot).
    pub dispatch: Dispatch,
}

impl Recorder {
    /// Records one dispatch that walks a walker from each element of `start` (`f32`, a lane for each float of the state),
    /// as [`Walk`] says. Over a live column `last` and `taken` are live with the same count.
    ///
    /// `leaves` and `numbers` are those of [`Walk::leaves`] and [`Walk::numbers`], as [`map`](Self::map) takes them. On a
    /// GPU each leaf past [`DIRECT_WALK_LEAVES`] costs a copy, a dispatch of its own.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the wrong number of leaves or numbers, or more lanes in the path than in the state;
    /// [`Error::TooMany`] past [`MAX_WALK_STEPS`] or where the path has more than 2^32 - 1 places;
    /// [`Error::WrongShape`] where `start` has other lanes than the state; [`Error::WrongElement`] naming the leaf; and
    /// those of [`dispatch`](Self::dispatch) about sizes and devices.
    pub fn walk(
        &mut self,
        walk: &Arc<Walk>,
        start: &Column,
        leaves: &[Column],
        numbers: &[u32],
        options: WalkOptions,
    ) -> Result<Walked> {
        self.all_or_nothing(|rec| rec.walk_steps(walk, start, leaves, numbers, options))
    }

    fn walk_steps(
        &mut self,
        walk: &Arc<Walk>,
        start: &Column,
        leaves: &[Column],
        numbers: &[u32],
        options: WalkOptions,
    ) -> Result<Walked> {
        check_len("leaves of a walk", leaves.len(), walk.leaves().len())?;
        check_len("numbers of a walk", numbers.len(), walk.numbers().len())?;
        for (leaf, column) in walk.leaves().iter().zip(leaves) {
            self.check_column("walk", &format!("leaf {}", leaf.slot), leaf.element, column)?;
        }
        self.check_column("walk", "start", Element::F32, start)?;
        let (n, places) = check_walk(walk, start, options)?;

        let last = self.output(Element::F32, walk.width(), n, "walk", "last")?;
        let taken = self.output(Element::U32, 1, n, "walk", "taken")?;
        let path = self.output(Element::F32, options.path_lanes.max(1), places, "walk", "path")?;
        let live = start.count_buffer().cloned();
        let walking = [
            held("start", Access::Read, start),
            held("last", Access::Write, &last),
            held("taken", Access::Write, &taken),
            held("path", Access::Write, &path),
        ];
        let mut all: Vec<Held> = leaves.iter().map(|column| held("leaf", Access::Read, column)).collect();
        all.extend(walking);
        let layout = walk.layout().inputs;
        let mut offsets = vec![0; leaves.len()];
        if self.is_gpu() && layout.packed.is_some() && n > 0 {
            let table = self.pack_leaves(leaves, &mut offsets, DIRECT_WALK_LEAVES)?;
            all.push(held("packed", Access::Read, &table));
        }
        let mut params = vec![n, 0, n.div_ceil(WORKGROUP), options.steps, options.path_lanes];
        let words = layout.words.iter();
        params.extend(words.map(|word| input_word(word, leaves, numbers, &offsets)));
        let at = self.push(Code::Walk(walk.clone()), all, n, live, &params);
        let at = at + HEAD_WORDS + WALK_WORDS;
        let slots = walk.numbers().iter().zip(at..);
        let numbers = slots.map(|(number, at)| self.slot(at, number.kind.element())).collect();
        let (last, taken) = match start.live_count() {
            Some(count) => (last.with_live(&count)?, taken.with_live(&count)?),
            None => (last, taken),
        };
        let outputs = vec![("last", last.clone()), ("taken", taken.clone()), ("path", path.clone())];
        let dispatch = Dispatch {
            kernel: "walk".to_owned(),
            outputs,
            slots: Vec::new(),
            numbers,
        };
        Ok(Walked {
            last,
            taken,
            path,
            dispatch,
        })
    }
}

/// Walkers, and places of the path.
fn check_walk(walk: &Walk, start: &Column, options: WalkOptions) -> Result<(u32, u32)> {
    let too_many = |what: &str, found: u64, limit: u32| {
        Err(Error::TooMany {
            what: format!("walk: {what}"),
            found,
            limit: u64::from(limit),
        })
    };
    let n = start.capacity();
    if start.lanes() != walk.width() {
        return Err(Error::WrongShape {
            kernel: "walk".to_owned(),
            binding: "start".to_owned(),
            expected: format!("{} lanes, as the state has", walk.width()),
            found: format!("{n} elements of {} lanes", start.lanes()),
        });
    }
    if options.path_lanes > walk.width() {
        return Err(Error::Invalid {
            what: "lanes of the path of a walk".to_owned(),
            expected: format!("at most {}, as the state has", walk.width()),
            found: options.path_lanes.to_string(),
        });
    }
    if n > MAX_ELEMENTS {
        return too_many("elements of its domain", u64::from(n), MAX_ELEMENTS);
    }
    if options.steps > MAX_WALK_STEPS {
        return too_many("steps", u64::from(options.steps), MAX_WALK_STEPS);
    }
    if options.path_lanes == 0 {
        return Ok((n, 0));
    }
    let words = u64::from(n) * u64::from(options.steps + 1) * u64::from(options.path_lanes);
    if words > u64::from(u32::MAX) {
        return too_many("words of its path", words, u32::MAX);
    }
    Ok((n, n * (options.steps + 1)))
}
