//! Where the picture is taken from.

use glam::{
    Mat4, Vec3,
    camera::rh::{proj::directx::perspective_infinite_reverse, view::look_to_mat4},
};

use crate::{RenderError, Result};

/// A perspective camera: right-handed, looking along `forward`, reversed depth and no far plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, in metres.
    pub position: Vec3,
    /// Where it looks; any length but 0.
    pub forward: Vec3,
    /// What is up in the picture; not along `forward`.
    pub up: Vec3,
    /// Vertical field of view, in radians, between 0 and pi.
    pub fov_y_rad: f32,
    /// Distance to the near plane, in metres. Precision of depth is relative, so that a small one costs little.
    pub near_m: f32,
}

impl Camera {
    /// A camera at `position` that looks at `target` with the horizon level.
    #[must_use]
    pub fn looking_at(position: Vec3, target: Vec3, fov_y_rad: f32) -> Self {
        Self {
            position,
            forward: target - position,
            up: Vec3::Y,
            fov_y_rad,
            near_m: 0.5,
        }
    }

    /// The unit vectors right, up and forward of the picture.
    ///
    /// # Errors
    /// [`RenderError::OutOfRange`] for a field of view, near plane, position or direction that makes no picture.
    pub fn basis(&self) -> Result<[Vec3; 3]> {
        let out = |what, expected, value| Err(RenderError::OutOfRange { what, expected, value });
        if !self.position.is_finite() {
            return out("camera.position", "three finite numbers", first_bad(self.position));
        }
        if !(self.fov_y_rad > 0.0 && self.fov_y_rad < core::f32::consts::PI) {
            return out("camera.fov_y_rad", "above 0 and below pi", self.fov_y_rad);
        }
        if !(self.near_m > 0.0 && self.near_m.is_finite()) {
            return out("camera.near_m", "a distance above 0", self.near_m);
        }
        let Some(forward) = self.forward.try_normalize() else {
            return out(
                "camera.forward",
                "a direction of finite length above 0",
                self.forward.length(),
            );
        };
        let Some(right) = forward.cross(self.up).try_normalize() else {
            return out("camera.up", "a direction that is not along `forward`", self.up.length());
        };
        Ok([right, right.cross(forward), forward])
    }

    /// Clip space (x, y from -1 to 1, depth 1 at the near plane and 0 at infinity) from world space.
    ///
    /// # Errors
    /// As [`basis`](Self::basis).
    pub fn clip_from_world(&self, aspect: f32) -> Result<Mat4> {
        let [_, up, forward] = self.basis()?;
        let view = look_to_mat4(self.position, forward, up);
        Ok(perspective_infinite_reverse(self.fov_y_rad, aspect, self.near_m) * view)
    }
}

fn first_bad(v: Vec3) -> f32 {
    v.to_array().into_iter().find(|x| !x.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4Swizzles;

    #[test]
    fn depth_is_one_at_the_near_plane_and_falls_with_distance() {
        let camera = Camera {
            near_m: 2.0,
            ..Camera::looking_at(Vec3::ZERO, Vec3::NEG_Z, 1.0)
        };
        let clip = camera.clip_from_world(1.5).unwrap();
        let depth = |z: f32| {
            let p = clip * Vec3::new(0.0, 0.0, -z).extend(1.0);
            p.z / p.w
        };
        assert!((depth(2.0) - 1.0).abs() < 1e-6);
        assert!((depth(20.0) - 0.1).abs() < 1e-6);
        assert!(depth(1e6) > 0.0);
        let right = clip * Vec3::new(1.0, 0.0, -5.0).extend(1.0);
        assert!(right.xyz().x > 0.0, "+X is to the right when looking along -Z");
    }

    #[test]
    fn a_camera_that_makes_no_picture_is_refused_by_name() {
        let good = Camera::looking_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        for (camera, what) in [
            (Camera { fov_y_rad: 0.0, ..good }, "camera.fov_y_rad"),
            (
                Camera {
                    fov_y_rad: f32::NAN,
                    ..good
                },
                "camera.fov_y_rad",
            ),
            (Camera { near_m: -1.0, ..good }, "camera.near_m"),
            (
                Camera {
                    forward: Vec3::ZERO,
                    ..good
                },
                "camera.forward",
            ),
            (Camera { up: Vec3::Z, ..good }, "camera.up"),
            (
                Camera {
                    position: Vec3::splat(f32::NAN),
                    ..good
                },
                "camera.position",
            ),
        ] {
            let message = camera.basis().unwrap_err().to_string();
            assert!(message.contains(what), "{message}");
        }
    }
}
