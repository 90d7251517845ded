//! What a user of the crate relies on.

mod accuracy;
mod blocks;
mod cellular;
#[cfg(target_arch = "x86_64")]
mod flushed;
mod functions;
mod goldens;
mod inputs;
mod isa;
mod noise;
mod oracle;
mod pinned;
mod ranges;
mod scale;
mod slopes;
mod tiling;
mod whole;
