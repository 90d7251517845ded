//! Where a ray meets ground.

use crate::Heightfield;
use crate::error::{Error, Result};
use glam::Vec3;

/// Where a ray met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The place.
    pub position_m: Vec3,
    /// The unit normal of the ground there.
    pub normal: Vec3,
    /// Metres along the ray.
    pub distance_m: f32,
}

impl Heightfield {
    /// The first place where a ray passes from one side of the ground to the other, within `reach_m` of its origin and
    /// over the grid; nothing where there is none. The direction need not be of length 1.
    ///
    /// A ray that starts exactly on the ground counts as above it: downwards it passes at distance 0, upwards or along the
    /// ground it does not. (A height that was rounded to `f32` may lie a hair beneath; raise the origin where that matters.)
    ///
    /// The ray goes from cell to cell between samples; in each, where the ground is bilinear, the crossing is the root of a
    /// quadratic, so that no ridge is too thin to be met. Cost: as many cells as the ray passes over.
    ///
    /// # Errors
    /// [`Error::Value`] for a direction of no length and for numbers that are not finite.
    pub fn ray_cast(&self, origin_m: Vec3, direction: Vec3, reach_m: f32) -> Result<Option<Hit>> {
        let [origin, toward] = [origin_m, direction].map(|v| v.to_array().map(f64::from));
        let length = toward.iter().map(|lane| lane * lane).sum::<f64>().sqrt();
        if !(origin_m.is_finite() && direction.is_finite() && length > 0.0 && reach_m.is_finite()) {
            return Err(Error::value(
                "a ray",
                "a finite origin, direction and reach, and a direction of some length",
                format!("{origin_m} towards {direction} for {reach_m} m"),
            ));
        }
        let ray = Ray {
            ground: self,
            origin,
            toward: toward.map(|lane| lane / length),
        };
        let Some(at) = ray.first_crossing(f64::from(reach_m)) else {
            return Ok(None);
        };
        let position_m = Vec3::from_array(std::array::from_fn(|axis| ray.lane(axis, at) as f32));
        Ok(Some(Hit {
            position_m,
            normal: self.normal_at(position_m.x, position_m.z),
            distance_m: at as f32,
        }))
    }
}

struct Ray<'a> {
    ground: &'a Heightfield,
    origin: [f64; 3],
    /// Of length 1.
    toward: [f64; 3],
}

