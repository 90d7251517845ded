//! What the store tells of itself.

use crate::slots::Slot;
use crate::{CellKey, Error};

/// A group: a root and its descendants, which move as one.
///
/// An id is never given twice while a store lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(crate) Slot);

impl std::fmt::Display for GroupId {
    /// The number of its place and how often that was used before: `17.0`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0.index, self.0.generation)
    }
}

/// What is resident, what is stored, and what that costs, as of now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// Cells that hold content or a proxy.
    pub cells_total: u64,
    /// Cells whose content stands whole.
    pub cells_resident: u64,
    /// Cells on their way: content or proxy that is not yet where the last step wants it, entities that have yet to land
    /// or to be linked.
    pub cells_pending: u64,
    /// Groups that the store holds.
    pub groups_total: u64,
    /// Groups of which anything stands.
    pub groups_resident: u64,
    /// Entities of all groups, as of when each was last written down.
    pub entities_total: u64,
    /// Entities of content that stand or were asked for. One below a root that the game destroyed counts until its group is
    /// written down.
    pub entities_resident: u64,
    /// The encoded size of all groups.
    pub bytes_stored: u64,
    /// The encoded size of the groups of which anything stands.
    pub bytes_resident: u64,
    /// Cells that have a proxy.
    pub proxies_total: u64,
    /// Cells whose proxy stands whole.
    pub proxies_resident: u64,
    /// Entities of proxies that stand or were asked for.
    pub entities_proxy: u64,
    /// The encoded size of the proxies of which anything stands.
    pub bytes_proxy: u64,
    /// Steps so far.
    pub steps: u64,
    /// Cells that the last step looked at. It depends on what is near the sources, not on how large the world is.
    pub cells_visited: u64,
}

/// Where a cell's content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum CellState {
    /// All of it is away.
    Released,
    /// On its way in or out.
    Pending,
    /// All of it stands.
    Resident,
}

/// One cell of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CellInfo {
    /// Which cell.
    pub key: CellKey,
    /// Of which layer.
    pub layer: String,
    /// Where its content is.
    pub state: CellState,
    /// How many groups it has.
    pub groups: u64,
    /// How many entities those have.
    pub entities: u64,
    /// How many of them stand or were asked for.
    pub entities_resident: u64,
    /// The encoded size of its groups.
    pub bytes: u64,
    /// The encoded size of those of which anything stands.
    pub bytes_resident: u64,
    /// How many bytes of its content the store itself holds in memory; what is in files is not among them.
    pub bytes_in_memory: u64,
    /// Whether it has a proxy.
    pub proxy: bool,
    /// Whether its proxy stands whole.
    pub proxy_resident: bool,
}

/// One cell's stand-in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ProxyInfo {
    /// Of which cell.
    pub key: CellKey,
    /// Of which layer.
    pub layer: String,
    /// What it is made of.
    pub records: u64,
    /// How many of its entities stand or were asked for.
    pub entities: u64,
    /// Its encoded size.
    pub bytes: u64,
    /// Whether [`derive_proxies`](crate::Store::derive_proxies) made it.
    pub derived: bool,
}

/// Where a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum GroupState {
    /// Away: the records are what there is of it.
    Stored,
    /// An error stopped it on its way in; some of its entities stand.
    Loading,
    /// All entities were asked for; some have yet to land or to be linked.
    Settling,
    /// It stands. The entities are what there is of it.
    Standing,
    /// An error stopped it on its way out: it is written down, and some of its entities still stand.
    Releasing,
}

/// What the store keeps of a group: its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GroupInfo {
    /// The cell it is filed in.
    pub key: CellKey,
    /// Its layer.
    pub layer: String,
    /// Where it is.
    pub state: GroupState,
    /// Its entities, as of when it was last written down.
    pub entities: u64,
    /// Its encoded size, as of then.
    pub bytes: u64,
    /// The file it is written to, for one that does not stay in memory.
    pub path: Option<String>,
}

/// What a [`capture`](crate::Store::capture) took.
#[derive(Debug)]
#[must_use = "an entity that was refused does not stream"]
#[non_exhaustive]
pub struct Captured<E> {
    /// The groups, one for each root that was taken, in the order of the targets.
    pub groups: Vec<GroupId>,
    /// How many entities those have.
    pub entities: u64,
    /// Targets that have a parent. A branch streams with its root and is not taken by itself.
    pub branches: Vec<E>,
    /// Targets that were not taken, with the reason.
    pub refused: Vec<(E, Error)>,
}

impl<E> Captured<E> {
    /// The groups, where nothing was refused.
    ///
    /// # Errors
    /// The first refusal. What was taken stays taken.
    pub fn groups(self) -> crate::Result<Vec<GroupId>> {
        match self.refused.into_iter().next() {
            Some((_, error)) => Err(error),
            None => Ok(self.groups),
        }
    }
}

/// What went wrong in a step, and where. It is tried again after 1, 2, 4 and so on up to 64 steps.
#[derive(Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The layer.
    pub layer: String,
    /// The cell.
    pub key: CellKey,
    /// The group; `None` for the cell's proxy and for leftovers.
    pub group: Option<GroupId>,
    /// What went wrong.
    pub error: Error,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cell {} of layer {:?}", self.key, self.layer)?;
        if let Some(group) = self.group {
            write!(f, ", group {group}")?;
        }
        // A line of a log: why, and why that, down to what the host or the storage said.
        let mut why: Option<&dyn std::error::Error> = Some(&self.error);
        while let Some(error) = why {
            write!(f, ": {error}")?;
            why = error.source();
        }
        Ok(())
    }
}

/// It says all there is to say by itself, and so names no source; [`Failure::error`] has it.
impl std::error::Error for Failure {}

/// What a step did.
#[derive(Debug, Default)]
#[must_use = "failures of the host and of the storage are reported here"]
#[non_exhaustive]
pub struct Step {
    /// Whether this was the frame's step. A second one in the same frame does nothing.
    pub stepped: bool,
    /// Entity records spent, of the budget. An attempt that fails costs what it tried.
    pub spent: u64,
    /// Groups that came in whole.
    pub loaded: u32,
    /// Groups that went out whole.
    pub released: u32,
    /// Proxies that were raised.
    pub proxies_raised: u32,
    /// Proxies that were taken down.
    pub proxies_dropped: u32,
    /// Children that were put below their parents.
    pub linked: u32,
    /// Groups that were filed in another cell, because their root stands there.
    pub moved: u32,
    /// Groups that the store forgot, because their root was destroyed.
    pub dropped: u32,
    /// What went wrong.
    pub failures: Vec<Failure>,
}
