//! Geometry to files, and rasters to pictures.
//!
//! [`Glb`] writes glTF 2.0 in its binary form: faces, points, and populations as instances of one mesh. [`write_ply`] and
//! [`write_obj`] write a geometry with its columns and its polygons as they are. With the feature `images`, `write_png` and
//! `write_exr` write a raster. Every file is written whole or not at all, and the same geometry gives the same bytes on
//! every machine.

mod change;
mod document;
mod file;
mod glb;
#[cfg(feature = "images")]
mod image;
mod instances;
mod material;
mod obj;
mod ply;
mod runs;
mod srgb;
mod surface;

pub(crate) use change::Change;
pub use glb::Glb;
#[cfg(feature = "images")]
pub(crate) use image::picture_bytes;
#[cfg(feature = "images")]
pub use image::{exr_bytes, png_bytes, write_exr, write_png};
pub use material::Material;
pub use obj::{obj_text, write_obj};
pub use ply::{ply_bytes, write_ply};
#[cfg(feature = "import")]
pub(crate) use srgb::srgb_to_linear;
