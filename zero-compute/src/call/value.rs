//! The values that calls take and answer.

use std::any::Any;
use std::sync::Arc;

use super::list::List;
use super::record::Record;
use crate::args::{Domain, Number};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::field::Program;
use crate::moves;
use crate::table::PackedTable;

/// A value of a call: what a name is bound to, what is uploaded and read back, what a host function takes and answers.
///
/// Written with [`From`]: a number, a `bool`, a text, an array of 2 to 4 numbers (a vector), a `Vec` or a slice (a
/// [`List`]), a [`Column`], a [`Record`], and the types below.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(Number),
    /// True or false; 1 or 0 where a number is wanted.
    Bool(bool),
    /// A text.
    Text(String),
    /// Two to four numbers.
    Vec(Vec<Number>),
    /// Many of one kind.
    List(List),
    /// Values by name.
    Record(Record),
    /// A column on a device.
    Column(Column),
    /// Columns that were packed already.
    Table(PackedTable),
    /// A count on a device.
    Live(Live),
    /// An expression over an element.
    Field(Field),
    /// Texels and their size.
    Texture(Texture),
    /// A column as a host function sees it.
    Buffer(BufferRef),
    /// A value of a layer above, which passes through.
    Other(Other),
}

impl Value {
    /// What it is.
    pub fn value_type(&self) -> ValueType {
        match self {
            Value::Number(_) => ValueType::Number,
            Value::Bool(_) => ValueType::Bool,
            Value::Text(_) => ValueType::Text,
            Value::Vec(_) => ValueType::Vec,
            Value::List(_) => ValueType::List,
            Value::Record(_) => ValueType::Record,
            Value::Column(_) => ValueType::Column,
            Value::Table(_) => ValueType::Table,
            Value::Live(_) => ValueType::Live,
            Value::Field(_) => ValueType::Field,
            Value::Texture(_) => ValueType::Texture,
            Value::Buffer(_) => ValueType::Buffer,
            Value::Other(other) => ValueType::Other(other.type_name),
        }
    }

    /// What it is in words, for messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Value::Number(number) => format!("the number {number}"),
            Value::Bool(value) => format!("the bool {value}"),
            Value::Text(text) => format!("the text `{text}`"),
            Value::Vec(numbers) => format!("a vector of {}", numbers.len()),
            Value::List(list) => list.describe(),
            Value::Record(record) => format!("a record of {}", record.listed()),
            Value::Column(column) => format!("a column of {}", column.element()),
            Value::Table(table) => format!("a packed table of {}", table.names().join(", ")),
            Value::Live(_) => "a live count".to_owned(),
            Value::Field(_) => "a field".to_owned(),
            Value::Texture(texture) => format!("a texture of {} x {}", texture.width, texture.height),
            Value::Buffer(_) => "a buffer".to_owned(),
            Value::Other(other) => format!("a {}", other.type_name),
        }
    }

    /// The column that it is or refers to.
    pub fn as_column(&self) -> Option<&Column> {
        match self {
            Value::Column(column) => Some(column),
            Value::Buffer(buffer) => Some(&buffer.buffer),
            _ => None,
        }
    }

    /// The number, or a bool's 1 or 0.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Bool(value) => Some(Number::U32(u32::from(*value))),
            _ => None,
        }
    }
}

/// The types of values. [`Display`](std::fmt::Display) writes the names that declarations use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// `Number`.
    Number,
    /// `Bool`.
    Bool,
    /// `String`.
    Text,
    /// `Vec`.
    Vec,
    /// `List`.
    List,
    /// `Record`.
    Record,
    /// `Column`.
    Column,
    /// `Table`.
    Table,
    /// `LiveCount`.
    Live,
    /// `Field`.
    Field,
    /// `Texture`.
    Texture,
    /// `BufferRef`.
    Buffer,
    /// A type of a layer above, by its name.
    Other(&'static str),
}

impl std::fmt::Display for ValueType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ValueType::Number => "Number",
            ValueType::Bool => "Bool",
            ValueType::Text => "String",
            ValueType::Vec => "Vec",
            ValueType::List => "List",
            ValueType::Record => "Record",
            ValueType::Column => "Column",
            ValueType::Table => "Table",
            ValueType::Live => "LiveCount",
            ValueType::Field => "Field",
            ValueType::Texture => "Texture",
            ValueType::Buffer => "BufferRef",
            ValueType::Other(name) => name,
        })
    }
}

