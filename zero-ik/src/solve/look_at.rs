use glam::{DQuat, DVec3, Vec3};

use super::Turn;
use super::aim::{left_alone, off_by, pointing, ready_to_turn, toward};
use crate::{Chain, Status, math};

/// What [`look_at`] is asked for, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAtParams {
    /// What to look at.
    pub target: Vec3,
    /// The head's own forward direction: `+Z` unless the model is built along another.
    pub axis: Vec3,
    /// The share of the turn that the bones below the head take, 0 to 1: 0 turns the head alone.
    pub body_weight: f32,
    /// The largest turn of the head away from where it faces at rest on the body as it stands, in degrees, 0 to 180.
    pub clamp_degrees: f32,
    /// How much of the solve is taken, 0 to 1: 0 leaves the pose as it is, to the bit.
    pub weight: f32,
}

impl Default for LookAtParams {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            axis: Vec3::Z,
            body_weight: 0.3,
            clamp_degrees: 80.0,
            weight: 1.0,
        }
    }
}

/// Turns a back, neck and head toward a target, the head last and by what the others left.
///
/// The clamp counts from rest and not from the pose that comes in: a character whose pose is that of the frame before
/// would otherwise wring its neck round by the clamp's angle every frame. The bones below the head share their part
/// evenly. A target straight behind is turned to about the model's up axis.
///
/// [`Status::Clamped`] tells "turned as far as allowed and still facing away" from "watching the target".
pub fn look_at(chain: &mut Chain, params: &LookAtParams) -> Turn {
    let settings_hold = params.body_weight.is_finite() && params.clamp_degrees.is_finite();
    let ready = ready_to_turn(chain, params.target, params.axis, params.weight);
    let (weight, axis) = match ready {
        Ok(_) if !settings_hold => return left_alone(chain, params.target, params.axis, Status::NotFinite),
        Ok(ready) => ready,
        Err(status) => return left_alone(chain, params.target, params.axis, status),
    };
    let target = params.target.as_dvec3();
    let gaze = Gaze {
        axis,
        rest: facing_at_rest(chain, axis),
        clamp: math::radians(params.clamp_degrees.clamp(0.0, 180.0)),
    };
    let head = chain.len() - 1;
    let (first, _) = gaze.wanted(chain, target);
    let whole = math::arc(pointing(chain, axis), first, DVec3::Y);
    if head > 0 {
        let each = f64::from(params.body_weight.clamp(0.0, 1.0)) / head as f64;
        let turn = math::share_of_turn(whole, each);
        for index in 0..head {
            chain.turn_within_limit(index, turn);
        }
    }
    // Turning the back moved the head: what is left to turn is measured from where the head is now.
    let (wanted, clamped) = gaze.wanted(chain, target);
    chain.turn_within_limit(head, chain.best_turn(head, pointing(chain, axis), wanted));
    let missed = math::angle_between(pointing(chain, axis), wanted) > 1e-4;
    chain.commit(weight);
    let status = match () {
        () if clamped => Status::Clamped,
        () if missed => Status::HeldByLimit,
        () if weight < 1.0 => Status::Blended,
        () => Status::OnTarget,
    };
    Turn {
        status,
        error_degrees: math::degrees(off_by(chain, axis, target)),
        iterations: 1,
    }
}

/// Where a head faces and how far it may turn from there.
struct Gaze {
    axis: DVec3,
    rest: DVec3,
    clamp: f64,
}

impl Gaze {
    /// The direction to turn the head to, and whether the clamp cut it short.
    fn wanted(&self, chain: &Chain, target: DVec3) -> (DVec3, bool) {
        let Some(toward) = toward(chain, target) else {
            return (pointing(chain, self.axis), false);
        };
        if math::angle_between(self.rest, toward) <= self.clamp + 1e-9 {
            return (toward, false);
        }
        let across = self.rest.cross(toward);
        // Within a twentieth of a degree of straight behind, the side is rounding.
        let axis = if across.length() > 1e-3 {
            across / across.length()
        } else {
            math::across(DVec3::Y, self.rest).unwrap_or_else(|| math::any_across(self.rest))
        };
        (math::about(axis, self.clamp) * self.rest, true)
    }
}

/// Where the tip's axis points when every bone of the chain is at rest on the body as it stands.
fn facing_at_rest(chain: &Chain, axis: DVec3) -> DVec3 {
    let turn = chain
        .links
        .iter()
        .fold(chain.parent_rotation(0), |turn, link| turn * link.rest);
    math::unit(DQuat::normalize(turn) * axis).unwrap_or(axis)
}
