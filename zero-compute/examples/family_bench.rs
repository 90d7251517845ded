//! Milliseconds a replay of a few kernel families, on the CPU backend with one thread and with all, and on an adapter. The
//! example `peers` measures some of them beside what other crates take.
//!
//! `cargo run --release -p zero-compute --example family_bench -- [ADAPTER]`
//! Without the name of an adapter, or a part of it, the software adapter is measured.

mod timing;

use std::sync::Arc;

use zero_compute::field::{Binary, Mode, Prelude, Tape, Walk};
use zero_compute::kernels::{Bvh, RayMode, bvh_nearest, bvh_ray, bvh_triangles};
use zero_compute::kernels::{
    Direction, Edge, Form, Primitives, Raster, Scatter, Share, Tile, edges, fft_2d, grid_faces, hash_grid,
    hash_measure, hash_nearest, jump_rank, loops, open_edges, ramp, raster_resolve, raster_sample_all, raster_stencil,
    scan_segments, scatter, sort,
};
use zero_compute::*;

const ROUNDS: usize = 15;

type Record = fn(&Device, &mut Recorder) -> Result<()>;

/// Numbers between 0 and 1 that look like chance.
fn numbers(n: usize) -> Vec<f32> {
    (0..n as u32).map(|i| zero_noise::unit(zero_noise::finish(i))).collect()
}

const FAMILIES: &[(&str, Record)] = &[
    ("fft_2d, 256 x 256", |device, rec| grid_of(device, rec, 256)),
    ("fft_2d, 512 x 512", |device, rec| grid_of(device, rec, 512)),
    ("sort, 2^18 floats", |device, rec| {
        sort(rec, &device.upload(&numbers(1 << 18), 1)?, None).map(drop)
    }),
    ("scan_segments, 2^20 floats", |device, rec| {
        let heads: Vec<i32> = (0..1 << 20).map(|i| i32::from(i % 100 == 0)).collect();
        let src = device.upload(&numbers(1 << 20), 1)?;
        scan_segments(rec, &src, &device.upload(&heads, 1)?, Form::Inclusive).map(drop)
    }),
    ("scatter (add), 2^10 integers into 2^22", |device, rec| {
        let (src, index) = (
            ramp(rec, Domain::count(1 << 10), 0, 1)?,
            ramp(rec, Domain::count(1 << 10), 0, 4_001)?,
        );
        scatter(
            rec,
            &src,
            &index,
            &device.column(Element::I32, 1, 1 << 22)?,
            Scatter::Add,
        )
    }),
    ("hash_grid, 2^16 points", |device, rec| points(device, rec).map(drop)),
    ("hash_grid and hash_measure, some 30 near", |device, rec| {
        let grid = points(device, rec)?;
        hash_measure(rec, &grid, 0.048).map(drop)
    }),
    ("hash_grid and hash_nearest, 8 of some 30", |device, rec| {
        let grid = points(device, rec)?;
        hash_nearest(rec, &grid, &grid.points, 8, 0.048).map(drop)
    }),
    ("bvh_triangles, 2^20 triangles", |device, rec| {
        tree(device, rec).map(drop)
    }),
    ("bvh_triangles and bvh_ray, 2^20 rays", |device, rec| {
        let tree = tree(device, rec)?;
        let numbers = numbers(6 << 20);
        let rays: Vec<f32> = numbers
            .chunks_exact(6)
            .flat_map(|v| [v[0], 2.0, v[1], v[2] - v[0], -2.0, v[3] - v[1], 0.0, 9.0])
            .collect();
        bvh_ray(rec, &tree, &device.upload(&rays, 8)?, RayMode::Nearest).map(drop)
    }),
    ("bvh_triangles and bvh_nearest, 2^18 places", |device, rec| {
        let tree = tree(device, rec)?;
        bvh_nearest(rec, &tree, &device.upload(&numbers(3 << 18), 3)?, 9.0).map(drop)
    }),
    ("jump_rank, a chain of 2^18", |_, rec| {
        let parent = ramp(rec, Domain::count(1 << 18), -1, 1)?;
        jump_rank(rec, &parent).map(drop)
    }),
    ("edges of 102 400 triangles", |device, rec| sheet(device, rec).map(drop)),
    ("loops, a chain of 2^18 edges", |_, rec| {
        let from = ramp(rec, Domain::count(1 << 18), 0, 1)?;
        let to = ramp(rec, Domain::count(1 << 18), 1, 1)?;
        loops(rec, &from, &to).map(drop)
    }),
    ("edges, open_edges and loops of 102 400 triangles", |device, rec| {
        let table = sheet(device, rec)?;
        let open = open_edges(rec, &table)?;
        loops(rec, &open.from, &open.to).map(drop)
    }),
    ("raster_stencil, 3 x 3 over 1024 x 1024 cells", |device, rec| {
        let tile = Tile {
            wide: 1024,
            high: 1024,
            apron: 2,
        };
        let src = device.upload(&numbers(tile.cells() as usize), 1)?;
        let weights = device.upload(&numbers(9), 1)?;
        raster_stencil(rec, &src, tile, &weights, 1, Edge::Apron).map(drop)
    }),
    ("raster_resolve, 4 x 4 tiles of 256 x 256", |device, rec| {
        let cells = TILES.tile.cells() as usize;
        let layer: Result<Vec<Column>> = (0..16).map(|_| device.upload(&numbers(cells), 1)).collect();
        let delta: Result<Vec<Column>> = (0..16).map(|_| device.upload(&vec![9i32; cells], 1)).collect();
        raster_resolve(rec, &TILES, &layer?, &delta?, None).map(drop)
    }),
    ("raster_sample_all, 2^20 points on 4 x 4 tiles", |device, rec| {
        let cells = TILES.tile.cells() as usize;
        let layer: Result<Vec<Column>> = (0..16).map(|_| device.upload(&numbers(cells), 1)).collect();
        let along = |at: f32| at * TILES.cell[0] * (TILES.across * TILES.tile.wide) as f32;
        let points: Vec<f32> = numbers(2 << 20).into_iter().map(along).collect();
        let points = device.upload(&points, 2)?;
        raster_sample_all(rec, &layer?, &points, &TILES, Share::Bilinear).map(drop)
    }),
    ("walk, 2^16 walkers of 64 steps in noise", |device, rec| {
        let start = device.upload(&numbers(2 << 16), 2)?;
        rec.walk(
            &Arc::new(downhill()?),
            &start,
            &[],
            &[],
            WalkOptions {
                steps: 64,
                path_lanes: 0,
            },
        )
        .map(drop)
    }),
];

