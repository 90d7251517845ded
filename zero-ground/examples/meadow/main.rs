//! A meadow from above: painted densities, clearings, cover in three bands, solid things that thin out with distance.
//!
//! `cargo run --release -p zero-ground --example meadow [PICTURE.png]` draws it, into the crate's folder unless told
//! otherwise. The camera stands left of the picture: bands change at the dashed lines.

mod canvas;
mod draw;

use canvas::{Canvas, hex};
use draw::{Kind, smooth};
use std::error::Error;
use std::path::{Path, PathBuf};
use zero_ground::glam::Vec2;
use zero_ground::{
    Band, Candidate, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, GroundFill, Grown, Layer, Texel,
    Trample,
};

const SIZE_M: Vec2 = Vec2::new(96.0, 60.0);
const GRID: ChunkGrid = ChunkGrid {
    corner_m: Vec2::ZERO,
    chunk_m: 12.0,
};
const CAMP: Vec2 = Vec2::new(25.0, 38.0);
const POND: Vec2 = Vec2::new(51.0, 16.0);
/// The band of each column of chunks.
const BANDS: [usize; 8] = [0, 0, 0, 0, 1, 1, 2, 2];

/// How far a point is from the water: negative in it.
fn shore_m(at_m: Vec2) -> f32 {
    let from = (at_m - POND) * Vec2::new(0.72, 1.0);
    from.length() - 7.0 - 3.0 * zero_noise::gradient2(5, at_m.x * 0.11, at_m.y * 0.11)
}

/// How far a point is from the middle of the path, which winds from left to right through the camp.
fn path_m(at_m: Vec2) -> f32 {
    let bend = 5.0 * zero_noise::sin(at_m.x * 0.085 - 2.2) + 2.0 * zero_noise::sin(at_m.x * 0.21);
    (at_m.y - 40.0 - bend).abs() * 0.9
}

fn noise(seed: u32, at_m: Vec2, wavelength_m: f32) -> f32 {
    zero_noise::fbm2(seed, at_m.x / wavelength_m, at_m.y / wavelength_m, 3) * 0.5 + 0.5
}

/// Where anything may grow: not in water, not on the path.
fn open(at_m: Vec2) -> f32 {
    smooth(0.0, 1.2, shore_m(at_m)) * smooth(0.7, 2.2, path_m(at_m))
}

/// What is painted for a kind at a point.
fn paint(kind: Kind, at_m: Vec2) -> Texel {
    let open_here = open(at_m);
    let wood = smooth(0.52, 0.62, noise(11, at_m, 34.0));
    let (chance, scale) = match kind {
        Kind::Grass => (
            open_here * (0.62 + 0.38 * noise(1, at_m, 15.0)),
            0.8 + 0.5 * noise(2, at_m, 20.0),
        ),
        Kind::Flowers => (open_here * (1.0 - wood) * smooth(0.53, 0.66, noise(3, at_m, 13.0)), 1.0),
        Kind::Reeds => (
            smooth(-1.6, -0.4, shore_m(at_m)) * (1.0 - smooth(0.2, 1.6, shore_m(at_m))) * noise(9, at_m, 6.0),
            1.0,
        ),
        Kind::Pebbles => {
            let beside_path = smooth(0.2, 1.2, path_m(at_m)) * (1.0 - smooth(1.2, 2.6, path_m(at_m)));
            let beach = smooth(-0.3, 0.3, shore_m(at_m)) * (1.0 - smooth(0.6, 2.0, shore_m(at_m)));
            ((beside_path * 0.35 + beach * 0.6).min(1.0), 1.0)
        }
        Kind::Rocks => (
            open_here * (0.04 + 0.3 * smooth(0.56, 0.7, noise(6, at_m, 18.0))),
            0.7 + 0.6 * noise(7, at_m, 9.0),
        ),
        Kind::Trees => (
            open_here * smooth(1.0, 4.0, shore_m(at_m).min(path_m(at_m))) * (0.05 + 0.85 * wood),
            0.75 + 0.5 * wood,
        ),
    };
    Texel::new(chance.clamp(0.0, 1.0), scale)
}

