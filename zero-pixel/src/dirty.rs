//! What a renderer has not seen yet. Every reader keeps a cursor of its own; the canvas keeps no list of readers.

use crate::canvas::Canvas;
use crate::error::{Error, Result};
use crate::frame::{Frame, FrameId, index};
use crate::rect::Rect;

/// What a reader of all frames has seen of one canvas. A new one has seen nothing.
///
/// It belongs to the canvas that it was first used with: take a new one for a clone.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    revision: u64,
}

/// What a reader of the active frame alone has seen of one canvas. A new one has seen nothing.
///
/// It belongs to the canvas that it was first used with: take a new one for a clone.
#[derive(Clone, Debug, Default)]
pub struct ActiveCursor {
    revision: u64,
    frame: Option<FrameId>,
}

/// What changed in any frame since a [`Cursor`] last read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Whether the palette changed, which a renderer that uploads colours instead of entries answers by uploading
    /// every frame again.
    pub palette: bool,
    /// Whether plane or pixel size changed.
    pub place: bool,
    /// The frames in their order, if frames were added, removed or moved. Those whose id is new are in `rects` whole.
    pub frames: Option<Vec<FrameId>>,
    /// The parts of frames that changed. Those of one frame share no pixel.
    pub rects: Vec<DirtyRect>,
}

/// A part of a frame that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyRect {
    /// The frame's number now.
    pub frame: usize,
    /// The frame's id.
    pub id: FrameId,
    /// The part; it lies within the canvas.
    pub rect: Rect,
}

/// What changed in what is shown since an [`ActiveCursor`] last read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveChanges {
    /// Whether the palette changed.
    pub palette: bool,
    /// Whether plane or pixel size changed.
    pub place: bool,
    /// The parts of the active frame to upload, which share no pixel: all of it where another frame became active.
    pub rects: Vec<Rect>,
}

impl Changes {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl ActiveChanges {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Canvas {
    /// What changed in any frame since `cursor` last read, for a renderer that keeps all of them. Which frame is
    /// shown is [`Self::active`].
    ///
    /// A changed pixel is reported with its tile of 8 x 8; writing what is there already reports nothing.
    /// Cost: nothing for a frame without a change, else a look at each tile of it.
    pub fn changes(&self, cursor: &mut Cursor) -> Changes {
        let since = std::mem::replace(&mut cursor.revision, self.revision);
        let mut changes = Changes {
            palette: self.palette_changed > since,
            place: self.place_changed > since,
            frames: (self.frames_changed > since).then(|| self.frames.iter().map(|frame| frame.id).collect()),
            rects: Vec::new(),
        };
        for (at, frame) in self.frames.iter().enumerate() {
            frame.changed_since(since, |rect| {
                changes.rects.push(DirtyRect {
                    frame: at,
                    id: frame.id,
                    rect,
                });
            });
        }
        changes
    }

    /// What to upload since `cursor` last read, for a renderer that keeps one texture with the active frame in it.
    /// Granularity and cost are those of [`Self::changes`].
    pub fn active_changes(&self, cursor: &mut ActiveCursor) -> ActiveChanges {
        let since = std::mem::replace(&mut cursor.revision, self.revision);
        let mut changes = ActiveChanges {
            palette: self.palette_changed > since,
            place: self.place_changed > since,
            rects: Vec::new(),
        };
        let Some(frame) = self.frames.get(self.active) else {
            return changes;
        };
        if cursor.frame.replace(frame.id) == Some(frame.id) {
            frame.changed_since(since, |rect| changes.rects.push(rect));
        } else {
            changes.rects.push(self.rect());
        }
        changes
    }

    /// Appends the entries of a part of a frame to `out`, row by row without gaps: what a texture upload takes.
    ///
    /// # Errors
    /// [`Error::NoFrame`]; [`Error::Outside`] when the rectangle reaches beyond the canvas.
    pub fn copy_rect(&self, frame: usize, rect: Rect, out: &mut Vec<u8>) -> Result<()> {
        for row in self.rows(frame, rect)? {
            out.extend_from_slice(row);
        }
        Ok(())
    }

    /// As [`Self::copy_rect`], as red, green, blue, alpha, a byte each.
    ///
    /// # Errors
    /// As [`Self::copy_rect`].
    pub fn copy_rect_rgba(&self, frame: usize, rect: Rect, out: &mut Vec<u8>) -> Result<()> {
        for row in self.rows(frame, rect)? {
            self.push_rgba(row, out);
        }
        Ok(())
    }

    fn rows(&self, frame: usize, rect: Rect) -> Result<impl Iterator<Item = &[u8]> + use<'_>> {
        let frame: &Frame = self.frame(frame)?;
        let inside = rect.right() <= i64::from(self.width) && rect.bottom() <= i64::from(self.height);
        let corner = u32::try_from(rect.x)
            .ok()
            .zip(u32::try_from(rect.y).ok())
            .filter(|_| inside);
        let (x, y) = corner.ok_or(Error::Outside {
            rect,
            width: self.width,
            height: self.height,
        })?;
        Ok((y..y + rect.height).map(move |row| frame.span(row, x, x + rect.width)))
    }
}

/// A copy of a canvas's frames that is kept by applying changes alone. For tests, and for a renderer on the CPU.
#[derive(Clone, Debug, Default)]
pub struct Mirror {
    cursor: Cursor,
    width: u32,
    frames: Vec<(FrameId, Vec<u8>)>,
    uploaded: u64,
}

impl Mirror {
    /// Brings the copy up to date and answers how many pixels were copied for it.
    ///
    /// # Errors
    /// None for the canvas that it was first used with.
    pub fn update(&mut self, canvas: &Canvas) -> Result<u64> {
        let changes = canvas.changes(&mut self.cursor);
        self.width = canvas.width();
        if let Some(order) = changes.frames {
            let mut old: Vec<_> = std::mem::take(&mut self.frames);
            for id in order {
                let kept = old
                    .iter()
                    .position(|(old_id, _)| *old_id == id)
                    .map(|at| old.swap_remove(at));
                self.frames
                    .push(kept.unwrap_or_else(|| (id, vec![0; canvas.pixels().len()])));
            }
        }
        let mut copied = 0;
        let mut part = Vec::new();
        for dirty in changes.rects {
            part.clear();
            canvas.copy_rect(dirty.frame, dirty.rect, &mut part)?;
            copied += dirty.rect.area();
            let Some((_, pixels)) = self.frames.iter_mut().find(|(id, _)| *id == dirty.id) else {
                return Err(Error::NoFrameId { id: dirty.id });
            };
            paste(pixels, self.width, dirty.rect, &part);
        }
        self.uploaded += copied;
        Ok(copied)
    }

    /// The copied frames in their order.
    pub fn frames(&self) -> impl Iterator<Item = &[u8]> {
        self.frames.iter().map(|(_, pixels)| pixels.as_slice())
    }

    /// How many pixels were copied so far.
    #[must_use]
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }
}

fn paste(pixels: &mut [u8], width: u32, rect: Rect, part: &[u8]) {
    let (Ok(x), Ok(y)) = (usize::try_from(rect.x), usize::try_from(rect.y)) else {
        return;
    };
    let rows = pixels.chunks_mut(index(width).max(1)).skip(y);
    for (row, source) in rows.zip(part.chunks(index(rect.width).max(1))) {
        if let Some(target) = row.get_mut(x..x + source.len()) {
            target.copy_from_slice(source);
        }
    }
}
