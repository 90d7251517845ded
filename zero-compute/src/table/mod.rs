//! A table of columns: several columns in one storage buffer, so that a kernel reads as many as it likes through one
//! binding.
//!
//! The words of a table: the number of columns; for each its first word, its elements, its lanes and its kind (0 for
//! `f32`, 1 for `i32`, 2 for `u32`); for each the bytes of its name, after their number; and then the columns.

pub(crate) mod shader;
mod view;

pub use view::CpuTable;

use std::sync::Arc;

use crate::args::{Args, Domain};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::kernel::Columns;
use crate::moves;
use crate::record::Recorder;

/// Words in front of the entries.
const HEAD: usize = 1;
/// Words of an entry.
const ENTRY: usize = 4;

/// Columns in one buffer, for a binding that [`Kernel::columns`](crate::Kernel::columns) declares. What
/// [`Recorder::pack`] makes.
#[derive(Clone, Debug)]
pub struct PackedTable {
    words: Column,
    names: Arc<[String]>,
}

impl PackedTable {
    /// The names of its columns, in the order of their slots.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The buffer: words of directory and columns, as `u32`.
    pub fn words(&self) -> &Column {
        &self.words
    }

    /// Where the columns stand that a kernel finds by name, once the table is known to hold what the kernel declares.
    pub(crate) fn slots(&self, kernel: &str, binding: &str, columns: Columns) -> Result<Vec<u32>> {
        let wrong = |expected: String| Error::WrongArg {
            kernel: kernel.to_owned(),
            name: binding.to_owned(),
            expected,
            found: format!("a table of {}", listed(self.names.iter().map(String::as_str))),
        };
        match columns {
            Columns::Order(order) if self.names.iter().eq(order) => Ok(Vec::new()),
            Columns::Order(order) => Err(wrong(format!(
                "a table of exactly {}, in this order",
                listed(order.iter().copied())
            ))),
            Columns::Named(names) => names
                .iter()
                .map(|name| {
                    let slot = self.names.iter().position(|known| known == name);
                    slot.map(|slot| slot as u32)
                        .ok_or_else(|| wrong(format!("a table with {}", listed(names.iter().copied()))))
                })
                .collect(),
        }
    }
}

pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

impl Recorder {
    /// Records the packing of columns into one buffer, in the order given; they may differ in kind, lanes and length.
    /// Of a live column the whole capacity is packed. The columns are read when the list runs.
    ///
    /// Cost: one dispatch a column and one for the directory, which is uploaded now.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name given twice, [`Error::Foreign`], [`Error::TooMany`] past 2^32 - 1 words,
    /// [`Error::TooLarge`] past what the device binds.
    pub fn pack(&mut self, columns: &[(&str, &Column)]) -> Result<PackedTable> {
        self.all_or_nothing(|rec| rec.pack_steps(columns))
    }

    fn pack_steps(&mut self, columns: &[(&str, &Column)]) -> Result<PackedTable> {
        for (at, (name, column)) in columns.iter().enumerate() {
            self.check_column("pack", name, column.element(), column)?;
            if columns.iter().take(at).any(|(other, _)| other == name) {
                return Err(Error::Invalid {
                    what: "a table of columns".to_owned(),
                    expected: "every name once".to_owned(),
                    found: format!("`{name}` twice"),
                });
            }
        }
        let (directory, starts, words) = directory(columns)?;
        let table = self.output(Element::U32, 1, words, "pack", "table")?;
        let directory = self.device.upload(&directory, 1)?;
        self.lay(&directory, &table, 0)?;
        for ((_, column), start) in columns.iter().zip(starts) {
            self.lay(&moves::words_of(column)?, &table, start)?;
        }
        Ok(PackedTable {
            words: table,
            names: columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
        })
    }

    /// Copies the words of `src` into the table from its word `at` on.
    fn lay(&mut self, src: &Column, table: &Column, at: u32) -> Result<()> {
        if src.is_empty() {
            return Ok(());
        }
        let args = Args::new().with("src", src).with("table", table).with("at", at);
        if self.is_gpu() {
            self.dispatch(&moves::PACK, args, Domain::of(src))?;
        } else {
            self.dispatch(&moves::PACK_SLICES, args, Domain::of(table))?;
        }
        Ok(())
    }
}

/// The words in front of the columns, where each column starts, and the words of the whole table.
fn directory(columns: &[(&str, &Column)]) -> Result<(Vec<u32>, Vec<u32>, u32)> {
    let mut names = Vec::new();
    for (name, _) in columns {
        names.push(name.len() as u32);
        for bytes in name.as_bytes().chunks(4) {
            let byte = |k: usize| bytes.get(k).copied().unwrap_or(0);
            names.push(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]));
        }
    }
    let mut next = (HEAD + ENTRY * columns.len() + names.len()) as u64;
    let mut words = vec![columns.len() as u32];
    let mut starts = Vec::with_capacity(columns.len());
    let fits = |at: u64| {
        u32::try_from(at).map_err(|_| Error::TooMany {
            what: "words in a table of columns".to_owned(),
            found: at,
            limit: u64::from(u32::MAX),
        })
    };
    for (_, column) in columns {
        let start = fits(next)?;
        starts.push(start);
        words.extend([start, column.capacity(), column.lanes(), kind_word(column.element())]);
        next += column.words();
    }
    words.extend(names);
    Ok((words, starts, fits(next)?))
}

const fn kind_word(element: Element) -> u32 {
    match element {
        Element::F32 => 0,
        Element::I32 => 1,
        Element::U32 => 2,
    }
}
