//! Random command lists on every form of the CPU and on the software adapter, compared bit for bit.
//!
//! `cargo run --release -p zero-compute --example soak -- [--from N] [--count N] [--most ELEMENTS] [--tallies FILE]
//! [--adapter hardware]`,
//! or `cargo xtask soak compute`, which keeps its tallies in `target/soak-compute.txt`.
//!
//! A list is known by its number: a failure prints it, and `--from N --count 1` runs it again. Without `--from` a soak
//! goes on where the file of tallies ends; with another start than that the tallies begin anew. `--adapter hardware`
//! takes a hardware GPU in place of the software adapter, and `ZERO_TEST_ADAPTER` names any.

#[path = "../tests/soak/lists/mod.rs"]
mod lists;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use lists::{Devices, FAMILIES, MOST, Row, Tally};
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
    let devices = devices(options.hardware)?;
    let kept = options.tallies.as_deref().map(Tallies::load).transpose()?.flatten();
    let mut tallies = match (kept, options.from) {
        (Some(kept), None) => kept,
        (Some(kept), Some(from)) if from == kept.next => kept,
        (_, from) => Tallies::new(from.unwrap_or(0)),
    };
    let (first, end) = (tallies.next, tallies.next.saturating_add(options.count));
    println!(
        "lists {first} to {} of at most {} elements",
        end.saturating_sub(1),
        options.most
    );
    let begun = Instant::now();
    while tallies.next < end {
        let number = tallies.next;
        lists::run(&devices, number, options.most, &mut tallies.tally)
            .map_err(|message| format!("list {number} failed (run it with --from {number} --count 1): {message}"))?;
        tallies.next += 1;
        let done = tallies.next - first;
        if done % BETWEEN == 0 || tallies.next == end {
            let secs = begun.elapsed().as_secs_f64();
            println!(
                "{} of {} lists, {:.2} s a list",
                done,
                options.count,
                secs / done as f64
            );
            if let Some(path) = &options.tallies {
                tallies.save(path)?;
            }
        }
    }
    print!("{}", tallies.text());
    let missing: Vec<_> = FAMILIES
        .iter()
        .map(|family| family.name)
        .filter(|name| !tallies.tally.families.contains_key(*name))
        .collect();
    if !missing.is_empty() {
        println!("not drawn yet: {}", missing.join(", "));
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
    hardware: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            from: None,
            count: 10_000,
            most: MOST,
            tallies: None,
            hardware: false,
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
                "--adapter" if value == "hardware" => options.hardware = true,
                "--adapter" => return Err(format!("`--adapter` is `hardware`, or left out; found `{value}`")),
                _ => {
                    return Err(format!(
                        "there is no `{name}`; there are --from, --count, --most, --tallies, --adapter"
                    ));
                }
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
            tally: Tally::default(),
        }
    }

    /// One line a number, and one a family: its name, how often it was recorded, and the elements that it was given.
    fn text(&self) -> String {
        let mut text = String::new();
        let numbers = [
            ("from", self.from),
            ("next", self.next),
            ("submissions", self.tally.submissions),
            ("words", self.tally.words),
            ("fused", self.tally.fused),
        ];
        // Writing to a String cannot fail.
        for (name, number) in numbers {
            let _ = writeln!(text, "{name} {number}");
        }
        for (name, row) in &self.tally.families {
            let _ = writeln!(text, "family {name} {} {}", row.uses, row.elements);
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
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| {
                let word = words.get(at).and_then(|word| word.parse::<u64>().ok());
                word.ok_or_else(|| format!("`{}`: `{line}` is no line of tallies; delete the file", path.display()))
            };
            match words.first().copied() {
                Some("from") => tallies.from = number(1)?,
                Some("next") => tallies.next = number(1)?,
                Some("submissions") => tallies.tally.submissions = number(1)?,
                Some("words") => tallies.tally.words = number(1)?,
                Some("fused") => tallies.tally.fused = number(1)?,
                _ => {
                    let row = Row {
                        uses: number(2)?,
                        elements: number(3)?,
                    };
                    let name = words.get(1).copied().unwrap_or_default();
                    tallies.tally.families.insert(name.to_owned(), row);
                }
            }
        }
        Ok(Some(tallies))
    }
}
