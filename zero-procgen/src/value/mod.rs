//! What nodes give each other.

mod bound;
mod field;
mod geometry;
pub(crate) mod key;
mod number;
mod raster;
mod summary;

pub(crate) use bound::Bound;
pub use bound::List;
pub use field::FieldValue;
pub(crate) use field::{FieldLeaf, FieldNumber};
pub use geometry::{Attribute, Count, Geometry};
pub use key::{Key, KeyHasher};
pub(crate) use number::Origin;
pub use number::{Leaf, Number};
pub use raster::Raster;

use crate::error::{Error, Result};
use crate::graph::wire::Type;
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
    /// Several values in order.
    List(List),
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
            Value::List(list) => format!("a List of {}", list.len()),
        }
    }

    /// The type of the socket it travels along.
    pub fn ty(&self) -> Type {
        match self {
            Value::Number(number) => number.ty(),
            Value::Field(field) => field.ty(),
            Value::Geometry(_) => Type::Geometry,
            Value::Raster(_) => Type::Raster,
            Value::Column(_) => Type::Column,
            Value::List(_) => Type::List,
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
    /// The list it is.
    pub fn list(&self) -> Result<&List> {
        if let Value::List(list) = self {
            Ok(list)
        } else {
            self.refuse("a List")
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
            Value::List(list) => list.values().for_each(|value| value.each_column(visit)),
            Value::Number(_) => {}
        }
    }

    pub(crate) fn map_columns(&self, map: &mut dyn FnMut(&Column) -> Column) -> Result<Value> {
        Ok(match self {
            Value::Geometry(geometry) => Value::Geometry(geometry.map_columns(map)?),
            Value::Raster(raster) => match raster.with_samples(map(raster.samples())) {
                Ok(raster) => Value::Raster(raster),
                // A copy has the length of what it copies.
                Err(_) => self.clone(),
            },
            Value::Column(column) => Value::Column(map(column)),
            Value::List(list) => Value::List(list.map(&mut |bound| bound.value.map_columns(map))?),
            Value::Field(_) | Value::Number(_) => self.clone(),
        })
    }

    fn mapped(&self, list: &List, map: &mut dyn FnMut(&Value) -> Result<Value>) -> Value {
        match list.map(&mut |bound| map(&bound.value)) {
            Ok(list) => Value::List(list),
            // What is mapped so refuses nothing.
            Err(_) => self.clone(),
        }
    }

    /// The value for what the leaves hold now: the numbers in it that follow leaves are worked out again.
    pub(crate) fn refreshed(&self, of: &dyn Fn(Leaf) -> Option<u32>) -> Result<Value> {
        Ok(match self {
            Value::Number(number) => match &number.origin {
                None => self.clone(),
                Some(origin) => {
                    let mut refreshed = number.clone();
                    let lanes = origin.evaluate(of)?;
                    refreshed
                        .bits
                        .iter_mut()
                        .zip(lanes)
                        .for_each(|(bits, lane)| *bits = lane);
                    Value::Number(refreshed)
                }
            },
            Value::Field(field) if field.numbers.iter().any(|number| number.origin.is_some()) => {
                let mut refreshed = FieldValue::clone(field);
                for number in &mut refreshed.numbers {
                    if let Some((origin, lane)) = &number.origin
                        && let Some(bits) = origin.evaluate(of)?.get(usize::from(*lane))
                    {
                        number.bits = *bits;
                    }
                }
                Value::Field(Arc::new(refreshed))
            }
            Value::Geometry(geometry) => Value::Geometry(geometry.map_details(&|value| value.refreshed(of))?),
            Value::List(list) => Value::List(list.map(&mut |bound| match bound.moving {
                true => bound.value.refreshed(of),
                false => Ok(bound.value.clone()),
            })?),
            Value::Field(_) | Value::Raster(_) | Value::Column(_) => self.clone(),
        })
    }

    /// The value without the memory of where its numbers came from: another graph's leaves mean nothing here.
    pub(crate) fn without_origins(&self) -> Value {
        match self {
            Value::Number(number) => Value::Number(Number {
                origin: None,
                ..number.clone()
            }),
            Value::Field(field) if field.numbers.iter().any(|number| number.origin.is_some()) => {
                let mut stripped = FieldValue::clone(field);
                stripped.numbers.iter_mut().for_each(|number| number.origin = None);
                Value::Field(Arc::new(stripped))
            }
            Value::Geometry(geometry) => {
                match geometry.map_details(&|value| Ok(value.without_origins())) {
                    Ok(stripped) => Value::Geometry(stripped),
                    // Nothing above refuses.
                    Err(_) => self.clone(),
                }
            }
            Value::List(list) => self.mapped(list, &mut |value| Ok(value.without_origins())),
            Value::Field(_) | Value::Raster(_) | Value::Column(_) => self.clone(),
        }
    }

    /// Every number that it holds outside runs, by its bits: what a comparison of two values must look at beside them.
    pub(crate) fn each_number(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Value::Number(number) => number.bits.iter().for_each(|bits| visit(*bits)),
            Value::Field(field) => field.numbers.iter().for_each(|number| visit(number.bits)),
            Value::Geometry(geometry) => geometry.each_detail(&mut |value| value.each_number(visit)),
            Value::List(list) => list.values().for_each(|value| value.each_number(visit)),
            Value::Raster(_) | Value::Column(_) => {}
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
            Value::List(list) => list.digest(key),
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