impl Ray<'_> {
    /// The ray at a distance, along X, Y or Z.
    fn lane(&self, axis: usize, at: f64) -> f64 {
        self.origin[axis] + self.toward[axis] * at
    }

    /// The place at a distance in units of cells, counted from the first sample.
    fn cell_at(&self, at: f64) -> [f64; 2] {
        let grid = self.ground.grid();
        [0, 1].map(|side| {
            let place = self.lane(2 * side, at) - f64::from(grid.origin_m[side]);
            place / f64::from(grid.spacing_m[side]) - 0.5
        })
    }

    fn first_crossing(&self, reach: f64) -> Option<f64> {
        let ((mut from, end), mut side) = (self.over_grid(reach)?, None);
        while from < end {
            let to = self.next_line(from).min(end);
            if let Some(at) = self.crossing_between(from, to, &mut side) {
                return Some(at);
            }
            from = to;
        }
        None
    }

    /// The part of the ray over the grid.
    fn over_grid(&self, reach: f64) -> Option<(f64, f64)> {
        let (grid, mut near, mut far) = (self.ground.grid(), 0.0f64, reach);
        for side in [0, 1] {
            let (origin, toward) = (self.origin[2 * side], self.toward[2 * side]);
            let low = f64::from(grid.origin_m[side]);
            let high = low + grid.size_m()[side];
            if toward == 0.0 {
                if origin < low || origin > high {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - origin) / toward, (high - origin) / toward);
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        (near <= far).then_some((near, far))
    }

    /// Where the ray leaves the cell that it is in just past a distance.
    fn next_line(&self, from: f64) -> f64 {
        let (cell, grid) = (self.cell_at(from), self.ground.grid());
        let mut next = f64::INFINITY;
        for axis in [0, 1] {
            let rate = self.toward[2 * axis] / f64::from(grid.spacing_m[axis]);
            if rate == 0.0 {
                continue;
            }
            // A place on a line, give or take its rounding, has it behind.
            let slack = 1e-9 * (1.0 + cell[axis].abs());
            let line = match rate > 0.0 {
                true => (cell[axis] + slack).floor() + 1.0,
                false => (cell[axis] - slack).ceil() - 1.0,
            };
            next = next.min(from + (line - cell[axis]) / rate);
        }
        // However the rounding falls the ray goes on.
        next.max(from + 1e-9 * (1.0 + from.abs()))
    }

    /// How far the ray is above the ground at a distance within one cell: exactly quadratic in it.
    fn above(&self, at: f64, columns: [usize; 2], rows: [usize; 2], first: [f64; 2]) -> f64 {
        let cell = self.cell_at(at);
        // Between the outer samples and the edge the shares are held: both samples are the same there.
        let (along, down) = (cell[0] - first[0], cell[1] - first[1]);
        let width = self.ground.grid().width as usize;
        let height =
            |column: usize, row: usize| f64::from(self.ground.heights_m()[rows[row] * width + columns[column]]);
        let upper = height(0, 0) + (height(1, 0) - height(0, 0)) * along;
        let lower = height(0, 1) + (height(1, 1) - height(0, 1)) * along;
        self.lane(1, at) - (upper + (lower - upper) * down)
    }

    /// Where the ray leaves its side of the ground within one cell: 1 above, -1 beneath, told by where it begins.
    fn crossing_between(&self, from: f64, to: f64, side: &mut Option<f64>) -> Option<f64> {
        let middle = self.cell_at(0.5 * (from + to));
        let grid = self.ground.grid();
        let samples = |axis: usize, count: u32| {
            let before = middle[axis].floor();
            let held = |place: f64| place.clamp(0.0, f64::from(count - 1)) as usize;
            ([held(before), held(before + 1.0)], before)
        };
        let ((columns, first_x), (rows, first_z)) = (samples(0, grid.width), samples(1, grid.height));
        let above = |share: f64| self.above(from + (to - from) * share, columns, rows, [first_x, first_z]);
        // The quadratic through three of its points, over shares of the way.
        let (start, half, end) = (above(0.0), above(0.5), above(1.0));
        let (a, b) = (2.0 * (start + end) - 4.0 * half, 4.0 * half - 3.0 * start - end);
        let side = *side.get_or_insert(if start < 0.0 { -1.0 } else { 1.0 });
        leaves(side * a, side * b, side * start).map(|share| from + (to - from) * share)
    }
}

/// The first t within 0 to 1 where a t^2 + b t + c, from 0 or above, goes below 0.
fn leaves(a: f64, b: f64, c: f64) -> Option<f64> {
    let inside = |t: f64| (0.0..=1.0).contains(&t);
    if c < 0.0 {
        // It did so between two cells, which round apart.
        return Some(0.0);
    }
    if c == 0.0 {
        let down = b < 0.0 || (b == 0.0 && a < 0.0);
        // Where it goes up it comes down again at the other root, if at all.
        let again = (b > 0.0 && a < 0.0).then(|| -b / a).filter(|t| inside(*t));
        return if down { Some(0.0) } else { again };
    }
    let square = b * b - 4.0 * a * c;
    if square < 0.0 {
        return None;
    }
    // The form that subtracts nothing from its like; a = 0 leaves the line's root.
    let q = -0.5 * (b + b.signum() * square.sqrt());
    let mut roots = [q / a, c / q];
    roots.sort_by(f64::total_cmp);
    roots.into_iter().find(|root| inside(*root))
}
