#![no_main]

#[path = "../checks/vfs_path.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::check(data));
