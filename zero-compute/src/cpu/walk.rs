//! Running a walk on the CPU, in pieces that threads share.

use std::ops::Range;

use rayon::prelude::*;

use crate::cpu::bindings::CpuExec;
use crate::device::{Inner, SLICE};
use crate::error::Result;
use crate::field::{BLOCK, Inputs, LeafView, Walk, WalkOut};
use crate::kernel::HEAD_WORDS;
use crate::list::Held;
use crate::queue::lock;
use crate::walk::WALK_WORDS;

/// How many walkers a slice holds, so that a slice is no more work than one of a field program: whole blocks.
pub(super) fn slice(params: &[u32]) -> usize {
    let steps = params.get(HEAD_WORDS).copied().unwrap_or(0).max(1) as usize;
    (SLICE as usize / steps).next_multiple_of(BLOCK).max(BLOCK)
}

/// Some walkers with what is written of them.
struct Piece<'a> {
    first: usize,
    start: &'a [u32],
    out: WalkOut<'a>,
}

/// Walks the walkers of a range. `held` is the walk's leaves, the first states, the last states, the counts and the path.
/// Walkers from `live` on are 0.
pub(super) fn run(
    device: &Inner,
    walk: &Walk,
    held: &[Held],
    params: &[u32],
    live: usize,
    range: Range<usize>,
    exec: &CpuExec<'_>,
) -> Result<()> {
    let Some((leaves, [start, last, taken, path])) = held.split_at_checked(walk.leaves().len()) else {
        return Ok(());
    };
    let guards: Vec<_> = leaves.iter().map(|leaf| leaf.buffer.cpu_read()).collect();
    let views: Vec<_> = leaves
        .iter()
        .zip(&guards)
        .map(|(leaf, guard)| LeafView {
            words: guard
                .as_deref()
                .and_then(|all| all.get(..leaf.words() as usize))
                .unwrap_or_default(),
            lanes: leaf.lanes,
        })
        .collect();
    let steps = params.get(HEAD_WORDS).copied().unwrap_or(0);
    let path_lanes = params.get(HEAD_WORDS + 1).copied().unwrap_or(0);
    let first = HEAD_WORDS + WALK_WORDS;
    let inputs = Inputs {
        leaves: &views,
        numbers: params.get(first..first + walk.numbers().len()).unwrap_or_default(),
    };
    let (start, mut last, mut taken, mut path) = (
        start.buffer.cpu_read(),
        last.buffer.cpu_write(),
        taken.buffer.cpu_write(),
        path.buffer.cpu_write(),
    );
    let (width, way) = (walk.width() as usize, (steps as usize + 1) * path_lanes as usize);
    let words = |lanes: usize| range.start * lanes..range.end * lanes;
    let mut rest = Piece {
        first: range.start,
        start: start
            .as_deref()
            .and_then(|all| all.get(words(width)))
            .unwrap_or_default(),
        out: WalkOut {
            last: last
                .as_deref_mut()
                .and_then(|all| all.get_mut(words(width)))
                .unwrap_or_default(),
            taken: taken
                .as_deref_mut()
                .and_then(|all| all.get_mut(words(1)))
                .unwrap_or_default(),
            path: path
                .as_deref_mut()
                .and_then(|all| all.get_mut(words(way)))
                .unwrap_or_default(),
            path_lanes,
        },
    };
    let living = range.len().min(live.saturating_sub(range.start));
    let threads = exec.pool.map_or(1, rayon::ThreadPool::current_num_threads);
    let size = living.div_ceil(threads).next_multiple_of(BLOCK).max(BLOCK);
    let mut pieces = Vec::with_capacity(threads);
    while rest.first < range.start + living {
        let own = size.min(range.start + living - rest.first);
        pieces.push(take_front(&mut rest, own, width, way));
    }
    rest.out.last.fill(0);
    rest.out.taken.fill(0);
    rest.out.path.fill(0);

    let one = |mut piece: Piece<'_>| {
        let mut scratch = lock(&device.scratch).pop().unwrap_or_default();
        let (first, out) = (piece.first as u32, &mut piece.out);
        let check = || exec.checkpoint();
        let result = walk.run(&inputs, first, piece.start, steps, out, exec.isa, &mut scratch, &check);
        lock(&device.scratch).push(scratch);
        result
    };
    match exec.pool.filter(|_| threads > 1 && pieces.len() > 1) {
        None => pieces.into_iter().try_for_each(one),
        Some(pool) => {
            // All results are gathered, so that the error that is returned does not depend on which thread was first.
            let results: Vec<Result<()>> = pool.install(|| pieces.into_par_iter().map(one).collect());
            results.into_iter().collect()
        }
    }
}

/// Cuts the first walkers off.
fn take_front<'a>(rest: &mut Piece<'a>, walkers: usize, width: usize, way: usize) -> Piece<'a> {
    fn front<'a>(words: &mut &'a mut [u32], count: usize) -> &'a mut [u32] {
        let all = std::mem::take(words);
        let (front, back) = all.split_at_mut(count.min(all.len()));
        *words = back;
        front
    }
    let (start, later) = rest.start.split_at((walkers * width).min(rest.start.len()));
    let piece = Piece {
        first: rest.first,
        start,
        out: WalkOut {
            last: front(&mut rest.out.last, walkers * width),
            taken: front(&mut rest.out.taken, walkers),
            path: front(&mut rest.out.path, walkers * way),
            path_lanes: rest.out.path_lanes,
        },
    };
    rest.start = later;
    rest.first += walkers;
    piece
}
