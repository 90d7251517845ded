//! Lists of numbers and texts, as values that go to a device and come back from it.

use crate::column::Element;

/// What a [`List`] holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Items {
    /// Floats.
    F32(Vec<f32>),
    /// Signed integers.
    I32(Vec<i32>),
    /// Unsigned integers.
    U32(Vec<u32>),
    /// Texts, which stay on the host.
    Text(Vec<String>),
}

impl Items {
    fn len(&self) -> usize {
        match self {
            Items::F32(items) => items.len(),
            Items::I32(items) => items.len(),
            Items::U32(items) => items.len(),
            Items::Text(items) => items.len(),
        }
    }
}

/// A list of numbers, of vectors or of texts: elements of `lanes` items each, interleaved.
///
/// Made from a `Vec` or a slice of `f32`, `i32`, `u32`, `[f32; 2]`, `[f32; 3]`, `[f32; 4]`, `String` or `&str`; the
/// specification's types `Float`, `Int`, `UInt`, `Vec2`, `Vec3`, `Vec4` (and `Color`) and `String`, in that order.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    items: Items,
    lanes: u32,
}

impl List {
    /// A list of elements of that many items. A rest that fills no element stays at the end, and uploading refuses it.
    pub fn of_lanes(items: Items, lanes: u32) -> Self {
        Self { items, lanes }
    }

    /// The list that arrives from a device.
    pub(super) fn from_words(words: Vec<u32>, element: Element, lanes: u32) -> Self {
        let items = match element {
            Element::F32 => Items::F32(bytemuck::cast_vec(words)),
            Element::I32 => Items::I32(bytemuck::cast_vec(words)),
            Element::U32 => Items::U32(words),
        };
        Self { items, lanes }
    }

    /// Its items, interleaved.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// Items an element.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// Elements.
    pub fn len(&self) -> usize {
        self.items.len().checked_div(self.lanes as usize).unwrap_or(0)
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its items, where they are floats.
    pub fn as_f32(&self) -> Option<&[f32]> {
        match &self.items {
            Items::F32(items) => Some(items),
            _ => None,
        }
    }

    /// Its items, where they are signed integers.
    pub fn as_i32(&self) -> Option<&[i32]> {
        match &self.items {
            Items::I32(items) => Some(items),
            _ => None,
        }
    }

    /// Its items, where they are unsigned integers.
    pub fn as_u32(&self) -> Option<&[u32]> {
        match &self.items {
            Items::U32(items) => Some(items),
            _ => None,
        }
    }

    /// Its items, where they are texts.
    pub fn as_texts(&self) -> Option<&[String]> {
        match &self.items {
            Items::Text(items) => Some(items),
            _ => None,
        }
    }

    /// "a list of 3 f32", for messages.
    pub(super) fn describe(&self) -> String {
        let kind = match self.items {
            Items::F32(_) => "f32",
            Items::I32(_) => "i32",
            Items::U32(_) => "u32",
            Items::Text(_) => "texts",
        };
        match self.lanes {
            1 => format!("a list of {} {kind}", self.len()),
            lanes => format!("a list of {} elements of {lanes} {kind}", self.len()),
        }
    }
}

macro_rules! list_from {
    ($($item:ty => $variant:ident),*) => {
        $(
            impl From<Vec<$item>> for List {
                fn from(items: Vec<$item>) -> Self {
                    List { items: Items::$variant(items), lanes: 1 }
                }
            }
            impl From<&[$item]> for List {
                fn from(items: &[$item]) -> Self {
                    List { items: Items::$variant(items.to_vec()), lanes: 1 }
                }
            }
        )*
    };
}
list_from!(f32 => F32, i32 => I32, u32 => U32, String => Text);

impl From<Vec<&str>> for List {
    fn from(items: Vec<&str>) -> Self {
        items.into_iter().map(str::to_owned).collect::<Vec<_>>().into()
    }
}

macro_rules! list_from_vectors {
    ($($lanes:literal),*) => {
        $(
            impl From<Vec<[f32; $lanes]>> for List {
                fn from(items: Vec<[f32; $lanes]>) -> Self {
                    List { items: Items::F32(items.into_flattened()), lanes: $lanes }
                }
            }
            impl From<&[[f32; $lanes]]> for List {
                fn from(items: &[[f32; $lanes]]) -> Self {
                    List { items: Items::F32(items.as_flattened().to_vec()), lanes: $lanes }
                }
            }
        )*
    };
}
list_from_vectors!(2, 3, 4);
