//! Waiting for a whole frame, as a program without a loop of its own does.

use crate::Result;
use zero_compute::Exec;
use zero_procgen::{Clock, Frame, Play, Present};

/// Presents until the frame is whole, driving the device meanwhile.
///
/// # Errors
/// Those of the cook.
pub fn whole(play: &mut Play, clock: Clock) -> Result<Frame> {
    whole_with(play, clock, &Exec::default())
}

/// The same, telling its progress and stopping where `exec` says so.
///
/// # Errors
/// Those of the cook.
pub fn whole_with(play: &mut Play, clock: Clock, exec: &Exec<'_>) -> Result<Frame> {
    loop {
        match play.present(clock, exec)? {
            Present::Whole(frame) => return Ok(frame),
            Present::Pending => {
                play.device().poll();
            }
        }
    }
}
