//! Questions about the flags of each run of a column.

use std::ops::Range;

use super::number::Number;
use super::reduce::Test;
use super::segments_blocks::{Parts, counts, run};
use super::{for_element, one_lane};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, RangesFn, Recorder,
    Result, Rule, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .lanes(1)
        .read("blocks", Element::U32)
        .lanes(1)
        .read_domain("offsets", Element::U32)
        .lanes(1)
        .write("dst", Element::U32, Rule::Domain)
        .param("count", Param::U32(u32::MAX))
        .specialize("OP", &["count", "any", "all"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

/// Second half of [`segments_test`] of floats: runs of `src` counted by its elements and by the counts of its `blocks`.
pub static SEGMENTS_TEST_F32: Kernel = declare(
    "segments_test_f32",
    Element::F32,
    concat!(
        "alias T = f32;\n",
        include_str!("run_parts.wgsl"),
        include_str!("segments_test.wgsl")
    ),
    twin::<f32>,
);
/// [`SEGMENTS_TEST_F32`] of signed integers.
pub static SEGMENTS_TEST_I32: Kernel = declare(
    "segments_test_i32",
    Element::I32,
    concat!(
        "alias T = i32;\n",
        include_str!("run_parts.wgsl"),
        include_str!("segments_test.wgsl")
    ),
    twin::<i32>,
);
/// [`SEGMENTS_TEST_F32`] of unsigned integers.
pub static SEGMENTS_TEST_U32: Kernel = declare(
    "segments_test_u32",
    Element::U32,
    concat!(
        "alias T = u32;\n",
        include_str!("run_parts.wgsl"),
        include_str!("segments_test.wgsl")
    ),
    twin::<u32>,
);

/// Asks each run of a column of one lane how many of its elements are not zero, whether any is, or whether all are: one
/// `u32` a run. The runs are those of [`segments()`](super::segments()); all of an empty run are set. A slot past the
/// live count of `offsets` is 0.
///
/// Cost: 2 passes, as [`segments()`](super::segments()).
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) where `offsets` is not `u32`.
pub fn segments_test(rec: &mut Recorder, src: &Column, offsets: &Column, question: Test) -> Result<Column> {
    rec.all_or_nothing(|rec| segments_test_steps(rec, src, offsets, question))
}

fn segments_test_steps(rec: &mut Recorder, src: &Column, offsets: &Column, question: Test) -> Result<Column> {
    let kernel = for_element(
        src.element(),
        &SEGMENTS_TEST_F32,
        &SEGMENTS_TEST_I32,
        &SEGMENTS_TEST_U32,
    );
    one_lane(kernel.name(), "src", src)?;
    one_lane(kernel.name(), "offsets", offsets)?;
    let blocks = counts(rec, src)?;
    // The length is a param because a GPU binds a column of no elements as one zero word.
    let arguments = args! {
        src: src, blocks: &blocks, offsets: offsets, count: src.capacity(), OP: question.option(),
    };
    rec.dispatch(kernel, arguments, Domain::of(offsets))?.column("dst")
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (src, blocks) = (b.read::<T>("src")?, b.read::<u32>("blocks")?);
    let offsets = b.read::<u32>("offsets")?;
    let count = src.len().min(p.u32("count")? as usize);
    let question = p.option("OP")?;
    let set_in = |part: Range<usize>| -> u32 {
        let flags = src.get(part).unwrap_or_default();
        flags.iter().map(|&value| u32::from(value != T::default())).sum()
    };
    let mut since_check = 0;
    for (dst, i) in b.write::<u32>("dst")?.iter_mut().zip(range) {
        if i >= p.live() as usize {
            *dst = 0;
            continue;
        }
        let run = run(offsets, i, count);
        let (length, parts) = (run.len(), Parts::of(run));
        since_check += parts.work();
        if since_check >= super::parallel::CHUNK {
            x.checkpoint()?;
            since_check = 0;
        }
        let whole: u32 = blocks.get(parts.blocks).unwrap_or_default().iter().sum();
        let set = set_in(parts.head) + whole + set_in(parts.tail);
        *dst = match question {
            "any" => u32::from(set > 0),
            "all" => u32::from(set as usize == length),
            _ => set,
        };
    }
    Ok(())
}
