//! A small landscape, compared with a picture that was looked at.

use zero_render::{
    Antialiasing, Camera, Headless, Heightfield, Instance, Object, Renderer, RendererOptions, Scene, Sun, TerrainLayer,
    TerrainMaterial, WaterPlane, glam::Vec3, linear_from_srgb,
};

use crate::support::{block, check_golden, draw, on_software, push_instances};

/// Two hills and a bay, with layers by both masks, blocks that throw shadows, and water.
fn small_landscape(renderer: &Renderer) -> Scene {
    const SIDE: u32 = 96;
    let place = |i: u32| ((i % SIDE) as f32 - 48.0, (i / SIDE) as f32 - 48.0);
    let hill = |x: f32, z: f32, r: f32| (1.0 - (x * x + z * z) / (r * r)).max(0.0).powi(2);
    let height =
        |x: f32, z: f32| 90.0 * hill(x + 20.0, z + 20.0, 34.0) + 55.0 * hill(x - 22.0, z + 8.0, 26.0) - 4.0 + 0.08 * x;
    let heights: Vec<f32> = (0..SIDE * SIDE).map(place).map(|(x, z)| height(x, z)).collect();
    let slope: Vec<f32> = (0..SIDE * SIDE)
        .map(place)
        .map(|(x, z)| ((height(x + 1.0, z) - height(x, z)).hypot(height(x, z + 1.0) - height(x, z)) / 6.0).min(1.0))
        .collect();
    let altitude: Vec<f32> = heights.iter().map(|h| (h / 90.0).clamp(0.0, 1.0)).collect();
    let field = Heightfield {
        name: "hills",
        columns: SIDE,
        rows: SIDE,
        spacing_m: [5.0; 2],
        origin: Vec3::new(-240.0, 0.0, -240.0),
        heights_m: &heights,
        first_mask: Some(&slope),
        second_mask: Some(&altitude),
    };
    let color = linear_from_srgb;
    let layers = [
        TerrainLayer::new(color(0x77803f), color(0x4b5c2b)),
        TerrainLayer::new(color(0x97928c), color(0x575358))
            .by_first_mask(0.4, 0.7)
            .strata(0.5),
        TerrainLayer::new(color(0xf4f6fa), color(0xe3e9f0)).by_second_mask(0.6, 0.8),
    ];
    let material = renderer
        .upload_terrain_material(&TerrainMaterial::new("hills", layers))
        .unwrap();
    let mut scene = Scene::default();
    for tile in field.to_tiles(32).unwrap() {
        scene
            .objects
            .push(Object::new(&renderer.upload_mesh(&tile).unwrap(), &material));
    }
    let stones: Vec<_> = (0..12)
        .map(|i| {
            let (x, z) = ((i * 37 % 80) as f32 - 30.0, 20.0 + (i * 53 % 50) as f32 * 0.5);
            Instance::standing(Vec3::new(x * 3.0, height(x * 0.6, z * 0.4), z * 2.0), i as f32, 4.0)
        })
        .collect();
    push_instances(
        renderer,
        &mut scene,
        &block(Vec3::new(-1.0, -2.0, -1.0), Vec3::new(1.0, 3.0, 1.0)),
        &stones,
    );
    scene.sun = Sun::at_deg(250.0, 30.0);
    scene.water = Some(WaterPlane::at(0.0));
    scene
}

fn camera() -> Camera {
    Camera::looking_at(Vec3::new(10.0, 34.0, 215.0), Vec3::new(-12.0, 20.0, -60.0), 0.9)
}

#[test]
fn the_small_landscape_looks_as_it_did() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = small_landscape(&renderer);
        check_golden(
            "small_landscape",
            &draw(headless, &mut renderer, &scene, &camera()),
            0.6,
            90,
        );
    });
}

#[test]
fn without_multisampling_and_without_a_hardware_encoding_the_picture_is_nearly_the_same() {
    on_software(|headless| {
        let mut options = RendererOptions::new(zero_render::wgpu::TextureFormat::Rgba8Unorm);
        options.antialiasing = Antialiasing::Off;
        let mut plain = Renderer::new(headless.device(), headless.queue(), options).unwrap();
        let scene = small_landscape(&plain);
        let rough = draw(headless, &mut plain, &scene, &camera());
        let mut smooth = headless.renderer().unwrap();
        assert_eq!(smooth.options().output_format, Headless::FORMAT);
        let smooth = draw(headless, &mut smooth, &scene, &camera());
        let apart: f64 = rough
            .rgba8
            .iter()
            .zip(&smooth.rgba8)
            .map(|(a, b)| f64::from(a.abs_diff(*b)))
            .sum();
        let mean = apart / rough.rgba8.len() as f64;
        assert!(mean < 3.0, "mean difference {mean}");
        assert!(mean > 0.05, "edges must differ: mean difference {mean}");
    });
}
