use glam::{DVec3, Quat, Vec3};

use crate::{Placement, math, trig};

/// A ray into the world that a [`Footing`] asks the host to cast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts, in world space.
    pub origin: Vec3,
    /// Where it goes, in world space; of unit length.
    pub direction: Vec3,
    /// How far it goes, in world units.
    pub length: f32,
}

/// Where a [`Ray`] met the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The point, in world space.
    pub point: Vec3,
    /// The surface's normal there, in world space; any length.
    pub normal: Vec3,
}

/// How feet find and follow the ground. Lengths are in the rig's units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase", deny_unknown_fields))]
pub struct GroundingParams {
    /// How far a foot may tilt onto a steep face, in degrees, 0 to 89.
    pub max_slope_degrees: f32,
    /// How far the foot's origin sits above its sole; `None` takes its height in the rest pose.
    pub foot_height: Option<f32>,
    /// The time in which half of a change of the ground is taken up, in seconds; 0 follows at once. Without it a ray that
    /// crosses the edge of a step pops the foot between two heights.
    pub half_life_secs: f32,
    /// How far above the foot the ray starts.
    pub ray_up: f32,
    /// How far below the foot the ray ends.
    pub ray_down: f32,
}

impl Default for GroundingParams {
    fn default() -> Self {
        Self {
            max_slope_degrees: 45.0,
            foot_height: None,
            half_life_secs: 0.06,
            ray_up: 0.5,
            ray_down: 0.7,
        }
    }
}

impl GroundingParams {
    /// Whether every number of it is finite. A whole character with others is refused by
    /// [`Status::NotFinite`](crate::Status::NotFinite).
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let lengths = [self.foot_height.unwrap_or(0.0), self.ray_up, self.ray_down];
        let others = [self.max_slope_degrees, self.half_life_secs];
        lengths.iter().chain(&others).all(|number| number.is_finite())
    }
}

/// What one foot knows of the ground below it, smoothed from frame to frame.
///
/// The ground is remembered as a height above the model's own ground plane (y = 0) and a normal, both in model space, so
/// that a character that is carried along keeps its footing. The first ray is taken as it is; later ones are followed by
/// [`smooth`]. Where a ray meets nothing the foot goes back to the model's own plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footing {
    height: f64,
    normal: DVec3,
    grounded: bool,
    begun: bool,
}

/// Where a foot should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foothold {
    /// Whether the ray met ground this time.
    pub grounded: bool,
    /// Where the foot's origin belongs, in model space.
    pub target: Vec3,
    /// The turn of model space that lays the sole onto the surface.
    pub tilt: Quat,
    /// How far the foot is moved up from where the pose has it; below 0 for down.
    pub lift: f32,
}

impl Footing {
    /// A foot that has not felt the ground yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            height: 0.0,
            normal: DVec3::Y,
            grounded: false,
            begun: false,
        }
    }

    /// Forgets the ground, for a character that was moved elsewhere: the next ray is taken as it is.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    /// Casts a ray under a foot that the pose has at `foot_model`, and answers where the foot belongs.
    ///
    /// A foot that the pose lifts off its ground plane is lifted off the surface as far; a sole on a slope touches it along
    /// its whole length. `foot_height` is used where the parameters name none. A hit that is not finite counts as none;
    /// where the foot, the placement or the parameters are not finite no ray is cast, and none is met.
    pub fn update(
        &mut self,
        params: &GroundingParams,
        placement: &Placement,
        foot_model: Vec3,
        foot_height: f32,
        dt_secs: f32,
        probe: &mut dyn FnMut(Ray) -> Option<Hit>,
    ) -> Foothold {
        let hit = cast(params, placement, foot_model, probe);
        let (height, normal) = hit.map_or((0.0, DVec3::Y), |hit| {
            let normal = placement.normal_to_model(hit.normal);
            let normal = clamp_slope(normal, params.max_slope_degrees).as_dvec3();
            (f64::from(placement.world_to_model(hit.point).y), normal)
        });
        let kept = if self.begun {
            share_kept(dt_secs, params.half_life_secs)
        } else {
            0.0
        };
        self.height = height + (self.height - height) * kept;
        self.normal = math::unit(normal + (self.normal - normal) * kept).unwrap_or(normal);
        (self.grounded, self.begun) = (hit.is_some(), true);

        let sole = f64::from(
            params
                .foot_height
                .filter(|height| height.is_finite())
                .unwrap_or(foot_height)
                .max(0.0),
        );
        let foot = foot_model.as_dvec3();
        let clearance = (foot.y - sole).max(0.0);
        let ankle = self.height + sole / self.normal.y.max(0.01) + clearance;
        Foothold {
            grounded: self.grounded,
            target: math::narrow(DVec3::new(foot.x, ankle, foot.z)),
            tilt: math::arc(DVec3::Y, self.normal, DVec3::X).as_quat(),
            lift: math::narrow(DVec3::new(0.0, ankle - foot.y, 0.0)).y,
        }
    }
}

