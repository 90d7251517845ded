use std::fmt;

/// What a solver did, or why it did nothing: its text says it in words.
///
/// ```
/// use zero_ik::Status;
/// assert_eq!(Status::OutOfReach.to_string(), "the target is farther than the chain is long: extended toward it");
/// assert!(!Status::NoRig.is_ready());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
#[non_exhaustive]
pub enum Status {
    /// The chain meets its target within tolerance.
    OnTarget,
    /// A whole character ran; each of its limbs says how.
    Active,
    /// The weight is 0.
    PassThrough,
    /// The weight is between 0 and 1, and the whole solve would meet the target.
    Blended,
    /// The target lies beyond the chain's reach.
    OutOfReach,
    /// The target lies nearer than the chain's longest bone lets it fold.
    TooClose,
    /// Limits keep the chain from its target.
    HeldByLimit,
    /// The iterations ran out first.
    NotConverged,
    /// A look-at stopped at its largest turn.
    Clamped,
    /// There is nothing to aim for.
    NoTarget,
    /// The body's rig has not arrived.
    NoRig,
    /// The rig fills no such role, or the bones named make no chain.
    NoChain,
    /// The pose has another number of bones than the rig, or a chain was resolved from another rig.
    PoseMismatch,
    /// A number is infinite or NaN.
    NotFinite,
    /// The bones have no length to turn, the axis has no direction, or the target is where the tip that should point at it
    /// is.
    Degenerate,
    /// `two_bone` was given a chain without one joint between its ends.
    NeedsJoint,
}

impl Status {
    /// Whether the solver ran. When this is false the pose is as it came in.
    #[must_use]
    pub fn is_ready(self) -> bool {
        !matches!(
            self,
            Self::NoTarget
                | Self::NoRig
                | Self::NoChain
                | Self::PoseMismatch
                | Self::NotFinite
                | Self::Degenerate
                | Self::NeedsJoint
        )
    }

    /// The status in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::OnTarget => "on the target",
            Self::Active => "at work: see the limbs and the look",
            Self::PassThrough => "weight is 0: the incoming pose is left as it is",
            Self::Blended => "between the incoming pose and the solve, by weight",
            Self::OutOfReach => "the target is farther than the chain is long: extended toward it",
            Self::TooClose => "the target is nearer than the chain can fold: folded as far as it goes",
            Self::HeldByLimit => "a rotation limit keeps the chain from the target",
            Self::NotConverged => "the iterations ran out before the chain came within tolerance of the target",
            Self::Clamped => "turned as far as the clamp allows, and the target lies beyond",
            Self::NoTarget => "no target: the incoming pose is left as it is",
            Self::NoRig => "waiting for the body's rig",
            Self::NoChain => "the rig has no such chain: see the error",
            Self::PoseMismatch => "the pose or the chain was made for another rig: it has another number of bones",
            Self::NotFinite => "the target, the pose or a setting is not a finite number: the pose is left as it is",
            Self::Degenerate => {
                "the chain has no length, or there is no direction to turn: the axis is zero or the target is on the tip"
            }
            Self::NeedsJoint => "two_bone needs three bones, or a named joint between root and tip",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}
