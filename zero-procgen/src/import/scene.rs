//! What a file holds: parts, where each stands, and how each looks.

use super::refuse;
use crate::cook::construct::MAX_ELEMENTS;
use crate::download::{HostColumn, HostDetail, HostGeometry};
use crate::error::Result;
use crate::export::Material;
use crate::graph::wire::Class;
use std::collections::BTreeMap;

/// A named look.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedMaterial {
    /// The file's name for it; empty where it has none.
    pub name: String,
    /// Its factors; textures are not read.
    pub material: Material,
}

/// One mesh of a file, in its own space.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The node's or the object's name; a number is added where the file says it twice.
    pub name: String,
    /// Points, corners and faces; a population where the file draws instances.
    pub geometry: HostGeometry,
    /// From the part's space to the file's.
    pub placement: glam::Mat4,
    /// Which of [`Scene::materials`] it wears.
    pub material: Option<usize>,
}

/// The parts of a file, in the order it states them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The file's name, for errors.
    pub(super) file: String,
    /// Its meshes.
    pub parts: Vec<Part>,
    /// What they wear.
    pub materials: Vec<ImportedMaterial>,
}

impl Scene {
    /// The part of a name.
    ///
    /// # Errors
    /// [`Error::Unknown`](crate::Error::Unknown) naming the nearest parts.
    pub fn part(&self, name: &str) -> Result<&Part> {
        let found = self.parts.iter().find(|part| part.name == name);
        found.ok_or_else(|| crate::Error::unknown("part", name, self.parts.iter().map(|part| part.name.as_str())))
    }

    /// Every part where it stands, as one geometry: positions are placed, normals and tangents turned with them, and the
    /// faces of what a placement mirrors keep their outer side. Instances are written out. A column that only some parts
    /// hold is 0 in the others, a colour white; each face's part is in `primitive.part` and, where materials are worn, its
    /// material in `primitive.material` (-1 is none).
    ///
    /// # Errors
    /// [`Error::Import`](crate::Error::Import) where two parts hold a column as different types, or more than 2^25
    /// elements come together.
    pub fn whole(&self) -> Result<HostGeometry> {
        let mut merged = Merged::new(&self.file);
        for (index, part) in self.parts.iter().enumerate() {
            let worn = part.material.map_or(-1, |material| material as i32);
            let tags = [("part", i32::try_from(index).unwrap_or(i32::MAX)), ("material", worn)];
            let tags = if self.materials.is_empty() {
                &tags[..1]
            } else {
                &tags[..]
            };
            match part.geometry.mesh() {
                None => merged.add(&part.geometry, part.placement, tags)?,
                Some(mesh) => {
                    for pose in poses(&self.file, &part.geometry)? {
                        merged.add(mesh, part.placement * pose, tags)?;
                    }
                }
            }
        }
        merged.finish()
    }
}

/// Where each instance of a population stands.
fn poses(file: &str, points: &HostGeometry) -> Result<Vec<glam::Mat4>> {
    let places = points.vec3s(Class::Point, "P")?;
    let turns = match points.attribute(Class::Point, "orient") {
        Some(HostColumn::Quat(turns)) => turns.clone(),
        _ => vec![[0.0, 0.0, 0.0, 1.0]; places.len()],
    };
    let scales = match points.attribute(Class::Point, "scale") {
        Some(HostColumn::Vec3(scales)) => scales.clone(),
        Some(HostColumn::Float(scales)) => scales.iter().map(|scale| [*scale; 3]).collect(),
        _ => vec![[1.0; 3]; places.len()],
    };
    if turns.len() != places.len() || scales.len() != places.len() {
        return refuse(file, "instances of which some lack a rotation or a scale");
    }
    let pose = |((place, turn), scale): ((&[f32; 3], &[f32; 4]), &[f32; 3])| {
        glam::Mat4::from_scale_rotation_translation((*scale).into(), glam::Quat::from_array(*turn), (*place).into())
    };
    Ok(places.iter().zip(&turns).zip(&scales).map(pose).collect())
}

/// Geometries put one after the other.
struct Merged<'a> {
    file: &'a str,
    counts: [usize; 3],
    columns: [BTreeMap<String, HostColumn>; 3],
}

const CLASSES: [Class; 3] = [Class::Point, Class::Vertex, Class::Primitive];

