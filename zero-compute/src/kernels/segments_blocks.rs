//! What runs are put together of: the folds of whole blocks, and where the blocks of a run lie.

use std::ops::Range;

use super::for_element;
use super::number::{BLOCK, Number};
use super::parallel::for_chunks;
use super::reduce::{Fold, Max, Min, Reduce, Sum, fold_blocks, for_fold, live_words};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Extent, Groups, Kernel, Recorder,
    Result, Rule, WholeFn, Width, args,
};

/// One element a block, as wide as what is folded.
const BLOCKS: Rule = Rule::Sized {
    elements: Extent::Domain {
        per: BLOCK as u32,
        times: 1,
    },
    lanes: Width::Of("src"),
};
/// Workgroups, one a block.
const GROUPS: Groups = Groups::PerElements(BLOCK as u32);

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .write("blocks", element, BLOCKS)
        .specialize("OP", &["sum", "min", "max"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("fold_blocks", GROUPS, &["src", "blocks"])
        .cpu(Cpu::Whole(twin))
}

macro_rules! source {
    ($order:literal) => {
        concat!(
            include_str!($order),
            include_str!("fold.wgsl"),
            include_str!("fold_block.wgsl"),
            include_str!("segments_blocks.wgsl")
        )
    };
}

/// First half of [`segments()`](super::segments()) of floats: each block of 1024 elements folded as
/// [`reduce`](super::reduce()) folds it.
pub static SEGMENTS_BLOCKS_F32: Kernel = declare(
    "segments_blocks_f32",
    Element::F32,
    source!("order_f32.wgsl"),
    blocks_twin::<f32>,
);
/// [`SEGMENTS_BLOCKS_F32`] of signed integers.
pub static SEGMENTS_BLOCKS_I32: Kernel = declare(
    "segments_blocks_i32",
    Element::I32,
    source!("order_i32.wgsl"),
    blocks_twin::<i32>,
);
/// [`SEGMENTS_BLOCKS_F32`] of unsigned integers.
pub static SEGMENTS_BLOCKS_U32: Kernel = declare(
    "segments_blocks_u32",
    Element::U32,
    source!("order_u32.wgsl"),
    blocks_twin::<u32>,
);

const fn declare_counts(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .lanes(1)
        .write("blocks", Element::U32, Rule::CeilDiv(BLOCK as u32))
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("count_blocks", GROUPS, &["src", "blocks"])
        .cpu(Cpu::Whole(twin))
}

macro_rules! counts_source {
    ($element:literal) => {
        concat!(
            "alias T = ",
            $element,
            ";\n",
            include_str!("count_block.wgsl"),
            include_str!("segments_counts.wgsl")
        )
    };
}

/// First half of [`segments_test`](super::segments_test()) of floats: how many elements of each block of 1024 are not
/// zero.
pub static SEGMENTS_COUNTS_F32: Kernel = declare_counts(
    "segments_counts_f32",
    Element::F32,
    counts_source!("f32"),
    counts_twin::<f32>,
);
/// [`SEGMENTS_COUNTS_F32`] of signed integers.
pub static SEGMENTS_COUNTS_I32: Kernel = declare_counts(
    "segments_counts_i32",
    Element::I32,
    counts_source!("i32"),
    counts_twin::<i32>,
);
/// [`SEGMENTS_COUNTS_F32`] of unsigned integers.
pub static SEGMENTS_COUNTS_U32: Kernel = declare_counts(
    "segments_counts_u32",
    Element::U32,
    counts_source!("u32"),
    counts_twin::<u32>,
);

/// Records the folds of the blocks of a whole column, whatever its live count.
pub(super) fn blocks(rec: &mut Recorder, src: &Column, op: Reduce) -> Result<Column> {
    let kernel = for_element(
        src.element(),
        &SEGMENTS_BLOCKS_F32,
        &SEGMENTS_BLOCKS_I32,
        &SEGMENTS_BLOCKS_U32,
    );
    let arguments = args! { src: src, OP: op.option() };
    rec.dispatch(kernel, arguments, Domain::count(src.capacity()))?
        .column("blocks")
}

/// Records the counts of the blocks of a whole column, whatever its live count.
pub(super) fn counts(rec: &mut Recorder, src: &Column) -> Result<Column> {
    let kernel = for_element(
        src.element(),
        &SEGMENTS_COUNTS_F32,
        &SEGMENTS_COUNTS_I32,
        &SEGMENTS_COUNTS_U32,
    );
    rec.dispatch(kernel, args! { src: src }, Domain::count(src.capacity()))?
        .column("blocks")
}

/// Values that one round of a loop over a part of a run takes, in WGSL.
const UNROLLED: u64 = 32;

/// Rounds of loops that a lane of the longest run of so many elements takes: a head and a tail of less than a block, and
/// the blocks.
pub(super) const fn rounds(elements: u32) -> u64 {
    const fn of_part(values: u64) -> u64 {
        values / UNROLLED + UNROLLED - 1
    }
    1 + 2 * of_part(BLOCK as u64 - 1) + of_part(elements as u64 / BLOCK as u64)
}

/// The parts of a run.
pub(super) struct Parts {
    /// Elements before the first whole block, or all of a run without one.
    pub(super) head: Range<usize>,
    /// Whole blocks.
    pub(super) blocks: Range<usize>,
    /// Elements after the last whole block.
    pub(super) tail: Range<usize>,
}

impl Parts {
    pub(super) fn of(run: Range<usize>) -> Self {
        let (first, last) = (run.start.div_ceil(BLOCK), run.end / BLOCK);
        if first >= last {
            return Self {
                tail: run.end..run.end,
                head: run,
                blocks: 0..0,
            };
        }
        Self {
            head: run.start..first * BLOCK,
            blocks: first..last,
            tail: last * BLOCK..run.end,
        }
    }

    /// Values that are read for the run.
    pub(super) fn work(&self) -> usize {
        self.head.len() + self.blocks.len() + self.tail.len()
    }
}

/// The elements of run `i` of a column of `count` elements.
pub(super) fn run(offsets: &[u32], i: usize, count: usize) -> Range<usize> {
    let to = offsets.get(i + 1).map_or(count, |&to| count.min(to as usize));
    let from = offsets.get(i).map_or(to, |&from| to.min(from as usize));
    from..to
}

fn blocks_twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()>
where
    Sum: Fold<T>,
{
    for_fold!(p.option("OP")?, fold_each_block::<T>(b, p, x))
}

fn fold_each_block<T: Number, F: Fold<T>>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (src, lanes) = live_words::<T>(b, p)?;
    let blocks = b.write::<T>("blocks")?;
    let folded = src.len().div_ceil(BLOCK * lanes) * lanes;
    let (folded, past) = blocks.split_at_mut(folded.min(blocks.len()));
    fold_blocks::<T, F>(src, lanes, folded, x)?;
    past.fill(F::leave(F::NOTHING));
    Ok(())
}

