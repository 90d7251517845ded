//! Questions about the flags of each run of a column.

use std::ops::Range;

use super::number::Number;
use super::reduce::Test;
use super::{for_element, one_lane, rounds_of_a_run, runs_to_its_end};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, RangesFn, Recorder,
    Result, Rule, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .read("offsets", Element::U32)
        .write("dst", Element::U32, Rule::Domain)
        .param("count", Param::U32(u32::MAX))
        .specialize("OP", &["count", "any", "all"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

/// [`segments_test`] of floats.
pub static SEGMENTS_TEST_F32: Kernel = declare(
    "segments_test_f32",
    Element::F32,
    concat!("alias T = f32;\n", include_str!("segments_test.wgsl")),
    twin::<f32>,
);
/// [`segments_test`] of signed integers.
pub static SEGMENTS_TEST_I32: Kernel = declare(
    "segments_test_i32",
    Element::I32,
    concat!("alias T = i32;\n", include_str!("segments_test.wgsl")),
    twin::<i32>,
);
/// [`segments_test`] of unsigned integers.
pub static SEGMENTS_TEST_U32: Kernel = declare(
    "segments_test_u32",
    Element::U32,
    concat!("alias T = u32;\n", include_str!("segments_test.wgsl")),
    twin::<u32>,
);

/// Asks each run of a column of one lane how many of its elements are not zero, whether any is, or whether all are: one
/// `u32` a run. The runs are those of [`segments()`](super::segments()); all of an empty run are set. A slot past the
/// live count of `offsets` is 0.
///
/// Cost: 1 pass, one invocation a run.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) where `offsets` is not `u32`;
/// [`Error::TooMany`](crate::Error::TooMany) on a software adapter, as [`segments()`](super::segments()) says.
pub fn segments_test(rec: &mut Recorder, src: &Column, offsets: &Column, question: Test) -> Result<Column> {
    let kernel = for_element(
        src.element(),
        &SEGMENTS_TEST_F32,
        &SEGMENTS_TEST_I32,
        &SEGMENTS_TEST_U32,
    );
    one_lane(kernel.name(), "src", src)?;
    one_lane(kernel.name(), "offsets", offsets)?;
    runs_to_its_end(rec, kernel.name(), rounds_of_a_run(src.capacity()))?;
    // The length is a param because a GPU binds a column of no elements as one zero word.
    let arguments = args! { src: src, offsets: offsets, count: src.capacity(), OP: question.option() };
    rec.dispatch(kernel, arguments, Domain::of(offsets))?.column("dst")
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (src, offsets) = (b.read::<T>("src")?, b.read::<u32>("offsets")?);
    let count = src.len().min(p.u32("count")? as usize);
    let question = p.option("OP")?;
    let mut since_check = 0;
    for (dst, i) in b.write::<u32>("dst")?.iter_mut().zip(range) {
        if i >= p.live() as usize {
            *dst = 0;
            continue;
        }
        let to = offsets.get(i + 1).map_or(count, |&to| count.min(to as usize));
        let from = offsets.get(i).map_or(to, |&from| to.min(from as usize));
        since_check += to - from;
        if since_check >= super::parallel::CHUNK {
            x.checkpoint()?;
            since_check = 0;
        }
        let run = src.get(from..to).unwrap_or_default();
        let set: u32 = run.iter().map(|&value| u32::from(value != T::default())).sum();
        *dst = match question {
            "any" => u32::from(set > 0),
            "all" => u32::from(set as usize == run.len()),
            _ => set,
        };
    }
    Ok(())
}
