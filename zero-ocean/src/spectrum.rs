//! How the energy of a wind sea is spread over frequencies, and how much there is.

use crate::bands::Band;
use crate::dispersion::{Depth, GRAVITY_M_S2};
use crate::error::{Result, within};
use crate::math::{exp, exp_m1, ln, pow};
use std::f64::consts::TAU;

/// The wind speeds that spectra take, m/s.
pub const WINDS_M_S: [f64; 2] = [0.1, 100.0];
/// The fetches that [`Jonswap`] takes, in metres.
pub const FETCHES_M: [f64; 2] = [100.0, 1e7];
/// The peak enhancements that [`Jonswap`] takes.
pub const GAMMAS: [f64; 2] = [1.0, 20.0];

/// Where the enhanced peak is cut off, in its widths: e^-32 of it is left there, 1.3e-14.
const PEAK_WIDTHS: u32 = 8;
/// The width of the peak below and above the peak frequency, as shares of it (Hasselmann 1973).
const PEAK_WIDTH_BELOW: f64 = 0.07;
const PEAK_WIDTH_ABOVE: f64 = 0.09;

/// What a JONSWAP sea is made of: a wind over a stretch of water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jonswap {
    /// The wind 10 m above the water, m/s, within [`WINDS_M_S`].
    pub wind_10_m_s: f64,
    /// How far the wind has run over water, in metres, within [`FETCHES_M`].
    pub fetch_m: f64,
    /// How much higher the peak is than that of a fully developed sea, within [`GAMMAS`]; 3.3 is the mean that was found.
    pub gamma: f64,
}

impl Default for Jonswap {
    /// A wind of 10 m/s over 100 km, gamma 3.3.
    fn default() -> Self {
        Jonswap {
            wind_10_m_s: 10.0,
            fetch_m: 100_000.0,
            gamma: 3.3,
        }
    }
}

/// A wave spectrum over angular frequency w in rad/s, without directions:
///
/// S(w) = alpha g² w^-5 exp(-5/4 (wp/w)^4) gamma^r, r = exp(-(w - wp)² / (2 s² wp²)), s = 0.07 up to wp and 0.09 above.
///
/// A pure value of three numbers: the same on every machine, cheap to copy. Its integrals cost no more than 800
/// exponentials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    alpha: f64,
    peak: f64,
    gamma: f64,
}

impl Spectrum {
    /// The fully developed sea of Pierson and Moskowitz (1964) under a wind 19.5 m above the water, in m/s: alpha 0.0081,
    /// exp(-0.74 (g / (U w))^4), gamma 1.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) for a wind outside [`WINDS_M_S`].
    pub fn pierson_moskowitz(wind_19_5_m_s: f64) -> Result<Spectrum> {
        let wind = within("the wind at 19.5 m", wind_19_5_m_s, WINDS_M_S, "m/s")?;
        // 0.74 (g / (U w))^4 = 5/4 (wp / w)^4, by two exact roots.
        let ratio = (0.74_f64 * 4.0 / 5.0).sqrt().sqrt();
        Ok(Spectrum {
            alpha: 0.0081,
            peak: ratio * GRAVITY_M_S2 / wind,
            gamma: 1.0,
        })
    }

    /// The sea that a wind raises over a fetch, after Hasselmann et al. (1973): alpha 0.076 (U² / (F g))^0.22, wp
    /// 22 (g² / (U F))^(1/3).
    ///
    /// Nothing stops its growth with the fetch: past some hundreds of kilometres it is above the fully developed sea of
    /// the same wind. Its height is 32 to 35 % above the growth law of the same paper, since the integral counts the
    /// whole tail.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) names the first number that is out of range.
    pub fn jonswap(sea: Jonswap) -> Result<Spectrum> {
        let wind = within("the wind at 10 m", sea.wind_10_m_s, WINDS_M_S, "m/s")?;
        let fetch_m = within("the fetch", sea.fetch_m, FETCHES_M, "m")?;
        let gamma = within("gamma", sea.gamma, GAMMAS, "")?;
        let g = GRAVITY_M_S2;
        Ok(Spectrum {
            alpha: 0.076 * pow(wind * wind / (fetch_m * g), 0.22),
            peak: 22.0 * pow(g * g / (wind * fetch_m), 1.0 / 3.0),
            gamma,
        })
    }

    /// The angular frequency with the most energy, rad/s.
    pub fn peak_frequency(&self) -> f64 {
        self.peak
    }

    /// The period of the peak, in seconds.
    pub fn peak_period_secs(&self) -> f64 {
        TAU / self.peak
    }

