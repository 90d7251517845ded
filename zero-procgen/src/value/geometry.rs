//! Geometry on the device: four classes of elements with named columns, shared and copied when written.

use super::Value;
use super::key::KeyHasher;
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use std::collections::BTreeMap;
use std::sync::Arc;
use zero_compute::{Column, Domain, Element, Len};

/// How many elements a class has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Count {
    /// A number the host knows.
    Known(u32),
    /// A word on the device, and the room that bounds it.
    Live {
        /// One word: the count.
        count: Column,
        /// Elements the columns are allocated for.
        capacity: u32,
    },
}

impl Count {
    /// The count, or the room for it.
    pub fn capacity(&self) -> u32 {
        match self {
            Count::Known(count) => *count,
            Count::Live { capacity, .. } => *capacity,
        }
    }
    /// What a dispatch over the elements runs over.
    pub fn domain(&self) -> Domain {
        match self {
            Count::Known(count) => Domain::count(*count),
            Count::Live { count, capacity } => Domain::live(count, *capacity),
        }
    }
    pub(crate) fn of(column: &Column) -> Count {
        match column.len() {
            Len::Known(count) => Count::Known(count),
            Len::Live { count, capacity } => Count::Live { count, capacity },
        }
    }
}

/// A named run of values, one an element.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The run on the device.
    pub column: Column,
    /// What its lanes mean.
    pub ty: Type,
}

/// The elements of one class.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    pub(crate) count: Count,
    pub(crate) columns: BTreeMap<Arc<str>, Attribute>,
}

impl Default for Elements {
    fn default() -> Self {
        Elements {
            count: Count::Known(0),
            columns: BTreeMap::new(),
        }
    }
}

/// Points, the vertices that use them, the primitives those make, and what stands for the whole.
///
/// Structure is held as columns: `vertex.pt` is the point a vertex stands on; `primitive.vstart` and
/// `primitive.vcount` are the run of vertices a primitive has. A geometry whose points carry a `Mesh` is a population:
/// each point stands for one copy of it, turned by `yaw` (radians about +Y), scaled by `scale`, and tilted from
/// +Y to `N` where the points hold that.
/// Cloning shares every run.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    classes: [Elements; 3],
    values: BTreeMap<Arc<str>, Value>,
}

impl PartialEq for Geometry {
    /// Whether both stand on the same runs.
    fn eq(&self, other: &Self) -> bool {
        let (mut a, mut b) = (KeyHasher::new("geometry"), KeyHasher::new("geometry"));
        self.digest(&mut a);
        other.digest(&mut b);
        a.finish() == b.finish()
    }
}

fn place(class: Class) -> Option<usize> {
    match class {
        Class::Point => Some(0),
        Class::Vertex => Some(1),
        Class::Primitive => Some(2),
        Class::Detail => None,
    }
}

impl Geometry {
    /// No elements.
    pub fn new() -> Geometry {
        Geometry::default()
    }

    /// How many elements a class has; the detail is one.
    pub fn count(&self, class: Class) -> Count {
        place(class).map_or(Count::Known(1), |index| self.classes[index].count.clone())
    }

    /// The names of a class's columns, sorted.
    pub fn names(&self, class: Class) -> Vec<Arc<str>> {
        place(class).map_or_else(
            || self.values.keys().cloned().collect(),
            |index| self.classes[index].columns.keys().cloned().collect(),
        )
    }

    /// A column, where the class holds it.
    pub fn attribute(&self, class: Class, name: &str) -> Option<&Attribute> {
        place(class).and_then(|index| self.classes[index].columns.get(name))
    }

    /// A column; one that the class does not hold is refused naming those it does.
    pub fn column(&self, class: Class, name: &str) -> Result<&Attribute> {
        self.attribute(class, name).ok_or_else(|| {
            let names = self.names(class);
            let names = names.iter().map(|name| &**name);
            Error::missing("column", &format!("{}.{name}", class.name()), names)
        })
    }

    /// Sets how many elements a class has, where it holds no column yet.
    pub fn set_count(&mut self, class: Class, count: Count) -> Result<()> {
        let Some(index) = place(class) else {
            return Err(Error::Refused(
                "the detail is one element; its count can't be set".to_owned(),
            ));
        };
        if !self.classes[index].columns.is_empty() {
            return Err(Error::Refused(format!(
                "the {} class holds columns; its count stands",
                class.name()
            )));
        }
        self.classes[index].count = count;
        Ok(())
    }

