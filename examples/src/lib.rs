//! What the example programs share: their options and their device ([`Host`]), the elevation model ([`Elevation`]),
//! kernels of their own ([`hillshade`], [`topo`]), the graphs they play ([`graphs`]) and what those are held to ([`counts`]).

pub mod counts;
mod elevation;
mod error;
pub mod graphs;
pub mod hillshade;
mod host;
#[cfg(test)]
mod own_project;
mod present;
pub mod topo;

pub use elevation::Elevation;
pub use error::{Error, Result};
pub use host::{DeviceChoice, Host, Options};
pub use present::{whole, whole_with};
