//! The energy of a wind sea: spectra with their integrals, bands, and which frequency goes with which wavelength.
//!
//! **Priorities**, in order: figures that are those of the literature, with a stated error; the same bits on every
//! machine; no energy lost or counted twice between bands. **Non-goals** so far: directions, swell, the surface itself,
//! buoyancy. Nothing here touches a device or a thread.
//!
//! # A tour
//!
//! A [`Spectrum`] says how much of the surface's variance each frequency holds. The significant wave height comes from its
//! integral, not from a rule of thumb:
//!
//! ```
//! use zero_ocean::{Depth, Jonswap, Spectrum};
//!
//! let open_sea = Spectrum::pierson_moskowitz(15.0)?; // the wind at 19.5 m, in m/s
//! assert!((open_sea.significant_height_m() - 4.7992).abs() < 1e-4);
//!
//! let strait = Spectrum::jonswap(Jonswap { wind_10_m_s: 10.0, fetch_m: 100_000.0, ..Jonswap::default() })?;
//! assert!((strait.significant_height_m() - 2.1386).abs() < 1e-4);
//! println!(
//!     "{:.1} s and {:.0} m from crest to crest",
//!     strait.peak_period_secs(),
//!     strait.peak_wavelength_m(Depth::DEEP),
//! );
//! # Ok::<(), zero_ocean::Error>(())
//! ```
//!
//! [`Bands`] cut the frequencies, each into one band, and the bands' energies add up to the whole:
//!
//! ```
//! # use zero_ocean::{Bands, Depth, Spectrum};
//! let sea = Spectrum::pierson_moskowitz(10.0)?;
//! let bands = Bands::cut_at_wavelengths(&[50.0, 5.0], Depth::DEEP)?;
//! let parts: Vec<f64> = bands.as_slice().iter().map(|band| sea.band_variance(*band)).collect();
//! assert_eq!(parts.len(), 3);
//! assert!((parts.iter().sum::<f64>() - sea.variance()).abs() < 1e-12 * sea.variance());
//! # Ok::<(), zero_ocean::Error>(())
//! ```
//!
//! A [`Depth`] says how waves run: w² = g k tanh(k h).
//!
//! ```
//! # use zero_ocean::Depth;
//! let swell = std::f64::consts::TAU / 12.0; // a period of 12 s
//! let (deep, shallow) = (Depth::DEEP, Depth::metres(5.0)?);
//! assert!((deep.wavelength_m(swell)? - 224.8).abs() < 0.1);
//! assert!(shallow.wavelength_m(swell)? < 84.0);
//! # Ok::<(), zero_ocean::Error>(())
//! ```
//!
//! # Units
//! Metres, seconds, radians; frequencies are angular, in rad/s; wavenumbers in rad/m. Gravity is [`GRAVITY_M_S2`].
//!
//! # The same on every machine
//! Everything is f64, computed by sums, products, quotients and square roots in a fixed order; exponentials, logarithms
//! and tanh are this crate's own, made of those. A build for a processor whose f64 is not that of IEEE 754 (32-bit x86
//! without SSE2) is outside the promise.

mod bands;
mod dispersion;
mod error;
mod math;
mod spectrum;

pub use bands::{Band, Bands};
pub use dispersion::{DEPTHS_M, Depth, FREQUENCIES_RAD_S, GRAVITY_M_S2, WAVENUMBERS_RAD_M};
pub use error::{Error, Result};
pub use spectrum::{FETCHES_M, GAMMAS, Jonswap, Spectrum, WINDS_M_S};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
