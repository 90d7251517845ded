//! Features as a third party writes them, for the tests that draw with them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use zero_render::{Channel, Feature, FeatureDesc, FeatureFrame, FeatureSetup, Result, Scene, Seam, shaders, wgpu};

/// Fills every channel that it writes with one colour.
#[derive(Debug)]
pub(crate) struct Fill {
    pub(crate) desc: FeatureDesc,
    pub(crate) color: wgpu::Color,
}

impl Feature for Fill {
    fn desc(&self) -> FeatureDesc {
        self.desc.clone()
    }

    fn prepare(&mut self, _: &mut FeatureSetup<'_>) -> Result<()> {
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        for channel in &self.desc.writes {
            let view = frame.write(channel)?;
            let ops = wgpu::Operations {
                load: wgpu::LoadOp::Clear(self.color),
                store: wgpu::StoreOp::Store,
            };
            frame.encoder().begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops,
                })],
                ..Default::default()
            });
        }
        Ok(())
    }
}

/// Writes `sceneColor` at `post` from one texture that it reads, through a shader of its own that may use
/// `frame` too.
#[derive(Debug)]
pub(crate) struct Show {
    source: Channel,
    previous: bool,
    expression: &'static str,
    pipeline: Option<wgpu::RenderPipeline>,
}

impl Show {
    pub(crate) fn new(source: Channel, expression: &'static str) -> Self {
        Self {
            source,
            previous: false,
            expression,
            pipeline: None,
        }
    }

    /// Shows what the last frame left in the channel.
    pub(crate) fn previous(source: Channel, expression: &'static str) -> Self {
        Self {
            previous: true,
            ..Self::new(source, expression)
        }
    }
}

impl Feature for Show {
    fn desc(&self) -> FeatureDesc {
        let desc = FeatureDesc::new("show", Seam::Post, 10).writes(Channel::SCENE_COLOR);
        if self.previous {
            desc.reads_previous(self.source.clone())
        } else {
            desc.reads(self.source.clone())
        }
    }

    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()> {
        let body = format!(
            "@group(1) @binding(0) var source: texture_2d<f32>;
             @fragment fn fs_show(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {{
                 let value = textureLoad(source, vec2<i32>(at.xy), 0);
                 return {};
             }}",
            self.expression
        );
        let module = setup.device().create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl([shaders::FRAME, shaders::FULLSCREEN, &body].concat().into()),
        });
        let layout = setup
            .device()
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: None,
                entries: &[wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: false },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                    count: None,
                }],
            });
        let layout = setup.device().create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(setup.frame_layout()), Some(&layout)],
            immediate_size: 0,
        });
        self.pipeline = Some(setup.render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("show"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_fullscreen"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_show"),
                compilation_options: Default::default(),
                targets: &[Some(setup.scene_color_format().into())],
            }),
            multiview_mask: None,
            cache: None,
        }));
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let pipeline = self.pipeline.as_ref().expect("prepared");
        let source = if self.previous {
            frame.previous(&self.source)?
        } else {
            frame.read(&self.source)?
        };
        let group = frame.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(1),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(source),
            }],
        });
        let mut pass = frame.pass("show")?;
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &group, &[]);
        pass.draw(0..3, 0..1);
        Ok(())
    }
}

/// Copies `colorHistory` into a channel of its own, before anything is shaded.
#[derive(Debug)]
pub(crate) struct CopyHistory {
    pub(crate) into: Channel,
}

impl Feature for CopyHistory {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("copy", Seam::AfterDepthPrepass, 0)
            .reads(Channel::COLOR_HISTORY)
            .writes_own(self.into.clone(), wgpu::TextureFormat::Rgba16Float)
    }

    fn prepare(&mut self, _: &mut FeatureSetup<'_>) -> Result<()> {
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let (from, to) = (
            frame.read(&Channel::COLOR_HISTORY)?.texture(),
            frame.write(&self.into)?.texture(),
        );
        frame
            .encoder()
            .copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        Ok(())
    }
}

/// Reads a channel that it did not list.
#[derive(Debug)]
pub(crate) struct Sneak;

impl Feature for Sneak {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("sneak", Seam::AfterTransparent, 0)
    }

    fn prepare(&mut self, _: &mut FeatureSetup<'_>) -> Result<()> {
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        frame.read(&Channel::DEPTH).map(|_| ())
    }
}

/// Fails, after everything that lies in the scene was drawn, while it is told to.
#[derive(Debug)]
pub(crate) struct FailsWhile(pub(crate) Arc<AtomicBool>);

impl Feature for FailsWhile {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("failsWhile", Seam::AfterTransparent, 0)
    }

    fn prepare(&mut self, _: &mut FeatureSetup<'_>) -> Result<()> {
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        if self.0.load(Relaxed) {
            frame.read(&Channel::DEPTH)?;
        }
        Ok(())
    }
}

/// Another feature, which rests while it is told to.
#[derive(Debug)]
pub(crate) struct RestsWhile {
    pub(crate) feature: Box<dyn Feature>,
    pub(crate) rests: Arc<AtomicBool>,
}

impl Feature for RestsWhile {
    fn desc(&self) -> FeatureDesc {
        self.feature.desc()
    }

    fn active(&self, scene: &Scene) -> bool {
        !self.rests.load(Relaxed) && self.feature.active(scene)
    }

    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()> {
        self.feature.prepare(setup)
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        self.feature.encode(frame)
    }
}

/// The channel `mask`, of four bytes a pixel in a format of choice, is filled with bytes of 127 by an upload.
#[derive(Debug)]
pub(crate) struct UploadMask(pub(crate) wgpu::TextureFormat);

impl UploadMask {
    pub(crate) fn channel() -> Channel {
        Channel::named("mask")
    }
}

impl Feature for UploadMask {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("uploadMask", Seam::AfterOpaque, 5).writes_own(Self::channel(), self.0)
    }

    fn prepare(&mut self, _: &mut FeatureSetup<'_>) -> Result<()> {
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let texture = frame.write(&Self::channel())?.texture();
        let bytes = vec![127; (texture.width() * texture.height() * 4) as usize];
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(texture.width() * 4),
            rows_per_image: None,
        };
        frame
            .queue()
            .write_texture(texture.as_image_copy(), &bytes, layout, texture.size());
        Ok(())
    }
}
