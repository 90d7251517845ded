//! The sky, kept as small pictures that are made anew only when the sun, the air or the camera's height changes.

use glam::{Vec3, Vec4};
use wgpu::{TextureFormat, TextureUsages as U, TextureView};

use crate::{
    Result, Scene, atmosphere as air,
    gpu::{Gpu, overwriting_pass},
    shaders,
    stats::Counters,
};

/// Asymmetry of the haze's phase function.
const MIE_ASYMMETRY: f32 = 0.8;
/// The camera may climb or sink by this share of its altitude before the pictures are made anew.
const HEIGHT_TOLERANCE: f32 = 0.02;

/// `struct Air` of `shaders/sky_model.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct AirUniform {
    rayleigh: Vec4,
    mie: Vec4,
    mie_extinction: Vec4,
    ozone: Vec4,
    ground: Vec4,
    geometry: Vec4,
    sun: Vec4,
}

/// The pictures, what they were made for and the passes that make them.
#[derive(Debug)]
pub(crate) struct SkyPictures {
    /// Radiance in every direction, for a sun of 1 lux.
    pub(crate) view: TextureView,
    /// Nine spherical harmonics of the irradiance.
    pub(crate) harmonics: wgpu::Buffer,
    pub(crate) sampler: wgpu::Sampler,
    transmittance: Pass,
    multiple: Pass,
    sky_view: Pass,
    irradiance: (wgpu::ComputePipeline, Option<wgpu::BindGroup>),
    uniform: wgpu::Buffer,
    made_for: Option<AirUniform>,
    radius_km: f32,
}

#[derive(Debug)]
struct Pass {
    target: TextureView,
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

impl SkyPictures {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let uniform = gpu.buffer(
            "air",
            size_of::<AirUniform>() as u64,
            wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        );
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("sky"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let air = uniform.as_entire_binding();
        let transmittance = Pass::new(
            gpu,
            "sky transmittance",
            shaders::SKY_TRANSMITTANCE,
            "fs_transmittance",
            [256, 64],
            std::slice::from_ref(&air),
        );
        let with_light = [
            air.clone(),
            wgpu::BindingResource::Sampler(&sampler),
            wgpu::BindingResource::TextureView(&transmittance.target),
        ];
        let multiple = Pass::new(
            gpu,
            "sky multiple",
            shaders::SKY_MULTIPLE,
            "fs_multiple",
            [32, 32],
            &with_light,
        );
        let [air, light, picture] = with_light;
        let with_multiple = [
            air,
            light,
            picture,
            wgpu::BindingResource::TextureView(&multiple.target),
        ];
        let sky_view = Pass::new(
            gpu,
            "sky view",
            shaders::SKY_VIEW,
            "fs_sky_view",
            [192, 128],
            &with_multiple,
        );
        let module = gpu.shader("sky irradiance", shaders::SKY_IRRADIANCE);
        let irradiance = gpu.compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("sky irradiance"),
            layout: None,
            module: &module,
            entry_point: Some("cs_irradiance"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self {
            view: sky_view.target.clone(),
            harmonics: gpu.buffer(
                "sky harmonics",
                9 * 16,
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::STORAGE,
            ),
            sampler,
            transmittance,
            multiple,
            sky_view,
            irradiance: (irradiance, None),
            uniform,
            made_for: None,
            radius_km: air::GROUND_RADIUS_KM,
        }
    }

    /// The height that the pictures are for when the camera stands at this one.
    pub(crate) fn radius_for(&self, scene: &Scene, height_m: f32) -> f32 {
        let radius = scene.atmosphere.radius_km(height_m);
        let altitude = self.radius_km - air::GROUND_RADIUS_KM;
        let moved = (radius - self.radius_km).abs();
        if self.made_for.is_some() && moved <= altitude * HEIGHT_TOLERANCE {
            self.radius_km
        } else {
            radius
        }
    }

    /// Forgets what the pictures were made for, since what was to draw them may never have run.
    pub(crate) fn invalidate(&mut self) {
        self.made_for = None;
    }

    /// Makes the pictures anew when they are for other air, another sun or another height.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        radius_km: f32,
        frame_buffer: &wgpu::Buffer,
    ) -> Result<()> {
        let uniform = AirUniform::new(scene, radius_km)?;
        if self.made_for == Some(uniform) {
            return Ok(());
        }
        Counters::add(&gpu.counters.sky_updates, 1);
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        for pass in [&self.transmittance, &self.multiple, &self.sky_view] {
            pass.encode(encoder);
        }
        let (pipeline, group) = &mut self.irradiance;
        let group = group.get_or_insert_with(|| {
            Counters::add(&gpu.counters.bind_groups, 1);
            let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("sky irradiance"),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[
                    entry(0, frame_buffer.as_entire_binding()),
                    entry(1, wgpu::BindingResource::TextureView(&self.view)),
                    entry(2, wgpu::BindingResource::Sampler(&self.sampler)),
                    entry(6, self.harmonics.as_entire_binding()),
                ],
            })
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("sky irradiance"),
            timestamp_writes: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &*group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        drop(pass);
        self.made_for = Some(uniform);
        self.radius_km = radius_km;
        Ok(())
    }
}

impl Pass {
    fn new(
        gpu: &Gpu,
        label: &str,
        source: &str,
        entry: &str,
        size: [u32; 2],
        resources: &[wgpu::BindingResource<'_>],
    ) -> Self {
        let format = TextureFormat::Rgba16Float;
        let target = gpu.picture(label, size, 1, format, U::RENDER_ATTACHMENT | U::TEXTURE_BINDING);
        let pipeline = gpu.fullscreen_pipeline(label, source, entry, None, format);
        let group = gpu.bind(label, &pipeline.get_bind_group_layout(0), resources);
        Self {
            target,
            pipeline,
            group,
        }
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = overwriting_pass(encoder, "sky picture", &self.target);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl AirUniform {
    fn new(scene: &Scene, radius_km: f32) -> Result<Self> {
        let atmosphere = &scene.atmosphere;
        let sun = scene.sun.check()?;
        let mie = air::MIE_SCATTERING_PER_KM * atmosphere.haze;
        let mie_extinction = (air::MIE_SCATTERING_PER_KM + air::MIE_ABSORPTION_PER_KM) * atmosphere.haze;
        Ok(Self {
            rayleigh: air::RAYLEIGH_PER_KM.extend(air::RAYLEIGH_HEIGHT_KM),
            mie: Vec3::splat(mie).extend(air::MIE_HEIGHT_KM),
            mie_extinction: Vec3::splat(mie_extinction).extend(MIE_ASYMMETRY),
            ozone: air::OZONE_PER_KM.extend(0.0),
            ground: atmosphere.ground_albedo.extend(air::GROUND_RADIUS_KM),
            geometry: Vec4::new(air::TOP_RADIUS_KM, radius_km, sun.y, 0.0),
            sun: sun.extend(0.0),
        })
    }
}
