//! Milliseconds of a replayed chain of 8 per-element dispatches over a million elements, fused and not: as kernels, as
//! field programs, the two in turn, and beside them one field program of it all.
//!
//! `cargo run --release -p zero-compute --example fusion_bench -- [--adapter NAME] [--elements N] [--threads N]`
//! Without `--adapter` the software adapter is measured; `--adapter hardware` takes any that is none.

mod timing;

use std::sync::Arc;

use zero_compute::field::{Binary, Kind, Mode, Program, Tape};
use zero_compute::*;

/// `src * by + 1`.
static SCALE: Kernel = Kernel::declare("scale")
    .read("src", Element::F32)
    .write("dst", Element::F32, Rule::same_as("src"))
    .param("by", Param::F32(0.5))
    .fusion(PerElement {
        writes: "dst",
        own: &["src"],
        inert: Param::F32(0.0),
    })
    .wgsl(
        "// @use zero_noise
fn element(i: u32, lane: u32) -> f32 { return zn_keep(src_at(i, lane) * params.by) + 1.0; }",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, by) = (b.part::<f32>("src", range)?, b.write::<f32>("dst")?, p.f32("by")?);
        for (d, s) in dst.iter_mut().zip(src) {
            *d = s * by + 1.0;
        }
        Ok(())
    }));

/// The same as a field, as often as there are factors.
fn scale(factors: u32) -> Result<Arc<Program>> {
    let mut tape = Tape::new();
    let (mut x, one) = (tape.leaf(0, 0, Kind::F32), tape.const_f32(1.0));
    for k in 0..factors {
        let by = tape.number(k, Kind::F32);
        let product = tape.binary(Binary::Mul, x, by)?;
        x = tape.binary(Binary::Add, product, one)?;
    }
    Ok(Arc::new(Program::compile(&tape, &[x], Mode::Exact)?))
}

#[derive(Clone, Copy)]
enum Of {
    Kernels,
    Fields,
    Both,
    /// One program of what the others do in eight dispatches.
    Whole,
}

struct Options {
    adapter: Option<String>,
    elements: u32,
    threads: usize,
}

fn options() -> std::result::Result<Options, String> {
    let mut options = Options {
        adapter: None,
        elements: 1 << 20,
        threads: 1,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let bad = |_| format!("{name}: `{value}` is no number");
        match name.as_str() {
            "--adapter" => options.adapter = Some(value),
            "--elements" => options.elements = value.parse().map_err(bad)?,
            "--threads" => options.threads = value.parse().map_err(bad)?,
            _ => {
                return Err(format!(
                    "unknown option {name}; there are --adapter, --elements, --threads"
                ));
            }
        }
    }
    Ok(options)
}

/// The median and the least milliseconds of a submission, and the last word that it wrote.
fn measure(device: &Device, of: Of, fusion: Option<Fusion>, elements: u32) -> Result<(f64, f64, f32)> {
    let words: Vec<f32> = (0..elements).map(|i| i as f32 * 1e-6).collect();
    let mut last = device.upload(&words, 1)?;
    let program = scale(1)?;
    let mut rec = device.record("chain");
    if let Of::Whole = of {
        let by: Vec<u32> = (0..8u8).map(|k| (0.5 + f32::from(k) * 0.0625).to_bits()).collect();
        let done = rec.map(&scale(8)?, std::slice::from_ref(&last), &by, Domain::of(&last))?;
        last = done.column("dst")?;
    }
    let dispatches = if let Of::Whole = of { 0 } else { 8 };
    for k in 0..dispatches {
        let by = 0.5 + k as f32 * 0.0625;
        let done = match of {
            Of::Fields => rec.map(&program, &[last.clone()], &[by.to_bits()], Domain::of(&last))?,
            Of::Both if k % 2 == 1 => rec.map(&program, &[last.clone()], &[by.to_bits()], Domain::of(&last))?,
            _ => rec.dispatch(&SCALE, args! { src: &last, by: by }, Domain::of(&last))?,
        };
        last = done.column("dst")?;
    }
    if let Some(fusion) = fusion {
        rec.fuse(fusion, &[&last])?;
    }
    let list = rec.finish()?;
    // A list of its own brings one word, so that reading back is no part of what is measured.
    let at = device.upload(&[elements as i32 - 1], 1)?;
    let mut rec = device.record("last word");
    let word = kernels::gather(&mut rec, &last, &at)?;
    let look = rec.finish()?;
    let mut value = 0.0;
    let times = timing::times(2, 20, || {
        list.submit()?;
        look.submit()?;
        value = word.read::<f32>()?.wait()?.first().copied().unwrap_or(f32::NAN);
        Ok(())
    })?;
    Ok((times.median_ms, times.least_ms, value))
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let options = options()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let cpu = CpuOptions {
        pool: (options.threads > 1).then(|| Arc::new(pool)),
        ..CpuOptions::default()
    };
    let cpu = Device::cpu(cpu);
    #[cfg(not(feature = "gpu"))]
    let devices = [cpu];
    #[cfg(feature = "gpu")]
    let devices = [cpu, timing::adapter(options.adapter.as_deref())?];
    println!("a chain of 8 dispatches over {} elements", options.elements);
    println!("{:<56} {:>10} {:>10}", "", "median ms", "least ms");
    for device in &devices {
        let (median, least, whole) = measure(device, Of::Whole, None, options.elements)?;
        let name = &device.info().name;
        println!(
            "{:<56} {median:>10.3} {least:>10.3}",
            format!("{name}: one field program of it all")
        );
        for (of, what) in [(Of::Kernels, "kernels"), (Of::Fields, "fields"), (Of::Both, "in turn")] {
            let (median, least, plain) = measure(device, of, None, options.elements)?;
            println!("{:<56} {median:>10.3} {least:>10.3}", format!("{name}: {what}"));
            let (median, least, fused) = measure(device, of, Some(Fusion::Chains), options.elements)?;
            println!("{:<56} {median:>10.3} {least:>10.3}", format!("{name}: {what}, fused"));
            let words = [plain, fused, whole].map(f32::to_bits);
            assert_eq!(words, [words[0]; 3], "fused and not, the words are the same");
        }
    }
    Ok(())
}
