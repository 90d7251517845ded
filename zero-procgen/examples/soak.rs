//! Random sequences of edits, moved inputs, registrations and evictions; after each a play shows, bit for bit, what a
//! cold one shows.
//!
//! `cargo run --release -p zero-procgen --example soak -- [--from N] [--count N] [--tallies FILE]`, or
//! `cargo xtask soak procgen`, which keeps its tallies in `target/soak-procgen.txt`.
//!
//! A sequence is known by its number: a failure prints it, and `--from N --count 1` runs it again. Without `--from` a
//! soak goes on where the file of tallies ends; with another start than that the tallies begin anew. Sequence by
//! sequence the devices take turns: the CPU with and without AVX2, with 1, 2 and 16 threads, and the software adapter
//! where there is one.

#[path = "../tests/soak/sequences/mod.rs"]
mod sequences;

use sequences::{ACTIONS, Tally};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use zero_compute::{CpuOptions, Device, Isa};

/// Sequences between two writes of the tallies.
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
    let devices = devices()?;
    let kept = options.tallies.as_deref().map(Tallies::load).transpose()?.flatten();
    let mut tallies = match (kept, options.from) {
        (Some(kept), None) => kept,
        (Some(kept), Some(from)) if from == kept.next => kept,
        (_, from) => Tallies::new(from.unwrap_or(0)),
    };
    let (first, end) = (tallies.next, tallies.next.saturating_add(options.count));
    println!(
        "sequences {first} to {} on {} devices",
        end.saturating_sub(1),
        devices.len()
    );
    let begun = Instant::now();
    while tallies.next < end {
        let number = tallies.next;
        let device = &devices[number as usize % devices.len()];
        sequences::run(device, number, &mut tallies.tally).map_err(|message| {
            let name = &device.info().name;
            format!("sequence {number} failed on {name} (run it with --from {number} --count 1): {message}")
        })?;
        tallies.next += 1;
        let done = tallies.next - first;
        if done % BETWEEN == 0 || tallies.next == end {
            let secs = begun.elapsed().as_secs_f64();
            println!(
                "{done} of {} sequences, {:.3} s a sequence",
                options.count,
                secs / done as f64
            );
            if let Some(path) = &options.tallies {
                tallies.save(path)?;
            }
        }
    }
    print!("{}", tallies.text());
    let missing: Vec<&str> = ACTIONS
        .into_iter()
        .filter(|action| !tallies.tally.contains_key(*action))
        .collect();
    if !missing.is_empty() {
        println!("not drawn yet: {}", missing.join(", "));
    }
    println!("all equal");
    Ok(())
}

fn devices() -> Result<Vec<Device>, String> {
    let mut devices = Vec::new();
    for threads in [1, 2, 16] {
        for isa in [Isa::Auto, Isa::Baseline] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = Some(Arc::new(pool.map_err(|error| error.to_string())?));
            devices.push(Device::cpu(CpuOptions { pool, isa }));
        }
    }
    #[cfg(feature = "gpu")]
    {
        let options = zero_compute::GpuOptions {
            software: true,
            ..Default::default()
        };
        match Device::gpu_blocking(options) {
            Ok(device) => devices.push(device),
            Err(error) => eprintln!("on the CPU alone: {error}"),
        }
    }
    Ok(devices)
}

struct Options {
    from: Option<u64>,
    count: u64,
    tallies: Option<PathBuf>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            from: None,
            count: 1000,
            tallies: None,
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
                "--tallies" => options.tallies = Some(PathBuf::from(value)),
                _ => return Err(format!("there is no `{name}`; there are --from, --count, --tallies")),
            }
        }
        Ok(options)
    }
}

/// What was done so far, as the file holds it.
struct Tallies {
    from: u64,
    next: u64,
    tally: Tally,
}

impl Tallies {
    fn new(from: u64) -> Self {
        Self {
            from,
            next: from,
            tally: Tally::new(),
        }
    }

    /// One line a number.
    fn text(&self) -> String {
        let mut text = String::new();
        let numbers = [("from", self.from), ("next", self.next)];
        let tally = self.tally.iter().map(|(name, number)| (name.as_str(), *number));
        for (name, number) in numbers.into_iter().chain(tally) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name} {number}");
        }
        text
    }

    /// The whole file or nothing is written: beside it first, then moved onto it.
    fn save(&self, path: &Path) -> Result<(), String> {
        let beside = path.with_extension("new");
        let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
        std::fs::write(&beside, self.text()).map_err(failed)?;
        std::fs::rename(&beside, path).map_err(failed)
    }

    /// `None` where there is no file yet.
    fn load(path: &Path) -> Result<Option<Self>, String> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read `{}`: {error}", path.display())),
        };
        let mut tallies = Self::new(0);
        for line in text.lines() {
            let pair = line.split_once(' ');
            let pair = pair.and_then(|(name, number)| Some((name, number.parse::<u64>().ok()?)));
            match pair {
                Some(("from", number)) => tallies.from = number,
                Some(("next", number)) => tallies.next = number,
                Some((name, number)) => {
                    tallies.tally.insert(name.to_owned(), number);
                }
                None => {
                    return Err(format!(
                        "`{}`: `{line}` is no line of tallies; delete the file",
                        path.display()
                    ));
                }
            }
        }
        Ok(Some(tallies))
    }
}
