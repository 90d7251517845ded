//! What the picture tests share: the software adapter, small scenes, comparison with a golden.

use std::{path::PathBuf, sync::Mutex};

use zero_render::{
    AdapterChoice, Camera, FrameParams, Headless, Heightfield, Instance, Material, MeshData, Object, Picture, Renderer,
    Scene, glam::Vec3,
};

/// One test at a time on the software adapter.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs a test on the software adapter. Without one it fails where `CI` is set and says loudly that it was skipped
/// elsewhere.
pub(crate) fn on_software(test: impl FnOnce(&Headless)) {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match Headless::blocking(AdapterChoice::Software) {
        Ok(headless) => test(&headless),
        Err(error) if std::env::var_os("CI").is_some() => panic!("{error}"),
        Err(error) => eprintln!("\n***** SKIPPED, NOTHING WAS DRAWN: {error} *****\n"),
    }
}

pub(crate) fn draw(headless: &Headless, renderer: &mut Renderer, scene: &Scene, camera: &Camera) -> Picture {
    headless
        .render(renderer, scene, camera, FrameParams::new(160, 90))
        .unwrap()
}

/// Brightness of a pixel, 0 to 255.
pub(crate) fn luma(picture: &Picture, x: u32, y: u32) -> f32 {
    let [r, g, b] = picture.rgb(x, y).unwrap().map(f32::from);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Mean brightness of a square of 5 x 5 pixels.
pub(crate) fn mean(picture: &Picture, x: u32, y: u32) -> f32 {
    (0..25)
        .map(|i| luma(picture, x + i % 5 - 2, y + i / 5 - 2))
        .sum::<f32>()
        / 25.0
}

/// A box with its own normals, from its lowest corner to its highest.
pub(crate) fn block(lo: Vec3, hi: Vec3) -> MeshData {
    let mut mesh = MeshData {
        name: "block".to_owned(),
        ..MeshData::default()
    };
    for (u, v, w) in [
        (Vec3::X, Vec3::Y, Vec3::Z),
        (Vec3::Y, Vec3::Z, Vec3::X),
        (Vec3::Z, Vec3::X, Vec3::Y),
    ] {
        for side in [0.0, 1.0] {
            let first = mesh.positions.len() as u32;
            for (a, b) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                mesh.positions.push(lo + (hi - lo) * (u * a + v * b + w * side));
                mesh.normals.push(w * (2.0 * side - 1.0));
            }
            let order = if side > 0.5 {
                [0, 1, 2, 0, 2, 3]
            } else {
                [0, 2, 1, 0, 3, 2]
            };
            mesh.indices.extend(order.map(|i| first + i));
        }
    }
    mesh
}

/// A grey plain of 4 km at height 0.
pub(crate) fn plain(renderer: &Renderer, scene: &mut Scene) {
    let heights = vec![0.0; 41 * 41];
    let field = Heightfield {
        name: "plain",
        columns: 41,
        rows: 41,
        spacing_m: [100.0; 2],
        origin: Vec3::new(-2050.0, 0.0, -2050.0),
        heights_m: &heights,
        first_mask: None,
        second_mask: None,
    };
    push(renderer, scene, &field.to_mesh().unwrap(), Vec3::splat(0.4));
}

pub(crate) fn push(renderer: &Renderer, scene: &mut Scene, mesh: &MeshData, color: Vec3) {
    let mesh = renderer.upload_mesh(mesh).unwrap();
    let material = renderer.upload_material(&Material::new("grey", color, 0.9)).unwrap();
    scene.objects.push(Object::new(&mesh, &material));
}

pub(crate) fn push_instances(renderer: &Renderer, scene: &mut Scene, mesh: &MeshData, places: &[Instance]) {
    let mesh = renderer.upload_mesh(mesh).unwrap();
    let material = renderer
        .upload_material(&Material::new("blocks", Vec3::splat(0.7), 0.6))
        .unwrap();
    let instances = renderer.upload_instances("blocks", places).unwrap();
    scene.objects.push(Object::instanced(&mesh, &material, &instances));
}

/// Compares with `golden/NAME.png`: the mean difference of a channel and the number of pixels that are off by more than
/// 12 steps. `ZERO_BLESS=1` writes the golden anew; a failure leaves actual, expected and difference beside each other.
pub(crate) fn check_golden(name: &str, picture: &Picture, mean_limit: f64, bad_limit: usize) {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/promises/golden/{name}.png"));
    if std::env::var_os("ZERO_BLESS").is_some_and(|v| v == "1") {
        save(&golden, picture, &picture.rgba8);
        return;
    }
    let expected = image::open(&golden).unwrap_or_else(|e| panic!("{}: {e}; ZERO_BLESS=1 makes it", golden.display()));
    let expected = expected.to_rgba8();
    assert_eq!(
        expected.dimensions(),
        (picture.width, picture.height),
        "size of {}",
        golden.display()
    );
    let apart: Vec<u8> = picture
        .rgba8
        .iter()
        .zip(expected.as_raw())
        .map(|(a, b)| a.abs_diff(*b))
        .collect();
    let mean = apart.iter().map(|d| f64::from(*d)).sum::<f64>() / apart.len() as f64;
    let bad = apart.chunks_exact(4).filter(|p| p.iter().any(|d| *d > 12)).count();
    if mean > mean_limit || bad > bad_limit {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let file = |what: &str| folder.join(format!("{name}.{what}.png"));
        save(&file("actual"), picture, &picture.rgba8);
        save(&file("expected"), picture, expected.as_raw());
        let shown: Vec<u8> = apart
            .chunks_exact(4)
            .flat_map(|p| [p[0], p[1], p[2]].map(|d| d.saturating_mul(8)).into_iter().chain([255]))
            .collect();
        save(&file("difference"), picture, &shown);
        panic!(
            "{name}: mean error {mean:.3} (limit {mean_limit}), {bad} bad pixels (limit {bad_limit}); see {}",
            folder.display()
        );
    }
}

fn save(path: &std::path::Path, picture: &Picture, bytes: &[u8]) {
    image::save_buffer(path, bytes, picture.width, picture.height, image::ColorType::Rgba8).unwrap();
}
