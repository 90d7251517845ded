//! Reading a geometry back: everything is asked for before anything is waited for.

mod host;

pub use host::{HostColumn, HostDetail, HostGeometry, HostRaster};

use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, Raster, Value};
use std::sync::Arc;
use zero_compute::{Column, Element, Exec, Readback};

/// The classes whose elements have columns.
const CLASSES: [Class; 3] = [Class::Point, Class::Vertex, Class::Primitive];

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
    /// Floats, as many an element as the type has lanes.
    Floats(usize, Type),
    Int(usize),
    UInt(usize),
}

#[derive(Clone, Copy, Debug)]
enum CountSlot {
    Known(u32),
    Live { slot: usize, capacity: u32 },
}

/// A geometry whose runs are still read-backs.
#[derive(Debug)]
struct Shape {
    classes: Vec<ClassShape>,
    details: Vec<(Arc<str>, DetailShape)>,
}

#[derive(Debug)]
struct ClassShape {
    class: Class,
    count: CountSlot,
    columns: Vec<(Arc<str>, Slot)>,
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
    /// the `Mesh` of a population among them. A detail that is a field or a list is left out.
    ///
    /// All read-backs are asked for first, then the device is driven once. It costs a read-back a
    /// column and one a live count, and copies every live byte.
    ///
    /// # Errors
    /// As [`Download::wait`], and [`Error::Kind`] for a detail that is a run of other than 1 to 4 floats or
    /// a whole number an element.
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

impl Raster {
    /// Reads the samples back to the host and waits for them: one read-back of them all.
    ///
    /// # Errors
    /// As [`Download::wait`].
    pub fn download(&self) -> Result<HostRaster> {
        let samples = self.samples().as_capacity().read()?.wait()?;
        Ok(HostRaster {
            width: self.width(),
            height: self.height(),
            spacing_m: self.spacing_m(),
            origin_m: self.origin_m(),
            samples,
        })
    }
}

impl Reads {
    fn geometry(&mut self, geometry: &Geometry) -> Result<Shape> {
        let mut classes = Vec::with_capacity(CLASSES.len());
        for class in CLASSES {
            let count = geometry.count(class);
            let mut columns = Vec::new();
            for name in geometry.names(class) {
                let attribute = geometry.column(class, &name)?;
                let column = &attribute.column;
                // The class says how many elements live, whatever the column was made for.
                let live = match &count {
                    Count::Known(_) => column.as_capacity(),
                    Count::Live { count, .. } => column.with_live(count)?,
                };
                let slot = self.column(&live, attribute.ty)?;
                columns.push((name, slot));
            }
            let count = self.count(&count)?;
            classes.push(ClassShape { class, count, columns });
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
            Value::Column(column) => DetailShape::Column(self.column(column, untyped(name, column)?)?),
            Value::Field(_) | Value::List(_) => return Ok(None),
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

    fn column(&mut self, column: &Column, ty: Type) -> Result<Slot> {
        Ok(match column.element() {
            Element::F32 => {
                self.floats.push(column.read()?);
                Slot::Floats(self.floats.len() - 1, ty)
            }
            Element::I32 => {
                self.ints.push(column.read()?);
                Slot::Int(self.ints.len() - 1)
            }
            Element::U32 => {
                self.counts.push(column.read()?);
                Slot::UInt(self.counts.len() - 1)
            }
        })
    }
}

/// What a run without a type is taken for.
fn untyped(name: &str, column: &Column) -> Result<Type> {
    Ok(match (column.element(), column.lanes()) {
        (Element::F32, 1) => Type::Float,
        (Element::F32, 2) => Type::Vec2,
        (Element::F32, 3) => Type::Vec3,
        (Element::F32, 4) => Type::Vec4,
        (Element::I32, 1) => Type::Int,
        (Element::U32, 1) => Type::UInt,
        (element, lanes) => {
            return Err(Error::Kind {
                what: format!("detail.{name}"),
                expected: "1 to 4 lanes of f32, or 1 of i32 or u32".to_owned(),
                found: format!("{lanes} lanes of {element}"),
            });
        }
    })
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
        for shape in self.classes {
            host.set_count(shape.class, words.count(shape.count));
            for (name, slot) in shape.columns {
                host.set(shape.class, &name, words.column(slot))?;
            }
        }
        for (name, detail) in self.details {
            let value = match detail {
                DetailShape::Number(number) => HostDetail::Number(number),
                DetailShape::Geometry(shape) => HostDetail::Geometry(shape.fill(words)?),
                DetailShape::Raster(raster, slot) => HostDetail::Raster(words.raster(&raster, slot)),
                DetailShape::Column(slot) => HostDetail::Column(words.column(slot)),
            };
            host.set_detail(&name, value);
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
            Slot::Floats(slot, ty) => HostColumn::floats(ty, taken(&mut self.floats, slot)),
            Slot::Int(slot) => HostColumn::Int(taken(&mut self.ints, slot)),
            Slot::UInt(slot) => HostColumn::UInt(taken(&mut self.counts, slot)),
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
