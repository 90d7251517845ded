//! Geometry on the host: what a device holds, read back to be written to a file or looked at.

use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, Number, Raster, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use zero_compute::{Column, Element, Exec, Readback};

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

    fn of(number: &Number) -> HostColumn {
        let lanes = number.bits.map(f32::from_bits);
        match number.ty {
            Type::Vec3 => HostColumn::Vec3(vec![lanes]),
            Type::Int | Type::Bool => HostColumn::Int(vec![number.bits[0].cast_signed()]),
            _ => HostColumn::Float(vec![lanes[0]]),
        }
    }
}

/// A grid of samples on the host; see [`Raster`] for where they stand.
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
/// [`Geometry::download`] makes one; [`set`](Self::set) builds one by hand. Structure is columns, as in [`Geometry`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostGeometry {
    classes: [HostElements; 3],
    details: BTreeMap<Arc<str>, HostDetail>,
}

const CLASSES: [Class; 3] = [Class::Point, Class::Vertex, Class::Primitive];

fn place(class: Class) -> Option<usize> {
    CLASSES.iter().position(|known| *known == class)
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

/// A geometry on its way from a device: [`wait`](Self::wait) for it, or await [`arrive`](Self::arrive).
#[derive(Debug)]
#[must_use = "the geometry arrives here"]
pub struct Download {
    reads: Reads,
    shape: Shape,
}

/// The read-backs that were asked for, by the kind of their words.
#[derive(Debug, Default)]
struct Reads {
    floats: Vec<Readback<f32>>,
    ints: Vec<Readback<i32>>,
    counts: Vec<Readback<u32>>,
}

/// What arrived, in the order of [`Reads`]; each run is taken once.
#[derive(Debug, Default)]
struct Words {
    floats: Vec<Vec<f32>>,
    ints: Vec<Vec<i32>>,
    counts: Vec<Vec<u32>>,
}

/// Where a run lands among the read-backs.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Float(usize),
    Int(usize),
    Vec3(usize),
}

#[derive(Clone, Copy, Debug)]
enum CountSlot {
    Known(u32),
    Live { slot: usize, capacity: u32 },
}

/// A geometry whose runs are still read-backs.
#[derive(Debug)]
struct Shape {
    classes: Vec<(CountSlot, Vec<(Arc<str>, Slot)>)>,
    details: Vec<(Arc<str>, DetailShape)>,
}

#[derive(Debug)]
enum DetailShape {
    Number(HostColumn),
    Geometry(Shape),
    Raster(Raster, usize),
    Column(Slot),
}

impl Geometry {
    /// Reads the whole geometry back to the host and waits for it: the live elements of every class, and the details,
    /// the `Mesh` of a population among them. A detail that is a field has no values and is left out.
    ///
    /// All read-backs are asked for first, then the device is driven once. A read-back a column and one a live count;
    /// every live byte is copied.
    ///
    /// # Errors
    /// As [`Download::wait`], and [`Error::Kind`] for a detail that is a run of other than floats, whole numbers or
    /// three floats.
    pub fn download(&self) -> Result<HostGeometry> {
        self.start_download()?.wait()
    }

    /// Asks for everything that [`download`](Self::download) reads, and returns at once.
    ///
    /// # Errors
    /// [`Error::Kind`] as [`download`](Self::download).
    pub fn start_download(&self) -> Result<Download> {
        let mut reads = Reads::default();
        let shape = reads.geometry(self)?;
        Ok(Download { reads, shape })
    }
}

impl Reads {
    fn geometry(&mut self, geometry: &Geometry) -> Result<Shape> {
        let mut classes = Vec::with_capacity(CLASSES.len());
        for class in CLASSES {
            let count = geometry.count(class);
            let mut columns = Vec::new();
            for name in geometry.names(class) {
                let column = &geometry.column(class, &name)?.column;
                // The class says how many elements live, whatever the column was made for.
                let live = match &count {
                    Count::Known(_) => column.as_capacity(),
                    Count::Live { count, .. } => column.with_live(count),
                };
                let slot = self.column(class, &name, &live)?;
                columns.push((name, slot));
            }
            classes.push((self.count(&count)?, columns));
        }
        let mut details = Vec::new();
        for name in geometry.names(Class::Detail) {
            if let Some(value) = geometry.detail(&name)
                && let Some(detail) = self.detail(&name, value)?
            {
                details.push((name, detail));
            }
        }
        Ok(Shape { classes, details })
    }

    fn detail(&mut self, name: &str, value: &Value) -> Result<Option<DetailShape>> {
        Ok(Some(match value {
            Value::Number(number) => DetailShape::Number(HostColumn::of(number)),
            Value::Geometry(geometry) => DetailShape::Geometry(self.geometry(geometry)?),
            Value::Raster(raster) => {
                self.floats.push(raster.samples().as_capacity().read()?);
                DetailShape::Raster(raster.clone(), self.floats.len() - 1)
            }
            Value::Column(column) => DetailShape::Column(self.column(Class::Detail, name, column)?),
            Value::Field(_) => return Ok(None),
        }))
    }

