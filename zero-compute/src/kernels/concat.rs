//! Columns laid end to end.

use std::ops::Range;

use super::number::Number;
use super::parallel::{CHUNK, part};
use super::{for_element, shape};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, Recorder, Result,
    Rule, WholeFn, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .read("start", Element::U32)
        .lanes(1)
        .inout("dst", element)
        .param("at", Param::U32(0))
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Whole(twin))
}

/// One column of [`concat()`], of floats: laid into `dst` from element `at + start[0]` on.
pub static CONCAT_F32: Kernel = declare("concat_f32", Element::F32, include_str!("concat.wgsl"), twin::<f32>);
/// One column of [`concat()`], of signed integers.
pub static CONCAT_I32: Kernel = declare("concat_i32", Element::I32, include_str!("concat.wgsl"), twin::<i32>);
/// One column of [`concat()`], of unsigned integers.
pub static CONCAT_U32: Kernel = declare("concat_u32", Element::U32, include_str!("concat.wgsl"), twin::<u32>);

/// Where the next column of [`concat()`] starts: `before` and at most `capacity` of `added`.
pub static CONCAT_COUNT: Kernel = Kernel::declare("concat_count")
    .read("before", Element::U32)
    .lanes(1)
    .read("added", Element::U32)
    .lanes(1)
    .write("dst", Element::U32, Rule::Domain)
    .param("capacity", Param::U32(u32::MAX))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("concat_count.wgsl"))
    .cpu(Cpu::Ranges(count_twin));

/// The elements of columns of one kind and one number of lanes, column after column.
///
/// Where any of them has a live count only live elements are laid down, without gaps, and what comes out is live with
/// the sum of the counts; past it are zeros. Its capacity is the sum of the capacities, so that nothing overflows.
///
/// Cost: 1 pass a column; with live counts 2 a column and 1 more. On the CPU a column of more than 65 536 elements costs
/// a copy of what stands besides.
///
/// # Errors
/// [`Error::Invalid`] for no columns, [`Error::WrongElement`] and [`Error::WrongShape`] where kinds or lanes differ,
/// [`Error::TooMany`] past 2^32 - 1 elements, [`Error::TooLarge`] past what the device binds.
pub fn concat(rec: &mut Recorder, columns: &[&Column]) -> Result<Column> {
    rec.all_or_nothing(|rec| concat_steps(rec, columns))
}

fn concat_steps(rec: &mut Recorder, columns: &[&Column]) -> Result<Column> {
    let Some(first) = columns.first() else {
        return Err(Error::Invalid {
            what: "columns to concat".to_owned(),
            expected: "at least one".to_owned(),
            found: "none".to_owned(),
        });
    };
    let kernel = for_element(first.element(), &CONCAT_F32, &CONCAT_I32, &CONCAT_U32);
    let mut capacity = 0u64;
    for column in columns {
        rec.check_column(kernel.name(), "src", first.element(), column)?;
        if column.lanes() != first.lanes() {
            let expected = format!("{} lanes, as the first column has", first.lanes());
            return Err(shape(kernel.name(), "src", expected, column));
        }
        capacity += u64::from(column.capacity());
    }
    let elements = u32::try_from(capacity).map_err(|_| Error::TooMany {
        what: "elements of columns laid end to end".to_owned(),
        found: capacity,
        limit: u64::from(u32::MAX),
    })?;
    let dst = rec.output(first.element(), first.lanes(), elements, kernel.name(), "dst")?;
    if columns.iter().any(|column| column.live_count().is_some()) {
        return live(rec, kernel, columns, dst);
    }
    let start = first.device().upload(&[0u32], 1)?;
    let mut at = 0;
    for column in columns {
        let arguments = args! { src: *column, start: &start, dst: &dst, at: at };
        rec.dispatch(kernel, arguments, Domain::of(column))?;
        at += column.capacity();
    }
    Ok(dst)
}

fn live(rec: &mut Recorder, kernel: &'static Kernel, columns: &[&Column], dst: Column) -> Result<Column> {
    rec.fill(&dst, 0)?;
    let mut start = dst.device().upload(&[0u32], 1)?;
    for column in columns {
        let arguments = args! { src: *column, start: &start, dst: &dst };
        rec.dispatch(kernel, arguments, Domain::of(column))?;
        let added = match column.live_count() {
            Some(count) => count,
            None => dst.device().upload(&[column.capacity()], 1)?,
        };
        let arguments = args! { before: &start, added: &added, capacity: column.capacity() };
        start = rec
            .dispatch(&CONCAT_COUNT, arguments, Domain::count(1))?
            .column("dst")?;
    }
    dst.with_live(&start)
}

fn twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let lanes = (b.lanes("src") as usize).max(1);
    let src = part(b.kernel, "src", b.read::<T>("src")?, 0..p.live() as usize * lanes)?;
    let start = b.read::<u32>("start")?.first().copied().unwrap_or(0);
    let first = (p.u32("at")? as usize + start as usize) * lanes;
    let dst = b.write::<T>("dst")?.get_mut(first..).unwrap_or_default();
    for (to, from) in dst.chunks_mut(CHUNK).zip(src.chunks(CHUNK)) {
        x.checkpoint()?;
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    }
    Ok(())
}

fn count_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (before, added) = (b.read::<u32>("before")?, b.read::<u32>("added")?);
    let capacity = p.u32("capacity")?;
    let counts = before.iter().zip(added).skip(range.start);
    for (to, (before, &added)) in b.write::<u32>("dst")?.iter_mut().zip(counts) {
        *to = before.wrapping_add(added.min(capacity));
    }
    Ok(())
}
