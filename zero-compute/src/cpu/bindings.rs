//! What a CPU function sees of a dispatch: its bindings by name, its params, and how it may run.

use std::borrow::Cow;
use std::ops::Range;

use crate::column::{Element, Word};
use crate::cpu::Isa;
use crate::error::{Error, Result};
use crate::exec::CancelToken;
use crate::kernel::Kernel;
use crate::table::CpuTable;

/// An output that is appended to. The count goes on past the capacity, so that it tells how many did not fit.
#[derive(Debug)]
pub struct Append<'a, T> {
    /// The storage, `capacity * lanes` long.
    pub items: &'a mut [T],
    /// Elements appended so far.
    pub count: &'a mut u32,
}

impl<T: Copy> Append<'_, T> {
    /// Appends one element of `element.len()` lanes; it is counted, and dropped where the storage is full.
    pub fn push(&mut self, element: &[T]) {
        let start = *self.count as usize * element.len();
        if let Some(slot) = self.items.get_mut(start..start + element.len()) {
            slot.copy_from_slice(element);
        }
        *self.count = self.count.saturating_add(1);
    }
}

#[derive(Debug)]
pub(crate) enum Words<'a> {
    Read(&'a [u32]),
    /// What another dispatch has just computed, from that element on: it is nowhere else.
    Block(usize, &'a [u32]),
    Write(Option<&'a mut [u32]>),
    Append(Option<(&'a mut [u32], &'a mut u32)>),
}

#[derive(Debug)]
pub(crate) struct Bound<'a> {
    pub(crate) name: &'static str,
    pub(crate) element: Element,
    pub(crate) lanes: u32,
    pub(crate) words: Words<'a>,
}

/// The bindings of a dispatch, by name.
#[derive(Debug)]
pub struct CpuBindings<'a> {
    pub(crate) kernel: &'static str,
    pub(crate) bound: Vec<Bound<'a>>,
}

impl<'a> CpuBindings<'a> {
    /// The words of a read binding.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not a read binding, [`Error::WrongElement`] for another element.
    pub fn read<T: Word>(&self, name: &str) -> Result<&'a [T]> {
        let bound = self
            .bound
            .iter()
            .find(|b| b.name == name)
            .ok_or_else(|| self.unknown(name))?;
        self.check::<T>(bound)?;
        match &bound.words {
            Words::Read(words) => Ok(bytemuck::cast_slice(words)),
            Words::Block(..) => Err(self.bad(format!(
                "`{name}` is declared to be read at its own elements only: take the part of the range"
            ))),
            _ => Err(self.bad(format!("`{name}` is written, not read"))),
        }
    }

    /// A table of columns.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is no table.
    pub fn table(&self, name: &str) -> Result<CpuTable<'a>> {
        CpuTable::new(self.kernel, name, self.read(name)?)
    }

    /// The words of some elements of a read binding: for a function over ranges those of its range. It is the only
    /// way to read a binding that [`PerElement::own`](crate::PerElement::own) names.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and [`Error::BadTwin`] for elements that the binding does not have.
    pub fn part<T: Word>(&self, name: &str, range: Range<usize>) -> Result<&'a [T]> {
        let bound = self
            .bound
            .iter()
            .find(|b| b.name == name)
            .ok_or_else(|| self.unknown(name))?;
        self.check::<T>(bound)?;
        let (first, words) = match &bound.words {
            Words::Read(words) => (0, *words),
            Words::Block(first, words) => (*first, *words),
            _ => return Err(self.bad(format!("`{name}` is written, not read"))),
        };
        let lanes = bound.lanes as usize;
        let part = range
            .start
            .checked_sub(first)
            .and_then(|start| words.get(start * lanes..(range.end.max(range.start) - first) * lanes));
        part.map(bytemuck::cast_slice).ok_or_else(|| {
            let held = first..first + words.len().checked_div(lanes).unwrap_or(0);
            self.bad(format!("`{name}` holds the elements {held:?}, not {range:?}"))
        })
    }

    /// The words of a written or in-place binding: all of them, or the range's part. They are handed out once.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not written, or is taken already; [`Error::WrongElement`] for another
    /// element.
    pub fn write<T: Word>(&mut self, name: &str) -> Result<&'a mut [T]> {
        match &mut self.find::<T>(name)?.words {
            Words::Write(words) => match words.take() {
                Some(words) => Ok(bytemuck::cast_slice_mut(words)),
                None => Err(self.bad(format!("`{name}` is taken already"))),
            },
            _ => Err(self.bad(format!("`{name}` is not a binding that is written"))),
        }
    }

    /// An append binding: its storage and its count, which starts at 0. It is handed out once.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn append<T: Word>(&mut self, name: &str) -> Result<Append<'a, T>> {
        match &mut self.find::<T>(name)?.words {
            Words::Append(words) => match words.take() {
                Some((items, count)) => Ok(Append {
                    items: bytemuck::cast_slice_mut(items),
                    count,
                }),
                None => Err(self.bad(format!("`{name}` is taken already"))),
            },
            _ => Err(self.bad(format!("`{name}` is not a binding that is appended to"))),
        }
    }

    /// Lanes of an element of that binding; 0 for a name that is not bound.
    pub fn lanes(&self, name: &str) -> u32 {
        self.bound.iter().find(|b| b.name == name).map_or(0, |b| b.lanes)
    }

    fn find<T: Word>(&mut self, name: &str) -> Result<&mut Bound<'a>> {
        let Some(at) = self.bound.iter().position(|b| b.name == name) else {
            return Err(self.unknown(name));
        };
        self.check::<T>(&self.bound[at])?;
        Ok(&mut self.bound[at])
    }

    fn check<T: Word>(&self, bound: &Bound<'_>) -> Result<()> {
        if bound.element == T::ELEMENT {
            return Ok(());
        }
        Err(Error::WrongElement {
            kernel: self.kernel.to_owned(),
            binding: bound.name.to_owned(),
            expected: bound.element,
            found: T::ELEMENT,
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let known: Vec<_> = self.bound.iter().map(|b| b.name).collect();
        self.bad(format!("there is no binding `{name}`; there are {}", known.join(", ")))
    }

    fn bad(&self, message: String) -> Error {
        Error::BadTwin {
            kernel: self.kernel.to_owned(),
            message,
        }
    }
}

/// The params and options of a dispatch.
#[derive(Clone, Copy, Debug)]
pub struct CpuParams<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) words: &'a [u32],
    pub(crate) options: &'a [Cow<'static, str>],
    pub(crate) n: u32,
    pub(crate) live: u32,
}