    fn count(&mut self, count: &Count) -> Result<CountSlot> {
        Ok(match count {
            Count::Known(count) => CountSlot::Known(*count),
            Count::Live { count, capacity } => {
                self.counts.push(count.as_capacity().read()?);
                let slot = self.counts.len() - 1;
                CountSlot::Live {
                    slot,
                    capacity: *capacity,
                }
            }
        })
    }

    fn column(&mut self, class: Class, name: &str, column: &Column) -> Result<Slot> {
        match (column.element(), column.lanes()) {
            (Element::F32, 1) => {
                self.floats.push(column.read()?);
                Ok(Slot::Float(self.floats.len() - 1))
            }
            (Element::F32, 3) => {
                self.floats.push(column.read()?);
                Ok(Slot::Vec3(self.floats.len() - 1))
            }
            (Element::I32, 1) => {
                self.ints.push(column.read()?);
                Ok(Slot::Int(self.ints.len() - 1))
            }
            (element, lanes) => Err(Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: "1 or 3 lanes of f32, or 1 of i32".to_owned(),
                found: format!("{lanes} lanes of {element}"),
            }),
        }
    }
}

impl Download {
    /// Drives the device until everything is here.
    ///
    /// # Errors
    /// [`Error::Compute`] where work queued before it failed or the device was lost.
    pub fn wait(self) -> Result<HostGeometry> {
        self.wait_with(&Exec::default())
    }

    /// As [`wait`](Self::wait), but it can be cancelled.
    ///
    /// # Errors
    /// As [`wait`](Self::wait), and a cancellation.
    pub fn wait_with(self, exec: &Exec<'_>) -> Result<HostGeometry> {
        let mut words = Words::default();
        for read in self.reads.counts {
            words.counts.push(read.wait_with(exec)?);
        }
        for read in self.reads.ints {
            words.ints.push(read.wait_with(exec)?);
        }
        for read in self.reads.floats {
            words.floats.push(read.wait_with(exec)?);
        }
        self.shape.fill(&mut words)
    }

    /// As [`wait`](Self::wait), for a host that must not block.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub async fn arrive(self) -> Result<HostGeometry> {
        let mut words = Words::default();
        for read in self.reads.counts {
            words.counts.push(read.await?);
        }
        for read in self.reads.ints {
            words.ints.push(read.await?);
        }
        for read in self.reads.floats {
            words.floats.push(read.await?);
        }
        self.shape.fill(&mut words)
    }
}

impl Shape {
    fn fill(self, words: &mut Words) -> Result<HostGeometry> {
        let mut host = HostGeometry::new();
        for (class, (count, columns)) in CLASSES.into_iter().zip(self.classes) {
            if let Some(index) = place(class) {
                host.classes[index].count = words.count(count);
            }
            for (name, slot) in columns {
                host.set(class, &name, words.column(slot))?;
            }
        }
        for (name, detail) in self.details {
            let value = match detail {
                DetailShape::Number(number) => HostDetail::Number(number),
                DetailShape::Geometry(shape) => HostDetail::Geometry(shape.fill(words)?),
                DetailShape::Raster(raster, slot) => HostDetail::Raster(words.raster(&raster, slot)),
                DetailShape::Column(slot) => HostDetail::Column(words.column(slot)),
            };
            host.details.insert(name, value);
        }
        Ok(host)
    }
}

fn taken<T>(runs: &mut [Vec<T>], slot: usize) -> Vec<T> {
    runs.get_mut(slot).map(std::mem::take).unwrap_or_default()
}

impl Words {
    /// A count may say more than there is room for, where elements did not fit.
    fn count(&mut self, count: CountSlot) -> u32 {
        match count {
            CountSlot::Known(count) => count,
            CountSlot::Live { slot, capacity } => taken(&mut self.counts, slot)
                .first()
                .map_or(0, |count| *count.min(&capacity)),
        }
    }

    fn column(&mut self, slot: Slot) -> HostColumn {
        match slot {
            Slot::Float(slot) => HostColumn::Float(taken(&mut self.floats, slot)),
            Slot::Int(slot) => HostColumn::Int(taken(&mut self.ints, slot)),
            Slot::Vec3(slot) => {
                let words = taken(&mut self.floats, slot);
                HostColumn::Vec3(words.as_chunks::<3>().0.to_vec())
            }
        }
    }

    fn raster(&mut self, raster: &Raster, slot: usize) -> HostRaster {
        HostRaster {
            width: raster.width(),
            height: raster.height(),
            spacing_m: raster.spacing_m(),
            origin_m: raster.origin_m(),
            samples: taken(&mut self.floats, slot),
        }
    }
}
