//! A column read as another kind of number.

use std::sync::{Arc, LazyLock};

use crate::args::Domain;
use crate::column::{Column, Element};
use crate::error::Result;
use crate::field::{Binary, Kind, Mode, Program, Tape, Unary};
use crate::record::Recorder;

impl Recorder {
    /// Records the numbers of a column as numbers of another kind; of a live column the whole capacity, with its count.
    /// A column of that kind already is answered as it is.
    ///
    /// Exact on every device. A float becomes an integer by cutting its fraction off. What is out of the range of the
    /// new kind stops at its end (so -1 as `u32` is 0), and NaN becomes 0. An integer that no float is equal to becomes
    /// the nearest, ties to even.
    ///
    /// Cost: one dispatch.
    ///
    /// # Errors
    /// [`Error::Foreign`](crate::Error::Foreign), [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn cast(&mut self, column: &Column, to: Element) -> Result<Column> {
        self.check_column("cast", "column", column.element(), column)?;
        let Some(program) = program(column.element(), to)? else {
            return Ok(column.clone());
        };
        // One lane, so that there is one program however many lanes the column has.
        let words = column.reinterpret(1)?;
        let done = self.map(&program, std::slice::from_ref(&words), &[], Domain::of(&words))?;
        let cast = done.column("dst")?.reinterpret(column.lanes())?;
        Ok(match column.live_count() {
            Some(count) => cast.with_live(&count)?,
            None => cast,
        })
    }
}

const fn kind(element: Element) -> Kind {
    match element {
        Element::F32 => Kind::F32,
        Element::I32 => Kind::I32,
        Element::U32 => Kind::U32,
    }
}

/// The program that casts, made once; none for equal kinds.
fn program(from: Element, to: Element) -> Result<Option<Arc<Program>>> {
    type Made = LazyLock<Result<Arc<Program>>>;
    static FLOAT_TO_INT: Made = LazyLock::new(|| make(Element::F32, Element::I32));
    static FLOAT_TO_UINT: Made = LazyLock::new(|| make(Element::F32, Element::U32));
    static INT_TO_FLOAT: Made = LazyLock::new(|| make(Element::I32, Element::F32));
    static INT_TO_UINT: Made = LazyLock::new(|| make(Element::I32, Element::U32));
    static UINT_TO_FLOAT: Made = LazyLock::new(|| make(Element::U32, Element::F32));
    static UINT_TO_INT: Made = LazyLock::new(|| make(Element::U32, Element::I32));
    let made = match (from, to) {
        (Element::F32, Element::I32) => &FLOAT_TO_INT,
        (Element::F32, Element::U32) => &FLOAT_TO_UINT,
        (Element::I32, Element::F32) => &INT_TO_FLOAT,
        (Element::I32, Element::U32) => &INT_TO_UINT,
        (Element::U32, Element::F32) => &UINT_TO_FLOAT,
        (Element::U32, Element::I32) => &UINT_TO_INT,
        (Element::F32, Element::F32) | (Element::I32, Element::I32) | (Element::U32, Element::U32) => return Ok(None),
    };
    (**made).clone().map(Some)
}

fn make(from: Element, to: Element) -> Result<Arc<Program>> {
    let mut tape = Tape::new();
    let mut value = tape.leaf(0, 0, kind(from));
    // Between integers the operators keep the bits, so the end of the range that they share comes first.
    if (from, to) == (Element::I32, Element::U32) {
        let least = tape.const_i32(0);
        value = tape.binary(Binary::Max, value, least)?;
    } else if (from, to) == (Element::U32, Element::I32) {
        let greatest = tape.const_u32(i32::MAX.cast_unsigned());
        value = tape.binary(Binary::Min, value, greatest)?;
    }
    let operator = match to {
        Element::F32 => Unary::ToF32,
        Element::I32 => Unary::ToI32,
        Element::U32 => Unary::ToU32,
    };
    let cast = tape.unary(operator, value)?;
    Ok(Arc::new(Program::compile(&tape, &[cast], Mode::Exact)?))
}
