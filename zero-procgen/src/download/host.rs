//! A geometry on the host: columns, counts and details as plain data.

use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type, Wire};
use crate::value::{Count, Geometry, Number, Raster, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use zero_compute::{Column, Device};

/// A run of values on the host, one an element.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostColumn {
    /// A float an element.
    Float(Vec<f32>),
    /// A whole number an element; of a run of Bools 0 or 1.
    Int(Vec<i32>),
    /// A whole number from 0 on an element.
    UInt(Vec<u32>),
    /// Two floats an element.
    Vec2(Vec<[f32; 2]>),
    /// Three floats an element.
    Vec3(Vec<[f32; 3]>),
    /// Four floats an element.
    Vec4(Vec<[f32; 4]>),
    /// A rotation an element: a quaternion x, y, z, w.
    Quat(Vec<[f32; 4]>),
    /// A colour an element: red, green, blue and alpha, linear.
    Color(Vec<[f32; 4]>),
}

impl HostColumn {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            HostColumn::Float(values) => values.len(),
            HostColumn::Int(values) => values.len(),
            HostColumn::UInt(values) => values.len(),
            HostColumn::Vec2(values) => values.len(),
            HostColumn::Vec3(values) => values.len(),
            HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => values.len(),
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
            HostColumn::UInt(_) => Type::UInt,
            HostColumn::Vec2(_) => Type::Vec2,
            HostColumn::Vec3(_) => Type::Vec3,
            HostColumn::Vec4(_) => Type::Vec4,
            HostColumn::Quat(_) => Type::Quat,
            HostColumn::Color(_) => Type::Color,
        }
    }

    pub(super) fn of(number: &Number) -> HostColumn {
        match number.ty {
            Type::Int | Type::Bool => HostColumn::Int(vec![number.bits[0].cast_signed()]),
            Type::UInt => HostColumn::UInt(vec![number.bits[0]]),
            ty => HostColumn::floats(
                ty,
                number.bits[..ty.lanes().unwrap_or(1) as usize]
                    .iter()
                    .copied()
                    .map(f32::from_bits)
                    .collect(),
            ),
        }
    }

    /// Interleaved floats as a run of a type; words past the last whole element are left off.
    pub(crate) fn floats(ty: Type, words: Vec<f32>) -> HostColumn {
        match ty {
            Type::Vec2 => HostColumn::Vec2(words.as_chunks().0.to_vec()),
            Type::Vec3 => HostColumn::Vec3(words.as_chunks().0.to_vec()),
            Type::Vec4 => HostColumn::Vec4(words.as_chunks().0.to_vec()),
            Type::Quat => HostColumn::Quat(words.as_chunks().0.to_vec()),
            Type::Color => HostColumn::Color(words.as_chunks().0.to_vec()),
            _ => HostColumn::Float(words),
        }
    }

    /// The first element as a number.
    fn number(&self) -> Result<Number> {
        let wire = match self {
            HostColumn::Float(values) => values.first().map(|value| Wire::Float(*value)),
            HostColumn::Int(values) => values.first().map(|value| Wire::Int(*value)),
            HostColumn::UInt(values) => values.first().map(|value| Wire::UInt(*value)),
            HostColumn::Vec2(values) => values.first().map(|value| Wire::Vec2(*value)),
            HostColumn::Vec3(values) => values.first().map(|value| Wire::Vec3(*value)),
            HostColumn::Vec4(values) => values.first().map(|value| Wire::Vec4(*value)),
            HostColumn::Quat(values) => values.first().map(|value| Wire::Quat(*value)),
            HostColumn::Color(values) => values.first().map(|value| Wire::Color(*value)),
        };
        wire.and_then(Number::constant)
            .ok_or_else(|| Error::Refused("a detail number of no elements".to_owned()))
    }

    /// The run on a device.
    ///
    /// # Errors
    /// [`Error::Compute`] where it does not fit.
    pub fn upload(&self, device: &Device) -> Result<Column> {
        Ok(match self {
            HostColumn::Float(values) => device.upload(values, 1)?,
            HostColumn::Int(values) => device.upload(values, 1)?,
            HostColumn::UInt(values) => device.upload(values, 1)?,
            HostColumn::Vec2(values) => device.upload(values.as_flattened(), 2)?,
            HostColumn::Vec3(values) => device.upload(values.as_flattened(), 3)?,
            HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => {
                device.upload(values.as_flattened(), 4)?
            }
        })
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

impl HostRaster {
    /// The least and the most of the finite samples; from the least on by 1 where they are all alike, from 0 to 1 where
    /// there is none.
    pub fn extent(&self) -> RangeInclusive<f32> {
        let finite = self.samples.iter().copied().filter(|sample| sample.is_finite());
        let (low, high) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), sample| {
            (low.min(sample), high.max(sample))
        });
        match low < high {
            true => low..=high,
            false if low.is_finite() => low..=(low + 1.0).max(low.next_up()),
            false => 0.0..=1.0,
        }
    }

    /// The grid on a device, to give to a graph as an input.
    ///
    /// # Errors
    /// [`Error::Compute`] where it does not fit, and what [`Raster::new`] refuses.
    pub fn upload(&self, device: &Device) -> Result<Raster> {
        let samples = device.upload(&self.samples, 1)?;
        Raster::new(samples, self.width, self.height, self.spacing_m, self.origin_m)
    }
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

    /// The geometry on a device, to give to a graph as an input: every column, and the details, a `Mesh` among them.
    /// One upload a column.
    ///
    /// # Errors
    /// [`Error::Compute`] where a column does not fit the device, and what [`Geometry::set`] refuses.
    pub fn upload(&self, device: &Device) -> Result<Geometry> {
        let mut geometry = Geometry::new();
        for (class, elements) in super::CLASSES.into_iter().zip(&self.classes) {
            geometry.set_count(class, Count::Known(elements.count))?;
            for (name, column) in &elements.columns {
                geometry.set(class, name, column.upload(device)?, column.ty())?;
            }
        }
        for (name, detail) in &self.details {
            let value = match detail {
                HostDetail::Number(column) if column.len() == 1 => Value::Number(column.number()?),
                HostDetail::Number(column) | HostDetail::Column(column) => Value::Column(column.upload(device)?),
                HostDetail::Geometry(held) => Value::Geometry(held.upload(device)?),
                HostDetail::Raster(raster) => Value::Raster(raster.upload(device)?),
            };
            geometry.set_detail(name, value);
        }
        Ok(geometry)
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
            HostColumn::of(&Number::constant(Wire::Vec3([1.0, 2.0, 3.0])).unwrap()),
            HostColumn::Vec3(vec![[1.0, 2.0, 3.0]])
        );
        assert_eq!(
            HostColumn::of(&Number::constant(Wire::Quat([0.0, 0.6, 0.0, 0.8])).unwrap()),
            HostColumn::Quat(vec![[0.0, 0.6, 0.0, 0.8]])
        );
    }
}
