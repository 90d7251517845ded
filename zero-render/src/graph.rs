//! The plan of a frame, made from the features' descriptions alone: no device is needed to make or to test one.

use std::collections::{BTreeMap, BTreeSet};

use wgpu::TextureFormat;

use crate::{Channel, FeatureDesc, RenderError, Result, Seam};

/// One thing that the frame does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Empties a channel whose first writer rests in this frame: everything in it becomes 0.
    Clear(Channel),
    /// The sun's shadow cascades.
    Shadows,
    /// Depth of every opaque mesh. Writes `depth`.
    DepthPrepass,
    /// Shades every opaque mesh. Writes `sceneColor` and, where something wants them, `normal` and `material`.
    Opaque,
    /// Brings the multisampled attachment of `sceneColor` or `depth` into the channel that is read.
    Resolve(Channel),
    /// Keeps the scene's light for the next frame.
    KeepHistory,
    /// A feature.
    Feature {
        /// Its place in the list that the plan was made from.
        index: usize,
        /// It reads `sceneColor` and writes it, one sample a pixel, so that the two are different textures.
        swaps_scene_color: bool,
    },
}

/// A channel that needs a texture of its own in this frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChannelUse {
    /// Its format.
    pub format: TextureFormat,
    /// Something reads what the last frame left in it, so that there are two textures in turn.
    pub keeps_previous: bool,
}

/// The steps of a frame in order, and the channels that they need.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FramePlan {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// The single-sample channel textures, by name.
    pub channels: BTreeMap<Channel, ChannelUse>,
    /// `normal` and `material` are wanted from the opaque pass: something reads or writes one of them.
    pub surface_channels: bool,
    /// Some post feature reads and writes `sceneColor`.
    pub swaps_scene_color: bool,
}

impl FramePlan {
    /// Plans a frame of these features. Features run by seam, then by order, then as listed.
    ///
    /// # Errors
    /// Two features of one name; a channel that is read and that nothing writes, or that is written only later; a
    /// write where the frame could not keep it; a channel of the caller's own without one clear format; nothing that
    /// writes `output`.
    pub fn new(features: &[FeatureDesc]) -> Result<Self> {
        Self::with_active(features, |_| true)
    }

    /// Plans a frame in which some of these features rest: the function says of a place in the list whether that
    /// feature takes part.
    ///
    /// What a resting feature alone reads is not brought up to date, and a channel that it would have been the first to
    /// write is cleared. Only what a later frame may ask for goes on: the history, and each channel of which some feature
    /// reads the last frame's, resting or not.
    ///
    /// # Errors
    /// As [`new`](Self::new) of the whole list; [`RenderError::NoOutput`] too where all that write `output` rest.
    pub fn with_active(features: &[FeatureDesc], active: impl Fn(usize) -> bool) -> Result<Self> {
        let active = (0..features.len()).map(active).collect();
        let mut builder = Builder::new(features, active)?;
        builder.run()?;
        Ok(builder.plan)
    }

    /// The steps as one line each, for a log or a test.
    #[must_use]
    pub fn describe(&self, features: &[FeatureDesc]) -> Vec<String> {
        let line = |step: &Step| match step {
            Step::Clear(channel) => format!("clear {channel}"),
            Step::Shadows => "shadows".to_owned(),
            Step::DepthPrepass => "depthPrepass".to_owned(),
            Step::Opaque => "opaque".to_owned(),
            Step::Resolve(channel) => format!("resolve {channel}"),
            Step::KeepHistory => "keepHistory".to_owned(),
            Step::Feature { index, .. } => features
                .get(*index)
                .map_or_else(|| format!("feature {index}"), |f| f.name.clone()),
        };
        self.steps.iter().map(line).collect()
    }
}

/// Who writes each channel first, and what has been written so far.
struct Builder<'a> {
    features: &'a [FeatureDesc],
    /// Which of them take part in this frame.
    active: Vec<bool>,
    sorted: Vec<usize>,
    own_formats: BTreeMap<Channel, TextureFormat>,
    written: BTreeSet<Channel>,
    /// Attachments that are newer than the channel that is read.
    stale: BTreeSet<Channel>,
    plan: FramePlan,
}

impl<'a> Builder<'a> {
    fn new(features: &'a [FeatureDesc], active: Vec<bool>) -> Result<Self> {
        let mut names = BTreeSet::new();
        for feature in features {
            if !names.insert(&feature.name) {
                return Err(RenderError::DuplicateFeature {
                    feature: feature.name.clone(),
                });
            }
        }
        let mut sorted: Vec<usize> = (0..features.len()).collect();
        sorted.sort_by_key(|&i| (features[i].seam, features[i].order, i));
        Ok(Self {
            features,
            active,
            sorted,
            own_formats: own_formats(features)?,
            written: BTreeSet::new(),
            stale: BTreeSet::new(),
            plan: FramePlan::default(),
        })
    }

