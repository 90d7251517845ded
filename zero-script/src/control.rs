//! What holds for the run that is going on: its deadline and the modules that are loading.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mlua::VmState;
use zero_vfs::VfsPath;

use crate::stop::Stop;

/// Time that passes, from any start. A host that steps time itself, and a test, bring their own.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock that asks `now`, which must not go back.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    fn now(&self) -> Duration {
        (self.0)()
    }
}

/// The system's monotonic clock.
impl Default for Clock {
    fn default() -> Self {
        let start = Instant::now();
        Self::new(move || start.elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// Shared by a machine, its interrupt and its `require`.
pub(crate) struct Control {
    clock: Clock,
    run: Cell<Option<Run>>,
    loading: RefCell<Vec<VfsPath>>,
    pub(crate) memory_limit: usize,
}

#[derive(Clone, Copy)]
struct Run {
    deadline: Duration,
    limit: Duration,
    /// Once set, every interrupt of the run fails: a script that catches the error meets the next one.
    is_over: bool,
    interrupts: u32,
}

/// A look at the clock costs more than a round of a small loop; one in this many interrupts looks.
const INTERRUPTS_A_LOOK: u32 = 32;

impl Control {
    pub(crate) fn new(clock: Clock, memory_limit: usize) -> Rc<Self> {
        Rc::new(Self {
            clock,
            run: Cell::new(None),
            loading: RefCell::default(),
            memory_limit,
        })
    }

    /// Begins a run of at most `limit`. A run inside another ends no later than the outer one.
    pub(crate) fn begin(self: &Rc<Self>, limit: Duration) -> Running {
        let outer = self.run.get();
        let own = self.clock.now().saturating_add(limit);
        let deadline = outer.map_or(own, |outer| outer.deadline.min(own));
        self.run.set(Some(Run {
            deadline,
            limit,
            is_over: false,
            interrupts: 0,
        }));
        Running {
            control: Rc::clone(self),
            outer,
        }
    }

    /// Called by the machine at loops, calls and returns.
    pub(crate) fn interrupt(&self) -> mlua::Result<VmState> {
        let Some(mut run) = self.run.get() else {
            return Ok(VmState::Continue);
        };
        if !run.is_over {
            run.is_over = run.interrupts % INTERRUPTS_A_LOOK == 0 && self.clock.now() >= run.deadline;
            run.interrupts = run.interrupts.wrapping_add(1);
            self.run.set(Some(run));
        }
        match run.is_over {
            true => Err(Stop::Deadline.into_lua()),
            false => Ok(VmState::Continue),
        }
    }

    /// How long the run may take.
    pub(crate) fn limit(&self) -> Duration {
        self.run.get().map_or(Duration::ZERO, |run| run.limit)
    }

    /// Fails if `file` is being loaded already.
    pub(crate) fn check_cycle(&self, file: &VfsPath) -> Result<(), Stop> {
        let loading = self.loading.borrow();
        match loading.iter().position(|other| other == file) {
            None => Ok(()),
            Some(start) => {
                let chain = loading[start..].iter().chain([file]).cloned().collect();
                Err(Stop::Cycle { chain })
            }
        }
    }

    /// Marks `file` as being loaded until the guard drops.
    pub(crate) fn loading(self: &Rc<Self>, file: VfsPath) -> Loading {
        self.loading.borrow_mut().push(file);
        Loading(Rc::clone(self))
    }
}

/// A run that is going on.
pub(crate) struct Running {
    control: Rc<Control>,
    outer: Option<Run>,
}

impl Running {
    /// Whether the deadline was met, also if the script caught the error and ended by itself.
    pub(crate) fn is_over(&self) -> bool {
        self.control.run.get().is_some_and(|run| run.is_over)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.control.run.set(self.outer);
    }
}

/// A module that is being loaded.
pub(crate) struct Loading(Rc<Control>);

impl Drop for Loading {
    fn drop(&mut self) {
        self.0.loading.borrow_mut().pop();
    }
}
