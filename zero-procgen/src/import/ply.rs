//! PLY, in text or in bytes of either order.

use super::{read, refuse};
use crate::download::{HostColumn, HostGeometry};
use crate::error::Result;
use crate::export::srgb_to_linear;
use crate::graph::wire::Class;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_ply::{ElementDef, PlyReader, PropertyType, ScalarType};
use std::fmt;
use std::path::Path;

/// Opens a `.ply`.
///
/// # Errors
/// [`Error::File`](crate::Error::File) where it can't be read, else as [`ply`].
pub fn open_ply(path: impl AsRef<Path>) -> Result<HostGeometry> {
    let path = path.as_ref();
    ply(&path.display().to_string(), &read(path)?)
}

/// Reads a PLY file: `vertex` becomes the points, `face` the faces (its list is `vertex_indices` or `vertex_index`), `edge`
/// with `vertex1` and `vertex2` faces of two corners where there are no others.
///
/// `x y z` are `P`, `nx ny nz` are `N`, `s t`, `u v` or `texture_u texture_v` are `uv`, and `red green blue` with or
/// without `alpha` are `Cd`: bytes are taken as sRGB and made linear, as other programs write them, floats as linear. Any
/// other property keeps its name; several that differ in a last `_x`, `_y`, `_z`, `_w` are one vector, and `orient` of
/// four is a rotation. Whole numbers stay whole: those that may be negative are Int, the others UInt.
///
/// # Errors
/// [`Error::Import`](crate::Error::Import) for what is no PLY, is cut short, names a vertex that isn't there or holds a
/// number that is not finite.
pub fn ply(file: &str, bytes: &[u8]) -> Result<HostGeometry> {
    let mut reader = match PlyReader::from_reader(bytes) {
        Ok(reader) => reader,
        Err(error) => return refuse(file, error),
    };
    let mut geometry = HostGeometry::new();
    let mut edges = Vec::new();
    while let Some(element) = reader.current_element().cloned() {
        if element.properties.is_empty() && element.count > 0 {
            return refuse(file, format!("{} {}s of no property", element.count, element.name));
        }
        let Rows(rows) = match reader.next_element() {
            Ok(rows) => rows,
            Err(error) => return refuse(file, format!("{}: {error}", element.name)),
        };
        if rows.len() != element.count {
            let message = format!("expected {} of {}, got {}", element.count, element.name, rows.len());
            return refuse(file, message);
        }
        match element.name.as_str() {
            "vertex" => columns(file, &mut geometry, Class::Point, &element, &rows)?,
            "face" => faces(file, &mut geometry, &element, &rows)?,
            "edge" => edges = pairs(&element, &rows),
            _ => {}
        }
    }
    if geometry.count(Class::Primitive) == 0 && !edges.is_empty() {
        runs(file, &mut geometry, &edges)?;
    }
    Ok(geometry)
}

/// One value of a row.
#[derive(Clone, Debug)]
enum Cell {
    One(f64),
    List(Vec<f64>),
}

/// The rows of an element, each with a cell a property in the header's order.
struct Rows(Vec<Vec<Cell>>);

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Rows, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Rows;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rows")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> std::result::Result<Rows, A::Error> {
                // The header's count is a stranger's word: the list grows by what is really there.
                let mut held = Vec::new();
                while let Some(Row(row)) = rows.next_element()? {
                    held.push(row);
                }
                Ok(Rows(held))
            }
        }
        deserializer.deserialize_seq(Each)
    }
}

