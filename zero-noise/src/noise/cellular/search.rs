//! Finding the two nearest feature points.
//!
//! *Which cells can hold them.* Let m <= 1/2 be the way from the point to the nearest side of its cell, on whichever axis
//! that is. The point of the cell itself is at most 1 - m_a away on axis a, and that of the neighbour beyond the nearest
//! side at most 1 + m on its axis and 1 - m_a on the others, with m_a >= m. So the second nearest point is no farther
//! than
//!
//! * sqrt((1 + m)^2 + (1 - m)^2) in the plane and sqrt((1 + m)^2 + 2 (1 - m)^2) in space by the Euclidean metric,
//! * (1 + m) + (1 - m) and (1 + m) + 2 (1 - m) by the Manhattan metric,
//! * 1 + m by the Chebyshev metric,
//!
//! while whatever lies outside of r rings of cells is r + m away at least. That is as far as the bound, or farther, for
//! r = 1 by the Chebyshev metric and for r = 2 by the others, but by the Manhattan metric in space, where it takes r = 3.
//!
//! *Which are looked at.* The first ring always, in a fixed order that is vectorised over many points. The rings behind it
//! only where the second distance found is more than the way out of the first, and there no cell whose box is no nearer
//! than that distance. Rounding is monotone, so a box's distance, rounded as a point's in it is, never exceeds that.
#![expect(
    clippy::needless_range_loop,
    reason = "rows are read and written lane by lane, which is the form that is vectorised"
)]

use super::{Cellular, Measure};
use crate::consts::{CELL_LAST, CELL_UNIT, FNV_PRIME, MAX};
use crate::hash::{finish, fold_u32};
use crate::math::floor_small;
use crate::noise::tiling::Tiling;

/// The nearest two so far, for each of `L` points: what is measured, and the hash state of the nearest's cell.
struct Found<const L: usize> {
    first: [f32; L],
    second: [f32; L],
    state: [u32; L],
}

/// `L` points, axis by axis: the whole number of the cell, and the way into it.
struct Places<const D: usize, const L: usize> {
    whole: [[i32; L]; D],
    inside: [[f32; L]; D],
}

impl<const D: usize, const L: usize> Places<D, L> {
    #[inline(always)]
    fn inside(&self, i: usize) -> [f32; D] {
        std::array::from_fn(|d| self.inside[d][i])
    }
}

/// The answers at the first `n` of `L` points, whose coordinates stand axis by axis.
#[inline(always)]
pub(crate) fn nearest<const D: usize, const L: usize>(
    state: u32,
    tiling: impl Tiling<D>,
    at: &[[f32; L]; D],
    n: usize,
    measure: impl Measure,
) -> [Cellular; L] {
    let n = n.min(L);
    let mut places = Places {
        whole: [[0; L]; D],
        inside: [[0.0; L]; D],
    };
    for d in 0..D {
        for i in 0..n {
            let x = tiling.start(d, at[d][i]);
            let (floor, whole) = floor_small(x);
            places.whole[d][i] = whole;
            places.inside[d][i] = x - floor;
        }
    }
    let mut found = first_ring(state, tiling, &places, n, measure);
    let mut answers = [Cellular::default(); L];
    for i in 0..n {
        let inside = places.inside(i);
        if found.second[i] > way_out(inside, measure) {
            let mut search = Search {
                tiling,
                measure,
                whole: std::array::from_fn(|d| places.whole[d][i]),
                inside,
                first: found.first[i],
                second: found.second[i],
                state: found.state[i],
            };
            search.rings(0, state, [0.0; D], [0.0; D], false);
            (found.first[i], found.second[i], found.state[i]) = (search.first, search.second, search.state);
        }
    }
    for (i, answer) in answers[..n].iter_mut().enumerate() {
        *answer = Cellular {
            f1: measure.distance(found.first[i]),
            f2: measure.distance(found.second[i]),
            id: finish(found.state[i]),
        };
    }
    answers
}

