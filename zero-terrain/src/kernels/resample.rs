//! A grid at another spacing: four weighted samples a side around each place.

use super::rows;
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

/// Each sample from 4 x 4 others: `first_x[column]` is the first of the four columns it reads and `weights_x` has four
/// lanes, their weights; rows alike. Columns and rows past an edge are those of the edge. The rows' sums are taken first,
/// each from the west to the east, then their sum from the north to the south.
pub static RESAMPLE: Kernel = Kernel::declare("terrain_resample")
    .read("heights", Element::F32)
    .read("first_x", Element::I32)
    .read("weights_x", Element::F32)
    .read("first_z", Element::I32)
    .read("weights_z", Element::F32)
    .write("resampled", Element::F32, Rule::Domain)
    .param("width", Param::U32(1))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("resample.wgsl"))
    .cpu(Cpu::Ranges(twin));

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
    const NAME: &str = "terrain_resample";
    let (heights, width) = (b.read::<f32>("heights")?, p.u32("width")? as usize);
    let height = rows(NAME, heights.len(), width as u32)?;
    let (first_x, first_z) = (b.read::<i32>("first_x")?, b.read::<i32>("first_z")?);
    rows(NAME, p.n() as usize, first_x.len() as u32)?;
    let (weights_x, weights_z) = (b.read::<f32>("weights_x")?, b.read::<f32>("weights_z")?);
    let (weights_x, weights_z) = (weights_x.as_chunks::<4>().0, weights_z.as_chunks::<4>().0);
    let held = |place: i32, count: usize| usize::try_from(place).unwrap_or(0).min(count - 1);
    for (to, i) in b.write::<f32>("resampled")?.iter_mut().zip(range) {
        let (column, row) = (i % first_x.len(), i / first_x.len());
        let columns: [usize; 4] = std::array::from_fn(|tap| held(first_x[column] + tap as i32, width));
        let [a, b, c, d] = weights_x[column];
        let mut sum = 0.0;
        for (tap, weight) in weights_z[row].into_iter().enumerate() {
            let line = held(first_z[row] + tap as i32, height) * width;
            let at = |tap: usize| heights[line + columns[tap]];
            let across = a * at(0) + b * at(1) + c * at(2) + d * at(3);
            sum += weight * across;
        }
        *to = sum;
    }
    Ok(())
}
