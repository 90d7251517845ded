//! What a user of the crate relies on, over a `hecs` world.

mod far_field;
mod faults;
mod hecs_host;
mod rule;
mod store;
mod support;
mod walk;
