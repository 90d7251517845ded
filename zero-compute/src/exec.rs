//! How long work runs: who may stop it, who hears of it, which clock measures it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::{Error, Result};

/// A flag that stops long work from any thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token shared by everything that cannot be cancelled: [`cancel`](Self::cancel) does nothing to it. A caller that
    /// wants to stop work makes a token of its own.
    pub fn never() -> &'static CancelToken {
        static NEVER: std::sync::LazyLock<CancelToken> = std::sync::LazyLock::new(CancelToken::default);
        &NEVER
    }

    /// Whether it is the one that cannot be cancelled.
    pub(crate) fn is_never(&self) -> bool {
        Arc::ptr_eq(&self.0, &Self::never().0)
    }

    /// Asks for the work to stop. It stops at its next checkpoint.
    pub fn cancel(&self) {
        if !self.is_never() {
            self.0.store(true, Ordering::Release);
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Hears how far work has come.
pub trait Progress: Sync {
    /// `fraction` never falls during one piece of work and lies in 0..=1; `what` names what runs.
    fn report(&self, fraction: f32, what: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _fraction: f32, _what: &str) {}
}

/// Tells the time for budgets. Only differences are used.
pub trait Clock: Sync {
    /// Milliseconds since some fixed moment.
    fn now_ms(&self) -> f64;
}

/// The machine's monotonic clock, in a browser too.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> f64 {
        static START: std::sync::LazyLock<web_time::Instant> = std::sync::LazyLock::new(web_time::Instant::now);
        START.elapsed().as_secs_f64() * 1e3
    }
}

/// A clock that stands until it is told to move, so that budgets can be tested.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock at 0 ms.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Moves the clock forward. It counts whole microseconds.
    pub fn advance_ms(&self, ms: f64) {
        self.0.fetch_add((ms * 1e3).max(0.0) as u64, Ordering::AcqRel);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> f64 {
        self.0.load(Ordering::Acquire) as f64 * 1e-3
    }
}

/// How one call may run. `Exec::default()` has no budget, cannot be cancelled, reports to nobody and reads the
/// machine's clock; set what differs: `Exec { budget_ms: Some(5.0), ..Exec::default() }`.
#[derive(Clone, Copy)]
pub struct Exec<'a> {
    /// Milliseconds after which the call hands back at its next checkpoint; `None` runs to the end.
    pub budget_ms: Option<f64>,
    /// Stops the call from any thread.
    pub cancel: &'a CancelToken,
    /// Hears how far it is.
    pub progress: &'a dyn Progress,
    /// Measures the budget.
    pub clock: &'a dyn Clock,
}

impl Default for Exec<'_> {
    fn default() -> Self {
        Self {
            budget_ms: None,
            cancel: CancelToken::never(),
            progress: &NoProgress,
            clock: &SystemClock,
        }
    }
}

impl std::fmt::Debug for Exec<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exec")
            .field("budget_ms", &self.budget_ms)
            .field("cancelled", &self.cancel.is_cancelled())
            .finish_non_exhaustive()
    }
}

impl Exec<'_> {
    /// Refuses to go on once the token is set.
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
