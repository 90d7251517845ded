//! What a renderer is made with, and what differs from frame to frame.

use crate::{RenderError, Result};

/// Optional device features that the renderer needs: none.
pub const REQUIRED_FEATURES: wgpu::Features = wgpu::Features::empty();
/// Limits that the renderer needs: WebGPU's defaults.
pub const REQUIRED_LIMITS: wgpu::Limits = wgpu::Limits::defaults();

/// Refuses a device by the first of its limits that is worse than what the renderer needs.
pub(crate) fn check_limits(actual: &wgpu::Limits) -> Result<()> {
    let mut worst = None;
    REQUIRED_LIMITS.check_limits_with_fail_fn(actual, true, |limit, expected, actual| {
        worst = Some(RenderError::DeviceLimit {
            limit,
            expected,
            actual,
        });
    });
    worst.map_or(Ok(()), Err)
}

/// Smoothing of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Antialiasing {
    /// One sample a pixel.
    Off,
    /// Four samples a pixel.
    #[default]
    Msaa4,
}

impl Antialiasing {
    pub(crate) fn samples(self) -> u32 {
        match self {
            Self::Off => 1,
            Self::Msaa4 => 4,
        }
    }
}

/// What a renderer is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RendererOptions {
    /// The format of the views that will be handed in. An sRGB format is encoded by the hardware, any other of 8 bits by
    /// the tone mapping; float formats get linear values.
    pub output_format: wgpu::TextureFormat,
    /// Smoothing of edges.
    pub antialiasing: Antialiasing,
}

impl RendererOptions {
    /// For views of this format, with 4 samples a pixel.
    #[must_use]
    pub fn new(output_format: wgpu::TextureFormat) -> Self {
        Self {
            output_format,
            antialiasing: Antialiasing::default(),
        }
    }
}

/// What differs from frame to frame, besides scene and camera.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameParams {
    /// Width and height of the view, in pixels.
    pub size: [u32; 2],
    /// Exposure value at ISO 100: about 14 at noon, 12 to 13 with a low sun, 8 after sunset.
    pub ev100: f32,
    /// The host's clock, for ripples. Nothing else moves by itself.
    pub time_secs: f32,
}

impl FrameParams {
    /// A picture of this size in daylight.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            size: [width, height],
            ev100: 13.0,
            time_secs: 0.0,
        }
    }

    /// What luminance in candela per square metre is multiplied by: the saturation-based definition of ISO 12232 (Lagarde
    /// and de Rousiers, "Moving Frostbite to PBR", 2014, section 5.1.1).
    #[must_use]
    pub fn exposure(&self) -> f32 {
        1.0 / (1.2 * self.ev100.exp2())
    }

    pub(crate) fn check(&self, limit: u32) -> Result<()> {
        let [width, height] = self.size;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::PictureSize { width, height, limit });
        }
        if !(-20.0..=40.0).contains(&self.ev100) {
            return Err(RenderError::OutOfRange {
                what: "params.ev100",
                expected: "-20 to 40",
                value: self.ev100,
            });
        }
        if !self.time_secs.is_finite() {
            let value = self.time_secs;
            return Err(RenderError::OutOfRange {
                what: "params.time_secs",
                expected: "finite seconds",
                value,
            });
        }
        Ok(())
    }
}
