//! The uniform that every shader of a frame reads.

use glam::{Mat4, Vec3, Vec4};

use crate::{
    Camera, FrameParams, Result, Scene, atmosphere as air,
    shadow::{CASCADES, Cascade},
};

/// `struct Frame` of `shaders/frame.wgsl`, field by field.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct FrameUniform {
    clip_from_world: Mat4,
    previous_clip_from_world: Mat4,
    shadow_from_world: [Mat4; CASCADES],
    camera_position: Vec4,
    camera_right: Vec4,
    camera_up: Vec4,
    camera_forward: Vec4,
    sun_direction: Vec4,
    sun_light: Vec4,
    sky_light: Vec4,
    viewport: Vec4,
    cascade_far: Vec4,
    cascade_texel: Vec4,
    fog_rayleigh: Vec4,
    fog_mie: Vec4,
    sky_geometry: Vec4,
    misc: Vec4,
    ground_albedo: Vec4,
}

/// What the uniform is made from, besides the scene and the camera.
pub(crate) struct FrameInputs<'a> {
    pub(crate) params: &'a FrameParams,
    pub(crate) cascades: &'a [Cascade; CASCADES],
    pub(crate) frame_index: u64,
    pub(crate) previous: Option<(Mat4, f32)>,
    /// The height that the sky pictures were made for, as a distance from the planet's centre.
    pub(crate) sky_radius_km: f32,
}

impl FrameUniform {
    pub(crate) fn new(scene: &Scene, camera: &Camera, inputs: &FrameInputs<'_>) -> Result<Self> {
        let [width, height] = inputs.params.size.map(|x| x as f32);
        let aspect = width / height;
        let clip_from_world = camera.clip_from_world(aspect)?;
        let exposure = inputs.params.exposure();
        let (previous_clip, previous_exposure) = inputs.previous.unwrap_or((clip_from_world, exposure));
        let [right, up, forward] = camera.basis()?;
        let tan_y = (camera.fov_y_rad * 0.5).tan();
        let sun = scene.sun.check()?;
        let atmosphere = &scene.atmosphere;
        let radius_km = inputs.sky_radius_km;
        let solar = scene.sun.illuminance_lux * exposure;
        let mut shadow_from_world = [Mat4::IDENTITY; CASCADES];
        let (mut far, mut texel) = ([0.0; 4], [1.0; 4]);
        for (i, cascade) in inputs.cascades.iter().enumerate() {
            shadow_from_world[i] = cascade.clip_from_world;
            far[i] = cascade.far_m;
            texel[i] = cascade.texel_m;
        }
        let per_m = 1.0e-3;
        let mie = (air::MIE_SCATTERING_PER_KM + air::MIE_ABSORPTION_PER_KM) * atmosphere.haze * per_m;
        // The angle between straight down and the planet's horizon.
        let horizon_rad = (air::GROUND_RADIUS_KM / radius_km).min(1.0).asin();
        Ok(Self {
            clip_from_world,
            previous_clip_from_world: previous_clip,
            shadow_from_world,
            camera_position: camera.position.extend(camera.near_m),
            camera_right: (right * tan_y * aspect).extend(0.0),
            camera_up: (up * tan_y).extend(0.0),
            camera_forward: forward.extend(2.0 * tan_y / height),
            sun_direction: sun.extend(scene.sun.angular_radius_rad),
            sun_light: (atmosphere.sun_transmittance(radius_km, sun.y) * solar).extend(solar),
            sky_light: Vec3::splat(solar).extend(exposure),
            viewport: Vec4::new(width, height, 1.0 / width, 1.0 / height),
            cascade_far: Vec4::from_array(far),
            cascade_texel: Vec4::from_array(texel),
            fog_rayleigh: (air::RAYLEIGH_PER_KM * per_m).extend(air::RAYLEIGH_HEIGHT_KM / per_m),
            fog_mie: Vec3::splat(mie).extend(air::MIE_HEIGHT_KM / per_m),
            sky_geometry: Vec4::new(
                std::f32::consts::PI - horizon_rad,
                horizon_rad,
                atmosphere.sea_level_m,
                0.0,
            ),
            misc: Vec4::new(
                inputs.params.time_secs,
                (inputs.frame_index % 65_536) as f32,
                scene.water.map_or(-1.0e30, |w| w.level_m),
                exposure / previous_exposure,
            ),
            ground_albedo: atmosphere.ground_albedo.extend(0.0),
        })
    }
}
