//! A command list: dispatches compiled once, submitted as often as wanted.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use crate::args::Number;
use crate::column::Element;
use crate::cpu::Place;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::field;
use crate::first_run::FirstRun;
use crate::fusion::{Fused, FusionCounts, MemberKey, Moves};
use crate::guard::Guards;
use crate::kernel::Access;
use crate::kernel_ref::Declared;
use crate::pool::Buffer;
use crate::queue::{Job, State, lock};
use crate::sent::Sent;
use crate::submission::Submission;

/// What a dispatch runs.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Kernel {
        kernel: Declared,
        options: Vec<Cow<'static, str>>,
    },
    Map(Arc<field::Program>),
    Fused(Arc<Fused>),
    Walk(Arc<field::Walk>),
}

impl Code {
    pub(crate) fn name(&self) -> &str {
        match self {
            Code::Kernel { kernel, .. } => kernel.name(),
            Code::Map(_) => "map",
            Code::Fused(_) => "fused",
            Code::Walk(_) => "walk",
        }
    }

    /// What tells one program of a device from another. A static kernel's address is a name.
    pub(crate) fn key(&self, live: bool) -> ProgramKey {
        match self {
            Code::Kernel { kernel, options } => match kernel {
                Declared::Static(kernel) => ProgramKey::Kernel {
                    at: std::ptr::from_ref(*kernel) as usize,
                    options: options.clone(),
                    live,
                },
                #[cfg(feature = "author")]
                Declared::Author(variant) => ProgramKey::Author(variant.clone()),
            },
            Code::Map(program) => ProgramKey::Map {
                key: program.key(),
                live,
            },
            Code::Fused(fused) => fused.key(live),
            // A walk's key tells it from every field's.
            Code::Walk(walk) => ProgramKey::Map { key: walk.key(), live },
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProgramKey {
    Kernel {
        at: usize,
        options: Vec<Cow<'static, str>>,
        live: bool,
    },
    /// The text alone, which holds the options and the form of the domain.
    #[cfg(feature = "author")]
    Author(Arc<crate::author::Variant>),
    Map {
        key: u128,
        live: bool,
    },
    Fused {
        members: Vec<MemberKey>,
        live: bool,
    },
}

impl ProgramKey {
    /// Notes that the kernel of an equal key can ask for the program too.
    pub(crate) fn share_with(&self, other: &ProgramKey) {
        match (self, other) {
            #[cfg(feature = "author")]
            (ProgramKey::Author(ours), ProgramKey::Author(theirs)) => ours.share_with(theirs),
            (ProgramKey::Fused { members: ours, .. }, ProgramKey::Fused { members: theirs, .. }) => {
                for (ours, theirs) in ours.iter().zip(theirs) {
                    ours.code.share_with(&theirs.code);
                }
            }
            _ => {}
        }
    }

    /// Whether it is of something made at run time, of which there is no end.
    pub(crate) fn is_of_run_time(&self) -> bool {
        !matches!(self, ProgramKey::Kernel { .. })
    }

    /// Whether anything can still ask for the program: a file that was read again leaves none that does.
    pub(crate) fn is_wanted(&self) -> bool {
        match self {
            #[cfg(feature = "author")]
            ProgramKey::Author(variant) => variant.is_owned(),
            ProgramKey::Fused { members, .. } => members.iter().all(|member| member.code.is_wanted()),
            ProgramKey::Kernel { .. } | ProgramKey::Map { .. } => true,
        }
    }
}

/// A program that a device has built.
#[derive(Clone, Debug)]
pub(crate) enum ProgramSlot {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu(Arc<crate::gpu::Program>),
}

impl ProgramSlot {
    /// Whether anything but the device's own record holds the program.
    pub(crate) fn is_in_use(&self) -> bool {
        match self {
            ProgramSlot::Cpu => false,
            #[cfg(feature = "gpu")]
            ProgramSlot::Gpu(program) => Arc::strong_count(program) > 1,
        }
    }
}

/// A column as a dispatch holds it: without the device, so that a queued list does not keep its device alive.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) name: &'static str,
    pub(crate) access: Access,
    pub(crate) element: Element,
    pub(crate) lanes: u32,
    pub(crate) elements: u32,
    pub(crate) buffer: Arc<Buffer>,
    /// The counter of an append binding.
    pub(crate) count: Option<Arc<Buffer>>,
}

impl Held {
    pub(crate) fn words(&self) -> u64 {
        u64::from(self.elements) * u64::from(self.lanes)
    }
}

/// One dispatch of a list.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) code: Code,
    pub(crate) held: Vec<Held>,
    pub(crate) n: u32,
    /// The live count of the domain.
    pub(crate) count: Option<Arc<Buffer>>,
    /// Where its params begin in the arena, and how many words they are.
    pub(crate) at: usize,
    pub(crate) words: usize,
}

#[derive(Debug)]
pub(crate) struct ListInner {
    pub(crate) id: u64,
    pub(crate) label: String,
    pub(crate) steps: Vec<Step>,
    /// The params as the next submission will see them.
    pub(crate) params: Mutex<Arc<Vec<u32>>>,
    /// The params as the last submission that ran saw them.
    pub(crate) sent: Sent,
    /// Where fusion put the params, and what it made.
    pub(crate) fused: Option<(Moves, FusionCounts)>,
    pub(crate) first_run: FirstRun,
    #[cfg(feature = "gpu")]
    pub(crate) gpu: Option<crate::gpu::GpuList>,
}

impl ListInner {
    pub(crate) fn label(&self) -> &str {
        &self.label
    }
}

/// A number of a recorded dispatch that may be set anew before a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub(crate) list: u64,
    pub(crate) at: usize,
    pub(crate) element: Element,
}

