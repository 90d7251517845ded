//! The passes that are not features: depth, shadows, surfaces, and bringing attachments into channels.

use crate::{
    Channel, Object, Scene,
    cull::Frustum,
    features::CachedGroup,
    gpu::{Gpu, Slot, color_attachment, fragment_state, overwriting_pass, vertex_state},
    instance::PackedInstance,
    mesh::PackedVertex,
    shaders,
    shadow::{CASCADES, RESOLUTION},
    stats::Counters,
    targets::{COLOR_FORMAT, DEPTH_FORMAT, MATERIAL_FORMAT, NORMAL_FORMAT, Targets},
};

/// Views that lay depth: the cascades, then the camera.
pub(crate) const VIEWS: usize = CASCADES + 1;
/// Bytes from one view's matrix to the next; WebGPU's default for dynamic offsets.
pub(crate) const VIEW_STRIDE: u64 = 256;

/// Pipelines and layouts of the fixed passes.
#[derive(Debug)]
pub(crate) struct Passes {
    samples: u32,
    shadow_layers: Vec<wgpu::TextureView>,
    view_group: wgpu::BindGroup,
    shadow_pipeline: wgpu::RenderPipeline,
    prepass_pipeline: wgpu::RenderPipeline,
    surface_layout: wgpu::PipelineLayout,
    surface_module: wgpu::ShaderModule,
    /// Without and with `normal` and `material`.
    surface_pipelines: [Option<wgpu::RenderPipeline>; 2],
    /// Without multisampling colour is copied.
    resolve_color: Option<Resolve>,
    resolve_depth: Resolve,
    identity: wgpu::Buffer,
}

/// A pass that brings an attachment into a channel.
#[derive(Debug)]
struct Resolve {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    group: CachedGroup,
}

/// What the fixed passes are made with.
pub(crate) struct PassSetup<'a> {
    pub(crate) samples: u32,
    pub(crate) frame_layout: &'a wgpu::BindGroupLayout,
    pub(crate) material_layout: &'a wgpu::BindGroupLayout,
    pub(crate) reflection_layout: &'a wgpu::BindGroupLayout,
    pub(crate) view_buffer: &'a wgpu::Buffer,
    pub(crate) shadow_texture: &'a wgpu::Texture,
    pub(crate) identity: wgpu::Buffer,
}

fn buffers(vertex: &[wgpu::VertexAttribute]) -> [Option<wgpu::VertexBufferLayout<'_>>; 2] {
    [
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<PackedVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: vertex,
        }),
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<PackedInstance>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &PackedInstance::ATTRIBUTES,
        }),
    ]
}

fn depth_state(compare: wgpu::CompareFunction, bias: wgpu::DepthBiasState) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias,
    }
}

