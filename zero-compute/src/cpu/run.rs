//! Running a list on the CPU, slice by slice.

use std::ops::Range;
use std::sync::{Arc, RwLockReadGuard, RwLockWriteGuard};

use rayon::prelude::*;

use crate::cpu::bindings::{Bound, CpuBindings, CpuExec, CpuParams, Words};
use crate::cpu::{CpuOptions, fused, map, twin, walk};
use crate::device::{Inner, SLICE};
use crate::error::{Error, Result};
use crate::exec::CancelToken;
use crate::kernel::{Access, Cpu, Kernel, RangesFn, WholeFn};
use crate::list::{Code, Held, ListInner, Step};
use crate::profile::{Row, name_of};
use crate::queue::{Control, State};
use crate::stats::Counters;

/// Elements of the smallest piece that is given to a thread.
const LEAST_PIECE: usize = 1024;
/// Elements below which handing pieces to threads costs more than it saves.
const LEAST_SHARED: usize = 8192;

/// How far a list has run: the next dispatch (on a GPU the next part of the list), and its next element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) step: usize,
    element: usize,
}

impl Place {
    /// Whether nothing has run yet.
    pub(crate) fn is_start(self) -> bool {
        (self.step, self.element) == (0, 0)
    }
}

/// Runs a list from its place on. Answers whether it reached the end; it stops early at the end of the budget.
pub(crate) fn run_list(
    device: &Inner,
    list: &ListInner,
    params: &Arc<Vec<u32>>,
    place: &mut Place,
    state: &State,
    options: &CpuOptions,
    control: &mut Control<'_>,
) -> Result<bool> {
    let (profiles, clock) = (device.profiles.wanted(), control.exec().clock);
    // Steps over no elements are passed by, and a list may begin with some.
    let mut begins = place.is_start();
    let begin = || {
        if list.sent.changed(params).is_some() {
            Counters::add(&device.counters.param_writes, 1);
        }
        list.sent.wrote(params);
    };
    while let Some(step) = list.steps.get(place.step) {
        if step.n == 0 {
            place.step += 1;
            continue;
        }
        if state.is_abandoned() {
            return Ok(true);
        }
        if !control.may_go_on()? {
            if begins {
                *place = Place::default();
            }
            return Ok(false);
        }
        if std::mem::take(&mut begins) {
            begin();
        }
        let words = params.get(step.at..step.at + step.words).unwrap_or_default();
        let exec = CpuExec {
            pool: options.pool.as_deref(),
            isa: options.isa,
            cancel: control.exec().cancel,
        };
        let begun_ms = profiles.as_ref().map(|_| clock.now_ms());
        place.element = run_slice(device, step, words, place.element, &exec)?;
        if let (Some(tables), Some(begun_ms)) = (&profiles, begun_ms) {
            let is_over = place.element >= step.n as usize;
            let row = Row {
                dispatches: u64::from(is_over),
                elements: if is_over { u64::from(step.n) } else { 0 },
                time_ms: clock.now_ms() - begun_ms,
            };
            tables.add(&name_of(&step.code), row);
        }
        if place.element >= step.n as usize {
            *place = Place {
                step: place.step + 1,
                element: 0,
            };
            Counters::add(&device.counters.dispatches, 1);
        }
        control.report(place.step as f32 / list.steps.len() as f32, step.code.name());
    }
    if begins {
        begin();
    }
    Ok(true)
}

