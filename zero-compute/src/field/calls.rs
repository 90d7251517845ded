//! zero-noise's functions over blocks.

use zero_noise::{Cellular, Isa, draw, noise};

use super::loops::{Source, map2};
use super::lower::Operand;
use super::prelude::{Function, MAX_ARGS, MAX_RESULTS};
use super::scalar::{cell, metric, results};
use super::vm::{BLOCK, Sources};

/// Writes the block of one result, and where there are several all of them into `all`, a block each.
///
/// Operands other than coordinates that are the same at every element, as nearly all are, take zero-noise's own block
/// form; where one varies it goes element by element.
#[inline(always)]
pub(super) fn call(
    function: Function,
    result: usize,
    to: &mut [u32],
    all: &mut [u32],
    s: &Sources<'_>,
    args: [Operand; MAX_ARGS],
) {
    if function == Function::Draw {
        let [state, element, ..] = args;
        return map2(to, s.get(state), s.get(element), |state, element| {
            draw(state, element).to_bits()
        });
    }
    let count = to.len();
    if function.results().is_empty() {
        return match settings(function, s, &args) {
            Some(given) => one(function, &Points::of(s, &args), given, bytemuck::cast_slice_mut(to)),
            None => one_by_one(function, s, &args, count, |i, words| to[i] = words[0]),
        };
    }
    match settings(function, s, &args) {
        Some(given) => several(function, &Points::of(s, &args), given, count, all),
        None => one_by_one(function, s, &args, count, |i, words| {
            for (row, word) in all.chunks_exact_mut(BLOCK).zip(words) {
                row[i] = word;
            }
        }),
    }
    copy(result, to, all);
}

/// Writes a result that the last call left in `all`.
#[inline(always)]
pub(super) fn copy(result: usize, to: &mut [u32], all: &[u32]) {
    let count = to.len();
    to.copy_from_slice(&all[result * BLOCK..][..count]);
}

/// The coordinates of a block.
struct Points<'a> {
    isa: Isa,
    x: &'a [f32],
    y: &'a [f32],
    z: &'a [f32],
}

impl<'a> Points<'a> {
    fn of(s: &Sources<'a>, args: &[Operand; MAX_ARGS]) -> Points<'a> {
        Points {
            isa: s.isa(),
            x: s.floats(args[1]),
            y: s.floats(args[2]),
            z: s.floats(args[3]),
        }
    }
}

/// What is the same at every element: the seed, and what stands behind the coordinates.
#[derive(Clone, Copy)]
struct Settings {
    seed: u32,
    rest: [u32; MAX_ARGS],
}

impl Settings {
    fn periods<const D: usize>(&self, from: usize) -> [u32; D] {
        std::array::from_fn(|axis| self.rest[from + axis])
    }

