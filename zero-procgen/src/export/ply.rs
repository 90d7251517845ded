//! PLY, in bytes of little-endian order.

use super::file::write_whole;
use super::srgb::linear_to_srgb_byte;
use crate::download::{HostColumn, HostGeometry};
use crate::error::{Error, Result};
use crate::graph::wire::Class;
use std::path::Path;

/// Writes a geometry as a PLY file, whole or not at all; its bytes are those of [`ply_bytes`].
///
/// # Errors
/// [`Error::File`] naming the path, and as [`ply_bytes`].
pub fn write_ply(path: impl AsRef<Path>, geometry: &HostGeometry) -> Result<()> {
    let bytes = ply_bytes(geometry)?;
    write_whole(path.as_ref(), |out| out.write_all(&bytes))
}

/// A geometry as a PLY file: binary, little-endian, every column of the points and of the faces with it.
///
/// `P` becomes `x y z`, `N` `nx ny nz`, `uv` `s t` (of a Vec3 its third number is left off), and `Cd` `red green blue`
/// with or without `alpha`, as bytes of sRGB, which is what other programs read. Another vector is a property a lane,
/// `v_x` to `v_w`; whole numbers are `int` and `uint`. `import::ply` (feature `import`) reads all of it back; a colour
/// comes back to a byte's precision.
///
/// # Errors
/// [`Error::Refused`] where the points have no `P`, for columns on the corners (PLY has none: move them to the points), and
/// for details other than numbers; [`Error::Kind`] for a corner that names no point, a run past the corners, or a number
/// that is not finite.
pub fn ply_bytes(geometry: &HostGeometry) -> Result<Vec<u8>> {
    let corners: Vec<&str> = geometry
        .names(Class::Vertex)
        .into_iter()
        .filter(|name| *name != "pt")
        .collect();
    if let Some(name) = corners.first() {
        return Err(Error::Refused(format!(
            "vertex.{name} stands on corners, which PLY has no column for"
        )));
    }
    if geometry.mesh().is_some() {
        return Err(Error::Refused(
            "a population can't be written as PLY; a glTF file can".to_owned(),
        ));
    }
    geometry.vec3s(Class::Point, "P")?;
    let faces = super::runs::faces(geometry)?;
    let points = properties(geometry, Class::Point, &[])?;
    let sides = properties(geometry, Class::Primitive, &["vstart", "vcount"])?;
    let most = faces.iter().map(|face| face.len()).max().unwrap_or(0);
    let wide = most > usize::from(u8::MAX);

    let mut header = String::from("ply\nformat binary_little_endian 1.0\n");
    header.push_str(&format!("element vertex {}\n", geometry.count(Class::Point)));
    points.iter().for_each(|property| property.declare(&mut header));
    if !faces.is_empty() {
        header.push_str(&format!("element face {}\n", faces.len()));
        let count = if wide { "uint" } else { "uchar" };
        header.push_str(&format!("property list {count} int vertex_indices\n"));
        sides.iter().for_each(|property| property.declare(&mut header));
    }
    header.push_str("end_header\n");

    let mut bytes = header.into_bytes();
    for index in 0..geometry.count(Class::Point) as usize {
        points.iter().for_each(|property| property.write(index, &mut bytes));
    }
    for (index, face) in faces.iter().enumerate() {
        match wide {
            true => bytes.extend((face.len() as u32).to_le_bytes()),
            false => bytes.push(face.len() as u8),
        }
        face.iter().for_each(|point| bytes.extend(point.to_le_bytes()));
        sides.iter().for_each(|property| property.write(index, &mut bytes));
    }
    Ok(bytes)
}

/// A column and the names of its lanes in the file.
struct Property<'a> {
    names: Vec<String>,
    ty: &'static str,
    column: &'a HostColumn,
}

impl Property<'_> {
    fn declare(&self, header: &mut String) {
        for name in &self.names {
            header.push_str(&format!("property {} {name}\n", self.ty));
        }
    }

    fn write(&self, index: usize, bytes: &mut Vec<u8>) {
        let lanes = self.names.len();
        let mut floats = |values: &[f32]| {
            for value in &values[..lanes.min(values.len())] {
                match self.ty {
                    "uchar" => bytes.push(linear_to_srgb_byte(*value)),
                    _ => bytes.extend(value.to_le_bytes()),
                }
            }
        };
        match self.column {
            HostColumn::Float(values) => floats(&values[index..=index]),
            HostColumn::Vec2(values) => floats(&values[index]),
            HostColumn::Vec3(values) => floats(&values[index]),
            HostColumn::Vec4(values) | HostColumn::Quat(values) => floats(&values[index]),
            HostColumn::Color(values) if self.ty == "uchar" => {
                floats(&values[index][..3]);
                if lanes == 4 {
                    bytes.push((values[index][3].clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
                }
            }
            HostColumn::Color(values) => floats(&values[index]),
            HostColumn::Int(values) => bytes.extend(values[index].to_le_bytes()),
            HostColumn::UInt(values) => bytes.extend(values[index].to_le_bytes()),
        }
    }
}

fn properties<'a>(geometry: &'a HostGeometry, class: Class, without: &[&str]) -> Result<Vec<Property<'a>>> {
    let mut found = Vec::new();
    for name in geometry.names(class).into_iter().filter(|name| !without.contains(name)) {
        let Some(column) = geometry.attribute(class, name) else {
            continue;
        };
        super::runs::finite(class, name, column)?;
        let fixed = |names: &[&str], ty: &'static str| -> (Vec<String>, &'static str) {
            (names.iter().map(|name| (*name).to_owned()).collect(), ty)
        };
        let lanes = column.ty().lanes().unwrap_or(1) as usize;
        let (names, ty) = match (class, name, column) {
            (Class::Point, "P", HostColumn::Vec3(_)) => fixed(&["x", "y", "z"], "float"),
            (Class::Point, "N", HostColumn::Vec3(_)) => fixed(&["nx", "ny", "nz"], "float"),
            (Class::Point, "uv", HostColumn::Vec2(_) | HostColumn::Vec3(_)) => fixed(&["s", "t"], "float"),
            (Class::Point, "Cd", HostColumn::Vec3(_)) => fixed(&["red", "green", "blue"], "uchar"),
            (Class::Point, "Cd", HostColumn::Color(_)) => fixed(&["red", "green", "blue", "alpha"], "uchar"),
            (_, _, HostColumn::Int(_)) => fixed(&[name], "int"),
            (_, _, HostColumn::UInt(_)) => fixed(&[name], "uint"),
            (_, _, HostColumn::Float(_)) => fixed(&[name], "float"),
            _ => {
                let lanes = ["x", "y", "z", "w"].iter().take(lanes);
                (lanes.map(|lane| format!("{name}_{lane}")).collect(), "float")
            }
        };
        let plain = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        if let Some(name) = names.iter().find(|name| !plain(name)) {
            return Err(Error::Refused(format!("the name {name:?} can't stand in a PLY header")));
        }
        found.push(Property { names, ty, column });
    }
    Ok(found)
}
