use glam::{DQuat, DVec3, Quat, Vec3};

use crate::pose::{Joint, path_above};
use crate::{BoneId, ChainRole, Error, Limit, Pose, Result, Rig, Role, math};

/// A turn that changes no component by more than this is not written: a solver that runs on its own result every frame
/// then stands still to the bit, instead of wandering by the rounding of f32.
const SETTLED: f64 = 4e-7;

/// A run of bones from a root down to a tip, with what a solver works on.
///
/// A chain is resolved once (that allocates) and then used every frame (that does not): [`Chain::load`] reads a pose, a
/// solver rewrites the local rotations, [`Chain::store`] writes them back. Translations and scales are never changed.
/// Positions and rotations are in the rig's model space and kept in f64.
#[derive(Debug, Clone)]
pub struct Chain {
    pub(crate) links: Vec<Link>,
    /// The bones above the root, from the model's own down.
    above: Vec<usize>,
    base: Joint,
    joint: Option<usize>,
    /// The turn axis at the root that bends a straight chain, in the root bone's own space.
    bend_axis: DVec3,
    finite: bool,
    /// Whether the rig it was loaded over has all of its bones.
    fits: bool,
}

/// One bone of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    bone: BoneId,
    pub(crate) rest: DQuat,
    pub(crate) limit: Option<Limit>,
    /// From the link before, in that link's own space, scale included.
    pub(crate) offset: DVec3,
    /// To the next link; 0 at the tip.
    pub(crate) length: f64,
    stored: Quat,
    pub(crate) local: DQuat,
    /// The local turn that came in, to blend from.
    incoming: DQuat,
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
    /// A working position for solvers that move points.
    pub(crate) point: DVec3,
}

/// Whether a chain is long enough to touch a point, and can fold far enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum Reach {
    /// The point is inside the band.
    Within,
    /// The point is farther from the root than the chain is long.
    TooFar,
    /// The point is nearer to the root than the chain can fold.
    TooClose,
}

impl Chain {
    /// The chain from `root` down to `tip`; one bone where they are the same. It stands in the rig's rest pose.
    ///
    /// # Errors
    /// [`Error::NotDescendant`] where `tip` does not hang below `root`.
    pub fn between(rig: &Rig, root: BoneId, tip: BoneId) -> Result<Self> {
        let mut run = path_above(rig, tip);
        run.push(tip.0);
        let Some(start) = run
            .iter()
            .position(|bone| *bone == root.0)
            .filter(|_| rig.get(tip).is_some())
        else {
            return Err(Error::NotDescendant {
                root: rig.name_of(root),
                tip: rig.name_of(tip),
            });
        };
        let above = run[..start].to_vec();
        let links: Vec<Link> = run[start..].iter().map(|bone| Link::new(rig, *bone)).collect();
        let joint = (links.len() == 3).then_some(1);
        let mut chain = Self {
            links,
            above,
            base: Joint::MODEL,
            joint,
            bend_axis: DVec3::X,
            finite: true,
            fits: true,
        };
        chain.load(rig, &rig.rest_pose());
        chain.bend_axis = chain.resting_bend_axis(DVec3::Z);
        Ok(chain)
    }

    /// The chain of a role. A limb bends at its own joint even where there are twist bones between; the spine runs from
    /// the first of `spine`, `spine1`, `spine2` and `neck` that the rig fills to `head`.
    ///
    /// # Errors
    /// [`Error::RoleUnfilled`], [`Error::NotDescendant`] or [`Error::NotBetween`].
    pub fn of_role(rig: &Rig, chain: ChainRole) -> Result<Self> {
        let filled = |role| rig.role(role).ok_or(Error::RoleUnfilled { chain, role });
        let Some([root, joint, tip]) = chain.limb() else {
            let tip = filled(Role::Head)?;
            let back = [Role::Spine, Role::Spine1, Role::Spine2, Role::Neck];
            let root = back.into_iter().find_map(|role| rig.role(role)).unwrap_or(tip);
            return Self::between(rig, root, tip);
        };
        let (root, joint, tip) = (filled(root)?, filled(joint)?, filled(tip)?);
        let mut limb = Self::between(rig, root, tip)?;
        limb.set_joint(rig, joint)?;
        // A straight knee bends forward and a straight elbow back, where the character faces +Z.
        let bends_toward = match chain {
            ChainRole::LeftLeg | ChainRole::RightLeg => DVec3::Z,
            _ => DVec3::NEG_Z,
        };
        limb.bend_axis = limb.resting_bend_axis(bends_toward);
        Ok(limb)
    }

