//! What a field promises: three evaluators of one expression, bit for bit.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

#[path = "../common/mod.rs"]
mod common;
mod devices;
mod evaluators;
mod noises;
mod random;
mod rewrites;
mod semantics;
mod shaders;
mod walks;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How much larger than usual the suites are: 1 where `ZERO_TEST_SCALE` is `small` or not set, 20 for `full`, or a number.
fn scale() -> u32 {
    match std::env::var("ZERO_TEST_SCALE").as_deref() {
        Err(_) | Ok("small") => 1,
        Ok("full") => 20,
        Ok(number) => number
            .parse()
            .expect("ZERO_TEST_SCALE is small, full or a whole number"),
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
