//! Any bytes as the steps of an installation that was stopped, in a world that is opened.
#![no_main]
#![expect(dead_code, reason = "the other targets use the rest")]

#[path = "../../tests/assets/probe.rs"]
mod probe;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| probe::steps(bytes));
