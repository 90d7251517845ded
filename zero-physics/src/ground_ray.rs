//! Where a ray meets a grid of heights, without cracks.
//!
//! rapier tests the ray against one triangle at a time, and a ray through a sample may miss all those around it by a
//! rounding. Here the height of the ray over the ground is followed along the ray, cell by cell: where it changes its sign
//! the ground was met, on whichever side of an edge that falls.

use crate::ground::HeightGrid;
use glam::Vec3;
use rapier3d::prelude::{HeightField, Ray};

/// Metres around the lowest and the highest sample within which a ray is followed: more than what rounds off.
const MARGIN_M: f64 = 1.0;

/// Where the samples of a piece of ground stand. Its heights are those of the collider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundShape {
    /// Samples along X and Z, at least 2.
    counts: [u32; 2],
    spacing_m: [f64; 2],
    /// The place of the first sample.
    first_m: [f64; 2],
}

/// A ray in cells of the grid along X and Z and in metres along Y, all at `t` metres of its length.
struct Path {
    from: [f64; 3],
    toward: [f64; 3],
}

/// The four heights of a cell, at its corners (i, j), (i + 1, j), (i, j + 1) and (i + 1, j + 1).
struct Cell {
    column: u32,
    row: u32,
    corners: [f64; 4],
}

impl GroundShape {
    pub(crate) fn of(grid: &HeightGrid<'_>) -> GroundShape {
        let spacing_m = grid.spacing_m.map(f64::from);
        GroundShape {
            counts: [grid.columns, grid.rows],
            spacing_m,
            first_m: [0, 1].map(|side| f64::from(grid.origin_m[side]) + 0.5 * spacing_m[side]),
        }
    }

    /// Metres along the ray to where it first meets the ground of these heights, and the normal on the ray's side.
    pub(crate) fn meet(&self, field: &HeightField, ray: &Ray, reach_m: f32) -> Option<(f32, Vec3)> {
        let path = self.path(ray);
        let bounds = field.root_aabb();
        let (from, to) = self.clip(&path, [bounds.mins.y, bounds.maxs.y], f64::from(reach_m))?;
        let [mut column, mut row] = [0, 1].map(|side| {
            let last = f64::from(self.counts[side] - 2);
            path.at(2 * side, from).floor().clamp(0.0, last) as u32
        });
        // The side that the ray is on, 1 above and -1 beneath, and how far it is there. On the ground is above it.
        let (mut at, mut side, mut away) = (from, None, None);
        loop {
            let cell = self.cell(field, column, row)?;
            let [across, down] = [(column, 0), (row, 2)].map(|(cell, axis)| path.leaves(cell, axis));
            let leaves = across.min(down).min(to);
            for (start, end) in cell.pieces(&path, at, leaves) {
                let upper = cell.is_upper(&path, 0.5 * (start + end));
                let over = |t: f64| cell.height_over(&path, t, upper);
                let side = *side.get_or_insert_with(|| if over(start) < 0.0 { -1.0 } else { 1.0 });
                let before = away.unwrap_or_else(|| side * over(start));
                let after = side * over(end);
                if after < 0.0 || (after == 0.0 && before > 0.0) {
                    let share = before / (before - after);
                    let met = start + (end - start) * share.clamp(0.0, 1.0);
                    return Some((met as f32, self.normal(&cell, upper, side)));
                }
                away = Some(after);
            }
            at = leaves;
            if leaves >= to {
                return None;
            }
            let (place, axis) = if across <= down {
                (&mut column, 0)
            } else {
                (&mut row, 2)
            };
            *place = match path.toward[axis] > 0.0 {
                true => *place + 1,
                false => place.checked_sub(1)?,
            };
        }
    }

    fn path(&self, ray: &Ray) -> Path {
        let (origin, dir) = (ray.origin.to_array().map(f64::from), ray.dir.to_array().map(f64::from));
        let [x, z] = [0, 1].map(|side| (origin[2 * side] - self.first_m[side]) / self.spacing_m[side]);
        Path {
            from: [x, origin[1], z],
            toward: [dir[0] / self.spacing_m[0], dir[1], dir[2] / self.spacing_m[1]],
        }
    }

