//! More families for [`large`](super::large): field programs and walks, rasters, sorts by several columns, and what a
//! small tree of boxes is asked by many. The elements of questions are wide, so at the largest sizes those are refused.

use std::sync::Arc;

use zero_compute::field::{Binary, Kind, Mode, Program, Tape, Walk};
use zero_compute::kernels::{
    Bvh, Edge, Order, RayMode, Tile, bvh_balls, bvh_nearest, bvh_overlap, bvh_ray, raster_accumulate, raster_apply,
    raster_stencil, sort_columns,
};
use zero_compute::{Device, Domain, Element, Recorder, Result, WalkOptions};

use crate::Bits;
use crate::large::{Family, up, words};

/// `4 * (i % 1000) + 0.5`: small enough that every step is exact.
fn mapped(i: u32) -> u32 {
    (4.0 * (i % 1_000) as f32 + 0.5).to_bits()
}

/// `a * number + b`.
fn program() -> Result<Arc<Program>> {
    let mut tape = Tape::new();
    let (a, b) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let number = tape.number(0, Kind::F32);
    let scaled = tape.binary(Binary::Mul, a, number)?;
    let out = tape.binary(Binary::Add, scaled, b)?;
    Ok(Arc::new(Program::compile(&tape, &[out], Mode::Exact)?))
}

/// One more at every step, until the state is 2 or more.
fn climb() -> Result<Arc<Walk>> {
    let mut tape = Tape::new();
    let (state, one) = (tape.walk_state(0), tape.number(0, Kind::F32));
    let target = tape.number(1, Kind::F32);
    let next = tape.binary(Binary::Add, state, one)?;
    let done = tape.binary(Binary::Ge, state, target)?;
    Ok(Arc::new(Walk::compile(&tape, &[next], Some(done), Mode::Exact)?))
}

/// A raster of one row; it has a cell at least.
fn row(n: u32) -> Tile {
    Tile {
        wide: n.max(1),
        high: 1,
        apron: 0,
    }
}

/// Balls of radius 1 in a row, 4 apart.
const BALLS: u32 = 16;

fn ball(i: u32) -> f32 {
    (i % BALLS * 4) as f32
}

fn tree(device: &Device, rec: &mut Recorder) -> Result<Bvh> {
    let balls: Vec<f32> = (0..BALLS).flat_map(|i| [ball(i), 0.0, 0.0, 1.0]).collect();
    bvh_balls(rec, &device.upload(&balls, 4)?)
}

pub(crate) const FAMILIES: &[Family] = &[
    Family {
        name: "map",
        is_quick: true,
        record: |device, rec, n| {
            let a = up(device, n, |i| (i % 1_000) as f32)?;
            let b = up(device, n, |i| (i % 1_000) as f32 + 0.5)?;
            let mapped = rec.map(&program()?, &[a.clone(), b], &[3.0f32.to_bits()], Domain::of(&a))?;
            Ok(vec![mapped.column("dst")?])
        },
        expect: |n| vec![words(n, mapped)],
    },
    Family {
        name: "walk",
        is_quick: false,
        record: |device, rec, n| {
            let start = up(device, n, |i| (i % 4) as f32)?;
            let options = WalkOptions {
                steps: 3,
                path_lanes: 0,
            };
            let numbers = [1.0f32, 2.0].map(f32::to_bits);
            let walked = rec.walk(&climb()?, &start, &[], &numbers, options)?;
            Ok(vec![walked.last, walked.taken])
        },
        expect: |n| {
            vec![
                words(n, |i| ((i % 4).max(2) as f32).to_bits()),
                words(n, |i| 2 - (i % 4).min(2)),
            ]
        },
    },
    Family {
        name: "sort_columns",
        is_quick: false,
        record: |device, rec, n| {
            let coarse = up(device, n, |i| i / 1_000)?;
            let fine = up(device, n, |i| -((i % 1_000) as f32))?;
            Ok(vec![sort_columns(
                rec,
                &[(&coarse, Order::Descending), (&fine, Order::Ascending)],
            )?])
        },
        // Of both columns the last element comes first, and so on down.
        expect: |n| vec![words(n, |i| n - 1 - i)],
    },
    Family {
        name: "raster",
        is_quick: false,
        record: |device, rec, n| {
            let tile = row(n);
            let src = up(device, tile.wide, |i| (i % 100) as f32)?;
            let weights = device.upload(&[0.0f32, 0.0, 0.0, 1.0, 2.0, 4.0, 0.0, 0.0, 0.0], 1)?;
            let summed = raster_stencil(rec, &src, tile, &weights, 1, Edge::Clamp)?;
            let delta = device.column(Element::I32, 1, tile.wide)?;
            let cells = up(device, tile.wide, |i| (i / 2) as i32)?;
            raster_accumulate(rec, &src, &cells, &delta)?;
            let layer = device.column(Element::F32, 1, tile.wide)?;
            raster_apply(rec, &delta, &layer)?;
            Ok(vec![summed, layer, delta])
        },
        expect: |n| {
            let wide = row(n).wide;
            let at = |i: u32| (i % 100) as f32;
            let summed = |i: u32| at(i.saturating_sub(1)) + 2.0 * at(i) + 4.0 * at((i + 1).min(wide - 1));
            let two = |i: u32| {
                let both = [2 * i, 2 * i + 1].into_iter().filter(|&k| k < wide);
                // The sum of no floats is -0.
                both.map(at).fold(0.0f32, |sum, value| sum + value)
            };
            vec![
                words(wide, |i| summed(i).to_bits()),
                words(wide, |i| two(i).to_bits()),
                vec![0; wide as usize],
            ]
        },
    },
];

/// Over a tree: a ray from above each ball in turn, a place above it, a box around its middle.
pub(crate) const QUERIES: &[Family] = &[
    Family {
        name: "rays",
        is_quick: false,
        record: |device, rec, n| {
            let tree = tree(device, rec)?;
            let rays: Vec<f32> = (0..n)
                .flat_map(|i| [ball(i), 5.0, 0.0, 0.0, -1.0, 0.0, 0.0, 100.0])
                .collect();
            let hits = bvh_ray(rec, &tree, &device.upload(&rays, 8)?, RayMode::Nearest)?;
            Ok(vec![hits.primitive])
        },
        expect: |n| vec![words(n, |i| i % BALLS)],
    },
    Family {
        name: "nearest",
        is_quick: false,
        record: |device, rec, n| {
            let tree = tree(device, rec)?;
            let places: Vec<f32> = (0..n).flat_map(|i| [ball(i), 3.0, 0.0]).collect();
            let found = bvh_nearest(rec, &tree, &device.upload(&places, 3)?, 10.0)?;
            Ok(vec![found.primitive, found.distance])
        },
        expect: |n| vec![words(n, |i| i % BALLS), vec![2.0f32; n as usize].to_words()],
    },
    Family {
        name: "overlap",
        is_quick: false,
        record: |device, rec, n| {
            let tree = tree(device, rec)?;
            let boxes: Vec<f32> = (0..n)
                .flat_map(|i| [ball(i) - 0.5, -0.5, -0.5, ball(i) + 0.5, 0.5, 0.5])
                .collect();
            let found = bvh_overlap(rec, &tree, &device.upload(&boxes, 6)?, n)?;
            Ok(vec![found.items, found.offsets, found.counts, found.total])
        },
        expect: |n| vec![words(n, |i| i % BALLS), words(n, |i| i), vec![1; n as usize], vec![n]],
    },
];
