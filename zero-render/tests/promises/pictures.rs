//! What must be seen in a picture.

use zero_render::{
    Camera, Heightfield, Instance, Scene, ShadowDistance, Sun, WaterPlane,
    glam::{Vec2, Vec3, Vec4Swizzles},
};

use crate::support::{block, draw, luma, mean, on_software, plain, push, push_instances};

#[test]
fn a_point_under_an_occluder_is_darker_and_open_ground_is_even() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        scene.sun = Sun::at_deg(90.0, 45.0);
        plain(&renderer, &mut scene);
        let camera = Camera {
            up: Vec3::NEG_Z,
            ..Camera::looking_at(Vec3::Y * 60.0, Vec3::ZERO, 1.0)
        };
        let open = draw(headless, &mut renderer, &scene, &camera);
        // 4 m wide, 20 m up, 20 m towards the sun: its shadow falls on the origin, which the camera sees past it.
        push(
            &renderer,
            &mut scene,
            &block(Vec3::new(18.0, 20.0, -2.0), Vec3::new(22.0, 21.0, 2.0)),
            Vec3::ONE,
        );
        let shaded = draw(headless, &mut renderer, &scene, &camera);
        let (lit, dark) = (mean(&open, 80, 45), luma(&shaded, 80, 45));
        assert!(dark < 0.6 * lit, "shadow {dark}, open ground {lit}");
        assert!(
            (mean(&shaded, 40, 45) - mean(&open, 40, 45)).abs() < 2.0,
            "ground away from it stays lit"
        );
        // No acne: neighbours on open ground differ by no more than the dither.
        for y in 1..89 {
            for x in 1..159 {
                let (here, beside) = (luma(&open, x, y), luma(&open, x - 1, y));
                assert!((here - beside).abs() < 6.0, "speckle at {x}, {y}: {beside} then {here}");
            }
        }
    });
}

#[test]
fn a_shadow_begins_at_the_foot_of_what_throws_it() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        scene.sun = Sun::at_deg(90.0, 30.0);
        plain(&renderer, &mut scene);
        // A wall in the upper half, in the lower half a kerb whose shadow is a metre long.
        push(
            &renderer,
            &mut scene,
            &block(Vec3::new(0.0, 0.0, -10.0), Vec3::new(0.5, 6.0, -1.0)),
            Vec3::ONE,
        );
        push(
            &renderer,
            &mut scene,
            &block(Vec3::new(0.0, 0.0, 1.0), Vec3::new(2.0, 0.6, 10.0)),
            Vec3::ONE,
        );
        let camera = Camera {
            up: Vec3::NEG_Z,
            ..Camera::looking_at(Vec3::Y * 40.0, Vec3::ZERO, 0.6)
        };
        let picture = draw(headless, &mut renderer, &scene, &camera);
        // 27 cm a pixel; both feet are at column 80, the sun is on the right.
        let [foot, inside, outside, kerb] = [(78, 25), (70, 25), (25, 25), (78, 65)].map(|(x, y)| luma(&picture, x, y));
        let dark = inside + 0.25 * (outside - inside);
        assert!(
            foot < dark && kerb < dark,
            "foot {foot}, kerb {kerb}, inside {inside}, outside {outside}"
        );
    });
}

#[test]
fn open_ground_throws_no_shadow_on_itself_even_under_a_low_sun() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        scene.sun = Sun::at_deg(70.0, 11.0);
        // A dome that is nowhere steeper than 6 degrees: all of it sees the sun.
        let heights: Vec<f32> = (0..129 * 129)
            .map(|i| ((i % 129) as f32 - 64.0, (i / 129) as f32 - 64.0))
            .map(|(x, z)| -(x * x + z * z) * 5.0 * 0.0008)
            .collect();
        let dome = Heightfield {
            name: "dome",
            columns: 129,
            rows: 129,
            spacing_m: [5.0; 2],
            origin: Vec3::new(-322.5, 0.0, -322.5),
            heights_m: &heights,
            first_mask: None,
            second_mask: None,
        };
        push(&renderer, &mut scene, &dome.to_mesh().unwrap(), Vec3::splat(0.4));
        let camera = Camera::looking_at(Vec3::new(0.0, 40.0, 200.0), Vec3::ZERO, 0.9);
        let shadowed = draw(headless, &mut renderer, &scene, &camera);
        scene.shadow_distance = ShadowDistance::Metres(0.001);
        let bare = draw(headless, &mut renderer, &scene, &camera);
        let worst = shadowed
            .rgba8
            .iter()
            .zip(&bare.rgba8)
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        assert!(worst <= Some(3), "shadows change open ground by up to {worst:?} steps");
        assert!(luma(&bare, 80, 70) > 60.0, "the sun lights the dome");
    });
}

#[test]
fn deep_water_hides_the_ground_and_shallow_water_does_not() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut look = |depth_m: f32, color: f32| {
            let mut scene = Scene::default();
            scene.water = Some(WaterPlane::at(0.0));
            let (lo, hi) = (
                Vec3::new(-500.0, -depth_m - 1.0, -500.0),
                Vec3::new(500.0, -depth_m, 500.0),
            );
            push(&renderer, &mut scene, &block(lo, hi), Vec3::splat(color));
            let camera = Camera {
                up: Vec3::NEG_Z,
                ..Camera::looking_at(Vec3::Y * 30.0, Vec3::ZERO, 0.7)
            };
            mean(&draw(headless, &mut renderer, &scene, &camera), 80, 45)
        };
        let (shallow_white, shallow_black) = (look(0.3, 0.9), look(0.3, 0.02));
        let (deep_white, deep_black) = (look(60.0, 0.9), look(60.0, 0.02));
        assert!(shallow_white > shallow_black + 60.0, "{shallow_white} {shallow_black}");
        assert!((deep_white - deep_black).abs() < 1.5, "{deep_white} {deep_black}");
    });
}

