//! Thermal erosion in fixed point: material on a slope steeper than its angle of repose slides down.

use super::{MAX_UNITS, UNITS_PER_M, rows};
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

/// Heights in metres as whole units of 1/65 536 m, to the nearest, halves up; past [`MAX_UNITS`] (16 383.998 m) they are
/// held there.
pub static TO_FIXED: Kernel = Kernel::declare("terrain_to_fixed")
    .read("heights", Element::F32)
    .write("fixed", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("to_fixed.wgsl"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let heights = b.read::<f32>("heights")?;
        for (fixed, i) in b.write::<i32>("fixed")?.iter_mut().zip(range) {
            let units = (heights[i] * UNITS_PER_M).clamp(-MAX_UNITS as f32, MAX_UNITS as f32);
            // Adding a half first would round: from 128 m on a float has no digit for it.
            let whole = units.floor();
            *fixed = whole as i32 + i32::from(units - whole >= 0.5);
        }
        Ok(())
    }));

/// Whole units of 1/65 536 m as the nearest heights in metres: exact below 256 m, where a float has as many digits.
pub static FROM_FIXED: Kernel = Kernel::declare("terrain_from_fixed")
    .read("fixed", Element::I32)
    .write("heights", Element::F32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("from_fixed.wgsl"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let fixed = b.read::<i32>("fixed")?;
        for (height, i) in b.write::<f32>("heights")?.iter_mut().zip(range) {
            *height = metres(fixed[i]);
        }
        Ok(())
    }));

/// A float holds 24 digits: the upper and the lower 15 are converted exactly, and their sum is rounded once.
fn metres(units: i32) -> f32 {
    let (upper, lower) = (units >> 15, units & 0x7fff);
    (upper as f32 * 32_768.0 + lower as f32) * (1.0 / UNITS_PER_M)
}

/// One step of relaxation, from `fixed` to `relaxed`, in units. A sample sheds `rate / 65 536` of what its steepest slope
/// has above the rest angle (`rest_x` and `rest_z` units a sample along each axis), in parts that are as those slopes are
/// among its four neighbours; nothing leaves the grid. A rate above 16 384 is read as that: with a quarter of an excess at
/// most from each of four sides, no sample ends above the highest of its neighbours or below the lowest, so that no
/// height leaves the range that [`TO_FIXED`] gives.
///
/// A sample gathers what its neighbours shed by the arithmetic that they shed it with, in integers alone: the sum over
/// the grid stays what it was to the last unit, and no order matters.
pub static THERMAL: Kernel = Kernel::declare("terrain_thermal")
    .read("fixed", Element::I32)
    .write("relaxed", Element::I32, Rule::Domain)
    .param("width", Param::U32(1))
    .param("rest_x", Param::I32(0))
    .param("rest_z", Param::I32(0))
    .param("rate", Param::U32(16_384))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("thermal.wgsl"))
    .cpu(Cpu::Ranges(relax));

fn relax(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _: &CpuExec<'_>) -> Result<()> {
    let (fixed, width) = (b.read::<i32>("fixed")?, p.u32("width")? as usize);
    let ground = Ground {
        fixed,
        width,
        height: rows("terrain_thermal", fixed.len(), width as u32)?,
        rest: [p.i32("rest_x")?.max(0), p.i32("rest_z")?.max(0)],
        rate: p.u32("rate")?.min(MAX_RATE),
    };
    let (mut column, mut row) = (range.start % width, range.start / width);
    for relaxed in b.write::<i32>("relaxed")?.iter_mut().take(range.len()) {
        *relaxed = ground.relaxed(column, row);
        column += 1;
        if column == width {
            (column, row) = (0, row + 1);
        }
    }
    Ok(())
}

/// A quarter, in parts of 65 536.
const MAX_RATE: u32 = 1 << 14;

/// The sides of a sample: west, east, north, south. The opposite of one is `side ^ 1`, its axis `side / 2`.
const SIDES: usize = 4;

struct Ground<'a> {
    fixed: &'a [i32],
    width: usize,
    height: usize,
    rest: [i32; 2],
    rate: u32,
}

impl Ground<'_> {
    fn at(&self, column: usize, row: usize) -> i32 {
        self.fixed[row * self.width + column]
    }

    /// The place of a neighbour, or the sample's own beyond an edge: nothing slides to where it is.
    fn beside(&self, column: usize, row: usize, side: usize) -> (usize, usize) {
        match side {
            0 => (column.saturating_sub(1), row),
            1 => ((column + 1).min(self.width - 1), row),
            2 => (column, row.saturating_sub(1)),
            _ => (column, (row + 1).min(self.height - 1)),
        }
    }

    fn relaxed(&self, column: usize, row: usize) -> i32 {
        let own = self.at(column, row);
        let falls: [i32; SIDES] = std::array::from_fn(|side| {
            let (x, z) = self.beside(column, row, side);
            own.wrapping_sub(self.at(x, z))
        });
        let exceeds = |fall: i32, side: usize| fall > self.rest[side / 2];
        let (mut sheds, mut gathers) = (false, false);
        for (side, fall) in falls.into_iter().enumerate() {
            sheds |= exceeds(fall, side);
            gathers |= exceeds(fall.wrapping_neg(), side);
        }
        // Most ground rests in most steps.
        if !(sheds || gathers) {
            return own;
        }
        let mut gathered = 0;
        for (side, fall) in falls.into_iter().enumerate() {
            if exceeds(fall.wrapping_neg(), side) {
                let (x, z) = self.beside(column, row, side);
                gathered += self.shed(x, z)[side ^ 1];
            }
        }
        let lost: u32 = if sheds { self.shed(column, row).iter().sum() } else { 0 };
        // Heights of a host's own may be past the range; they wrap, as on a GPU.
        own.wrapping_sub_unsigned(lost).wrapping_add_unsigned(gathered)
    }

    /// What a sample sheds to each side. The parts are cut down to 14 digits, so that products fit in 32.
    fn shed(&self, column: usize, row: usize) -> [u32; SIDES] {
        let own = self.at(column, row);
        let mut above = [0u32; SIDES];
        for (side, above) in above.iter_mut().enumerate() {
            let (x, z) = self.beside(column, row, side);
            let (fall, rest) = (own.wrapping_sub(self.at(x, z)), self.rest[side / 2]);
            *above = if fall > rest { (fall - rest) as u32 } else { 0 };
        }
        let most = above.into_iter().fold(0, u32::max);
        let total = (most >> 16) * self.rate + (((most & 0xffff) * self.rate) >> 16);
        let digits = 32 - most.leading_zeros();
        let parts = above.map(|above| above >> digits.saturating_sub(14));
        let whole = parts.iter().sum::<u32>().max(1);
        let (each, rest) = (total / whole, total % whole);
        parts.map(|part| each * part + rest * part / whole)
    }
}
