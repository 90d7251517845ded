//! What the cook knows of lists.

use super::merge::Merge;
use super::{Cook, Operation};
use crate::error::{Error, Result};
use crate::value::{KeyHasher, List, Number, Value};

fn list(inputs: &[Value]) -> Result<&List> {
    match inputs.first() {
        Some(value) => value.list(),
        None => Err(Error::Refused("expected a List, got nothing".to_owned())),
    }
}

/// `list` to how many items it has.
#[derive(Debug)]
pub(crate) struct CountItems;

impl Operation for CountItems {
    fn id(&self) -> &'static str {
        "construct.list_count"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let count = i32::try_from(list(inputs)?.len()).unwrap_or(i32::MAX);
        Ok(vec![Value::Number(Number::int(count))])
    }
}

/// `list` of geometries to all of them as one.
#[derive(Debug)]
pub(crate) struct MergeItems;

impl Operation for MergeItems {
    fn id(&self) -> &'static str {
        "construct.list_merge"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let items: Vec<Value> = list(inputs)?.values().cloned().collect();
        Merge.cook(cx, &items)
    }
}