    /// The part of a path that lies over the grid, near its heights and within reach.
    fn clip(&self, path: &Path, [low, high]: [f32; 2], reach_m: f64) -> Option<(f64, f64)> {
        let [across, down] = self.counts.map(|count| (0.0, f64::from(count - 1)));
        let (mut from, mut to) = (0.0_f64, reach_m);
        let height = (f64::from(low) - MARGIN_M, f64::from(high) + MARGIN_M);
        for (axis, (low, high)) in [across, height, down].into_iter().enumerate() {
            let (start, toward) = (path.from[axis], path.toward[axis]);
            if toward == 0.0 {
                if !(low..=high).contains(&start) {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - start) / toward, (high - start) / toward);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        (from <= to).then_some((from, to))
    }

    /// A cell, where the grid has it.
    fn cell(&self, field: &HeightField, column: u32, row: u32) -> Option<Cell> {
        let heights = field.heights();
        let height = |i: u32, j: u32| {
            let (column, row) = ((column + i) as usize, (row + j) as usize);
            // Column by column, which the index alone would not check.
            let held = row < heights.nrows() && column < heights.ncols();
            held.then(|| heights.data().get(column * heights.nrows() + row))
                .flatten()
        };
        let corners = [height(0, 0)?, height(1, 0)?, height(0, 1)?, height(1, 1)?];
        Some(Cell {
            column,
            row,
            corners: corners.map(|height| f64::from(*height)),
        })
    }

    /// The unit normal of a triangle, on this side of it.
    fn normal(&self, cell: &Cell, upper: bool, side: f64) -> Vec3 {
        let rise = cell.rise(upper);
        let up = Vec3::new(
            (-rise[0] / self.spacing_m[0]) as f32,
            1.0,
            (-rise[1] / self.spacing_m[1]) as f32,
        );
        up.normalize() * side as f32
    }
}

impl Path {
    fn at(&self, axis: usize, t: f64) -> f64 {
        self.from[axis] + self.toward[axis] * t
    }

    /// Where the path leaves a row or column of cells.
    fn leaves(&self, cell: u32, axis: usize) -> f64 {
        let toward = self.toward[axis];
        match toward == 0.0 {
            true => f64::INFINITY,
            false => (f64::from(cell) + if toward > 0.0 { 1.0 } else { 0.0 } - self.from[axis]) / toward,
        }
    }
}

impl Cell {
    /// The path from `start` to `end` in this cell, cut where it crosses the line between the triangles.
    fn pieces(&self, path: &Path, start: f64, end: f64) -> impl Iterator<Item = (f64, f64)> + use<> {
        let line = f64::from(self.column) + f64::from(self.row) + 1.0;
        let crosses = (line - path.from[0] - path.from[2]) / (path.toward[0] + path.toward[2]);
        // False too where the path runs along the line, and the place is no number.
        let middle = if crosses > start && crosses < end { crosses } else { end };
        let second = (middle < end).then_some((middle, end));
        std::iter::once((start, middle)).chain(second)
    }

    /// Whether a place of the path is over the triangle of the corner (i + 1, j + 1).
    fn is_upper(&self, path: &Path, t: f64) -> bool {
        path.at(0, t) + path.at(2, t) > f64::from(self.column) + f64::from(self.row) + 1.0
    }

    /// How much a triangle rises for a cell along X and along Z.
    fn rise(&self, upper: bool) -> [f64; 2] {
        let [west_north, east_north, west_south, east_south] = self.corners;
        match upper {
            true => [east_south - west_south, east_south - east_north],
            false => [east_north - west_north, west_south - west_north],
        }
    }

    /// How high the path is over the plane of a triangle.
    fn height_over(&self, path: &Path, t: f64, upper: bool) -> f64 {
        let [across, down] = self.rise(upper);
        let (x, z) = (
            path.at(0, t) - f64::from(self.column),
            path.at(2, t) - f64::from(self.row),
        );
        let ground = match upper {
            true => self.corners[3] - across * (1.0 - x) - down * (1.0 - z),
            false => self.corners[0] + across * x + down * z,
        };
        path.at(1, t) - ground
    }
}