/// Runs a dispatch from `first` on, and answers where it stopped: at its end, or after a slice.
fn run_slice(device: &Inner, step: &Step, params: &[u32], first: usize, exec: &CpuExec<'_>) -> Result<usize> {
    let live = match &step.count {
        None => step.n,
        Some(count) => count
            .cpu_read()
            .and_then(|words| words.first().copied())
            .unwrap_or(0)
            .min(step.n),
    };
    let n = step.n as usize;
    match &step.code {
        Code::Kernel { kernel, options } => {
            let params = CpuParams {
                kernel,
                words: params,
                options,
                n: step.n,
                live,
            };
            match kernel.twin() {
                Some(Cpu::Whole(run)) => run_whole(kernel, run, &step.held, &params, exec).map(|()| n),
                Some(Cpu::Ranges(run)) => {
                    let end = slice_end(first, n, exec);
                    run_ranges(kernel, run, &step.held, &params, exec, first..end)?;
                    Ok(end)
                }
                None => Err(Error::GpuOnly {
                    kernel: kernel.name().to_owned(),
                }),
            }
        }
        Code::Map(program) => {
            let end = slice_end(first, n, exec);
            map::run(device, program, &step.held, params, live as usize, first..end, exec)?;
            Ok(end)
        }
        Code::Fused(fused) => {
            let end = slice_end(first, n, exec);
            let run = fused::Run {
                device,
                fused,
                params,
                n: step.n,
                live,
                exec,
            };
            run.slice(&step.held, first..end)?;
            Ok(end)
        }
        Code::Walk(program) => {
            let threads = exec.pool.map_or(1, rayon::ThreadPool::current_num_threads);
            let end = first.saturating_add(walk::slice(params) * threads).min(n);
            walk::run(device, program, &step.held, params, live as usize, first..end, exec)?;
            Ok(end)
        }
    }
}

/// Where the slice that starts at `first` ends: every thread takes its own [`SLICE`].
fn slice_end(first: usize, n: usize, exec: &CpuExec<'_>) -> usize {
    let width = SLICE as usize * exec.pool.map_or(1, rayon::ThreadPool::current_num_threads);
    first.saturating_add(width).min(n)
}

/// How many elements a thread is given at a time, and the pool to share among, where that is worth its while.
pub(super) fn share<'a>(elements: usize, exec: &CpuExec<'a>) -> Option<(usize, &'a rayon::ThreadPool)> {
    let pool = exec.pool?;
    let threads = pool.current_num_threads();
    let piece = elements
        .div_ceil(threads * 2)
        .next_multiple_of(LEAST_PIECE)
        .min(SLICE as usize);
    (threads > 1 && elements >= LEAST_SHARED).then_some((piece, pool))
}

enum Guard<'a> {
    Read(RwLockReadGuard<'a, Vec<u32>>),
    Write(RwLockWriteGuard<'a, Vec<u32>>),
}

/// A binding with its locks held.
struct Locked<'a> {
    held: &'a Held,
    items: Guard<'a>,
    count: Option<RwLockWriteGuard<'a, Vec<u32>>>,
}

fn lock_all(held: &[Held]) -> Vec<Locked<'_>> {
    held.iter().filter_map(lock_one).collect()
}

/// Workspace is not locked: the CPU function never sees it.
fn lock_one(held: &Held) -> Option<Locked<'_>> {
    let items = match held.access {
        Access::Scratch => return None,
        Access::Read => Guard::Read(held.buffer.cpu_read()?),
        Access::Write | Access::InOut | Access::Append => Guard::Write(held.buffer.cpu_write()?),
    };
    Some(Locked {
        held,
        items,
        count: held.count.as_ref().and_then(|count| count.cpu_write()),
    })
}

