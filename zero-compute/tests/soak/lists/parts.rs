//! Kernels of the soak: some with a number that is set anew between submissions.

use std::ops::Range;

use zero_compute::{Columns, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

/// A live count.
pub(crate) static LIVE: Kernel = Kernel::declare("soak_live")
    .write("dst", Element::U32, Rule::One)
    .param("count", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x == 0u) { dst[0] = params.count; }
}",
    )
    .cpu(Cpu::Whole(|b, p, _| {
        b.write::<u32>("dst")?.fill(p.u32("count")?);
        Ok(())
    }));

/// Words with some of their bits turned; 0 past the live count.
pub(crate) static MIX: Kernel = Kernel::declare("soak_mix")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .param("bits", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = select(0u, src[i] ^ params.bits, i < zero_live()); }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, bits) = (b.read::<u32>("src")?, b.write::<u32>("dst")?, p.u32("bits")?);
        for (d, i) in dst.iter_mut().zip(range) {
            *d = if i < p.live() as usize { src[i] ^ bits } else { 0 };
        }
        Ok(())
    }));

/// The first lanes of two columns of a table, found by name; 0 past the live count.
pub(crate) static BY_TABLE: Kernel = Kernel::declare("soak_by_table")
    .columns("cols", Columns::Named(&["floats", "ints"]))
    .write("float", Element::F32, Rule::Domain)
    .write("int", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) {
        float[i] = select(0.0, cols_f32(cols_col_floats, i, 0u), i < zero_live());
        int[i] = select(0, cols_i32(cols_col_ints, i, 0u), i < zero_live());
    }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let cols = b.table("cols")?;
        let (floats, ints) = (cols.slot("floats")?, cols.slot("ints")?);
        let written = b.write::<f32>("float")?.iter_mut().zip(b.write::<i32>("int")?);
        for ((float, int), i) in written.zip(range) {
            (*float, *int) = (0.0, 0);
            if i < p.live() as usize {
                (*float, *int) = (cols.f32(floats, i, 0), cols.i32(ints, i, 0));
            }
        }
        Ok(())
    }));

/// Turns some bits of a column in place, below the live count.
pub(crate) static TURN: Kernel = Kernel::declare("soak_turn")
    .read("src", Element::U32)
    .inout("data", Element::U32)
    .param("bits", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_live()) { data[i] = data[i] ^ src[i] ^ params.bits; }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, data, bits) = (b.read::<u32>("src")?, b.write::<u32>("data")?, p.u32("bits")?);
        for (d, i) in data.iter_mut().zip(range).filter(|(_, i)| *i < p.live() as usize) {
            *d ^= src[i] ^ bits;
        }
        Ok(())
    }));

/// The Rust function of the author's kernel in `families/called.rs`.
pub(crate) fn terrace(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = (b.lanes("heights") as usize).max(1);
    let (rise, is_soft) = (p.i32("rise")? as f32, p.option("EDGE")? == "soft");
    let heights = b.part::<f32>("heights", range.clone())?.chunks_exact(lanes);
    let terraced = b.write::<f32>("terraced")?.chunks_exact_mut(lanes);
    for ((to, heights), i) in terraced.zip(heights).zip(range) {
        for (to, height) in to.iter_mut().zip(heights) {
            let step = zero_noise::floor(zero_noise::div(*height, rise));
            let edge = if is_soft { 0.5 } else { 0.0 };
            *to = if i < p.live() as usize { step + edge } else { 0.0 };
        }
    }
    Ok(())
}
