//! Geometry to files.
//!
//! [`Glb`] writes glTF 2.0 in its binary form: faces, points, and populations as instances of one mesh.

mod document;
mod file;
mod glb;
mod instances;
mod material;
mod surface;

pub use glb::Glb;
pub use material::Material;
