//! The sun and the air: parameters, and the little of the model that the processor needs.
//!
//! The model is single scattering with an infinite series for the rest, after S. Hillaire, "A Scalable and Production
//! Ready Sky and Atmosphere Rendering Technique" (EGSR 2020), table 1 for air and ozone; aerosols as in E. Bruneton,
//! "Precomputed Atmospheric Scattering: a New Implementation" (2017). The pictures that the shaders read are made on the
//! device by `shaders/sky_model.wgsl`.

use glam::Vec3;

use crate::{RenderError, Result};

/// Radius of the planet, in kilometres.
pub(crate) const GROUND_RADIUS_KM: f32 = 6360.0;
/// Where the air ends, in kilometres from the planet's centre.
pub(crate) const TOP_RADIUS_KM: f32 = 6460.0;
/// Scale height of the air itself and of what floats in it, in kilometres.
pub(crate) const RAYLEIGH_HEIGHT_KM: f32 = 8.0;
pub(crate) const MIE_HEIGHT_KM: f32 = 1.2;
/// Scattering and absorption a kilometre at sea level.
pub(crate) const RAYLEIGH_PER_KM: Vec3 = Vec3::new(5.802e-3, 13.558e-3, 33.1e-3);
pub(crate) const MIE_SCATTERING_PER_KM: f32 = 3.996e-3;
pub(crate) const MIE_ABSORPTION_PER_KM: f32 = 0.444e-3;
pub(crate) const OZONE_PER_KM: Vec3 = Vec3::new(0.650e-3, 1.881e-3, 0.085e-3);

/// The sun: one directional light with a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sun {
    /// Unit vector (it is normalised) from the scene towards the sun.
    pub direction: Vec3,
    /// Illuminance above the air, in lux.
    pub illuminance_lux: f32,
    /// Angle between the disc's centre and its edge, in radians.
    pub angular_radius_rad: f32,
}

impl Default for Sun {
    fn default() -> Self {
        Self::at_deg(135.0, 35.0)
    }
}

impl Sun {
    /// The sun at a compass bearing (0 is -Z, 90 is +X) and a height above the horizon, both in degrees.
    #[must_use]
    pub fn at_deg(bearing_deg: f32, elevation_deg: f32) -> Self {
        let (sin_b, cos_b) = bearing_deg.to_radians().sin_cos();
        let (sin_e, cos_e) = elevation_deg.to_radians().sin_cos();
        Self {
            direction: Vec3::new(sin_b * cos_e, sin_e, -cos_b * cos_e),
            illuminance_lux: 128_000.0,
            angular_radius_rad: 0.004_65,
        }
    }

    pub(crate) fn check(&self) -> Result<Vec3> {
        if !(self.illuminance_lux >= 0.0 && self.illuminance_lux.is_finite()) {
            let value = self.illuminance_lux;
            return Err(RenderError::OutOfRange {
                what: "sun.illuminance_lux",
                expected: "lux, 0 or more",
                value,
            });
        }
        if !(self.angular_radius_rad > 0.0 && self.angular_radius_rad < 0.5) {
            let value = self.angular_radius_rad;
            return Err(RenderError::OutOfRange {
                what: "sun.angular_radius_rad",
                expected: "above 0, below 0.5",
                value,
            });
        }
        let direction = self.direction.try_normalize();
        direction.ok_or(RenderError::OutOfRange {
            what: "sun.direction",
            expected: "a direction of finite length above 0",
            value: self.direction.length(),
        })
    }
}

/// The air between the camera and everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Atmosphere {
    /// Dust and droplets, as a multiple of a very clear day's: 1 is high mountains after rain, 5 a fair summer day, 20
    /// and more a haze.
    pub haze: f32,
    /// The height in the scene that counts as sea level, in metres.
    pub sea_level_m: f32,
    /// Linear albedo of the land around, which lights the scene from below.
    pub ground_albedo: Vec3,
}

