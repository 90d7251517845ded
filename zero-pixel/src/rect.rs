//! Rectangles of whole pixels.

use glam::IVec2;
use std::fmt;

/// A rectangle of whole pixels: columns `x` to `x + width - 1`, rows `y` to `y + height - 1`. X runs right, y down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// The leftmost column.
    pub x: i32,
    /// The topmost row.
    pub y: i32,
    /// How many columns.
    pub width: u32,
    /// How many rows.
    pub height: u32,
}

impl Rect {
    /// The rectangle of that corner and size.
    #[must_use]
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// The smallest rectangle that holds both pixels, in any order of corners. A side longer than 4 294 967 295
    /// pixels is cut to that.
    #[must_use]
    pub fn between(one: impl Into<IVec2>, two: impl Into<IVec2>) -> Self {
        let (one, two) = (one.into(), two.into());
        let side = |a: i32, b: i32| a.abs_diff(b).saturating_add(1);
        Self {
            x: one.x.min(two.x),
            y: one.y.min(two.y),
            width: side(one.x, two.x),
            height: side(one.y, two.y),
        }
    }

    /// How many pixels it holds.
    #[must_use]
    pub fn area(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The first column past it.
    #[must_use]
    pub fn right(&self) -> i64 {
        i64::from(self.x) + i64::from(self.width)
    }

    /// The first row past it.
    #[must_use]
    pub fn bottom(&self) -> i64 {
        i64::from(self.y) + i64::from(self.height)
    }

    /// Whether it holds that pixel.
    #[must_use]
    pub fn contains(&self, pos: impl Into<IVec2>) -> bool {
        let pos = pos.into();
        pos.x >= self.x && pos.y >= self.y && i64::from(pos.x) < self.right() && i64::from(pos.y) < self.bottom()
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the rectangle of {} x {} at {}, {}",
            self.width, self.height, self.x, self.y
        )
    }
}
