//! The flat body of water.

use glam::Vec4;

use crate::{
    Channel, DepthUse, Feature, FeatureDesc, FeatureFrame, FeatureSetup, Result, Scene, Seam, WaterPlane,
    features::{CachedGroup, unprepared},
    gpu::{Slot, fragment_state, vertex_state},
    shaders,
};

/// Rings and sectors of the plane around the camera, and the distance of the outermost ring in metres.
const RINGS: u32 = 48;
const SECTORS: u32 = 96;
const REACH_M: f32 = 4.0e6;

/// Draws [`Scene::water`]: absorption by the depth of the ground below, a mirrored sky and shore, ripples and the sun in
/// them. At `afterOpaque`, order 100; reads `depth` and `sceneColor`, writes `sceneColor`.
///
/// Takes no part in a frame without water. Seen from below, the plane is not drawn.
#[derive(Debug, Default)]
pub struct Water {
    prepared: Option<Prepared>,
    group: CachedGroup,
}

#[derive(Debug)]
struct Prepared {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    uniform: wgpu::Buffer,
}

/// `struct Water` of `shaders/water.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct WaterUniform {
    absorption: Vec4,
    scatter: Vec4,
    shape: Vec4,
}

impl WaterUniform {
    fn new(water: &WaterPlane) -> Self {
        Self {
            absorption: water.absorption_per_m.extend(water.level_m),
            scatter: water.scatter.extend(water.ripple),
            shape: Vec4::new(water.ripple_m, RINGS as f32, SECTORS as f32, REACH_M),
        }
    }
}

impl Feature for Water {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("water", Seam::AfterOpaque, 100)
            .reads(Channel::DEPTH)
            .reads(Channel::SCENE_COLOR)
            .writes(Channel::SCENE_COLOR)
    }

    fn active(&self, scene: &Scene) -> bool {
        scene.water.is_some()
    }

    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()> {
        let gpu = setup.gpu;
        let module = gpu.shader("water", shaders::WATER);
        let layout = gpu.layout("water", &[Slot::Uniform, Slot::Loaded, Slot::Loaded]);
        let pipeline_layout = gpu.pipeline_layout("water", &[setup.frame_layout(), &layout]);
        let pipeline = setup.render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("water"),
            layout: Some(&pipeline_layout),
            vertex: vertex_state(&module, "vs_water", &[]),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(setup.depth_state(DepthUse::Test)),
            multisample: setup.multisample(),
            fragment: Some(fragment_state(
                &module,
                "fs_water",
                &[Some(setup.scene_color_format().into())],
            )),
            multiview_mask: None,
            cache: None,
        });
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = setup.buffer("water", size_of::<WaterUniform>() as u64, usage);
        self.prepared = Some(Prepared {
            pipeline,
            layout,
            uniform,
        });
        self.group = CachedGroup::default();
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let Prepared {
            pipeline,
            layout,
            uniform,
        } = self.prepared.as_ref().ok_or_else(|| unprepared("water"))?;
        let Some(water) = frame.scene().water.filter(|w| w.level_m < frame.camera().position.y) else {
            return Ok(());
        };
        frame
            .queue()
            .write_buffer(uniform, 0, bytemuck::bytes_of(&WaterUniform::new(&water)));
        let views = [frame.read(&Channel::DEPTH)?, frame.read(&Channel::SCENE_COLOR)?];
        let gpu = frame.gpu();
        let group = self.group.get(&views, || {
            let [depth, color] = views.map(wgpu::BindingResource::TextureView);
            gpu.bind("water", layout, &[uniform.as_entire_binding(), depth, color])
        });
        let mut pass = frame.pass("water")?;
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..RINGS * SECTORS * 6, 0..1);
        drop(pass);
        frame.count_draws(1);
        Ok(())
    }
}
