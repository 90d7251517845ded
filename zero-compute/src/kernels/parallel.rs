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
