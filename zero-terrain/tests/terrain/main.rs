//! What a user of the ground relies on.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

mod common;
#[cfg(feature = "assets")]
mod data;
mod erosion;
mod graph;
mod ground;
mod parity;
mod resample;
mod slope;
