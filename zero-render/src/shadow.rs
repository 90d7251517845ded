//! Fitting the sun's shadow maps to the view.

use glam::{
    Mat4, Vec2, Vec3,
    camera::rh::{proj::directx::orthographic, view::look_to_mat4},
};

use crate::Camera;

/// How many maps share the view between them.
pub(crate) const CASCADES: usize = 3;
/// Texels along an edge of each.
pub(crate) const RESOLUTION: u32 = 2048;

/// One shadow map: a box along the sun's direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cascade {
    pub(crate) clip_from_world: Mat4,
    /// Distance from the camera up to which it is used, in metres.
    pub(crate) far_m: f32,
    /// Edge of a texel, in metres.
    pub(crate) texel_m: f32,
}

/// Fits the cascades to spheres around slices of the view.
///
/// A sphere keeps its size when the camera turns, and its centre moves in whole texels: shadows do not crawl. Along the
/// sun's direction each box spans the whole scene, so that what is outside the picture still throws its shadow.
pub(crate) fn fit(
    camera: &Camera,
    [_, _, forward]: [Vec3; 3],
    aspect: f32,
    sun_direction: Vec3,
    scene: [Vec3; 2],
    distance_m: f32,
) -> [Cascade; CASCADES] {
    let light = light_from_world(sun_direction);
    let depth_span = span_along(scene, light, 2);
    let scene_centre = (scene[0] + scene[1]) * 0.5;
    let scene_radius = (scene[1] - scene[0]).length() * 0.5;
    let tan_y = (camera.fov_y_rad * 0.5).tan();
    let spread2 = tan_y * tan_y * (1.0 + aspect * aspect);
    let mut from = camera.near_m;
    split(camera.near_m, distance_m).map(|to| {
        let (along, radius) = slice_sphere(from, to, spread2);
        from = to * 0.9;
        // A slice larger than the scene needs no more than the scene.
        let (centre, radius) = if radius > scene_radius {
            (scene_centre, scene_radius.max(1.0))
        } else {
            (camera.position + forward * along, radius)
        };
        let texel_m = 2.0 * radius / (RESOLUTION - 2) as f32;
        let snapped = (light.transform_vector3(centre) / texel_m).floor() * texel_m;
        Cascade {
            clip_from_world: light_box(light, snapped.truncate(), radius, depth_span),
            far_m: to,
            texel_m,
        }
    })
}

/// Ends of the slices: half way between an even and a geometric division (Zhang et al., "Parallel-Split Shadow Maps",
/// 2006, with weight 0.9 for the geometric one from 5 m on).
fn split(near_m: f32, distance_m: f32) -> [f32; CASCADES] {
    let near = near_m.max(5.0).min(distance_m);
    std::array::from_fn(|i| {
        let share = (i + 1) as f32 / CASCADES as f32;
        let geometric = near * (distance_m / near).powf(share);
        let even = near + (distance_m - near) * share;
        0.9 * geometric + 0.1 * even
    })
}

/// The smallest sphere around the slice of a view between two distances: where its centre lies along the view, and its
/// radius. `spread2` is the squared tangent of the angle from the axis to a corner.
fn slice_sphere(from: f32, to: f32, spread2: f32) -> (f32, f32) {
    // The centre that is equally far from a near and a far corner, unless it lies past the far plane.
    let along = ((from + to) * (1.0 + spread2) * 0.5).min(to);
    let radius2 = (to - along) * (to - along) + to * to * spread2;
    (along, (radius2.sqrt() * 16.0).ceil() / 16.0)
}

/// A rotation whose z axis points at the sun.
fn light_from_world(sun_direction: Vec3) -> Mat4 {
    let up = if sun_direction.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    look_to_mat4(Vec3::ZERO, -sun_direction, up)
}

/// Smallest and largest coordinate of a box along one axis of a rotated space.
fn span_along([lo, hi]: [Vec3; 2], rotation: Mat4, axis: usize) -> [f32; 2] {
    let corner = |i: u32| Vec3::new(pick(i, lo.x, hi.x), pick(i >> 1, lo.y, hi.y), pick(i >> 2, lo.z, hi.z));
    let values = (0..8).map(|i| rotation.transform_vector3(corner(i)).to_array()[axis]);
    values.fold([f32::MAX, f32::MIN], |[a, b], v| [a.min(v), b.max(v)])
}

