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

#[path = "../tests/soak/lists/mod.rs"]
mod lists;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use lists::runs::Runs;
use lists::tallies::{Plan, Tallies};
use lists::{Devices, MOST};
use zero_compute::{CpuOptions, Device, GpuOptions, Isa};

/// Lists between two writes of the tallies.
const BETWEEN: u64 = 25;

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
    let options = Options::parse(std::env::args().skip(1))?;
    if !options.merge.is_empty() {
        return merge(&options);
    }
    let devices = devices(options.hardware)?;
    let (mut tallies, end, file) = begin(&options)?;
    let (first, begun) = (tallies.next, Instant::now());
    if first < end {
        tallies.runs.add(&Runs::today(&devices.gpu, options.commit.as_deref()));
    }
    println!("lists {first} up to {end} of at most {} elements", options.most);
    while tallies.next < end {
        let number = tallies.next;
        lists::run(&devices, number, options.most, &mut tallies.tally)
            .map_err(|message| format!("list {number} failed (run it with --from {number} --count 1): {message}"))?;
        tallies.next += 1;
        let done = tallies.next - first;
        if done % BETWEEN == 0 || tallies.next == end {
            let secs = begun.elapsed().as_secs_f64();
            println!("{done} of {} lists, {:.2} s a list", end - first, secs / done as f64);
            if let Some(path) = file {
                tallies.save(path)?;
            }
        }
    }
    tell(&tallies)
}

/// Where the run begins and ends, and the file that it counts in.
fn begin(options: &Options) -> Result<(Tallies, u64, Option<&PathBuf>), String> {
    let file = options.tallies.as_ref();
    let kept = match file {
        None => None,
        Some(path) => match Tallies::load(path)? {
            None => None,
            Some(kept) => Some(kept.check(&path.display().to_string(), options.most)?),
        },
    };
    let told = kept.as_ref().map(|kept| (kept.from, kept.next));
    match Plan::new(kept, options.from, options.count, options.most) {
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
fn merge(options: &Options) -> Result<(), String> {
    let load = |path: &PathBuf| {
        let name = path.display().to_string();
        let part = Tallies::load(path)?.ok_or_else(|| format!("there is no `{name}`"))?;
        Ok((name, part))
    };
    let parts: Result<Vec<_>, String> = options.merge.iter().map(load).collect();
    let all = Tallies::merged(parts?)?;
    if let Some(path) = &options.tallies {
        all.save(path)?;
    }
    tell(&all)
}

fn tell(tallies: &Tallies) -> Result<(), String> {
    print!("{}", tallies.text());
    let missing = tallies.missing().join(", ");
    match (missing.is_empty(), tallies.is_whole()) {
        (true, _) => {}
        (false, true) => return Err(format!("families that no list has drawn: {missing}")),
        (false, false) => println!("not drawn yet: {missing}"),
    }
    println!("all equal");
    Ok(())
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

struct Options {
    from: Option<u64>,
    count: u64,
    most: u32,
    tallies: Option<PathBuf>,
    merge: Vec<PathBuf>,
    hardware: bool,
    commit: Option<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            from: None,
            count: 10_000,
            most: MOST,
            tallies: None,
            merge: Vec::new(),
            hardware: false,
            commit: None,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            let number = || {
                value
                    .parse::<u64>()
                    .map_err(|_| format!("`{name}` needs a whole number, found `{value}`"))
            };
            match name.as_str() {
                "--from" => options.from = Some(number()?),
                "--count" => options.count = number()?,
                "--most" => options.most = u32::try_from(number()?.min(u64::from(MOST))).unwrap_or(MOST),
                "--tallies" => options.tallies = Some(PathBuf::from(value)),
                "--merge" => options.merge.push(PathBuf::from(value)),
                "--commit" => options.commit = Some(value),
                "--adapter" if value == "hardware" => options.hardware = true,
                "--adapter" => return Err(format!("`--adapter` is `hardware`, or left out; found `{value}`")),
                _ => {
                    return Err(format!(
                        "there is no `{name}`; there are --from, --count, --most, --tallies, --merge, --adapter, --commit"
                    ));
                }
            }
        }
        Ok(options)
    }
}
