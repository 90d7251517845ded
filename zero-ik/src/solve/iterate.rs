use glam::{DVec3, Vec3};

use super::{Solve, beyond, distance, ready, untouched};
use crate::{Chain, Status, math};

/// What [`ccd`] and [`fabrik`] are asked for, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterateParams {
    /// Where the tip should be.
    pub target: Vec3,
    /// How much of the solve is taken, 0 to 1: 0 leaves the pose as it is, to the bit.
    pub weight: f32,
    /// The most rounds; each visits every bone.
    pub iterations: u32,
    /// The distance to the target at which to stop, in the rig's units. A chain that is this close already is not touched.
    pub tolerance: f32,
}

impl Default for IterateParams {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            weight: 1.0,
            iterations: 16,
            tolerance: 1e-3,
        }
    }
}

/// Brings a chain's tip to a target by cyclic coordinate descent: from the tip back to the root, each bone turns the tip
/// toward the target. Holds limits well on short runs.
///
/// The tip's own local rotation is not changed. A chain without limits whose target is out of reach is laid straight
/// toward it. Wang and Chen, "A combined optimization method for solving the inverse kinematics problem of mechanical
/// manipulators", 1991.
pub fn ccd(chain: &mut Chain, params: &IterateParams) -> Solve {
    iterate(chain, params, |chain, target, goal| {
        let mut rounds = 0;
        while goal.wants_more(rounds, chain.tip()) {
            // Tip first curls a chain in, root first stretches it out: by turns each mends what the other does badly.
            sweep(chain, target, rounds % 2 == 0);
            rounds += 1;
        }
        rounds
    })
}

/// Brings a chain's tip to a target by forward and backward reaching: points are dragged along the chain from the target
/// to the root and back, and the bones turned to match. Faster than [`ccd`] on long floppy runs.
///
/// The tip's own local rotation is not changed. A chain without limits whose target is out of reach is laid straight
/// toward it. With limits, each round is turned into rotations that keep them and ends with a sweep of
/// [`ccd`]. Aristidou and
/// Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem", 2011.
pub fn fabrik(chain: &mut Chain, params: &IterateParams) -> Solve {
    iterate(chain, params, |chain, target, goal| {
        let limited = chain.has_limits();
        let mut rounds = 0;
        take_points(chain);
        while goal.wants_more(rounds, chain.links.last().map_or(target, |tip| tip.point)) {
            reach_back(chain, target);
            reach_out(chain);
            if limited {
                // What the limits take from the reached points, a sweep of turns that know them gives back.
                turn_to_points(chain);
                sweep(chain, target, rounds % 2 == 0);
                take_points(chain);
            }
            rounds += 1;
        }
        if !limited {
            turn_to_points(chain);
        }
        rounds
    })
}

/// When to stop.
struct Goal {
    target: DVec3,
    most: u32,
    tolerance: f64,
    /// Movement of the tip in a round below which nothing more will come.
    still: f64,
    last: Option<DVec3>,
    /// How much of the distance the last round took off, as a share of what it left.
    gain: f64,
}

impl Goal {
    fn wants_more(&mut self, rounds: u32, tip: DVec3) -> bool {
        let left = (tip - self.target).length();
        let moved = self.last.map(|last| (tip - last).length());
        self.gain = self
            .last
            .map_or(0.0, |last| ((last - self.target).length() - left) / left.max(1e-300));
        self.last = Some(tip);
        rounds < self.most && left > self.tolerance && moved.is_none_or(|moved| moved > self.still)
    }
}

/// One round of coordinate descent.
fn sweep(chain: &mut Chain, target: DVec3, tip_first: bool) {
    for step in 0..chain.len() - 1 {
        let index = if tip_first { chain.len() - 2 - step } else { step };
        let joint = chain.links[index].position;
        if let (Some(from), Some(to)) = (math::unit(chain.tip() - joint), math::unit(target - joint)) {
            chain.turn_within_limit(index, chain.best_turn(index, from, to));
        }
    }
}

