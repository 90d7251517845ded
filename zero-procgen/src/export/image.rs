//! Rasters as pictures.

use super::file::write_whole;
use crate::download::HostRaster;
use crate::error::{Error, Result};
use crate::host::Picture;
use image::{ExtendedColorType, ImageEncoder};
use std::io::Cursor;
use std::ops::RangeInclusive;
use std::path::Path;

/// Writes a raster as a PNG of 16 bits of grey, whole or not at all: `range` goes from black to white in a straight line, and
/// what lies outside is cut off. Row 0 is the upper one.
///
/// # Errors
/// [`Error::Kind`] for an empty raster or range, or a sample that is not finite, [`Error::File`] naming the path.
pub fn write_png(path: impl AsRef<Path>, raster: &HostRaster, range: RangeInclusive<f32>) -> Result<()> {
    let file = png_bytes(raster, range)?;
    write_whole(path.as_ref(), |out| out.write_all(&file))
}

/// The bytes that [`write_png`] writes.
///
/// # Errors
/// As [`write_png`], but for those of files.
pub fn png_bytes(raster: &HostRaster, range: RangeInclusive<f32>) -> Result<Vec<u8>> {
    let (low, high) = (*range.start(), *range.end());
    if !(low.is_finite() && high.is_finite() && low < high) {
        return Err(Error::Kind {
            what: "range of a picture".to_owned(),
            expected: "two finite numbers, the first below the second".to_owned(),
            found: format!("{low} to {high}"),
        });
    }
    check(raster)?;
    let grey = |sample: &f32| (((sample - low) / (high - low)).clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16;
    let bytes: Vec<u8> = raster
        .samples
        .iter()
        .flat_map(|sample| grey(sample).to_ne_bytes())
        .collect();
    encoded_png(&bytes, [raster.width, raster.height], ExtendedColorType::L16)
}

/// A picture as a PNG of 8 bits of red, green, blue and alpha.
pub(crate) fn picture_bytes(picture: &Picture) -> Result<Vec<u8>> {
    let size = [picture.width, picture.height];
    encoded_png(&picture.rgba, size, ExtendedColorType::Rgba8)
}

fn encoded_png(bytes: &[u8], [width, height]: [u32; 2], color: ExtendedColorType) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut file);
    let written = encoder.write_image(bytes, width, height, color);
    written.map_err(|error| Error::Refused(format!("a PNG could not be made: {error}")))?;
    Ok(file)
}

/// Writes a raster as an OpenEXR picture of 32-bit floats, whole or not at all: every sample as it is, in red, green and
/// blue alike. Row 0 is the upper one.
///
/// # Errors
/// [`Error::Kind`] for an empty raster or a sample that is not finite, [`Error::File`] naming the path.
pub fn write_exr(path: impl AsRef<Path>, raster: &HostRaster) -> Result<()> {
    let file = exr_bytes(raster)?;
    write_whole(path.as_ref(), |out| out.write_all(&file))
}

/// The bytes that [`write_exr`] writes.
///
/// # Errors
/// As [`write_exr`], but for those of files.
pub fn exr_bytes(raster: &HostRaster) -> Result<Vec<u8>> {
    check(raster)?;
    let bytes: Vec<u8> = raster
        .samples
        .iter()
        .flat_map(|sample| [sample.to_ne_bytes(); 3])
        .flatten()
        .collect();
    let mut file = Cursor::new(Vec::new());
    let encoder = image::codecs::openexr::OpenExrEncoder::new(&mut file);
    let written = encoder.write_image(&bytes, raster.width, raster.height, ExtendedColorType::Rgb32F);
    written.map_err(|error| Error::Refused(format!("an OpenEXR picture could not be made: {error}")))?;
    Ok(file.into_inner())
}

fn check(raster: &HostRaster) -> Result<()> {
    let expected = u64::from(raster.width) * u64::from(raster.height);
    if expected == 0 || raster.samples.len() as u64 != expected {
        return Err(Error::Kind {
            what: "raster".to_owned(),
            expected: format!("{} x {} samples, more than none", raster.width, raster.height),
            found: raster.samples.len().to_string(),
        });
    }
    match raster.samples.iter().position(|sample| !sample.is_finite()) {
        None => Ok(()),
        Some(place) => Err(Error::Kind {
            what: format!("sample {place} of a raster"),
            expected: "a finite number".to_owned(),
            found: raster.samples[place].to_string(),
        }),
    }
}
