//! Whether a value is one that stands already.

use crate::graph::wire::Class;
use crate::value::{Count, Value};
use std::sync::Arc;

impl Value {
    /// Whether both hold the same numbers and stand on the same runs. Runs that were written again are of other names,
    /// so that a yes is never wrong; two fields are the same where they are one.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.ty == b.ty && a.bits == b.bits,
            (Value::Field(a), Value::Field(b)) => Arc::ptr_eq(a, b),
            (Value::Raster(a), Value::Raster(b)) => a == b,
            (Value::Column(a), Value::Column(b)) => a.id() == b.id() && same_count(&Count::of(a), &Count::of(b)),
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len()
                    && a.values().count() == b.values().count()
                    && a.values().zip(b.values()).all(|(a, b)| a.is_same(b))
            }
            (Value::Geometry(a), Value::Geometry(b)) => {
                let same_detail = |name: &Arc<str>| match (a.detail(name), b.detail(name)) {
                    (Some(a), Some(b)) => a.is_same(b),
                    _ => false,
                };
                a == b && a.names(Class::Detail).iter().all(same_detail)
            }
            _ => false,
        }
    }
}

fn same_count(a: &Count, b: &Count) -> bool {
    match (a, b) {
        (Count::Known(a), Count::Known(b)) => a == b,
        (
            Count::Live {
                count: a,
                capacity: of_a,
            },
            Count::Live {
                count: b,
                capacity: of_b,
            },
        ) => a.id() == b.id() && of_a == of_b,
        _ => false,
    }
}
