//! What the example programs share: their options and their device ([`Host`]), the elevation model ([`Elevation`]),
//! and a kernel of their own ([`hillshade`]).

mod elevation;
mod error;
pub mod hillshade;
mod host;

pub use elevation::Elevation;
pub use error::{Error, Result};
pub use host::{DeviceChoice, Host, Options};