/// What both solvers share: when to do nothing, chains that cannot get there, and straight ones that would never bend.
fn iterate(
    chain: &mut Chain,
    params: &IterateParams,
    solve: impl FnOnce(&mut Chain, DVec3, &mut Goal) -> u32,
) -> Solve {
    let weight = match ready(chain, params.target, params.weight) {
        Ok(weight) => weight,
        Err(status) => return untouched(chain, params.target, status),
    };
    if !params.tolerance.is_finite() {
        return untouched(chain, params.target, Status::NotFinite);
    }
    let reach = chain.total();
    if chain.len() < 2 || reach <= 0.0 {
        return untouched(chain, params.target, Status::Degenerate);
    }
    let target = params.target.as_dvec3();
    let tolerance = f64::from(params.tolerance).max(reach * 1e-7);
    let mut goal = Goal {
        target,
        most: params.iterations,
        tolerance,
        still: reach * 1e-9,
        last: None,
        gain: 0.0,
    };
    let limited = chain.has_limits();
    if limited {
        chain.hold_limits();
    }
    let out_of_band = beyond(chain, target);
    let mut done = 0;
    if (target - chain.tip()).length() > tolerance && params.iterations > 0 {
        if out_of_band == Some(Status::OutOfReach) && !limited {
            extend(chain, target);
        } else {
            unlock(chain, target);
            done = solve(chain, target, &mut goal);
        }
    }
    chain.commit(weight);
    let left = (target - chain.tip()).length();
    let status = match out_of_band {
        // A target a hair past the reach is met within tolerance all the same.
        _ if left <= tolerance + reach * 1e-6 => Status::OnTarget,
        Some(status) => status,
        None if weight < 1.0 => Status::Blended,
        // Rounds that still gained ground were too few; those that did not ran into the limits.
        None if limited && goal.gain < 0.01 => Status::HeldByLimit,
        None => Status::NotConverged,
    };
    Solve {
        status,
        distance_to_target: distance(chain, target),
        iterations: done,
    }
}

/// Lays the chain straight toward a target.
fn extend(chain: &mut Chain, target: DVec3) {
    let Some(toward) = math::unit(target - chain.root()) else {
        return;
    };
    for index in 0..chain.len() - 1 {
        let segment = chain.links[index + 1].position - chain.links[index].position;
        if let Some(from) = math::unit(segment) {
            chain.turn(index, chain.best_turn(index, from, toward));
        }
    }
}

/// A chain stretched along the line to its target would only ever be turned along that line. It is bent a little first,
/// each bone by the same angle and to the same side, the way it bends at rest.
fn unlock(chain: &mut Chain, target: DVec3) {
    const BEND_RAD: f64 = 0.05;
    let Some(toward) = math::unit(target - chain.root()).or_else(|| math::unit(chain.tip() - chain.root())) else {
        return;
    };
    let off_line = |link: &crate::chain::Link| {
        let from_root = link.position - chain.root();
        (from_root - toward * from_root.dot(toward)).length()
    };
    let widest = chain.links.iter().map(off_line).fold(0.0, f64::max);
    if widest > chain.total() * 1e-5 {
        return;
    }
    let axis = math::across(chain.bend_axis(), toward).unwrap_or_else(|| math::any_across(toward));
    for index in 0..chain.len() - 1 {
        let angle = if index == 0 { -BEND_RAD } else { BEND_RAD };
        chain.turn_within_limit(index, math::about(axis, angle));
    }
}

fn take_points(chain: &mut Chain) {
    for link in &mut chain.links {
        link.point = link.position;
    }
}

/// From the tip on the target back to the root.
fn reach_back(chain: &mut Chain, target: DVec3) {
    let mut anchor = target;
    for link in chain.links.iter_mut().rev() {
        // The tip has no segment of its own: it lands on the target.
        if link.length > 0.0 || link.point == anchor {
            link.point = along(anchor, link.point, link.length);
        } else {
            link.point = anchor;
        }
        anchor = link.point;
    }
}

/// From the root where it is back to the tip.
fn reach_out(chain: &mut Chain) {
    let mut anchor = chain.root();
    let mut length = 0.0;
    for link in &mut chain.links {
        link.point = along(anchor, link.point, length);
        (anchor, length) = (link.point, link.length);
    }
}

/// The point at `length` from `anchor` toward `point`. Points that fell together go any one way.
#[inline]
fn along(anchor: DVec3, point: DVec3, length: f64) -> DVec3 {
    if length == 0.0 {
        return anchor;
    }
    let away = point - anchor;
    let distance = away.length();
    if distance > 1e-100 {
        anchor + away * (length / distance)
    } else {
        anchor + DVec3::Y * length
    }
}

/// Turns each bone onto the segment that its point begins, root first, each from where the one before put it.
fn turn_to_points(chain: &mut Chain) {
    for index in 0..chain.len() {
        chain.forward_one(index);
        let Some(next) = chain.links.get(index + 1) else { break };
        let (segment, wanted) = (
            chain.links[index].rotation * next.offset,
            next.point - chain.links[index].position,
        );
        if let (Some(from), Some(to)) = (math::unit(segment), math::unit(wanted)) {
            chain.turn_one(index, chain.best_turn(index, from, to));
        }
    }
}
