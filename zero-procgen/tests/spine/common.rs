//! Devices, plays and reads that the tests share.

use std::sync::Arc;
use zero_compute::{CpuOptions, Device, Exec, Isa};
use zero_procgen::values::Geometry;
use zero_procgen::{Class, Clock, Frame, GraphDef, Inputs, Play, PlayOptions, Present, Store, StoreOptions};

pub(crate) fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

pub(crate) fn cpu_with(threads: usize, isa: Isa) -> Device {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    Device::cpu(CpuOptions {
        pool: Some(Arc::new(pool)),
        isa,
    })
}

/// The software adapter; without one a test fails in CI and says loudly elsewhere that it is skipped.
#[cfg(feature = "gpu")]
pub(crate) fn software_gpu() -> Option<Device> {
    let options = zero_compute::GpuOptions {
        software: true,
        ..Default::default()
    };
    match Device::gpu_blocking(options) {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("CI").is_some() => panic!("no software adapter in CI: {error}"),
        Err(error) => {
            eprintln!("SKIPPED on the GPU: {error}");
            None
        }
    }
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn software_gpu() -> Option<Device> {
    None
}

/// Both backends.
pub(crate) fn devices() -> Vec<Device> {
    [Some(cpu()), software_gpu()].into_iter().flatten().collect()
}

pub(crate) fn play(device: &Device, graph: &GraphDef, inputs: Inputs, recorded: bool) -> Play {
    let store = Store::new(device, StoreOptions::default());
    Play::with_options(
        &store,
        graph,
        inputs,
        PlayOptions {
            recorded,
            ..PlayOptions::default()
        },
    )
    .unwrap()
}

/// Presents until the frame is whole.
pub(crate) fn whole(play: &mut Play, device: &Device, clock: Clock) -> Frame {
    for _ in 0..10_000 {
        match play.present(clock, &Exec::default()).unwrap() {
            Present::Whole(frame) => return frame,
            Present::Pending => {
                device.poll();
            }
        }
    }
    panic!("the present did not settle");
}

pub(crate) fn still() -> Clock {
    Clock::default()
}

pub(crate) fn floats(geometry: &Geometry, name: &str) -> Vec<f32> {
    geometry
        .column(Class::Point, name)
        .unwrap()
        .column
        .read::<f32>()
        .unwrap()
        .wait()
        .unwrap()
}

/// Every float column of the points, by its bits.
pub(crate) fn bits(geometry: &Geometry) -> Vec<u32> {
    let mut all = Vec::new();
    for name in geometry.names(Class::Point) {
        let held = geometry.column(Class::Point, &name).unwrap();
        if held.column.element() == zero_compute::Element::F32 {
            all.extend(floats(geometry, &name).iter().map(|value| value.to_bits()));
        }
    }
    all
}
