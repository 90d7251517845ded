//! Memory that a driver does not have. A process of its own runs out of address space here, for the limit is one of a
//! whole process: the test starts its own binary once more.
#![cfg(all(feature = "gpu", target_os = "linux"))]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the lints spare test functions alone, not what they call"
)]

mod common;

use std::process::Command;

use zero_compute::{Column, Device, Element, Error};

/// What tells the second process that it is one.
const SECOND: &str = "ZERO_TEST_OUT_OF_MEMORY";
/// Address space that the process may still take.
const ROOM_BYTES: u64 = 512 << 20;
/// Bytes of a column.
const COLUMN_BYTES: u64 = 64 << 20;

#[test]
fn memory_that_the_driver_does_not_have_is_an_error_and_the_device_goes_on() {
    if std::env::var_os(SECOND).is_some() {
        return runs_out();
    }
    let name = "memory_that_the_driver_does_not_have_is_an_error_and_the_device_goes_on";
    let mut second = Command::new(std::env::current_exe().unwrap());
    second
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(SECOND, "1");
    let output = second.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", output.status);
    eprintln!("{told}");
}

/// Bytes of address space that the process has.
fn address_space() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Sets how much address space this process may have; the hard limit stays.
fn limit(bytes: &str) {
    let id = std::process::id().to_string();
    let set = Command::new("prlimit")
        .args(["--pid", &id, &format!("--as={bytes}:")])
        .status();
    assert!(set.unwrap().success(), "prlimit");
}

fn column(device: &Device) -> Result<Column, Error> {
    device.column(Element::U32, 1, (COLUMN_BYTES / 4) as u32)
}

fn runs_out() {
    let Some(device) = common::gpu() else { return };
    // What is made once is there before the limit is.
    drop(column(&device).unwrap());
    device.trim(0);
    limit(&(address_space() + ROOM_BYTES).to_string());
    let mut kept = Vec::new();
    let error = loop {
        assert!(
            (kept.len() as u64) < 2 * ROOM_BYTES / COLUMN_BYTES,
            "the driver refuses nothing"
        );
        match column(&device) {
            Ok(column) => kept.push(column),
            Err(error) => break error,
        }
    };
    limit("unlimited");
    let stand = kept.len() as u64 * COLUMN_BYTES;
    let Error::OutOfMemory { bytes, live, limit, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!((*bytes, *live, *limit), (COLUMN_BYTES, stand, None), "{error}");
    assert!(error.to_string().contains("column of 16777216 elements"), "{error}");
    eprintln!("{error}");
    // What stood stands, and there is more once there is memory.
    let more = column(&device).unwrap();
    for column in kept.iter().chain([&more]) {
        let mut rec = device.record("fill");
        rec.fill(column, 7).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let words = column.read::<u32>().unwrap().wait().unwrap();
        assert_eq!((words.first(), words.last()), (Some(&7), Some(&7)));
    }
}
