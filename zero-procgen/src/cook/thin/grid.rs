//! Cells a little wider than the distance, hashed into buckets; the twin of `grid.wgsl`.
//!
//! Two points within the distance lie in cells that touch, since a place is put into its cell without rounding.

/// A distance below reads as none.
const LEAST: f32 = 1e-18;
/// One above reads as this.
const MOST: f32 = 1e18;
/// Cells further out share the outermost one: 2^30.
const EDGE: f32 = 1_073_741_824.0;

/// The grid of a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    per_unit: f32,
    limit: f32,
    off: bool,
}

impl Grid {
    pub(super) fn new(min_dist: f32) -> Grid {
        let distance = min_dist.min(MOST);
        Grid {
            per_unit: zero_noise::div(0.99, distance),
            // The margin covers the rounding of both sides, so that no two kept points are nearer than they say.
            limit: (distance * distance) * 1.000_001,
            off: min_dist.is_nan() || min_dist < LEAST,
        }
    }

    /// Whether there is no distance to keep.
    pub(super) fn is_off(self) -> bool {
        self.off
    }

    pub(super) fn cell_of(self, p: [f32; 3]) -> [i32; 3] {
        p.map(|x| {
            if (x * self.per_unit).floor().abs() >= EDGE {
                return if x > 0.0 { EDGE as i32 } else { -EDGE as i32 };
            }
            (f64::from(x) * f64::from(self.per_unit)).floor() as i32
        })
    }

    pub(super) fn is_near(self, p: [f32; 3], q: [f32; 3]) -> bool {
        let [x, y, z] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        x * x + y * y + z * z < self.limit
    }
}

/// The primes are those of Teschner et al. 2003, "Optimized Spatial Hashing for Collision Detection".
pub(super) fn spread(cell: [i32; 3]) -> u32 {
    let [x, y, z] = cell.map(i32::cast_unsigned);
    zero_noise::finish(x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791))
}

/// Which of two points is asked first, the lower one; ties go by their numbers.
pub(super) fn rank_of(state: u32, id: i32) -> u32 {
    zero_noise::finish(zero_noise::fold_u32(state, id.cast_unsigned()))
}
