//! The colours that a canvas's pixels refer to by number.

use crate::color::Color;
use crate::error::{Error, Result};

/// 1 to 256 colours, numbered from 0. Colours may repeat, so that equal ones can be recoloured apart.
///
/// An entry whose alpha is 0 is a transparent one: its pixels show nothing and count as not drawn. The first of
/// them, or entry 0 where there is none, is the palette's [background](Self::background), which new frames are
/// filled with and [`Canvas::clear`](crate::Canvas::clear) writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Palette {
    colors: Vec<Color>,
}

impl Palette {
    /// The most entries of a palette.
    pub const MAX: usize = 256;

    /// A palette of these colours in this order.
    ///
    /// # Errors
    /// [`Error::Range`] when there is none, or more than [`Self::MAX`].
    pub fn new(colors: impl IntoIterator<Item = Color>) -> Result<Self> {
        let colors: Vec<Color> = colors.into_iter().take(Self::MAX + 1).collect();
        if colors.is_empty() || colors.len() > Self::MAX {
            let found = match colors.len() {
                0 => "none".to_owned(),
                _ => format!("more than {}", Self::MAX),
            };
            return Err(Error::range("the colours of a palette", "1 to 256", found));
        }
        Ok(Self { colors })
    }

    /// A palette of colours as they are written: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`.
    ///
    /// # Errors
    /// [`Error::Color`] for the first text that is none, and as [`Self::new`].
    pub fn parse<'a>(colors: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let colors: Result<Vec<Color>> = colors.into_iter().map(str::parse).collect();
        Self::new(colors?)
    }

    /// How many entries there are: 1 to 256.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a palette is never empty")]
    pub fn len(&self) -> usize {
        self.colors.len()
    }

    /// The colours, by entry.
    #[must_use]
    pub fn colors(&self) -> &[Color] {
        &self.colors
    }

    /// The colour of an entry.
    #[must_use]
    pub fn get(&self, entry: u8) -> Option<Color> {
        self.colors.get(usize::from(entry)).copied()
    }

    /// The first transparent entry.
    #[must_use]
    pub fn transparent(&self) -> Option<u8> {
        self.position(|color| color.is_transparent())
    }

    /// What new frames are filled with: the first transparent entry, or entry 0 where there is none.
    #[must_use]
    pub fn background(&self) -> u8 {
        self.transparent().unwrap_or(0)
    }

    /// The first entry of that colour.
    #[must_use]
    pub fn find(&self, color: Color) -> Option<u8> {
        self.position(|entry| entry == color)
    }

    /// The entry nearest to a colour by [`Color::distance_squared`], the lowest of several. A transparent colour
    /// goes to the first transparent entry where there is one.
    #[must_use]
    pub fn nearest(&self, color: Color) -> u8 {
        if let Some(entry) = self.transparent().filter(|_| color.is_transparent()) {
            return entry;
        }
        let by_distance = (0u8..=255)
            .zip(&self.colors)
            .min_by_key(|(_, entry)| entry.distance_squared(color));
        by_distance.map_or(0, |(entry, _)| entry)
    }

    /// Gives an entry another colour.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn set(&mut self, entry: u8, color: Color) -> Result<()> {
        self.check("recolour", entry)?;
        if let Some(slot) = self.colors.get_mut(usize::from(entry)) {
            *slot = color;
        }
        Ok(())
    }

    /// Adds an entry at the end and answers its number.
    ///
    /// # Errors
    /// [`Error::Range`] when the palette is full.
    pub fn push(&mut self, color: Color) -> Result<u8> {
        match u8::try_from(self.colors.len()) {
            Ok(entry) => {
                self.colors.push(color);
                Ok(entry)
            }
            Err(_) => Err(Error::range("the colours of a palette", "at most 256", "one more")),
        }
    }

    pub(crate) fn check(&self, what: &str, entry: u8) -> Result<()> {
        match self.get(entry) {
            Some(_) => Ok(()),
            None => Err(Error::no_entry(what, entry, self.len())),
        }
    }

    fn position(&self, is: impl Fn(Color) -> bool) -> Option<u8> {
        let at = self.colors.iter().position(|color| is(*color))?;
        u8::try_from(at).ok()
    }
}

impl Default for Palette {
    /// Sixteen colours for a start: nothing, black to white in four steps, and eleven hues.
    fn default() -> Self {
        const COLORS: [u32; 15] = [
            0x14_10_1e, 0x4b_4a_5a, 0x8f_93_9e, 0xc9_cf_d1, 0xf7_f5_ee, 0x8c_2b_2b, 0xd9_4f_30, 0xf2_9a_38, 0xf8_d8_5c,
            0x6f_b0_3f, 0x2f_6b_45, 0x2b_9a_a3, 0x3a_63_c4, 0x7a_45_a8, 0xd8_7a_b0,
        ];
        let opaque = COLORS.map(|rgb| {
            let [_, r, g, b] = rgb.to_be_bytes();
            Color::rgb(r, g, b)
        });
        let mut colors = vec![Color::TRANSPARENT];
        colors.extend(opaque);
        Self { colors }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Palette {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.colors)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Palette {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let colors = Vec::<Color>::deserialize(deserializer)?;
        Self::new(colors).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_palette_holds_1_to_256_colours() {
        assert!(Palette::new([]).is_err());
        let mut full = Palette::new((0..=255).map(|n| Color::rgb(n, 0, 0))).unwrap();
        assert_eq!(full.len(), 256);
        assert!(Palette::new(vec![Color::BLACK; 257]).is_err());
        assert!(full.push(Color::WHITE).is_err());
        let mut short = Palette::new(vec![Color::BLACK; 255]).unwrap();
        assert_eq!(short.push(Color::WHITE).unwrap(), 255);
    }

    #[test]
    fn the_first_transparent_entry_is_the_background() {
        let palette = Palette::parse(["#000", "#f000", "#0f00"]).unwrap();
        assert_eq!((palette.transparent(), palette.background()), (Some(1), 1));
        let opaque = Palette::parse(["#123", "#f00"]).unwrap();
        assert_eq!((opaque.transparent(), opaque.background()), (None, 0));
    }

    #[test]
    fn nearest_takes_the_lowest_of_several_and_keeps_what_is_transparent() {
        let palette = Palette::parse(["#fff", "#000", "#000", "#0000"]).unwrap();
        assert_eq!(palette.nearest(Color::rgb(10, 10, 10)), 1);
        assert_eq!(palette.nearest(Color::rgba(255, 255, 255, 0)), 3);
        assert_eq!(palette.nearest(Color::rgb(250, 255, 255)), 0);
    }

    #[test]
    fn a_missing_entry_is_named() {
        let mut palette = Palette::parse(["#fff", "#000"]).unwrap();
        let error = palette.set(2, Color::WHITE).unwrap_err();
        assert_eq!(
            error.to_string(),
            "recolour: entry 2 is not in the palette, which holds 2 (0 to 1)"
        );
    }
}
