//! [`Texture`]: an image asset, its description and its texels.

mod info;
mod payload;

use zero_vfs::{Kind, Vfs, VfsPath};

pub use info::{Bounds, ColorSpace, Elevation, Format, Rows, TextureInfo, Unit, Wrap};

use crate::diagnostic::{Diagnostic, Loaded};
use crate::error::{Error, Result};

/// The most a texture may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureLimits {
    /// Columns, and rows. 16 384 by default.
    pub max_edge: u32,
    /// Bytes of decoded texels. 1 GiB by default. A payload may have as many, and 64 KiB for its headers.
    pub max_bytes: u64,
}

impl Default for TextureLimits {
    fn default() -> Self {
        Self {
            max_edge: 16_384,
            max_bytes: 1 << 30,
        }
    }
}

impl TextureLimits {
    /// The same with another longest edge.
    #[must_use]
    pub fn max_edge(self, max_edge: u32) -> Self {
        Self { max_edge, ..self }
    }

    /// The same with another number of bytes.
    #[must_use]
    pub fn max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    fn check(&self, file: &VfsPath, info: &TextureInfo) -> Result<()> {
        let ([width, height], bytes) = (info.size, info.bytes());
        let limit = if width.max(height) > self.max_edge {
            format!("an edge of {}", self.max_edge)
        } else if bytes > self.max_bytes {
            format!("{} bytes", self.max_bytes)
        } else {
            return Ok(());
        };
        Err(Error::TooLarge {
            file: file.clone(),
            width,
            height,
            bytes,
            limit,
        })
    }
}

/// Texels: rows from the top, in each row texels from the left, in each texel its channels.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    /// 8 bits a channel.
    U8(Vec<u8>),
    /// 16 bits a channel.
    U16(Vec<u16>),
    /// 32-bit floats, all finite.
    F32(Vec<f32>),
}

impl Texels {
    /// How many values there are: columns x rows x channels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::U16(values) => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at `index`, as it is stored: an 8 or 16 bit value is not scaled to 0..1.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<f32> {
        match self {
            Self::U8(values) => values.get(index).map(|&value| f32::from(value)),
            Self::U16(values) => values.get(index).map(|&value| f32::from(value)),
            Self::F32(values) => values.get(index).copied(),
        }
    }

    fn element(&self) -> &'static str {
        match self {
            Self::U8(_) => "u8",
            Self::U16(_) => "u16",
            Self::F32(_) => "f32",
        }
    }
}

/// An image and what it is. Read with [`Texture::load`], written with [`Texture::save`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Texture {
    /// What `texture.yaml` says.
    pub info: TextureInfo,
    /// The texels, `info.size[0] * info.size[1] * info.format.channels()` values.
    pub texels: Texels,
}

/// The file of a texture that describes it.
pub(crate) const TEXTURE_FILE: &str = "texture.yaml";

impl Texture {
    /// A texture of `texels`, checked against `info`.
    ///
    /// # Errors
    /// [`Error::Info`] if `info` is unsound, [`Error::TexelCount`], [`Error::TexelType`],
    /// [`Error::NotFinite`].
    pub fn new(info: TextureInfo, texels: Texels) -> Result<Self> {
        let texture = Self { info, texels };
        texture.check()?;
        Ok(texture)
    }

    fn check(&self) -> Result<()> {
        let Self { info, texels } = self;
        info.check().map_err(|(_, message)| Error::Info { message })?;
        let ([width, height], format) = (info.size, info.format);
        if texels.element() != format.element() {
            let (expected, found) = (format.element(), texels.element());
            return Err(Error::TexelType {
                format,
                expected,
                found,
            });
        }
        let expected = u64::from(width) * u64::from(height) * u64::from(format.channels());
        if texels.len() as u64 != expected {
            return Err(Error::TexelCount {
                width,
                height,
                format,
                expected,
                found: texels.len() as u64,
            });
        }
        check_finite(&VfsPath::root().join(&info.payload)?, info, texels)
    }