impl Passes {
    pub(crate) fn new(gpu: &Gpu, setup: PassSetup<'_>) -> Self {
        let view_layout = gpu.layout("view", &[Slot::DynamicUniform(64)]);
        let binding = wgpu::BufferBinding {
            buffer: setup.view_buffer,
            offset: 0,
            size: std::num::NonZeroU64::new(64),
        };
        let view_group = gpu.bind("view", &view_layout, &[wgpu::BindingResource::Buffer(binding)]);
        let depth_module = gpu.shader("depth only", shaders::DEPTH_ONLY);
        let depth_layout = gpu.pipeline_layout("depth only", &[&view_layout]);
        let depth_pipeline = |label, samples, cull_mode, depth| {
            gpu.render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(&depth_layout),
                vertex: vertex_state(&depth_module, "vs_depth", &buffers(&PackedVertex::POSITION)),
                primitive: wgpu::PrimitiveState {
                    cull_mode,
                    ..Default::default()
                },
                depth_stencil: Some(depth),
                multisample: wgpu::MultisampleState {
                    count: samples,
                    ..Default::default()
                },
                fragment: None,
                multiview_mask: None,
                cache: None,
            })
        };
        let bias = wgpu::DepthBiasState {
            constant: 2,
            slope_scale: 1.5,
            clamp: 0.0,
        };
        let shadow = depth_state(wgpu::CompareFunction::LessEqual, bias);
        let prepass = depth_state(wgpu::CompareFunction::GreaterEqual, wgpu::DepthBiasState::default());
        let surface_groups = [setup.frame_layout, setup.material_layout, setup.reflection_layout];
        Self {
            samples: setup.samples,
            shadow_layers: (0..CASCADES as u32)
                .map(|i| shadow_layer(setup.shadow_texture, i))
                .collect(),
            view_group,
            shadow_pipeline: depth_pipeline("shadows", 1, None, shadow),
            prepass_pipeline: depth_pipeline("depth prepass", setup.samples, Some(wgpu::Face::Back), prepass),
            surface_layout: gpu.pipeline_layout("surfaces", &surface_groups),
            surface_module: gpu.shader("surface", shaders::SURFACE),
            surface_pipelines: [None, None],
            resolve_color: (setup.samples > 1).then(|| Resolve::color(gpu)),
            resolve_depth: Resolve::depth(gpu, setup.samples),
            identity: setup.identity,
        }
    }

    /// The pipeline for surfaces, with or without the surface channels; made when it is first asked for.
    pub(crate) fn surface_pipeline(&mut self, gpu: &Gpu, with_channels: bool) -> &wgpu::RenderPipeline {
        let formats = [COLOR_FORMAT, NORMAL_FORMAT, MATERIAL_FORMAT];
        let count = if with_channels { 3 } else { 1 };
        let slot = &mut self.surface_pipelines[usize::from(with_channels)];
        slot.get_or_insert_with(|| {
            let targets: Vec<_> = formats.into_iter().take(count).map(|f| Some(f.into())).collect();
            let bias = wgpu::DepthBiasState::default();
            gpu.render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("surfaces"),
                layout: Some(&self.surface_layout),
                vertex: vertex_state(&self.surface_module, "vs_surface", &buffers(&PackedVertex::ATTRIBUTES)),
                primitive: wgpu::PrimitiveState {
                    cull_mode: Some(wgpu::Face::Back),
                    ..Default::default()
                },
                depth_stencil: Some(depth_state(wgpu::CompareFunction::GreaterEqual, bias)),
                multisample: wgpu::MultisampleState {
                    count: self.samples,
                    ..Default::default()
                },
                fragment: Some(fragment_state(&self.surface_module, "fs_surface", &targets)),
                multiview_mask: None,
                cache: None,
            })
        })
    }

    pub(crate) fn shadows(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        views: &[Frustum; VIEWS],
    ) {
        for (i, layer) in self.shadow_layers.iter().enumerate() {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow cascade"),
                depth_stencil_attachment: Some(depth_attachment(layer, Some(wgpu::LoadOp::Clear(1.0)))),
                ..Default::default()
            });
            pass.set_pipeline(&self.shadow_pipeline);
            pass.set_bind_group(0, &self.view_group, &[(i as u64 * VIEW_STRIDE) as u32]);
            self.draw_objects(gpu, &mut pass, scene, &views[i], false);
        }
    }

    pub(crate) fn depth_prepass(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        scene: &Scene,
        views: &[Frustum; VIEWS],
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("depth prepass"),
            depth_stencil_attachment: Some(depth_attachment(
                &targets.depth_attachment,
                Some(wgpu::LoadOp::Clear(0.0)),
            )),
            ..Default::default()
        });
        pass.set_pipeline(&self.prepass_pipeline);
        pass.set_bind_group(0, &self.view_group, &[(CASCADES as u64 * VIEW_STRIDE) as u32]);
        self.draw_objects(gpu, &mut pass, scene, &views[CASCADES], false);
    }

    pub(crate) fn opaque(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        scene: &Scene,
        views: &[Frustum; VIEWS],
        groups: [&wgpu::BindGroup; 2],
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let mut attachments = vec![Some(color_attachment(&targets.color_attachment, None, clear))];
        // The attachments and the pipeline follow from one value, so that they cannot disagree.
        let surface = targets.surface_targets();
        let pipeline = self.surface_pipeline(gpu, surface.is_some()).clone();
        for (view, resolve_target) in surface.into_iter().flatten() {
            attachments.push(Some(color_attachment(view, resolve_target, clear)));
        }
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("opaque"),
            color_attachments: &attachments,
            depth_stencil_attachment: Some(depth_attachment(&targets.depth_attachment, Some(wgpu::LoadOp::Load))),
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, groups[0], &[]);
        pass.set_bind_group(2, groups[1], &[]);
        self.draw_objects(gpu, &mut pass, scene, &views[CASCADES], true);
    }

    fn draw_objects(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &Scene,
        view: &Frustum,
        with_materials: bool,
    ) {
        for object in &scene.objects {
            let ranges = visible_ranges(object, view);
            if ranges.is_empty() {
                continue;
            }
            let mesh = &object.mesh.0;
            let instances = object.instances.as_ref().map_or(&self.identity, |i| &i.0.buffer);
            if with_materials {
                pass.set_bind_group(1, &*object.material.0, &[]);
            }
            pass.set_vertex_buffer(0, mesh.vertices.slice(..));
            pass.set_vertex_buffer(1, instances.slice(..));
            pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
            for range in ranges {
                Counters::add(&gpu.counters.draws, 1);
                Counters::add(
                    &gpu.counters.triangles,
                    u64::from(mesh.index_count / 3) * u64::from(range.end - range.start),
                );
                pass.draw_indexed(0..mesh.index_count, 0, range);
            }
        }
    }

    /// Brings `sceneColor` or `depth` from its attachment into the channel.
    pub(crate) fn resolve(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        channel: &Channel,
    ) {
        let Some(view) = targets.channel(channel) else { return };
        let (source, resolve) = if *channel == Channel::DEPTH {
            (&targets.depth_attachment, Some(&mut self.resolve_depth))
        } else {
            (&targets.color_attachment, self.resolve_color.as_mut())
        };
        let Some(Resolve {
            pipeline,
            layout,
            group,
        }) = resolve
        else {
            let size = source.texture().size();
            encoder.copy_texture_to_texture(source.texture().as_image_copy(), view.texture().as_image_copy(), size);
            return;
        };
        let group = group.get(&[source], || {
            gpu.bind("resolve", layout, &[wgpu::BindingResource::TextureView(source)])
        });
        let mut pass = overwriting_pass(encoder, "resolve", view);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
        Counters::add(&gpu.counters.draws, 1);
    }
}

