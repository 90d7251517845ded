//! Hillshading: how bright each cell of an elevation model is under a distant sun. A kernel of a host's own.
//!
//! The slope is Horn's: over the eight cells about a cell, with those beside it counted twice (B. K. P. Horn, "Hill
//! shading and the reflectance map", Proceedings of the IEEE 69(1), 1981). The light is Lambert's: the cosine of the
//! angle between the ground's normal and the direction to the sun.
//!
//! At the model's edge the missing cells are those of the edge itself and the run is as long as what is left, so that
//! an even slope is as bright at the edge as inside.

use crate::{Elevation, Error, Result};
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use std::ops::Range;
use zero_compute::{
    Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Device, Domain, Element, Kernel, Param, Rule, args,
};
use zero_noise::{cos, div, sin, sqrt};

// Brightness of each cell, 0 to 1. It stays inside this module, whose `shade` alone gives it its arguments: `columns`
// is above 0 and divides the domain, so that no cell's neighbours lie outside.
static HILLSHADE: Kernel = Kernel::declare("hillshade")
    .read("heights", Element::F32)
    .write("light", Element::F32, Rule::same_as("heights"))
    .param("columns", Param::U32(1))
    .param("cell_x_m", Param::F32(1.0))
    .param("cell_z_m", Param::F32(1.0))
    .param("light_x", Param::F32(0.0))
    .param("light_y", Param::F32(1.0))
    .param("light_z", Param::F32(0.0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("hillshade.wgsl"))
    .cpu(Cpu::Ranges(shade_range));

fn shade_range(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    _: &CpuExec<'_>,
) -> zero_compute::Result<()> {
    let land = Land {
        heights: b.read("heights")?,
        columns: p.u32("columns")?,
        rows: p.n() / p.u32("columns")?.max(1),
        cell_m: [p.f32("cell_x_m")?, p.f32("cell_z_m")?],
        light: [p.f32("light_x")?, p.f32("light_y")?, p.f32("light_z")?],
    };
    for (light, cell) in b.write::<f32>("light")?.iter_mut().zip(range) {
        *light = land.shade(cell as u32);
    }
    Ok(())
}

/// What the Rust form sees of a dispatch.
struct Land<'a> {
    heights: &'a [f32],
    columns: u32,
    rows: u32,
    cell_m: [f32; 2],
    light: [f32; 3],
}

impl Land<'_> {
    fn height(&self, column: u32, row: u32) -> f32 {
        self.heights[(row * self.columns + column) as usize]
    }

    fn shade(&self, cell: u32) -> f32 {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let (west, east) = (column - column.min(1), (column + 1).min(self.columns - 1));
        let (north, south) = (row - row.min(1), (row + 1).min(self.rows - 1));

        let (nw, n, ne) = (
            self.height(west, north),
            self.height(column, north),
            self.height(east, north),
        );
        let (w, e) = (self.height(west, row), self.height(east, row));
        let (sw, s, se) = (
            self.height(west, south),
            self.height(column, south),
            self.height(east, south),
        );

        let run_x = (4 * (east - west).max(1)) as f32 * self.cell_m[0];
        let run_z = (4 * (south - north).max(1)) as f32 * self.cell_m[1];
        let slope_x = div((ne + 2.0 * e + se) - (nw + 2.0 * w + sw), run_x);
        let slope_z = div((sw + 2.0 * s + se) - (nw + 2.0 * n + ne), run_z);

        let toward = self.light[1] - slope_x * self.light[0] - slope_z * self.light[2];
        let length = sqrt(slope_x * slope_x + slope_z * slope_z + 1.0);
        div(toward, length).max(0.0)
    }
}

/// Where the sun stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Clockwise from north.
    pub azimuth_deg: f32,
    /// Above the horizon.
    pub altitude_deg: f32,
}

impl Default for Sun {
    /// In the north-west, half way up: the light that maps are drawn with.
    fn default() -> Self {
        Self {
            azimuth_deg: 315.0,
            altitude_deg: 45.0,
        }
    }
}

impl Sun {
    /// The unit vector towards it: X east, Y up, Z south.
    pub fn direction(self) -> [f32; 3] {
        let (azimuth, altitude) = (self.azimuth_deg.to_radians(), self.altitude_deg.to_radians());
        [
            sin(azimuth) * cos(altitude),
            sin(altitude),
            -cos(azimuth) * cos(altitude),
        ]
    }
}

/// The brightness of each cell, 0 to 1, row by row. One upload, one dispatch, one read-back.
///
/// # Errors
/// [`Error::WrongNumber`] for a sun that stands nowhere, [`Error::Compute`] where the device refuses.
pub fn shade(device: &Device, land: &Elevation, sun: Sun) -> Result<Vec<f32>> {
    for (what, found) in [
        ("the sun's azimuth", sun.azimuth_deg),
        ("the sun's altitude", sun.altitude_deg),
    ] {
        if !found.is_finite() {
            return Err(Error::WrongNumber {
                what: what.to_owned(),
                expected: "a finite number of degrees",
                found,
            });
        }
    }
    let [light_x, light_y, light_z] = sun.direction();
    let [cell_x_m, cell_z_m] = land.cell_m();
    let heights = device.upload(land.heights_m(), 1)?;

    let mut recorder = device.record("hillshade");
    let shaded = recorder.dispatch(
        &HILLSHADE,
        args! {
            heights: &heights, columns: land.columns(), cell_x_m: cell_x_m, cell_z_m: cell_z_m,
            light_x: light_x, light_y: light_y, light_z: light_z,
        },
        Domain::of(&heights),
    )?;
    recorder.finish()?.submit()?;
    Ok(shaded.column("light")?.read::<f32>()?.wait()?)
}

