//! A camera that circles a point: the host's own, in nothing that the renderer knows of.

use zero_render::Camera;
use zero_render::glam::{Quat, Vec3};

/// Nearest and farthest distance to the target, in metres.
const REACH_M: [f32; 2] = [20.0, 1500.0];
/// How far up and down the eye may go, in radians. It stays above the horizon: water has no underside.
const PITCH_RAD: [f32; 2] = [0.03, 1.5];

/// Where the eye is, about a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orbit {
    pub(crate) target: Vec3,
    /// About the vertical axis; at 0 the eye is toward +Z.
    pub(crate) yaw_rad: f32,
    /// Above the horizon.
    pub(crate) pitch_rad: f32,
    pub(crate) distance_m: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 8.0, 0.0),
            yaw_rad: 0.6,
            pitch_rad: 0.17,
            distance_m: 265.0,
        }
    }
}

impl Orbit {
    /// Turns by this many radians, as a dragged pointer does.
    pub(crate) fn turn(&mut self, yaw_rad: f32, pitch_rad: f32) {
        self.yaw_rad = (self.yaw_rad + yaw_rad).rem_euclid(core::f32::consts::TAU);
        self.pitch_rad = (self.pitch_rad + pitch_rad).clamp(PITCH_RAD[0], PITCH_RAD[1]);
    }

    /// Nearer by this many notches of a wheel; farther where it is negative.
    pub(crate) fn approach(&mut self, notches: f32) {
        self.distance_m = (self.distance_m * 0.9f32.powf(notches)).clamp(REACH_M[0], REACH_M[1]);
    }

    /// The camera of this place.
    pub(crate) fn camera(&self) -> Camera {
        let turn = Quat::from_rotation_y(self.yaw_rad) * Quat::from_rotation_x(-self.pitch_rad);
        let eye = self.target + turn * Vec3::Z * self.distance_m;
        Camera::looking_at(eye, self.target, 0.75)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_its_distance_and_its_horizon_however_it_is_dragged() {
        let mut orbit = Orbit::default();
        for step in 0..1000 {
            orbit.turn(0.37, if step % 3 == 0 { 0.9 } else { -0.5 });
            let camera = orbit.camera();
            let distance = camera.position.distance(orbit.target);
            assert!((distance - orbit.distance_m).abs() < 1e-2, "{distance}");
            let [right, up, _] = camera.basis().unwrap();
            assert!(right.y.abs() < 1e-4 && up.y > 0.0, "the horizon is level");
            assert!(camera.position.y > orbit.target.y, "above the horizon");
        }
    }

    #[test]
    fn a_wheel_stops_at_both_ends() {
        let mut orbit = Orbit::default();
        orbit.approach(1000.0);
        assert_eq!(orbit.distance_m, REACH_M[0]);
        orbit.approach(-1000.0);
        assert_eq!(orbit.distance_m, REACH_M[1]);
    }

    #[test]
    fn at_no_turn_the_eye_is_toward_plus_z() {
        let orbit = Orbit {
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            ..Orbit::default()
        };
        let offset = orbit.camera().position - orbit.target;
        assert!((offset - Vec3::Z * orbit.distance_m).length() < 1e-3, "{offset}");
    }
}
