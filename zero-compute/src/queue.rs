//! The queue of a device: what was submitted, in order, and the loop that runs it.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::cpu::Place;
use crate::device::{Backend, Drive, Inner, KEPT_FAILURES};
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::list::ListInner;
use crate::readback::ReadJob;
use crate::spoil::Spoiled;
use crate::stats::Counters;

/// A lock that a panic of another thread does not spoil: what it guards is whole between statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far a submission is.
#[derive(Debug, Default)]
pub(crate) struct State {
    stage: AtomicU8,
    error: Mutex<Option<Error>>,
    /// Who awaits the end.
    wakers: Mutex<Vec<Waker>>,
}

const QUEUED: u8 = 0;
const DONE: u8 = 1;
const ABANDONED: u8 = 2;
const FAILED: u8 = 3;

impl State {
    fn advance(&self, to: u8) {
        let is_end = self
            .stage
            .compare_exchange(QUEUED, to, Ordering::AcqRel, Ordering::Acquire)
            .is_ok();
        if is_end {
            let wakers = std::mem::take(&mut *lock(&self.wakers));
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    /// How it ended, once it has.
    pub(crate) fn end(&self) -> Option<Result<()>> {
        match self.stage.load(Ordering::Acquire) {
            QUEUED => None,
            DONE => Some(Ok(())),
            ABANDONED => Some(Err(Error::Abandoned)),
            // The error stands before the stage says so.
            _ => self.error().map(Err),
        }
    }

    /// Wakes that task at the end. Look for the end again after it: it may have come in between.
    pub(crate) fn wake_at_end(&self, waker: &Waker) {
        let mut wakers = lock(&self.wakers);
        if !wakers.iter().any(|known| known.will_wake(waker)) {
            wakers.push(waker.clone());
        }
    }

    pub(crate) fn finish(&self) {
        self.advance(DONE);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stage.load(Ordering::Acquire) == DONE
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.stage.load(Ordering::Acquire) == ABANDONED
    }

    pub(crate) fn abandon(&self) {
        self.advance(ABANDONED);
    }

    pub(crate) fn error(&self) -> Option<Error> {
        lock(&self.error).clone()
    }

    pub(crate) fn fail(&self, error: &Error) {
        *lock(&self.error) = Some(error.clone());
        self.advance(FAILED);
    }
}

#[derive(Debug)]
pub(crate) enum Job {
    List {
        list: Arc<ListInner>,
        params: Arc<Vec<u32>>,
        place: Place,
        state: Arc<State>,
    },
    Read(ReadJob),
}

/// What the thread that drives holds: the job under way.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    current: Option<Job>,
}

/// Cancel, budget and progress of one drive.
pub(crate) struct Control<'a> {
    exec: &'a Exec<'a>,
    start_ms: f64,
    is_first: bool,
    total: f32,
    done: f32,
}

impl<'a> Control<'a> {
    fn new(exec: &'a Exec<'a>, jobs: usize) -> Self {
        let start_ms = if exec.budget_ms.is_some() {
            exec.clock.now_ms()
        } else {
            0.0
        };
        Self {
            exec,
            start_ms,
            is_first: true,
            total: jobs.max(1) as f32,
            done: 0.0,
        }
    }

    pub(crate) fn exec(&self) -> &'a Exec<'a> {
        self.exec
    }

    /// Whether one more slice may run.
    pub(crate) fn may_go_on(&mut self) -> Result<bool> {
        self.exec.checkpoint()?;
        if std::mem::take(&mut self.is_first) {
            return Ok(true);
        }
        Ok(self
            .exec
            .budget_ms
            .is_none_or(|budget| self.exec.clock.now_ms() - self.start_ms < budget))
    }

    /// Reports that `fraction` of the job under way is done.
    pub(crate) fn report(&self, fraction: f32, what: &str) {
        self.exec
            .progress
            .report(((self.done + fraction) / self.total).clamp(0.0, 1.0), what);
    }

    fn finish_job(&mut self) {
        self.done = (self.done + 1.0).min(self.total);
    }
}

impl Inner {
    pub(crate) fn push(&self, job: Job) {
        self.pending.fetch_add(1, Ordering::AcqRel);
        lock(&self.queue).push_back(job);
    }

