//! Numbers that the host knows, with the memory of where they came from.

use crate::graph::wire::{ClockField, InputId, ScopeId, StepField, Type, Wire};
use std::sync::Arc;
use zero_compute::field::{Program, Reg, Tape};

/// Something whose number can move between two presents without a node being cooked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Leaf {
    /// One lane of a graph's input.
    Input(InputId, u8),
    /// One lane of a field of the graph's clock.
    Clock(ClockField, u8),
    /// The step being taken.
    Step(ScopeId, StepField),
}

/// How a number follows from the leaves: a program whose number slot `k` is `leaves[k]`.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) tape: Tape,
    pub(crate) roots: Vec<Reg>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) program: Arc<Program>,
}

/// One number, whole number, truth or vector, held by its bits.
///
/// A number that follows from an input, the clock or the step remembers how. A recorded list uses that to follow the
/// leaf; an operation that must know the value to decide what it does reads it through the cook, which then knows that
/// the recording holds for that value alone.
#[derive(Clone, Debug)]
pub struct Number {
    pub(crate) ty: Type,
    pub(crate) bits: [u32; 4],
    pub(crate) origin: Option<Arc<Origin>>,
}

impl Number {
    /// A Float that stands by itself: no input and no clock moves it.
    pub fn float(value: f32) -> Number {
        Number {
            ty: Type::Float,
            bits: [value.to_bits(), 0, 0, 0],
            origin: None,
        }
    }
    pub(crate) fn int(value: i32) -> Number {
        Number {
            ty: Type::Int,
            bits: [value.cast_unsigned(), 0, 0, 0],
            origin: None,
        }
    }
    pub(crate) fn truth(value: bool) -> Number {
        Number {
            ty: Type::Bool,
            bits: [value.into(), 0, 0, 0],
            origin: None,
        }
    }
    /// The number of a constant; nothing for any other wire.
    pub(crate) fn constant(wire: Wire) -> Option<Number> {
        let (ty, bits) = wire.as_constant()?;
        Some(Number { ty, bits, origin: None })
    }

    /// What it is.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The lanes as floats: a whole number and a truth are widened.
    pub fn lanes(&self) -> Vec<f32> {
        let count = self.ty.lanes().unwrap_or(1) as usize;
        self.bits[..count].iter().map(|bits| lane_f32(self.ty, *bits)).collect()
    }
}

fn lane_f32(ty: Type, bits: u32) -> f32 {
    match ty {
        Type::Int => bits.cast_signed() as f32,
        Type::UInt | Type::Bool => bits as f32,
        _ => f32::from_bits(bits),
    }
}
