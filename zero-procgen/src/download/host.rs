//! A geometry on the host: columns, counts and details as plain data.

use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::Number;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run of values on the host, one an element.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostColumn {
    /// A float an element.
    Float(Vec<f32>),
    /// A whole number an element; of a run of Bools 0 or 1.
    Int(Vec<i32>),
    /// Three floats an element.
    Vec3(Vec<[f32; 3]>),
}

impl HostColumn {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            HostColumn::Float(values) => values.len(),
            HostColumn::Int(values) => values.len(),
            HostColumn::Vec3(values) => values.len(),
        }
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// What its values are.
    pub fn ty(&self) -> Type {
        match self {
            HostColumn::Float(_) => Type::Float,
            HostColumn::Int(_) => Type::Int,
            HostColumn::Vec3(_) => Type::Vec3,
        }
    }

    pub(super) fn of(number: &Number) -> HostColumn {
        let lanes = number.bits.map(f32::from_bits);
        match number.ty {
            Type::Vec3 => HostColumn::Vec3(vec![lanes]),
            Type::Int | Type::Bool => HostColumn::Int(vec![number.bits[0].cast_signed()]),
            _ => HostColumn::Float(vec![lanes[0]]),
        }
    }
}

/// A grid of samples on the host; see [`Raster`](crate::values::Raster) for where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct HostRaster {
    /// Samples along +X.
    pub width: u32,
    /// Samples along +Z.
    pub height: u32,
    /// Metres between two samples along +X and along +Z.
    pub spacing_m: [f32; 2],
    /// Where the grid's first corner stands, in metres.
    pub origin_m: [f32; 2],
    /// The samples, row by row: `width * height` of them.
    pub samples: Vec<f32>,
}

/// A value that stands for a whole geometry, on the host.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostDetail {
    /// A number: a run of one element.
    Number(HostColumn),
    /// A geometry, such as the `Mesh` of a population.
    Geometry(HostGeometry),
    /// A grid of samples.
    Raster(HostRaster),
    /// A run of values.
    Column(HostColumn),
}

#[derive(Clone, Debug, Default, PartialEq)]
struct HostElements {
    count: u32,
    columns: BTreeMap<Arc<str>, HostColumn>,
}

/// A geometry on the host: the live elements of every class, and the details.
///
/// [`Geometry::download`](crate::values::Geometry::download) makes one; [`set`](Self::set) builds one by hand.
/// Structure is columns, as in [`Geometry`](crate::values::Geometry).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostGeometry {
    classes: [HostElements; 3],
    details: BTreeMap<Arc<str>, HostDetail>,
}

fn place(class: Class) -> Option<usize> {
    super::CLASSES.iter().position(|known| *known == class)
}

impl HostGeometry {
    /// No elements.
    pub fn new() -> HostGeometry {
        HostGeometry::default()
    }

    /// How many elements a class has; the detail is one.
    pub fn count(&self, class: Class) -> u32 {
        place(class).map_or(1, |index| self.classes[index].count)
    }

    /// The names of a class's columns, or of the details, sorted.
    pub fn names(&self, class: Class) -> Vec<&str> {
        match place(class) {
            Some(index) => self.classes[index].columns.keys().map(|name| &**name).collect(),
            None => self.details.keys().map(|name| &**name).collect(),
        }
    }

    /// A column, where the class holds it.
    pub fn attribute(&self, class: Class, name: &str) -> Option<&HostColumn> {
        place(class).and_then(|index| self.classes[index].columns.get(name))
    }

    /// A column.
    ///
    /// # Errors
    /// [`Error::Unknown`] naming the nearest columns, where the class does not hold it.
    pub fn column(&self, class: Class, name: &str) -> Result<&HostColumn> {
        self.attribute(class, name)
            .ok_or_else(|| Error::unknown("column", &format!("{}.{name}", class.name()), self.names(class)))
    }

    /// A column of floats.
    ///
    /// # Errors
    /// As [`column`](Self::column), and [`Error::Kind`] where it is of another type.
    pub fn floats(&self, class: Class, name: &str) -> Result<&[f32]> {
        match self.column(class, name)? {
            HostColumn::Float(values) => Ok(values),
            other => Err(wrong(class, name, Type::Float, other)),
        }
    }

    /// A column of whole numbers.
    ///
    /// # Errors
    /// As [`column`](Self::column), and [`Error::Kind`] where it is of another type.
    pub fn ints(&self, class: Class, name: &str) -> Result<&[i32]> {
        match self.column(class, name)? {
            HostColumn::Int(values) => Ok(values),
            other => Err(wrong(class, name, Type::Int, other)),
        }
    }

    /// A column of three floats an element.
    ///
    /// # Errors
    /// As [`column`](Self::column), and [`Error::Kind`] where it is of another type.
    pub fn vec3s(&self, class: Class, name: &str) -> Result<&[[f32; 3]]> {
        match self.column(class, name)? {
            HostColumn::Vec3(values) => Ok(values),
            other => Err(wrong(class, name, Type::Vec3, other)),
        }
    }

    /// Writes a column. The first one of a class sets its count, the others have as many elements.
    ///
    /// # Errors
    /// [`Error::Kind`] where the length is another, [`Error::Refused`] for the detail, which holds values.
    pub fn set(&mut self, class: Class, name: &str, column: HostColumn) -> Result<()> {
        let Some(index) = place(class) else {
            return Err(Error::Refused(
                "a column is written on points, vertices or primitives".to_owned(),
            ));
        };
        let elements = &mut self.classes[index];
        if elements.columns.is_empty() && elements.count == 0 {
            elements.count = u32::try_from(column.len()).map_err(|_| Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: format!("at most {} elements", u32::MAX),
                found: column.len().to_string(),
            })?;
        }
        if column.len() != elements.count as usize {
            return Err(Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: format!("{} elements", elements.count),
                found: column.len().to_string(),
            });
        }
        elements.columns.insert(name.into(), column);
        Ok(())
    }

    /// Says how many elements a class has, before its columns are written.
    pub(super) fn set_count(&mut self, class: Class, count: u32) {
        if let Some(index) = place(class) {
            self.classes[index].count = count;
        }
    }

    /// A value that stands for the whole geometry.
    pub fn detail(&self, name: &str) -> Option<&HostDetail> {
        self.details.get(name)
    }

    /// Writes a value that stands for the whole geometry.
    pub fn set_detail(&mut self, name: &str, value: HostDetail) {
        self.details.insert(name.into(), value);
    }

    /// The geometry that each point is a copy of, where this is a population.
    pub fn mesh(&self) -> Option<&HostGeometry> {
        match self.details.get("Mesh") {
            Some(HostDetail::Geometry(mesh)) => Some(mesh),
            _ => None,
        }
    }
}

fn wrong(class: Class, name: &str, expected: Type, found: &HostColumn) -> Error {
    Error::Kind {
        what: format!("{}.{name}", class.name()),
        expected: expected.name().to_owned(),
        found: found.ty().name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_run_of_one() {
        assert_eq!(HostColumn::of(&Number::int(-7)), HostColumn::Int(vec![-7]));
        assert_eq!(HostColumn::of(&Number::float(0.5)), HostColumn::Float(vec![0.5]));
        assert_eq!(
            HostColumn::of(&Number::vec3([1.0, 2.0, 3.0])),
            HostColumn::Vec3(vec![[1.0, 2.0, 3.0]])
        );
    }
}
