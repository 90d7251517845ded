//! Cellular noise (Worley, 1996): one feature point in every cell of the lattice, and the distances to the nearest two.

mod measure;
mod search;

pub(super) use measure::{Chebyshev, Euclidean, Manhattan, Measure};
pub(super) use search::nearest;

use super::octaves::scope;
use super::tiling::{Open, Tiled, Tiling};
use crate::consts::{CELLULAR_SCOPE, METRIC_CHEBYSHEV, METRIC_EUCLIDEAN, METRIC_MANHATTAN};

/// How cellular noise measures the way to a feature point. The numbers are those of the WGSL twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u32)]
pub enum Metric {
    /// The length of the straight line.
    #[default]
    Euclidean = METRIC_EUCLIDEAN,
    /// The sum of the ways along the axes.
    Manhattan = METRIC_MANHATTAN,
    /// The longest of the ways along the axes.
    Chebyshev = METRIC_CHEBYSHEV,
}

/// What cellular noise answers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cellular {
    /// The distance to the nearest feature point.
    pub f1: f32,
    /// The distance to the one after it, `f1` or more. `f2 - f1` is 0 along the borders of the cells.
    pub f2: f32,
    /// The nearest point's hash, the same throughout its cell: [`unit`](crate::unit) makes a number of it,
    /// [`draw`](crate::draw) any number of them.
    pub id: u32,
}

/// Cellular noise in the plane, one feature point a unit square. `f1` is at most sqrt 2, 2 or 1 and `f2` at most 1.5812,
/// 2 or 1.5 by the Euclidean, Manhattan or Chebyshev metric. The point of a square stands at the two halves of
/// `Scope::new(seed).text("cel").int(x).int(y).text("").hash()` as 16-bit fractions, lower half first; `id` is the
/// hash without the last, empty text.
///
/// The second point is at most as far as the far corner of a neighbouring square, which is furthest, `sqrt(2.5)`, in the
/// middle of a square.
///
/// Searches the 9 squares around, and those of the next ring only where they can hold a nearer point.
#[inline(always)]
pub fn cellular2(seed: u32, x: f32, y: f32, metric: Metric) -> Cellular {
    by_metric(scope(seed, CELLULAR_SCOPE), Open, [x, y], metric)
}

/// Cellular noise in space, one feature point a unit cube. `f1` is at most sqrt 3, 3 or 1 and `f2` at most sqrt 3, 3 or
/// 1.5 by the Euclidean, Manhattan or Chebyshev metric. Points as [`cellular2`]'s; the third coordinate is the upper half
/// of the hash with one empty text more.
///
/// Searches the 27 cubes around, and those of the next rings only where they can hold a nearer point.
#[inline(always)]
pub fn cellular3(seed: u32, x: f32, y: f32, z: f32, metric: Metric) -> Cellular {
    by_metric(scope(seed, CELLULAR_SCOPE), Open, [x, y, z], metric)
}

/// [`cellular2`] on a lattice that repeats after `periods` cells along x and y, so that opposite edges of a tile of that
/// size have the same bits. A period of 0 does not repeat, and none is larger than 2^22.
#[inline(always)]
pub fn cellular2_tiled(seed: u32, x: f32, y: f32, metric: Metric, periods: [u32; 2]) -> Cellular {
    by_metric(scope(seed, CELLULAR_SCOPE), Tiled::of(periods), [x, y], metric)
}

/// [`cellular3`] on a lattice that repeats, as [`cellular2_tiled`].
#[inline(always)]
pub fn cellular3_tiled(seed: u32, x: f32, y: f32, z: f32, metric: Metric, periods: [u32; 3]) -> Cellular {
    by_metric(scope(seed, CELLULAR_SCOPE), Tiled::of(periods), [x, y, z], metric)
}

#[inline(always)]
fn by_metric<const D: usize, T: Tiling<D>>(state: u32, tiling: T, at: [f32; D], metric: Metric) -> Cellular {
    match metric {
        Metric::Euclidean => at_point(state, tiling, at, Euclidean),
        Metric::Manhattan => at_point(state, tiling, at, Manhattan),
        Metric::Chebyshev => at_point(state, tiling, at, Chebyshev),
    }
}

#[inline(always)]
fn at_point<const D: usize>(state: u32, tiling: impl Tiling<D>, at: [f32; D], measure: impl Measure) -> Cellular {
    let [found] = nearest(state, tiling, &at.map(|x| [x]), 1, measure);
    found
}
