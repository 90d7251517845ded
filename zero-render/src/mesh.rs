//! Triangle meshes as a host gives them, checked and packed for the device.

use glam::{Vec2, Vec3};

use crate::{RenderError, Result};

/// A triangle mesh: counter-clockwise front faces, metres.
///
/// `positions`, `normals` and `indices` are needed; the other attributes may be empty. Positions stay 32-bit floats;
/// normals are packed to 16 bits a component, colours to 8 bits on a square-root scale, masks to 16 bits: 36 bytes a
/// vertex on the device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// A name for messages and graphics debuggers.
    pub name: String,
    /// Vertex positions, in metres.
    pub positions: Vec<Vec3>,
    /// Vertex normals, of any length but 0.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, or empty.
    pub uvs: Vec<Vec2>,
    /// Linear colour in `rgb` (multiplies the material's) and ambient occlusion in the fourth lane (1 is open, 0 is
    /// shut off from the sky), all clamped to 0..1; or empty for white and open.
    pub colors: Vec<[f32; 4]>,
    /// Two masks from 0 to 1 that a [`TerrainMaterial`](crate::TerrainMaterial) blends its layers by; or empty for 0.
    pub masks: Vec<[f32; 2]>,
    /// Three a triangle.
    pub indices: Vec<u32>,
}

/// A vertex as the shaders read it.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct PackedVertex {
    position: [f32; 3],
    normal: [i16; 4],
    uv: [f32; 2],
    color: [u8; 4],
    masks: [u16; 2],
}

impl PackedVertex {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Snorm16x4, 2 => Float32x2, 3 => Unorm8x4, 4 => Unorm16x2
    ];
    /// The position alone, for passes that only lay depth.
    pub(crate) const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
}

impl MeshData {
    /// Replaces the normals by area-weighted averages of the triangles around each vertex; a vertex of degenerate
    /// triangles only gets +Y. Indices that are out of range are skipped here and refused at upload.
    pub fn compute_normals(&mut self) {
        let mut sums = vec![Vec3::ZERO; self.positions.len()];
        for triangle in self.indices.chunks_exact(3) {
            let corner = |k: usize| self.positions.get(triangle[k] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                continue;
            };
            let area = (b - a).cross(c - a);
            for &i in triangle {
                sums[i as usize] += area;
            }
        }
        self.normals = sums.into_iter().map(|n| n.try_normalize().unwrap_or(Vec3::Y)).collect();
    }

    /// Appends another mesh; a missing attribute on one side is filled with its default.
    pub fn append(&mut self, other: &Self) {
        let base = self.positions.len();
        let total = base + other.positions.len();
        merge(&mut self.uvs, &other.uvs, base, total, Vec2::ZERO);
        merge(&mut self.colors, &other.colors, base, total, [1.0; 4]);
        merge(&mut self.masks, &other.masks, base, total, [0.0; 2]);
        self.positions.extend_from_slice(&other.positions);
        self.normals.extend_from_slice(&other.normals);
        self.indices
            .extend(other.indices.iter().map(|i| i.saturating_add(base as u32)));
    }

    /// The smallest and largest coordinates; `None` without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let first = *self.positions.first()?;
        Some(
            self.positions
                .iter()
                .fold([first; 2], |[lo, hi], p| [lo.min(*p), hi.max(*p)]),
        )
    }

    /// Whether the mesh can be drawn.
    ///
    /// # Errors
    /// Names the mesh and what is wrong with it: empty, lists of different lengths, NaN or infinity, a normal of length
    /// 0, an index out of range, a part of a triangle.
    pub fn check(&self) -> Result<()> {
        let count = self.positions.len();
        let mesh = || self.name.clone();
        if count < 3 || self.indices.len() < 3 {
            return Err(RenderError::EmptyMesh {
                mesh: mesh(),
                vertices: count,
                indices: self.indices.len(),
            });
        }
        if !self.indices.len().is_multiple_of(3) {
            return Err(RenderError::PartialTriangle {
                mesh: mesh(),
                indices: self.indices.len(),
            });
        }
        for (attribute, len, optional) in [
            ("normals", self.normals.len(), false),
            ("uvs", self.uvs.len(), true),
            ("colors", self.colors.len(), true),
            ("masks", self.masks.len(), true),
        ] {
            if len != count && !(optional && len == 0) {
                return Err(RenderError::AttributeLength {
                    mesh: mesh(),
                    attribute,
                    expected: count,
                    actual: len,
                });
            }
        }
        check_finite(&self.name, "positions", self.positions.iter().map(Vec3::to_array))?;
        check_finite(&self.name, "normals", self.normals.iter().map(Vec3::to_array))?;
        check_finite(&self.name, "uvs", self.uvs.iter().map(Vec2::to_array))?;
        check_finite(&self.name, "colors", self.colors.iter().copied())?;
        check_finite(&self.name, "masks", self.masks.iter().copied())?;
        if let Some(index) = self.normals.iter().position(|n| n.try_normalize().is_none()) {
            return Err(RenderError::ZeroNormal { mesh: mesh(), index });
        }
        match self.indices.iter().position(|&i| i as usize >= count) {
            Some(position) => {
                let index = self.indices[position];
                Err(RenderError::IndexOutOfRange {
                    mesh: mesh(),
                    position,
                    index,
                    vertices: count,
                })
            }
            None => Ok(()),
        }
    }

    pub(crate) fn pack(&self) -> Vec<PackedVertex> {
        let vertex = |i: usize| PackedVertex {
            position: self.positions[i].to_array(),
            normal: snorm16(self.normals[i].normalize_or(Vec3::Y)),
            uv: self.uvs.get(i).copied().unwrap_or(Vec2::ZERO).to_array(),
            color: root_unorm8(self.colors.get(i).copied().unwrap_or([1.0; 4])),
            masks: self.masks.get(i).copied().unwrap_or([0.0; 2]).map(unorm16),
        };
        (0..self.positions.len()).map(vertex).collect()
    }
}

fn merge<T: Copy>(ours: &mut Vec<T>, theirs: &[T], base: usize, total: usize, default: T) {
    if ours.is_empty() && theirs.is_empty() {
        return;
    }
    ours.resize(base, default);
    ours.extend_from_slice(theirs);
    ours.resize(total, default);
}

/// Refuses the first number of `values` that is not finite.
pub(crate) fn check_finite<const N: usize>(
    name: &str,
    attribute: &'static str,
    values: impl Iterator<Item = [f32; N]>,
) -> Result<()> {
    for (index, value) in values.enumerate() {
        if let Some(value) = value.into_iter().find(|x| !x.is_finite()) {
            return Err(RenderError::NotFinite {
                name: name.to_owned(),
                attribute,
                index,
                value,
            });
        }
    }
    Ok(())
}

fn snorm16(n: Vec3) -> [i16; 4] {
    let lane = |x: f32| (x * 32767.0).round() as i16;
    [lane(n.x), lane(n.y), lane(n.z), 0]
}

fn unorm16(x: f32) -> u16 {
    (x.clamp(0.0, 1.0) * 65535.0).round() as u16
}

/// Eight bits on a square-root scale, so that dark colours keep their steps; the fourth lane stays linear.
pub(crate) fn root_unorm8([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let lane = |x: f32| (x * 255.0).round() as u8;
    let root = |x: f32| lane(x.clamp(0.0, 1.0).sqrt());
    [root(r), root(g), root(b), lane(a.clamp(0.0, 1.0))]
}