/// An 8-bit greyscale PNG of the brightness, 1 as white.
///
/// # Errors
/// [`Error::WrongSize`] where `light` is not one value a cell, [`Error::Picture`] where the encoder fails.
pub fn png(land: &Elevation, light: &[f32]) -> Result<Vec<u8>> {
    let expected = land.heights_m().len();
    if light.len() != expected {
        return Err(Error::WrongSize {
            what: "values of brightness",
            columns: land.columns(),
            rows: land.rows(),
            expected: expected as u64,
            found: light.len(),
        });
    }
    let grey: Vec<u8> = light.iter().map(|light| (light * 255.0 + 0.5) as u8).collect();
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(&grey, land.columns(), land.rows(), ExtendedColorType::L8)
        .map_err(|source| Error::Picture {
            name: "hillshade".to_owned(),
            source,
        })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceChoice;

    /// An even slope: metres of rise a metre along X and along Z.
    fn plane(columns: u32, rows: u32, rise_x: f32, rise_z: f32) -> Elevation {
        let cell_m = [3.0, 5.0];
        let height = |i: u32| (i % columns) as f32 * cell_m[0] * rise_x + (i / columns) as f32 * cell_m[1] * rise_z;
        Elevation::new(columns, rows, cell_m, (0..columns * rows).map(height).collect()).unwrap()
    }

    fn check_plane(rise_x: f32, rise_z: f32, sun: Sun, expected: f32) {
        let device = DeviceChoice::Cpu.open().unwrap();
        let light = shade(&device, &plane(7, 6, rise_x, rise_z), sun).unwrap();
        assert_eq!(light.len(), 42);
        for (cell, light) in light.iter().enumerate() {
            assert!(
                (light - expected).abs() < 1e-5,
                "cell {cell}: {light}, expected {expected}"
            );
        }
    }

    #[test]
    fn an_even_slope_is_evenly_bright_to_its_very_edge() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        // Flat ground: the sine of the sun's altitude.
        check_plane(0.0, 0.0, Sun::default(), half);
        // A slope of 45 degrees that faces the sun, and the one that faces away. It rises to the south-east.
        check_plane(half, half, Sun::default(), 1.0);
        check_plane(-half, -half, Sun::default(), 0.0);
        // A sun in the east lights what falls to the east.
        let east = Sun {
            azimuth_deg: 90.0,
            altitude_deg: 45.0,
        };
        check_plane(-1.0, 0.0, east, 1.0);
        check_plane(1.0, 0.0, east, 0.0);
        // In the south, what falls to the south.
        let south = Sun {
            azimuth_deg: 180.0,
            altitude_deg: 45.0,
        };
        check_plane(0.0, -1.0, south, 1.0);
    }

    #[test]
    fn models_of_one_row_and_of_one_column_are_shaded() {
        let device = DeviceChoice::Cpu.open().unwrap();
        for (columns, rows) in [(1, 1), (1, 5), (5, 1), (2, 2)] {
            let light = shade(&device, &plane(columns, rows, 0.0, 0.0), Sun::default()).unwrap();
            assert_eq!(light.len() as u32, columns * rows);
            assert!(
                light
                    .iter()
                    .all(|light| (light - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6)
            );
        }
    }

    #[test]
    fn a_picture_of_too_few_values_is_refused() {
        let message = png(&plane(2, 3, 0.0, 0.0), &[0.5; 5]).unwrap_err().to_string();
        assert_eq!(
            message,
            "an elevation model of 2 by 3 cells needs 6 values of brightness, found 5"
        );
    }

    #[test]
    fn a_sun_that_stands_nowhere_is_refused() {
        let device = DeviceChoice::Cpu.open().unwrap();
        let sun = Sun {
            azimuth_deg: f32::NAN,
            ..Sun::default()
        };
        let message = shade(&device, &plane(2, 2, 0.0, 0.0), sun).unwrap_err().to_string();
        assert!(message.contains("azimuth is NaN"), "{message}");
    }

    #[test]
    fn gpu_and_cpu_give_the_same_bits() {
        let gpu = match DeviceChoice::Gpu.open() {
            Ok(gpu) => gpu,
            Err(error) if std::env::var_os("CI").is_none() => {
                eprintln!("SKIPPED: no adapter: {error}");
                return;
            }
            Err(error) => panic!("no adapter: {error}"),
        };
        let cpu = DeviceChoice::Cpu.open().unwrap();
        let land = Elevation::jacksboro().unwrap();
        let [a, b] = [&cpu, &gpu].map(|device| shade(device, &land, Sun::default()).unwrap());
        let differ = a.iter().zip(&b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        assert_eq!(differ, 0, "of {} cells", a.len());
    }
}
