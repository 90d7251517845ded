//! What a user of the crate relies on.

mod accuracy;
mod blocks;
mod cellular;
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
