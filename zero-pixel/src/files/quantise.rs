//! From colours to entries of a palette.

use crate::canvas::{Canvas, area, check_frames, check_size};
use crate::color::Color;
use crate::error::{Error, Result};
use crate::frame::index;
use crate::palette::Palette;
use crate::plane::Plane;
use std::collections::HashMap;

/// Where the palette of an imported picture comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Colors {
    /// From the picture, of at most so many entries (1 to 256). An indexed picture keeps its own palette and entries
    /// as they are; any other gets its colours in the order in which they first appear, row by row. Pixels of alpha 0
    /// are one colour whatever they hide. More colours are refused.
    Own(usize),
    /// This one. A colour that it lacks is refused; all of alpha 0 go to its first transparent entry.
    Exact(Palette),
    /// This one, each colour going to [`Palette::nearest`].
    Nearest(Palette),
}

/// How a picture is read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default))]
#[non_exhaustive]
pub struct Import {
    /// Where the palette comes from: [`Colors::Own`] of 256.
    pub colors: Colors,
    /// The side of a pixel in metres. `None`: what the file says of it, else [`Canvas::DEFAULT_PIXEL_SIZE_M`].
    pub pixel_size_m: Option<f32>,
    /// The plane. `None`: what the file says of it, else [`Plane::Xy`].
    pub plane: Option<Plane>,
    /// What a GIF is read as whose frames are shown for different times: refused.
    pub delays: super::Delays,
}

impl Default for Import {
    fn default() -> Self {
        Self {
            colors: Colors::Own(Palette::MAX),
            pixel_size_m: None,
            plane: None,
            delays: super::Delays::default(),
        }
    }
}

impl Import {
    /// With another palette rule.
    #[must_use]
    pub fn colors(mut self, colors: Colors) -> Self {
        self.colors = colors;
        self
    }

    /// With another side of a pixel in metres.
    #[must_use]
    pub fn pixel_size_m(mut self, metres: f32) -> Self {
        self.pixel_size_m = Some(metres);
        self
    }

    /// In another plane.
    #[must_use]
    pub fn plane(mut self, plane: Plane) -> Self {
        self.plane = Some(plane);
        self
    }

    /// With another rule for a GIF's delays.
    #[must_use]
    pub fn delays(mut self, delays: super::Delays) -> Self {
        self.delays = delays;
        self
    }
}

/// The frames of a decoded picture.
pub(super) enum Decoded {
    /// Entries of one palette.
    Indexed(Palette, Vec<Vec<u8>>),
    /// Colours.
    Rgba(Vec<Vec<Color>>),
}

/// The canvas of decoded frames, each `width * height` long.
///
/// # Errors
/// Those that the import's rule asks for, and sizes out of range.
pub(super) fn import(what: &str, (width, height): (u32, u32), decoded: Decoded, import: &Import) -> Result<Canvas> {
    check_size(width, height)?;
    let count = match &decoded {
        Decoded::Indexed(_, frames) => frames.len(),
        Decoded::Rgba(frames) => frames.len(),
    };
    check_frames(width, height, count)?;
    let (palette, frames) = match (&import.colors, decoded) {
        (Colors::Own(most), Decoded::Indexed(palette, frames)) if palette.len() <= checked(*most)? => (palette, frames),
        (colors, decoded) => mapped(what, width, colors, decoded.into_rgba())?,
    };
    let mut canvas = Canvas::with_frames(width, height, palette, frames);
    if let Some(metres) = import.pixel_size_m {
        canvas.set_pixel_size_m(metres)?;
    }
    if let Some(plane) = import.plane {
        canvas.set_plane(plane);
    }
    Ok(canvas)
}

fn checked(most: usize) -> Result<usize> {
    match (1..=Palette::MAX).contains(&most) {
        true => Ok(most),
        false => Err(Error::range("the colours of an imported palette", "1 to 256", most)),
    }
}

impl Decoded {
    fn into_rgba(self) -> Vec<Vec<Color>> {
        match self {
            Self::Rgba(frames) => frames,
            Self::Indexed(palette, frames) => {
                let color = |entry: u8| palette.get(entry).unwrap_or(Color::TRANSPARENT);
                let colors = |frame: Vec<u8>| frame.into_iter().map(color).collect();
                frames.into_iter().map(colors).collect()
            }
        }
    }
}

