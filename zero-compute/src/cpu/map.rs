//! Running a field program on the CPU, in pieces that threads share.

use std::ops::Range;

use rayon::prelude::*;

use crate::cpu::bindings::CpuExec;
use crate::cpu::run::share;
use crate::device::Inner;
use crate::error::Result;
use crate::field::{Inputs, LeafView, Program};
use crate::kernel::HEAD_WORDS;
use crate::list::Held;
use crate::queue::lock;

/// Computes the elements of a range into the last of `held`, which holds the program's leaves before it. Elements
/// from `live` on are 0.
pub(super) fn run(
    device: &Inner,
    program: &Program,
    held: &[Held],
    params: &[u32],
    live: usize,
    range: Range<usize>,
    exec: &CpuExec<'_>,
) -> Result<()> {
    let Some((output, leaves)) = held.split_last() else {
        return Ok(());
    };
    let guards: Vec<_> = leaves.iter().map(|leaf| leaf.buffer.cpu_read()).collect();
    let views: Vec<_> = leaves
        .iter()
        .zip(&guards)
        .map(|(leaf, guard)| {
            let words = guard
                .as_deref()
                .and_then(|all| all.get(..leaf.words() as usize))
                .unwrap_or_default();
            LeafView {
                words,
                lanes: leaf.lanes,
            }
        })
        .collect();
    let numbers = params
        .get(HEAD_WORDS..HEAD_WORDS + program.numbers().len())
        .unwrap_or_default();
    let inputs = Inputs {
        leaves: &views,
        numbers,
    };
    let lanes = output.lanes as usize;
    let mut written = output.buffer.cpu_write();
    let written = written
        .as_deref_mut()
        .and_then(|all| all.get_mut(range.start * lanes..range.end * lanes));
    let living = range.len().min(live.saturating_sub(range.start));
    let Some((front, inert)) = written.and_then(|words| words.split_at_mut_checked(living * lanes)) else {
        return Ok(());
    };
    inert.fill(0);
    let first = range.start;
    let piece = |at: usize, out: &mut [u32]| {
        let mut scratch = lock(&device.scratch).pop().unwrap_or_default();
        let result = program.run(&inputs, at as u32, out, exec.isa, &mut scratch);
        lock(&device.scratch).push(scratch);
        result
    };
    match share(living, exec) {
        None => piece(first, front),
        Some((elements, pool)) => {
            // All results are gathered, so that the error that is returned does not depend on which thread was first.
            let results: Vec<Result<()>> = pool.install(|| {
                let pieces = front.par_chunks_mut(elements * lanes).enumerate();
                pieces
                    .map(|(index, out)| piece(first + index * elements, out))
                    .collect()
            });
            results.into_iter().collect()
        }
    }
}
