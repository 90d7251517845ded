//! Recording: arguments are checked against the declaration, outputs allocated by their rules.

mod check;
mod copies;
mod dispatch;
mod fuse;
mod given;
mod shape;
mod whole;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use crate::args::{Args, Domain};
use crate::build::meet;
use crate::column::{Column, Element};
use crate::device::{Backend, Device};
use crate::error::{Error, Result};
use crate::first_run::FirstRun;
use crate::guard::Guards;
use crate::kernel::{Access, Binding, HEAD_WORDS, Kernel, Rule};
use crate::kernel_ref::KernelRef;
use crate::list::{Code, CommandList, Held, ListInner, Slot, Step};
use crate::moves;
use crate::pool::Buffer;
use crate::queue::lock;
use crate::sent::Sent;
use crate::stats::Counters;

use check::{check_aliases, check_declaration, check_ranges};
pub use dispatch::Dispatch;
use fuse::Fuse;
use given::Given;
use shape::{Shape, check_domain, check_lanes, check_shape, shape_of};

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
    /// Every column that was allocated here, so that fusion knows which are the list's own.
    made: Mutex<HashMap<u64, Weak<Buffer>>>,
    pub(crate) fuse: Option<Fuse>,
    pub(crate) guards: Option<Guards>,
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
            made: Mutex::default(),
            fuse: None,
            guards: None,
        }
    }

    /// Records a dispatch of `kernel` over `domain`. Outputs that `args` leaves out are allocated by their rule; one
    /// over the domain, or shaped like a live column, carries the live count on. One over no elements is skipped when
    /// it runs, and what was allocated for it that has elements all the same (a total) is 0.
    ///
    /// # Errors
    /// Names the kernel and the argument: unknown, missing or given twice, of the wrong element, shape or kind,
    /// aliased, of another device, or too large for the device.
    pub fn dispatch(&mut self, kernel: impl Into<KernelRef>, args: Args, domain: Domain) -> Result<Dispatch> {
        let kernel = kernel.into();
        self.all_or_nothing(|rec| rec.dispatch_ref(&kernel, args, domain))
    }

    fn dispatch_ref(&mut self, kernel: &KernelRef, args: Args, domain: Domain) -> Result<Dispatch> {
        let declared = kernel.declared(&args, matches!(domain, Domain::Live { .. }))?;
        check_declaration(&declared)?;
        let args = declared.complete(args, &domain, &self.device)?;
        let kernel: &Kernel = &declared;
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
        self.check_passes(&declared, count.is_some())?;
        for ((binding, column), kept) in kernel.bindings().zip(&columns).zip(&given.kept) {
            if binding.access == Access::Append
                && !kept
                && let Some(counter) = column.live_count()
            {
                self.empty(binding, column, &counter, n)?;
            }
        }
        let head = head(kernel, n);
        let lanes = columns.iter().map(Column::lanes);
        let slots = given.slots();
        let params: Vec<u32> = head
            .into_iter()
            .chain(given.params.iter().copied())
            .chain(lanes)
            .chain(slots)
            .collect();
        let held = kernel.bindings().zip(&columns).map(|(b, c)| held(b, c)).collect();
        let code = Code::Kernel {
            options: declared.settled().unwrap_or(given.options),
            kernel: declared.clone(),
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
        let slots = slots.collect();
        if n == 0 {
            // It never runs, and what is not sized by the domain has elements all the same.
            let left_out = given.columns.iter().map(Option::is_none);
            let made = kernel.bindings().zip(&columns).zip(left_out);
            for ((binding, column), is_made) in made {
                if is_made && binding.access == Access::Write && !column.is_empty() {
                    self.fill(column, 0)?;
                }
            }
        }
        let written = kernel
            .bindings()
            .zip(columns)
            .filter(|(b, _)| b.is_written() && b.access != Access::Scratch);
        Ok(Dispatch {
            kernel: kernel.name().to_owned(),
            slots,
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

    /// Dispatches recorded so far, clears of counters among them.
    pub fn dispatches(&self) -> usize {
        self.steps.len()
    }

    /// Compiles the list: programs that the device has not met are built, several of them side by side on threads that
    /// end before this returns, and everything that a submission needs is made. It waits for all of that;
    /// [`finish_async`](Self::finish_async) does not.
    ///
    /// # Errors
    /// [`Error::BadShader`] with the author's line, [`Error::BadKernel`], [`Error::OutOfMemory`].
    pub fn finish(self) -> Result<CommandList> {
        let _span = tracing::debug_span!("compile list", label = %self.label, dispatches = self.steps.len()).entered();
        let align = self.param_align();
        let Recorder {
            device,
            id,
            label,
            mut steps,
            mut params,
            made,
            fuse,
            guards,
            ..
        } = self;
        let fused = fuse.map(|mut fuse| {
            guards.iter().for_each(|guards| fuse.keep(guards.buffer()));
            let applied = fuse.apply(&lock(&made), std::mem::take(&mut steps), &params, align);
            (steps, params) = (applied.steps, applied.params);
            (applied.moves, applied.counts)
        });
        #[cfg(feature = "gpu")]
        let gpu = match &device.inner.backend {
            Backend::Cpu(_) => None,
            Backend::Gpu(gpu) => Some(gpu.compile(&device.inner, &label, &steps, &params)?),
        };
        if matches!(device.inner.backend, Backend::Cpu(_)) {
            for step in &steps {
                meet(&device.inner, &step.code, step.count.is_some())?;
            }
        }
        let first_run = FirstRun::of(&steps, &lock(&made));
        Counters::add(&device.inner.counters.lists, 1);
        let params = Arc::new(params);
        let inner = ListInner {
            id,
            label,
            steps,
            sent: Sent::new(params.clone()),
            fused,
            first_run,
            params: Mutex::new(params),
            #[cfg(feature = "gpu")]
            gpu,
        };
        Ok(CommandList::new(device, inner, guards))
    }

    /// Empties what is appended to from the start, each time the list runs: its counter, and its slots, of which a run that
    /// appends less leaves some as they are.
    fn empty(&mut self, binding: &Binding, column: &Column, counter: &Column, n: u32) -> Result<()> {
        let fills_all = binding.fills.is_some() && column.capacity() <= n;
        if fills_all || column.is_empty() {
            self.dispatch(&moves::FILL, Args::new().with("dst", counter), Domain::count(1))?;
            return Ok(());
        }
        let items = moves::bits_of(column);
        let inert = binding.fills.map_or(0, |inert| inert.bits());
        let args = Args::new()
            .with("items", &items)
            .with("counter", counter)
            .with("inert", inert);
        self.dispatch(&moves::EMPTY, args, Domain::count(column.capacity()))?;
        Ok(())
    }

    /// One column a binding, in order: what was given, or what the rule says.
    fn bind(&mut self, kernel: &Kernel, given: &Given<'_>, n: u32, count: Option<&Arc<Buffer>>) -> Result<Vec<Column>> {
        let mut columns: Vec<Column> = Vec::new();
        let mut spare = self.scratch.clone();
        for (index, binding) in kernel.bindings().enumerate() {
            let shape = |rule| shape_of(kernel, given, &columns, rule, n, count);
            let column = match (given.columns.get(index).copied().flatten(), binding.rule) {
                (Some(column), rule) => {
                    self.check_column(kernel.name(), binding.name, binding.element, column)?;
                    check_lanes(kernel, binding, column)?;
                    if binding.access == Access::Read {
                        check_domain(kernel, binding, column, n)?;
                    } else if let Some(rule) = rule {
                        check_shape(kernel, binding, column, &shape(rule)?)?;
                    }
                    column.clone()
                }
                (None, rule) if rule.is_none() || binding.access == Access::Read => {
                    return Err(Error::MissingBinding {
                        kernel: kernel.name().to_owned(),
                        binding: binding.name.to_owned(),
                    });
                }
                (None, rule) => {
                    let shape = shape(rule.unwrap_or(Rule::Domain))?;
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
                let column = self.zeros(binding.element, lanes, elements, kernel.name(), binding.name)?;
                let counter = self.output(Element::U32, 1, 1, kernel.name(), binding.name)?;
                column.with_live(&counter)
            }
            _ => {
                let column = self.output(binding.element, lanes, elements, kernel.name(), binding.name)?;
                if binding.access == Access::InOut {
                    self.fill(&column, 0)?;
                }
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
        self.output_of(element, lanes, elements, false, kernel, name)
    }

    /// An output of which a kernel may leave elements as they are: these are 0, not what the pool left in the buffer.
    pub(crate) fn zeros(
        &self,
        element: Element,
        lanes: u32,
        elements: u32,
        kernel: &str,
        name: &str,
    ) -> Result<Column> {
        self.output_of(element, lanes, elements, true, kernel, name)
    }

    fn output_of(
        &self,
        element: Element,
        lanes: u32,
        elements: u32,
        zeroed: bool,
        kernel: &str,
        name: &str,
    ) -> Result<Column> {
        let what = || format!("kernel `{kernel}`, binding `{name}` of {elements} elements of {lanes} lanes");
        let buffer = self.device.buffer_of(lanes, elements, zeroed, &what)?;
        buffer.mark_unwritten();
        lock(&self.made).insert(buffer.id, Arc::downgrade(&buffer));
        Ok(Column::new(self.device.clone(), buffer, element, lanes, elements))
    }
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

/// What a dispatch with these arguments runs.
pub(crate) fn code(kernel: &KernelRef, args: &Args, live: bool) -> Result<Code> {
    let declared = kernel.declared(args, live)?;
    check_declaration(&declared)?;
    let given = Given::resolve(&declared, args)?;
    Ok(Code::Kernel {
        options: declared.settled().unwrap_or(given.options),
        kernel: declared,
    })
}
