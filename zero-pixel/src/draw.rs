//! Drawing on the active frame. Whatever lies beside the canvas is cut off; which pixels a shape has does not depend
//! on where it is cut.

use crate::canvas::Canvas;
use crate::error::{Error, Result};
use crate::frame::{Frame, index};
use crate::raster::{Ellipse, Line, Span, flood};
use crate::rect::Rect;
use glam::IVec2;

/// The longest side of a rectangle's or an ellipse's box that is drawn; a circle's radius is at most
/// [`MAX_RADIUS`].
pub const MAX_SHAPE_SIDE: u32 = Ellipse::MAX_SIDE;
/// The largest radius of a circle.
pub const MAX_RADIUS: u32 = (MAX_SHAPE_SIDE - 1) / 2;

/// An open frame for one operation.
struct Pen<'a> {
    frame: &'a mut Frame,
    width: u32,
    height: u32,
    ink: u8,
    revision: u64,
}

impl Pen<'_> {
    fn span(&mut self, y: i64, span: Span) {
        let Some(y) = u32::try_from(y).ok().filter(|y| *y < self.height) else {
            return;
        };
        let column = |x: i64| u32::try_from(x.clamp(0, i64::from(self.width))).unwrap_or(0);
        self.frame
            .fill(y, column(span.from), column(span.to), self.ink, self.revision);
    }

    /// The spans of a shape whose top row is `y` and whose columns are counted from `x`.
    fn fill(&mut self, (x, y): (i64, i64), spans: impl Iterator<Item = Span>) {
        for (row, span) in (y..).zip(spans) {
            self.span(row, moved(span, x));
        }
    }

    /// As [`Self::fill`], of what has a neighbour outside the shape.
    fn outline(&mut self, (x, y): (i64, i64), spans: impl Iterator<Item = Span>) {
        let mut spans = spans.peekable();
        let mut above = None;
        let mut row = y;
        while let Some(span) = spans.next() {
            for part in span.outline(above, spans.peek().copied()) {
                self.span(row, moved(part, x));
            }
            above = Some(span);
            row += 1;
        }
    }
}

fn moved(span: Span, x: i64) -> Span {
    Span {
        from: span.from + x,
        to: span.to + x,
    }
}

fn corner(rect: Rect) -> (i64, i64) {
    (i64::from(rect.x), i64::from(rect.y))
}

fn box_spans(rect: Rect) -> impl Iterator<Item = Span> {
    let span = Span {
        from: 0,
        to: i64::from(rect.width),
    };
    std::iter::repeat_n(span, index(rect.height))
}

fn check_box(what: &str, rect: Rect) -> Result<()> {
    for (side, length) in [("width", rect.width), ("height", rect.height)] {
        if length == 0 || length > MAX_SHAPE_SIDE {
            let expected = format!("1 to {MAX_SHAPE_SIDE} pixels");
            return Err(Error::range(format!("the {side} of {what}"), expected, length));
        }
    }
    Ok(())
}

/// The corner of a circle's box, which may lie beyond what an `i32` counts, and the circle.
fn circle_box(center: IVec2, radius: u32) -> Result<((i64, i64), Ellipse)> {
    if radius > MAX_RADIUS {
        let expected = format!("0 to {MAX_RADIUS} pixels");
        return Err(Error::range("the radius of a circle", expected, radius));
    }
    let (reach, side) = (i64::from(radius), 2 * radius + 1);
    let corner = (i64::from(center.x) - reach, i64::from(center.y) - reach);
    Ok((corner, Ellipse::new(side, side)))
}

