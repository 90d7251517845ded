//! An elevation model: heights in metres over cells of one size.

use crate::{Error, Result};
use image::{DynamicImage, ImageFormat};

/// Heights in metres, row by row from the north; rows run along +Z (south), columns along +X (east).
#[derive(Clone, Debug, PartialEq)]
pub struct Elevation {
    columns: u32,
    rows: u32,
    cell_m: [f32; 2],
    heights_m: Vec<f32>,
}

impl Elevation {
    /// From heights. `cell_m` is a cell's size along X and Z.
    ///
    /// # Errors
    /// [`Error::NoCells`] where there is no row or no column; [`Error::WrongSize`] where their number is not
    /// `columns * rows`; [`Error::WrongNumber`] names a height that is not finite, or a cell size that is not above 0.
    pub fn new(columns: u32, rows: u32, cell_m: [f32; 2], heights_m: Vec<f32>) -> Result<Self> {
        if columns == 0 || rows == 0 {
            return Err(Error::NoCells { columns, rows });
        }
        let expected = u64::from(columns) * u64::from(rows);
        if expected != heights_m.len() as u64 {
            return Err(Error::WrongSize {
                what: "heights",
                columns,
                rows,
                expected,
                found: heights_m.len(),
            });
        }
        for (axis, found) in ["X", "Z"].into_iter().zip(cell_m) {
            if !(found.is_finite() && found > 0.0) {
                let what = format!("the cell's size along {axis}");
                return Err(Error::WrongNumber {
                    what,
                    expected: "a finite number of metres above 0",
                    found,
                });
            }
        }
        if let Some((at, found)) = heights_m.iter().enumerate().find(|(_, height)| !height.is_finite()) {
            let what = format!("height {at} of {expected}");
            return Err(Error::WrongNumber {
                what,
                expected: "a finite number of metres",
                found: *found,
            });
        }
        Ok(Self {
            columns,
            rows,
            cell_m,
            heights_m,
        })
    }

    /// From a 16-bit greyscale PNG whose values are metres. `name` stands in errors.
    ///
    /// # Errors
    /// [`Error::Picture`] where it cannot be decoded, [`Error::WrongPicture`] for another kind of picture.
    pub fn from_png(name: &str, png: &[u8], cell_m: [f32; 2]) -> Result<Self> {
        let decoded = image::load_from_memory_with_format(png, ImageFormat::Png).map_err(|source| Error::Picture {
            name: name.to_owned(),
            source,
        })?;
        let DynamicImage::ImageLuma16(grey) = decoded else {
            let found = format!("{:?}", decoded.color());
            return Err(Error::WrongPicture {
                name: name.to_owned(),
                expected: "16-bit greyscale",
                found,
            });
        };
        Self::new(
            grey.width(),
            grey.height(),
            cell_m,
            grey.as_raw().iter().map(|&metres| f32::from(metres)).collect(),
        )
    }

    /// The ground about the Jacksboro fault: `content/jacksboro.texture`, which says where it is from.
    ///
    /// # Errors
    /// As [`from_png`](Self::from_png); the picture is part of the program.
    pub fn jacksboro() -> Result<Self> {
        let png = include_bytes!("../content/jacksboro.texture/elevation.png");
        Self::from_png("jacksboro.texture/elevation.png", png, [74.4, 92.7])
    }

    /// Cells along a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// A cell's size along X and Z, in metres.
    pub fn cell_m(&self) -> [f32; 2] {
        self.cell_m
    }

    /// The heights in metres, row by row.
    pub fn heights_m(&self) -> &[f32] {
        &self.heights_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_one_that_its_texture_describes() {
        let land = Elevation::jacksboro().unwrap();
        let yaml = include_str!("../content/jacksboro.texture/texture.yaml");
        let [x, z] = land.cell_m();
        assert!(yaml.contains(&format!("size: [{}, {}]", land.columns(), land.rows())));
        assert!(yaml.contains(&format!("cellSize: [{x}, {z}]")));
        let low = land.heights_m().iter().copied().fold(f32::INFINITY, f32::min);
        let high = land.heights_m().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        assert!(yaml.contains(&format!("range: [{low}, {high}]")));
        // The sum over the source's own array: what a change of any value, or of its order of bytes, would move.
        assert_eq!(land.heights_m().iter().map(|&metres| metres as u64).sum::<u64>(), SUM);
    }

    const SUM: u64 = 73_617_913;

    #[test]
    fn bad_heights_are_refused_by_name() {
        let message = |result: Result<Elevation>| result.unwrap_err().to_string();
        let cell = [1.0, 1.0];
        assert!(message(Elevation::new(2, 2, cell, vec![0.0; 3])).contains("2 by 2 cells needs 4 heights, found 3"));
        assert!(message(Elevation::new(2, 1, cell, vec![0.0, f32::NAN])).contains("height 1 of 2 is NaN"));
        assert!(message(Elevation::new(1, 1, [1.0, 0.0], vec![0.0])).contains("along Z is 0"));
        assert!(message(Elevation::new(u32::MAX, u32::MAX, cell, vec![])).contains("found 0"));
        for (columns, rows) in [(0, 0), (0, 5), (5, 0)] {
            let refused = message(Elevation::new(columns, rows, cell, vec![]));
            assert!(refused.contains(&format!("of {columns} by {rows} cells")), "{refused}");
        }
    }

    #[test]
    fn bad_pictures_are_refused_by_name() {
        let png = include_bytes!("../content/jacksboro.texture/elevation.png");
        for cut in [0, 7, 30, png.len() / 2] {
            let refused = Elevation::from_png("cut.png", &png[..cut], [1.0, 1.0]);
            assert!(
                matches!(&refused, Err(Error::Picture { name, .. }) if name == "cut.png"),
                "{cut}: {refused:?}"
            );
        }
        let mut colour = Vec::new();
        DynamicImage::new_rgb8(2, 2)
            .write_to(&mut std::io::Cursor::new(&mut colour), ImageFormat::Png)
            .unwrap();
        let message = Elevation::from_png("colour.png", &colour, [1.0, 1.0])
            .unwrap_err()
            .to_string();
        assert_eq!(message, "colour.png: expected 16-bit greyscale, found Rgb8");
    }
}
