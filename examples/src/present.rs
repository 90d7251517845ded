//! Waiting for a whole frame, as a program without a loop of its own does.

use crate::Result;
use zero_compute::Exec;
use zero_procgen::{Clock, Frame, Play, Present};

/// Presents until the frame is whole, driving the device meanwhile.
///
/// # Errors
/// Those of the cook.
pub fn whole(play: &mut Play, clock: Clock) -> Result<Frame> {
    loop {
        match play.present(clock, &Exec::default())? {
            Present::Whole(frame) => return Ok(frame),
            Present::Pending => {
                play.device().poll();
            }
        }
    }
}
