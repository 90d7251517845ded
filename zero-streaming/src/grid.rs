//! Which cells are near a point: an ordered index, so that a look around a source meets the cells that are there and no
//! others.

use crate::CellKey;
use crate::slots::Slot;
use glam::DVec2;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Grid {
    columns: BTreeMap<i32, BTreeMap<i32, Slot>>,
}

impl Grid {
    pub(crate) fn insert(&mut self, key: CellKey, cell: Slot) {
        self.columns.entry(key.x).or_default().insert(key.z, cell);
    }

    pub(crate) fn remove(&mut self, key: CellKey) {
        if let Some(column) = self.columns.get_mut(&key.x) {
            column.remove(&key.z);
            if column.is_empty() {
                self.columns.remove(&key.x);
            }
        }
    }

    pub(crate) fn get(&self, key: CellKey) -> Option<Slot> {
        self.columns.get(&key.x)?.get(&key.z).copied()
    }

    /// The cells that may be within a distance of a point: those that meet the square around it. In order of x, then z.
    pub(crate) fn near(&self, point: DVec2, radius: f32, cell_size: f32, mut visit: impl FnMut(Slot)) {
        let (size, radius) = (f64::from(cell_size), f64::from(radius));
        // A cell is closed for its distance: one that ends where the square begins is at the radius, not past it. The
        // casts saturate, which is what a radius past the last cell means.
        let low = |at: f64| (((at - radius) / size).ceil() as i32).saturating_sub(1);
        let high = |at: f64| ((at + radius) / size).floor() as i32;
        for (_, column) in self.columns.range(low(point.x)..=high(point.x)) {
            for (_, cell) in column.range(low(point.y)..=high(point.y)) {
                visit(*cell);
            }
        }
    }
}
