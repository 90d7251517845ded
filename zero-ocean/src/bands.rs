//! Cutting the frequencies into bands that share none and leave none out.

use crate::dispersion::{Depth, FREQUENCIES_RAD_S};
use crate::error::{Error, Result, within};
use std::f64::consts::TAU;

/// Angular frequencies `from <= w < to` in rad/s. `from` may be 0 and `to` infinite.
///
/// The upper end is not in the band, so that bands side by side hold each frequency once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    from: f64,
    to: f64,
}

impl Band {
    /// Every frequency above 0.
    pub const ALL: Band = Band {
        from: 0.0,
        to: f64::INFINITY,
    };

    /// The band from one frequency to another, in rad/s.
    ///
    /// # Errors
    /// [`Error::Value`] where `from` is below 0, NaN or infinite, or `to` is not above it.
    pub fn new(from: f64, to: f64) -> Result<Band> {
        let refused = |end: &str, expected: String, found: f64| {
            Err(Error::Value {
                what: format!("the {end} end of the band"),
                expected,
                found: found.to_string(),
            })
        };
        if !(from >= 0.0 && from.is_finite()) {
            return refused("lower", "a finite frequency from 0 rad/s up".to_owned(), from);
        }
        match to > from {
            true => Ok(Band { from, to }),
            false => refused("upper", format!("more than its lower end, {from} rad/s"), to),
        }
    }

    /// The lowest frequency in the band, rad/s.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// The first frequency above the band, rad/s.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// Whether a frequency is in the band. NaN is in none.
    pub fn contains(&self, frequency: f64) -> bool {
        self.from <= frequency && frequency < self.to
    }
}

/// Bands side by side, lowest frequencies first, which together hold every frequency from 0 up once.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    bands: Vec<Band>,
}

impl Bands {
    /// Cuts at frequencies in rad/s, each higher than the one before: `n` cuts make `n + 1` bands.
    ///
    /// # Errors
    /// [`Error::Value`] for a cut outside [`FREQUENCIES_RAD_S`] and for the first that is not above the one before.
    pub fn cut_at_frequencies(cuts: &[f64]) -> Result<Bands> {
        let mut bands = Vec::with_capacity(cuts.len() + 1);
        let mut from = 0.0;
        for (place, cut) in cuts.iter().enumerate() {
            within(&format!("cut {place} of the bands"), *cut, FREQUENCIES_RAD_S, "rad/s")?;
            if *cut <= from {
                return Err(Error::Value {
                    what: format!("cut {place} of the bands"),
                    expected: format!("more than the cut before it, {from} rad/s"),
                    found: cut.to_string(),
                });
            }
            bands.push(Band { from, to: *cut });
            from = *cut;
        }
        bands.push(Band {
            from,
            to: f64::INFINITY,
        });
        Ok(Bands { bands })
    }

    /// Cuts at wavelengths in metres over water of a depth, each shorter than the one before, as cascades of patches do.
    ///
    /// # Errors
    /// [`Error::Value`] for a wavelength that is not above 0 or whose wavenumber or frequency is out of range, and for the
    /// first that is not shorter than the one before.
    pub fn cut_at_wavelengths(wavelengths_m: &[f64], depth: Depth) -> Result<Bands> {
        let cuts = wavelengths_m
            .iter()
            .map(|wavelength_m| depth.frequency(TAU / wavelength_m))
            .collect::<Result<Vec<f64>>>()?;
        Bands::cut_at_frequencies(&cuts)
    }

    /// The bands, lowest frequencies first.
    pub fn as_slice(&self) -> &[Band] {
        &self.bands
    }

    /// The place among the bands of the one that holds a frequency; `None` below 0, and for infinity and NaN.
    pub fn band_of(&self, frequency: f64) -> Option<usize> {
        self.bands.iter().position(|band| band.contains(frequency))
    }
}
