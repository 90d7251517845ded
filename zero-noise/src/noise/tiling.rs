//! Where the lattice ends: nowhere, or after a period, from which on it starts again.

use super::lattice::{Axis, coordinate};
use crate::consts::{MAX_OCTAVES, MAX_PERIOD};
use crate::math::{floor, floor_small};

/// How a noise reads its coordinates on the lattice.
pub(super) trait Tiling<const D: usize>: Copy {
    /// The octaves out of `asked` that this lattice has.
    fn octaves(self, asked: u32) -> u32;
    /// A coordinate of any size, brought to where the octaves count from.
    fn start(self, axis: usize, x: f32) -> f32;
    /// The cell of a coordinate at `scale` times the frequency of the first octave, a power of two.
    fn axis(self, axis: usize, scale: f32, x: f32) -> Axis;
    /// A cell of the first octave by its whole number, as the hash reads it.
    fn cell(self, axis: usize, whole: i32) -> u32;
}

/// The lattice without a period.
#[derive(Clone, Copy)]
pub(super) struct Open;

impl<const D: usize> Tiling<D> for Open {
    #[inline(always)]
    fn octaves(self, asked: u32) -> u32 {
        asked.min(MAX_OCTAVES)
    }

    #[inline(always)]
    fn start(self, _axis: usize, x: f32) -> f32 {
        coordinate(x)
    }

    #[inline(always)]
    fn axis(self, _axis: usize, _scale: f32, x: f32) -> Axis {
        Axis::of(x)
    }

    #[inline(always)]
    fn cell(self, _axis: usize, whole: i32) -> u32 {
        whole.cast_unsigned()
    }
}

/// A lattice that repeats after a whole number of cells on each axis; 0 stands for an axis that does not.
#[derive(Clone, Copy)]
pub(super) struct Tiled<const D: usize>([f32; D]);

impl<const D: usize> Tiled<D> {
    #[inline(always)]
    pub(super) fn of(periods: [u32; D]) -> Self {
        Self(periods.map(|period| period.min(MAX_PERIOD) as f32))
    }

    /// The cells of a point of any coordinates, in the first octave.
    #[inline(always)]
    pub(super) fn cells(self, at: [f32; D]) -> [Axis; D] {
        std::array::from_fn(|axis| self.axis(axis, 1.0, coordinate(at[axis])))
    }
}

impl<const D: usize> Tiling<D> for Tiled<D> {
    /// Octaves whose period would be beyond 2^22 cells are left out: a tile has fewer than two samples a cell of theirs.
    #[inline(always)]
    fn octaves(self, asked: u32) -> u32 {
        self.0.iter().fold(asked.min(MAX_OCTAVES), |octaves, &period| {
            if period == 0.0 {
                octaves
            } else {
                octaves.min((MAX_PERIOD / period as u32).ilog2() + 1)
            }
        })
    }

    /// In `[0, period)`, exactly where that has a float, so that opposite edges go on from the same number.
    #[inline(always)]
    fn start(self, axis: usize, x: f32) -> f32 {
        let (x, period) = (coordinate(x), self.0[axis]);
        let (whole, _) = floor_small(x);
        let reduced = remainder(whole, period) + (x - whole);
        let reduced = if reduced >= period { 0.0 } else { reduced };
        if period == 0.0 { x } else { reduced }
    }

    #[inline(always)]
    fn axis(self, axis: usize, scale: f32, x: f32) -> Axis {
        let open = Axis::of(x);
        let period = self.0[axis] * scale;
        let (whole, _) = floor_small(x);
        let (_, cell) = floor_small(remainder(whole, period));
        let cell = cell.cast_unsigned();
        let next = cell.wrapping_add(1);
        // No more than 2^22, so that the conversion by bits is exact.
        let (_, last) = floor_small(period);
        let next = if next == last.cast_unsigned() { 0 } else { next };
        let repeats = period != 0.0;
        Axis {
            cell: if repeats { cell } else { open.cell },
            next: if repeats { next } else { open.next },
            inside: open.inside,
        }
    }

    #[inline(always)]
    fn cell(self, axis: usize, whole: i32) -> u32 {
        let period = self.0[axis];
        let (_, reduced) = floor_small(remainder(whole as f32, period));
        if period == 0.0 { whole } else { reduced }.cast_unsigned()
    }
}

/// A whole number modulo a period, in `[0, period)`; whole numbers of up to 24 bits divide so precisely that the floor
/// of the quotient is that of the exact one.
#[inline(always)]
pub(super) fn remainder(whole: f32, period: f32) -> f32 {
    let period = if period == 0.0 { 1.0 } else { period };
    whole - floor(whole / period) * period
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_integers() {
        for period in [1, 2, 3, 5, 7, 255, 256, 257, 65_537, 4_194_303, 4_194_304_i32] {
            for near in [
                0,
                period,
                2 * period,
                1 << 21,
                (1 << 22) - 3,
                -(1 << 22) + 3,
                -period,
                12_345,
            ] {
                for whole in near - 3..near + 3 {
                    let got = remainder(whole as f32, period as f32);
                    assert_eq!(got as i32, whole.rem_euclid(period), "{whole} modulo {period}");
                }
            }
        }
    }

    #[test]
    fn octaves_end_where_their_period_leaves_the_lattice() {
        let count = |periods| Tiled::<2>::of(periods).octaves(u32::MAX);
        assert_eq!(count([1, 1]), MAX_OCTAVES);
        assert_eq!(count([0, 0]), MAX_OCTAVES);
        assert_eq!(count([65_536, 0]), 7);
        assert_eq!(count([65_537, 1]), 6);
        assert_eq!(count([1, u32::MAX]), 1);
        assert_eq!(Tiled::<2>::of([8, 8]).octaves(3), 3);
    }
}
