use std::sync::Arc;

use glam::Vec3;

use super::{Body, Driver, Named, chain_by_name, same_names, sealed};
use crate::{AimParams, Chain, ChainRole, Error, Result, Rig, Status, Turn, aim, math};

/// Settings of a chain that is turned until an axis of its tip points at a target: a weapon's barrel, a turret, a sensor,
/// a spotlight.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct IkAim {
    /// Which chain, on any humanoid.
    pub role: Option<ChainRole>,
    /// The chain's root by name. It may be the tip itself. Both ends win over the role; one alone is refused.
    pub root_bone: String,
    /// The chain's tip by name.
    pub tip_bone: String,
    /// The tip's own aiming direction, first component.
    pub axis_x: f32,
    /// The tip's own aiming direction, second component.
    pub axis_y: f32,
    /// The tip's own aiming direction, third component: `+Z` unless the model is built along another.
    pub axis_z: f32,
    /// How much of the solve is taken, 0 to 1.
    pub weight: f32,
    /// The most rounds.
    pub iterations: u32,
}

impl Default for IkAim {
    fn default() -> Self {
        let AimParams {
            axis,
            weight,
            iterations,
            ..
        } = AimParams::default();
        Self {
            role: None,
            root_bone: String::new(),
            tip_bone: String::new(),
            axis_x: axis.x,
            axis_y: axis.y,
            axis_z: axis.z,
            weight,
            iterations,
        }
    }
}

/// What an aim is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct AimState {
    /// Whether it ran.
    pub ready: bool,
    /// What it did or waits for.
    pub status: Status,
    /// The bones of its chain; 0 where there is none.
    pub bone_count: usize,
    /// The angle still between the tip's axis and the target. If it stays large, look at the axis first.
    pub aim_error_degrees: f32,
    /// The weight it ran with: the one set, held to 0 to 1.
    pub weight: f32,
    /// Why there is no chain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::message"))]
    pub error: Option<Arc<Error>>,
}

impl sealed::Settings for IkAim {
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

impl Driver<IkAim> {
    /// Aims the chain of a body at a target in world space.
    pub fn solve(&mut self, body: &mut Body<'_>, target_world: Option<Vec3>) -> AimState {
        let IkAim {
            axis_x,
            axis_y,
            axis_z,
            weight,
            iterations,
            ..
        } = self.params;
        let state = |status: Status, chain: Option<&Chain>, turn: Option<Turn>, error| AimState {
            ready: status.is_ready(),
            status,
            bone_count: chain.map_or(0, Chain::len),
            aim_error_degrees: turn.map_or(0.0, |turn| turn.error_degrees),
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
        let target = body.placement.world_to_model(target);
        let turn = aim(
            chain,
            &AimParams {
                target,
                axis: Vec3::new(axis_x, axis_y, axis_z),
                weight,
                iterations,
            },
        );
        chain.store(body.pose);
        state(turn.status, Some(chain), Some(turn), None)
    }
}
