//! Guards: words that a list writes on the device, and that are 0 as long as every count fits its room.
//!
//! A step is recorded for rooms, the capacities of its columns, before anybody knows the counts that the device will
//! find. Kernels write no more than fits and state the true count; a guard compares the two when the list runs, and the
//! caller learns of it later, without waiting.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::args::{Args, Domain};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::kernel::{Cpu, Determinism, Kernel, Param};
use crate::list::CommandList;
use crate::readback::Readback;
use crate::record::Recorder;

/// Guards that one list may hold: their words are a page of the device.
pub const MAX_GUARDS: u32 = 1024;

/// Writes `count` where it is past the room, else 0, to the guard's word.
pub(crate) static GUARD: Kernel = Kernel::declare("guard")
    .read("count", Element::U32)
    .inout("words", Element::U32)
    .param("at", Param::U32(0))
    .param("room", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    if (zero_index(gid, nw) == 0u) { words[params.at] = select(0u, count[0], count[0] > params.room); }
}",
    )
    .cpu(Cpu::Whole(|b, p, _| {
        let count = b.read::<u32>("count")?.first().copied().unwrap_or(0);
        let (at, room) = (p.u32("at")?, p.u32("room")?);
        if let Some(word) = b.write::<u32>("words")?.get_mut(at as usize) {
            *word = if count > room { count } else { 0 };
        }
        Ok(())
    }));

/// The guards of a list: their words on the device, and what each watches.
#[derive(Debug)]
pub(crate) struct Guards {
    words: Column,
    watched: Vec<Watched>,
}

impl Guards {
    pub(crate) fn len(&self) -> usize {
        self.watched.len()
    }

    /// The buffer of their words, which fusion keeps.
    pub(crate) fn buffer(&self) -> u64 {
        self.words.buffer().id
    }

    pub(crate) fn truncate(&mut self, guards: usize) {
        self.watched.truncate(guards);
    }
}

#[derive(Clone, Debug)]
struct Watched {
    name: String,
    room: u32,
}

/// A count that outgrew its room in a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgrown {
    /// The number that [`Recorder::guard`] answered.
    pub guard: u32,
    /// The name it was given.
    pub name: String,
    /// The room that was recorded.
    pub room: u32,
    /// The true count. Where something before it outgrew its own room too, this is the count of what was left.
    pub count: u32,
}

impl Outgrown {
    /// A room for the next recording: four times the old one, or the power of two that holds the count if that is more,
    /// so that a count that grows is recorded for seldom.
    pub fn next_room(&self) -> u32 {
        let holds = self.count.checked_next_power_of_two().unwrap_or(u32::MAX);
        self.room.saturating_mul(4).max(holds)
    }
}

impl Recorder {
    /// Watches a count that the list makes: after a submission [`CommandList::outgrown`] says whether the first word of
    /// `count` was past `room` at this place of the list. `name` is for the caller's messages. Answers the guard's
    /// number, from 0 on.
    ///
    /// Cost: a dispatch of one element; a submission writes a word, and nothing is read back before it is asked for.
    ///
    /// # Errors
    /// [`Error::TooMany`] past [`MAX_GUARDS`], [`Error::WrongElement`] where the count is no `u32`, [`Error::Foreign`] for
    /// one of another device, [`Error::Aliased`] for a guard's own word.
    pub fn guard(&mut self, name: &str, count: &Column, room: u32) -> Result<u32> {
        let guards = match &self.guards {
            Some(guards) => guards,
            None => {
                // Words that no submission has written are refused to who asks for them.
                let words = self.zeros(Element::U32, 1, MAX_GUARDS, GUARD.name(), "words")?;
                self.guards.insert(Guards {
                    words,
                    watched: Vec::new(),
                })
            }
        };
        let (words, at) = (guards.words.clone(), guards.watched.len() as u32);
        if at >= MAX_GUARDS {
            return Err(Error::TooMany {
                what: "guards of one list".to_owned(),
                found: u64::from(at) + 1,
                limit: u64::from(MAX_GUARDS),
            });
        }
        let args = Args::new()
            .with("count", count)
            .with("words", &words)
            .with("at", at)
            .with("room", room);
        self.dispatch(&GUARD, args, Domain::count(1))?;
        if let Some(guards) = &mut self.guards {
            guards.watched.push(Watched {
                name: name.to_owned(),
                room,
            });
        }
        Ok(at)
    }

