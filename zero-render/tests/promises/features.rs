//! Features of a third party, made with nothing but the public API.

use zero_render::{
    Camera, Channel, Feature, FeatureDesc, FeatureFrame, FeatureSetup, Material, Object, RenderError, Result, Scene,
    Seam, glam::Vec3, shaders, wgpu,
};

use crate::support::{block, draw, mean, on_software, plain};

/// Fills every channel that it writes with one colour.
#[derive(Debug)]
struct Fill {
    desc: FeatureDesc,
    color: wgpu::Color,
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

/// Writes `sceneColor` at `post` from one texture that it reads, through a shader of its own.
#[derive(Debug)]
struct Show {
    source: Channel,
    previous: bool,
    expression: &'static str,
    pipeline: Option<wgpu::RenderPipeline>,
}

impl Show {
    fn new(source: Channel, expression: &'static str) -> Self {
        Self {
            source,
            previous: false,
            expression,
            pipeline: None,
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
            "@group(0) @binding(0) var source: texture_2d<f32>;
             @fragment fn fs_show(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {{
                 let value = textureLoad(source, vec2<i32>(at.xy), 0);
                 return {};
             }}",
            self.expression
        );
        let module = setup.device().create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl((shaders::FULLSCREEN.to_owned() + &body).into()),
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
            bind_group_layouts: &[Some(&layout)],
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
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(source),
            }],
        });
        let mut pass = frame.pass("show")?;
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        Ok(())
    }
}

fn camera() -> Camera {
    Camera::looking_at(Vec3::new(0.0, 8.0, 30.0), Vec3::ZERO, 0.8)
}

#[test]
fn what_is_written_to_reflection_shows_in_smooth_surfaces_of_the_same_frame() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        let floor = renderer
            .upload_mesh(&block(Vec3::new(-50.0, -1.0, -50.0), Vec3::new(50.0, 0.0, 50.0)))
            .unwrap();
        let mut polished = Material::new("polished", Vec3::splat(0.02), 0.05);
        polished.reflectance = 0.9;
        scene
            .objects
            .push(Object::new(&floor, &renderer.upload_material(&polished).unwrap()));
        let sky = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap();
        let desc = FeatureDesc::new("mirror", Seam::AfterDepthPrepass, 60).writes(Channel::REFLECTION);
        let color = wgpu::Color {
            r: 1.0,
            g: 0.0,
            b: 0.0,
            a: 1.0,
        };
        renderer.add_feature(Box::new(Fill { desc, color })).unwrap();
        let traced = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap();
        assert!(sky[2] > sky[0], "the sky is mirrored: {sky:?}");
        assert!(
            traced[0] > traced[2].saturating_add(80),
            "the channel is mirrored: {traced:?}"
        );
        renderer.remove_feature("mirror").unwrap();
        assert_eq!(
            draw(headless, &mut renderer, &scene, &camera()).rgb(80, 60).unwrap(),
            sky
        );
    });
}

#[test]
fn normals_reach_a_feature_that_reads_them_and_the_last_frames_too() {
    on_software(|headless| {
        let show = "vec4<f32>(max(value.xyz, vec3<f32>(0.0)) * 0.5, 1.0)";
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        renderer
            .add_feature(Box::new(Show::new(Channel::NORMAL, show)))
            .unwrap();
        let [r, g, b] = draw(headless, &mut renderer, &scene, &camera()).rgb(80, 80).unwrap();
        assert!(g > r + 60 && g > b + 60, "the plain faces up: {r} {g} {b}");

        renderer.remove_feature("show").unwrap();
        renderer
            .add_feature(Box::new(Show {
                previous: true,
                ..Show::new(Channel::NORMAL, show)
            }))
            .unwrap();
        let first = draw(headless, &mut renderer, &scene, &camera());
        assert!(mean(&first, 80, 80) < 3.0, "nothing came before the first frame");
        let second = draw(headless, &mut renderer, &scene, &camera());
        assert_eq!(second.rgb(80, 80).unwrap()[1], g);
    });
}

#[test]
fn the_history_is_the_light_of_the_last_frame() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        let straight = draw(headless, &mut renderer, &scene, &camera());
        // Read before the frame keeps its own light: at an earlier seam, into a channel of the feature's own.
        let kept = Channel::named("kept");
        let copy = CopyHistory { into: kept.clone() };
        renderer.add_feature(Box::new(copy)).unwrap();
        renderer.add_feature(Box::new(Show::new(kept, "value"))).unwrap();
        assert!(mean(&draw(headless, &mut renderer, &scene, &camera()), 80, 80) < 3.0);
        let second = draw(headless, &mut renderer, &scene, &camera());
        assert_eq!(second, straight);
    });
}

/// Copies `colorHistory` into a channel of its own, before anything is shaded.
#[derive(Debug)]
struct CopyHistory {
    into: Channel,
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

#[test]
fn a_post_feature_reads_the_picture_it_writes() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let mut scene = Scene::default();
        plain(&renderer, &mut scene);
        renderer
            .add_feature(Box::new(Show::new(
                Channel::SCENE_COLOR,
                "vec4<f32>(value.r, 0.0, 0.0, 1.0)",
            )))
            .unwrap();
        let picture = draw(headless, &mut renderer, &scene, &camera());
        let [r, g, _] = picture.rgb(80, 80).unwrap();
        assert!(r > 60 && r > g + 40, "{r} {g}");
        assert_eq!(renderer.steps().last().map(String::as_str), Some("toneMap"));
    });
}

/// Reads a channel that it did not list.
#[derive(Debug)]
struct Sneak;

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

#[test]
fn a_channel_that_was_not_listed_is_not_handed_out_and_a_bad_list_leaves_the_old_one() {
    on_software(|headless| {
        let mut renderer = headless.renderer().unwrap();
        let scene = Scene::default();
        let good = draw(headless, &mut renderer, &scene, &camera());
        let bad = Fill {
            desc: FeatureDesc::new("bad", Seam::Post, 0).reads(Channel::VELOCITY),
            color: wgpu::Color::BLACK,
        };
        assert!(matches!(
            renderer.add_feature(Box::new(bad)),
            Err(RenderError::MissingChannel { .. })
        ));
        assert_eq!(draw(headless, &mut renderer, &scene, &camera()), good);
        assert!(matches!(renderer.remove_feature("toneMap"), Err(RenderError::NoOutput)));
        let unknown = renderer.remove_feature("bloom").unwrap_err().to_string();
        assert!(unknown.contains("bloom") && unknown.contains("toneMap"), "{unknown}");
        renderer.add_feature(Box::new(Sneak)).unwrap();
        let params = zero_render::FrameParams::new(160, 90);
        let error = headless
            .render(&mut renderer, &scene, &camera(), params)
            .unwrap_err()
            .to_string();
        assert!(error.contains("`sneak`") && error.contains("`depth`"), "{error}");
        renderer.remove_feature("sneak").unwrap();
        assert_eq!(draw(headless, &mut renderer, &scene, &camera()), good);
    });
}