impl Default for Atmosphere {
    fn default() -> Self {
        Self {
            haze: 5.0,
            sea_level_m: 0.0,
            ground_albedo: Vec3::new(0.16, 0.17, 0.13),
        }
    }
}

impl Atmosphere {
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.haze >= 0.0 && self.haze <= 1000.0) {
            return Err(RenderError::OutOfRange {
                what: "atmosphere.haze",
                expected: "0 to 1000",
                value: self.haze,
            });
        }
        if !self.sea_level_m.is_finite() {
            let value = self.sea_level_m;
            return Err(RenderError::OutOfRange {
                what: "atmosphere.sea_level_m",
                expected: "a finite height",
                value,
            });
        }
        for value in self.ground_albedo.to_array() {
            if !(0.0..=1.0).contains(&value) {
                return Err(RenderError::OutOfRange {
                    what: "atmosphere.ground_albedo",
                    expected: "0 to 1",
                    value,
                });
            }
        }
        Ok(())
    }

    /// Distance of a height in the scene from the planet's centre, in kilometres, kept inside the air.
    pub(crate) fn radius_km(&self, height_m: f32) -> f32 {
        let altitude_km = ((height_m - self.sea_level_m) / 1000.0).clamp(0.002, 60.0);
        GROUND_RADIUS_KM + altitude_km
    }

    /// What is left of sunlight at `radius_km`, for the cosine of the sun's angle from the vertical: the midpoint rule
    /// over 64 steps to the top of the air; nothing when the planet is in the way.
    pub(crate) fn sun_transmittance(&self, radius_km: f32, cos_zenith: f32) -> Vec3 {
        const STEPS: u32 = 64;
        let along = radius_km * cos_zenith;
        let across2 = radius_km * radius_km * (1.0 - cos_zenith * cos_zenith);
        if cos_zenith < 0.0 && across2 < GROUND_RADIUS_KM * GROUND_RADIUS_KM {
            return Vec3::ZERO;
        }
        let length = (TOP_RADIUS_KM * TOP_RADIUS_KM - across2).max(0.0).sqrt() - along;
        let step = length / STEPS as f32;
        let mut depth = Vec3::ZERO;
        for i in 0..STEPS {
            let t = (i as f32 + 0.5) * step;
            let height = (radius_km * radius_km + t * t + 2.0 * t * along).sqrt() - GROUND_RADIUS_KM;
            depth += self.extinction_per_km(height) * step;
        }
        Vec3::new((-depth.x).exp(), (-depth.y).exp(), (-depth.z).exp())
    }

    fn extinction_per_km(&self, height_km: f32) -> Vec3 {
        let rayleigh = RAYLEIGH_PER_KM * (-height_km / RAYLEIGH_HEIGHT_KM).exp();
        let mie = (MIE_SCATTERING_PER_KM + MIE_ABSORPTION_PER_KM) * self.haze * (-height_km / MIE_HEIGHT_KM).exp();
        let ozone = OZONE_PER_KM * (1.0 - (height_km - 25.0).abs() / 15.0).max(0.0);
        rayleigh + Vec3::splat(mie) + ozone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_sun_is_dimmer_and_redder() {
        let air = Atmosphere::default();
        let high = air.sun_transmittance(6360.1, 1.0);
        let low = air.sun_transmittance(6360.1, 0.05);
        assert!(high.min_element() > 0.5 && high.max_element() < 1.0, "{high}");
        assert!(low.x < high.x && low.x / low.z > 4.0 * high.x / high.z, "{low}");
        assert_eq!(air.sun_transmittance(6360.1, -0.5), Vec3::ZERO);
    }

    #[test]
    fn bearings_follow_the_compass() {
        assert!((Sun::at_deg(90.0, 0.0).direction - Vec3::X).length() < 1e-6);
        assert!((Sun::at_deg(0.0, 0.0).direction - Vec3::NEG_Z).length() < 1e-6);
        assert!((Sun::at_deg(40.0, 90.0).direction - Vec3::Y).length() < 1e-6);
    }
}
