//! Random command lists on every form of the CPU and on the software adapter, compared bit for bit.
//!
//! `cargo run --release -p zero-compute --example soak -- [--from N] [--count N] [--most ELEMENTS] [--tallies FILE]
//! [--merge FILE] [--adapter hardware] [--commit NAME]`,
//! or `cargo xtask soak compute`, which keeps its tallies in `target/soak-compute.txt` unless another file is named.
//!
//! A list is known by its number: a failure prints it, and `--from N --count 1` runs it again. Without `--from` a soak
//! goes on where the file of tallies ends. With the `--from` that the file began at it does what is left of `--count`, so
//! the same command goes on where it was stopped; lists that are not the file's run and are not counted. The file says by
//! which version, commit and adapter its lists were run, and on which days; `--commit` names the commit where the program
//! runs without its checkout. A file whose lists were drawn by other code is refused. `--adapter hardware` takes a hardware
//! GPU in place of the software adapter, and `ZERO_TEST_ADAPTER` names any.
//!
//! To use more cores run several side by side, each with lists and a file of its own, and sum them at the end:
//! `--merge FILE`, once for each, runs nothing and writes their sum to `--tallies`.

#[path = "../tests/soak/frame.rs"]
mod frame;
#[path = "../tests/soak/lists/mod.rs"]
mod lists;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use frame::Options;
use lists::runs::Runs;
use lists::tallies::{Plan, Tallies};
use lists::{Devices, MOST};
use zero_compute::{CpuOptions, Device, GpuOptions, Isa};

const TAKES: [&str; 7] = [
    "--from",
    "--count",
    "--most",
    "--tallies",
    "--merge",
    "--adapter",
    "--commit",
];

fn main() -> ExitCode {
    match soak() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("soak: {message}");
            ExitCode::FAILURE
        }
    }
}

fn soak() -> Result<(), String> {
    let options = Options::parse(std::env::args().skip(1), &TAKES)?;
    let file = options.file("--tallies");
    let parts = options.files("--merge");
    if !parts.is_empty() {
        return merge(&parts, file.as_deref());
    }
    let hardware = match options.text("--adapter") {
        None => false,
        Some("hardware") => true,
        Some(other) => return Err(format!("`--adapter` is `hardware`, or left out; found `{other}`")),
    };
    let most = options
        .number("--most")?
        .map_or(MOST, |most| u32::try_from(most).unwrap_or(MOST).min(MOST));
    let (from, count) = (options.number("--from")?, options.number("--count")?.unwrap_or(10_000));
    let devices = devices(hardware)?;
    let (mut tallies, end, file) = begin(file.as_deref(), from, count, most)?;
    if tallies.next < end {
        tallies.runs.add(&Runs::today(&devices.gpu, options.text("--commit")));
    }
    println!("lists {} up to {end} of at most {most} elements", tallies.next);
    frame::go(
        "lists",
        &mut tallies,
        |tallies| &mut tallies.next,
        end,
        |tallies, number| {
            lists::run(&devices, number, most, &mut tallies.tally)
                .map_err(|message| format!("list {number} failed (run it with --from {number} --count 1): {message}"))
        },
        |tallies| file.map_or(Ok(()), |path| tallies.save(path)),
    )?;
    tell(&tallies)
}

/// Where the run begins and ends, and the file that it counts in.
fn begin(
    file: Option<&Path>,
    from: Option<u64>,
    count: u64,
    most: u32,
) -> Result<(Tallies, u64, Option<&Path>), String> {
    let kept = match file {
        None => None,
        Some(path) => match Tallies::load(path)? {
            None => None,
            Some(kept) => Some(kept.check(&path.display().to_string(), most)?),
        },
    };
    let told = kept.as_ref().map(|kept| (kept.from, kept.next));
    match Plan::new(kept, from, count, most) {
        Plan::Count(tallies, end) => Ok((tallies, end, file)),
        Plan::Apart(tallies, end) => {
            if let (Some(path), Some((from, next))) = (file, told) {
                println!(
                    "not counted: `{}` holds the lists from {from} up to {next}",
                    path.display()
                );
            }
            Ok((tallies, end, None))
        }
    }
}

/// Sums files of tallies.
fn merge(parts: &[PathBuf], into: Option<&Path>) -> Result<(), String> {
    let load = |path: &PathBuf| {
        let name = path.display().to_string();
        let part = Tallies::load(path)?.ok_or_else(|| format!("there is no `{name}`"))?;
        Ok((name, part))
    };
    let parts: Result<Vec<_>, String> = parts.iter().map(load).collect();
    let all = Tallies::merged(parts?)?;
    if let Some(path) = into {
        all.save(path)?;
    }
    tell(&all)
}

fn tell(tallies: &Tallies) -> Result<(), String> {
    frame::tell(&tallies.text(), &tallies.missing(), tallies.is_whole())
}

fn devices(hardware: bool) -> Result<Devices, String> {
    let pooled = |threads: usize, isa: Isa| -> Result<Device, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = Some(Arc::new(pool.map_err(|error| error.to_string())?));
        Ok(Device::cpu(CpuOptions { pool, isa }))
    };
    let single = |isa| Device::cpu(CpuOptions { pool: None, isa });
    let name = std::env::var("ZERO_TEST_ADAPTER").ok();
    let options = GpuOptions {
        software: name.is_none() && !hardware,
        adapter_name: name,
        ..GpuOptions::default()
    };
    Ok(Devices {
        cpus: vec![
            single(Isa::Auto),
            single(Isa::Baseline),
            pooled(2, Isa::Auto)?,
            pooled(16, Isa::Baseline)?,
        ],
        gpu: Device::gpu_blocking(options).map_err(|error| error.to_string())?,
    })
}
