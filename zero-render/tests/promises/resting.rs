//! Features that rest for a frame and return: what they read and write stays true.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use zero_render::{
    Camera, Channel, Feature, FeatureDesc, FrameParams, FramePlan, Headless, Picture, RenderError, Renderer, Scene,
    Seam, ToneMap, builtin_features, glam::Vec3, wgpu::TextureFormat,
};

use crate::{
    support::{draw, mean, on_software, plain},
    third_party::{CopyHistory, RestsWhile, Show, UploadMask},
};

fn camera(target: Vec3) -> Camera {
    Camera::looking_at(Vec3::new(0.0, 8.0, 30.0), target, 0.8)
}

fn down() -> Camera {
    camera(Vec3::new(0.0, 0.0, 15.0))
}

fn up() -> Camera {
    camera(Vec3::new(0.0, 12.0, 0.0))
}

/// A renderer with the plain, and a feature that rests while the flag is set.
fn with_resting(headless: &Headless, feature: Box<dyn Feature>) -> (Renderer, Scene, Arc<AtomicBool>) {
    let rests = Arc::new(AtomicBool::new(false));
    let mut renderer = headless.renderer().unwrap();
    let mut scene = Scene::default();
    plain(&renderer, &mut scene);
    let feature = RestsWhile {
        feature,
        rests: rests.clone(),
    };
    renderer.add_feature(Box::new(feature)).unwrap();
    (renderer, scene, rests)
}

/// The steps of a frame of the built-in features without water and of these, where those so named rest.
fn steps(extra: &[FeatureDesc], resting: &[&str]) -> String {
    let builtin = builtin_features().into_iter().map(|f| f.desc());
    let features: Vec<_> = builtin
        .filter(|f| f.name != "water")
        .chain(extra.iter().cloned())
        .collect();
    let active = |i: usize| !resting.contains(&features[i].name.as_str());
    let plan = FramePlan::with_active(&features, active).unwrap();
    plan.describe(&features).join(" ")
}

#[test]
fn what_a_resting_feature_alone_reads_is_not_copied() {
    let all: Vec<_> = builtin_features().iter().map(|f| f.desc()).collect();
    let plan = FramePlan::with_active(&all, |i| all[i].name != "water").unwrap();
    assert_eq!(plan.describe(&all).join(" "), steps(&[], &[]));
}

#[test]
fn history_and_depth_are_kept_for_a_reader_that_rests() {
    let history = FeatureDesc::new("taa", Seam::AfterTransparent, 0).reads(Channel::COLOR_HISTORY);
    let expected = "shadows depthPrepass opaque sky resolve sceneColor keepHistory toneMap";
    assert_eq!(steps(&[history], &["taa"]), expected);
    let depth = FeatureDesc::new("moved", Seam::AfterOpaque, 5).reads_previous(Channel::DEPTH);
    let expected = "shadows depthPrepass opaque sky resolve depth resolve sceneColor toneMap";
    assert_eq!(steps(&[depth], &["moved"]), expected);
}

#[test]
fn a_channel_is_cleared_first_where_its_first_writer_rests_and_something_uses_it() {
    let mask = Channel::named("mask");
    let own = |name: &str, order| {
        FeatureDesc::new(name, Seam::AfterOpaque, order).writes_own(mask.clone(), TextureFormat::Rgba8Unorm)
    };
    let (first, second) = (own("first", 1), own("second", 3));
    let user = FeatureDesc::new("user", Seam::AfterOpaque, 2).reads(mask.clone());
    let list = [first.clone(), second, user];
    let frame = |features: &str| format!("shadows depthPrepass opaque sky {features}resolve sceneColor toneMap");
    assert_eq!(steps(&list, &[]), frame("first user second "));
    assert_eq!(steps(&list, &["second"]), frame("first user "));
    assert_eq!(
        steps(&list, &["first"]),
        "clear mask ".to_owned() + &frame("user second ")
    );
    assert_eq!(
        steps(&list, &["first", "second"]),
        "clear mask ".to_owned() + &frame("user ")
    );
    assert_eq!(steps(&list, &["first", "second", "user"]), frame(""));
    // A reader of the last frame's may return in the next, and must then find this frame's.
    let later = FeatureDesc::new("later", Seam::AfterOpaque, 0).reads_previous(mask.clone());
    assert_eq!(
        steps(&[first, later], &["first", "later"]),
        "clear mask ".to_owned() + &frame("")
    );
}

#[test]
fn a_wrong_feature_is_an_error_though_it_rests() {
    let mut features: Vec<_> = builtin_features().iter().map(|f| f.desc()).collect();
    features.push(FeatureDesc::new("blur", Seam::Post, 0).reads(Channel::VELOCITY));
    let plan = FramePlan::with_active(&features, |i| i < 3);
    assert!(matches!(plan, Err(RenderError::MissingChannel { .. })));
}