/// Dispatches compiled once: programs built, bindings made, params in one arena. Submitting it makes nothing, and
/// writes the params at most once. A clone is another handle on the same list.
#[derive(Clone, Debug)]
pub struct CommandList {
    device: Device,
    inner: Arc<ListInner>,
    guards: Option<Arc<Guards>>,
}

impl CommandList {
    pub(crate) fn new(device: Device, inner: ListInner, guards: Option<Guards>) -> Self {
        Self {
            device,
            inner: Arc::new(inner),
            guards: guards.map(Arc::new),
        }
    }

    /// The label it was recorded under.
    pub fn label(&self) -> &str {
        &self.inner.label
    }

    /// Dispatches in it, clears of counters among them.
    pub fn dispatches(&self) -> usize {
        self.inner.steps.len()
    }

    pub(crate) fn guard_words(&self) -> Option<&Guards> {
        self.guards.as_deref()
    }

    /// What [`Recorder::fuse`](crate::Recorder::fuse) made of it; `None` where it was not asked.
    pub fn fusion(&self) -> Option<FusionCounts> {
        self.inner.fused.as_ref().map(|(_, counts)| *counts)
    }

    /// Sets a number for the submissions from now on; those made already keep theirs. One of a dispatch that fusion
    /// dropped changes nothing.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a slot of another list, [`Error::Invalid`] for a number that does not fit.
    pub fn set(&self, slot: Slot, value: impl Into<Number>) -> Result<()> {
        let value = value.into();
        let bits = value.bits(slot.element).ok_or_else(|| Error::Invalid {
            what: format!("a number of list `{}`", self.inner.label),
            expected: slot.element.to_string(),
            found: value.to_string(),
        })?;
        self.set_bits(slot, bits)
    }

    /// Sets a number by its bits, whatever the slot reads them as.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a slot of another list.
    pub fn set_bits(&self, slot: Slot, bits: u32) -> Result<()> {
        if slot.list != self.inner.id {
            return Err(Error::Foreign {
                what: "a slot".to_owned(),
                owner: "list",
            });
        }
        let at = match &self.inner.fused {
            None => slot.at,
            Some((moves, _)) => match moves.get(slot.at) {
                Some(at) => at,
                // Of a dispatch that was dropped: no kept column depends on it.
                None => return Ok(()),
            },
        };
        let mut params = lock(&self.inner.params);
        if params.get(at).is_some_and(|old| *old != bits)
            && let Some(old) = Arc::make_mut(&mut params).get_mut(at)
        {
            *old = bits;
        }
        Ok(())
    }

    /// Queues the list behind everything submitted so far. [`Device::poll`], [`Device::drive`] or a read-back that is
    /// waited for runs it.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] on a GPU that is gone.
    pub fn submit(&self) -> Result<Submission> {
        #[cfg(feature = "gpu")]
        if let crate::device::Backend::Gpu(gpu) = &self.device.inner.backend {
            gpu.check()?;
        }
        let state = Arc::new(State::default());
        let job = Job::List {
            list: self.inner.clone(),
            params: lock(&self.inner.params).clone(),
            place: Place::default(),
            state: state.clone(),
        };
        self.device.inner.push(job);
        Ok(Submission {
            state,
            device: self.device.clone(),
        })
    }
}
