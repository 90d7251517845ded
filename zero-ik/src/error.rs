use thiserror::Error;

use crate::{ChainRole, Role};

/// What can be wrong with a rig, a chain, a limit or a name.
///
/// Nothing that changes from frame to frame is an error: a solver answers that with a [`Status`](crate::Status).
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A rig with no bones.
    #[error("a rig needs at least one bone")]
    NoBones,
    /// Two bones of one name.
    #[error("the rig has two bones named `{name}`; names must differ")]
    DuplicateBone {
        /// The name.
        name: String,
    },
    /// A bone that names itself, directly or by way of others, as its ancestor.
    #[error("bone `{name}` is its own ancestor; parents must not run in a circle")]
    ParentCircle {
        /// A bone on the circle.
        name: String,
    },
    /// A parent that the rig does not have.
    #[error("bone `{name}` has parent {parent}, and the rig has {count} bones (0 to {count} - 1)")]
    UnknownParent {
        /// The bone.
        name: String,
        /// The parent it gives, counted from 0.
        parent: usize,
        /// How many bones there are.
        count: usize,
    },
    /// A bone whose rest pose is not made of finite numbers, or whose rotation has no length.
    #[error("bone `{name}` has rest {field} {value}; finite numbers are needed, and a rotation that is not zero")]
    BadRest {
        /// The bone.
        name: String,
        /// `translation`, `rotation` or `scale`.
        field: &'static str,
        /// What arrived.
        value: String,
    },
    /// A name that no bone has.
    #[error("the rig has no bone named `{name}`; its bones are: {known}")]
    UnknownBone {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A tip that does not hang below its root.
    #[error("bone `{tip}` is not a descendant of `{root}`; a chain runs from a root down to its tip")]
    NotDescendant {
        /// The chain's root.
        root: String,
        /// The chain's tip.
        tip: String,
    },
    /// A role that no bone of the rig fills.
    #[error("chain `{chain}` needs a bone in the role `{role}`, and the rig fills none")]
    RoleUnfilled {
        /// The chain asked for.
        chain: ChainRole,
        /// The first role that is missing.
        role: Role,
    },
    /// Grounding on a rig without a pelvis.
    #[error("grounding lowers the bone in the role `hips`, and the rig fills none: feet are placed, the pelvis stays")]
    NoHips,
    /// Neither a role nor both ends were given, or only one of the ends.
    #[error("a chain needs a role, or both a root bone and a tip bone; got root `{root}` and tip `{tip}`")]
    NoChain {
        /// The root bone given.
        root: String,
        /// The tip bone given.
        tip: String,
    },
    /// A name outside a fixed vocabulary.
    #[error("`{name}` is no {kind}; the names are: {known}")]
    UnknownName {
        /// What was looked for: `role`, `chain role` or `solver`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A limit whose angles are out of range.
    #[error("{limit} limit: {field} is {value} degrees; expected {expected}")]
    BadLimit {
        /// `cone` or `hinge`.
        limit: &'static str,
        /// Which number.
        field: &'static str,
        /// What arrived.
        value: f32,
        /// The range.
        expected: &'static str,
    },
    /// A hinge whose axis has no direction.
    #[error("hinge limit: the axis is {x}, {y}, {z}; a finite direction that is not zero is needed")]
    BadAxis {
        /// First component.
        x: f32,
        /// Second component.
        y: f32,
        /// Third component.
        z: f32,
    },
    /// A joint that the chain does not have between its ends.
    #[error("`{name}` is not a bone between the chain's root and its tip")]
    NotBetween {
        /// The name asked for.
        name: String,
    },
}

/// A result with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
