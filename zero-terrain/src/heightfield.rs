//! Ground on the host, to stand on.

use crate::error::{Error, Result};
use crate::grid::{Grid, MAX_HEIGHT_M};
use crate::kernels::gradient_at;
use glam::Vec3;
use zero_procgen::values::Raster;

/// A grid of heights on the host: what stands on ground asks it.
///
/// Between samples the ground is bilinear, from the outer samples to the edges of the grid (half a spacing) and beyond it
/// goes on as the nearest is. Every answer has the same bits on every machine. Queries read four samples, or sixteen for
/// a normal or a slope; they take `&self`, so that any number of threads may ask.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    grid: Grid,
    heights_m: Vec<f32>,
    range_m: [f32; 2],
}

/// The four samples around a place along both axes, and the shares of the way between them.
struct Around {
    columns: [usize; 2],
    rows: [usize; 2],
    shares: [f32; 2],
}

impl Heightfield {
    /// Ground of these heights in metres, row by row.
    ///
    /// # Errors
    /// [`Error::Value`] for a grid without samples or of a spacing that is not above 0, another number of heights than it
    /// has samples, and the first height that is no finite number within [`MAX_HEIGHT_M`] of 0.
    pub fn new(grid: Grid, heights_m: Vec<f32>) -> Result<Heightfield> {
        grid.check_samples("heights", &heights_m, [-MAX_HEIGHT_M, MAX_HEIGHT_M])?;
        let low = heights_m.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights_m.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Ok(Heightfield {
            grid,
            heights_m,
            range_m: [low, high],
        })
    }

    /// Reads a raster of heights back, and waits for it.
    ///
    /// # Errors
    /// [`Error::Compute`] where the device fails, and as [`new`](Self::new) for heights that are none.
    pub fn download(raster: &Raster) -> Result<Heightfield> {
        let heights = raster.samples().read::<f32>()?.wait()?;
        Heightfield::new(Grid::of(raster), heights)
    }

    /// Where its samples stand.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
    /// The heights in metres, row by row.
    pub fn heights_m(&self) -> &[f32] {
        &self.heights_m
    }
    /// The lowest and the highest sample.
    pub fn range_m(&self) -> [f32; 2] {
        self.range_m
    }

    fn around(&self, x: f32, z: f32) -> Around {
        let axis = |place: f32, axis: usize| {
            let count = [self.grid.width, self.grid.height][axis] as usize;
            let cell = (place - self.grid.origin_m[axis]) / self.grid.spacing_m[axis] - 0.5;
            // A place that is no number is at the first sample: `max` takes the other operand.
            let cell = cell.max(0.0).min((count - 1) as f32);
            let before = cell.floor();
            let index = before as usize;
            ([index, (index + 1).min(count - 1)], cell - before)
        };
        let ((columns, along), (rows, down)) = (axis(x, 0), axis(z, 1));
        Around {
            columns,
            rows,
            shares: [along, down],
        }
    }

    fn at(&self, column: usize, row: usize) -> f32 {
        self.heights_m[row * self.grid.width as usize + column]
    }

    /// The height of the ground under a place, in metres.
    pub fn height_at(&self, x: f32, z: f32) -> f32 {
        let Around {
            columns: [west, east],
            rows: [north, south],
            shares: [along, down],
        } = self.around(x, z);
        let upper = lerp(self.at(west, north), self.at(east, north), along);
        let lower = lerp(self.at(west, south), self.at(east, south), along);
        lerp(upper, lower, down)
    }

    /// The rise of the ground along X and Z under a place, metres a metre: Horn's at the samples, bilinear between them.
    pub fn gradient_at(&self, x: f32, z: f32) -> [f32; 2] {
        let Around { columns, rows, shares } = self.around(x, z);
        let rise = |column: usize, row: usize| self.sample_gradient(columns[column], rows[row]);
        let [nw, ne, sw, se] = [rise(0, 0), rise(1, 0), rise(0, 1), rise(1, 1)];
        std::array::from_fn(|axis| {
            let upper = lerp(nw[axis], ne[axis], shares[0]);
            let lower = lerp(sw[axis], se[axis], shares[0]);
            lerp(upper, lower, shares[1])
        })
    }

    /// The gradient at a sample of the grid.
    pub(crate) fn sample_gradient(&self, column: usize, row: usize) -> [f32; 2] {
        gradient_at(
            &self.heights_m,
            self.grid.width as usize,
            self.grid.spacing_m,
            column,
            row,
        )
    }

    /// The unit normal of the ground under a place, up.
    pub fn normal_at(&self, x: f32, z: f32) -> Vec3 {
        let [rise_x, rise_z] = self.gradient_at(x, z);
        let length = zero_noise::sqrt(rise_x * rise_x + rise_z * rise_z + 1.0);
        Vec3::new(-rise_x / length, 1.0 / length, -rise_z / length)
    }

    /// How steep the ground is under a place, in radians: 0 flat.
    pub fn slope_at(&self, x: f32, z: f32) -> f32 {
        let [rise_x, rise_z] = self.gradient_at(x, z);
        zero_noise::atan2(zero_noise::sqrt(rise_x * rise_x + rise_z * rise_z), 1.0)
    }

    /// The heights at `columns` x `rows` places spread evenly over the whole grid, both edges included, row by row: what a
    /// heightfield collider takes. One place along an axis is at its middle.
    ///
    /// # Errors
    /// [`Error::Value`] where a side is 0.
    pub fn sample_grid(&self, columns: u32, rows: u32) -> Result<Vec<f32>> {
        if columns == 0 || rows == 0 {
            return Err(Error::value(
                "a sample grid",
                "at least one place a side",
                format!("{columns} x {rows}"),
            ));
        }
        let places = |axis: usize, count: u32| -> Vec<f32> {
            let (origin, size) = (f64::from(self.grid.origin_m[axis]), self.grid.size_m()[axis]);
            let share = |place: u32| match count {
                1 => 0.5,
                _ => f64::from(place) / f64::from(count - 1),
            };
            (0..count).map(|place| (origin + share(place) * size) as f32).collect()
        };
        let (across, down) = (places(0, columns), places(1, rows));
        let mut heights = Vec::with_capacity(across.len() * down.len());
        for z in down {
            heights.extend(across.iter().map(|x| self.height_at(*x, z)));
        }
        Ok(heights)
    }
}

impl Grid {
    /// The grid of a raster.
    pub fn of(raster: &Raster) -> Grid {
        Grid {
            width: raster.width(),
            height: raster.height(),
            spacing_m: raster.spacing_m(),
            origin_m: raster.origin_m(),
        }
    }
}

fn lerp(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}
