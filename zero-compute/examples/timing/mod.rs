//! What the examples that measure share: runs that are timed one by one, and the adapter that they take besides the CPU.
#![allow(dead_code, reason = "each example uses a part of it")]

use std::time::Instant;

use zero_compute::Result;
#[cfg(feature = "gpu")]
use zero_compute::{Device, GpuOptions};

/// How long runs took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) median_ms: f64,
    pub(crate) least_ms: f64,
}

/// Times of `rounds` runs, after some that warm up and do not count.
pub(crate) fn times(warm_up: usize, rounds: usize, mut run: impl FnMut() -> Result<()>) -> Result<Times> {
    for _ in 0..warm_up {
        run()?;
    }
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(Times {
        median_ms: times.get(rounds / 2).copied().unwrap_or(f64::NAN),
        least_ms: times.first().copied().unwrap_or(f64::NAN),
    })
}

/// The software adapter; `hardware`, the best there is; or the one of that name.
#[cfg(feature = "gpu")]
pub(crate) fn adapter(name: Option<&str>) -> Result<Device> {
    Device::gpu_blocking(GpuOptions {
        software: name.is_none(),
        adapter_name: name.filter(|name| *name != "hardware").map(str::to_owned),
        ..GpuOptions::default()
    })
}
