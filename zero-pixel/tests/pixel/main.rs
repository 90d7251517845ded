//! What a user of zero-pixel relies on.

mod dirty;
mod gif;
mod library;
mod ops;
mod payload;
mod pictures;
mod raster;
mod readback;
#[cfg(feature = "serde")]
mod serde_types;
