//! Recording a field program: one dispatch, whatever it computes.

use std::sync::Arc;

use crate::args::{Args, Domain};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::field::{DIRECT_LEAVES, MapParam, Program};
use crate::kernel::{Access, HEAD_WORDS, WORKGROUP};
use crate::list::{Code, Held};
use crate::moves;
use crate::record::{Dispatch, MAX_ELEMENTS, Recorder};

impl Recorder {
    /// Records one dispatch that computes a field program for every element of the domain, into a new column `dst` of
    /// the program's lanes. Over a live domain `dst` is live with the same count, and 0 past it.
    ///
    /// `leaves` holds a column for each of [`Program::leaves`] and `numbers` the bits of each of
    /// [`Program::numbers`], in their order. On a GPU each leaf past
    /// [`DIRECT_LEAVES`](crate::field::DIRECT_LEAVES) costs a copy into one packed table, a dispatch of its own.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the wrong number of leaves or numbers, [`Error::WrongElement`] naming the leaf, and those
    /// of [`dispatch`](Self::dispatch) about sizes and devices.
    pub fn map(
        &mut self,
        program: &Arc<Program>,
        leaves: &[Column],
        numbers: &[u32],
        domain: Domain,
    ) -> Result<Dispatch> {
        self.all_or_nothing(|rec| rec.map_steps(program, leaves, numbers, domain))
    }

    fn map_steps(
        &mut self,
        program: &Arc<Program>,
        leaves: &[Column],
        numbers: &[u32],
        domain: Domain,
    ) -> Result<Dispatch> {
        check_len("leaves of a field program", leaves.len(), program.leaves().len())?;
        check_len("numbers of a field program", numbers.len(), program.numbers().len())?;
        for (leaf, column) in program.leaves().iter().zip(leaves) {
            self.check_column("map", &format!("leaf {}", leaf.slot), leaf.element, column)?;
        }
        let n = domain.elements();
        if n > MAX_ELEMENTS {
            let what = "map: elements of its domain".to_owned();
            return Err(Error::TooMany {
                what,
                found: u64::from(n),
                limit: u64::from(MAX_ELEMENTS),
            });
        }
        let mut dst = self.output(program.element(), program.lanes(), n, "map", "dst")?;
        let mut live = None;
        if let Domain::Live { count, .. } = &domain {
            self.check_column("map", "domain_count", Element::U32, count)?;
            dst = dst.with_live(count)?;
            live = Some(count.buffer().clone());
        }
        let names = leaves.iter().map(|column| held("leaf", Access::Read, column));
        let mut all: Vec<Held> = names.chain([held("dst", Access::Write, &dst)]).collect();
        let layout = program.layout();
        let mut offsets = vec![0; leaves.len()];
        if self.is_gpu() && layout.packed.is_some() && n > 0 {
            let table = self.pack_leaves(leaves, &mut offsets, DIRECT_LEAVES)?;
            all.push(held("packed", Access::Read, &table));
        }
        let mut params = vec![n, 0, n.div_ceil(WORKGROUP)];
        let words = layout.words.iter();
        params.extend(words.map(|word| input_word(word, leaves, numbers, &offsets)));
        let at = self.push(Code::Map(program.clone()), all, n, live, &params);
        let slot = |(k, number): (usize, &crate::field::NumberUse)| {
            let word = layout
                .words
                .iter()
                .position(|word| *word == MapParam::Number(k))
                .unwrap_or(k);
            self.slot(at + HEAD_WORDS + word, number.kind.element())
        };
        Ok(Dispatch {
            kernel: "map".to_owned(),
            outputs: vec![("dst", dst)],
            slots: Vec::new(),
            numbers: program.numbers().iter().enumerate().map(slot).collect(),
        })
    }

    /// Copies the leaves past the `direct` ones, which have bindings of their own, into one table; notes the word at which
    /// each begins.
    pub(crate) fn pack_leaves(&mut self, leaves: &[Column], offsets: &mut [u32], direct: usize) -> Result<Column> {
        let mut words = 0u64;
        let packed = leaves.iter().zip(offsets).skip(direct);
        let mut copies = Vec::new();
        for (column, offset) in packed {
            *offset = u32::try_from(words).unwrap_or(u32::MAX);
            copies.push((column, *offset));
            words += column.words();
        }
        let capacity = u32::try_from(words).map_err(|_| Error::TooMany {
            what: "words in the packed leaves of a field program".to_owned(),
            found: words,
            limit: u64::from(u32::MAX),
        })?;
        let table = self.output(Element::U32, 1, capacity, "map", "packed leaves")?;
        for (column, at) in copies {
            let src = moves::words_of(column)?;
            let args = Args::new().with("src", &src).with("table", &table).with("at", at);
            self.dispatch(&moves::PACK, args, Domain::of(&src))?;
        }
        Ok(table)
    }
}

/// A word of the uniform block of what reads leaves and numbers.
pub(crate) fn input_word(word: &MapParam, leaves: &[Column], numbers: &[u32], offsets: &[u32]) -> u32 {
    match *word {
        MapParam::Number(k) => numbers.get(k).copied().unwrap_or_default(),
        MapParam::Elements(k) => leaves.get(k).map_or(0, Column::capacity),
        MapParam::Lanes(k) => leaves.get(k).map_or(0, Column::lanes),
        MapParam::Offset(k) => offsets.get(k).copied().unwrap_or_default(),
    }
}

pub(crate) fn held(name: &'static str, access: Access, column: &Column) -> Held {
    Held {
        name,
        access,
        element: column.element(),
        lanes: column.lanes(),
        elements: column.capacity(),
        buffer: column.buffer().clone(),
        count: None,
    }
}

pub(crate) fn check_len(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Invalid {
        what: what.to_owned(),
        expected: expected.to_string(),
        found: found.to_string(),
    })
}
