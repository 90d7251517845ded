//! One kernel over drawn inputs.

use std::ops::RangeInclusive;

use super::work::{Inputs, Lives, WorkCheck};
use super::{Parity, Report};
use crate::{Access, Args, Binding, Column, Element, Error, Kernel, Number, Result};

/// What a binding is given.
#[derive(Clone, Debug)]
pub struct Input {
    draw: Draw,
    lanes: u32,
    elements: fn(u32) -> u32,
}

#[derive(Clone, Debug)]
enum Draw {
    Floats(RangeInclusive<f32>),
    Ints(RangeInclusive<i32>),
    Words(RangeInclusive<u32>),
    Indices(String),
}

impl Input {
    fn new(draw: Draw) -> Self {
        Self {
            draw,
            lanes: 1,
            elements: |n| n,
        }
    }

    /// Floats in the range; see [`Draws::floats`](super::Draws::floats).
    pub fn floats(range: RangeInclusive<f32>) -> Self {
        Self::new(Draw::Floats(range))
    }

    /// Signed integers in the range.
    pub fn ints(range: RangeInclusive<i32>) -> Self {
        Self::new(Draw::Ints(range))
    }

    /// Unsigned integers in the range.
    pub fn words(range: RangeInclusive<u32>) -> Self {
        Self::new(Draw::Words(range))
    }

    /// Signed indices into the elements of that binding, some of which name none; see
    /// [`Draws::indices`](super::Draws::indices).
    pub fn indices_into(binding: &str) -> Self {
        Self::new(Draw::Indices(binding.to_owned()))
    }

    /// Elements of that many lanes, in place of one.
    #[must_use]
    pub fn lanes(mut self, lanes: u32) -> Self {
        self.lanes = lanes;
        self
    }

    /// As many elements as the function says for a domain of `n`, in place of `n`.
    #[must_use]
    pub fn elements(mut self, of: fn(u32) -> u32) -> Self {
        self.elements = of;
        self
    }

    /// What a binding that the check is silent on is given.
    fn default_of(binding: &Binding) -> Self {
        match binding.element {
            Element::F32 => Self::floats(-1000.0..=1000.0),
            Element::I32 => Self::ints(i32::MIN..=i32::MAX),
            Element::U32 => Self::words(0..=u32::MAX),
        }
    }

    fn upload(&self, name: &str, inputs: &mut Inputs<'_>, all: &[(String, Input)]) -> Result<Column> {
        let elements = (self.elements)(inputs.n()) as usize;
        let (words, draws) = (elements * self.lanes as usize, inputs.draws());
        match &self.draw {
            Draw::Floats(range) => inputs.upload(&draws.floats(name, words, range.clone()), self.lanes),
            Draw::Ints(range) => inputs.upload(&draws.ints(name, words, range.clone()), self.lanes),
            Draw::Words(range) => inputs.upload(&draws.words(name, words, range.clone()), self.lanes),
            Draw::Indices(into) => {
                let pointed = all.iter().find(|(known, _)| known == into);
                let (_, pointed) = pointed.ok_or_else(|| Error::Invalid {
                    what: format!("the input `{name}` of a check"),
                    expected: "indices into a binding that is read".to_owned(),
                    found: format!("`{into}`"),
                })?;
                let n = (pointed.elements)(inputs.n());
                inputs.upload(&draws.indices(name, words, n), self.lanes)
            }
        }
    }
}

/// A check of one kernel; made by [`Parity::kernel`]. Bindings that it is silent on are given one lane of the whole range
/// of their kind (floats within 1000 of zero), params their defaults, and specializations every option in turn.
#[derive(Debug)]
pub struct KernelCheck<'p> {
    parity: &'p Parity,
    kernel: &'static Kernel,
    inputs: Vec<(String, Input)>,
    params: Vec<(String, Number)>,
    options: Vec<(String, String)>,
    work: WorkCheck<'p>,
}

impl<'p> KernelCheck<'p> {
    pub(super) fn new(parity: &'p Parity, kernel: &'static Kernel) -> Self {
        let mut work = WorkCheck::new(parity, "", kernel.class());
        let is_in_place = kernel.bindings().any(|binding| binding.access == Access::InOut);
        work.runs = if is_in_place { 1 } else { 2 };
        work.lives = Lives::All;
        work.compares_empty = false;
        let outputs = || kernel.bindings().filter(|binding| is_output(binding));
        work.names = outputs().map(|binding| binding.name.to_owned()).collect();
        let appends = outputs()
            .enumerate()
            .filter(|(_, binding)| binding.access == Access::Append);
        work.unordered = appends.map(|(at, _)| at).collect();
        let written = outputs()
            .enumerate()
            .filter(|(_, binding)| binding.access == Access::Write);
        work.written = written.map(|(at, _)| at).collect();
        Self {
            parity,
            kernel,
            inputs: Vec::new(),
            params: Vec::new(),
            options: Vec::new(),
            work,
        }
    }

