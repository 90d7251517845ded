//! When a run can stand for a value as it is.

use crate::graph::wire::Type;
use crate::value::Count;
use zero_compute::Column;

/// Whether the run has the type's words and the elements that are asked for.
pub(crate) fn fits(column: &Column, ty: Type, count: &Count) -> bool {
    Some(column.element()) == ty.element()
        && Some(column.lanes()) == ty.lanes()
        && column.capacity() == count.capacity()
}