struct Row(Vec<Cell>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Row, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Row;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> std::result::Result<Row, A::Error> {
                let mut cells = Vec::new();
                while let Some((IgnoredAny, cell)) = row.next_entry()? {
                    cells.push(cell);
                }
                Ok(Row(cells))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Cell, D::Error> {
        struct Any;
        macro_rules! numbers {
            ($($visit:ident $ty:ty),*) => {$(
                fn $visit<E>(self, value: $ty) -> std::result::Result<Cell, E> {
                    Ok(Cell::One(value as f64))
                }
            )*};
        }
        impl<'de> Visitor<'de> for Any {
            type Value = Cell;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a list")
            }
            numbers!(visit_i8 i8, visit_i16 i16, visit_i32 i32, visit_i64 i64);
            numbers!(visit_u8 u8, visit_u16 u16, visit_u32 u32, visit_u64 u64);
            numbers!(visit_f32 f32, visit_f64 f64);
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Cell, A::Error> {
                let mut held = Vec::new();
                while let Some(cell) = list.next_element()? {
                    match cell {
                        Cell::One(value) => held.push(value),
                        Cell::List(_) => return Err(serde::de::Error::custom("a list of lists")),
                    }
                }
                Ok(Cell::List(held))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// The property of a name, and what a header calls it.
fn place(element: &ElementDef, name: &str) -> Option<usize> {
    element.properties.iter().position(|property| property.name == name)
}

fn scalar(element: &ElementDef, index: usize) -> Option<ScalarType> {
    match element.properties.get(index)?.property_type {
        PropertyType::Scalar(ty) => Some(ty),
        PropertyType::List { .. } => None,
    }
}

fn one(row: &[Cell], index: usize) -> f64 {
    match row.get(index) {
        Some(Cell::One(value)) => *value,
        _ => 0.0,
    }
}

/// Names of properties that are lanes of one column, by the column; the first set that is there is taken.
const KNOWN: [(&str, &[&str]); 7] = [
    ("P", &["x", "y", "z"]),
    ("N", &["nx", "ny", "nz"]),
    ("uv", &["s", "t"]),
    ("uv", &["u", "v"]),
    ("uv", &["texture_u", "texture_v"]),
    ("Cd", &["red", "green", "blue", "alpha"]),
    ("Cd", &["red", "green", "blue"]),
];

/// The columns of a class and the properties that are their lanes, in the header's order of the first lane.
fn grouped(element: &ElementDef, class: Class) -> Vec<(String, Vec<usize>)> {
    let mut taken = vec![false; element.properties.len()];
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    if class == Class::Point {
        for (column, lanes) in KNOWN {
            let places: Option<Vec<usize>> = lanes.iter().map(|lane| place(element, lane)).collect();
            let free = |places: &Vec<usize>| {
                places
                    .iter()
                    .all(|index| !taken[*index] && scalar(element, *index).is_some())
            };
            if let Some(places) = places.filter(free)
                && !groups.iter().any(|(held, _)| held == column)
            {
                places.iter().for_each(|index| taken[*index] = true);
                groups.push((column.to_owned(), places));
            }
        }
    }
    for (index, property) in element.properties.iter().enumerate() {
        if taken[index] || scalar(element, index).is_none() {
            continue;
        }
        taken[index] = true;
        let mut places = vec![index];
        let mut name = property.name.clone();
        if let Some(stem) = property.name.strip_suffix("_x") {
            for lane in ["_y", "_z", "_w"] {
                let Some(next) =
                    place(element, &format!("{stem}{lane}")).filter(|next| scalar(element, *next).is_some())
                else {
                    break;
                };
                places.push(next);
            }
            if places.len() > 1 {
                places.iter().for_each(|index| taken[*index] = true);
                stem.clone_into(&mut name);
            }
        }
        groups.push((name, places));
    }
    groups
}

fn columns(
    file: &str,
    geometry: &mut HostGeometry,
    class: Class,
    element: &ElementDef,
    rows: &[Vec<Cell>],
) -> Result<()> {
    for (name, places) in grouped(element, class) {
        let types: Vec<ScalarType> = places.iter().filter_map(|index| scalar(element, *index)).collect();
        let column = column(&name, &places, &types, rows);
        if let Some(index) = not_finite(&column) {
            let message = format!("{} {index}: {name} is not a finite number", element.name);
            return refuse(file, message);
        }
        if let Err(error) = geometry.set(class, &name, column) {
            return refuse(file, error);
        }
    }
    Ok(())
}

fn column(name: &str, places: &[usize], types: &[ScalarType], rows: &[Vec<Cell>]) -> HostColumn {
    if let ("Cd", [_, _, _, ..]) = (name, places) {
        let lane = |row: &[Cell], index: usize| {
            let value = places.get(index).map(|place| one(row, *place));
            match (value, types.get(index)) {
                (None, _) | (_, None) => 1.0,
                (Some(value), Some(ScalarType::F32 | ScalarType::F64)) => value as f32,
                // Alpha is never encoded.
                (Some(value), Some(ty)) if index == 3 => (value / most(*ty)) as f32,
                (Some(value), Some(ty)) => srgb_to_linear((value / most(*ty)) as f32),
            }
        };
        let color = |row: &Vec<Cell>| std::array::from_fn(|index| lane(row, index));
        return HostColumn::Color(rows.iter().map(color).collect());
    }
    let floats = |lanes: usize| -> Vec<f32> {
        let value = |row: &Vec<Cell>, lane: usize| places.get(lane).map_or(0.0, |place| one(row, *place)) as f32;
        rows.iter()
            .flat_map(|row| (0..lanes).map(move |lane| value(row, lane)))
            .collect()
    };
    match (places, types) {
        ([place], [ScalarType::I8 | ScalarType::I16 | ScalarType::I32]) => {
            HostColumn::Int(rows.iter().map(|row| one(row, *place) as i32).collect())
        }
        ([place], [ScalarType::U8 | ScalarType::U16 | ScalarType::U32]) => {
            HostColumn::UInt(rows.iter().map(|row| one(row, *place) as u32).collect())
        }
        ([_], _) => HostColumn::Float(floats(1)),
        ([_, _], _) => HostColumn::Vec2(floats(2).as_chunks().0.to_vec()),
        ([_, _, _], _) => HostColumn::Vec3(floats(3).as_chunks().0.to_vec()),
        _ if name == "orient" => HostColumn::Quat(floats(4).as_chunks().0.to_vec()),
        _ => HostColumn::Vec4(floats(4).as_chunks().0.to_vec()),
    }
}

fn most(ty: ScalarType) -> f64 {
    match ty {
        ScalarType::I8 => f64::from(i8::MAX),
        ScalarType::U8 => f64::from(u8::MAX),
        ScalarType::I16 => f64::from(i16::MAX),
        ScalarType::U16 => f64::from(u16::MAX),
        ScalarType::I32 => f64::from(i32::MAX),
        ScalarType::U32 => f64::from(u32::MAX),
        ScalarType::F32 | ScalarType::F64 => 1.0,
    }
}

fn not_finite(column: &HostColumn) -> Option<usize> {
    fn bad<const LANES: usize>(values: &[[f32; LANES]]) -> Option<usize> {
        values
            .iter()
            .position(|value| value.iter().any(|lane| !lane.is_finite()))
    }
    match column {
        HostColumn::Float(values) => values.iter().position(|value| !value.is_finite()),
        HostColumn::Int(_) | HostColumn::UInt(_) => None,
        HostColumn::Vec2(values) => bad(values),
        HostColumn::Vec3(values) => bad(values),
        HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => bad(values),
    }
}

fn faces(file: &str, geometry: &mut HostGeometry, element: &ElementDef, rows: &[Vec<Cell>]) -> Result<()> {
    let list = place(element, "vertex_indices").or_else(|| place(element, "vertex_index"));
    let Some(list) = list.filter(|index| scalar(element, *index).is_none()) else {
        return refuse(file, "face: expected a list vertex_indices or vertex_index");
    };
    let mut corners = Vec::with_capacity(rows.len());
    for row in rows {
        match row.get(list) {
            Some(Cell::List(list)) => corners.push(list.clone()),
            _ => return refuse(file, "face: a row without its list"),
        }
    }
    runs(file, geometry, &corners)?;
    columns(file, geometry, Class::Primitive, element, rows)
}

/// Faces of these corners.
fn runs(file: &str, geometry: &mut HostGeometry, faces: &[Vec<f64>]) -> Result<()> {
    let points = f64::from(geometry.count(Class::Point));
    let (mut corners, mut starts, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, face) in faces.iter().enumerate() {
        if let Some(past) = face.iter().find(|corner| !(0.0..points).contains(*corner)) {
            let message =
                format!("face {index}: expected one of {points} vertices (stated before the faces), got {past}");
            return refuse(file, message);
        }
        starts.push(corners.len() as i32);
        counts.push(face.len() as i32);
        corners.extend(face.iter().map(|corner| *corner as i32));
    }
    let columns = [
        (Class::Vertex, "pt", corners),
        (Class::Primitive, "vstart", starts),
        (Class::Primitive, "vcount", counts),
    ];
    for (class, name, values) in columns {
        if let Err(error) = geometry.set(class, name, HostColumn::Int(values)) {
            return refuse(file, error);
        }
    }
    Ok(())
}

fn pairs(element: &ElementDef, rows: &[Vec<Cell>]) -> Vec<Vec<f64>> {
    match (place(element, "vertex1"), place(element, "vertex2")) {
        (Some(from), Some(to)) => rows.iter().map(|row| vec![one(row, from), one(row, to)]).collect(),
        _ => Vec::new(),
    }
}
