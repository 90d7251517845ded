//! A value for every element, as the expression that gives it.

use super::number::Origin;
use crate::graph::wire::{Class, Type};
use std::sync::Arc;
use zero_compute::Column;
use zero_compute::field::{Kind, Reg, Tape};

/// Where the leaf columns of a field come from.
#[derive(Clone, Debug)]
pub(crate) enum FieldLeaf {
    /// A column of the domain the field is evaluated over, found when it is.
    Element { class: Class, name: Arc<str>, ty: Type },
    /// A run on the device.
    Column(Column),
}

/// A number the field's program reads.
#[derive(Clone, Debug)]
pub(crate) struct FieldNumber {
    pub(crate) kind: Kind,
    pub(crate) bits: u32,
    /// How it follows from the leaves, and which root of that.
    pub(crate) origin: Option<(Arc<Origin>, u8)>,
}

/// An expression over an element: scalar roots over columns, numbers and the element's own number. It costs nothing
/// until something consumes it, which is one dispatch.
#[derive(Clone, Debug)]
pub struct FieldValue {
    pub(crate) tape: Tape,
    pub(crate) roots: Vec<Reg>,
    pub(crate) ty: Type,
    pub(crate) leaves: Vec<FieldLeaf>,
    pub(crate) numbers: Vec<FieldNumber>,
}

impl FieldValue {
    /// What it is at each element.
    pub fn ty(&self) -> Type {
        self.ty
    }
    /// Operators the expression holds.
    pub fn operators(&self) -> usize {
        self.tape.len()
    }
    /// Columns it reads.
    pub fn columns(&self) -> usize {
        self.leaves.len()
    }
}
