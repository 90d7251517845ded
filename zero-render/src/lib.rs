//! A renderer for landscapes on wgpu. The host owns the device, the queue, the view, the encoder and the loop; this crate
//! records a frame into them. Or it makes a picture without any window ([`Headless`]).
//!
//! # The smallest picture
//!
//! A heightfield under a sun, drawn on whatever adapter there is, read back as RGBA bytes:
//!
//! ```
//! use zero_render::{
//!     AdapterChoice, Camera, FrameParams, Headless, Heightfield, Material, Object, RenderError, Scene, Sun, glam::Vec3,
//! };
//!
//! let headless = match Headless::blocking(AdapterChoice::Any) {
//!     Err(RenderError::NoAdapter { .. }) => return Ok(()), // nothing to draw on here
//!     other => other?,
//! };
//! let mut renderer = headless.renderer()?;
//!
//! let heights: Vec<f32> = (0..64 * 64).map(|i| ((i % 64) as f32 * 0.2).sin() * 4.0).collect();
//! let dunes = Heightfield {
//!     name: "dunes",
//!     columns: 64,
//!     rows: 64,
//!     spacing_m: [2.0; 2],
//!     origin: Vec3::new(-64.0, 0.0, -64.0),
//!     heights_m: &heights,
//!     first_mask: None,
//!     second_mask: None,
//! };
//! let sand = renderer.upload_material(&Material::new("sand", Vec3::new(0.5, 0.4, 0.25), 0.9))?;
//! let mesh = renderer.upload_mesh(&dunes.to_mesh()?)?;
//!
//! let mut scene = Scene::default();
//! scene.sun = Sun::at_deg(120.0, 30.0);
//! scene.objects.push(Object::new(&mesh, &sand));
//! let camera = Camera::looking_at(Vec3::new(0.0, 20.0, 60.0), Vec3::ZERO, 1.0);
//! let picture = headless.render(&mut renderer, &scene, &camera, FrameParams::new(64, 36))?;
//! assert_eq!(picture.rgba8.len(), 64 * 36 * 4);
//! # Ok::<(), RenderError>(())
//! ```
//!
//! A host with a window makes [`Renderer::new`] from its own device and queue and calls [`Renderer::render`] with its own
//! encoder and view, once a frame; the device needs [`REQUIRED_FEATURES`] (none) and [`REQUIRED_LIMITS`] (WebGPU's
//! defaults).
//!
//! # What is in a scene
//!
//! A [`Scene`] is plain data over handles that the renderer gave out:
//!
//! - [`MeshData`] is checked and uploaded by [`Renderer::upload_mesh`]; [`Heightfield`] makes meshes from rasters, whole or
//!   in tiles, with normals, ambient occlusion and two masks a vertex.
//! - [`Material`] is a plain surface; [`TerrainMaterial`] lays up to five [`TerrainLayer`]s over each other by the two
//!   masks, with tone and relief from noise in world space.
//! - [`Instance`]s place a mesh many times ([`Renderer::upload_instances`]); neighbours are culled together.
//! - [`Sun`], [`Atmosphere`] and [`WaterPlane`] are numbers. The sky lights everything, and what is far away fades to the
//!   sky behind it.
//!
//! # What a frame is
//!
//! Shadow cascades, a depth prepass and the opaque pass are fixed. All else is a list of [`Feature`]s, each with a
//! [`Seam`], an order, and the [`Channel`]s it reads and writes; [`Sky`], [`Water`] and [`ToneMap`] are three of them. The
//! [`FramePlan`] is made from those descriptions alone, so a wrong list is an error before anything is drawn:
//!
//! ```
//! use zero_render::{Channel, FeatureDesc, FramePlan, Seam, builtin_features};
//!
//! let mut list: Vec<FeatureDesc> = builtin_features().iter().map(|f| f.desc()).collect();
//! list.push(FeatureDesc::new("motionBlur", Seam::Post, 0).reads(Channel::VELOCITY).writes(Channel::SCENE_COLOR));
//! let error = FramePlan::new(&list).unwrap_err().to_string();
//! assert!(error.contains("`motionBlur` reads channel `velocity`, which nothing in this frame writes"));
//! ```
//!
//! A feature of your own implements the trait and goes in with [`Renderer::add_feature`]; [`FeatureSetup`] and
//! [`FeatureFrame`] are what it is handed, [`shaders::FRAME`] is what its shaders may start with.
//!
//! # Units and coordinates
//!
//! Right-handed, Y up, metres, counter-clockwise front faces. Depth is reversed: 1 at the near plane, 0 at infinity.
//! Colours are linear; light is in lux and candela per square metre, times the exposure. sRGB is made at the very end.
//!
//! # Work
//!
//! A second frame of one size makes no pipeline, buffer, texture or bind group ([`Renderer::stats`] counts them).
//! Recording a frame touches each object and each group of instances a few times; it allocates a few short lists.
//! Nothing here starts a thread.

mod atmosphere;
mod camera;
mod channel;
mod context;
mod cull;
mod error;
mod feature;
mod features;
mod frame;
mod gpu;
mod graph;
mod headless;
mod heightfield;
mod instance;
mod material;
mod mesh;
mod options;
mod passes;
mod renderer;
mod scene;
pub mod shaders;
mod shadow;
mod sky_pictures;
mod stats;
mod targets;
mod upload;

pub use atmosphere::{Atmosphere, Sun};
pub use camera::Camera;
pub use channel::Channel;
pub use context::{DepthUse, FeatureFrame, FeatureSetup};
pub use error::{RenderError, Result};
pub use feature::{Feature, FeatureDesc, Seam};
pub use features::{Sky, ToneMap, ToneMapOptions, Water, builtin_features};
pub use graph::{ChannelUse, FramePlan, Step};
pub use headless::{AdapterChoice, Headless, Picture};
pub use heightfield::Heightfield;
pub use instance::Instance;
pub use material::{Cover, Material, TerrainLayer, TerrainMaterial, linear_from_srgb};
pub use mesh::MeshData;
pub use options::{Antialiasing, FrameParams, REQUIRED_FEATURES, REQUIRED_LIMITS, RendererOptions};
pub use renderer::Renderer;
pub use scene::{InstanceSet, MaterialHandle, Mesh, Object, Scene, ShadowDistance, WaterPlane};
pub use stats::Stats;

pub use {glam, wgpu};

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
