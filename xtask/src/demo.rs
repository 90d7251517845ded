//! `cargo xtask demo` and `cargo xtask demo-compare`: the programs of those names, once the machine can build them.

use crate::setup;
use crate::shell::{Result, Run};
use crate::workspace::Workspace;

/// Options of the demo that take a value; it says itself what each may be.
const WITH_VALUE: [&str; 4] = ["--out", "--device", "--content", "--picture"];
const DEVICES: [&str; 3] = ["auto", "cpu", "gpu"];

/// `cargo xtask demo`: sees to the machine, then runs the demo with the person's own arguments, from their folder.
pub(crate) fn demo(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let asked = read(arguments)?;
    match asked.help {
        true => setup::compiler(workspace)?,
        false => setup::prepare(workspace)?,
    }
    let mut run = Run::new(workspace.build_program("demo")?).args(arguments);
    if !asked.out && !asked.help {
        run = run.arg("--out").arg(workspace.root.join("target/demo"));
    }
    run.go()
}

/// What is told from the arguments before anything is installed or built for them.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    help: bool,
    /// Whether a folder is named; the default lies in this project, wherever the command is called.
    out: bool,
}

fn read(arguments: &[String]) -> Result<Asked> {
    let mut asked = Asked::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => asked.help = true,
            option if WITH_VALUE.contains(&option) => {
                let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
                if option == "--device" && !DEVICES.contains(&value.as_str()) {
                    return Err(format!("--device is auto, cpu or gpu, found `{value}`"));
                }
                asked.out |= option == "--out";
            }
            other => {
                return Err(format!(
                    "the demo has no option `{other}`; see `cargo xtask demo --help`"
                ));
            }
        }
    }
    Ok(asked)
}

/// `cargo xtask demo-compare A B`: fails unless the heights of two runs agree and their trees are as many. It draws
/// nothing, so that it needs no driver.
pub(crate) fn compare(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    if arguments.len() != 2 {
        return Err(format!(
            "`demo-compare` takes the folders of two runs, found {} arguments",
            arguments.len()
        ));
    }
    setup::compiler(workspace)?;
    Run::new(workspace.build_program("demo-compare")?).args(arguments).go()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Result<Asked> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&arguments)
    }

    #[test]
    fn a_comparison_of_other_than_two_runs_is_refused() {
        let workspace = Workspace::open().unwrap();
        let message = compare(&workspace, &["a".to_owned()]).unwrap_err();
        assert!(message.contains("found 1 arguments"), "{message}");
    }

    #[test]
    fn arguments_are_refused_before_anything_is_built() {
        for (line, part) in [
            ("--device tpu", "`tpu`"),
            ("--device", "--device needs a value"),
            ("--fast", "`--fast`"),
        ] {
            let message = asked(line).unwrap_err();
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn the_folder_is_the_projects_unless_it_is_named() {
        assert_eq!(asked("--device cpu").unwrap(), Asked::default());
        assert!(asked("--picture 64x64 --out d").unwrap().out);
        assert!(asked("--help").unwrap().help);
    }
}