impl<'a> CpuParams<'a> {
    /// A float param.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not a float param.
    pub fn f32(&self, name: &str) -> Result<f32> {
        self.word(name, Element::F32).map(f32::from_bits)
    }

    /// A signed param.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not a signed param.
    pub fn i32(&self, name: &str) -> Result<i32> {
        self.word(name, Element::I32).map(|w| w as i32)
    }

    /// An unsigned param.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not an unsigned param.
    pub fn u32(&self, name: &str) -> Result<u32> {
        self.word(name, Element::U32)
    }

    /// The option chosen for a specialization.
    ///
    /// # Errors
    /// [`Error::BadTwin`] for a name that is not a specialization.
    pub fn option(&self, name: &str) -> Result<&'a str> {
        let chosen = self
            .kernel
            .specializations()
            .position(|s| s.name == name)
            .and_then(|at| self.options.get(at));
        chosen
            .map(|chosen| &**chosen)
            .ok_or_else(|| self.bad(format!("there is no specialization `{name}`")))
    }

    /// Elements of the domain: the capacity where it is live.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Elements of the domain that are live: at most [`n`](Self::n), and equal to it over a plain domain.
    pub fn live(&self) -> u32 {
        self.live
    }

    fn word(&self, name: &str, element: Element) -> Result<u32> {
        let at = self
            .kernel
            .params()
            .position(|(known, param)| *known == name && param.element() == element);
        let word = at.and_then(|at| self.words.get(crate::kernel::HEAD_WORDS + at));
        word.copied()
            .ok_or_else(|| self.bad(format!("there is no {element} param `{name}`")))
    }

    fn bad(&self, message: String) -> Error {
        Error::BadTwin {
            kernel: self.kernel.name().to_owned(),
            message,
        }
    }
}

/// How a CPU function may run.
#[derive(Clone, Copy, Debug)]
pub struct CpuExec<'a> {
    /// Threads to share work among; `None` means this thread alone. Results never depend on their number.
    pub pool: Option<&'a rayon::ThreadPool>,
    /// Which instructions to use.
    pub isa: Isa,
    /// Stops the dispatch.
    pub cancel: &'a CancelToken,
}

impl CpuExec<'_> {
    /// Refuses to go on once the work is cancelled. A whole-kernel function calls it every
    /// [`SLICE`](crate::SLICE) elements; the dispatch then begins again the next time the device is driven.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn checkpoint(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            Err(Error::Cancelled)
        } else {
            Ok(())
        }
    }
}
