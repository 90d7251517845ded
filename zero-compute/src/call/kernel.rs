//! `device.kernel`: a kernel called with named values.

use std::sync::Arc;

use super::bind::{Binder, domain_of};
use super::family::Callee;
use super::record::Record;
use super::value::{Live, Value};
use crate::args::{Args, Domain};
use crate::column::Column;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::field::Walk;
use crate::kernel::{Access, Determinism, Kernel};
use crate::kernel_ref::{Declared, KernelRef};
use crate::list::Slot;
use crate::map::check_len;
use crate::record::{Dispatch, Recorder};
use crate::table::{PackedTable, listed};

/// The specialization that the domain picks.
const COUNT: &str = "COUNT";

/// A call of a kernel: what each name is bound to, and the elements it runs over. See the [module](super).
#[derive(Clone, Debug)]
#[must_use = "a call does nothing before it is recorded or run"]
pub struct Call {
    callee: Callee,
    domain: Value,
    bind: Record,
    columns: Option<Record>,
    options: Vec<(String, String)>,
    walk: Option<Walking>,
}

/// What a walk runs over, in the order of its leaves and numbers.
#[derive(Clone, Debug)]
struct Walking {
    walk: Arc<Walk>,
    leaves: Vec<Column>,
    numbers: Vec<u32>,
}

impl Call {
    /// A call over `domain`: a number of elements, a column (its elements; the live ones of a live column), a
    /// [`Live`] count, or a record of a one-word column `count` and a number `capacity`.
    pub fn new(kernel: impl Into<KernelRef>, domain: impl Into<Value>) -> Self {
        Self::of(Callee::Kernel(kernel.into()), domain)
    }

    pub(super) fn of(callee: Callee, domain: impl Into<Value>) -> Self {
        Self {
            callee,
            domain: domain.into(),
            bind: Record::new(),
            columns: None,
            options: Vec::new(),
            walk: None,
        }
    }

    /// Binds a value to a name.
    pub fn bind(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.bind.push(name, value);
        self
    }

    /// Binds every value of a record to its name.
    pub fn bind_all(mut self, values: Record) -> Self {
        for (name, value) in values {
            self.bind.push(name, value);
        }
        self
    }

    /// The columns of a geometry or of an earlier call: every read binding that is bound to nothing takes the one of its
    /// name, and a table that is bound to nothing takes them all. What is no column is passed over.
    pub fn columns(mut self, columns: impl Into<Record>) -> Self {
        self.columns = Some(columns.into());
        self
    }

    /// Chooses an option of a specialization. `COUNT` is chosen by the domain.
    pub fn specialize(mut self, name: impl Into<String>, option: impl Into<String>) -> Self {
        self.options.push((name.into(), option.into()));
        self
    }

    /// Hands a kernel of files a step to walk by: its specializations `WALK_STEP`, `WALK_STEP_HI`, `WALK_DONE` and
    /// `WALK_PRELUDE` take the texts of [`Walk::chain`], its table `cols` the columns, and its `u` (`u32`) the bits of the
    /// numbers. `leaves` and `numbers` are those of [`Walk::leaves`] and [`Walk::numbers`], as [`Recorder::walk`] takes
    /// them.
    ///
    /// It runs on a GPU only, for a Rust function knows of no text. [`Recorder::walk`] is the same walk without a kernel of
    /// one's own, on both backends; where both do the same steps they give the same bits.
    pub fn walk(mut self, walk: &Arc<Walk>, leaves: &[Column], numbers: &[u32]) -> Self {
        for (name, text) in walk.chain().specialize() {
            self.options.push((name.to_owned(), text.to_owned()));
        }
        self.walk = Some(Walking {
            walk: walk.clone(),
            leaves: leaves.to_vec(),
            numbers: numbers.to_vec(),
        });
        self
    }

    /// Records the call: the casts, copies, packing and field programs that its values need, and the dispatch.
    ///
    /// # Errors
    /// Names the kernel and the value: [`Error::UnknownBinding`] with the names that there are,
    /// [`Error::DuplicateArg`], [`Error::WrongArg`] for a value of another type and for a number that does not fit or
    /// is not finite, [`Error::MissingBinding`], [`Error::UnknownOption`], and those of [`Recorder::dispatch`].
    ///
    /// A call that is refused leaves the recorder as it was.
    pub fn record(self, rec: &mut Recorder) -> Result<Called> {
        rec.all_or_nothing(|rec| self.record_steps(rec))
    }

