//! Milliseconds of kernel families beside what a Rust program would take in their place: the standard library, rayon,
//! rstar and rustfft, over the same numbers.
//!
//! `cargo run --release -p zero-compute --example peers -- [ADAPTER]`
//! Without the name of an adapter, or a part of it, the software adapter is measured. A row ends with a word that is read
//! back; what was uploaded stands on the device before it begins. A peer begins with its numbers in memory as well, and
//! makes room for what it answers.

mod timing;

use std::hint::black_box;
use std::sync::Arc;

use rayon::prelude::*;
use rstar::RTree;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use zero_compute::kernels::{
    Direction, Form, Reduce, Scatter, compact, fft_2d, gather, hash_grid, hash_measure, hash_nearest, reduce, scan,
    scatter, sort,
};
use zero_compute::*;

const ROUNDS: usize = 15;
const LARGE: usize = 1 << 22;
const POINTS: usize = 1 << 16;
/// Some 30 points of `POINTS` in a cube of 1 are as near.
const RADIUS: f32 = 0.048;

type Record = fn(&Device, &mut Recorder) -> Result<()>;
/// Makes ready what is measured then.
type Peer = fn() -> Box<dyn FnMut()>;

/// A family, and its peers with their names.
struct Row {
    what: &'static str,
    record: Record,
    peers: &'static [(&'static str, Peer)],
}

/// Numbers between 0 and 1 that look like chance.
fn numbers(n: usize) -> Vec<f32> {
    (0..n as u32).map(|i| zero_noise::unit(zero_noise::finish(i))).collect()
}

/// Places below `n` that look like chance.
fn places(n: usize) -> Vec<i32> {
    (0..n as u32)
        .map(|i| (zero_noise::finish(i) % n as u32) as i32)
        .collect()
}

fn points() -> Vec<[f32; 3]> {
    numbers(3 * POINTS)
        .chunks_exact(3)
        .map(|p| [p[0], p[1], p[2]])
        .collect()
}

const ROWS: &[Row] = &[
    Row {
        what: "sort, 2^20 floats",
        record: |device, rec| sort(rec, &device.upload(&numbers(1 << 20), 1)?, None).map(drop),
        peers: &[
            ("std sort_by, stable", || {
                let src = numbers(1 << 20);
                Box::new(move || {
                    let mut sorted: Vec<(f32, i32)> = src.iter().copied().zip(0..).collect();
                    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
                    black_box(&sorted);
                })
            }),
            ("rayon par_sort_by, stable", || {
                let src = numbers(1 << 20);
                Box::new(move || {
                    let mut sorted: Vec<(f32, i32)> = src.iter().copied().zip(0..).collect();
                    sorted.par_sort_by(|a, b| a.0.total_cmp(&b.0));
                    black_box(&sorted);
                })
            }),
        ],
    },
    Row {
        what: "scan, 2^22 floats, inclusive",
        record: |device, rec| scan(rec, &device.upload(&numbers(LARGE), 1)?, Form::Inclusive).map(drop),
        peers: &[("std Iterator::scan", || {
            let src = numbers(LARGE);
            Box::new(move || {
                let running = src.iter().scan(0.0f32, |sum, value| {
                    *sum += value;
                    Some(*sum)
                });
                black_box(running.collect::<Vec<f32>>());
            })
        })],
    },
    Row {
        what: "reduce (sum), 2^22 floats",
        record: |device, rec| reduce(rec, &device.upload(&numbers(LARGE), 1)?, Reduce::Sum).map(drop),
        peers: &[
            ("std Iterator::sum", || {
                let src = numbers(LARGE);
                Box::new(move || {
                    black_box(src.iter().sum::<f32>());
                })
            }),
            ("rayon sum, in no stated order", || {
                let src = numbers(LARGE);
                Box::new(move || {
                    black_box(src.par_iter().sum::<f32>());
                })
            }),
        ],
    },
    Row {
        what: "compact, half of 2^22",
        record: |device, rec| {
            let flags: Vec<i32> = numbers(LARGE).iter().map(|v| i32::from(*v < 0.5)).collect();
            compact(rec, &device.upload(&flags, 1)?).map(drop)
        },
        peers: &[("std filter and collect", || {
            let flags: Vec<i32> = numbers(LARGE).iter().map(|v| i32::from(*v < 0.5)).collect();
            Box::new(move || {
                let kept = (0i32..).zip(&flags).filter(|(_, flag)| **flag != 0);
                black_box(kept.map(|(at, _)| at).collect::<Vec<i32>>());
            })
        })],
    },
    Row {
        what: "gather, 2^22 at random",
        record: |device, rec| {
            let src = device.upload(&numbers(LARGE), 1)?;
            gather(rec, &src, &device.upload(&places(LARGE), 1)?).map(drop)
        },
        peers: &[("std indexing", || {
            let (src, index) = (numbers(LARGE), places(LARGE));
            Box::new(move || {
                let at = |at: &i32| src.get(*at as usize).copied().unwrap_or(0.0);
                black_box(index.iter().map(at).collect::<Vec<f32>>());
            })
        })],
    },
    Row {
        what: "scatter (add), 2^22 integers into 2^22",
        record: |device, rec| {
            let (src, index) = (device.upload(&places(LARGE), 1)?, device.upload(&places(LARGE), 1)?);
            scatter(
                rec,
                &src,
                &index,
                &device.column(Element::I32, 1, LARGE as u32)?,
                Scatter::Add,
            )
        },
        peers: &[("std indexing", || {
            let (src, index) = (places(LARGE), places(LARGE));
            let mut dst = vec![0i32; LARGE];
            Box::new(move || {
                for (value, at) in src.iter().zip(&index) {
                    if let Some(to) = dst.get_mut(*at as usize) {
                        *to = to.wrapping_add(*value);
                    }
                }
                black_box(&dst);
            })
        })],
    },
    Row {
        what: "hash_grid and hash_measure, some 30 near each of 2^16",
        record: |device, rec| {
            let grid = hash_grid(rec, &device.upload(&numbers(3 * POINTS), 3)?, RADIUS)?;
            hash_measure(rec, &grid, RADIUS).map(drop)
        },
        peers: &[("rstar bulk_load, locate_within_distance", || {
            let points = points();
            Box::new(move || {
                let tree = RTree::bulk_load(points.clone());
                let measure = |own: &[f32; 3]| {
                    let near = tree.locate_within_distance(*own, RADIUS * RADIUS);
                    near.fold((0u32, [0.0f32; 3]), |(count, sum), p| {
                        (count + 1, [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]])
                    })
                };
                black_box(points.iter().map(measure).collect::<Vec<_>>());
            })
        })],
    },
    Row {
        what: "hash_grid and hash_nearest, 8 of some 30 for 2^16",
        record: |device, rec| {
            let grid = hash_grid(rec, &device.upload(&numbers(3 * POINTS), 3)?, RADIUS)?;
            hash_nearest(rec, &grid, &grid.points, 8, RADIUS).map(drop)
        },
        peers: &[("rstar bulk_load, nearest_neighbor_iter", || {
            let points = points();
            Box::new(move || {
                let tree = RTree::bulk_load(points.clone());
                let nearest = |own: &[f32; 3]| tree.nearest_neighbor_iter(*own).take(8).map(|p| p[0]).sum::<f32>();
                black_box(points.iter().map(nearest).collect::<Vec<_>>());
            })
        })],
    },
    Row {
        what: "fft_2d, 256 x 256",
        record: |device, rec| grid(device, rec, 256),
        peers: &[("rustfft and two transposes", || rustfft(256))],
    },
    Row {
        what: "fft_2d, 512 x 512",
        record: |device, rec| grid(device, rec, 512),
        peers: &[("rustfft and two transposes", || rustfft(512))],
    },
];

