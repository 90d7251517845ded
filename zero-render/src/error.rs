//! Everything that can go wrong, by name.

use crate::{Channel, Seam};

/// A [`Result`](std::result::Result) of this crate.
pub type Result<T, E = RenderError> = std::result::Result<T, E>;

/// Why a mesh, a frame or a device was refused. Every message names the thing, what was expected and what arrived.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A mesh without vertices or without triangles.
    #[error("mesh `{mesh}` is empty: it has {vertices} vertices and {indices} indices, and needs at least 3 of each")]
    EmptyMesh {
        /// The mesh's name.
        mesh: String,
        /// How many vertices arrived.
        vertices: usize,
        /// How many indices arrived.
        indices: usize,
    },
    /// A vertex attribute whose length is not that of the positions.
    #[error("mesh `{mesh}`: attribute `{attribute}` has {actual} values for {expected} vertices")]
    AttributeLength {
        /// The mesh's name.
        mesh: String,
        /// The attribute's name.
        attribute: &'static str,
        /// The number of vertices.
        expected: usize,
        /// How many values arrived.
        actual: usize,
    },
    /// NaN or infinity in a list of numbers.
    #[error("`{name}`: `{attribute}` of element {index} is {value}, and must be finite")]
    NotFinite {
        /// The mesh, instance set or heightfield.
        name: String,
        /// The attribute's name.
        attribute: &'static str,
        /// The first element that is not finite.
        index: usize,
        /// What arrived.
        value: f32,
    },
    /// A normal that has no direction.
    #[error(
        "mesh `{mesh}`: the normal of vertex {index} has length 0; give it a direction (`MeshData::compute_normals` does)"
    )]
    ZeroNormal {
        /// The mesh's name.
        mesh: String,
        /// The first such vertex.
        index: usize,
    },
    /// An index past the last vertex.
    #[error("mesh `{mesh}`: index {index} at position {position} is out of range, there are {vertices} vertices")]
    IndexOutOfRange {
        /// The mesh's name.
        mesh: String,
        /// Where in the index list.
        position: usize,
        /// The index that arrived.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A number of indices that makes no whole triangles.
    #[error("mesh `{mesh}`: {indices} indices are not a multiple of 3")]
    PartialTriangle {
        /// The mesh's name.
        mesh: String,
        /// How many indices arrived.
        indices: usize,
    },
    /// A heightfield whose size and samples disagree, or that is too small to make a surface of.
    #[error("heightfield `{name}`: {what} has {actual} samples, expected {expected} (columns x rows, at least 2 x 2)")]
    HeightfieldSize {
        /// The heightfield's name.
        name: String,
        /// Which of its rasters.
        what: &'static str,
        /// What the size asks for.
        expected: usize,
        /// What arrived.
        actual: usize,
    },
    /// A number outside what it may be.
    #[error("`{what}` is {value}, expected {expected}")]
    OutOfRange {
        /// The number's name.
        what: &'static str,
        /// What it may be, in words.
        expected: &'static str,
        /// What arrived.
        value: f32,
    },
    /// A terrain material with too few or too many layers.
    #[error("terrain material `{material}` has {layers} layers, expected 1 to {limit}")]
    TerrainLayers {
        /// The material's name.
        material: String,
        /// How many layers arrived.
        layers: usize,
        /// How many there may be.
        limit: usize,
    },
    /// More bytes than the device takes in one buffer.
    #[error(
        "`{name}` needs a buffer of {bytes} bytes, the device's limit is {limit}: split it, or make the device with a larger `max_buffer_size`"
    )]
    BufferTooLarge {
        /// What was to be uploaded.
        name: String,
        /// What it needs.
        bytes: u64,
        /// What the device allows.
        limit: u64,
    },
    /// A picture size of zero, or larger than the device takes.
    #[error("a picture of {width} x {height} was asked for, expected 1 to {limit} each way")]
    PictureSize {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The device's `max_texture_dimension_2d`.
        limit: u32,
    },
    /// The view that was handed in has another size than the frame's parameters say.
    #[error("the view is {actual:?} pixels, the frame's parameters say {expected:?}")]
    ViewSize {
        /// What [`FrameParams`](crate::FrameParams) says.
        expected: [u32; 2],
        /// The view's texture.
        actual: [u32; 2],
    },
    /// A renderer whose output is not the four bytes of a [`Picture`](crate::Picture).
    #[error(
        "a headless picture is read back from Rgba8Unorm or Rgba8UnormSrgb, and the renderer writes {format:?}: make it with `Headless::renderer`, or with one of the two as `output_format`"
    )]
    PictureFormat {
        /// The renderer's `output_format`.
        format: wgpu::TextureFormat,
    },
    /// Two features of one name.
    #[error("two render features are named `{feature}`; names must differ")]
    DuplicateFeature {
        /// The name.
        feature: String,
    },
    /// A feature that was asked for and is not in the list.
    #[error("no render feature is named `{feature}`; there are: {known}")]
    UnknownFeature {
        /// The name that was asked for.
        feature: String,
        /// The names that there are.
        known: String,
    },
    /// A channel that is read and that nothing in the frame writes.
    #[error(
        "feature `{feature}` reads channel `{channel}`, which nothing in this frame writes; written channels: {written}"
    )]
    MissingChannel {
        /// The feature that reads.
        feature: String,
        /// The channel.
        channel: Channel,
        /// The channels that are written.
        written: String,
    },
    /// A channel that is read before its first writer runs.
    #[error(
        "feature `{feature}` reads channel `{channel}` at seam `{seam}`, before `{writer}` writes it: move the feature later, or list the channel under `readsPrevious`"
    )]
    ReadTooEarly {
        /// The feature that reads.
        feature: String,
        /// The channel.
        channel: Channel,
        /// Where the feature sits.
        seam: Seam,
        /// What first writes the channel.
        writer: String,
    },
    /// A channel of which no last frame's copy is kept.
    #[error("feature `{feature}` wants the last frame's `{channel}`: {reason}")]
    PreviousNotKept {
        /// The feature that reads.
        feature: String,
        /// The channel.
        channel: Channel,
        /// What to do instead.
        reason: &'static str,
    },
    /// A channel that cannot be written where the feature sits.
    #[error("feature `{feature}` writes channel `{channel}` at seam `{seam}`: {reason}")]
    WriteNotAllowed {
        /// The feature that writes.
        feature: String,
        /// The channel.
        channel: Channel,
        /// Where the feature sits.
        seam: Seam,
        /// Why not, and what to do.
        reason: &'static str,
    },
    /// A channel of the caller's own that is written without its format being declared, or with two formats.
    #[error("channel `{channel}`, written by feature `{feature}`: {reason}")]
    ChannelFormat {
        /// The feature that writes.
        feature: String,
        /// The channel.
        channel: Channel,
        /// What is wrong.
        reason: &'static str,
    },
    /// No feature writes the channel `output`, so that nothing would reach the host's view.
    #[error(
        "no render feature writes channel `output`, so that the host's view would stay untouched; add `ToneMap` or a feature of your own"
    )]
    NoOutput,
    /// A feature asked for a channel while drawing that its description does not list.
    #[error("feature `{feature}` asked to {access} channel `{channel}`, which its description does not list")]
    UndeclaredChannel {
        /// The feature.
        feature: String,
        /// The channel.
        channel: Channel,
        /// `read`, `write` or `read the previous`.
        access: &'static str,
    },
    /// A third party's feature failed.
    #[error("feature `{feature}` failed")]
    Feature {
        /// The feature.
        feature: String,
        /// What it said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No adapter of the kind that was asked for.
    #[error(
        "no {wanted} adapter was found; adapters here: {found}. On Debian and Ubuntu the package mesa-vulkan-drivers brings a software one"
    )]
    NoAdapter {
        /// `software`, `hardware` or `graphics`.
        wanted: &'static str,
        /// The adapters that there are.
        found: String,
    },
    /// A host's device whose limits are below [`REQUIRED_LIMITS`](crate::REQUIRED_LIMITS).
    #[error(
        "the device's limit `{limit}` is {actual}, expected {expected} or better: request the device with `zero_render::REQUIRED_LIMITS`"
    )]
    DeviceLimit {
        /// The limit's name.
        limit: &'static str,
        /// What the renderer needs.
        expected: u64,
        /// What the device allows.
        actual: u64,
    },
    /// The adapter gave no device.
    #[error("the adapter gave no device")]
    RequestDevice(#[from] wgpu::RequestDeviceError),
    /// The picture could not be read back.
    #[error("the picture could not be read back: {0}")]
    Readback(String),
}
