//! What a user of the crate relies on, by topic.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which fail by panicking")]

mod chains;
mod common;
mod drivers;
mod ground;
mod limits;
mod reaching;
mod rigs;
mod robust;
mod stability;
mod turning;
