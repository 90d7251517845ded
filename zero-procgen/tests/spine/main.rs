//! What a play promises, each promise on counts or on bytes, on both backends.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

mod bodies;
mod build;
mod choice;
mod common;
mod counts;
mod disk;
mod document;
mod errors;
mod folds;
mod graphs;
mod guarantees;
mod lists;
mod mixed;
mod nodes;
mod noises;
mod parity;
mod placed;
mod profile;
mod random;
mod stepped;
mod stop;
mod surface;
mod threads;
mod timeline;
mod types;
mod written;
