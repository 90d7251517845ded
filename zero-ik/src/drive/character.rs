use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use super::{Body, Driver, sealed};
use crate::pose::path_above;
use crate::{
    BoneId, Chain, ChainRole, Error, Foothold, Footing, GroundingParams, Hit, LookAtParams, Placement, Pose, Ray,
    Result, Rig, Role, Solve, Status, TwoBoneParams, look_at, math, pelvis_drop, two_bone,
};

/// Settings of a whole humanoid: both legs, both arms, a look-at, and feet that find the ground.
///
/// Everything is one pass in a fixed order: grounding, then legs, then spine and head, then arms. Grounding leads because
/// it moves the pelvis, from which every limb hangs. The head's forward is whatever faces +Z in the rest pose, so that no
/// axis needs to be named.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct IkRig {
    /// How much the left foot is drawn to its target, 0 to 1.
    pub left_foot_weight: f32,
    /// How much the right foot is drawn to its target, 0 to 1.
    pub right_foot_weight: f32,
    /// How much the left hand is drawn to its target, 0 to 1.
    pub left_hand_weight: f32,
    /// How much the right hand is drawn to its target, 0 to 1.
    pub right_hand_weight: f32,
    /// How much of the look is taken, 0 to 1.
    pub look_weight: f32,
    /// The largest turn of the head away from where it faces at rest, in degrees.
    pub look_clamp_angle: f32,
    /// The share of the look that the bones below the head take.
    pub look_body_weight: f32,
    /// Whether feet find the ground by a ray each, and the pelvis comes down so that neither leg reaches too far.
    pub grounding: bool,
    /// How far a foot may tilt onto a steep face, in degrees.
    pub grounding_max_slope: f32,
    /// How far the foot's origin sits above its sole, in the rig's units; none takes its height in the rest pose.
    pub grounding_foot_height: Option<f32>,
    /// The time in which half of a change of the ground is taken up, in seconds.
    pub grounding_half_life: f32,
    /// How far above the foot its ray starts, in the rig's units.
    pub grounding_ray_up: f32,
    /// How far below the foot its ray ends, in the rig's units; also the furthest that the pelvis comes down.
    pub grounding_ray_down: f32,
}

impl Default for IkRig {
    fn default() -> Self {
        let ground = GroundingParams::default();
        let look = LookAtParams::default();
        Self {
            left_foot_weight: 1.0,
            right_foot_weight: 1.0,
            left_hand_weight: 1.0,
            right_hand_weight: 1.0,
            look_weight: 1.0,
            look_clamp_angle: look.clamp_degrees,
            look_body_weight: look.body_weight,
            grounding: false,
            grounding_max_slope: ground.max_slope_degrees,
            grounding_foot_height: ground.foot_height,
            grounding_half_life: ground.half_life_secs,
            grounding_ray_up: ground.ray_up,
            grounding_ray_down: ground.ray_down,
        }
    }
}

impl IkRig {
    /// The settings of the grounding as [`Footing`] takes them.
    #[must_use]
    pub fn grounding_params(&self) -> GroundingParams {
        GroundingParams {
            max_slope_degrees: self.grounding_max_slope,
            foot_height: self.grounding_foot_height,
            half_life_secs: self.grounding_half_life,
            ray_up: self.grounding_ray_up,
            ray_down: self.grounding_ray_down,
        }
    }
}

/// What a character reaches and looks for this frame, in world space; what is none is left to the animation and, for feet,
/// to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigTargets {
    /// Where the left foot goes: wins over the ground.
    pub left_foot: Option<Vec3>,
    /// Where the right foot goes: wins over the ground.
    pub right_foot: Option<Vec3>,
    /// Where the left hand goes.
    pub left_hand: Option<Vec3>,
    /// Where the right hand goes.
    pub right_hand: Option<Vec3>,
    /// What is looked at.
    pub look: Option<Vec3>,
}

