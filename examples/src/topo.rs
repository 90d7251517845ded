//! A map of hills that were never there: noise as heights, its bands as colours. Made by a kernel, drawn by the host.

#[cfg(feature = "gpu")]
mod draw;

#[cfg(feature = "gpu")]
pub use draw::{draw, open};

use crate::Result;
use std::ops::Range;
use zero_compute::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Device, Domain, Element, Kernel, Param, Rule, args,
};
use zero_noise::fbm2;

/// Width and height of the map, in pixels.
pub const SIZE: [u32; 2] = [640, 400];

// A pixel is four bytes of a word, red first. All that decides a colour is whole numbers, so that both forms agree.
static TOPO: Kernel = Kernel::declare("topo")
    .write("rgba", Element::U32, Rule::Domain)
    .param("columns", Param::U32(1))
    .param("seed", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("topo.wgsl"))
    .cpu(Cpu::Ranges(topo_range));

fn topo_range(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    _: &CpuExec<'_>,
) -> zero_compute::Result<()> {
    let (columns, seed) = (p.u32("columns")?.max(1), p.u32("seed")?);
    for (rgba, pixel) in b.write::<u32>("rgba")?.iter_mut().zip(range) {
        let (column, row) = (pixel as u32 % columns, pixel as u32 / columns);
        *rgba = color(level(seed, column, row));
    }
    Ok(())
}

/// A pixel's height, 0 to 4096; the water stands at 2048. A product by a power of two has no error, whether or not a
/// device fuses it into the sum.
fn level(seed: u32, column: u32, row: u32) -> i32 {
    let height = fbm2(seed, column as f32 / 128.0, row as f32 / 128.0, 6);
    (height * 2048.0 + 2048.0) as i32
}

/// Blue below the water, green to white above it, with a dark line each 128.
fn color(level: i32) -> u32 {
    let above = level - 2048;
    let rise = above.clamp(0, 1023) / 8;
    let [red, green, blue] = match above < 0 {
        true => [40 + (above + 2048) / 32, 90 + (above + 2048) / 24, 180],
        false => [70 + rise, 130 + rise * 3 / 4, 60 + rise],
    };
    let ink = if above >= 0 && above % 128 < 12 { 2 } else { 4 };
    let lane = |color: i32| (color * ink / 4).clamp(0, 255).cast_unsigned();
    lane(red) | lane(green) << 8 | lane(blue) << 16 | 255 << 24
}

/// The pixels of a map, row by row from the top: one dispatch, and nothing is read back.
///
/// # Errors
/// [`Error::Compute`](crate::Error::Compute) where the device refuses.
pub fn pixels(device: &Device, [width, height]: [u32; 2], seed: u32) -> Result<Column> {
    let mut recorder = device.record("topo");
    let domain = Domain::count(width * height);
    let made = recorder.dispatch(&TOPO, args! { columns: width, seed: seed }, domain)?;
    recorder.finish()?.submit()?;
    Ok(made.column("rgba")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceChoice;

    #[test]
    fn the_map_has_water_and_land_with_lines_and_no_colour_that_was_clipped() {
        let device = DeviceChoice::Cpu.open().unwrap();
        let words = pixels(&device, SIZE, 3).unwrap().read::<u32>().unwrap().wait().unwrap();
        assert_eq!(words.len() as u32, SIZE[0] * SIZE[1]);
        let blue = words.iter().filter(|word| *word >> 16 & 255 == 180).count();
        assert!(blue > words.len() / 10 && blue < words.len() * 9 / 10, "{blue}");
        assert!(words.iter().all(|word| word >> 24 == 255));
        let shades: std::collections::BTreeSet<u32> = words.into_iter().collect();
        assert!(shades.len() > 100, "{}", shades.len());
    }

    #[test]
    fn every_level_has_a_colour_within_its_bytes() {
        for level in 0..=4096 {
            let above = level - 2048;
            let [red, green, blue] = [0, 8, 16].map(|shift| color(level) >> shift & 255);
            match above < 0 {
                true => assert!(blue == 180 && red <= 104 && green <= 176, "{level}"),
                false => assert!(red >= 35 && green >= 65 && blue >= 30, "{level}"),
            }
        }
    }

    /// The host's own device and pipeline show the bytes that the CPU computes.
    #[cfg(feature = "gpu")]
    #[test]
    fn what_a_host_draws_on_its_gpu_is_what_the_cpu_computes() {
        let (gpu, queue) = match open() {
            Ok(opened) => opened,
            Err(error) if std::env::var_os("CI").is_none() => {
                eprintln!("SKIPPED: no adapter: {error}");
                return;
            }
            Err(error) => panic!("no adapter: {error}"),
        };
        let size = [70, 33];
        let device = Device::from_wgpu(&gpu, &queue).unwrap();
        let drawn = draw(&gpu, &queue, &device, &pixels(&device, size, 5).unwrap(), size).unwrap();
        let cpu = DeviceChoice::Cpu.open().unwrap();
        let words = pixels(&cpu, size, 5).unwrap().read::<u32>().unwrap().wait().unwrap();
        let expected: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(drawn == expected, "the drawn picture differs");
    }
}
