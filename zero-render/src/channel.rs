//! Channels: the named pictures that the passes of a frame hand to each other.

use std::{borrow::Cow, fmt};

use wgpu::TextureFormat;

/// The name of a picture that some pass of the frame writes and later ones read.
///
/// The constants are the channels that the frame itself knows. A feature may make its own with [`Channel::named`] and
/// declare its format where it writes it ([`FeatureDesc::writes_own`](crate::FeatureDesc::writes_own)).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel(Cow<'static, str>);

impl Channel {
    /// Reversed depth, `near / distance along the view axis`, 0 where nothing was drawn; `r32float`, read with
    /// `textureLoad`. With multisampling a pixel's depth is that of its farthest sample, so that what looks behind a
    /// silhouette does not find the silhouette.
    pub const DEPTH: Self = Self::fixed("depth");
    /// World-space normal in `xyz`, 1 in `w` where an opaque surface was drawn; `rgba16float`.
    pub const NORMAL: Self = Self::fixed("normal");
    /// Roughness, ambient occlusion, reflectance at normal incidence and a free lane; `rgba8unorm`.
    pub const MATERIAL: Self = Self::fixed("material");
    /// Motion in pixels since the last frame; `rg16float`. The frame itself does not write it: a feature may.
    pub const VELOCITY: Self = Self::fixed("velocity");
    /// Reflected radiance in `rgb` and how far to trust it in `a`; `rgba16float`. What a feature at
    /// [`Seam::AfterDepthPrepass`](crate::Seam::AfterDepthPrepass) writes here replaces the sky's reflection in every
    /// opaque surface of the same frame.
    pub const REFLECTION: Self = Self::fixed("reflection");
    /// The light that the last frame ended with, before `post`: black in the first frame and after a change of size or of
    /// the list of features; `rgba16float`. Readable at every seam; the frame writes it, also while no active feature
    /// reads it.
    pub const COLOR_HISTORY: Self = Self::fixed("colorHistory");
    /// Linear light times exposure; `rgba16float`. Before `post` it is written as the multisampled attachment.
    pub const SCENE_COLOR: Self = Self::fixed("sceneColor");
    /// The host's view, in the format it was announced with. Written at `post`, never read.
    pub const OUTPUT: Self = Self::fixed("output");

    const fn fixed(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A channel by name: one of the frame's, or one of the caller's own.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The frame's own passes fill it anew in every frame where it is wanted.
    pub(crate) fn is_written_by_frame(&self) -> bool {
        matches!(
            self.name(),
            "depth" | "sceneColor" | "normal" | "material" | "colorHistory"
        )
    }

    /// The format of a channel that the frame knows; `None` for the caller's own and for `output`.
    #[must_use]
    pub fn format(&self) -> Option<TextureFormat> {
        match self.name() {
            "depth" => Some(TextureFormat::R32Float),
            "normal" | "reflection" | "colorHistory" | "sceneColor" => Some(TextureFormat::Rgba16Float),
            "material" => Some(TextureFormat::Rgba8Unorm),
            "velocity" => Some(TextureFormat::Rg16Float),
            _ => None,
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
