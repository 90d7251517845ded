//! What can go wrong.

/// The result of this crate's functions. One that names another error is the standard library's, so that importing all of
/// the crate takes nothing away.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the host or of the storage, as it came.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// What was asked of the host when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostAction {
    /// [`Host::spawn`](crate::Host::spawn).
    Spawn,
    /// [`Host::despawn`](crate::Host::despawn).
    Despawn,
    /// [`Host::serialize`](crate::Host::serialize).
    Serialize,
    /// [`Host::link`](crate::Host::link).
    Link,
}

impl std::fmt::Display for HostAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Spawn => "spawn",
            Self::Despawn => "despawn",
            Self::Serialize => "serialize",
            Self::Link => "link",
        })
    }
}

/// What was asked of the storage when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageAction {
    /// [`Storage::write`](crate::Storage::write).
    Write,
    /// [`Storage::read`](crate::Storage::read).
    Read,
    /// [`Storage::remove`](crate::Storage::remove).
    Remove,
}

impl std::fmt::Display for StorageAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::Remove => "remove",
        })
    }
}

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value that is not what it must be.
    #[error("{what}: expected {expected}, got {found}")]
    Value {
        /// The thing, by name.
        what: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Two radii with no band between them, so that a source on the boundary would load and release without end.
    #[error("{scope}: the {outer_name} {outer} must exceed the {inner_name} {inner}")]
    NoBand {
        /// Whose radii these are.
        scope: String,
        /// The inner radius by name.
        inner_name: &'static str,
        /// The inner radius.
        inner: f32,
        /// The outer radius by name.
        outer_name: &'static str,
        /// The outer radius.
        outer: f32,
    },
    /// Records that make no group or no proxy.
    #[error("record {index} of {of}: {reason}")]
    Record {
        /// What the records are for.
        of: String,
        /// Which record, from 0.
        index: usize,
        /// What is wrong with it, and what it must be.
        reason: String,
    },
    /// Bytes that are no encoded records.
    #[error("encoded records, at byte {offset}: expected {expected}, got {found}")]
    Encoding {
        /// Where, from 0.
        offset: usize,
        /// What had to be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The cell size was to change while cells are in use.
    #[error("cell size: expected {current} while the store holds {cells} cells, got {asked} (reset the store first)")]
    CellSizeInUse {
        /// The size that the cells have.
        current: f32,
        /// The size that was asked for.
        asked: f32,
        /// How many cells there are.
        cells: usize,
    },
    /// A layer that the store has not seen.
    #[error("layer {name:?} is unknown; `set_layer` or content that names it makes it known")]
    UnknownLayer {
        /// Its name.
        name: String,
    },
    /// A group that the store does not hold, or no longer.
    #[error("group {group} is not in the store (its root was destroyed, or it was forgotten)")]
    UnknownGroup {
        /// The group.
        group: crate::GroupId,
    },
    /// A root that the store already holds.
    #[error("entity {entity} is already the root of group {group}")]
    Held {
        /// The entity.
        entity: String,
        /// Its group.
        group: crate::GroupId,
    },
    /// An entity that is not in the scene.
    #[error("entity {entity} is not in the scene")]
    Gone {
        /// The entity.
        entity: String,
    },
    /// An entity that was asked for and has yet to arrive in the scene.
    #[error("entity {entity} has yet to land in the scene; capture it once it has")]
    NotLanded {
        /// The entity.
        entity: String,
    },
    /// An entity of a group that is on its way in or out.
    #[error("entity {entity} is or holds a part of group {group}, which is on its way; capture it once that is done")]
    OnItsWay {
        /// The entity that was to be captured.
        entity: String,
        /// The group.
        group: crate::GroupId,
    },
    /// An entity that is no content, but what content is drawn as, or is left of that.
    #[error("entity {entity} is a proxy's, which is the store's own and not the game's")]
    StandIn {
        /// The entity.
        entity: String,
    },
    /// A hierarchy in which an entity is below itself.
    #[error("entity {entity} was met twice on the way down from its root; parents must form a tree")]
    Cycle {
        /// The entity.
        entity: String,
    },
    /// The host refused.
    #[error("the host failed to {action} {subject}")]
    Host {
        /// What it was asked.
        action: HostAction,
        /// The entity or record.
        subject: String,
        /// What the host says.
        source: BoxError,
    },
    /// The storage refused.
    #[error("the storage failed to {action} {path:?}")]
    Storage {
        /// What it was asked.
        action: StorageAction,
        /// The file.
        path: String,
        /// What the storage says.
        source: BoxError,
    },
    /// A path that could leave its folder.
    #[error("path {path:?}: expected names joined by `/`, none of them empty, `.` or `..`, with no `\\` or `:`")]
    Path {
        /// The path.
        path: String,
    },
}

impl Error {
    /// A value that is not what it must be.
    pub(crate) fn value(what: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Self {
        Self::Value {
            what: what.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}
