use std::sync::Arc;

use glam::Vec3;

use super::{Body, Driver, Named, chain_by_name, same_names, sealed};
use crate::{Chain, ChainRole, Error, LookAtParams, Result, Rig, Status, Turn, look_at, math};

/// Settings of a character that watches something.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct IkLookAt {
    /// The lowest bone that turns, by name, for a rig without roles. Where neither end is named, the run from spine to head
    /// comes from the roles; one end alone is refused.
    pub root_bone: String,
    /// The head by name.
    pub tip_bone: String,
    /// The head's own forward, first component.
    pub axis_x: f32,
    /// The head's own forward, second component.
    pub axis_y: f32,
    /// The head's own forward, third component: `+Z` unless the model is built along another. The wrong axis is the classic
    /// way to a mangled pose.
    pub axis_z: f32,
    /// The share of the turn that the bones below the head take: 0 turns the head alone.
    pub body_weight: f32,
    /// The largest turn away from where the head faces at rest, in degrees.
    pub clamp_angle: f32,
    /// How much of the solve is taken, 0 to 1.
    pub weight: f32,
}

impl Default for IkLookAt {
    fn default() -> Self {
        let LookAtParams {
            axis,
            body_weight,
            clamp_degrees,
            weight,
            ..
        } = LookAtParams::default();
        Self {
            root_bone: String::new(),
            tip_bone: String::new(),
            axis_x: axis.x,
            axis_y: axis.y,
            axis_z: axis.z,
            body_weight,
            clamp_angle: clamp_degrees,
            weight,
        }
    }
}

/// What a look-at is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct LookState {
    /// Whether it ran.
    pub ready: bool,
    /// What it did or waits for.
    pub status: Status,
    /// The bones of its chain; 0 where there is none.
    pub bone_count: usize,
    /// Whether the head is turned as far as allowed and still faces away.
    pub clamped: bool,
    /// The clamp it ran with, in degrees.
    pub clamp_angle: f32,
    /// The share that the bones below the head took.
    pub body_weight: f32,
    /// The weight it ran with: the one set, held to 0 to 1.
    pub weight: f32,
    /// Why there is no chain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::message"))]
    pub error: Option<Arc<Error>>,
}

impl sealed::Settings for IkLookAt {
    type Bones = Named;
    type Run = Chain;

    fn same_bones(&self, bones: &Named) -> bool {
        same_names(bones, Some(ChainRole::Spine), &self.root_bone, &self.tip_bone)
    }

    fn bones(&self) -> Named {
        (Some(ChainRole::Spine), self.root_bone.clone(), self.tip_bone.clone())
    }

    fn resolve(&self, rig: &Rig) -> Result<Chain> {
        chain_by_name(rig, Some(ChainRole::Spine), &self.root_bone, &self.tip_bone)
    }
}

impl Driver<IkLookAt> {
    /// Turns a body to look at a target in world space; none leaves the pose alone.
    pub fn solve(&mut self, body: &mut Body<'_>, target_world: Option<Vec3>) -> LookState {
        let IkLookAt {
            axis_x,
            axis_y,
            axis_z,
            body_weight,
            clamp_angle,
            weight,
            ..
        } = self.params;
        let state = |status: Status, chain: Option<&Chain>, error| LookState {
            ready: status.is_ready(),
            status,
            bone_count: chain.map_or(0, Chain::len),
            clamped: status == Status::Clamped,
            clamp_angle,
            body_weight: math::weight_run(body_weight),
            weight: math::weight_run(weight),
            error,
        };
        let chain = match Self::run(&self.params, &mut self.resolved, body) {
            Ok(chain) => chain,
            Err((status, error)) => return state(status, None, error),
        };
        let (Some(rig), Some(target)) = (body.rig, target_world) else {
            return state(Status::NoTarget, Some(chain), None);
        };
        chain.load(rig, body.pose);
        let target = body.placement.world_to_model(target);
        let axis = Vec3::new(axis_x, axis_y, axis_z);
        let Turn { status, .. } = look_at(
            chain,
            &LookAtParams {
                target,
                axis,
                body_weight,
                clamp_degrees: clamp_angle,
                weight,
            },
        );
        chain.store(body.pose);
        state(status, Some(chain), None)
    }
}
