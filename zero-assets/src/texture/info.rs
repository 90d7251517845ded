//! [`TextureInfo`]: what a `texture.yaml` says.

use std::fmt;

use serde::{Deserialize, Serialize};
use zero_vfs::{Vfs, VfsPath};

use crate::diagnostic::Loaded;
use crate::error::Result;
use crate::texture::TEXTURE_FILE;
use crate::yaml_file;

const VERSION: u32 = 1;

/// How a texel is stored: channels, then bits a channel. 8 and 16 bit formats are PNG, floats are OpenEXR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// One channel of 8 bits.
    R8,
    /// Three channels of 8 bits.
    Rgb8,
    /// Four channels of 8 bits.
    Rgba8,
    /// One channel of 16 bits.
    R16,
    /// Three channels of 16 bits.
    Rgb16,
    /// Four channels of 16 bits.
    Rgba16,
    /// Three channels of 32-bit floats.
    Rgb32F,
    /// Four channels of 32-bit floats.
    Rgba32F,
}

impl Format {
    /// Channels a texel.
    #[must_use]
    pub fn channels(self) -> u32 {
        match self {
            Self::R8 | Self::R16 => 1,
            Self::Rgb8 | Self::Rgb16 | Self::Rgb32F => 3,
            Self::Rgba8 | Self::Rgba16 | Self::Rgba32F => 4,
        }
    }

    /// Bytes a channel, decoded.
    #[must_use]
    pub fn channel_bytes(self) -> u32 {
        match self {
            Self::R8 | Self::Rgb8 | Self::Rgba8 => 1,
            Self::R16 | Self::Rgb16 | Self::Rgba16 => 2,
            Self::Rgb32F | Self::Rgba32F => 4,
        }
    }

    /// How the payload's name ends.
    #[must_use]
    pub fn extension(self) -> &'static str {
        if self.channel_bytes() == 4 { "exr" } else { "png" }
    }

    pub(crate) fn element(self) -> &'static str {
        match self.channel_bytes() {
            1 => "u8",
            2 => "u16",
            _ => "f32",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::R8 => "r8",
            Self::Rgb8 => "rgb8",
            Self::Rgba8 => "rgba8",
            Self::R16 => "r16",
            Self::Rgb16 => "rgb16",
            Self::Rgba16 => "rgba16",
            Self::Rgb32F => "rgb32f",
            Self::Rgba32F => "rgba32f",
        })
    }
}

/// What the values of a texture mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorSpace {
    /// The values are what is measured: light, heights, weights.
    Linear,
    /// The values are colours as screens take them; they are decoded to linear before they are used.
    Srgb,
}

/// What is read beyond a texture's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// The texel at the edge.
    Clamp,
    /// The texture again.
    Repeat,
    /// The texture again, every other time mirrored.
    Mirror,
}

/// What a `texture.yaml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextureInfo {
    /// How a texel is stored.
    pub format: Format,
    /// Columns and rows.
    pub size: [u32; 2],
    /// What the values mean. Only 8-bit formats may be sRGB.
    pub color_space: ColorSpace,
    /// What is read beyond the edges.
    pub wrap: Wrap,
    /// How many levels a renderer makes, each of half the size: 1 is the image alone.
    #[serde(default = "one")]
    pub mips: u32,
    /// The file with the texels, in the texture's folder.
    pub payload: String,
    /// How the values are heights, for an elevation model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevation: Option<Elevation>,
    /// Where the image comes from and under which terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// How the values of a texture are heights of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Elevation {
    /// The unit of heights and cells.
    pub unit: Unit,
    /// Metres a step of the stored value.
    pub scale: f64,
    /// Metres at the stored value 0.
    pub offset: f64,
    /// The lowest and the highest stored value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Metres from one column to the next, and from one row to the next.
    #[serde(rename = "cellSize")]
    pub cell_size_m: [f64; 2],
    /// Which way the rows go.
    pub rows: Rows,
    /// The outer edges of the outer cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Unit {
    /// Metres.
    #[serde(rename = "m")]
    Metres,
}

/// Which way the rows of an elevation model go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rows {
    /// Row 0 is the northern edge.
    #[serde(rename = "north to south")]
    NorthToSouth,
    /// Row 0 is the southern edge.
    #[serde(rename = "south to north")]
    SouthToNorth,
}

/// A rectangle of the earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the four edges say it")]
pub struct Bounds {
    pub west: f64,
    pub east: f64,
    pub south: f64,
    pub north: f64,
}

impl Elevation {
    /// Heights in metres as they stand, in cells of `cell_size_m`, rows from the north.
    #[must_use]
    pub fn metres(cell_size_m: [f64; 2]) -> Self {
        let rows = Rows::NorthToSouth;
        Self {
            unit: Unit::Metres,
            scale: 1.0,
            offset: 0.0,
            range: None,
            cell_size_m,
            rows,
            bounds: None,
        }
    }