fn grid(device: &Device, rec: &mut Recorder, size: u32) -> Result<()> {
    let src = device.upload(&numbers(2 * (size * size) as usize), 2)?;
    fft_2d(rec, &src, size, size, Direction::Forward).map(drop)
}

fn rustfft(size: usize) -> Box<dyn FnMut()> {
    let plan = FftPlanner::<f32>::new().plan_fft_forward(size);
    let complex = |v: &[f32]| Complex::new(v[0], v[1]);
    let src: Vec<_> = numbers(2 * size * size).chunks_exact(2).map(complex).collect();
    let mut turned = src.clone();
    Box::new(move || {
        let mut grid = src.clone();
        for _ in 0..2 {
            plan.process(&mut grid);
            for (at, value) in grid.iter().enumerate() {
                turned[at % size * size + at / size] = *value;
            }
            std::mem::swap(&mut grid, &mut turned);
        }
        black_box(&grid);
    })
}

/// Replays the family; a word read back stands for the end of the work.
fn measure(device: &Device, record: Record) -> Result<timing::Times> {
    let mut rec = device.record("peers");
    let end = device.upload(&[0u32], 1)?;
    record(device, &mut rec)?;
    rec.fill(&end, 1)?;
    let list = rec.finish()?;
    timing::times(2, ROUNDS, || {
        list.submit()?;
        end.read::<u32>()?.wait().map(drop)
    })
}

fn tell(what: &str, by: &str, times: timing::Times) {
    println!("{what:<54} {by:<42} {:>9.3} {:>9.3}", times.median_ms, times.least_ms);
}

/// The CPU on the calling thread and on all, and the adapter that the first argument names, or the software adapter.
fn devices() -> std::result::Result<Vec<(String, Device)>, Box<dyn std::error::Error>> {
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().build()?);
    let threads = format!("zero, CPU, {} threads", pool.current_num_threads());
    let pooled = CpuOptions {
        pool: Some(pool),
        ..CpuOptions::default()
    };
    let cpus = [
        (
            "zero, CPU, calling thread".to_owned(),
            Device::cpu(CpuOptions::default()),
        ),
        (threads, Device::cpu(pooled)),
    ];
    #[cfg(feature = "gpu")]
    let gpu = match timing::adapter(std::env::args().nth(1).as_deref()) {
        Ok(device) => Some((format!("zero, {}", device.info().name), device)),
        Err(error) => {
            println!("no adapter: {error}");
            None
        }
    };
    #[cfg(not(feature = "gpu"))]
    let gpu = None;
    Ok(cpus.into_iter().chain(gpu).collect())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let devices = devices()?;
    println!("{:<54} {:<42} {:>9} {:>9}", "", "", "median ms", "least ms");
    for row in ROWS {
        for (name, device) in &devices {
            tell(row.what, name, measure(device, row.record)?);
        }
        for (name, peer) in row.peers {
            let mut run = peer();
            let times = timing::times(2, ROUNDS, || {
                run();
                Ok(())
            })?;
            tell(row.what, name, times);
        }
    }
    Ok(())
}
