//! PNG.

use super::quantise::{Decoded, Import, colors_of, import};
use super::scale::{MAX_PICTURE, magnify};
use crate::canvas::{Canvas, MAX_PIXELS, check_size};
use crate::color::Color;
use crate::error::{Error, Result};
use crate::frame::index;
use crate::palette::Palette;
use ::png::{BitDepth, ColorType, Decoder, Encoder, Info, Limits, Transformations};
use std::io::Cursor;

const FORMAT: &str = "PNG";
/// What a side of a PNG may be.
const MAX_SIDE: u32 = 0x7fff_ffff;

impl Canvas {
    /// The active frame as a PNG with the palette and the entries as they are, every pixel a square of `scale` by
    /// `scale` (1 for as it is). Equal canvases give equal bytes.
    ///
    /// # Errors
    /// [`Error::Encode`] when the scale is 0 or makes the picture larger than 268 435 456 pixels.
    pub fn to_png(&self, scale: u32) -> Result<Vec<u8>> {
        write((self.width, self.height), self.pixels(), &self.palette, scale)
    }

    /// A canvas of one frame from a PNG of any kind (16 bits a channel are cut to 8).
    ///
    /// # Errors
    /// [`Error::Decode`] for what is no PNG; [`Error::Range`] for a picture larger than a canvas may be;
    /// [`Error::TooManyColors`] and [`Error::ColorNotInPalette`] as the import's rule has it.
    pub fn from_png(bytes: &[u8], how: &Import) -> Result<Self> {
        let picture = read(bytes, |(width, height)| check_size(width, height))?;
        import("the picture", picture.size, picture.pixels.into_decoded(), how)
    }
}

pub(super) fn write(size: (u32, u32), entries: &[u8], palette: &Palette, scale: u32) -> Result<Vec<u8>> {
    let refused = |error: ::png::EncodingError| Error::Encode {
        format: FORMAT,
        problem: error.to_string(),
    };
    let picture = magnify(FORMAT, size, entries, scale, MAX_SIDE)?;
    let colors = palette.colors();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(colors.iter().flat_map(|c| [c.r, c.g, c.b]).collect::<Vec<u8>>());
    // Alphas behind the last that is not opaque go without saying.
    let alphas = colors
        .iter()
        .rposition(|color| color.a != 255)
        .map_or(0, |last| last + 1);
    if alphas > 0 {
        encoder.set_trns(colors.iter().take(alphas).map(|color| color.a).collect::<Vec<u8>>());
    }
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(&picture.entries).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

/// A decoded PNG.
pub(super) struct Picture {
    pub(super) size: (u32, u32),
    pub(super) pixels: Pixels,
}

pub(super) enum Pixels {
    Indexed(Palette, Vec<u8>),
    Rgba(Vec<Color>),
}

impl Pixels {
    fn into_decoded(self) -> Decoded {
        match self {
            Self::Indexed(palette, pixels) => Decoded::Indexed(palette, vec![pixels]),
            Self::Rgba(pixels) => Decoded::Rgba(vec![pixels]),
        }
    }
}

fn refused(problem: impl ToString) -> Error {
    Error::Decode {
        format: FORMAT,
        problem: problem.to_string(),
    }
}

/// Reads a PNG whose size `check` agrees to, before anything is unpacked: a few bytes unfold to a large picture. A
/// picture of palette entries may hold as many pixels as one that is written, any other as all frames of a canvas.
pub(super) fn read(bytes: &[u8], check: impl FnOnce((u32, u32)) -> Result<()>) -> Result<Picture> {
    // What decoding holds at most: a picture at 8 bytes a pixel, and a share for the rest.
    let limits = Limits {
        bytes: usize::try_from(MAX_PICTURE * 2 + MAX_PICTURE / 8).unwrap_or(usize::MAX),
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Neither texts nor colour profiles are looked at, and both may be packed.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(refused)?;
    let size = (header.width, header.height);
    check(size)?;
    let most = match header.color_type {
        ColorType::Indexed => MAX_PICTURE,
        _ => MAX_PIXELS,
    };
    if u64::from(size.0) * u64::from(size.1) > most {
        let found = format!("{} x {}", size.0, size.1);
        return Err(Error::range(
            "the pixels of a picture",
            format!("at most {most}"),
            found,
        ));
    }
    if header.color_type == ColorType::Indexed {
        decoder.set_transformations(Transformations::IDENTITY);
        return read_indexed(decoder, size);
    }
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(refused)?;
    let length = reader.output_buffer_size().ok_or_else(|| refused("it is too large"))?;
    let mut data = vec![0; length];
    let info = reader.next_frame(&mut data).map_err(refused)?;
    data.truncate(info.buffer_size());
    let colors = match info.color_type {
        ColorType::Rgba => colors_of(&data),
        ColorType::GrayscaleAlpha => {
            let (pixels, _) = data.as_chunks::<2>();
            pixels
                .iter()
                .map(|&[grey, alpha]| Color::rgba(grey, grey, grey, alpha))
                .collect()
        }
        other => return Err(refused(format!("it came out as {other:?}"))),
    };
    Ok(Picture {
        size,
        pixels: Pixels::Rgba(colors),
    })
}

fn read_indexed(decoder: Decoder<Cursor<&[u8]>>, size: (u32, u32)) -> Result<Picture> {
    let mut reader = decoder.read_info().map_err(refused)?;
    let palette = palette_of(reader.info())?;
    let length = reader.output_buffer_size().ok_or_else(|| refused("it is too large"))?;
    let mut data = vec![0; length];
    let info = reader.next_frame(&mut data).map_err(refused)?;
    let bits = match info.bit_depth {
        BitDepth::One => 1,
        BitDepth::Two => 2,
        BitDepth::Four => 4,
        _ => 8,
    };
    let mut entries = Vec::with_capacity(index(size.0) * index(size.1));
    for row in data.chunks(info.line_size.max(1)).take(index(size.1)) {
        entries.extend((0..index(size.0)).map(|x| unpacked(row, x, bits)));
    }
    if let Some(entry) = entries.iter().find(|entry| usize::from(**entry) >= palette.len()) {
        return Err(refused(format!(
            "a pixel has entry {entry} of a palette of {}",
            palette.len()
        )));
    }
    Ok(Picture {
        size,
        pixels: Pixels::Indexed(palette, entries),
    })
}

/// Entry `x` of a row with `bits` an entry, the first in the highest bits.
fn unpacked(row: &[u8], x: usize, bits: usize) -> u8 {
    let byte = row.get(x * bits / 8).copied().unwrap_or(0);
    let shift = 8 - bits - x * bits % 8;
    let mask = u8::try_from((1u32 << bits) - 1).unwrap_or(u8::MAX);
    (byte >> shift) & mask
}

fn palette_of(info: &Info<'_>) -> Result<Palette> {
    let rgb = info.palette.as_deref().ok_or_else(|| refused("it has no palette"))?;
    let alphas = info
        .trns
        .as_deref()
        .unwrap_or(&[])
        .iter()
        .copied()
        .chain(std::iter::repeat(255));
    let (colors, _) = rgb.as_chunks::<3>();
    Palette::new(colors.iter().zip(alphas).map(|(&[r, g, b], a)| Color::rgba(r, g, b, a)))
}
