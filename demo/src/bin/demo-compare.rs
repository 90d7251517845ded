//! Holds two runs of the demo against each other: `demo-compare A B`, each the folder that `--out` named.

use std::path::Path;
use std::process::ExitCode;
use zero_demo::program::{arguments, finish};
use zero_demo::{Error, Result, compare};

fn main() -> ExitCode {
    finish(told())
}

fn told() -> Result<String> {
    let arguments = arguments()?;
    let [left, right] = arguments.as_slice() else {
        return Err(Error::Usage(format!(
            "expected two folders that `demo --out` named, found {} arguments",
            arguments.len()
        )));
    };
    let same = compare(Path::new(left), Path::new(right))?;
    let trees = same.trees.iter().map(|(name, count)| format!("{count} {name}"));
    let trees: Vec<String> = trees.collect();
    Ok(format!(
        "heights and tree counts agree: {} heights, at most {} m apart; {}\n",
        same.samples,
        same.height_m,
        trees.join(", ")
    ))
}