    /// Watches that a live column's count is within its capacity: [`guard`](Self::guard) with that as the room.
    ///
    /// # Errors
    /// Those of [`guard`](Self::guard), and [`Error::WrongShape`] for a column that is not live.
    pub fn guard_room(&mut self, name: &str, column: &Column) -> Result<u32> {
        let count = column.live_count().ok_or_else(|| Error::WrongShape {
            kernel: GUARD.name().to_owned(),
            binding: name.to_owned(),
            expected: "a live column".to_owned(),
            found: format!("{} elements", column.capacity()),
        })?;
        self.guard(name, &count, column.capacity())
    }
}

impl CommandList {
    /// Guards in it.
    pub fn guards(&self) -> usize {
        self.guard_words().map_or(0, |guards| guards.watched.len())
    }

    /// Asks which counts were past their rooms in the last submission made so far; the answer lands like a read-back,
    /// without anybody waiting, and costs none where the list has no guards. What a submission wrote of which it names
    /// one is not to be presented: it is cut off at a room. Record again for a larger one ([`Outgrown::next_room`]).
    ///
    /// Before the first submission has run nothing is known to have fitted: the answer is then [`Error::Unwritten`].
    ///
    /// # Errors
    /// Those of [`Column::read`].
    pub fn outgrown(&self) -> Result<GuardAnswer> {
        let Some(guards) = self.guard_words().filter(|guards| !guards.watched.is_empty()) else {
            return Ok(GuardAnswer {
                words: None,
                watched: Vec::new(),
            });
        };
        Ok(GuardAnswer {
            words: Some(guards.words.front(guards.watched.len() as u32).read::<u32>()?),
            watched: guards.watched.clone(),
        })
    }
}

/// What the guards of a submission found, on its way: [`wait`](Self::wait) for it, look with
/// [`try_take`](Self::try_take) after [`Device::poll`](crate::Device::poll), or `.await` it. An empty answer means that
/// everything fitted.
#[derive(Debug)]
#[must_use = "the answer arrives here"]
pub struct GuardAnswer {
    words: Option<Readback<u32>>,
    watched: Vec<Watched>,
}

impl GuardAnswer {
    /// Drives the device until the answer is here.
    ///
    /// # Errors
    /// [`Error::Unwritten`] where no submission of the list had run when it was asked, and those of [`Readback::wait`].
    pub fn wait(self) -> Result<Vec<Outgrown>> {
        self.wait_with(&Exec::default())
    }

    /// As [`wait`](Self::wait), but it can be cancelled.
    ///
    /// # Errors
    /// Those of [`Readback::wait_with`].
    pub fn wait_with(self, exec: &Exec<'_>) -> Result<Vec<Outgrown>> {
        match self.words {
            None => Ok(Vec::new()),
            Some(words) => outgrown(&self.watched, words.wait_with(exec)),
        }
    }

    /// The answer, once it is here. After it was taken it answers `None`; a list without guards always answers that
    /// everything fitted.
    pub fn try_take(&mut self) -> Option<Result<Vec<Outgrown>>> {
        match &mut self.words {
            None => Some(Ok(Vec::new())),
            Some(words) => {
                let words = words.try_take()?;
                Some(outgrown(&self.watched, words))
            }
        }
    }
}

impl Future for GuardAnswer {
    type Output = Result<Vec<Outgrown>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = self.get_mut();
        match &mut answer.words {
            None => Poll::Ready(Ok(Vec::new())),
            Some(words) => Pin::new(words)
                .poll(context)
                .map(|words| outgrown(&answer.watched, words)),
        }
    }
}

fn outgrown(watched: &[Watched], words: Result<Vec<u32>>) -> Result<Vec<Outgrown>> {
    let words = words.map_err(|error| match error {
        Error::Unwritten { .. } => Error::Unwritten {
            what: "what the guards of a list found",
        },
        other => other,
    })?;
    let past = (0..).zip(watched).zip(words).filter(|(_, count)| *count > 0);
    let outgrown = past.map(|((guard, watched), count)| Outgrown {
        guard,
        name: watched.name.clone(),
        room: watched.room,
        count,
    });
    Ok(outgrown.collect())
}
