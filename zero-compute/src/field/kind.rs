//! What a register holds.

use crate::column::Element;

/// The kind of a scalar: every register is one 32-bit word of one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A 32-bit float.
    F32,
    /// A signed 32-bit integer, in two's complement.
    I32,
    /// An unsigned 32-bit integer.
    U32,
    /// 0 or 1. As a leaf or a number: a `u32` word that counts as true unless it is 0.
    Bool,
}

impl Kind {
    /// The element of a column that holds values of this kind. A Bool is kept as a `u32`.
    pub const fn element(self) -> Element {
        match self {
            Kind::F32 => Element::F32,
            Kind::I32 => Element::I32,
            Kind::U32 | Kind::Bool => Element::U32,
        }
    }

    /// The kind's name, as errors and WGSL write it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::F32 => "f32",
            Kind::I32 => "i32",
            Kind::U32 => "u32",
            Kind::Bool => "bool",
        }
    }

    /// A small stable number, part of a program's key.
    pub(crate) const fn code(self) -> u32 {
        match self {
            Kind::F32 => 1,
            Kind::I32 => 2,
            Kind::U32 => 3,
            Kind::Bool => 4,
        }
    }
}
