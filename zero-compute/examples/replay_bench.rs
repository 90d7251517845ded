//! Microseconds a dispatch of a replayed list, on the CPU backend and on an adapter.
//!
//! `cargo run --release -p zero-compute --example replay_bench -- [--adapter NAME] [--dispatches N] [--elements N]`
//! Without `--adapter` the software adapter is measured.

use std::time::Instant;

use zero_compute::*;

static ADD: Kernel = Kernel::declare("add")
    .read("src", Element::F32)
    .write("dst", Element::F32, Rule::same_as("src"))
    .param("by", Param::F32(1.0))
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = src[i] + params.by; }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, by) = (b.read::<f32>("src")?, b.write::<f32>("dst")?, p.f32("by")?);
        for (d, s) in dst.iter_mut().zip(&src[range]) {
            *d = s + by;
        }
        Ok(())
    }));

struct Options {
    adapter: Option<String>,
    dispatches: usize,
    elements: u32,
}

fn options() -> std::result::Result<Options, String> {
    let mut options = Options {
        adapter: None,
        dispatches: 1000,
        elements: 1024,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let bad = |_| format!("{name}: `{value}` is no number");
        match name.as_str() {
            "--adapter" => options.adapter = Some(value),
            "--dispatches" => options.dispatches = value.parse().map_err(bad)?,
            "--elements" => options.elements = value.parse().map_err(bad)?,
            _ => {
                return Err(format!(
                    "unknown option {name}; there are --adapter, --dispatches, --elements"
                ));
            }
        }
    }
    Ok(options)
}

/// Records the list and replays it; answers the median and the least microseconds a dispatch.
fn measure(device: &Device, options: &Options) -> Result<(f64, f64)> {
    let start = device.upload(&vec![0.0f32; options.elements as usize], 1)?;
    let mut recorder = device.record("replay");
    let mut last = start;
    for _ in 0..options.dispatches {
        last = recorder
            .dispatch(&ADD, args! { src: &last }, Domain::of(&last))?
            .column("dst")?;
    }
    let list = recorder.finish()?;
    let mut times = Vec::new();
    for _ in 0..22 {
        let begin = Instant::now();
        list.submit()?;
        let front = last
            .reinterpret(1)?
            .with_live(&device.upload(&[1u32], 1)?)
            .read::<f32>()?
            .wait()?;
        times.push(begin.elapsed().as_secs_f64() * 1e6 / options.dispatches.max(1) as f64);
        assert_eq!(
            front.first().copied(),
            Some(options.dispatches as f32),
            "every dispatch ran once"
        );
    }
    // The first two warm up.
    let mut times = times.split_off(2);
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], times[0]))
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let options = options()?;
    println!(
        "a replayed list of {} dispatches over {} elements",
        options.dispatches, options.elements
    );
    println!("{:<48} {:>12} {:>12}", "device", "median us", "least us");
    let mut devices = vec![Device::cpu(CpuOptions::default())];
    #[cfg(feature = "gpu")]
    {
        let software = options.adapter.is_none();
        let gpu = GpuOptions {
            software,
            adapter_name: options.adapter.clone(),
            ..GpuOptions::default()
        };
        devices.push(Device::gpu_blocking(gpu)?);
    }
    for device in devices {
        let (median, least) = measure(&device, &options)?;
        let info = device.info();
        println!(
            "{:<48} {median:>12.3} {least:>12.3}",
            format!("{} ({})", info.name, info.backend)
        );
    }
    Ok(())
}
