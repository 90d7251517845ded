//! Features of a third party, made with nothing but the public API.

use zero_render::{
    Antialiasing, Camera, Channel, FeatureDesc, Headless, Material, Object, RenderError, Renderer, RendererOptions,
    Scene, Seam, glam::Vec3, wgpu,
};

use crate::{
    support::{block, draw, mean, on_software, plain},
    third_party::{CopyHistory, Fill, Show, Sneak},
};

fn camera() -> Camera {
    Camera::looking_at(Vec3::new(0.0, 8.0, 30.0), Vec3::ZERO, 0.8)
}

#[test]
fn what_is_written_to_reflection_shows_in_smooth_surfaces_of_the_same_frame() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        let floor = renderer
            .upload_mesh(&block(Vec3::new(-50.0, -1.0, -50.0), Vec3::new(50.0, 0.0, 50.0)))
            .unwrap();
        let mut polished = Material::new("polished", Vec3::splat(0.02), 0.05);
        polished.reflectance = 0.9;
        scene
            .objects
            .push(Object::new(&floor, &renderer.upload_material(&polished).unwrap()));
        let sky = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap();
        let desc = FeatureDesc::new("mirror", Seam::AfterDepthPrepass, 60).writes(Channel::REFLECTION);
        let color = wgpu::Color {
            r: 1.0,
            g: 0.0,
            b: 0.0,
            a: 1.0,
        };
        renderer.add_feature(Box::new(Fill { desc, color })).unwrap();
        let traced = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap();
        assert!(sky[2] > sky[0], "the sky is mirrored: {sky:?}");
        assert!(
            traced[0] > traced[2].saturating_add(80),
            "the channel is mirrored: {traced:?}"
        );
        renderer.remove_feature("mirror").unwrap();
        assert_eq!(
            draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap(),
            sky
        );
    });
}

#[test]
fn normals_reach_a_feature_that_reads_them_and_the_last_frames_too() {
    on_software(|headless| {
        let show = "vec4<f32>(max(value.xyz, vec3<f32>(0.0)) * 0.5, 1.0)";
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        renderer
            .add_feature(Box::new(Show::new(Channel::NORMAL, show)))
            .unwrap();
        let [r, g, b] = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 80).unwrap();
        assert!(g > r + 60 && g > b + 60, "the plain faces up: {r} {g} {b}");

        renderer.remove_feature("show").unwrap();
        renderer
            .add_feature(Box::new(Show::previous(Channel::NORMAL, show)))
            .unwrap();
        let first = draw(headless, &mut renderer, &scene, &camera());
        assert!(mean(&first, 80, 80) < 3.0, "nothing came before the first frame");
        let second = draw(headless, &mut renderer, &scene, &camera());
        assert_eq!(second.rgb(80, 80).unwrap()[1], g);
    });
}

/// Fills these channels with one grey, after everything in the scene is drawn.
fn fill(written: &[Channel]) -> Box<Fill> {
    let desc = FeatureDesc::new("fill", Seam::AfterTransparent, 0);
    Box::new(Fill {
        desc: written.iter().cloned().fold(desc, FeatureDesc::writes),
        color: wgpu::Color::WHITE,
    })
}

#[test]
fn meshes_are_drawn_when_surface_channels_are_written_and_nothing_reads_them() {
    on_software(|headless| {
        for antialiasing in [Antialiasing::Off, Antialiasing::Msaa4] {
            let mut options = RendererOptions::new(Headless::FORMAT);
            options.antialiasing = antialiasing;
            let mut renderer = Renderer::new(headless.device(), headless.queue(), options).unwrap();
            let mut scene = Scene::default();
            plain(&renderer, &mut scene);
            let expected = draw(headless, &mut renderer, &scene, &camera());
            let both = [Channel::NORMAL, Channel::MATERIAL];
            for written in [&both[..], &both[..1], &both[1..]] {
                renderer.add_feature(fill(written)).unwrap();
                assert_eq!(draw(headless, &mut renderer, &scene, &camera()), expected);
                renderer.remove_feature("fill").unwrap();
            }
            // Once more when an earlier list has left the pipeline that writes them.
            let show = Show::new(Channel::NORMAL, "vec4<f32>(max(value.xyz, vec3<f32>(0.0)), 1.0)");
            renderer.add_feature(Box::new(show)).unwrap();
            draw(headless, &mut renderer, &scene, &camera());
            renderer.remove_feature("show").unwrap();
            renderer.add_feature(fill(&both)).unwrap();
            assert_eq!(draw(headless, &mut renderer, &scene, &camera()), expected);
        }
    });
}

#[test]
fn the_history_is_the_light_of_the_last_frame() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        let straight = draw(headless, &mut renderer, &scene, &camera());
        // Read before the frame keeps its own light: at an earlier seam, into a channel of the feature's own.
        let kept = Channel::named("kept");
        let copy = CopyHistory { into: kept.clone() };
        renderer.add_feature(Box::new(copy)).unwrap();
        renderer.add_feature(Box::new(Show::new(kept, "value"))).unwrap();
        assert!(mean(&draw(headless, &mut renderer, &scene, &camera()), 80, 80) < 3.0);
        let second = draw(headless, &mut renderer, &scene, &camera());
        assert_eq!(second, straight);
    });
}

#[test]
fn a_post_feature_reads_the_picture_it_writes() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        renderer
            .add_feature(Box::new(Show::new(
                Channel::SCENE_COLOR,
                "vec4<f32>(value.r, 0.0, 0.0, 1.0)",
            )))
            .unwrap();
        let picture = draw(headless, &mut renderer, &scene, &camera());
        let [r, g, _] = picture.rgb(80, 80).unwrap();
        assert!(r > 60 && r > g + 40, "{r} {g}");
        assert_eq!(renderer.steps().last().map(String::as_str), Some("toneMap"));
    });
}

#[test]
fn a_channel_that_was_not_listed_is_not_handed_out_and_a_bad_list_leaves_the_old_one() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = Scene::default();
        let good = draw(headless, &mut renderer, &scene, &camera());
        let bad = Fill {
            desc: FeatureDesc::new("bad", Seam::Post, 0).reads(Channel::VELOCITY),
            color: wgpu::Color::BLACK,
        };
        assert!(matches!(
            renderer.add_feature(Box::new(bad)),
            Err(RenderError::MissingChannel { .. })
        ));
        assert_eq!(draw(headless, &mut renderer, &scene, &camera()), good);
        assert!(matches!(renderer.remove_feature("toneMap"), Err(RenderError::NoOutput)));
        let unknown = renderer.remove_feature("bloom").unwrap_err().to_string();
        assert!(unknown.contains("bloom") && unknown.contains("toneMap"), "{unknown}");
        renderer.add_feature(Box::new(Sneak)).unwrap();
        let params = zero_render::FrameParams::new(160, 90);
        let error = headless
            .render(&mut renderer, &scene, &camera(), params)
            .unwrap_err()
            .to_string();
        assert!(error.contains("`sneak`") && error.contains("`depth`"), "{error}");
        renderer.remove_feature("sneak").unwrap();
        assert_eq!(draw(headless, &mut renderer, &scene, &camera()), good);
    });
}