/// The cells of the points and those around them.
#[inline(always)]
fn first_ring<const D: usize, const L: usize>(
    state: u32,
    tiling: impl Tiling<D>,
    places: &Places<D, L>,
    n: usize,
    measure: impl Measure,
) -> Found<L> {
    let mut found = Found {
        first: [MAX; L],
        second: [MAX; L],
        state: [0; L],
    };
    // The states of the cells that agree on the first axis, and on the first two.
    let (mut planes, mut columns) = ([0; L], [0; L]);
    let last = D - 1;
    for x in -1..=1 {
        for i in 0..n {
            planes[i] = fold_u32(state, tiling.cell(0, places.whole[0][i] + x));
        }
        for y in -1..=1 {
            for i in 0..n {
                columns[i] = fold_u32(planes[i], tiling.cell(1, places.whole[1][i] + y));
                if D == 2 {
                    let inside = places.inside(i);
                    let offset = std::array::from_fn(|d| if d == 0 { x } else { y } as f32);
                    found.see(i, columns[i], measure.of(differences(columns[i], offset, inside)));
                }
            }
            if D == 2 {
                continue;
            }
            for z in -1..=1 {
                for i in 0..n {
                    let cell = fold_u32(columns[i], tiling.cell(last, places.whole[last][i] + z));
                    let inside = places.inside(i);
                    let offset = std::array::from_fn(|d| [x, y, z][d] as f32);
                    found.see(i, cell, measure.of(differences(cell, offset, inside)));
                }
            }
        }
    }
    found
}

impl<const L: usize> Found<L> {
    #[inline(always)]
    fn see(&mut self, i: usize, state: u32, measured: f32) {
        let (first, second) = (self.first[i], self.second[i]);
        let nearer = measured < first;
        let other = if measured < second { measured } else { second };
        self.second[i] = if nearer { first } else { other };
        self.first[i] = if nearer { measured } else { first };
        self.state[i] = if nearer { state } else { self.state[i] };
    }
}

/// From a point to the feature point of a cell, which is `offset` cells away and has this hash state.
#[inline(always)]
fn differences<const D: usize>(state: u32, offset: [f32; D], inside: [f32; D]) -> [f32; D] {
    // What folding the byte 0 does, the empty text.
    let state = state.wrapping_mul(FNV_PRIME);
    let plane = finish(state);
    let height = finish(state.wrapping_mul(FNV_PRIME)) >> 16;
    let digits = [plane & 0xffff, plane >> 16, height];
    std::array::from_fn(|d| (offset[d] - inside[d]) + digits[d] as f32 * CELL_UNIT)
}

/// The least that a point outside of the first ring measures.
#[inline(always)]
fn way_out<const D: usize>(inside: [f32; D], measure: impl Measure) -> f32 {
    let ways = inside.map(|inside| {
        let (down, up) = (gap(-2.0, inside), gap(2.0, inside));
        if down < up { down } else { up }
    });
    let least = ways
        .iter()
        .fold(MAX, |least, &way| if way < least { way } else { least });
    let mut along = [0.0; D];
    along[0] = least;
    measure.of(along)
}

/// The least way along one axis to a feature point of a cell `offset` cells away.
#[inline(always)]
fn gap(offset: f32, inside: f32) -> f32 {
    let near = offset - inside;
    let near = if offset < 0.0 { near + CELL_LAST } else { near };
    if offset == 0.0 { 0.0 } else { near.abs() }
}

/// The search behind the first ring, at one point.
struct Search<const D: usize, T, M> {
    tiling: T,
    measure: M,
    whole: [i32; D],
    inside: [f32; D],
    first: f32,
    second: f32,
    state: u32,
}

impl<const D: usize, T: Tiling<D>, M: Measure> Search<D, T, M> {
    /// Goes through the cells that share the offsets of the axes before `axis`; `outside` says that these lead out of the
    /// first ring, and `gaps` how far it is to them.
    fn rings(&mut self, axis: usize, state: u32, offset: [f32; D], gaps: [f32; D], outside: bool) {
        if axis == D {
            if outside {
                self.see(state, offset);
            }
            return;
        }
        let rings = self.measure.rings(D);
        for step in -rings..=rings {
            let (mut offset, mut gaps) = (offset, gaps);
            offset[axis] = step as f32;
            gaps[axis] = gap(offset[axis], self.inside[axis]);
            if self.measure.of(gaps) < self.second {
                let cell = self.tiling.cell(axis, self.whole[axis] + step);
                let outside = outside || step.abs() > 1;
                self.rings(axis + 1, fold_u32(state, cell), offset, gaps, outside);
            }
        }
    }

    fn see(&mut self, state: u32, offset: [f32; D]) {
        let measured = self.measure.of(differences(state, offset, self.inside));
        if measured < self.first {
            (self.first, self.second, self.state) = (measured, self.first, state);
        } else if measured < self.second {
            self.second = measured;
        }
    }
}