    /// Names the bone at which [`two_bone`](crate::two_bone) bends a chain of more than three.
    ///
    /// # Errors
    /// [`Error::NotBetween`] where the bone is not strictly between root and tip.
    pub fn set_joint(&mut self, rig: &Rig, joint: BoneId) -> Result<()> {
        let place = self.links.iter().position(|link| link.bone == joint);
        let between = place.filter(|place| *place > 0 && *place + 1 < self.links.len());
        self.joint = Some(between.ok_or_else(|| Error::NotBetween {
            name: rig.name_of(joint),
        })?);
        self.load(rig, &rig.rest_pose());
        self.bend_axis = self.resting_bend_axis(DVec3::Z);
        Ok(())
    }

    /// Gives one of the chain's bones a limit, or takes it away. Chains begin with the limits of their rig. A number
    /// past the chain's end changes nothing and answers false.
    pub fn set_limit(&mut self, index: usize, limit: Option<Limit>) -> bool {
        self.links.get_mut(index).map(|link| link.limit = limit).is_some()
    }

    /// Reads a pose: local rotations, translations and scales of the chain's bones and of those above it, and runs
    /// forward kinematics over both. A pose with fewer bones than the rig leaves those it lacks at rest. Over a rig that
    /// lacks one of the chain's bones, which is then not the one it was resolved from, solvers refuse with
    /// [`Status::PoseMismatch`](crate::Status::PoseMismatch).
    pub fn load(&mut self, rig: &Rig, pose: &Pose) {
        self.forward_base(rig, pose);
        let mut joint = self.base;
        for link in &mut self.links {
            let local = pose.local(rig, link.bone.0);
            self.finite &= local.translation.is_finite() && local.rotation.is_finite() && local.scale.is_finite();
            link.stored = local.rotation;
            link.local = math::wide(local.rotation);
            link.incoming = link.local;
            link.offset = joint.offset(&local);
            joint = joint.child(&local);
            link.position = joint.position;
            link.rotation = joint.rotation;
        }
        for index in 1..self.links.len() {
            self.links[index - 1].length = self.links[index].offset.length();
        }
    }

    /// Runs forward kinematics over the bones above the chain's root: what puts an arm at its shoulder and not at the
    /// character's origin. [`Chain::load`] does this too.
    pub fn forward_base(&mut self, rig: &Rig, pose: &Pose) {
        self.base = pose.follow(rig, &self.above);
        let finite = |index: &usize| {
            let local = pose.local(rig, *index);
            local.translation.is_finite() && local.rotation.is_finite() && local.scale.is_finite()
        };
        self.finite = self.above.iter().all(finite);
        let has = |index: usize| index < rig.len();
        self.fits = self.above.iter().all(|index| has(*index)) && self.links.iter().all(|link| has(link.bone.0));
    }

    /// Runs forward kinematics over the chain's own bones, after local rotations were changed by hand. Solvers have done
    /// it when they return.
    pub fn forward(&mut self) {
        self.forward_from(0);
    }

    /// Writes the chain's local rotations into a pose; translations and scales stay as they are there.
    pub fn store(&self, pose: &mut Pose) {
        for link in &self.links {
            if let Some(transform) = pose.get_mut(link.bone) {
                transform.rotation = link.stored;
            }
        }
    }