/// What a whole character is doing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct RigState {
    /// Whether it ran.
    pub ready: bool,
    /// What it did or waits for.
    pub status: Status,
    /// How far grounding moved the pelvis, in the rig's units: never above 0, and about 0 on flat ground whether grounding
    /// works or not, so read the feet's `grounded`.
    pub pelvis_offset: f32,
    /// Left foot, right foot, left hand, right hand.
    pub limbs: [LimbReport; 4],
    /// The look.
    pub look: LookReport,
    /// The first thing that the rig lacks for what is asked of it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::message"))]
    pub error: Option<Arc<Error>>,
}

/// What one limb of a character is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct LimbReport {
    /// Which limb.
    pub role: ChainRole,
    /// What it did.
    pub status: Status,
    /// The weight of its target; 1 for a foot that follows the ground, 0 where nothing draws it.
    pub weight: f32,
    /// How far the tip still is from its target, in the rig's units.
    pub distance_to_target: f32,
    /// Whether the foot's ray met ground this frame; false for a hand.
    pub grounded: bool,
    /// How far the ground moves the foot up, in the rig's units; below 0 for down. 0 for a hand.
    pub lift: f32,
}

/// What the look of a character is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct LookReport {
    /// What it did.
    pub status: Status,
    /// Whether the head is turned as far as allowed and still faces away.
    pub clamped: bool,
    /// The weight of the look; 0 without a target.
    pub weight: f32,
}

/// What a character's settings resolve to.
#[derive(Debug, Clone)]
pub struct Run {
    legs: [Limb; 2],
    arms: [Limb; 2],
    spine: Result<Chain, Arc<Error>>,
    /// What faces +Z at rest, in the head's own space.
    forward: Vec3,
    hips: Result<(BoneId, Vec<usize>), Arc<Error>>,
}

#[derive(Debug, Clone)]
struct Limb {
    role: ChainRole,
    chain: Result<Chain, Arc<Error>>,
    footing: Footing,
    /// How high the tip stands at rest.
    rest_height: f32,
}

impl Limb {
    fn resolve(rig: &Rig, role: ChainRole) -> Self {
        let chain = rig.chain_of(role).map_err(Arc::new);
        let rest_height = chain.as_ref().map_or(0.0, |chain| chain.tip_position().y);
        Self {
            role,
            chain,
            footing: Footing::new(),
            rest_height,
        }
    }

    fn idle(&self) -> LimbReport {
        idle(self.role)
    }
}

fn idle(role: ChainRole) -> LimbReport {
    LimbReport {
        role,
        status: Status::NoTarget,
        weight: 0.0,
        distance_to_target: 0.0,
        grounded: false,
        lift: 0.0,
    }
}

impl sealed::Settings for IkRig {
    type Bones = ();
    type Run = Run;

    fn same_bones(&self, (): &()) -> bool {
        true
    }

    fn bones(&self) {}

    fn resolve(&self, rig: &Rig) -> Result<Run> {
        let spine = rig.chain_of(ChainRole::Spine).map_err(Arc::new);
        let head = spine.as_ref().ok().and_then(|spine| spine.rotation(spine.len() - 1));
        Ok(Run {
            legs: [ChainRole::LeftLeg, ChainRole::RightLeg].map(|role| Limb::resolve(rig, role)),
            arms: [ChainRole::LeftArm, ChainRole::RightArm].map(|role| Limb::resolve(rig, role)),
            spine,
            forward: head.unwrap_or(Quat::IDENTITY).conjugate() * Vec3::Z,
            hips: match rig.role(Role::Hips) {
                Some(hips) => Ok((hips, path_above(rig, hips))),
                None => Err(Arc::new(Error::NoHips)),
            },
        })
    }
}