    fn run(&mut self) -> Result<()> {
        // A feature that only writes one of them draws over what the opaque pass left there.
        self.plan.surface_channels = [Channel::NORMAL, Channel::MATERIAL]
            .iter()
            .any(|c| self.anything_reads(c) || self.features.iter().any(|f| f.writes.contains(c)));
        self.plan.steps.extend([Step::Shadows, Step::DepthPrepass]);
        self.mark_written(&[Channel::DEPTH]);
        self.stale.insert(Channel::DEPTH);
        self.seam(Seam::AfterDepthPrepass)?;
        self.plan.steps.push(Step::Opaque);
        self.mark_written(&[Channel::SCENE_COLOR, Channel::NORMAL, Channel::MATERIAL]);
        self.stale.insert(Channel::SCENE_COLOR);
        if self.plan.surface_channels {
            self.use_channel(&Channel::NORMAL);
            self.use_channel(&Channel::MATERIAL);
        }
        self.seam(Seam::AfterOpaque)?;
        self.seam(Seam::AfterTransparent)?;
        if self.anything_reads(&Channel::COLOR_HISTORY) {
            self.freshen(&Channel::SCENE_COLOR);
            self.use_channel(&Channel::COLOR_HISTORY);
            self.plan.steps.push(Step::KeepHistory);
        }
        // A later frame reads the depth that stood at the end of the scene, whether or not this one does.
        if self.keeps_previous(&Channel::DEPTH) {
            self.freshen(&Channel::DEPTH);
        }
        self.seam(Seam::Post)?;
        self.clear_unwritten();
        if self.written.contains(&Channel::OUTPUT) {
            Ok(())
        } else {
            Err(RenderError::NoOutput)
        }
    }

    fn seam(&mut self, seam: Seam) -> Result<()> {
        for i in 0..self.sorted.len() {
            let index = self.sorted[i];
            let feature = &self.features[index];
            if feature.seam != seam {
                continue;
            }
            self.check(feature)?;
            if self.active[index] {
                self.feature(index, feature);
            } else {
                // Later readers find the channel cleared; nothing stands in for the host's view.
                let written = feature.writes.iter().filter(|c| **c != Channel::OUTPUT);
                self.written.extend(written.cloned());
            }
        }
        Ok(())
    }

    /// Clears, before all else, the channels in use that hold an older frame's contents because the feature that would
    /// have written them first rests.
    fn clear_unwritten(&mut self) {
        let mut seen = BTreeSet::new();
        let mut clears = Vec::new();
        for &index in &self.sorted {
            for channel in &self.features[index].writes {
                if *channel == Channel::OUTPUT || channel.is_written_by_frame() || !seen.insert(channel) {
                    continue;
                }
                if !self.active[index] && (self.plan.channels.contains_key(channel) || self.keeps_previous(channel)) {
                    clears.push(channel.clone());
                }
            }
        }
        for channel in &clears {
            self.use_channel(channel);
        }
        self.plan.steps.splice(0..0, clears.into_iter().map(Step::Clear));
    }

    fn check(&self, feature: &FeatureDesc) -> Result<()> {
        let mut reads = feature.reads.iter();
        reads.try_for_each(|channel| self.check_read(feature, channel))?;
        let mut previous = feature.reads_previous.iter();
        previous.try_for_each(|channel| self.check_previous(feature, channel))?;
        let mut writes = feature.writes.iter();
        writes.try_for_each(|channel| self.check_write(feature, channel))
    }

    fn feature(&mut self, index: usize, feature: &FeatureDesc) {
        for channel in &feature.reads {
            self.freshen(channel);
        }
        for channel in &feature.reads_previous {
            self.use_channel(channel);
        }
        let mut swaps_scene_color = false;
        for channel in &feature.writes {
            if *channel == Channel::OUTPUT {
                continue;
            }
            if feature.seam == Seam::Post && *channel == Channel::SCENE_COLOR {
                self.freshen(channel);
                swaps_scene_color = feature.reads.contains(channel);
                self.plan.swaps_scene_color |= swaps_scene_color;
            } else if *channel == Channel::SCENE_COLOR || *channel == Channel::DEPTH {
                self.stale.insert(channel.clone());
            } else {
                self.use_channel(channel);
            }
        }
        self.mark_written(&feature.writes);
        self.plan.steps.push(Step::Feature {
            index,
            swaps_scene_color,
        });
    }

    /// Puts a resolve before a reader of an attachment that changed since the last one.
    fn freshen(&mut self, channel: &Channel) {
        self.use_channel(channel);
        if self.stale.remove(channel) {
            self.plan.steps.push(Step::Resolve(channel.clone()));
        }
    }

    fn use_channel(&mut self, channel: &Channel) {
        let format = channel.format().or_else(|| self.own_formats.get(channel).copied());
        if let Some(format) = format {
            let keeps_previous = self.keeps_previous(channel);
            self.plan
                .channels
                .insert(channel.clone(), ChannelUse { format, keeps_previous });
        }
    }

