//! Pictures written as rows of text.

use crate::canvas::{Canvas, check_size};
use crate::error::{Error, Result, listed};
use crate::palette::Palette;
use glam::IVec2;

/// Which entry each character of a text picture is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legend {
    /// Sorted by character, each once.
    entries: Vec<(char, u8)>,
}

impl Legend {
    /// A legend of these characters. Several characters may mean one entry.
    ///
    /// # Errors
    /// [`Error::Legend`] when there is none, when a character is there twice, and for a control character.
    pub fn new(entries: impl IntoIterator<Item = (char, u8)>) -> Result<Self> {
        let refused = |problem: String| Err(Error::Legend { problem });
        let mut entries: Vec<(char, u8)> = entries.into_iter().collect();
        entries.sort_unstable();
        if entries.is_empty() {
            return refused("it has no character".to_owned());
        }
        if let Some((control, _)) = entries.iter().find(|(character, _)| character.is_control()) {
            return refused(format!("{control:?} is a control character"));
        }
        for (one, two) in entries.iter().zip(entries.iter().skip(1)) {
            if one.0 == two.0 {
                return refused(format!(
                    "{:?} is there twice, for entries {} and {}",
                    one.0, one.1, two.1
                ));
            }
        }
        Ok(Self { entries })
    }

    /// The legend for a palette of up to 36 entries: its digits are `0` to `9`, then `a` to `z`, and `.` and a space
    /// are its background.
    ///
    /// # Errors
    /// [`Error::Legend`] when the palette is larger.
    pub fn digits(palette: &Palette) -> Result<Self> {
        let digits = ('0'..='9').chain('a'..='z');
        if palette.len() > 36 {
            let problem = format!(
                "36 digits are not enough for the {} entries of the palette",
                palette.len()
            );
            return Err(Error::Legend { problem });
        }
        let background = [('.', palette.background()), (' ', palette.background())];
        Self::new(digits.zip(0..).take(palette.len()).chain(background))
    }

    /// The entry of a character.
    #[must_use]
    pub fn get(&self, character: char) -> Option<u8> {
        let at = self
            .entries
            .binary_search_by_key(&character, |(known, _)| *known)
            .ok()?;
        self.entries.get(at).map(|(_, entry)| *entry)
    }

    /// The first character, by code, that means an entry.
    #[must_use]
    pub fn character(&self, entry: u8) -> Option<char> {
        self.entries
            .iter()
            .find(|(_, known)| *known == entry)
            .map(|(character, _)| *character)
    }

    fn known(&self) -> String {
        let characters: Vec<String> = self
            .entries
            .iter()
            .map(|(character, _)| character.to_string())
            .collect();
        listed(characters.iter().map(String::as_str))
    }
}

/// The entries of a text picture, row by row; every row is as long.
struct Picture {
    width: usize,
    rows: Vec<Vec<u8>>,
}

impl Picture {
    fn read(rows: &[impl AsRef<str>], legend: &Legend, palette: &Palette) -> Result<Self> {
        let mut picture = Self {
            width: rows.first().map_or(0, |row| row.as_ref().chars().count()),
            rows: Vec::with_capacity(rows.len()),
        };
        for (at, text) in rows.iter().enumerate() {
            let row = read_row(at, text.as_ref(), legend, palette)?;
            if row.len() != picture.width {
                return Err(Error::RaggedRow {
                    row: at,
                    expected: picture.width,
                    found: row.len(),
                });
            }
            picture.rows.push(row);
        }
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        check_size(size(picture.width), size(picture.rows.len()))?;
        Ok(picture)
    }
}

fn read_row(row: usize, text: &str, legend: &Legend, palette: &Palette) -> Result<Vec<u8>> {
    let entry = |(column, character): (usize, char)| {
        let entry = legend.get(character).ok_or_else(|| Error::UnknownCharacter {
            row,
            column,
            character,
            known: legend.known(),
        })?;
        palette.check(&format!("text art, row {row}, column {column}"), entry)?;
        Ok(entry)
    };
    text.chars().enumerate().map(entry).collect()
}

impl Canvas {
    /// A canvas of one frame as text draws it: one character a pixel, one row a text, each as long as the first.
    ///
    /// # Errors
    /// [`Error::RaggedRow`] and [`Error::UnknownCharacter`] with row and column; [`Error::NoEntry`] where the legend
    /// names an entry that the palette lacks; [`Error::Range`] when there are no rows, no columns or too many.
    pub fn from_art(rows: &[impl AsRef<str>], legend: &Legend, palette: Palette) -> Result<Self> {
        let picture = Picture::read(rows, legend, &palette)?;
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (width, height) = (size(picture.width), size(picture.rows.len()));
        Self::from_pixels(width, height, palette, &picture.rows.concat())
    }

    /// Draws a text picture on the active frame, its top left pixel at `pos`, cut to the canvas. Every character is
    /// written, those of the background too; [`Self::stamp`] leaves what is beneath.
    ///
    /// # Errors
    /// As [`Self::from_art`]; nothing is changed then.
    pub fn art(&mut self, pos: impl Into<IVec2>, rows: &[impl AsRef<str>], legend: &Legend) -> Result<&mut Self> {
        let pos = pos.into();
        let picture = Picture::read(rows, legend, &self.palette)?;
        for (y, row) in (i64::from(pos.y)..).zip(&picture.rows) {
            if let Ok(y) = i32::try_from(y) {
                self.write_row(IVec2::new(pos.x, y), row);
            }
        }
        Ok(self)
    }