fn mapped(what: &str, width: u32, colors: &Colors, frames: Vec<Vec<Color>>) -> Result<(Palette, Vec<Vec<u8>>)> {
    let mut mapper = Mapper::new(colors)?;
    let mut mapped = Vec::with_capacity(frames.len());
    let alone = frames.len() == 1;
    for (at, frame) in frames.into_iter().enumerate() {
        let what = if alone {
            what.to_owned()
        } else {
            format!("{what}, frame {at}")
        };
        mapped.push(mapper.frame(&what, width, &frame)?);
    }
    Ok((mapper.palette()?, mapped))
}

/// The entry of every colour that was met. The map is looked up, never walked, so its order does not show.
struct Mapper<'a> {
    rule: &'a Colors,
    /// The palette that grows, of [`Colors::Own`].
    own: Vec<Color>,
    met: HashMap<Color, u8>,
}

impl<'a> Mapper<'a> {
    fn new(rule: &'a Colors) -> Result<Self> {
        if let Colors::Own(most) = rule {
            checked(*most)?;
        }
        Ok(Self {
            rule,
            own: Vec::new(),
            met: HashMap::new(),
        })
    }

    fn frame(&mut self, what: &str, width: u32, pixels: &[Color]) -> Result<Vec<u8>> {
        let mut entries = Vec::with_capacity(pixels.len());
        // Runs of one colour are the rule in such pictures, so the last answer saves most look-ups.
        let mut last: Option<(Color, u8)> = None;
        for (at, color) in pixels.iter().enumerate() {
            let color = if color.is_transparent() {
                Color::TRANSPARENT
            } else {
                *color
            };
            let entry = match last.filter(|(known, _)| *known == color) {
                Some((_, entry)) => entry,
                None => self.entry(what, color, at, index(width))?,
            };
            last = Some((color, entry));
            entries.push(entry);
        }
        Ok(entries)
    }

    fn entry(&mut self, what: &str, color: Color, at: usize, width: usize) -> Result<u8> {
        if let Some(entry) = self.met.get(&color) {
            return Ok(*entry);
        }
        let place = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (x, y) = (place(at % width.max(1)), place(at / width.max(1)));
        let what = || what.to_owned();
        let entry = match self.rule {
            Colors::Nearest(palette) => palette.nearest(color),
            Colors::Exact(palette) => {
                let hidden = palette.transparent().filter(|_| color.is_transparent());
                let found = hidden.or_else(|| palette.find(color));
                found.ok_or_else(|| Error::ColorNotInPalette {
                    what: what(),
                    color,
                    x,
                    y,
                })?
            }
            Colors::Own(most) => {
                let free = u8::try_from(self.own.len()).ok().filter(|_| self.own.len() < *most);
                let most = *most;
                let entry = free.ok_or_else(|| Error::TooManyColors {
                    what: what(),
                    most,
                    color,
                    x,
                    y,
                })?;
                self.own.push(color);
                entry
            }
        };
        self.met.insert(color, entry);
        Ok(entry)
    }

    fn palette(self) -> Result<Palette> {
        match self.rule {
            Colors::Exact(palette) | Colors::Nearest(palette) => Ok(palette.clone()),
            Colors::Own(_) => Palette::new(self.own),
        }
    }
}

/// Colours of bytes red, green, blue, alpha.
pub(super) fn colors_of(rgba: &[u8]) -> Vec<Color> {
    let (pixels, _) = rgba.as_chunks::<4>();
    pixels.iter().copied().map(Color::from_array).collect()
}

/// A picture of `width` by `height` as frames cut out of it at these corners.
pub(super) fn cut<T: Copy>(pixels: &[T], width: u32, corners: &[(u32, u32)], cell: (u32, u32)) -> Vec<Vec<T>> {
    let frame = |&(x, y): &(u32, u32)| {
        let mut frame = Vec::with_capacity(area(cell.0, cell.1));
        for row in y..y + cell.1 {
            let start = index(row) * index(width) + index(x);
            frame.extend_from_slice(pixels.get(start..start + index(cell.0)).unwrap_or(&[]));
        }
        frame
    };
    corners.iter().map(frame).collect()
}