    /// Gives a binding that is read or changed in place these inputs.
    #[must_use]
    pub fn input(mut self, binding: &str, input: Input) -> Self {
        self.inputs.push((binding.to_owned(), input));
        self
    }

    /// Sets a param.
    #[must_use]
    pub fn param(mut self, name: &str, value: impl Into<Number>) -> Self {
        self.params.push((name.to_owned(), value.into()));
        self
    }

    /// Takes one option of a specialization alone.
    #[must_use]
    pub fn option(mut self, name: &str, option: &str) -> Self {
        self.options.push((name.to_owned(), option.to_owned()));
        self
    }

    /// The sizes to go over, in place of [`EDGE_SIZES`](super::EDGE_SIZES).
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u32>) -> Self {
        self.work = self.work.sizes(sizes);
        self
    }

    /// Leaves live counts out, for a kernel that runs over plain domains alone.
    #[must_use]
    pub fn without_live_counts(mut self) -> Self {
        self.work.lives = Lives::None;
        self
    }

    /// Draws other inputs.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.work = self.work.seed(seed);
        self
    }

    /// The largest magnitude that the kernel meets; see [`WorkCheck::largest`].
    #[must_use]
    pub fn largest(mut self, magnitude: f32) -> Self {
        self.work = self.work.largest(magnitude);
        self
    }

    /// Runs it. Over no elements a dispatch is skipped, so there only shapes and counts are compared. Every word of a binding
    /// that is written must be written: before each run it is filled with words that no other run has.
    ///
    /// # Errors
    /// [`Error::Differs`] with the first difference; [`Error::Invalid`] where no word was compared; what recording refuses, such as an input that the kernel does not
    /// have.
    pub fn check(mut self) -> Result<Report> {
        for binding in self.kernel.bindings() {
            let is_input = matches!(binding.access, Access::Read | Access::InOut);
            if is_input && !self.inputs.iter().any(|(name, _)| name == binding.name) {
                self.inputs.push((binding.name.to_owned(), Input::default_of(binding)));
            }
        }
        let mut report = Report {
            devices: self.parity.devices().len(),
            ..Report::default()
        };
        for options in self.variants() {
            self.work.what = format!("kernel `{}`{}", self.kernel.name(), options_text(&options));
            let one = self.work.check(|inputs, recorder| {
                let mut args = Args::new();
                for (name, input) in &self.inputs {
                    args = args.with(name.clone(), &input.upload(name, inputs, &self.inputs)?);
                }
                for (name, value) in &self.params {
                    args = args.with(name.clone(), *value);
                }
                for (name, option) in &options {
                    args = args.with(name.clone(), option.as_str());
                }
                let done = recorder.dispatch(self.kernel, args, inputs.domain()?)?;
                let outputs = self.kernel.bindings().filter(|binding| is_output(binding));
                outputs.map(|binding| done.column(binding.name)).collect()
            })?;
            report.cases += one.cases;
            report.words += one.words;
        }
        Ok(report)
    }

    /// Every choice of options, those fixed by the check held.
    fn variants(&self) -> Vec<Vec<(String, String)>> {
        let mut variants = vec![self.options.clone()];
        for specialization in self.kernel.specializations() {
            if self.options.iter().any(|(name, _)| name == specialization.name) {
                continue;
            }
            let with = |variant: &Vec<(String, String)>, option: &str| {
                let mut variant = variant.clone();
                variant.push((specialization.name.to_owned(), option.to_owned()));
                variant
            };
            variants = variants
                .iter()
                .flat_map(|variant| specialization.options.iter().map(move |option| with(variant, option)))
                .collect();
        }
        variants
    }
}

fn is_output(binding: &Binding) -> bool {
    binding.is_written() && binding.access != Access::Scratch
}

fn options_text(options: &[(String, String)]) -> String {
    if options.is_empty() {
        return String::new();
    }
    let pairs: Vec<_> = options
        .iter()
        .map(|(name, option)| format!("{name} {option}"))
        .collect();
    format!(" ({})", pairs.join(", "))
}
