//! Several dispatches recorded as one: all of them, or none.

use super::Recorder;
use crate::error::Result;
use crate::guard::Guards;

/// How far a recorder had come.
struct Mark {
    steps: usize,
    params: usize,
    workspaces: usize,
    guards: Option<usize>,
}

impl Recorder {
    /// Records all that `record` records, or, where it answers an error, nothing of it: dispatches and guards that it
    /// recorded are taken out again, and the columns that they were for go back to the pool with their last handle. Every
    /// operation of this crate that records more than one dispatch does so.
    ///
    /// ```
    /// use zero_compute::*;
    /// let device = Device::cpu(CpuOptions::default());
    /// let column = device.column(Element::U32, 1, 4)?;
    /// let mut rec = device.record("step");
    /// rec.fill(&column, 1)?;
    /// let failed: Result<()> = rec.all_or_nothing(|rec| {
    ///     rec.fill(&column, 2)?;
    ///     Err(Error::Cancelled)
    /// });
    /// assert_eq!(failed, Err(Error::Cancelled));
    /// assert_eq!(rec.finish()?.dispatches(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// That of `record`.
    pub fn all_or_nothing<T>(&mut self, record: impl FnOnce(&mut Recorder) -> Result<T>) -> Result<T> {
        let mark = Mark {
            steps: self.steps.len(),
            params: self.params.len(),
            workspaces: self.scratch.len(),
            guards: self.guards.as_ref().map(Guards::len),
        };
        record(self).inspect_err(|_| self.take_back(&mark))
    }

    fn take_back(&mut self, mark: &Mark) {
        self.steps.truncate(mark.steps);
        self.params.truncate(mark.params);
        self.scratch.truncate(mark.workspaces);
        match (mark.guards, &mut self.guards) {
            (Some(guards), Some(ours)) => ours.truncate(guards),
            (None, guards) => *guards = None,
            (Some(_), None) => {}
        }
    }
}