impl Driver<IkRig> {
    /// Runs the whole character: grounding by way of `probe`, which casts a ray into the world and answers where it met
    /// the ground, then legs, spine and head, and arms. `dt_secs` is the time since the last frame.
    ///
    /// The pose must be this frame's animation and not what this function left in it before, for feet are placed relative
    /// to where the animation has them: [`IkNode`](crate::IkNode) keeps the two apart.
    pub fn solve(
        &mut self,
        body: &mut Body<'_>,
        targets: &RigTargets,
        dt_secs: f32,
        probe: &mut dyn FnMut(Ray) -> Option<Hit>,
    ) -> RigState {
        let run = match Self::run(&self.params, &mut self.resolved, body) {
            Ok(run) => run,
            Err((status, error)) => return RigState::waiting(status, error),
        };
        let Some(rig) = body.rig else {
            return RigState::waiting(Status::NoRig, None);
        };
        if self.params.grounding && !self.params.grounding_params().is_finite() {
            return RigState::waiting(Status::NotFinite, None);
        }
        let mut state = RigState::waiting(Status::Active, None);
        let mut pass = Pass {
            rig,
            placement: body.placement,
            pose: body.pose,
            params: &self.params,
            state: &mut state,
        };
        let feet = [
            (targets.left_foot, self.params.left_foot_weight),
            (targets.right_foot, self.params.right_foot_weight),
        ];
        let hands = [
            (targets.left_hand, self.params.left_hand_weight),
            (targets.right_hand, self.params.right_hand_weight),
        ];
        let feet = feet.map(|drawn| pass.drawn(drawn));
        let holds = pass.ground(run, feet, dt_secs, probe);
        for (index, leg) in run.legs.iter_mut().enumerate() {
            pass.state.limbs[index] = pass.leg(leg, feet[index], holds[index]);
        }
        pass.look(run, targets.look);
        for (index, arm) in run.arms.iter_mut().enumerate() {
            let drawn = pass.drawn(hands[index]);
            pass.state.limbs[2 + index] = pass.arm(arm, drawn);
        }
        state
    }

    /// Forgets the ground under the feet, for a character that was moved elsewhere.
    pub fn reset_footing(&mut self) {
        if let Some(Ok(run)) = self.resolved.as_mut().map(|resolved| resolved.run.as_mut()) {
            run.legs.iter_mut().for_each(|leg| leg.footing.reset());
        }
    }
}

/// A target in model space with its weight; none where nothing draws the limb.
type Drawn = Option<(Vec3, f32)>;

/// One frame of a character.
struct Pass<'a> {
    rig: &'a Rig,
    placement: Placement,
    pose: &'a mut Pose,
    params: &'a IkRig,
    state: &'a mut RigState,
}

