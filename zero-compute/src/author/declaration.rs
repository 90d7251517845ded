//! What a `bindings.yaml` declares, checked, and the [`Kernel`] that it is for one choice of options.

use std::borrow::Cow;

use zero_yaml::{At, Position};

use super::expand::words_after;
use super::names::{self, shown};
use super::place::Place;
use super::rules;
use super::when::When;
use crate::column::Element;
use crate::error::Result;
use crate::kernel::{
    Access, Binding, Columns, Determinism, Kernel, Lanes, MAX_BINDINGS, Param, PerElement, Rule, Specialization,
};

/// The most columns that a table names.
const MAX_COLUMNS: usize = 64;
/// The binding that holds the count of the domain.
pub(super) const DOMAIN_COUNT: &str = "domain_count";
/// The specialization that follows the domain, and its options over a plain and over a live one.
pub(super) const COUNT: (&str, &str, &str) = ("COUNT", "plain", "device");

/// The checked declaration.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) file: String,
    pub(super) name: &'static str,
    pub(super) description: Option<String>,
    pub(super) determinism: Determinism,
    pub(super) bindings: Vec<Declared>,
    pub(super) params: Vec<(&'static str, Param)>,
    pub(super) choices: Vec<Choice>,
    pub(super) fusion: Option<Fusion>,
}

/// That every element is computed by itself, as the file says.
#[derive(Debug)]
pub(super) struct Fusion {
    pub(super) at: Position,
    pub(super) writes: &'static str,
    pub(super) own: &'static [&'static str],
    /// A number as its author wrote it: what it is depends on the element of what is written.
    pub(super) inert: At<String>,
}

/// One binding of the file.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) at: Position,
    pub(super) access: Access,
    pub(super) element: ElementOf,
    pub(super) rule: Option<Rule>,
    /// The lanes of what is bound, where nothing says its size.
    pub(super) lanes: Option<Lanes>,
    pub(super) atomic: bool,
    pub(super) when: When,
    /// Of a table, the columns in the order that it holds them; `None` where its shader finds them by name.
    pub(super) table: Option<Option<&'static [&'static str]>>,
}

/// What the words of a binding are.
#[derive(Clone, Copy, Debug)]
pub(super) enum ElementOf {
    Fixed(Element),
    /// What the chosen option of that specialization says.
    Choice(usize),
}

/// One specialization of the file.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) name: &'static str,
    /// None for one that takes any text.
    pub(super) options: &'static [&'static str],
    /// `None` where every dispatch says it: a text that has none.
    pub(super) default: Option<Cow<'static, str>>,
}

impl Declaration {
    /// The bindings that stand with these options.
    pub(super) fn standing<'a>(&'a self, options: &'a [Cow<'static, str>]) -> impl Iterator<Item = &'a Declared> {
        self.bindings.iter().filter(|binding| binding.when.holds(options))
    }

    /// The declaration of one variant. `shader` is its WGSL, in which tables without an order look for their columns.
    pub(super) fn kernel(&self, options: &[Cow<'static, str>], shader: &str) -> Result<Kernel> {
        let mut kernel = Kernel::declare(self.name).determinism(self.determinism);
        let standing: Vec<&Declared> = self.standing(options).collect();
        if let Some(past) = standing.get(MAX_BINDINGS) {
            let message = format!("a kernel binds at most {MAX_BINDINGS} columns, here {}", standing.len());
            return Err(self.place(past.at).error(message));
        }
        for binding in &standing {
            if let Some(absent) = binding.rule.and_then(rules::names_binding)
                && !standing.iter().any(|other| other.name == absent)
            {
                let message = format!(
                    "the size of `{}` is that of `{absent}`, which is not bound here ({})",
                    binding.name,
                    self.options_text(options)
                );
                return Err(self.place(binding.at).error(message));
            }
            let columns = match binding.table {
                None => None,
                Some(Some(order)) => Some(Columns::Order(order)),
                Some(None) => Some(Columns::Named(self.named(binding, shader)?)),
            };
            kernel = kernel.with_binding(Binding {
                name: binding.name,
                access: binding.access,
                element: binding.element.chosen(options),
                rule: binding.rule,
                atomic: binding.atomic,
                columns,
                lanes: binding.lanes,
                fills: None,
            });
        }
        for (name, default) in &self.params {
            kernel = kernel.param(name, *default);
        }
        for choice in &self.choices {
            kernel = kernel.with_choice(Specialization {
                name: choice.name,
                options: choice.options,
            });
        }
        if let Some(fusion) = &self.fusion {
            kernel = self.per_element(kernel, fusion)?;
        }
        Ok(kernel)
    }

    /// The kernel as one whose dispatches may run together with others.
    fn per_element(&self, kernel: Kernel, fusion: &Fusion) -> Result<Kernel> {
        let written = kernel.bindings().find(|binding| binding.name == fusion.writes);
        let element = written.map_or(Element::F32, |binding| binding.element);
        let inert = number(element, &fusion.inert.value).ok_or_else(|| {
            let message = format!("`{}` is no value of {element}", shown(&fusion.inert.value));
            self.place(fusion.inert.at).error(message)
        })?;
        let kernel = kernel.fusion(PerElement {
            writes: fusion.writes,
            own: fusion.own,
            inert,
        });
        match kernel.per_element_fault() {
            None => Ok(kernel),
            Some(fault) => Err(self.place(fusion.at).error(fault)),
        }
    }

    /// The columns that a shader finds in a table by name, as `NAME_col_COLUMN`.
    fn named(&self, binding: &Declared, shader: &str) -> Result<&'static [&'static str]> {
        let found = words_after(shader, &format!("{}_col_", binding.name));
        let kept: Result<Vec<&'static str>, String> = found.into_iter().map(names::keep).collect();
        let list = kept.and_then(|names| at_most_columns(names.len()).and_then(|()| names::keep_list(&names)));
        list.map_err(|why| self.place(binding.at).error(format!("`{}`: {why}", binding.name)))
    }

    /// Where the declaration of a binding is, for an error of the lines that are generated from it.
    pub(super) fn place(&self, at: Position) -> Place<'_> {
        Place {
            file: &self.file,
            line: at.line,
            column: at.column,
        }
    }

    fn options_text(&self, options: &[Cow<'static, str>]) -> String {
        let closed = self
            .choices
            .iter()
            .zip(options)
            .filter(|(choice, _)| !choice.options.is_empty());
        let texts: Vec<String> = closed
            .map(|(choice, option)| format!("{}={option}", choice.name))
            .collect();
        texts.join(" ")
    }
}

impl ElementOf {
    fn chosen(self, options: &[Cow<'static, str>]) -> Element {
        match self {
            ElementOf::Fixed(element) => element,
            // Its options were checked to be elements, all of them.
            ElementOf::Choice(at) => options
                .get(at)
                .and_then(|name| element_named(name))
                .unwrap_or(Element::F32),
        }
    }
}

pub(super) fn element_named(name: &str) -> Option<Element> {
    [Element::F32, Element::I32, Element::U32]
        .into_iter()
        .find(|element| element.to_string() == name)
}

/// A finite number of that element.
pub(super) fn number(element: Element, text: &str) -> Option<Param> {
    match element {
        Element::F32 => text.parse().ok().filter(|v: &f32| v.is_finite()).map(Param::F32),
        Element::I32 => text.parse().ok().map(Param::I32),
        Element::U32 => text.parse().ok().map(Param::U32),
    }
}

pub(super) fn at_most_columns(columns: usize) -> Result<(), String> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    Err(format!(
        "a table has at most {MAX_COLUMNS} columns that are named, here {columns}"
    ))
}
