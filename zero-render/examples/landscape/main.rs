//! A mountain lake, drawn without a window: a synthetic heightfield of 6 km, 24 000 trees, water, one picture.
//!
//! `cargo run -p zero-render --example landscape -- [--out FILE.png] [--size WxH] [--hardware]
//! [--eye X,ABOVE,Z] [--toward BEARING,PITCH] [--sun BEARING,HEIGHT] [--ev EV100]`

mod ground;
mod trees;

use std::{error::Error, path::PathBuf, time::Instant};

use zero_render::{
    AdapterChoice, Camera, FrameParams, Headless, Object, Scene, Sun, TerrainLayer, TerrainMaterial, WaterPlane,
    glam::Vec3, linear_from_srgb,
};

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse()?;
    let headless = Headless::blocking(args.adapter)?;
    println!("drawing on {}", headless.adapter_info().name);
    let mut renderer = headless.renderer()?;

    let start = Instant::now();
    let ground = ground::Ground::new();
    let terrain_material = renderer.upload_terrain_material(&terrain_material())?;
    let mut scene = Scene::default();
    for tile in ground.heightfield().to_tiles(128)? {
        scene
            .objects
            .push(Object::new(&renderer.upload_mesh(&tile)?, &terrain_material));
    }
    for species in trees::species() {
        let places = trees::scatter(&ground, &species);
        let mesh = renderer.upload_mesh(&species.mesh)?;
        let material = renderer.upload_material(&species.material)?;
        let instances = renderer.upload_instances(&species.mesh.name, &places)?;
        println!(
            "{}: {} placed, {} triangles each",
            species.mesh.name,
            places.len(),
            species.mesh.indices.len() / 3
        );
        scene.objects.push(Object::instanced(&mesh, &material, &instances));
    }
    scene.sun = Sun::at_deg(args.sun_deg[0], args.sun_deg[1]);
    scene.atmosphere.haze = 3.0;
    scene.water = Some(WaterPlane::at(ground::LAKE_M));
    println!("scene made in {:.1} s", start.elapsed().as_secs_f32());

    let eye = args.eye + Vec3::Y * ground.sample(args.eye.x, args.eye.z).0.max(ground::LAKE_M);
    let (turn, pitch) = (args.toward_deg[0].to_radians(), args.toward_deg[1].to_radians());
    let ahead = Vec3::new(turn.sin() * pitch.cos(), pitch.sin(), -turn.cos() * pitch.cos());
    let camera = Camera::looking_at(eye, eye + ahead, 44_f32.to_radians());
    let start = Instant::now();
    let mut params = FrameParams::new(args.size[0], args.size[1]);
    params.time_secs = 10.0;
    params.ev100 = args.ev100;
    let picture = headless.render(&mut renderer, &scene, &camera, params)?;
    println!(
        "frame drawn in {:.1} s: {:?}",
        start.elapsed().as_secs_f32(),
        renderer.stats()
    );

    image::save_buffer(
        &args.out,
        &picture.rgba8,
        picture.width,
        picture.height,
        image::ColorType::Rgba8,
    )?;
    println!("wrote {}", args.out.display());
    Ok(())
}

/// Meadow, heath, scree, rock and snow. The first mask is slope, the second height.
fn terrain_material() -> TerrainMaterial {
    let color = linear_from_srgb;
    TerrainMaterial::new(
        "mountain",
        [
            TerrainLayer::new(color(0x77803f), color(0x4b5c2b)).detail(26.0, 0.8),
            TerrainLayer::new(color(0x8a7f52), color(0x5c5a35))
                .detail(70.0, 2.0)
                .by_second_mask(0.22, 0.5)
                .ragged(0.4),
            TerrainLayer::new(color(0x8f8b84), color(0x66625c))
                .detail(22.0, 1.2)
                .by_first_mask(0.46, 0.6)
                .ragged(0.35),
            TerrainLayer::new(color(0x94949a), color(0x45464e))
                .detail(90.0, 7.0)
                .by_first_mask(0.58, 0.74)
                .strata(0.8),
            TerrainLayer::new(color(0xf4f6fa), color(0xe3e9f0))
                .detail(60.0, 1.6)
                .roughness(0.6)
                .by_first_mask(0.96, 0.8)
                .by_second_mask(0.48, 0.66)
                .ragged(0.2),
        ],
    )
}

struct Args {
    out: PathBuf,
    size: [u32; 2],
    adapter: AdapterChoice,
    /// X and Z, and how high above ground or water, in metres.
    eye: Vec3,
    /// Compass bearing and pitch of the view.
    toward_deg: [f32; 2],
    /// Compass bearing and height of the sun.
    sun_deg: [f32; 2],
    ev100: f32,
}

impl Args {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Self {
            out: "landscape.png".into(),
            size: [1280, 720],
            adapter: AdapterChoice::Software,
            eye: Vec3::new(-1100.0, 52.0, 2300.0),
            toward_deg: [17.0, -2.6],
            sun_deg: [-74.0, 21.0],
            ev100: 12.2,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--out" => parsed.out = args.next().ok_or("--out needs a file")?.into(),
                "--size" => {
                    let text = args.next().ok_or("--size needs WxH")?;
                    let (w, h) = text
                        .split_once('x')
                        .ok_or_else(|| format!("--size {text}: expected WxH"))?;
                    parsed.size = [w.parse()?, h.parse()?];
                }
                "--eye" => parsed.eye = Vec3::from_array(numbers(&arg, args.next())?),
                "--toward" => parsed.toward_deg = numbers(&arg, args.next())?,
                "--sun" => parsed.sun_deg = numbers(&arg, args.next())?,
                "--ev" => [parsed.ev100] = numbers(&arg, args.next())?,
                "--hardware" => parsed.adapter = AdapterChoice::Hardware,
                other => return Err(format!("unknown argument {other}").into()),
            }
        }
        Ok(parsed)
    }
}

/// Numbers with commas between them.
fn numbers<const N: usize>(name: &str, text: Option<String>) -> Result<[f32; N], Box<dyn Error>> {
    let text = text.ok_or_else(|| format!("{name} needs {N} numbers with commas between them"))?;
    let values = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>()?;
    Ok(values
        .try_into()
        .map_err(|_| format!("{name} {text}: expected {N} numbers"))?)
}