    fn record_steps(self, rec: &mut Recorder) -> Result<Called> {
        let name = self.callee.name();
        let domain = domain_of(name, &self.domain)?;
        for record in [Some(&self.bind), self.columns.as_ref()].into_iter().flatten() {
            if let Some(binding) = record.twice() {
                return Err(Error::DuplicateArg {
                    kernel: name.to_owned(),
                    binding: binding.to_owned(),
                });
            }
        }
        match &self.callee {
            Callee::Kernel(kernel) => self.record_kernel(rec, kernel, domain),
            Callee::Expand => self.record_expand(rec, domain),
            Callee::HashGather(grid) => self.record_hash_gather(rec, grid, domain),
        }
    }

    fn record_kernel(&self, rec: &mut Recorder, given: &KernelRef, domain: Domain) -> Result<Called> {
        let mut asked = Args::new();
        for (name, option) in &self.options {
            asked = asked.with(name.clone(), option.as_str());
        }
        let declared = given.declared(&asked, matches!(domain, Domain::Live { .. }))?;
        let kernel: &Kernel = &declared;
        let specialization = self.choose(&declared, &domain)?;
        let mut binder = Binder {
            rec: &mut *rec,
            kernel,
            domain: domain.clone(),
            args: Args::new(),
        };
        self.bind_values(&mut binder)?;
        binder.bind_count()?;
        let mut args = binder.args;
        for (name, option) in &specialization {
            args = args.with(name.clone(), option.as_str());
        }
        let info = Info {
            kernel: kernel.name().to_owned(),
            variant: variant(kernel, &specialization, &domain),
            elements: domain.elements(),
            determinism: kernel.class(),
            specialization,
        };
        let dispatch = rec.dispatch(given.clone(), args, domain)?;
        let mut columns = Record::new();
        for binding in kernel
            .bindings()
            .filter(|b| b.is_written() && b.access != Access::Scratch)
        {
            let column = dispatch.column(binding.name)?;
            let live = Live::of(&column).filter(|_| binding.access == Access::Append);
            columns.push(binding.name, column);
            if let Some(live) = live {
                columns.push(format!("{}_count", binding.name), live);
            }
        }
        Ok(Called::new(columns, info, dispatch))
    }

    /// Binds what the call gives by name, then the columns of its domain, then what it walks over.
    pub(super) fn bind_values(&self, binder: &mut Binder<'_>) -> Result<()> {
        for (name, value) in self.bind.iter() {
            binder.bind(name, value)?;
        }
        if let Some(columns) = &self.columns {
            binder.bind_unnamed(columns, &self.bind)?;
        }
        if let Some(walking) = &self.walk {
            let (cols, u) = walking.inputs(binder.rec)?;
            binder.bind("cols", &Value::Table(cols))?;
            binder.bind("u", &Value::Column(u))?;
        }
        Ok(())
    }

    /// The first specialization that an option is chosen of.
    pub(super) fn first_option(&self) -> Option<&str> {
        self.options.first().map(|(name, _)| name.as_str())
    }

    /// Records the call in a list of its own, builds what is new and submits it. A read-back asked for afterwards sees
    /// what it wrote.
    ///
    /// # Errors
    /// Those of [`record`](Self::record), [`Recorder::finish`] and
    /// [`CommandList::submit`](crate::CommandList::submit).
    pub fn run(self, device: &Device) -> Result<Called> {
        let mut rec = device.record(self.callee.name());
        let called = self.record(&mut rec)?;
        rec.finish()?.submit()?;
        Ok(called)
    }

