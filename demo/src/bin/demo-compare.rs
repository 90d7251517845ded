//! Holds two runs of the demo against each other: `demo-compare A B`, each the folder that `--out` named.

use std::path::Path;
use std::process::ExitCode;
use zero_demo::compare;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [left, right] = arguments.as_slice() else {
        eprintln!("error: expected two folders, found {} arguments", arguments.len());
        return ExitCode::FAILURE;
    };
    match compare(Path::new(left), Path::new(right)) {
        Ok(same) => {
            let trees: Vec<String> = same
                .trees
                .iter()
                .map(|(name, count)| format!("{count} {name}"))
                .collect();
            println!(
                "the same landscape: {} heights, at most {} m apart; {}",
                same.samples,
                same.height_m,
                trees.join(", ")
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
