//! A value as a picture, and always as a text.

use crate::error::{Error, Result};
use crate::value::Value;

/// A picture for a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture {
    /// Pixels a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, in sRGB, row by row from the upper left: `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// A picture of these pixels.
    ///
    /// # Errors
    /// [`Error::Kind`] for a side of 0, and where the bytes are not `4 * width * height`.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Result<Picture> {
        let bytes = 4 * u64::from(width) * u64::from(height);
        if bytes == 0 || rgba.len() as u64 != bytes {
            return Err(Error::Kind {
                what: "picture".to_owned(),
                expected: format!("{width} x {height} pixels of 4 bytes, more than none"),
                found: format!("{} bytes", rgba.len()),
            });
        }
        Ok(Picture { width, height, rgba })
    }
}

/// What turns values into pictures: a renderer, a plotter.
pub trait Previewer {
    /// A picture of a value, at most of this width and height; nothing for a value that it has no picture for.
    ///
    /// # Errors
    /// Whatever keeps it from drawing one that it would have.
    fn picture(&mut self, value: &Value, size: [u32; 2]) -> Result<Option<Picture>>;
}

/// What there is to see of a value.
#[derive(Debug)]
#[non_exhaustive]
pub struct Preview {
    /// What it is, in words: [`Value::summary`]. It is there whatever becomes of the picture.
    pub summary: String,
    /// What it looks like, where the previewer has a picture for such a value, or why it could not be drawn.
    pub picture: Result<Option<Picture>>,
}

impl Preview {
    /// A value in words, and in a picture of at most this width and height where the previewer has one.
    ///
    /// ```
    /// use zero_procgen::values::{Number, Value};
    /// use zero_procgen::{Picture, Preview, Previewer, Result};
    ///
    /// /// Numbers as squares of grey.
    /// struct Greys;
    ///
    /// impl Previewer for Greys {
    ///     fn picture(&mut self, value: &Value, [width, height]: [u32; 2]) -> Result<Option<Picture>> {
    ///         let Value::Number(number) = value else { return Ok(None) };
    ///         let grey = (number.lanes()[0].clamp(0.0, 1.0) * 255.0) as u8;
    ///         let pixels = (0..width * height).flat_map(|_| [grey, grey, grey, 255]).collect();
    ///         Picture::new(width, height, pixels).map(Some)
    ///     }
    /// }
    ///
    /// let preview = Preview::of(&Value::Number(Number::float(1.0)), &mut Greys, [2, 1]);
    /// assert_eq!(preview.summary, "Float 1");
    /// assert_eq!(preview.picture?.unwrap().rgba, [255; 8]);
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    pub fn of(value: &Value, previewer: &mut dyn Previewer, size: [u32; 2]) -> Preview {
        let picture = match size.contains(&0) {
            true => Err(Error::Kind {
                what: "size of a preview".to_owned(),
                expected: "1 pixel or more a side".to_owned(),
                found: format!("{} x {}", size[0], size[1]),
            }),
            false => previewer.picture(value, size),
        };
        Preview {
            summary: value.summary(),
            picture,
        }
    }
}
