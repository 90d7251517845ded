//! What a field promises: three evaluators of one expression, bit for bit.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

#[path = "../common/mod.rs"]
mod common;
mod devices;
mod evaluators;
mod random;
mod semantics;
mod shaders;

/// How much larger than usual the suites are: twenty times where `ZERO_TEST_SCALE` is `full`.
fn scale() -> u32 {
    if std::env::var_os("ZERO_TEST_SCALE").is_some_and(|scale| scale == "full") {
        20
    } else {
        1
    }
}
