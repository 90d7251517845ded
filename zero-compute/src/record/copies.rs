//! Copies and fills. They are kernels, so that a list stays one pass.

use super::Recorder;
use super::shape::shape_text;
use crate::args::{Args, Domain};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::moves;

impl Recorder {
    /// A column of its own with the same words, copied when the list runs; the live count is copied too.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] and [`Error::TooLarge`].
    pub fn copy(&mut self, column: &Column) -> Result<Column> {
        self.all_or_nothing(|rec| rec.copy_steps(column))
    }

    fn copy_steps(&mut self, column: &Column) -> Result<Column> {
        let to = self.output(column.element(), column.lanes(), column.capacity(), "copy", "dst")?;
        let to = match column.live_count() {
            None => to,
            Some(_) => to.with_live(&self.output(Element::U32, 1, 1, "copy", "dst_count")?)?,
        };
        self.copy_into(column, &to)?;
        Ok(to)
    }

    /// Copies the words of one column into another of the same length, and with a live column its count. A live
    /// destination of a column that is not live becomes live in full.
    ///
    /// # Errors
    /// [`Error::WrongShape`] where the lengths differ, [`Error::Aliased`] for a column into itself.
    pub fn copy_into(&mut self, from: &Column, to: &Column) -> Result<()> {
        self.all_or_nothing(|rec| rec.copy_into_steps(from, to))
    }

    fn copy_into_steps(&mut self, from: &Column, to: &Column) -> Result<()> {
        if from.words() != to.words() || from.lanes() != to.lanes() {
            return Err(Error::WrongShape {
                kernel: "copy".to_owned(),
                binding: "dst".to_owned(),
                expected: shape_text(from.capacity(), from.lanes()),
                found: shape_text(to.capacity(), to.lanes()),
            });
        }
        let (src, dst) = (moves::words_of(from)?, moves::words_of(to)?);
        let args = Args::new().with("src", &src).with("dst", &dst);
        self.dispatch(&moves::COPY, args, Domain::of(&src))?;
        match (from.live_count(), to.live_count()) {
            (Some(src), Some(dst)) => {
                let args = Args::new().with("src", &src).with("dst", &dst);
                self.dispatch(&moves::COPY, args, Domain::count(1))?;
            }
            (None, Some(dst)) => self.fill(&dst, from.capacity())?,
            (_, None) => {}
        }
        Ok(())
    }

    /// Sets every word of a column's capacity to these bits.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a column of another device.
    pub fn fill(&mut self, column: &Column, bits: u32) -> Result<()> {
        let dst = moves::words_of(column)?;
        let args = Args::new().with("dst", &dst).with("bits", bits);
        self.dispatch(&moves::FILL, args, Domain::of(&dst))?;
        Ok(())
    }
}
