//! What runs for hours: the tests at full scale, and random command lists.

use crate::shell::{Result, Run};
use crate::workspace::Workspace;
use crate::{setup, steps};

/// Where the tallies of the lists stand, below the target folder.
const TALLIES: &str = "soak-compute.txt";

pub(crate) fn soak(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    match arguments.split_first() {
        None => steps::full_scale(workspace),
        Some((part, rest)) if part == "compute" => compute(workspace, rest),
        Some((part, _)) => Err(format!(
            "there is no soak of `{part}`; there is `compute`, or all tests without a name"
        )),
    }
}

/// Random command lists on the CPU backend and the software adapter; without `--from` they go on where the file of
/// tallies ends, which is one below the target folder unless another is named.
fn compute(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    check(arguments)?;
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

/// Refuses what the soak would not know, before anything is built.
fn check(arguments: &[String]) -> Result<()> {
    for pair in arguments.chunks(2) {
        let Some(name) = pair.first() else { continue };
        let value = pair.get(1);
        match name.as_str() {
            "--from" | "--count" => {
                let value = value.ok_or_else(|| format!("`{name}` needs a whole number"))?;
                value
                    .parse::<u64>()
                    .map_err(|_| format!("`{name}` needs a whole number, found `{value}`"))?;
            }
            "--tallies" | "--merge" => {
                value.ok_or_else(|| format!("`{name}` needs a file"))?;
            }
            _ => {
                return Err(format!(
                    "`soak compute` takes --from, --count, --tallies and --merge, found `{name}`"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn what_a_soak_does_not_take_is_refused_by_name() {
        let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for good in [
            &[][..],
            &["--from", "7"],
            &["--count", "10", "--from", "7"],
            &["--merge", "a", "--merge", "b", "--tallies", "c"],
        ] {
            assert_eq!(check(&strings(good)), Ok(()));
        }
        for (bad, expected) in [
            (&["--from"][..], "`--from` needs a whole number"),
            (&["--count", "few"], "`--count` needs a whole number, found `few`"),
            (&["--from", "7", "--merge"], "`--merge` needs a file"),
            (&["--most", "7"], "found `--most`"),
        ] {
            let message = check(&strings(bad)).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