/// A count that is on a device, and the capacity that bounds it. As a domain it is as many elements as the count says
/// when the list runs.
#[derive(Clone, Debug)]
pub struct Live {
    count: Column,
    capacity: u32,
}

impl Live {
    /// The count in the one word of `count`, which is read as `u32`, bounded by `capacity`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a column of floats or of more or less than one word.
    pub fn new(count: &Column, capacity: u32) -> Result<Self> {
        if count.words() != 1 || count.element() == Element::F32 {
            return Err(Error::Invalid {
                what: "the count of a domain".to_owned(),
                expected: "a column of one integer".to_owned(),
                found: format!("{} words of {}", count.words(), count.element()),
            });
        }
        Ok(Self {
            count: moves::words_of(count)?,
            capacity,
        })
    }

    /// The live count of a column, if it has one.
    pub fn of(column: &Column) -> Option<Self> {
        Some(Self {
            count: column.live_count()?,
            capacity: column.capacity(),
        })
    }

    /// One `u32`. It may exceed the capacity, by as many elements as did not fit.
    pub fn count(&self) -> &Column {
        &self.count
    }

    /// The most elements there can be.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }
}

impl From<&Live> for Domain {
    fn from(live: &Live) -> Self {
        Domain::live(&live.count, live.capacity)
    }
}

/// A field program with what it reads. Bound to a binding it is computed for every element of the domain, in one
/// dispatch.
#[derive(Clone, Debug)]
pub struct Field {
    pub(super) program: Arc<Program>,
    pub(super) leaves: Vec<Column>,
    pub(super) numbers: Vec<u32>,
}

impl Field {
    /// A program with a column for each of [`Program::leaves`], in their order, and no numbers.
    pub fn new(program: &Arc<Program>, leaves: &[&Column]) -> Self {
        Self {
            program: program.clone(),
            leaves: leaves.iter().map(|column| (*column).clone()).collect(),
            numbers: Vec::new(),
        }
    }

    /// The same with the bits of each of [`Program::numbers`], in their order.
    #[must_use]
    pub fn with_numbers(mut self, bits: &[u32]) -> Self {
        self.numbers = bits.to_vec();
        self
    }
}

