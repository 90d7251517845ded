//! Drawing operations as data: for tools, scripts, recordings and networks.

use crate::art::Legend;
use crate::canvas::Canvas;
use crate::error::Result;
use crate::rect::Rect;
use glam::IVec2;

/// One drawing operation. [`Canvas::draw`] does what the method that each names does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        tag = "op",
        rename_all = "camelCase",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )
)]
#[non_exhaustive]
pub enum Draw {
    /// [`Canvas::set_pixel`].
    Pixel {
        /// Where.
        pos: IVec2,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::line`].
    Line {
        /// One end.
        from: IVec2,
        /// The other.
        to: IVec2,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::rectangle`].
    Rectangle {
        /// The rectangle.
        rect: Rect,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::fill_rectangle`].
    FillRectangle {
        /// The rectangle.
        rect: Rect,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::circle`].
    Circle {
        /// The middle pixel.
        center: IVec2,
        /// The radius.
        radius: u32,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::fill_circle`].
    FillCircle {
        /// The middle pixel.
        center: IVec2,
        /// The radius.
        radius: u32,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::ellipse`].
    Ellipse {
        /// The box.
        rect: Rect,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::fill_ellipse`].
    FillEllipse {
        /// The box.
        rect: Rect,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::row`].
    Row {
        /// The first pixel.
        start: IVec2,
        /// The entries.
        entries: Vec<u8>,
    },
    /// [`Canvas::fill_row`].
    FillRow {
        /// The row.
        y: i32,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::flood_fill`].
    FloodFill {
        /// Where it starts.
        pos: IVec2,
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::fill`].
    Fill {
        /// The entry.
        entry: u8,
    },
    /// [`Canvas::clear`].
    Clear,
    /// [`Canvas::art`].
    Art {
        /// The top left pixel.
        pos: IVec2,
        /// The rows.
        rows: Vec<String>,
        /// The entry of each character.
        legend: Legend,
    },
}

impl Canvas {
    /// Does one operation.
    ///
    /// # Errors
    /// Those of the method that it names.
    pub fn draw(&mut self, op: &Draw) -> Result<&mut Self> {
        match op {
            Draw::Pixel { pos, entry } => self.set_pixel(*pos, *entry),
            Draw::Line { from, to, entry } => self.line(*from, *to, *entry),
            Draw::Rectangle { rect, entry } => self.rectangle(*rect, *entry),
            Draw::FillRectangle { rect, entry } => self.fill_rectangle(*rect, *entry),
            Draw::Circle { center, radius, entry } => self.circle(*center, *radius, *entry),
            Draw::FillCircle { center, radius, entry } => self.fill_circle(*center, *radius, *entry),
            Draw::Ellipse { rect, entry } => self.ellipse(*rect, *entry),
            Draw::FillEllipse { rect, entry } => self.fill_ellipse(*rect, *entry),
            Draw::Row { start, entries } => self.row(*start, entries),
            Draw::FillRow { y, entry } => self.fill_row(*y, *entry),
            Draw::FloodFill { pos, entry } => self.flood_fill(*pos, *entry),
            Draw::Fill { entry } => self.fill(*entry),
            Draw::Clear => Ok(self.clear()),
            Draw::Art { pos, rows, legend } => self.art(*pos, rows, legend),
        }
    }
}
