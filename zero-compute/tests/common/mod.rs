//! The devices that every test runs on.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot open its devices fails"
)]

use std::sync::Arc;

use zero_compute::parity::Parity;
use zero_compute::{CpuOptions, Device, Isa};

/// A CPU device with a pool of that many threads.
pub(crate) fn cpu_with_threads(threads: usize, isa: Isa) -> Device {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    Device::cpu(CpuOptions {
        pool: Some(Arc::new(pool)),
        isa,
    })
}

/// Whether the machine has the instructions that the CPU backend looks for. Without them both instruction sets are one,
/// which fails in CI and is said elsewhere; on ARM the baseline has all that is used.
pub(crate) fn has_both_instruction_sets() -> bool {
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI needs a processor with AVX2: without it both instruction sets are the baseline"
        );
        eprintln!("SKIPPED ON AVX2: the processor has none, so both instruction sets are the baseline");
        return false;
    }
    true
}

/// CPU devices of both instruction sets and of 1, 2 and 16 threads.
pub(crate) fn cpu_devices() -> Vec<(&'static str, Device)> {
    named(&Parity::cpu())
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

/// Every device: the CPU in all its forms, and the adapters. Without one the test fails in CI and says so elsewhere.
pub(crate) fn parity() -> Parity {
    has_both_instruction_sets();
    match Parity::open() {
        Ok(parity) => parity,
        Err(error) if std::env::var_os("CI").is_some() => panic!("CI needs a software adapter: {error}"),
        Err(error) => {
            eprintln!("SKIPPED ON A GPU: {error}");
            Parity::cpu()
        }
    }
}

/// Every device of [`parity`].
pub(crate) fn devices() -> Vec<(&'static str, Device)> {
    named(&parity())
}

/// The devices with names that live as long as the test.
pub(crate) fn named(parity: &Parity) -> Vec<(&'static str, Device)> {
    has_both_instruction_sets();
    let devices = parity.devices().iter();
    devices
        .map(|(name, device)| (&*name.clone().leak(), device.clone()))
        .collect()
}
