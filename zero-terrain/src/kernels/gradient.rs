//! How steeply ground rises along X and Z.

use super::rows;
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};
use zero_noise::div;

/// The rise along X and along Z, metres a metre, at every sample: Horn's, over the eight samples around, those beside it
/// counted twice (B. K. P. Horn, "Hill shading and the reflectance map", Proceedings of the IEEE 69(1), 1981).
///
/// At an edge the samples that are missing are those of the edge itself and the run is as long as what is left, so that
/// an even slope is as steep at the edge as inside. A grid of one sample a side is flat along it.
pub static GRADIENT: Kernel = Kernel::declare("terrain_gradient")
    .read("heights", Element::F32)
    .write("rise_x", Element::F32, Rule::Domain)
    .write("rise_z", Element::F32, Rule::Domain)
    .param("width", Param::U32(1))
    .param("spacing_x_m", Param::F32(1.0))
    .param("spacing_z_m", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("gradient.wgsl"))
    .cpu(Cpu::Ranges(twin));

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
    let (heights, width) = (b.read::<f32>("heights")?, p.u32("width")?);
    rows("terrain_gradient", heights.len(), width)?;
    let spacing_m = [p.f32("spacing_x_m")?, p.f32("spacing_z_m")?];
    let (rise_x, rise_z) = (b.write::<f32>("rise_x")?, b.write::<f32>("rise_z")?);
    for ((x, z), cell) in rise_x.iter_mut().zip(rise_z).zip(range) {
        let width = width as usize;
        [*x, *z] = gradient_at(heights, width, spacing_m, cell % width, cell / width);
    }
    Ok(())
}

/// The gradient at one sample of a grid whose width divides its run.
pub(crate) fn gradient_at(heights: &[f32], width: usize, spacing_m: [f32; 2], column: usize, row: usize) -> [f32; 2] {
    let (last_column, last_row) = (width - 1, heights.len() / width - 1);
    let (west, east) = (column.saturating_sub(1), (column + 1).min(last_column));
    let (north, south) = (row.saturating_sub(1), (row + 1).min(last_row));
    let line = |row: usize| {
        let at = row * width;
        [heights[at + west], heights[at + column], heights[at + east]]
    };
    let ([nw, n, ne], [w, _, e], [sw, s, se]) = (line(north), line(row), line(south));
    let run_x = (4 * (east - west).max(1)) as f32 * spacing_m[0];
    let run_z = (4 * (south - north).max(1)) as f32 * spacing_m[1];
    [
        div((ne + 2.0 * e + se) - (nw + 2.0 * w + sw), run_x),
        div((sw + 2.0 * s + se) - (nw + 2.0 * n + ne), run_z),
    ]
}