    /// Runs what is queued until it is empty, the budget is over, or something refuses.
    pub(crate) fn drive(&self, exec: &Exec<'_>) -> Result<Drive> {
        self.run_queue(&mut Control::new(exec, self.pending.load(Ordering::Acquire)))
    }

    /// Keeps a failure for a drive to come. A device that is lost says so at every drive, so that is kept once.
    pub(crate) fn keep_failure(&self, error: Error) {
        let mut failed = lock(&self.failed);
        let is_loss = |error: &Error| matches!(error, Error::DeviceLost { .. });
        let is_known = is_loss(&error) && failed.iter().any(is_loss);
        if failed.len() < KEPT_FAILURES && !is_known {
            failed.push_back(error);
        }
    }

    /// As [`drive`](Self::drive), but goes on past work that failed; such failures are kept for the drives that come.
    pub(crate) fn advance(&self, exec: &Exec<'_>) -> Result<Drive> {
        let mut control = Control::new(exec, self.pending.load(Ordering::Acquire));
        loop {
            // A failure takes its job off the queue, so this ends.
            match self.run_queue(&mut control) {
                Err(error @ (Error::Cancelled | Error::DeviceLost { .. })) => return Err(error),
                Err(error) => self.keep_failure(error),
                end => return end,
            }
        }
    }

    fn run_queue(&self, control: &mut Control<'_>) -> Result<Drive> {
        let mut runner = lock(&self.runner);
        let end = loop {
            if runner.current.is_none() {
                runner.current = lock(&self.queue).pop_front();
            }
            let Some(job) = &mut runner.current else {
                break Ok(Drive::Idle);
            };
            match self.run(job, control) {
                Ok(true) => {}
                Ok(false) => break Ok(Drive::Budget),
                Err(Error::Cancelled) => break Err(Error::Cancelled),
                Err(error) => {
                    let error = self.explain(error);
                    job.fail(&error, &self.spoiled);
                    self.retire(&mut runner);
                    control.finish_job();
                    break Err(error);
                }
            }
            self.retire(&mut runner);
            control.finish_job();
        };
        drop(runner);
        #[cfg(feature = "gpu")]
        if let Backend::Gpu(gpu) = &self.backend {
            gpu.take_in()?;
        }
        end
    }

    /// The loss of the device where that is why something failed, else the error as it is.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match &self.backend {
            Backend::Cpu(_) => self.with_live(error),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => self.with_live(gpu.explain(error)),
        }
    }

    fn retire(&self, runner: &mut Runner) {
        runner.current = None;
        self.pending.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether the job ran to its end.
    fn run(&self, job: &mut Job, control: &mut Control<'_>) -> Result<bool> {
        match job {
            Job::List {
                list,
                params,
                place,
                state,
            } => {
                if state.is_abandoned() {
                    return Ok(true);
                }
                if place.is_start()
                    && let Some(error) = self.spoiled.read_by(list)
                {
                    // Who queued the list that failed is told by it, and a drive has told of it or will.
                    self.spoiled.fail(list, &error);
                    state.fail(&error);
                    return Ok(true);
                }
                if place.is_start() {
                    list.first_run.check()?;
                }
                match &self.backend {
                    Backend::Cpu(options) => {
                        if !crate::cpu::run_list(self, list, params, place, state, options, control)? {
                            return Ok(false);
                        }
                        state.finish();
                    }
                    #[cfg(feature = "gpu")]
                    Backend::Gpu(gpu) => {
                        if !gpu.run_list(self, list, params, place, state, control)? {
                            return Ok(false);
                        }
                    }
                }
                if !state.is_abandoned() {
                    self.spoiled.mend(list);
                    list.first_run.end();
                    Counters::add(&self.counters.submissions, 1);
                }
                control.report(1.0, list.label());
            }
            Job::Read(read) => {
                control.exec().checkpoint()?;
                match read.spoiled(&self.spoiled).or_else(|| read.unwritten()) {
                    Some(error) => read.fail(error),
                    None => read.run(self)?,
                }
            }
        }
        Ok(true)
    }
}

impl Job {
    fn fail(&self, error: &Error, spoiled: &Spoiled) {
        match self {
            Job::List { list, state, .. } => {
                spoiled.fail(list, error);
                state.fail(error);
            }
            Job::Read(read) => read.fail(error.clone()),
        }
    }
}
