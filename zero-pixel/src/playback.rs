//! Time: the rate, play, stop, and steps by the time that the host hands in. No clock is read.

use crate::canvas::Canvas;
use crate::error::{Error, Result};
use std::time::Duration;

/// What follows a canvas's last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Repeat {
    /// The first frame again.
    #[default]
    Loop,
    /// Nothing: it stops on the last frame, after that was shown for its time.
    Once,
}

/// What a step of time did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The active frame after it.
    pub frame: usize,
    /// Whether that is another one than before.
    pub changed: bool,
    /// Whether playing came to its end in this step.
    pub ended: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Playback {
    rate: f32,
    repeat: Repeat,
    run: Option<Run>,
}

/// A run of playing: the frame it is counted from, and the time since that frame appeared. Time is added as whole
/// nanoseconds, so that many small steps reach what one large step reaches.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: usize,
    since: Duration,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            rate: Canvas::DEFAULT_RATE_FPS,
            repeat: Repeat::Loop,
            run: None,
        }
    }
}

impl Playback {
    pub(crate) fn new(rate: f32, repeat: Repeat) -> Self {
        Self {
            rate,
            repeat,
            run: None,
        }
    }

    pub(crate) fn rate_fps(&self) -> f32 {
        self.rate
    }

    pub(crate) fn repeat(&self) -> Repeat {
        self.repeat
    }
}

/// The slowest rate, in frames a second.
pub const MIN_RATE_FPS: f32 = 0.01;
/// The fastest rate, in frames a second.
pub const MAX_RATE_FPS: f32 = 1000.0;

pub(crate) fn check_rate(rate_fps: f32) -> Result<()> {
    match (MIN_RATE_FPS..=MAX_RATE_FPS).contains(&rate_fps) {
        true => Ok(()),
        false => {
            let expected = format!("{MIN_RATE_FPS} to {MAX_RATE_FPS} frames a second");
            Err(Error::range("the rate of a canvas", expected, rate_fps))
        }
    }
}

impl Canvas {
    /// The rate unless another is set, in frames a second.
    pub const DEFAULT_RATE_FPS: f32 = 8.0;

    /// Frames a second.
    #[must_use]
    pub fn rate_fps(&self) -> f32 {
        self.playback.rate
    }

    /// Sets the rate in frames a second. While playing, the frame that is shown starts its time anew.
    ///
    /// # Errors
    /// [`Error::Range`] unless it is within [`MIN_RATE_FPS`] and [`MAX_RATE_FPS`].
    pub fn set_rate_fps(&mut self, rate_fps: f32) -> Result<&mut Self> {
        check_rate(rate_fps)?;
        self.playback.rate = rate_fps;
        self.restart_run();
        Ok(self)
    }

    /// What follows the last frame.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.playback.repeat
    }

    /// Sets what follows the last frame.
    pub fn set_repeat(&mut self, repeat: Repeat) -> &mut Self {
        self.playback.repeat = repeat;
        self.restart_run();
        self
    }

    /// Whether it plays.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playback.run.is_some()
    }

    /// Plays on from the active frame, or from frame 0 where the active one is the last and nothing follows it. A
    /// canvas that plays already goes on undisturbed.
    pub fn play(&mut self) -> &mut Self {
        if self.is_playing() {
            return self;
        }
        if self.playback.repeat == Repeat::Once && self.active + 1 == self.frames.len() {
            self.active = 0;
        }
        self.playback.run = Some(Run {
            from: self.active,
            since: Duration::ZERO,
        });
        self
    }

    /// Stops. The active frame stays where it is.
    pub fn stop(&mut self) -> &mut Self {
        self.playback.run = None;
        self
    }

    /// Lets time pass: a canvas that plays shows frame `floor(t * rate)` counted from where it began, `t` being the
    /// sum of what was handed in. However the time is cut into steps, the frame is the same. One that does not play
    /// stays as it is.
    pub fn advance(&mut self, time: Duration) -> Step {
        let before = self.active;
        let Some(run) = self.playback.run.as_mut() else {
            return Step {
                frame: before,
                changed: false,
                ended: false,
            };
        };
        run.since = run.since.saturating_add(time);
        let (from, passed) = (run.from, frames_passed(run.since, self.playback.rate));
        let frames = u64::try_from(self.frames.len()).unwrap_or(u64::MAX);
        let reached = u64::try_from(from).unwrap_or(u64::MAX).saturating_add(passed);
        let ended = self.playback.repeat == Repeat::Once && reached >= frames;
        let frame = match self.playback.repeat {
            Repeat::Loop => reached % frames.max(1),
            Repeat::Once => reached.min(frames.saturating_sub(1)),
        };
        self.active = usize::try_from(frame).unwrap_or(before);
        if ended {
            self.playback.run = None;
        }
        Step {
            frame: self.active,
            changed: self.active != before,
            ended,
        }
    }

    /// Counts on from the active frame: the frames, the rate or the active frame itself were changed by hand.
    pub(crate) fn restart_run(&mut self) {
        let active = self.active;
        if let Some(run) = self.playback.run.as_mut() {
            *run = Run {
                from: active,
                since: Duration::ZERO,
            };
        }
    }
}