#[test]
fn the_suns_disc_is_where_the_sun_is() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        scene.sun = Sun::at_deg(30.0, 20.0);
        let aside = scene.sun.direction + Vec3::new(0.03, 0.02, 0.0);
        let camera = Camera::looking_at(Vec3::Y * 100.0, Vec3::Y * 100.0 + aside, 0.15);
        let clip = camera.clip_from_world(160.0 / 90.0).unwrap() * (camera.position + scene.sun.direction).extend(1.0);
        let at = clip.xy() / clip.w * Vec2::new(0.5, -0.5) + 0.5;
        let (x, y) = ((at.x * 160.0) as u32, (at.y * 90.0) as u32);
        let picture = draw(headless, &mut renderer, &scene, &camera);
        assert!(luma(&picture, x, y) > 250.0, "{} at {x}, {y}", luma(&picture, x, y));
        // The disc spans 2.8 pixels each way; 8 pixels away is sky.
        for (dx, dy) in [(8, 0), (-8, 0), (0, 8), (0, -8)] {
            let beside = luma(&picture, x.saturating_add_signed(dx), y.saturating_add_signed(dy));
            assert!(beside < luma(&picture, x, y) - 5.0, "{beside} beside the disc");
        }
    });
}

#[test]
fn the_horizon_is_level_and_where_the_camera_puts_it() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        scene.sun = Sun::at_deg(180.0, 50.0);
        scene.atmosphere.haze = 0.0;
        let ground = block(Vec3::new(-2.0e5, -10.0, -2.0e5), Vec3::new(2.0e5, 0.0, 2.0e5));
        push(&renderer, &mut scene, &ground, Vec3::splat(0.02));
        let pitch = 0.1_f32;
        let fov = 0.8_f32;
        let eye = Vec3::Y * 20.0;
        let camera = Camera::looking_at(eye, eye + Vec3::new(0.0, -pitch.sin(), -pitch.cos()), fov);
        let picture = draw(headless, &mut renderer, &scene, &camera);
        let step = |x: u32, y: u32| (luma(&picture, x, y) - luma(&picture, x, y + 1)).abs();
        let edge = |x: u32| (1..88).max_by(|a, b| step(x, *a).total_cmp(&step(x, *b))).unwrap();
        let rows = [2, 40, 80, 120, 157].map(edge);
        let expected = 45.0 - 45.0 * pitch.tan() / (fov * 0.5).tan();
        assert!(rows.iter().all(|r| *r == rows[0]), "rows {rows:?}");
        assert!(
            (rows[0] as f32 + 1.0 - expected).abs() <= 1.0,
            "row {}, expected {expected}",
            rows[0]
        );
    });
}

#[test]
fn distant_ground_fades_to_the_sky_behind_it() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let camera = Camera::looking_at(Vec3::Y * 50.0, Vec3::new(0.0, 50.0, -100.0), 0.3);
        let sky = draw(headless, &mut renderer, &Scene::default(), &camera);
        let mut gap = |distance_m: f32| {
            let mut scene = Scene::default();
            let lo = Vec3::new(-distance_m, -100.0, -distance_m - 10.0);
            push(
                &renderer,
                &mut scene,
                &block(lo, Vec3::new(0.0, distance_m, -distance_m)),
                Vec3::splat(0.02),
            );
            let picture = draw(headless, &mut renderer, &scene, &camera);
            (mean(&picture, 60, 41) - mean(&sky, 60, 41)).abs()
        };
        let (near, middle, far) = (gap(500.0), gap(20_000.0), gap(200_000.0));
        assert!(near > middle && middle > far, "{near} {middle} {far}");
        assert!(near > 60.0 && far < 4.0, "{near} {far}");
    });
}

#[test]
fn instances_stand_where_they_are_put_and_wear_their_tint() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        let red = Instance::standing(Vec3::new(-10.0, 0.0, 0.0), 0.5, 2.0).tinted(Vec3::new(1.0, 0.05, 0.05));
        let blue = Instance::standing(Vec3::new(10.0, 0.0, 0.0), 0.0, 2.0).tinted(Vec3::new(0.05, 0.05, 1.0));
        let cube = block(Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 1.0));
        push_instances(&renderer, &mut scene, &cube, &[red, blue]);
        let camera = Camera {
            up: Vec3::NEG_Z,
            ..Camera::looking_at(Vec3::Y * 60.0, Vec3::ZERO, 0.5)
        };
        let picture = draw(headless, &mut renderer, &scene, &camera);
        // 30.6 m down, 0.34 m a pixel: 10 m are 29.4 pixels at the ground, more at the tops.
        let [r, _, b] = picture.rgb(49, 45).unwrap();
        assert!(r > b + 80, "left is red: {r} {b}");
        let [r, _, b] = picture.rgb(110, 45).unwrap();
        assert!(b > r + 60, "right is blue: {r} {b}");
        let [r, g, b] = picture.rgb(80, 45).unwrap().map(i32::from);
        assert!((r - b).abs() < 60 && g > 50, "the middle is plain: {r} {g} {b}");
    });
}