    /// How many bones the chain has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a chain has at least one bone")]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// The chain's bones from root to tip.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = BoneId> + '_ {
        self.links.iter().map(|link| link.bone)
    }

    /// A bone's turn relative to its parent.
    #[must_use]
    pub fn local_rotation(&self, index: usize) -> Option<Quat> {
        self.links.get(index).map(|link| link.stored)
    }

    /// Turns a bone relative to its parent; [`Chain::forward`] then moves those below. False past the chain's end.
    pub fn set_local_rotation(&mut self, index: usize, rotation: Quat) -> bool {
        let Some(link) = self.links.get_mut(index) else {
            return false;
        };
        link.stored = rotation;
        link.local = math::wide(rotation);
        link.incoming = link.local;
        self.finite &= rotation.is_finite();
        true
    }

    /// A bone's origin in model space.
    #[must_use]
    pub fn position(&self, index: usize) -> Option<Vec3> {
        self.links.get(index).map(|link| math::narrow(link.position))
    }

    /// A bone's turn in model space.
    #[must_use]
    pub fn rotation(&self, index: usize) -> Option<Quat> {
        self.links.get(index).map(|link| link.rotation.as_quat())
    }

    /// The tip's origin in model space.
    #[must_use]
    pub fn tip_position(&self) -> Vec3 {
        math::narrow(self.tip())
    }

    /// The length from a bone to the next, scale included; `None` at the tip and past it.
    #[must_use]
    pub fn segment_length(&self, index: usize) -> Option<f32> {
        (index + 1 < self.links.len()).then(|| math::narrow_length(self.links[index].length))
    }

    /// How far the chain reaches: the sum of its segments.
    #[must_use]
    pub fn reach(&self) -> f32 {
        math::narrow_length(self.total())
    }

    /// The nearest the tip can come to the root: 0 unless one segment is longer than all others together.
    #[must_use]
    pub fn inner_reach(&self) -> f32 {
        math::narrow_length(self.dead_zone())
    }

    /// Whether a point of model space is inside the band that the tip can touch.
    #[must_use]
    pub fn reach_of(&self, target_model: Vec3) -> Reach {
        let distance = (target_model.as_dvec3() - self.root()).length();
        let room = self.total() * 1e-6;
        if distance > self.total() + room {
            Reach::TooFar
        } else if distance < self.dead_zone() - room {
            Reach::TooClose
        } else {
            Reach::Within
        }
    }

    /// Turns a bone by a turn of model space about its own joint, and carries the bones below it along. False past the
    /// chain's end.
    pub fn rotate_global(&mut self, index: usize, turn_model: Quat) -> bool {
        if index >= self.links.len() {
            return false;
        }
        self.turn(index, math::wide(turn_model));
        let link = &mut self.links[index];
        link.stored = link.local.as_quat();
        link.incoming = link.local;
        true
    }

    // What solvers use.

    pub(crate) fn is_finite(&self) -> bool {
        self.finite
    }

    pub(crate) fn fits(&self) -> bool {
        self.fits
    }

    pub(crate) fn root(&self) -> DVec3 {
        self.links.first().map_or(DVec3::ZERO, |link| link.position)
    }

    pub(crate) fn tip(&self) -> DVec3 {
        self.links.last().map_or(DVec3::ZERO, |link| link.position)
    }

    pub(crate) fn total(&self) -> f64 {
        self.links.iter().map(|link| link.length).sum()
    }

    pub(crate) fn dead_zone(&self) -> f64 {
        let longest = self.links.iter().map(|link| link.length).fold(0.0, f64::max);
        (2.0 * longest - self.total()).max(0.0)
    }

    pub(crate) fn joint(&self) -> Option<usize> {
        self.joint
    }

    pub(crate) fn has_limits(&self) -> bool {
        self.links.iter().any(|link| link.limit.is_some())
    }

    /// The bend axis of a straight chain, in model space: it turns with the root bone as a knee's does.
    pub(crate) fn bend_axis(&self) -> DVec3 {
        self.links
            .first()
            .map_or(DVec3::X, |link| link.rotation * self.bend_axis)
    }

    /// The model-space rotation of a link's parent.
    pub(crate) fn parent_rotation(&self, index: usize) -> DQuat {
        if index == 0 {
            self.base.rotation
        } else {
            self.links[index - 1].rotation
        }
    }

    /// Turns a link in model space about its own joint, holds it to its limit, and moves those below.
    pub(crate) fn turn(&mut self, index: usize, turn_model: DQuat) {
        let parent = self.parent_rotation(index);
        let link = &mut self.links[index];
        link.local = math::normalized(parent.conjugate() * turn_model * link.rotation);
        self.forward_from(index);
    }

    /// [`Chain::turn`], held to the link's limit.
    pub(crate) fn turn_within_limit(&mut self, index: usize, turn_model: DQuat) {
        self.turn_one(index, turn_model);
        self.forward_from(index + 1);
    }

    /// Places one link from the one before it, and leaves those below where they were.
    pub(crate) fn forward_one(&mut self, index: usize) {
        let (position, rotation) = match index.checked_sub(1).and_then(|before| self.links.get(before)) {
            Some(before) => (before.position, before.rotation),
            None => (self.base.position, self.base.rotation),
        };
        if let Some(link) = self.links.get_mut(index) {
            link.position = position + rotation * link.offset;
            link.rotation = math::normalized(rotation * link.local);
        }
    }

    /// [`Chain::turn_within_limit`] of one link, leaving those below where they were.
    pub(crate) fn turn_one(&mut self, index: usize, turn_model: DQuat) {
        let parent = self.parent_rotation(index);
        let link = &mut self.links[index];
        link.local = math::normalized(parent.conjugate() * turn_model * link.rotation);
        if let Some(held) = link.limit.and_then(|limit| limit.held(link.rest, link.local)) {
            link.local = held;
        }
        link.rotation = math::normalized(parent * link.local);
    }

    /// Turns a link so that it stands at a rotation of model space, within its limit.
    pub(crate) fn face(&mut self, index: usize, rotation_model: DQuat) {
        let turn = rotation_model * self.links[index].rotation.conjugate();
        self.turn_within_limit(index, turn);
    }

    /// The turn of a link that best brings `from` onto `to`: about the hinge alone where it has one.
    pub(crate) fn best_turn(&self, index: usize, from: DVec3, to: DVec3) -> DQuat {
        let link = &self.links[index];
        match link.limit.as_ref().and_then(Limit::hinge_axis) {
            Some(axis) => {
                let axis_model = self.parent_rotation(index) * (link.rest * axis);
                math::arc_about(axis_model, from, to).unwrap_or(DQuat::IDENTITY)
            }
            None => math::arc(from, to, self.bend_axis()),
        }
    }

    /// Forward kinematics from a link on.
    pub(crate) fn forward_from(&mut self, start: usize) {
        let (mut position, mut rotation) = match start.checked_sub(1).and_then(|before| self.links.get(before)) {
            Some(before) => (before.position, before.rotation),
            None => (self.base.position, self.base.rotation),
        };
        for link in self.links.iter_mut().skip(start) {
            position += rotation * link.offset;
            rotation = math::normalized(rotation * link.local);
            link.position = position;
            link.rotation = rotation;
        }
    }

    /// Brings every bone above the tip onto its limit, before a solver measures how far it has to go.
    pub(crate) fn hold_limits(&mut self) {
        let last = self.links.len().saturating_sub(1);
        for link in &mut self.links[..last] {
            if let Some(held) = link.limit.and_then(|limit| limit.held(link.rest, link.local)) {
                link.local = held;
            }
        }
        self.forward();
    }

    /// Ends a solve: holds the limits of the bones that were turned, blends from what came in by `weight`, rounds to what
    /// is stored, and leaves a bone that has not moved as it was, to the bit.
    pub(crate) fn commit(&mut self, weight: f64) {
        for link in self.links.iter_mut().filter(|link| link.local != link.incoming) {
            if let Some(held) = link.limit.and_then(|limit| limit.held(link.rest, link.local)) {
                link.local = held;
            }
            if weight < 1.0 {
                link.local = math::blend(link.incoming, link.local, weight);
            }
            let nearest = if link.incoming.dot(link.local) < 0.0 {
                -link.local
            } else {
                link.local
            };
            if (nearest - link.incoming).length() > SETTLED {
                link.stored = nearest.as_quat();
            }
            link.local = math::wide(link.stored);
            link.incoming = link.local;
        }
        self.forward();
    }

    /// The axis that bends the chain as it bends at rest or, where it is straight there, toward a side; in the root
    /// bone's own space.
    fn resting_bend_axis(&self, toward: DVec3) -> DVec3 {
        let middle = self.joint.unwrap_or(self.links.len() / 2);
        let (Some(root), Some(joint)) = (self.links.first(), self.links.get(middle)) else {
            return DVec3::X;
        };
        let (upper, lower) = (joint.position - root.position, self.tip() - joint.position);
        let bent = |axis: &DVec3| axis.length() > 1e-3;
        let axis = match (math::unit(upper), math::unit(lower)) {
            (Some(upper), Some(lower)) => Some(upper.cross(lower)).filter(bent).and_then(math::unit),
            _ => None,
        };
        let along = math::unit(self.tip() - root.position).unwrap_or(DVec3::NEG_Y);
        // The joint moves to the side `toward`: the limb turns from there back to its line.
        let side = || math::across(toward, along).unwrap_or_else(|| math::any_across(along));
        let axis = axis.unwrap_or_else(|| side().cross(along));
        root.rotation.conjugate() * axis
    }
}

impl Link {
    fn new(rig: &Rig, bone: usize) -> Self {
        let (rest, limit) = rig
            .get(BoneId(bone))
            .map_or((Quat::IDENTITY, None), |b| (b.rest.rotation, b.limit));
        Self {
            bone: BoneId(bone),
            rest: math::wide(rest),
            limit,
            offset: DVec3::ZERO,
            length: 0.0,
            stored: rest,
            local: DQuat::IDENTITY,
            incoming: DQuat::IDENTITY,
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            point: DVec3::ZERO,
        }
    }
}
