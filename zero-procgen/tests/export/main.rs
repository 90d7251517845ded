//! Geometry read back to the host, and the files it is written to: what a reader finds is what was there.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says so by panicking")]

mod check;
mod common;
mod download;
mod file;
mod glb;
#[cfg(feature = "images")]
mod pictures;
mod refusal;