/// The slices behind the locks. The columns are as long as their buffers, which a dispatch that was recorded has
/// checked.
fn bound<'a>(locked: &'a mut [Locked<'_>]) -> Vec<Bound<'a>> {
    let bind = |locked: &'a mut Locked<'_>| {
        let words = locked.held.words() as usize;
        let slices = match (&mut locked.items, &mut locked.count) {
            (Guard::Read(all), _) => Words::Read(all.get(..words).unwrap_or_default()),
            (Guard::Write(all), Some(count)) => Words::Append(all.get_mut(..words).zip(count.first_mut())),
            (Guard::Write(all), None) => Words::Write(all.get_mut(..words)),
        };
        Bound {
            name: locked.held.name,
            element: locked.held.element,
            lanes: locked.held.lanes,
            words: slices,
        }
    };
    locked.iter_mut().map(bind).collect()
}

/// Runs a whole dispatch. A function that is cancelled on its way begins again, so what it changes in place and
/// what it counted are put back first.
fn run_whole(kernel: &Kernel, run: WholeFn, held: &[Held], params: &CpuParams<'_>, exec: &CpuExec<'_>) -> Result<()> {
    let longest = held.iter().map(Held::words).max().unwrap_or(0);
    // What is no more work than a slice ends by itself. Few elements may be much work, over all that is bound.
    let exec = if longest.max(params.n.into()) <= SLICE.into() {
        CpuExec {
            cancel: CancelToken::never(),
            ..*exec
        }
    } else {
        *exec
    };
    let mut locked = lock_all(held);
    let may_begin_again = !exec.cancel.is_never();
    let in_place = |locked: &Locked<'_>| locked.held.access == Access::InOut && may_begin_again;
    let before: Vec<Option<Vec<u32>>> = locked
        .iter()
        .map(|locked| match &locked.items {
            Guard::Write(all) if in_place(locked) => Some(all.to_vec()),
            _ => None,
        })
        .collect();
    // What is appended from empty had its counter cleared by a dispatch of its own.
    let counts: Vec<Option<u32>> = locked.iter().map(|l| l.count.as_ref()?.first().copied()).collect();
    let mut bindings = CpuBindings {
        kernel: kernel.name(),
        bound: bound(&mut locked),
    };
    let result = twin::call(kernel.name(), || run(&mut bindings, params, &exec));
    if result.is_err() {
        for ((locked, before), count) in locked.iter_mut().zip(before).zip(counts) {
            if let (Some(now), Some(count)) = (locked.count.as_mut().and_then(|c| c.first_mut()), count) {
                *now = count;
            }
            if let (Guard::Write(all), Some(before)) = (&mut locked.items, before) {
                **all = before;
            }
        }
    }
    result
}

fn run_ranges(
    kernel: &Kernel,
    run: RangesFn,
    held: &[Held],
    params: &CpuParams<'_>,
    exec: &CpuExec<'_>,
    range: Range<usize>,
) -> Result<()> {
    let mut locked = lock_all(held);
    let mut rest = bound(&mut locked);
    for bound in &mut rest {
        cut_front(bound, range.start);
    }
    let Some((piece, pool)) = share(range.len(), exec) else {
        let bound = rest.iter_mut().map(|bound| take_front(bound, range.len())).collect();
        let mut bindings = CpuBindings {
            kernel: kernel.name(),
            bound,
        };
        return twin::call(kernel.name(), || run(range, &mut bindings, params, exec));
    };
    let mut pieces = Vec::with_capacity(range.len().div_ceil(piece));
    let mut start = range.start;
    while start < range.end {
        let end = (start + piece).min(range.end);
        let bound = rest.iter_mut().map(|bound| take_front(bound, end - start)).collect();
        pieces.push((
            start..end,
            CpuBindings {
                kernel: kernel.name(),
                bound,
            },
        ));
        start = end;
    }
    // All results are gathered, so that the error that is returned does not depend on which thread was first.
    let results: Vec<Result<()>> = pool.install(|| {
        pieces
            .into_par_iter()
            .map(|(range, mut bindings)| twin::call(kernel.name(), || run(range, &mut bindings, params, exec)))
            .collect()
    });
    results.into_iter().collect()
}

/// Drops the first elements of what is written.
fn cut_front(bound: &mut Bound<'_>, elements: usize) {
    if let Words::Write(words) = &mut bound.words {
        let at = elements * bound.lanes as usize;
        *words = words.take().and_then(|words| words.get_mut(at..));
    }
}

/// The whole of what is read, and the next elements of what is written.
fn take_front<'a>(bound: &mut Bound<'a>, elements: usize) -> Bound<'a> {
    let words = match &mut bound.words {
        Words::Read(words) => Words::Read(words),
        Words::Block(first, words) => Words::Block(*first, words),
        Words::Append(_) => Words::Append(None),
        Words::Write(words) => {
            let at = elements * bound.lanes as usize;
            match words.take().and_then(|words| words.split_at_mut_checked(at)) {
                Some((front, back)) => {
                    *words = Some(back);
                    Words::Write(Some(front))
                }
                None => Words::Write(None),
            }
        }
    };
    Bound { words, ..*bound }
}