    /// Writes a column; its length must be the class's, its lanes its type's. The first column of an empty class sets
    /// the count.
    pub fn set(&mut self, class: Class, name: &str, column: Column, ty: Type) -> Result<()> {
        let Some(index) = place(class) else {
            return Err(Error::Refused(
                "a column is written on points, vertices or primitives".to_owned(),
            ));
        };
        let lanes = ty.lanes().unwrap_or(0);
        let element = ty.element().unwrap_or(Element::F32);
        if column.lanes() != lanes || column.element() != element {
            return Err(Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: format!("{lanes} lanes of {element:?}"),
                found: format!("{} lanes of {:?}", column.lanes(), column.element()),
            });
        }
        let elements = &mut self.classes[index];
        if elements.columns.is_empty() && elements.count.capacity() == 0 {
            elements.count = Count::of(&column);
        }
        if column.capacity() != elements.count.capacity() {
            return Err(Error::Kind {
                what: format!("{}.{name}", class.name()),
                expected: format!("{} elements", elements.count.capacity()),
                found: format!("{}", column.capacity()),
            });
        }
        elements.columns.insert(name.into(), Attribute { column, ty });
        Ok(())
    }

    /// Takes a column out; whether there was one.
    pub fn remove(&mut self, class: Class, name: &str) -> bool {
        match place(class) {
            Some(index) => self.classes[index].columns.remove(name).is_some(),
            None => self.values.remove(name).is_some(),
        }
    }

    /// A value that stands for the whole geometry.
    pub fn detail(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Writes a value that stands for the whole geometry.
    pub fn set_detail(&mut self, name: &str, value: Value) {
        self.values.insert(name.into(), value);
    }

    /// The geometry that each point is a copy of, where this is a population.
    pub fn mesh(&self) -> Option<&Geometry> {
        match self.values.get("Mesh") {
            Some(Value::Geometry(mesh)) => Some(mesh),
            _ => None,
        }
    }

    /// Every run it stands on, counts and details included, in a fixed order.
    pub(crate) fn each_column(&self, visit: &mut dyn FnMut(&Column)) {
        for elements in &self.classes {
            if let Count::Live { count, .. } = &elements.count {
                visit(count);
            }
            elements.columns.values().for_each(|attribute| visit(&attribute.column));
        }
        self.values.values().for_each(|value| value.each_column(visit));
    }

    /// The same geometry on other runs.
    pub(crate) fn map_columns(&self, map: &mut dyn FnMut(&Column) -> Column) -> Result<Geometry> {
        let mut mapped = self.clone();
        for elements in &mut mapped.classes {
            if let Count::Live { count, .. } = &mut elements.count {
                *count = map(count);
            }
            let count = elements.count.clone();
            for attribute in elements.columns.values_mut() {
                let column = map(&attribute.column);
                attribute.column = match (&count, attribute.column.len()) {
                    (Count::Live { count, .. }, Len::Live { .. }) => column.with_live(count)?,
                    _ => column,
                };
            }
        }
        for value in mapped.values.values_mut() {
            *value = value.map_columns(map)?;
        }
        Ok(mapped)
    }

    /// The same geometry with other details.
    pub(crate) fn map_details(&self, map: &dyn Fn(&Value) -> Result<Value>) -> Result<Geometry> {
        let mut mapped = self.clone();
        for value in mapped.values.values_mut() {
            *value = map(value)?;
        }
        Ok(mapped)
    }

    pub(crate) fn each_detail(&self, visit: &mut dyn FnMut(&Value)) {
        self.values.values().for_each(visit);
    }

    pub(crate) fn digest(&self, key: &mut KeyHasher) {
        for elements in &self.classes {
            match &elements.count {
                Count::Known(count) => key.u32(0).u32(*count),
                Count::Live { count, capacity } => key.u32(1).u32(*capacity).u64(count.id()),
            };
            key.u64(elements.columns.len() as u64);
            for (name, attribute) in &elements.columns {
                key.text(name).text(attribute.ty.name()).u64(attribute.column.id());
            }
        }
        key.u64(self.values.len() as u64);
        for (name, value) in &self.values {
            key.text(name);
            value.digest(key);
        }
    }

    /// Bytes of the runs it stands on, each counted as if it stood alone.
    pub fn bytes(&self) -> u64 {
        let mut total = 0;
        self.each_column(&mut |column| total += column.bytes());
        total
    }
}
