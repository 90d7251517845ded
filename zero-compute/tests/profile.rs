//! What a profile says, and that it changes nothing.
#![expect(
    clippy::unwrap_used,
    reason = "the lints spare test functions alone, not what they call"
)]

mod common;

use common::{cpu_devices, devices};
use zero_compute::kernels::{Reduce, ramp, reduce};
use zero_compute::*;

static CLOCK: ManualClock = ManualClock::new();

/// Takes 2 ms of the clock for every thousand elements, and a half more.
static SLOW: Kernel = Kernel::declare("slow")
    .write("dst", Element::U32, Rule::Domain)
    .cpu(Cpu::Whole(|_, p, _| {
        CLOCK.advance_ms(f64::from(p.n()) * 0.002 + 0.5);
        Ok(())
    }));

/// Takes 1 ms of the clock a call.
static SLICED: Kernel = Kernel::declare("sliced")
    .write("dst", Element::U32, Rule::Domain)
    .cpu(Cpu::Ranges(|_, _, _, _| {
        CLOCK.advance_ms(1.0);
        Ok(())
    }));

#[test]
fn the_cpu_is_timed_by_the_clock_that_drives_it() {
    let exec = Exec {
        clock: &CLOCK,
        ..Exec::default()
    };
    let device = Device::cpu(CpuOptions::default());
    let mut recorder = device.record("work");
    for n in [1000, 3000, 0] {
        recorder.dispatch(&SLOW, args! {}, Domain::count(n)).unwrap();
    }
    recorder.dispatch(&SLICED, args! {}, Domain::count(3 * SLICE)).unwrap();
    let list = recorder.finish().unwrap();

    let profiling = device.profile();
    list.submit().unwrap();
    device.drive(&exec).unwrap();
    let profile = profiling.report(&exec).unwrap();
    assert_eq!((profile.source, profile.passes), (TimeSource::Clock, 0));
    let names: Vec<_> = profile.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["sliced", "slow"]);
    let check = |profile: &Profile, name: &str, dispatches: u64, elements: u64, time_ms: f64| {
        let kernel = profile.kernel(name).unwrap();
        assert_eq!((kernel.dispatches, kernel.elements), (dispatches, elements), "{name}");
        assert!((kernel.time_ms.unwrap() - time_ms).abs() < 1e-9, "{kernel:?}");
    };
    check(&profile, "slow", 2, 4000, 2.5 + 6.5);
    check(&profile, "sliced", 1, u64::from(3 * SLICE), 3.0);
    assert!((profile.time_ms().unwrap() - 12.0).abs() < 1e-9);

    // A second profile begins where it was asked for, and a report runs what is queued.
    let second = device.profile();
    list.submit().unwrap();
    check(&second.report(&exec).unwrap(), "slow", 2, 4000, 9.0);
    check(&profiling.report(&exec).unwrap(), "slow", 4, 8000, 18.0);
    drop(profiling);
    list.submit().unwrap();
    check(&second.report(&exec).unwrap(), "slow", 4, 8000, 18.0);
    assert!(profile.kernel("fill").is_none());
}

#[test]
fn a_slice_that_the_budget_ends_is_timed_and_its_dispatch_counted_at_its_end() {
    static CLOCK: ManualClock = ManualClock::new();
    static TICKS: Kernel = Kernel::declare("ticks")
        .write("dst", Element::U32, Rule::Domain)
        .cpu(Cpu::Ranges(|_, _, _, _| {
            CLOCK.advance_ms(1.0);
            Ok(())
        }));
    let exec = Exec {
        clock: &CLOCK,
        budget_ms: Some(0.5),
        ..Exec::default()
    };
    let device = Device::cpu(CpuOptions::default());
    let mut recorder = device.record("work");
    recorder.dispatch(&TICKS, args! {}, Domain::count(2 * SLICE)).unwrap();
    recorder.finish().unwrap().submit().unwrap();
    let profiling = device.profile();
    assert_eq!(device.drive(&exec), Ok(Drive::Budget));
    assert_eq!(device.stats().dispatches, 0);
    let profile = profiling.report(&exec).unwrap();
    let ticks = profile.kernel("ticks").unwrap();
    assert_eq!((ticks.dispatches, ticks.elements), (1, u64::from(2 * SLICE)));
    assert!((ticks.time_ms.unwrap() - 2.0).abs() < 1e-9, "{ticks:?}");
}

#[test]
fn a_fused_dispatch_goes_by_the_names_of_its_parts() {
    for (name, device) in devices() {
        let mut recorder = device.record("chain");
        let numbers = ramp(&mut recorder, Domain::count(1000), 0, 1).unwrap();
        let reverse = ramp(&mut recorder, Domain::count(1000), 999, -1).unwrap();
        let gathered = kernels::gather(&mut recorder, &numbers, &reverse).unwrap();
        recorder.fuse(Fusion::Stages, &[&gathered]).unwrap();
        let list = recorder.finish().unwrap();
        let profiling = device.profile();
        list.submit().unwrap();
        let profile = profiling.report(&Exec::default()).unwrap();
        let dispatches: u64 = profile.kernels.iter().map(|kernel| kernel.dispatches).sum();
        assert_eq!(dispatches, list.dispatches() as u64, "{name}: {profile:?}");
        let fused = list.fusion().unwrap().fused as u64;
        let named = profile.kernels.iter().filter(|kernel| kernel.name.contains(" + "));
        assert_eq!(
            named.map(|kernel| kernel.dispatches).sum::<u64>(),
            fused,
            "{name}: {profile:?}"
        );
        assert!(fused > 0, "{name}: {profile:?}");
    }
}

