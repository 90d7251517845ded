//! What a feature is handed: to prepare with, and to draw a frame with.

use glam::Vec2;

use crate::{
    Camera, Channel, FeatureDesc, FrameParams, RenderError, Result, Scene, Seam,
    gpu::{Gpu, color_attachment},
    stats::Counters,
    targets::{COLOR_FORMAT, DEPTH_FORMAT, Targets},
};

/// What a feature prepares with. Pipelines and buffers made through it are counted in
/// [`Renderer::stats`](crate::Renderer::stats).
#[derive(Debug)]
pub struct FeatureSetup<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) frame_layout: &'a wgpu::BindGroupLayout,
    pub(crate) samples: u32,
    pub(crate) output_format: wgpu::TextureFormat,
}

impl FeatureSetup<'_> {
    /// The host's device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.gpu.device
    }

    /// The host's queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.gpu.queue
    }

    /// The layout of bind group 0: the text in [`shaders::FRAME`](crate::shaders::FRAME) declares it.
    #[must_use]
    pub fn frame_layout(&self) -> &wgpu::BindGroupLayout {
        self.frame_layout
    }

    /// Samples a pixel of the attachments before `post`: 1 or 4.
    #[must_use]
    pub fn sample_count(&self) -> u32 {
        self.samples
    }

    /// The format of the host's view.
    #[must_use]
    pub fn output_format(&self) -> wgpu::TextureFormat {
        self.output_format
    }

    /// The multisample state of a pipeline that draws into `sceneColor` before `post`.
    #[must_use]
    pub fn multisample(&self) -> wgpu::MultisampleState {
        wgpu::MultisampleState {
            count: self.samples,
            ..Default::default()
        }
    }

    /// The depth state of such a pipeline: nearer is greater. `TestAndWrite` is for a feature that lists `depth`.
    #[must_use]
    pub fn depth_state(&self, depth: DepthUse) -> wgpu::DepthStencilState {
        wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(depth == DepthUse::TestAndWrite),
            depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }
    }

    /// The format of `sceneColor`.
    #[must_use]
    pub fn scene_color_format(&self) -> wgpu::TextureFormat {
        COLOR_FORMAT
    }

    /// Makes a render pipeline and counts it.
    #[must_use]
    pub fn render_pipeline(&self, desc: &wgpu::RenderPipelineDescriptor<'_>) -> wgpu::RenderPipeline {
        self.gpu.render_pipeline(desc)
    }

    /// Makes a compute pipeline and counts it.
    #[must_use]
    pub fn compute_pipeline(&self, desc: &wgpu::ComputePipelineDescriptor<'_>) -> wgpu::ComputePipeline {
        self.gpu.compute_pipeline(desc)
    }

    /// Makes a buffer and counts it.
    #[must_use]
    pub fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.gpu.buffer(label, size, usage)
    }
}

/// How a pipeline of a feature treats the depth attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthUse {
    /// Hidden by what is nearer, hides nothing.
    Test,
    /// Hides what is farther, too.
    TestAndWrite,
}

/// What a feature draws a frame with.
#[derive(Debug)]
pub struct FeatureFrame<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) encoder: &'a mut wgpu::CommandEncoder,
    pub(crate) desc: &'a FeatureDesc,
    pub(crate) swaps_scene_color: bool,
    pub(crate) targets: &'a Targets,
    pub(crate) output: &'a wgpu::TextureView,
    pub(crate) frame_group: &'a wgpu::BindGroup,
    pub(crate) scene: &'a Scene,
    pub(crate) camera: &'a Camera,
    pub(crate) params: &'a FrameParams,
}