    /// Reads the texture in the folder `folder`. Size and format are compared with the payload's header
    /// before anything is decoded.
    ///
    /// # Errors
    /// [`Error::Vfs`], [`Error::Yaml`], [`Error::NewerVersion`], [`Error::TooLarge`], [`Error::Image`] for a
    /// payload that is broken or cut short, [`Error::Payload`] for one of another size or format,
    /// [`Error::NotFinite`].
    pub fn load(vfs: &Vfs, folder: &VfsPath, limits: &TextureLimits) -> Result<Loaded<Self>> {
        let Loaded {
            value: info,
            mut diagnostics,
        } = TextureInfo::load(vfs, folder)?;
        let file = folder.join(TEXTURE_FILE)?;
        limits.check(&file, &info)?;
        let payload = folder.join(&info.payload)?;
        let bytes = vfs.read_bounded(&payload, limits.max_bytes.saturating_add(64 << 10))?;
        let texels = payload::decode(&payload, &bytes, &info, limits)?;
        check_finite(&payload, &info, &texels)?;
        let value = Self { info, texels };
        diagnostics.extend(value.check_range(&file));
        Ok(Loaded { value, diagnostics })
    }

    /// Writes the texture into the folder `folder`: the payload, then `texture.yaml`. Each file is whole at
    /// every moment. The same texture gives the same bytes on every machine. A payload of another name that the
    /// `texture.yaml` before it named is removed last; one that a read-only mount holds stays.
    ///
    /// # Errors
    /// [`Error::Vfs`], [`Error::Image`], and as [`Texture::new`] if a field was changed to something unsound.
    pub fn save(&self, vfs: &Vfs, folder: &VfsPath) -> Result<()> {
        self.check()?;
        let payload = folder.join(&self.info.payload)?;
        let bytes = payload::encode(&payload, &self.info, &self.texels)?;
        let text = self.info.to_yaml()?;
        let left = payload_before(vfs, folder)?.filter(|before| *before != payload);
        vfs.write(&payload, &bytes)?;
        vfs.write(&folder.join(TEXTURE_FILE)?, text.as_bytes())?;
        match left.map_or(Ok(()), |before| vfs.remove(&before)) {
            Err(zero_vfs::Error::ReadOnly { .. }) => Ok(()),
            removed => Ok(removed?),
        }
    }

    /// The heights in metres of an elevation model, row by row: the first channel of each texel times the
    /// scale, plus the offset. Row 0 is the edge that `info.elevation.rows` names first.
    ///
    /// # Errors
    /// [`Error::NoElevation`] if `texture.yaml` says nothing of heights.
    pub fn heights_m(&self) -> Result<Vec<f32>> {
        let elevation = self.info.elevation.as_ref().ok_or(Error::NoElevation)?;
        let channels = self.info.format.channels() as usize;
        let firsts = (0..self.texels.len())
            .step_by(channels)
            .filter_map(|index| self.texels.get(index));
        Ok(firsts.map(|value| elevation.height_m(value)).collect())
    }

    /// A warning if a value lies outside the range that the elevation model claims.
    fn check_range(&self, file: &VfsPath) -> Option<Diagnostic> {
        let [low, high] = self.info.elevation.as_ref()?.range?;
        let channels = self.info.format.channels() as usize;
        let mut values = (0..self.texels.len())
            .step_by(channels)
            .filter_map(|index| self.texels.get(index))
            .map(f64::from);
        let outside = values.find(|value| !(low..=high).contains(value))?;
        let message = format!("the payload holds {outside}, outside the range of {low} to {high} that is claimed");
        Some(Diagnostic::warning("texture.range", file, message))
    }
}

/// The file that the `texture.yaml` of a folder names, where both are there. One that cannot be understood names none:
/// it is about to be replaced.
fn payload_before(vfs: &Vfs, folder: &VfsPath) -> Result<Option<VfsPath>> {
    if vfs.stat(&folder.join(TEXTURE_FILE)?)?.is_none() {
        return Ok(None);
    }
    let payload = match TextureInfo::load(vfs, folder) {
        Ok(before) => folder.join(&before.value.payload)?,
        Err(Error::Vfs(error)) => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    let is_file = vfs.stat(&payload)?.is_some_and(|stat| stat.kind == Kind::File);
    Ok(is_file.then_some(payload))
}

fn check_finite(payload: &VfsPath, info: &TextureInfo, texels: &Texels) -> Result<()> {
    let Texels::F32(values) = texels else { return Ok(()) };
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let texel = index as u64 / u64::from(info.format.channels());
            let width = u64::from(info.size[0].max(1));
            Err(Error::NotFinite {
                file: payload.clone(),
                // Both lie within the size, which is of 32 bits.
                x: (texel % width) as u32,
                y: (texel / width) as u32,
                value: values[index],
            })
        }
    }
}
