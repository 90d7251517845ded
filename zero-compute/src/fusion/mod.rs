//! Fusion: the per-element dispatches of a recorded list run together, with the same bytes.
//!
//! A *plan* of plain data says which dispatches are dropped and which run together; *apply* makes the steps of the list
//! from it. A fused dispatch computes its members one after the other for an element (on the CPU for a block of
//! elements), so that a value passes from one to the next without a buffer.

mod apply;
mod plan;
#[cfg(feature = "gpu")]
mod rename;
#[cfg(feature = "gpu")]
mod wgsl;

pub(crate) use apply::{Applied, Moves, apply};
#[cfg(feature = "gpu")]
pub(crate) use wgsl::{keep, module};

use std::ops::Range;

use crate::column::Element;
use crate::list::{Code, ProgramKey};

/// Which dispatches of a recorded list may run as one; [`Recorder::fuse`](crate::Recorder::fuse) takes it. The columns
/// that are kept hold the same bytes with each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fusion {
    /// None: what no kept column depends on is dropped, and that is all.
    Off,
    /// A per-element dispatch joins those that compute what it reads at its own element.
    Chains,
    /// And those over the same elements, of the same level, that do not read each other share a dispatch too.
    #[default]
    Stages,
}

/// What [`Recorder::fuse`](crate::Recorder::fuse) made of a list. `recorded` is the sum of `dispatches`, `dropped`,
/// `joined` and `staged`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FusionCounts {
    /// Dispatches recorded.
    pub recorded: usize,
    /// Dispatches that the list runs.
    pub dispatches: usize,
    /// Of these, the ones that are made of several.
    pub fused: usize,
    /// Dispatches saved because they run in the one that computes what they read.
    pub joined: usize,
    /// Dispatches saved because chains that do not read each other run as one.
    pub staged: usize,
    /// Dispatches whose output is not written anywhere: it goes from one to the next in a register.
    pub absorbed: usize,
    /// Dispatches that no kept column depends on, or over no elements.
    pub dropped: usize,
}

/// Where a binding of a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wire {
    /// What an earlier member computed for the same element.
    Member(usize),
    /// A column of the fused dispatch.
    Held(usize),
    /// The member's own output.
    Own,
}

/// A binding of a member, in the order of its code.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub(crate) name: &'static str,
    pub(crate) element: Element,
    pub(crate) lanes: u32,
    pub(crate) wire: Wire,
}

/// A recorded dispatch in a fused one.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) code: Code,
    pub(crate) ports: Vec<Port>,
    /// The column of the fused dispatch that its output is written to, where it is.
    pub(crate) stored: Option<usize>,
    /// Its params within those of the fused dispatch, the three words in front of each among them.
    pub(crate) words: Range<usize>,
}

impl Member {
    /// Its output.
    pub(crate) fn output(&self) -> Option<&Port> {
        self.ports.iter().find(|port| port.wire == Wire::Own)
    }

    pub(crate) fn lanes(&self) -> u32 {
        self.output().map_or(1, |port| port.lanes)
    }
}

/// Per-element dispatches that run as one. The columns that it holds are those read, then those written.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub(crate) members: Vec<Member>,
}

/// What tells the program of a fused dispatch from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemberKey {
    pub(crate) code: ProgramKey,
    wires: Vec<(Wire, u32)>,
    stored: Option<usize>,
}

impl Fused {
    pub(crate) fn key(&self, live: bool) -> ProgramKey {
        let member = |member: &Member| MemberKey {
            code: member.code.key(live),
            wires: member.ports.iter().map(|port| (port.wire, port.lanes)).collect(),
            stored: member.stored,
        };
        ProgramKey::Fused {
            members: self.members.iter().map(member).collect(),
            live,
        }
    }

    /// The names of its members, in order.
    pub(crate) fn name(&self) -> String {
        let names: Vec<&str> = self.members.iter().map(|member| member.code.name()).collect();
        names.join(" + ")
    }
}
