//! What recording a dispatch answers.

use crate::column::Column;
use crate::error::{Error, Result};
use crate::list::Slot;

/// A recorded dispatch: its outputs and the numbers that may change.
#[derive(Clone, Debug)]
pub struct Dispatch {
    pub(crate) kernel: String,
    pub(crate) outputs: Vec<(&'static str, Column)>,
    pub(crate) slots: Vec<(String, Slot)>,
    /// Slots of a field program's numbers.
    pub(crate) numbers: Vec<Slot>,
}

impl Dispatch {
    /// A column that it writes: one allocated by its rule, or the one that was bound.
    ///
    /// # Errors
    /// [`Error::UnknownBinding`] for a name that it does not write.
    pub fn column(&self, name: &str) -> Result<Column> {
        let found = self
            .outputs
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, column)| column.clone());
        found.ok_or_else(|| self.unknown(name, self.outputs.iter().map(|(name, _)| *name)))
    }

    /// Where a param may be set anew with [`CommandList::set`](crate::CommandList::set).
    ///
    /// # Errors
    /// [`Error::UnknownBinding`] for a name that is no param.
    pub fn slot(&self, name: &str) -> Result<Slot> {
        let found = self
            .slots
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, slot)| *slot);
        found.ok_or_else(|| self.unknown(name, self.slots.iter().map(|(name, _)| name.as_str())))
    }

    /// Where the `index`th number of a field program may be set anew.
    ///
    /// # Errors
    /// [`Error::UnknownBinding`] for an index that the program does not read.
    pub fn number_slot(&self, index: u32) -> Result<Slot> {
        let found = self.numbers.get(index as usize).copied();
        found.ok_or_else(|| self.unknown(&format!("number {index}"), std::iter::empty::<&str>()))
    }

    fn unknown<'a>(&self, name: &str, known: impl Iterator<Item = &'a str>) -> Error {
        let known: Vec<_> = known.collect();
        let known = if known.is_empty() {
            "none of that kind".to_owned()
        } else {
            known.join(", ")
        };
        Error::UnknownBinding {
            kernel: self.kernel.clone(),
            binding: name.to_owned(),
            known,
        }
    }
}
