use glam::{DVec3, Vec3};

use super::{Solve, distance, ready, untouched};
use crate::{Chain, Status, math};

/// What [`two_bone`] is asked for, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneParams {
    /// Where the tip should be.
    pub target: Vec3,
    /// A point that the joint bends toward: behind an elbow, in front of a knee. Without one the joint keeps to the plane
    /// it is bent in as it comes in.
    pub pole: Option<Vec3>,
    /// How much of the solve is taken, 0 to 1: 0 leaves the pose as it is, to the bit.
    pub weight: f32,
}

impl Default for TwoBoneParams {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            pole: None,
            weight: 1.0,
        }
    }
}

/// Brings the tip of a limb onto a target: exact and in one step, by the law of cosines.
///
/// The root turns as a whole, upper bone and plane together, and the joint turns within the plane, so that a knee stays a
/// hinge. A target out of reach leaves the limb straight toward it, one that is too near leaves it folded. The tip's own
/// local rotation is not changed: it goes along.
///
/// A limb that comes in straight has no plane. Then it bends about the axis that it bends about at rest, carried along by
/// the root bone; see [`Chain::of_role`] for a limb that is straight at rest too. A pole on the line from root to target
/// says nothing, and the plane is kept.
pub fn two_bone(chain: &mut Chain, params: &TwoBoneParams) -> Solve {
    let weight = match ready(chain, params.target, params.weight) {
        Ok(weight) => weight,
        Err(status) => return untouched(chain, params.target, status),
    };
    if params.pole.is_some_and(|pole| !pole.is_finite()) {
        return untouched(chain, params.target, Status::NotFinite);
    }
    let Some(joint) = chain.joint() else {
        return untouched(chain, params.target, Status::NeedsJoint);
    };
    let target = params.target.as_dvec3();
    let Some(limb) = Limb::measure(chain, joint) else {
        return untouched(chain, params.target, Status::Degenerate);
    };
    let goal = limb.goal(target, params.pole.map(|pole| pole.as_dvec3()));
    bend(chain, joint, &limb, &goal);
    chain.commit(weight);
    let off_target = (target - chain.tip()).length() > 1e-4 * (limb.upper + limb.lower);
    let status = match limb.out_of_band(target) {
        Some(status) => status,
        None if weight < 1.0 => Status::Blended,
        None if off_target && chain.has_limits() => Status::HeldByLimit,
        None => Status::OnTarget,
    };
    Solve {
        status,
        distance_to_target: distance(chain, target),
        iterations: 0,
    }
}

/// The incoming limb: two lengths and the frame it is bent in.
struct Limb {
    root: DVec3,
    upper: f64,
    lower: f64,
    /// The direction of the upper segment.
    along_upper: DVec3,
    /// The direction from root to tip, along which the limb points.
    pointing: DVec3,
    /// The axis of the bend: across the plane.
    axis: DVec3,
    /// The direction across `pointing`, in the plane, to which the joint lies.
    side: DVec3,
}

/// Where root, joint and tip should be.
struct Goal {
    joint: DVec3,
    tip: DVec3,
    axis: DVec3,
}

impl Limb {
    fn measure(chain: &Chain, joint: usize) -> Option<Self> {
        let (root, middle, tip) = (chain.root(), chain.links[joint].position, chain.tip());
        let (upper, lower) = ((middle - root).length(), (tip - middle).length());
        let resting = chain.bend_axis();
        let along_upper = math::unit(middle - root).or_else(|| math::unit(tip - root))?;
        let along_lower = math::unit(tip - middle).unwrap_or(along_upper);
        // Below a ten-thousandth the plane is more rounding than pose.
        let bend = along_upper.cross(along_lower);
        let axis = if bend.length() > 1e-4 {
            bend / bend.length()
        } else {
            math::across(resting, along_upper).unwrap_or_else(|| math::any_across(along_upper))
        };
        let folded = (tip - root).length() <= 1e-9 * (upper + lower);
        let pointing = if folded { None } else { math::unit(tip - root) }.unwrap_or(along_upper);
        let side = pointing.cross(axis);
        Some(Self {
            root,
            upper,
            lower,
            along_upper,
            pointing,
            axis,
            side,
        })
    }

    fn out_of_band(&self, target: DVec3) -> Option<Status> {
        let (distance, reach) = ((target - self.root).length(), self.upper + self.lower);
        if distance > reach * (1.0 + 1e-7) {
            Some(Status::OutOfReach)
        } else if distance < (self.upper - self.lower).abs() - reach * 1e-7 {
            Some(Status::TooClose)
        } else {
            None
        }
    }

    fn goal(&self, target: DVec3, pole: Option<DVec3>) -> Goal {
        let away = target - self.root;
        let reach = self.upper + self.lower;
        let on_root = away.length() <= 1e-9 * reach;
        let to_target = if on_root {
            self.pointing
        } else {
            math::unit(away).unwrap_or(self.pointing)
        };
        let kept = || math::arc(self.pointing, to_target, self.axis) * self.side;
        let side = pole
            .and_then(|pole| math::across(pole - self.root, to_target))
            .or_else(|| math::across(kept(), to_target))
            .unwrap_or_else(|| math::any_across(to_target));
        let distance = away.length().clamp((self.upper - self.lower).abs(), reach);
        let cosine = law_of_cosines(self.upper, distance, self.lower);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        Goal {
            joint: self.root + (to_target * cosine + side * sine) * self.upper,
            tip: self.root + to_target * distance,
            axis: side.cross(to_target),
        }
    }
}

/// The cosine of the angle between two sides of a triangle, opposite the third. Where a side has no length the angle is
/// open and taken as nothing.
fn law_of_cosines(side: f64, other: f64, opposite: f64) -> f64 {
    let product = 2.0 * side * other;
    if product <= f64::MIN_POSITIVE {
        return if other > 0.0 { 1.0 } else { 0.0 };
    }
    ((side * side + other * other - opposite * opposite) / product).clamp(-1.0, 1.0)
}

/// Turns the root so that upper segment and bend axis stand as they should, then the joint within the plane.
fn bend(chain: &mut Chain, joint: usize, limb: &Limb, goal: &Goal) {
    let along_upper = math::unit(goal.joint - limb.root).unwrap_or(limb.along_upper);
    let axis = math::across(goal.axis, along_upper).unwrap_or_else(|| math::any_across(along_upper));
    let axis_before = math::across(limb.axis, limb.along_upper).unwrap_or_else(|| math::any_across(limb.along_upper));
    chain.turn(
        0,
        math::frame_turn((limb.along_upper, axis_before), (along_upper, axis)),
    );
    let middle = chain.links[joint].position;
    if let (Some(is), Some(should)) = (math::unit(chain.tip() - middle), math::unit(goal.tip - middle)) {
        chain.turn(joint, math::arc(is, should, axis));
    }
}
