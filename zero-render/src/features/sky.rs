//! The sky behind everything.

use crate::{
    Channel, DepthUse, Feature, FeatureDesc, FeatureFrame, FeatureSetup, Result, Seam,
    features::unprepared,
    gpu::{fragment_state, vertex_state},
    shaders,
};

/// Draws the sky and the sun's disc wherever no mesh is. At `afterOpaque`, order 0; writes `sceneColor`.
#[derive(Debug, Default)]
pub struct Sky {
    pipeline: Option<wgpu::RenderPipeline>,
}

impl Feature for Sky {
    fn desc(&self) -> FeatureDesc {
        FeatureDesc::new("sky", Seam::AfterOpaque, 0).writes(Channel::SCENE_COLOR)
    }

    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()> {
        let module = setup.gpu.shader("sky", shaders::SKY);
        let layout = setup.gpu.pipeline_layout("sky", &[setup.frame_layout()]);
        self.pipeline = Some(setup.render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("sky"),
            layout: Some(&layout),
            vertex: vertex_state(&module, "vs_fullscreen", &[]),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(setup.depth_state(DepthUse::Test)),
            multisample: setup.multisample(),
            fragment: Some(fragment_state(
                &module,
                "fs_sky",
                &[Some(setup.scene_color_format().into())],
            )),
            multiview_mask: None,
            cache: None,
        }));
        Ok(())
    }

    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()> {
        let pipeline = self.pipeline.as_ref().ok_or_else(|| unprepared("sky"))?;
        let mut pass = frame.pass("sky")?;
        pass.set_pipeline(pipeline);
        pass.draw(0..3, 0..1);
        drop(pass);
        frame.count_draws(1);
        Ok(())
    }
}
