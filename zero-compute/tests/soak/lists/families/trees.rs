//! Trees of boxes, and what is asked of them.

use zero_compute::kernels::{self, Bvh, RayMode};
use zero_compute::{Column, Result};

use super::super::world::World;

/// The most primitives, and the most questions: a walk looks at some dozens of nodes.
pub(super) const MOST: u32 = 1 << 16;

/// A coordinate in a cube that `n` small things do not crowd, a multiple of 1/64.
fn coordinate(w: &mut World<'_>, n: u32) -> f32 {
    let units = 64 * (4 + (f64::from(n).cbrt() * 3.0) as u32);
    w.random.below(units) as f32 / 64.0
}

/// Up to 1, a multiple of 1/64, at times 0.
fn extent(w: &mut World<'_>) -> f32 {
    w.random.below(65) as f32 / 64.0
}

/// A column of `count` elements of as many floats as `one` gives, at times live.
fn column<const LANES: usize>(
    w: &mut World<'_>,
    count: u32,
    one: impl Fn(&mut World<'_>) -> [f32; LANES],
) -> Result<Column> {
    let words: Vec<f32> = (0..count).flat_map(|_| one(w)).collect();
    let column = w.upload(&words, LANES as u32)?;
    w.keep(&column);
    if w.random.one_in(4) {
        w.with_live(&column)
    } else {
        Ok(column)
    }
}

fn boxes(w: &mut World<'_>, count: u32, crowd: u32) -> Result<Column> {
    column(w, count, |w| {
        let low = [0; 3].map(|_: i32| coordinate(w, crowd));
        let size = [0; 3].map(|_: i32| extent(w));
        let [x, y, z] = low;
        [x, y, z, x + size[0], y + size[1], z + size[2]]
    })
}

/// A tree over primitives of one kind or another, and how many there are.
fn tree(w: &mut World<'_>) -> Result<(Bvh, u32)> {
    let n = w.size_to(MOST);
    let bvh = match w.random.below(4) {
        0 => {
            let boxes = boxes(w, n, n)?;
            kernels::bvh_boxes(&mut w.rec, &boxes)?
        }
        1 => {
            let points = column(w, n, |w| [0; 3].map(|_: i32| coordinate(w, n)))?;
            let radius = extent(w);
            kernels::bvh_points(&mut w.rec, &points, radius)?
        }
        2 => {
            let balls = column(w, n, |w| {
                let [x, y, z] = [0; 3].map(|_: i32| coordinate(w, n));
                [x, y, z, extent(w)]
            })?;
            kernels::bvh_balls(&mut w.rec, &balls)?
        }
        _ => {
            let corners = n.saturating_mul(3);
            let mut words = Vec::new();
            for _ in 0..n {
                let first = [0; 3].map(|_: i32| coordinate(w, n));
                for _ in 0..3 {
                    words.extend(first.map(|v| v + extent(w)));
                }
            }
            let positions = w.upload(&words, 3)?;
            let numbers: Vec<i32> = (0..corners)
                .map(|corner| if w.random.one_in(500) { -1 } else { corner as i32 })
                .collect();
            let triangles = w.upload(&numbers, 3)?;
            let triangles = if w.random.one_in(4) {
                w.with_live(&triangles)?
            } else {
                triangles
            };
            kernels::bvh_triangles(&mut w.rec, &positions, &triangles)?
        }
    };
    w.keep(&bvh.order);
    Ok((bvh, n))
}

pub(super) fn bvh_ray(w: &mut World<'_>) -> Result<()> {
    let (bvh, n) = tree(w)?;
    let count = w.size_to(MOST);
    let rays = column(w, count, |w| {
        let [x, y, z] = [0; 3].map(|_: i32| coordinate(w, n));
        let [a, b, c] = [0; 3].map(|_: i32| w.random.below(129) as f32 / 64.0 - 1.0);
        [
            x,
            y,
            z,
            a,
            b,
            c,
            0.0,
            if w.random.one_in(2) { f32::INFINITY } else { 8.0 },
        ]
    })?;
    let mode = w.random.of(&[RayMode::Nearest, RayMode::Any]).unwrap_or_default();
    let hits = kernels::bvh_ray(&mut w.rec, &bvh, &rays, mode)?;
    for column in [&hits.primitive, &hits.t, &hits.uv, &hits.visited] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn bvh_nearest(w: &mut World<'_>) -> Result<()> {
    let (bvh, n) = tree(w)?;
    let count = w.size_to(MOST);
    let places = column(w, count, |w| [0; 3].map(|_: i32| coordinate(w, n)))?;
    let radius = w.random.of(&[0.5f32, 2.0, f32::INFINITY]).unwrap_or(2.0);
    let nearest = kernels::bvh_nearest(&mut w.rec, &bvh, &places, radius)?;
    for column in [&nearest.primitive, &nearest.point, &nearest.distance, &nearest.visited] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn bvh_overlap(w: &mut World<'_>) -> Result<()> {
    let (bvh, n) = tree(w)?;
    let count = w.size_to(MOST);
    let asked = boxes(w, count, n)?;
    let capacity = w
        .random
        .of(&[count, count.saturating_mul(4), count / 2])
        .unwrap_or(count);
    let overlaps = kernels::bvh_overlap(&mut w.rec, &bvh, &asked, capacity)?;
    for column in [
        &overlaps.items,
        &overlaps.offsets,
        &overlaps.counts,
        &overlaps.total,
        &overlaps.visited,
    ] {
        w.keep(column);
    }
    Ok(())
}
