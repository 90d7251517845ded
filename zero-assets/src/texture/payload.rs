//! Texels to and from PNG and OpenEXR.

use std::io::Cursor;

use image::codecs::openexr::OpenExrEncoder;
use image::codecs::png::PngEncoder;
use image::{
    ColorType, DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader,
};
use zero_vfs::VfsPath;

use crate::error::{Error, Result};
use crate::texture::{Format, Texels, TextureInfo, TextureLimits};

/// Decodes a payload whose size and format are those that `info` says.
pub(crate) fn decode(file: &VfsPath, bytes: &[u8], info: &TextureInfo, limits: &TextureLimits) -> Result<Texels> {
    let fail = image_error(file, info.format);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), image_format(info.format));
    let mut decoder_limits = image::Limits::default();
    decoder_limits.max_image_width = Some(limits.max_edge);
    decoder_limits.max_image_height = Some(limits.max_edge);
    // A decoder holds the image and a few rows or blocks beside it.
    decoder_limits.max_alloc = Some(limits.max_bytes.saturating_mul(2).saturating_add(16 << 20));
    reader.limits(decoder_limits);
    let decoder = reader.into_decoder().map_err(&fail)?;
    let differs = |what, expected: String, found: String| Error::Payload {
        file: file.clone(),
        what,
        expected,
        found,
    };
    let (width, height) = decoder.dimensions();
    if [width, height] != info.size {
        let [w, h] = info.size;
        return Err(differs("size", format!("{w} x {h}"), format!("{width} x {height}")));
    }
    let found = decoder.color_type();
    if format_of(found) != Some(info.format) {
        let found = format_of(found).map_or_else(|| format!("{found:?}"), |format| format.to_string());
        return Err(differs("format", info.format.to_string(), found));
    }
    Ok(match DynamicImage::from_decoder(decoder).map_err(&fail)? {
        DynamicImage::ImageLuma8(image) => Texels::U8(image.into_raw()),
        DynamicImage::ImageRgb8(image) => Texels::U8(image.into_raw()),
        DynamicImage::ImageRgba8(image) => Texels::U8(image.into_raw()),
        DynamicImage::ImageLuma16(image) => Texels::U16(image.into_raw()),
        DynamicImage::ImageRgb16(image) => Texels::U16(image.into_raw()),
        DynamicImage::ImageRgba16(image) => Texels::U16(image.into_raw()),
        DynamicImage::ImageRgb32F(image) => Texels::F32(image.into_raw()),
        DynamicImage::ImageRgba32F(image) => Texels::F32(image.into_raw()),
        other => {
            return Err(differs(
                "format",
                info.format.to_string(),
                format!("{:?}", other.color()),
            ));
        }
    })
}

/// Encodes texels whose number and type fit size and format.
pub(crate) fn encode(file: &VfsPath, info: &TextureInfo, texels: &Texels) -> Result<Vec<u8>> {
    let bytes: &[u8] = match texels {
        Texels::U8(values) => values,
        Texels::U16(values) => bytemuck::cast_slice(values),
        Texels::F32(values) => bytemuck::cast_slice(values),
    };
    let color = match info.format {
        Format::R8 => ExtendedColorType::L8,
        Format::Rgb8 => ExtendedColorType::Rgb8,
        Format::Rgba8 => ExtendedColorType::Rgba8,
        Format::R16 => ExtendedColorType::L16,
        Format::Rgb16 => ExtendedColorType::Rgb16,
        Format::Rgba16 => ExtendedColorType::Rgba16,
        Format::Rgb32F => ExtendedColorType::Rgb32F,
        Format::Rgba32F => ExtendedColorType::Rgba32F,
    };
    let (mut encoded, [w, h]) = (Cursor::new(Vec::new()), info.size);
    match image_format(info.format) {
        ImageFormat::OpenExr => OpenExrEncoder::new(&mut encoded).write_image(bytes, w, h, color),
        _ => PngEncoder::new(&mut encoded).write_image(bytes, w, h, color),
    }
    .map_err(image_error(file, info.format))?;
    Ok(encoded.into_inner())
}

fn image_format(format: Format) -> ImageFormat {
    match format.extension() {
        "exr" => ImageFormat::OpenExr,
        _ => ImageFormat::Png,
    }
}

fn format_of(color: ColorType) -> Option<Format> {
    Some(match color {
        ColorType::L8 => Format::R8,
        ColorType::Rgb8 => Format::Rgb8,
        ColorType::Rgba8 => Format::Rgba8,
        ColorType::L16 => Format::R16,
        ColorType::Rgb16 => Format::Rgb16,
        ColorType::Rgba16 => Format::Rgba16,
        ColorType::Rgb32F => Format::Rgb32F,
        ColorType::Rgba32F => Format::Rgba32F,
        _ => return None,
    })
}

fn image_error(file: &VfsPath, format: Format) -> impl Fn(ImageError) -> Error {
    let file = file.clone();
    let expected = if format.extension() == "exr" { "OpenEXR" } else { "PNG" };
    move |source| Error::Image {
        file: file.clone(),
        expected,
        source,
    }
}
