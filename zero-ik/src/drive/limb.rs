use std::sync::Arc;

use glam::Vec3;

use super::{Body, Driver, Named, chain_by_name, same_names, sealed};
use crate::{Chain, ChainRole, Error, Result, Rig, Solve, Status, TwoBoneParams, math, two_bone};

/// Settings of a limb: an arm or a leg whose tip lands on a target, exactly and in one step.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct IkLimb {
    /// Which limb, on any humanoid.
    pub role: Option<ChainRole>,
    /// The limb's root by name, for a rig without roles. Both ends win over the role; one alone is refused.
    pub root_bone: String,
    /// The limb's tip by name. The joint between comes from the rig's parent links.
    pub tip_bone: String,
    /// How much of the solve is taken, 0 to 1.
    pub weight: f32,
}

impl Default for IkLimb {
    fn default() -> Self {
        Self {
            role: None,
            root_bone: String::new(),
            tip_bone: String::new(),
            weight: 1.0,
        }
    }
}

impl IkLimb {
    /// A limb by role.
    #[must_use]
    pub fn of(role: ChainRole) -> Self {
        Self {
            role: Some(role),
            ..Self::default()
        }
    }
}

/// What a limb is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct LimbState {
    /// Whether it ran.
    pub ready: bool,
    /// What it did or waits for.
    pub status: Status,
    /// The bones of its chain; 0 where there is none.
    pub bone_count: usize,
    /// How far it reaches, in the rig's units.
    pub reach: f32,
    /// How far the tip still is from the target after the solve, in the rig's units.
    pub distance_to_target: f32,
    /// Whether a pole steers the joint.
    pub has_pole: bool,
    /// The weight it ran with: the one set, held to 0 to 1.
    pub weight: f32,
    /// Why there is no chain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::message"))]
    pub error: Option<Arc<Error>>,
}

impl sealed::Settings for IkLimb {
    type Bones = Named;
    type Run = Chain;

    fn same_bones(&self, bones: &Named) -> bool {
        same_names(bones, self.role, &self.root_bone, &self.tip_bone)
    }

    fn bones(&self) -> Named {
        (self.role, self.root_bone.clone(), self.tip_bone.clone())
    }

    fn resolve(&self, rig: &Rig) -> Result<Chain> {
        chain_by_name(rig, self.role, &self.root_bone, &self.tip_bone)
    }
}

impl Driver<IkLimb> {
    /// Drives the limb of a body toward a target in world space, its joint toward a pole in world space.
    pub fn solve(&mut self, body: &mut Body<'_>, target_world: Option<Vec3>, pole_world: Option<Vec3>) -> LimbState {
        let weight = self.params.weight;
        let state = |status: Status, chain: Option<&Chain>, solve: Option<Solve>, error| LimbState {
            ready: status.is_ready(),
            status,
            bone_count: chain.map_or(0, Chain::len),
            reach: chain.map_or(0.0, Chain::reach),
            distance_to_target: solve.map_or(0.0, |solve| solve.distance_to_target),
            has_pole: pole_world.is_some(),
            weight: math::weight_run(weight),
            error,
        };
        let chain = match Self::run(&self.params, &mut self.resolved, body) {
            Ok(chain) => chain,
            Err((status, error)) => return state(status, None, None, error),
        };
        let (Some(rig), Some(target)) = (body.rig, target_world) else {
            return state(Status::NoTarget, Some(chain), None, None);
        };
        chain.load(rig, body.pose);
        let to_model = |point: Vec3| body.placement.world_to_model(point);
        let params = TwoBoneParams {
            target: to_model(target),
            pole: pole_world.map(to_model),
            weight,
        };
        let solve = two_bone(chain, &params);
        chain.store(body.pose);
        state(solve.status, Some(chain), Some(solve), None)
    }
}
