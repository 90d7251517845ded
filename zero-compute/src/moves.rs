//! The kernels that every list may need: fill, copy and pack. They are dispatches like any other, so that a list stays
//! one pass.

use crate::column::{Column, Element};
use crate::device::SLICE;
use crate::error::{Error, Result};
use crate::kernel::{Cpu, Determinism, Kernel, Param, Rule};

/// Sets every word to `bits`.
pub(crate) static FILL: Kernel = Kernel::declare("fill")
    .write("dst", Element::U32, Rule::Domain)
    .param("bits", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = params.bits; }
}",
    )
    .cpu(Cpu::Ranges(|_, b, p, _| {
        b.write::<u32>("dst")?.fill(p.u32("bits")?);
        Ok(())
    }));

/// Empties what is appended to: its counter, and every word of its slots, which become `inert`.
pub(crate) static EMPTY: Kernel = Kernel::declare("empty")
    .write("items", Element::U32, Rule::LanesOf("items"))
    .write("counter", Element::U32, Rule::One)
    .param("inert", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i == 0u) { counter[0] = 0u; }
    if (i >= zero_n()) { return; }
    for (var lane = 0u; lane < params.items_lanes; lane += 1u) {
        items[i * params.items_lanes + lane] = params.inert;
    }
}",
    )
    .cpu(Cpu::Whole(|b, p, x| {
        let inert = p.u32("inert")?;
        b.write::<u32>("counter")?.fill(0);
        for words in b.write::<u32>("items")?.chunks_mut(SLICE as usize) {
            x.checkpoint()?;
            words.fill(inert);
        }
        Ok(())
    }));

/// Copies words.
pub(crate) static COPY: Kernel = Kernel::declare("copy")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::Same("src"))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = src[i]; }
}",
    )
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let (src, dst) = (b.read::<u32>("src")?, b.write::<u32>("dst")?);
        if let Some(src) = src.get(range) {
            dst.copy_from_slice(src);
        }
        Ok(())
    }));

/// Copies words into a table from its word `at` on. Only a GPU packs: the CPU reads leaves where they are.
pub(crate) static PACK: Kernel = Kernel::declare("pack")
    .read("src", Element::U32)
    .inout("table", Element::U32)
    .param("at", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { table[params.at + i] = src[i]; }
}",
    );

/// [`PACK`] as a CPU does it: over the words of the table, slice by slice, so that nothing is copied to be put back.
pub(crate) static PACK_SLICES: Kernel = Kernel::declare("pack_slices")
    .read("src", Element::U32)
    .inout("table", Element::U32)
    .param("at", Param::U32(0))
    .determinism(Determinism::Exact)
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, at) = (b.read::<u32>("src")?, p.u32("at")? as usize);
        let table = b.write::<u32>("table")?;
        let (first, end) = (range.start.max(at), range.end.min(at + src.len()));
        if first < end
            && let Some(to) = table.get_mut(first - range.start..end - range.start)
            && let Some(from) = src.get(first - at..end - at)
        {
            to.copy_from_slice(from);
        }
        Ok(())
    }));

/// A column as plain words of one lane, whatever it holds.
pub(crate) fn words_of(column: &Column) -> Result<Column> {
    let words = column.words();
    let capacity = u32::try_from(words).map_err(|_| Error::TooMany {
        what: "words of a column in one dispatch".to_owned(),
        found: words,
        limit: u64::from(u32::MAX),
    })?;
    Ok(Column::new(
        column.device().clone(),
        column.buffer().clone(),
        Element::U32,
        1,
        capacity,
    ))
}

/// A column as plain words of as many lanes, without its count.
pub(crate) fn bits_of(column: &Column) -> Column {
    Column::new(
        column.device().clone(),
        column.buffer().clone(),
        Element::U32,
        column.lanes(),
        column.capacity(),
    )
}
