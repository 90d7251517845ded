//! Leaving out what a view cannot see.

use glam::{Mat4, Vec3, Vec4};

/// The planes that bound a view; a point is inside where all are positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frustum {
    planes: [Vec4; 5],
}

impl Frustum {
    /// The four sides of a view and the plane behind which `w` is negative. Depth is not cut off: a camera has no far
    /// plane, and what throws a shadow may stand outside the picture.
    pub(crate) fn new(clip_from_world: Mat4) -> Self {
        let [x, y, w] = [0, 1, 3].map(|row| clip_from_world.row(row));
        Self {
            planes: [w + x, w - x, w + y, w - y, w],
        }
    }

    /// Whether some of the box may be seen (a box near a corner may be kept in vain).
    pub(crate) fn sees(&self, [lo, hi]: [Vec3; 2]) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let farthest = Vec3::select(normal.cmpge(Vec3::ZERO), hi, lo);
            normal.dot(farthest) + plane.w >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;

    #[test]
    fn boxes_ahead_are_kept_and_those_behind_or_beside_are_not() {
        let camera = Camera::looking_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        let frustum = Frustum::new(camera.clip_from_world(1.0).unwrap());
        let at = |p: Vec3| [p - Vec3::ONE, p + Vec3::ONE];
        assert!(frustum.sees(at(Vec3::new(0.0, 0.0, -50.0))));
        assert!(!frustum.sees(at(Vec3::new(0.0, 0.0, 50.0))));
        assert!(!frustum.sees(at(Vec3::new(90.0, 0.0, -50.0))));
        assert!(frustum.sees(at(Vec3::new(0.0, 0.0, -1e7))));
        assert!(frustum.sees([Vec3::splat(-1e6), Vec3::splat(1e6)]));
    }
}
