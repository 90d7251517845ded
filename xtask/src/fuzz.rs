//! `cargo xtask fuzz`: every fuzz target of every crate that has some, each for a while.

use crate::shell::{Result, Run};
use crate::workspace::{Workspace, value_of};
use std::path::{Path, PathBuf};

/// How long each target runs unless another time is asked for.
const SECONDS: u64 = 600;
/// The most bytes of an input: what a file that a person writes has, and more than any header.
const MAX_BYTES: u64 = 65_536;

/// A fuzz target: its crate's `fuzz` folder and its name there.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    krate: String,
    folder: PathBuf,
    name: String,
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    /// Crates and targets; all where none is named.
    names: Vec<String>,
    seconds: u64,
    max_bytes: u64,
}

/// Runs the targets that are named, or all of them, and says how many inputs each took.
pub(crate) fn fuzz(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let asked = asked(arguments)?;
    let targets = chosen(all(workspace)?, &asked.names)?;
    needed(&workspace.root)?;
    let mut lines = Vec::new();
    for target in &targets {
        eprintln!("\n{} of {}: {} s", target.name, target.krate, asked.seconds);
        let executions = run(workspace, target, &asked)?;
        lines.push(format!(
            "{:24} {:12} {executions} inputs, no finding",
            target.krate, target.name
        ));
    }
    eprintln!("\n{}", lines.join("\n"));
    Ok(())
}

/// Every target, crate by crate.
fn all(workspace: &Workspace) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for member in &workspace.members {
        let folder = member.folder.join("fuzz");
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            continue;
        }
        let text = std::fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        targets.extend(names(&text).map(|name| Target {
            krate: member.name.clone(),
            folder: folder.clone(),
            name,
        }));
    }
    match targets.is_empty() {
        true => Err("no crate has a `fuzz` folder".into()),
        false => Ok(targets),
    }
}

/// The names of the programs of a manifest.
fn names(manifest: &str) -> impl Iterator<Item = String> + '_ {
    manifest
        .split("[[bin]]")
        .skip(1)
        .filter_map(|bin| value_of(bin, "name"))
}

fn chosen(all: Vec<Target>, wanted: &[String]) -> Result<Vec<Target>> {
    let is_it = |target: &Target, name: &String| target.krate == *name || target.name == *name;
    if let Some(name) = wanted.iter().find(|name| !all.iter().any(|target| is_it(target, name))) {
        let known: Vec<String> = all
            .iter()
            .map(|target| format!("{} of {}", target.name, target.krate))
            .collect();
        return Err(format!(
            "there is no crate or fuzz target `{name}`; there are: {}",
            known.join(", ")
        ));
    }
    let is_wanted = |target: &Target| wanted.is_empty() || wanted.iter().any(|name| is_it(target, name));
    Ok(all.into_iter().filter(is_wanted).collect())
}

/// Fuzzing needs a compiler that instruments, and the program that drives it. Both are a person's to install: they are
/// large, and no other command needs them.
fn needed(root: &Path) -> Result<()> {
    if !Run::cargo(root).args(["+nightly", "--version"]).succeeds() {
        return Err("fuzzing needs the nightly toolchain; install it with: rustup toolchain install nightly".into());
    }
    if !Run::cargo(root).args(["+nightly", "fuzz", "--version"]).succeeds() {
        return Err("fuzzing needs cargo-fuzz; install it with: cargo install cargo-fuzz".into());
    }
    Ok(())
}

