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

#[path = "../../zero-compute/tests/soak/frame.rs"]
mod frame;
#[path = "../tests/soak/sequences/mod.rs"]
mod sequences;

use frame::Options;
use sequences::{ACTIONS, Tally};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use zero_compute::{CpuOptions, Device, Isa};

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
    let options = Options::parse(std::env::args().skip(1), &["--from", "--count", "--tallies"])?;
    let (from, file) = (options.number("--from")?, options.file("--tallies"));
    let devices = devices()?;
    let kept = file.as_deref().map(Tallies::load).transpose()?.flatten();
    let mut tallies = match (kept, from) {
        (Some(kept), None) => kept,
        (Some(kept), Some(from)) if from == kept.next => kept,
        (_, from) => Tallies::new(from.unwrap_or(0)),
    };
    let (first, end) = (
        tallies.next,
        tallies.next.saturating_add(options.number("--count")?.unwrap_or(1000)),
    );
    println!("sequences {first} up to {end} on {} devices", devices.len());
    frame::go(
        "sequences",
        &mut tallies,
        |tallies| &mut tallies.next,
        end,
        |tallies, number| {
            let device = &devices[number as usize % devices.len()];
            sequences::run(device, number, &mut tallies.tally).map_err(|message| {
                let name = &device.info().name;
                format!("sequence {number} failed on {name} (run it with --from {number} --count 1): {message}")
            })
        },
        |tallies| file.as_deref().map_or(Ok(()), |path| tallies.save(path)),
    )?;
    let missing = ACTIONS
        .into_iter()
        .filter(|action| !tallies.tally.contains_key(*action));
    frame::tell(&tallies.text(), &missing.collect::<Vec<_>>(), false)
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

    fn save(&self, path: &Path) -> Result<(), String> {
        frame::save(path, &self.text())
    }

    /// `None` where there is no file yet.
    fn load(path: &Path) -> Result<Option<Self>, String> {
        let Some(text) = frame::load(path)? else {
            return Ok(None);
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
