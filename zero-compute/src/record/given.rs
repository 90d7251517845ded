//! Arguments sorted out against a kernel's declaration.

use std::borrow::Cow;

use crate::args::{Arg, Args};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::kernel::{Access, Binding, Kernel};

/// The arguments sorted out against the declaration.
pub(super) struct Given<'a> {
    pub(super) columns: Vec<Option<&'a Column>>,
    pub(super) params: Vec<u32>,
    pub(super) options: Vec<Cow<'static, str>>,
    /// Which append bindings go on after what is there.
    pub(super) kept: Vec<bool>,
    /// Of each binding of columns, where the columns stand that its kernel finds by name.
    slots: Vec<Vec<u32>>,
}

impl<'a> Given<'a> {
    pub(super) fn resolve(kernel: &Kernel, args: &'a Args) -> Result<Self> {
        let mut given = Self {
            columns: vec![None; kernel.bindings().count()],
            params: kernel.params().map(|(_, param)| param.bits()).collect(),
            options: kernel
                .specializations()
                .map(|s| Cow::Borrowed(s.options.first().copied().unwrap_or_default()))
                .collect(),
            kept: vec![false; kernel.bindings().count()],
            slots: vec![Vec::new(); kernel.bindings().count()],
        };
        let mut seen: Vec<&str> = Vec::new();
        for (name, arg) in args.iter() {
            if seen.contains(&name) {
                return Err(Error::DuplicateArg {
                    kernel: kernel.name().to_owned(),
                    binding: name.to_owned(),
                });
            }
            seen.push(name);
            given.take(kernel, name, arg)?;
        }
        Ok(given)
    }

    /// The words of the named slots, in the order of the bindings.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().flatten().copied()
    }

    fn take(&mut self, kernel: &Kernel, name: &str, arg: &'a Arg) -> Result<()> {
        let wrong = |expected: &str, found: String| Error::WrongArg {
            kernel: kernel.name().to_owned(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            found,
        };
        let bound = |b: &Binding| b.name == name && b.access != Access::Scratch;
        if let Some((at, binding)) = kernel.bindings().enumerate().find(|(_, b)| bound(b)) {
            match (arg, binding.columns) {
                (Arg::Table(table), Some(columns)) => {
                    self.slots[at] = table.slots(kernel.name(), name, columns)?;
                    self.columns[at] = Some(table.words());
                }
                (Arg::Column(column), None) => self.columns[at] = Some(column),
                (Arg::After(column), None) if binding.access == Access::Append => {
                    self.columns[at] = Some(column);
                    self.kept[at] = true;
                }
                (other, None) => return Err(wrong("a column", arg_text(other))),
                (other, Some(_)) => return Err(wrong("a table of columns", arg_text(other))),
            }
        } else if let Some(at) = kernel.params().position(|(known, _)| *known == name) {
            let element = kernel
                .params()
                .nth(at)
                .map_or(Element::U32, |(_, param)| param.element());
            match arg {
                Arg::Number(number) => {
                    let bits = number.bits(element);
                    self.params[at] = bits.ok_or_else(|| wrong(&element.to_string(), number.to_string()))?;
                }
                other => return Err(wrong(&format!("a number ({element})"), arg_text(other))),
            }
        } else if let Some(at) = kernel.specializations().position(|s| s.name == name) {
            let Arg::Option(found) = arg else {
                return Err(wrong("an option", arg_text(arg)));
            };
            let options = kernel.specializations().nth(at).map_or(&[][..], |s| s.options);
            if options.is_empty() {
                self.options[at] = Cow::Owned(found.clone());
                return Ok(());
            }
            let chosen = options
                .iter()
                .find(|option| *option == found)
                .ok_or_else(|| Error::UnknownOption {
                    kernel: kernel.name().to_owned(),
                    name: name.to_owned(),
                    found: found.clone(),
                    known: options.join(", "),
                })?;
            self.options[at] = Cow::Borrowed(chosen);
        } else {
            let bindings = kernel
                .bindings()
                .filter(|b| b.access != Access::Scratch)
                .map(|b| b.name);
            let params = kernel.params().map(|(name, _)| *name);
            let known: Vec<_> = bindings
                .chain(params)
                .chain(kernel.specializations().map(|s| s.name))
                .collect();
            return Err(Error::UnknownBinding {
                kernel: kernel.name().to_owned(),
                binding: name.to_owned(),
                known: known.join(", "),
            });
        }
        Ok(())
    }
}

fn arg_text(arg: &Arg) -> String {
    match arg {
        Arg::Table(table) => format!("a table of {}", table.names().join(", ")),
        Arg::After(column) => format!("a column of {} to append after", column.element()),
        Arg::Column(column) => format!("a column of {}", column.element()),
        Arg::Number(number) => format!("the number {number}"),
        Arg::Option(option) => format!("the option `{option}`"),
    }
}
