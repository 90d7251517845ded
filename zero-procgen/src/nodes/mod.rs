//! The node library, by family.

pub mod field;
pub mod geometry;
pub mod instances;
pub mod mesh;
pub mod points;
mod surface;

use crate::registry::Registry;

/// Adds every node of this crate.
pub fn register(registry: &mut Registry) {
    field::register(registry);
    geometry::register(registry);
    instances::register(registry);
    mesh::register(registry);
    points::register(registry);
}
