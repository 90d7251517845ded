//! The renderer: owns pipelines and textures, borrows everything else.

use glam::Mat4;
use wgpu::BufferUsages as U;

use crate::{
    Camera, Channel, Feature, FeatureDesc, FeatureFrame, FeatureSetup, FrameParams, FramePlan, Instance, RenderError,
    RendererOptions, Result, Scene, ShadowDistance, Stats, Step,
    cull::Frustum,
    features::{CachedGroup, builtin_features},
    frame::{FrameInputs, FrameUniform},
    gpu::{Gpu, Slot},
    instance::PackedInstance,
    options::check_limits,
    passes::{PassSetup, Passes, VIEW_STRIDE, VIEWS, shadow_texture},
    shadow::{self, CASCADES},
    sky_pictures::SkyPictures,
    stats::Counters,
    targets::Targets,
};

/// A feature with its description as of when the list was set.
#[derive(Debug)]
struct ListedFeature {
    desc: FeatureDesc,
    feature: Box<dyn Feature>,
}

/// Draws scenes into a host's views, on the host's device, into the host's encoder.
///
/// One renderer draws one picture after another and remembers the last one: a second camera wants a second renderer (on
/// the same device; meshes and materials of one work in the other). Submit an encoder before rendering the next frame
/// into another: uniforms are written when the frame is recorded.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    options: RendererOptions,
    features: Vec<ListedFeature>,
    /// All features take part: decides textures and pipelines, so that one that rests now and then makes nothing anew.
    full_plan: FramePlan,
    /// Which took part in the last frame, and its plan.
    plan: (Vec<bool>, FramePlan),
    passes: Passes,
    sky: SkyPictures,
    targets: Option<Targets>,
    frame_layout: wgpu::BindGroupLayout,
    frame_group: wgpu::BindGroup,
    frame_buffer: wgpu::Buffer,
    view_buffer: wgpu::Buffer,
    material_layout: wgpu::BindGroupLayout,
    reflection_layout: wgpu::BindGroupLayout,
    reflection_group: CachedGroup,
    no_reflection: wgpu::TextureView,
    past: Past,
    /// What stood before the last frame, whose encoder the host may yet drop.
    past_before: Past,
}

/// What one frame hands to the next, besides what is on the device.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// The number of frames, and so the next one's index.
    frames: u64,
    /// `clip_from_world` and the exposure of the last one.
    view: Option<(Mat4, f32)>,
}