const TILES: Raster = Raster {
    tile: Tile {
        wide: 256,
        high: 256,
        apron: 2,
    },
    across: 4,
    down: 4,
    origin: [0.0; 2],
    cell: [1.0; 2],
};

/// A step in the direction in which two noises point.
fn downhill() -> Result<Walk> {
    let mut tape = Tape::new();
    let (x, z) = (tape.walk_state(0), tape.walk_state(1));
    let length = tape.const_f32(0.05);
    let mut next = Vec::new();
    for (seed, lane) in [(1, x), (2, z)] {
        let seed = tape.const_u32(seed);
        let way = tape.call(Prelude::Gradient2, &[seed, x, z])?;
        let way = tape.binary(Binary::Mul, way, length)?;
        next.push(tape.binary(Binary::Add, lane, way)?);
    }
    Walk::compile(&tape, &next, None, Mode::Exact)
}

/// The edge table of a sheet of triangles.
fn sheet(device: &Device, rec: &mut Recorder) -> Result<kernels::Edges> {
    let points = grid_faces(rec, 257, 201)?;
    let points = points.reinterpret(1)?;
    let faces = points.capacity() / 3;
    let given = Primitives {
        starts: &ramp(rec, Domain::count(faces), 0, 3)?,
        counts: &device.upload(&vec![3; faces as usize], 1)?,
        points: &points,
        closed: None,
    };
    edges(rec, given)
}

fn grid_of(device: &Device, rec: &mut Recorder, size: u32) -> Result<()> {
    let src = device.upload(&numbers(2 * (size * size) as usize), 2)?;
    fft_2d(rec, &src, size, size, Direction::Forward).map(drop)
}

fn points(device: &Device, rec: &mut Recorder) -> Result<kernels::HashGrid> {
    let points = device.upload(&numbers(3 << 16), 3)?;
    hash_grid(rec, &points, 0.048)
}

/// A hilly sheet of 1025 x 513 points in a cube of 1.
fn tree(device: &Device, rec: &mut Recorder) -> Result<Bvh> {
    let points: Vec<f32> = (0..1025 * 513u32)
        .flat_map(|i| {
            let (x, z) = ((i % 1025) as f32 / 1024.0, (i / 1025) as f32 / 512.0);
            [x, zero_noise::fbm2(7, x * 8.0, z * 8.0, 5) * 0.2, z]
        })
        .collect();
    let faces = grid_faces(rec, 1025, 513)?;
    bvh_triangles(rec, &device.upload(&points, 3)?, &faces)
}

/// The median of `ROUNDS` runs after one to warm up.
fn median(run: impl FnMut() -> Result<()>) -> Result<f64> {
    timing::times(1, ROUNDS, run).map(|times| times.median_ms)
}

/// Replays the family; a word read back stands for the end of the work.
fn measure(device: &Device, record: Record) -> Result<f64> {
    let mut rec = device.record("bench");
    let end = device.upload(&[0u32], 1)?;
    record(device, &mut rec)?;
    rec.fill(&end, 1)?;
    let list = rec.finish()?;
    median(|| {
        list.submit()?;
        end.read::<u32>()?.wait().map(drop)
    })
}

/// The adapter that the first argument names (`hardware`: the best), or the software adapter.
#[cfg(feature = "gpu")]
fn adapter() -> Option<(String, Device)> {
    let name = std::env::args().nth(1);
    match timing::adapter(name.as_deref()) {
        Ok(device) => Some((device.info().name.clone(), device)),
        Err(error) => {
            println!("no adapter: {error}");
            None
        }
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().build()?);
    let threads = pool.current_num_threads();
    let devices = vec![
        ("cpu, calling thread".to_owned(), Device::cpu(CpuOptions::default())),
        (
            format!("cpu, {threads} threads"),
            Device::cpu(CpuOptions {
                pool: Some(pool),
                ..CpuOptions::default()
            }),
        ),
    ];
    #[cfg(feature = "gpu")]
    let devices: Vec<_> = devices.into_iter().chain(adapter()).collect();
    for (family, record) in FAMILIES {
        for (name, device) in &devices {
            println!("{family:<50} {name:<28} {:>9.3} ms", measure(device, *record)?);
        }
    }
    Ok(())
}