    fn strength(&self) -> f32 {
        f32::from_bits(self.rest[1])
    }
}

/// The operands that are no coordinates, unless one of them varies.
fn settings(function: Function, s: &Sources<'_>, args: &[Operand; MAX_ARGS]) -> Option<Settings> {
    let same = |at: usize| match s.get(args[at]) {
        Source::Splat(word) => Some(word),
        Source::Block(_) => None,
    };
    let mut rest = [0; MAX_ARGS];
    for (to, at) in rest.iter_mut().zip(1 + function.axes()..function.takes().len()) {
        *to = same(at)?;
    }
    Some(Settings { seed: same(0)?, rest })
}

/// A function of one result.
fn one(function: Function, at: &Points<'_>, given: Settings, out: &mut [f32]) {
    let (isa, x, y, z) = (at.isa, at.x, at.y, at.z);
    let Settings {
        seed,
        rest: [first, ..],
    } = given;
    match function {
        Function::Value2 => noise::value2_block(isa, seed, x, y, out),
        Function::Value3 => noise::value3_block(isa, seed, x, y, z, out),
        Function::Gradient2 => noise::gradient2_block(isa, seed, x, y, out),
        Function::Gradient3 => noise::gradient3_block(isa, seed, x, y, z, out),
        Function::Fbm2 => noise::fbm2_block(isa, seed, x, y, first, out),
        Function::Fbm3 => noise::fbm3_block(isa, seed, x, y, z, first, out),
        Function::Simplex2 => noise::simplex2_block(isa, seed, x, y, out),
        Function::Simplex3 => noise::simplex3_block(isa, seed, x, y, z, out),
        Function::Ridged2 => noise::ridged2_block(isa, seed, x, y, first, out),
        Function::Ridged3 => noise::ridged3_block(isa, seed, x, y, z, first, out),
        Function::Warped2 => noise::warped2_block(isa, seed, x, y, first, given.strength(), out),
        Function::Warped3 => noise::warped3_block(isa, seed, x, y, z, first, given.strength(), out),
        Function::Value2Tiled => noise::value2_tiled_block(isa, seed, x, y, given.periods(0), out),
        Function::Value3Tiled => noise::value3_tiled_block(isa, seed, x, y, z, given.periods(0), out),
        Function::Gradient2Tiled => noise::gradient2_tiled_block(isa, seed, x, y, given.periods(0), out),
        Function::Gradient3Tiled => noise::gradient3_tiled_block(isa, seed, x, y, z, given.periods(0), out),
        Function::Fbm2Tiled => noise::fbm2_tiled_block(isa, seed, x, y, first, given.periods(1), out),
        Function::Fbm3Tiled => noise::fbm3_tiled_block(isa, seed, x, y, z, first, given.periods(1), out),
        // `Draw` has its own loop, and the rest have several results.
        _ => {}
    }
}

/// A function of several results, `count` of each.
fn several(function: Function, at: &Points<'_>, given: Settings, count: usize, all: &mut [u32]) {
    let (isa, x, y, z) = (at.isa, at.x, at.y, at.z);
    let Settings {
        seed,
        rest: [first, ..],
    } = given;
    let mut found = [Cellular::default(); BLOCK];
    let cells = &mut found[..count];
    match function {
        Function::Value2Slope => noise::value2_slope_block(isa, seed, x, y, rows(all, count)),
        Function::Value3Slope => noise::value3_slope_block(isa, seed, x, y, z, rows(all, count)),
        Function::Gradient2Slope => noise::gradient2_slope_block(isa, seed, x, y, rows(all, count)),
        Function::Gradient3Slope => noise::gradient3_slope_block(isa, seed, x, y, z, rows(all, count)),
        Function::Fbm2Slope => noise::fbm2_slope_block(isa, seed, x, y, first, rows(all, count)),
        Function::Fbm3Slope => noise::fbm3_slope_block(isa, seed, x, y, z, first, rows(all, count)),
        Function::Warp2 => noise::warp2_block(isa, seed, x, y, first, given.strength(), rows(all, count)),
        Function::Warp3 => noise::warp3_block(isa, seed, x, y, z, first, given.strength(), rows(all, count)),
        Function::Cellular2 => noise::cellular2_block(isa, seed, x, y, metric(first), cells),
        Function::Cellular3 => noise::cellular3_block(isa, seed, x, y, z, metric(first), cells),
        Function::Cellular2Tiled => {
            noise::cellular2_tiled_block(isa, seed, x, y, metric(first), given.periods(1), cells);
        }
        Function::Cellular3Tiled => {
            noise::cellular3_tiled_block(isa, seed, x, y, z, metric(first), given.periods(1), cells);
        }
        // The rest have one result.
        _ => return,
    }
    if function.results().contains(&"f1") {
        for (i, found) in cells.iter().enumerate() {
            for (row, word) in all.chunks_exact_mut(BLOCK).zip(cell(*found)) {
                row[i] = word;
            }
        }
    }
}

/// The first `N` rows as floats.
fn rows<const N: usize>(all: &mut [u32], count: usize) -> [&mut [f32]; N] {
    let mut rows = all.chunks_exact_mut(BLOCK);
    std::array::from_fn(|_| match rows.next() {
        Some(row) => bytemuck::cast_slice_mut(&mut row[..count]),
        None => Default::default(),
    })
}

fn one_by_one(
    function: Function,
    s: &Sources<'_>,
    args: &[Operand; MAX_ARGS],
    count: usize,
    mut write: impl FnMut(usize, [u32; MAX_RESULTS]),
) {
    let taken = function.takes().len();
    for i in 0..count {
        let mut words = [0; MAX_ARGS];
        for (value, &arg) in words.iter_mut().zip(&args[..taken]) {
            *value = s.word(arg, i);
        }
        write(i, results(function, words));
    }
}