impl Renderer {
    /// A renderer with the built-in features on the host's device. Makes the pipelines: 30 ms to a second.
    ///
    /// # Errors
    /// [`RenderError::DeviceLimit`] for a device below [`REQUIRED_LIMITS`](crate::REQUIRED_LIMITS); what a feature's
    /// preparation gives.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, options: RendererOptions) -> Result<Self> {
        check_limits(&device.limits())?;
        let gpu = Gpu {
            device: device.clone(),
            queue: queue.clone(),
            counters: Counters::default(),
        };
        let frame_layout = gpu.layout(
            "frame",
            &[
                Slot::Uniform,
                Slot::Sampled,
                Slot::Sampler,
                Slot::DepthArray,
                Slot::Comparison,
                Slot::Uniform,
            ],
        );
        let material_layout = gpu.layout("material", &[Slot::Uniform]);
        let reflection_layout = gpu.layout("reflection", &[Slot::Loaded]);
        let frame_buffer = gpu.buffer("frame", size_of::<FrameUniform>() as u64, U::UNIFORM | U::COPY_DST);
        let view_buffer = gpu.buffer("views", VIEWS as u64 * VIEW_STRIDE, U::UNIFORM | U::COPY_DST);
        let identity = PackedInstance::new(&Instance::IDENTITY);
        let identity = gpu.buffer_of("one instance", bytemuck::bytes_of(&identity), U::VERTEX)?;
        let shadow_texture = shadow_texture(&gpu);
        let sky = SkyPictures::new(&gpu);
        let frame_group = frame_group(&gpu, &frame_layout, &frame_buffer, &sky, &shadow_texture);
        let passes = Passes::new(
            &gpu,
            PassSetup {
                samples: options.antialiasing.samples(),
                frame_layout: &frame_layout,
                material_layout: &material_layout,
                reflection_layout: &reflection_layout,
                view_buffer: &view_buffer,
                shadow_texture: &shadow_texture,
                identity,
            },
        );
        let format = wgpu::TextureFormat::Rgba16Float;
        let no_reflection = gpu.picture("no reflection", [1, 1], 1, format, wgpu::TextureUsages::TEXTURE_BINDING);
        let mut renderer = Self {
            gpu,
            options,
            features: Vec::new(),
            full_plan: FramePlan::default(),
            plan: (Vec::new(), FramePlan::default()),
            passes,
            sky,
            targets: None,
            frame_layout,
            frame_group,
            frame_buffer,
            view_buffer,
            material_layout,
            reflection_layout,
            reflection_group: CachedGroup::default(),
            no_reflection,
            past: Past::default(),
            past_before: Past::default(),
        };
        renderer.set_features(builtin_features())?;
        Ok(renderer)
    }

    /// Replaces the list of features. The order in which they run is theirs to say ([`FeatureDesc`]).
    ///
    /// # Errors
    /// As [`FramePlan::new`], or what a preparation gives; the list that stood then stands still.
    pub fn set_features(&mut self, features: Vec<Box<dyn Feature>>) -> Result<()> {
        let listed: Vec<_> = features
            .into_iter()
            .map(|feature| ListedFeature {
                desc: feature.desc(),
                feature,
            })
            .collect();
        self.set_listed(listed).map_err(|(error, _)| error)
    }

    /// Adds a feature to the list.
    ///
    /// # Errors
    /// As [`set_features`](Self::set_features); the list then stands as it was.
    pub fn add_feature(&mut self, feature: Box<dyn Feature>) -> Result<()> {
        let desc = feature.desc();
        let mut listed = std::mem::take(&mut self.features);
        listed.push(ListedFeature { desc, feature });
        self.set_listed(listed).map_err(|(error, mut refused)| {
            refused.pop();
            self.features = refused;
            error
        })
    }

    /// Takes a feature out of the list and gives it back.
    ///
    /// # Errors
    /// [`RenderError::UnknownFeature`]; or as [`FramePlan::new`] when others need what it writes, and then it stays.
    pub fn remove_feature(&mut self, name: &str) -> Result<Box<dyn Feature>> {
        let Some(index) = self.features.iter().position(|f| f.desc.name == name) else {
            let known = self
                .features
                .iter()
                .map(|f| f.desc.name.as_str())
                .collect::<Vec<_>>()
                .join(", ");
            return Err(RenderError::UnknownFeature {
                feature: name.to_owned(),
                known,
            });
        };
        let mut listed = std::mem::take(&mut self.features);
        let removed = listed.remove(index);
        match self.set_listed(listed) {
            Ok(()) => Ok(removed.feature),
            Err((error, mut refused)) => {
                refused.insert(index, removed);
                self.features = refused;
                Err(error)
            }
        }
    }

    /// Takes the list, or gives it back with what is wrong.
    fn set_listed(&mut self, mut listed: Vec<ListedFeature>) -> Result<(), (RenderError, Vec<ListedFeature>)> {
        let descs: Vec<_> = listed.iter().map(|f| f.desc.clone()).collect();
        let plan = match FramePlan::new(&descs) {
            Ok(plan) => plan,
            Err(error) => return Err((error, listed)),
        };
        let mut setup = FeatureSetup {
            gpu: &self.gpu,
            frame_layout: &self.frame_layout,
            samples: self.options.antialiasing.samples(),
            output_format: self.options.output_format,
        };
        for i in 0..listed.len() {
            if let Err(error) = listed[i].feature.prepare(&mut setup) {
                return Err((error, listed));
            }
        }
        // Made here, so that the first frame makes no pipeline.
        self.passes.surface_pipeline(&self.gpu, plan.surface_channels);
        self.features = listed;
        self.full_plan = plan;
        self.plan = (Vec::new(), FramePlan::default());
        self.targets = None;
        Ok(())
    }

    /// The steps of the last frame, in order, by name; empty before the first.
    #[must_use]
    pub fn steps(&self) -> Vec<String> {
        let descs: Vec<_> = self.features.iter().map(|f| f.desc.clone()).collect();
        self.plan.1.describe(&descs)
    }

    /// What was drawn and made since the renderer was.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.gpu.counters.totals()
    }

    /// What the renderer was made with.
    #[must_use]
    pub fn options(&self) -> RendererOptions {
        self.options
    }

    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    pub(crate) fn material_layout(&self) -> &wgpu::BindGroupLayout {
        &self.material_layout
    }

    /// Records a frame of `scene`, seen by `camera`, into `view`.
    ///
    /// The first frame of a size makes its textures; every later one makes none, nor a buffer or a pipeline. The sky's
    /// pictures are made anew when the sun, the air or the camera's altitude (by 2 %) changes.
    ///
    /// # Errors
    /// A view, camera, scene or parameter that makes no picture, by name; [`RenderError::NoOutput`] where all features that
    /// write `output` rest; what a feature's drawing gives. Nothing that was
    /// recorded before an error is submitted by the renderer: drop the encoder. The next frame then follows the last good
    /// one. (Where an encoder is dropped after a good frame, say so: [`invalidate`](Self::invalidate).)
    pub fn render(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        scene: &Scene,
        camera: &Camera,
        params: FrameParams,
    ) -> Result<()> {
        self.check(view, scene, &params)?;
        self.plan_for(scene)?;
        // Until this frame is whole, the one to go back to is the one before it.
        self.past_before = self.past;
        let recorded = self.record(encoder, view, scene, camera, &params);
        if recorded.is_err() {
            self.invalidate();
        }
        self.past = Past {
            frames: self.past.frames + 1,
            view: Some(recorded?),
        };
        Counters::add(&self.gpu.counters.frames, 1);
        Ok(())
    }

    /// Takes back the last frame that was recorded: for a host that drops the encoder instead of submitting it.
    ///
    /// What that frame was to leave on the device (the sky's pictures, the history, what others read as the last frame's)
    /// was then never drawn. After this call the next frame follows the one before it and draws the sky anew. A second
    /// call changes nothing more; after a frame that gave an error none is needed.
    pub fn invalidate(&mut self) {
        self.past = self.past_before;
        self.sky.invalidate();
    }

    /// Records every step of a frame and gives its `clip_from_world` and exposure.
    fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        scene: &Scene,
        camera: &Camera,
        params: &FrameParams,
    ) -> Result<(Mat4, f32)> {
        let (clip_from_world, views) = self.write_uniforms(encoder, scene, camera, params)?;
        let samples = self.options.antialiasing.samples();
        let mut targets = match self.targets.take() {
            Some(targets) if targets.size == params.size => targets,
            _ => Targets::new(&self.gpu, &self.full_plan, params.size, samples),
        };
        targets.begin_frame(self.past.frames);
        let plan = std::mem::take(&mut self.plan.1);
        let drawn = Drawn {
            scene,
            camera,
            params,
            output: view,
            views: &views,
        };
        let result = plan
            .steps
            .iter()
            .try_for_each(|step| self.step(encoder, &mut targets, step, &plan, &drawn));
        self.plan.1 = plan;
        self.targets = Some(targets);
        result.map(|()| (clip_from_world, params.exposure()))
    }

    fn check(&self, view: &wgpu::TextureView, scene: &Scene, params: &FrameParams) -> Result<()> {
        params.check(self.gpu.device.limits().max_texture_dimension_2d)?;
        let texture = view.texture();
        let actual = [texture.width(), texture.height()];
        if actual != params.size {
            return Err(RenderError::ViewSize {
                expected: params.size,
                actual,
            });
        }
        scene.check()
    }

    /// Plans the frame of the features that take part in this scene, unless the last one was of the same.
    fn plan_for(&mut self, scene: &Scene) -> Result<()> {
        let active: Vec<bool> = self.features.iter().map(|f| f.feature.active(scene)).collect();
        if self.plan.0 == active && !self.plan.1.steps.is_empty() {
            return Ok(());
        }
        let descs: Vec<_> = self.features.iter().map(|f| f.desc.clone()).collect();
        let plan = FramePlan::with_active(&descs, |i| active[i])?;
        Counters::add(&self.gpu.counters.plans, 1);
        self.plan = (active, plan);
        Ok(())
    }

    /// Writes what shaders read, brings the sky up to date and says what each view sees, the camera's matrix first.
    fn write_uniforms(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        camera: &Camera,
        params: &FrameParams,
    ) -> Result<(Mat4, [Frustum; VIEWS])> {
        let aspect = params.size[0] as f32 / params.size[1] as f32;
        let basis = camera.basis()?;
        let clip_from_world = camera.clip_from_world(aspect)?;
        let bounds = scene.bounds().unwrap_or([camera.position; 2]);
        let reach = match scene.shadow_distance {
            ShadowDistance::Metres(metres) => metres,
            ShadowDistance::Scene => {
                let farthest = (bounds[0] - camera.position)
                    .abs()
                    .max((bounds[1] - camera.position).abs());
                farthest.length().clamp(10.0, 10_000.0)
            }
        };
        let cascades = shadow::fit(camera, basis, aspect, scene.sun.check()?, bounds, reach);
        let sky_radius_km = self.sky.radius_for(scene, camera.position.y);
        let inputs = FrameInputs {
            params,
            cascades: &cascades,
            frame_index: self.past.frames,
            previous: self.past.view,
            sky_radius_km,
        };
        let uniform = FrameUniform::new(scene, camera, &inputs)?;
        self.gpu
            .queue
            .write_buffer(&self.frame_buffer, 0, bytemuck::bytes_of(&uniform));
        let mut clips = [clip_from_world; VIEWS];
        for i in 0..CASCADES {
            clips[i] = cascades[i].clip_from_world;
        }
        let mut bytes = [0_u8; VIEWS * VIEW_STRIDE as usize];
        for (slot, clip) in bytes.chunks_exact_mut(VIEW_STRIDE as usize).zip(&clips) {
            slot[..64].copy_from_slice(bytemuck::bytes_of(clip));
        }
        self.gpu.queue.write_buffer(&self.view_buffer, 0, &bytes);
        self.sky
            .update(&self.gpu, encoder, scene, sky_radius_km, &self.frame_buffer)?;
        Ok((clip_from_world, clips.map(Frustum::new)))
    }

    fn step(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &mut Targets,
        step: &Step,
        plan: &FramePlan,
        drawn: &Drawn<'_>,
    ) -> Result<()> {
        let gpu = &self.gpu;
        match step {
            Step::Clear(channel) => targets.clear(encoder, channel),
            Step::Shadows => self.passes.shadows(gpu, encoder, drawn.scene, drawn.views),
            Step::DepthPrepass => self
                .passes
                .depth_prepass(gpu, encoder, targets, drawn.scene, drawn.views),
            Step::Opaque => {
                let written = plan.channels.contains_key(&Channel::REFLECTION);
                let traced = targets
                    .channel(&Channel::REFLECTION)
                    .filter(|_| written)
                    .unwrap_or(&self.no_reflection);
                let layout = &self.reflection_layout;
                let reflection = self.reflection_group.get(&[traced], || {
                    gpu.bind("reflection", layout, &[wgpu::BindingResource::TextureView(traced)])
                });
                let groups = [&self.frame_group, reflection];
                self.passes
                    .opaque(gpu, encoder, targets, drawn.scene, drawn.views, groups);
            }
            Step::Resolve(channel) => self.passes.resolve(gpu, encoder, targets, channel),
            Step::KeepHistory => keep_history(encoder, targets),
            Step::Feature {
                index,
                swaps_scene_color,
            } => {
                let ListedFeature { desc, feature } = &mut self.features[*index];
                feature.encode(&mut FeatureFrame {
                    gpu,
                    encoder,
                    desc,
                    swaps_scene_color: *swaps_scene_color,
                    targets,
                    output: drawn.output,
                    frame_group: &self.frame_group,
                    scene: drawn.scene,
                    camera: drawn.camera,
                    params: drawn.params,
                })?;
                if *swaps_scene_color {
                    targets.swap_scene_color();
                }
            }
        }
        Ok(())
    }
}

/// What one call to `render` draws.
struct Drawn<'a> {
    scene: &'a Scene,
    camera: &'a Camera,
    params: &'a FrameParams,
    output: &'a wgpu::TextureView,
    views: &'a [Frustum; VIEWS],
}

fn keep_history(encoder: &mut wgpu::CommandEncoder, targets: &Targets) {
    let history = targets.channel(&Channel::COLOR_HISTORY);
    if let (Some(color), Some(history)) = (targets.channel(&Channel::SCENE_COLOR), history) {
        let (from, to) = (color.texture(), history.texture());
        encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
    }
}

fn frame_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    frame_buffer: &wgpu::Buffer,
    sky: &SkyPictures,
    shadow_texture: &wgpu::Texture,
) -> wgpu::BindGroup {
    let shadow_view = shadow_texture.create_view(&wgpu::TextureViewDescriptor::default());
    let comparison = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    gpu.bind(
        "frame",
        layout,
        &[
            frame_buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(&sky.view),
            wgpu::BindingResource::Sampler(&sky.sampler),
            wgpu::BindingResource::TextureView(&shadow_view),
            wgpu::BindingResource::Sampler(&comparison),
            sky.harmonics.as_entire_binding(),
        ],
    )
}
