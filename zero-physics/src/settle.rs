//! Letting a body come to rest.

use crate::error::{Error, Result};
use crate::world::{BodyId, BodyState, World};

/// Where a body came to rest, or how far it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// How the body is at the end.
    pub state: BodyState,
    /// Whether it came to rest, and not merely to the end of the time.
    pub at_rest: bool,
    /// Steps that it took.
    pub steps: u64,
    /// The time of those steps, in seconds. Of a body that came to rest the last half second is what it lay still for.
    pub secs: f64,
}

impl World {
    /// Steps the world until a body sleeps, or for at least `max_secs` seconds.
    ///
    /// Everything else in the world moves along. A body that sleeps already takes no step.
    ///
    /// # Errors
    /// [`Error::Value`] where `max_secs` is not a finite number from 0 up, [`Error::Missing`] where the body is not in this
    /// world, and as [`step`](World::step).
    pub fn settle(&mut self, body: BodyId, max_secs: f32) -> Result<Settled> {
        if !(max_secs >= 0.0 && max_secs.is_finite()) {
            return Err(Error::value(
                "the longest time to settle",
                "finite seconds from 0 up",
                max_secs,
            ));
        }
        let step_secs = f64::from(self.options().step_secs);
        let most = (f64::from(max_secs) / step_secs).ceil() as u64;
        let mut steps = 0;
        let mut state = self.body(body)?;
        while !state.asleep && steps < most {
            self.step()?;
            steps += 1;
            state = self.body(body)?;
        }
        Ok(Settled {
            state,
            at_rest: state.asleep,
            steps,
            secs: steps as f64 * step_secs,
        })
    }
}
