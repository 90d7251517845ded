//! A kernel: one declaration, readable as data, with a WGSL source and a Rust function of the same contract.

use std::ops::Range;
use std::panic::Location;

use crate::column::Element;
use crate::cpu::{CpuBindings, CpuExec, CpuParams};
use crate::error::Result;

/// Threads of a workgroup in every kernel of one invocation an element.
pub const WORKGROUP: u32 = 256;
pub(crate) const MAX_BINDINGS: usize = 16;
pub(crate) const MAX_PARAMS: usize = 32;
pub(crate) const MAX_SPECIALIZATIONS: usize = 6;
const MAX_PASSES: usize = 32;
/// Words in front of a dispatch's own params: `zero_n`, `zero_zero`, `zero_groups`.
pub(crate) const HEAD_WORDS: usize = 3;

/// How a kernel touches a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes every element of it and reads none.
    Write,
    /// Reads and writes it in place.
    InOut,
    /// Appends to it; a counter beside it says how many elements were appended.
    Append,
    /// Workspace of the WGSL, which the CPU function never sees.
    Scratch,
}

/// The shape of a binding that the recorder allocates. `n` is the number of elements of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `n` elements of one lane.
    Domain,
    /// The elements and lanes of that binding.
    Same(&'static str),
    /// `n` elements with the lanes of that binding.
    LanesOf(&'static str),
    /// One element of one lane.
    One,
    /// One element with the lanes of that binding.
    OneOf(&'static str),
    /// `ceil(n / k)` elements of one lane.
    CeilDiv(u32),
    /// `n` elements of that many lanes.
    Lanes(u32),
    /// `ceil(n / per) * times` elements of one lane.
    DivScaled {
        /// Elements of the domain a group of results.
        per: u32,
        /// Results a group.
        times: u32,
    },
    /// Elements and lanes, each stated by itself.
    Sized {
        /// How many elements.
        elements: Extent,
        /// How many lanes.
        lanes: Width,
    },
}

/// How many elements, in a [`Rule::Sized`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// `ceil(n / per) * times`.
    Domain {
        /// Elements of the domain a group of results.
        per: u32,
        /// Results a group.
        times: u32,
    },
    /// That many.
    Count(u32),
    /// As many as that binding has.
    Of(&'static str),
    /// As many as that integer param says when the dispatch is recorded.
    Param(&'static str),
    /// `n` times that integer param.
    TimesParam(&'static str),
}

/// How many lanes, in a [`Rule::Sized`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// That many.
    Lanes(u32),
    /// As many as that binding has.
    Of(&'static str),
}

impl Rule {
    /// The elements and lanes of that binding.
    pub const fn same_as(name: &'static str) -> Self {
        Rule::Same(name)
    }
}

/// One declared binding.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Its name in arguments, WGSL and the CPU function.
    pub name: &'static str,
    /// How it is touched.
    pub access: Access,
    /// What its words are.
    pub element: Element,
    /// Its shape where the recorder allocates it; `None` where the caller always binds a column. Of what is read it is
    /// [`Rule::Domain`] where the column has at least the elements of the domain, of any lanes, and otherwise `None`.
    pub rule: Option<Rule>,
    /// Whether the WGSL sees it as `array<atomic<i32>>` or `array<atomic<u32>>`.
    pub atomic: bool,
    /// What a table of columns holds; `None` for a binding of a single column.
    pub columns: Option<Columns>,
    /// The lanes that a column must have to be bound; `None` where any will do, or where the rule says.
    pub lanes: Option<Lanes>,
    /// What the kernel itself writes to the slots of an append binding past the count, as far as the domain goes. See
    /// [`Kernel::fills`].
    pub fills: Option<Param>,
}

/// How many lanes a column may have that is bound. See [`Kernel::lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The least.
    pub least: u32,
    /// The most.
    pub most: u32,
}

impl Lanes {
    /// Whether a column of so many lanes may be bound.
    pub const fn take(&self, lanes: u32) -> bool {
        self.least <= lanes && lanes <= self.most
    }
}

impl std::fmt::Display for Lanes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.least, self.most) {
            (1, 1) => f.write_str("1 lane"),
            (least, most) if least == most => write!(f, "{most} lanes"),
            (least, most) => write!(f, "{least} to {most} lanes"),
        }
    }
}

/// Which columns a table holds and how a kernel finds them. See [`Kernel::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Exactly these, in this order: each stands at its slot.
    Order(&'static [&'static str]),
    /// Any, these among them: the kernel finds these by name, wherever they stand.
    Named(&'static [&'static str]),
}