/// `floor(since * rate)`. In f64 the product is exact for the first weeks of whole nanoseconds, and never off by
/// more than its last bit.
fn frames_passed(since: Duration, rate_fps: f32) -> u64 {
    const NANOS_A_SECOND: f64 = 1e9;
    let frames = (since.as_nanos() as f64 * f64::from(rate_fps) / NANOS_A_SECOND).floor();
    // From float to integer the cast saturates; a rate is never negative or NaN.
    frames as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Palette};

    fn canvas(frames: usize, rate: f32) -> Canvas {
        let mut canvas = Canvas::new(2, 2, Palette::new([Color::BLACK]).unwrap()).unwrap();
        for _ in 1..frames {
            canvas.add_frame().unwrap();
        }
        canvas.set_rate_fps(rate).unwrap();
        canvas
    }

    #[test]
    fn a_loop_goes_round_and_stop_keeps_the_frame() {
        let mut canvas = canvas(3, 10.0);
        assert!(!canvas.advance(Duration::from_secs(1)).changed);
        canvas.play();
        let mut shown = Vec::new();
        for _ in 0..7 {
            shown.push(canvas.advance(Duration::from_millis(100)).frame);
        }
        assert_eq!(shown, [1, 2, 0, 1, 2, 0, 1]);
        canvas.stop();
        assert_eq!(canvas.advance(Duration::from_secs(1)).frame, 1);
        assert!(!canvas.is_playing());
        // Playing again starts from the frame it stopped on, with its whole time before it.
        assert_eq!(canvas.play().advance(Duration::from_millis(99)).frame, 1);
        assert_eq!(canvas.advance(Duration::from_millis(1)).frame, 2);
    }

    #[test]
    fn once_ends_after_the_last_frame_had_its_time() {
        let mut canvas = canvas(3, 10.0);
        canvas.set_repeat(Repeat::Once).play();
        assert_eq!(canvas.advance(Duration::from_millis(200)).frame, 2);
        assert!(canvas.is_playing());
        let end = canvas.advance(Duration::from_millis(100));
        assert_eq!((end.frame, end.changed, end.ended), (2, false, true));
        assert!(!canvas.is_playing());
        canvas.play();
        assert_eq!(canvas.active(), 0);
    }

    #[test]
    fn a_day_in_one_step_and_in_many_reach_the_same_frame() {
        for (rate, step_ns) in [(12.0, 16_666_667), (7.3, 33_333_333), (59.94, 1_000_003)] {
            let (mut many, mut one) = (canvas(7, rate), canvas(7, rate));
            many.play();
            one.play();
            let step = Duration::from_nanos(step_ns);
            for _ in 0..50_000 {
                many.advance(step);
            }
            assert_eq!(
                many.advance(Duration::ZERO).frame,
                one.advance(step * 50_000).frame,
                "{rate}"
            );
        }
    }

    #[test]
    fn whole_frames_land_on_whole_times() {
        let mut canvas = canvas(1000, 12.0);
        canvas.play();
        for quarter in 1..=300 {
            assert_eq!(canvas.advance(Duration::from_millis(250)).frame, quarter * 3);
        }
    }

    #[test]
    fn rates_out_of_range_are_refused() {
        let mut canvas = canvas(1, 10.0);
        for bad in [0.0, -1.0, 1000.1, f32::NAN, f32::INFINITY] {
            assert!(canvas.set_rate_fps(bad).is_err(), "{bad}");
        }
        assert_eq!(canvas.rate_fps(), 10.0);
        let error = canvas.set_rate_fps(0.0).unwrap_err().to_string();
        assert_eq!(
            error,
            "the rate of a canvas: expected 0.01 to 1000 frames a second, found 0"
        );
    }
}
