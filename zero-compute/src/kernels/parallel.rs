//! Work shared among the threads of a CPU device, in chunks that do not depend on their number.

use std::ops::Range;

use rayon::prelude::*;

use crate::{CpuExec, Error, Result, SLICE};

/// Elements between two checks for cancel.
pub(super) const CHUNK: usize = SLICE as usize;

/// Calls `f` on every chunk of `size` of `dst`, with the number of its first item, checking for cancel before each.
pub(super) fn for_chunks<T: Send>(
    x: &CpuExec<'_>,
    dst: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) -> Result<()> + Sync,
) -> Result<()> {
    let step = |(k, part): (usize, &mut [T])| {
        x.checkpoint()?;
        f(k * size, part)
    };
    match x.pool {
        Some(pool) => pool.install(|| dst.par_chunks_mut(size).enumerate().try_for_each(step)),
        None => dst.chunks_mut(size).enumerate().try_for_each(step),
    }
}

/// Calls `f` on every job, checking for cancel before each.
pub(super) fn for_each<T: Send>(
    x: &CpuExec<'_>,
    jobs: &mut [T],
    f: impl Fn(&mut T) -> Result<()> + Sync,
) -> Result<()> {
    for_chunks(x, jobs, 1, |_, jobs| jobs.iter_mut().try_for_each(&f))
}

/// The words of a binding over a range of elements.
pub(super) fn part<'a, T>(kernel: &str, binding: &str, words: &'a [T], range: Range<usize>) -> Result<&'a [T]> {
    words.get(range.clone()).ok_or_else(|| Error::WrongShape {
        kernel: kernel.to_owned(),
        binding: binding.to_owned(),
        expected: format!("at least {} words", range.end),
        found: format!("{} words", words.len()),
    })
}

/// Owners of runs of a list that one thread writes, with the part of the list that is theirs.
pub(super) struct Run<'a, T> {
    pub(super) owners: Range<usize>,
    pub(super) items: &'a mut [T],
}

/// Shares out a list whose owners have a run each, from their offsets on. What does not fit in `items` is nobody's.
pub(super) fn runs<'a, T>(offsets: &[u32], items: &'a mut [T]) -> Vec<Run<'a, T>> {
    let size = (CHUNK / 16).max(1);
    let mut runs = Vec::with_capacity(offsets.len().div_ceil(size));
    let (mut rest, mut taken) = (items, 0);
    for first in (0..offsets.len()).step_by(size) {
        let end = (first + size).min(offsets.len());
        let to = offsets.get(end).map_or(taken + rest.len(), |&offset| offset as usize);
        let (own, after) = rest.split_at_mut(to.saturating_sub(taken).min(rest.len()));
        taken += own.len();
        rest = after;
        runs.push(Run {
            owners: first..end,
            items: own,
        });
    }
    runs
}
