//! A table of columns as a CPU function sees it.

use super::{ENTRY, HEAD, listed};
use crate::column::{Element, Word};
use crate::error::{Error, Result};

/// One column of a table.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    elements: usize,
    lanes: usize,
    element: Element,
    words: &'a [u32],
}

/// A table of columns, which [`CpuBindings::table`](crate::CpuBindings::table) answers. It reads as the functions do that
/// [`Kernel::columns`](crate::Kernel::columns) gives the WGSL: numbers by value, the last element past the end, 0 where
/// there is nothing.
#[derive(Clone, Debug)]
pub struct CpuTable<'a> {
    kernel: &'static str,
    name: String,
    entries: Vec<Entry<'a>>,
    names: Vec<String>,
}

impl<'a> CpuTable<'a> {
    pub(crate) fn new(kernel: &'static str, name: &str, words: &'a [u32]) -> Result<Self> {
        let read = read_entries(words).zip(read_names(words));
        let (entries, names) = read.ok_or_else(|| Error::BadTwin {
            kernel: kernel.to_owned(),
            message: format!("`{name}` is no table of columns"),
        })?;
        Ok(Self {
            kernel,
            name: name.to_owned(),
            entries,
            names,
        })
    }

    /// How many columns it holds.
    pub fn columns(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The names of its columns, in the order of their slots.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The slot of the column of that name.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that the table lacks.
    pub fn slot(&self, column: &str) -> Result<u32> {
        let at = self.names.iter().position(|name| name == column);
        at.map(|at| at as u32).ok_or_else(|| Error::BadTwin {
            kernel: self.kernel.to_owned(),
            message: format!(
                "the table `{}` has no column `{column}`; it has {}",
                self.name,
                listed(self.names.iter().map(String::as_str))
            ),
        })
    }

    /// Elements of a column; 0 for a slot that is not there.
    pub fn elements(&self, slot: u32) -> u32 {
        self.entry(slot).map_or(0, |entry| entry.elements as u32)
    }

    /// Lanes of a column; 0 for a slot that is not there.
    pub fn lanes(&self, slot: u32) -> u32 {
        self.entry(slot).map_or(0, |entry| entry.lanes as u32)
    }

    /// All words of a column whose words are `T`.
    pub fn words<T: Word>(&self, slot: u32) -> Option<&'a [T]> {
        let entry = self.entry(slot).filter(|entry| entry.element == T::ELEMENT)?;
        Some(bytemuck::cast_slice(entry.words))
    }

    /// A lane of an element as a float.
    pub fn f32(&self, slot: u32, i: usize, lane: usize) -> f32 {
        match self.word(slot, i, lane) {
            (word, Element::F32) => f32::from_bits(word),
            (word, Element::I32) => word.cast_signed() as f32,
            (word, Element::U32) => word as f32,
        }
    }

    /// A lane of an element as a signed integer.
    pub fn i32(&self, slot: u32, i: usize, lane: usize) -> i32 {
        match self.word(slot, i, lane) {
            (word, Element::F32) => f32::from_bits(word) as i32,
            (word, Element::I32) => word.cast_signed(),
            (word, Element::U32) => i32::try_from(word).unwrap_or(i32::MAX),
        }
    }

    /// A lane of an element as an unsigned integer.
    pub fn u32(&self, slot: u32, i: usize, lane: usize) -> u32 {
        match self.word(slot, i, lane) {
            (word, Element::F32) => f32::from_bits(word) as u32,
            (word, Element::I32) => u32::try_from(word.cast_signed()).unwrap_or(0),
            (word, Element::U32) => word,
        }
    }

    /// The first `N` lanes of an element as floats: `NAME_vec2`, `NAME_vec3` and `NAME_vec4`.
    pub fn vec<const N: usize>(&self, slot: u32, i: usize) -> [f32; N] {
        std::array::from_fn(|lane| self.f32(slot, i, lane))
    }

    fn entry(&self, slot: u32) -> Option<&Entry<'a>> {
        self.entries.get(slot as usize)
    }

    fn word(&self, slot: u32, i: usize, lane: usize) -> (u32, Element) {
        let found = self.entry(slot).and_then(|entry| {
            let last = entry.elements.checked_sub(1)?;
            let word = (lane < entry.lanes).then(|| entry.words.get(i.min(last) * entry.lanes + lane))??;
            Some((*word, entry.element))
        });
        found.unwrap_or((0, Element::U32))
    }
}

fn read_entries(words: &[u32]) -> Option<Vec<Entry<'_>>> {
    let columns = *words.first()? as usize;
    let entries = words.get(HEAD..)?.get(..columns.checked_mul(ENTRY)?)?;
    let read = |entry: &[u32]| {
        let &[start, elements, lanes, kind] = entry else {
            return None;
        };
        let (elements, lanes) = (elements as usize, lanes as usize);
        Some(Entry {
            elements,
            lanes,
            element: match kind {
                0 => Element::F32,
                1 => Element::I32,
                2 => Element::U32,
                _ => return None,
            },
            words: words.get(start as usize..)?.get(..elements.checked_mul(lanes)?)?,
        })
    };
    entries.chunks_exact(ENTRY).map(read).collect()
}

fn read_names(words: &[u32]) -> Option<Vec<String>> {
    let columns = *words.first()? as usize;
    let mut rest = words.get(HEAD + columns.checked_mul(ENTRY)?..)?;
    let mut names = Vec::new();
    for _ in 0..columns {
        let (&length, after) = rest.split_first()?;
        let (name, after) = after.split_at_checked((length as usize).div_ceil(4))?;
        let mut bytes: Vec<u8> = name.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length as usize);
        names.push(String::from_utf8(bytes).ok()?);
        rest = after;
    }
    Some(names)
}
