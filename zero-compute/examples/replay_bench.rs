//! Microseconds a dispatch of a replayed list, on the CPU backend and on an adapter; and nanoseconds an element of a
//! field program of 100 operators, with what keeps its bits on a GPU beside the same shader without it.
//!
//! `cargo run --release -p zero-compute --example replay_bench -- [--adapter NAME] [--dispatches N] [--elements N]`
//! Without `--adapter` the software adapter is measured; `--adapter hardware` takes any that is none.

mod timing;

use std::sync::Arc;

use zero_compute::field::{Binary, Kind, MapDomain, Mode, Program, Tape};
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
    let times = timing::times(2, 20, || {
        list.submit()?;
        let front = last
            .reinterpret(1)?
            .with_live(&device.upload(&[1u32], 1)?)?
            .read::<f32>()?
            .wait()?;
        assert_eq!(
            front.first().copied(),
            Some(options.dispatches as f32),
            "every dispatch ran once"
        );
        Ok(())
    })?;
    let micros = |ms: f64| ms * 1e3 / options.dispatches.max(1) as f64;
    Ok((micros(times.median_ms), micros(times.least_ms)))
}

/// Elements of the chain.
const CHAIN: u32 = 1 << 22;

/// A product, a sum, a maximum and a difference, 25 times, as a field.
fn chain(mode: Mode) -> Result<Program> {
    let mut tape = Tape::new();
    let x = tape.leaf(0, 0, Kind::F32);
    let mut value = x;
    for k in 0..25u8 {
        let factor = tape.const_f32(0.5 + f32::from(k) * 0.031);
        let shift = tape.const_f32(0.25 - f32::from(k) * 0.017);
        value = tape.binary(Binary::Mul, value, factor)?;
        value = tape.binary(Binary::Add, value, shift)?;
        value = tape.binary(Binary::Max, value, shift)?;
        value = tape.binary(Binary::Sub, value, x)?;
    }
    Program::compile(&tape, &[value], mode)
}

/// The shader of the chain with nothing that keeps its bits.
fn plain() -> Result<&'static Kernel> {
    let text = chain(Mode::Pointwise)?.wgsl(MapDomain::Known);
    let lines = text.lines().filter(|line| line.starts_with("let r")).skip(1);
    let body: String = lines.map(|line| line.replace("zf_keep(", "(")).collect();
    let source = format!(
        "fn zf_max_f32(a: f32, b: f32) -> f32 {{ return select(b, a, a > b); }}
        @compute @workgroup_size(256)
        fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{
            let i = zero_index(gid, nw);
            if (i >= zero_n()) {{ return; }}
            let r0 = src[i];
            {body}
            dst[i] = r{};
        }}",
        body.matches("let r").count()
    );
    let kernel = Kernel::declare("plain chain")
        .read("src", Element::F32)
        .write("dst", Element::F32, Rule::Same("src"))
        .wgsl(source.leak());
    Ok(Box::leak(Box::new(kernel)))
}

/// The least nanoseconds an element of one dispatch that `record` records, read-back excluded but for one word.
fn measure_chain(device: &Device, record: &dyn Fn(&mut Recorder, &Column) -> Result<Column>) -> Result<f64> {
    let words: Vec<f32> = (0..CHAIN).map(|i| i as f32 * 1e-6).collect();
    let src = device.upload(&words, 1)?;
    let mut recorder = device.record("chain");
    let dst = record(&mut recorder, &src)?;
    let list = recorder.finish()?;
    let front = dst.with_live(&device.upload(&[1u32], 1)?)?;
    let mut least = f64::INFINITY;
    let mut runs = 10u32;
    for _ in 0..8 {
        // The read-back of a live column moves its capacity, so the list runs until that is a small part of the time.
        loop {
            let read = || front.read::<f32>()?.wait().map(drop);
            let reading = timing::times(0, 1, read)?.least_ms;
            let whole = timing::times(0, 1, || {
                for _ in 0..runs {
                    list.submit()?;
                }
                read()
            })?;
            let whole = whole.least_ms;
            if whole >= reading * 5.0 || runs >= 10_240 {
                let running = (whole - reading).max(0.0);
                least = least.min(running * 1e6 / (f64::from(runs) * f64::from(CHAIN)));
                break;
            }
            runs *= 4;
        }
    }
    Ok(least)
}

fn chains(device: &Device) -> Result<()> {
    for mode in [Mode::Pointwise, Mode::Exact] {
        let program = Arc::new(chain(mode)?);
        let nanos = measure_chain(device, &|recorder, src| {
            let leaves = std::slice::from_ref(src);
            recorder.map(&program, leaves, &[], Domain::of(src))?.column("dst")
        })?;
        println!("{:<48} {nanos:>12.3}", format!("  {} {mode:?}", device.info().name));
    }
    if device.class() == DeviceClass::Cpu {
        return Ok(());
    }
    let plain = plain()?;
    let nanos = measure_chain(device, &|recorder, src| {
        recorder
            .dispatch(plain, args! { src: src }, Domain::of(src))?
            .column("dst")
    })?;
    println!("{:<48} {nanos:>12.3}", format!("  {} plain", device.info().name));
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let options = options()?;
    println!(
        "a replayed list of {} dispatches over {} elements",
        options.dispatches, options.elements
    );
    println!("{:<48} {:>12} {:>12}", "device", "median us", "least us");
    let cpu = Device::cpu(CpuOptions::default());
    #[cfg(not(feature = "gpu"))]
    let devices = [cpu];
    #[cfg(feature = "gpu")]
    let devices = [cpu, timing::adapter(options.adapter.as_deref())?];
    for device in &devices {
        let (median, least) = measure(device, &options)?;
        let info = device.info();
        println!(
            "{:<48} {median:>12.3} {least:>12.3}",
            format!("{} ({})", info.name, info.backend)
        );
    }
    println!("a field program of 100 operators: least nanoseconds an element");
    for device in &devices {
        chains(device)?;
    }
    Ok(())
}
