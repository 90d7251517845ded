//! Devices, ground and plays that the tests share.

use std::sync::Arc;
use zero_compute::{CpuOptions, Device, Exec, Isa};
use zero_procgen::{Clock, Frame, GraphDef, Inputs, Play, Present, Store, StoreOptions};

pub(crate) fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

fn cpu_with(threads: usize, isa: Isa) -> Device {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    Device::cpu(CpuOptions {
        pool: Some(Arc::new(pool)),
        isa,
    })
}

/// The software adapter; without one a test fails in CI and says loudly elsewhere that it is skipped.
#[cfg(feature = "gpu")]
#[expect(clippy::panic, reason = "CI must not pass for want of an adapter")]
fn software_gpu() -> Option<Device> {
    let options = zero_compute::GpuOptions {
        software: true,
        ..Default::default()
    };
    match Device::gpu_blocking(options) {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("CI").is_some() => panic!("no software adapter in CI: {error}"),
        Err(error) => {
            eprintln!("SKIPPED ON A GPU: {error}");
            None
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn software_gpu() -> Option<Device> {
    eprintln!("SKIPPED ON A GPU: built without the feature `gpu`");
    None
}

/// The CPU on both instruction sets and 1, 2 and 16 threads, and the software adapter.
pub(crate) fn devices() -> Vec<(String, Device)> {
    let mut all = vec![("cpu".to_owned(), cpu())];
    for threads in [1, 2, 16] {
        for isa in [Isa::Auto, Isa::Baseline] {
            all.push((format!("cpu of {threads} threads, {isa:?}"), cpu_with(threads, isa)));
        }
    }
    all.extend(software_gpu().map(|device| ("software gpu".to_owned(), device)));
    all
}

/// Presents until the frame is whole.
pub(crate) fn cook(device: &Device, graph: &GraphDef, inputs: Inputs) -> zero_procgen::Result<Frame> {
    let store = Store::new(device, StoreOptions::default());
    let mut play = Play::new(&store, graph, inputs)?;
    loop {
        match play.present(Clock::default(), &Exec::default())? {
            Present::Whole(frame) => return Ok(frame),
            Present::Pending => {
                device.poll();
            }
        }
    }
}

/// Rugged heights from integers alone: ridges, pits and flats within about 300 m.
pub(crate) fn rugged(width: u32, height: u32) -> Vec<f32> {
    (0..width * height)
        .map(|i| {
            let (x, z) = (i % width, i / width);
            let mix = (x.wrapping_mul(0x9e37_79b9) ^ z.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 20;
            (x * 3 + z * 2) as f32 * 0.37 + mix as f32 * 0.05 - if x % 7 == 3 { 40.0 } else { 0.0 }
        })
        .collect()
}