impl Pass<'_> {
    fn drawn(&self, (target_world, weight): (Option<Vec3>, f32)) -> Drawn {
        target_world.map(|target| (self.placement.world_to_model(target), weight))
    }

    /// Finds the ground under each foot, then lowers the pelvis until both legs reach what they are after.
    fn ground(
        &mut self,
        run: &mut Run,
        feet: [Drawn; 2],
        dt_secs: f32,
        probe: &mut dyn FnMut(Ray) -> Option<Hit>,
    ) -> [Option<Foothold>; 2] {
        let mut holds = [None; 2];
        if !self.params.grounding {
            run.legs.iter_mut().for_each(|leg| leg.footing.reset());
            return holds;
        }
        let params = self.params.grounding_params();
        let mut drop = 0.0f32;
        for (index, leg) in run.legs.iter_mut().enumerate() {
            let Ok(chain) = &mut leg.chain else { continue };
            chain.load(self.rig, self.pose);
            if !chain.is_finite() {
                continue;
            }
            let foot = chain.tip_position();
            let hold = leg
                .footing
                .update(&params, &self.placement, foot, leg.rest_height, dt_secs, probe);
            let wanted = match feet[index] {
                Some((target, weight)) if target.is_finite() => hold.target.lerp(target, weight.clamp(0.0, 1.0)),
                _ => hold.target,
            };
            drop = drop.max(pelvis_drop(math::narrow(chain.root()), wanted, chain.reach()));
            holds[index] = Some(hold);
        }
        match &run.hips {
            Ok((hips, above)) => {
                let drop = drop.min(params.ray_down.max(0.0));
                // Moving by nothing would still change the sign of a zero.
                if drop > 0.0 {
                    self.pose
                        .move_in_model(self.rig, above, *hips, DVec3::NEG_Y * f64::from(drop));
                    self.state.pelvis_offset = -drop;
                }
            }
            Err(error) => self.lacks(error),
        }
        holds
    }

    /// Plants a foot on its hold, then draws it to its own target.
    fn leg(&mut self, leg: &mut Limb, drawn: Drawn, hold: Option<Foothold>) -> LimbReport {
        let mut report = leg.idle();
        let chain = match &mut leg.chain {
            Ok(chain) => chain,
            Err(error) if drawn.is_some() || self.params.grounding => {
                self.lacks(error);
                return LimbReport {
                    status: Status::NoChain,
                    ..report
                };
            }
            Err(_) => return report,
        };
        let wins = drawn.is_some_and(|(_, weight)| weight >= 1.0);
        if let Some(hold) = hold {
            (report.grounded, report.lift) = (hold.grounded, hold.lift);
            if !wins {
                let solve = self.plant(chain, &hold);
                (report.status, report.weight, report.distance_to_target) =
                    (solve.status, 1.0, solve.distance_to_target);
            }
        }
        match drawn {
            Some((target, weight)) => {
                let solve = self.draw(chain, target, weight);
                LimbReport {
                    status: solve.status,
                    weight: math::weight_run(weight),
                    distance_to_target: solve.distance_to_target,
                    ..report
                }
            }
            None => report,
        }
    }

    /// Brings a foot to its hold and lays its sole onto the surface.
    fn plant(&mut self, chain: &mut Chain, hold: &Foothold) -> Solve {
        chain.load(self.rig, self.pose);
        let foot = chain.len() - 1;
        let stood = chain.links[foot].rotation;
        let solve = two_bone(
            chain,
            &TwoBoneParams {
                target: hold.target,
                ..TwoBoneParams::default()
            },
        );
        chain.face(foot, math::wide(hold.tilt) * stood);
        chain.commit(1.0);
        chain.store(self.pose);
        solve
    }

    fn draw(&mut self, chain: &mut Chain, target: Vec3, weight: f32) -> Solve {
        chain.load(self.rig, self.pose);
        let solve = two_bone(
            chain,
            &TwoBoneParams {
                target,
                pole: None,
                weight,
            },
        );
        chain.store(self.pose);
        solve
    }

    fn look(&mut self, run: &mut Run, target_world: Option<Vec3>) {
        let Some(target_world) = target_world else { return };
        let weight = self.params.look_weight;
        let status = match &mut run.spine {
            Ok(spine) => {
                spine.load(self.rig, self.pose);
                let params = LookAtParams {
                    target: self.placement.world_to_model(target_world),
                    axis: run.forward,
                    body_weight: self.params.look_body_weight,
                    clamp_degrees: self.params.look_clamp_angle,
                    weight,
                };
                let turn = look_at(spine, &params);
                spine.store(self.pose);
                turn.status
            }
            Err(error) => {
                self.lacks(error);
                Status::NoChain
            }
        };
        self.state.look = LookReport {
            status,
            clamped: status == Status::Clamped,
            weight: math::weight_run(weight),
        };
    }

    fn arm(&mut self, arm: &mut Limb, drawn: Drawn) -> LimbReport {
        let report = arm.idle();
        let Some((target, weight)) = drawn else { return report };
        match &mut arm.chain {
            Ok(chain) => {
                let solve = self.draw(chain, target, weight);
                LimbReport {
                    status: solve.status,
                    weight: math::weight_run(weight),
                    distance_to_target: solve.distance_to_target,
                    ..report
                }
            }
            Err(error) => {
                self.lacks(error);
                LimbReport {
                    status: Status::NoChain,
                    weight: math::weight_run(weight),
                    ..report
                }
            }
        }
    }

    fn lacks(&mut self, error: &Arc<Error>) {
        self.state.error.get_or_insert_with(|| Arc::clone(error));
    }
}

impl RigState {
    fn waiting(status: Status, error: Option<Arc<Error>>) -> Self {
        let limbs = [
            ChainRole::LeftLeg,
            ChainRole::RightLeg,
            ChainRole::LeftArm,
            ChainRole::RightArm,
        ]
        .map(idle);
        let look = LookReport {
            status: Status::NoTarget,
            clamped: false,
            weight: 0.0,
        };
        Self {
            ready: status.is_ready(),
            status,
            pelvis_offset: 0.0,
            limbs,
            look,
            error,
        }
    }
}