impl<'a> FeatureFrame<'a> {
    /// The host's device.
    #[must_use]
    pub fn device(&self) -> &'a wgpu::Device {
        &self.gpu.device
    }

    /// The host's queue. What is written through it lands before the frame's first command.
    #[must_use]
    pub fn queue(&self) -> &'a wgpu::Queue {
        &self.gpu.queue
    }

    pub(crate) fn gpu(&self) -> &'a Gpu {
        self.gpu
    }

    /// The frame's commands so far.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.encoder
    }

    /// What is shown.
    #[must_use]
    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// From where.
    #[must_use]
    pub fn camera(&self) -> &'a Camera {
        self.camera
    }

    /// Size, time and exposure.
    #[must_use]
    pub fn params(&self) -> &'a FrameParams {
        self.params
    }

    /// The picture's size, in pixels.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        Vec2::new(self.params.size[0] as f32, self.params.size[1] as f32)
    }

    /// Bind group 0.
    #[must_use]
    pub fn frame_group(&self) -> &'a wgpu::BindGroup {
        self.frame_group
    }

    /// A channel to read, one sample a pixel.
    ///
    /// # Errors
    /// [`RenderError::UndeclaredChannel`] when the description does not list it under `reads`.
    pub fn read(&self, channel: &Channel) -> Result<&'a wgpu::TextureView> {
        let view = self
            .desc
            .reads
            .contains(channel)
            .then(|| self.targets.channel(channel))
            .flatten();
        view.ok_or_else(|| self.undeclared(channel, "read"))
    }

    /// A channel as the last frame left it.
    ///
    /// # Errors
    /// [`RenderError::UndeclaredChannel`] when the description does not list it under `reads_previous`.
    pub fn previous(&self, channel: &Channel) -> Result<&'a wgpu::TextureView> {
        let view = self
            .desc
            .reads_previous
            .contains(channel)
            .then(|| self.targets.previous(channel))
            .flatten();
        view.ok_or_else(|| self.undeclared(channel, "read the previous"))
    }

    /// A channel to write: before `post`, `sceneColor` and `depth` are the attachments, with
    /// [`FeatureSetup::sample_count`] samples; every other channel has one.
    ///
    /// # Errors
    /// [`RenderError::UndeclaredChannel`] when the description does not list it under `writes`.
    pub fn write(&self, channel: &Channel) -> Result<&'a wgpu::TextureView> {
        let post = self.desc.seam == Seam::Post;
        let view = match channel.name() {
            _ if !self.desc.writes.contains(channel) => None,
            "output" => Some(self.output),
            "depth" => Some(&self.targets.depth_attachment),
            "sceneColor" if !post => Some(&self.targets.color_attachment),
            "sceneColor" if self.swaps_scene_color => self.targets.next_scene_color(),
            _ => self.targets.channel(channel),
        };
        view.ok_or_else(|| self.undeclared(channel, "write"))
    }

    /// A render pass over the channels that the description lists under `writes`, in that order, keeping what is in
    /// them. Before `post`, a feature that writes `sceneColor` gets the depth attachment too: to test against, or to
    /// write where it lists `depth`. Bind group 0 is set.
    ///
    /// # Errors
    /// None when the description lists at least one channel it writes.
    pub fn pass(&mut self, label: &str) -> Result<wgpu::RenderPass<'_>> {
        let colors = self.desc.writes.iter().filter(|c| **c != Channel::DEPTH);
        let views = colors.map(|c| self.write(c)).collect::<Result<Vec<_>>>()?;
        let attachments: Vec<_> = views
            .into_iter()
            .map(|view| Some(color_attachment(view, None, wgpu::LoadOp::Load)))
            .collect();
        let draws_in_scene = self.desc.seam != Seam::Post && self.desc.writes.contains(&Channel::SCENE_COLOR);
        let writes_depth = self.desc.writes.contains(&Channel::DEPTH);
        let keep = wgpu::Operations {
            load: wgpu::LoadOp::Load,
            store: wgpu::StoreOp::Store,
        };
        let depth = (draws_in_scene || writes_depth).then_some(wgpu::RenderPassDepthStencilAttachment {
            view: &self.targets.depth_attachment,
            depth_ops: writes_depth.then_some(keep),
            stencil_ops: None,
        });
        let mut pass = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &attachments,
            depth_stencil_attachment: depth,
            ..Default::default()
        });
        pass.set_bind_group(0, self.frame_group, &[]);
        Ok(pass)
    }

    /// Adds to the count of draws.
    pub fn count_draws(&self, draws: u64) {
        Counters::add(&self.gpu.counters.draws, draws);
    }

    fn undeclared(&self, channel: &Channel, access: &'static str) -> RenderError {
        RenderError::UndeclaredChannel {
            feature: self.desc.name.clone(),
            channel: channel.clone(),
            access,
        }
    }
}
