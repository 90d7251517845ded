//! What a present shows.

use crate::error::{Error, Location, Result};
use crate::graph::definition::Built;
use crate::value::{Geometry, List, Raster, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use zero_compute::{Column, CommandList, Device, Submission};

use super::session::Bound;

/// The outputs of a graph at one present. It holds what it shows until it is dropped: nothing writes those runs
/// meanwhile. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(crate) inner: Arc<FrameInner>,
}

#[derive(Debug)]
pub(crate) struct FrameInner {
    outputs: BTreeMap<String, Value>,
    built: Arc<Built>,
}

impl Frame {
    /// An output of the graph.
    pub fn value(&self, name: &str) -> Result<&Value> {
        let outputs = &self.inner.outputs;
        outputs
            .get(name)
            .ok_or_else(|| Error::unknown("output", name, outputs.keys().map(String::as_str)))
    }
    /// An output that is a geometry.
    pub fn geometry(&self, name: &str) -> Result<&Geometry> {
        self.value(name)?.geometry()
    }
    /// An output that is a raster.
    pub fn raster(&self, name: &str) -> Result<&Raster> {
        self.value(name)?.raster()
    }
    /// An output that is a list.
    pub fn list(&self, name: &str) -> Result<&List> {
        self.value(name)?.list()
    }
    /// An output that is one number, as floats: one a lane.
    pub fn number(&self, name: &str) -> Result<Vec<f32>> {
        Ok(self.value(name)?.number()?.lanes())
    }
    /// The name of the graph.
    pub fn graph(&self) -> &str {
        &self.inner.built.name
    }
    /// The line that declared an output: of the document, where the graph was read from one.
    pub fn site(&self, name: &str) -> Result<Location> {
        self.value(name)?;
        let built = &self.inner.built;
        let declared = built.outputs.iter().find(|output| output.name == name);
        declared
            .map(|output| output.site.located(built.document.as_ref()))
            .ok_or_else(|| Error::unknown("output", name, []))
    }
    /// The outputs by name, sorted.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.inner.outputs.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// Copies of what recorded lists write, so that what was shown stays as it was while the list runs again. A set of
/// copies is used again once nobody holds the frame it was made for.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    sets: Vec<CopySet>,
}

#[derive(Debug)]
struct CopySet {
    sources: Vec<u64>,
    copies: Vec<Column>,
    list: CommandList,
    shown: Weak<FrameInner>,
    /// Made for one frame alone.
    once: bool,
    /// Holders of each copy while nobody was shown it.
    idle: Vec<usize>,
}

impl CopySet {
    fn bytes(&self) -> u64 {
        self.copies.iter().map(Column::bytes).sum()
    }

    /// Whether nobody holds what it was shown as: neither the frame nor a run taken out of it.
    fn is_free(&self) -> bool {
        let held = |(copy, idle): (&Column, &usize)| copy.holders() > *idle;
        self.shown.strong_count() == 0 && !self.copies.iter().zip(&self.idle).any(held)
    }
}

/// What a frame is made of.
pub(crate) struct Shown<'a> {
    pub(crate) names: &'a [String],
    pub(crate) built: &'a Arc<Built>,
    pub(crate) outputs: &'a [Bound],
    /// Whether nothing writes a run again.
    pub(crate) stands: &'a dyn Fn(u64) -> bool,
    /// Whether the outputs are shown this once.
    pub(crate) once: bool,
}

impl Ring {
    pub(crate) fn clear(&mut self) {
        self.sets.clear();
    }

    /// Bytes of all copies.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets.iter().map(CopySet::bytes).sum()
    }

    /// Bytes of the copies that nobody holds.
    pub(crate) fn idle_bytes(&self) -> u64 {
        let idle = self.sets.iter().filter(|set| set.is_free());
        idle.map(CopySet::bytes).sum()
    }

    /// Lets go of the copies that nobody holds.
    pub(crate) fn drop_idle(&mut self) {
        self.sets.retain(|set| !set.is_free());
    }

    /// The frame of these outputs: what moves is copied, what stands is shared. And the dispatches that copies take.
    pub(crate) fn show(
        &mut self,
        device: &Device,
        show: Shown<'_>,
        submissions: &mut Vec<Submission>,
    ) -> Result<(Frame, u64)> {
        let Shown {
            names,
            built,
            outputs,
            stands,
            once,
        } = show;
        let mut sources: Vec<Column> = Vec::new();
        for bound in outputs.iter().filter(|bound| bound.moving) {
            bound.value.each_column(&mut |column| {
                let known = sources.iter().any(|held| held.id() == column.id());
                if !known && !stands(column.id()) {
                    sources.push(column.as_capacity());
                }
            });
        }
        let place = match sources.is_empty() {
            true => None,
            false => Some(self.set(device, &sources, once)?),
        };
        if let Some(place) = place {
            // Under names of their own, so that what was keyed by their last words is not taken for these.
            self.sets[place]
                .copies
                .iter_mut()
                .for_each(|copy| *copy = copy.renamed());
        }
        let copies = place.map(|place| &self.sets[place]);
        let mut dispatches = 0;
        if let Some(set) = copies {
            dispatches = set.list.dispatches() as u64;
            submissions.push(set.list.submit()?);
        }
        let copied = |column: &Column| -> Column {
            let Some(set) = copies else { return column.clone() };
            match set.sources.iter().position(|id| *id == column.id()) {
                Some(index) => set.copies[index].clone(),
                None => column.clone(),
            }
        };
        let shown = names.iter().zip(outputs).map(|(name, bound)| {
            let value = if bound.moving {
                bound.value.map_columns(&mut |column| copied(column))?
            } else {
                bound.value.clone()
            };
            Ok((name.clone(), value))
        });
        let inner = Arc::new(FrameInner {
            outputs: shown.collect::<Result<_>>()?,
            built: built.clone(),
        });
        if let Some(place) = place {
            self.sets[place].shown = Arc::downgrade(&inner);
        }
        Ok((Frame { inner }, dispatches))
    }

    /// A set of copies that nobody holds, or a new one. The sources of a recording get two sets at once, since what is
    /// shown holds one while the next is written; sets of other sources go as soon as nobody holds them.
    fn set(&mut self, device: &Device, sources: &[Column], once: bool) -> Result<usize> {
        let ids: Vec<u64> = sources.iter().map(Column::id).collect();
        self.sets
            .retain(|set| !set.is_free() || (!set.once && (once || set.sources == ids)));
        let free = |set: &CopySet| set.sources == ids && set.is_free();
        if let Some(place) = self.sets.iter().position(free) {
            return Ok(place);
        }
        let first = !self.sets.iter().any(|set| set.sources == ids);
        for _ in 0..if first && !once { 2 } else { 1 } {
            let mut recorder = device.record("show");
            let copies: zero_compute::Result<Vec<Column>> =
                sources.iter().map(|column| recorder.copy(column)).collect();
            let (copies, list) = (copies?, recorder.finish()?);
            let idle = copies.iter().map(Column::holders).collect();
            self.sets.push(CopySet {
                sources: ids.clone(),
                copies,
                list,
                shown: Weak::new(),
                once,
                idle,
            });
        }
        Ok(self.sets.len() - 1)
    }
}
