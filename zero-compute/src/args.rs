//! What a dispatch is called with: columns, numbers and options by name, and the domain it runs over.

use std::borrow::Cow;

use crate::column::{Column, Element, Len};
use crate::table::PackedTable;

/// A number as the caller wrote it; it becomes a word of the kind that the kernel declares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A float.
    F32(f32),
    /// A float literal.
    F64(f64),
    /// A signed integer.
    I32(i32),
    /// An unsigned integer.
    U32(u32),
}

impl Number {
    /// The bits of this number as that element, or `None` where it does not fit: a fraction is no integer, -1 is no
    /// `u32`, an integer past 2^24 that no `f32` is equal to is no float, and neither NaN nor an infinity, nor an `f64` past
    /// the range of `f32`, is a number: no kernel depends on them, and a GPU may compile as if there were none. A search
    /// without a radius takes the greatest float.
    pub fn bits(self, element: Element) -> Option<u32> {
        let whole = |v: f64| (f64::from(v as f32) == v).then_some((v as f32).to_bits());
        let finite = |v: f32| v.is_finite().then_some(v.to_bits());
        match (element, self) {
            (Element::F32, Number::F32(v)) => finite(v),
            (Element::F32, Number::F64(v)) => finite(v as f32),
            (Element::F32, Number::I32(v)) => whole(f64::from(v)),
            (Element::F32, Number::U32(v)) => whole(f64::from(v)),
            (Element::I32, Number::I32(v)) => Some(v as u32),
            (Element::I32, Number::U32(v)) => i32::try_from(v).ok().map(|v| v as u32),
            (Element::U32, Number::U32(v)) => Some(v),
            (Element::U32, Number::I32(v)) => u32::try_from(v).ok(),
            (Element::I32 | Element::U32, Number::F32(_) | Number::F64(_)) => None,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::F32(v) => write!(f, "{v:?}"),
            Number::F64(v) => write!(f, "{v:?}"),
            Number::I32(v) => write!(f, "{v}"),
            Number::U32(v) => write!(f, "{v}u"),
        }
    }
}

/// One argument.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A column for a binding.
    Column(Column),
    /// A live column for an append binding, which appends after what is there instead of from empty. Only for a kernel
    /// that takes every slot from the counter.
    After(Column),
    /// A table for a binding of columns.
    Table(PackedTable),
    /// A number for a param.
    Number(Number),
    /// An option for a specialization.
    Option(String),
}

macro_rules! arg_from {
    ($($from:ty => |$v:ident| $arg:expr;)*) => {
        $(impl From<$from> for Arg { fn from($v: $from) -> Self { $arg } })*
    };
}
arg_from! {
    Column => |v| Arg::Column(v);
    &Column => |v| Arg::Column(v.clone());
    PackedTable => |v| Arg::Table(v);
    &PackedTable => |v| Arg::Table(v.clone());
    Number => |v| Arg::Number(v);
    f32 => |v| Arg::Number(Number::F32(v));
    f64 => |v| Arg::Number(Number::F64(v));
    i32 => |v| Arg::Number(Number::I32(v));
    u32 => |v| Arg::Number(Number::U32(v));
    bool => |v| Arg::Number(Number::U32(u32::from(v)));
    &str => |v| Arg::Option(v.to_owned());
    String => |v| Arg::Option(v);
}

macro_rules! number_from {
    ($($from:ty => $variant:ident),*) => {
        $(impl From<$from> for Number { fn from(v: $from) -> Self { Number::$variant(v) } })*
    };
}
number_from!(f32 => F32, f64 => F64, i32 => I32, u32 => U32);

/// Arguments by name. Written with [`args!`](crate::args), or built up where the names are known only at run time.
#[derive(Clone, Debug, Default)]
pub struct Args(Vec<(Cow<'static, str>, Arg)>);

impl Args {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// These and one more.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, arg: impl Into<Arg>) -> Self {
        self.0.push((name.into(), arg.into()));
        self
    }

    /// The arguments in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arg)> {
        self.0.iter().map(|(name, arg)| (name.as_ref(), arg))
    }
}

/// Arguments of a dispatch by name: columns, numbers and options.
///
/// ```
/// use zero_compute::{args, CpuOptions, Device};
/// let a = Device::cpu(CpuOptions::default()).upload(&[1.0f32], 1)?;
/// let given = args! { src: &a, threshold: 0.5, MODE: "add" };
/// assert_eq!(given.iter().count(), 3);
/// # Ok::<(), zero_compute::Error>(())
/// ```
#[macro_export]
macro_rules! args {
    ($($name:ident : $value:expr),* $(,)?) => {
        $crate::Args::new()$(.with(stringify!($name), $value))*
    };
}

/// The elements that a dispatch runs over.
#[derive(Clone, Debug)]
pub enum Domain {
    /// That many elements, all live.
    Count(u32),
    /// `capacity` elements, of which as many are live as the one-word column says when the dispatch runs.
    Live {
        /// One `u32`.
        count: Column,
        /// The most there can be.
        capacity: u32,
    },
}

impl Domain {
    /// The elements of that column; a live column makes a live domain.
    pub fn of(column: &Column) -> Self {
        match column.len() {
            Len::Known(n) => Domain::Count(n),
            Len::Live { count, capacity } => Domain::Live { count, capacity },
        }
    }

    /// A number of elements.
    pub fn count(n: u32) -> Self {
        Domain::Count(n)
    }

    /// As many elements as `count` holds when it runs, at most `capacity`.
    pub fn live(count: &Column, capacity: u32) -> Self {
        Domain::Live {
            count: count.clone(),
            capacity,
        }
    }

    /// The elements that the dispatch covers: the count, or the capacity.
    pub fn elements(&self) -> u32 {
        match self {
            Domain::Count(n) => *n,
            Domain::Live { capacity, .. } => *capacity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_that_no_float_is_equal_to_is_no_float() {
        for v in [1 << 24, (1 << 24) + 2, -(1 << 30), i32::MIN] {
            assert_eq!(Number::I32(v).bits(Element::F32), Some((v as f32).to_bits()), "{v}");
        }
        for v in [(1 << 24) + 1, -(1 << 24) - 1, i32::MAX] {
            assert_eq!(Number::I32(v).bits(Element::F32), None, "{v}");
        }
        assert_eq!(Number::U32(u32::MAX).bits(Element::F32), None);
        // A literal of a float is rounded, as Rust rounds it.
        assert_eq!(
            Number::F64(16_777_217.0).bits(Element::F32),
            Some(16_777_216f32.to_bits())
        );
    }

    #[test]
    fn what_is_not_finite_as_an_f32_is_no_number() {
        for v in [
            1e300,
            -1e39,
            f64::MAX,
            3.5e38,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -f64::NAN,
        ] {
            assert_eq!(Number::F64(v).bits(Element::F32), None, "{v}");
        }
        for v in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            for element in [Element::F32, Element::I32, Element::U32] {
                assert_eq!(Number::F32(v).bits(element), None, "{v} as {element}");
            }
        }
        for (v, narrow) in [(f64::from(f32::MAX), f32::MAX), (1e-300, 0.0)] {
            assert_eq!(Number::F64(v).bits(Element::F32), Some(narrow.to_bits()), "{v}");
        }
    }
}
