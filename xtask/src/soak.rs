//! What runs for hours: the tests at full scale, random command lists, random sequences over graphs.

use crate::shell::{Result, Run};
use crate::workspace::Workspace;
use crate::{setup, steps};

/// Where the tallies of the lists stand, below the target folder.
const TALLIES: &str = "soak-compute.txt";

/// Where the tallies of the sequences stand, below the target folder.
const PROCGEN_TALLIES: &str = "soak-procgen.txt";

pub(crate) fn soak(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    match arguments.split_first() {
        None => steps::full_scale(workspace),
        Some((part, rest)) if part == "compute" => compute(workspace, rest),
        Some((part, rest)) if part == "procgen" => procgen(workspace, rest),
        Some((part, _)) => Err(format!(
            "there is no soak of `{part}`; there are `compute` and `procgen`, or all tests without a name"
        )),
    }
}

/// Random command lists on the CPU backend and the software adapter; without `--from` they go on where the file of
/// tallies ends, which is one below the target folder unless another is named.
fn compute(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    check("compute", &COMPUTE_TAKES, arguments)?;
    setup::prepare(workspace)?;
    let mut run = Run::cargo(&workspace.root)
        .args([
            "run",
            "--release",
            "--package",
            "zero-compute",
            "--example",
            "soak",
            "--",
        ])
        .args(arguments);
    // A sum is told, and written where it is said to be alone.
    if !arguments
        .iter()
        .any(|argument| argument == "--tallies" || argument == "--merge")
    {
        let programs = workspace.programs()?;
        let target = programs.parent().ok_or("the built programs lie in no target folder")?;
        let tallies = target.join(TALLIES);
        eprintln!("tallies: {}", tallies.display());
        run = run.arg("--tallies").arg(&tallies);
    }
    run.go()
}

/// Random sequences of edits, moved inputs, registrations and evictions over plays of graphs; without `--from` they go on
/// where the file of tallies ends.
fn procgen(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    check("procgen", &PROCGEN_TAKES, arguments)?;
    setup::prepare(workspace)?;
    let programs = workspace.programs()?;
    let target = programs.parent().ok_or("the built programs lie in no target folder")?;
    let tallies = target.join(PROCGEN_TALLIES);
    eprintln!("tallies: {}", tallies.display());
    let cargo = Run::cargo(&workspace.root).args(["run", "--release", "--package", "zero-procgen"]);
    cargo
        .args(["--example", "soak", "--"])
        .args(arguments)
        .arg("--tallies")
        .arg(&tallies)
        .go()
}

/// What each soak takes.
const COMPUTE_TAKES: [&str; 4] = ["--from", "--count", "--tallies", "--merge"];
const PROCGEN_TAKES: [&str; 2] = ["--from", "--count"];

/// Refuses what the soak would not know, before anything is built.
fn check(part: &str, takes: &[&str], arguments: &[String]) -> Result<()> {
    for pair in arguments.chunks(2) {
        let Some(name) = pair.first() else { continue };
        let value = pair.get(1);
        if !takes.contains(&name.as_str()) {
            let takes = takes.join(", ");
            return Err(format!("`soak {part}` takes {takes}, found `{name}`"));
        }
        match name.as_str() {
            "--from" | "--count" => {
                let value = value.ok_or_else(|| format!("`{name}` needs a whole number"))?;
                value
                    .parse::<u64>()
                    .map_err(|_| format!("`{name}` needs a whole number, found `{value}`"))?;
            }
            _ => {
                value.ok_or_else(|| format!("`{name}` needs a file"))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{COMPUTE_TAKES, PROCGEN_TAKES, check};

    #[test]
    fn what_a_soak_does_not_take_is_refused_by_name() {
        let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for good in [
            &[][..],
            &["--from", "7"],
            &["--count", "10", "--from", "7"],
            &["--merge", "a", "--merge", "b", "--tallies", "c"],
        ] {
            assert_eq!(check("compute", &COMPUTE_TAKES, &strings(good)), Ok(()));
        }
        for (bad, expected) in [
            (&["--from"][..], "`--from` needs a whole number"),
            (&["--count", "few"], "`--count` needs a whole number, found `few`"),
            (&["--from", "7", "--merge"], "`--merge` needs a file"),
            (&["--most", "7"], "found `--most`"),
        ] {
            let message = check("compute", &COMPUTE_TAKES, &strings(bad)).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        let other = check("procgen", &PROCGEN_TAKES, &strings(&["--merge", "a"])).unwrap_err();
        assert_eq!(other, "`soak procgen` takes --from, --count, found `--merge`");
    }
}