#[test]
fn history_is_the_last_frames_after_its_reader_rested() {
    on_software(|headless| {
        let kept = Channel::named("kept");
        let copy = CopyHistory { into: kept.clone() };
        let (mut renderer, scene, rests) = with_resting(headless, Box::new(copy));
        let show = RestsWhile {
            feature: Box::new(Show::new(kept, "value")),
            rests: rests.clone(),
        };
        renderer.add_feature(Box::new(show)).unwrap();
        draw(headless, &mut renderer, &scene, &down());
        rests.store(true, Relaxed);
        let last = draw(headless, &mut renderer, &scene, &up());
        rests.store(false, Relaxed);
        assert_eq!(draw(headless, &mut renderer, &scene, &down()), last);
    });
}

/// The picture of a reader of what the last frame left in a channel, after a frame in which it rested, or did not.
fn previous_after(headless: &Headless, channel: Channel, expression: &'static str, rested: bool) -> Picture {
    let show = Box::new(Show::previous(channel, expression));
    let (mut renderer, scene, rests) = with_resting(headless, show);
    for camera in [down(), down(), down()] {
        draw(headless, &mut renderer, &scene, &camera);
    }
    rests.store(rested, Relaxed);
    draw(headless, &mut renderer, &scene, &up());
    rests.store(false, Relaxed);
    draw(headless, &mut renderer, &scene, &down())
}

#[test]
fn depth_and_normals_are_the_last_frames_after_their_reader_rested() {
    on_software(|headless| {
        for (channel, expression) in [
            (Channel::DEPTH, "vec4<f32>(vec3<f32>(value.r * 30.0), 1.0)"),
            (Channel::NORMAL, "vec4<f32>(vec3<f32>(max(value.y, 0.0) * 0.5), 1.0)"),
        ] {
            let rested = previous_after(headless, channel.clone(), expression, true);
            let steady = previous_after(headless, channel.clone(), expression, false);
            assert_eq!(rested, steady, "{channel}");
            assert!(
                mean(&rested, 80, 5) < 3.0,
                "{channel}: the sky of the last frame is empty"
            );
            assert!(mean(&rested, 80, 85) > 20.0, "{channel}: its ground is not");
        }
    });
}

#[test]
fn a_channel_whose_writer_rests_is_zero_for_those_who_read_it() {
    on_software(|headless| {
        // A colour that a pass can clear, and one that it cannot.
        for format in [TextureFormat::Rgba8Unorm, TextureFormat::Rgba8Snorm] {
            let (mut renderer, scene, rests) = with_resting(headless, Box::new(UploadMask(format)));
            let show = Show::new(UploadMask::channel(), "value");
            renderer.add_feature(Box::new(show)).unwrap();
            let mut brightness = |rest| {
                rests.store(rest, Relaxed);
                mean(&draw(headless, &mut renderer, &scene, &down()), 80, 45)
            };
            assert!(brightness(false) > 100.0);
            assert!(brightness(true) < 3.0);
            assert!(brightness(false) > 100.0);
        }
    });
}

#[test]
fn the_last_frames_channel_is_zero_where_its_writer_rested() {
    on_software(|headless| {
        let upload = UploadMask(TextureFormat::Rgba8Unorm);
        let (mut renderer, scene, rests) = with_resting(headless, Box::new(upload));
        let show = Show::previous(UploadMask::channel(), "value");
        renderer.add_feature(Box::new(show)).unwrap();
        let mut brightness = |rest| {
            rests.store(rest, Relaxed);
            mean(&draw(headless, &mut renderer, &scene, &down()), 80, 45)
        };
        assert!(brightness(false) < 3.0, "nothing came before the first frame");
        assert!(brightness(false) > 100.0);
        assert!(brightness(true) > 100.0);
        assert!(brightness(false) < 3.0);
        assert!(brightness(false) > 100.0);
    });
}

#[test]
fn a_frame_in_which_nothing_would_reach_the_view_is_an_error() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let rests = Arc::new(AtomicBool::new(true));
        let tone_map = RestsWhile {
            feature: Box::new(ToneMap::default()),
            rests: rests.clone(),
        };
        renderer.set_features(vec![Box::new(tone_map)]).unwrap();
        let (scene, params) = (Scene::default(), FrameParams::new(16, 9));
        let result = headless.render(&mut renderer, &scene, &down(), params);
        assert!(matches!(result, Err(RenderError::NoOutput)));
        rests.store(false, Relaxed);
        headless.render(&mut renderer, &scene, &down(), params).unwrap();
    });
}