impl Columns {
    /// The names that the kernel knows.
    pub const fn names(&self) -> &'static [&'static str] {
        match self {
            Columns::Order(names) | Columns::Named(names) => names,
        }
    }
}

impl Binding {
    /// Whether the kernel writes it.
    pub const fn is_written(&self) -> bool {
        !matches!(self.access, Access::Read)
    }
}

/// A number the caller gives a dispatch, with its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param {
    /// A float.
    F32(f32),
    /// A signed integer.
    I32(i32),
    /// An unsigned integer.
    U32(u32),
}

impl Param {
    /// What its word is.
    pub const fn element(&self) -> Element {
        match self {
            Param::F32(_) => Element::F32,
            Param::I32(_) => Element::I32,
            Param::U32(_) => Element::U32,
        }
    }

    /// The default's bits.
    pub const fn bits(&self) -> u32 {
        match self {
            Param::F32(v) => v.to_bits(),
            Param::I32(v) => *v as u32,
            Param::U32(v) => *v,
        }
    }
}

/// What may differ between two devices.
#[derive(Clone, Copy, Debug)]
pub enum Determinism {
    /// Nothing: the same bits everywhere, for finite inputs with no subnormal numbers among them or on the way. Of an
    /// append binding it is the elements that are the same, and their number; a GPU appends in any order.
    Exact,
    /// Float arithmetic that a device may fuse or rewrite: at most this many ulps of the largest intermediate.
    Pointwise {
        /// Units in the last place of the largest intermediate.
        ulps: u32,
    },
    /// Sums in another order; `bound(n, max_abs)` is the largest difference over `n` numbers of at most `max_abs`.
    FloatOrder {
        /// The largest absolute difference.
        bound: fn(n: u64, max_abs: f32) -> f32,
    },
}

/// How many workgroups a pass runs over a domain of `n` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// `ceil(n / k)` workgroups.
    PerElements(u32),
    /// A single workgroup.
    One,
}

impl Groups {
    /// Workgroups over `n` elements.
    pub const fn count(self, n: u32) -> u32 {
        match self {
            Groups::PerElements(k) => n.div_ceil(if k == 0 { 1 } else { k }),
            Groups::One => 1,
        }
    }
}

/// One entry point of a kernel of several passes.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The WGSL entry point.
    pub entry: &'static str,
    /// Its workgroups.
    pub groups: Groups,
    /// The bindings it touches. An append binding stands for its items and its counter; `NAME_items` and `NAME_count`
    /// for one of them.
    pub uses: &'static [&'static str],
}

/// A choice that is compiled in: WGSL between `// @when NAME a|b` and `// @end` stands only for the options named.
#[derive(Clone, Copy, Debug)]
pub struct Specialization {
    /// Its name in arguments.
    pub name: &'static str,
    /// Its options; the first is the default. None where it takes any text, as an author's kernel may.
    pub options: &'static [&'static str],
}

/// How a kernel of one invocation an element says so, in order to run in one dispatch with others
/// ([`Recorder::fuse`](crate::Recorder::fuse)).
///
/// Its WGSL has no entry point: it declares `fn element(i: u32, lane: u32) -> f32|i32|u32`, the lane of its output at a
/// live element, and the entry point is written around it. `NAME_at(i, lane)` reads a lane of any binding.
#[derive(Clone, Copy, Debug)]
pub struct PerElement {
    /// The binding it writes, the only one.
    pub writes: &'static str,
    /// The bindings that are read at the thread's own element only: in WGSL as `NAME_at(i, lane)` alone, in Rust as
    /// [`CpuBindings::part`](crate::CpuBindings::part) of the range. What another dispatch computes for them is handed over in a register.
    pub own: &'static [&'static str],
    /// The value of every lane past the live count, which `element` is never asked for.
    pub inert: Param,
}

/// A CPU function that does the whole dispatch.
pub type WholeFn = fn(&mut CpuBindings<'_>, &CpuParams<'_>, &CpuExec<'_>) -> Result<()>;
/// A CPU function that does the elements of a range.
pub type RangesFn = fn(Range<usize>, &mut CpuBindings<'_>, &CpuParams<'_>, &CpuExec<'_>) -> Result<()>;

/// The Rust form of a kernel.
#[derive(Clone, Copy)]
pub enum Cpu {
    /// Called once, with the whole of every binding. It calls [`CpuExec::checkpoint`] every
    /// [`SLICE`](crate::SLICE) elements.
    Whole(WholeFn),
    /// Called on disjoint ranges of at most [`SLICE`](crate::SLICE) elements, on several threads where the device has
    /// a pool: `read` gives whole sources, `write` the range's part. Everything it writes must have the domain's
    /// number of elements.
    Ranges(RangesFn),
}

impl std::fmt::Debug for Cpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Cpu::Whole(_) => "Whole",
            Cpu::Ranges(_) => "Ranges",
        })
    }
}