    /// The length of the waves of the peak over water of a depth, in metres.
    pub fn peak_wavelength_m(&self, depth: Depth) -> f64 {
        // The ranges of winds and fetches allow peaks from 0.08 to 87 rad/s only, which every depth takes.
        TAU / depth.wavenumber_of(self.peak)
    }

    /// The variance of the surface a rad/s, in m² s: 0 at frequencies that are not above 0, and for NaN.
    pub fn density(&self, frequency: f64) -> f64 {
        let x = frequency / self.peak;
        let falling = decay(x);
        // Also keeps the product from 0 times infinity near 0.
        if falling > 700.0 || x.is_nan() || x <= 0.0 {
            return 0.0;
        }
        let core = exp(-falling) / (x * x * x * x * x) * exp(peak_share(x) * ln(self.gamma));
        self.scale() / self.peak * core
    }

    /// The variance of the surface, m0 in m²: the integral of [`density`](Self::density) over every frequency.
    ///
    /// The relative error is below 1e-12: see [`band_variance`](Self::band_variance).
    pub fn variance(&self) -> f64 {
        self.band_variance(Band::ALL)
    }

    /// The variance that the waves of a band add to the surface, in m²: the integral of [`density`](Self::density) over it.
    ///
    /// With x = w / wp the part without the peak has the closed integral (e^(-5/4 x2^-4) - e^(-5/4 x1^-4)) / 5. What the
    /// peak adds is smooth on both sides of x = 1 and gone at eight of its widths; Gauss's rule of eight points integrates
    /// it, on panels no wider than half a width. The error is below 1e-12 of the whole spectrum's variance, and so is what
    /// the bands of a [`Bands`](crate::Bands) together miss of the whole.
    pub fn band_variance(&self, band: Band) -> f64 {
        let (from, to) = (band.from() / self.peak, band.to() / self.peak);
        self.scale() * (core_between(from, to) + self.peak_between(from, to))
    }

    /// The significant wave height, 4 sqrt(m0), in metres.
    pub fn significant_height_m(&self) -> f64 {
        4.0 * self.variance().sqrt()
    }

    /// alpha g² / wp^4, m²: what a spectrum of x is multiplied by.
    fn scale(&self) -> f64 {
        let square = self.peak * self.peak;
        self.alpha * GRAVITY_M_S2 * GRAVITY_M_S2 / (square * square)
    }

    /// What the peak adds between two places x, by quadrature on either side of 1.
    fn peak_between(&self, from: f64, to: f64) -> f64 {
        if self.gamma <= 1.0 {
            return 0.0;
        }
        let strength = ln(self.gamma);
        let added = |x: f64| exp(-decay(x)) / (x * x * x * x * x) * exp_m1(peak_share(x) * strength);
        let reach = f64::from(PEAK_WIDTHS);
        let below = panels(
            from.max(1.0 - reach * PEAK_WIDTH_BELOW),
            to.min(1.0),
            PEAK_WIDTH_BELOW,
            added,
        );
        let above = panels(
            from.max(1.0),
            to.min(1.0 + reach * PEAK_WIDTH_ABOVE),
            PEAK_WIDTH_ABOVE,
            added,
        );
        below + above
    }
}

/// 5/4 x^-4.
fn decay(x: f64) -> f64 {
    let square = x * x;
    1.25 / (square * square)
}

/// The exponent of gamma at a place x: 1 at the peak, 0 far from it.
fn peak_share(x: f64) -> f64 {
    let width = if x <= 1.0 { PEAK_WIDTH_BELOW } else { PEAK_WIDTH_ABOVE };
    let off = (x - 1.0) / width;
    exp(-0.5 * off * off)
}

/// The integral of x^-5 exp(-5/4 x^-4). The difference of the two exponentials is taken as a product, so that a narrow
/// band far up the tail keeps its digits.
fn core_between(from: f64, to: f64) -> f64 {
    let (first, last) = (decay(from), decay(to));
    let difference = if first > 700.0 {
        exp(-last)
    } else {
        -exp(-last) * exp_m1(last - first)
    };
    difference / 5.0
}

/// Gauss and Legendre's rule of eight points (its nodes are those of +x and -x) on panels no wider than half of `width`:
/// on panels of a whole one the error would be 3e-12 of the variance. 0 where nothing lies between.
fn panels(from: f64, to: f64, width: f64, value: impl Fn(f64) -> f64) -> f64 {
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_27),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    if to <= from {
        return 0.0;
    }
    let count = ((to - from) / (0.5 * width)).ceil().max(1.0);
    let half = 0.5 * (to - from) / count;
    let mut sum = 0.0;
    for panel in 0..count as u32 {
        let middle = from + half * (2.0 * f64::from(panel) + 1.0);
        for (node, weight) in NODES {
            sum += weight * (value(middle - half * node) + value(middle + half * node));
        }
    }
    half * sum
}
