//! What a user of zero-pixel relies on.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod dirty;
mod folder;
mod gif;
mod hostile;
mod library;
mod ops;
mod payload;
mod pictures;
mod raster;
mod readback;
#[cfg(feature = "serde")]
mod serde_types;
