//! The programs that a device has built, and those that a thread is building.
//!
//! Kernels that are declared in code have as many programs as there is code. Field programs, walks, fused dispatches and
//! authors' texts have no end: of those the least recently used go.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::list::{ProgramKey, ProgramSlot};
use crate::queue::lock;

/// Programs made at run time (of fields, walks, fused dispatches and authors' texts) that a device keeps for whoever asks
/// again. Past that many the one that was asked for longest ago goes when a new one comes; one that a list stands on
/// stays, and does not go before the list.
pub const MAX_RUN_TIME_PROGRAMS: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct Programs(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    slots: HashMap<ProgramKey, Slot>,
    /// Times that a program was asked for.
    asked: u64,
}

#[derive(Clone, Debug)]
enum Slot {
    Built {
        program: ProgramSlot,
        /// When it was asked for last.
        asked: u64,
    },
    Building(Arc<Latch>),
}

impl Known {
    /// What is there of a key, which was asked for now.
    fn ask(&mut self, key: &ProgramKey) -> Option<Slot> {
        self.asked += 1;
        let now = self.asked;
        let (known, _) = self.slots.get_key_value(key)?;
        known.share_with(key);
        let slot = self.slots.get_mut(key)?;
        if let Slot::Built { asked, .. } = slot {
            *asked = now;
        }
        Some(slot.clone())
    }

    /// Takes out what nobody can ask for any more, and of what is made at run time what is past the limit.
    fn make_room(&mut self) -> Vec<Slot> {
        let mut gone: Vec<ProgramKey> = self.slots.keys().filter(|key| !key.is_wanted()).cloned().collect();
        let mut idle: Vec<(u64, &ProgramKey)> = Vec::new();
        let mut kept = 0;
        for (key, slot) in self
            .slots
            .iter()
            .filter(|(key, _)| key.is_of_run_time() && key.is_wanted())
        {
            kept += 1;
            if let Slot::Built { program, asked } = slot
                && !program.is_in_use()
            {
                idle.push((*asked, key));
            }
        }
        idle.sort_unstable_by_key(|(asked, _)| *asked);
        // One is about to come.
        let over = (kept + 1usize).saturating_sub(MAX_RUN_TIME_PROGRAMS);
        gone.extend(idle.into_iter().take(over).map(|(_, key)| key.clone()));
        gone.iter().filter_map(|key| self.slots.remove(key)).collect()
    }
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
        let gone = {
            let mut programs = lock(&self.0);
            if let Some(slot) = programs.ask(&key) {
                // A wait with the lock would keep the builder from telling.
                drop(programs);
                return Ok((
                    match slot {
                        Slot::Built { program, .. } => program,
                        Slot::Building(latch) => latch.wait()?,
                    },
                    false,
                ));
            }
            let gone = programs.make_room();
            programs.slots.insert(key.clone(), Slot::Building(latch.clone()));
            gone
        };
        // Outside of the lock: giving pipelines back may take long.
        drop(gone);
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

    /// Whether the program of a key is there, or on its way.
    #[cfg(feature = "gpu")]
    pub(crate) fn has(&self, key: &ProgramKey) -> bool {
        lock(&self.0).slots.contains_key(key)
    }

    /// Programs built.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).slots.len()
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
            let asked = programs.asked;
            match &outcome {
                Ok(program) => {
                    let program = program.clone();
                    programs.slots.insert(self.key.clone(), Slot::Built { program, asked })
                }
                Err(_) => programs.slots.remove(&self.key),
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
    fn of_what_is_made_at_run_time_the_least_recently_used_goes() {
        let programs = Programs::default();
        let is_new = |key: ProgramKey| programs.get(key, || Ok(ProgramSlot::Cpu)).unwrap().1;
        let declared = |at: usize| ProgramKey::Kernel {
            at,
            options: Vec::new(),
            live: false,
        };
        let most = MAX_RUN_TIME_PROGRAMS as u128;
        assert!((0..10).all(|at| is_new(declared(at))));
        assert!((0..most).all(|number| is_new(key(number))));
        assert_eq!(programs.len(), MAX_RUN_TIME_PROGRAMS + 10);
        // The first is asked for again, so the second is the one that goes.
        assert!(!is_new(key(0)));
        assert!(is_new(key(most)));
        assert_eq!(programs.len(), MAX_RUN_TIME_PROGRAMS + 10);
        assert!(!is_new(key(0)) && !is_new(key(2)) && !is_new(key(most)));
        assert!(is_new(key(1)), "it went");
        // However many come, those that are declared stay.
        assert!((1000..1000 + 2 * most).all(|number| is_new(key(number))));
        assert!((0..10).all(|at| !is_new(declared(at))));
        assert_eq!(programs.len(), MAX_RUN_TIME_PROGRAMS + 10);
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_program_that_a_list_stands_on_stays() {
        let programs = Programs::default();
        let most = MAX_RUN_TIME_PROGRAMS as u128;
        let get = |number: u128| {
            let build = || Ok(ProgramSlot::Gpu(Arc::new(crate::gpu::Program::empty())));
            programs.get(key(number), build).unwrap()
        };
        let (held, _) = get(0);
        assert!((1..2 * most).all(|number| get(number).1));
        assert!(!get(0).1 && programs.len() == MAX_RUN_TIME_PROGRAMS);
        // Lists may stand on more than are kept.
        let lists: Vec<_> = (0..most + 5).map(|number| get(10 * most + number).0).collect();
        assert_eq!(programs.len(), MAX_RUN_TIME_PROGRAMS + 6);
        drop((held, lists));
        assert!(get(1).1);
        assert_eq!(programs.len(), MAX_RUN_TIME_PROGRAMS);
        assert!(get(0).1, "it went with its list");
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
