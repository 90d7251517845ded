//! The density map as a file.

use crate::density::{Density, DensityShape, MAX_SIDE, Texel};
use crate::error::{Error, Result};
use glam::Vec2;

/// The first four bytes of a file.
pub const MAGIC: [u8; 4] = *b"ZGDM";

/// The version that is written, and the only one read.
pub const VERSION: u32 = 1;

/// Bytes before the texels, bytes of a texel, bytes behind them.
const HEADER: usize = 28;
const TEXEL: usize = 8;
const SUM: usize = 4;

impl Density {
    /// The map as a file: little-endian words, 32 bytes and 8 a texel.
    ///
    /// | byte | what |
    /// |---|---|
    /// | 0 | `ZGDM` |
    /// | 4 | version, u32: 1 |
    /// | 8, 12 | width and depth in texels, u32 |
    /// | 16 | side of a texel in metres, f32 |
    /// | 20, 24 | x and z of the corner in metres, f32 |
    /// | 28 | for each texel, x running fastest: R and G, f32 |
    /// | last 4 | FNV-1a (32 bit) of all before it, finished by murmur3's finaliser, u32 |
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = self.shape();
        let mut bytes = Vec::with_capacity(HEADER + self.texels().len() * TEXEL + SUM);
        bytes.extend(MAGIC);
        bytes.extend(
            [VERSION, shape.width, shape.depth]
                .into_iter()
                .flat_map(u32::to_le_bytes),
        );
        let place = [shape.texel_m, shape.corner_m.x, shape.corner_m.y];
        bytes.extend(place.into_iter().flat_map(f32::to_le_bytes));
        for texel in self.texels() {
            bytes.extend(texel.chance.to_le_bytes());
            bytes.extend(texel.scale.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads a file that [`to_bytes`](Self::to_bytes) wrote: the same map to the bit.
    ///
    /// Refused with the place of the fault: another magic or version, a side of 0 or above [`MAX_SIDE`], a number out
    /// of range or NaN, a byte too few or too many, and a wrong checksum. Nothing is allocated before the length is
    /// known to fit the size that the header claims.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let shape = read_shape(bytes)?;
        let end = HEADER + shape.len() * TEXEL;
        if bytes.len() != end + SUM {
            let size = format!("{} bytes for {} by {} texels", end + SUM, shape.width, shape.depth);
            return Err(fault(
                bytes.len().min(end + SUM),
                size,
                format!("{} bytes", bytes.len()),
            ));
        }
        let mut texels = Vec::with_capacity(shape.len());
        for at in (HEADER..end).step_by(TEXEL) {
            let chance = number(bytes, at, "a chance", 1.0)?;
            texels.push(Texel::new(chance, number(bytes, at + 4, "a scale", Texel::MAX_SCALE)?));
        }
        let (held, found) = (word(bytes, end)?, checksum(bytes.get(..end).unwrap_or_default()));
        if held != found {
            return Err(fault(
                end,
                format!("the checksum {found:#010x}"),
                format!("{held:#010x}"),
            ));
        }
        Self::from_texels(shape, texels)
    }
}

fn read_shape(bytes: &[u8]) -> Result<DensityShape> {
    let magic = word(bytes, 0)?.to_le_bytes();
    if magic != MAGIC {
        return Err(fault(0, "`ZGDM`", format!("`{}`", magic.escape_ascii())));
    }
    let version = word(bytes, 4)?;
    if version != VERSION {
        return Err(fault(4, format!("version {VERSION}"), version));
    }
    let (width, depth) = (word(bytes, 8)?, word(bytes, 12)?);
    for (at, side) in [(8, width), (12, depth)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(fault(at, format!("1 to {MAX_SIDE} texels a side"), side));
        }
    }
    // One number after the other into a shape that is sound so far, so that what is refused is the one at that byte.
    let shape = sound(16, DensityShape::new(width, depth).with_texel_m(float(bytes, 16)?))?;
    let x_m = float(bytes, 20)?;
    let shape = sound(20, shape.at(Vec2::new(x_m, 0.0)))?;
    sound(24, shape.at(Vec2::new(x_m, float(bytes, 24)?)))
}

/// The shape, or the fault of the number at a byte that went into it last.
fn sound(at: usize, shape: DensityShape) -> Result<DensityShape> {
    match shape.validate() {
        Ok(()) => Ok(shape),
        Err(Error::Value { what, expected, found }) => Err(fault(at, format!("{what} of {expected}"), found)),
        Err(other) => Err(other),
    }
}

/// A number of a texel: 0 to `most`.
fn number(bytes: &[u8], at: usize, what: &str, most: f32) -> Result<f32> {
    let number = float(bytes, at)?;
    if (0.0..=most).contains(&number) {
        Ok(number)
    } else {
        Err(fault(at, format!("{what} of 0 to {most}"), number))
    }
}

/// The little-endian word at a place, or where the file ends before it does.
fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    let four = four.ok_or_else(|| fault(bytes.len(), "more bytes", "the end of the file"))?;
    Ok(u32::from_le_bytes(four))
}

fn float(bytes: &[u8], at: usize) -> Result<f32> {
    word(bytes, at).map(f32::from_bits)
}

fn checksum(bytes: &[u8]) -> u32 {
    let words = bytes
        .chunks_exact(4)
        .map(|word| word.iter().rev().fold(0, |sum, &byte| (sum << 8) | u32::from(byte)));
    zero_noise::finish(words.fold(0x811c_9dc5, zero_noise::fold_u32))
}

#[cold]
fn fault(at: usize, expected: impl ToString, found: impl ToString) -> Error {
    Error::File {
        at,
        expected: expected.to_string(),
        found: found.to_string(),
    }
}
