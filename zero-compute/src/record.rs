//! Recording: arguments are checked against the declaration, outputs allocated by their rules.

use std::sync::{Arc, Mutex};

use crate::args::{Arg, Args, Domain};
use crate::column::{Column, Element};
use crate::device::{Backend, Device};
use crate::error::{Error, Result};
use crate::kernel::{Access, Binding, Cpu, HEAD_WORDS, Kernel, Rule};
use crate::list::{Code, CommandList, Held, ListInner, ProgramSlot, Slot, Step};
use crate::moves;
use crate::pool::Buffer;
use crate::queue::lock;
use crate::stats::Counters;

/// The most elements of one dispatch: the last workgroup of a dispatch in two dimensions must not wrap around.
pub(crate) const MAX_ELEMENTS: u32 = u32::MAX - (1 << 20);

/// Takes dispatches and makes a [`CommandList`] of them. They run in order, each after all that it reads is written.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) device: Device,
    id: u64,
    label: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) params: Vec<u32>,
    /// Workspace that the dispatches of this list share: one runs after the other.
    scratch: Vec<Arc<Buffer>>,
}

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

    /// Where a param may be set anew with [`CommandList::set`].
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

impl Recorder {
    pub(crate) fn new(device: Device, label: &str) -> Self {
        let id = device.inner.next_id();
        Self {
            device,
            id,
            label: label.to_owned(),
            steps: Vec::new(),
            params: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Records a dispatch of `kernel` over `domain`. Outputs that `args` leaves out are allocated by their rule; one
    /// over the domain, or shaped like a live column, carries the live count on. One over no elements is skipped when
    /// it runs.
    ///
    /// # Errors
    /// Names the kernel and the argument: unknown, missing or given twice, of the wrong element, shape or kind,
    /// aliased, of another device, or too large for the device.
    pub fn dispatch(&mut self, kernel: &'static Kernel, args: Args, domain: Domain) -> Result<Dispatch> {
        let given = Given::resolve(kernel, &args)?;
        let n = domain.elements();
        if n > MAX_ELEMENTS {
            let what = format!("kernel `{}`: elements of its domain", kernel.name());
            return Err(Error::TooMany {
                what,
                found: u64::from(n),
                limit: u64::from(MAX_ELEMENTS),
            });
        }
        let count = match &domain {
            Domain::Count(_) => None,
            Domain::Live { count, .. } => {
                self.check_column(kernel.name(), "domain_count", Element::U32, count)?;
                Some(count.buffer().clone())
            }
        };
        let columns = self.bind(kernel, &given, n, count.as_ref())?;
        check_aliases(kernel, &columns, count.as_ref())?;
        check_ranges(kernel, &columns, n)?;
        self.check_passes(kernel, count.is_some())?;
        for (binding, column) in kernel.bindings().zip(&columns) {
            if binding.access == Access::Append
                && let Some(counter) = column.live_count()
            {
                self.dispatch(&moves::FILL, Args::new().with("dst", &counter), Domain::count(1))?;
            }
        }
        let head = head(kernel, n);
        let lanes = columns.iter().map(Column::lanes);
        let params: Vec<u32> = head.into_iter().chain(given.params).chain(lanes).collect();
        let held = kernel.bindings().zip(&columns).map(|(b, c)| held(b, c)).collect();
        let code = Code::Kernel {
            kernel,
            options: given.options,
        };
        let at = self.push(code, held, n, count, &params);
        let slots = kernel.params().enumerate().map(|(index, (name, param))| {
            let slot = Slot {
                list: self.id,
                at: at + HEAD_WORDS + index,
                element: param.element(),
            };
            ((*name).to_owned(), slot)
        });
        let written = kernel
            .bindings()
            .zip(columns)
            .filter(|(b, _)| b.is_written() && b.access != Access::Scratch);
        Ok(Dispatch {
            kernel: kernel.name().to_owned(),
            slots: slots.collect(),
            outputs: written.map(|(b, column)| (b.name, column)).collect(),
            numbers: Vec::new(),
        })
    }

    /// Adds a step and its params; answers where these begin.
    pub(crate) fn push(
        &mut self,
        code: Code,
        held: Vec<Held>,
        n: u32,
        count: Option<Arc<Buffer>>,
        params: &[u32],
    ) -> usize {
        let at = self.params.len().next_multiple_of(self.param_align());
        self.params.resize(at, 0);
        self.params.extend_from_slice(params);
        self.steps.push(Step {
            code,
            held,
            n,
            count,
            at,
            words: params.len(),
        });
        at
    }

    pub(crate) fn slot(&self, at: usize, element: Element) -> Slot {
        Slot {
            list: self.id,
            at,
            element,
        }
    }

    pub(crate) fn is_gpu(&self) -> bool {
        !matches!(self.device.inner.backend, Backend::Cpu(_))
    }

    fn param_align(&self) -> usize {
        match &self.device.inner.backend {
            Backend::Cpu(_) => 1,
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => gpu.param_align_words(),
        }
    }

    /// A column of its own with the same words, copied when the list runs; the live count is copied too.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] and [`Error::TooLarge`].
    pub fn copy(&mut self, column: &Column) -> Result<Column> {
        let to = self.output(column.element(), column.lanes(), column.capacity(), "copy", "dst")?;
        let to = match column.live_count() {
            None => to,
            Some(_) => to.with_live(&self.output(Element::U32, 1, 1, "copy", "dst_count")?),
        };
        self.copy_into(column, &to)?;
        Ok(to)
    }

    /// Copies the words of one column into another of the same length, and with a live column its count. A live
    /// destination of a column that is not live becomes live in full.
    ///
    /// # Errors
    /// [`Error::WrongShape`] where the lengths differ, [`Error::Aliased`] for a column into itself.
    pub fn copy_into(&mut self, from: &Column, to: &Column) -> Result<()> {
        if from.words() != to.words() || from.lanes() != to.lanes() {
            return Err(Error::WrongShape {
                kernel: "copy".to_owned(),
                binding: "dst".to_owned(),
                expected: shape_text(from.capacity(), from.lanes()),
                found: shape_text(to.capacity(), to.lanes()),
            });
        }
        let (src, dst) = (moves::words_of(from)?, moves::words_of(to)?);
        let args = Args::new().with("src", &src).with("dst", &dst);
        self.dispatch(&moves::COPY, args, Domain::of(&src))?;
        match (from.live_count(), to.live_count()) {
            (Some(src), Some(dst)) => {
                let args = Args::new().with("src", &src).with("dst", &dst);
                self.dispatch(&moves::COPY, args, Domain::count(1))?;
            }
            (None, Some(dst)) => self.fill(&dst, from.capacity())?,
            (_, None) => {}
        }
        Ok(())
    }

    /// Sets every word of a column's capacity to these bits.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a column of another device.
    pub fn fill(&mut self, column: &Column, bits: u32) -> Result<()> {
        let dst = moves::words_of(column)?;
        let args = Args::new().with("dst", &dst).with("bits", bits);
        self.dispatch(&moves::FILL, args, Domain::of(&dst))?;
        Ok(())
    }

    /// Compiles the list: programs that the device has not met are built, and everything that a submission needs is
    /// made here.
    ///
    /// # Errors
    /// [`Error::BadShader`] with the author's line, [`Error::BadKernel`], [`Error::OutOfMemory`].
    pub fn finish(self) -> Result<CommandList> {
        let _span = tracing::debug_span!("compile list", label = %self.label, dispatches = self.steps.len()).entered();
        let Recorder {
            device,
            id,
            label,
            steps,
            params,
            ..
        } = self;
        #[cfg(feature = "gpu")]
        let gpu = match &device.inner.backend {
            Backend::Cpu(_) => None,
            Backend::Gpu(gpu) => Some(gpu.compile(&device.inner, &label, &steps, &params)?),
        };
        if matches!(device.inner.backend, Backend::Cpu(_)) {
            meet_programs(&device, &steps);
        }
        Counters::add(&device.inner.counters.lists, 1);
        let params = Arc::new(params);
        let inner = ListInner {
            id,
            label,
            steps,
            sent: Mutex::new(params.clone()),
            params: Mutex::new(params),
            #[cfg(feature = "gpu")]
            gpu,
        };
        Ok(CommandList::new(device, inner))
    }

    /// One column a binding, in order: what was given, or what the rule says.
    fn bind(
        &mut self,
        kernel: &'static Kernel,
        given: &Given<'_>,
        n: u32,
        count: Option<&Arc<Buffer>>,
    ) -> Result<Vec<Column>> {
        let mut columns: Vec<Column> = Vec::new();
        let mut spare = self.scratch.clone();
        for (index, binding) in kernel.bindings().enumerate() {
            let shape = |rule| self.shape(kernel, given, &columns, rule, n, count);
            let column = match (given.columns.get(index).copied().flatten(), binding.rule) {
                (Some(column), rule) => {
                    self.check_column(kernel.name(), binding.name, binding.element, column)?;
                    if let Some(rule) = rule {
                        check_shape(kernel, binding, column, &shape(rule)?)?;
                    }
                    column.clone()
                }
                (None, None) => {
                    return Err(Error::MissingBinding {
                        kernel: kernel.name().to_owned(),
                        binding: binding.name.to_owned(),
                    });
                }
                (None, Some(rule)) => {
                    let shape = shape(rule)?;
                    self.allocate(kernel, binding, shape, &mut spare)?
                }
            };
            columns.push(column);
        }
        Ok(columns)
    }

    fn allocate(
        &mut self,
        kernel: &Kernel,
        binding: &Binding,
        shape: Shape,
        spare: &mut Vec<Arc<Buffer>>,
    ) -> Result<Column> {
        let (elements, lanes) = (shape.elements, shape.lanes);
        match binding.access {
            Access::Scratch => self.workspace(kernel, binding, elements, lanes, spare),
            Access::Append => {
                let column = self.output(binding.element, lanes, elements, kernel.name(), binding.name)?;
                let counter = self.output(Element::U32, 1, 1, kernel.name(), binding.name)?;
                Ok(column.with_live(&counter))
            }
            _ => {
                let column = self.output(binding.element, lanes, elements, kernel.name(), binding.name)?;
                Ok(match shape.count {
                    Some(count) => column.with_count(count),
                    None => column,
                })
            }
        }
    }

    /// The smallest spare workspace that is large enough, or a new one.
    fn workspace(
        &mut self,
        kernel: &Kernel,
        binding: &Binding,
        elements: u32,
        lanes: u32,
        spare: &mut Vec<Arc<Buffer>>,
    ) -> Result<Column> {
        let bytes = u64::from(elements) * u64::from(lanes) * 4;
        let fits = spare
            .iter()
            .enumerate()
            .filter(|(_, b)| b.class >= bytes)
            .min_by_key(|(_, b)| b.class);
        let buffer = match fits.map(|(at, _)| at) {
            Some(at) => spare.swap_remove(at),
            None if matches!(self.device.inner.backend, Backend::Cpu(_)) => {
                // The CPU function never sees it.
                self.device.inner.acquire(1, false, &|| binding.name.to_owned())?
            }
            None => {
                let what = || format!("kernel `{}`, workspace `{}`", kernel.name(), binding.name);
                let buffer = self.device.buffer_of(lanes, elements, false, &what)?;
                self.scratch.push(buffer.clone());
                buffer
            }
        };
        Ok(Column::new(
            self.device.clone(),
            buffer,
            binding.element,
            lanes,
            elements,
        ))
    }

    pub(crate) fn output(
        &self,
        element: Element,
        lanes: u32,
        elements: u32,
        kernel: &str,
        name: &str,
    ) -> Result<Column> {
        let what = || format!("kernel `{kernel}`, binding `{name}` of {elements} elements of {lanes} lanes");
        let buffer = self.device.buffer_of(lanes, elements, false, &what)?;
        Ok(Column::new(self.device.clone(), buffer, element, lanes, elements))
    }

    pub(crate) fn check_column(&self, kernel: &str, binding: &str, element: Element, column: &Column) -> Result<()> {
        if !column.device().is_same(&self.device) {
            let what = format!("kernel `{kernel}`: the column for `{binding}`");
            return Err(Error::Foreign { what, owner: "device" });
        }
        if column.element() != element {
            return Err(Error::WrongElement {
                kernel: kernel.to_owned(),
                binding: binding.to_owned(),
                expected: element,
                found: column.element(),
            });
        }
        Ok(())
    }

    fn shape(
        &self,
        kernel: &Kernel,
        given: &Given<'_>,
        made: &[Column],
        rule: Rule,
        n: u32,
        count: Option<&Arc<Buffer>>,
    ) -> Result<Shape> {
        let named = |name: &str| {
            let at = kernel.bindings().position(|b| b.name == name);
            let column = at.and_then(|at| made.get(at).or(given.columns.get(at).copied().flatten()));
            column.ok_or_else(|| Error::BadKernel {
                kernel: kernel.name().to_owned(),
                message: format!("a rule names `{name}`, which is not given or declared before it"),
            })
        };
        let over_domain = |lanes| Shape {
            elements: n,
            lanes,
            count: count.cloned(),
        };
        let plain = |elements| Shape {
            elements,
            lanes: 1,
            count: None,
        };
        Ok(match rule {
            Rule::Domain => over_domain(1),
            Rule::Lanes(lanes) => over_domain(lanes),
            Rule::LanesOf(name) => over_domain(named(name)?.lanes()),
            Rule::Same(name) => {
                let column = named(name)?;
                let (elements, lanes) = (column.capacity(), column.lanes());
                Shape {
                    elements,
                    lanes,
                    count: column.count_buffer().cloned(),
                }
            }
            Rule::One => plain(1),
            Rule::OneOf(name) => Shape {
                lanes: named(name)?.lanes(),
                ..plain(1)
            },
            Rule::CeilDiv(k) => plain(n.div_ceil(k.max(1))),
            Rule::DivScaled { per, times } => {
                let elements = u64::from(n.div_ceil(per.max(1))) * u64::from(times);
                plain(u32::try_from(elements).map_err(|_| Error::TooMany {
                    what: format!("kernel `{}`: elements of an output", kernel.name()),
                    found: elements,
                    limit: u64::from(u32::MAX),
                })?)
            }
        })
    }

    fn check_passes(&self, kernel: &'static Kernel, live: bool) -> Result<()> {
        let bad = |message: String| {
            Err(Error::BadKernel {
                kernel: kernel.name().to_owned(),
                message,
            })
        };
        match &self.device.inner.backend {
            Backend::Cpu(_) => {
                // Only a GPU counts the buffer of a live domain.
                let _ = live;
                if kernel.twin().is_none() {
                    return bad("it has no CPU function and runs on a GPU only".to_owned());
                }
                Ok(())
            }
            #[cfg(feature = "gpu")]
            Backend::Gpu(_) => {
                if kernel.source().is_empty() {
                    return bad("it has no WGSL and runs on the CPU only".to_owned());
                }
                let limit = self.device.limits().max_storage_buffers;
                for (entry, buffers) in crate::gpu::storage_buffers(kernel, live)? {
                    if buffers > limit {
                        return Err(Error::TooMany {
                            what: format!("kernel `{}`, pass `{entry}`: storage buffers", kernel.name()),
                            found: u64::from(buffers),
                            limit: u64::from(limit),
                        });
                    }
                }
                Ok(())
            }
        }
    }
}

/// Elements and lanes, and the count that goes with them.
struct Shape {
    elements: u32,
    lanes: u32,
    count: Option<Arc<Buffer>>,
}

/// `zero_n`, `zero_zero`, `zero_groups`.
fn head(kernel: &Kernel, n: u32) -> [u32; HEAD_WORDS] {
    let groups = kernel
        .passes()
        .next()
        .map_or(n.div_ceil(crate::kernel::WORKGROUP), |pass| pass.groups.count(n));
    [n, 0, groups]
}

fn held(binding: &Binding, column: &Column) -> Held {
    Held {
        name: binding.name,
        access: binding.access,
        element: binding.element,
        lanes: column.lanes(),
        elements: column.capacity(),
        buffer: column.buffer().clone(),
        count: column
            .count_buffer()
            .filter(|_| binding.access == Access::Append)
            .cloned(),
    }
}

fn shape_text(elements: u32, lanes: u32) -> String {
    format!("{elements} elements of {lanes} lanes")
}

fn check_shape(kernel: &Kernel, binding: &Binding, column: &Column, shape: &Shape) -> Result<()> {
    let wrong = |expected: String| {
        Err(Error::WrongShape {
            kernel: kernel.name().to_owned(),
            binding: binding.name.to_owned(),
            expected,
            found: shape_text(column.capacity(), column.lanes()),
        })
    };
    if binding.access == Access::Append {
        if column.live_count().is_none() {
            return wrong("a live column, such as Device::live_column makes".to_owned());
        }
        if column.lanes() != shape.lanes {
            return wrong(format!("elements of {} lanes", shape.lanes));
        }
    } else if (column.capacity(), column.lanes()) != (shape.elements, shape.lanes) {
        return wrong(shape_text(shape.elements, shape.lanes));
    }
    Ok(())
}

/// What is written may be bound once only, as WebGPU has it.
fn check_aliases(kernel: &Kernel, columns: &[Column], count: Option<&Arc<Buffer>>) -> Result<()> {
    let mut all: Vec<(u64, &str, bool)> = Vec::new();
    for (binding, column) in kernel.bindings().zip(columns) {
        all.push((column.id(), binding.name, binding.is_written()));
        if binding.access == Access::Append
            && let Some(counter) = column.live_count()
        {
            all.push((counter.id(), binding.name, true));
        }
    }
    all.extend(count.map(|count| (count.id, "domain_count", false)));
    for (at, a) in all.iter().enumerate() {
        if let Some(b) = all.iter().skip(at + 1).find(|b| a.0 == b.0 && (a.2 || b.2)) {
            let (writer, other) = if a.2 { (a.1, b.1) } else { (b.1, a.1) };
            return Err(Error::Aliased {
                kernel: kernel.name().to_owned(),
                a: writer.to_owned(),
                b: other.to_owned(),
            });
        }
    }
    Ok(())
}

/// A function over ranges can only write what divides by elements of the domain.
fn check_ranges(kernel: &Kernel, columns: &[Column], n: u32) -> Result<()> {
    if !matches!(kernel.twin(), Some(Cpu::Ranges(_))) {
        return Ok(());
    }
    for (binding, column) in kernel.bindings().zip(columns) {
        match binding.access {
            Access::Read | Access::Scratch => {}
            Access::Append => {
                let message = "a function over ranges cannot append; use Cpu::Whole".to_owned();
                return Err(Error::BadKernel {
                    kernel: kernel.name().to_owned(),
                    message,
                });
            }
            Access::Write | Access::InOut if column.capacity() == n => {}
            Access::Write | Access::InOut => {
                return Err(Error::WrongShape {
                    kernel: kernel.name().to_owned(),
                    binding: binding.name.to_owned(),
                    expected: format!("{n} elements, as the domain has"),
                    found: shape_text(column.capacity(), column.lanes()),
                });
            }
        }
    }
    Ok(())
}

/// The arguments sorted out against the declaration.
struct Given<'a> {
    columns: Vec<Option<&'a Column>>,
    params: Vec<u32>,
    options: Vec<&'static str>,
}

impl<'a> Given<'a> {
    fn resolve(kernel: &'static Kernel, args: &'a Args) -> Result<Self> {
        let mut given = Self {
            columns: vec![None; kernel.bindings().count()],
            params: kernel.params().map(|(_, param)| param.bits()).collect(),
            options: kernel
                .specializations()
                .filter_map(|s| s.options.first().copied())
                .collect(),
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

    fn take(&mut self, kernel: &'static Kernel, name: &str, arg: &'a Arg) -> Result<()> {
        let wrong = |expected: &str, found: String| Error::WrongArg {
            kernel: kernel.name().to_owned(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            found,
        };
        if let Some(at) = kernel
            .bindings()
            .position(|b| b.name == name && b.access != Access::Scratch)
        {
            match arg {
                Arg::Column(column) => self.columns[at] = Some(column),
                other => return Err(wrong("a column", arg_text(other))),
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
            let chosen = options
                .iter()
                .find(|option| *option == found)
                .ok_or_else(|| Error::UnknownOption {
                    kernel: kernel.name().to_owned(),
                    name: name.to_owned(),
                    found: found.clone(),
                    known: options.join(", "),
                })?;
            self.options[at] = chosen;
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
        Arg::Column(column) => format!("a column of {}", column.element()),
        Arg::Number(number) => format!("the number {number}"),
        Arg::Option(option) => format!("the option `{option}`"),
    }
}

/// Counts the kernel variants that a CPU device meets for the first time, so that the counts of both backends agree.
fn meet_programs(device: &Device, steps: &[Step]) {
    let mut programs = lock(&device.inner.programs);
    for step in steps {
        if programs
            .insert(step.code.key(step.count.is_some()), ProgramSlot::Cpu)
            .is_none()
        {
            Counters::add(&device.inner.counters.programs, 1);
        }
    }
}
