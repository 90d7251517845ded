//! What a present did.

use crate::error::Location;
use crate::plan::Stop;

/// A node that a present cooked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CookedReport {
    /// What the person wrote, such as `points.disc`.
    pub node: String,
    /// The line that made it.
    pub site: Location,
    /// Its place in the plan; nothing for a node of a fold's or a step's body.
    pub place: Option<usize>,
    /// Why it was not standing.
    pub why: Why,
}

/// Why a node was cooked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// The play had not cooked it before.
    First,
    /// Inputs it stands on moved: their names.
    Inputs(Vec<String>),
    /// It follows the clock.
    Clock,
    /// It follows a step.
    Step,
    /// Its value was let go of.
    Released,
    /// The first replay of a recorded list was held to it.
    Verified,
}

/// What a present did, whole or not.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The nodes cooked, in the order they were.
    pub cooked: Vec<CookedReport>,
    /// Nodes that a recorded list stood in for.
    pub replayed: usize,
    /// Whether a recorded list was made.
    pub recorded: bool,
    /// A recorded list that did not give what a cook gave, and was let go of.
    pub mismatched: bool,
    /// What the device did meanwhile.
    pub device: zero_compute::Stats,
    /// The folds that ran, in order.
    pub folds: Vec<FoldReport>,
    /// What the steps have done since they began.
    pub steps: Vec<StepReport>,
}

/// What one fold did in a present that cooked it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoldReport {
    /// What the person wrote.
    pub node: String,
    /// The line that made it.
    pub site: Location,
    /// Passes taken.
    pub passes: u32,
    /// By what it may end before its last pass: `unchanged` or `function`; nothing where it does not.
    pub stop: Option<&'static str>,
    /// Whether it ended so.
    pub stopped: bool,
    /// Passes that were cooked into a list: 1 of a recorded fold, 0 of one that is cooked pass by pass.
    pub recorded: u64,
    /// Passes that ran from that list and cooked nothing.
    pub replayed: u64,
    /// Nodes cooked.
    pub cooked: u64,
    /// Why it does not run from a list, where it has 3 passes or more and does not.
    pub reason: Option<String>,
}

impl FoldReport {
    pub(super) fn new(node: String, site: Location, stop: &Stop) -> FoldReport {
        FoldReport {
            node,
            site,
            passes: 0,
            stop: match stop {
                Stop::Never => None,
                Stop::Unchanged => Some("unchanged"),
                Stop::When(_) => Some("function"),
            },
            stopped: false,
            recorded: 0,
            replayed: 0,
            cooked: 0,
            reason: None,
        }
    }
}

/// What one step has done since it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepReport {
    /// The step's name.
    pub name: String,
    /// Steps taken.
    pub steps: u64,
    /// Substeps that ran from a list.
    pub replays: u64,
    /// Substeps that were cooked and recorded.
    pub recorded: u64,
    /// Nodes cooked for that.
    pub cooked: u64,
    /// Dispatches queued in all.
    pub dispatches: u64,
    /// What one list queues.
    pub list_dispatches: u64,
    /// Times the clock went back.
    pub restarts: u64,
    /// Why it does not run from a list, where it does not.
    pub reason: Option<String>,
}
