//! A grid of samples on the device.

use super::key::KeyHasher;
use crate::error::{Error, Result};
use zero_compute::Column;

/// A grid of numbers over the ground plane, cell-centred: sample (i, j) stands at
/// `origin_m + (i + 0.5, j + 0.5) * spacing_m`, i along +X and j, the row, along +Z.
#[derive(Clone, Debug)]
pub struct Raster {
    width: u32,
    height: u32,
    spacing_m: [f32; 2],
    origin_m: [f32; 2],
    samples: Column,
}

impl PartialEq for Raster {
    /// Whether both stand on the same run, in the same place.
    fn eq(&self, other: &Self) -> bool {
        self.samples.id() == other.samples.id()
            && (self.width, self.height) == (other.width, other.height)
            && (self.spacing_m, self.origin_m) == (other.spacing_m, other.origin_m)
    }
}

impl Raster {
    /// A grid over a run of `width * height` floats, row by row. Neither side is 0, the spacing is above 0.
    pub fn new(samples: Column, width: u32, height: u32, spacing_m: [f32; 2], origin_m: [f32; 2]) -> Result<Raster> {
        let kind = |expected: String, found: String| Error::Kind {
            what: "raster".to_owned(),
            expected,
            found,
        };
        if width == 0 || height == 0 {
            return Err(kind(
                "at least one sample a side".to_owned(),
                format!("{width} x {height}"),
            ));
        }
        if u64::from(width) * u64::from(height) != u64::from(samples.capacity()) || samples.lanes() != 1 {
            let found = format!("{} elements of {} lanes", samples.capacity(), samples.lanes());
            return Err(kind(format!("{width} x {height} floats"), found));
        }
        if !spacing_m.iter().all(|side| side.is_finite() && *side > 0.0) {
            return Err(kind("a spacing above 0 m".to_owned(), format!("{spacing_m:?}")));
        }
        if !origin_m.iter().all(|side| side.is_finite()) {
            return Err(kind("a finite origin".to_owned(), format!("{origin_m:?}")));
        }
        Ok(Raster {
            width,
            height,
            spacing_m,
            origin_m,
            samples,
        })
    }

    /// Samples along +X.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// Samples along +Z.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// Metres between two samples along +X and along +Z.
    pub fn spacing_m(&self) -> [f32; 2] {
        self.spacing_m
    }
    /// Where the grid's first corner stands.
    pub fn origin_m(&self) -> [f32; 2] {
        self.origin_m
    }
    /// The samples, row by row.
    pub fn samples(&self) -> &Column {
        &self.samples
    }
    /// The same grid with other samples.
    pub fn with_samples(&self, samples: Column) -> Result<Raster> {
        Raster::new(samples, self.width, self.height, self.spacing_m, self.origin_m)
    }

    pub(crate) fn digest(&self, key: &mut KeyHasher) {
        key.u32(self.width).u32(self.height);
        self.spacing_m.iter().chain(&self.origin_m).for_each(|side| {
            key.f32(*side);
        });
        key.u64(self.samples.id());
    }
}