fn row(kind: Kind) -> GroundFill {
    let cover = |steps: [f32; 3], grow: [f32; 3]| {
        steps
            .into_iter()
            .zip(grow)
            .map(|(step, grow)| Band::grown(step, grow))
            .collect()
    };
    let solid = |steps: [f32; 3]| steps.into_iter().map(Band::new).collect();
    let (bands, is_solid, scale_min, scale_max): (Vec<Band>, bool, f32, f32) = match kind {
        Kind::Grass => (cover([0.5, 0.8, 1.3], [1.0, 1.35, 1.9]), false, 0.7, 1.3),
        Kind::Flowers => (cover([0.75, 1.1, 1.6], [1.0, 1.3, 1.7]), false, 0.7, 1.2),
        Kind::Reeds => (cover([0.5, 0.75, 1.0], [1.0, 1.3, 1.6]), false, 0.8, 1.4),
        Kind::Pebbles => (cover([0.6, 1.0, 1.5], [1.0, 1.3, 1.6]), false, 0.5, 1.3),
        Kind::Rocks => (solid([2.4, 3.0, 4.0]), true, 0.5, 1.5),
        Kind::Trees => (solid([3.0, 3.6, 4.8]), true, 0.8, 1.35),
    };
    GroundFill {
        bands,
        solid: is_solid,
        trample: true,
        jitter: 0.95,
        scale_min,
        scale_max,
        ..GroundFill::default()
    }
}

/// Everything of a kind, each chunk at its band, from the far side to the near one so that shapes overlap downwards.
fn grow(kind: Kind, trample: &Trample<'_>) -> zero_ground::Result<Vec<Candidate>> {
    // A texel of 1 m follows the path more closely than one of 2.
    let shape = DensityShape::new(SIZE_M.x as u32, SIZE_M.y as u32).with_texel_m(1.0);
    let density = Density::from_fn(shape, |at_m| paint(kind, at_m))?;
    let layer = Layer::new(kind as u32, GRID, row(kind))?;
    let (mut grown, mut things) = (Grown::new(), Vec::new());
    for (cx, band) in (0..).zip(BANDS) {
        for cz in 0..(SIZE_M.y / GRID.chunk_m) as i32 {
            layer.fill(&density, trample, Chunk::new(cx, cz), band, &mut grown)?;
            things.extend(&grown);
        }
    }
    things.sort_by(|a: &Candidate, b| a.z_m.total_cmp(&b.z_m));
    Ok(things)
}

fn main() -> Result<(), Box<dyn Error>> {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("ground.png");
    let picture = std::env::args_os().nth(1).map_or(committed, PathBuf::from);

    let mut clearings = Clearings::new();
    clearings.add(Clearing::new(CAMP.x, CAMP.y, 4.5, 9.5))?;
    clearings.add(Clearing::new(78.0, 17.0, 3.0, 8.0).with_floor(0.12))?;
    let trample = Trample::NONE.with_clearings(&clearings);

    let ground = |at_m: Vec2| {
        draw::ground(
            at_m,
            shore_m(at_m),
            path_m(at_m),
            clearings.factor(at_m),
            noise(1, at_m, 15.0),
        )
    };
    let mut canvas = Canvas::new(SIZE_M, 9.0, ground);
    for kind in Kind::ALL {
        let things = grow(kind, &trample)?;
        things.iter().for_each(|thing| draw::shadow(&mut canvas, kind, thing));
        things.iter().for_each(|thing| draw::thing(&mut canvas, kind, thing));
        if kind == Kind::Pebbles {
            draw::camp(&mut canvas, CAMP);
        }
        println!("{kind:?}: {}", things.len());
    }
    for (cx, pair) in (1_u8..).zip(BANDS.windows(2)) {
        if pair[0] != pair[1] {
            let x_m = f32::from(cx) * GRID.chunk_m;
            for dash in 0..40_u8 {
                let from = Vec2::new(x_m, f32::from(dash) * 1.5 + 0.35);
                canvas.line(from, from + Vec2::Y * 0.8, 0.18, hex(0xfff8e0), 0.85);
            }
        }
    }
    canvas.save(&picture, 15.0)?;
    println!("{}", picture.display());
    Ok(())
}
