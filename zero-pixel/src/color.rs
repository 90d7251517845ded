//! Colours as a palette holds them.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A colour in sRGB with straight (not premultiplied) alpha, a byte each. Alpha 0 shows nothing.
///
/// A renderer uploads the bytes as they are to a texture of an sRGB format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Alpha: 0 shows nothing, 255 hides what is beneath.
    pub a: u8,
}

impl Color {
    /// Shows nothing: `#00000000`.
    pub const TRANSPARENT: Self = Self::rgba(0, 0, 0, 0);
    /// Opaque black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);

    /// An opaque colour.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// A colour with alpha.
    #[must_use]
    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }

    /// Red, green, blue, alpha.
    #[must_use]
    pub const fn to_array(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// The colour of red, green, blue, alpha.
    #[must_use]
    pub const fn from_array([r, g, b, a]: [u8; 4]) -> Self {
        Self { r, g, b, a }
    }

    /// Whether it shows nothing: alpha is 0.
    #[must_use]
    pub const fn is_transparent(self) -> bool {
        self.a == 0
    }

    /// The square of the distance to another colour: the sum over red, green, blue and alpha of the squared
    /// difference of the bytes. At most 260 100.
    #[must_use]
    pub fn distance_squared(self, other: Self) -> u32 {
        let pairs = self.to_array().into_iter().zip(other.to_array());
        pairs.map(|(one, two)| u32::from(one.abs_diff(two)).pow(2)).sum()
    }
}

impl fmt::Display for Color {
    /// `#rrggbb`, or `#rrggbbaa` where alpha is not 255.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)?;
        match self.a {
            255 => Ok(()),
            a => write!(f, "{a:02x}"),
        }
    }
}

impl fmt::Debug for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Color {
    type Err = Error;

    /// Reads `#rgb`, `#rgba`, `#rrggbb` and `#rrggbbaa`, in either case.
    fn from_str(text: &str) -> Result<Self> {
        let bad = || Error::Color { text: text.to_owned() };
        let digits = text.strip_prefix('#').ok_or_else(bad)?;
        let digits: Option<Vec<u8>> = digits
            .chars()
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        match *digits.ok_or_else(bad)?.as_slice() {
            [r, g, b] => Ok(Self::rgb(r * 17, g * 17, b * 17)),
            [r, g, b, a] => Ok(Self::rgba(r * 17, g * 17, b * 17, a * 17)),
            [r0, r1, g0, g1, b0, b1] => Ok(Self::rgb(r0 * 16 + r1, g0 * 16 + g1, b0 * 16 + b1)),
            [r0, r1, g0, g1, b0, b1, a0, a1] => Ok(Self::rgba(r0 * 16 + r1, g0 * 16 + g1, b0 * 16 + b1, a0 * 16 + a1)),
            _ => Err(bad()),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Color {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Color {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_ways_to_write_a_colour() {
        let check = |text: &str, expected: Color| assert_eq!(text.parse::<Color>().unwrap(), expected, "{text}");
        check("#f80", Color::rgb(255, 136, 0));
        check("#f808", Color::rgba(255, 136, 0, 136));
        check("#Ff8001", Color::rgb(255, 128, 1));
        check("#ff800100", Color::rgba(255, 128, 1, 0));
        for bad in [
            "",
            "#",
            "f80",
            "#f8",
            "#f8000",
            "#ff80zz",
            "#ff80010",
            "#ff8001001",
            "#é80",
        ] {
            assert!(bad.parse::<Color>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_colour_reads_back_as_it_prints() {
        for a in [0, 1, 136, 254, 255] {
            let color = Color::rgba(1, 200, 16, a);
            assert_eq!(color.to_string().parse::<Color>().unwrap(), color);
        }
        assert_eq!(Color::BLACK.to_string(), "#000000");
        assert_eq!(Color::TRANSPARENT.to_string(), "#00000000");
    }
}
