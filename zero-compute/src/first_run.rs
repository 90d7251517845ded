//! What the first run of a list makes, and what must be made before it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::error::Error;
use crate::kernel::Access;
use crate::list::{Held, Step};
use crate::pool::Buffer;

/// The buffers of a list that nothing had written when it was finished. Once it ran there is none, and a replay looks at
/// one flag.
#[derive(Debug)]
pub(crate) struct FirstRun {
    is_over: AtomicBool,
    makes: Vec<Weak<Buffer>>,
    /// What other lists are to write before this one runs.
    needs: Vec<Weak<Buffer>>,
}

impl FirstRun {
    /// What the steps make and need; `made` is what their recorder allocated.
    pub(crate) fn of(steps: &[Step], made: &HashMap<u64, Weak<Buffer>>) -> Self {
        let (mut makes, mut needs) = (Vec::new(), Vec::new());
        let (mut written, mut needed) = (HashSet::new(), HashSet::new());
        for step in steps.iter().filter(|step| step.n > 0) {
            let held = step.held.iter().filter(|held| held.elements > 0);
            // What the list itself allocated to change in place is not looked at: it may be written part by part.
            let reads = |held: &&Held| match held.access {
                Access::Read => true,
                Access::InOut => !made.contains_key(&held.buffer.id),
                Access::Write | Access::Append | Access::Scratch => false,
            };
            let read = held.clone().filter(reads).map(|held| &held.buffer).chain(&step.count);
            for buffer in read.filter(|buffer| !buffer.is_written()) {
                if !written.contains(&buffer.id) && needed.insert(buffer.id) {
                    needs.push(Arc::downgrade(buffer));
                }
            }
            let writes = |held: &&Held| !matches!(held.access, Access::Read | Access::Scratch);
            let write = held
                .filter(writes)
                .flat_map(|held| [Some(&held.buffer), held.count.as_ref()]);
            for buffer in write.flatten().filter(|buffer| !buffer.is_written()) {
                if written.insert(buffer.id) {
                    makes.push(Arc::downgrade(buffer));
                }
            }
        }
        Self {
            is_over: AtomicBool::new(false),
            makes,
            needs,
        }
    }

    /// Refuses a run that would read what nothing has written.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_over.load(Ordering::Acquire) {
            return Ok(());
        }
        let unwritten = |needed: &Weak<Buffer>| needed.upgrade().is_some_and(|buffer| !buffer.is_written());
        match self.needs.iter().any(unwritten) {
            true => Err(Error::Unwritten {
                what: "a column that the list reads",
            }),
            false => Ok(()),
        }
    }

    /// Notes that the list ran to its end.
    pub(crate) fn end(&self) {
        if self.is_over.swap(true, Ordering::AcqRel) {
            return;
        }
        for made in self.makes.iter().filter_map(Weak::upgrade) {
            made.mark_written();
        }
    }
}
