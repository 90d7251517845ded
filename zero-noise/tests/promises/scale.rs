//! How large the suites are.

/// How many times a test's usual samples are taken: what `ZERO_TEST_SCALE` says, `small` being 1 and `full` 10^8 samples
/// of each noise.
#[expect(clippy::expect_used, reason = "a scale that is none fails the test that asks for it")]
pub(crate) fn scale() -> u32 {
    match std::env::var("ZERO_TEST_SCALE").as_deref() {
        Err(_) | Ok("small") => 1,
        Ok("full") => 3052,
        Ok(number) => number
            .parse()
            .expect("ZERO_TEST_SCALE is small, full or a whole number"),
    }
}
