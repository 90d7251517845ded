use glam::{DQuat, DVec3, Quat, Vec3};

use crate::transform::divide;
use crate::{BoneId, Rig, Transform, math};

/// The largest factor by which scales may multiply down a rig: past it, sums of squares would leave f64's range.
const MAX_SCALE: f64 = 1e30;

/// A pose buffer: one [`Transform`] a bone, relative to its parent, in the rig's order.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Pose {
    bones: Vec<Transform>,
}

impl Pose {
    /// A pose of these transforms, one a bone in the rig's order.
    #[must_use]
    pub fn from_transforms(bones: Vec<Transform>) -> Self {
        Self { bones }
    }

    /// The transforms in the rig's order.
    #[must_use]
    pub fn transforms(&self) -> &[Transform] {
        &self.bones
    }

    /// The transforms, to write an animation into.
    pub fn transforms_mut(&mut self) -> &mut [Transform] {
        &mut self.bones
    }

    /// One bone's transform.
    #[must_use]
    pub fn get(&self, bone: BoneId) -> Option<&Transform> {
        self.bones.get(bone.0)
    }

    /// One bone's transform, to change it.
    pub fn get_mut(&mut self, bone: BoneId) -> Option<&mut Transform> {
        self.bones.get_mut(bone.0)
    }

    /// How many bones it poses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Whether it poses no bone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// Takes over another pose's bones into this buffer. Allocates only where the other is longer than this ever was.
    pub fn copy_from(&mut self, other: &Self) {
        self.bones.clear();
        self.bones.extend_from_slice(&other.bones);
    }

    /// Where a bone stands in model space: its origin and its turn. `None` for a bone that the rig or the pose lacks.
    /// Follows the path down to the bone: for every bone at once see [`Pose::model_space`].
    #[must_use]
    pub fn model_of(&self, rig: &Rig, bone: BoneId) -> Option<(Vec3, Quat)> {
        rig.get(bone)?;
        self.get(bone)?;
        let mut path = path_above(rig, bone);
        path.push(bone.0);
        let joint = self.follow(rig, &path);
        Some((math::narrow(joint.position), joint.rotation.as_quat()))
    }

    /// Every bone's origin and turn in model space, written into `out` in the rig's order. A pose with fewer bones than
    /// the rig leaves those it lacks at rest.
    pub fn model_space(&self, rig: &Rig, out: &mut Vec<(Vec3, Quat)>) {
        let mut joints = vec![Joint::MODEL; rig.len()];
        for &index in rig.order() {
            let parent = rig.bones()[index].parent.map_or(Joint::MODEL, |parent| joints[parent]);
            joints[index] = parent.child(&self.local(rig, index));
        }
        out.clear();
        out.extend(
            joints
                .iter()
                .map(|joint| (math::narrow(joint.position), joint.rotation.as_quat())),
        );
    }

    /// Moves a bone by a displacement of model space, children and all. `above` is the bone's [`path_above`].
    pub(crate) fn move_in_model(&mut self, rig: &Rig, above: &[usize], bone: BoneId, displacement: DVec3) {
        let parent = self.follow(rig, above);
        let Some(transform) = self.get_mut(bone) else { return };
        let in_parent = divide(parent.rotation.conjugate() * displacement, parent.scale);
        transform.translation = math::narrow(transform.translation.as_dvec3() + in_parent);
    }

    /// Where the last bone of a path down from the model stands; the model itself for an empty path.
    pub(crate) fn follow(&self, rig: &Rig, path: &[usize]) -> Joint {
        path.iter()
            .fold(Joint::MODEL, |joint, index| joint.child(&self.local(rig, *index)))
    }

    pub(crate) fn local(&self, rig: &Rig, index: usize) -> Transform {
        self.bones
            .get(index)
            .copied()
            .or_else(|| rig.get(BoneId(index)).map(|bone| bone.rest))
            .unwrap_or_default()
    }
}

/// The bones above a bone, from the model's own down to its parent.
pub(crate) fn path_above(rig: &Rig, bone: BoneId) -> Vec<usize> {
    let parent_of = |bone: &usize| rig.get(BoneId(*bone)).and_then(|bone| bone.parent);
    let mut path: Vec<usize> = std::iter::successors(parent_of(&bone.0), parent_of).collect();
    path.reverse();
    path
}

/// A bone in model space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Joint {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
    pub(crate) scale: DVec3,
}

impl Joint {
    pub(crate) const MODEL: Self = Self {
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
    };

    /// The offset of a child from this bone, in this bone's own turned space.
    pub(crate) fn offset(&self, local: &Transform) -> DVec3 {
        self.scale * local.translation.as_dvec3()
    }

    pub(crate) fn child(&self, local: &Transform) -> Self {
        let edge = DVec3::splat(MAX_SCALE);
        Self {
            position: self.position + self.rotation * self.offset(local),
            rotation: math::normalized(self.rotation * math::wide(local.rotation)),
            scale: (self.scale * local.scale.as_dvec3()).clamp(-edge, edge),
        }
    }
}
