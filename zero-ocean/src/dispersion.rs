//! Which frequency goes with which wavelength: linear waves over water of a depth.

use crate::error::{Result, within};
use crate::math::tanh;
use std::f64::consts::TAU;

/// The acceleration of gravity that every function here uses, m/s².
pub const GRAVITY_M_S2: f64 = 9.81;

/// The angular frequencies that functions take, rad/s.
pub const FREQUENCIES_RAD_S: [f64; 2] = [1e-4, 1e4];
/// The wavenumbers that functions take, rad/m.
pub const WAVENUMBERS_RAD_M: [f64; 2] = [1e-9, 1e7];
/// The depths that [`Depth::metres`] takes, in metres.
pub const DEPTHS_M: [f64; 2] = [1e-3, 1e5];

/// How deep the water is, which decides how waves run: w² = g k tanh(k h) (linear wave theory, without surface tension,
/// which matters below about 2 cm of wavelength).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// `None`: deeper than any wave feels.
    metres: Option<f64>,
}

impl Depth {
    /// Water deeper than any wave feels: w² = g k.
    pub const DEEP: Depth = Depth { metres: None };

    /// Water of a depth within [`DEPTHS_M`].
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) for a depth outside that range.
    pub fn metres(depth_m: f64) -> Result<Depth> {
        let depth_m = within("the depth of the water", depth_m, DEPTHS_M, "m")?;
        Ok(Depth { metres: Some(depth_m) })
    }

    /// The angular frequency in rad/s of a wavenumber in rad/m.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) for a wavenumber outside [`WAVENUMBERS_RAD_M`].
    pub fn frequency(&self, wavenumber: f64) -> Result<f64> {
        let k = within("the wavenumber", wavenumber, WAVENUMBERS_RAD_M, "rad/m")?;
        Ok((GRAVITY_M_S2 * k * self.shallowness(k)).sqrt())
    }

    /// The wavenumber in rad/m of an angular frequency in rad/s. |w² - g k tanh(k h)| is at most 4e-15 w².
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) for a frequency outside [`FREQUENCIES_RAD_S`].
    pub fn wavenumber(&self, frequency: f64) -> Result<f64> {
        let w = within("the angular frequency", frequency, FREQUENCIES_RAD_S, "rad/s")?;
        Ok(self.wavenumber_of(w))
    }

    /// The wavelength in metres of an angular frequency in rad/s.
    ///
    /// # Errors
    /// As [`wavenumber`](Self::wavenumber).
    pub fn wavelength_m(&self, frequency: f64) -> Result<f64> {
        Ok(TAU / self.wavenumber(frequency)?)
    }

    /// How fast the crests of a frequency in rad/s run, w / k in m/s.
    ///
    /// # Errors
    /// As [`wavenumber`](Self::wavenumber).
    pub fn phase_speed_m_s(&self, frequency: f64) -> Result<f64> {
        Ok(frequency / self.wavenumber(frequency)?)
    }

    /// How fast the energy of a frequency in rad/s runs, dw / dk in m/s: half the phase speed in deep water, all of it in
    /// shallow.
    ///
    /// # Errors
    /// As [`wavenumber`](Self::wavenumber).
    pub fn group_speed_m_s(&self, frequency: f64) -> Result<f64> {
        let k = self.wavenumber(frequency)?;
        let speed = frequency / k;
        let Some(depth_m) = self.metres else {
            return Ok(0.5 * speed);
        };
        // 1/2 + kh / sinh 2kh, with sinh 2y = 2 t / (1 - t²) of t = tanh y.
        let (y, t) = (k * depth_m, tanh(k * depth_m));
        Ok(speed * (0.5 + 0.5 * y * (1.0 - t * t) / t))
    }

    /// The wavenumber of a frequency that is known to be in range.
    pub(crate) fn wavenumber_of(&self, w: f64) -> f64 {
        let deep = w * w / GRAVITY_M_S2;
        match self.metres {
            None => deep,
            Some(depth_m) => solve(deep * depth_m) / depth_m,
        }
    }

    /// tanh(k h), 1 in deep water.
    fn shallowness(&self, k: f64) -> f64 {
        self.metres.map_or(1.0, |depth_m| tanh(k * depth_m))
    }
}

/// The y above 0 at which y tanh y is `a`: Newton's method from Eckart's approximation (1952), which is within 5 %, so
/// that four steps reach the last places; the others leave a margin. Always as many, so that no machine stops earlier.
fn solve(a: f64) -> f64 {
    const STEPS: usize = 6;
    let mut y = a / tanh(a).sqrt();
    for _ in 0..STEPS {
        let t = tanh(y);
        y -= (y * t - a) / (t + y * (1.0 - t * t));
    }
    y
}