    /// The height in metres that a stored value stands for.
    #[must_use]
    pub fn height_m(&self, stored: f32) -> f32 {
        (f64::from(stored) * self.scale + self.offset) as f32
    }
}

/// What is wrong, and the key it is wrong at.
type Unsound = (&'static [&'static str], String);

impl TextureInfo {
    /// A linear texture that clamps, of one level, whose payload is called `image` and what its format needs.
    #[must_use]
    pub fn new(format: Format, size: [u32; 2]) -> Self {
        Self {
            format,
            size,
            color_space: ColorSpace::Linear,
            wrap: Wrap::Clamp,
            mips: 1,
            payload: format!("image.{}", format.extension()),
            elevation: None,
            source: None,
        }
    }

    /// Bytes of all texels, decoded.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let texel = u64::from(self.format.channels() * self.format.channel_bytes());
        u64::from(self.size[0])
            .saturating_mul(u64::from(self.size[1]))
            .saturating_mul(texel)
    }

    /// Reads the `texture.yaml` in a texture's folder. A key that is not read is a warning.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`], [`crate::Error::Yaml`] for what does not fit, with its place, and
    /// [`crate::Error::NewerVersion`].
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Loaded<Self>> {
        let file = folder.join(TEXTURE_FILE)?;
        let document = yaml_file::read(vfs, &file, VERSION)?;
        let info: Self = document.read()?;
        info.check()
            .map_err(|(steps, message)| document.error_at(steps, message))?;
        let known: [(&[&str], &[&str]); 3] = [
            (
                &[],
                &[
                    "version",
                    "format",
                    "size",
                    "colorSpace",
                    "wrap",
                    "mips",
                    "payload",
                    "elevation",
                    "source",
                ],
            ),
            (
                &["elevation"],
                &["unit", "scale", "offset", "range", "cellSize", "rows", "bounds"],
            ),
            (&["elevation", "bounds"], &["west", "east", "south", "north"]),
        ];
        let diagnostics = known
            .iter()
            .flat_map(|(steps, known)| yaml_file::unknown_keys(&document, &file, "texture.unknown_key", steps, known))
            .collect();
        Ok(Loaded {
            value: info,
            diagnostics,
        })
    }

    pub(crate) fn to_yaml(&self) -> Result<String> {
        #[derive(Serialize)]
        struct Versioned<'a> {
            version: u32,
            #[serde(flatten)]
            info: &'a TextureInfo,
        }
        Ok(zero_yaml::to_string(&Versioned {
            version: VERSION,
            info: self,
        })?)
    }

    /// What no type can say: sizes and levels that exist, a payload in the folder, sound numbers.
    pub(crate) fn check(&self) -> std::result::Result<(), Unsound> {
        let [width, height] = self.size;
        if width == 0 || height == 0 {
            return Err((
                &["size"],
                format!("{width} x {height} texels are none; both are at least 1"),
            ));
        }
        let most = u32::BITS - width.max(height).leading_zeros();
        if !(1..=most).contains(&self.mips) {
            let message = format!("{} levels; a texture of {width} x {height} has 1 to {most}", self.mips);
            return Err((&["mips"], message));
        }
        if self.color_space == ColorSpace::Srgb && self.format.channel_bytes() != 1 {
            return Err((
                &["colorSpace"],
                format!("{} is linear; only 8-bit formats are srgb", self.format),
            ));
        }
        let in_folder = VfsPath::root()
            .join(&self.payload)
            .is_ok_and(|path| path.segments().count() == 1);
        if !in_folder {
            return Err((
                &["payload"],
                format!("`{}` is no name of a file in this folder", self.payload),
            ));
        }
        let extension = self.format.extension();
        if !self.payload.ends_with(&format!(".{extension}")) {
            let message = format!(
                "`{}`: the payload of a texture of {} is a .{extension}",
                self.payload, self.format
            );
            return Err((&["payload"], message));
        }
        self.elevation.as_ref().map_or(Ok(()), Elevation::check)
    }
}

impl Elevation {
    fn check(&self) -> std::result::Result<(), Unsound> {
        if !self.scale.is_finite() || self.scale == 0.0 {
            return Err((
                &["elevation", "scale"],
                format!("{} metres a step give no heights", self.scale),
            ));
        }
        if !self.offset.is_finite() {
            return Err((&["elevation", "offset"], format!("{} is no height", self.offset)));
        }
        if self.cell_size_m.iter().any(|size| !size.is_finite() || *size <= 0.0) {
            let [x, z] = self.cell_size_m;
            return Err((
                &["elevation", "cellSize"],
                format!("cells of {x} by {z} m; both are more than 0"),
            ));
        }
        if let Some([low, high]) = self.range
            && !(low.is_finite() && high.is_finite() && low <= high)
        {
            return Err((
                &["elevation", "range"],
                format!("{low} to {high} is no range, lowest first"),
            ));
        }
        Ok(())
    }
}

fn one() -> u32 {
    1
}
