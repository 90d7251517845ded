//! Outputs on their way to and from the disk cache of a store.

use super::Play;
use super::session::Session;
use crate::error::Result;
use crate::plan::{FlatRef, Plan, Read};
use crate::store::disk::DiskCache;
use crate::store::disk::format::Writing;
use crate::value::{Bound, Key, KeyHasher, Value};
use zero_compute::Exec;

/// What a present had to do with the disk cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiskReport {
    /// Outputs that were read from it.
    pub loaded: Vec<String>,
    /// Outputs that were written to it. Words that are still on their way are written by a later present.
    pub written: Vec<String>,
    /// What could not be kept, could not be written or was found damaged, and why. The output itself is whole.
    pub refused: Vec<String>,
}

impl DiskReport {
    pub(super) fn take_in(&mut self, more: DiskReport) {
        self.loaded.extend(more.loaded);
        self.written.extend(more.written);
        self.refused.extend(more.refused);
    }
}

/// An output on its way to the disk.
#[derive(Debug)]
pub(super) struct Saving {
    name: String,
    key: Key,
    writing: Writing,
}

/// What the store's entry of an output that was read from disk is filed under. The node's own entry holds all its
/// outputs, and this is one.
fn entry(output: Key) -> Key {
    let mut hasher = KeyHasher::new("from disk");
    hasher.key(output);
    hasher.finish()
}

/// Why an output can't be kept past the end of the program: content keys name runs that the host gives by numbers that
/// mean nothing in the next one.
fn unkeepable(plan: &Plan, place: u32) -> Option<String> {
    plan.reads.get(place as usize)?.iter().find_map(|read| match read {
        Read::Input(id) => {
            let input = plan.built.inputs.get(id.index())?;
            let given = input.ty.lanes().is_none();
            given.then(|| format!("it stands on the {} '{}'", input.ty.name(), input.name))
        }
        _ => None,
    })
}

impl Session<'_> {
    /// What the disk holds of a marked output, by its place among the results and in the plan, and its key.
    pub(super) fn kept_output(&mut self, index: usize, place: u32, key: Key) -> Option<Bound> {
        let disk = self.store.disk()?;
        if unkeepable(self.plan, place).is_some() {
            return None;
        }
        let value = match self.held(entry(key)) {
            Some(values) => values.first().cloned(),
            None => self.load(disk, key, &self.plan.built.outputs[index].name),
        };
        value.map(|value| Bound {
            key,
            entry: Some(entry(key)),
            value,
            moving: false,
        })
    }

    fn load(&mut self, disk: &DiskCache, key: Key, name: &str) -> Option<Value> {
        let device = self.store.device();
        match disk.load(device, disk.key(device, key)) {
            Ok(Some(value)) => {
                self.filed.insert(entry(key), vec![value.clone()].into());
                self.disk.loaded.push(name.to_owned());
                Some(value)
            }
            Ok(None) => None,
            Err(why) => {
                self.disk.refused.push(format!("'{name}': {why}"));
                None
            }
        }
    }
}

impl Play {
    /// Asks for the words of the outputs that are to be kept and aren't yet.
    pub(super) fn keep_on_disk(&mut self, plan: &Plan, outputs: &[Bound]) {
        let Some(disk) = self.store.disk() else { return };
        for (index, bound) in outputs.iter().enumerate() {
            let output = &plan.built.outputs[index];
            let FlatRef::Node(place, _) = plan.body.results[index] else {
                continue;
            };
            // A number costs less to work out than to read.
            if !output.cached || bound.moving || matches!(bound.value, Value::Number(_)) {
                continue;
            }
            let key = disk.key(self.store.device(), bound.key);
            if disk.holds(key) || self.saving.iter().any(|saving| saving.key == key) {
                continue;
            }
            let begun = match unkeepable(plan, place) {
                Some(why) => Err(why),
                None => Writing::start(&bound.value),
            };
            match begun {
                Ok(writing) => self.saving.push(Saving {
                    name: output.name.clone(),
                    key,
                    writing,
                }),
                Err(why) => self
                    .report
                    .disk
                    .refused
                    .push(format!("'{}' is not kept: {why}", output.name)),
            }
        }
    }

    /// Writes the outputs whose words have landed.
    pub(super) fn write_landed(&mut self, exec: &Exec<'_>) -> Result<()> {
        if self.saving.is_empty() {
            return Ok(());
        }
        self.store.device().advance(exec)?;
        let Some(disk) = self.store.disk().cloned() else {
            return Ok(());
        };
        let report = &mut self.report.disk;
        self.saving.retain_mut(|saving| {
            let written = match saving.writing.finish(saving.key) {
                Ok(None) => return true,
                Ok(Some(bytes)) => disk.save(saving.key, &bytes),
                Err(error) => Err(error),
            };
            match written {
                Ok(()) => report.written.push(saving.name.clone()),
                Err(error) => report.refused.push(format!("'{}' is not kept: {error}", saving.name)),
            }
            false
        });
        Ok(())
    }

    /// Waits until every output that is kept on disk is written. Without it a program that ends at once may leave some
    /// unwritten; nothing is ever left half written.
    ///
    /// # Errors
    /// A cancellation, and [`Error::Compute`](crate::Error::Compute) where the device was lost. What can't be written is
    /// in the report.
    pub fn flush_disk(&mut self, exec: &Exec<'_>) -> Result<()> {
        let exec = Exec {
            budget_ms: None,
            ..*exec
        };
        while !self.saving.is_empty() {
            exec.checkpoint()?;
            self.write_landed(&exec)?;
            self.store.device().poll();
        }
        Ok(())
    }
}
