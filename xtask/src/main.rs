//! The project's own commands: `cargo xtask help` lists them.
//!
//! It depends on nothing but the standard library, so that the first command on a new machine starts in seconds, and
//! so that no dependency is ever built a second time with other features on its account.

mod bench;
mod bundle;
mod demo;
mod fuzz;
mod licences;
mod own_project;
mod package;
mod setup;
mod shell;
mod smoke;
mod soak;
mod steps;
mod tidy;
mod validate;
mod workspace;

use shell::Result;
use std::process::ExitCode;
use workspace::Workspace;

/// One command of `cargo xtask`.
struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&Workspace, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "demo",
        usage: "demo [--out DIR] [--device auto|cpu|gpu] [--content DIR] [--picture WxH]",
        about: "set the machine up, then make a landscape of a real elevation model: files, a picture, a table",
        run: demo::demo,
    },
    Command {
        name: "demo-compare",
        usage: "demo-compare A B",
        about: "hold two runs of the demo against each other: heights within 1 mm, as many trees; fails where they differ",
        run: demo::compare,
    },
    Command {
        name: "test",
        usage: "test [STEP...]",
        about: "set the machine up, then check everything: format, lints, builds, docs, examples, licences, tests",
        run: steps::test,
    },
    Command {
        name: "soak",
        usage: "soak [compute [--from N] [--count N] [--tallies FILE] [--merge FILE]...|procgen [--from N] [--count N]]",
        about: "the tests at full scale (ZERO_TEST_SCALE=full), built with optimisation; or 10 000 random command lists, or 1 000 random sequences of edits to graphs, on CPU and software adapter, which go on where they stopped",
        run: soak::soak,
    },
    Command {
        name: "fuzz",
        usage: "fuzz [CRATE|TARGET...] [--seconds N] [--max-bytes N]",
        about: "every fuzz target, or those that are named, each for 600 s; needs the nightly toolchain and cargo-fuzz",
        run: fuzz::fuzz,
    },
    Command {
        name: "bench",
        usage: "bench engine",
        about: "what the engine of graphs takes, as a table; beside Blender where ZERO_BPY_PYTHON names a Python with bpy",
        run: bench::bench,
    },
    Command {
        name: "counts",
        usage: "counts",
        about: "the guarantees about work done, measured on counters, as a table; fails when one does not hold",
        run: smoke::counts,
    },
    Command {
        name: "licences",
        usage: "licences",
        about: "the licence of every dependency against the allow list",
        run: |workspace, arguments| no_arguments("licences", arguments).and_then(|()| licences::check(workspace)),
    },
    Command {
        name: "tidy",
        usage: "tidy",
        about: "the rules about files, manifests and documents that no compiler checks",
        run: |workspace, arguments| no_arguments("tidy", arguments).and_then(|()| tidy::check(workspace)),
    },
    Command {
        name: "validate",
        usage: "validate [FILE.glb...]",
        about: "the Khronos glTF validator over the .glb files that are named, or that examples and demo wrote; needs Node",
        run: validate::validate,
    },
    Command {
        name: "package",
        usage: "package",
        about: "package every crate that is published, without building what was packaged",
        run: package::package,
    },
    Command {
        name: "device-bundle",
        usage: "device-bundle",
        about: "optimised programs and a run.sh in target/device-bundle, for a machine that has a GPU and no toolchain",
        run: bundle::bundle,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match arguments.split_first() {
        None => ("help", &[][..]),
        Some((name, rest)) => (name.as_str(), rest),
    };
    if matches!(name, "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let outcome = match COMMANDS.iter().find(|command| command.name == name) {
        None => Err(format!("there is no command `{name}`\n\n{}", help())),
        Some(command) => Workspace::open().and_then(|workspace| (command.run)(&workspace, rest)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let width = COMMANDS.iter().map(|command| command.usage.len()).max().unwrap_or(0);
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for command in COMMANDS {
        text.push_str(&format!("  {:width$}  {}\n", command.usage, command.about));
    }
    text.push_str("\nsteps of `test`, in order (none named: all of them):\n\n");
    text.push_str(&steps::list());
    text
}

/// Refuses arguments that a command would otherwise ignore.
fn no_arguments(command: &str, arguments: &[String]) -> Result<()> {
    match arguments {
        [] => Ok(()),
        [first, ..] => Err(format!("`{command}` takes no arguments, found `{first}`")),
    }
}
