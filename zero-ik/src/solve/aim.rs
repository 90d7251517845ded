use glam::{DVec3, Vec3};

use super::{Turn, ready};
use crate::{Chain, Status, math};

/// The angle at which an axis counts as on its target, in radians.
const ON_TARGET_RAD: f64 = 2e-6;

/// What [`aim`] is asked for, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AimParams {
    /// What to point at.
    pub target: Vec3,
    /// The tip's own direction that should point there: `+Z` unless the model is built along another.
    pub axis: Vec3,
    /// How much of the solve is taken, 0 to 1: 0 leaves the pose as it is, to the bit.
    pub weight: f32,
    /// The most rounds. One is enough without limits; with them each round turns what the others may not.
    pub iterations: u32,
}

impl Default for AimParams {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            axis: Vec3::Z,
            weight: 1.0,
            iterations: 8,
        }
    }
}

/// Turns a chain until an axis of its tip points at a target: a barrel, a sensor, a spotlight.
///
/// The first round shares the turn evenly among the bones, each of which moves the tip and so changes the direction that
/// is left; the last bone takes what remains. Later rounds give every bone the chance to take all that limits left over.
/// A bone with a hinge turns about the hinge alone, by just what brings the axis closest.
pub fn aim(chain: &mut Chain, params: &AimParams) -> Turn {
    let (weight, axis) = match ready_to_turn(chain, params.target, params.axis, params.weight) {
        Ok(ready) => ready,
        Err(status) => return left_alone(chain, params.target, params.axis, status),
    };
    let target = params.target.as_dvec3();
    if chain.has_limits() {
        chain.hold_limits();
    }
    let mut rounds = 0;
    while rounds < params.iterations && off_by(chain, axis, target) > ON_TARGET_RAD {
        for index in 0..chain.len() {
            let share = if rounds == 0 {
                1.0 / (chain.len() - index) as f64
            } else {
                1.0
            };
            turn_toward(chain, index, axis, target, share);
        }
        rounds += 1;
    }
    let whole_error = off_by(chain, axis, target);
    chain.commit(weight);
    let status = match () {
        () if whole_error > 1e-4 && chain.has_limits() => Status::HeldByLimit,
        () if whole_error > 1e-4 => Status::NotConverged,
        () if weight < 1.0 => Status::Blended,
        () => Status::OnTarget,
    };
    Turn {
        status,
        error_degrees: math::degrees(off_by(chain, axis, target)),
        iterations: rounds,
    }
}

/// Turns one bone by a share of what is left between the tip's axis and the target.
fn turn_toward(chain: &mut Chain, index: usize, axis: DVec3, target: DVec3, share: f64) {
    let Some(wanted) = toward(chain, target) else {
        return;
    };
    let turn = chain.best_turn(index, pointing(chain, axis), wanted);
    let turn = if share < 1.0 {
        math::share_of_turn(turn, share)
    } else {
        turn
    };
    chain.turn_within_limit(index, turn);
}

/// What stands in the way of turning an axis to a target; otherwise the weight and the axis as a direction.
pub(super) fn ready_to_turn(chain: &Chain, target: Vec3, axis: Vec3, weight: f32) -> Result<(f64, DVec3), Status> {
    let weight = ready(chain, target, weight)?;
    if !axis.is_finite() {
        return Err(Status::NotFinite);
    }
    let axis = math::unit(axis.as_dvec3()).ok_or(Status::Degenerate)?;
    toward(chain, target.as_dvec3()).ok_or(Status::Degenerate)?;
    Ok((weight, axis))
}

/// The end of a turn that did nothing.
pub(super) fn left_alone(chain: &Chain, target: Vec3, axis: Vec3, status: Status) -> Turn {
    let measurable = target.is_finite() && axis.is_finite() && chain.is_finite();
    let axis = math::unit(axis.as_dvec3()).filter(|_| measurable);
    let error = axis.map_or(0.0, |axis| off_by(chain, axis, target.as_dvec3()));
    Turn {
        status,
        error_degrees: math::degrees(error),
        iterations: 0,
    }
}

/// The direction from the tip to a target; none where they are one to what f32 can tell, for what is left between them is
/// then rounding, and would turn the chain any way.
pub(super) fn toward(chain: &Chain, target: DVec3) -> Option<DVec3> {
    let away = target - chain.tip();
    let told_apart = away.length() > 2e-7 * (target.length() + chain.tip().length());
    math::unit(away).filter(|_| told_apart)
}

/// Where the tip's axis points, in model space.
pub(super) fn pointing(chain: &Chain, axis: DVec3) -> DVec3 {
    chain
        .links
        .last()
        .and_then(|tip| math::unit(tip.rotation * axis))
        .unwrap_or(axis)
}

/// The angle between the tip's axis and the direction to the target; none where the target is on the tip.
pub(super) fn off_by(chain: &Chain, axis: DVec3, target: DVec3) -> f64 {
    toward(chain, target).map_or(0.0, |wanted| math::angle_between(pointing(chain, axis), wanted))
}
