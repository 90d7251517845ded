//! What asks a hash grid.

use zero_compute::kernels::{self, HashGrid};
use zero_compute::{Column, Element, Result};

use super::super::world::{Want, World};

/// The most points: each of them looks into some dozens of cells.
pub(super) const MOST_POINTS: u32 = 1 << 17;

/// Points in a cube in which a few are near each, some of them on the very same place.
fn points(w: &mut World<'_>) -> Result<Column> {
    let n = w.size_to(MOST_POINTS);
    let units = 64 * (2 + (f64::from(n).cbrt() * 1.2) as u32);
    let words: Vec<f32> = (0..3 * n).map(|_| w.random.below(units) as f32 / 64.0).collect();
    let points = w.upload(&words, 3)?;
    w.keep_tame(&points);
    if w.random.one_in(4) {
        w.with_live(&points)
    } else {
        Ok(points)
    }
}

fn grid(w: &mut World<'_>) -> Result<(HashGrid, f32)> {
    let points = points(w)?;
    let cell = w.random.of(&[0.5f32, 1.0, 1.5]).unwrap_or(1.0);
    let radius = cell * w.random.of(&[0.5f32, 1.0, 1.75]).unwrap_or(1.0);
    let grid = kernels::hash_grid(&mut w.rec, &points, cell)?;
    w.keep(&grid.starts);
    w.keep(&grid.order);
    Ok((grid, radius))
}

pub(super) fn hash_gather(w: &mut World<'_>) -> Result<()> {
    let (grid, radius) = grid(w)?;
    let places = points(w)?;
    let n = places.capacity();
    let capacity = w.random.of(&[n, n.saturating_mul(8), n / 2]).unwrap_or(n);
    let near = kernels::hash_gather(&mut w.rec, &grid, &places, radius, capacity)?;
    for column in [&near.items, &near.offsets, &near.counts, &near.total] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn hash_measure(w: &mut World<'_>) -> Result<()> {
    let (grid, radius) = grid(w)?;
    let measured = kernels::hash_measure(&mut w.rec, &grid, radius)?;
    for column in [&measured.count, &measured.nearest, &measured.centroid] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn hash_repel(w: &mut World<'_>) -> Result<()> {
    let (grid, radius) = grid(w)?;
    let pushed = kernels::hash_repel(&mut w.rec, &grid, radius)?;
    w.keep(&pushed);
    Ok(())
}

pub(super) fn hash_average(w: &mut World<'_>) -> Result<()> {
    let (grid, radius) = grid(w)?;
    let values = w.any(Want::of(Element::F32).elements(grid.points.capacity()).tame())?;
    let averages = kernels::hash_average(&mut w.rec, &grid, &values, radius)?;
    w.keep(&averages);
    Ok(())
}

pub(super) fn hash_nearest(w: &mut World<'_>) -> Result<()> {
    let (grid, radius) = grid(w)?;
    let places = points(w)?;
    let k = 1 + w.random.below(8);
    let nearest = kernels::hash_nearest(&mut w.rec, &grid, &places, k, radius)?;
    w.keep(&nearest.items);
    w.keep(&nearest.distances);
    Ok(())
}
