//! Frames: add, duplicate, remove, move, activate.

use crate::canvas::{Canvas, area, check_frames};
use crate::error::{Error, Result};
use crate::frame::{Frame, FrameId};

impl Canvas {
    /// How many frames there are; at least 1.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// The active frame: the one that is drawn to and shown.
    #[must_use]
    pub fn active(&self) -> usize {
        self.active
    }

    /// The id of a frame, which stays with it while frames around it come and go.
    ///
    /// # Errors
    /// [`Error::NoFrame`].
    pub fn frame_id(&self, frame: usize) -> Result<FrameId> {
        Ok(self.frame(frame)?.id)
    }

    /// The number of the frame with that id.
    ///
    /// # Errors
    /// [`Error::NoFrameId`] when it was removed.
    pub fn frame_index(&self, id: FrameId) -> Result<usize> {
        let found = self.frames.iter().position(|frame| frame.id == id);
        found.ok_or(Error::NoFrameId { id })
    }

    /// Adds a frame of background at the end and answers its number. The active frame stays.
    ///
    /// # Errors
    /// [`Error::Range`] past [`MAX_FRAMES`](crate::MAX_FRAMES) or [`MAX_PIXELS`](crate::MAX_PIXELS).
    pub fn add_frame(&mut self) -> Result<usize> {
        let pixels = vec![self.palette.background(); area(self.width, self.height)];
        self.insert(self.frames.len(), pixels)
    }

    /// Puts a copy of a frame right after it and answers the copy's number. The active frame stays the same picture.
    ///
    /// # Errors
    /// [`Error::NoFrame`], and as [`Self::add_frame`].
    pub fn duplicate_frame(&mut self, frame: usize) -> Result<usize> {
        let pixels = self.frame_pixels(frame)?.to_vec();
        self.insert(frame + 1, pixels)
    }

    /// Removes a frame. Where it was the active one, the frame that takes its number is, or the last.
    ///
    /// # Errors
    /// [`Error::NoFrame`]; [`Error::LastFrame`] for the only one left.
    pub fn remove_frame(&mut self, frame: usize) -> Result<&mut Self> {
        self.frame(frame)?;
        if self.frames.len() == 1 {
            return Err(Error::LastFrame { index: frame });
        }
        self.frames.remove(frame);
        if frame < self.active || self.active == self.frames.len() {
            self.active -= 1;
        }
        self.frames_changed = self.next_revision();
        self.restart_run();
        Ok(self)
    }

    /// Moves a frame so that its number is `to`. The active frame stays the same picture.
    ///
    /// # Errors
    /// [`Error::NoFrame`] for either number.
    pub fn move_frame(&mut self, from: usize, to: usize) -> Result<&mut Self> {
        let (_, active) = (self.frame(to)?, self.frame_id(self.active)?);
        self.frame(from)?;
        let frame = self.frames.remove(from);
        self.frames.insert(to, frame);
        self.active = self.frame_index(active)?;
        self.frames_changed = self.next_revision();
        self.restart_run();
        Ok(self)
    }

    /// Makes a frame the active one. A canvas that plays goes on from there.
    ///
    /// # Errors
    /// [`Error::NoFrame`].
    pub fn activate(&mut self, frame: usize) -> Result<&mut Self> {
        self.frame(frame)?;
        self.active = frame;
        self.restart_run();
        Ok(self)
    }

    fn insert(&mut self, at: usize, pixels: Vec<u8>) -> Result<usize> {
        check_frames(self.width, self.height, self.frames.len() + 1)?;
        let revision = self.next_revision();
        let id = FrameId(self.next_frame);
        self.next_frame += 1;
        self.frames.insert(at, Frame::new(id, self.width, pixels, revision));
        if at <= self.active {
            self.active += 1;
        }
        self.frames_changed = revision;
        self.restart_run();
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_FRAMES, Palette};

