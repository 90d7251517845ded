//! Bringing meshes, instances and materials to the device.

use std::sync::Arc;

use glam::Vec3;
use wgpu::BufferUsages as U;

use crate::{
    Instance, InstanceSet, Material, MaterialHandle, Mesh, MeshData, RenderError, Renderer, Result, TerrainMaterial,
    instance::{PackedInstance, check_instances},
    material::MaterialUniform,
    scene::{InstanceBuffers, InstanceGroup, MeshBuffers},
};

/// About how many neighbouring instances are culled as one.
const GROUP: usize = 256;

impl Renderer {
    /// Checks a mesh and puts it on the device: 36 bytes a vertex, 4 an index.
    ///
    /// # Errors
    /// As [`MeshData::check`], or [`RenderError::BufferTooLarge`].
    pub fn upload_mesh(&self, data: &MeshData) -> Result<Mesh> {
        data.check()?;
        let empty = || RenderError::EmptyMesh {
            mesh: data.name.clone(),
            vertices: 0,
            indices: 0,
        };
        let bounds = data.bounds().ok_or_else(empty)?;
        let gpu = self.gpu();
        Ok(Mesh(Arc::new(MeshBuffers {
            vertices: gpu.buffer_of(&data.name, bytemuck::cast_slice(&data.pack()), U::VERTEX)?,
            indices: gpu.buffer_of(&data.name, bytemuck::cast_slice(&data.indices), U::INDEX)?,
            index_count: data.indices.len() as u32,
            bounds,
        })))
    }

    /// Checks placements and puts them on the device: 52 bytes each. They are sorted into neighbourhoods, so that those
    /// out of sight cost nothing; their order in the slice does not matter.
    ///
    /// # Errors
    /// NaN or infinity in any, or [`RenderError::BufferTooLarge`].
    pub fn upload_instances(&self, name: &str, instances: &[Instance]) -> Result<InstanceSet> {
        check_instances(name, instances)?;
        let (order, groups) = neighbourhoods(instances);
        let packed: Vec<_> = order.iter().map(|&i| PackedInstance::new(&instances[i])).collect();
        let buffer = self.gpu().buffer_of(name, bytemuck::cast_slice(&packed), U::VERTEX)?;
        Ok(InstanceSet(Arc::new(InstanceBuffers {
            buffer,
            groups,
            count: instances.len() as u32,
        })))
    }

    /// Puts a plain material on the device.
    ///
    /// # Errors
    /// [`RenderError::OutOfRange`] for a colour or factor outside 0 to 1, or a length that is not above 0.
    pub fn upload_material(&self, material: &Material) -> Result<MaterialHandle> {
        self.upload_uniform(&material.name, &MaterialUniform::plain(material)?)
    }

    /// Puts a layered terrain material on the device.
    ///
    /// # Errors
    /// [`RenderError::TerrainLayers`], or [`RenderError::OutOfRange`] as for a plain material.
    pub fn upload_terrain_material(&self, material: &TerrainMaterial) -> Result<MaterialHandle> {
        self.upload_uniform(&material.name, &MaterialUniform::terrain(material)?)
    }

    fn upload_uniform(&self, name: &str, uniform: &MaterialUniform) -> Result<MaterialHandle> {
        let buffer = self.gpu().buffer_of(name, bytemuck::bytes_of(uniform), U::UNIFORM)?;
        let group = self
            .gpu()
            .bind(name, self.material_layout(), &[buffer.as_entire_binding()]);
        Ok(MaterialHandle(Arc::new(group)))
    }
}

/// An order that keeps neighbours together, and the groups in it: squares of the ground that hold about [`GROUP`] each.
fn neighbourhoods(instances: &[Instance]) -> (Vec<usize>, Vec<InstanceGroup>) {
    let origin = |i: usize| Vec3::from(instances[i].world_from_model.translation);
    let mut order: Vec<usize> = (0..instances.len()).collect();
    let Some(first) = instances.first() else {
        return (order, Vec::new());
    };
    let start = Vec3::from(first.world_from_model.translation);
    let all = (0..instances.len()).map(origin);
    let [lo, hi] = all.fold([start; 2], |[lo, hi], p| [lo.min(p), hi.max(p)]);
    let squares = (instances.len() as f32 / GROUP as f32).sqrt().ceil().max(1.0);
    let edge = ((hi - lo) / squares).max(Vec3::splat(1e-3));
    let square = |i: usize| {
        let at = ((origin(i) - lo) / edge).min(Vec3::splat(squares - 1.0));
        (at.z as u32, at.x as u32)
    };
    order.sort_by_key(|&i| (square(i), i));
    let mut groups: Vec<InstanceGroup> = Vec::new();
    let mut current = None;
    for (place, &i) in order.iter().enumerate() {
        let (p, place) = (origin(i), place as u32);
        let stretch = stretch(&instances[i]);
        match groups.last_mut().filter(|_| current == Some(square(i))) {
            Some(group) => {
                group.range.end = place + 1;
                group.origins = [group.origins[0].min(p), group.origins[1].max(p)];
                group.stretch = group.stretch.max(stretch);
            }
            None => groups.push(InstanceGroup {
                range: place..place + 1,
                origins: [p; 2],
                stretch,
            }),
        }
        current = Some(square(i));
    }
    (order, groups)
}

/// No less than the largest factor by which a placement lengthens a vector: the Frobenius norm bounds it.
fn stretch(instance: &Instance) -> f32 {
    let m = instance.world_from_model.matrix3;
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_is_in_one_group_whose_bounds_hold_it() {
        let instances: Vec<_> = (0..5000)
            .map(|i| {
                let (x, z) = ((i * 7919 % 6000) as f32, (i * 104_729 % 6000) as f32);
                Instance::standing(Vec3::new(x, x * 0.1, z), 0.3, 1.0 + (i % 5) as f32)
            })
            .collect();
        let (order, groups) = neighbourhoods(&instances);
        let mut seen = vec![false; instances.len()];
        let mut next = 0;
        for group in &groups {
            assert_eq!(group.range.start, next, "groups are in order and without gaps");
            next = group.range.end;
            for place in group.range.clone() {
                let i = order[place as usize];
                assert!(!std::mem::replace(&mut seen[i], true));
                let p = Vec3::from(instances[i].world_from_model.translation);
                assert!(p.cmpge(group.origins[0]).all() && p.cmple(group.origins[1]).all());
                assert!(group.stretch >= 1.0 + (i % 5) as f32);
            }
        }
        assert!(seen.into_iter().all(|s| s));
        assert!((10..60).contains(&groups.len()), "{} groups", groups.len());
        assert!(neighbourhoods(&[]).1.is_empty());
    }
}
