//! A kernel that an author writes as files, in `author/terraces` beside this program: one with a mistake is refused with
//! its file and line, and the other is run, on a GPU and, with a Rust function of its name, on the CPU, bit for bit the
//! same. Writes `terraces.txt`.
//!
//! `cargo run -p zero-compute --features author --example author -- [--device auto|cpu|gpu] [--out FOLDER] [--headless]`
//! It opens no window, headless or not.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use zero_compute::author::{AuthorKernel, Loader};
use zero_compute::call::Call;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuOptions, CpuParams, Device, DeviceClass, Result};

type Failure = Box<dyn std::error::Error>;

/// What the kernel does, as Rust: the same operations in the same order.
fn terraces(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (rise, is_hard) = (p.f32("rise")?, p.option("EDGE")? == "hard");
    let heights = b.read::<f32>("heights")?;
    for (to, height) in b.write::<f32>("terraced")?.iter_mut().zip(&heights[range]) {
        let steps = zero_noise::div(*height, rise);
        let whole = zero_noise::floor(steps);
        let part = steps - whole;
        let edge = if is_hard { 0.0 } else { (part * part) * (part * part) };
        *to = (whole + edge) * rise;
    }
    Ok(())
}

/// The profile of a hillside, a height each metre.
fn hillside() -> Vec<f32> {
    let height = |x: u32| 40.0 + 30.0 * zero_noise::fbm2(11, x as f32 / 64.0, 0.5, 5);
    (0..512).map(height).collect()
}

/// The hillside in terraces, with hard and with softened edges.
fn run(device: &Device, kernel: &AuthorKernel, heights: &[f32]) -> Result<[Vec<f32>; 2]> {
    let column = device.upload(heights, 1)?;
    let call = |edge: &str| {
        let call = Call::new(kernel, &column).bind("heights", &column).bind("rise", 6);
        call.specialize("EDGE", edge).run(device)?.column("terraced")
    };
    let (hard, soft) = (call("hard")?.read::<f32>()?, call("soft")?.read::<f32>()?);
    Ok([hard.wait()?, soft.wait()?])
}

fn work(options: &Options) -> std::result::Result<(), Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/author");
    let loader = Loader::new().twin("terraces", Cpu::Ranges(terraces));
    let kernel = loader.load_folder(&folder.join("terraces"))?;
    kernel.check()?;
    println!("{}: {}", kernel.name(), kernel.description().unwrap_or_default());

    // A host goes on with the kernel that it has, and shows what is wrong with the one that it was given.
    match loader.load_folder(&folder.join("broken")) {
        Err(error) => println!("refused: {error}"),
        // Only a compiler tells that there is no such param, and without a GPU there is none in the program.
        Ok(_) if !cfg!(feature = "gpu") => println!("not compiled: this program was built without the feature `gpu`"),
        Ok(_) => return Err("the kernel with a mistake was read".into()),
    }

    let device = open(options.device)?;
    let info = device.info();
    let software = if info.software { " (software)" } else { "" };
    println!("device: {}{software}", info.name);
    let heights = hillside();
    let [hard, soft] = run(&device, &kernel, &heights)?;
    if device.class() != DeviceClass::Cpu {
        let cpu = Device::cpu(CpuOptions::default());
        if run(&cpu, &kernel, &heights)? != [hard.clone(), soft.clone()] {
            return Err("the CPU gives other numbers, of a kernel that is declared exact".into());
        }
        println!("the CPU gives the same {} numbers", hard.len() + soft.len());
    }

    let rows = heights.iter().zip(&hard).zip(&soft);
    let rows = rows.map(|((height, hard), soft)| format!("{height:8.3} {hard:8.3} {soft:8.3}\n"));
    let text = format!("  height     hard     soft\n{}", rows.collect::<String>());
    std::fs::create_dir_all(&options.out)?;
    let path = options.out.join("terraces.txt");
    std::fs::write(&path, text)?;
    println!("{}", path.display());
    Ok(())
}

/// Where to compute: `auto` is a hardware GPU, else the CPU; `gpu` takes a software adapter where there is no hardware.
#[derive(Clone, Copy)]
enum Choice {
    Auto,
    Cpu,
    Gpu,
}

struct Options {
    device: Choice,
    out: PathBuf,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> std::result::Result<Self, Failure> {
        let mut options = Self {
            device: Choice::Auto,
            out: PathBuf::from("."),
        };
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--headless" => {}
                "--out" => options.out = value()?.into(),
                "--device" => {
                    options.device = match value()?.as_str() {
                        "auto" => Choice::Auto,
                        "cpu" => Choice::Cpu,
                        "gpu" => Choice::Gpu,
                        other => return Err(format!("--device is auto, cpu or gpu, found `{other}`").into()),
                    }
                }
                other => return Err(format!("there is no option `{other}`").into()),
            }
        }
        Ok(options)
    }
}

#[cfg(feature = "gpu")]
fn open(choice: Choice) -> Result<Device> {
    use zero_compute::GpuOptions;
    let software = GpuOptions {
        software: true,
        ..GpuOptions::default()
    };
    match choice {
        Choice::Auto => Ok(Device::auto_blocking()),
        Choice::Cpu => Ok(Device::cpu(CpuOptions::default())),
        Choice::Gpu => Device::gpu_blocking(GpuOptions::default()).or_else(|_| Device::gpu_blocking(software)),
    }
}

#[cfg(not(feature = "gpu"))]
fn open(choice: Choice) -> std::result::Result<Device, Failure> {
    match choice {
        Choice::Auto | Choice::Cpu => Ok(Device::cpu(CpuOptions::default())),
        Choice::Gpu => Err("this program was built without the feature `gpu`".into()),
    }
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| work(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("author: {error}");
            ExitCode::FAILURE
        }
    }
}
