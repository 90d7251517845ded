//! What a user of the crate relies on.

mod accuracy;
mod blocks;
mod functions;
mod goldens;
mod inputs;
mod noise;
mod ranges;
mod whole;
