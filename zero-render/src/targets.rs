//! The textures of a frame: attachments that are drawn into and channels that are read.

use std::collections::BTreeMap;

use wgpu::{TextureFormat as F, TextureUsages as U, TextureView};

use crate::{
    Channel, FramePlan,
    gpu::{Gpu, color_attachment},
};

/// The format of the depth attachment.
pub(crate) const DEPTH_FORMAT: F = F::Depth32Float;
/// The format of the scene's light.
pub(crate) const COLOR_FORMAT: F = F::Rgba16Float;
pub(crate) const NORMAL_FORMAT: F = F::Rgba16Float;
pub(crate) const MATERIAL_FORMAT: F = F::Rgba8Unorm;

/// Every texture that a frame of one size and one list of features needs.
#[derive(Debug)]
pub(crate) struct Targets {
    pub(crate) size: [u32; 2],
    pub(crate) color_attachment: TextureView,
    pub(crate) depth_attachment: TextureView,
    /// The opaque pass writes `normal` and `material`.
    surface_channels: bool,
    /// With multisampling: what the two are resolved from.
    surface_attachments: Option<[TextureView; 2]>,
    channels: BTreeMap<Channel, ChannelTextures>,
    /// Which of two textures is this frame's.
    parity: usize,
    /// Which of `sceneColor`'s two textures holds the picture.
    scene_color: usize,
}

#[derive(Debug)]
struct ChannelTextures {
    views: Vec<TextureView>,
    keeps_previous: bool,
    /// For a format that no pass can clear as a colour: a texture that is never written, and so holds zeros.
    blank: Option<TextureView>,
}

impl Targets {
    pub(crate) fn new(gpu: &Gpu, plan: &FramePlan, size: [u32; 2], samples: u32) -> Self {
        let drawn = U::RENDER_ATTACHMENT | U::TEXTURE_BINDING;
        let surface_attachments = (plan.surface_channels && samples > 1).then(|| {
            [
                ("normal attachment", NORMAL_FORMAT),
                ("material attachment", MATERIAL_FORMAT),
            ]
            .map(|(label, format)| gpu.picture(label, size, samples, format, U::RENDER_ATTACHMENT))
        });
        let channels = plan.channels.iter().map(|(channel, used)| {
            let swaps = *channel == Channel::SCENE_COLOR && plan.swaps_scene_color;
            let count = if used.keeps_previous || swaps { 2 } else { 1 };
            let usage = channel_usage(gpu, used.format);
            let view = |_| gpu.picture(channel.name(), size, 1, used.format, usage);
            let clears_as_color = usage.contains(U::RENDER_ATTACHMENT) && !used.format.is_depth_stencil_format();
            let textures = ChannelTextures {
                views: (0..count).map(view).collect(),
                keeps_previous: used.keeps_previous,
                blank: (!clears_as_color).then(|| gpu.picture("blank", size, 1, used.format, U::COPY_SRC)),
            };
            (channel.clone(), textures)
        });
        Self {
            size,
            color_attachment: gpu.picture(
                "scene color attachment",
                size,
                samples,
                COLOR_FORMAT,
                drawn | U::COPY_SRC,
            ),
            depth_attachment: gpu.picture("depth attachment", size, samples, DEPTH_FORMAT, drawn),
            surface_channels: plan.surface_channels,
            surface_attachments,
            channels: channels.collect(),
            parity: 0,
            scene_color: 0,
        }
    }

    /// Makes this frame's channels the last frame's. A frame that is drawn again under its old index finds the same.
    pub(crate) fn begin_frame(&mut self, frame_index: u64) {
        self.parity = usize::from(frame_index % 2 == 1);
        self.scene_color = 0;
    }

    pub(crate) fn swap_scene_color(&mut self) {
        self.scene_color ^= 1;
    }

    /// The channel as it stands; `None` for one that the plan has no texture for.
    pub(crate) fn channel(&self, channel: &Channel) -> Option<&TextureView> {
        self.view(channel, self.parity, self.scene_color)
    }

    /// The channel as the last frame left it.
    pub(crate) fn previous(&self, channel: &Channel) -> Option<&TextureView> {
        self.view(channel, self.parity ^ 1, self.scene_color)
    }

    /// Fills the channel with zeros.
    pub(crate) fn clear(&self, encoder: &mut wgpu::CommandEncoder, channel: &Channel) {
        let (Some(textures), Some(view)) = (self.channels.get(channel), self.channel(channel)) else {
            return;
        };
        let Some(blank) = &textures.blank else {
            encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("clear"),
                color_attachments: &[Some(color_attachment(
                    view,
                    None,
                    wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                ))],
                ..Default::default()
            });
            return;
        };
        let (from, to) = (blank.texture(), view.texture());
        encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
    }

    /// What the opaque pass draws into beside the light, `normal` and then `material`, and what each is resolved into
    /// where it is multisampled. `None` when the plan does not want them.
    pub(crate) fn surface_targets(&self) -> Option<[(&TextureView, Option<&TextureView>); 2]> {
        if !self.surface_channels {
            return None;
        }
        let (normal, material) = (self.channel(&Channel::NORMAL)?, self.channel(&Channel::MATERIAL)?);
        Some(match &self.surface_attachments {
            Some([n, m]) => [(n, Some(normal)), (m, Some(material))],
            None => [(normal, None), (material, None)],
        })
    }

    /// The other texture of `sceneColor`.
    pub(crate) fn next_scene_color(&self) -> Option<&TextureView> {
        self.view(&Channel::SCENE_COLOR, self.parity, self.scene_color ^ 1)
    }

    fn view(&self, channel: &Channel, parity: usize, scene_color: usize) -> Option<&TextureView> {
        let textures = self.channels.get(channel)?;
        let index = match textures {
            _ if *channel == Channel::SCENE_COLOR => scene_color,
            ChannelTextures {
                keeps_previous: true, ..
            } => parity,
            _ => 0,
        };
        textures.views.get(index)
    }
}

/// Everything that the format allows without optional device features.
fn channel_usage(gpu: &Gpu, format: F) -> U {
    let allowed = format.guaranteed_format_features(gpu.device.features()).allowed_usages;
    (U::RENDER_ATTACHMENT | U::TEXTURE_BINDING | U::COPY_SRC | U::COPY_DST | U::STORAGE_BINDING) & allowed
}
