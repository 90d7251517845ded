//! A part of a grid.

use super::rows;
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Error, Kernel, Param, Result, Rule};

/// The samples of a window of `window_width` columns that begins at column `first_x` and row `first_z`, over the domain
/// of as many elements as it has. The window lies inside the grid.
pub static WINDOW: Kernel = Kernel::declare("terrain_window")
    .read("heights", Element::F32)
    .write("cut", Element::F32, Rule::Domain)
    .param("width", Param::U32(1))
    .param("window_width", Param::U32(1))
    .param("first_x", Param::U32(0))
    .param("first_z", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("window.wgsl"))
    .cpu(Cpu::Ranges(twin));

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
    const NAME: &str = "terrain_window";
    let heights = b.read::<f32>("heights")?;
    let [width, wide, first_x, first_z] = [
        p.u32("width")?,
        p.u32("window_width")?,
        p.u32("first_x")?,
        p.u32("first_z")?,
    ]
    .map(|number| number as usize);
    let rows_held = rows(NAME, heights.len(), width as u32)?;
    let rows_cut = rows(NAME, p.n() as usize, wide as u32)?;
    if first_x + wide > width || first_z + rows_cut > rows_held {
        return Err(Error::WrongShape {
            kernel: NAME.to_owned(),
            binding: "heights".to_owned(),
            expected: format!("{} x {} samples or more", first_x + wide, first_z + rows_cut),
            found: format!("{width} x {rows_held}"),
        });
    }
    for (cut, i) in b.write::<f32>("cut")?.iter_mut().zip(range) {
        *cut = heights[(first_z + i / wide) * width + first_x + i % wide];
    }
    Ok(())
}
