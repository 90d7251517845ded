//! Render features: what a frame is made of, besides the meshes themselves.

use std::fmt;

use wgpu::TextureFormat;

use crate::{Channel, FeatureFrame, FeatureSetup, Result, Scene};

/// A named gap in the frame where features run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seam {
    /// Depth is laid, nothing is shaded yet.
    AfterDepthPrepass,
    /// Opaque meshes are shaded; the built-in sky and water draw here.
    AfterOpaque,
    /// Everything that lies in the scene is drawn.
    AfterTransparent,
    /// The picture is one sample a pixel; tone mapping is the last of these.
    Post,
}

impl Seam {
    /// All seams, in the order in which they run.
    pub const ALL: [Self; 4] = [
        Self::AfterDepthPrepass,
        Self::AfterOpaque,
        Self::AfterTransparent,
        Self::Post,
    ];

    /// The seam's name as scripts and files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AfterDepthPrepass => "afterDepthPrepass",
            Self::AfterOpaque => "afterOpaque",
            Self::AfterTransparent => "afterTransparent",
            Self::Post => "post",
        }
    }
}

impl fmt::Display for Seam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a feature declares: where it runs and which channels it touches. The frame is planned from this alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeatureDesc {
    /// A name, unique in the list.
    pub name: String,
    /// The gap it runs in.
    pub seam: Seam,
    /// Place among the features of one seam: ascending, then as listed.
    pub order: i32,
    /// Channels it reads as they stand when it runs.
    pub reads: Vec<Channel>,
    /// Channels it writes.
    pub writes: Vec<Channel>,
    /// Channels it reads as the last frame left them.
    pub reads_previous: Vec<Channel>,
    /// Formats of the channels that are its own.
    pub own_formats: Vec<(Channel, TextureFormat)>,
}

impl FeatureDesc {
    /// A feature that touches nothing yet.
    #[must_use]
    pub fn new(name: impl Into<String>, seam: Seam, order: i32) -> Self {
        Self {
            name: name.into(),
            seam,
            order,
            reads: Vec::new(),
            writes: Vec::new(),
            reads_previous: Vec::new(),
            own_formats: Vec::new(),
        }
    }

    /// It reads this channel of the frame being drawn.
    #[must_use]
    pub fn reads(mut self, channel: Channel) -> Self {
        self.reads.push(channel);
        self
    }

    /// It writes this channel.
    #[must_use]
    pub fn writes(mut self, channel: Channel) -> Self {
        self.writes.push(channel);
        self
    }

    /// It writes a channel of its own, which has this format.
    #[must_use]
    pub fn writes_own(mut self, channel: Channel, format: TextureFormat) -> Self {
        self.own_formats.push((channel.clone(), format));
        self.writes.push(channel);
        self
    }

    /// It reads what the last frame left in this channel: zeros in the first frame, after a change of size or of the list
    /// of features, and where the channel's writer rested.
    #[must_use]
    pub fn reads_previous(mut self, channel: Channel) -> Self {
        self.reads_previous.push(channel);
        self
    }
}

/// A pass, or a few, that run at one seam of the frame. The built-in sky, water and tone mapping are features too.
///
/// The renderer asks [`desc`](Self::desc) once, when the list is set. [`prepare`](Self::prepare) is called before the
/// first frame; pipelines belong there. [`encode`](Self::encode) is called once a frame and makes no pipeline.
pub trait Feature: fmt::Debug + Send + Sync {
    /// Where it runs and what it touches.
    fn desc(&self) -> FeatureDesc;

    /// Whether it takes part in a frame of this scene. A feature that does not is planned out of that frame, with the
    /// copies that it alone would have needed. What it would have been the first to write is 0 in that frame, for those who
    /// read it all the same; what it reads of the last frame is kept for it, so that it may return in any frame.
    fn active(&self, scene: &Scene) -> bool {
        let _ = scene;
        true
    }

    /// Makes what lasts: pipelines, layouts, buffers.
    ///
    /// # Errors
    /// Whatever keeps it from drawing; wrap foreign errors in [`RenderError::Feature`](crate::RenderError::Feature).
    fn prepare(&mut self, setup: &mut FeatureSetup<'_>) -> Result<()>;

    /// Records its passes.
    ///
    /// # Errors
    /// Whatever keeps it from drawing.
    fn encode(&mut self, frame: &mut FeatureFrame<'_>) -> Result<()>;
}
