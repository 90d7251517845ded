//! What a present did.

use crate::error::Location;
use crate::plan::Stop;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

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
    /// Dispatches recorded for it; those of a body are its nodes' own.
    pub dispatches: u64,
    /// Bytes of the runs it made. What it shares with what it read is not its own.
    pub bytes: u64,
    /// Milliseconds by the clock of the present, its device work among them; nothing unless the play is
    /// [`profiled`](crate::PlayOptions::profiled).
    pub time_ms: Option<f64>,
}

/// Why a node was cooked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// The play had not cooked it before.
    First,
    /// The graph was edited, or a plain value moved: the play had not cooked this before.
    Edited,
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
    /// What the lists that were queued dispatch, as they were compiled. [`Stats::dispatches`](zero_compute::Stats) of
    /// `device` counts what ran: as many, less those over no elements.
    pub planned_dispatches: u64,
    /// What the device did meanwhile.
    pub device: zero_compute::Stats,
    /// The folds that ran, in order.
    pub folds: Vec<FoldReport>,
    /// What it had to do with the store's disk cache.
    pub disk: super::DiskReport,
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
    /// The same by operation, such as `construct.expr` for what operators are gathered into.
    pub operations: BTreeMap<String, u64>,
    /// Nodes of its body that stand on nothing that moves: cooked once, and read as they stand by every later substep.
    pub static_nodes: u64,
    /// Dispatches queued in all.
    pub dispatches: u64,
    /// What the list of the last substep queues.
    pub planned_dispatches: u64,
    /// Times the clock went back.
    pub restarts: u64,
    /// Why it does not run from a list, where it does not.
    pub reason: Option<String>,
}

impl Report {
    /// What the cooked nodes took, a row for each line of the graph: what cost most first, by time where it was
    /// measured, else by dispatches and bytes. Shown as text it is a table.
    pub fn profile(&self) -> Profile {
        let mut rows: Vec<ProfileRow> = Vec::new();
        let mut places: HashMap<(&str, &Location), usize> = HashMap::new();
        for cooked in &self.cooked {
            let place = *places.entry((&cooked.node, &cooked.site)).or_insert_with(|| {
                rows.push(ProfileRow {
                    node: cooked.node.clone(),
                    site: cooked.site.clone(),
                    cooked: 0,
                    dispatches: 0,
                    bytes: 0,
                    time_ms: None,
                    why: BTreeSet::new(),
                });
                rows.len() - 1
            });
            let row = &mut rows[place];
            row.cooked += 1;
            row.dispatches += cooked.dispatches;
            row.bytes += cooked.bytes;
            row.time_ms = match (row.time_ms, cooked.time_ms) {
                (Some(before), Some(more)) => Some(before + more),
                (before, more) => before.or(more),
            };
            row.why.insert(cooked.why.clone());
        }
        // Stable, so that equals stay in the order of the cook.
        rows.sort_by(|a, b| {
            let time = |row: &ProfileRow| row.time_ms.unwrap_or(0.0);
            let work = |row: &ProfileRow| (row.dispatches, row.bytes);
            time(b).total_cmp(&time(a)).then_with(|| work(b).cmp(&work(a)))
        });
        Profile { rows }
    }
}

/// What the nodes of a graph took in one present, by node and line.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// What cost most first.
    pub rows: Vec<ProfileRow>,
}

/// What one line of a graph took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfileRow {
    /// What the person wrote, such as `points.disc`.
    pub node: String,
    /// The line that made it.
    pub site: Location,
    /// Nodes of the plan that were cooked for it.
    pub cooked: u64,
    /// Dispatches recorded for them.
    pub dispatches: u64,
    /// Bytes of the runs they made.
    pub bytes: u64,
    /// Milliseconds they took; nothing unless the play is [`profiled`](crate::PlayOptions::profiled).
    pub time_ms: Option<f64>,
    /// Why they were cooked, each reason once.
    pub why: BTreeSet<Why>,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.node.len()).max().unwrap_or(0).max(4);
        write!(
            f,
            "{:width$}  {:>6}  {:>10}  {:>12}  {:>10}  why, line",
            "node", "cooked", "dispatches", "bytes", "ms"
        )?;
        for row in &self.rows {
            let time = row.time_ms.map_or("-".to_owned(), |time| format!("{time:.3}"));
            let why: Vec<String> = row.why.iter().map(Why::to_string).collect();
            write!(
                f,
                "\n{:width$}  {:>6}  {:>10}  {:>12}  {time:>10}  {}, {}",
                row.node,
                row.cooked,
                row.dispatches,
                row.bytes,
                why.join("; "),
                row.site
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::First => f.write_str("first"),
            Why::Edited => f.write_str("edited"),
            Why::Inputs(names) => write!(f, "moved {}", names.join(" and ")),
            Why::Clock => f.write_str("clock"),
            Why::Step => f.write_str("step"),
            Why::Released => f.write_str("let go of"),
            Why::Verified => f.write_str("held to a replay"),
        }
    }
}