    fn mark_written(&mut self, channels: &[Channel]) {
        self.written.extend(channels.iter().cloned());
    }

    /// Some feature reads what the last frame left in the channel. One that rests may be back in the next frame.
    fn keeps_previous(&self, channel: &Channel) -> bool {
        self.features.iter().any(|f| f.reads_previous.contains(channel))
    }

    fn anything_reads(&self, channel: &Channel) -> bool {
        self.features
            .iter()
            .any(|f| f.reads.contains(channel) || f.reads_previous.contains(channel))
    }

    fn check_read(&self, feature: &FeatureDesc, channel: &Channel) -> Result<()> {
        // Last frame's light is there before anything is drawn.
        if *channel == Channel::COLOR_HISTORY || (self.written.contains(channel) && *channel != Channel::OUTPUT) {
            return Ok(());
        }
        match self.first_writer(channel).filter(|_| *channel != Channel::OUTPUT) {
            Some(writer) => Err(RenderError::ReadTooEarly {
                feature: feature.name.clone(),
                channel: channel.clone(),
                seam: feature.seam,
                writer,
            }),
            None => Err(self.missing(feature, channel)),
        }
    }

    fn check_previous(&self, feature: &FeatureDesc, channel: &Channel) -> Result<()> {
        let reason = match channel.name() {
            "sceneColor" => Some("the last frame's light is channel `colorHistory`; list it under `reads`"),
            "colorHistory" => Some("it already is the last frame's; list it under `reads`"),
            "output" => Some("it is the host's"),
            _ => None,
        };
        if let Some(reason) = reason {
            return Err(RenderError::PreviousNotKept {
                feature: feature.name.clone(),
                channel: channel.clone(),
                reason,
            });
        }
        match self.first_writer(channel) {
            Some(_) => Ok(()),
            None => Err(self.missing(feature, channel)),
        }
    }

    fn missing(&self, feature: &FeatureDesc, channel: &Channel) -> RenderError {
        let mut all: BTreeSet<&str> = ["depth", "sceneColor", "normal", "material"].into();
        all.extend(
            self.features
                .iter()
                .flat_map(|f| &f.writes)
                .filter(|c| **c != Channel::OUTPUT)
                .map(Channel::name),
        );
        RenderError::MissingChannel {
            feature: feature.name.clone(),
            channel: channel.clone(),
            written: all.into_iter().collect::<Vec<_>>().join(", "),
        }
    }

    fn first_writer(&self, channel: &Channel) -> Option<String> {
        match channel.name() {
            "depth" => return Some("the depth prepass".to_owned()),
            "sceneColor" | "normal" | "material" => return Some("the opaque pass".to_owned()),
            _ => {}
        }
        let mut writers = self
            .sorted
            .iter()
            .map(|&i| &self.features[i])
            .filter(|f| f.writes.contains(channel));
        writers.next().map(|f| format!("feature {}", f.name))
    }

    fn check_write(&self, feature: &FeatureDesc, channel: &Channel) -> Result<()> {
        let seam = feature.seam;
        let reason = match channel.name() {
            "colorHistory" => "the frame itself writes it, from `sceneColor`",
            "output" if seam != Seam::Post => "the host's view is written at `post`",
            "sceneColor" | "normal" | "material" if seam == Seam::AfterDepthPrepass => {
                "the opaque pass, which comes after, clears it"
            }
            "depth" if seam == Seam::Post => "depth is closed by then; write it at an earlier seam",
            "reflection" if seam != Seam::AfterDepthPrepass => {
                "surfaces read it in the opaque pass, which is over; write it at `afterDepthPrepass`"
            }
            _ => return Ok(()),
        };
        Err(RenderError::WriteNotAllowed {
            feature: feature.name.clone(),
            channel: channel.clone(),
            seam,
            reason,
        })
    }
}

fn own_formats(features: &[FeatureDesc]) -> Result<BTreeMap<Channel, TextureFormat>> {
    let mut formats = BTreeMap::new();
    let error = |feature: &FeatureDesc, channel: &Channel, reason| {
        Err(RenderError::ChannelFormat {
            feature: feature.name.clone(),
            channel: channel.clone(),
            reason,
        })
    };
    for feature in features {
        for (channel, format) in &feature.own_formats {
            if channel.format().is_some() || *channel == Channel::OUTPUT {
                return error(feature, channel, "its format is the frame's to say; use `writes`");
            }
            if *formats.entry(channel.clone()).or_insert(*format) != *format {
                return error(feature, channel, "another feature declares another format for it");
            }
        }
    }
    for feature in features {
        for channel in &feature.writes {
            if channel.format().is_none() && *channel != Channel::OUTPUT && !formats.contains_key(channel) {
                return error(
                    feature,
                    channel,
                    "it is not one of the frame's and no format is declared; use `writes_own`",
                );
            }
        }
    }
    Ok(formats)
}
