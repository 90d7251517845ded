//! What a user of the crate relies on, by topic.

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
