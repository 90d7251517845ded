//! From the scene's light to the host's view.

use crate::{
    Channel, Feature, FeatureDesc, FeatureFrame, FeatureSetup, Result, Seam,
    features::{CachedGroup, unprepared},
    gpu::{Slot, overwriting_pass},
    shaders,
};

/// How the picture looks on a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToneMapOptions {
    /// Exponent on the film curve's own scale; 1 is flat and true, more is punchier.
    pub contrast: f32,
    /// Distance from grey on the same scale; 1 is true.
    pub saturation: f32,
}

impl Default for ToneMapOptions {
    fn default() -> Self {
        Self {
            contrast: 1.25,
            saturation: 1.3,
        }
    }
}

/// Film curve, sRGB encoding and dither. At `post`, order 1000; reads `sceneColor`, writes `output`.
///
/// The encoding is done by the hardware where the view's format is an sRGB one, and here where it is not. Formats of 8
/// bits are dithered by one step; 16-bit floats are not.
#[derive(Debug, Default)]
pub struct ToneMap {
    /// The look. A change shows in the next frame.
    pub options: ToneMapOptions,
    prepared: Option<Prepared>,
    group: CachedGroup,
}

#[derive(Debug)]
struct Prepared {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    uniform: wgpu::Buffer,
    encode_here: bool,
    dither: f32,
}

impl ToneMap {
    /// With another look.
    #[must_use]
    pub fn new(options: ToneMapOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }
}

impl Feature for ToneMap {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("toneMap", Seam::Post, 1000)
            .reads(Channel::SCENE_COLOR)
            .writes(Channel::OUTPUT)
    }

    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()> {
        let gpu = setup.gpu;
        let layout = gpu.layout("tone map", &[Slot::Uniform, Slot::Loaded]);
        let pipeline_layout = gpu.pipeline_layout("tone map", &[setup.frame_layout(), &layout]);
        let format = setup.output_format();
        let pipeline = gpu.fullscreen_pipeline(
            "tone map",
            shaders::TONE_MAP,
            "fs_tone_map",
            Some(&pipeline_layout),
            format,
        );
        let uniform = setup.buffer(
            "tone map",
            16,
            wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        );
        let float = matches!(
            format,
            wgpu::TextureFormat::Rgba16Float | wgpu::TextureFormat::Rgba32Float
        );
        let encode_here = !format.is_srgb() && !float;
        let dither = if float { 0.0 } else { 1.0 / 255.0 };
        self.prepared = Some(Prepared {
            pipeline,
            layout,
            uniform,
            encode_here,
            dither,
        });
        self.group = CachedGroup::default();
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let prepared = self.prepared.as_ref().ok_or_else(|| unprepared("toneMap"))?;
        let look = self.options;
        let encode = if prepared.encode_here { 1.0 } else { 0.0 };
        let tone = [look.contrast, look.saturation, encode, prepared.dither];
        frame
            .queue()
            .write_buffer(&prepared.uniform, 0, bytemuck::cast_slice(&tone));
        let color = frame.read(&Channel::SCENE_COLOR)?;
        let gpu = frame.gpu();
        let group = self.group.get(&[color], || {
            let resources = [
                prepared.uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(color),
            ];
            gpu.bind("tone map", &prepared.layout, &resources)
        });
        let output = frame.write(&Channel::OUTPUT)?;
        let frame_group = frame.frame_group();
        let mut pass = overwriting_pass(frame.encoder(), "tone map", output);
        pass.set_pipeline(&prepared.pipeline);
        pass.set_bind_group(0, frame_group, &[]);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        frame.count_draws(1);
        Ok(())
    }
}