impl Default for Footing {
    fn default() -> Self {
        Self::new()
    }
}

fn cast(
    params: &GroundingParams,
    placement: &Placement,
    foot_model: Vec3,
    probe: &mut dyn FnMut(Ray) -> Option<Hit>,
) -> Option<Hit> {
    if !foot_model.is_finite() || !placement.is_finite() || !params.is_finite() {
        return None;
    }
    let (up, down) = (f64::from(params.ray_up.max(0.0)), f64::from(params.ray_down.max(0.0)));
    let along = placement.displacement_to_world(math::narrow(DVec3::NEG_Y * (up + down)));
    let length = math::narrow_length(along.as_dvec3().length());
    let direction = math::unit(along.as_dvec3())?.as_vec3();
    let origin = placement.model_to_world(math::narrow(foot_model.as_dvec3() + DVec3::Y * up));
    probe(Ray {
        origin,
        direction,
        length,
    })
    .filter(|hit| hit.point.is_finite() && hit.normal.is_finite())
}

/// Follows `goal` from `current`, half of the way each `half_life_secs`: the same after a second whether it came in 30
/// steps or in 240. A half-life of 0 or below is there at once; no time that passed, or one that is not a number, changes
/// nothing.
///
/// ```
/// use zero_ik::smooth;
/// let one = smooth(0.0, 1.0, 0.2, 0.1);
/// let four = (0..4).fold(0.0, |at, _| smooth(at, 1.0, 0.05, 0.1));
/// assert!((one - 0.75).abs() < 1e-6 && (four - one).abs() < 1e-6);
/// ```
#[must_use]
pub fn smooth(current: f32, goal: f32, dt_secs: f32, half_life_secs: f32) -> f32 {
    let (current, goal) = (f64::from(current), f64::from(goal));
    (goal + (current - goal) * share_kept(dt_secs, half_life_secs)) as f32
}

/// How much of a difference is still there after a time.
fn share_kept(dt_secs: f32, half_life_secs: f32) -> f64 {
    if dt_secs.is_nan() || half_life_secs.is_nan() || dt_secs <= 0.0 {
        return 1.0;
    }
    if half_life_secs <= 0.0 {
        0.0
    } else {
        trig::exp2_neg(f64::from(dt_secs) / f64::from(half_life_secs))
    }
}

/// A normal of model space tipped back toward up until it is at most `max_slope_degrees` (held to 0 to 89) from it. One
/// that points down, or has no direction, is tipped from its own side, or is up.
#[must_use]
pub fn clamp_slope(normal_model: Vec3, max_slope_degrees: f32) -> Vec3 {
    let limit = if max_slope_degrees.is_nan() {
        0.0
    } else {
        math::radians(max_slope_degrees.clamp(0.0, 89.0))
    };
    let Some(normal) = math::unit(normal_model.as_dvec3()) else {
        return Vec3::Y;
    };
    if math::angle_between(DVec3::Y, normal) <= limit {
        return normal.as_vec3();
    }
    let Some(side) = math::across(normal, DVec3::Y) else {
        return Vec3::Y;
    };
    let (sine, cosine) = trig::sin_cos(limit);
    (DVec3::Y * cosine + side * sine).as_vec3()
}

/// How far a hip must come down so that a leg of this reach touches its target, in model space; 0 where it does already,
/// and where the target is so far to the side that coming down does not help.
#[must_use]
pub fn pelvis_drop(hip_model: Vec3, target_model: Vec3, reach: f32) -> f32 {
    let away = target_model.as_dvec3() - hip_model.as_dvec3();
    let aside = away.x * away.x + away.z * away.z;
    let reach = f64::from(reach);
    let room = reach * reach - aside;
    if room.is_nan() || room <= 0.0 {
        return 0.0;
    }
    math::narrow_length((-away.y - room.sqrt()).max(0.0))
}
