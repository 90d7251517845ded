use std::sync::Arc;

use glam::Vec3;

use super::{Body, Driver, Named, chain_by_name, same_names, sealed};
use crate::{Chain, Error, IterateParams, Result, Rig, Solve, Status, TwoBoneParams, ccd, fabrik, math, two_bone};

/// Which solver brings an [`IkChain`] to its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum ChainSolver {
    /// [`ccd`]: holds limits well on short runs.
    #[default]
    Ccd,
    /// [`fabrik`]: converges faster on long floppy runs.
    Fabrik,
    /// [`two_bone`]: exact, for a chain of three bones.
    TwoBone,
}

/// Settings of any chain that names its bones: a crane's boom, a robot's arm, a tentacle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct IkChain {
    /// The chain's root, as the rig names it.
    pub root_bone: String,
    /// The chain's tip, a descendant of the root.
    pub tip_bone: String,
    /// Which solver.
    pub solver: ChainSolver,
    /// How much of the solve is taken, 0 to 1.
    pub weight: f32,
    /// The most rounds of an iterative solver.
    pub iterations: u32,
    /// The distance to the target at which an iterative solver stops, in the rig's units.
    pub tolerance: f32,
}

impl Default for IkChain {
    fn default() -> Self {
        let IterateParams {
            weight,
            iterations,
            tolerance,
            ..
        } = IterateParams::default();
        Self {
            root_bone: String::new(),
            tip_bone: String::new(),
            solver: ChainSolver::Ccd,
            weight,
            iterations,
            tolerance,
        }
    }
}

/// What a chain is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct ChainState {
    /// Whether it ran.
    pub ready: bool,
    /// What it did or waits for.
    pub status: Status,
    /// The bones of its chain; 0 where there is none.
    pub bone_count: usize,
    /// How far it reaches, in the rig's units.
    pub reach: f32,
    /// How far the tip still is from the target after the solve, in the rig's units: not the distance to compare against
    /// `reach`, for that see [`Chain::reach_of`].
    pub distance_to_target: f32,
    /// Which solver ran.
    pub solver: ChainSolver,
    /// The weight it ran with: the one set, held to 0 to 1.
    pub weight: f32,
    /// Why there is no chain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::message"))]
    pub error: Option<Arc<Error>>,
}

impl sealed::Settings for IkChain {
    type Bones = Named;
    type Run = Chain;

    fn same_bones(&self, bones: &Named) -> bool {
        same_names(bones, None, &self.root_bone, &self.tip_bone)
    }

    fn bones(&self) -> Named {
        (None, self.root_bone.clone(), self.tip_bone.clone())
    }

    fn resolve(&self, rig: &Rig) -> Result<Chain> {
        chain_by_name(rig, None, &self.root_bone, &self.tip_bone)
    }
}

impl Driver<IkChain> {
    /// Drives the chain of a body toward a target in world space.
    pub fn solve(&mut self, body: &mut Body<'_>, target_world: Option<Vec3>) -> ChainState {
        let (weight, solver) = (self.params.weight, self.params.solver);
        let state = |status: Status, chain: Option<&Chain>, solve: Option<Solve>, error| ChainState {
            ready: status.is_ready(),
            status,
            bone_count: chain.map_or(0, Chain::len),
            reach: chain.map_or(0.0, Chain::reach),
            distance_to_target: solve.map_or(0.0, |solve| solve.distance_to_target),
            solver,
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
        let IkChain {
            iterations, tolerance, ..
        } = self.params;
        let iterate = IterateParams {
            target,
            weight,
            iterations,
            tolerance,
        };
        let solve = match solver {
            ChainSolver::Ccd => ccd(chain, &iterate),
            ChainSolver::Fabrik => fabrik(chain, &iterate),
            ChainSolver::TwoBone => two_bone(
                chain,
                &TwoBoneParams {
                    target,
                    pole: None,
                    weight,
                },
            ),
        };
        chain.store(body.pose);
        state(solve.status, Some(chain), Some(solve), None)
    }
}
