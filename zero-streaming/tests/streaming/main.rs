//! What a user of the crate relies on, over a `hecs` world.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[cfg(feature = "serde")]
mod data;
mod far_field;
mod faults;
mod hecs_host;
mod owners;
mod rule;
mod store;
mod support;
mod turned_back;
mod walk;
