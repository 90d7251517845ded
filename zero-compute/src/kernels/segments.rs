//! Runs of elements folded to one element each.

use std::ops::Range;

use super::number::Number;
use super::reduce::{Fold, Max, Min, Reduce, Sum, for_fold};
use super::segments_blocks::{Parts, blocks, rounds, run};
use super::{for_element, one_lane, runs_to_its_end};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, RangesFn, Recorder,
    Result, Rule, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .read("blocks", element)
        .read_domain("offsets", Element::U32)
        .lanes(1)
        .write("dst", element, Rule::LanesOf("src"))
        .param("count", Param::U32(u32::MAX))
        .specialize("OP", &["sum", "min", "max"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

macro_rules! source {
    ($order:literal) => {
        concat!(
            include_str!($order),
            include_str!("fold.wgsl"),
            include_str!("run_parts.wgsl"),
            include_str!("segments.wgsl")
        )
    };
}

/// Second half of [`segments`] of floats: runs of `src` put together of its elements and of its `blocks`.
pub static SEGMENTS_F32: Kernel = declare("segments_f32", Element::F32, source!("order_f32.wgsl"), twin::<f32>);
/// [`SEGMENTS_F32`] of signed integers.
pub static SEGMENTS_I32: Kernel = declare("segments_i32", Element::I32, source!("order_i32.wgsl"), twin::<i32>);
/// [`SEGMENTS_F32`] of unsigned integers.
pub static SEGMENTS_U32: Kernel = declare("segments_u32", Element::U32, source!("order_u32.wgsl"), twin::<u32>);

/// Folds each run of `src`, lane by lane: run `i` goes from `offsets[i]` (`u32`, one lane, ascending) to
/// `offsets[i + 1]`, the last one to the end of `src`. An empty run is the fold of nothing (see [`Reduce`]); a slot
/// past the live count of `offsets` is zeros.
///
/// Floats are summed in one order on every device: the elements before the run's first whole block of 1024 elements of
/// `src` from first to last, then these blocks, each summed as [`reduce`](super::reduce()) sums one, then the elements
/// after them. A run without a whole block is summed from first to last. Sums of long runs depend on where the run lies,
/// by their rounding.
///
/// Cost: 2 passes; each element is read once for its block and once for its run, or one word for each block of it. A run
/// is one invocation's: runs of very unequal length leave a GPU waiting for the longest.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) where `offsets` has more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) where it is not `u32`;
/// [`Error::TooMany`](crate::Error::TooMany) on a software adapter for more lanes than one invocation folds there, some
/// 400 of them.
pub fn segments(rec: &mut Recorder, src: &Column, offsets: &Column, op: Reduce) -> Result<Column> {
    rec.all_or_nothing(|rec| segments_steps(rec, src, offsets, op))
}

fn segments_steps(rec: &mut Recorder, src: &Column, offsets: &Column, op: Reduce) -> Result<Column> {
    let kernel = for_element(src.element(), &SEGMENTS_F32, &SEGMENTS_I32, &SEGMENTS_U32);
    one_lane(kernel.name(), "offsets", offsets)?;
    runs_to_its_end(
        rec,
        kernel.name(),
        u64::from(src.lanes()) * (1 + rounds(src.capacity())),
    )?;
    let blocks = blocks(rec, src, op)?;
    // The length is a param because a GPU binds a column of no elements as one zero word.
    let arguments = args! { src: src, blocks: &blocks, offsets: offsets, count: src.capacity(), OP: op.option() };
    rec.dispatch(kernel, arguments, Domain::of(offsets))?.column("dst")
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()>
where
    Sum: Fold<T>,
{
    for_fold!(p.option("OP")?, fold_runs::<T>(range, b, p, x))
}

fn fold_runs<T: Number, F: Fold<T>>(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    x: &CpuExec<'_>,
) -> Result<()> {
    let lanes = (b.lanes("src") as usize).max(1);
    let (src, blocks) = (b.read::<T>("src")?, b.read::<T>("blocks")?);
    let offsets = b.read::<u32>("offsets")?;
    let count = (src.len() / lanes).min(p.u32("count")? as usize);
    let mut since_check = 0;
    for (dst, i) in b.write::<T>("dst")?.chunks_exact_mut(lanes).zip(range) {
        if i >= p.live() as usize {
            dst.fill(T::default());
            continue;
        }
        let parts = Parts::of(run(offsets, i, count));
        since_check += parts.work();
        if since_check >= super::parallel::CHUNK {
            x.checkpoint()?;
            since_check = 0;
        }
        let values = [
            words_of(src, parts.head, lanes),
            words_of(blocks, parts.blocks, lanes),
            words_of(src, parts.tail, lanes),
        ];
        for (lane, to) in dst.iter_mut().enumerate() {
            let values = values.iter().flat_map(|part| part.iter().skip(lane).step_by(lanes));
            *to = F::leave(values.fold(F::NOTHING, |sum, &value| F::fold(sum, F::enter(value))));
        }
    }
    Ok(())
}

/// The words of some elements, none where they are not there.
fn words_of<T>(words: &[T], elements: Range<usize>, lanes: usize) -> &[T] {
    words
        .get(elements.start * lanes..elements.end * lanes)
        .unwrap_or_default()
}