/// A short list in a constant.
#[derive(Clone, Copy, Debug)]
struct Fixed<T: Copy, const N: usize> {
    items: [Option<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> Fixed<T, N> {
    const fn new() -> Self {
        Self {
            items: [None; N],
            len: 0,
        }
    }

    const fn with(mut self, item: T) -> Self {
        assert!(self.len < N, "a kernel declares more of a kind than it may");
        self.items[self.len] = Some(item);
        self.len += 1;
        self
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().flatten()
    }
}

/// The declaration of a kernel. Built in a constant:
///
/// ```
/// use zero_compute::*;
///
/// pub static DOUBLE: Kernel = Kernel::declare("double")
///     .read("src", Element::F32)
///     .write("dst", Element::F32, Rule::same_as("src"))
///     .param("scale", Param::F32(2.0))
///     .determinism(Determinism::Exact)
///     .wgsl(
///         "@compute @workgroup_size(256)
///          fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
///              let i = zero_index(gid, nw);
///              if (i < zero_n()) { dst[i] = src[i] * params.scale; }
///          }",
///     )
///     .cpu(Cpu::Ranges(|range, b, p, _| {
///         let (src, dst, scale) = (b.read::<f32>("src")?, b.write::<f32>("dst")?, p.f32("scale")?);
///         for (d, s) in dst.iter_mut().zip(&src[range]) {
///             *d = s * scale;
///         }
///         Ok(())
///     }));
/// # assert_eq!(DOUBLE.bindings().count(), 2);
/// ```
///
/// The WGSL declares none of its bindings: each is a `NAME: array<f32|i32|u32>`, an append binding has
/// `NAME_count: array<atomic<u32>>` beside it, and `params` holds `zero_n`, `zero_zero` (a zero that the compiler
/// cannot see), `zero_groups` (workgroups of the first pass), the params, and `NAME_lanes` of every binding.
/// `zero_n()` is the domain, `zero_live()` its live part, `zero_index(gid, nw)` the element of an invocation and
/// `zero_group(wid, nw)` the number of a workgroup in a dispatch of two dimensions.
/// A kernel writes every element of what it writes: those past `zero_live()` get an inert value.
#[derive(Clone, Copy)]
pub struct Kernel {
    name: &'static str,
    bindings: Fixed<Binding, MAX_BINDINGS>,
    params: Fixed<(&'static str, Param), MAX_PARAMS>,
    specializations: Fixed<Specialization, MAX_SPECIALIZATIONS>,
    passes: Fixed<Pass, MAX_PASSES>,
    determinism: Determinism,
    wgsl: &'static str,
    wgsl_at: Option<&'static Location<'static>>,
    cpu: Option<Cpu>,
    per_element: Option<PerElement>,
}

impl Kernel {
    /// Starts a declaration. Names are WGSL identifiers.
    pub const fn declare(name: &'static str) -> Self {
        Self {
            name,
            bindings: Fixed::new(),
            params: Fixed::new(),
            specializations: Fixed::new(),
            passes: Fixed::new(),
            determinism: Determinism::Exact,
            wgsl: "",
            wgsl_at: None,
            cpu: None,
            per_element: None,
        }
    }

    const fn bind(self, name: &'static str, access: Access, element: Element, rule: Option<Rule>) -> Self {
        self.with_binding(Binding {
            name,
            access,
            element,
            rule,
            atomic: false,
            columns: None,
            lanes: None,
            fills: None,
        })
    }

    pub(crate) const fn with_binding(mut self, binding: Binding) -> Self {
        self.bindings = self.bindings.with(binding);
        self
    }

    /// A column that is read.
    pub const fn read(self, name: &'static str, element: Element) -> Self {
        self.bind(name, Access::Read, element, None)
    }

    /// A column that is read, with an element of its own for each of the domain: a shorter one is refused when the dispatch
    /// is recorded. What a kernel reads through an index, or to its end, is a [`read`](Self::read).
    pub const fn read_domain(self, name: &'static str, element: Element) -> Self {
        self.bind(name, Access::Read, element, Some(Rule::Domain))
    }

    /// Says how many lanes a column must have to be bound to the last binding declared, which is read or changed in place:
    /// of another number it is refused when the dispatch is recorded, as the kernel would read mixed-up words.
    pub const fn lanes(self, lanes: u32) -> Self {
        self.lanes_between(lanes, lanes)
    }

    /// As [`lanes`](Self::lanes), from `least` to `most`.
    pub const fn lanes_between(mut self, least: u32, most: u32) -> Self {
        assert!(self.bindings.len > 0, "lanes are those of the binding before");
        if let Some(binding) = &mut self.bindings.items[self.bindings.len - 1] {
            let takes_any = matches!(binding.access, Access::Read | Access::InOut) && binding.columns.is_none();
            assert!(
                takes_any,
                "the lanes of what is written are its rule's, and a table has none"
            );
            binding.lanes = Some(Lanes { least, most });
        }
        self
    }

    /// A column that is written whole. Left out of the arguments, it is allocated by the rule.
    pub const fn write(self, name: &'static str, element: Element, rule: Rule) -> Self {
        self.bind(name, Access::Write, element, Some(rule))
    }

    /// A column that is changed in place.
    pub const fn inout(self, name: &'static str, element: Element) -> Self {
        self.bind(name, Access::InOut, element, None)
    }

    /// A column of integers that is changed in place by atomic operations.
    pub const fn atomic(self, name: &'static str, element: Element) -> Self {
        assert!(!matches!(element, Element::F32), "WGSL has no atomic floats");
        self.with_binding(Binding {
            name,
            access: Access::InOut,
            element,
            rule: None,
            atomic: true,
            columns: None,
            lanes: None,
            fills: None,
        })
    }

    /// A table of columns in one storage buffer, which is read. [`Recorder::pack`](crate::Recorder::pack) makes one.
    ///
    /// The WGSL reads an element's lane by `NAME_f32(slot, i, lane)`, `NAME_i32` and `NAME_u32`, neighbouring lanes from
    /// the first on by `NAME_vec2(slot, i)`, `NAME_vec3` and `NAME_vec4`, and sizes by `NAME_elements(slot)`,
    /// `NAME_lanes(slot)` and `NAME_columns()`. `NAME_col_COLUMN` is the slot of every column that the declaration
    /// names. A number is read by its value whatever the column's words are: a float read as an integer is cut and stops
    /// at the ends of the range, and NaN is 0. An element past the end is the last one; a lane or a slot that is not
    /// there, and any element of an empty column, is 0. The CPU function has the same from
    /// [`CpuBindings::table`](crate::CpuBindings::table).
    pub const fn columns(self, name: &'static str, columns: Columns) -> Self {
        self.with_binding(Binding {
            name,
            access: Access::Read,
            element: Element::U32,
            rule: None,
            atomic: false,
            columns: Some(columns),
            lanes: None,
            fills: None,
        })
    }

    /// A column that is changed in place. Left out of the arguments it is one of zeros, with the shape that the rule
    /// says, every time the list runs.
    pub const fn inout_or_zeros(self, name: &'static str, element: Element, rule: Rule) -> Self {
        self.bind(name, Access::InOut, element, Some(rule))
    }

    /// A column that is appended to, from empty, with its live count. The rule states its capacity. Slots past the count are
    /// 0 after every run, whatever the run before appended.
    pub const fn append(self, name: &'static str, element: Element, rule: Rule) -> Self {
        self.bind(name, Access::Append, element, Some(rule))
    }

    /// Says that the kernel writes this number to every slot of the last binding declared, which is appended to, from its
    /// count up to the domain's elements. Without it every slot is set to 0 before each run.
    pub const fn fills(mut self, inert: Param) -> Self {
        assert!(self.bindings.len > 0, "what is filled is the binding before");
        if let Some(binding) = &mut self.bindings.items[self.bindings.len - 1] {
            assert!(
                matches!(binding.access, Access::Append),
                "only what is appended to is filled past its count"
            );
            binding.fills = Some(inert);
        }
        self
    }

    /// Workspace that only the WGSL uses. Its contents are unspecified when the first pass begins.
    pub const fn scratch(self, name: &'static str, element: Element, rule: Rule) -> Self {
        self.bind(name, Access::Scratch, element, Some(rule))
    }

    /// A number with its default.
    pub const fn param(mut self, name: &'static str, default: Param) -> Self {
        self.params = self.params.with((name, default));
        self
    }

    /// A choice that is compiled in; the first option is the default.
    pub const fn specialize(self, name: &'static str, options: &'static [&'static str]) -> Self {
        assert!(!options.is_empty(), "a specialization needs an option");
        self.with_choice(Specialization { name, options })
    }

    pub(crate) const fn with_choice(mut self, choice: Specialization) -> Self {
        self.specializations = self.specializations.with(choice);
        self
    }

    /// What may differ between devices.
    pub const fn determinism(mut self, determinism: Determinism) -> Self {
        self.determinism = determinism;
        self
    }

    /// The WGSL. Without passes it has one entry point `main` of one invocation an element, workgroups of 256.
    /// The line `// @use zero_noise` puts [`zero_noise::WGSL`] in front.
    #[track_caller]
    pub const fn wgsl(mut self, source: &'static str) -> Self {
        self.wgsl = source;
        self.wgsl_at = Some(Location::caller());
        self
    }

    /// One more entry point, run after those before it, with the bindings it touches. With any pass, `main` is not
    /// run.
    pub const fn pass(mut self, entry: &'static str, groups: Groups, uses: &'static [&'static str]) -> Self {
        self.passes = self.passes.with(Pass { entry, groups, uses });
        self
    }

    /// The Rust form.
    pub const fn cpu(mut self, cpu: Cpu) -> Self {
        self.cpu = Some(cpu);
        self
    }

    /// Says that every element is computed by itself, so that the kernel may run in one dispatch with others.
    pub const fn fusion(mut self, per_element: PerElement) -> Self {
        self.per_element = Some(per_element);
        self
    }

    /// The kernel's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The bindings in order.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter()
    }

    /// The params in order.
    pub fn params(&self) -> impl Iterator<Item = &(&'static str, Param)> {
        self.params.iter()
    }

    /// The specializations in order.
    pub fn specializations(&self) -> impl Iterator<Item = &Specialization> {
        self.specializations.iter()
    }

    /// The passes in order; none for a kernel of a single `main`.
    pub fn passes(&self) -> impl Iterator<Item = &Pass> {
        self.passes.iter()
    }

    /// What may differ between devices.
    pub const fn class(&self) -> Determinism {
        self.determinism
    }

    /// The author's WGSL; empty for a kernel that has none.
    pub const fn source(&self) -> &'static str {
        self.wgsl
    }

    /// Where in Rust the WGSL was given.
    pub const fn source_location(&self) -> Option<&'static Location<'static>> {
        self.wgsl_at
    }

    /// The Rust form, if there is one.
    pub const fn twin(&self) -> Option<Cpu> {
        self.cpu
    }

    /// How it computes an element by itself, where it does.
    pub const fn per_element(&self) -> Option<&PerElement> {
        self.per_element.as_ref()
    }

    /// What is wrong with the declaration of a per-element kernel.
    pub(crate) fn per_element_fault(&self) -> Option<String> {
        let per_element = self.per_element()?;
        let mut written = self.bindings().filter(|binding| binding.access != Access::Read);
        let output = written
            .next()
            .filter(|b| b.access == Access::Write && b.name == per_element.writes);
        let (Some(output), None) = (output, written.next()) else {
            return Some(format!(
                "a per-element kernel writes one binding and changes none, here `{}`",
                per_element.writes
            ));
        };
        if output.element != per_element.inert.element() {
            return Some(format!(
                "its inert value is {}, and `{}` holds {}",
                per_element.inert.element(),
                output.name,
                output.element
            ));
        }
        if self.passes().next().is_some() || matches!(self.cpu, Some(Cpu::Whole(_))) {
            return Some("a per-element kernel has no passes, and a CPU function over ranges".to_owned());
        }
        let is_column = |b: &Binding| b.access == Access::Read && b.columns.is_none();
        let is_read = |name: &&str| self.bindings().any(|b| b.name == *name && is_column(b));
        let unknown = per_element.own.iter().find(|name| !is_read(name))?;
        Some(format!(
            "`{unknown}` is read at its own element, and is no column that is read"
        ))
    }

    /// The WGSL that a GPU compiles for these options (one a specialization, in order) over a plain or a live
    /// domain: bindings, params and helpers in front of the author's lines.
    ///
    /// # Errors
    /// [`Error::BadKernel`](crate::Error::BadKernel) for a `// @when` that is not closed or names an unknown option.
    pub fn full_wgsl(&self, options: &[&str], live: bool) -> Result<String> {
        Ok(crate::shader::assemble(self, options, live)?.text)
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .field("bindings", &self.bindings().collect::<Vec<_>>())
            .field("params", &self.params().collect::<Vec<_>>())
            .field("specializations", &self.specializations().collect::<Vec<_>>())
            .field("passes", &self.passes().collect::<Vec<_>>())
            .field("determinism", &self.determinism)
            .field("cpu", &self.cpu)
            .field("per_element", &self.per_element)
            .finish_non_exhaustive()
    }
}
