//! Many placements of one mesh.

use glam::{Affine3A, Quat, Vec3};

use crate::{
    Result,
    mesh::{check_finite, root_unorm8},
};

/// One placement of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// World space from the mesh's own; scales may differ by axis, mirroring is not supported.
    pub world_from_model: Affine3A,
    /// Linear colour that multiplies the material's, 0 to 1.
    pub tint: Vec3,
}

impl Instance {
    /// Untinted, unscaled, at the origin.
    pub const IDENTITY: Self = Self {
        world_from_model: Affine3A::IDENTITY,
        tint: Vec3::ONE,
    };

    /// Standing at `position`, turned about the vertical axis, scaled evenly.
    #[must_use]
    pub fn standing(position: Vec3, yaw_rad: f32, scale: f32) -> Self {
        let turn = Quat::from_rotation_y(yaw_rad);
        let world_from_model = Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, position);
        Self {
            world_from_model,
            tint: Vec3::ONE,
        }
    }

    /// The same placement in another colour.
    #[must_use]
    pub fn tinted(mut self, tint: Vec3) -> Self {
        self.tint = tint;
        self
    }
}

/// An instance as the shaders read it: the rows of the 3 x 4 matrix, then the tint.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct PackedInstance {
    rows: [[f32; 4]; 3],
    tint: [u8; 4],
}

impl PackedInstance {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
        5 => Float32x4, 6 => Float32x4, 7 => Float32x4, 8 => Unorm8x4
    ];

    pub(crate) fn new(instance: &Instance) -> Self {
        let m = instance.world_from_model.matrix3.transpose();
        let t = instance.world_from_model.translation;
        let tint = instance.tint;
        Self {
            rows: [
                [m.x_axis.x, m.x_axis.y, m.x_axis.z, t.x],
                [m.y_axis.x, m.y_axis.y, m.y_axis.z, t.y],
                [m.z_axis.x, m.z_axis.y, m.z_axis.z, t.z],
            ],
            tint: root_unorm8([tint.x, tint.y, tint.z, 1.0]),
        }
    }
}

/// Refuses NaN and infinity in any placement.
pub(crate) fn check_instances(name: &str, instances: &[Instance]) -> Result<()> {
    check_finite(
        name,
        "world_from_model",
        instances.iter().map(|i| i.world_from_model.to_cols_array()),
    )?;
    check_finite(name, "tint", instances.iter().map(|i| i.tint.to_array()))
}
