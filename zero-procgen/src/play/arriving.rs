//! Words on their way from the device.

use crate::error::Result;
use zero_compute::{Column, Element, Readback};

/// The words of a run, whatever they stand for.
#[derive(Debug)]
pub(crate) enum Arriving {
    Floats(Readback<f32>),
    Ints(Readback<i32>),
    Words(Readback<u32>),
    Landed(Vec<u32>),
}

impl Arriving {
    /// Asks for them; they land as the device is driven.
    pub(crate) fn ask(column: &Column) -> Result<Arriving> {
        Ok(match column.element() {
            Element::F32 => Arriving::Floats(column.read()?),
            Element::I32 => Arriving::Ints(column.read()?),
            Element::U32 => Arriving::Words(column.read()?),
        })
    }

    /// Takes the words in as soon as they are there.
    pub(crate) fn landed(&mut self) -> Result<bool> {
        let words: Option<Vec<u32>> = match self {
            Arriving::Landed(_) => return Ok(true),
            Arriving::Floats(read) => read
                .try_take()
                .transpose()?
                .map(|words| words.into_iter().map(f32::to_bits).collect()),
            Arriving::Ints(read) => read
                .try_take()
                .transpose()?
                .map(|words| words.into_iter().map(i32::cast_unsigned).collect()),
            Arriving::Words(read) => read.try_take().transpose()?,
        };
        if let Some(words) = words {
            *self = Arriving::Landed(words);
        }
        Ok(matches!(self, Arriving::Landed(_)))
    }

    /// The words, where they have landed.
    pub(crate) fn words(&self) -> Option<&[u32]> {
        match self {
            Arriving::Landed(words) => Some(words),
            _ => None,
        }
    }
}
