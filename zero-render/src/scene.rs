//! What a frame shows.

use std::sync::Arc;

use glam::Vec3;

use crate::{Atmosphere, RenderError, Result, Sun};

/// A mesh on the device. A cheap handle; the buffers go when the last one does.
#[derive(Clone, Debug)]
pub struct Mesh(pub(crate) Arc<MeshBuffers>);

#[derive(Debug)]
pub(crate) struct MeshBuffers {
    pub(crate) vertices: wgpu::Buffer,
    pub(crate) indices: wgpu::Buffer,
    pub(crate) index_count: u32,
    pub(crate) bounds: [Vec3; 2],
}

/// Placements of a mesh on the device. A cheap handle.
#[derive(Clone, Debug)]
pub struct InstanceSet(pub(crate) Arc<InstanceBuffers>);

#[derive(Debug)]
pub(crate) struct InstanceBuffers {
    pub(crate) buffer: wgpu::Buffer,
    /// Runs of the buffer that lie close together, each culled as one.
    pub(crate) groups: Vec<InstanceGroup>,
    pub(crate) count: u32,
}

/// Neighbouring instances: where they are in the buffer and what their origins span.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InstanceGroup {
    pub(crate) range: std::ops::Range<u32>,
    pub(crate) origins: [Vec3; 2],
    /// The largest factor by which an instance stretches its mesh.
    pub(crate) stretch: f32,
}

impl InstanceSet {
    /// How many placements.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.count
    }

    /// Whether nothing is placed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.count == 0
    }
}

/// A material on the device. A cheap handle.
#[derive(Clone, Debug)]
pub struct MaterialHandle(pub(crate) Arc<wgpu::BindGroup>);

/// A mesh in the scene: once, or wherever its instances stand.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Object {
    /// The mesh.
    pub mesh: Mesh,
    /// Its surface.
    pub material: MaterialHandle,
    /// Where it stands; `None` is once, as it is.
    pub instances: Option<InstanceSet>,
}

impl Object {
    /// A mesh drawn once, as it is.
    #[must_use]
    pub fn new(mesh: &Mesh, material: &MaterialHandle) -> Self {
        Self {
            mesh: mesh.clone(),
            material: material.clone(),
            instances: None,
        }
    }

    /// A mesh drawn wherever the instances stand.
    #[must_use]
    pub fn instanced(mesh: &Mesh, material: &MaterialHandle, instances: &InstanceSet) -> Self {
        Self {
            instances: Some(instances.clone()),
            ..Self::new(mesh, material)
        }
    }

    /// World bounds of each part that is culled as one.
    pub(crate) fn parts(&self) -> impl Iterator<Item = ([Vec3; 2], std::ops::Range<u32>)> + '_ {
        let [lo, hi] = self.mesh.0.bounds;
        let once = self.instances.is_none().then_some(([lo, hi], 0..1));
        let reach = lo.abs().max(hi.abs()).length();
        let groups = self.instances.iter().flat_map(|i| &i.0.groups).map(move |g| {
            let margin = Vec3::splat(reach * g.stretch);
            ([g.origins[0] - margin, g.origins[1] + margin], g.range.clone())
        });
        once.into_iter().chain(groups)
    }
}

/// A flat body of water that reaches to the horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WaterPlane {
    /// Its height, in metres.
    pub level_m: f32,
    /// Absorption a metre of linear red, green and blue.
    pub absorption_per_m: Vec3,
    /// Linear colour of deep water in full light: what is scattered back.
    pub scatter: Vec3,
    /// Steepness of the ripples, 0 (glass) to 1.
    pub ripple: f32,
    /// Length of the largest ripples, in metres.
    pub ripple_m: f32,
}

impl Default for WaterPlane {
    fn default() -> Self {
        Self {
            level_m: 0.0,
            absorption_per_m: Vec3::new(0.45, 0.12, 0.09),
            scatter: Vec3::new(0.010, 0.028, 0.032),
            ripple: 0.25,
            ripple_m: 14.0,
        }
    }
}

impl WaterPlane {
    /// Clear lake water at this height.
    #[must_use]
    pub fn at(level_m: f32) -> Self {
        Self {
            level_m,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let range = |what, expected, value| Err(RenderError::OutOfRange { what, expected, value });
        if !self.level_m.is_finite() {
            return range("water.level_m", "a finite height", self.level_m);
        }
        for value in self.absorption_per_m.to_array() {
            if !(value >= 0.0 && value.is_finite()) {
                return range("water.absorption_per_m", "0 or more", value);
            }
        }
        for value in self.scatter.to_array() {
            if !(0.0..=1.0).contains(&value) {
                return range("water.scatter", "0 to 1", value);
            }
        }
        if !(0.0..=1.0).contains(&self.ripple) {
            return range("water.ripple", "0 to 1", self.ripple);
        }
        if !(self.ripple_m > 0.0 && self.ripple_m.is_finite()) {
            return range("water.ripple_m", "metres above 0", self.ripple_m);
        }
        Ok(())
    }
}

/// What a frame shows: meshes under one sun, with air and perhaps water. Plain data; building one costs nothing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Scene {
    /// The opaque meshes.
    pub objects: Vec<Object>,
    /// The sun.
    pub sun: Sun,
    /// The air.
    pub atmosphere: Atmosphere,
    /// Water, if there is any.
    pub water: Option<WaterPlane>,
    /// How far from the camera shadows reach, in metres.
    pub shadow_distance: ShadowDistance,
}

/// How far from the camera the sun's shadows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum ShadowDistance {
    /// As far as the scene's meshes reach, at most 10 km.
    #[default]
    Scene,
    /// This far, in metres.
    Metres(f32),
}

impl Scene {
    /// Everything that stands in it; `None` when nothing does.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let parts = self.objects.iter().flat_map(Object::parts).map(|(bounds, _)| bounds);
        parts.reduce(|[lo, hi], [l, h]| [lo.min(l), hi.max(h)])
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.atmosphere.check()?;
        if let Some(water) = &self.water {
            water.check()?;
        }
        match self.shadow_distance {
            ShadowDistance::Metres(value) if !(value > 0.0 && value.is_finite()) => Err(RenderError::OutOfRange {
                what: "shadow_distance",
                expected: "metres above 0",
                value,
            }),
            _ => self.sun.check().map(|_| ()),
        }
    }
}
