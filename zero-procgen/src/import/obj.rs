//! Wavefront OBJ.

use super::scene::{ImportedMaterial, Part, Scene};
use super::{read, refuse};
use crate::download::{HostColumn, HostGeometry};
use crate::error::Result;
use crate::export::Material;
use crate::graph::wire::Class;
use std::cell::Cell;
use std::io::{BufRead, Read};
use std::path::Path;
use tobj::LoadOptions;

/// Opens a `.obj`, with the `.mtl` files beside it that it names.
///
/// # Errors
/// [`Error::File`](crate::Error::File) where it can't be read, else as [`obj`]. A material file that is missing leaves
/// its materials out.
pub fn open_obj(path: impl AsRef<Path>) -> Result<Scene> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    obj(&path.display().to_string(), &read(path)?, |name| {
        std::fs::read(folder.join(name)).ok()
    })
}

/// Reads a Wavefront OBJ file: a part for each object, group or material, in the file's order, its polygons as they are.
///
/// Positions are the points, with colours (`v x y z r g b`, taken as linear) as `Cd`; normals and texture coordinates stand
/// on the corners, as `N` and `uv`. The diffuse colour and the opacity of a material are its base colour. Curves and
/// surfaces of higher order are left.
///
/// `resolve` gives the bytes of a material file by the name that stands in the OBJ; it is asked for names without
/// folders alone.
///
/// # Errors
/// [`Error::Import`](crate::Error::Import) with the line that can't be read.
pub fn obj(file: &str, bytes: &[u8], resolve: impl Fn(&str) -> Option<Vec<u8>>) -> Result<Scene> {
    let line = Cell::new(0);
    let mut lines = Lines {
        rest: bytes,
        line: &line,
    };
    // By default polygons stay what they are, and corners have an index for each of their values.
    let options = LoadOptions {
        ignore_points: true,
        ..LoadOptions::default()
    };
    let materials = |path: &Path| {
        let name = path
            .to_str()
            .filter(|name| !name.contains(['/', '\\', ':']) && *name != "..");
        match name.and_then(&resolve) {
            Some(text) => tobj::load_mtl_buf(&mut text.as_slice()),
            None => Err(tobj::LoadError::OpenFileFailed),
        }
    };
    let (models, materials) = match tobj::load_obj_buf(&mut lines, &options, materials) {
        Ok(loaded) => loaded,
        Err(error) => return refuse(&format!("{file}:{}", line.get()), error),
    };
    let mut scene = Scene {
        file: file.to_owned(),
        ..Scene::default()
    };
    // A material file that is missing is no error: the geometry is whole without it.
    for material in materials.unwrap_or_default() {
        let [red, green, blue] = material.diffuse.unwrap_or([0.8; 3]);
        scene.materials.push(ImportedMaterial {
            name: material.name,
            material: Material {
                base_color: [red, green, blue, material.dissolve.unwrap_or(1.0)],
                ..Material::default()
            },
        });
    }
    for model in models {
        let geometry = geometry(&model.name, file, &model.mesh)?;
        let mut name = model.name.clone();
        let mut number = 1;
        while scene.parts.iter().any(|part| part.name == name) {
            number += 1;
            name = format!("{} {number}", model.name);
        }
        let material = model.mesh.material_id.filter(|id| *id < scene.materials.len());
        scene.parts.push(Part {
            name,
            geometry,
            placement: glam::Mat4::IDENTITY,
            material,
        });
    }
    Ok(scene)
}

fn geometry(name: &str, file: &str, mesh: &tobj::Mesh) -> Result<HostGeometry> {
    let at = |message: String| refuse(file, format!("object '{name}': {message}"));
    if let Some(bad) = [&mesh.positions, &mesh.normals, &mesh.texcoords, &mesh.vertex_color]
        .into_iter()
        .flatten()
        .find(|value| !value.is_finite())
    {
        return at(format!("expected finite numbers, got {bad}"));
    }
    let mut geometry = HostGeometry::new();
    geometry.set(
        Class::Point,
        "P",
        HostColumn::Vec3(mesh.positions.as_chunks().0.to_vec()),
    )?;
    if mesh.vertex_color.len() == mesh.positions.len() && !mesh.positions.is_empty() {
        let opaque = |[r, g, b]: &[f32; 3]| [*r, *g, *b, 1.0];
        let colors = mesh.vertex_color.as_chunks().0.iter().map(opaque).collect();
        geometry.set(Class::Point, "Cd", HostColumn::Color(colors))?;
    }
    let corners: Vec<i32> = mesh.indices.iter().map(|index| index.cast_signed()).collect();
    let faces: Vec<i32> = match mesh.face_arities.as_slice() {
        [] => vec![3; corners.len() / 3],
        arities => arities.iter().map(|arity| arity.cast_signed()).collect(),
    };
    geometry.set(Class::Vertex, "pt", HostColumn::Int(corners))?;
    if let Some(normals) = at_corners(mesh.normals.as_chunks::<3>().0, &mesh.normal_indices, &mesh.indices) {
        match normals {
            Ok(values) => geometry.set(Class::Vertex, "N", HostColumn::Vec3(values))?,
            Err(past) => return at(format!("normal {past} is not there")),
        }
    }
    if let Some(places) = at_corners(mesh.texcoords.as_chunks::<2>().0, &mesh.texcoord_indices, &mesh.indices) {
        match places {
            Ok(values) => geometry.set(Class::Vertex, "uv", HostColumn::Vec2(values))?,
            Err(past) => return at(format!("texture coordinate {past} is not there")),
        }
    }
    let mut starts = Vec::with_capacity(faces.len());
    let mut next = 0i32;
    for count in &faces {
        starts.push(next);
        next = next.saturating_add(*count);
    }
    geometry.set(Class::Primitive, "vstart", HostColumn::Int(starts))?;
    geometry.set(Class::Primitive, "vcount", HostColumn::Int(faces))?;
    Ok(geometry)
}

/// Values at the corners by their own indices, or by those of the points where the file states no others; nothing where it
/// states none for all corners, and the index that is not there where it is wrong.
fn at_corners<const LANES: usize>(
    values: &[[f32; LANES]],
    own: &[u32],
    points: &[u32],
) -> Option<std::result::Result<Vec<[f32; LANES]>, u32>> {
    if values.is_empty() || (!own.is_empty() && own.len() != points.len()) {
        return None;
    }
    let indices = if own.is_empty() { points } else { own };
    let value = |index: &u32| values.get(*index as usize).copied().ok_or(*index);
    Some(indices.iter().map(value).collect())
}

/// Text that counts the lines taken from it.
struct Lines<'a> {
    rest: &'a [u8],
    line: &'a Cell<usize>,
}

impl Read for Lines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let taken = self.rest.read(buffer)?;
        self.count(&buffer[..taken]);
        Ok(taken)
    }
}

impl Lines<'_> {
    fn count(&self, bytes: &[u8]) {
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        self.line.set(self.line.get() + ends);
    }
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(self.rest)
    }
    fn consume(&mut self, amount: usize) {
        let (taken, rest) = self.rest.split_at(amount.min(self.rest.len()));
        self.count(taken);
        self.rest = rest;
    }
}