/// Every method answers the canvas, so that calls chain, and fails with [`Error::NoEntry`], changing nothing, when the
/// palette lacks the entry.
impl Canvas {
    /// Writes one pixel.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn set_pixel(&mut self, pos: impl Into<IVec2>, entry: u8) -> Result<&mut Self> {
        let pos = pos.into();
        let span = Span {
            from: i64::from(pos.x),
            to: i64::from(pos.x) + 1,
        };
        self.pen("pixel", entry)?.span(i64::from(pos.y), span);
        Ok(self)
    }

    /// Draws a line of one pixel a step along its longer axis (x where both are equally long), both ends included.
    /// The other coordinate is the whole number nearest to the exact line, halfway to the right or down; so either
    /// end first draws the same.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn line(&mut self, from: impl Into<IVec2>, to: impl Into<IVec2>, entry: u8) -> Result<&mut Self> {
        let pen = self.pen("line", entry)?;
        let (frame, ink, revision) = (pen.frame, pen.ink, pen.revision);
        let line = Line::new(from.into(), to.into());
        line.pixels(pen.width, pen.height, |x, y| frame.fill(y, x, x + 1, ink, revision));
        Ok(self)
    }

    /// Draws the outline of a rectangle, one pixel thin, within it.
    ///
    /// # Errors
    /// [`Error::Range`] when a side is 0 or more than [`MAX_SHAPE_SIDE`]; [`Error::NoEntry`].
    pub fn rectangle(&mut self, rect: Rect, entry: u8) -> Result<&mut Self> {
        check_box("a rectangle", rect)?;
        self.pen("rectangle", entry)?.outline(corner(rect), box_spans(rect));
        Ok(self)
    }

    /// Fills a rectangle.
    ///
    /// # Errors
    /// As [`Self::rectangle`].
    pub fn fill_rectangle(&mut self, rect: Rect, entry: u8) -> Result<&mut Self> {
        check_box("a rectangle", rect)?;
        self.pen("rectangle", entry)?.fill(corner(rect), box_spans(rect));
        Ok(self)
    }

    /// Draws the midpoint circle: in each octant, per row or column, the pixel nearest to the true circle. Radius 0 is
    /// one pixel; the circle is `2 * radius + 1` wide.
    ///
    /// # Errors
    /// [`Error::Range`] when the radius is more than [`MAX_RADIUS`]; [`Error::NoEntry`].
    pub fn circle(&mut self, center: impl Into<IVec2>, radius: u32, entry: u8) -> Result<&mut Self> {
        let (corner, circle) = circle_box(center.into(), radius)?;
        self.pen("circle", entry)?.outline(corner, circle.spans());
        Ok(self)
    }

    /// Fills the midpoint circle: its outline and all within.
    ///
    /// # Errors
    /// As [`Self::circle`].
    pub fn fill_circle(&mut self, center: impl Into<IVec2>, radius: u32, entry: u8) -> Result<&mut Self> {
        let (corner, circle) = circle_box(center.into(), radius)?;
        self.pen("circle", entry)?.fill(corner, circle.spans());
        Ok(self)
    }

    /// Draws the outline of the ellipse that fills a box: every pixel of [`Self::fill_ellipse`] that has a neighbour
    /// left, right, above or below outside of it.
    ///
    /// # Errors
    /// [`Error::Range`] when a side is 0 or more than [`MAX_SHAPE_SIDE`]; [`Error::NoEntry`].
    pub fn ellipse(&mut self, rect: Rect, entry: u8) -> Result<&mut Self> {
        check_box("an ellipse", rect)?;
        let spans = Ellipse::new(rect.width, rect.height).spans();
        self.pen("ellipse", entry)?.outline(corner(rect), spans);
        Ok(self)
    }

    /// Fills the ellipse that fills a box. It goes through the centres of the box's outermost pixels; a pixel belongs
    /// to it when its centre, moved half a pixel towards the middle along x or along y (on a middle line it stays),
    /// lies within or on it. A box of odd equal sides gives the midpoint circle.
    ///
    /// # Errors
    /// As [`Self::ellipse`].
    pub fn fill_ellipse(&mut self, rect: Rect, entry: u8) -> Result<&mut Self> {
        check_box("an ellipse", rect)?;
        let spans = Ellipse::new(rect.width, rect.height).spans();
        self.pen("ellipse", entry)?.fill(corner(rect), spans);
        Ok(self)
    }

    /// Writes entries side by side from a pixel on, rightwards.
    ///
    /// # Errors
    /// [`Error::NoEntry`] for any of them, whether it lies on the canvas or beside it.
    pub fn row(&mut self, start: impl Into<IVec2>, entries: &[u8]) -> Result<&mut Self> {
        let start = start.into();
        for (x, entry) in (i64::from(start.x)..).zip(entries) {
            self.palette.check(&format!("row {}, column {x}", start.y), *entry)?;
        }
        self.write_row(start, entries);
        Ok(self)
    }

    /// Writes one entry over a whole row.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn fill_row(&mut self, y: i32, entry: u8) -> Result<&mut Self> {
        let span = Span {
            from: 0,
            to: i64::from(self.width),
        };
        self.pen("row", entry)?.span(i64::from(y), span);
        Ok(self)
    }

    /// Fills the region of one entry around a pixel: all that is reached in steps left, right, up and down. Beside
    /// the canvas there is no region.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn flood_fill(&mut self, pos: impl Into<IVec2>, entry: u8) -> Result<&mut Self> {
        let pos = pos.into();
        let pen = self.pen("flood fill", entry)?;
        if let (Ok(x), Ok(y)) = (u32::try_from(pos.x), u32::try_from(pos.y))
            && x < pen.width
            && y < pen.height
        {
            flood(pen.frame, pen.width, pen.height, (x, y), pen.ink, pen.revision);
        }
        Ok(self)
    }

    /// Writes one entry over the whole frame.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn fill(&mut self, entry: u8) -> Result<&mut Self> {
        let rect = self.rect();
        self.pen("fill", entry)?.fill((0, 0), box_spans(rect));
        Ok(self)
    }

    /// Writes the palette's [background](crate::Palette::background) over the whole frame.
    pub fn clear(&mut self) -> &mut Self {
        let (rect, background) = (self.rect(), self.palette.background());
        // The background is an entry of every palette, so there is nothing that could fail.
        if let Ok(mut pen) = self.pen("clear", background) {
            pen.fill((0, 0), box_spans(rect));
        }
        self
    }

    /// Draws what is drawn on another canvas's active frame, its top left pixel at `pos`. Entries are taken as they
    /// are; those that are transparent in the other's palette leave what is there.
    ///
    /// # Errors
    /// [`Error::NoEntry`] when this palette lacks one that is drawn; nothing is changed then.
    pub fn stamp(&mut self, other: &Self, pos: impl Into<IVec2>) -> Result<&mut Self> {
        let pos = pos.into();
        let drawn = |entry: u8| other.palette.get(entry).is_some_and(|color| !color.is_transparent());
        for (entry, count) in (0u8..=255).zip(other.counts()) {
            if count > 0 && drawn(entry) {
                self.palette.check("stamp", entry)?;
            }
        }
        for (y, row) in (i64::from(pos.y)..).zip(other.pixels().chunks(index(other.width))) {
            let Ok(y) = i32::try_from(y) else { break };
            let mut from = 0;
            for run in row.chunk_by(|one, two| drawn(*one) == drawn(*two)) {
                if run.first().is_some_and(|entry| drawn(*entry))
                    && let Some(x) = i32::try_from(from).ok().and_then(|from| pos.x.checked_add(from))
                {
                    self.write_row(IVec2::new(x, y), run);
                }
                from += run.len();
            }
        }
        Ok(self)
    }

    /// Writes entries that were checked, cut to the canvas.
    pub(crate) fn write_row(&mut self, start: IVec2, entries: &[u8]) {
        let revision = self.next_revision();
        let (width, height) = (self.width, self.height);
        let (Ok(y), Some(frame)) = (u32::try_from(start.y), self.frames.get_mut(self.active)) else {
            return;
        };
        let from = u32::try_from(start.x.max(0)).unwrap_or(0);
        if y >= height || from >= width {
            return;
        }
        let before = usize::try_from(start.x.min(0).unsigned_abs()).unwrap_or(usize::MAX);
        let visible = entries.get(before..).unwrap_or(&[]);
        let visible = visible.get(..index(width - from)).unwrap_or(visible);
        frame.copy(y, from, visible, revision);
    }

    fn pen(&mut self, what: &str, ink: u8) -> Result<Pen<'_>> {
        self.palette.check(what, ink)?;
        let revision = self.next_revision();
        let (width, height) = (self.width, self.height);
        let frames = self.frames.len();
        let frame = self.frames.get_mut(self.active).ok_or(Error::NoFrame {
            index: self.active,
            frames,
        })?;
        Ok(Pen {
            frame,
            width,
            height,
            ink,
            revision,
        })
    }
}