impl<'a> Merged<'a> {
    fn new(file: &'a str) -> Merged<'a> {
        Merged {
            file,
            counts: [0; 3],
            columns: Default::default(),
        }
    }

    fn add(&mut self, geometry: &HostGeometry, placement: glam::Mat4, tags: &[(&str, i32)]) -> Result<()> {
        let before = self.counts;
        let mirrored = placement.determinant() < 0.0;
        for (index, class) in CLASSES.into_iter().enumerate() {
            let count = geometry.count(class) as usize;
            if before[index] + count > MAX_ELEMENTS as usize {
                let message = format!("more than {MAX_ELEMENTS} elements of the {} class", class.name());
                return refuse(self.file, message);
            }
            for name in geometry.names(class) {
                let Some(column) = geometry.attribute(class, name) else {
                    continue;
                };
                let column = placed(class, name, column, placement);
                let column = match (class, name, column) {
                    (Class::Vertex, "pt", HostColumn::Int(points)) => {
                        HostColumn::Int(points.iter().map(|point| point + before[0] as i32).collect())
                    }
                    (Class::Primitive, "vstart", HostColumn::Int(starts)) => {
                        HostColumn::Int(starts.iter().map(|start| start + before[1] as i32).collect())
                    }
                    (_, _, column) => column,
                };
                self.append(index, name, column)?;
            }
            if class == Class::Primitive {
                for (name, value) in tags {
                    self.append(index, name, HostColumn::Int(vec![*value; count]))?;
                }
            }
            self.counts[index] += count;
        }
        if mirrored {
            self.flip(geometry, before)?;
        }
        for index in 0..3 {
            self.pad(index);
        }
        Ok(())
    }

    /// Adds to a column, which is first brought to the length that the class had.
    fn append(&mut self, index: usize, name: &str, values: HostColumn) -> Result<()> {
        let had = self.counts[index];
        let held = self.columns[index]
            .entry(name.to_owned())
            .or_insert_with(|| fill(empty_of(&values), name, had));
        if held.ty() != values.ty() {
            let message = format!(
                "{}.{name} is a {} in one part and a {} in another",
                CLASSES[index].name(),
                held.ty().name(),
                values.ty().name()
            );
            return refuse(self.file, message);
        }
        extend(held, values);
        Ok(())
    }

    fn pad(&mut self, index: usize) {
        let count = self.counts[index];
        for (name, column) in &mut self.columns[index] {
            if column.len() < count {
                *column = fill(std::mem::replace(column, HostColumn::Float(Vec::new())), name, count);
            }
        }
    }

    /// Turns the corners of the faces just added round, all columns with them.
    fn flip(&mut self, geometry: &HostGeometry, before: [usize; 3]) -> Result<()> {
        let starts = geometry.ints(Class::Primitive, "vstart").unwrap_or_default();
        let counts = geometry.ints(Class::Primitive, "vcount").unwrap_or_default();
        for (start, count) in starts.iter().zip(counts) {
            let (Ok(start), Ok(count)) = (usize::try_from(*start), usize::try_from(*count)) else {
                return refuse(self.file, "a face of a negative run of corners");
            };
            let from = before[1] + start;
            for column in self.columns[1].values_mut() {
                reverse(column, from, count);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<HostGeometry> {
        let mut whole = HostGeometry::new();
        for (class, columns) in CLASSES.into_iter().zip(self.columns) {
            for (name, column) in columns {
                whole.set(class, &name, column)?;
            }
        }
        Ok(whole)
    }
}

/// A column as it is where the part stands.
fn placed(class: Class, name: &str, column: &HostColumn, placement: glam::Mat4) -> HostColumn {
    let linear = glam::Mat3::from_mat4(placement);
    match (class, name, column) {
        (Class::Point, "P", HostColumn::Vec3(places)) => HostColumn::Vec3(
            places
                .iter()
                .map(|place| placement.transform_point3((*place).into()).to_array())
                .collect(),
        ),
        (_, "N", HostColumn::Vec3(normals)) => {
            // The cofactors turn a normal as the inverse transpose does, and stand where a placement flattens.
            let cofactors = glam::Mat3::from_cols(
                linear.y_axis.cross(linear.z_axis),
                linear.z_axis.cross(linear.x_axis),
                linear.x_axis.cross(linear.y_axis),
            );
            let side = if placement.determinant() < 0.0 { -1.0 } else { 1.0 };
            let turned = |normal: &[f32; 3]| {
                (cofactors * glam::Vec3::from(*normal) * side)
                    .normalize_or_zero()
                    .to_array()
            };
            HostColumn::Vec3(normals.iter().map(turned).collect())
        }
        (_, "tangent", HostColumn::Vec4(tangents)) => {
            let side = if placement.determinant() < 0.0 { -1.0 } else { 1.0 };
            let turned = |[x, y, z, w]: &[f32; 4]| {
                let along = (linear * glam::Vec3::new(*x, *y, *z)).normalize_or_zero();
                [along.x, along.y, along.z, w * side]
            };
            HostColumn::Vec4(tangents.iter().map(turned).collect())
        }
        (_, _, column) => column.clone(),
    }
}

macro_rules! over {
    ($column:expr, $values:ident => $body:expr) => {
        match $column {
            HostColumn::Float($values) => HostColumn::Float($body),
            HostColumn::Int($values) => HostColumn::Int($body),
            HostColumn::UInt($values) => HostColumn::UInt($body),
            HostColumn::Vec2($values) => HostColumn::Vec2($body),
            HostColumn::Vec3($values) => HostColumn::Vec3($body),
            HostColumn::Vec4($values) => HostColumn::Vec4($body),
            HostColumn::Quat($values) => HostColumn::Quat($body),
            HostColumn::Color($values) => HostColumn::Color($body),
        }
    };
}

/// A column of the same type with nothing in it.
fn empty_of(column: &HostColumn) -> HostColumn {
    over!(column, values => {
        let mut none = values.clone();
        none.clear();
        none
    })
}

/// A column brought to a length with what an element holds that has none of its own.
fn fill(column: HostColumn, name: &str, length: usize) -> HostColumn {
    fn grown<T: Copy>(mut values: Vec<T>, length: usize, with: T) -> Vec<T> {
        values.resize(length, with);
        values
    }
    match column {
        HostColumn::Float(values) => HostColumn::Float(grown(values, length, 0.0)),
        HostColumn::Int(values) => HostColumn::Int(grown(values, length, 0)),
        HostColumn::UInt(values) => HostColumn::UInt(grown(values, length, 0)),
        HostColumn::Vec2(values) => HostColumn::Vec2(grown(values, length, [0.0; 2])),
        HostColumn::Vec3(values) => HostColumn::Vec3(grown(values, length, [0.0; 3])),
        HostColumn::Vec4(values) => HostColumn::Vec4(grown(values, length, [0.0; 4])),
        HostColumn::Quat(values) => HostColumn::Quat(grown(values, length, [0.0, 0.0, 0.0, 1.0])),
        HostColumn::Color(values) => {
            let white = if name == "Cd" { [1.0; 4] } else { [0.0; 4] };
            HostColumn::Color(grown(values, length, white))
        }
    }
}

fn extend(held: &mut HostColumn, more: HostColumn) {
    match (held, more) {
        (HostColumn::Float(held), HostColumn::Float(more)) => held.extend(more),
        (HostColumn::Int(held), HostColumn::Int(more)) => held.extend(more),
        (HostColumn::UInt(held), HostColumn::UInt(more)) => held.extend(more),
        (HostColumn::Vec2(held), HostColumn::Vec2(more)) => held.extend(more),
        (HostColumn::Vec3(held), HostColumn::Vec3(more)) => held.extend(more),
        (HostColumn::Vec4(held), HostColumn::Vec4(more))
        | (HostColumn::Quat(held), HostColumn::Quat(more))
        | (HostColumn::Color(held), HostColumn::Color(more)) => held.extend(more),
        // The types were compared before.
        _ => {}
    }
}

fn reverse(column: &mut HostColumn, from: usize, count: usize) {
    fn turned<T>(values: &mut [T], from: usize, count: usize) {
        if let Some(run) = values.get_mut(from..).and_then(|rest| rest.get_mut(..count)) {
            run.reverse();
        }
    }
    match column {
        HostColumn::Float(values) => turned(values, from, count),
        HostColumn::Int(values) => turned(values, from, count),
        HostColumn::UInt(values) => turned(values, from, count),
        HostColumn::Vec2(values) => turned(values, from, count),
        HostColumn::Vec3(values) => turned(values, from, count),
        HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => turned(values, from, count),
    }
}

/// Instances of a mesh as a population.
pub(super) fn population(mesh: HostGeometry, mut points: HostGeometry) -> HostGeometry {
    points.set_detail("Mesh", HostDetail::Geometry(mesh));
    points
}
