//! The metrics. A measure grows with every difference, in f32 too, which is what the search's bounds rely on.

use crate::math::sqrt;

/// A metric, as a number that is compared and the distance that it stands for.
pub(crate) trait Measure: Copy {
    /// Rings of cells around a point's own that can hold one of its two nearest points, by the number of axes.
    fn rings(self, axes: usize) -> i32;
    /// What is compared of these differences.
    fn of<const D: usize>(self, differences: [f32; D]) -> f32;
    /// The distance.
    fn distance(self, measured: f32) -> f32;
}

#[derive(Clone, Copy)]
pub(crate) struct Euclidean;

impl Measure for Euclidean {
    #[inline(always)]
    fn rings(self, _axes: usize) -> i32 {
        2
    }

    #[inline(always)]
    fn of<const D: usize>(self, differences: [f32; D]) -> f32 {
        let [x, y, rest @ ..] = &differences.map(|x| x * x)[..] else {
            return 0.0;
        };
        rest.iter().fold(x + y, |sum, z| sum + z)
    }

    #[inline(always)]
    fn distance(self, measured: f32) -> f32 {
        sqrt(measured)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Manhattan;

impl Measure for Manhattan {
    #[inline(always)]
    fn rings(self, axes: usize) -> i32 {
        if axes > 2 { 3 } else { 2 }
    }

    #[inline(always)]
    fn of<const D: usize>(self, differences: [f32; D]) -> f32 {
        differences.iter().fold(0.0, |sum, x| sum + x.abs())
    }

    #[inline(always)]
    fn distance(self, measured: f32) -> f32 {
        measured
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Chebyshev;

impl Measure for Chebyshev {
    #[inline(always)]
    fn rings(self, _axes: usize) -> i32 {
        1
    }

    #[inline(always)]
    fn of<const D: usize>(self, differences: [f32; D]) -> f32 {
        differences.iter().fold(0.0, |longest, x| {
            let size = x.abs();
            if size > longest { size } else { longest }
        })
    }

    #[inline(always)]
    fn distance(self, measured: f32) -> f32 {
        measured
    }
}