/// Runs of instances that the view may see; neighbouring runs become one draw.
fn visible_ranges(object: &Object, view: &Frustum) -> Vec<std::ops::Range<u32>> {
    let mut ranges: Vec<std::ops::Range<u32>> = Vec::new();
    for (_, range) in object.parts().filter(|(bounds, _)| view.sees(*bounds)) {
        match ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}

fn depth_attachment(
    view: &wgpu::TextureView,
    load: Option<wgpu::LoadOp<f32>>,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    let depth_ops = load.map(|load| wgpu::Operations {
        load,
        store: wgpu::StoreOp::Store,
    });
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops,
        stencil_ops: None,
    }
}

impl Resolve {
    fn new(gpu: &Gpu, label: &str, slot: Slot, source: &str, entry: &str, format: wgpu::TextureFormat) -> Self {
        let layout = gpu.layout(label, &[slot]);
        let pipeline_layout = gpu.pipeline_layout(label, &[&layout]);
        let pipeline = gpu.fullscreen_pipeline(label, source, entry, Some(&pipeline_layout), format);
        Self {
            pipeline,
            layout,
            group: CachedGroup::default(),
        }
    }

    fn color(gpu: &Gpu) -> Self {
        let slot = Slot::LoadedMultisampled;
        Self::new(
            gpu,
            "resolve color",
            slot,
            shaders::RESOLVE_COLOR,
            "fs_resolve_color",
            COLOR_FORMAT,
        )
    }

    fn depth(gpu: &Gpu, samples: u32) -> Self {
        let (slot, source) = match samples {
            1 => (Slot::Depth, shaders::RESOLVE_DEPTH_X1),
            _ => (Slot::DepthMultisampled, shaders::RESOLVE_DEPTH_X4),
        };
        Self::new(
            gpu,
            "resolve depth",
            slot,
            source,
            "fs_resolve_depth",
            wgpu::TextureFormat::R32Float,
        )
    }
}

/// The texture that holds all cascades.
pub(crate) fn shadow_texture(gpu: &Gpu) -> wgpu::Texture {
    gpu.texture(&wgpu::TextureDescriptor {
        label: Some("shadow cascades"),
        size: wgpu::Extent3d {
            width: RESOLUTION,
            height: RESOLUTION,
            depth_or_array_layers: CASCADES as u32,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH_FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}

fn shadow_layer(texture: &wgpu::Texture, layer: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("shadow cascade"),
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    })
}
