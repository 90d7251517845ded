//! Benches: what the engine takes, as a table.

use crate::shell::{Result, Run};
use crate::workspace::Workspace;

/// A bench that `cargo xtask bench` knows.
struct Bench {
    name: &'static str,
    package: &'static str,
    example: &'static str,
}

const BENCHES: &[Bench] = &[Bench {
    name: "engine",
    package: "zero-procgen",
    example: "engine_bench",
}];

/// Builds the bench that is named, with optimisation and without a GPU, and runs it.
pub(crate) fn bench(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
    let [name] = arguments else {
        return Err(format!("`bench` takes one name: {}", names.join(", ")));
    };
    let Some(bench) = BENCHES.iter().find(|bench| bench.name == name) else {
        return Err(format!("there is no bench `{name}`; there is {}", names.join(", ")));
    };
    Run::cargo(&workspace.root)
        .args(["run", "--release", "--package", bench.package, "--no-default-features"])
        .args(["--example", bench.example])
        .go()
}
