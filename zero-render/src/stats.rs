//! Counts of what a renderer has done: the same on every machine, so that guarantees can be tested on them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Totals since the renderer was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Frames recorded.
    pub frames: u64,
    /// Draw calls recorded, shadows and features included.
    pub draws: u64,
    /// Triangles in those draws, before clipping (features' own draws excluded).
    pub triangles: u64,
    /// Render and compute pipelines made.
    pub pipelines_created: u64,
    /// Buffers made.
    pub buffers_created: u64,
    /// Textures made.
    pub textures_created: u64,
    /// Bind groups made.
    pub bind_groups_created: u64,
    /// How often the sky's pictures were made anew.
    pub sky_updates: u64,
    /// How often the steps of a frame were planned.
    pub plans_made: u64,
}

/// The totals while they grow.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) frames: AtomicU64,
    pub(crate) draws: AtomicU64,
    pub(crate) triangles: AtomicU64,
    pub(crate) pipelines: AtomicU64,
    pub(crate) buffers: AtomicU64,
    pub(crate) textures: AtomicU64,
    pub(crate) bind_groups: AtomicU64,
    pub(crate) sky_updates: AtomicU64,
    pub(crate) plans: AtomicU64,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicU64, amount: u64) {
        counter.fetch_add(amount, Relaxed);
    }

    pub(crate) fn totals(&self) -> Stats {
        Stats {
            frames: self.frames.load(Relaxed),
            draws: self.draws.load(Relaxed),
            triangles: self.triangles.load(Relaxed),
            pipelines_created: self.pipelines.load(Relaxed),
            buffers_created: self.buffers.load(Relaxed),
            textures_created: self.textures.load(Relaxed),
            bind_groups_created: self.bind_groups.load(Relaxed),
            sky_updates: self.sky_updates.load(Relaxed),
            plans_made: self.plans.load(Relaxed),
        }
    }
}
