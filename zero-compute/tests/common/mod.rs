//! The devices that every test runs on.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot open its devices fails"
)]

use std::sync::Arc;

use zero_compute::{CpuOptions, Device, Isa};

/// A CPU device with a pool of that many threads.
pub(crate) fn cpu_with_threads(threads: usize, isa: Isa) -> Device {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    Device::cpu(CpuOptions {
        pool: Some(Arc::new(pool)),
        isa,
    })
}

/// CPU devices of both instruction sets and of 1, 2 and 16 threads.
pub(crate) fn cpu_devices() -> Vec<(&'static str, Device)> {
    vec![
        (
            "cpu baseline",
            Device::cpu(CpuOptions {
                isa: Isa::Baseline,
                ..CpuOptions::default()
            }),
        ),
        ("cpu", Device::cpu(CpuOptions::default())),
        ("cpu of 2 threads", cpu_with_threads(2, Isa::Auto)),
        ("cpu of 16 threads", cpu_with_threads(16, Isa::Auto)),
        ("cpu baseline of 16 threads", cpu_with_threads(16, Isa::Baseline)),
    ]
}

/// The software adapter, or the one that `ZERO_TEST_ADAPTER` names, opened anew, so that its counts are the test's own.
/// Without an adapter the test fails in CI and says so elsewhere.
#[cfg(feature = "gpu")]
pub(crate) fn gpu() -> Option<Device> {
    use zero_compute::GpuOptions;
    let options = match std::env::var("ZERO_TEST_ADAPTER") {
        Ok(name) => GpuOptions {
            adapter_name: Some(name),
            ..GpuOptions::default()
        },
        Err(_) => GpuOptions {
            software: true,
            ..GpuOptions::default()
        },
    };
    match Device::gpu_blocking(options) {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("CI").is_some() => panic!("CI needs a software adapter: {error}"),
        Err(error) => {
            eprintln!("SKIPPED ON A GPU: {error}");
            None
        }
    }
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn gpu() -> Option<Device> {
    eprintln!("SKIPPED ON A GPU: built without the feature `gpu`");
    None
}

/// Every device: the CPU in all its forms, and the software adapter.
pub(crate) fn devices() -> Vec<(&'static str, Device)> {
    let mut devices = cpu_devices();
    devices.extend(gpu().map(|device| ("software gpu", device)));
    devices
}
