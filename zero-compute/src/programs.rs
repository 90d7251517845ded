//! The programs that a device has built, and those that a thread is building.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::list::{ProgramKey, ProgramSlot};
use crate::queue::lock;

#[derive(Debug, Default)]
pub(crate) struct Programs(Mutex<HashMap<ProgramKey, Slot>>);

#[derive(Clone, Debug)]
enum Slot {
    Built(ProgramSlot),
    Building(Arc<Latch>),
}

/// Where others wait for the thread that builds.
#[derive(Debug, Default)]
struct Latch {
    outcome: Mutex<Option<Result<ProgramSlot>>>,
    told: Condvar,
}

impl Latch {
    fn wait(&self) -> Result<ProgramSlot> {
        let mut outcome = lock(&self.outcome);
        loop {
            match &*outcome {
                Some(outcome) => return outcome.clone(),
                None => outcome = self.told.wait(outcome).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Programs {
    /// The program of a key, and whether it is new: `build` makes it where it is. Of several threads that ask at once
    /// one builds, and the others wait for it. What fails is not kept, so that the next who asks tries again.
    pub(crate) fn get(
        &self,
        key: ProgramKey,
        build: impl FnOnce() -> Result<ProgramSlot>,
    ) -> Result<(ProgramSlot, bool)> {
        let latch = Arc::new(Latch::default());
        {
            let mut programs = lock(&self.0);
            if let Some((known, slot)) = programs.get_key_value(&key) {
                known.share_with(&key);
                let slot = slot.clone();
                // A wait with the lock would keep the builder from telling.
                drop(programs);
                return Ok((
                    match slot {
                        Slot::Built(program) => program,
                        Slot::Building(latch) => latch.wait()?,
                    },
                    false,
                ));
            }
            // What no kernel can ask for any more goes when something new comes.
            programs.retain(|key, _| key.is_wanted());
            programs.insert(key.clone(), Slot::Building(latch.clone()));
        }
        let mut settling = Settling {
            programs: self,
            key,
            latch,
            outcome: None,
        };
        let outcome = build();
        settling.outcome = Some(outcome.clone());
        drop(settling);
        outcome.map(|program| (program, true))
    }

    /// Programs built.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }
}

/// Tells those who wait how a build ended, even where it ended in a panic.
struct Settling<'a> {
    programs: &'a Programs,
    key: ProgramKey,
    latch: Arc<Latch>,
    outcome: Option<Result<ProgramSlot>>,
}

impl Drop for Settling<'_> {
    fn drop(&mut self) {
        let outcome = self.outcome.take().unwrap_or(Err(Error::BuildPanicked));
        {
            let mut programs = lock(&self.programs.0);
            match &outcome {
                Ok(program) => programs.insert(self.key.clone(), Slot::Built(program.clone())),
                Err(_) => programs.remove(&self.key),
            };
        }
        *lock(&self.latch.outcome) = Some(outcome);
        self.latch.told.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn key(number: u128) -> ProgramKey {
        ProgramKey::Map {
            key: number,
            live: false,
        }
    }

    #[test]
    fn of_several_threads_one_builds() {
        let (programs, built) = (Programs::default(), AtomicU32::new(0));
        let new: usize = std::thread::scope(|scope| {
            let ask = || {
                let build = || {
                    // Long enough for the others to come and wait.
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    built.fetch_add(1, Ordering::Relaxed);
                    Ok(ProgramSlot::Cpu)
                };
                programs.get(key(1), build).unwrap().1
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            threads
                .into_iter()
                .map(|thread| usize::from(thread.join().unwrap()))
                .sum()
        });
        assert_eq!((new, built.into_inner(), programs.len()), (1, 1, 1));
    }

    #[test]
    fn a_failure_is_told_and_not_kept() {
        let programs = Programs::default();
        let failed = programs.get(key(1), || Err(Error::Cancelled));
        assert_eq!((failed.map(|_| ()), programs.len()), (Err(Error::Cancelled), 0));
        assert!(programs.get(key(1), || Ok(ProgramSlot::Cpu)).unwrap().1);
    }

    #[test]
    fn who_waits_for_a_build_that_panics_is_told() {
        let programs = Programs::default();
        std::thread::scope(|scope| {
            let (begun, has_begun) = std::sync::mpsc::channel();
            let programs = &programs;
            let builder = scope.spawn(move || {
                programs.get(key(1), || {
                    begun.send(()).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    panic!("a test's own panic");
                })
            });
            has_begun.recv().unwrap();
            let waited = programs.get(key(1), || Ok(ProgramSlot::Cpu));
            assert!(builder.join().is_err());
            // It either waited and was told, or came late and built.
            assert!(matches!(waited, Err(Error::BuildPanicked) | Ok((_, true))));
        });
    }
}
