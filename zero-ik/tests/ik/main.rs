//! What a user of the crate relies on, by topic.

mod chains;
mod common;
mod limits;
mod reaching;
mod robust;
mod stability;
mod turning;
