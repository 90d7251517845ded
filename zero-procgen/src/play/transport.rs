//! The playhead of a timeline: when a graph is shown, as time passes.

use super::moving::Clock;
use crate::error::{Error, Result};
use crate::graph::timeline::{Ending, Pace, Timeline};

/// When a playhead begins to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PlayOn {
    /// At once on a timeline without an end; any other waits on its first frame.
    #[default]
    Auto,
    /// At once.
    Load,
    /// When it is asked to.
    Manual,
}

/// A playhead over a timeline. It holds no clock of its own: the host says how much time has passed, and it says which
/// [`Clock`] to present.
#[derive(Clone, Debug, PartialEq)]
pub struct Transport {
    timeline: Timeline,
    /// What the host says instead of the timeline.
    ending: Option<Ending>,
    range: Option<(i32, i32)>,
    speed: f64,
    playing: bool,
    frame: i32,
    /// Seconds past the beginning of the frame, below those that a frame lasts.
    past_secs: f64,
    finished: bool,
}

/// What a sum of frame times may fall short of a frame by, in frames.
const SHORT_OF: f64 = 1e-6;

impl Transport {
    /// A playhead on the first frame of a timeline.
    ///
    /// # Errors
    /// [`Error::Refused`] for a timeline of no frames or of no rate.
    pub fn new(timeline: Timeline, play_on: PlayOn) -> Result<Transport> {
        timeline.check().map_err(Error::Refused)?;
        let mut transport = Transport {
            timeline,
            ending: None,
            range: None,
            speed: 1.0,
            playing: false,
            frame: 0,
            past_secs: 0.0,
            finished: false,
        };
        transport.playing = match play_on {
            PlayOn::Auto => !transport.ends(),
            PlayOn::Load => true,
            PlayOn::Manual => false,
        };
        Ok(transport)
    }

    /// Another timeline under the same playhead.
    pub(crate) fn retime(&mut self, timeline: Timeline) {
        self.timeline = timeline;
        self.place(self.frame, 0.0);
    }

    /// The timeline, with what the host has set of it.
    pub fn timeline(&self) -> Timeline {
        let ending = self.ending.unwrap_or(self.timeline.ending);
        Timeline {
            ending,
            ..self.timeline
        }
    }
    /// The frame the playhead is on.
    pub fn frame(&self) -> i32 {
        self.frame
    }
    /// Seconds from the timeline's beginning to the playhead: on a frame, but in real time.
    pub fn time_secs(&self) -> f64 {
        let past = match self.timeline.pace {
            Pace::Frames => 0.0,
            Pace::RealTime => self.past_secs,
        };
        f64::from(self.frame) / self.timeline.fps + past
    }
    /// The first frame that is played.
    pub fn first(&self) -> i32 {
        self.range.map_or(0, |(first, _)| first)
    }
    /// The last frame that is played, where there is one.
    pub fn last(&self) -> Option<i32> {
        let stated = || Some(i32::try_from(self.timeline.frames?).unwrap_or(i32::MAX) - 1);
        self.range.map(|(_, last)| last).or_else(stated)
    }
    /// Whether the timeline has an end.
    pub fn ends(&self) -> bool {
        self.last().is_some()
    }
    /// Whether the playhead moves as time passes.
    pub fn is_playing(&self) -> bool {
        self.playing
    }
    /// How fast it moves: 1 at the timeline's own rate.
    pub fn speed(&self) -> f64 {
        self.speed
    }
    /// Whether a range that is played once has reached its end since this was last asked.
    pub fn take_finished(&mut self) -> bool {
        std::mem::take(&mut self.finished)
    }

    /// What to present.
    pub fn clock(&self) -> Clock {
        let fps = self.timeline.fps;
        let stated = self.timeline.frames.map(f64::from);
        let frames = stated.or(self.range.map(|(_, last)| f64::from(last) + 1.0));
        Clock {
            time_secs: self.time_secs(),
            frame: self.frame,
            fps,
            duration_secs: frames.map_or(0.0, |frames| frames / fps),
            ..Clock::default()
        }
    }

