//! Outputs in a host: each present stands whole or not at all.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says so by panicking")]

mod common;
mod files;
#[cfg(feature = "images")]
mod pictures;
mod preview;
mod stage;