fn counts_twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (src, _) = live_words::<T>(b, p)?;
    let blocks = b.write::<u32>("blocks")?;
    for_chunks(x, blocks, 64, |first, blocks| {
        let sources = src.chunks(BLOCK).skip(first).chain(std::iter::repeat(&[] as &[T]));
        for (block, src) in blocks.iter_mut().zip(sources) {
            *block = src.iter().map(|&value| u32::from(value != T::default())).sum();
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_run_are_the_run() {
        for (from, to) in [
            (0, 0),
            (0, 1023),
            (0, 1024),
            (1, 1024),
            (1, 2047),
            (1, 2048),
            (1023, 1025),
            (1024, 3072),
            (1000, 9000),
        ] {
            let parts = Parts::of(from..to);
            let blocks = parts.blocks.start * BLOCK..parts.blocks.end * BLOCK;
            let elements: Vec<usize> = parts.head.chain(blocks).chain(parts.tail).collect();
            assert_eq!(elements, (from..to).collect::<Vec<_>>(), "{from}..{to}");
        }
    }

    /// A column of one lane that any device binds has no run that an invocation can't fold.
    #[test]
    fn one_lane_is_folded_to_its_end_whatever_its_length() {
        assert!(rounds(1 << 30) <= super::super::SOFTWARE_ROUNDS);
    }
}
