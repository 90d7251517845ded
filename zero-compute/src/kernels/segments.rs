//! Runs of elements folded to one element each.

use std::ops::Range;

use super::number::Number;
use super::reduce::{Fold, Max, Min, Reduce, Sum};
use super::{for_element, one_lane, rounds_of_a_run, runs_to_its_end};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, RangesFn, Recorder,
    Result, Rule, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .read("offsets", Element::U32)
        .write("dst", element, Rule::LanesOf("src"))
        .param("count", Param::U32(u32::MAX))
        .specialize("OP", &["sum", "min", "max"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

/// [`segments`] of floats.
pub static SEGMENTS_F32: Kernel = declare(
    "segments_f32",
    Element::F32,
    concat!(include_str!("order_f32.wgsl"), include_str!("segments.wgsl")),
    twin::<f32>,
);
/// [`segments`] of signed integers.
pub static SEGMENTS_I32: Kernel = declare(
    "segments_i32",
    Element::I32,
    concat!(include_str!("order_i32.wgsl"), include_str!("segments.wgsl")),
    twin::<i32>,
);
/// [`segments`] of unsigned integers.
pub static SEGMENTS_U32: Kernel = declare(
    "segments_u32",
    Element::U32,
    concat!(include_str!("order_u32.wgsl"), include_str!("segments.wgsl")),
    twin::<u32>,
);

/// Folds each run of `src`, lane by lane: run `i` goes from `offsets[i]` (`u32`, one lane, ascending) to
/// `offsets[i + 1]`, the last one to the end of `src`. An empty run is the fold of nothing (see [`Reduce`]); a slot
/// past the live count of `offsets` is zeros. Floats are summed from first to last.
///
/// Cost: 1 pass, one invocation a run: runs of very unequal length leave a GPU waiting for the longest.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) where `offsets` has more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) where it is not `u32`;
/// [`Error::TooMany`](crate::Error::TooMany) on a software adapter where one run could be too long for it, from some 4
/// million elements of one lane on.
pub fn segments(rec: &mut Recorder, src: &Column, offsets: &Column, op: Reduce) -> Result<Column> {
    let kernel = for_element(src.element(), &SEGMENTS_F32, &SEGMENTS_I32, &SEGMENTS_U32);
    one_lane(kernel.name(), "offsets", offsets)?;
    let rounds = u64::from(src.lanes()) * (1 + rounds_of_a_run(src.capacity()));
    runs_to_its_end(rec, kernel.name(), rounds)?;
    let domain = Domain::of(offsets);
    // The length is a param because a GPU binds a column of no elements as one zero word.
    let arguments = args! { src: src, offsets: offsets, count: src.capacity(), OP: op.option() };
    let done = rec.dispatch(kernel, arguments, domain)?;
    done.column("dst")
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()>
where
    Sum: Fold<T>,
{
    match Reduce::of_option(p.option("OP")?) {
        Reduce::Sum => fold_runs::<T, Sum>(range, b, p, x),
        Reduce::Min => fold_runs::<T, Min>(range, b, p, x),
        Reduce::Max => fold_runs::<T, Max>(range, b, p, x),
    }
}

fn fold_runs<T: Number, F: Fold<T>>(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    x: &CpuExec<'_>,
) -> Result<()> {
    let lanes = (b.lanes("src") as usize).max(1);
    let (src, offsets) = (b.read::<T>("src")?, b.read::<u32>("offsets")?);
    let count = (src.len() / lanes).min(p.u32("count")? as usize);
    let mut since_check = 0;
    for (dst, i) in b.write::<T>("dst")?.chunks_exact_mut(lanes).zip(range) {
        if i >= p.live() as usize {
            dst.fill(T::default());
            continue;
        }
        let to = offsets.get(i + 1).map_or(count, |&to| count.min(to as usize));
        let from = offsets.get(i).map_or(to, |&from| to.min(from as usize));
        let run = src.get(from * lanes..to * lanes).unwrap_or_default();
        since_check += to - from;
        if since_check >= super::parallel::CHUNK {
            x.checkpoint()?;
            since_check = 0;
        }
        for (lane, to) in dst.iter_mut().enumerate() {
            let values = run.iter().skip(lane).step_by(lanes);
            *to = F::leave(values.fold(F::NOTHING, |sum, &value| F::fold(sum, F::enter(value))));
        }
    }
    Ok(())
}
