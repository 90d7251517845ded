//! Means: of a column, and of each of its runs.

use std::ops::Range;

use super::parallel::part;
use super::reduce::{Reduce, reduce};
use super::segments::segments;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, Recorder, Result,
    Rule, args,
};

/// Second half of [`mean`]: a sum over a count that stands on the device, at most `capacity`.
pub static MEAN: Kernel = Kernel::declare("mean")
    .read("sum", Element::F32)
    .read("count", Element::U32)
    .lanes(1)
    .write("dst", Element::F32, Rule::same_as("sum"))
    .param("capacity", Param::U32(u32::MAX))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("mean.wgsl"))
    .cpu(Cpu::Ranges(mean_twin));

/// Second half of [`segments_mean`]: the sum of each run over its length.
pub static SEGMENTS_MEAN: Kernel = Kernel::declare("segments_mean")
    .read_domain("sum", Element::F32)
    .read_domain("offsets", Element::U32)
    .lanes(1)
    .write("dst", Element::F32, Rule::same_as("sum"))
    .param("count", Param::U32(u32::MAX))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("segments_mean.wgsl"))
    .cpu(Cpu::Ranges(segments_mean_twin));

/// The mean of a float column, lane by lane: the sum in the order of [`reduce`], divided once, correctly rounded, by
/// the number of (live) elements. The mean of no element is 0. A sum past the greatest float makes a mean that is not
/// finite or wrong: scale such values first.
///
/// Cost: 3 passes; each element is read once.
///
/// # Errors
/// [`Error::WrongElement`] for integers, [`Error::WrongShape`] for more than 16 lanes.
pub fn mean(rec: &mut Recorder, src: &Column) -> Result<Column> {
    rec.all_or_nothing(|rec| mean_steps(rec, src))
}

fn mean_steps(rec: &mut Recorder, src: &Column) -> Result<Column> {
    floats(MEAN.name(), src)?;
    let sum = reduce(rec, src, Reduce::Sum)?;
    let capacity = src.capacity();
    let count = match src.live_count() {
        Some(count) => count,
        None => src.device().upload(&[capacity], 1)?,
    };
    let arguments = args! { sum: &sum, count: &count, capacity: capacity };
    rec.dispatch(&MEAN, arguments, Domain::count(1))?.column("dst")
}

/// The mean of each run of a float column, lane by lane; the runs are those of [`segments()`]. The mean of an empty run
/// is 0, and so is a slot past the live count of `offsets`.
///
/// Cost: 3 passes, two of them those of [`segments()`].
///
/// # Errors
/// [`Error::WrongElement`] for integers, and those of [`segments()`].
pub fn segments_mean(rec: &mut Recorder, src: &Column, offsets: &Column) -> Result<Column> {
    rec.all_or_nothing(|rec| segments_mean_steps(rec, src, offsets))
}

fn segments_mean_steps(rec: &mut Recorder, src: &Column, offsets: &Column) -> Result<Column> {
    floats(SEGMENTS_MEAN.name(), src)?;
    let sum = segments(rec, src, offsets, Reduce::Sum)?;
    let arguments = args! { sum: &sum, offsets: offsets, count: src.capacity() };
    rec.dispatch(&SEGMENTS_MEAN, arguments, Domain::of(offsets))?
        .column("dst")
}

fn floats(kernel: &str, src: &Column) -> Result<()> {
    if src.element() == Element::F32 {
        return Ok(());
    }
    Err(Error::WrongElement {
        kernel: kernel.to_owned(),
        binding: "src".to_owned(),
        expected: Element::F32,
        found: src.element(),
    })
}

fn mean_twin(_range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let count = b
        .read::<u32>("count")?
        .first()
        .copied()
        .unwrap_or(0)
        .min(p.u32("capacity")?);
    let sum = b.read::<f32>("sum")?;
    for (to, &sum) in b.write::<f32>("dst")?.iter_mut().zip(sum) {
        *to = zero_noise::div(sum, count as f32);
    }
    Ok(())
}

fn segments_mean_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = (b.lanes("sum") as usize).max(1);
    let (offsets, count) = (b.read::<u32>("offsets")?, p.u32("count")?);
    let sums = part(
        b.kernel,
        "sum",
        b.read::<f32>("sum")?,
        range.start * lanes..range.end * lanes,
    )?;
    let runs = b
        .write::<f32>("dst")?
        .chunks_exact_mut(lanes)
        .zip(sums.chunks_exact(lanes));
    for ((dst, sums), i) in runs.zip(range) {
        let to = offsets.get(i + 1).map_or(count, |&to| to.min(count));
        let from = offsets.get(i).map_or(to, |&from| from.min(to));
        let length = if i < p.live() as usize { to - from } else { 0 };
        for (to, &sum) in dst.iter_mut().zip(sums) {
            *to = zero_noise::div(sum, length as f32);
        }
    }
    Ok(())
}
