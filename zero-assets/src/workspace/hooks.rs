//! [`Jobs`]: hooks that are to be called, an asset's in their order.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use zero_vfs::VfsPath;

use super::Workspace;
use super::behaviors::{Attached, context};
use crate::asset::Asset;
use crate::behavior::{AssetChange, DependencyChange, Step};
use crate::diagnostic::Diagnostic;

/// A call of a hook.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Register,
    Change(AssetChange),
    Dependency(DependencyChange),
    Delete,
}

impl Call {
    fn name(&self) -> &'static str {
        match self {
            Self::Register => "onRegister",
            Self::Change(_) => "onChange",
            Self::Dependency(_) => "onDependencyChange",
            Self::Delete => "onDelete",
        }
    }
}

/// A call, with the asset as it was when the call came up and the behaviour it is of.
pub(super) struct Job {
    pub(super) asset: Asset,
    pub(super) attached: Arc<Attached>,
    pub(super) call: Call,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.call.name(), self.asset.path)
    }
}

/// The calls that are to be made: a queue an asset, and the order in which the queues came up.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    queues: BTreeMap<VfsPath, VecDeque<Job>>,
    order: Vec<VfsPath>,
}

impl Jobs {
    pub(super) fn push(&mut self, job: Job) {
        let path = job.asset.path.clone();
        let queue = self.queues.entry(path.clone()).or_default();
        if queue.is_empty() {
            self.order.push(path);
        }
        queue.push_back(job);
    }

    /// Forgets what waits to be called of a behaviour.
    pub(super) fn drop_of(&mut self, attached: &Arc<Attached>) {
        let queues = &mut self.queues;
        queues
            .values_mut()
            .for_each(|queue| queue.retain(|job| !Arc::ptr_eq(&job.attached, attached)));
        queues.retain(|_, queue| !queue.is_empty());
        self.order.retain(|path| queues.contains_key(path));
    }

    /// Lets what waits to be called of one behaviour be called of another.
    pub(super) fn hand_over(&mut self, from: &Arc<Attached>, to: &Arc<Attached>) {
        let jobs = self.queues.values_mut().flatten();
        jobs.filter(|job| Arc::ptr_eq(&job.attached, from))
            .for_each(|job| job.attached = to.clone());
    }

    /// How many calls wait.
    pub(super) fn len(&self) -> usize {
        self.queues.values().map(VecDeque::len).sum()
    }
}

impl Workspace {
    /// Makes the calls that wait. A hook that waits keeps its place and all that came for its asset after it. Nothing is
    /// added to the queues meanwhile: what a hook writes comes with the next batch. Answers how many were done and what
    /// failed.
    pub(super) fn run_jobs(&mut self) -> (usize, Vec<Diagnostic>) {
        self.run_jobs_of(|_| true)
    }

    /// The same for the assets at the paths that are `wanted`; what waits for others goes on waiting.
    pub(super) fn run_jobs_of(&mut self, wanted: impl Fn(&VfsPath) -> bool) -> (usize, Vec<Diagnostic>) {
        let (mut done, mut told) = (0, Vec::new());
        let mut waiting = Jobs::default();
        let mut jobs = std::mem::take(&mut self.jobs);
        for path in std::mem::take(&mut jobs.order) {
            let mut queue = jobs.queues.remove(&path).unwrap_or_default();
            if !wanted(&path) {
                queue.into_iter().for_each(|job| waiting.push(job));
                continue;
            }
            while let Some(job) = queue.pop_front() {
                match self.make(&job) {
                    Ok(Step::Done) => done += 1,
                    Ok(Step::Wait) => {
                        queue.push_front(job);
                        break;
                    }
                    Err(error) => {
                        done += 1;
                        let message = format!("`{}` of the type `{}` failed: {error}", job.call.name(), job.asset.kind);
                        told.push(Diagnostic::error("behavior.hook_failed", &job.asset.path, message));
                    }
                }
            }
            queue.into_iter().for_each(|job| waiting.push(job));
        }
        self.jobs = waiting;
        (done, told)
    }

    fn make(&self, job: &Job) -> crate::HookResult<Step> {
        // The asset as it is now, unless it is gone.
        let now = self
            .assets
            .at(&job.asset.path)
            .filter(|_| !matches!(job.call, Call::Delete));
        let asset = now.unwrap_or(&job.asset);
        let given = context(&self.vfs, &self.assets, asset, &self.events, &job.attached.events);
        let behavior = &job.attached.behavior;
        match &job.call {
            Call::Register => behavior.on_register(&given).map(|()| Step::Done),
            Call::Change(change) => behavior.on_change(&given, change),
            Call::Dependency(change) => behavior.on_dependency_change(&given, change),
            Call::Delete => behavior.on_delete(&given),
        }
    }
}
