//! How much work a frame is, on counts.

use zero_render::{
    Camera, FrameParams, Headless, Instance, REQUIRED_LIMITS, Renderer, RendererOptions, Scene, WaterPlane,
    glam::Vec3,
    wgpu::{self, Backends, DeviceDescriptor, InstanceDescriptor, Limits, TextureFormat},
};

use crate::support::{block, draw, on_software, plain, push_instances};

fn camera(x: f32) -> Camera {
    Camera::looking_at(Vec3::new(x, 20.0, 60.0), Vec3::ZERO, 0.9)
}

#[test]
fn a_second_frame_makes_nothing() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        scene.water = Some(WaterPlane::at(-1.0));
        draw(headless, &mut renderer, &scene, &camera(0.0));
        let first = renderer.stats();
        assert!(
            first.pipelines_created > 5 && first.draws > 5 && first.sky_updates == 1,
            "{first:?}"
        );
        draw(headless, &mut renderer, &scene, &camera(5.0));
        // Water rests for a frame and comes back: nothing is made for that either.
        let water = scene.water.take();
        draw(headless, &mut renderer, &scene, &camera(5.0));
        scene.water = water;
        draw(headless, &mut renderer, &scene, &camera(9.0));
        let later = renderer.stats();
        assert_eq!(later.frames, 4);
        assert_eq!(later.pipelines_created, first.pipelines_created);
        assert_eq!(later.buffers_created, first.buffers_created);
        assert_eq!(later.textures_created, first.textures_created);
        assert_eq!(later.bind_groups_created, first.bind_groups_created);
        assert_eq!(
            later.sky_updates, 1,
            "the sky is made anew only when sun, air or altitude change"
        );
        scene.atmosphere.haze = 9.0;
        draw(headless, &mut renderer, &scene, &camera(9.0));
        assert_eq!(renderer.stats().sky_updates, 2);
    });
}

#[test]
fn what_no_view_sees_is_not_drawn() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        let cube = block(Vec3::splat(-1.0), Vec3::ONE);
        let places: Vec<_> = (0..10_000)
            .map(|i| {
                Instance::standing(
                    Vec3::new((i % 100) as f32 * 40.0, 0.0, (i / 100) as f32 * 40.0),
                    0.0,
                    1.0,
                )
            })
            .collect();
        push_instances(&renderer, &mut scene, &cube, &places);
        scene.shadow_distance = zero_render::ShadowDistance::Metres(100.0);
        let from = Vec3::new(2000.0, 10.0, 2000.0);
        draw(
            headless,
            &mut renderer,
            &scene,
            &Camera::looking_at(from, from + Vec3::NEG_Z, 0.3),
        );
        let drawn = renderer.stats().triangles;
        // Two passes of the camera and three cascades would be 600 000.
        assert!(drawn > 0 && drawn < 150_000, "{drawn} triangles");
    });
}

#[test]
fn two_renderers_draw_the_same_bytes_and_so_do_two_frames() {
    on_software(|headless| {
        let picture = || {
            let mut renderer = headless.renderer().unwrap();
            let mut scene = Scene::default();
            plain(&renderer, &mut scene);
            scene.water = Some(WaterPlane::at(0.5));
            let first = draw(headless, &mut renderer, &scene, &camera(0.0));
            assert_eq!(first, draw(headless, &mut renderer, &scene, &camera(0.0)));
            first
        };
        assert_eq!(picture(), picture());
    });
}

#[test]
fn sizes_that_make_no_picture_are_refused_with_both_numbers() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = Scene::default();
        let mut refuse = |w, h| {
            let result = headless.render(&mut renderer, &scene, &camera(0.0), FrameParams::new(w, h));
            result.unwrap_err().to_string()
        };
        assert!(refuse(0, 90).contains("0 x 90"));
        assert!(refuse(100_000, 90).contains("8192"));
        let texture = headless.device().create_texture(&zero_render::wgpu::TextureDescriptor {
            label: None,
            size: zero_render::wgpu::Extent3d {
                width: 8,
                height: 8,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: zero_render::wgpu::TextureDimension::D2,
            format: zero_render::Headless::FORMAT,
            usage: zero_render::wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let mut encoder = headless.device().create_command_encoder(&Default::default());
        let view = texture.create_view(&Default::default());
        let result = renderer.render(&mut encoder, &view, &scene, &camera(0.0), FrameParams::new(16, 9));
        let message = result.unwrap_err().to_string();
        assert!(message.contains("[8, 8]") && message.contains("[16, 9]"), "{message}");
    });
}

#[test]
fn a_device_below_the_required_limits_is_refused_by_the_limit() {
    on_software(|headless| {
        let instance = wgpu::Instance::new(InstanceDescriptor::new_without_display_handle());
        let adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
        let mut adapters = adapters.into_iter();
        let adapter = adapters
            .find(|a| a.get_info().name == headless.adapter_info().name)
            .unwrap();
        for (limits, says) in [
            (
                Limits {
                    max_bind_groups: 2,
                    ..REQUIRED_LIMITS
                },
                "`max_bind_groups` is 2, expected 4",
            ),
            (
                Limits {
                    max_texture_array_layers: 2,
                    ..REQUIRED_LIMITS
                },
                "`max_texture_array_layers` is 2, expected 256",
            ),
        ] {
            let desc = DeviceDescriptor {
                required_limits: limits,
                ..Default::default()
            };
            let (device, queue) = pollster::block_on(adapter.request_device(&desc)).unwrap();
            let error = Renderer::new(&device, &queue, RendererOptions::new(Headless::FORMAT)).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
    });
}

#[test]
fn a_renderer_whose_bytes_are_not_those_of_a_picture_is_refused_by_its_format() {
    on_software(|headless| {
        for (format, fits) in [
            (TextureFormat::Rgba8Unorm, true),
            (TextureFormat::Rgba8UnormSrgb, true),
            (TextureFormat::Bgra8Unorm, false),
            (TextureFormat::Bgra8UnormSrgb, false),
            (TextureFormat::Rgba16Float, false),
        ] {
            let options = RendererOptions::new(format);
            let mut renderer = Renderer::new(headless.device(), headless.queue(), options).unwrap();
            let result = headless.render(&mut renderer, &Scene::default(), &camera(0.0), FrameParams::new(16, 9));
            match result {
                Ok(picture) => assert!(fits && picture.rgba8.len() == 16 * 9 * 4, "{format:?}"),
                Err(error) => assert!(!fits && error.to_string().contains(&format!("{format:?}")), "{error}"),
            }
        }
    });
}