    /// The active frame as rows of text, which [`Self::from_art`] reads back.
    ///
    /// # Errors
    /// [`Error::Legend`] when the legend has no character for an entry that is used.
    pub fn to_art(&self, legend: &Legend) -> Result<Vec<String>> {
        let width = usize::try_from(self.width).unwrap_or(usize::MAX);
        let character = |entry: &u8| {
            legend.character(*entry).ok_or_else(|| Error::Legend {
                problem: format!("it has no character for entry {entry}"),
            })
        };
        let rows = self.pixels().chunks(width);
        rows.map(|row| row.iter().map(character).collect()).collect()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Legend {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries.iter().copied())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Legend {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let entries = std::collections::BTreeMap::<char, u8>::deserialize(deserializer)?;
        Self::new(entries).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend() -> Legend {
        Legend::new([('.', 0), ('#', 1), ('o', 2), ('é', 9)]).unwrap()
    }

    fn palette() -> Palette {
        Palette::parse(["#0000", "#000", "#fff"]).unwrap()
    }

    #[test]
    fn art_reads_back() {
        let rows = ["..#..", ".#o#.", "#####"];
        let canvas = Canvas::from_art(&rows, &legend(), palette()).unwrap();
        assert_eq!((canvas.width(), canvas.height()), (5, 3));
        assert_eq!(canvas.pixel((2, 1)), Some(2));
        assert_eq!(canvas.to_art(&legend()).unwrap(), rows);
    }

    #[test]
    fn what_is_wrong_is_named_with_row_and_column() {
        let message = |rows: &[&str]| Canvas::from_art(rows, &legend(), palette()).unwrap_err().to_string();
        assert_eq!(
            message(&["..#", ".#"]),
            "text art, row 1 (from 0): expected 3 characters like row 0, found 2"
        );
        assert_eq!(
            message(&["..#", "..##"]),
            "text art, row 1 (from 0): expected 3 characters like row 0, found 4"
        );
        assert_eq!(
            message(&["..#", ".x#"]),
            "text art, row 1, column 1 (both from 0): 'x' is not in the legend, which has \"#\", \".\", \"o\", \"é\""
        );
        assert_eq!(
            message(&["é#"]),
            "text art, row 0, column 0: entry 9 is not in the palette, which holds 3 (0 to 2)"
        );
        assert_eq!(
            message(&[]),
            "the width of a canvas: expected 1 to 4096 pixels, found 0"
        );
        assert_eq!(
            message(&["", ""]),
            "the width of a canvas: expected 1 to 4096 pixels, found 0"
        );
    }

    #[test]
    fn a_refused_picture_draws_nothing_and_one_beside_the_canvas_is_cut() {
        let mut canvas = Canvas::new(3, 3, palette()).unwrap();
        let before = canvas.clone();
        assert!(canvas.art((0, 0), &["###", "##"], &legend()).is_err());
        assert!(canvas.art((0, 0), &["###", "#x#"], &legend()).is_err());
        assert_eq!(canvas, before);
        canvas.art((-1, 2), &["#o#o", "oooo"], &legend()).unwrap();
        assert_eq!(canvas.to_art(&legend()).unwrap(), ["...", "...", "o#o"]);
        canvas.art((2, -1), &["oo", "#o"], &legend()).unwrap();
        assert_eq!(canvas.to_art(&legend()).unwrap(), ["..#", "...", "o#o"]);
        for far in [(i32::MAX, i32::MAX), (i32::MIN, i32::MIN), (0, i32::MAX), (i32::MIN, 0)] {
            canvas.art(far, &["oo", "oo"], &legend()).unwrap();
        }
        assert_eq!(canvas.to_art(&legend()).unwrap(), ["..#", "...", "o#o"]);
    }

    #[test]
    fn legends_that_cannot_be_read_by_are_refused() {
        let message = |entries: &[(char, u8)]| Legend::new(entries.iter().copied()).unwrap_err().to_string();
        assert_eq!(message(&[]), "legend: it has no character");
        assert_eq!(
            message(&[('a', 1), ('b', 1), ('a', 2)]),
            "legend: 'a' is there twice, for entries 1 and 2"
        );
        assert_eq!(message(&[('\n', 1)]), "legend: '\\n' is a control character");
        assert!(Legend::digits(&Palette::new(vec![crate::Color::BLACK; 37]).unwrap()).is_err());
    }

    #[test]
    fn digits_count_through_the_palette() {
        let palette = Palette::new(vec![crate::Color::BLACK; 36]).unwrap();
        let legend = Legend::digits(&palette).unwrap();
        let entries: Vec<_> = ['0', '9', 'a', 'z', '.', ' '].map(|c| legend.get(c)).into();
        assert_eq!(entries, [0, 9, 10, 35, 0, 0].map(Some));
    }
}
