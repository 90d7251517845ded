use glam::Vec3;

use super::{
    AimState, Body, ChainState, Driver, IkAim, IkChain, IkLimb, IkLookAt, IkRig, LimbState, LookState, RigState,
    RigTargets,
};
use crate::{Hit, Placement, Pose, Ray, Rig};

/// One driver with what it is after, as a step of an [`IkNode`].
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "a node has a handful of steps, held in one list"
)]
pub enum Step {
    /// Any chain, and its target in world space.
    Chain(Driver<IkChain>, Option<Vec3>),
    /// A limb, its target and its pole in world space.
    Limb(Driver<IkLimb>, Option<Vec3>, Option<Vec3>),
    /// An aim, and its target in world space.
    Aim(Driver<IkAim>, Option<Vec3>),
    /// A look-at, and its target in world space.
    LookAt(Driver<IkLookAt>, Option<Vec3>),
    /// A whole character and its targets.
    Rig(Driver<IkRig>, RigTargets),
}

/// What a [`Step`] is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub enum StepState {
    /// Of [`Step::Chain`].
    Chain(ChainState),
    /// Of [`Step::Limb`].
    Limb(LimbState),
    /// Of [`Step::Aim`].
    Aim(AimState),
    /// Of [`Step::LookAt`].
    LookAt(LookState),
    /// Of [`Step::Rig`].
    Rig(RigState),
}

/// A node of an animation graph: takes the pose that the graph has made so far, and gives it with every step's solve on
/// top, in the order of the steps.
///
/// The incoming pose is only read. A body that no animation drives has a base pose of its own, such as
/// [`Rig::rest_pose`], and each frame starts from that: what last frame's solve did is never solved again.
#[derive(Debug, Clone, Default)]
pub struct IkNode {
    /// The steps, run first to last.
    pub steps: Vec<Step>,
}

impl IkNode {
    /// A node of these steps.
    #[must_use]
    pub fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// Writes `base` into `out` with every step on top, and each step's state into `states`. Allocates nothing once `out`
    /// and `states` have grown and the drivers have seen the rig.
    #[expect(
        clippy::too_many_arguments,
        reason = "a frame's inputs, buffers and callback; no two go together"
    )]
    pub fn evaluate(
        &mut self,
        rig: Option<&Rig>,
        placement: Placement,
        base: &Pose,
        dt_secs: f32,
        probe: &mut dyn FnMut(Ray) -> Option<Hit>,
        out: &mut Pose,
        states: &mut Vec<StepState>,
    ) {
        out.copy_from(base);
        states.clear();
        for step in &mut self.steps {
            let body = &mut Body {
                rig,
                placement,
                pose: out,
            };
            states.push(match step {
                Step::Chain(driver, target) => StepState::Chain(driver.solve(body, *target)),
                Step::Limb(driver, target, pole) => StepState::Limb(driver.solve(body, *target, *pole)),
                Step::Aim(driver, target) => StepState::Aim(driver.solve(body, *target)),
                Step::LookAt(driver, target) => StepState::LookAt(driver.solve(body, *target)),
                Step::Rig(driver, targets) => StepState::Rig(driver.solve(body, targets, dt_secs, probe)),
            });
        }
    }
}
