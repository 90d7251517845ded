//! What nodes give each other.

mod field;
mod geometry;
pub(crate) mod key;
mod number;
mod raster;

pub use field::FieldValue;
pub(crate) use field::{FieldLeaf, FieldNumber};
pub use geometry::{Attribute, Count, Geometry};
pub use key::{Key, KeyHasher};
pub(crate) use number::Origin;
pub use number::{Leaf, Number};
pub use raster::Raster;

use crate::error::{Error, Result};
use std::sync::Arc;
use zero_compute::Column;

/// A value as the cook holds it. Cloning shares.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// A number the host knows.
    Number(Number),
    /// A value for every element, not yet evaluated.
    Field(Arc<FieldValue>),
    /// A geometry.
    Geometry(Geometry),
    /// A grid of samples.
    Raster(Raster),
    /// A run on the device.
    Column(Column),
}

impl Value {
    /// What it is, for errors.
    pub fn describe(&self) -> String {
        match self {
            Value::Number(number) => format!("the {} {:?}", number.ty().name(), number.lanes()),
            Value::Field(field) => format!("a field of {}", field.ty().name()),
            Value::Geometry(_) => "a Geometry".to_owned(),
            Value::Raster(_) => "a Raster".to_owned(),
            Value::Column(_) => "a Column".to_owned(),
        }
    }

    fn refuse<T>(&self, expected: &str) -> Result<T> {
        Err(Error::Kind {
            what: "value".to_owned(),
            expected: expected.to_owned(),
            found: self.describe(),
        })
    }

    /// The geometry it is.
    pub fn geometry(&self) -> Result<&Geometry> {
        if let Value::Geometry(geometry) = self {
            Ok(geometry)
        } else {
            self.refuse("a Geometry")
        }
    }
    /// The raster it is.
    pub fn raster(&self) -> Result<&Raster> {
        if let Value::Raster(raster) = self {
            Ok(raster)
        } else {
            self.refuse("a Raster")
        }
    }
    /// The run it is.
    pub fn column(&self) -> Result<&Column> {
        if let Value::Column(column) = self {
            Ok(column)
        } else {
            self.refuse("a Column")
        }
    }
    /// The number it is. An operation that must know a number to decide what it does asks the cook instead.
    pub fn number(&self) -> Result<&Number> {
        if let Value::Number(number) = self {
            Ok(number)
        } else {
            self.refuse("one number")
        }
    }

    pub(crate) fn each_column(&self, visit: &mut dyn FnMut(&Column)) {
        match self {
            Value::Geometry(geometry) => geometry.each_column(visit),
            Value::Raster(raster) => visit(raster.samples()),
            Value::Column(column) => visit(column),
            Value::Field(field) => field.leaves.iter().for_each(|leaf| {
                if let FieldLeaf::Column(column) = leaf {
                    visit(column);
                }
            }),
            Value::Number(_) => {}
        }
    }

    pub(crate) fn map_columns(&self, map: &mut dyn FnMut(&Column) -> Column) -> Value {
        match self {
            Value::Geometry(geometry) => Value::Geometry(geometry.map_columns(map)),
            Value::Raster(raster) => match raster.with_samples(map(raster.samples())) {
                Ok(raster) => Value::Raster(raster),
                // A copy has the length of what it copies.
                Err(_) => self.clone(),
            },
            Value::Column(column) => Value::Column(map(column)),
            Value::Field(_) | Value::Number(_) => self.clone(),
        }
    }

    pub(crate) fn digest(&self, key: &mut KeyHasher) {
        match self {
            Value::Number(number) => {
                key.text(number.ty.name());
                number.bits.iter().for_each(|bits| {
                    key.u32(*bits);
                });
            }
            Value::Geometry(geometry) => geometry.digest(key),
            Value::Raster(raster) => raster.digest(key),
            Value::Column(column) => {
                key.u64(column.id());
            }
            Value::Field(field) => {
                key.text("field").u64(field.tape.len() as u64);
            }
        }
    }

    /// Bytes of the runs it stands on.
    pub fn bytes(&self) -> u64 {
        let mut total = 0;
        self.each_column(&mut |column| total += column.bytes());
        total
    }
}