    /// Frames of one pixel, told apart by their entry.
    fn strip(entries: &[u8]) -> Canvas {
        let mut canvas = Canvas::from_pixels(1, 1, Palette::default(), &entries[..1]).unwrap();
        for (at, entry) in entries.iter().enumerate().skip(1) {
            canvas.add_frame().unwrap();
            canvas.activate(at).unwrap().set_pixel((0, 0), *entry).unwrap();
        }
        canvas
    }

    fn shown(canvas: &Canvas) -> Vec<u8> {
        (0..canvas.frame_count())
            .map(|at| canvas.frame_pixels(at).unwrap()[0])
            .collect()
    }

    #[test]
    fn the_active_frame_stays_the_same_picture() {
        let mut canvas = strip(&[1, 2, 3]);
        canvas.activate(1).unwrap();
        assert_eq!(canvas.duplicate_frame(0).unwrap(), 1);
        assert_eq!((shown(&canvas), canvas.active()), (vec![1, 1, 2, 3], 2));
        assert_eq!(canvas.duplicate_frame(2).unwrap(), 3);
        assert_eq!((shown(&canvas), canvas.active()), (vec![1, 1, 2, 2, 3], 2));
        canvas.remove_frame(0).unwrap();
        assert_eq!((shown(&canvas), canvas.active()), (vec![1, 2, 2, 3], 1));
        canvas.move_frame(1, 3).unwrap();
        assert_eq!((shown(&canvas), canvas.active()), (vec![1, 2, 3, 2], 3));
    }

    #[test]
    fn removing_the_active_frame_leaves_its_number_or_the_last() {
        let mut canvas = strip(&[1, 2, 3]);
        canvas.activate(1).unwrap().remove_frame(1).unwrap();
        assert_eq!((shown(&canvas), canvas.active()), (vec![1, 3], 1));
        canvas.remove_frame(1).unwrap();
        assert_eq!((shown(&canvas), canvas.active()), (vec![1], 0));
        assert_eq!(
            canvas.remove_frame(0).unwrap_err().to_string(),
            "frame 0 is the only one left, and a canvas keeps at least one; despawn the canvas instead"
        );
    }

    #[test]
    fn a_frame_that_does_not_exist_is_named() {
        let mut canvas = strip(&[1, 2]);
        let expected = "frame 2 does not exist; the canvas has 2 (0 to 1)";
        assert_eq!(canvas.activate(2).unwrap_err().to_string(), expected);
        assert_eq!(canvas.remove_frame(2).unwrap_err().to_string(), expected);
        assert_eq!(canvas.duplicate_frame(2).unwrap_err().to_string(), expected);
        assert_eq!(canvas.move_frame(0, 2).unwrap_err().to_string(), expected);
        assert_eq!(canvas.move_frame(2, 0).unwrap_err().to_string(), expected);
        assert_eq!(canvas.frame_pixels(2).unwrap_err().to_string(), expected);
    }

    #[test]
    fn ids_stay_and_are_not_used_again() {
        let mut canvas = strip(&[1, 2, 3]);
        let id = canvas.frame_id(2).unwrap();
        canvas.remove_frame(0).unwrap();
        assert_eq!(canvas.frame_index(id).unwrap(), 1);
        canvas.remove_frame(1).unwrap();
        assert!(canvas.frame_index(id).is_err());
        let next = canvas.add_frame().unwrap();
        assert_ne!(canvas.frame_id(next).unwrap(), id);
    }

    #[test]
    fn frames_end_at_the_stated_limits() {
        let mut canvas = Canvas::new(1, 1, Palette::default()).unwrap();
        for _ in 1..MAX_FRAMES {
            canvas.add_frame().unwrap();
        }
        assert!(canvas.add_frame().is_err());
        assert_eq!(canvas.frame_count(), MAX_FRAMES);

        let mut large = Canvas::new(4096, 4096, Palette::default()).unwrap();
        for _ in 1..4 {
            large.add_frame().unwrap();
        }
        assert_eq!(
            large.add_frame().unwrap_err().to_string(),
            "the frames of a canvas: expected 1 to 1024 frames and at most 67108864 pixels in all, found 5 frames of 4096 x 4096"
        );
    }
}
