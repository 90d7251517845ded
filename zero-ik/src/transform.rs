use glam::{DQuat, DVec3, Quat, Vec3};

use crate::math;

/// Where a bone stands relative to its parent: it scales, then turns, then moves.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Transform {
    /// The bone's origin in its parent's space, in the rig's units.
    pub translation: Vec3,
    /// The bone's turn in its parent's space; of unit length.
    pub rotation: Quat,
    /// The bone's scale. Scales multiply down the rig component by component: exact for even scales, and without the
    /// shear of uneven ones under a turn.
    pub scale: Vec3,
}

impl Transform {
    /// At the parent's origin, not turned, not scaled.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// Only moved.
    #[must_use]
    pub fn at(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The same with another turn.
    #[must_use]
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Where a character stands in the world: what brings its rig's model space into world space and back.
///
/// Chains solve in model space. A target in world space handed to a solver as it is would be wrong by whatever the body
/// is moved, turned and scaled by.
///
/// ```
/// use glam::{Quat, Vec3};
/// use zero_ik::Placement;
///
/// let giant = Placement { translation: Vec3::new(10.0, 0.0, 0.0), rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) };
/// assert_eq!(giant.world_to_model(Vec3::new(10.0, 3.0, 0.0)), Vec3::new(0.0, 1.5, 0.0));
/// assert_eq!(giant.model_to_world(Vec3::new(0.0, 1.5, 0.0)), Vec3::new(10.0, 3.0, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Placement {
    /// The model's origin in the world, in metres.
    pub translation: Vec3,
    /// The model's turn in the world; of unit length.
    pub rotation: Quat,
    /// The model's scale. An axis of scale 0 has no way back: points come back with 0 there.
    pub scale: Vec3,
}

impl Placement {
    /// Model space and world space are one.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// A point of model space in the world.
    #[must_use]
    pub fn model_to_world(&self, point_model: Vec3) -> Vec3 {
        let scaled = point_model.as_dvec3() * self.scale.as_dvec3();
        math::narrow(self.turn() * scaled + self.translation.as_dvec3())
    }

    /// A point of the world in model space.
    #[must_use]
    pub fn world_to_model(&self, point_world: Vec3) -> Vec3 {
        let moved = point_world.as_dvec3() - self.translation.as_dvec3();
        math::narrow(divide(self.turn().conjugate() * moved, self.scale.as_dvec3()))
    }

    /// A displacement of model space in the world, scale included.
    #[must_use]
    pub fn displacement_to_world(&self, displacement_model: Vec3) -> Vec3 {
        math::narrow(self.turn() * (displacement_model.as_dvec3() * self.scale.as_dvec3()))
    }

    /// A surface's normal in the world as a direction of model space; up where it has none.
    #[must_use]
    pub fn normal_to_model(&self, normal_world: Vec3) -> Vec3 {
        // Normals go by the inverse transpose: back by the scale that points are divided by.
        let turned = self.turn().conjugate() * normal_world.as_dvec3();
        math::unit(turned * self.scale.as_dvec3()).unwrap_or(DVec3::Y).as_vec3()
    }

    /// Whether every number of it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    fn turn(&self) -> DQuat {
        math::wide(self.rotation)
    }
}

impl Default for Placement {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Component by component, with 0 where the divisor is 0. What is not finite does not become 0 that way.
pub(crate) fn divide(value: DVec3, by: DVec3) -> DVec3 {
    let one = |value: f64, by: f64| {
        if by == 0.0 { value.abs() * 0.0 } else { value / by }
    };
    DVec3::new(one(value.x, by.x), one(value.y, by.y), one(value.z, by.z))
}