    /// Moves on; one that was held at its end begins again.
    pub fn play(&mut self) {
        let at_end = match self.speed < 0.0 {
            true => self.ends() && self.frame <= self.first(),
            false => self.last().is_some_and(|last| self.frame >= last),
        };
        if at_end && !self.playing {
            self.place(self.start(), 0.0);
        }
        self.playing = true;
    }
    /// Stays where it is.
    pub fn pause(&mut self) {
        self.playing = false;
    }
    /// To a time; outside the range to the nearest frame of it.
    ///
    /// # Errors
    /// [`Error::Refused`] where the time is not finite.
    pub fn seek(&mut self, time_secs: f64) -> Result<()> {
        finite("a time to seek", time_secs)?;
        let frames = (time_secs * self.timeline.fps + SHORT_OF).floor();
        let frame = frames.clamp(0.0, f64::from(i32::MAX)) as i32;
        self.place(frame, time_secs - frames / self.timeline.fps);
        Ok(())
    }
    /// To a frame; outside the range to the nearest of it.
    pub fn seek_frame(&mut self, frame: i32) {
        self.place(frame, 0.0);
    }
    /// Begins again at the end, whatever the graph states.
    pub fn set_ending(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }
    /// Does at the end what the graph states.
    pub fn clear_ending(&mut self) {
        self.ending = None;
    }
    /// Plays these frames alone, both included. It gives a timeline without an end one.
    ///
    /// # Errors
    /// [`Error::Refused`] where the first is below 0 or past the last.
    pub fn set_range(&mut self, first: i32, last: i32) -> Result<()> {
        if first < 0 || first > last {
            let message =
                format!("a range: expected frames from 0 on, the first not past the last, got {first} to {last}");
            return Err(Error::Refused(message));
        }
        self.range = Some((first, last));
        self.place(self.frame, self.past_secs);
        Ok(())
    }
    /// Plays every frame of the timeline again.
    pub fn clear_range(&mut self) {
        self.range = None;
        self.place(self.frame, self.past_secs);
    }
    /// Another rate; the playhead stays on its frame.
    ///
    /// # Errors
    /// [`Error::Refused`] where it is not above 0.
    pub fn set_fps(&mut self, fps: f64) -> Result<()> {
        let timeline = Timeline { fps, ..self.timeline };
        timeline.check().map_err(Error::Refused)?;
        self.timeline = timeline;
        self.past_secs = 0.0;
        Ok(())
    }
    /// What the playhead goes by from here on.
    pub fn set_pace(&mut self, pace: Pace) {
        self.timeline.pace = pace;
        self.past_secs = 0.0;
    }
    /// How fast it moves: 0 stands still, below 0 goes backwards.
    ///
    /// # Errors
    /// [`Error::Refused`] where it is not finite, and below 0 on a timeline without an end.
    pub fn set_speed(&mut self, speed: f64) -> Result<()> {
        finite("a speed", speed)?;
        if speed < 0.0 && !self.ends() {
            let message =
                format!("a speed of {speed}: a timeline without an end is not played backwards; give it a range");
            return Err(Error::Refused(message));
        }
        self.speed = speed;
        Ok(())
    }

    /// Lets time pass. Frame by frame, the playhead moves by one frame at most: time that a frame took longer is let go.
    ///
    /// # Errors
    /// [`Error::Refused`] where the time is not finite or below 0.
    pub fn advance(&mut self, elapsed_secs: f64) -> Result<()> {
        finite("the time that passed", elapsed_secs)?;
        if elapsed_secs < 0.0 {
            let message = format!("the time that passed: expected 0 or more, got {elapsed_secs} s");
            return Err(Error::Refused(message));
        }
        if !self.playing || self.speed == 0.0 {
            return Ok(());
        }
        let fps = self.timeline.fps;
        let past = self.past_secs + elapsed_secs * self.speed;
        let frames = (past * fps + SHORT_OF).floor();
        self.past_secs = (past - frames / fps).max(0.0);
        let frames = match self.timeline.pace {
            Pace::Frames => frames.clamp(-1.0, 1.0),
            Pace::RealTime => frames,
        };
        // As far as frames can be counted.
        let frames = frames.clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i64;
        self.go_to(i64::from(self.frame) + frames);
        Ok(())
    }

    fn go_to(&mut self, frame: i64) {
        let first = i64::from(self.first());
        let Some(last) = self.last().map(i64::from) else {
            self.frame = frame.clamp(first, i64::from(i32::MAX)) as i32;
            return;
        };
        let at_end = if self.speed < 0.0 {
            frame <= first
        } else {
            frame >= last
        };
        match self.timeline().ending {
            Ending::Loop => self.frame = (first + (frame - first).rem_euclid(last - first + 1)) as i32,
            Ending::Hold if at_end => {
                self.place(if self.speed < 0.0 { first } else { last } as i32, 0.0);
                (self.playing, self.finished) = (false, true);
            }
            Ending::Hold => self.frame = frame as i32,
        }
    }

    /// The frame it begins at.
    fn start(&self) -> i32 {
        match self.speed < 0.0 {
            true => self.last().unwrap_or(0),
            false => self.first(),
        }
    }

    /// On a frame, or the nearest that is played.
    fn place(&mut self, frame: i32, past_secs: f64) {
        let nearest = frame.clamp(self.first(), self.last().unwrap_or(i32::MAX));
        self.past_secs = if nearest == frame { past_secs.max(0.0) } else { 0.0 };
        self.frame = nearest;
    }
}

fn finite(what: &str, value: f64) -> Result<()> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(Error::Refused(format!("{what}: expected a finite number, got {value}"))),
    }
}