/// A texture: a column of texels, row after row. Bound to a binding `NAME` it binds the texels, and sets the params
/// `NAME_width` and `NAME_height` where the kernel declares them.
#[derive(Clone, Debug)]
pub struct Texture {
    pub(super) texels: Column,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Texture {
    /// A texture of `width * height` texels.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another number of texels.
    pub fn new(texels: &Column, width: u32, height: u32) -> Result<Self> {
        if u64::from(width) * u64::from(height) != u64::from(texels.capacity()) {
            return Err(Error::Invalid {
                what: "the texels of a texture".to_owned(),
                expected: format!("{width} x {height}"),
                found: texels.capacity().to_string(),
            });
        }
        Ok(Self {
            texels: texels.clone(),
            width,
            height,
        })
    }

    /// The texels, row after row.
    pub fn texels(&self) -> &Column {
        &self.texels
    }

    /// Texels in a row, and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

/// A column as a host function sees it: what it is, and the handle to give on.
#[derive(Clone, Debug)]
pub struct BufferRef {
    /// The column itself.
    pub buffer: Column,
    /// `Float`, `Int` or `UInt` for one lane, `Vec2` to `Vec4` for floats of that many, and otherwise the element with
    /// its lanes, as in `i32x3`.
    pub type_name: String,
    /// Elements of a live column as the device counts them.
    pub live: Option<Live>,
    /// Elements: the capacity of a live column.
    pub count: u32,
    /// Words an element.
    pub lanes: u32,
    /// What the words are.
    pub element: Element,
}

impl BufferRef {
    /// The reference to a column.
    pub fn of(column: &Column) -> Self {
        let (element, lanes) = (column.element(), column.lanes());
        let type_name = match (element, lanes) {
            (Element::F32, 1) => "Float".to_owned(),
            (Element::I32, 1) => "Int".to_owned(),
            (Element::U32, 1) => "UInt".to_owned(),
            (Element::F32, 2..=4) => format!("Vec{lanes}"),
            _ => format!("{element}x{lanes}"),
        };
        Self {
            buffer: column.clone(),
            type_name,
            live: Live::of(column),
            count: column.capacity(),
            lanes,
            element,
        }
    }
}

/// A value of a layer above, held under the name of its type.
#[derive(Clone)]
pub struct Other {
    type_name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
    reading: Option<Reading>,
}

/// How a value that holds columns is read back.
#[derive(Clone, Copy)]
struct Reading {
    parts: fn(&Other) -> Option<Record>,
    with_parts: fn(&Other, Record) -> Option<Other>,
}

/// A value of a layer above that holds columns, such as a geometry, and can be read back from a device.
pub trait Readable: Any + Send + Sync + Sized {
    /// What it is called.
    const TYPE_NAME: &'static str;

    /// Its columns, by name.
    fn parts(&self) -> Record;

    /// Its copy, which holds what the parts held in place of them: lists for columns, under the same names.
    fn with_parts(&self, parts: Record) -> Self;
}

impl Other {
    /// Holds a value.
    pub fn new<T: Any + Send + Sync>(type_name: &'static str, value: T) -> Self {
        Self {
            type_name,
            value: Arc::new(value),
            reading: None,
        }
    }

    /// Holds a value whose columns [`transfer::readback`](super::transfer::readback) reads.
    pub fn readable<T: Readable>(value: T) -> Self {
        Self {
            type_name: T::TYPE_NAME,
            value: Arc::new(value),
            reading: Some(Reading {
                parts: |other| other.get::<T>().map(T::parts),
                with_parts: |other, parts| {
                    let value = other.get::<T>()?;
                    Some(Self::readable(value.with_parts(parts)))
                },
            }),
        }
    }

    /// The columns that a read-back reads; `None` of a value that has none.
    pub(super) fn parts(&self) -> Option<Record> {
        self.reading.and_then(|reading| (reading.parts)(self))
    }

    /// The value with what those columns held.
    pub(super) fn with_parts(&self, parts: Record) -> Self {
        let reading = self.reading;
        reading
            .and_then(|reading| (reading.with_parts)(self, parts))
            .unwrap_or_else(|| self.clone())
    }

    /// The value, where it is a `T`.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }
}

impl std::fmt::Debug for Other {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Other").field(&self.type_name).finish()
    }
}

macro_rules! value_from {
    ($($from:ty => |$v:ident| $value:expr;)*) => {
        $(impl From<$from> for Value { fn from($v: $from) -> Self { $value } })*
    };
}
value_from! {
    Number => |v| Value::Number(v);
    f32 => |v| Value::Number(Number::F32(v));
    f64 => |v| Value::Number(Number::F64(v));
    i32 => |v| Value::Number(Number::I32(v));
    u32 => |v| Value::Number(Number::U32(v));
    bool => |v| Value::Bool(v);
    &str => |v| Value::Text(v.to_owned());
    String => |v| Value::Text(v);
    List => |v| Value::List(v);
    Record => |v| Value::Record(v);
    &Record => |v| Value::Record(v.clone());
    Column => |v| Value::Column(v);
    &Column => |v| Value::Column(v.clone());
    PackedTable => |v| Value::Table(v);
    &PackedTable => |v| Value::Table(v.clone());
    Live => |v| Value::Live(v);
    &Live => |v| Value::Live(v.clone());
    Field => |v| Value::Field(v);
    &Field => |v| Value::Field(v.clone());
    Texture => |v| Value::Texture(v);
    &Texture => |v| Value::Texture(v.clone());
    BufferRef => |v| Value::Buffer(v);
    &BufferRef => |v| Value::Buffer(v.clone());
    Other => |v| Value::Other(v);
    &Value => |v| v.clone();
}

macro_rules! value_from_numbers {
    ($($item:ty),*) => {
        $(
            impl<const N: usize> From<[$item; N]> for Value
            where
                [(); N]: VectorLanes,
            {
                fn from(v: [$item; N]) -> Self { Value::Vec(v.map(Number::from).to_vec()) }
            }
        )*
    };
}
value_from_numbers!(f32, f64, i32, u32);

/// The lanes that a vector may have. An array of more numbers is a list: write it as a slice.
pub trait VectorLanes {}
impl VectorLanes for [(); 2] {}
impl VectorLanes for [(); 3] {}
impl VectorLanes for [(); 4] {}

macro_rules! value_from_lists {
    ($($item:ty),*) => {
        $(
            impl From<Vec<$item>> for Value { fn from(v: Vec<$item>) -> Self { Value::List(v.into()) } }
            impl From<&[$item]> for Value { fn from(v: &[$item]) -> Self { Value::List(v.into()) } }
        )*
    };
}
value_from_lists!(f32, i32, u32, String, [f32; 2], [f32; 3], [f32; 4]);

impl From<Vec<&str>> for Value {
    fn from(v: Vec<&str>) -> Self {
        Value::List(v.into())
    }
}
