//! The transfer function of sRGB (IEC 61966-2-1), with zero-noise's powers, so that it is the same on every machine.

#[cfg(any(test, feature = "import"))]
/// A value of an sRGB picture as linear light, both within [0, 1].
pub(crate) fn srgb_to_linear(value: f32) -> f32 {
    if value <= 0.040_45 {
        value / 12.92
    } else {
        zero_noise::pow((value + 0.055) / 1.055, 2.4)
    }
}

/// Linear light as a byte of an sRGB picture; what lies outside [0, 1] is cut off.
pub(crate) fn linear_to_srgb_byte(value: f32) -> u8 {
    let value = value.clamp(0.0, 1.0);
    let encoded = if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * zero_noise::pow(value, 1.0 / 2.4) - 0.055
    };
    (encoded * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        for byte in 0..=255u8 {
            assert_eq!(linear_to_srgb_byte(srgb_to_linear(f32::from(byte) / 255.0)), byte);
        }
        assert_eq!(linear_to_srgb_byte(-3.0), 0);
        assert_eq!(linear_to_srgb_byte(f32::NAN), 0);
        assert_eq!(linear_to_srgb_byte(7.0), 255);
        // 0.5 encodes to 188 by the standard's own formula.
        assert_eq!(linear_to_srgb_byte(0.5), 188);
    }
}
