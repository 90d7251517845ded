//! The host's device with counted creation, and shorthands for what every pass needs.

use wgpu::util::DeviceExt;

use crate::{RenderError, Result, stats::Counters};

/// A device and queue, and the counts of what was made on them.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) counters: Counters,
}

/// One entry of a bind group layout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    Uniform,
    /// A uniform whose offset is given with every draw; so many bytes long.
    DynamicUniform(u64),
    /// A float texture that is sampled.
    Sampled,
    /// A float texture that is only loaded.
    Loaded,
    LoadedMultisampled,
    Depth,
    DepthMultisampled,
    DepthArray,
    Sampler,
    Comparison,
}

impl Gpu {
    pub(crate) fn shader(&self, label: &str, source: &str) -> wgpu::ShaderModule {
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        })
    }

    pub(crate) fn render_pipeline(&self, desc: &wgpu::RenderPipelineDescriptor<'_>) -> wgpu::RenderPipeline {
        Counters::add(&self.counters.pipelines, 1);
        self.device.create_render_pipeline(desc)
    }

    pub(crate) fn compute_pipeline(&self, desc: &wgpu::ComputePipelineDescriptor<'_>) -> wgpu::ComputePipeline {
        Counters::add(&self.counters.pipelines, 1);
        self.device.create_compute_pipeline(desc)
    }

    pub(crate) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        Counters::add(&self.counters.buffers, 1);
        let label = Some(label);
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A buffer with contents, refused when the device would not take it.
    pub(crate) fn buffer_of(&self, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> Result<wgpu::Buffer> {
        let (bytes, limit) = (contents.len() as u64, self.device.limits().max_buffer_size);
        if bytes > limit {
            return Err(RenderError::BufferTooLarge {
                name: label.to_owned(),
                bytes,
                limit,
            });
        }
        Counters::add(&self.counters.buffers, 1);
        let label = Some(label);
        Ok(self
            .device
            .create_buffer_init(&wgpu::util::BufferInitDescriptor { label, contents, usage }))
    }

    pub(crate) fn texture(&self, desc: &wgpu::TextureDescriptor<'_>) -> wgpu::Texture {
        Counters::add(&self.counters.textures, 1);
        self.device.create_texture(desc)
    }

    /// A two-dimensional texture without mip levels, and a view of all of it.
    pub(crate) fn picture(
        &self,
        label: &str,
        [width, height]: [u32; 2],
        samples: u32,
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> wgpu::TextureView {
        let texture = self.texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    pub(crate) fn layout(&self, label: &str, slots: &[Slot]) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = slots.iter().enumerate().map(|(i, slot)| slot.entry(i as u32)).collect();
        let desc = wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        };
        self.device.create_bind_group_layout(&desc)
    }

    pub(crate) fn pipeline_layout(&self, label: &str, groups: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
        let groups: Vec<_> = groups.iter().map(|g| Some(*g)).collect();
        self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        })
    }

    /// A bind group whose entries stand at bindings 0, 1, 2, ...
    pub(crate) fn bind(
        &self,
        label: &str,
        layout: &wgpu::BindGroupLayout,
        resources: &[wgpu::BindingResource<'_>],
    ) -> wgpu::BindGroup {
        Counters::add(&self.counters.bind_groups, 1);
        let entries: Vec<_> = resources
            .iter()
            .enumerate()
            .map(|(i, resource)| wgpu::BindGroupEntry {
                binding: i as u32,
                resource: resource.clone(),
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout,
            entries: &entries,
        })
    }

    /// A pipeline that covers its targets with one triangle: no vertices, no depth.
    pub(crate) fn fullscreen_pipeline(
        &self,
        label: &str,
        source: &str,
        entry: &str,
        layout: Option<&wgpu::PipelineLayout>,
        format: wgpu::TextureFormat,
    ) -> wgpu::RenderPipeline {
        let module = self.shader(label, source);
        self.render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout,
            vertex: vertex_state(&module, "vs_fullscreen", &[]),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(fragment_state(&module, entry, &[Some(format.into())])),
            multiview_mask: None,
            cache: None,
        })
    }
}

pub(crate) fn vertex_state<'a>(
    module: &'a wgpu::ShaderModule,
    entry: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
) -> wgpu::VertexState<'a> {
    let compilation_options = wgpu::PipelineCompilationOptions::default();
    wgpu::VertexState {
        module,
        entry_point: Some(entry),
        compilation_options,
        buffers,
    }
}

pub(crate) fn fragment_state<'a>(
    module: &'a wgpu::ShaderModule,
    entry: &'a str,
    targets: &'a [Option<wgpu::ColorTargetState>],
) -> wgpu::FragmentState<'a> {
    let compilation_options = wgpu::PipelineCompilationOptions::default();
    wgpu::FragmentState {
        module,
        entry_point: Some(entry),
        compilation_options,
        targets,
    }
}

/// A pass that overwrites all of one target.
pub(crate) fn overwriting_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(color_attachment(
            view,
            None,
            wgpu::LoadOp::Clear(wgpu::Color::BLACK),
        ))],
        ..Default::default()
    })
}

pub(crate) fn color_attachment<'a>(
    view: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPassColorAttachment<'a> {
    let ops = wgpu::Operations {
        load,
        store: wgpu::StoreOp::Store,
    };
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops,
    }
}

impl Slot {
    fn entry(self, binding: u32) -> wgpu::BindGroupLayoutEntry {
        use wgpu::{BindingType as B, ShaderStages as S, TextureViewDimension as D};
        let uniform = |dynamic, size| B::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: dynamic,
            min_binding_size: std::num::NonZeroU64::new(size),
        };
        let texture = |sample_type, view_dimension, multisampled| B::Texture {
            sample_type,
            view_dimension,
            multisampled,
        };
        let float = |filterable| wgpu::TextureSampleType::Float { filterable };
        let ty = match self {
            Self::Uniform => uniform(false, 0),
            Self::DynamicUniform(size) => uniform(true, size),
            Self::Sampled => texture(float(true), D::D2, false),
            Self::Loaded => texture(float(false), D::D2, false),
            Self::LoadedMultisampled => texture(float(false), D::D2, true),
            Self::Depth => texture(wgpu::TextureSampleType::Depth, D::D2, false),
            Self::DepthMultisampled => texture(wgpu::TextureSampleType::Depth, D::D2, true),
            Self::DepthArray => texture(wgpu::TextureSampleType::Depth, D::D2Array, false),
            Self::Sampler => B::Sampler(wgpu::SamplerBindingType::Filtering),
            Self::Comparison => B::Sampler(wgpu::SamplerBindingType::Comparison),
        };
        let visibility = S::VERTEX_FRAGMENT | S::COMPUTE;
        wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        }
    }
}
