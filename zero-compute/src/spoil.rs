//! Buffers that a list which failed would have written: whoever reads one gets the error of that list.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::kernel::Access;
use crate::list::{ListInner, Step};
use crate::queue::lock;

/// The spoiled buffers of a device, by their ids, each with the error that spoiled it.
#[derive(Debug, Default)]
pub(crate) struct Spoiled {
    /// Whether there is any, so that lists of a device on which nothing failed pay nothing for it.
    any: AtomicBool,
    buffers: Mutex<HashMap<u64, Spoil>>,
}

#[derive(Debug)]
struct Spoil {
    error: Error,
    /// The list that failed.
    list: u64,
}

/// Buffers that a step reads, each with whether it is changed in place.
fn read_by(step: &Step) -> impl Iterator<Item = (u64, bool)> {
    let held = step.held.iter();
    let read = held.filter(|held| matches!(held.access, Access::Read | Access::InOut));
    read.map(|held| (held.buffer.id, held.access == Access::InOut))
        .chain(step.count.as_ref().map(|count| (count.id, false)))
}

/// Buffers that a step writes.
fn written_by(step: &Step) -> impl Iterator<Item = u64> {
    let held = step.held.iter();
    let written = held.filter(|held| matches!(held.access, Access::Write | Access::InOut | Access::Append));
    written.flat_map(|held| {
        let count = held.count.as_ref().map(|count| count.id);
        [Some(held.buffer.id), count].into_iter().flatten()
    })
}

impl Spoiled {
    pub(crate) fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Acquire)
    }

    /// The error that spoiled a buffer.
    pub(crate) fn of(&self, buffer: u64) -> Option<Error> {
        if self.is_empty() {
            return None;
        }
        lock(&self.buffers).get(&buffer).map(|spoil| spoil.error.clone())
    }

    /// The error of the first spoiled buffer that the list reads and has not written before. What it changes in place may
    /// be what it spoiled itself: its caller has been told, and asks for it again.
    pub(crate) fn read_by(&self, list: &ListInner) -> Option<Error> {
        if self.is_empty() {
            return None;
        }
        let buffers = lock(&self.buffers);
        let mut written: Vec<u64> = Vec::new();
        for step in list.steps.iter().filter(|step| step.n > 0) {
            let spoiled = read_by(step).find_map(|(id, in_place)| {
                let spoil = buffers.get(&id).filter(|_| !written.contains(&id))?;
                (!in_place || spoil.list != list.id).then(|| spoil.error.clone())
            });
            if spoiled.is_some() {
                return spoiled;
            }
            written.extend(written_by(step).filter(|id| buffers.contains_key(id)));
        }
        None
    }

    /// Notes that the list failed.
    pub(crate) fn fail(&self, list: &ListInner, error: &Error) {
        let mut buffers = lock(&self.buffers);
        for id in list.steps.iter().filter(|step| step.n > 0).flat_map(written_by) {
            let (error, list) = (error.clone(), list.id);
            buffers.insert(id, Spoil { error, list });
        }
        self.any.store(!buffers.is_empty(), Ordering::Release);
    }

    /// Notes that the list ran: what it wrote is whole again.
    pub(crate) fn mend(&self, list: &ListInner) {
        if self.is_empty() {
            return;
        }
        let mut buffers = lock(&self.buffers);
        for id in list.steps.iter().filter(|step| step.n > 0).flat_map(written_by) {
            buffers.remove(&id);
        }
        self.any.store(!buffers.is_empty(), Ordering::Release);
    }

    /// Notes that a buffer is gone.
    pub(crate) fn forget(&self, buffer: u64) {
        if self.is_empty() {
            return;
        }
        let mut buffers = lock(&self.buffers);
        buffers.remove(&buffer);
        self.any.store(!buffers.is_empty(), Ordering::Release);
    }
}