/// A list of several kernels, one of several passes, and one of no elements.
fn sums(device: &Device) -> (CommandList, Column) {
    let mut recorder = device.record("sums");
    let numbers = ramp(&mut recorder, Domain::count(100_000), 0, 1).unwrap();
    ramp(&mut recorder, Domain::count(0), 0, 1).unwrap();
    let sum = reduce(&mut recorder, &numbers, Reduce::Sum).unwrap();
    (recorder.finish().unwrap(), sum)
}

#[test]
fn a_profile_counts_what_ran_and_changes_neither_results_nor_stats() {
    let expected = vec![(0..100_000).fold(0i32, i32::wrapping_add)];
    for (name, device) in devices() {
        let (list, sum) = sums(&device);
        let plain = device.counting();
        list.submit().unwrap();
        assert_eq!(sum.read::<i32>().unwrap().wait().unwrap(), expected, "{name}");
        let plain = plain.delta();

        let profiling = device.profile();
        let counting = device.counting();
        list.submit().unwrap();
        assert_eq!(sum.read::<i32>().unwrap().wait().unwrap(), expected, "{name}");
        let profile = profiling.report(&Exec::default()).unwrap();
        let profiled = counting.delta();
        assert_eq!(
            Stats { created: 0, ..profiled },
            Stats { created: 0, ..plain },
            "{name}: a profile is not counted"
        );
        assert_eq!(profiled.created, 0, "{name}");
        let counts: Vec<_> = profile
            .kernels
            .iter()
            .map(|kernel| (kernel.name.as_str(), kernel.dispatches, kernel.elements))
            .collect();
        assert_eq!(counts, [("ramp", 1, 100_000), ("reduce_i32", 1, 100_000)], "{name}");
        let ran: u64 = profile.kernels.iter().map(|kernel| kernel.dispatches).sum();
        assert_eq!(ran, profiled.dispatches, "{name}");

        // Closed, it measures nothing.
        drop(profiling);
        let again = device.profile();
        assert_eq!(again.report(&Exec::default()).unwrap().kernels, [], "{name}");
    }
    for (name, device) in cpu_devices() {
        let (list, _) = sums(&device);
        let profiling = device.profile();
        list.submit().unwrap();
        let profile = profiling.report(&Exec::default()).unwrap();
        assert_eq!((profile.source, profile.passes), (TimeSource::Clock, 0), "{name}");
        assert!(profile.time_ms().unwrap() > 0.0, "{name}");
    }
}

#[cfg(feature = "gpu")]
mod gpu {
    use super::*;

    fn has_timestamps(device: &Device) -> bool {
        let (gpu, _) = device.wgpu().unwrap();
        gpu.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    #[test]
    fn every_pass_of_a_gpu_is_timed_by_its_timestamps() {
        let Some(device) = common::gpu() else { return };
        let (list, _) = sums(&device);
        let profiling = device.profile();
        list.submit().unwrap();
        list.submit().unwrap();
        let profile = profiling.report(&Exec::default()).unwrap();
        if !has_timestamps(&device) {
            assert_eq!(
                (profile.source, profile.passes, profile.time_ms()),
                (TimeSource::Nothing, 0, None)
            );
            return;
        }
        // The one pass of `ramp` and the two of `reduce`, twice.
        assert_eq!((profile.source, profile.passes), (TimeSource::Timestamps, 6));
        for kernel in &profile.kernels {
            let ms = kernel.time_ms.unwrap();
            assert!(ms > 0.0 && ms < 60_000.0, "{kernel:?}");
            assert_eq!(kernel.dispatches, 2, "{kernel:?}");
        }
    }

    #[test]
    fn a_host_that_did_not_enable_timestamps_has_counts_without_time() {
        let Some(adapter) = common::gpu().and_then(|device| {
            let adapters = adapters_blocking();
            adapters.into_iter().find(|adapter| adapter.info() == device.info())
        }) else {
            return;
        };
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let bare = found
            .iter()
            .find(|found| found.get_info().name == adapter.info().name)
            .unwrap();
        let (gpu, queue) = pollster::block_on(bare.request_device(&wgpu::DeviceDescriptor::default())).unwrap();
        let device = Device::from_wgpu(&gpu, &queue).unwrap();
        assert!(!has_timestamps(&device));
        let (list, _) = sums(&device);
        let profiling = device.profile();
        list.submit().unwrap();
        let profile = profiling.report(&Exec::default()).unwrap();
        assert_eq!((profile.source, profile.passes), (TimeSource::Nothing, 0));
        assert_eq!(profile.kernel("reduce_i32").unwrap().dispatches, 1);
        assert_eq!(profile.kernel("reduce_i32").unwrap().time_ms, None);
    }
}
