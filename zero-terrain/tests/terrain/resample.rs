//! Resampling against a sequential oracle in 64 bits.

use crate::common::{cook, cpu, devices, rugged};
use zero_procgen::{Graph, inputs};
use zero_terrain::nodes as terrain;
use zero_terrain::{Heightfield, upload_heights};

const SIZE: [u32; 2] = [23, 17];
const SPACING: [f32; 2] = [31.7, 20.5];

fn resampled(heights: &[f32], spacing: f32, filter: terrain::Filter) -> Heightfield {
    let device = cpu();
    let dem = upload_heights(&device, SIZE[0], SIZE[1], SPACING, [50.0, -9.0], heights).unwrap();
    let graph = Graph::define("resampled", move |g| {
        let resample = terrain::Resample::new(g.raster("dem")).spacing_m(spacing);
        g.output("land", g.add(resample.filter(filter)));
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
    Heightfield::download(frame.raster("land").unwrap()).unwrap()
}

/// Catmull and Rom's spline by its control points' tangents (Hermite's form), not by the weights of the kernel.
fn spline(p: [f64; 4], t: f64) -> f64 {
    let (m1, m2) = ((p[2] - p[0]) / 2.0, (p[3] - p[1]) / 2.0);
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * p[1] + (t3 - 2.0 * t2 + t) * m1 + (3.0 * t2 - 2.0 * t3) * p[2] + (t3 - t2) * m2
}

fn line(p: [f64; 4], t: f64) -> f64 {
    p[1] * (1.0 - t) + p[2] * t
}

fn oracle(heights: &[f32], x: f64, z: f64, between: fn([f64; 4], f64) -> f64) -> f64 {
    let at = |column: f64, row: f64| {
        let held = |place: f64, count: u32| place.clamp(0.0, f64::from(count - 1)) as usize;
        f64::from(heights[held(row, SIZE[1]) * SIZE[0] as usize + held(column, SIZE[0])])
    };
    let (column, row) = (x / f64::from(SPACING[0]) - 0.5, z / f64::from(SPACING[1]) - 0.5);
    let (c, r) = (column.floor(), row.floor());
    let across = |row: f64| between([-1.0, 0.0, 1.0, 2.0].map(|tap| at(c + tap, row)), column - c);
    between([-1.0, 0.0, 1.0, 2.0].map(|tap| across(r + tap)), row - r)
}

#[test]
fn both_filters_agree_with_the_oracle_at_every_place() {
    let heights = rugged(SIZE[0], SIZE[1]);
    for spacing in [3.0f32, 7.0, 20.5, 63.4, 500.0] {
        for (filter, between) in [
            (terrain::Filter::Bicubic, spline as fn([f64; 4], f64) -> f64),
            (terrain::Filter::Bilinear, line),
        ] {
            let land = resampled(&heights, spacing, filter);
            let grid = land.grid();
            let sides = [0, 1].map(|axis| {
                let size = f64::from(SIZE[axis]) * f64::from(SPACING[axis]);
                ((size / f64::from(spacing) + 0.5).floor() as u32).max(1)
            });
            assert_eq!([grid.width, grid.height], sides, "{spacing} m");
            assert_eq!((grid.spacing_m, grid.origin_m), ([spacing; 2], [50.0, -9.0]));
            for (i, height) in land.heights_m().iter().enumerate() {
                let centre = |place: usize| (place as f64 + 0.5) * f64::from(spacing);
                let (column, row) = (i % grid.width as usize, i / grid.width as usize);
                let expected = oracle(&heights, centre(column), centre(row), between);
                assert!(
                    (f64::from(*height) - expected).abs() < 2e-4,
                    "{filter:?} {spacing} m ({column}, {row}): {height}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn the_same_spacing_gives_every_sample_back() {
    let heights = rugged(SIZE[0], SIZE[1]);
    for (name, device) in devices() {
        let dem = upload_heights(&device, SIZE[0], SIZE[1], [20.5; 2], [50.0, -9.0], &heights).unwrap();
        let graph = Graph::define("same", |g| {
            g.output("land", g.add(terrain::Resample::new(g.raster("dem")).spacing_m(20.5)));
        })
        .unwrap();
        let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
        let land = Heightfield::download(frame.raster("land").unwrap()).unwrap();
        assert_eq!(land.heights_m(), heights, "{name}");
    }
}

#[test]
fn a_spacing_of_nothing_and_one_too_fine_are_refused() {
    let device = cpu();
    let dem = upload_heights(&device, SIZE[0], SIZE[1], SPACING, [0.0; 2], &rugged(SIZE[0], SIZE[1])).unwrap();
    let graph = Graph::define("fine", |g| {
        let spacing = g.float("spacing", 1.0);
        g.output(
            "land",
            g.add(terrain::Resample::new(g.raster("dem")).spacing_m(spacing)),
        );
    })
    .unwrap();
    for (spacing, expected) in [
        (
            0.0f32,
            "g.terrain.resample failed: spacingM: expected metres above 0, got 0",
        ),
        (
            0.001,
            "g.terrain.resample failed: spacingM: expected at most 16384 samples along X, got 729100 of 0.001 m",
        ),
    ] {
        let inputs = inputs! { dem: dem.clone(), spacing: spacing };
        let message = cook(&device, &graph, inputs).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
