//! How a graph says it is played over time.

use super::Graph;
use super::clock::ClockSockets;
use crate::error::Site;

/// What a playhead goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pace {
    /// Frame by frame: none is left out, however long one takes.
    #[default]
    Frames,
    /// By the time that passes, between frames too: what takes long leaves frames out.
    RealTime,
}

/// What happens at the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ending {
    /// It is played once and stays on its last frame.
    #[default]
    Hold,
    /// It begins again.
    Loop,
}

/// How a graph is played over time: frames from 0 on, so many a second, up to the last one where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Timeline {
    /// Frames a second, above 0.
    pub fps: f64,
    /// How many frames there are; nothing where it has no end.
    pub frames: Option<u32>,
    /// What happens at the last of them.
    pub ending: Ending,
    /// What the playhead goes by.
    pub pace: Pace,
}

impl Default for Timeline {
    /// 60 frames a second, without an end.
    fn default() -> Self {
        Timeline::new(60.0)
    }
}

impl Timeline {
    /// So many frames a second, without an end.
    pub fn new(fps: f64) -> Timeline {
        Timeline {
            fps,
            frames: None,
            ending: Ending::Hold,
            pace: Pace::Frames,
        }
    }
    /// The same with so many frames.
    pub fn frames(self, frames: u32) -> Timeline {
        let frames = Some(frames);
        Timeline { frames, ..self }
    }
    /// The same beginning again at its end.
    pub fn looping(self) -> Timeline {
        let ending = Ending::Loop;
        Timeline { ending, ..self }
    }
    /// The same by the time that passes.
    pub fn real_time(self) -> Timeline {
        let pace = Pace::RealTime;
        Timeline { pace, ..self }
    }
    /// Seconds from its first frame to the end of its last, 0 where it has no end.
    pub fn duration_secs(&self) -> f64 {
        self.frames.map_or(0.0, |frames| f64::from(frames) / self.fps)
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if !(self.fps.is_finite() && self.fps > 0.0) {
            return Err(format!("expected frames a second above 0, got {}", self.fps));
        }
        match self.frames {
            Some(frames) if frames == 0 || i32::try_from(frames).is_err() => {
                Err(format!("expected from 1 to {} frames, got {frames}", i32::MAX))
            }
            _ => Ok(()),
        }
    }
}

impl Graph {
    /// States how the graph is played: see [`Transport`](crate::Transport), which every [`Play`](crate::Play) has one of.
    /// It changes no value; a graph that states none is played at 60 frames a second, without an end.
    ///
    /// ```
    /// use zero_compute::{CpuOptions, Device, Exec};
    /// use zero_procgen::nodes::mesh;
    /// use zero_procgen::{Graph, Play, Store, StoreOptions, Timeline, inputs, vec3};
    ///
    /// let graph = Graph::define("growing", |g| {
    ///     g.timeline(Timeline::new(30.0).frames(90));
    ///     let grown = g.clock().time() / g.clock().duration();
    ///     g.output("tower", g.add(mesh::Box::new().size(vec3(1.0, grown * 9.0, 1.0))));
    /// })?;
    /// let store = Store::new(&Device::cpu(CpuOptions::default()), StoreOptions::default());
    /// let mut play = Play::new(&store, &graph, inputs! {})?;
    /// play.transport_mut().play();
    /// while play.transport().is_playing() {
    ///     play.tick(1.0 / 30.0, &Exec::default())?;
    /// }
    /// assert_eq!(play.transport().frame(), 89);
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn timeline(&self, timeline: Timeline) {
        let site = Site::caller();
        if let Err(message) = timeline.check() {
            return self.refuse(site, "timeline", message);
        }
        let held = self.inner.borrow().timeline;
        match held {
            Some(held) if held != timeline => self.refuse(site, "timeline", "two timelines are stated".to_owned()),
            _ => self.inner.borrow_mut().timeline = Some(timeline),
        }
    }
}

impl ClockSockets<'_> {
    /// The timeline that the graph has stated, as the build knows it.
    pub fn timeline(self) -> Option<Timeline> {
        self.graph.inner.borrow().timeline
    }
}