/// Runs a target and answers how many inputs it took. What it finds on the way is kept in the target folder, apart from
/// the corpus that the crate keeps, so that a run leaves the repository as it is.
fn run(workspace: &Workspace, target: &Target, asked: &Asked) -> Result<u64> {
    let found = workspace
        .root
        .join("target/fuzz")
        .join(&target.krate)
        .join(&target.name);
    std::fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
    let (_, told) = Run::cargo(&workspace.root)
        .args(["+nightly", "fuzz", "run", "--fuzz-dir"])
        .arg(&target.folder)
        .arg(&target.name)
        .arg(&found)
        .arg(target.folder.join("corpus").join(&target.name))
        .arg("--")
        .arg(format!("-max_total_time={}", asked.seconds))
        .arg(format!("-max_len={}", asked.max_bytes))
        .args(["-print_final_stats=1", "-rss_limit_mb=4096"])
        .read_both()
        .map_err(|message| finding(&message))?;
    executions(&told).ok_or_else(|| format!("`{}` does not say how many inputs it took:\n{told}", target.name))
}

/// The end of what a run says that found something, with the input that it found.
fn finding(told: &str) -> String {
    let lines: Vec<&str> = told.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}

fn executions(told: &str) -> Option<u64> {
    let number = told
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    number.trim().parse().ok()
}

fn asked(arguments: &[String]) -> Result<Asked> {
    let mut asked = Asked {
        names: Vec::new(),
        seconds: SECONDS,
        max_bytes: MAX_BYTES,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let place = match argument.as_str() {
            "--seconds" => &mut asked.seconds,
            "--max-bytes" => &mut asked.max_bytes,
            option if option.starts_with('-') => {
                return Err(format!("`fuzz` takes --seconds and --max-bytes, found `{option}`"));
            }
            name => {
                asked.names.push(name.to_owned());
                continue;
            }
        };
        let value = arguments.next().map(String::as_str).unwrap_or_default();
        *place = match value.parse() {
            Ok(number @ 1..) => number,
            _ => {
                return Err(format!(
                    "`{argument}` needs a whole number of at least 1, found `{value}`"
                ));
            }
        };
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn what_is_asked_for_is_read_and_the_rest_refused_by_name() {
        let read = asked(&strings(&["zip", "--seconds", "30", "zero-assets"])).unwrap();
        assert_eq!(
            (read.names, read.seconds, read.max_bytes),
            (strings(&["zip", "zero-assets"]), 30, 65_536)
        );
        for (bad, expected) in [
            (
                &["--seconds"][..],
                "`--seconds` needs a whole number of at least 1, found ``",
            ),
            (&["--seconds", "0"], "found `0`"),
            (&["--max-bytes", "many"], "found `many`"),
            (&["--jobs", "2"], "found `--jobs`"),
        ] {
            let message = asked(&strings(bad)).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn targets_are_those_of_every_crate_that_has_some() {
        let workspace = Workspace::open().unwrap();
        let named = |targets: &[Target]| -> Vec<String> {
            let named = targets.iter().map(|target| format!("{}/{}", target.krate, target.name));
            named.collect()
        };
        let targets = all(&workspace).unwrap();
        for expected in [
            "zero-assets/manifest",
            "zero-assets/refs",
            "zero-assets/steps",
            "zero-assets/type_yaml",
            "zero-vfs/vfs_path",
            "zero-vfs/zip",
        ] {
            assert!(named(&targets).contains(&expected.to_owned()), "{expected}");
        }
        let vfs = chosen(all(&workspace).unwrap(), &strings(&["zero-vfs"])).unwrap();
        assert_eq!(named(&vfs), ["zero-vfs/vfs_path", "zero-vfs/zip"]);
        let refs = chosen(targets, &strings(&["refs"])).unwrap();
        assert_eq!(named(&refs), ["zero-assets/refs"]);
        let message = chosen(refs, &strings(&["rafs"])).unwrap_err();
        assert!(message.contains("`rafs`; there are: refs of zero-assets"), "{message}");
    }

    #[test]
    fn the_inputs_that_a_run_took_are_read_from_what_it_says() {
        let told = "Done 12 runs in 1 second(s)\nstat::number_of_executed_units: 1234\nstat::peak_rss_mb: 5\n";
        assert_eq!(executions(told), Some(1234));
        assert_eq!(executions("Done"), None);
    }
}
