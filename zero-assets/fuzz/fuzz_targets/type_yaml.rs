//! Any bytes as a `type.yaml`, its inspector and its schema.
#![no_main]
#![expect(dead_code, reason = "the other targets use the rest")]

#[path = "../../tests/assets/probe.rs"]
mod probe;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| probe::type_yaml(bytes));