    /// One option of every specialization: the one chosen, the one that the domain asks for, or the first.
    fn choose(&self, declared: &Declared, domain: &Domain) -> Result<Vec<(String, String)>> {
        let kernel: &Kernel = declared;
        let names = || kernel.specializations().map(|s| s.name);
        for (at, (name, _)) in self.options.iter().enumerate() {
            if !names().any(|known| known == name) {
                return Err(Error::UnknownBinding {
                    kernel: kernel.name().to_owned(),
                    binding: name.clone(),
                    known: format!("the specializations {}", listed(names())),
                });
            }
            if self.options.iter().take(at).any(|(other, _)| other == name) {
                return Err(Error::DuplicateArg {
                    kernel: kernel.name().to_owned(),
                    binding: name.clone(),
                });
            }
        }
        if let Some(settled) = declared.settled() {
            return Ok(names()
                .map(str::to_owned)
                .zip(settled.into_iter().map(String::from))
                .collect());
        }
        let mut chosen = Vec::new();
        for specialization in kernel.specializations() {
            let (name, options) = (specialization.name, specialization.options);
            let asked = self
                .options
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, o)| o.as_str());
            let by_domain = match domain {
                _ if name != COUNT => None,
                Domain::Count(_) => options.iter().find(|option| **option == "plain"),
                Domain::Live { .. } => options.iter().find(|option| **option == "device"),
            };
            let option = match (asked, by_domain) {
                (Some(asked), Some(fixed)) if asked != *fixed => {
                    return Err(super::bind::wrong(
                        kernel,
                        name,
                        &format!("`{fixed}`, which the domain picks"),
                        format!("`{asked}`"),
                    ));
                }
                (_, Some(fixed)) => fixed,
                // The dispatch knows which options there are.
                (Some(asked), None) => asked,
                (None, None) => options.first().copied().unwrap_or_default(),
            };
            chosen.push((name.to_owned(), option.to_owned()));
        }
        Ok(chosen)
    }
}

impl Walking {
    /// The columns as a table whose slots are the walk's leaves, and the bits of the numbers.
    fn inputs(&self, rec: &mut Recorder) -> Result<(PackedTable, Column)> {
        check_len("leaves of a walk", self.leaves.len(), self.walk.leaves().len())?;
        check_len("numbers of a walk", self.numbers.len(), self.walk.numbers().len())?;
        let names: Vec<String> = (0..self.leaves.len()).map(|slot| format!("leaf {slot}")).collect();
        for ((leaf, column), name) in self.walk.leaves().iter().zip(&self.leaves).zip(&names) {
            rec.check_column("walk", name, leaf.element, column)?;
        }
        let columns: Vec<(&str, &Column)> = names.iter().map(String::as_str).zip(&self.leaves).collect();
        Ok((rec.pack(&columns)?, rec.device.upload(&self.numbers, 1)?))
    }
}

/// The variant of a kernel that runs: its name, its options, and whether the domain is counted on the device.
fn variant(kernel: &Kernel, specialization: &[(String, String)], domain: &Domain) -> String {
    let mut parts: Vec<String> = specialization
        .iter()
        .map(|(name, option)| format!("{name}={option}"))
        .collect();
    if matches!(domain, Domain::Live { .. }) {
        parts.push("live".to_owned());
    }
    match parts.is_empty() {
        true => kernel.name().to_owned(),
        false => format!("{}[{}]", kernel.name(), parts.join(",")),
    }
}

/// What a call ran.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The kernel.
    pub kernel: String,
    /// The kernel with its options, as `abi_live[COUNT=device,live]`: equal for calls that run one program.
    pub variant: String,
    /// Elements of the domain; the capacity of a live one.
    pub elements: u32,
    /// What may differ between devices, as the kernel declares.
    pub determinism: Determinism,
    /// Every specialization and its option.
    pub specialization: Vec<(String, String)>,
}

/// What a call answers.
#[derive(Clone, Debug)]
pub struct Called {
    /// A column of every binding that the kernel writes, under its name: allocated by the kernel's rule, or a copy of
    /// the column that was bound. An appended one is live, and its count is a [`Live`] under `NAME_count`.
    pub columns: Record,
    /// What ran.
    pub info: Info,
    dispatch: Dispatch,
}

impl Called {
    pub(super) fn new(columns: Record, info: Info, dispatch: Dispatch) -> Self {
        Self {
            columns,
            info,
            dispatch,
        }
    }

    /// A column that the kernel wrote.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name that it did not write, with those that it did.
    pub fn column(&self, name: &str) -> Result<Column> {
        self.columns.column(name)
    }

    /// A count that the kernel made: `NAME_count` of an appended output.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn live(&self, name: &str) -> Result<Live> {
        self.columns.live(name)
    }

    /// Where a param may be set anew with [`CommandList::set`](crate::CommandList::set). A family of several dispatches
    /// ([`Call::expand`], [`Call::hash_gather`]) has none.
    ///
    /// # Errors
    /// [`Error::UnknownBinding`] for a name that is no param.
    pub fn slot(&self, name: &str) -> Result<Slot> {
        self.dispatch.slot(name)
    }
}