fn pick(bit: u32, lo: f32, hi: f32) -> f32 {
    if bit & 1 == 0 { lo } else { hi }
}

fn light_box(light: Mat4, centre: Vec2, radius: f32, [back, front]: [f32; 2]) -> Mat4 {
    let (min, max) = (centre - radius, centre + radius);
    // The z axis points at the sun, so that the nearest caster has the largest z.
    orthographic(min.x, max.x, min.y, max.y, -front - 10.0, -back + 10.0) * light
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: [Vec3; 2] = [Vec3::new(-3000.0, 0.0, -3000.0), Vec3::new(3000.0, 900.0, 3000.0)];

    fn fit_at(position: Vec3, target: Vec3) -> [Cascade; CASCADES] {
        let camera = Camera::looking_at(position, target, 0.9);
        fit(
            &camera,
            camera.basis().unwrap(),
            16.0 / 9.0,
            Vec3::new(0.4, 0.5, 0.3).normalize(),
            SCENE,
            6000.0,
        )
    }

    #[test]
    fn every_slice_lies_in_its_map() {
        let camera = Camera::looking_at(Vec3::new(0.0, 300.0, 2000.0), Vec3::new(0.0, 200.0, 0.0), 0.9);
        let basis = camera.basis().unwrap();
        let aspect = 16.0 / 9.0;
        let sun = Vec3::new(0.4, 0.5, 0.3).normalize();
        let cascades = fit(
            &camera,
            basis,
            aspect,
            sun,
            [Vec3::splat(-9000.0), Vec3::splat(9000.0)],
            3000.0,
        );
        let mut from = camera.near_m;
        let t = (camera.fov_y_rad * 0.5).tan();
        for cascade in cascades {
            for distance in [from, cascade.far_m] {
                for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
                    let corner =
                        camera.position + (basis[2] + basis[0] * (x * t * aspect) + basis[1] * (y * t)) * distance;
                    let clip = cascade.clip_from_world.project_point3(corner);
                    assert!(clip.x.abs() <= 1.0 && clip.y.abs() <= 1.0, "{clip} at {distance}");
                    assert!((0.0..=1.0).contains(&clip.z), "{clip} at {distance}");
                }
            }
            from = cascade.far_m;
        }
    }

    #[test]
    fn turning_keeps_the_size_and_moving_shifts_by_whole_texels() {
        let still = fit_at(Vec3::new(0.0, 300.0, 2000.0), Vec3::ZERO);
        let turned = fit_at(Vec3::new(0.0, 300.0, 2000.0), Vec3::new(900.0, 0.0, 0.0));
        let moved = fit_at(Vec3::new(3.21, 300.7, 2000.3), Vec3::new(3.21, 0.7, 0.3));
        for i in 0..CASCADES {
            assert_eq!(still[i].texel_m, turned[i].texel_m);
            let texel_of = |c: &Cascade| {
                let p = c.clip_from_world.project_point3(Vec3::new(10.0, 20.0, 30.0)).truncate();
                p * (0.5 * 2.0 * (RESOLUTION - 2) as f32 / 2.0)
            };
            let shift = texel_of(&moved[i]) - texel_of(&still[i]);
            assert!(
                (shift - shift.round()).abs().max_element() < 0.05,
                "cascade {i} shifts by {shift}"
            );
        }
    }

    #[test]
    fn nearer_to_the_sun_is_nearer_in_the_map() {
        let cascade = fit_at(Vec3::new(0.0, 300.0, 2000.0), Vec3::ZERO)[0];
        let sun = Vec3::new(0.4, 0.5, 0.3).normalize();
        let depth = |p: Vec3| cascade.clip_from_world.project_point3(p).z;
        assert!(depth(sun * 100.0) < depth(Vec3::ZERO));
    }
}
