//! Points that stay.

use super::{Cook, Operation, Over};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, KeyHasher, Value};
use zero_compute::kernels;

/// `geometry, keep` to the elements that are kept, in order, with every column gathered. Only the point class can be
/// thinned, and only of a geometry whose points nothing else refers to.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) class: Class,
}

impl Operation for Filter {
    fn id(&self) -> &'static str {
        "construct.filter"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name());
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let [geometry, keep] = inputs else {
            return Err(Error::Refused("filter: expected a geometry and a condition".to_owned()));
        };
        let geometry = geometry.geometry()?;
        if geometry.count(Class::Vertex).capacity() > 0 {
            return Err(Error::Refused(
                "filter: expected points alone, got a mesh whose vertices use them".to_owned(),
            ));
        }
        let over = Over::class(geometry, self.class);
        let flags = cx.evaluate_exact(keep, Type::Bool, &over)?;
        Ok(vec![Value::Geometry(kept(cx, geometry, self.class, &flags)?)])
    }
}

/// The elements whose flag is not 0.
pub(crate) fn kept(
    cx: &mut Cook<'_>,
    geometry: &Geometry,
    class: Class,
    flags: &zero_compute::Column,
) -> Result<Geometry> {
    let compacted = kernels::compact(cx.recorder(), flags)?;
    let mut thinned = Geometry::new();
    let count = Count::of(&compacted.indices);
    thinned.set_count(class, count)?;
    for name in geometry.names(class) {
        let held = geometry.column(class, &name)?;
        let column = kernels::gather(cx.recorder(), &held.column, &compacted.indices)?;
        thinned.set(class, &name, column, held.ty)?;
    }
    for name in geometry.names(Class::Detail) {
        if let Some(value) = geometry.detail(&name) {
            thinned.set_detail(&name, value.clone());
        }
    }
    Ok(thinned)
}
