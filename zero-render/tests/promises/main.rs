//! What a user of the renderer relies on.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where its promise breaks"
)]

mod dropped;
mod features;
mod goldens;
mod meshes;
mod pictures;
mod plan;
mod resting;
mod support;
mod third_party;
mod work;
