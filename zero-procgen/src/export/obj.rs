//! Wavefront OBJ.

use super::file::write_whole;
use super::runs::{corners, finite};
use crate::download::{HostColumn, HostGeometry};
use crate::error::{Error, Result};
use crate::graph::wire::Class;
use std::fmt::Write;
use std::path::Path;

/// Writes geometries as the objects of a Wavefront OBJ file, whole or not at all; its text is that of [`obj_text`].
///
/// # Errors
/// [`Error::File`] naming the path, and as [`obj_text`].
pub fn write_obj<'a>(
    path: impl AsRef<Path>,
    objects: impl IntoIterator<Item = (&'a str, &'a HostGeometry)>,
) -> Result<()> {
    let text = obj_text(objects)?;
    write_whole(path.as_ref(), |out| out.write_all(text.as_bytes()))
}

/// Geometries as the objects of a Wavefront OBJ file: positions, colours (`v x y z r g b`, linear, without alpha), normals,
/// texture coordinates and polygons, each number in the fewest digits that say it exactly. `N` and `uv` are those of the
/// corners, or else of the points. The format holds no other column.
///
/// # Errors
/// [`Error::Unknown`] where the points have no `P`; [`Error::Refused`] for a population and for a name with a line's end in
/// it; [`Error::Kind`] for a column of another type, a corner that names no point, a run past the corners or a number that
/// is not finite.
pub fn obj_text<'a>(objects: impl IntoIterator<Item = (&'a str, &'a HostGeometry)>) -> Result<String> {
    let mut text = String::new();
    let mut done = Numbers::default();
    for (name, geometry) in objects {
        if geometry.mesh().is_some() {
            return Err(Error::Refused(format!(
                "'{name}' is a population, which OBJ can't say; a glTF file can"
            )));
        }
        if name.trim().is_empty() || name.contains(['\n', '\r']) {
            return Err(Error::Refused(format!("the name {name:?} can't stand in an OBJ file")));
        }
        // Writing to a text can't fail.
        let _ = writeln!(text, "o {name}");
        object(&mut text, geometry, &mut done)?;
    }
    Ok(text)
}

/// How many of each the file holds: indices count through all objects.
#[derive(Default)]
struct Numbers {
    points: usize,
    uvs: usize,
    normals: usize,
}

fn object(text: &mut String, geometry: &HostGeometry, done: &mut Numbers) -> Result<()> {
    let places = geometry.vec3s(Class::Point, "P")?;
    for (class, name) in [(Class::Point, "P"), (Class::Point, "Cd")] {
        if let Some(column) = geometry.attribute(class, name) {
            finite(class, name, column)?;
        }
    }
    let color = |index: usize| match geometry.attribute(Class::Point, "Cd") {
        Some(HostColumn::Vec3(values)) => Some(values[index]),
        Some(HostColumn::Color(values)) => Some([values[index][0], values[index][1], values[index][2]]),
        _ => None,
    };
    for (index, [x, y, z]) in places.iter().enumerate() {
        let _ = match color(index) {
            Some([r, g, b]) => writeln!(text, "v {x} {y} {z} {r} {g} {b}"),
            None => writeln!(text, "v {x} {y} {z}"),
        };
    }
    let (uv_class, uvs) = written(geometry, "uv", 2)?;
    let (normal_class, normals) = written(geometry, "N", 3)?;
    for value in &uvs {
        let _ = writeln!(text, "vt {} {}", value[0], value[1]);
    }
    for value in &normals {
        let _ = writeln!(text, "vn {} {} {}", value[0], value[1], value[2]);
    }
    let place = |class: Class, vertex: usize, point: u32| match class {
        Class::Vertex => vertex,
        _ => point as usize,
    };
    for face in corners(geometry)? {
        text.push_str(if face.len() == 2 { "l" } else { "f" });
        for (vertex, point) in &face {
            let at = done.points + *point as usize + 1;
            let uv = (!uvs.is_empty()).then(|| done.uvs + place(uv_class, *vertex, *point) + 1);
            let normal = (!normals.is_empty()).then(|| done.normals + place(normal_class, *vertex, *point) + 1);
            let _ = match (uv, normal.filter(|_| face.len() > 2)) {
                (Some(uv), Some(normal)) => write!(text, " {at}/{uv}/{normal}"),
                (Some(uv), None) => write!(text, " {at}/{uv}"),
                (None, Some(normal)) => write!(text, " {at}//{normal}"),
                (None, None) => write!(text, " {at}"),
            };
        }
        text.push('\n');
    }
    done.points += places.len();
    done.uvs += uvs.len();
    done.normals += normals.len();
    Ok(())
}

/// A column of the corners, or else of the points, as vectors of which `lanes` are written.
fn written(geometry: &HostGeometry, name: &str, lanes: usize) -> Result<(Class, Vec<[f32; 3]>)> {
    let class = match geometry.attribute(Class::Vertex, name) {
        Some(_) => Class::Vertex,
        None => Class::Point,
    };
    let Some(column) = geometry.attribute(class, name) else {
        return Ok((class, Vec::new()));
    };
    finite(class, name, column)?;
    let values = match column {
        HostColumn::Vec3(values) => values.clone(),
        HostColumn::Vec2(values) if lanes == 2 => values.iter().map(|[u, v]| [*u, *v, 0.0]).collect(),
        other => {
            return Err(Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: format!("a column of Vec{lanes}"),
                found: format!("one of {}", other.ty().name()),
            });
        }
    };
    Ok((class, values))
}
