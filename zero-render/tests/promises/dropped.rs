//! Frames that fail, and frames whose encoder the host drops, leave nothing behind.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use zero_render::{Camera, Channel, FrameParams, Headless, Picture, Renderer, Scene, Sun, glam::Vec3, wgpu};

use crate::{
    support::{draw, mean, on_software, plain},
    third_party::{FailsWhile, Show},
};

/// The part of a normal that faces up, as brightness.
const UP: &str = "vec4<f32>(vec3<f32>(max(value.y, 0.0) * 0.5), 1.0)";
/// How much brighter this frame is exposed than the one before it.
const BRIGHTER: &str = "vec4<f32>(vec3<f32>(frame.misc.w * 0.1), 1.0)";

fn camera(target: Vec3) -> Camera {
    Camera::looking_at(Vec3::new(0.0, 8.0, 30.0), target, 0.8)
}

fn down() -> Camera {
    camera(Vec3::new(0.0, 0.0, 15.0))
}

fn up() -> Camera {
    camera(Vec3::new(0.0, 30.0, 0.0))
}

fn scene(renderer: &Renderer) -> Scene {
    let mut scene = Scene::default();
    plain(renderer, &mut scene);
    scene
}

/// Records a frame and throws the commands away.
fn record_and_drop(headless: &Headless, renderer: &mut Renderer, scene: &Scene, camera: &Camera, ev100: f32) {
    let texture = headless.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: 160,
            height: 90,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: Headless::FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    let mut encoder = headless.device().create_command_encoder(&Default::default());
    let mut params = FrameParams::new(160, 90);
    params.ev100 = ev100;
    renderer.render(&mut encoder, &view, scene, camera, params).unwrap();
}

/// What a renderer that never failed draws first.
fn undisturbed(headless: &Headless) -> Picture {
    let mut renderer = headless.renderer().unwrap();
    let scene = scene(&renderer);
    draw(headless, &mut renderer, &scene, &down())
}

#[test]
fn a_first_frame_that_fails_leaves_the_sky_to_be_drawn() {
    on_software(|headless| {
        let fails = Arc::new(AtomicBool::new(true));
        let mut renderer = headless.renderer().unwrap();
        let scene = scene(&renderer);
        renderer.add_feature(Box::new(FailsWhile(fails.clone()))).unwrap();
        let params = FrameParams::new(160, 90);
        headless.render(&mut renderer, &scene, &down(), params).unwrap_err();
        fails.store(false, Relaxed);
        assert_eq!(
            draw(headless, &mut renderer, &scene, &down()),
            undisturbed(headless),
            "sky and ambient light are there"
        );
        assert_eq!(renderer.stats().frames, 1);
    });
}

#[test]
fn a_first_frame_that_the_host_drops_leaves_the_sky_to_be_drawn() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = scene(&renderer);
        record_and_drop(headless, &mut renderer, &scene, &down(), 13.0);
        renderer.invalidate();
        renderer.invalidate();
        assert_eq!(draw(headless, &mut renderer, &scene, &down()), undisturbed(headless));
        assert_eq!(renderer.stats().sky_updates, 2);
    });
}

#[test]
fn a_sky_that_changed_in_a_dropped_frame_is_drawn_in_the_next() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = scene(&renderer);
        draw(headless, &mut renderer, &scene, &up());
        scene.sun = Sun::at_deg(90.0, 3.0);
        record_and_drop(headless, &mut renderer, &scene, &up(), 13.0);
        renderer.invalidate();
        let after = draw(headless, &mut renderer, &scene, &up());
        let mut fresh = headless.renderer().unwrap();
        assert_eq!(after, draw(headless, &mut fresh, &scene, &up()));
    });
}

/// Draws a frame of the plain, loses one of the empty sky in the way given, and shows what the last frame left.
fn after_a_lost_frame(headless: &Headless, lose: impl FnOnce(&mut Renderer, &Scene, &AtomicBool)) -> Picture {
    let fails = Arc::new(AtomicBool::new(false));
    let mut renderer = headless.renderer().unwrap();
    let scene = scene(&renderer);
    renderer.add_feature(Box::new(FailsWhile(fails.clone()))).unwrap();
    renderer
        .add_feature(Box::new(Show::previous(Channel::NORMAL, UP)))
        .unwrap();
    draw(headless, &mut renderer, &scene, &up());
    draw(headless, &mut renderer, &scene, &down());
    lose(&mut renderer, &scene, &fails);
    fails.store(false, Relaxed);
    draw(headless, &mut renderer, &scene, &up())
}

#[test]
fn the_last_frame_is_the_last_one_that_was_drawn() {
    on_software(|headless| {
        let undisturbed = after_a_lost_frame(headless, |_, _, _| {});
        assert!(mean(&undisturbed, 80, 45) > 100.0, "the plain's normals are seen");
        let failed = after_a_lost_frame(headless, |renderer, scene, fails| {
            fails.store(true, Relaxed);
            let params = FrameParams::new(160, 90);
            headless.render(renderer, scene, &up(), params).unwrap_err();
        });
        assert_eq!(failed, undisturbed);
        let dropped = after_a_lost_frame(headless, |renderer, scene, _| {
            record_and_drop(headless, renderer, scene, &up(), 13.0);
            renderer.invalidate();
        });
        assert_eq!(dropped, undisturbed);
    });
}

#[test]
fn the_last_exposure_is_that_of_the_last_frame_that_was_drawn() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = scene(&renderer);
        let show = Show::new(Channel::SCENE_COLOR, BRIGHTER);
        renderer.add_feature(Box::new(show)).unwrap();
        draw(headless, &mut renderer, &scene, &down());
        let steady = draw(headless, &mut renderer, &scene, &down());
        record_and_drop(headless, &mut renderer, &scene, &down(), 15.0);
        renderer.invalidate();
        let after = draw(headless, &mut renderer, &scene, &down());
        assert!(mean(&steady, 80, 45) > 20.0, "the ratio is seen");
        assert_eq!(after, steady);
    });
}
