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
mod rewrites;
mod semantics;
mod shaders;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How much larger than usual the suites are: twenty times where `ZERO_TEST_SCALE` is `full`.
fn scale() -> u32 {
    if std::env::var_os("ZERO_TEST_SCALE").is_some_and(|scale| scale == "full") {
        20
    } else {
        1
    }
}

/// A runner that draws the same cases in every run, so that a change is what makes a test fail.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
